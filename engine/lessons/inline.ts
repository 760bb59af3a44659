// Renders inline Markdown and TeX of a lesson where no page can: in a report, which has no script, and in a table.

/** How each construct is written: as HTML or as plain text. */
interface Style {
  readonly text: (text: string) => string;
  readonly code: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly em: (text: string) => string;
  readonly math: (text: string) => string;
  readonly sub: (text: string) => string;
  readonly sup: (text: string) => string;
}

const bidi = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Escapes HTML and removes characters that change the text direction. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(bidi, '');

const asHtml: Style = {
  text: escapeHtml,
  code: (text) => `<code>${escapeHtml(text)}</code>`,
  strong: (text) => `<strong>${text}</strong>`,
  em: (text) => `<em>${text}</em>`,
  math: (text) => `<var>${text}</var>`,
  sub: (text) => `<sub>${text}</sub>`,
  sup: (text) => `<sup>${text}</sup>`,
};

const raised = (sign: string) => (text: string): string => `${sign}${[...text].length > 1 ? `(${text})` : text}`; // prettier-ignore
const same = (text: string): string => text;
const asText: Style = {
  text: same,
  code: same,
  strong: same,
  em: same,
  math: same,
  sub: (text) => `_${text}`,
  sup: (text) => (text === '⊤' ? text : raised('^')(text)),
};

/** A line of a lesson as HTML, with markup for code, emphasis, strong text and formulas. */
export const inlineHtml = (text: string): string => renderInline(text, asHtml);

/** A line of a lesson as plain text: `$W_q$` is W_q, `$\sqrt{d_k}$` is √d_k. */
export const inlineText = (text: string): string => renderInline(text, asText);

