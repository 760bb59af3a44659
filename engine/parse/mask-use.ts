/** The meaning of a mask according to code that uses it. */
export interface MaskUse {
  readonly trueMeans: 'hidden' | 'visible';
  /** The line of code that tells it, as written. */
  readonly line: string;
}

/** A selection, and the text directly above and below it. */
export interface Code {
  /** The text above. It is not searched for uses of masks. */
  readonly before?: string;
  readonly text: string;
  readonly after: string;
}

/** Limits for a text: lines, lines with the name, characters of a line, lines that one call may span, characters of a quoted line. */
const [mostLines, mostUses, longestLine, longestCall, longestQuote] = [4000, 100, 300, 10, 80];

interface Line {
  readonly code: string;
  readonly indent: number;
}

/**
 * The meaning of 1 in the boolean mask `name`, according to lines that fill scores by it or pass it to a library. Undefined if no line tells, or if
 * two contradict each other. Only uses of the value from the selection count, and those in a function that is called with the mask. `isTruth`: the
 * mask holds booleans rather than numbers.
 */
export function maskUse({ text, after }: Code, name: string, isTruth: boolean): MaskUse | undefined {
  const own = linesOf(text);
  const lines = [...own, ...linesOf(after)];
  const word = escaped(name);
  const mentions = lines.flatMap(({ code }, i) => (code.includes(name) ? [i] : [])).slice(0, mostUses);
  const functions = new Map(mentions.map((i) => [i, enclosingFunction(lines, i, word)]));
  const outside = mentions.filter((i) => functions.get(i) === undefined && isAssigned(lines[i], word));
  const from = outside.findLast((i) => i < own.length) ?? -1;
  const to = outside.find((i) => i > from) ?? Infinity;
  const modules = modulesIn(lines);
  const uses = mentions.flatMap((i): MaskUse[] => {
    const { code } = lines[i] as Line;
    const trueMeans = meaningIn(code, word, isTruth, modules);
    const home = functions.get(i);
    const counts = home === undefined ? i > from && i < to : isPassedAsArgument(lines, home, i, word);
    return trueMeans && counts ? [{ trueMeans, line: quoted(code) }] : [];
  });
  const [first] = uses;
  return uses.every(({ trueMeans }) => trueMeans === first?.trueMeans) ? first : undefined;
}

