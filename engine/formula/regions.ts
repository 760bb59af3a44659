/** Where formulas stand in a document: between signs of mathematics, in environments, and in lines of plain text. */
import type { TextRange } from '../text';

export type Notation = 'latex' | 'plain';

export interface Region {
  /** The formula itself. */
  readonly range: TextRange;
  /** With its signs: `$…$`. */
  readonly outer: TextRange;
  readonly notation: Notation;
  readonly display: boolean;
}

export interface Regions {
  readonly formulas: readonly Region[];
  /** Stretches that hold neither prose nor formulas: program code. */
  readonly code: readonly TextRange[];
}

const environments = 'equation|align|aligned|gather|gathered|multline|eqnarray|alignat|flalign|displaymath|math|split';
const opener = new RegExp(
  `(\`{3,}(?=[^\`\\n]*$)|~{3,})[^\\n]*|\`+|\\$\\$|\\$|\\\\\\\\[[(]|\\\\\\[|\\\\\\(|\\\\f[[$(]|\\\\begin\\{((?:${environments})\\*?)\\}|\\\\[\\s\\S]|^In \\[(?:[ \\d*]*|None)\\]:|<(?:script|style)\\b|%[^\\n]*`,
  'gm',
);

/** A formula between two signs is no longer than this. */
const longest = 20_000;

interface Walk {
  readonly text: string;
  readonly isTex: boolean;
  readonly formulas: Region[];
  readonly code: TextRange[];
  /** Where blocks of prose with a title end: `{note}`. */
  readonly closings: Set<number>;
  /** Where each closing sign stands next; each stretch is searched once. */
  readonly ends: Map<string, number>;
}

/** In the order of the text. Each character is looked at a few times at most. */
export function regionsOf(text: string, languageId: string): Regions {
  const walk: Walk = {
    text,
    isTex: /^(?:la)?tex$/.test(languageId),
    formulas: [],
    code: [],
    closings: new Set(),
    ends: new Map(),
  };
  opener.lastIndex = 0;
  for (let found = opener.exec(text); found; found = opener.exec(text)) opener.lastIndex = after(walk, found);
  const marked = walk.formulas;
  const plain = walk.isTex ? [] : plainRegions(text, [...walk.code, ...marked.map(({ outer }) => outer)]);
  return { formulas: [...marked, ...plain].sort((a, b) => a.range.start - b.range.start), code: walk.code };
}

const closers: Readonly<Record<string, string>> = { '[': ']', '(': ')' };

