import type { TensorFile } from '../files';
import { fail, ok, t, type Result } from '../text';
import { formatShape } from '../math';
import type { Capture, CapturedAttention, HeadAt } from './capture';

/** A matrix of a head, row-major. */
export interface HeadMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

/** One head as the process had it. Q and K are missing where it is recorded from its scores on. */
export interface CapturedHead {
  readonly about: CapturedAttention;
  readonly at: HeadAt;
  readonly n: number;
  readonly m: number;
  readonly q?: HeadMatrix;
  readonly k?: HeadMatrix;
  readonly v: HeadMatrix;
  readonly out: HeadMatrix;
  readonly scores?: HeadMatrix;
  /** 1 is hidden; an axis of 1 is repeated. */
  readonly hidden?: HeadMatrix;
  readonly bias?: HeadMatrix;
  /** One more number in each row's softmax, whose share goes to no value (gpt-oss). */
  readonly sink?: number;
}

const partNames = ['q', 'k', 'v', 'out', 'scores', 'hidden', 'bias', 'sink'] as const;
type Part = (typeof partNames)[number];

/** Reads a head's tensors, and checks that they fit together. */
export async function readHead(file: TensorFile, { attentions }: Capture, at: HeadAt): Promise<Result<CapturedHead>> {
  const about = attentions[at.attention];
  const kv = about?.kv[at.head];
  if (!about || kv === undefined || about.batch[at.input] === undefined)
    return fail({ code: 'capture', message: t('there is no such head in the file') });
  const parts: Partial<Record<Part, HeadMatrix>> = {};
  for (const part of partNames) {
    const name = `${at.attention}.${part}`;
    const entry = file.tensors.find((one) => one.name === name);
    if (!entry) continue;
    const head = part === 'k' || part === 'v' ? kv : at.head;
    const found = await readPart(file, name, entry.shape, at.input, head);
    if (!found.ok) return found;
    parts[part] = found.value;
  }
  return assembled(about, at, parts);
}

async function readPart(
  file: TensorFile,
  name: string,
  shape: readonly number[],
  input: number,
  head: number,
): Promise<Result<HeadMatrix>> {
  const [inputs = 0, heads = 0, rows = 0, columns = 0] = shape;
  const index = [inputs === 1 ? 0 : input, heads === 1 ? 0 : head];
  if (shape.length !== 4 || (index[0] as number) >= inputs || (index[1] as number) >= heads)
    return fail({ code: 'capture', message: t('{0} is {1}, expected inputs × heads × rows × columns', name, formatShape(shape)) }); // prettier-ignore
  const read = await file.read(name, { index });
  return read.ok ? ok({ rows, columns, values: read.value.values }) : read;
}

function assembled(
  about: CapturedAttention,
  at: HeadAt,
  parts: Partial<Record<Part, HeadMatrix>>,
): Result<CapturedHead> {
  const { q, k, v, out, scores, hidden, bias, sink } = parts;
  const n = (q ?? scores)?.rows;
  const m = (k ?? v)?.rows;
  const wrong = (name: string): Result<never> =>
    fail({ code: 'capture', message: t('{0} does not fit the other tensors of its attention', `${at.attention}.${name}`) }); // prettier-ignore
  if (n === undefined || m === undefined || !v || !out) return wrong('q');
  if (scores ? scores.columns !== m : !q || !k || q.columns !== k.columns) return wrong(scores ? 'scores' : 'k');
  if (v.rows !== m || out.rows !== n || out.columns !== v.columns) return wrong('out');
  const spreads = (one: HeadMatrix | undefined): boolean => !one || ((one.rows === n || one.rows === 1) && (one.columns === m || one.columns === 1)); // prettier-ignore
  if (!spreads(hidden)) return wrong('hidden');
  if (!spreads(bias)) return wrong('bias');
  if (sink && sink.values.length !== 1) return wrong('sink');
  const given = { ...(q && !scores && { q }), ...(k && !scores && { k }), ...(scores && { scores }), ...(hidden && { hidden }), ...(bias && { bias }), ...(sink && { sink: sink.values[0] as number }) }; // prettier-ignore
  return ok({ about, at, n, m, v, out, ...given });
}

/** A cell of a matrix whose axes of 1 are repeated. */
export const spreadAt = ({ rows, columns, values }: HeadMatrix, i: number, j: number): number =>
  values[(rows === 1 ? 0 : i) * columns + (columns === 1 ? 0 : j)] as number;
