import { t, counted, type Problem, type TextRange, type Paced } from '../../text';
import { readAfter } from '../after-literal';
import { dtypeWord, readArguments, wrapperAt } from '../constructor-calls';
import { nameAndRole } from '../name-and-role';
import type { Candidate, ParsedMatrix } from '../matrix';
import { nameBefore } from '../name-before';
import { readNestedPaced, type Nested } from '../nested';
import { code, isOpener, isQuote, peek, quotedEnd, skipGap, wordEnd, type Scanner } from '../scanner';
import type { ReadContext, FormatReader } from './format-reader';

/** `pd.DataFrame({"a": [1, 2]}, index=["x", "y"])`, `pd.DataFrame([[1, 2]], columns=["a", "b"])`, `pd.Series([1, 2])`. */
export const pandas: FormatReader = {
  name: 'pandas',
  words: ['pd.DataFrame', 'pandas.DataFrame', 'DataFrame', 'pd.Series', 'pandas.Series'],
  read,
};

/** The data of a frame, as rows or as columns. */
interface Data {
  readonly nested: readonly Nested[];
  /** Of the array, or of all columns. */
  readonly dtype: string | undefined;
  /** Names of the columns, if the data is a dictionary. */
  readonly keys?: readonly string[];
  readonly places: readonly TextRange[];
}

interface Options {
  columns?: readonly string[];
  index?: readonly string[];
  dtype?: string;
}

function* read(s: Scanner, _: ReadContext): Paced<Candidate | undefined> {
  const start = s.at;
  s.at = wordEnd(s);
  const series = s.text.slice(start, s.at).endsWith('Series');
  if (peek(s) !== code.open) return undefined;
  s.at++;
  skipGap(s);
  const data = peek(s) === code.openBrace && !series ? yield* readColumns(s) : yield* readArray(s);
  if (!data || data.nested.every((nested) => nested.numbers === 0)) return undefined;
  const options = readOptions(s);
  const end = options ? afterValues(s) : s.at;
  const range = { start, end };
  const before = nameBefore(s.text, start);
  const { matrixPart, candidatePart } = nameAndRole(range, before);
  const problems = options ? problemsOf(data, options) : [unclosed(start)];
  s.at = end;
  if (problems.length > 0) return { problems, plain: true, ...candidatePart };
  const after = readAfter(s, end);
  const expression = before.operator ?? after.expression;
  const dtype = after.dtype ?? options?.dtype ?? data.dtype;
  const whole = { ...range, end: Math.max(end, after.end) };
  s.at = whole.end;
  const matrix: ParsedMatrix = {
    ...valuesOf(data, series),
    format: 'pandas',
    ...nameAndRole(whole, before).matrixPart,
    ...matrixPart,
    range: whole,
    ...(options ? labelsOf(data, options, series) : {}),
    ...(dtype === undefined ? {} : { dtype }),
    ...(expression ? { expression } : {}),
  };
  return { matrix, problems: [], plain: true, ...nameAndRole(whole, before).candidatePart };
}

/** `[[1, 2]]`, `np.array([[1, 2]])`. */
function* readArray(s: Scanner): Paced<Data | undefined> {
  const start = s.at;
  const call = isOpener(peek(s)) ? undefined : wrapperAt(s, wordEnd(s));
  if (call !== undefined) {
    s.at = call + 1;
    skipGap(s);
  }
  if (!isOpener(peek(s))) return undefined;
  const nested = yield* readNestedPaced(s);
  const { dtype } = nested;
  if (call === undefined || !nested.closed) return { nested: [nested], dtype, places: [{ start, end: s.at }] };
  const given = readArguments(s);
  if (!given.closed) return undefined;
  return { nested: [nested], dtype: given.dtype ?? dtype, places: [{ start, end: s.at }] };
}

/** `{"a": [1, 2], "b": [3, 4]}`. */
function* readColumns(s: Scanner): Paced<Data | undefined> {
  const keys: string[] = [];
  const nested: Nested[] = [];
  const places: TextRange[] = [];
  const dtypes = new Set<string | undefined>();
  s.at++;
  for (;;) {
    skipGap(s);
    if (peek(s) === code.closeBrace) break;
    const key = keyAt(s);
    if (key === undefined) return undefined;
    skipGap(s);
    if (peek(s) !== code.colon) return undefined;
    s.at++;
    skipGap(s);
    const column = yield* readArray(s);
    if (!column?.nested[0]?.closed) return undefined;
    keys.push(key);
    nested.push(...column.nested);
    places.push(...column.places);
    dtypes.add(column.dtype);
    skipGap(s);
    if (peek(s) === code.comma) s.at++;
    else if (peek(s) !== code.closeBrace) return undefined;
  }
  s.at++;
  const [dtype] = dtypes.size === 1 ? dtypes : [];
  return keys.length > 0 ? { keys, nested, dtype, places } : undefined;
}

/** A quoted or whole-number label. */
function keyAt(s: Scanner): string | undefined {
  const start = s.at;
  if (isQuote(peek(s))) {
    s.at = quotedEnd(s);
    return s.text.slice(start + 1, s.at - 1);
  }
  while (peek(s) >= 48 && peek(s) <= 57 && s.at - start < 20) s.at++;
  return s.at > start ? s.text.slice(start, s.at) : undefined;
}

