import { t } from '../../text';
import { formula, latexNumber, product, symbol } from '../../operations';
import { dimsOf, isPaired, outputHeads } from '../../spec';
import { inputsOf, type Apart } from '../../math';
import { addStep, hasStep, branchOf, factorOf, stepOf, tokenTexts, widthOf, type Draft, type Grid } from './draft';
import { ij, planMask } from './masks';
import { placesOf } from './places';
import { planRelative } from './relative';
import { planDifferences, planHeadNorm } from './differential';
import { planAdditive } from './scoring';
import { planSink } from './sink';
import { randomWeights } from './projections';
import { planShares, planSigmoid, planSimilarities } from './weighting';
import { A, B, branchSymbols, D, O, S, W_O, Z } from './symbols';

/** From Q and K (or given scores, or given weights) to the output. */
export function planAttention(draft: Draft): void {
  const grid: Grid = { rows: tokenTexts(draft.tokens), columns: tokenTexts(draft.keyTokens) };
  const { start } = draft.spec;
  if (start.from === 'weights') {
    const shape = dimsOf(start.weights);
    const call = { op: 'given', path: 'start.weights' } as const;
    addStep(draft, {
      id: 'weights',
      symbol: A,
      unicode: 'A',
      kind: 'weights',
      call,
      shape,
      ...grid,
    });
  } else if (draft.spec.weighting?.by === 'linear') {
    planSimilarities(draft, grid);
    planMask(draft, grid, 'scores');
    planShares(draft, grid);
  } else {
    planScores(draft, grid);
    planScale(draft, grid);
    planAlibi(draft, grid);
    planRelative(draft, grid, beforeMask(draft), apartOf(draft));
    planSoftcap(draft, grid);
    planMask(draft, grid, beforeMask(draft));
    planSoftmax(draft, grid);
  }
  if (draft.branches.v !== undefined) planOutput(draft, grid);
  else planAverage(draft, grid, planSubtracted(draft, draft.hiddenBy) ?? 'weights', draft.hiddenBy);
}

function planScores(draft: Draft, grid: Grid): void {
  const { start } = draft.spec;
  const row = { id: 'scores', symbol: S, unicode: 'S', ...grid } as const;
  if (start.from === 'scores') {
    const shape = dimsOf(start.scores);
    addStep(draft, { ...row, call: { op: 'given', path: 'start.scores' }, shape });
    return;
  }
  if (draft.spec.scoring) {
    planAdditive(draft, grid, draft.spec.scoring);
    return;
  }
  const operands = [branchOf(draft, 'q'), branchOf(draft, 'k')];
  const met = formula`${S} = ${product(branchSymbols.q.symbol, branchSymbols.k.symbol, true)}`;
  addStep(draft, { ...row, call: { op: 'matmul', transposeB: true }, operands, formula: met });
}

function planScale(draft: Draft, grid: Grid): void {
  const row = { id: 'scaled', symbol: Z, unicode: 'Z', operands: ['scores'], ...grid } as const;
  const divisor = divisorOf(draft);
  if (!divisor) {
    addStep(draft, { ...row, call: { op: 'identity' } });
    return;
  }
  const call = { op: 'divide', by: factorOf(draft, divisor.by) } as const;
  addStep(draft, { ...row, call, formula: formula`${Z} = ${S} \,/\, ${divisor.latex}` });
}

/** The divisor of the scores, as a number and in LaTeX; undefined when they are not divided. */
function divisorOf(draft: Draft): { by: number; latex: string } | undefined {
  const { scale, start } = draft.spec;
  if (scale === 'none' || stepOf(draft, 'scores').call.op === 'additiveScores') return undefined;
  if (typeof scale === 'object') return { by: scale.divideBy, latex: latexNumber(scale.divideBy) };
  const dK = start.from === 'scores' ? start.dK : widthOf(draft, branchOf(draft, 'q'));
  const width = scale === 'sqrt_d_model' ? modelWidth(draft) : dK;
  return { by: Math.sqrt(width), latex: `\\sqrt{${width}}` };
}

/** The width of X, or the spec's `dModel` where no X is computed. */
const modelWidth = (draft: Draft): number => (hasStep(draft, 'x') ? widthOf(draft, 'x') : draft.spec.dModel);

function planAlibi(draft: Draft, grid: Grid): void {
  if (draft.spec.positions !== 'alibi') return;
  const at = apartOf(draft);
  const { heads } = draft.spec;
  const grids = [draft.tokens.length, draft.keyTokens.length];
  const many = at && Math.max(inputsOf(at.queries), inputsOf(at.keys)) > 1;
  const shape = many ? stepOf(draft, 'scaled').shape : heads > 1 ? [heads, ...grids] : grids;
  const call = at ? ({ op: 'alibi', at } as const) : ({ op: 'alibi' } as const);
  addStep(draft, {
    id: 'alibi', symbol: B, unicode: 'B', call, shape,
    formula: formula`${ij(B)} = -m_h \, |${differenceLatex(at)}|`, place: 'input', ...grid,
  }); // prettier-ignore
  addStep(draft, {
    id: 'biased', symbol: Z, unicode: 'Z + B', call: { op: 'add' }, operands: ['scaled', 'alibi'],
    formula: formula`${Z}' = ${Z} + ${B}`, ...grid,
  }); // prettier-ignore
}

