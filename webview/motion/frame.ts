import type { Role } from '../../engine/index';

/** A number that a frame shows, and the cell whose value it is (`cell`) or whose arithmetic it is part of (`work`). */
export interface MotionNumber {
  readonly text: string;
  /** The exact value, of which `text` is a rounding. */
  readonly value: number;
  readonly is: 'cell' | 'work';
  readonly step: string;
  readonly index: readonly number[];
}

/** What a piece looks like. A `bar` and an `axis` have no text; a `slot` is where a result will be. */
export type Look =
  'cell' | 'plain' | 'label' | 'head' | 'sign' | 'bar' | 'axis' | 'slot' | 'shutter' | 'arrow' | 'circle';

/** One thing on the stage. Between two frames a piece with the same id moves; one that is in a single frame fades. */
export interface Piece {
  readonly id: string;
  readonly look: Look;
  /** CSS pixels from the upper left corner of the stage. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly role?: Role;
  /** A number is shown as its text. Other texts are labels of the plan, symbols and signs. */
  readonly number?: MotionNumber;
  readonly text?: string;
  /** Characters of room behind the number, so that the points of a column are below each other. */
  readonly pad?: number;
  /** Set lower behind the text. */
  readonly below?: string;
  readonly dim?: boolean;
  /** It has moved here to vanish. */
  readonly gone?: boolean;
  readonly negative?: boolean;
  /** Degrees clockwise, of an arrow that begins at its place. */
  readonly turn?: number;
  /** The cell that the story is about. */
  readonly lit?: boolean;
}

/** The sentence of a frame, with the numbers and the names that are in it. */
export interface Said {
  readonly text: string;
  readonly numbers: readonly MotionNumber[];
  readonly names: readonly string[];
}

export interface Frame {
  readonly said: Said;
  readonly pieces: readonly Piece[];
}

/** All frames have one height, so that nothing below the stage moves. */
export interface Story {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Frame[];
}
