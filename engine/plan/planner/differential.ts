import { differentialEpsilon, lambdaInit, multipliesInFloat32, type AttentionSpec } from '../../spec';
import { formula, latexShort, symbol } from '../../operations';
import { addStep, branchOf, factorOf, scalarOf, tokenTexts, widthOf, type Draft } from './draft';
import { D } from './symbols';

/* Differential attention (Ye et al. 2024): λ, the difference of each two heads' weights, and the norm of what it weighs. */

type Differential = NonNullable<AttentionSpec['differential']>;

const [VECTORS, LAMBDA] = [symbol('parameter', '\\Lambda'), symbol('parameter', '\\lambda')];

export function planDifferences(draft: Draft, differential: Differential): 'differences' {
  const init = scalarOf(draft, lambdaInit(differential, before(draft)));
  const learned = differential.lambda === 'init' ? [] : [planLambda(draft, differential, init)];
  addStep(draft, {
    id: 'differences',
    symbol: D,
    unicode: 'D',
    call: { op: 'headDifference', ...(learned.length === 0 && { by: init }) },
    operands: ['weights', ...learned],
    rows: tokenTexts(draft.tokens),
    columns: tokenTexts(draft.keyTokens),
  });
  return 'differences';
}

/** Layers of a block before this one. */
const before = ({ layer }: Draft): number => (layer?.number ?? 1) - 1;

function planLambda(draft: Draft, differential: Exclude<Differential, { lambda: 'init' }>, init: number): 'lambda' {
  const width = keyWidth(draft);
  const shape = [4, width];
  const row = { id: 'lambdaVectors', symbol: VECTORS, unicode: 'Λ', place: 'input', shape, rows: ['λ_q1', 'λ_k1', 'λ_q2', 'λ_k2'] } as const;
  if (differential.lambda === 'given') addStep(draft, { ...row, call: { op: 'given', path: 'differential.vectors' } });
  else {
    const single = multipliesInFloat32(draft.spec) && ({ inFloat32: true } as const);
    addStep(draft, { ...row, call: { op: 'random', divideBy: 1, divideByLatex: '', times: 0.1, ...single } });
  }
  addStep(draft, { id: 'lambda', symbol: LAMBDA, unicode: 'λ', call: { op: 'pairFactor', init }, operands: ['lambdaVectors'] });
  return 'lambda';
} // prettier-ignore

const keyWidth = (draft: Draft): number =>
  draft.spec.start.from === 'scores' ? draft.spec.start.dK : widthOf(draft, branchOf(draft, 'q'));

/** Each head's output, normed by itself and times 1 − λ_init; gives the step that goes on. */
export function planHeadNorm(draft: Draft, differential: Differential, of: 'headOutputs'): 'headsScaled' {
  const { epsilon = differentialEpsilon, gain } = differential;
  const rows = tokenTexts(draft.tokens);
  const gains = symbol('parameter', 'g_D');
  if (gain) {
    const shape = [1, gain.length];
    addStep(draft, { id: 'headGain', symbol: gains, unicode: 'g_D', place: 'input', call: { op: 'given', path: 'differential.gain' }, shape });
  }
  const operands = gain ? [of, 'headGain'] : [of];
  addStep(draft, { id: 'headsNormed', symbol: NORMED, unicode: 'N_h', call: { op: 'rmsNorm', epsilon }, operands, rows });
  const by = factorOf(draft, 1 - lambdaInit(differential, before(draft)));
  const scaled = symbol('output', "O_h'");
  addStep(draft, { id: 'headsScaled', symbol: scaled, unicode: 'O_h′', call: { op: 'scale', by }, operands: ['headsNormed'], rows, formula: formula`${scaled} = (1 - \lambda_{\text{init}}) \, ${NORMED},\quad 1 - \lambda_{\text{init}} = ${latexShort(by)}` });
  return 'headsScaled';
} // prettier-ignore

const NORMED = symbol('output', 'N_h');