/** Where queries and keys stand; undefined where that is as far apart as their places are. */
function apartOf(draft: Draft): Apart | undefined {
  const { queries = 0, keys = 0 } = placesOf(draft);
  return queries === keys ? undefined : { heads: draft.spec.heads, queries, keys };
}

function differenceLatex(at: Apart | undefined): string {
  if (!at) return 'i - j';
  const { queries, keys } = at;
  if (typeof queries !== 'number' || typeof keys !== 'number') return 'p_i - p_j';
  return queries > keys ? `i + ${queries - keys} - j` : `i - ${keys - queries} - j`;
}

function planSoftcap(draft: Draft, grid: Grid): void {
  const { softcap, temperature } = draft.spec;
  if (softcap !== undefined) {
    addStep(draft, {
      id: 'capped', symbol: Z, unicode: t('Z capped'), call: { op: 'softcap', cap: factorOf(draft, softcap) }, operands: [beforeMask(draft)],
      formula: formula`${Z}'' = ${latexNumber(softcap)} \tanh(${Z} / ${latexNumber(softcap)})`, ...grid,
    }); // prettier-ignore
  }
  if (temperature !== undefined) {
    addStep(draft, {
      id: 'tempered', symbol: Z, unicode: 'Z/T', call: { op: 'divide', by: factorOf(draft, temperature) }, operands: [beforeMask(draft)],
      formula: formula`${Z}''' = ${Z} / T,\quad T = ${latexNumber(temperature)}`, ...grid,
    }); // prettier-ignore
  }
}

const beforeMask = (draft: Draft): string =>
  ['tempered', 'capped', 'related', 'biased'].find((id) => hasStep(draft, id)) ?? 'scaled';

function planSoftmax(draft: Draft, grid: Grid): void {
  const { sink, weighting } = draft.spec;
  if (weighting?.by === 'sigmoid') {
    planSigmoid(draft, grid, weighting);
    return;
  }
  if (sink) {
    planSink(draft, grid, sink);
    return;
  }
  const operands = draft.hiddenBy === undefined ? ['masked'] : ['masked', draft.hiddenBy];
  addStep(draft, {
    id: 'weights', symbol: A, unicode: 'A', kind: 'weights', operands, call: { op: 'softmax', emptyRow: draft.spec.fullyMasked ?? 'nan' }, ...grid,
  }); // prettier-ignore
}

function planOutput(draft: Draft, grid: Grid): void {
  const { rows } = grid;
  const { hiddenBy } = draft;
  delete draft.hiddenBy;
  const { heads, outputProjection = { from: 'none' } } = draft.spec;
  const many = heads > 1;
  const projected = outputProjection.from !== 'none';
  const row = { symbol: O, unicode: 'O', rows } as const;
  const id = many ? 'headOutputs' : projected ? 'attended' : 'output';
  const of = many ? symbol('output', 'O_h') : O;
  const weighing = planSubtracted(draft, hiddenBy) ?? planPatched(draft);
  planAverage(draft, grid, weighing, hiddenBy);
  addStep(draft, {
    ...row, id, symbol: of, unicode: many ? 'O_h' : 'O', call: { op: 'matmul', transposeB: false },
    operands: [weighing, branchOf(draft, 'v')], formula: formula`${of} = ${product(symbolOf[weighing], branchSymbols.v.symbol)}`,
  }); // prettier-ignore
  const { differential } = draft.spec;
  const said =
    id !== 'headOutputs'
      ? id
      : weighing === 'differences' && differential
        ? planHeadNorm(draft, differential, id)
        : planRemoved(draft, id, rows);
  if (many) {
    const joined = formula`${O} = \operatorname{Concat}(O_1, \dots, O_{${outputHeads(draft.spec)}})`;
    addStep(draft, {
      ...row,
      id: projected ? 'concat' : 'output',
      call: { op: 'concatHeads' },
      operands: [said],
      formula: joined,
    });
  }
  if (projected) planOutputProjection(draft, many ? 'concat' : id, rows);
}

/** The changes of the heads of this layer, by head; undefined where there are none of a kind. */
function replacedHeads({ spec, layer }: Draft, removes: boolean): readonly (number | 'mean')[] | undefined {
  const at = layer?.number ?? 1;
  const own = (spec.headChanges ?? []).filter(
    (one) => (one.layer ?? 1) === at && (one.weightsOf === undefined) === removes,
  );
  if (!own.length || spec.heads === 1) return undefined;
  return Array.from({ length: spec.heads }, (_, head) => {
    const change = own.findLast((one) => one.head === head);
    return change ? (change.weightsOf ?? 'mean') : head;
  });
}

