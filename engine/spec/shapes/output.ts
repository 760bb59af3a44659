import { isPaired, outputHeads, valueHeads, fusedWidth } from '../fields';
import { counted, t } from '../../text';
import { dimsOf } from '../dims';
import { checkBias, report, show, tensor, type Checker } from './checker';

/** W_O and b_O against the heads' joined values. Called when everything before them fits. */
export function checkOutput(check: Checker): void {
  const { outputProjection: given, convention } = check.spec;
  const width = joinedWidth(check);
  if (width !== undefined) checkGain(check, width / outputHeads(check.spec));
  if (given?.from !== 'given' || width === undefined) return;
  const path = 'outputProjection.wo';
  const found = tensor(check, path, given.wo, 2);
  const [rows, columns] = convention === 'XW' ? [0, 1] : [1, 0];
  if (found[rows] !== width) {
    const [wanted, other, expected] =
      convention === 'XW' ? ['O·W', 'O·Wᵀ', `${width}×d`] : ['O·Wᵀ', 'O·W', `d×${width}`];
    const message = t(
      'W_O is {0}, {1} needs {2} because the heads have {3} columns together',
      show(found),
      wanted,
      expected,
      width,
    );
    const hint =
      found[columns] === width
        ? t('{0} would fit: switch the convention.', other)
        : t('h·d_v must be one side of W_O.');
    report(check, 'shape-mismatch', path, message, hint);
  }
  checkBias(check, 'outputProjection.bo', given.bo, found[columns] ?? 0);
}

/** The gains of differential attention's norm against d_v. */
function checkGain(check: Checker, dV: number): void {
  const gain = isPaired(check.spec) ? check.spec.differential?.gain : undefined;
  if (!gain || gain.length === dV) return;
  const path = 'differential.gain';
  const message = t('{0} has {1}, expected {2}', path, counted(gain.length, 'number'), dV);
  report(check, 'shape-mismatch', path, message, t('One gain for each number that is normed together.'));
}

/** Columns of what attention makes: those of W_O, which is as wide as X where it is drawn, or h·d_v. */
export function outputWidth(check: Checker, dModel: number): number | undefined {
  const { outputProjection: given, convention } = check.spec;
  if (given?.from === 'random') return dModel;
  return given?.from === 'given' ? dimsOf(given.wo)[convention === 'XW' ? 1 : 0] : joinedWidth(check);
}

/** h·d_v; undefined where there is no V. */
function joinedWidth({ spec }: Checker): number | undefined {
  const { start, projections, convention, heads, kvHeads = heads } = spec;
  if ('q' in start || 'scores' in start || 'weights' in start) {
    const dims = start.v && dimsOf(start.v);
    return dims && ((dims.at(-1) ?? 0) / (dims.length > 2 ? 1 : valueHeads(spec))) * outputHeads(spec);
  }
  if (projections.from === 'random') return outputHeads(spec) * projections.dV;
  if (projections.from === 'fused') return fusedWidth(spec, projections) * heads;
  if (projections.from === 'given') {
    const made = dimsOf(projections.wv)[convention === 'XW' ? 1 : 0] ?? 0;
    return (made / kvHeads) * heads;
  }
  if ('x' in start) return dimsOf(start.values ?? start.x).at(-1);
  return spec.embedding?.from === 'given' ? dimsOf(spec.embedding.table)[1] : spec.dModel;
}
