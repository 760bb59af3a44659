import { formula, isReal, latexNumber, type Expression, type Symbol, type Branch } from '../../operations';
import { isSource, operationOf, operations, type OperationCall, type OperationName } from '../operations';
import type { Step, StepGroup, ValueKind } from '../plan';
import {
  type Role,
  type Token,
  number,
  plainText,
  say,
  shapeMark,
  signs,
  type Place,
  type ProductMark,
  type Sentence,
  type Within,
} from '../../text';
import type { AttentionSpec } from '../../spec';
import type { Weight } from '../../models';
import { formatShape, isHalf, roundTo } from '../../math';
import { labelsOf, type LabelPool } from './labels';
import { textsOf, isTransposedInColumns } from '../columns';
import { sentencesOf, type DescribedStep } from '../words';

export type { Branch } from '../../operations';
export type Shape = readonly number[];

/** A plan that is being built. */
export interface Draft {
  readonly spec: AttentionSpec;
  readonly steps: Step[];
  readonly tokens: readonly Token[];
  readonly keyTokens: readonly Token[];
  /** The latest step of each branch: `q`, then `qHeads`, `qRotated`, … */
  readonly branches: Partial<Record<Branch, string>>;
  readonly labels: LabelPool;
  /** The symbol of each step. */
  readonly symbols: Map<string, Symbol>;
  /** The mask whose hidden cells stay hidden in the steps that are added now. */
  hiddenBy?: string;
  /** The step of a decoder: its token asks alone. */
  readonly decoded?: number;
  /** The layer of a block that is planned. */
  readonly layer?: Layer;
  /** Where the weights of a trained model stand, by their paths in the spec. */
  readonly weights?: ReadonlyMap<string, Weight>;
  /** Of the steps that are added now. */
  group?: StepGroup;
}

/** What a layer of a block has of its own. */
export interface Layer {
  /** Before the ids of its steps: `layer2_`; nothing before those of the layer that is shown. */
  readonly scope: string;
  /** Steps before all layers, which each of them sees. */
  readonly shared: ReadonlySet<string>;
  /** From 1. */
  readonly number: number;
  /** What queries, keys and values are made from. */
  readonly source: Source;
  /** Where in the spec something stands that the layer's own spec has at a path. */
  readonly path: (path: string) => string;
}

/** What queries and keys are called, along a matrix that has both. */
export interface Grid {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
}

/** A step that others are made from. */
export interface Source {
  readonly id: string;
  readonly symbol: Symbol;
  readonly unicode: string;
}

/** What a planner gives for a step; the rest is derived. */
interface AnyStepDraft {
  readonly id: string;
  readonly symbol: Symbol;
  /** The symbol in Unicode. A product swaps its factors where tokens are columns. */
  readonly unicode: string | ProductMark;
  readonly kind?: ValueKind;
  readonly call: OperationCall;
  readonly operands?: readonly string[];
  /** Required for sources; operations have a shape rule. */
  readonly shape?: Shape;
  /** Only where it differs from that of the operation, of given or of drawn numbers. */
  readonly formula?: Expression;
  readonly place?: Step['place'];
  readonly rows?: readonly string[] | undefined;
  readonly columns?: readonly string[] | undefined;
  /** Column labels as translatable sentences, where they are words. */
  readonly columnNames?: readonly Sentence[] | undefined;
}

/** A step whose words stand in `plan/words/`: an id without words does not compile. */
export interface StepDraft extends AnyStepDraft {
  readonly id: DescribedStep;
}

export const addStep = (draft: Draft, row: StepDraft): void => appendStep(draft, row);

/** Adds a step whose words come with its operation (`step` of its declaration) or with the program. */
export function appendStep(draft: Draft, planned: AnyStepDraft): void {
  const row = { ...planned, call: callOf(draft, planned.call) };
  const operands = (row.operands ?? []).map((id) => stepOf(draft, id));
  const shapes = operands.map((s) => s.shape);
  const shape = isSource(row.call) ? (row.shape ?? []) : shapeOf(row.call, shapes);
  const rows = labelsOf(draft.labels, row.rows, shape.at(-2) ?? 1);
  const columnNames = row.columnNames?.map((name) => plainText(name)) ?? row.columns;
  const columns = labelsOf(draft.labels, columnNames, shape.at(-1) ?? 1);
  const { role } = row.symbol;
  const id = scoped(draft, row.id);
  draft.symbols.set(id, row.symbol);
  const firstLabels = { rowLabels: rows.first, columnLabels: columns.first };
  const within = withinOf(draft);
  const sentences = {
    ...sentencesOf({ spec: draft.spec, id, role, call: row.call, shape, operands, ...firstLabels, ...within }),
    symbol: signs('{0}', row.unicode),
    formula: row.formula ?? formulaOf(draft, row, shape),
    shapes: shapesOf(row, role, operands, shape),
    ...(row.columnNames && { columnLabels: row.columnNames }),
  };
  draft.steps.push({
    id,
    role,
    kind: row.kind ?? 'signed',
    call: row.call,
    operands: operands.map((of) => of.id),
    shape,
    ...textsOf(sentences, false),
    sentences,
    get rowLabels() {
      return rows.all();
    },
    get columnLabels() {
      return columns.all();
    },
    ...(draft.hiddenBy === undefined ? {} : { hiddenBy: idOf(draft, draft.hiddenBy) }),
    ...(draft.group && { group: draft.group }),
    ...within,
    place: row.place ?? 'main',
  });
}

