import {
  formula,
  isReal,
  product,
  symbol,
  weight,
  type Symbol,
  type BesideStep,
  type LaneStep,
} from '../../operations';
import { operationOf, type BackendCall, type SourceCall } from '../operations';
import { named, product as productOf } from '../../text';
import { dimsOf, defaultEpsilon, type QkNorm } from '../../spec';
import { addStep, has, laneOf, names, stepOf, widthOf, type Draft, type Lane, type Shape } from './draft';
import { C, laneIds, lanes, X } from './symbols';

/** From X to Q, K and V: weights are drawn (or given) before anything is multiplied, in the order W_q, W_k, W_v, b_q, b_k, b_v. */
export function planProjections(draft: Draft): void {
  for (const lane of laneIds) planWeight(draft, lane);
  for (const lane of laneIds) planBias(draft, lane);
  for (const lane of laneIds) planLane(draft, lane);
}

/** Q, K and V as given: two dimensions, or one matrix for each head (and each batch). */
export function planGiven(draft: Draft, which: readonly Lane[]): void {
  const start = draft.spec.start as Partial<Record<Lane, Parameters<typeof dimsOf>[0]>>;
  for (const lane of which) {
    const values = start[lane];
    if (!values) continue;
    const { symbol: of, unicode } = lanes[lane];
    const shape = dimsOf(values);
    const call = { op: 'given', path: `start.${lane}` } as const;
    addStep(draft, {
      id: lane,
      symbol: of,
      unicode,
      call,
      shape,
      formula: isReal(of, shape),
      place: 'lane',
      rows: rowsOf(draft, lane),
    });
    draft.lanes[lane] = lane;
  }
}

const rowsOf = (draft: Draft, lane: Lane): readonly string[] => names(lane === 'q' ? draft.tokens : draft.keyTokens);

/** Queries come from X; keys and values from the context where there is one. */
const sourceOf = (draft: Draft, lane: Lane): { id: string; symbol: Symbol; unicode: string } =>
  lane !== 'q' && has(draft, 'context')
    ? { id: 'context', symbol: C, unicode: 'C' }
    : { id: 'x', symbol: X, unicode: 'X' };

const headsOf = (draft: Draft, lane: Lane): number =>
  lane === 'q' ? draft.spec.heads : (draft.spec.kvHeads ?? draft.spec.heads);

const weightSymbol = (lane: Lane): Symbol => weight(`W_${lane}`);
const biasSymbol = (lane: Lane): Symbol => symbol('parameter', `b_${lane}`);

function planWeight(draft: Draft, lane: Lane): void {
  const { projections, convention } = draft.spec;
  const of = weightSymbol(lane);
  const row = { id: `w${lane}`, symbol: of, unicode: `W_${lane}`, place: 'input' } as const;
  if (projections.from === 'random') {
    const dModel = widthOf(draft, sourceOf(draft, lane).id);
    const width = (lane === 'v' ? projections.dV : projections.dK) * headsOf(draft, lane);
    const shape = convention === 'XW' ? [dModel, width] : [width, dModel];
    addStep(draft, { ...row, ...drawn(of, dModel), shape });
  } else if (projections.from === 'given') {
    const shape = dimsOf(projections[`w${lane}`]);
    addStep(draft, { ...row, call: { op: 'given', path: `projections.w${lane}` }, shape, formula: isReal(of, shape) });
  }
}

/** Standard normal numbers over √d_model. */
export function drawn(of: Symbol, dModel: number): Pick<Parameters<typeof addStep>[1], 'call' | 'formula'> {
  const root = `\\sqrt{${dModel}}`;
  return {
    call: { op: 'random', divideBy: Math.sqrt(dModel), divideByLatex: root },
    formula: formula`${of} \sim \mathcal{N}(0, 1) / ${root}`,
  };
}

function planBias(draft: Draft, lane: Lane): void {
  const { projections } = draft.spec;
  const of = biasSymbol(lane);
  const row = { id: `b${lane}`, symbol: of, unicode: `b_${lane}`, place: 'input' } as const;
  if (projections.from === 'random' && projections.bias) {
    const dModel = widthOf(draft, sourceOf(draft, lane).id);
    const width = (lane === 'v' ? projections.dV : projections.dK) * headsOf(draft, lane);
    addStep(draft, { ...row, ...drawn(of, dModel), shape: [1, width] });
  } else if (projections.from === 'given' && projections[`b${lane}`]) {
    const shape = [1, projections[`b${lane}`]?.length ?? 0];
    addStep(draft, { ...row, call: { op: 'given', path: `projections.b${lane}` }, shape, formula: isReal(of, shape) });
  }
}

