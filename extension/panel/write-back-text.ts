import {
  decodeNumber,
  fail,
  finish,
  formatShape,
  ok,
  parseMatrices,
  printMatrix,
  parseMatricesPaced,
  t,
  type Notation,
  type Paced,
  type ParsedMatrix,
  type Problem,
  type Result,
  type TextRange,
} from '../../engine/index';
import type { Rewritten } from '../../webview/protocol';

/** A range of a text and the text that replaces it. */
export interface Replacement extends TextRange {
  readonly text: string;
}

/**
 * Finds a matrix's literal in a text and returns the replacements that write its changed numbers, in the literal's own notation. Replaces only the
 * changed numbers, or the whole literal if its numbers cannot be located one by one. The edited text is parsed again first: every matrix in it must
 * then be what it should be. A Problem says why writing is not possible.
 */
export const rewrite = (text: string, matrix: Rewritten, language: string): Result<readonly Replacement[]> =>
  finish(rewriting(text, matrix, language));

/** `rewrite` as a generator, for long texts. */
export function* rewriting(text: string, matrix: Rewritten, language: string): Paced<Result<readonly Replacement[]>> {
  const { matrices } = yield* parseMatricesPaced(text);
  const found = literalOf(matrices, matrix);
  yield;
  if (!found.ok) return found;
  const literal = found.value;
  const now = numbersOf(matrix.now);
  const unfit = cannotHold(matrix, literal, now);
  if (unfit) return fail(unfit);
  for (const replacements of yield* numberByNumber(text, literal, now, language))
    if (replacements && (yield* isCorrect(replaced(text, replacements), matrices, literal, now)))
      return ok(replacements);
  const whole = wholeLiteral(text, literal, now, language);
  yield;
  const fits = whole && (yield* isCorrect(replaced(text, whole), matrices, literal, now));
  return fits ? ok(whole) : fail(noNotation(matrix, literal));
}

/** The numbers of a message, which has large matrices in binary. */
export const numbersOf = (numbers: Rewritten['now']): number[] =>
  numbers instanceof Float64Array ? Array.from(numbers) : numbers.map(decodeNumber);

/** A text with all replacements applied. */
export const replaced = (text: string, replacements: readonly Replacement[]): string =>
  [...replacements]
    .sort((a, b) => b.start - a.start)
    .reduce((made, { start, end, text: by }) => made.slice(0, start) + by + made.slice(end), text);

/** The only literal of the text that has the numbers and shape of the matrix, if need be the only one with its role. */
function literalOf(all: readonly ParsedMatrix[], { role, symbol, shape, was }: Rewritten): Result<ParsedMatrix> {
  const values = numbersOf(was);
  const same = all.filter((m) => sameNumbers(m.values, values) && sameShape(m.shape, shape));
  const named = same.filter((m) => m.role === role);
  const [only, second] = named.length > 0 ? named : same;
  if (only && !second) return ok(only);
  const message = only
    ? t('{0} literals have the numbers of {1}', same.length, symbol)
    : t('no literal of the selection has the numbers of {0} ({1})', symbol, formatShape(shape));
  const hint = only
    ? t('Give them names that say which is which.')
    : t('They were computed, or stand above the selection.');
  return fail({ code: 'no-literal', message, hint });
}

const sameNumbers = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && isEqualFrom(0, a, b);

/** Whether `a` contains `b` from an index on. */
function isEqualFrom(at: number, a: ArrayLike<number | undefined>, b: ArrayLike<number>): boolean {
  for (let i = 0; i < b.length; i++) if (!Object.is(a[at + i], b[i])) return false;
  return true;
}

/** Whether two shapes are equal but for leading dimensions of 1. */
function sameShape(a: readonly number[], b: readonly number[]): boolean {
  const bare = (shape: readonly number[]): string => shape.slice(shape.findIndex((n) => n !== 1)).join('×');
  return bare(a) === bare(b);
}