/** The call with its path in the spec: that of the layer's own fields, if it has some. A weight of a trained model is read from the model, as the spec has none. */
function callOf({ layer, weights }: Draft, call: OperationCall): OperationCall {
  if (call.op !== 'given' && call.op !== 'givenMask') return call;
  const path = layer ? layer.path(call.path) : call.path;
  const weight = weights?.get(path);
  return weight ? { op: 'weight', path, weight } : { ...call, path };
}

/** The layer whose steps the symbols in sentences refer to, unless it is the only one. */
function withinOf({ layer }: Draft): { readonly within?: Within } {
  if (!layer || (layer.scope === '' && layer.source.id === 'x')) return {};
  const { scope, source } = layer;
  return { within: { scope, x: { name: source.unicode, step: source.id } } };
}

const scoped = ({ layer }: Pick<Draft, 'layer'>, id: string): string =>
  layer && !layer.shared.has(id) ? layer.scope + id : id;

/** The id that a step has in the plan; that of another layer is one already. */
function idOf(draft: Pick<Draft, 'steps' | 'layer'>, id: string): string {
  const own = scoped(draft, id);
  return own === id || draft.steps.some((s) => s.id === own) ? own : id;
}

function formulaOf(draft: Draft, { call, id, symbol, operands = [] }: AnyStepDraft, shape: Shape): Expression {
  if (call.op === 'given' || call.op === 'givenMask' || call.op === 'weight') return isReal(symbol, shape);
  if (call.op === 'random') {
    const { times, divideByLatex } = call;
    const factor = times === undefined ? '' : `${latexNumber(times)} \\cdot `;
    return formula`${symbol} \sim ${factor}\mathcal{N}(0, 1)${divideByLatex && ` / ${divideByLatex}`}`;
  }
  if (isSource(call)) throw new Error(`step ${id} has no formula`);
  const named = operands.map((operand) => symbolOf(draft, operand));
  return operationOf(call).formula(call, symbol, named);
}

export function symbolOf(draft: Draft, id: string): Symbol {
  const found = draft.symbols.get(idOf(draft, id));
  if (!found) throw new Error(`the plan has no step ${id} yet`);
  return found;
}

function shapeOf(call: OperationCall, operands: readonly Shape[]): Shape {
  return operations[call.op as OperationName].shape(call as never, operands);
}

export function stepOf(draft: Pick<Draft, 'steps' | 'layer'>, id: string): Step {
  const planned = idOf(draft, id);
  const step = draft.steps.find((s) => s.id === planned);
  if (!step) throw new Error(`the plan has no step ${id} yet`);
  return step;
}

export function hasStep(draft: Pick<Draft, 'steps' | 'layer'>, id: string): boolean {
  const own = scoped(draft, id);
  return draft.steps.some((s) => s.id === own);
}

/** A number that is added or filled in: NumPy and PyTorch round it to float16 or bfloat16 first. In float32 operations round it themselves. */
export const scalarOf = ({ spec: { dtype } }: Draft, x: number): number => (isHalf(dtype) ? roundTo(dtype)(x) : x);

/** A number that is multiplied with or divided by: NumPy rounds it to float16 first; PyTorch 2 keeps it in float32 beside bfloat16 (1.13 rounded it). */
export const factorOf = (draft: Draft, x: number): number => (draft.spec.dtype === 'bfloat16' ? x : scalarOf(draft, x));

/** The last dimension of a step. */
export const widthOf = (draft: Draft, id: string): number => stepOf(draft, id).shape.at(-1) ?? 0;

/** The id of the latest step of a branch. */
export function branchOf(draft: Draft, branch: Branch): string {
  const id = draft.branches[branch];
  if (id === undefined) throw new Error(`the plan has no ${branch} yet`);
  return id;
}

const namesOf = new WeakMap<readonly Token[], readonly string[]>();

/** The tokens' texts. The list is cached, so that all steps share one. */
export function tokenTexts(tokens: readonly Token[]): readonly string[] {
  const known = namesOf.get(tokens) ?? tokens.map((t) => t.text);
  namesOf.set(tokens, known);
  return known;
}

/** `(6×8)·(8×6) → (6×6)`, each shape in the colour of its matrix. */
function shapesOf({ id, call }: AnyStepDraft, role: Role, operands: readonly Step[], result: Shape): Sentence {
  const [a, b] = operands;
  const inOwn = (of: Step | undefined, shape = of?.shape ?? []): Place =>
    shapeMark(shape, { brackets: true, role: of?.role ?? role });
  const to = shapeMark(result, { brackets: true, role });
  switch (call.op) {
    case 'matmul': {
      const right = b?.shape ?? [];
      const shown = call.transposeB ? [...right.slice(0, -2), ...right.slice(-2).reverse()] : right;
      return signs('[{0}·{1}|{1}·{0}] → {2}', inOwn(a), inOwn(b, shown), to);
    }
    case 'add':
      return signs('{0} + {1} → {2}', inOwn(a), inOwn(b), to);
    case 'lookup':
      return signs('{0} → {1}', say('[rows {0} of {1}|columns {0} of {1}]', inOwn(b), inOwn(a)), to);
    default:
      if (a) return signs('{0} → {1}', inOwn(a), to);
      return signs('{0}', isTransposedInColumns({ id }) ? to : number(`(${formatShape(result)})`, undefined, role));
  }
}