function renderInline(text: string, style: Style): string {
  const find = markupFinder(text);
  let [out, from] = ['', 0];
  for (const { index } of text.matchAll(/[`*$]/g)) {
    const found = index < from ? undefined : find(index);
    if (!found) continue;
    out += style.text(text.slice(from, index));
    const inside = text.slice(index + found.sign, found.end - found.sign);
    if (text[index] === '`') out += style.code(inside);
    else if (text[index] === '*') out += style[found.sign === 2 ? 'strong' : 'em'](renderInline(inside, style));
    else out += style.math(formula(inside, style));
    from = found.end;
  }
  return out + style.text(text.slice(from));
}

/** A marked-up range: length of its delimiter (of stars, 2 for strong text and 1 for emphasis), and where it ends. */
interface Marked {
  readonly sign: number;
  readonly end: number;
}

/**
 * Returns a function that finds code, emphasis, strong text, or a formula (by the rules of `webview/lesson/math.ts`) at an offset. Offsets must be
 * ascending: each kind of closing delimiter is searched for once, so that unclosed ones do not take quadratic time.
 */
function markupFinder(text: string): (at: number) => Marked | undefined {
  const strongEnd = firstFrom(Array.from(text.matchAll(/(?<=\S)(?=\*\*)/g), ({ index }) => index));
  const codeEnds = new Map<number, (from: number) => number | undefined>();
  const runs = Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => ({ sign: run.length, index }));
  for (const { sign } of runs)
    if (!codeEnds.has(sign))
      codeEnds.set(sign, firstFrom(runs.filter((run) => run.sign === sign).map(({ index }) => index)));
  const runEnd = firstFrom(runs.map(({ sign, index }) => index + sign));
  const code = (at: number): Marked | undefined => {
    const sign = (runEnd(at + 1) ?? at) - at;
    const end = codeEnds.get(sign)?.(at + sign + 1);
    return end === undefined ? undefined : { sign, end: end + sign };
  };
  const strong = (at: number): Marked | undefined => {
    const end = /^\*\*\S/.test(text.slice(at, at + 3)) ? strongEnd(at + 3) : undefined;
    return end === undefined ? undefined : { sign: 2, end: end + 2 };
  };
  const emphasisEnd = firstFrom(Array.from(text.matchAll(/(?<=[^\s*])\*(?!\*)/g), ({ index }) => index));
  const emphasis = (at: number): Marked | undefined => {
    const end = text[at - 1] !== '*' && /^\*[^\s*]/.test(text.slice(at, at + 2)) ? emphasisEnd(at + 2) : undefined;
    return end === undefined ? undefined : { sign: 1, end: end + 1 };
  };
  const math = (at: number): Marked | undefined => {
    const [found] = /^\$(?=\S)[^$]{0,999}[^\s\\$]\$(?!\d)/.exec(text.slice(at, at + 1003)) ?? [];
    return found === undefined ? undefined : { sign: 1, end: at + found.length };
  };
  return (at) => (text[at] === '`' ? code(at) : text[at] === '*' ? (strong(at) ?? emphasis(at)) : math(at));
}

/** Returns a function that finds the first of the ascending `places` from an offset on; its offsets must be ascending too. */
function firstFrom(places: readonly number[]): (from: number) => number | undefined {
  let next = 0;
  return (from) => {
    while ((places[next] ?? Infinity) < from) next++;
    return places[next];
  };
}

const commands: Readonly<Record<string, string>> = {
  cdot: '·', times: '×', top: '⊤', le: '≤', leq: '≤', ge: '≥', geq: '≥', ne: '≠', neq: '≠', approx: '≈', infty: '∞', sum: 'Σ', prod: 'Π',
  partial: '∂', to: '→', rightarrow: '→', mapsto: '↦', dots: '…', ldots: '…', cdots: '⋯', in: '∈', pm: '±', mid: '|', alpha: 'α', beta: 'β',
  gamma: 'γ', delta: 'δ', theta: 'θ', lambda: 'λ', mu: 'μ', pi: 'π', sigma: 'σ', omega: 'ω', varepsilon: 'ε', epsilon: 'ε', odot: '⊙',
  left: '', right: '', quad: ' ', qquad: ' ', ',': ' ', ';': ' ', ' ': ' ', '!': '', '{': '{', '}': '}', '\\': ' ',
}; // prettier-ignore
const wraps = new Set(['text', 'mathrm', 'mathbf', 'mathbb', 'mathit', 'operatorname', 'hat', 'bar', 'tilde']);

const parts = /\\([A-Za-z]+|[^A-Za-z])\s?|([{}_^])|([^\\{}_^]+)/gs;

/** A line of TeX with sums, fractions and roots written inline. Unknown commands keep their names. */
function formula(latex: string, style: Style): string {
  const tokens = [...latex.matchAll(parts)];
  let at = 0;
  /** Reads the next group, command or character. */
  const unit = (): string => {
    const [, command, sign, words] = tokens[at++] ?? [];
    if (command !== undefined) return named(command);
    if (sign === '{') return group();
    if (sign === '_' || sign === '^') return (sign === '_' ? style.sub : style.sup)(argument());
    return style.text(words ?? '');
  };
  const group = (): string => {
    let out = '';
    while (at < tokens.length && tokens[at]?.[2] !== '}') out += unit();
    at++;
    return out;
  };
  /** Reads an argument: a group, or one character; the remaining characters are put back. */
  const argument = (): string => {
    const words = tokens[at]?.[3];
    const [first = '', ...rest] = [...(words ?? '')];
    if (words === undefined || rest.length === 0) return unit();
    tokens[at] = Object.assign([...(tokens[at] ?? [])], { 3: rest.join('') }) as unknown as RegExpExecArray;
    return style.text(first);
  };
  const enclosed = (text: string): string => (/[\s+·×/−-]/.test(text.replace(/<\/?\w+>/g, '')) ? `(${text})` : text);
  const named = (command: string): string => {
    if (command === 'frac') return `${enclosed(argument())}/${enclosed(argument())}`;
    if (command === 'sqrt') return `√${enclosed(argument())}`;
    if (wraps.has(command)) return argument();
    return style.text(commands[command] ?? command);
  };
  let out = '';
  while (at < tokens.length) out += tokens[at]?.[2] === '}' ? (at++, '') : unit();
  return out;
}