function cannotHold(
  { symbol }: Rewritten,
  { dtype = '', expression }: ParsedMatrix,
  now: readonly number[],
): Problem | undefined {
  if (expression)
    return { code: 'expression', message: t('{0} is computed from its literal', symbol), hint: t('Change it there.') };
  const at = /^(u?int|long|bool)/.test(dtype) ? now.findIndex((x) => !Number.isInteger(x)) : -1;
  return at < 0
    ? undefined
    : { code: 'dtype', message: t('{0} is written as {1}, which cannot hold {2}', symbol, dtype, now[at] ?? NaN) };
}

const noNotation = ({ symbol }: Rewritten, { format }: ParsedMatrix): Problem => ({
  code: 'notation',
  message: t('{0} cannot be written in the notation of its literal ({1})', symbol, format),
});

/** Whether a text parses to the same matrices as before, except that one has other numbers. */
function* isCorrect(
  text: string,
  before: readonly ParsedMatrix[],
  literal: ParsedMatrix,
  now: readonly number[],
): Paced<boolean> {
  const { matrices, problems } = yield* parseMatricesPaced(text);
  const same = (m: ParsedMatrix, i: number): boolean => {
    const old = before[i];
    return old !== undefined && formatShape(m.shape) === formatShape(old.shape) &&
      m.name === old.name && String(m.rowLabels) === String(old.rowLabels) && String(m.columnLabels) === String(old.columnLabels) &&
      sameNumbers(m.values, old === literal ? now : old.values);
  }; // prettier-ignore
  return problems.length === 0 && matrices.length === before.length && matrices.every(same);
}

// --- number by number -----------------------------------------------------------------

const word = String.raw`(?:(?:np|numpy|math|torch|jnp|Number)\.)?(?:Infinity|infinity|infty|inf|Inf|nan|NaN|True|true|TRUE|False|false|FALSE)`;
const digits = String.raw`(?:0x[\da-fA-F]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?:/\d+(?:\.\d+)?)?`;
const call = String.raw`(?:float|Number)\(\s*["'][-+]?(?:inf|nan|infinity)["']\s*\)`;
const numberLike = new RegExp(String.raw`(?<![\w.])[-+−]?(?:${call}|${digits}|${word}|\\infty|∞)(?![\w.])`, 'g');

/**
 * Replacements for the changed numbers only: one set for each position at which the literal's text contains the matrix's numbers in sequence.
 * Undefined for a position at which a number cannot be written.
 */
function* numberByNumber(
  text: string,
  { range, values, format }: ParsedMatrix,
  now: readonly number[],
  language: string,
): Paced<(Replacement[] | undefined)[]> {
  const found: RegExpExecArray[] = [];
  const numbers: (number | undefined)[] = [];
  for (const token of text.slice(range.start, range.end).matchAll(numberLike)) {
    found.push(token);
    numbers.push(valueOf(token[0]));
    if (found.length % tokensAtOnce === 0) yield;
  }
  const changed = now.flatMap((x, i) => (Object.is(x, values[i]) ? [] : [i]));
  return runsOf(numbers, values).map((from) => {
    const replacements = changed.map((i) => {
      const { 0: token = '', index = 0 } = found[from + i] ?? {};
      const written = writtenAs(now[i] ?? NaN, token, format, language);
      const start = range.start + index;
      return written === undefined ? undefined : { start, end: start + token.length, text: written };
    });
    const whole = replacements.filter((r) => r !== undefined);
    return whole.length === replacements.length ? whole : undefined;
  });
}

/** Tokens between two yields. */
const tokensAtOnce = 64;

/** Most positions that are tried, each of which costs parsing the edited text. */
const mostRuns = 8;

/** The indices at which the values occur in sequence among all tokens that look like numbers. The literal may contain others, such as R's `nrow = 2`. */
const runsOf = (found: readonly (number | undefined)[], values: ArrayLike<number>): readonly number[] =>
  found
    .map((_, at) => at)
    .filter((at) => at + values.length <= found.length && isEqualFrom(at, found, values))
    .slice(0, mostRuns);

function valueOf(token: string): number | undefined {
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(token)) return Number(token);
  const { matrices } = parseMatrices(`[[${token.replace(/\\infty|∞/, 'inf')}]]`);
  return matrices.length === 1 && matrices[0]?.values.length === 1 ? matrices[0].values[0] : undefined;
}

