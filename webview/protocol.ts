import {
  encodingNames,
  fail,
  ok,
  validateSpec,
  type AttentionSpec,
  type EncodingName,
  type Problem,
  type Result,
  type Slice,
  type SpecNumber,
} from '../engine/index';
import type { Cut } from './tokens/cuts';
import type { Reading } from './reading/index';
import type { Switches } from './switches';

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
  /** That explanation, after all its parts: an `explain` without its numbers (engine/packed.ts). */
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
  /** Ask for a new input (the empty state's action). */
  | { readonly type: 'askInput' }
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
  /** As the host sent it; what is shown is this with `switches`. */
  readonly explanation: Explanation;
  readonly settings: PanelSettings;
  readonly switches: Switches;
  /** The tokens that encodings and files have made of the text, so that none of them is needed again. */
  readonly cuts?: readonly Cut[];
  readonly past: readonly Switches[];
  readonly future: readonly Switches[];
  readonly step?: string;
  /** [row, column] in the current step. */
  readonly cell?: readonly number[];
  /** Absent in what earlier versions saved. */
  readonly slice?: Slice;
  /** What is compared with. */
  readonly pinned?: {
    readonly explanation: Explanation;
    readonly switches: Switches;
    readonly cuts: readonly Cut[];
  };
  readonly differences?: boolean;
  readonly source: SourceState;
  readonly scroll: number;
  readonly controlsOpen: boolean;
  readonly notesHidden: boolean;
  /** Absent in what earlier versions saved. */
  readonly reading?: Reading;
}

/**
 * The page's content security policy: everything is forbidden but what is named here.
 * `cspSource` is `webview.cspSource`, `nonce` a fresh random one for each load.
 */
