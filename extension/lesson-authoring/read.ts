import {
  inStretches,
  lessonLimit,
  positionAt,
  readingLesson,
  type Paced,
  type Problem,
  type ReadLesson,
  unreadModelCode,
} from '../../engine/index';
import { hasLessonBlock } from '../activation';

/** Whether a text has blocks of a lesson, and is not much longer than lessons may be. */
export const hasBlocks = (text: string): boolean => text.length <= 8 * lessonLimit && hasLessonBlock(text);

/** Reads the models that lessons name. */
type ReadModels = (lesson: string) => Promise<void>;

let readModels: ReadModels = () => Promise.resolve();

/** Sets what reads the models that lessons name, once at activation. */
export function setModelReader(read: ReadModels): void {
  readModels = read;
}

/** Texts whose models were asked for once: what cannot be read is not tried again at each preview. */
const modelsAsked = new Set<string>();

const lacksModel = ({ problems }: ReadLesson): boolean => problems.some(({ code }) => code === unreadModelCode);

/** Cache of the lessons read last: the preview renders all blocks of a text one by one. */
const cache: { readonly source: string; readonly read: ReadLesson }[] = [];
const cacheSize = 4;

/** The lesson of a text, from the cache if possible. */
export function lessonIn(source: string): ReadLesson {
  const known = cache.find((k) => k.source === source);
  if (known) return known.read;
  const work = readingLesson(source);
  for (let waits = false; ;) {
    const part = work.next();
    // Nobody waits here for what code computes, so that such a reading is not the one to keep.
    if (part.done) return waits ? part.value : addToCache(source, part.value);
    waits ||= part.value !== undefined;
  }
}

/** Milliseconds for which the preview may block the extension host. */
const blockingMs = 100;
/** Texts that are being read for previews, newest first. Reading a text stops once it is removed. */
const beingRead: string[] = [];

export interface Waiting {
  readonly ready: () => void;
  readonly failed: (error: unknown) => void;
  /** Overrides `blockingMs`, in tests. */
  readonly milliseconds?: number;
}

/**
 * The lesson of a text if it can be read within `blockingMs` milliseconds, else undefined. Reading then continues in the background and calls `ready` at
 * its end, unless previews have asked for several other texts meanwhile.
 */
export function lessonWithin(
  source: string,
  { ready, failed, milliseconds = blockingMs }: Waiting,
): ReadLesson | undefined {
  const known = cache.find((k) => k.source === source);
  if (known) return known.read;
  if (beingRead.includes(source)) return undefined;
  const work = readingLesson(source);
  const until = Date.now() + milliseconds;
  let awaited: Promise<unknown> | undefined;
  do {
    const part = work.next();
    if (part.done) return addToCache(source, part.value, { ready, failed });
    awaited = part.value;
  } while (!awaited && Date.now() < until);
  beingRead.unshift(source);
  beingRead.splice(cacheSize);
  inStretches(continued(work, awaited), () => !beingRead.includes(source))
    .then((read) => {
      if (!read) return;
      beingRead.splice(beingRead.indexOf(source), 1);
      addToCache(source, read);
      ready();
    })
    .catch(failed);
  return undefined;
}

/** The rest of a work that has stopped where it waits for `awaited`. */
function* continued<T>(work: Paced<T>, awaited: Promise<unknown> | undefined): Paced<T> {
  yield awaited;
  return yield* work;
}

/** The lesson of a text, read in the background. Undefined if cancelled. */
export async function lessonAsync(source: string, isCancelled: () => boolean): Promise<ReadLesson | undefined> {
  const known = cache.find((k) => k.source === source);
  if (known) return known.read;
  await readModels(source);
  const read = await inStretches(readingLesson(source), isCancelled);
  return read && addToCache(source, read);
}

/** A lesson whose models are still to be read is not kept; `waiting` is told when they are there. */
function addToCache(source: string, read: ReadLesson, waiting?: Waiting): ReadLesson {
  if (lacksModel(read)) {
    if (waiting && !modelsAsked.has(source)) readModels(source).then(waiting.ready, waiting.failed);
    modelsAsked.add(source);
    return read;
  }
  cache.unshift({ source, read });
  cache.splice(cacheSize);
  return read;
}

/** A problem as text: `line 12, column 5: message. Hint.` */
export function problemText({ message, hint, range }: Problem, source: string, t: Translate): string {
  const at = range && positionAt(source, range.start);
  const place = at ? `${t('line {0}, column {1}', at.line, at.column)}: ` : '';
  return `${place}${message}.${hint === undefined ? '' : ` ${hint}`}`;
}

/** The signature of `vscode.l10n.t`. It is passed as a parameter, so that these files can be tested without VS Code. */
export type Translate = (text: string, ...values: readonly (string | number)[]) => string;
