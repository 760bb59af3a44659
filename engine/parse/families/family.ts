import type { Candidate } from '../matrix';
import type { Paced } from '../../text/pace';
import type { Scanner } from '../scanner';

/** How a place in the text was come upon. */
export interface Circumstances {
  /** It is the first thing in the selection, so that even `(1, 2)` is meant when nothing follows. */
  readonly first: boolean;
  /** No row before this offset is read: the start of the window, or of what was not read yet. */
  readonly floor: number;
  /** Most rows of a table that are read above and below the place; a longer one is a Problem. */
  readonly rows: number;
}

/**
 * One notation of matrices, or a few that are alike. The registry (`index.ts`) offers it the places where it may begin:
 *
 * - `chars`: each of these characters (outside of words);
 * - `words`: each of these whole words, dotted ones as one (`pd.DataFrame`), where `(`, `[`, `{`, `!` or `<` follows;
 * - `lines`: the start of each line, before its blanks, for what has no bracket: tables and printed blocks.
 *
 * The contract of `read`:
 *
 * - It reads forward from the cursor. When nothing of its notation stands there it returns undefined (the registry puts
 *   the cursor back). Otherwise the cursor is after the literal, and `matrix` or `problems` says what it is.
 * - It never throws and never reads at or after `s.end`; no part of the literal but its type stands before `floor`. What it
 *   looks at before the cursor (a name, a type) is bounded by a constant.
 * - Time is linear: what is read and then refused is bounded by a constant, or is passed at most a constant number of
 *   times however many places are offered (remember in a field of the scanner what was sought in vain). Every character that
 *   is looked at counts in `s.steps`; the tests hold them to a multiple of the text's length.
 * - It may stop: every loop over rows or items says `if (isDue(s)) yield;`, so that nobody waits for a long literal.
 * - A refusal is silent for what is no matrix (prose, code, configuration) and a Problem with its exact range for what
 *   plainly is meant as one: ragged, elided, unbalanced, mixed. `plain` is false where a matrix could be meant but a
 *   selection should not take it: `literalAt` passes over it.
 * - `range` is the literal with its call or type, `whole` begins at its name (`identity`, `nameBefore`).
 *
 * `startBefore` answers for the cursor anywhere inside of a literal that no bracket encloses (`\begin{…}`, a table): the
 * offset, not before `floor`, at which `read` is to be tried so as to enclose `at`; it may stop between two tries. Families whose literals are in brackets do
 * without: the brackets open around the cursor are offered, outermost first, from the word before them on.
 */
export interface Family {
  readonly name: string;
  readonly chars?: string;
  readonly words?: readonly string[];
  readonly lines?: boolean;
  readonly read: (s: Scanner, circumstances: Circumstances) => Paced<Candidate | undefined>;
  readonly startBefore?: (s: Scanner, at: number, circumstances: Circumstances) => Paced<number | undefined>;
}