export function contentSecurityPolicy(cspSource: string, nonce: string): string {
  return [
    // No network at all (fetch, sockets, frames, images, media fall back to this): nothing a reader selects can leave.
    "default-src 'none'",
    // The one bundle, named by its nonce. No eval, no inline handler, no second script. 'wasm-unsafe-eval' lets a worker compile the
    // WebAssembly kernels, which are bytes of the bundle; it allows no JavaScript from text. Where a host refuses it, previews wait for the exact values.
    `script-src 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    // The stylesheet beside it. The toolkit tests for CSS grid with one <style> element that carries the nonce of
    // <meta property="csp-nonce">; its components use constructed style sheets, KaTeX the CSSOM: neither needs 'unsafe-inline'.
    `style-src ${cspSource} 'nonce-${nonce}'`,
    // KaTeX's woff2 files, which lie beside the stylesheet.
    `font-src ${cspSource}`,
    // Large inputs compute in a worker started from a blob made of the bundle's own text.
    'worker-src blob:',
    // Not covered by default-src.
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

// --- run-time validation, used at both ends ---------------------------------------

type Fields = Record<string, unknown>;
/** Adds what does not fit, with its path. */
type Check = (value: unknown, path: string, problems: Problem[]) => void;

/** Any value to a message of the host. Never throws; problems carry the path of the field. */
export const parseHostMessage = (value: unknown): Result<HostMessage> => parse<HostMessage>(value, hostMessages);

/** Any value to a message of the page. Never throws; problems carry the path of the field. */
export const parsePageMessage = (value: unknown): Result<PageMessage> => parse<PageMessage>(value, pageMessages);

function parse<M extends { type: string }>(value: unknown, shapes: Record<M['type'], Shape>): Result<M> {
  const problems: Problem[] = [];
  const type = isFields(value) ? value['type'] : undefined;
  const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type as M['type']] : undefined;
  if (!shape) return fail(unexpected('type', Object.keys(shapes).join(', '), type));
  object(shape)(value, '', problems);
  return problems.length ? fail(...problems) : ok(value as M);
}

interface Shape {
  readonly required: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unexpected(path: string, wanted: string, found: unknown): Problem {
  const shown = found === undefined ? 'nothing' : (JSON.stringify(found) ?? typeof found);
  const short = shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
  return { code: 'message', path, message: `${path || 'message'}: expected ${wanted}, found ${short}` };
}

const test =
  (wanted: string, accepts: (value: unknown) => boolean): Check =>
  (value, path, problems) => {
    if (!accepts(value)) problems.push(unexpected(path, wanted, value));
  };

/** Fields that are not named are let through: a newer other end may send more. */
function object({ required, optional = {} }: Shape): Check {
  return (value, path, problems) => {
    if (!isFields(value)) return void problems.push(unexpected(path, 'an object', value));
    const at = (name: string): string => (path ? `${path}.${name}` : name);
    for (const [name, check] of Object.entries(required)) check(value[name], at(name), problems);
    for (const [name, check] of Object.entries(optional)) {
      if (value[name] !== undefined) check(value[name], at(name), problems);
    }
  };
}

const list =
  (item: Check): Check =>
  (value, path, problems) => {
    if (!Array.isArray(value)) return void problems.push(unexpected(path, 'a list', value));
    value.forEach((entry, i) => item(entry, `${path}[${i}]`, problems));
  };

const text = test('a text', (v) => typeof v === 'string');
const anything = test('an object', isFields);
const flag = test('true or false', (v) => typeof v === 'boolean');
const isCount = (v: unknown): boolean => Number.isSafeInteger(v) && (v as number) >= 0;
const count = test('a whole number from 0', isCount);
const oneOf = (...values: readonly string[]): Check => test(values.join(' or '), (v) => values.includes(v as string));

const encoding = oneOf(...encodingNames);
/** A name without a folder: what a page sends never decides where a file goes. */
const fileName = test('a file name', (v) => typeof v === 'string' && /^[\w-][\w.-]{0,100}$/.test(v));

const spec: Check = (value, path, problems) => {
  const result = validateSpec(value);
  if (!result.ok) problems.push(...result.problems.map((p) => ({ ...p, path: `${path}.${p.path ?? ''}` })));
};

const range = object({ required: { start: count, end: count } });
const source = object({ required: { label: text }, optional: { uri: text, range, textHash: text } });

/** Checks for whoever keeps an explanation or settings outside of messages (the page's saved state). */
export const checkExplanation: Check = object({ required: { spec, source, notes: list(text) } });
export const checkSettings: Check = object({
  required: { backend: oneOf('auto', 'cpu', 'webgpu'), digits: test('0 to 15', isDigits) },
});
export const checkSourceState: Check = oneOf('fresh', 'stale', 'gone');

function isDigits(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 15;
}

const locatedProblem = object({
  required: { code: text, message: text },
  optional: { hint: text, range, path: text, line: count, column: count },
});

/** For a view from anywhere: a file, a link. */
export const checkView: Check = object({
  required: {},
  optional: {
    step: test('a short text', (v) => typeof v === 'string' && v.length <= 100),
    cell: test('[row, column]', (v) => Array.isArray(v) && v.length === 2 && v.every(isCount)),
    slice: object({ required: { batch: count, head: count } }),
    digits: test('0 to 15', isDigits),
    columns: flag,
  },
});

const hostMessages: Record<HostMessage['type'], Shape> = {
  explain: {
    required: { explanation: checkExplanation, settings: checkSettings },
    optional: { view: checkView, asked: list(text) },
  },
  asked: { required: { label: text, steps: list(text) } },
  numbers: { required: { of: count, index: count, values: test('numbers', (v) => v instanceof Float64Array) } },
  packed: { required: { of: count, parts: count, message: anything } },
  problems: { required: { label: text, problems: list(locatedProblem) } },
  source: { required: { state: checkSourceState } },
  settings: { required: { settings: checkSettings } },
  vocabulary: { required: { encoding, bytes: test('bytes', (v) => v instanceof Uint8Array) } },
  tokenizerFile: { required: { name: text, text } },
  noTokenizer: { required: { name: text, problems: list(locatedProblem) } },
  act: { required: { action: oneOf(...pageActions) } },
};

const specNumber = test('a number of a spec', (v) =>
  typeof v === 'number' ? Number.isFinite(v) : ['inf', '-inf', 'nan', '-0'].includes(v as string));
const specNumbers = list(specNumber);
const sentNumbers: Check = (value, path, problems) => {
  if (!(value instanceof Float64Array)) specNumbers(value, path, problems);
};
const rewritten = object({
  required: { role: text, symbol: text, shape: list(count), was: sentNumbers, now: sentNumbers },
});

const pageMessages: Record<PageMessage['type'], Shape> = {
  ready: { required: { restored: flag }, optional: { source } },
  recompute: { required: {} },
  reveal: { required: { start: count, end: count } },
  askInput: { required: {} },
  vocabulary: { required: { encoding } },
  chooseTokenizer: { required: {} },
  copy: { required: { text, what: text } },
  open: { required: { language: oneOf('python', 'json'), content: text } },
  link: { required: { spec, view: checkView } },
  noLink: { required: { content: test('bytes', (v) => v instanceof Uint8Array) } },
  writeBack: { required: { textHash: text, matrices: list(rewritten) } },
  savePage: { required: { state: anything, theme: object({ required: { classes: text, variables: anything } }) } },
  save: {
    required: {
      name: fileName,
      content: test('a text or bytes', (v) => typeof v === 'string' || v instanceof Uint8Array),
    },
  },
  log: { required: { level: oneOf('info', 'warn', 'error'), message: text } },
};
