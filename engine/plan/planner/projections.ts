import {
  formula,
  product,
  symbol,
  weight,
  type Expression,
  type Symbol,
  type BesideStep,
  type BranchStep,
} from '../../operations';
import { operationOf, type BackendCall, type SourceCall } from '../operations';
import { named, product as productOf } from '../../text';
import { inputsOf } from '../../math';
import {
  dimsOf,
  dividesInFloat32,
  multipliesInFloat32,
  defaultEpsilon,
  rotates,
  valueHeads,
  type QkNorm,
} from '../../spec';
import {
  addStep,
  appendStep,
  hasStep,
  branchOf,
  tokenTexts,
  stepOf,
  widthOf,
  type Draft,
  type Branch,
  type Shape,
  type Source,
} from './draft';
import { bandsOf, planFused } from './fused';
import { placesOf } from './places';
import { rotationsFormula, turnedWidth, turningOf } from './rotations';
import { branches, branchSymbols, C, X, X_V } from './symbols';

/** From X to Q, K and V. All weights come first, so that random ones are drawn in the order W_q, W_k, W_v, b_q, b_k, b_v. */
export function planProjections(draft: Draft): void {
  const { projections } = draft.spec;
  if (projections.from === 'fused') planFused(draft, projections);
  for (const branch of branches) planWeight(draft, branch);
  for (const branch of branches) planBias(draft, branch);
  for (const branch of branches) planBranch(draft, branch);
}

/** Q, K and V as given: two dimensions, or one matrix for each head (and each batch). */
export function planGiven(draft: Draft, which: readonly Branch[]): void {
  const start = draft.spec.start as Partial<Record<Branch, Parameters<typeof dimsOf>[0]>>;
  for (const branch of which) {
    const values = start[branch];
    if (!values) continue;
    const { symbol: of, unicode } = branchSymbols[branch];
    const shape = dimsOf(values);
    const call = { op: 'given', path: `start.${branch}` } as const;
    addStep(draft, {
      id: branch,
      symbol: of,
      unicode,
      call,
      shape,
      place: 'branch',
      rows: rowsOf(draft, branch),
    });
    draft.branches[branch] = branch;
  }
}

const rowsOf = (draft: Draft, branch: Branch): readonly string[] =>
  tokenTexts(branch === 'q' ? draft.tokens : draft.keyTokens);

/** Queries come from X; keys and values from the context where there is one, values from an input of their own where there is one. */
function sourceOf(draft: Draft, branch: Branch): Source {
  if (branch === 'v' && hasStep(draft, 'valueSource')) return { id: 'valueSource', symbol: X_V, unicode: 'X_v' };
  if (branch !== 'q' && hasStep(draft, 'context')) return { id: 'context', symbol: C, unicode: 'C' };
  return draft.layer?.source ?? { id: 'x', symbol: X, unicode: 'X' };
}

const headsOf = (draft: Draft, branch: Branch): number =>
  branch === 'q'
    ? draft.spec.heads
    : branch === 'v'
      ? valueHeads(draft.spec)
      : (draft.spec.kvHeads ?? draft.spec.heads);

const weightSymbol = (branch: Branch): Symbol => weight(`W_${branch}`);
const biasSymbol = (branch: Branch): Symbol => symbol('parameter', `b_${branch}`);

function planWeight(draft: Draft, branch: Branch): void {
  const { projections, convention } = draft.spec;
  const of = weightSymbol(branch);
  const row = { id: `w${branch}`, symbol: of, unicode: `W_${branch}`, place: 'input' } as const;
  if (projections.from === 'random') {
    const dModel = widthOf(draft, sourceOf(draft, branch).id);
    const width = (branch === 'v' ? projections.dV : projections.dK) * headsOf(draft, branch);
    const shape = convention === 'XW' ? [dModel, width] : [width, dModel];
    addStep(draft, { ...row, ...randomWeights(draft, dModel), shape });
  } else if (projections.from === 'given') {
    const shape = dimsOf(projections[`w${branch}`]);
    addStep(draft, {
      ...row,
      call: { op: 'given', path: `projections.w${branch}` },
      shape,
    });
  } else if (projections.from === 'fused') {
    const along = convention === 'XW' ? 'columns' : 'rows';
    addStep(draft, { ...row, call: bandsOf(draft, projections, branch, along), operands: ['wqkv'] });
  }
}

