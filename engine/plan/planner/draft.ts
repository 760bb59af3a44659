import { t } from '../../text/l10n';
import type { Formula, Symbol } from '../formula';
import { isSource, operations, type OperationCall, type OperationName } from '../operations';
import type { Step, ValueKind } from '../plan';
import type { Token } from '../../text/token';
import type { AttentionSpec } from '../../spec/spec';
import { formatShape } from '../../math/tensor';
import { labelsOf, type LabelPool } from './labels';
import { wordsOf } from '../words';

export type Shape = readonly number[];
export type Lane = 'q' | 'k' | 'v';

/** A plan while it grows. */
export interface Draft {
  readonly spec: AttentionSpec;
  readonly steps: Step[];
  readonly tokens: readonly Token[];
  readonly keyTokens: readonly Token[];
  /** The step that each lane has come to: `q`, then `qHeads`, `qRotated`, … */
  readonly lanes: Partial<Record<Lane, string>>;
  readonly labels: LabelPool;
  /** The mask whose hidden cells are hidden in the steps being added. */
  hiddenBy?: string;
}

/** What a planner says of a step; `addStep` works out the rest. */
export interface Row {
  readonly id: string;
  readonly symbol: Symbol;
  readonly unicode: string;
  readonly kind?: ValueKind;
  readonly call: OperationCall;
  readonly operands?: readonly string[];
  /** Required for sources; operations have a shape rule. */
  readonly shape?: Shape;
  readonly formula: Formula;
  readonly place?: Step['place'];
  readonly rows?: readonly string[] | undefined;
  readonly columns?: readonly string[] | undefined;
}

export function addStep(draft: Draft, row: Row): void {
  const operands = (row.operands ?? []).map((id) => stepOf(draft, id));
  const shapes = operands.map((s) => s.shape);
  const shape = isSource(row.call) ? (row.shape ?? []) : shapeOf(row.call, shapes);
  const rows = labelsOf(draft.labels, row.rows, shape.at(-2) ?? 1);
  const columns = labelsOf(draft.labels, row.columns, shape.at(-1) ?? 1);
  const named = { rowLabels: rows.first, columnLabels: columns.first };
  draft.steps.push({
    id: row.id,
    symbol: row.unicode,
    role: row.symbol.role,
    kind: row.kind ?? 'signed',
    call: row.call,
    operands: row.operands ?? [],
    shape,
    formula: row.formula,
    shapes: shapesText(row.call, shapes, shape),
    words: wordsOf({ spec: draft.spec, id: row.id, call: row.call, shape, operands, ...named }),
    get rowLabels() {
      return rows.all();
    },
    get columnLabels() {
      return columns.all();
    },
    ...(draft.hiddenBy === undefined ? {} : { hiddenBy: draft.hiddenBy }),
    place: row.place ?? 'road',
  });
}

function shapeOf(call: OperationCall, operands: readonly Shape[]): Shape {
  return operations[call.op as OperationName].shape(call as never, operands);
}

export function stepOf(draft: Draft, id: string): Step {
  const step = draft.steps.find((s) => s.id === id);
  if (!step) throw new Error(`the plan has no step ${id} yet`);
  return step;
}

export const has = (draft: Draft, id: string): boolean => draft.steps.some((s) => s.id === id);

/** The last dimension of a step. */
export const widthOf = (draft: Draft, id: string): number => stepOf(draft, id).shape.at(-1) ?? 0;

/** The step that a lane has come to. */
export function laneOf(draft: Draft, lane: Lane): string {
  const id = draft.lanes[lane];
  if (id === undefined) throw new Error(`the plan has no ${lane} yet`);
  return id;
}

const namesOf = new WeakMap<readonly Token[], readonly string[]>();

/** What tokens are called: one list for all steps. */
export function names(tokens: readonly Token[]): readonly string[] {
  const known = namesOf.get(tokens) ?? tokens.map((t) => t.text);
  namesOf.set(tokens, known);
  return known;
}

/** `(6×8)·(8×6) → (6×6)` */
function shapesText(call: OperationCall, operands: readonly Shape[], result: Shape): string {
  const wrap = (s: Shape): string => `(${formatShape(s)})`;
  const [a = [], b = []] = operands;
  const to = ` → ${wrap(result)}`;
  switch (call.op) {
    case 'matmul':
      return `${wrap(a)}·${wrap(call.transposeB ? [...b.slice(0, -2), ...b.slice(-2).reverse()] : b)}${to}`;
    case 'add':
      return `${wrap(a)} + ${wrap(b)}${to}`;
    case 'lookup':
      return t('rows {0} of {1}', wrap(b), wrap(a)) + to;
    default:
      return operands.length ? wrap(a) + to : wrap(result);
  }
}
