import { counted, t, type Problem } from '../../text';
import type { Dims } from '../dims';
import { isPaired, valueHeads, rotates } from '../fields';
import type { AttentionSpec } from '../spec';
import { checkBias, report, show, tensor, type Checker } from './checker';

/* Weights, or none, against the widths of what they project, and rotations against the widths that come of it. */

/** What depends on the width of a head's queries and keys. */
export function checkHeadWidth(check: Checker, dK: number): void {
  checkRope(check, dK);
  checkScoring(check, dK);
  checkLambda(check, dK);
}

function checkScoring(check: Checker, dK: number): void {
  const { scoring, heads, weighting } = check.spec;
  if (!scoring?.v || weighting?.by === 'linear') return;
  const path = 'scoring.v';
  const found = tensor(check, path, scoring.v, 2);
  if (found[0] === heads && found[1] === dK) return;
  report(check, 'shape-mismatch', path, t('{0} is {1}, expected {2}', path, show(found), `${heads}×${dK}`), t('A row for each head, a number for each column of its queries and keys.'));
} // prettier-ignore

function checkLambda(check: Checker, dK: number): void {
  const { differential } = check.spec;
  if (differential?.lambda !== 'given' || !isPaired(check.spec)) return;
  const path = 'differential.vectors';
  const found = tensor(check, path, differential.vectors, 2);
  if (found[0] === 4 && found[1] === dK) return;
  report(check, 'shape-mismatch', path, t('{0} is {1}, expected {2}', path, show(found), `4×${dK}`), t('Rows q1, k1, q2 and k2, a number for each column of a head’s queries and keys.'));
} // prettier-ignore

function checkRope(check: Checker, dK: number): void {
  const { rope } = check.spec;
  if (!rotates(check.spec)) return;
  const turned = rope?.dims;
  if ((rope?.scaling?.kind === 'ntk' || rope?.scaling?.kind === 'dynamic') && (turned ?? dK) === 2) {
    const message = t(
      '{0} multiplies the base by s^(d/(d − 2)), which has no value for d = 2',
      `rope.scaling.${rope.scaling.kind}`,
    );
    report(check, 'number', 'rope.scaling', message);
  }
  if (turned !== undefined) checkDims(check, turned, dK);
  else if (dK % 2 === 1) {
    report(
      check,
      'odd-width',
      'positions',
      t('rotations need an even d_k, found {0}', dK),
      t('Columns are rotated in pairs.'),
    );
  }
}

function checkDims(check: Checker, turned: number, dK: number): void {
  const path = 'rope.dims';
  if (turned % 2 === 1) report(check, 'odd-width', path, t('{0} is {1}, expected an even number', path, turned), t('Columns are rotated in pairs.'));
  if (turned > dK) report(check, 'shape-mismatch', path, t('{0} is {1}, but a head has {2}', path, turned, counted(dK, 'column')));
} // prettier-ignore

/** Columns of what queries, keys and values are made of: X, the context, or an input of the values’ own. */
export type SourceWidths = Readonly<Record<'q' | 'k' | 'v', number>>;

export function checkUnprojected(check: Checker, { q: dModel, k: keyWidth, v: valueWidth }: SourceWidths): void {
  const { heads, kvHeads = heads } = check.spec;
  if (keyWidth !== dModel) {
    report(
      check,
      'shape-mismatch',
      'start.context',
      t('the context has {0}, X has {1}', counted(keyWidth, 'column'), dModel),
      t('Without projections both need the same d_model.'),
    );
  }
  if (dModel % heads !== 0)
    report(check, 'heads', 'heads', t('{0} heads do not share {1} of X evenly', heads, counted(dModel, 'column')));
  if (valueWidth !== keyWidth && valueWidth % valueHeads(check.spec) !== 0)
    report(check, 'heads', 'start.values', t('{0} has {1}, which {2} heads do not share evenly', 'V', counted(valueWidth, 'column'), valueHeads(check.spec))); // prettier-ignore
  if (kvHeads !== heads) report(check, 'heads', 'kvHeads', t('Q = K = V = X leaves as many key heads as query heads'));
  checkHeadWidth(check, dModel / heads);
}

