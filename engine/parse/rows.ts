import { t, fail, ok, type Problem, type Result, type Paced } from '../text';
import { encodeNumber, type SpecHeads, type SpecMatrix, type SpecNumber } from '../spec';
import { formatShape } from '../math';
import { encodeMatrixPaced } from './encode-paced';
import type { MatrixRole, ParsedMatrix } from './matrix';

/** Symbols of the spec's fields, for messages. */
export const symbols = {
  q: 'Q',
  k: 'K',
  v: 'V',
  wq: 'W_q',
  wk: 'W_k',
  wv: 'W_v',
  x: 'X',
  bq: 'b_q',
  bk: 'b_k',
  bv: 'b_v',
  wo: 'W_o',
  bo: 'b_o',
  get scores() {
    return t('the scores');
  },
  get weights() {
    return t('the weights');
  },
  get context() {
    return t('the context');
  },
} as const;

/** Rows for a spec, with their shape in the text. */
export interface Rows {
  readonly rows: SpecMatrix;
  readonly dims: readonly [number, number];
  /** If there are several: one matrix for each head (for X and the context for each input), or for each head of each input. */
  readonly heads?: SpecHeads;
  /** Number of those matrices. */
  readonly count?: number;
}

/** Fields that can have one matrix for each head (h, or b×h for a batch); a batch of one is dropped. */
const byHead = new Set(['q', 'k', 'v', 'scores', 'weights']);

/** Fields that can have one matrix for each input of a batch. */
const byInput = new Set(['x', 'context']);

/** The matrices of h heads, of each of b inputs. */
function* headsOf(
  m: ParsedMatrix,
  dims: readonly [number, number],
  [batch, count]: readonly [number, number],
): Paced<Rows> {
  const size = dims[0] * dims[1];
  const inputs: SpecMatrix[][] = [];
  for (let at = 0; inputs.length < batch;) {
    const heads: SpecMatrix[] = [];
    for (const end = at + count * size; at < end; at += size)
      heads.push(yield* encodeMatrixPaced(dims, m.values.subarray(at, at + size)));
    inputs.push(heads);
  }
  const [first = []] = inputs;
  return { rows: first[0] ?? [], dims, heads: batch > 1 ? inputs : first, count };
}

/** A matrix as rows: a flat list is one row; leading dimensions of 1 are dropped. */
function* rowsOf(m: ParsedMatrix, symbol: string, field: string): Paced<Result<Rows>> {
  if (m.expression) return fail(notComputed(m));
  const lead = m.shape.slice(0, -2);
  const dims: [number, number] = [m.shape.length === 1 ? 1 : (m.shape.at(-2) ?? 1), m.shape.at(-1) ?? 0];
  const [batch, heads] = [lead.at(-2) ?? 1, lead.at(-1) ?? 1];
  if (byHead.has(field) && batch * heads > 1 && lead.length < 3) return ok(yield* headsOf(m, dims, [batch, heads]));
  if (byInput.has(field) && batch === 1 && heads > 1 && lead.length < 3) return ok(yield* headsOf(m, dims, [1, heads]));
  if (lead.some((size) => size !== 1)) {
    return fail({
      code: 'one-sequence',
      message: t('{0} is {1}, expected one sequence: rows × columns', m.name ?? symbol, formatShape(m.shape)),
      hint: t('Select one {0} block of it.', formatShape(dims)),
      range: m.range,
    });
  }
  return ok({ rows: yield* encodeMatrixPaced(dims, m.values), dims });
}

function notComputed(m: ParsedMatrix): Problem {
  return {
    code: 'expression',
    message: t('{0} is part of an expression, which is not computed', m.name ?? t('the matrix')),
    hint: t('Select the result as it is printed, or remove the expression.'),
    ...(m.expression ? { range: m.expression } : {}),
  };
}

export type MatricesByField = Readonly<Record<string, ParsedMatrix>>;

/** Rows of several matrices by field, or all of their problems. */
export function* allRows(fields: MatricesByField): Paced<Result<Readonly<Record<string, Rows>>>> {
  const problems: Problem[] = [];
  const rows: Record<string, Rows> = {};
  for (const [field, m] of Object.entries(fields)) {
    const found = yield* rowsOf(m, symbols[field as keyof typeof symbols], field);
    if (found.ok) rows[field] = found.value;
    else problems.push(...found.problems);
  }
  return problems.length > 0 ? fail(...problems) : ok(rows);
}

export interface Biases {
  readonly fields: MatricesByField;
  readonly rows: Partial<Record<BiasRole, readonly SpecNumber[]>>;
}

export type BiasRole = 'bq' | 'bk' | 'bv' | 'bo';

/** b_q, b_k and b_v (or those in `roles`) where given: columns, rows or flat lists. */
export function biasesOf(
  byRole: ReadonlyMap<MatrixRole, ParsedMatrix>,
  roles: readonly BiasRole[] = ['bq', 'bk', 'bv'],
): Result<Biases> {
  const fields: Record<string, ParsedMatrix> = {};
  const rows: Partial<Record<BiasRole, readonly SpecNumber[]>> = {};
  for (const role of roles) {
    const m = byRole.get(role);
    if (!m) continue;
    if (m.expression) return fail(notComputed(m));
    if (m.shape.filter((size) => size !== 1).length > 1) return fail(noVector(m, symbols[role]));
    fields[role] = m;
    rows[role] = Array.from(m.values, encodeNumber);
  }
  return ok({ fields, rows });
}

const noVector = (m: ParsedMatrix, symbol: string): Problem => ({
  code: 'shape-mismatch',
  message: t('{0} is {1}, expected a vector', m.name ?? symbol, formatShape(m.shape)),
  hint: t('A bias is one row, one column or a list.'),
  range: m.range,
});

export const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('a matrix is missing');
  return value;
};