function planLane(draft: Draft, lane: Lane): void {
  const { convention, projections } = draft.spec;
  const { symbol: result, unicode } = lanes[lane];
  const source = sourceOf(draft, lane);
  const row = { symbol: result, unicode, place: 'lane', rows: rowsOf(draft, lane) } as const;
  draft.lanes[lane] = lane;
  if (projections.from === 'none') {
    const same = formula`${result} = ${source.symbol}`;
    addStep(draft, { ...row, id: lane, call: { op: 'identity' }, operands: [source.id], formula: same });
    return;
  }
  const call = { op: 'matmul', transposeB: convention === 'XWT' } as const;
  const made = product(source.symbol, weightSymbol(lane), convention === 'XWT');
  const biased = has(draft, `b${lane}`);
  const id = biased ? `${lane}Product` : lane;
  const whole = formula`${result} = ${made}`;
  addStep(draft, {
    ...row,
    id,
    unicode: biased ? productOf(named(source.unicode), named(`W_${lane}`, convention === 'XWT')) : unicode,
    call,
    operands: [source.id, `w${lane}`],
    formula: biased ? made : whole,
  });
  if (!biased) return;
  const sum = formula`${whole} + ${biasSymbol(lane)}`;
  addStep(draft, { ...row, id: lane, call: { op: 'add' }, operands: [id, `b${lane}`], formula: sum });
}

/** Norms and rotates Q and K, cuts lanes into heads, shares key and value heads among query heads. */
export function planHeads(draft: Draft): void {
  const { heads, kvHeads = heads, qkNorm } = draft.spec;
  for (const lane of laneIds) {
    if (draft.lanes[lane] === undefined) continue;
    const own = lane === 'q' ? heads : kvHeads;
    if (lane !== 'v' && qkNorm?.over === 'all') planNorm(draft, lane, qkNorm);
    if (heads > 1 && !isSplit(draft, lane)) follow(draft, lane, { op: 'splitHeads', heads: own });
    if (lane !== 'v' && qkNorm?.over === 'head') planNorm(draft, lane, qkNorm);
    if (lane !== 'v' && isRope(draft)) planRope(draft, lane);
    if (lane !== 'q' && kvHeads < heads) follow(draft, lane, { op: 'repeatHeads', times: heads / kvHeads });
  }
}

/** Given with a matrix a head: nothing to cut. */
const isSplit = (draft: Draft, lane: Lane): boolean =>
  stepOf(draft, laneOf(draft, lane)).call.op === 'given' && stepOf(draft, laneOf(draft, lane)).shape.length > 2;

function planNorm(draft: Draft, lane: 'q' | 'k', { epsilon = defaultEpsilon, ...norm }: QkNorm): void {
  const gains = norm[`g${lane}`];
  const call = { op: 'given', path: `qkNorm.g${lane}` } as const;
  follow(draft, lane, { op: 'rmsNorm', epsilon }, gains ? { Gains: { call, shape: [1, gains.length] } } : {});
}

const isRope = ({ spec }: Draft): boolean => spec.positions === 'rope-half' || spec.positions === 'rope-interleaved';

function planRope(draft: Draft, lane: 'q' | 'k'): void {
  const layout = draft.spec.positions === 'rope-half' ? 'half' : 'interleaved';
  const [n = 0, d = 0] = stepOf(draft, laneOf(draft, lane)).shape.slice(-2);
  follow(draft, lane, { op: 'rope', layout }, { Rotations: { call: { op: 'rotations' }, shape: [2 * n, d / 2] } });
}

/** The symbol of what a lane has come to: `K`, then `K_heads`, `K_rotated`, `K_shared`. */
function markedSymbol(lane: Lane, mark: string): Symbol {
  const of = lanes[lane].symbol;
  return symbol(of.role, `${of.latex}_{\\text{${mark}}}`);
}

/** Sources beside a lane, by the suffix of their ids. */
type Beside = Readonly<Record<string, { readonly call: SourceCall; readonly shape: Shape }>>;

/** An operation takes what a lane has come to; what it is called and what is said of it stands with the operation. */
function follow(draft: Draft, lane: Lane, call: BackendCall, beside: Beside = {}): void {
  const { step } = operationOf(call);
  if (step === 'by role') throw new Error(`${call.op} does not follow in a lane`);
  const from = laneOf(draft, lane);
  const more = Object.entries(beside).map(([suffix, source]) => {
    const { formula: formulaOf, rows, symbol: symbolOf } = besideOf(step, suffix);
    const { symbol: of, unicode } = symbolOf(lane);
    const id = `${lane}${suffix}`;
    const row = { id, symbol: of, unicode, place: 'input', rows: rows?.(rowsOf(draft, lane)) } as const;
    addStep(draft, { ...row, ...source, formula: formulaOf(of, source.shape) });
    return id;
  });
  const id = `${lane}${step.suffix}`;
  const unicode = `${lanes[lane].unicode} ${step.mark()}`;
  const row = {
    id,
    symbol: markedSymbol(lane, step.mark()),
    unicode,
    place: 'lane',
    rows: rowsOf(draft, lane),
  } as const;
  addStep(draft, { ...row, call, operands: [from, ...more] });
  draft.lanes[lane] = id;
}

function besideOf({ suffix, beside }: LaneStep<BackendCall>, name: string): BesideStep {
  const found = beside[name];
  if (!found) throw new Error(`${suffix} takes no ${name}`);
  return found;
}