/** The difference of each two heads' weights, if it is asked for. */
function planSubtracted(draft: Draft, hiddenBy: string | undefined): 'differences' | undefined {
  const { differential } = draft.spec;
  if (!differential || !isPaired(draft.spec)) return undefined;
  // A mask may have heads, of which the difference has half as many.
  if (hiddenBy !== undefined && stepOf(draft, hiddenBy).shape.length === 2) draft.hiddenBy = hiddenBy;
  const made = planDifferences(draft, differential);
  delete draft.hiddenBy;
  return made;
}

/** The symbols of what may weigh the values. */
const symbolOf = { weights: A, patched: symbol('weights', "A'"), differences: D } as const;

/** Weights of other heads in the place of some heads' own; gives the step whose weights weigh the values. */
function planPatched(draft: Draft): 'weights' | 'patched' {
  const heads = replacedHeads(draft, false);
  if (!heads) return 'weights';
  const grid: Grid = { rows: tokenTexts(draft.tokens), columns: tokenTexts(draft.keyTokens) };
  addStep(draft, {
    id: 'patched', symbol: symbolOf.patched, unicode: 'A′', kind: 'weights', call: { op: 'replaceHeads', heads }, operands: ['weights'], ...grid,
  }); // prettier-ignore
  return 'patched';
}

/** The mean of the heads' weights, if it is asked for. No later step has it as an operand. */
function planAverage(
  draft: Draft,
  grid: Grid,
  weighing: 'weights' | 'patched' | 'differences',
  hiddenBy: string | undefined,
): void {
  const { averageWeights } = draft.spec;
  const heads = outputHeads(draft.spec);
  if (!averageWeights || heads === 1) return;
  delete draft.hiddenBy;
  // A mask may have heads, which the mean has not.
  if (hiddenBy !== undefined && stepOf(draft, hiddenBy).shape.length === 2) draft.hiddenBy = hiddenBy;
  addStep(draft, {
    id: 'averagedWeights', symbol: symbol('weights', '\\bar A'), unicode: 'Ā', kind: 'weights', call: { op: 'averageHeads', heads }, operands: [weighing], ...grid,
  }); // prettier-ignore
  delete draft.hiddenBy;
}

/** The heads' outputs without those that are removed; gives the step that goes on. */
function planRemoved(draft: Draft, id: 'headOutputs', rows: readonly string[]) {
  const heads = replacedHeads(draft, true);
  if (!heads) return id;
  addStep(draft, {
    id: 'headsLeft', symbol: symbol('output', "O_h'"), unicode: 'O_h′', call: { op: 'replaceHeads', heads }, operands: [id], rows,
  }); // prettier-ignore
  return 'headsLeft';
}

function planOutputProjection(draft: Draft, from: string, rows: readonly string[]): void {
  const { outputProjection: given, convention } = draft.spec;
  if (!given || given.from === 'none') return;
  const width = widthOf(draft, from);
  const out = modelWidth(draft);
  const weight = { id: 'wo', symbol: W_O, unicode: 'W_O', place: 'input' } as const;
  const transposed = convention === 'XWT';
  if (given.from === 'random') {
    addStep(draft, { ...weight, ...randomWeights(draft, width), shape: transposed ? [out, width] : [width, out] });
  } else {
    const shape = dimsOf(given.wo);
    addStep(draft, {
      ...weight,
      call: { op: 'given', path: 'outputProjection.wo' },
      shape,
    });
  }
  const bias = planOutputBias(draft, width, out);
  const Y = symbol('output', 'Y');
  const row = { symbol: Y, unicode: 'Y', rows } as const;
  const projected = formula`${Y} = ${product(O, W_O, transposed)}`;
  const call = { op: 'matmul', transposeB: transposed } as const;
  addStep(draft, { ...row, id: bias ? 'outputProduct' : 'output', call, operands: [from, 'wo'], formula: projected });
  if (!bias) return;
  addStep(draft, {
    ...row,
    id: 'output',
    call: { op: 'add' },
    operands: ['outputProduct', 'bo'],
    formula: formula`${projected} + ${b_O}`,
  });
}

const b_O = symbol('parameter', 'b_O');

function planOutputBias(draft: Draft, width: number, out: number): boolean {
  const { outputProjection: given } = draft.spec;
  const row = { id: 'bo', symbol: b_O, unicode: 'b_O', place: 'input' } as const;
  if (given?.from === 'random' && given.bias) {
    addStep(draft, { ...row, ...randomWeights(draft, width), shape: [1, out] });
    return true;
  }
  if (given?.from !== 'given' || !given.bo) return false;
  const shape = [1, given.bo.length];
  addStep(draft, { ...row, call: { op: 'given', path: 'outputProjection.bo' }, shape });
  return true;
}
