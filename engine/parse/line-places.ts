/** Lines of a text as its reader counts them: in a document, a cell of a notebook, or several selections. */
import { t } from '../text';
import { code } from './scanner';

/** Where the lines of a program's text stand for a reader. */
export interface Places {
  /** Line of the document in which the text begins; 0 and less where it begins in earlier cells of a notebook. */
  readonly line: number;
  /** Those cells, in order: their first offset in the text, and what number they have. */
  readonly cells?: readonly CellAbove[];
  /** Where the text is several selections of one document: where each begins in the text, in order, and in which line of the document. */
  readonly parts?: readonly SelectedPart[];
}

export interface CellAbove {
  readonly start: number;
  readonly number: number;
}

export interface SelectedPart {
  readonly start: number;
  readonly line: number;
}

export interface LinePlaces {
  /** Line of the text, from 1. */
  readonly ownLineOf: (offset: number) => number;
  /** Line of the document, or of the cell that is selected in, from 1; 0 and less in an earlier cell. */
  readonly lineOf: (offset: number) => number;
  /** `line 3`, counted in the document or the cell that is selected in; `line 2 of cell 4` in an earlier one. */
  readonly placeOf: (offset: number) => string;
}

export function linePlaces(text: string, { line, parts, cells = [] }: Places): LinePlaces {
  const ownLineOf = lineIndex(text);
  const lineOf = (offset: number): number => {
    const part = parts?.findLast(({ start }) => start <= offset);
    return part ? ownLineOf(offset) - ownLineOf(part.start) + part.line : ownLineOf(offset) + line - 1;
  };
  const placeOf = (offset: number): string => {
    const own = lineOf(offset);
    if (own >= 1) return t('line {0}', own);
    const cell = cells.findLast(({ start }) => start <= offset);
    return cell
      ? t('line {0} of cell {1}', ownLineOf(offset) - ownLineOf(cell.start) + 1, cell.number)
      : t('an earlier cell');
  };
  return { ownLineOf, lineOf, placeOf };
}

/** Line of an offset, from 1; offsets are looked up in a table that is made on the first call. */
function lineIndex(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === code.newline || (c === code.carriageReturn && text.charCodeAt(i + 1) !== code.newline))
      starts.push(i + 1);
  }
  return starts;
}