/** A number in the style of the token that it replaces: `True`, `3.0`. */
function writtenAs(x: number, token: string, format: ParsedMatrix['format'], language: string): string | undefined {
  const [truth = ''] = /true|false/i.exec(token) ?? [];
  if (truth && (x === 0 || x === 1)) return cased(x === 1 ? 'true' : 'false', truth);
  if (!Number.isFinite(x)) return nonFinite(x, format, language);
  const plain = Object.is(x, -0) ? '-0.0' : String(x);
  const point = /[.eE]/.test(token) && !/^0x/.test(token);
  return point && /^-?\d+$/.test(plain) ? `${plain}.0` : plain;
}

const cased = (text: string, like: string): string =>
  like === like.toUpperCase()
    ? text.toUpperCase()
    : /^[TF]/.test(like)
      ? text.charAt(0).toUpperCase() + text.slice(1)
      : text;

const python = ["float('inf')", "float('nan')"] as const;
/** How each format writes infinity and NaN; undefined where that depends on the language, or is not known. */
const wordsOfFormat: {
  readonly [format in ParsedMatrix['format']]: readonly [infinity: string, nan: string] | undefined;
} = {
  numpy: ['np.inf', 'np.nan'],
  torch: python,
  tensorflow: python,
  jax: python,
  javascript: ['Infinity', 'NaN'],
  matlab: ['Inf', 'NaN'],
  julia: ['Inf', 'NaN'],
  r: ['Inf', 'NaN'],
  latex: ['\\infty', '\\mathrm{NaN}'],
  printed: ['inf', 'nan'],
  table: ['inf', 'nan'],
  'labelled-table': ['inf', 'nan'],
  delimited: ['inf', 'nan'],
  pandas: ['inf', 'NaN'],
  markdown: ['inf', 'nan'],
  brackets: undefined,
  braces: undefined,
  rust: undefined,
  go: undefined,
};

/** Infinity or NaN in a literal's notation, for plain brackets in that of the document's language. Undefined where there is none, as in JSON. */
function nonFinite(x: number, format: ParsedMatrix['format'], language: string): string | undefined {
  const ofLanguage = /^python|jupyter/.test(language)
    ? python
    : /script/.test(language)
      ? wordsOfFormat.javascript
      : undefined;
  const [infinity, nan] = (format === 'brackets' ? ofLanguage : wordsOfFormat[format]) ?? [];
  if (infinity === undefined || nan === undefined) return undefined;
  return Number.isNaN(x) ? nan : x > 0 ? infinity : `-${infinity}`;
}

// --- as a whole -------------------------------------------------------------------------

/** The notation in which a literal of each format can be printed anew; undefined if there is none. */
const notationOf: { readonly [format in ParsedMatrix['format']]: Notation | undefined } = {
  brackets: 'json',
  numpy: 'numpy',
  torch: 'torch',
  javascript: 'javascript',
  matlab: 'matlab',
  latex: 'latex',
  markdown: 'markdown',
  delimited: 'csv',
  printed: undefined,
  tensorflow: undefined,
  jax: undefined,
  table: undefined,
  'labelled-table': undefined,
  julia: undefined,
  r: undefined,
  braces: undefined,
  rust: undefined,
  go: undefined,
  pandas: undefined,
};

/** The literal printed anew, with its further lines indented to the column of its first. */
function wholeLiteral(
  text: string,
  literal: ParsedMatrix,
  now: readonly number[],
  language: string,
): Replacement[] | undefined {
  const { range, shape, dtype, format, rowLabels, columnLabels } = literal;
  const notation = notationOf[format];
  const finite = now.every(Number.isFinite);
  if (!notation || (format === 'brackets' && !finite && !/script/.test(language))) return undefined;
  const printed = printMatrix({ shape, values: now, dtype, format, rowLabels, columnLabels }, notation);
  if (!printed.ok) return undefined;
  const column = range.start - (text.lastIndexOf('\n', range.start - 1) + 1);
  const isCode = !['markdown', 'delimited', 'latex'].includes(format);
  const indent = isCode ? ' '.repeat(column) : '';
  return [{ ...range, text: printed.value.text.trimEnd().replaceAll('\n', `\n${indent}`) }];
}
