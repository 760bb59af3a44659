import {
  inStretches,
  lessonLimit,
  positionAt,
  readingLesson,
  readLesson,
  type Problem,
  type ReadLesson,
} from '../../engine/index';
import { hasLessonBlock } from '../activation';

/** Whether a text has blocks of ours, and is not so long that nobody would read it. */
export const hasBlocks = (text: string): boolean => text.length <= 8 * lessonLimit && hasLessonBlock(text);

/** Lessons that were read last: a preview renders all blocks of one text in turn. */
const kept: { readonly source: string; readonly read: ReadLesson }[] = [];
const most = 4;

/** The lesson of a text, read once. */
export function lessonIn(source: string): ReadLesson {
  const known = kept.find((k) => k.source === source);
  if (known) return known.read;
  return keep(source, readLesson(source));
}

/** Milliseconds that a preview may hold the host, which everything else waits for too. */
const atOnce = 100;
/** Texts that are being read for previews: of older ones the reading ends. */
const underWay: string[] = [];

export interface Waiting {
  readonly ready: () => void;
  readonly failed: (error: unknown) => void;
  /** For tests; a tenth of a second otherwise. */
  readonly milliseconds?: number;
}

/**
 * The lesson of a text for those who cannot wait: undefined where it takes longer than a tenth of a second. It is then read on in stretches,
 * and `ready` is called once it is there, unless the preview has asked for other texts meanwhile.
 */
export function lessonNow(source: string, { ready, failed, milliseconds = atOnce }: Waiting): ReadLesson | undefined {
  const known = kept.find((k) => k.source === source);
  if (known) return known.read;
  if (underWay.includes(source)) return undefined;
  const work = readingLesson(source);
  const until = Date.now() + milliseconds;
  do {
    const part = work.next();
    if (part.done) return keep(source, part.value);
  } while (Date.now() < until);
  underWay.unshift(source);
  underWay.splice(most);
  inStretches(work, () => !underWay.includes(source))
    .then((read) => {
      if (!read) return;
      underWay.splice(underWay.indexOf(source), 1);
      keep(source, read);
      ready();
    })
    .catch(failed);
  return undefined;
}

/** The same in stretches; undefined once it is cancelled. */
export async function lessonSoon(source: string, isCancelled: () => boolean): Promise<ReadLesson | undefined> {
  const known = kept.find((k) => k.source === source);
  if (known) return known.read;
  const read = await inStretches(readingLesson(source), isCancelled);
  return read && keep(source, read);
}

function keep(source: string, read: ReadLesson): ReadLesson {
  kept.unshift({ source, read });
  kept.splice(most);
  return read;
}

/** `line 12, column 5: message. Hint.` */
export function said({ message, hint, range }: Problem, source: string, t: Translate): string {
  const at = range && positionAt(source, range.start);
  const place = at ? `${t('line {0}, column {1}', at.line, at.column)}: ` : '';
  return `${place}${message}.${hint === undefined ? '' : ` ${hint}`}`;
}

/** `vscode.l10n.t`, given: these files need no VS Code. */
export type Translate = (text: string, ...values: readonly (string | number)[]) => string;
