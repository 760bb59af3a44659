/** An attention of a program as it leaves the process that reads programs: plain data. */
import type { Problem, TextRange } from '../../text';
import type { AttentionSpec } from '../../spec';
import type { StageName } from '../nearest';
import type { PrintedMatrix } from '../places';

/** An attention of a program as a spec, or why there is none. */
export type AttentionAnswer =
  | { readonly is: 'none' }
  /** It cannot be explained. The first problem is the cause; the others are parts that are not followed. */
  | { readonly is: 'refused'; readonly problems: readonly Problem[] }
  | {
      readonly is: 'found';
      readonly spec: AttentionSpec;
      /** All that the program has, in the order in which it computes them, and which one this is. */
      readonly all: readonly AttentionChoice[];
      readonly which: number;
      /** What is not followed, assumed, skipped or wrong, each at its place. */
      readonly notes: readonly Problem[];
      /** What was printed of its steps. */
      readonly printed: readonly PrintedStep[];
      /** The step of the expression that was asked for. */
      readonly step?: string;
      readonly nearest?: NearestAnswer;
      /** Its steps are parts of a formula, not lines. */
      readonly byParts?: true;
      /** Of a document: how many queries a loop computes, one at a time, of which this is the last. */
      readonly calls?: number;
      /** Of a formula: it has sizes that the document does not say, and that stand in. */
      readonly standInSizes?: true;
      /** Of a document: where its numbers come from. */
      readonly said?: readonly string[];
    };

/** Standard attention from the same queries, keys and values. */
export interface NearestAnswer {
  readonly spec: AttentionSpec;
  /** Whether the program's numbers are the same, else which line differs first, and by how much. */
  readonly says: string;
  /** The steps of the program that differ, in order, each with the stage of attention that it is; and where the first stands. */
  readonly differs: readonly { readonly stage: StageName; readonly step: string }[];
  readonly first?: TextRange;
}

export interface PrintedStep extends PrintedMatrix {
  readonly step: string;
  /** Its numbers are taken as printed: the code does not say them. */
  readonly input?: true;
}

export interface AttentionChoice {
  /** `lines 10 to 24: 6×6, 2 heads, masked` */
  readonly label: string;
  /** Whole lines, from the first to the last step. */
  readonly span: TextRange;
}