/** Where to look on. A sign that is not closed is passed by, and not looked for again. */
function after(walk: Walk, found: RegExpExecArray): number {
  const { text, isTex } = walk;
  const [sign, fence, environment] = found;
  const start = found.index;
  const next = start + sign.length;
  if (sign.startsWith('%')) return isTex ? next : start + 1;
  if (fence !== undefined) return isTex ? start + 1 : fenced(walk, start, next, fence, sign);
  if (sign.startsWith('`')) return isTex ? next : Math.max(next, closed(text, next, sign, 2000) + sign.length);
  if (sign.startsWith('In [')) return cell(walk, start);
  if (sign.startsWith('<')) return next;
  if (environment !== undefined) return between(walk, start, next, `\\end{${environment}}`, true);
  if (sign === '$$') return between(walk, start, next, '$$', !isInLine(text, start));
  // A backslash before the backslash, where Markdown would take one away.
  if (/^\\\\[[(]$/.test(sign))
    return isTex ? next : between(walk, start, next, sign.endsWith('[') ? '\\\\]' : '\\\\)', sign.endsWith('['));
  // Doxygen's signs.
  if (sign.startsWith('\\f'))
    return between(walk, start, next, `\\f${closers[sign.charAt(2)] ?? '$'}`, sign.endsWith('['));
  if (sign === '\\[') return between(walk, start, next, '\\]', true);
  if (sign === '\\(') return between(walk, start, next, '\\)', false);
  if (sign === '$') return inline(walk, start);
  return next;
}

/** `$$` within a line of prose, as in kramdown: no display. */
function isInLine(text: string, start: number): boolean {
  const found = /^\$\$[^$\n]{1,300}\$\$([^\n]{0,40})/.exec(text.slice(start, start + 400));
  const lead = text.slice(Math.max(0, start - 40), start);
  return found !== null && /\p{L}/u.test(found[1] ?? '') && /\p{L}/u.test(lead.slice(lead.lastIndexOf('\n') + 1));
}

const closed = (text: string, from: number, sign: string, within: number): number => {
  const near = text.slice(from, from + within);
  const paragraph = /\n[ \t]*\n/.exec(near)?.index ?? near.length;
  const at = near.slice(0, paragraph).indexOf(sign);
  return at < 0 ? -1 - sign.length : from + at;
};

function between({ text, formulas, ends }: Walk, start: number, from: number, sign: string, display: boolean): number {
  const kept = ends.get(sign);
  const end = kept !== undefined && (kept >= from || kept < 0) ? kept : text.indexOf(sign, from);
  ends.set(sign, end);
  if (end < 0 || end - from > longest) return from;
  formulas.push({ range: { start: from, end }, outer: { start, end: end + sign.length }, notation: 'latex', display });
  return end + sign.length;
}

/** `$…$` on one line or two: no space behind the first sign, no digit behind the last (prices). */
function inline({ text, formulas }: Walk, start: number): number {
  const from = start + 1;
  const rest = text.slice(from, from + 600);
  const found = /^(?:[^$\\\n]|\\[\s\S]|\n(?![ \t]*\n))+?\$(?!\d)/.exec(rest)?.[0];
  if (found === undefined) return from;
  // A place in a drawing: `$(a.south)+(0,1)$`.
  if (/^\([\w.]+\.(?:south|north|east|west|center)\b/.test(found)) return from + found.length;
  // A space on one side alone: where it is mathematics by its commands or its scripts in braces; behind the first sign, by an equation too.
  const isEven = /^\s/.test(found) === /\s\$$/.test(found);
  const isWritten =
    /\\[A-Za-z]|[_^]\{/.test(found) && (!/^\s/.test(found) || found.includes('=') || isOneCommand(found));
  if ((!isEven && !isWritten) || isProse(found)) return from;
  const end = from + found.length - 1;
  // $`…`$: back quotes are part of the signs.
  const quoted = end - from > 2 && text.charAt(from) === '`' && text.charAt(end - 1) === '`' ? 1 : 0;
  const range = { start: from + quoted, end: end - quoted };
  formulas.push({ range, outer: { start, end: end + 1 }, notation: 'latex', display: false });
  return end + 1;
}

/** ` \boldsymbol V$`. */
const isOneCommand = (found: string): boolean =>
  /^ \\[A-Za-z]+(?:[ {]+[A-Za-z])?[}]?(?:[_^](?:\w|\{[\w\\ ]{1,20}\}))*\$$/.test(found);

/** ` come from a decoder, as $`: between the signs of two formulas. */
const isProse = (found: string): boolean =>
  /^\s/.test(found) && !/[\\=_^{]/.test(found) && /(?:\b[A-Za-z]{2,}[\s,.;]+){3}/.test(found);

/** Code between fences, unless it says that it is mathematics or text. */
function fenced(walk: Walk, start: number, from: number, fence: string, line: string): number {
  const { text, closings } = walk;
  if (closings.has(start)) return from;
  const end = closingFence(text, from, fence);
  const stop = end < 0 ? text.length : end;
  const next = end < 0 ? stop : text.indexOf(fence, end) + fence.length;
  const language = line.slice(fence.length).trim().toLowerCase();
  // ```{note}: prose in a frame.
  if (/^\{(?!code|eval|mermaid|math)[a-z-]+\}/.test(language) && end >= 0) {
    closings.add(next - fence.length);
    return from;
  }
  if (/^\{?(?:math|latex|tex)\b/.test(language)) {
    walk.formulas.push({
      range: { start: from, end: stop },
      outer: { start, end: stop },
      notation: 'latex',
      display: true,
    });
    return next;
  }
  if (/^(?:text|txt|plain|plaintext)?$/.test(language)) {
    walk.formulas.push(...linesOf(text, { start: from, end: stop }, false));
    return next;
  }
  walk.code.push({ start, end: next });
  return next;
}

/** The line that closes a block of code, which may stand in a list. */
function closingFence(text: string, from: number, fence: string): number {
  for (let at = text.indexOf(fence, from); at >= 0; at = text.indexOf(fence, at + fence.length)) {
    const line = text.lastIndexOf('\n', at);
    if (line >= from - 1 && /^[ \t>]*$/.test(text.slice(line + 1, at))) return line;
  }
  return -1;
}

/** A cell of a notebook that was copied as text: its code ends at a heading, a formula's environment or a blank line before prose. */
function cell({ text, code }: Walk, start: number): number {
  const end =
    /\n[ \t]*\n(?!(?:def|class|import|from|for|if|with|return|[ \t]|[\w.]+ *(?:=|\()|print|#[^#\n]*\n *[\w.]+ *=))/g;
  end.lastIndex = start;
  const stop = end.exec(text)?.index ?? text.length;
  code.push({ start, end: stop });
  return stop;
}

/** What makes a line of plain text a formula of attention. */
const telling = /soft ?max\s*\(|=\s*\w+(?:\(\w+\))?\s*[×·@]\s*W_?\w|\b[QKV]\s*=|[QK]\s*[×·@*.]?\s*(?:K(?:\^T|\^⊤|ᵀ|⊤|'|\.T|T\b)|×)|\bAttention\w*\s*[([=]|(?:^|\s)\w*(?:Scores|Weights|Output|attn_)\w*\s*(?:\[[^\]]*\]\s*)?=|MultiHead\(|=\s*[Σ∑][^=]*(?:soft ?max|α|weight|attn)[^=]*[×·*]\s*v/i; // prettier-ignore
const isCode =
  /\b(?:np|torch|tf|nn|plt|self|jnp)\.|\bdef |\breturn\b|\bimport\b|\bprint\(|\blambda\b|==|\{|"""|\bdim=|\baxis=|\bkeepdims?=|;$|=None/;

/** Lines of a block that say a formula. */
function linesOf(text: string, { start, end }: TextRange, inProse: boolean): readonly Region[] {
  const found: Region[] = [];
  for (let at = start; at < end;) {
    const stop = text.indexOf('\n', at);
    const to = stop < 0 || stop > end ? end : stop;
    const line = text.slice(at, Math.min(to, at + 400));
    const isBlock = !inProse || /^(?: {4}|\t)/.test(line);
    const region = (isBlock ? wholeLine(line, at) : undefined) ?? (inProse ? formulaInProse(line, at) : undefined);
    const whole = region && (/\($/.test(line) ? toItsEnd(text, region, end) : inProse ? region : withSizes(text, region, end)); // prettier-ignore
    if (whole) found.push(whole);
    at = Math.max(to, whole?.range.end ?? 0) + 1;
  }
  return found;
}

/** `= [3×512] × [512×512]` on the next line: it goes on with its sizes. */
function withSizes(text: string, region: Region, end: number): Region {
  const more = /^(?:[ \t]*\n[ \t]*= (?:\[[\w× ]{3,40}\](?: × (?=\[))?)+(?=[ \t]*(?:\n|$)))+/.exec(text.slice(region.range.end, Math.min(end, region.range.end + 300)))?.[0].length ?? 0; // prettier-ignore
  const range = { start: region.range.start, end: region.range.end + more };
  return more > 0 ? { ...region, range, outer: range } : region;
}

/** A formula over several lines, to the bracket that ends it. */
function toItsEnd(text: string, region: Region, end: number): Region {
  const close = text.slice(region.range.end, Math.min(end, region.range.end + 1000)).search(/^\s*\)/m);
  if (close < 0) return region;
  const range = { start: region.range.start, end: text.indexOf(')', region.range.end + close) + 1 };
  return { ...region, range, outer: range };
}

function wholeLine(line: string, at: number): Region | undefined {
  if (!telling.test(line) || isCode.test(line) || /^\s*[-*#>]\s/.test(line)) return undefined;
  const label =
    /^\s*(?:[│|]\s*)?(?:For [^:]*:|\d{1,2}[.)]\s+(?:[^:：=()]{2,40}[:：]\s+)?|[A-Z][\w ]*\d[^:=]*:|[A-Z][\w ]*→(?=\s*[QKV]\s*=))?\s*/.exec(
      line,
    )?.[0].length ?? 0;
  const written = line.slice(label).replace(/\s+#.*$|\s+\/\/.*$|[\s.,;│|]+$/, '');
  if (written.length < 4 || !/[=(]/.test(written) || isSentence(written) || isTitle.test(written)) return undefined; // prettier-ignore
  const range = { start: at + label, end: at + label + written.length };
  return { range, outer: range, notation: 'plain', display: true };
}

/** `Cross Attention (8 heads)`, `After Softmax (probabilities)`. */
const isTitle = /^[^=]*\s\((?:\d+ )?(?!scores|logits)\p{L}{4,}(?:[ -][^()=]*)?\)[^=]*$/u;

/** Words side by side without a sign between them. */
const isSentence = (written: string): boolean =>
  /\b[A-Za-z]{2,}\s+[A-Za-z]{2,}\s+[A-Za-z]{2,}\s+[A-Za-z]{2,}\b/.test(written);

/** `softmax(QKᵀ/√d_k)V` in a sentence, with or without back quotes: from its name to the end of its brackets and factors. */
const inSentence = /(?:`([^`\n]{4,200})`)|((?:Attention|attention|head_?i?|Z|A|Output)\s*(?:\([^()\n]{1,60}\))?\s*=\s*)?softmax\s*\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\)(?:\s*[·×@*]?\s*V\b|\.V\b)?|\b[A-Z] = QK(?:\^T\b|\^⊤|ᵀ)/g; // prettier-ignore

/** `- Q = X @ W_Q`, `**Formula:** Scores = Scores / √d_k`: nothing but a formula behind the sign of a list or a label in bold. */
const itemLabel =
  /^\s*(?:[-*+]\s+)?(?:\*\*[^*\n]{2,40}(?::\s?\*\*|\*\*\s?:)\s*)?(?:(?:[A-Za-z][a-z]+ ){1,3}(?=[QKV]\d? = ))?/;
const itemFormula = /^(?:[A-Z]\d? = [A-Z]\d?\s?[@×·*]\s?(?=W|Kᵀ|V\b)|[A-Z]\w* = (?:softmax\(|[A-Z]\w* \/ √)|(?:Scores|Weights|Output|MultiHead)\b[^=]{0,30} = )[\p{L}\p{No}\w\\^()[\]√/·×*@.,+ …-]{1,80}$/u; // prettier-ignore

function formulaInItem(line: string, at: number): Region | undefined {
  if (!/^\s*(?:[-*+]|MultiHead)|^[A-Z]\w* = .*(?:[·×√ᵀ]|softmax\()/.test(line)) return undefined;
  const label = itemLabel.exec(line)?.[0].length ?? 0;
  const written = line.slice(label).replace(/\s+(?:→|->|#)(?:\s.*)?$|[\s.;]+$/, '');
  if (!itemFormula.test(written) || isCode.test(written) || /\p{L}{3,} \p{L}{3,}/u.test(written)) return undefined;
  const range = { start: at + label, end: at + label + written.length };
  return { range, outer: range, notation: 'plain', display: false };
}

/** `(q = x @ Wq; q.shape = 6x2)`: in a sentence, with its shape. */
const withShape = /\(\s*(([A-Za-z]\w?) = [^;()]{1,40}(?:\([^;()]{1,30}\))?)\s*;\s*\2\.shape = /;

function formulaWithShape(line: string, at: number): Region | undefined {
  const found = withShape.exec(line);
  const start = at + line.indexOf(found?.[1] ?? '', found?.index);
  const range = found && { start, end: start + (found[1] ?? '').length };
  return range ? { range, outer: range, notation: 'plain', display: false } : undefined;
}

/** `MultiHead(Q,K,V) = Concat(…)W^O`, `S_i = Q_i K_i^T / √d_k`, `A_i = softmax(S_i)`, `Q_i = XW_i^Q` between back quotes: no softmax of keys, but attention's own. */
const quotedStep = /^(?:Multi-?Head\w*\([^()]*\) = Concat\(|[A-Z]\w* = (?:softmax\([A-Z]\w*\)$|Q(?:_\w+)? ?[·×@*]? ?K(?:_\w+)?(?:\^T|ᵀ|\^⊤|\.T\b)|X ?[·×@*]? ?W[\w^]*$))/; // prettier-ignore

function formulaInProse(line: string, at: number): Region | undefined {
  const item = formulaInItem(line, at) ?? formulaWithShape(line, at);
  if (item) return item;
  for (const found of line.matchAll(inSentence)) {
    const written = found[1] ?? found[0];
    const start = at + found.index + (found[1] === undefined ? 0 : 1);
    const isKnown = /soft ?max\s*\(|= QK/i.test(written) && /ᵀ|\^\{?T|⊤|√|\.T\b|K'|sqrt|QKT|\bV$/.test(written);
    if (
      (!isKnown && (found[1] === undefined || !quotedStep.test(written))) ||
      isCode.test(written) ||
      /\(\p{L}{3,} \p{L}{3,}/u.test(written)
    )
      continue;
    const range = { start, end: start + written.length };
    return { range, outer: range, notation: 'plain', display: false };
  }
  return undefined;
}

function plainRegions(text: string, taken: readonly TextRange[]): readonly Region[] {
  const sorted = [...taken].sort((a, b) => a.start - b.start);
  const found: Region[] = [];
  let at = 0;
  for (const { start, end } of [...sorted, { start: text.length, end: text.length }]) {
    if (start > at) found.push(...linesOf(text, { start: at, end: start }, true));
    at = Math.max(at, end);
  }
  return found;
}
