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

// Code, strong words, a formula as `webview/lesson/math.ts` finds it.
const marked = /(`+)(?!`)(.+?)(?<!`)\1(?!`)|\*\*(?=\S)(.+?)(?<=\S)\*\*|\$(?=[^\s$])([^$]{0,999}?[^\s\\$])\$(?!\d)/gs;

function written(text: string, style: Style): string {
  let [out, from] = ['', 0];
  for (const found of text.matchAll(marked)) {
    const [whole, , code, strong, latex] = found;
    out += style.text(text.slice(from, found.index));
    if (code !== undefined) out += style.code(code);
    else if (strong !== undefined) out += style.strong(written(strong, style));
    else out += style.math(formula(latex ?? '', style));
    from = found.index + whole.length;
  }
  return out + style.text(text.slice(from));
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
