import { fail, ok, validateSpec, type AttentionSpec, type Problem, type Result } from '../../engine/index';
import { checkView, type PageTheme, type View } from '../protocol';
import { isProgress, type Progress } from './progress';

export { answeredIn, emptyProgress, isProgress, openIn, type Progress } from './progress';

/** What the host sends to a lesson's page. */
export type LessonHostMessage = {
  readonly type: 'lesson';
  /** Names the lesson; null where it is played without VS Code. */
  readonly uri: string | null;
  /** The file's name. */
  readonly name: string;
  /** The lesson's Markdown. */
  readonly source: string;
  /** What was answered so far, as the page sent it last. */
  readonly progress: Progress;
  /** The program's version, for the results file. */
  readonly program: string;
  /** Whose variant this is; '' and null where it is nobody's. */
  readonly student: string;
  readonly seed: number | null;
};

/** What a lesson's page asks of the host. None of these waits for an answer. */
export type LessonPageMessage =
  /** The page can receive. */
  | { readonly type: 'ready' }
  /** Keep this: something was answered, or a page was turned. */
  | { readonly type: 'progress'; readonly progress: Progress }
  /** Keep a copy of the page's `LessonState`, as JSON; '' gives up an earlier one. */
  | { readonly type: 'kept'; readonly state: string }
  /** Put a block into the explainer, which does not get the focus. */
  | {
      readonly type: 'show';
      readonly block: string;
      readonly spec: AttentionSpec;
      readonly view: View;
      /** Steps that are asked for: the explainer keeps them back. */
      readonly asked: readonly string[];
    }
  /** The explainer keeps back these steps of that block, and no others any more. */
  | { readonly type: 'asked'; readonly block: string; readonly asked: readonly string[] }
  /** Open a link of the lesson; anything but https is refused. */
  | { readonly type: 'link'; readonly href: string }
  /** Show a place of the lesson's Markdown in an editor. */
  | { readonly type: 'reveal'; readonly start: number; readonly end: number }
  /** Write the results file. */
  | { readonly type: 'handIn' }
  /** The lesson as one file that plays offline, in these colours. */
  | { readonly type: 'export'; readonly theme: PageTheme }
  /** As a file; what plays without VS Code hands in this way. */
  | { readonly type: 'save'; readonly name: string; readonly content: string }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };

/** What the page keeps for itself: VS Code gives it back after hiding and after a reload. */
export interface LessonState {
  readonly version: 1;
  readonly uri: string | null;
  /** When, in milliseconds since 1970: of VS Code's and the host's copy, the newer one is taken. */
  readonly saved?: number;
  /** Where the host cannot be asked (a saved page), the whole lesson. */
  readonly lesson?: LessonHostMessage;
  /** What was entered and not yet checked, by question. */
  readonly drafts: Readonly<Record<string, unknown>>;
  readonly presenting: boolean;
  readonly slide: number;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (v: unknown): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v);
const isText = (v: unknown): boolean => typeof v === 'string';
const isCount = (v: unknown): boolean => Number.isSafeInteger(v) && (v as number) >= 0;
const isTexts = (v: unknown): boolean => Array.isArray(v) && v.every(isText);
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
    progress: isProgress,
    program: isText,
    student: isText,
    seed: (v) => v === null || isCount(v),
  },
};

const pageShapes: Record<LessonPageMessage['type'], Shape> = {
  ready: {},
  progress: { progress: isProgress },
  kept: { state: isText },
  show: { block: isText, spec: isSpec, view: isView, asked: isTexts },
  asked: { block: isText, asked: isTexts },
  link: { href: isText },
  reveal: { start: isCount, end: isCount },
  handIn: {},
  export: { theme: isTheme },
  save: { name: isFileName, content: isText },
  log: { level: isLevel, message: isText },
};

/** Any value to a message of the host. Never throws; a Problem names the field. */
export const parseLessonHostMessage = (value: unknown): Result<LessonHostMessage> =>
  parse<LessonHostMessage>(value, hostShapes);

/** Any value to a message of the page. Never throws; a Problem names the field. */
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
