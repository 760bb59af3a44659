import { t, counted, type Problem, type TextRange } from '../../text';
import { formatShape } from '../../math';
import { mostMade, type Argument, type Value } from './r-values';

/** The matrix that a call creates: numbers in row-major order, labels from its dimnames. */
export interface Built {
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly rowLabels?: readonly string[] | undefined;
  readonly columnLabels?: readonly string[] | undefined;
}

/** Evaluates a call; undefined if its numbers are not written out. */
type Build = (list: readonly Argument[], range: TextRange) => Built | Problem | undefined;

/** Calls by name, as in R's own documentation (`?matrix`, `?array`, `?cbind`, `?structure`). */
export const builders: ReadonlyMap<string, Build> = new Map<string, Build>([
  ['matrix', matrix],
  ['array', array],
  ['structure', structure],
  ['rbind', (list) => bound(list, 'row')],
  ['cbind', (list) => bound(list, 'column')],
  ['data.frame', (list) => bound(list, 'column')],
  ['c', vector],
]);

const problem = (code: string, message: string, hint: string, range: TextRange): Problem => ({
  code,
  message,
  hint,
  range,
});

/** Arguments by name, unnamed ones in the order of the function's parameters; undefined if there are others. */
function byName(list: readonly Argument[], parameters: readonly string[]): Map<string, Value> | undefined {
  const found = new Map<string, Value>();
  for (const { name, value } of list) if (name !== undefined) found.set(name, value);
  const free = parameters.filter((p) => !found.has(p));
  const unnamed = list.filter((a) => a.name === undefined);
  if (unnamed.length > free.length) return undefined;
  unnamed.forEach((a, i) => found.set(free[i] ?? '', a.value));
  return [...found.keys()].every((key) => parameters.includes(key)) ? found : undefined;
}

const whole = (value: Value | undefined): number | undefined => {
  const n = value?.numbers[0];
  return n !== undefined && value?.numbers.length === 1 && Number.isInteger(n) && n > 0 ? n : undefined;
};

/** `matrix(data, nrow, ncol, byrow, dimnames)`: fills by columns unless `byrow`, repeating the data. */
function matrix(list: readonly Argument[], range: TextRange): Built | Problem | undefined {
  const args = byName(list, ['data', 'nrow', 'ncol', 'byrow', 'dimnames']);
  const data = args?.get('data');
  if (!args || !data || data.kind !== 'numbers' || data.numbers.length === 0) return undefined;
  for (const name of ['nrow', 'ncol']) {
    const given = args.get(name);
    if (given && whole(given) === undefined)
      return problem(
        'value',
        t('{0} is no whole number above 0', name),
        t('Give {0} as one number.', name),
        given.range,
      );
  }
  const [rows, columns] = sizes(args, data.numbers.length);
  const size = rows * columns;
  if (size > most(data) || size % data.numbers.length !== 0) return wrongSize(data, [rows, columns], range);
  const byRow = args.get('byrow')?.numbers[0] === 1;
  return labelled(filled(data.numbers, [rows, columns], byRow), args.get('dimnames'));
}

/** Largest matrix that repeated data may fill. */
const most = (data: Value): number => Math.max(mostMade, data.numbers.length);

function sizes(args: ReadonlyMap<string, Value>, length: number): [number, number] {
  const [rows, columns] = [whole(args.get('nrow')), whole(args.get('ncol'))];
  if (rows !== undefined) return [rows, columns ?? Math.ceil(length / rows)];
  return columns === undefined ? [length, 1] : [Math.ceil(length / columns), columns];
}

const wrongSize = (data: Value, dims: readonly number[], range: TextRange): Problem =>
  problem(
    'shape-mismatch',
    t('{0} numbers do not fill {1}', data.numbers.length, formatShape(dims)),
    t('R repeats numbers only to a whole multiple; give all of them or change nrow and ncol.'),
    data.range.end > data.range.start ? data.range : range,
  );

/** The numbers in row-major order; R stores them column-major, the first index fastest. */
function filled(numbers: readonly number[], dims: readonly number[], byRow = false): Built {
  const size = dims.reduce((a, b) => a * b, 1);
  const values = new Float64Array(size);
  for (let i = 0; i < size; i++) values[byRow ? i : rowMajor(i, dims)] = numbers[i % numbers.length] ?? NaN;
  return { shape: dims, values };
}

/** Row-major position of the i-th number in column-major order. */
function rowMajor(i: number, dims: readonly number[]): number {
  let [rest, place, stride] = [i, 0, dims.reduce((a, b) => a * b, 1)];
  for (const d of dims) {
    stride /= d;
    place += (rest % d) * stride;
    rest = Math.floor(rest / d);
  }
  return place;
}

