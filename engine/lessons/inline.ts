// The inline Markdown and TeX of a lesson where no page typesets it: in a report, which has no script, and in a table.

/** How a piece is written: as HTML or as plain text. */
interface Style {
  readonly text: (text: string) => string;
  readonly code: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly math: (text: string) => string;
  readonly sub: (text: string) => string;
  readonly sup: (text: string) => string;
}

const bidi = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Nothing in it is HTML, and nothing turns the direction of what follows. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(bidi, '');

const asHtml: Style = {
  text: escapeHtml,
  code: (text) => `<code>${escapeHtml(text)}</code>`,
  strong: (text) => `<strong>${text}</strong>`,
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
  math: same,
  sub: (text) => `_${text}`,
  sup: (text) => (text === '⊤' ? text : raised('^')(text)),
};

/** A line of a lesson as HTML: code, strong words and formulas are marked up, everything else is text. */
export const inlineHtml = (text: string): string => written(text, asHtml);

/** A line of a lesson as plain text: `$W_q$` is W_q, `$\sqrt{d_k}$` is √d_k. */
export const inlineText = (text: string): string => written(text, asText);

function written(text: string, style: Style): string {
  const find = finder(text);
  let [out, from] = ['', 0];
  for (const { index } of text.matchAll(/[`*$]/g)) {
    const found = index < from ? undefined : find(index);
    if (!found) continue;
    out += style.text(text.slice(from, index));
    const inside = text.slice(index + found.sign, found.end - found.sign);
    if (text[index] === '`') out += style.code(inside);
    else if (text[index] === '*') out += style.strong(written(inside, style));
    else out += style.math(formula(inside, style));
    from = found.end;
  }
  return out + style.text(text.slice(from));
}

/** What is marked up from a place on: how many characters its sign has at either end, and where it ends. */
interface Marked {
  readonly sign: number;
  readonly end: number;
}

/**
 * Finds code, strong words, and a formula as `webview/lesson/math.ts` finds it. Places are asked for in rising order, and each kind of end is
 * looked for once in the whole text, so that openings without an end take no more time than others.
 */
function finder(text: string): (at: number) => Marked | undefined {
  const strongEnd = rising(Array.from(text.matchAll(/(?<=\S)(?=\*\*)/g), ({ index }) => index));
  const codeEnds = new Map<number, (from: number) => number | undefined>();
  const runs = Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => ({ sign: run.length, index }));
  for (const { sign } of runs)
    if (!codeEnds.has(sign))
      codeEnds.set(sign, rising(runs.filter((run) => run.sign === sign).map(({ index }) => index)));
  const runEnd = rising(runs.map(({ sign, index }) => index + sign));
  const code = (at: number): Marked | undefined => {
    const sign = (runEnd(at + 1) ?? at) - at;
    const end = codeEnds.get(sign)?.(at + sign + 1);
    return end === undefined ? undefined : { sign, end: end + sign };
  };
  const strong = (at: number): Marked | undefined => {
    const end = /^\*\*\S/.test(text.slice(at, at + 3)) ? strongEnd(at + 3) : undefined;
    return end === undefined ? undefined : { sign: 2, end: end + 2 };
  };
  const math = (at: number): Marked | undefined => {
    const [found] = /^\$(?=\S)[^$]{0,999}[^\s\\$]\$(?!\d)/.exec(text.slice(at, at + 1003)) ?? [];
    return found === undefined ? undefined : { sign: 1, end: at + found.length };
  };
  return (at) => (text[at] === '`' ? code(at) : text[at] === '*' ? strong(at) : math(at));
}

/** The first of the places, which rise, that is not before one; what is asked for rises too. */
function rising(places: readonly number[]): (from: number) => number | undefined {
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

/** TeX of a line: sums, fractions and roots in a row, as they are typed. What is not known keeps its name. */
function formula(latex: string, style: Style): string {
  const tokens = [...latex.matchAll(parts)];
  let at = 0;
  /** The next group, command or sign. */
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
  /** One sign where there are no braces; the rest of its words is given back. */
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
