// What `explainCell` answers.

/** A cell of a step and its value: what a reader can walk to. */
export interface CellValue {
  readonly step: string;
  readonly index: readonly number[];
  readonly value: number;
}

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

/** What made a cell: the terms with their indices and values, enough to redo the arithmetic by hand. */
export type CellExplanation = CellValue &
  /** Of more than 4096 terms (`mostTerms`) the first and the largest, and what the rest add. */
  (
    | { readonly kind: 'products'; readonly terms: readonly ProductTerm[]; readonly rest?: RestOfProducts }
    | { readonly kind: 'sum'; readonly left: CellValue; readonly right: CellValue }
    | { readonly kind: 'quotient'; readonly operand: CellValue; readonly by: number }
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
    /** cap·tanh(operand/cap) */
    | {
        readonly kind: 'capped';
        readonly operand: CellValue;
        readonly cap: number;
        readonly ratio: number;
        readonly tanh: number;
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
    /** The token's id, or the row of a table of distinct tokens that belongs to it. */
    | { readonly kind: 'token'; readonly text: string; readonly is: 'id' | 'row' }
    | {
        readonly kind: 'drawn';
        readonly generator: string;
        readonly seed: number | string;
        readonly divideBy: number;
        /** What the generator gave: divided by `divideBy` in float64 and rounded to the dtype it is the cell. */
        readonly draw: number;
      }
    | {
        readonly kind: 'position';
        readonly position: number;
        readonly fn: 'sin' | 'cos';
        readonly divisor: number;
        readonly angle: number;
      }
    /** Linear bias: −slope·distance. */
    | { readonly kind: 'distance'; readonly slope: number; readonly distance: number }
    | { readonly kind: 'hidden'; readonly hidden: boolean }
  );
