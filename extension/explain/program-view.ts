import * as vscode from 'vscode';
import {
  leadingDimensions,
  orderNote,
  planOf,
  stepNumber,
  type AttentionSpec,
  type PrintedStep,
} from '../../engine/index';
import type { Code } from '../program-client';
import type { View } from '../../webview/protocol';

/** What is to be shown of an attention: the step of the expression at an offset of the document, or a number of a step. */
export type ShownProgramPart =
  { readonly of: number } | { readonly step: string; readonly index: number } | { readonly view: View };

/** The view of a step's number, by its index in row-major order. */
export function viewOfNumber(
  spec: AttentionSpec,
  { step: id, index }: { readonly step: string; readonly index: number },
): View {
  const plan = planOf(spec);
  const step = plan.ok ? plan.value.steps.find((one) => one.id === id) : undefined;
  if (!plan.ok || !step) return { step: id };
  const at = unravelIndex(index, step.shape);
  const leading = leadingDimensions(plan.value, spec.heads, step);
  const part = (name: 'batch' | 'head'): number => at[leading.indexOf(name)] ?? 0;
  return {
    step: id,
    cell: at.slice(-2),
    ...(leading.length > 0 ? { slice: { batch: part('batch'), head: part('head') } } : {}),
  };
}

/** The index of a tensor's number, given its place in row-major order. */
export function unravelIndex(flat: number, shape: readonly number[]): readonly number[] {
  const index: number[] = [];
  let rest = flat;
  for (const size of [...shape].reverse()) {
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}

/** What is said of a notebook: the order in which its cells were read, and which steps they have printed. */
export function notebookNotes(
  { cells = [], order }: Code,
  spec: AttentionSpec,
  printed: readonly (PrintedStep & { readonly number: number })[],
): readonly string[] {
  // prettier-ignore
  const { t } = vscode.l10n;
  const said = order && orderNote(order, cells.map(({ number }) => number)); // prettier-ignore
  const plan = planOf(spec);
  const steps = { steps: plan.ok ? plan.value.steps : [] };
  const prints = printed.map(({ step, number, count, equal, why, isDropped }) => {
    const at = stepNumber(steps, step);
    const name = spec.start.from === 'program' ? (spec.start.steps.find(({ id }) => id === step)?.name ?? step) : step;
    if (why !== undefined) return t('Printed by cell {0} = step {1}, {2}, whose numbers are not known here: {3}', number, at, name, why); // prettier-ignore
    if (isDropped) return t('Printed by cell {0} = step {1}, {2}: all {3} numbers agree with the dropout that the seed draws; the step shows them without it.', number, at, name, count); // prettier-ignore
    return count === equal
      ? t('Printed by cell {0} = step {1}, {2}: all {3} numbers agree.', number, at, name, count)
      : t('Printed by cell {0} = step {1}, {2}: {3} of {4} numbers agree.', number, at, name, equal, count);
  });
  return said === undefined ? prints : [said, ...prints];
}
