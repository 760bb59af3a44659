import { fail, ok, type Problem, type Result } from '../problems';
import { encodeMatrix, encodeNumber, type SpecMatrix, type SpecNumber } from '../spec';
import { formatShape } from '../tensor';
import type { MatrixRole, ParsedMatrix } from './matrix';

/** How the parts of a walk are written in messages. */
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
} as const;

/** Rows of a spec, with the shape they had in the text. */
export interface Rows {
  readonly rows: SpecMatrix;
  readonly dims: readonly [number, number];
}

/** A matrix as rows: a flat list is one row, leading dimensions of 1 (a batch of one) are dropped. */
function rowsOf(m: ParsedMatrix, symbol: string): Result<Rows> {
  if (m.expression) return fail(notComputed(m));
  const lead = m.shape.slice(0, -2);
  const dims: [number, number] = [m.shape.length === 1 ? 1 : (m.shape.at(-2) ?? 1), m.shape.at(-1) ?? 0];
  if (lead.some((size) => size !== 1)) {
    return fail({
      code: 'one-sequence',
      message: `${m.name ?? symbol} is ${formatShape(m.shape)}, expected one sequence: rows × columns`,
      hint: `Select one ${formatShape(dims)} block of it.`,
      range: m.range,
    });
  }
  return ok({ rows: encodeMatrix(dims, m.values), dims });
}

function notComputed(m: ParsedMatrix): Problem {
  return {
    code: 'expression',
    message: `${m.name ?? 'the matrix'} is part of an expression, which is not computed`,
    hint: 'Select the result as it is printed, or remove the expression.',
    ...(m.expression ? { range: m.expression } : {}),
  };
}

export type Named = Readonly<Record<string, ParsedMatrix>>;

/** Rows of several matrices by field, or all of their problems. */
export function allRows(fields: Named): Result<Readonly<Record<string, Rows>>> {
  const problems: Problem[] = [];
  const rows: Record<string, Rows> = {};
  for (const [field, m] of Object.entries(fields)) {
    const found = rowsOf(m, symbols[field as keyof typeof symbols]);
    if (found.ok) rows[field] = found.value;
    else problems.push(...found.problems);
  }
  return problems.length > 0 ? fail(...problems) : ok(rows);
}

export interface Biases {
  readonly fields: Named;
  readonly rows: Partial<Record<'bq' | 'bk' | 'bv', readonly SpecNumber[]>>;
}

/** b_q, b_k and b_v, each where it was given: columns, rows or flat lists. */
export function biasesOf(byRole: ReadonlyMap<MatrixRole, ParsedMatrix>): Result<Biases> {
  const fields: Record<string, ParsedMatrix> = {};
  const rows: Partial<Record<'bq' | 'bk' | 'bv', readonly SpecNumber[]>> = {};
  for (const role of ['bq', 'bk', 'bv'] as const) {
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
  message: `${m.name ?? symbol} is ${formatShape(m.shape)}, expected a vector`,
  hint: 'A bias is one row, one column or a list.',
  range: m.range,
});

export const need = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('a matrix is missing');
  return value;
};
