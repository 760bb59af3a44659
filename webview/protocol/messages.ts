import type {
  AttentionSpec,
  CheckVerdict,
  EncodingName,
  Problem,
  StatedField,
  Slice,
  SpecNumber,
} from '../../engine/index';
import type { TokenizedText, Reading, ControlValues } from '../choices';

/** Where an explanation came from, so that the page can name it and the host can read it again. */
export interface Source {
  /** For example `lesson.md:12`. */
  readonly label: string;
  /** Absent for typed input. */
  readonly uri?: string;
  /** UTF-16 offsets of the selection in the document. For text inputs a token's document offset is `range.start + token.start`. */
  readonly range?: { readonly start: number; readonly end: number };
  /** Hash of the selected text, by which later edits are noticed. */
  readonly textHash?: string;
}

/** One explanation: a spec, where it came from, and `notes` on what was inferred, which the page shows. */
export interface Explanation {
  readonly spec: AttentionSpec;
  readonly source: Source;
  readonly notes: readonly string[];
  /** Parts of the source that the explanation does not follow. Ranges are offsets in the source's document. */
  readonly unfollowed?: readonly LocatedProblem[];
  /** Values that the source states for fields of the spec, whether the spec follows them or not. */
  readonly said?: readonly StatedField[];
  /** Another spec of the same input that the reader can turn to. */
  readonly beside?: Beside;
  /** A result of the reader's that was compared with it, and what was found. `beside` then makes the mistakes that were found. */
  readonly checked?: CheckVerdict;
  /** The explanation that the reader turned from, and can come back to. */
  readonly turnedFrom?: Explanation;
}

/** Standard attention beside a program's. */
export interface Beside {
  readonly spec: AttentionSpec;
  readonly notes: readonly string[];
  /** How the two compare. */
  readonly says: string;
  /** The names of the links there and back; by default those of standard attention beside code. */
  readonly links?: { readonly there: string; readonly says: string; readonly back: string };
}

export interface PanelSettings {
  readonly backend: 'auto' | 'cpu' | 'webgpu';
  /** Digits after the decimal point inside cells. */
  readonly digits: number;
}

/** A Problem with the line and column of its range, which the host resolved. */
export interface LocatedProblem extends Problem {
  readonly line?: number;
  readonly column?: number;
}

/** What is looked at; saved beside a spec in a file or a link. Values that do not fit the plan are clamped to the nearest that do. */
export interface View {
  readonly step?: string;
  /** [row, column] in that step. */
  readonly cell?: readonly number[];
  readonly slice?: Slice;
  /** Digits after the decimal point inside cells. */
  readonly digits?: number;
  /** Whether tokens are drawn as columns. */
  readonly columns?: boolean;
  /** Whether the question of a text is shown first, where a trained model reads it. */
  readonly opening?: boolean;
  /** Where the cursor stands in the text, in UTF-16 units: the question is about the token there. */
  readonly cursor?: number;
}

export type HostMessage =
  | {
      readonly type: 'explain';
      readonly explanation: Explanation;
      readonly settings: PanelSettings;
      readonly view?: View;
      /** Steps that a lesson asks for. They and the steps that depend on them are hidden until they are answered. */
      readonly asked?: readonly string[];
    }
  /** Updates `asked` of the current explanation, if its label is this one. */
  | { readonly type: 'asked'; readonly label: string; readonly steps: readonly string[] }
  /** One chunk of the numbers of an explanation that is too large for a single message. `of` identifies the explanation. */
  | { readonly type: 'numbers'; readonly of: number; readonly index: number; readonly values: Float64Array }
  /** Sent after all `parts` chunks: the `explain` message without its numbers (engine/run/pack.ts). */
  | { readonly type: 'packed'; readonly of: number; readonly parts: number; readonly message: unknown }
  /** Bad input. The previous explanation stays. */
  | { readonly type: 'problems'; readonly label: string; readonly problems: readonly LocatedProblem[] }
  /** The source text was edited since (`stale`), equals what was explained (`fresh`), or no longer exists (`gone`). */
  /** `label`: where it stands now, if that is another place than the explanation's source says. */
  | { readonly type: 'source'; readonly state: SourceState; readonly label?: string }
  | { readonly type: 'settings'; readonly settings: PanelSettings }
  /** The vocabulary that the page requested: the bytes of `vocabularyFile(encoding)`. */
  | { readonly type: 'vocabulary'; readonly encoding: EncodingName; readonly bytes: Uint8Array }
  /** The file of a model of the extension that the page requested, or of its tokenizer. */
  | { readonly type: 'modelFile'; readonly file: string; readonly bytes: Uint8Array }
  /** A tokenizer.json or vocab.txt that the reader chose for the current text. */
  | { readonly type: 'tokenizerFile'; readonly name: string; readonly text: string }
  /** An encoding that was requested or a file that was chosen cannot be used. The current tokens stay. */
  | { readonly type: 'noTokenizer'; readonly name: string; readonly problems: readonly LocatedProblem[] }
  /** Go to this step: the cursor was put on its line of the code. */
  | { readonly type: 'goTo'; readonly step: string }
  /** Where the reader is in a document that is read from place to place; nothing once that has ended. */
  | { readonly type: 'along'; readonly place?: AlongPlace }
  /** A command of the command palette, with the same effect as its key in the page. */
  | { readonly type: 'act'; readonly action: PageAction };

