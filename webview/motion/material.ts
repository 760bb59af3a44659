import type { CellExplanation, DigitFormat, DigitFormatOf, Plan, Slice, Step } from '../../engine/index';
import { formatOf, type NumberFormat } from '../draw';
import { formatFor, summarise } from '../heatmap';
import { leadingIndex, sliceRequest, stepOf, type Cell, type TraceHandle } from '../trace';

/** How much is computed before the reader's eyes: one cell, or its whole row. */
export type Scope = 'cell' | 'row';

/** All that a story is told from. */
export interface Material {
  readonly plan: Plan;
  readonly step: Step;
  readonly scope: Scope;
  readonly row: number;
  readonly column: number;
  /** Explanations of the cells that are computed, by their column. */
  readonly cells: ReadonlyMap<number, CellExplanation>;
  /** The number format of each step's matrix. */
  readonly places: DigitFormatOf;
  /** The number format of exponentials and their sum. */
  readonly share: DigitFormat;
}

/** A row of more columns is not played whole. */
const mostColumns = 24;

/** What can be played of a step; nothing if its operation has no story. */
export function scopesOf({ call, shape }: Step): readonly Scope[] {
  const fits = (shape.at(-1) ?? 1) <= mostColumns;
  if (call.op === 'matmul') return fits ? ['cell', 'row'] : ['cell'];
  if (call.op === 'rope') return ['cell'];
  return ['softmax', 'divide', 'mask'].includes(call.op) ? ['row'] : [];
}

/** The columns whose cells are explained. Softmax explains its row in each of its cells. */
function columnsOf({ call, shape }: Step, scope: Scope, column: number): readonly number[] {
  if (scope === 'cell' || call.op === 'softmax') return [column];
  const count = shape.at(-1) ?? 1;
  const from = Math.max(0, Math.min(count - mostColumns, column - mostColumns / 2));
  return Array.from({ length: Math.min(count, mostColumns) }, (_, i) => from + i);
}

export interface Wanted {
  readonly step: Step;
  readonly cell: Cell;
  readonly slice: Slice;
  readonly scope: Scope;
  readonly digits: number;
}

/** Reads what a story needs. */
export async function readMaterial(
  trace: Pick<TraceHandle, 'plan' | 'spec' | 'read' | 'explainCell'>,
  { step, cell: [row, column], slice, scope, digits }: Wanted,
): Promise<Material> {
  const lead = leadingIndex(trace, step, slice);
  const columns = columnsOf(step, scope, column);
  const explained = await Promise.all(columns.map((j) => trace.explainCell(step.id, [...lead, row, j])));
  const formats = new Map<string, NumberFormat>();
  for (const id of [step.id, ...step.operands]) {
    const of = stepOf(trace.plan, id);
    if (!of) continue;
    const at = sliceRequest(leadingIndex(trace, of, slice));
    const summary = await summarise(of, (request) => trace.read(id, { ...request, ...at }));
    formats.set(id, formatFor(of, summary, digits));
  }
  const share = formatOf({ magnitude: 1, digits, weights: true });
  return {
    plan: trace.plan,
    step,
    scope,
    row,
    column,
    cells: new Map(columns.map((j, i) => [j, explained[i] as CellExplanation])),
    places: (id) => formats.get(id) ?? { decimals: digits, exponent: false },
    share,
  };
}
