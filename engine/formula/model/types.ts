/** What the model of a document is made of. */
import type { Plan } from '../../plan';
import type { AttentionSpec } from '../../spec';
import type { TextRange } from '../../text';
import type { KnownStep, MatchedMatrix } from './match';

/** What stands for a step: a part of a formula, an expression of code, written numbers. */
export interface PlacePart {
  readonly range: TextRange;
  readonly kind: 'formula' | 'code' | 'numbers';
  /** By its number in `DocumentModel.attentions`. */
  readonly attention: number;
  readonly step: string;
  /** Of numbers: how they are those of the step, and how many they are. */
  readonly match?: MatchedMatrix & { readonly count: number };
  /** The numbers are those of a notebook's output; what printed them stands here. */
  readonly inOutput?: true;
  /** Of numbers that the text breaks off: how many are written of how many. */
  readonly partly?: { readonly written: number; readonly of: number };
}

/** An attention of the document with its numbers. */
export interface ModelledAttention {
  readonly label: string;
  readonly span: TextRange;
  readonly from: 'code' | 'formula';
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  /** Steps without stand-ins, with their numbers. */
  readonly known: readonly KnownStep[];
  /** Where its numbers come from, in sentences. */
  readonly said: readonly string[];
}

/** What was read and not understood. */
export interface UnreadPlace {
  readonly range: TextRange;
  /** From 1. */
  readonly line: number;
  readonly message: string;
  readonly hint?: string;
}

/** An attention of a loop that computes one query at a time: its last query. */
export interface LoopAttention {
  readonly attention: number;
  readonly spec: AttentionSpec;
  readonly calls: number;
}

/** All queries of a loop together. */
export interface WholeLoop {
  readonly attention: number;
  readonly spec: AttentionSpec;
}

export interface DocumentModel {
  /** In reading order, as `answerDocument` counts them; undefined where one is not explained. */
  readonly attentions: readonly (ModelledAttention | undefined)[];
  /** The one that stands for the whole document; -1 where there is none. */
  readonly chosen: number;
  /** Those that are shown by their last query alone. */
  readonly loops: readonly LoopAttention[];
  /** What belongs to an attention, in reading order. */
  readonly places: readonly DocumentPlace[];
  /** The way through the document, from top to bottom. */
  readonly stops: readonly DocumentStop[];
  /** In reading order. */
  readonly unread: readonly UnreadPlace[];
  /** Matrices whose numbers no step has, and which no attention takes. */
  readonly unmatched: readonly TextRange[];
}

/** A formula, a line of code or a matrix that stands for steps. */
export interface DocumentPlace {
  readonly kind: PlacePart['kind'];
  /** A formula with its signs, an expression of code, a matrix. */
  readonly range: TextRange;
  /** The first and the last line, from 1. */
  readonly lines: readonly [number, number];
  /** What it shows first: of the attention that stands for the document, where it has a step there. */
  readonly attention: number;
  readonly step: string;
  /** All that it stands for, in all attentions. */
  readonly parts: readonly PlacePart[];
  /** What it is, in a few words: `attention: all 16 numbers agree`. */
  readonly title: string;
  /** What it says, in a sentence or two. */
  readonly says: string;
  /** Worth a stop on the way through the document: more than a name in the prose. */
  readonly isStop: boolean;
  /** A formula on lines of its own, a matrix, a line of code. */
  readonly isDisplay: boolean;
}

/** A stop on the way through the document. */
export interface DocumentStop {
  /** What is marked: a part of a formula, an expression of code, a matrix. */
  readonly range: TextRange;
  readonly kind: PlacePart['kind'];
  readonly attention: number;
  readonly step: string;
  /** [row, column] of the step, of numbers that are one row or cell of it. */
  readonly cell?: readonly number[];
  readonly head?: number;
  /** `Line 12. These are the attention weights. …` */
  readonly says: string;
}
