import type { Candidate } from '../matrix';
import type { Paced } from '../../text';
import type { Scanner } from '../scanner';

/** What a reader needs to know about the position that it is offered. */
export interface ReadContext {
  /** Nothing stands before it in the selection. Then even `(1, 2)` is a matrix, if nothing follows. */
  readonly first: boolean;
  /** Rows before this offset must not be read: the start of the window, or of the text that was not read yet. */
  readonly floor: number;
  /** Most rows of a table that are read above and below the position; a longer table is a Problem. */
  readonly rows: number;
}

/**
 * Reads one notation of matrices, or several similar ones. The registry (`index.ts`) offers it the positions where it may begin:
 *
 * - `chars`: each of these characters (outside of words);
 * - `words`: each of these whole words, dotted ones as one (`pd.DataFrame`), where `(`, `[`, `{`, `!` or `<` follows;
 * - `lines`: the start of each line, before its blanks, for what has no bracket: tables and printed blocks.
 *
 * The contract of `read`:
 *
 * - It reads forward from the cursor. If its notation does not stand there, it returns undefined (the registry resets the
 *   cursor). Otherwise it leaves the cursor after the literal and returns a candidate with a `matrix` or `problems`.
 * - It never throws and never reads at or after `s.end`. Only the type of a literal may stand before `floor`. It looks at
 *   no more than a constant number of characters before the cursor (a name, a type).
 * - Its time is linear: text that is read and then refused is bounded by a constant, or is read at most a constant number
 *   of times, however many positions are offered (remember a failed search in a field of the scanner). Every character
 *   that is read counts in `s.steps`; tests limit `steps` to a multiple of the text's length.
 * - It yields: every loop over rows or items says `if (isDue(s)) yield;`, so that a long literal does not block the host.
 * - It refuses silently what is no matrix (prose, code, configuration). It returns a Problem with its exact range for what
 *   is clearly meant as one but is ragged, elided, unbalanced or mixed. `plain` is false for what could be a matrix but
 *   should not be taken from a selection; `literalAt` ignores it.
 * - `range` is the literal with its call or type, `whole` begins at its name (`nameAndRole`, `nameBefore`).
 *
 * `startBefore` is for notations without brackets (`\begin{…}`, a table), when the cursor may be anywhere inside of the
 * literal. It returns the offset, not before `floor`, at which `read` should be tried so as to enclose `at`; it may yield.
 * Readers of notations with brackets need no `startBefore`: they are offered the open brackets around the cursor, outermost
 * first, beginning at the word before the bracket.
 */
export interface FormatReader {
  readonly name: string;
  readonly chars?: string;
  readonly words?: readonly string[];
  readonly lines?: boolean;
  readonly read: (s: Scanner, circumstances: ReadContext) => Paced<Candidate | undefined>;
  readonly startBefore?: (s: Scanner, at: number, circumstances: ReadContext) => Paced<number | undefined>;
}
