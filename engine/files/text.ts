import { parseMatrices, textLimit } from '../parse/literals';
import type { ParsedMatrix } from '../parse/matrix';
import { fail, ok, positionAt, type Problem, type Result, type TextRange } from '../problems';
import { sizeOf } from '../tensor';
import { noTensor } from './npy';
import { failAt, readBytes, type ByteSource, type FileProblem } from './source';
import type { TensorEntry, TensorFile, TensorSlice, TensorValues } from './tensor-file';

/** A Problem of a text file, with its line and column from 1. */
export interface TextProblem extends FileProblem {
  readonly line: number;
  readonly column: number;
}

/** A character needs at most four bytes of UTF-8. */
const byteLimit = 4 * textLimit;

interface Found {
  readonly entry: TensorEntry;
  readonly matrix?: ParsedMatrix;
}

/**
 * A text file as the matrices that `parseMatrices` finds in it: JSON with its keys as names, CSV, tables, printed arrays. Reads all of it.
 * A matrix that is attempted and cannot be read is an entry with its Problem, as long as there is another.
 */
export async function openText(source: ByteSource, format: 'json' | 'csv'): Promise<Result<TensorFile>> {
  if (source.size > byteLimit)
    return fail({
      code: 'too-large',
      message: `${source.size} bytes, the limit for texts is ${byteLimit}`,
      hint: 'Save it as .npy.',
    });
  const bytes = await readBytes(source, 0, source.size, 'the text');
  if (!bytes.ok) return bytes;
  const text = decode(bytes.value);
  if (text === undefined) return failAt('encoding', 0, 'the file is no UTF-8', 'Save it as UTF-8.');
  const { matrices, problems } = parseMatrices(text);
  if (matrices.length === 0) return fail(...(problems.length ? problems.map((p) => placed(text, p)) : [nothing]));
  const found = entriesOf(text, matrices, problems);
  return ok({
    format,
    metadata: {},
    tensors: found.map(({ entry }) => entry),
    read(name, slice) {
      const one = found.find(({ entry }) => entry.name === name);
      return Promise.resolve(one?.matrix ? valuesOf(one.matrix, slice) : fail(one?.entry.problem ?? noTensor(name)));
    },
  });
}

const nothing: Problem = {
  code: 'empty',
  message: 'no matrix was found',
  hint: 'Expected nested lists such as [[1, 2], [3, 4]], or rows of numbers.',
};

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function placed(text: string, problem: Problem): TextProblem {
  const at = problem.range?.start ?? 0;
  return { ...problem, ...positionAt(text, at), offset: bytesBefore(text, at) };
}

const bytesBefore = (text: string, at: number): number => new TextEncoder().encode(text.slice(0, at)).length;

function entriesOf(text: string, matrices: readonly ParsedMatrix[], problems: readonly Problem[]): Found[] {
  const taken = new Set<string>();
  const unique = (wanted: string, range: TextRange): string => {
    const { line, column } = positionAt(text, range.start);
    const names = [
      wanted,
      `${wanted}${wanted && ', '}line ${line}`,
      `${wanted}${wanted && ', '}line ${line}, column ${column}`,
    ];
    const name = names.find((one) => !taken.has(one)) ?? `${wanted}@${range.start}`;
    taken.add(name);
    return name;
  };
  const byteRange = ({ start, end }: TextRange) => ({ start: bytesBefore(text, start), end: bytesBefore(text, end) });
  const sound = matrices.map((matrix): Found => {
    const { shape, dtype = 'float64', range, rowLabels } = matrix;
    const name = unique(matrix.name ?? '', range);
    const labels = rowLabels ? { labels: rowLabels } : {};
    return { matrix, entry: { name, shape, dtype, byteRange: byteRange(range), ...labels } };
  });
  const broken = problems.map((problem): Found => {
    const range = problem.range ?? { start: 0, end: 0 };
    const place = placed(text, problem);
    const name = unique('', range);
    return { entry: { name, shape: [], dtype: 'none', byteRange: byteRange(range), problem: place } };
  });
  return [...sound, ...broken];
}

/** The same slices as of a binary file; the numbers are all there. */
function valuesOf({ shape, values }: ParsedMatrix, { index = [], rows }: TensorSlice = {}): Result<TensorValues> {
  const lead = shape.slice(0, -2);
  const [height, width] = [shape.at(-2) ?? 1, shape.at(-1) ?? 0];
  const blocks = blocksOf(lead, index);
  const range = rows ?? { start: 0, end: height };
  const outside = range.start < 0 || range.end > height || range.start >= range.end;
  if (!blocks || outside) return fail({ code: 'slice', message: 'the slice is outside of the matrix' });
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

/** Which of the rows × columns blocks are taken; undefined when an index is outside. */
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
