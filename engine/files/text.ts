import { t, inStretches, type Paced, fail, ok, type Problem, type Result, type TextRange } from '../text';
import { parseMatricesPaced, textLimit, type Matrices, type ParsedMatrix } from '../parse';
import { sizeOf } from '../math';
import { noTensor } from './npy';
import { failAt, readBytes, stopped, type ByteSource, type FileProblem, type ReadProgress } from './source';
import type { TensorEntry, TensorFile, TensorSlice, TensorValues } from './tensor-file';
import { findPositions, type TextPosition } from './text-places';

/** A Problem of a text file, with its line and column from 1. */
export interface TextProblem extends FileProblem {
  readonly line: number;
  readonly column: number;
}

/** A character takes at most four bytes of UTF-8. */
const byteLimit = 4 * textLimit;

interface Found {
  readonly entry: TensorEntry;
  readonly matrix?: ParsedMatrix;
}

/**
 * Opens a text file as the matrices that `parseMatrices` finds in it: JSON (keys are names), CSV, tables, printed arrays. Reads all of it as
 * pausable work. A matrix that cannot be read is an entry with its Problem, provided that there is another one.
 */
export async function openText(
  source: ByteSource,
  format: 'json' | 'csv',
  watch?: ReadProgress,
): Promise<Result<TensorFile>> {
  if (source.size > byteLimit)
    return fail({
      code: 'too-large',
      message: t('{0} bytes, the limit for texts is {1}', source.size, byteLimit),
      hint: t('Save it as .npy.'),
    });
  const bytes = await readBytes(source, 0, source.size, t('the text'));
  if (!bytes.ok) return bytes;
  const text = decode(bytes.value);
  if (text === undefined) return failAt('encoding', 0, t('the file is no UTF-8'), t('Save it as UTF-8.'));
  const found = await inStretches(reading(text, hasMark(bytes.value) ? 3 : 0), watch?.cancelled);
  if (!found) return fail(stopped);
  return found.ok ? ok(fileOf(format, found.value)) : found;
}

/** Whether the bytes begin with a byte order mark, which is not part of the text. */
const hasMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

function* reading(text: string, base: number): Paced<Result<readonly Found[]>> {
  const read = yield* parseMatricesPaced(text);
  const ranges = [...read.matrices, ...read.problems].map((one) => rangeOf(one));
  const offsets = ranges.flatMap(({ start, end }) => [start, end]);
  const places = yield* findPositions(text, offsets, base);
  if (read.matrices.length > 0) return ok(entriesOf(read, places));
  return fail(...(read.problems.length ? read.problems.map((p) => locatedProblem(p, places)) : [noMatrices()]));
}

const emptyRange: TextRange = { start: 0, end: 0 };
const rangeOf = ({ range }: { readonly range?: TextRange }): TextRange => range ?? emptyRange;

function fileOf(format: 'json' | 'csv', found: readonly Found[]): TensorFile {
  return {
    format,
    metadata: {},
    tensors: found.map(({ entry }) => entry),
    read(name, slice) {
      const one = found.find(({ entry }) => entry.name === name);
      return Promise.resolve(one?.matrix ? valuesOf(one.matrix, slice) : fail(one?.entry.problem ?? noTensor(name)));
    },
  };
}

const noMatrices = (): Problem => ({
  code: 'empty',
  message: t('no matrix was found'),
  hint: t('Expected nested lists such as [[1, 2], [3, 4]], or rows of numbers.'),
});

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const start: TextPosition = { offset: 0, line: 1, column: 1 };

type Places = ReadonlyMap<number, TextPosition>;

const locatedProblem = (problem: Problem, places: Places): TextProblem => ({
  ...problem,
  ...(places.get(rangeOf(problem).start) ?? start),
});

function entriesOf({ matrices, problems }: Matrices, places: Places): Found[] {
  const at = (offset: number): TextPosition => places.get(offset) ?? start;
  const taken = new Set<string>();
  const unique = (wanted: string, range: TextRange): string => {
    const { line, column } = at(range.start);
    const names = [
      wanted,
      `${wanted}${wanted && ', '}line ${line}`,
      `${wanted}${wanted && ', '}line ${line}, column ${column}`,
    ];
    const name = names.find((one) => !taken.has(one)) ?? `${wanted}@${range.start}`;
    taken.add(name);
    return name;
  };
  const byteRange = (range: TextRange) => ({ start: at(range.start).offset, end: at(range.end).offset });
  const sound = matrices.map((matrix): Found => {
    const { shape, dtype = 'float64', range, rowLabels } = matrix;
    const name = unique(matrix.name ?? '', range);
    const labels = rowLabels ? { labels: rowLabels } : {};
    return { matrix, entry: { name, shape, dtype, byteRange: byteRange(range), ...labels } };
  });
  const broken = problems.map((problem): Found => {
    const range = rangeOf(problem);
    const place = locatedProblem(problem, places);
    const name = unique('', range);
    return { entry: { name, shape: [], dtype: 'none', byteRange: byteRange(range), problem: place } };
  });
  return [...sound, ...broken];
}

/** The same slices as for binary files; here the numbers are in memory. */
function valuesOf({ shape, values }: ParsedMatrix, { index = [], rows }: TensorSlice = {}): Result<TensorValues> {
  const lead = shape.slice(0, -2);
  const [height, width] = [shape.at(-2) ?? 1, shape.at(-1) ?? 0];
  const blocks = blocksOf(lead, index);
  const range = rows ?? { start: 0, end: height };
  const outside = range.start < 0 || range.end > height || range.start >= range.end;
  if (!blocks || outside) return fail({ code: 'slice', message: t('the slice is outside of the matrix') });
  const kept = lead.filter((_, i) => typeof index[i] !== 'number');
  const last = shape.length < 2 ? [width] : [range.end - range.start, width];
  const taken = new Float64Array(sizeOf([...kept, ...last]));
  const step = (range.end - range.start) * width;
  blocks.forEach((block, i) => {
    const from = (block * height + range.start) * width;
    taken.set(values.subarray(from, from + step), i * step);
  });
  return ok({ shape: [...kept, ...last], values: taken, notes: [] });
}

/** Indices of the rows × columns blocks that a slice takes; undefined when an index is out of range. */
function blocksOf(lead: readonly number[], index: readonly (number | null)[]): number[] | undefined {
  let blocks = [0];
  for (const [axis, size] of lead.entries()) {
    const at = index[axis];
    if (typeof at === 'number' && !(Number.isInteger(at) && at >= 0 && at < size)) return undefined;
    const places = typeof at === 'number' ? [at] : Array.from({ length: size }, (_, i) => i);
    blocks = blocks.flatMap((block) => places.map((place) => block * size + place));
  }
  return blocks;
}
