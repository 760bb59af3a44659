import {
  inStretches,
  lessonLimit,
  positionAt,
  readingLesson,
  readLesson,
  type Problem,
  type ReadLesson,
} from '../../engine/index';
import { opensBlock } from './blocks';

/** Whether a text has blocks of ours, and is not so long that nobody would read it. */
export const hasBlocks = (text: string): boolean => text.length <= 8 * lessonLimit && opensBlock(text);

/** Lessons that were read last: a preview renders all blocks of one text in turn. */
const kept: { readonly source: string; readonly read: ReadLesson }[] = [];
const most = 4;

/** The lesson of a text, read once. */
export function lessonIn(source: string): ReadLesson {
  const known = kept.find((k) => k.source === source);
  if (known) return known.read;
  return keep(source, readLesson(source));
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