/** Adds labels from `list(c("a", "b"), NULL)`: row labels and column labels, one for each row and column, as R requires. */
function labelled(built: Built, dimnames: Value | undefined): Built | Problem {
  const sides = (dimnames?.list ?? []).slice(0, 2).map(({ value }) => value);
  for (const [i, side] of sides.entries()) {
    const [found, wanted] = [side.strings.length, built.shape[i] ?? 0];
    if (found > 0 && found !== wanted) {
      const message =
        i === 0
          ? t('{0} names for {1} rows in dimnames', found, wanted)
          : t('{0} names for {1} columns in dimnames', found, wanted);
      return problem('labels', message, t('Give one name for each, or NULL.'), side.range);
    }
  }
  return { ...built, rowLabels: sides[0]?.strings, columnLabels: sides[1]?.strings };
}

/** `array(data, dim, dimnames)`. */
function array(list: readonly Argument[], range: TextRange): Built | Problem | undefined {
  const args = byName(list, ['data', 'dim', 'dimnames']);
  // `a: 'f'-array(2, 3)` are sizes in other languages. In R a single number for all cells comes with `dim =` or `c(…)`.
  if (list.length === 2 && list.every((a) => a.name === undefined && a.value.numbers.length === 1)) return undefined;
  return args && shaped(args.get('data'), args.get('dim'), args.get('dimnames'), range);
}

/** `structure(c(…), dim = …, dimnames = …)`; other attributes do not affect the numbers. */
function structure(list: readonly Argument[], range: TextRange): Built | Problem | undefined {
  const named = (names: readonly string[]): Value | undefined => list.find((a) => names.includes(a.name ?? ''))?.value;
  const data = list.find((a) => a.name === undefined)?.value ?? named(['.Data']);
  if (data?.kind === 'list')
    return named(['class'])?.strings.includes('data.frame') ? bound(data.list, 'column') : undefined;
  return shaped(data, named(['dim', '.Dim']), named(['dimnames', '.Dimnames']), range);
}

function shaped(
  data: Value | undefined,
  dim: Value | undefined,
  dimnames: Value | undefined,
  range: TextRange,
): Built | Problem | undefined {
  if (!data || data.kind !== 'numbers' || data.numbers.length === 0 || !dim) return undefined;
  const dims = dim.numbers;
  if (dims.length === 0 || !dims.every((d) => Number.isInteger(d) && d > 0)) return undefined;
  if (dims.length > 4)
    return problem(
      'too-deep',
      t('{0} dimensions', dims.length),
      t('A matrix has 1 to 4 dimensions: batch, head, row, column.'),
      dim.range,
    );
  const size = dims.reduce((a, b) => a * b, 1);
  if (size > most(data) || size % data.numbers.length !== 0) return wrongSize(data, dims, range);
  return dims.length === 2 ? labelled(filled(data.numbers, dims), dimnames) : filled(data.numbers, dims);
}

/** `rbind(a = c(1, 2), b = c(3, 4))`: vectors of equal length as rows or columns. */
function bound(list: readonly Argument[], as: 'row' | 'column'): Built | Problem | undefined {
  const vectors = list.filter((a) => !options.has(a.name ?? ''));
  const [first] = vectors;
  if (!first || vectors.length < 1 || vectors.some((a) => a.value.kind !== 'numbers')) return undefined;
  const length = Math.max(...vectors.map((a) => a.value.numbers.length));
  const odd = vectors.findIndex((a) => a.value.numbers.length !== length && a.value.numbers.length !== 1);
  if (odd >= 0) return uneven(vectors, odd, length, as);
  const names = vectors.every((a) => a.name !== undefined) ? vectors.map((a) => a.name ?? '') : undefined;
  const rows = vectors.map((a) => Array.from({ length }, (_, i) => a.value.numbers[i % a.value.numbers.length] ?? NaN));
  const across = first.value.names;
  if (as === 'row')
    return {
      shape: [rows.length, length],
      values: Float64Array.from(rows.flat()),
      rowLabels: names,
      columnLabels: across,
    };
  const values = Float64Array.from(
    { length: length * rows.length },
    (_, i) => rows[i % rows.length]?.[Math.floor(i / rows.length)] ?? NaN,
  );
  return { shape: [length, rows.length], values, rowLabels: across, columnLabels: names };
}

const options = new Set(['stringsAsFactors', 'check.names', 'deparse.level', 'row.names']);

function uneven(vectors: readonly Argument[], odd: number, length: number, as: 'row' | 'column'): Problem {
  const v = vectors[odd]?.value;
  const count = v?.numbers.length ?? 0;
  return problem(
    'ragged',
    as === 'row'
      ? t('row {0} has {1}, the longest has {2}', odd + 1, counted(count, 'number'), length)
      : t('column {0} has {1}, the longest has {2}', odd + 1, counted(count, 'number'), length),
    as === 'row' ? t('Give each row {0} numbers.', length) : t('Give each column {0} numbers.', length),
    v?.range ?? { start: 0, end: 0 },
  );
}

/** `c(1, 2, 3)`: one dimension. */
function vector(list: readonly Argument[]): Built | undefined {
  const sound = list.every((a) => a.value.kind === 'numbers');
  if (!sound) return undefined;
  const numbers = list.flatMap((a) => a.value.numbers);
  return { shape: [numbers.length], values: new Float64Array(numbers) };
}
