import type { Plan, Step } from './plan';
import type { AttentionSpec } from '../spec/spec';
import { attentionTellers } from './words/attention';
import { inputTellers } from './words/inputs';
import type { StepWords, WordsContext } from './words/tell';

export type { Role, StepWords, WordsContext } from './words/tell';

/** The words of a step, naming a row and a column: those of `at`, else the second and third token where there are so many. */
export function wordsOf(context: WordsContext, at?: { readonly row: number; readonly column: number }): StepWords {
  const tell = inputTellers[context.id] ?? attentionTellers[context.id];
  if (!tell) throw new Error(`no words for step ${context.id}`);
  const { rowLabels, columnLabels } = context;
  const row = rowLabels[at?.row ?? Math.min(1, rowLabels.length - 1)] ?? '';
  const column = columnLabels[at?.column ?? Math.min(2, columnLabels.length - 1)] ?? '';
  return tell(context, `“${row}”`, `“${column}”`);
}

/** The words of a planned step with the row and column of one of its cells, where a reader has selected it. */
export function wordsAt(
  { spec, plan }: { readonly spec: AttentionSpec; readonly plan: Plan },
  step: Step,
  index: readonly number[],
): StepWords {
  const [row = 0, column = 0] = index.slice(-2);
  const operands = step.operands.flatMap((id) => plan.steps.find((s) => s.id === id) ?? []);
  return wordsOf({ ...step, spec, operands }, { row, column });
}