/** The arguments after the data, up to the closing parenthesis; undefined where it is not found. */
function readOptions(s: Scanner): Options | undefined {
  const options: Options = {};
  for (;;) {
    skipGap(s);
    if (peek(s) === code.close) {
      s.at++;
      return options;
    }
    if (peek(s) !== code.comma) return undefined;
    s.at++;
    skipGap(s);
    if (peek(s) === code.close) continue;
    const end = wordEnd(s);
    const word = s.text.slice(s.at, end);
    s.at = end;
    if (word === '' || peek(s) !== code.equals) return undefined;
    s.at++;
    if (!readOption(s, word, options)) return undefined;
  }
}

function readOption(s: Scanner, word: string, options: Options): boolean {
  const labels = readLabels(s);
  if (labels && word === 'columns') options.columns = labels;
  else if (labels && word === 'index') options.index = labels;
  if (labels) return true;
  const start = s.at;
  s.at = isQuote(peek(s)) ? quotedEnd(s) : wordEnd(s);
  const value = s.text.slice(start, s.at).replace(/['"]/g, '');
  const dtype = word === 'dtype' ? dtypeWord(value) : undefined;
  if (dtype !== undefined) options.dtype = dtype;
  return s.at > start;
}

/** `["a", "b"]`, `[0, 1]`, `list("ab")`; undefined (and the cursor where it was) at anything else. */
function readLabels(s: Scanner): readonly string[] | undefined {
  const start = s.at;
  const list = /^list\((["'])(\w*)\1\)/.exec(s.text.slice(start, start + 60));
  if (list) {
    s.at += list[0].length;
    return [...(list[2] ?? '')];
  }
  if (!isOpener(peek(s))) return undefined;
  const labels: string[] = [];
  s.at++;
  for (;;) {
    skipGap(s);
    if (peek(s) === code.closeBracket || peek(s) === code.close) break;
    const label = keyAt(s);
    skipGap(s);
    if (label === undefined || (peek(s) !== code.comma && peek(s) !== code.closeBracket && peek(s) !== code.close)) {
      s.at = start;
      return undefined;
    }
    labels.push(label);
    if (peek(s) === code.comma) s.at++;
  }
  s.at++;
  return labels;
}

/** End of `.values` or `.to_numpy()`, which return the same numbers. */
function afterValues(s: Scanner): number {
  const match = /^\.(?:values\b|to_numpy\(\))/.exec(s.text.slice(s.at, s.at + 20));
  return s.at + (match?.[0].length ?? 0);
}

function problemsOf({ nested, keys, places }: Data, { columns, index }: Options): Problem[] {
  const inside = nested.flatMap((n) => n.problems);
  if (inside.length > 0) return inside;
  const [first] = nested;
  const rows = first?.shape[0] ?? 0;
  const rank = keys ? 1 : 2;
  for (const [i, n] of nested.entries()) {
    const range = places[i] ?? { start: 0, end: 0 };
    if (n.shape.length > rank) return [tooDeepProblem(range, rank)];
    if (keys && n.shape[0] !== rows) return [uneven(range, keys[i] ?? '', n.shape[0] ?? 0, rows)];
  }
  const width = keys ? keys.length : (first?.shape[1] ?? 1);
  const range = places[0] ?? { start: 0, end: 0 };
  if (keys && columns && columns.some((column, i) => column !== keys[i])) return [reordered(range)];
  if (columns && columns.length !== width) return [miscounted(range, 'columns', columns.length, width)];
  return index && index.length !== rows ? [miscounted(range, 'index', index.length, rows)] : [];
}

const tooDeepProblem = (range: TextRange, rank: number): Problem => ({
  code: 'too-deep',
  message: t('more than {0} in each other', counted(rank, 'bracket')),
  hint: t('A frame has rows and columns.'),
  range,
});

const uneven = (range: TextRange, key: string, have: number, expected: number): Problem => ({
  code: 'ragged',
  message: t('column {0} has {1}, expected {2}', key, counted(have, 'number'), expected),
  hint: t('Give each column {0}.', counted(expected, 'number')),
  range,
});

const reordered = (range: TextRange): Problem => ({
  code: 'expression',
  message: t('columns= chooses among the columns, which is not computed'),
  hint: t('Leave columns= out, or write the columns in its order.'),
  range,
});

const miscounted = (range: TextRange, what: string, have: number, expected: number): Problem => ({
  code: 'shape-mismatch',
  message: t('{0}= has {1}, expected {2}', what, counted(have, 'label'), expected),
  hint: t('Give each row and each column one label.'),
  range,
});

const unclosed = (start: number): Problem => ({
  code: 'unbalanced',
  message: t('the call of pandas is not understood to its end'),
  hint: t('Keep columns=, index= and dtype= as lists of words and a type.'),
  range: { start, end: start + 1 },
});

function valuesOf({ nested, keys }: Data, series: boolean): Pick<ParsedMatrix, 'shape' | 'values'> {
  const [first] = nested;
  const shape = first?.shape ?? [];
  if (!keys)
    return {
      shape: series || shape.length > 1 ? shape : [shape[0] ?? 0, 1],
      values: first?.values ?? new Float64Array(),
    };
  const rows = shape[0] ?? 0;
  const values = new Float64Array(rows * keys.length);
  nested.forEach((n, column) => n.values.forEach((x, row) => (values[row * keys.length + column] = x)));
  return { shape: [rows, keys.length], values };
}

/** The labels. A series is one row of numbers, so its index labels the columns. */
function labelsOf(
  { keys }: Data,
  { columns, index }: Options,
  series: boolean,
): Pick<ParsedMatrix, 'rowLabels' | 'columnLabels'> {
  const over = series ? index : (columns ?? keys);
  return { ...(index && !series ? { rowLabels: index } : {}), ...(over ? { columnLabels: over } : {}) };
}
