import {
  hasColumns,
  isSource,
  operationOf,
  say,
  t,
  type BackendCall,
  type FromTo,
  type Step,
} from '../../engine/index';
import { make, rowsOf, type Heatmap } from '../heatmap';
import { brief, jointRange, type Range } from '../draw';
import { columnsFitting, softmaxTable } from './softmax';
import { operandOf, type Context, type Operand, type Scene, type StepViewOptions } from './figure';
import { matmulScene } from './matmul';
import { sequenceScene } from './sequence';
import { leadingIndex, shownText, stepOf, type TraceHandle } from '../trace';

export type { StepViewOptions } from './figure';

/** A view of one step. */
export interface StepView {
  readonly element: HTMLElement;
  /** Resolves when everything is painted, even if the element is not in the page yet. */
  readonly drawn: Promise<void>;
  /** Marks a cell of the result, and the row and column that it was computed from. */
  select(row: number, column: number): void;
  /** Updates the colours after a change of theme. */
  redraw(): void;
  destroy(): void;
}

/**
 * Chooses the picture for a step's operation: a product with the result where rows and columns cross, softmax with a table of one row's terms, a
 * look-up, a sum, an operand with its result, or the single matrix of a source.
 */
export const createStepView = (step: Step, trace: TraceHandle, options: StepViewOptions): StepView =>
  createView(step, trace, options, sceneOf);

/** Three matrices are narrower than two; their numbers decide whether they fit. */
const leastOfThree = 110;

/** Several steps of one shape side by side, with signs between them. Matrices of one group have the same colours. */
export const createSequenceView = (
  steps: readonly Step[],
  trace: TraceHandle,
  options: StepViewOptions,
  { signs, groups }: { readonly signs: readonly string[]; readonly groups: readonly number[] },
): StepView => {
  const [first, ...others] = steps;
  if (!first) throw new Error('a sequence has no step');
  const whole = { ...first, operands: others.map(({ id }) => id) };
  return createView(whole, trace, options, (context) => {
    const { operands } = context;
    const ranges = groups.map((group) => jointRangeOf(...operands.filter((_, i) => groups[i] === group)));
    return sequenceScene(context, { items: operands, signs, ranges, leastWidth: leastOfThree });
  });
};

function createView(
  step: Step,
  trace: TraceHandle,
  options: StepViewOptions,
  build: (context: Context) => Scene,
): StepView {
  const element = make('div', { class: 'step-view' });
  let selected = options.selected;
  let scene: Scene | undefined;
  let alive = true;
  const select = (row: number, column: number): void => {
    selected = [row, column];
    scene?.select(row, column);
  };
  const choose = (row: number, column: number): void => {
    select(row, column);
    options.onSelect(step.id, row, column);
  };
  const drawn = load(step, trace, options, choose).then(async (context) => {
    if (!alive) return;
    scene = build(context);
    element.append(scene.element);
    if (selected) scene.select(...selected);
    await Promise.all(scene.heatmaps.map((h) => h.drawn));
  });
  const each = (run: (h: Heatmap) => void): void => scene?.heatmaps.forEach(run);
  return {
    element,
    drawn,
    select,
    redraw() {
      each((h) => h.redraw());
      scene?.recolour?.();
    },
    destroy() {
      alive = false;
      each((h) => h.destroy());
      element.remove();
    },
  };
}

async function load(
  step: Step,
  trace: TraceHandle,
  options: StepViewOptions,
  choose: Context['choose'],
): Promise<Context> {
  const steps = step.operands.map((id) => stepOf(trace.plan, id)).filter((s) => s !== undefined);
  const operands = await Promise.all([step, ...steps].map((s) => operandOf(trace, s, options)));
  return { step, operands, trace, options, choose };
}

/** `context.operands` holds the result first, then the operands in the operation's order. */
function sceneOf(context: Context): Scene {
  const [result, first, second] = context.operands;
  if (!result) throw new Error(`step ${context.step.id} has no result`);
  const { call } = context.step;
  const picture = isSource(call) ? 'result' : operationOf(call).picture;
  if (typeof picture === 'object' && first) return fromToScene(context, picture, result, first);
  if (picture === 'softmax' && first) return softmaxScene(context, result, first);
  if (picture === 'lookup' && first && second) return lookupScene(context, result, first, second);
  if (picture === 'product' && first && second)
    return productScene(context, result, first, second, 'transposeB' in call && call.transposeB);
  if (picture === 'sum' && first && second) {
    return sequenceScene(context, {
      items: [first, second, result],
      signs: ['+', '='],
      range: jointRangeOf(first, second, result),
    });
  }
  return sequenceScene(context, { items: [result], signs: [] });
}

