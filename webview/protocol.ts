import type { AttentionSpec, Problem } from '../engine/index';

/** Where an explanation came from, so that the page can name it and the host can read it again. */
export interface Source {
  /** `lesson.md:12` */
  readonly label: string;
  /** Absent for typed input. */
  readonly uri?: string;
  /** UTF-16 offsets of the selection in the document, and a hash of its text, to notice later edits. */
  readonly range?: { readonly start: number; readonly end: number };
  /** Offset in the document of each token's text is `range.start + token.start` (text inputs). */
  readonly textHash?: string;
}

/** One explanation: a spec, where it came from, and what was inferred on the way (shown, never silent). */
export interface Explanation {
  readonly spec: AttentionSpec;
  readonly source: Source;
  readonly notes: readonly string[];
}

export interface PanelSettings {
  readonly backend: 'auto' | 'cpu' | 'webgpu';
  /** Digits after the decimal point inside cells. */
  readonly digits: number;
}

/** A Problem as the page shows it: with the line and column the host resolved. */
export interface LocatedProblem extends Problem {
  readonly line?: number;
  readonly column?: number;
}

export type HostMessage =
  | { readonly type: 'explain'; readonly explanation: Explanation; readonly settings: PanelSettings }
  /** Bad input: the previous explanation stays. */
  | { readonly type: 'problems'; readonly label: string; readonly problems: readonly LocatedProblem[] }
  /** The source text changed since (`stale`), or is again what was explained (`fresh`), or is `gone`. */
  | { readonly type: 'source'; readonly state: 'fresh' | 'stale' | 'gone' }
  | { readonly type: 'settings'; readonly settings: PanelSettings };

export type PageMessage =
  /** The page can receive; `restored` says that it already shows an explanation from its saved state. */
  | { readonly type: 'ready'; readonly restored: boolean; readonly explanation?: Explanation }
  /** Read the source again and explain it with the page's present switches. */
  | { readonly type: 'recompute' }
  /** Show this range of the source in the editor; offsets are relative to `source.range.start`. */
  | { readonly type: 'reveal'; readonly start: number; readonly end: number }
  /** Ask for a new input (the empty state's action). */
  | { readonly type: 'askInput' }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };

/** What the page saves with `setState` and gets back after hiding or a reload. Versioned: an unknown version is ignored. */
export interface PageState {
  readonly version: 1;
  readonly explanation: Explanation;
  readonly settings: PanelSettings;
  readonly step?: string;
  readonly cell?: readonly number[];
}
