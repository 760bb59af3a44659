import { t } from '../../text/l10n';
import { cell, formula, isReal, product, symbol, weight, type Symbol } from '../formula';
import { named, product as productOf } from '../../text/sentence';
import { dimsOf } from '../../spec/dims';
import { addStep, has, laneOf, names, stepOf, widthOf, type Draft, type Lane } from './draft';
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

/** Cuts lanes into heads, shares key and value heads among query heads, rotates Q and K. */
export function planHeads(draft: Draft): void {
  const { heads, kvHeads = heads } = draft.spec;
  for (const lane of laneIds) {
    if (draft.lanes[lane] === undefined) continue;
    const own = lane === 'q' ? heads : kvHeads;
    if (heads > 1 && !isSplit(draft, lane)) follow(draft, lane, 'Heads', { op: 'splitHeads', heads: own });
    if (lane !== 'v' && isRope(draft)) planRope(draft, lane);
    if (lane !== 'q' && kvHeads < heads) {
      follow(draft, lane, 'Shared', { op: 'repeatHeads', times: heads / kvHeads });
    }
  }
}

/** Given with a matrix a head: nothing to cut. */
const isSplit = (draft: Draft, lane: Lane): boolean =>
  stepOf(draft, laneOf(draft, lane)).call.op === 'given' && stepOf(draft, laneOf(draft, lane)).shape.length > 2;

const isRope = ({ spec }: Draft): boolean => spec.positions === 'rope-half' || spec.positions === 'rope-interleaved';

function planRope(draft: Draft, lane: 'q' | 'k'): void {
  const layout = draft.spec.positions === 'rope-half' ? 'half' : 'interleaved';
  const step = stepOf(draft, laneOf(draft, lane));
  const [n, d] = [step.shape.at(-2) ?? 0, step.shape.at(-1) ?? 0];
  const id = `${lane}Rotations`;
  const R = symbol('position', 'R');
  addStep(draft, {
    id, symbol: R, unicode: 'R', call: { op: 'rotations' }, shape: [2 * n, d / 2], place: 'input',
    formula: formula`${cell(R, '2p', 'i', ',')} = \cos\frac{p}{10000^{2i/d}},\quad ${cell(R, '2p+1', 'i', ',')} = \sin\frac{p}{10000^{2i/d}}`,
    rows: rowsOf(draft, lane).flatMap((t) => [`${t} cos`, `${t} sin`]),
  }); // prettier-ignore
  follow(draft, lane, 'Rotated', { op: 'rope', layout }, [id]);
}

/** What marks a lane's symbol behind each of its steps. */
const marks = {
  Heads: () => t('heads'),
  Rotated: () => t('rotated'),
  Shared: () => t('shared'),
} as const;

/** `K`, then `K_heads`, `K_rotated`, `K_shared`. */
function markedSymbol(lane: Lane, suffix: string): Symbol {
  const of = lanes[lane].symbol;
  return suffix in marks ? symbol(of.role, `${of.latex}_{\\text{${marks[suffix as keyof typeof marks]()}}}`) : of;
}

function follow(
  draft: Draft,
  lane: Lane,
  suffix: keyof typeof marks,
  call: Parameters<typeof addStep>[1]['call'],
  more: readonly string[] = [],
): void {
  const from = laneOf(draft, lane);
  const id = `${lane}${suffix}`;
  const [result, operand] = [markedSymbol(lane, suffix), markedSymbol(lane, from.slice(lane.length))];
  const whole = formula`${result} = \operatorname{${call.op}}(${operand})`;
  const unicode = `${lanes[lane].unicode} ${marks[suffix]()}`;
  const row = { id, symbol: result, unicode, place: 'lane', rows: rowsOf(draft, lane) } as const;
  addStep(draft, { ...row, call, operands: [from, ...more], formula: whole });
  draft.lanes[lane] = id;
}