/**
 * Weights drawn from a standard normal distribution and divided by √d_model: in float64, rounded once to the dtype; or as PyTorch divides a tensor of
 * float32 by a Python number, which is rounded to float32 first. Where the spec says a factor: times it, likewise.
 */
export function randomWeights({ spec }: Draft, dModel: number): Pick<Parameters<typeof addStep>[1], 'call'> {
  const { weightsTimes: times } = spec;
  if (times !== undefined) {
    const single = multipliesInFloat32(spec) && ({ inFloat32: true } as const);
    return { call: { op: 'random', divideBy: 1, divideByLatex: '', times, ...single } };
  }
  const inFloat32 = dividesInFloat32(spec);
  const by = Math.sqrt(dModel);
  const divideBy = inFloat32 ? Math.fround(by) : by;
  return { call: { op: 'random', divideBy, divideByLatex: `\\sqrt{${dModel}}`, ...(inFloat32 && { inFloat32 }) } };
}

function planBias(draft: Draft, branch: Branch): void {
  const { projections } = draft.spec;
  const of = biasSymbol(branch);
  const row = { id: `b${branch}`, symbol: of, unicode: `b_${branch}`, place: 'input' } as const;
  if (projections.from === 'random' && projections.bias) {
    const dModel = widthOf(draft, sourceOf(draft, branch).id);
    const width = (branch === 'v' ? projections.dV : projections.dK) * headsOf(draft, branch);
    addStep(draft, { ...row, ...randomWeights(draft, dModel), shape: [1, width] });
  } else if (projections.from === 'given' && projections[`b${branch}`]) {
    const shape = [1, projections[`b${branch}`]?.length ?? 0];
    addStep(draft, {
      ...row,
      call: { op: 'given', path: `projections.b${branch}` },
      shape,
    });
  } else if (projections.from === 'fused' && projections.bqkv) {
    addStep(draft, { ...row, call: bandsOf(draft, projections, branch, 'columns'), operands: ['bqkv'] });
  }
}

function planBranch(draft: Draft, branch: Branch): void {
  const { convention, projections } = draft.spec;
  const { symbol: result, unicode } = branchSymbols[branch];
  const source = sourceOf(draft, branch);
  const row = { symbol: result, unicode, place: 'branch', rows: rowsOf(draft, branch) } as const;
  draft.branches[branch] = branch;
  if (projections.from === 'none') {
    const same = formula`${result} = ${source.symbol}`;
    addStep(draft, { ...row, id: branch, call: { op: 'identity' }, operands: [source.id], formula: same });
    return;
  }
  const call = { op: 'matmul', transposeB: convention === 'XWT' } as const;
  const made = product(source.symbol, weightSymbol(branch), convention === 'XWT');
  const biased = hasStep(draft, `b${branch}`);
  const id = biased ? (`${branch}Product` as const) : branch;
  const whole = formula`${result} = ${made}`;
  addStep(draft, {
    ...row,
    id,
    unicode: biased ? productOf(named(source.unicode), named(`W_${branch}`, convention === 'XWT')) : unicode,
    call,
    operands: [source.id, `w${branch}`],
    formula: biased ? made : whole,
  });
  if (!biased) return;
  const sum = formula`${whole} + ${biasSymbol(branch)}`;
  addStep(draft, { ...row, id: branch, call: { op: 'add' }, operands: [id, `b${branch}`], formula: sum });
}

