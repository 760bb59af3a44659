/** The style sheet of a class's report: light and dark, narrow and wide, screen and print. No meaning is conveyed by colour alone. */
export const reportStyle = `
:root { --ink: #1f2328; --dim: #5b636d; --page: #fff; --line: #d5d9de; --head: #f4f5f7; --accent: #0b5cad;
  --right: #d9f0dd; --right-ink: #11552a; --partial: #fbeebf; --partial-ink: #5e4700; --wrong: #f9d9d5; --wrong-ink: #7f1d14; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #d9dce1; --dim: #9aa2ad; --page: #1b1d21; --line: #3a3e45; --head: #25282d; --accent: #79b8ff;
  --right: #1c3a26; --right-ink: #9fe0b4; --partial: #40370f; --partial-ink: #eed479; --wrong: #4a2320; --wrong-ink: #ffb4a9; } }
@media screen and (prefers-contrast: more) { :root { --dim: var(--ink); --line: #57606a; } .students td.mark, .legend .mark, .bar span, .other { box-shadow: inset 0 0 0 1px currentcolor; } }
@media screen and (prefers-contrast: more) and (prefers-color-scheme: dark) { :root { --ink: #fff; --line: #a8b0ba; } }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 68rem; padding: 0 1.25rem; color: var(--ink); background: var(--page); }
header p { margin: 0; color: var(--dim); } h1 { margin: 0 0 1.25rem; font-size: 1.7rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.2rem; } p { max-width: 46rem; }
small { display: block; font-size: .85em; font-weight: normal; color: var(--dim); overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; }
.facts div { flex: 1 1 8rem; border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; display: flex; flex-direction: column-reverse; justify-content: flex-end; }
.facts dt { color: var(--dim); font-size: .85rem; } .facts dd { margin: 0; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } .scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .3rem .55rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { background: var(--head); color: var(--dim); font-weight: 600; font-size: .85rem; white-space: nowrap; vertical-align: bottom; }
tbody th { font-weight: 600; max-width: 24rem; overflow-wrap: anywhere; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: .9em ui-monospace, monospace; } var { font-style: italic; white-space: nowrap; } sub, sup { line-height: 0; font-size: .8em; }
.mark { text-align: center; font-weight: 600; } .students td.mark { border-left: 1px solid var(--page); } .narrow { text-align: center; }
.students { width: auto; min-width: 60%; } .students tbody th, .hashes tbody th { position: sticky; left: 0; background: var(--page); min-width: 9rem; max-width: 16rem; }
.hashes { width: auto; } .hashes td { white-space: nowrap; } .hashes .same { color: var(--dim); }
.right { background: var(--right); color: var(--right-ink); } .partial { background: var(--partial); color: var(--partial-ink); }
.wrong, .unreadable, .other { background: var(--wrong); color: var(--wrong-ink); } .unanswered, .collected { color: var(--dim); } .written { white-space: pre-wrap; }
.flag { color: var(--wrong-ink); } .remarks tbody th { width: min(14rem, 32vw); } .remarks td div + div { margin-top: .2rem; }
.legend { color: var(--dim); font-size: .85rem; } .legend > span { white-space: nowrap; margin-right: .9rem; } .legend .mark { display: inline-block; min-width: 1.6rem; border-radius: 3px; }
.questions thead th { white-space: normal; } .questions tbody th { min-width: 10rem; } .bar { display: flex; min-width: 9.5rem; border-radius: 4px; overflow: hidden; font-size: .8rem; line-height: 1.5rem; font-variant-numeric: tabular-nums; }
.bar span { min-width: 2.3rem; text-align: center; white-space: nowrap; } .bar .unanswered, .bar .collected { background: var(--head); } .questions td:last-child { width: 28%; }
details { border-bottom: 1px solid var(--line); } summary { padding: .45rem 0; cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
summary span { color: var(--dim); font-weight: normal; margin-left: .5rem; } summary:focus-visible { outline: 2px solid var(--accent); }
details table { margin-bottom: 1rem; } .answers td:nth-child(3) { max-width: 14rem; overflow-wrap: anywhere; }
footer { margin-top: 2.5rem; color: var(--dim); font-size: .85rem; max-width: 46rem; }
@media (forced-colors: active) { .bar span, .legend .mark, .students td.mark { border: 1px solid CanvasText; } .bar span + span { border-left: 0; } .students td.wrong, .students td.unreadable, .bar .wrong, .legend .wrong, .legend .unreadable { forced-color-adjust: none; background: CanvasText; color: Canvas; } }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 10pt; } .scroll { overflow: visible; } .students { font-size: min(10pt, calc(330pt / (var(--columns) * 1.6 + 1))); } .students th, .students td { padding: .2em .3em; font-size: 1em; }
  .students .narrow { white-space: normal; overflow-wrap: anywhere; } .students tbody th { min-width: 0; } .hashes { font-size: 8pt; } .hashes td { white-space: normal; } tr, .facts div { break-inside: avoid; } thead { display: table-header-group; }
  h2, summary { break-after: avoid; } .right, .partial, .wrong, .unreadable, .other, .bar span { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; display: block; height: auto; } summary { list-style: none; } }`;
