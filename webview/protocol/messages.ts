import type { AttentionSpec, EncodingName, Problem, StatedField, Slice, SpecNumber } from '../../engine/index';
import type { TokenizedText, Reading, ControlValues } from '../choices';

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
  /** What stands in the source and is not part of the explanation; ranges are those of its document. */
  readonly unfollowed?: readonly LocatedProblem[];
  /** What the source says of fields of the spec, followed or not. */
  readonly said?: readonly StatedField[];
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

/** What is looked at: kept beside a spec in a file or a link. What does not fit the spec's plan is brought to the nearest that does. */
export interface View {
  readonly step?: string;
  /** [row, column] in that step. */
  readonly cell?: readonly number[];
  readonly slice?: Slice;
  /** Digits after the decimal point inside cells. */
  readonly digits?: number;
  /** Tokens are drawn as columns. */
  readonly columns?: boolean;
}

export type HostMessage =
  | {
      readonly type: 'explain';
      readonly explanation: Explanation;
      readonly settings: PanelSettings;
      readonly view?: View;
      /** Steps that a lesson asks for: what comes of them is hidden until it is answered. */
      readonly asked?: readonly string[];
    }
  /** Which steps a lesson still asks for, where what is shown has this label. */
  | { readonly type: 'asked'; readonly label: string; readonly steps: readonly string[] }
  /** A part of the numbers of an explanation that is too large to be sent at a stretch. `of` tells one from another. */
  | { readonly type: 'numbers'; readonly of: number; readonly index: number; readonly values: Float64Array }
  /** That explanation, after all its parts: an `explain` without its numbers (engine/run/pack.ts). */
  | { readonly type: 'packed'; readonly of: number; readonly parts: number; readonly message: unknown }
  /** Bad input: the previous explanation stays. */
  | { readonly type: 'problems'; readonly label: string; readonly problems: readonly LocatedProblem[] }
  /** The source text changed since (`stale`), or is again what was explained (`fresh`), or is `gone`. */
  | { readonly type: 'source'; readonly state: SourceState }
  | { readonly type: 'settings'; readonly settings: PanelSettings }
  /** The vocabulary that the page asked for: the bytes of `vocabularyFile(encoding)`. */
  | { readonly type: 'vocabulary'; readonly encoding: EncodingName; readonly bytes: Uint8Array }
  /** A tokenizer.json or vocab.txt that the reader chose, to be used for the text that is shown. */
  | { readonly type: 'tokenizerFile'; readonly name: string; readonly text: string }
  /** There is no such tokenizer: an encoding that was asked for, or a chosen file. What is shown stays. */
  | { readonly type: 'noTokenizer'; readonly name: string; readonly problems: readonly LocatedProblem[] }
  /** Show this step: the caret stands on its line of the code that is explained. */
  | { readonly type: 'goTo'; readonly step: string }
  /** A command of the palette, done as by its key in the page. */
  | { readonly type: 'act'; readonly action: PageAction };

export const pageActions = ['find', 'nextStep', 'previousStep', 'turn'] as const;
export type PageAction = (typeof pageActions)[number];

export type SourceState = 'fresh' | 'stale' | 'gone';

