import { t, type Problem } from '../text';
import type { Plan, Step } from '../plan';
import type { AttentionSpec } from '../spec';
import type { Tensor } from '../math';
import { matrixShape } from './tile';

/**
 * Problems in a trace's values: fully masked rows, otherwise NaN and infinities in the weights and the output. Each names its first
 * cell.
 */
export function problemsInValues(spec: AttentionSpec, plan: Plan, values: ReadonlyMap<string, Tensor>): Problem[] {
  const hidden = fullyMaskedRows(spec, plan, values);
  if (hidden.length) return hidden;
  return ['weights', 'output'].flatMap((id) => {
    const step = plan.steps.find((s) => s.id === id);
    const tensor = values.get(id);
    return step && tensor ? nonFinite(step, tensor) : [];
  });
}

function nonFinite(step: Step, tensor: Tensor): Problem[] {
  const at = tensor.data.findIndex((x) => !Number.isFinite(x));
  if (at < 0) return [];
  const columns = tensor.shape.at(-1) ?? 1;
  const rows = tensor.shape.at(-2) ?? 1;
  const row = Math.floor(at / columns) % rows;
  const label = step.rowLabels[row] ?? row;
  const hint = t('NaN or infinities in the input, or an overflow: click the cell to see which.');
  const where = `[${row}, ${at % columns}]`;
  const message = Number.isNaN(tensor.data[at])
    ? t('{0} has NaN, the first in row “{1}” at {2}', step.symbol, label, where)
    : t('{0} has an infinity, the first in row “{1}” at {2}', step.symbol, label, where);
  return [{ code: 'non-finite', message, hint, path: step.id }];
}

/** The first fully masked row, if there is one, and what its weights become. */
function fullyMaskedRows(spec: AttentionSpec, plan: Plan, values: ReadonlyMap<string, Tensor>): Problem[] {
  const masked = values.get('masked');
  const step = plan.steps.find((s) => s.id === 'masked');
  if (!masked || !step || step.call.op === 'identity') return [];
  const columns = masked.shape.at(-1) ?? 1;
  const at = firstConstantRow(masked.data, columns, -Infinity);
  return at < 0 ? [] : [fullyMaskedProblem(spec, step, at % (masked.shape.at(-2) ?? 1))];
}

function fullyMaskedProblem({ fullyMasked }: AttentionSpec, { rowLabels }: Step, row: number): Problem {
  const label = rowLabels[row] ?? String(row);
  const zero = fullyMasked === 'zero';
  const message = zero
    ? t('“{0}” sees no key: its weights are 0', label)
    : t('“{0}” sees no key: its weights are NaN', label);
  const hint = zero
    ? t('As some kernels do; softmax in NumPy and PyTorch gives NaN.')
    : t('exp(−∞ − −∞) is NaN, as in NumPy and PyTorch; some kernels give 0.');
  return { code: 'hidden-row', message, hint, path: 'masked' };
}

/** Index of the first row whose cells all equal `value`, −1 if there is none. */
function firstConstantRow(data: Tensor['data'], columns: number, value: number): number {
  for (let start = 0; start < data.length; start += columns) {
    if (data.subarray(start, start + columns).every((x) => x === value)) return start / columns;
  }
  return -1;
}

/** The same for a trace whose n×m steps are deferred: from its mask and its X, Q, K and V alone. */
export function problemsInInputs(spec: AttentionSpec, plan: Plan, held: ReadonlyMap<string, Tensor>): Problem[] {
  const masked = plan.steps.find(({ id }) => id === 'masked');
  const mask = plan.steps.find(({ id }) => id === 'mask');
  const row = masked && mask ? firstFullyMaskedQuery(masked, mask, held) : -1;
  if (masked && row >= 0) return [fullyMaskedProblem(spec, masked, row)];
  return ['q', 'k', 'v', 'x'].flatMap((id) => {
    const [step, values] = [plan.steps.find((s) => s.id === id), held.get(id)];
    return step && values ? nonFinite(step, values) : [];
  });
}

/** Index of the first query whose keys are all hidden by the mask, −1 if there is none. */
function firstFullyMaskedQuery(
  { call: masking }: Step,
  { call, shape }: Step,
  held: ReadonlyMap<string, Tensor>,
): number {
  if (masking.op === 'mask' && masking.fill !== -Infinity) return -1;
  const [rows, columns] = matrixShape(shape);
  if (call.op === 'patternMask') {
    const seen = (i: number): boolean =>
      Math.max(0, i - call.before) <= Math.min(columns - 1, call.visible - 1, i + call.after);
    return Array.from({ length: rows }, (_, i) => i).findIndex((i) => !seen(i));
  }
  const values = held.get('mask');
  const at = values ? firstConstantRow(values.data, columns, masking.op === 'mask' ? 1 : -Infinity) : -1;
  return at < 0 ? at : at % rows;
}