/** Operand, sign of the operation, result. */
function fromToScene(
  context: Context,
  { sign, colours }: FromTo<BackendCall>,
  result: Operand,
  operand: Operand,
): Scene {
  const range = colours === 'both' ? jointRangeOf(operand, result) : jointRangeOf(operand);
  return sequenceScene(context, {
    items: [operand, result],
    signs: [sign(context.step.call as BackendCall, rootOf)],
    range,
  });
}

const jointRangeOf = (...of: readonly Operand[]): Range => jointRange(of.map((o) => o.summary));

/** `√8` for a divisor that is the square root of a whole number, as in the paper. */
function rootOf(by: number): string {
  const square = Math.round(by * by);
  return by > 1 && Math.abs(Math.sqrt(square) - by) < 1e-6 * by && !Number.isInteger(by) ? `√${square}` : brief(by);
}

function productScene(context: Context, result: Operand, left: Operand, right: Operand, transposed: boolean): Scene {
  const turned = hasColumns(context.trace.plan);
  return matmulScene(context, {
    ...(turned
      ? { left: right, above: left, transposed: { left: !transposed, above: true, result: true } }
      : { left, above: right, transposed: { left: false, above: transposed, result: false } }),
    result,
    mark(row, column, leftMap, aboveMap) {
      const [ofLeft, ofRight] = turned ? [aboveMap, leftMap] : [leftMap, aboveMap];
      ofLeft.highlight({ row });
      // Row j of K is column j of Kᵀ.
      ofRight.highlight(transposed ? { row: column } : { column });
    },
  });
}

/** A look-up drawn like a product with a one-hot matrix: the id selects a row of the table. */
function lookupScene(context: Context, result: Operand, table: Operand, ids: Operand): Scene {
  const turned = hasColumns(context.trace.plan);
  return matmulScene(context, {
    ...(turned ? { left: table, above: ids } : { left: ids, above: table }),
    result,
    transposed: { left: turned, above: turned, result: turned },
    mark(row, column, leftMap, aboveMap) {
      const [ofTable, ofIds] = turned ? [leftMap, aboveMap] : [aboveMap, leftMap];
      ofIds.highlight({ row });
      void ids.read({ rows: [row, row + 1] }).then(({ max }) => {
        const id = max[0];
        if (id !== undefined && id < rowsOf(table.step)) ofTable.highlight({ row: id, cell: [id, column] });
      });
    },
  });
}

/** Scores and weights side by side, and below them the softmax of the selected row step by step. */
function softmaxScene(context: Context, result: Operand, scores: Operand): Scene {
  const pair = sequenceScene(context, { items: [scores, result], signs: [t('softmax →')] });
  const chain = make('div');
  const lead = leadingIndex(context.trace, context.step, context.options.slice);
  let at: readonly [number, number] = [0, 0];
  const draw = async (): Promise<void> => {
    const [row, column] = at;
    const explained = await context.trace.explainCell(context.step.id, [...lead, row, column]);
    if (at[0] !== row || at[1] !== column || explained.kind !== 'softmax') return;
    const columns = columnsFitting(context.options.width, result.step);
    const { digits } = context.options;
    const sides = { step: result.step, summary: result.summary, operand: scores.step, operandSummary: scores.summary };
    const side = (name: string): string => shownText(context.trace.plan, say('[Row|Column] {0}', name));
    chain.replaceChildren(softmaxTable({ ...sides, explained, column, digits, columns, side }));
  };
  return {
    element: make('div', { class: 'softmax' }, pair.element, chain),
    heatmaps: pair.heatmaps,
    select(row, column) {
      at = [row, column];
      pair.heatmaps.forEach((h) => h.highlight({ row, cell: at }));
      void draw();
    },
    recolour: () => void draw(),
  };
}
