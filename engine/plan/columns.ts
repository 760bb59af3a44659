import { plainText } from '../text';
import { latexOf, sizes } from '../operations';
import type { Plan, StepSentenceData, Step } from './plan';
import { inPlain } from './words';

/*
 * Tokens as columns, for readers of papers that write W·x. This changes the display only: values, indices and labels stay those of rows. A
 * matrix of tokens keeps its letter and is drawn transposed; W_q, W_k, W_v and W_O are drawn as they are stored. `StepSentenceData` keeps a
 * step's texts as data, so that they can be written for either orientation.
 */

/** Whether a step's matrix is drawn transposed where tokens are columns: every matrix but weights: W_q, W_k, W_v, W_O, and those of a block. */
export const isTransposedInColumns = ({ id }: Pick<Step, 'id'>): boolean => !/^(?:layer\d+_)?w[qkvo12gu]$/.test(id);

/** The step's shape, with its last two sizes exchanged if it is drawn transposed. */
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

/** Symbol, formula, shapes and words of a step as text. */
export const textsOf = (
  sentences: StepSentenceData,
  columns: boolean,
): Pick<Step, 'symbol' | 'formula' | 'shapes' | 'words'> => ({
  symbol: plainText(sentences.symbol, columns),
  formula: latexOf(sentences.formula, columns),
  shapes: plainText(sentences.shapes, columns),
  words: inPlain(sentences, columns),
});
