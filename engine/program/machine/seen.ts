/** What expressions and names came to while a program was read: for whoever asks what stands at a place. */
import type { TextRange } from '../../text';
import type { Cause, Node, Library, Shape } from '../tensor';
import type { Source, Place } from '../syntax';
import type { Value } from './values';

/** A value as it was then: what Python changes in place is copied, as far as it is shown. */
export type Snapshot =
  | { readonly kind: 'tensor'; readonly node: Node; readonly library: Library; readonly type: string }
  | {
      readonly kind: 'items';
      readonly type: 'list' | 'tuple' | 'set' | 'dict';
      readonly items: readonly (readonly [key: Snapshot | undefined, item: Snapshot])[];
      readonly count: number;
      /** `torch.Size`. */
      readonly isSize: boolean;
      readonly unsure?: Cause;
    }
  | {
      readonly kind: 'object';
      readonly type: string;
      readonly fields: readonly (readonly [name: string, field: Snapshot])[];
      /** Every field is there: a dataclass. */
      readonly whole: boolean;
    }
  | { readonly kind: 'plain'; readonly value: Value };

/** The last time that a place of the text was reached. */
export interface Seen {
  readonly source: Source;
  readonly place: Place;
  /** A name that was bound, or an expression that was evaluated. */
  readonly is: 'bound' | 'evaluated';
  readonly snapshot: Snapshot;
  /** The calls that led there, outermost first. */
  readonly stack: readonly TextRange[];
  /** Reached with stand-in arguments only. */
  readonly standIn: boolean;
  /** Sizes and numbers of a sample: those of no call, and of no name of the code. */
  readonly sample?: true;
  /** Of a sample that came to its end without attention: one that has it says more. */
  readonly provisional?: true;
  readonly times: number;
  /** The shapes that it had, each once, the last one at the end. */
  readonly shapes: readonly Shape[];
}

/** By their nodes in the syntax tree. */
export type SeenPlaces = Map<object, Seen>;