/** The lines of a text without comments. A call that spans several lines becomes one line. */
function linesOf(text: string): Line[] {
  const lines: { code: string; indent: number }[] = [];
  let [open, joined] = [0, 0];
  for (const raw of text.split(/\r\n|\r|\n/, mostLines)) {
    const line = raw.slice(0, longestLine).replace(/#.*$/, '');
    const [code, last] = [line.trim(), lines.at(-1)];
    if (open > 0 && last && joined++ < longestCall) last.code = `${last.code} ${code}`;
    else {
      lines.push({ code, indent: line.length - line.trimStart().length });
      [open, joined] = [0, 0];
    }
    for (const char of code) open += char === '(' ? 1 : char === ')' ? -1 : 0;
  }
  return lines;
}

const quoted = (code: string): string =>
  code.length > longestQuote ? `${code.slice(0, longestQuote - 1).trimEnd()}…` : code;

const escaped = (name: string): string => `(?<![\\w.])${name.replace(/[^\w]/g, '\\$&')}(?!\\w)`;

const isAssigned = (line: Line | undefined, word: string): boolean =>
  new RegExp(`^${word}\\s*(?:[-+*/|&^]?=(?!=)|:[^=]+=(?!=)|\\[.*\\]\\s*=(?!=))`).test(line?.code ?? '');

const header = /^(?:async\s+)?def\s+(\w+)\s*\((.*)/;

/** The innermost function around a line that has the name as a parameter. */
function enclosingFunction(lines: readonly Line[], at: number, word: string): number | undefined {
  let indent = lines[at]?.indent ?? 0;
  for (let i = at - 1; i >= 0 && indent > 0; i--) {
    const line = lines[i] as Line;
    if (line.code === '' || line.indent >= indent) continue;
    indent = line.indent;
    if (new RegExp(word).test(header.exec(line.code)?.[2] ?? '')) return i;
  }
  return undefined;
}

/** Whether the function in line `home` is called with the mask and does not assign another value to it before line `at`. */
function isPassedAsArgument(lines: readonly Line[], home: number, at: number, word: string): boolean {
  const called = header.exec(lines[home]?.code ?? '')?.[1] ?? '';
  const call = new RegExp(`(?<!\\w)${called}\\(.*${word}`);
  const kept = new RegExp(`^${word}\\s*=\\s*${word}${sameMask}$`);
  const between = lines.slice(home + 1, at).filter((line) => isAssigned(line, word));
  return (
    between.every(({ code }) => kept.test(code)) && lines.some(({ code }) => !header.test(code) && call.test(code))
  );
}

/** Names of PyTorch attention modules: `mha = nn.MultiheadAttention(…)`. */
const modulesIn = (lines: readonly Line[]): readonly string[] =>
  lines.flatMap(({ code }) => /^([\w.]+)\s*=\s*(?:\w+\.)*MultiheadAttention\(/.exec(code)?.[1] ?? []);

/** Indexing that only adds axes, and casts: the same mask in another shape. */
const sameMask = String.raw`(?:\[[\w\s:,.]*\]|\.(?:unsqueeze|bool|to|type|astype|view|expand)\([\w\s.,-]*\))*`;
/** A value far below every score: −inf in its spellings, −1e9, a type's minimum. */
const lowValue = String.raw`(?:-\s*(?:[\w.]+\.)?inf(?:ty|inity)?\b|float\(\s*["']-inf(?:inity)?["']\s*\)|-\s*float\(\s*["']inf(?:inity)?["']\s*\)|-\s*\d+(?:\.\d*)?e\+?\d+|-\s*\d{4,}(?:\.\d*)?|(?:[\w.]+\.)?finfo\([\w.]*\)\.min|(?:[\w.]+\.)?NINF\b)`;

/** Patterns for conditions that hold where the mask is 1 (`M`, `M == 1`), or where it is 0 (`~M`, `M == 0`, `M.logical_not()`). */
function conditions(word: string): readonly (readonly [pattern: string, holds: boolean])[] {
  const it = `${word}${sameMask}`;
  return [
    [`${it}(?:\\s*(?:==\\s*(?:1(?:\\.0?)?|True)|!=\\s*(?:0(?:\\.0?)?|False)|>\\s*(?:0(?:\\.[05])?)))?`, true],
    [`(?:~\\s*${it}|~\\s*\\(\\s*${it}\\s*\\)|(?:(?:np|torch)\\.)?logical_not\\(\\s*${it}\\s*\\)|${it}\\.logical_not\\(\\))`, false],
    [`\\(?\\s*${it}\\s*(?:==\\s*(?:0(?:\\.0?)?|False)|!=\\s*(?:1(?:\\.0?)?|True)|<\\s*(?:1|0?\\.5))\\s*\\)?`, false],
    [`1(?:\\.0?)?\\s*-\\s*${it}`, false],
  ]; // prettier-ignore
}

/** The meaning of 1 according to one line: cells where the condition holds are filled with a low value (hidden) or kept (visible). */
function meaningIn(
  code: string,
  word: string,
  isTruth: boolean,
  modules: readonly string[],
): MaskUse['trueMeans'] | undefined {
  for (const [condition, holds] of conditions(word)) {
    const matches = (pattern: string): boolean => new RegExp(pattern).test(code);
    const [yes, no] = holds ? (['hidden', 'visible'] as const) : (['visible', 'hidden'] as const);
    // Filled where the condition holds.
    if (matches(`\\.masked_fill_?\\(\\s*(?:mask\\s*=\\s*)?${condition}\\s*,\\s*(?:value\\s*=\\s*)?${lowValue}`))
      return yes;
    if (matches(`^\\w[\\w.]*\\[\\s*${condition}\\s*\\]\\s*=\\s*${lowValue}`)) return yes;
    if (matches(`\\bwhere\\(\\s*${condition}\\s*,\\s*${lowValue}\\s*,`)) return yes;
    // Kept where the condition holds: only the last of the two values is low.
    if (matches(`\\bwhere\\(\\s*${condition}\\s*,(?!\\s*${lowValue}).+,\\s*${lowValue}\\s*\\)`)) return no;
    // PyTorch's two conventions: key_padding_mask and the mask of MultiheadAttention hide where they are true, that of scaled_dot_product_attention
    // keeps.
    if (matches(`\\b(?:src_|tgt_|memory_)?key_padding_mask\\s*=\\s*${condition}\\s*[,)]`)) return yes;
    const truth = isTruth || !holds || matches(`${word}(?:\\.bool\\(\\)|\\.to\\(torch\\.bool\\)|\\s*[=!]=)`);
    const maskArgument = `\\battn_mask\\s*=\\s*${condition}\\s*[,)]`;
    const dot = 'scaled_dot_product_attention\\(';
    if (truth && (matches(`${dot}.*${maskArgument}`) || matches(`${dot}(?:[^,()=]+,){3}\\s*${condition}\\s*[,)]`)))
      return no;
    if (truth && modules.some((name) => matches(`(?<![\\w.])${name.replaceAll('.', '\\.')}\\(.*${maskArgument}`)))
      return yes;
  }
  return undefined;
}
