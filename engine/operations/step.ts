import { joined, say, type LinkTarget, type Place, type Sentence, type Role } from '../text';
import type { RowPositions, Turning } from '../math';
import type { AttentionSpec } from '../spec';
import type { Expression, Symbol } from './formula';

/*
 * How an operation reads as a step of attention, where every step of it says the same: queries, keys and values are cut into heads, normed,
 * rotated, shared, one like the other.
 */

/** A step in plain words: one sentence each, with the reader's own tokens and shapes. */
export interface StepWords {
  /** Short name: `Scores`. */
  readonly name: string;
  /** `how well does each query match each key?` */
  readonly question: string;
  readonly what: string;
  readonly why: string;
  readonly notice: string;
}

/** The same as data. */
export type StepSentences = { readonly [part in keyof StepWords]: Sentence };

export const words = (
  name: Sentence,
  question: Sentence,
  what: Sentence,
  why: Sentence,
  notice: Sentence,
): StepSentences => ({ name, question, what, why, notice });

export interface Labelled {
  readonly id: string;
  readonly role: Role;
  readonly shape: readonly number[];
  /** Its numbers stand in, or follow from such. */
  readonly standIn?: boolean;
}

/** What the words about a step can name. */
export interface StepContext {
  readonly spec: AttentionSpec;
  readonly shape: readonly number[];
  readonly operands: readonly Labelled[];
  /** Where the rows of a source stand, where the spec says so. */
  readonly at?: RowPositions;
  /** How rotations turn, where it is not as in the paper. */
  readonly turning?: Turning;
}

/** Queries, keys and values. */
export type Branch = 'q' | 'k' | 'v';

/** A step that takes what a branch has come to. */
export interface BranchStep<C> {
  /** Behind the branch in its id: `qRotated`. */
  readonly suffix: string;
  /** Behind its symbol: `Q rotated`. */
  readonly mark: () => string;
  /** A symbol of the row is given. */
  readonly words: (call: C, context: StepContext, branch: Branch, row: Place) => StepSentences;
  /** Sources that it takes beside the branch, by their suffix: `qRotations`. */
  readonly beside: Readonly<Record<string, BesideStep>>;
}

/** A source beside a branch: the rotations, the gains. */
export interface BesideStep {
  readonly symbol: (branch: Branch) => { readonly symbol: Symbol; readonly unicode: string };
  readonly formula: (of: Symbol, shape: readonly number[]) => Expression;
  /** What its rows are called, where they are those of the branch. */
  readonly rows?: (names: readonly string[]) => readonly string[];
  readonly words: (context: StepContext, branch: Branch, row: Place) => StepSentences;
}

/** A sentence, and where its rows stand if the spec says so. */
export function placed(sentence: Sentence, at: RowPositions | undefined): Sentence {
  if (at === undefined) return sentence;
  return typeof at === 'number'
    ? joined(sentence, say('The first [row|column] stands at position {0}.', at))
    : joined(sentence, say('The positions are those you gave.'));
}

/** The name of a branch in a sentence: `Q`. */
export const branchName = (branch: Branch): string => branch.toUpperCase();

/** The way to an operand, from a number that counts its rows or columns. */
export const linkTo = (operand: Labelled | undefined): LinkTarget | undefined => operand && { step: operand.id };

/** The last dimension of an operand. */
export const widthOf = (labelled: Labelled | undefined): number => labelled?.shape.at(-1) ?? 0;
