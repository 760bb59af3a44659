import {
  fail,
  ok,
  validateSpec,
  type AttentionSpec,
  type ComputedBlocks,
  type Problem,
  type Result,
} from '../../engine/index';
import { checkView, type PageTheme, type View } from '../protocol';
import { isProgress, type Progress } from './progress';

export { answeredIn, emptyProgress, isProgress, openIn, type Progress } from './progress';

/** Messages of the host to a lesson's page. */
export type LessonHostMessage = LessonMessage | ModelFileMessage | NoModelFileMessage;

/** The bytes of a file of a model of the extension, by its name. */
export interface ModelFileMessage {
  readonly type: 'modelFile';
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Why a file of a model cannot be sent. */
export interface NoModelFileMessage {
  readonly type: 'noTokenizer';
  readonly name: string;
  readonly problems: readonly Problem[];
}

/** A lesson, and how far its reader has come. */
export interface LessonMessage {
  readonly type: 'lesson';
  /** Identifies the lesson; null in a saved page, which has no host. */
  readonly uri: string | null;
  /** The file's name. */
  readonly name: string;
  /** The lesson's Markdown. */
  readonly source: string;
  /** What code in its blocks computes: the page has no reader of programs. */
  readonly computed?: ComputedBlocks;
  /** The progress as the page last sent it. */
  readonly progress: Progress;
  /** Version of the extension, for the results file. */
  readonly program: string;
  /** The student and seed of a personal variant; '' and null if it is none. */
  readonly student: string;
  readonly seed: number | null;
  /** Whether its folder is marked as an exam; the lesson's own text may be too. */
  readonly exam?: boolean;
  /** Title of the lesson that follows in its course. */
  readonly next?: string;
}

/** Messages of a lesson's page to the host. Only `modelFile` is answered. */
export type LessonPageMessage =
  /** Send a file of a model that the lesson names. */
  | { readonly type: 'modelFile'; readonly file: string }
  /** The page is ready to receive. */
  | { readonly type: 'ready' }
  /** Save the progress: a question was answered or a page turned. */
  | { readonly type: 'progress'; readonly progress: Progress }
  /** Save a copy of the page's `LessonState`, as JSON. '' deletes an earlier copy. */
  | { readonly type: 'kept'; readonly state: string }
  /** Show a block in the explainer without focusing it. */
  | {
      readonly type: 'show';
      readonly block: string;
      readonly spec: AttentionSpec;
      readonly view: View;
      /** Steps that open questions ask for. The explainer hides them. */
      readonly asked: readonly string[];
    }
  /** Replaces the list of hidden steps of a block. */
  | { readonly type: 'asked'; readonly block: string; readonly asked: readonly string[] }
  /** Open a link of the lesson. Only https is accepted. */
  | { readonly type: 'link'; readonly href: string }
  /** Show a range of the lesson's Markdown in an editor. */
  | { readonly type: 'reveal'; readonly start: number; readonly end: number }
  /** Open the lesson that follows. */
  | { readonly type: 'nextLesson' }
  /** Write the results file. */
  | { readonly type: 'handIn' }
  /** Save the lesson as a single file that plays offline, with these colours. */
  | { readonly type: 'export'; readonly theme: PageTheme }
  /** Save a file. A saved page hands in its results this way. */
  | { readonly type: 'save'; readonly name: string; readonly content: string }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };

/** The page's own state, which VS Code restores after the page was hidden or reloaded. */
export interface LessonState {
  readonly version: 1;
  readonly uri: string | null;
  /** Time of saving, in milliseconds since 1970: of VS Code's and the host's copy, the newer one is restored. */
  readonly saved?: number;
  /** The whole lesson, in a saved page, which has no host. */
  readonly lesson?: LessonMessage;
  /** Responses that were entered but not checked, by question. */
  readonly drafts: Readonly<Record<string, unknown>>;
  readonly presenting: boolean;
  readonly slide: number;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (v: unknown): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v);
const isText = (v: unknown): boolean => typeof v === 'string';
const isCount = (v: unknown): boolean => Number.isSafeInteger(v) && (v as number) >= 0;
const isTexts = (v: unknown): boolean => Array.isArray(v) && v.every(isText);
const isProblems = (v: unknown): boolean =>
  Array.isArray(v) && v.every((one) => isFields(one) && isText(one['message']));
const isRead = (v: unknown): boolean =>
  isFields(v) && (v['ok'] === true ? isFields(v['value']) && isFields(v['value']['spec']) && isTexts(v['value']['notes']) : isProblems(v['problems'])); // prettier-ignore
const isFileName = (v: unknown): boolean => typeof v === 'string' && /^[\w-][\w. -]{0,100}$/.test(v);
const isSpec = (v: unknown): boolean => validateSpec(v).ok;
const isLevel = (v: unknown): boolean => v === 'info' || v === 'warn' || v === 'error';
const isTheme = (v: unknown): boolean => isFields(v) && isText(v['classes']) && isFields(v['variables']);

function isView(v: unknown): boolean {
  const problems: Problem[] = [];
  checkView(v, 'view', problems);
  return problems.length === 0;
}

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;

const hostShapes: Record<LessonHostMessage['type'], Shape> = {
  lesson: {
    uri: (v) => v === null || isText(v),
    name: isText,
    source: isText,
    computed: (v) => v === undefined || (isFields(v) && Object.values(v).every(isRead)),
    progress: isProgress,
    program: isText,
    student: isText,
    seed: (v) => v === null || isCount(v),
    exam: (v) => v === undefined || typeof v === 'boolean',
    next: (v) => v === undefined || isText(v),
  },
  modelFile: { file: isText, bytes: (v) => v instanceof Uint8Array },
  noTokenizer: { name: isText, problems: isProblems },
};

const pageShapes: Record<LessonPageMessage['type'], Shape> = {
  ready: {},
  modelFile: { file: isText },
  progress: { progress: isProgress },
  kept: { state: isText },
  show: { block: isText, spec: isSpec, view: isView, asked: isTexts },
  asked: { block: isText, asked: isTexts },
  link: { href: isText },
  reveal: { start: isCount, end: isCount },
  handIn: {},
  nextLesson: {},
  export: { theme: isTheme },
  save: { name: isFileName, content: isText },
  log: { level: isLevel, message: isText },
};

/** Validates a message of the host. Never throws; a Problem names the field. */
export const parseLessonHostMessage = (value: unknown): Result<LessonHostMessage> =>
  parse<LessonHostMessage>(value, hostShapes);

/** Validates a message of the page. Never throws; a Problem names the field. */
export const parseLessonPageMessage = (value: unknown): Result<LessonPageMessage> =>
  parse<LessonPageMessage>(value, pageShapes);

function parse<M extends { readonly type: string }>(value: unknown, shapes: Record<M['type'], Shape>): Result<M> {
  const type = isFields(value) ? value['type'] : undefined;
  const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type as M['type']] : undefined;
  if (!shape || !isFields(value)) return fail(refused('type', type));
  const bad = Object.entries(shape).filter(([name, accepts]) => !accepts(value[name]));
  return bad.length ? fail(...bad.map(([name]) => refused(`${String(type)}.${name}`, value[name]))) : ok(value as M);
}

const refused = (path: string, value: unknown): Problem => ({
  code: 'message', path, message: `${path}: ${(JSON.stringify(value) ?? 'nothing').slice(0, 60)} is not accepted`,
}); // prettier-ignore