export type PageMessage =
  /** The page can receive; `restored` says that it already shows an explanation from its saved state, `source` whose. */
  | { readonly type: 'ready'; readonly restored: boolean; readonly source?: Source }
  /** Read the source again and send it with `explain`; the page applies its present switches to it. */
  | { readonly type: 'recompute' }
  /** Show this range of the source in the editor; offsets are relative to `source.range.start`. */
  | { readonly type: 'reveal'; readonly start: number; readonly end: number }
  /** The step of a program that is shown now, with its cell [row, column]; `reveal`: the reader asks for its line in the editor. */
  | {
      readonly type: 'step';
      readonly step: string;
      readonly cell?: readonly number[];
      readonly reveal: boolean;
    }
  /** Ask for a new input (the empty state's action). */
  | { readonly type: 'askInput' }
  /** Explain as text what was refused last, or was read as something else. */
  | { readonly type: 'explainAsText' }
  /** Send this encoding's vocabulary: `vocabulary` or `noTokenizer`. Without either the page gives up after a while and says so. */
  | { readonly type: 'vocabulary'; readonly encoding: EncodingName }
  /** Let the reader choose a file. Nothing waits for it: `tokenizerFile` or `noTokenizer` may come, or nothing. */
  | { readonly type: 'chooseTokenizer' }
  /** Onto the clipboard; `what` names it in the status bar. */
  | { readonly type: 'copy'; readonly text: string; readonly what: string }
  /** As a new, unsaved document of that language. */
  | { readonly type: 'open'; readonly language: 'python' | 'json'; readonly content: string }
  /** A link that opens this, onto the clipboard; where it is too long for one, the host offers a file. */
  | { readonly type: 'link'; readonly spec: AttentionSpec; readonly view: View }
  /** The same of what is too large for a link: the file that the host then offers, so that none of its numbers is a value of a message. */
  | { readonly type: 'noLink'; readonly content: Uint8Array }
  /** Put what was written into the input's own matrices into the document, if its text still has this hash. */
  | { readonly type: 'writeBack'; readonly textHash: string; readonly matrices: readonly Rewritten[] }
  /** The whole page as one file that works offline: what it saves of itself, and the colours that it has. */
  | { readonly type: 'savePage'; readonly state: PageState | JsonBytes; readonly theme: PageTheme }
  /** The page's state as JSON, to be kept with the workspace; '' where it is too large for that. */
  | { readonly type: 'kept'; readonly state: string }
  /** As a file: the host asks where. */
  | { readonly type: 'save'; readonly name: string; readonly content: string | Uint8Array }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };

/** A matrix of the input that was written into: its numbers as they came and as they are now, row-major, as a spec has them. */
export interface Rewritten {
  /** The step that it is: `q`, `wk`, `mask`. */
  readonly role: string;
  readonly symbol: string;
  readonly shape: readonly number[];
  readonly was: SentNumbers;
  readonly now: SentNumbers;
}

/** Numbers as a spec has them; many of them in binary, which VS Code carries as it is. */
export type SentNumbers = readonly SpecNumber[] | Float64Array;

/** JSON in UTF-8: a large value is so sent without being taken apart on the way. */
export type JsonBytes = Uint8Array;

/** VS Code's variables and classes, which give the page its colours. */
export interface PageTheme {
  readonly classes: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What the page saves with `setState` and gets back after hiding or a reload. Versioned: an unknown version is ignored. */
export interface PageState {
  readonly version: 1;
  /** Which panel the page is in, as the host named it. */
  readonly panel?: string;
  /** When, in milliseconds since 1970: of VS Code's and the host's copy, the newer one is taken. */
  readonly saved?: number;
  /** As the host sent it; what is shown is this with `switches`. */
  readonly explanation: Explanation;
  readonly settings: PanelSettings;
  readonly switches: ControlValues;
  /** The tokens that encodings and files have made of the text, so that none of them is needed again. */
  readonly cuts?: readonly TokenizedText[];
  readonly past: readonly ControlValues[];
  readonly future: readonly ControlValues[];
  readonly step?: string;
  /** [row, column] in the current step. */
  readonly cell?: readonly number[];
  /** Absent in what earlier versions saved. */
  readonly slice?: Slice;
  /** What is compared with. */
  readonly pinned?: {
    readonly explanation: Explanation;
    readonly switches: ControlValues;
    readonly cuts: readonly TokenizedText[];
  };
  readonly differences?: boolean;
  readonly source: SourceState;
  readonly scroll: number;
  readonly controlsOpen: boolean;
  readonly notesHidden: boolean;
  /** Absent in what earlier versions saved. */
  readonly reading?: Reading;
}
