// What `explainCell` answers.
import type { Turn } from '../math';
import type { Sentence } from '../text';

/** A cell of a step and its value: what a reader can walk to. */
export interface CellValue {
  readonly step: string;
  readonly index: readonly number[];
  readonly value: number;
}

/** An explanation with more terms than this has the first and the largest of them alone. */
export const mostTerms = 4096;

/** What the terms that a long explanation leaves out add up to. */
export interface RestOfProducts {
  readonly count: number;
  readonly sum: number;
}

/** The same of a softmax. */
export interface RestOfSoftmax {
  readonly count: number;
  readonly exponentials: number;
  readonly weights: number;
}

export interface ProductTerm {
  readonly left: CellValue;
  readonly right: CellValue;
  readonly product: number;
  /** The sum up to and including this term, rounded as the backend rounds. */
  readonly partialSum: number;
}

export interface SoftmaxTerm {
  readonly operand: CellValue;
  /** x − max */
  readonly shifted: number;
  readonly exponential: number;
  readonly weight: number;
}

/** A calculation, as data: every surface writes it, chooses its digits and can walk to its cells. */
export type Work =
  | { readonly is: 'cell'; readonly cell: CellValue }
  /** A number that is no cell: it is shown rounded. */
  | { readonly is: 'number'; readonly value: number }
  /** A count: it is shown as it is. */
  | { readonly is: 'whole'; readonly value: number }
  /** What an earlier line has made. */
  | { readonly is: 'line'; readonly at: number }
  /** `rest`: of very many terms (`mostTerms`) those that are left out. */
  | { readonly is: 'sum'; readonly of: readonly Work[]; readonly rest?: RestOfProducts }
  | { readonly is: 'product'; readonly of: readonly Work[] }
  | { readonly is: 'quotient'; readonly of: Work; readonly by: Work }
  | { readonly is: 'difference'; readonly of: Work; readonly less: Work }
  | { readonly is: WorkFunction; readonly of: Work };

/** What is done to one number. */
export type WorkFunction = 'negative' | 'square' | 'cube' | 'root' | 'tanh' | 'exp' | 'erf';

/** A line of a calculation; its value is rounded as the kernel rounds. */
export interface WorkLine {
  readonly name?: Sentence;
  readonly value: number;
  readonly work: Work;
}

/** What made a cell: the terms with their indices and values, enough to redo the arithmetic by hand. */
export type CellExplanation = CellValue &
  /** Of more than 4096 terms (`mostTerms`) the first and the largest, and what the rest add. */
  (
    | { readonly kind: 'products'; readonly terms: readonly ProductTerm[]; readonly rest?: RestOfProducts }
    | { readonly kind: 'sum'; readonly left: CellValue; readonly right: CellValue }
    | { readonly kind: 'quotient'; readonly operand: CellValue; readonly by: number }
    /** a × b, a − b, a ÷ b, exp(a); with a number for b where there is one operand. */
    | {
        readonly kind: 'applied';
        readonly function: '×' | '−' | '÷' | 'exp';
        readonly operands: readonly CellValue[];
        readonly by?: number;
      }
    /** The sum or the largest of some cells. */
    | { readonly kind: 'reduced'; readonly function: 'sum' | 'max'; readonly terms: readonly CellValue[] }
    | { readonly kind: 'lookup'; readonly id: CellValue; readonly entry: CellValue }
    | { readonly kind: 'masked'; readonly operand: CellValue; readonly mask: CellValue; readonly fill: number }
    | {
        readonly kind: 'softmax';
        readonly operand: CellValue;
        readonly max: number;
        readonly sum: number;
        readonly terms: readonly SoftmaxTerm[];
        /** Of more than 4096 terms those left out: `terms` has the first, the largest and the cell's own. */
        readonly rest?: RestOfSoftmax;
        /** Nothing but −∞ in the row, and the spec gives such a row zeros: the exponentials, NaN, are not used. */
        readonly zeroed: boolean;
      }
    /** A calculation of several lines, of which the last makes the cell; `operand` is the cell in the same place that it comes from. */
    | {
        readonly kind: 'worked';
        readonly operand: CellValue;
        readonly lines: readonly WorkLine[];
        readonly note: Sentence;
      }
    /** own·cos ± partner·sin */
    | {
        readonly kind: 'rotated';
        readonly own: CellValue;
        readonly partner: CellValue;
        readonly cosine: CellValue;
        readonly sine: CellValue;
        readonly sign: 1 | -1;
      }
    /** The same number at another place: heads cut, joined or shared. */
    | { readonly kind: 'moved'; readonly operand: CellValue }
    | { readonly kind: 'unchanged'; readonly operand: CellValue }
    | { readonly kind: 'given'; readonly path: string }
    /** A weight of a trained model, and where it stands in the model's file. */
    | {
        readonly kind: 'learned';
        readonly model: string;
        readonly tensor: string;
        /** Row and column of the tensor, or the one index of a row. */
        readonly at: readonly number[];
      }
    /** The token's id, or the row of a table of distinct tokens that belongs to it. */
    | { readonly kind: 'token'; readonly text: string; readonly is: 'id' | 'row' }
    | {
        readonly kind: 'drawn';
        readonly generator: string;
        readonly seed: number | string;
        readonly divideBy: number;
        /** What the draw is multiplied by, where it is not divided. */
        readonly times?: number;
        /** What the generator gave: divided by `divideBy` in float64 and rounded to the dtype it is the cell. */
        readonly draw: number;
      }
    | {
        readonly kind: 'position';
        readonly position: number;
        readonly fn: 'sin' | 'cos';
        readonly divisor: number;
        readonly angle: number;
        /** Of a rotation: how its pair turns. */
        readonly turn?: Turn;
        /** What the cosine or sine is multiplied by. */
        readonly times?: number;
      }
    /** Linear bias: −slope·distance. */
    | { readonly kind: 'distance'; readonly slope: number; readonly distance: number }
    /** The bucket of a distance, key − query; `alone` where no other distance beside it has it. */
    | { readonly kind: 'bucket'; readonly relative: number; readonly alone: boolean }
    | { readonly kind: 'hidden'; readonly hidden: boolean }
  );
