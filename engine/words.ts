import { attentionTellers } from './words/attention';
import { inputTellers } from './words/inputs';
import type { StepWords, WordsContext } from './words/tell';

export { generatorOf } from './words/inputs';
export type { Role, StepWords, WordsContext } from './words/tell';

/** The words of a step, naming an example row and column (the second and third token where there are so many). */
export function wordsOf(context: WordsContext): StepWords {
  const tell = inputTellers[context.id] ?? attentionTellers[context.id];
  if (!tell) throw new Error(`no words for step ${context.id}`);
  const { rowLabels, columnLabels } = context;
  const row = rowLabels[Math.min(1, rowLabels.length - 1)] ?? '';
  const column = columnLabels[Math.min(2, columnLabels.length - 1)] ?? '';
  return tell(context, `“${row}”`, `“${column}”`);
}