/** Normalizes and rotates Q and K, splits branches into heads, repeats key and value heads for grouped queries. */
export function planHeads(draft: Draft): void {
  const { heads, kvHeads = heads, qkNorm } = draft.spec;
  for (const branch of branches) {
    if (draft.branches[branch] === undefined) continue;
    const own = headsOf(draft, branch);
    if (branch !== 'v' && qkNorm?.over === 'all') planNorm(draft, branch, qkNorm);
    if (heads > 1 && !isSplit(draft, branch)) addBranchStep(draft, branch, { op: 'splitHeads', heads: own });
    if (branch !== 'v' && qkNorm?.over === 'head') planNorm(draft, branch, qkNorm);
    if (branch !== 'v' && rotates(draft.spec)) planRope(draft, branch);
    if (branch !== 'q' && kvHeads < heads) addBranchStep(draft, branch, { op: 'repeatHeads', times: heads / kvHeads });
  }
}

/** Whether the branch was given with one matrix for each head. */
function isSplit(draft: Draft, branch: Branch): boolean {
  const { call, shape } = stepOf(draft, branch);
  return call.op === 'given' && shape.length > 2;
}

function planNorm(draft: Draft, branch: 'q' | 'k', { epsilon = defaultEpsilon, ...norm }: QkNorm): void {
  const gains = norm[`g${branch}`];
  const call = { op: 'given', path: `qkNorm.g${branch}` } as const;
  addBranchStep(draft, branch, { op: 'rmsNorm', epsilon }, gains ? { Gains: { call, shape: [1, gains.length] } } : {});
}

function planRope(draft: Draft, branch: 'q' | 'k'): void {
  const layout = draft.spec.positions === 'rope-half' ? 'half' : 'interleaved';
  const [n = 0, d = 0] = stepOf(draft, branchOf(draft, branch)).shape.slice(-2);
  const at = placesOf(draft)[branch === 'q' ? 'queries' : 'keys'];
  const [turning, width] = [turningOf(draft), turnedWidth(draft.spec, d)];
  const call = { op: 'rotations', ...(at !== undefined && { at }), ...(turning && { turning }) } as const;
  const shape = [...(inputsOf(at) > 1 ? [inputsOf(at)] : []), 2 * n, width / 2];
  const shown = rotationsFormula(turning, width, d);
  addBranchStep(
    draft,
    branch,
    { op: 'rope', layout },
    { Rotations: { call, shape, ...(shown && { formula: shown }) } },
  );
}

/** The symbol of a later step of a branch: `K_heads`, `K_rotated`, `K_shared`. */
function markedSymbol(branch: Branch, mark: string): Symbol {
  const of = branchSymbols[branch].symbol;
  return symbol(of.role, `${of.latex}_{\\text{${mark}}}`);
}

/** Further operands of a branch's step, which are sources, by the suffix of their ids. */
type Beside = Readonly<
  Record<string, { readonly call: SourceCall; readonly shape: Shape; readonly formula?: Expression }>
>;

/** Adds a step to a branch. Its id, name, formula and words come from the operation's declaration. */
export function addBranchStep(draft: Draft, branch: Branch, call: BackendCall, beside: Beside = {}): void {
  const { step } = operationOf(call);
  if (step === 'by role') throw new Error(`${call.op} does not follow in a branch`);
  const from = branchOf(draft, branch);
  const more = Object.entries(beside).map(([suffix, source]) => {
    const { formula: formulaOf, rows, symbol: symbolOf } = besideOf(step, suffix);
    const { symbol: of, unicode } = symbolOf(branch);
    const id = `${branch}${suffix}`;
    const row = { id, symbol: of, unicode, place: 'input', rows: rows?.(rowsOf(draft, branch)) } as const;
    appendStep(draft, { ...row, formula: formulaOf(of, source.shape), ...source });
    return id;
  });
  const id = `${branch}${step.suffix}`;
  const unicode = `${branchSymbols[branch].unicode} ${step.mark()}`;
  const row = {
    id,
    symbol: markedSymbol(branch, step.mark()),
    unicode,
    place: 'branch',
    rows: rowsOf(draft, branch),
  } as const;
  appendStep(draft, { ...row, call, operands: [from, ...more] });
  draft.branches[branch] = id;
}

function besideOf({ suffix, beside }: BranchStep<BackendCall>, name: string): BesideStep {
  const found = beside[name];
  if (!found) throw new Error(`${suffix} takes no ${name}`);
  return found;
}
