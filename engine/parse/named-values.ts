/** Names with what they stand for, as plain data. */
import type { Problem, TextRange } from '../text';
import type { CellAbove, Places, SelectedPart } from './line-places';
import type { ParsedMatrix } from './matrix';

/** What a name stands for. */
export type Meaning =
  | { readonly kind: 'matrix'; readonly matrix: ParsedMatrix }
  | { readonly kind: 'number'; readonly value: number; readonly type: 'bool' | 'int' | 'float' }
  /** A string, None, a generator. */
  | { readonly kind: 'other' }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** The text around a selection. */
export interface Above {
  /** The text right before the selection: of the document, and of earlier cells before that. */
  readonly before: string;
  /** Whether `before` begins inside of its document. */
  readonly cut?: boolean;
  /** Line of the document in which `before` begins, from 1; 0 and less where it begins with earlier cells. */
  readonly line?: number;
  /** Those cells, in order. */
  readonly cells?: readonly CellAbove[];
  /** Where the text is several selections, which have nothing above them: where each begins in it, and in which line of the document. */
  readonly parts?: readonly SelectedPart[];
  /** The text right below the selection, for what is said there of a mask. */
  readonly after?: string;
}

export const placesOf = (above: Above | undefined): Places => ({
  line: above?.line ?? 1,
  ...(above?.cells ? { cells: above.cells } : {}),
  ...(above?.parts ? { parts: above.parts } : {}),
});

/** A name with what it was last assigned. Ranges are in the whole text, `before` included; those of its meaning in the selection. */
export interface NamedValue {
  readonly name: string;
  /** Where the name stands that was assigned. */
  readonly range: TextRange;
  readonly statement: TextRange;
  /** The expression that it was assigned. */
  readonly value?: TextRange;
  /** Whether that has a call or an operator in it, or draws. */
  readonly isComputed: boolean;
  /** Left out where nothing asks for it. */
  readonly meaning?: Meaning;
}

/** The names of a text in the order in which they were last assigned. Plain data. */
export interface NamedValues {
  readonly names: readonly NamedValue[];
  /** The selection as one expression with a name of the program in it, or a call: `Q @ K.T`. */
  readonly expression?: Meaning;
}
