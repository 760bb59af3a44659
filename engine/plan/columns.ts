import { plainText } from '../text';
import { latexOf, sizes } from '../operations';
import type { Plan, StepSentenceData, Step } from './plan';
import { inPlain } from './words';

/*
 * Tokens as columns, as papers that write W·x have them. Display only: values, indices and labels stay those of the rows. A matrix of tokens
 * keeps its letter and is drawn transposed, and W_q, W_k, W_v, W_O are drawn as they are stored. What a step says is kept as data (`SaidOfStep`) and
 * written for either.
 */

/** Whether a step's matrix is drawn transposed where tokens are columns: all but the weights that are multiplied with. */
export const isTransposedInColumns = ({ id }: Pick<Step, 'id'>): boolean => !/^w[qkvo]$/.test(id);

/** The last two sizes exchanged where the matrix is drawn transposed. */
export const columnsShape = (step: Pick<Step, 'id' | 'shape'>): readonly number[] =>
  sizes(step.shape, isTransposedInColumns(step));

/** A plan that reads with tokens as columns. */
export interface ColumnsPlan extends Plan {
  readonly columns: true;
}

/** The plan as it reads with tokens as columns: symbols, formulas, shapes and words. Shapes and labels as data stay as they are. */
export const asColumns = (plan: Plan): ColumnsPlan => ({ ...plan, columns: true, steps: plan.steps.map(columnsStep) });

export const hasColumns = (plan: Plan): plan is ColumnsPlan => 'columns' in plan;

/** One step of such a plan. */
export const columnsStep = (step: Step): Step => ({
  ...step,
  ...textsOf(step.sentences, true),
  columnLabels: step.sentences.columnLabels?.map((label) => plainText(label, true)) ?? step.columnLabels,
});

/** What a step says, as text. */
export const textsOf = (
  sentences: StepSentenceData,
  columns: boolean,
): Pick<Step, 'symbol' | 'formula' | 'shapes' | 'words'> => ({
  symbol: plainText(sentences.symbol, columns),
  formula: latexOf(sentences.formula, columns),
  shapes: plainText(sentences.shapes, columns),
  words: inPlain(sentences, columns),
});
