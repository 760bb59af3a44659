import type { OperationCall } from './operations';
import type { AttentionSpec } from '../spec';
import type { Problem, TextRange, Token, Role, Sentence, Within } from '../text';
import type { Expression, Formula } from '../operations';
import type { StepSentences, StepWords } from './word-context';

/** How a step's values are to be read and coloured. */
export type ValueKind =
  /** Diverging colours around zero. */
  | 'signed'
  /** Between 0 and 1, rows sum to 1: sequential colours. */
  | 'weights'
  /** Token ids: categorical. */
  | 'ids'
  /** 1 where hidden, 0 where visible. */
  | 'mask';

/** Whether the values of a kind are whole numbers: they are written without digits after the point. */
export const isWholeKind: Readonly<Record<ValueKind, boolean>> = {
  signed: false,
  weights: false,
  ids: true,
  mask: true,
};

/** A step's texts as data: language and orientation are chosen when they are written out. */
export interface StepSentenceData extends StepSentences {
  readonly symbol: Sentence;
  readonly formula: Expression;
  readonly shapes: Sentence;
  /** Where the labels of the columns are words. */
  readonly columnLabels?: readonly Sentence[];
}

/**
 * One step: what will be computed, from what, with which shape. No numbers.
 * A step without operands is an input, drawn or given.
 */
export interface Step {
  /** Stable across specs: `tokens`, `table`, `embedding`, `positions`, `x`, `wq`, `wk`, `wv`, `q`, `k`, `v`, `scores`, `scaled`, `mask`, `masked`, `weights`, `output`. */
  readonly id: string;
  /** One symbol: `Q`, `S`, `A`; Unicode, for plain text. */
  readonly symbol: string;
  readonly role: Role;
  readonly kind: ValueKind;
  readonly call: OperationCall;
  /** Ids of earlier steps, in the order the operation takes them. */
  readonly operands: readonly string[];
  /** Rows and columns last; leading dimensions are batch and head. */
  readonly shape: readonly number[];
  /** LaTeX; with `roles`, symbols are wrapped in `\htmlClass{role-query}{Q}` and their kin. */
  readonly formula: Formula;
  /** `(6×8)·(8×6) → (6×6)` */
  readonly shapes: string;
  readonly words: StepWords;
  /** The source of `symbol`, `formula`, `shapes` and `words`, which are its text. */
  readonly sentences: StepSentenceData;
  /** Row and column labels: tokens where rows are tokens, otherwise indices, which are made at first read. */
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
  /** The mask step whose hidden cells are hidden in this step too. */
  readonly hiddenBy?: string;
  /** For a program's step: its line in the text, from 1, and the range of its expression. */
  readonly line?: number;
  readonly range?: TextRange;
  /** The numbers replace some that the code does not give, or are computed from such. */
  readonly standIn?: true;
  /** A part of a transformer beside the attention that is shown: its steps are folded until the reader opens them. */
  readonly group?: StepGroup;
  /** The layer that its sentences speak of. */
  readonly within?: Within;
  /** Where it is shown: in the `main` sequence; `branch` groups Q, K, V; `input` steps (weights, tables) are shown with the step that uses them. */
  readonly place: 'main' | 'branch' | 'input';
}

/** Steps that are folded together: another layer, a feed-forward layer. */
export interface StepGroup {
  readonly id: string;
  readonly name: string;
}

/** What will happen: steps in an order in which each one's operands come first. */
export interface Plan {
  readonly steps: readonly Step[];
  readonly tokens: readonly Token[];
  readonly keyTokens: readonly Token[];
  /** Multiply-adds of all steps together: decides between the CPU alone and a GPU preview. */
  readonly multiplyAdds: number;
  /** Bytes of all steps' values. */
  readonly bytes: number;
  /** Fields of the spec without effect (code `ignored`), and fields that place queries unlike a decoder with a cache (code `positions`). */
  readonly notes: readonly Problem[];
  /** The messages of `notes` as data, in the same order. */
  readonly noteSentences: readonly Sentence[];
  /** What would mend what some notes say. */
  readonly corrections?: readonly Correction[];
}

/** A change of the spec that mends what a note says. */
export interface Correction {
  /** That of the note. */
  readonly message: string;
  /** What the change does, for a button. */
  readonly action: string;
  readonly change: Partial<AttentionSpec>;
}

/** The steps in their order, without inputs (weights, tables, masks), which belong to the step that uses them. */
export const mainSteps = ({ steps }: Pick<Plan, 'steps'>): readonly Step[] =>
  steps.filter((step) => step.place !== 'input');

/** A step's number as the panel counts, from 1; an input has that of the first step after it. */
export function stepNumber(plan: Pick<Plan, 'steps'>, id: string): number {
  const at = plan.steps.findIndex((step) => step.id === id);
  return plan.steps.slice(0, Math.max(0, at)).filter((step) => step.place !== 'input').length + 1;
}