export function checkWeights(
  check: Checker,
  given: Extract<AttentionSpec['projections'], { from: 'given' }>,
  sources: SourceWidths,
): void {
  const { convention, heads, kvHeads = heads } = check.spec;
  const outputs = convention === 'XW' ? 1 : 0;
  const widths = (['wq', 'wk', 'wv'] as const).map((name) => {
    const found = tensor(check, `projections.${name}`, given[name], 2);
    const width = sources[name[1] as 'q' | 'k' | 'v'];
    if (found[1 - outputs] !== width) check.problems.push(widthProblem(check.spec, name, found, width));
    const own = name === 'wq' ? heads : name === 'wk' ? kvHeads : valueHeads(check.spec);
    const made = found[outputs] ?? 0;
    if (made % own !== 0)
      report(
        check,
        'heads',
        `projections.${name}`,
        t('W_{0} gives {1}, which {2} heads do not share evenly', name[1], counted(made, 'column'), own),
      );
    checkBias(check, `projections.b${name[1]}`, given[`b${name[1] as 'q' | 'k' | 'v'}`], made);
    return made / own;
  });
  if (widths[0] !== widths[1]) {
    report(
      check,
      'shape-mismatch',
      'projections.wk',
      t('W_k gives keys of width {0}, W_q gives queries of width {1}', widths[1], widths[0]),
      t('QKᵀ needs the same d_k in both.'),
    );
  }
  checkHeadWidth(check, widths[0] ?? 0);
}

export function checkFused(
  check: Checker,
  fused: Extract<AttentionSpec['projections'], { from: 'fused' }>,
  { q: dModel, k: keyWidth, v: valueWidth }: SourceWidths,
): void {
  const { convention, heads, kvHeads = heads } = check.spec;
  const path = 'projections.wqkv';
  const found = tensor(check, path, fused.wqkv, 2);
  const [inputs = 0, made = 0] = convention === 'XW' ? found : [...found].reverse();
  if (keyWidth !== dModel)
    report(check, 'shape-mismatch', 'start.context', t('the context has {0}, X has {1}', counted(keyWidth, 'column'), dModel), t('One matrix for all three needs the same d_model.'));
  else if (valueWidth !== dModel)
    report(check, 'shape-mismatch', 'start.values', t('{0} has {1}, X has {2}', 'start.values', counted(valueWidth, 'column'), dModel), t('One matrix for all three needs the same d_model.'));
  else if (inputs !== dModel) check.problems.push(fusedProblem(convention, found, dModel, made));
  if (made % (heads + 2 * kvHeads) !== 0)
    report(check, 'heads', path, t('W_qkv gives {0}, which queries of {1} heads and keys and values of {2} do not share evenly', counted(made, 'column'), heads, kvHeads));
  checkBias(check, 'projections.bqkv', fused.bqkv, made);
  checkHeadWidth(check, made / (heads + 2 * kvHeads));
} // prettier-ignore

function fusedProblem(convention: AttentionSpec['convention'], found: Dims, width: number, made: number): Problem {
  const [wanted, other] = convention === 'XW' ? ['X·W', 'X·Wᵀ'] : ['X·Wᵀ', 'X·W'];
  const expected = convention === 'XW' ? `${width}×d` : `d×${width}`;
  const message = t('{0} is {1}, {2} needs {3} because X has {4}', 'W_qkv', show(found), wanted, expected, counted(width, 'column'));
  const hint = made === width ? t('{0} would fit: switch the convention.', other) : t('Neither X·W nor X·Wᵀ fits.');
  return { code: 'shape-mismatch', path: 'projections.wqkv', message, hint };
} // prettier-ignore

function widthProblem(spec: AttentionSpec, name: 'wq' | 'wk' | 'wv', found: Dims, width: number): Problem {
  const symbol = `W_${name[1]}`;
  const [wanted, other] = spec.convention === 'XW' ? ['X·W', 'X·Wᵀ'] : ['X·Wᵀ', 'X·W'];
  const otherFits = found[spec.convention === 'XW' ? 1 : 0] === width;
  const expected = spec.convention === 'XW' ? `${width}×d` : `d×${width}`;
  return {
    code: 'shape-mismatch',
    path: `projections.${name}`,
    message: becauseOf(spec, name)(symbol, show(found), wanted, expected, counted(width, 'column')),
    hint: otherFits ? t('{0} would fit: switch the convention.', other) : t('Neither X·W nor X·Wᵀ fits.'),
  };
}

/** What W_q, W_k or W_v is applied to, and so has to fit. */
function becauseOf({ start }: AttentionSpec, name: 'wq' | 'wk' | 'wv'): (...said: readonly string[]) => string {
  const [values, context] = start.from === 'x' ? [start.values, start.context] : [];
  if (name === 'wv' && values) return (...said) => t('{0} is {1}, {2} needs {3} because start.values has {4}', ...said);
  if (name !== 'wq' && context) return (...said) => t('{0} is {1}, {2} needs {3} because the context has {4}', ...said);
  return (...said) => t('{0} is {1}, {2} needs {3} because X has {4}', ...said);
}