/** A place of a document that is read along. */
export interface AlongPlace {
  /** The first is 1. */
  readonly at: number;
  readonly of: number;
  readonly says: string;
  readonly playing: boolean;
  /** `2×` */
  readonly pace: string;
  /** Where no editor stands beside the page, the document's lines: before the place, the place, behind it. */
  readonly excerpt?: readonly string[];
}

/** A place of a way that is saved with the page. */
export interface AlongStop extends Pick<AlongPlace, 'says'> {
  readonly excerpt: readonly string[];
  /** Undefined where it is one of another attention, which the page does not have. */
  readonly step?: string;
}

export const alongActs = ['previous', 'play', 'next', 'faster', 'stop'] as const;
export type AlongAct = (typeof alongActs)[number];

export const pageActions = ['find', 'nextStep', 'previousStep', 'turn'] as const;
export type PageAction = (typeof pageActions)[number];

export type SourceState = 'fresh' | 'stale' | 'gone';

export type PageMessage =
  /** The page is ready to receive. `restored`: it already shows an explanation from its saved state, with this `source`. */
  | { readonly type: 'ready'; readonly restored: boolean; readonly source?: Source }
  /** Read the source again and reply with `explain`. The page applies its current control values to it. */
  | { readonly type: 'recompute' }
  /** Reveal this range of the source in the editor. Offsets are relative to `source.range.start`. */
  | { readonly type: 'reveal'; readonly start: number; readonly end: number }
  /** The current step of a program and the selected cell [row, column]. `reveal`: the reader asked to see its line in the editor. */
  | {
      readonly type: 'step';
      readonly step: string;
      readonly cell?: readonly number[];
      readonly reveal: boolean;
    }
  /** What the reader asks of the way through the document. */
  | { readonly type: 'along'; readonly act: AlongAct }
  /** Ask the reader for an input (the action of the empty page). */
  | { readonly type: 'askInput' }
  /** Explain as text the input that was refused last, or was read as something else. */
  | { readonly type: 'explainAsText' }
  /** Request an encoding's vocabulary; the reply is `vocabulary` or `noTokenizer`. Without a reply the page times out and says so. */
  | { readonly type: 'vocabulary'; readonly encoding: EncodingName }
  /** Request a file of a model of the extension; the reply is `modelFile` or `noTokenizer`. */
  | { readonly type: 'modelFile'; readonly file: string }
  /** Let the reader choose a tokenizer file. Replied to by `tokenizerFile`, `noTokenizer` or, if cancelled, nothing. */
  | { readonly type: 'chooseTokenizer' }
  /** Copy a text to the clipboard; `what` names it in the status bar. */
  | { readonly type: 'copy'; readonly text: string; readonly what: string }
  /** Open a text as a new, unsaved document. */
  | { readonly type: 'open'; readonly language: 'python' | 'json'; readonly content: string }
  /** Copy a link that opens this explanation. If it is too long for a link, the host offers to save a file. */
  | { readonly type: 'link'; readonly spec: AttentionSpec; readonly view: View }
  /**
   * Like `link`, if the explanation is known to be too large for one: the bytes of the file to offer, so that its numbers are not serialised as
   * values of a message.
   */
  | { readonly type: 'noLink'; readonly content: Uint8Array }
  /** Write edited matrices of the input back into the document, if its text still has this hash. */
  | { readonly type: 'writeBack'; readonly textHash: string; readonly matrices: readonly Rewritten[] }
  /** Save the whole page as one file that works offline: its state and its current colours. */
  | { readonly type: 'savePage'; readonly state: PageState | JsonBytes; readonly theme: PageTheme }
  /** The page's state as JSON, which the host stores with the workspace; '' if it is too large. */
  | { readonly type: 'kept'; readonly state: string }
  /** Save a file; the host asks where. */
  | { readonly type: 'save'; readonly name: string; readonly content: string | Uint8Array }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };

/** A matrix of the input that was edited: the original and the current numbers, row-major. */
export interface Rewritten {
  /** Id of its step: `q`, `wk`, `mask`. */
  readonly role: string;
  readonly symbol: string;
  readonly shape: readonly number[];
  readonly was: SentNumbers;
  readonly now: SentNumbers;
}

/** Numbers as in a spec, or as a typed array if there are many, which VS Code transfers in binary. */
export type SentNumbers = readonly SpecNumber[] | Float64Array;

/** JSON in UTF-8. VS Code transfers bytes unchanged, while a large value would be serialised and parsed again. */
export type JsonBytes = Uint8Array;

/** VS Code's CSS variables and the body's classes, which set the page's colours. */
export interface PageTheme {
  readonly classes: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What the page saves with `setState` and restores after being hidden or reloaded. Versioned: an unknown version is ignored. */
export interface PageState {
  readonly version: 1;
  /** Identifies the panel, as the host named it. */
  readonly panel?: string;
  /** Time of saving, in milliseconds since 1970: of VS Code's and the host's copy, the newer one is restored. */
  readonly saved?: number;
  /** As the host sent it. What is shown is this with `switches` applied. */
  readonly explanation: Explanation;
  readonly settings: PanelSettings;
  readonly switches: ControlValues;
  /** Tokenisations of the text by encodings and files, so that their vocabularies need not be loaded again. */
  readonly cuts?: readonly TokenizedText[];
  readonly past: readonly ControlValues[];
  readonly future: readonly ControlValues[];
  readonly step?: string;
  /** [row, column] in the current step. */
  readonly cell?: readonly number[];
  /** Absent in states of earlier versions. */
  readonly slice?: Slice;
  /** The explanation that is compared with. */
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
  /** Absent in states of earlier versions. */
  readonly reading?: Reading;
}
