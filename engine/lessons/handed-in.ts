// What of a folder that was handed in is read: files that anybody may have put there.
import { t, type Problem } from '../text';

/** Most bytes of a results file that are read: one of fifty questions has 10,000. */
const largestResults = 2_000_000;

/** Most bytes of a lesson, a key or a list of names: a key has a line for each student, and the lesson. */
export const largestLesson = 20_000_000;

/** Deepest folder that is looked into: class/student/file and one more. */
export const deepestFolder = 4;

export const isResultsFile = (path: string): boolean => /results[^/\\]*\.json$/i.test(path);
export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

/** Most bytes that are read of a file, by its name. */
export const mostBytes = (path: string): number => (isResultsFile(path) ? largestResults : largestLesson);

/** Why a file is not read, or a folder not looked into; `{name}: ` stands before it where it is shown. */
export const refused = {
  size: (bytes: number, most: number): Problem => ({
    code: 'refused',
    message: t('{0} MB, at most {1} MB are read', (bytes / 1e6).toFixed(1), most / 1e6),
  }),
  folder: (): Problem => ({ code: 'refused', message: t('a folder, expected a file') }),
  link: (): Problem => ({ code: 'refused', message: t('a symbolic link, which is not followed') }),
  other: (): Problem => ({ code: 'refused', message: t('neither a file nor a folder') }),
  depth: (): Problem => ({
    code: 'refused',
    message: t('not looked into: deeper than {0} folders', deepestFolder),
  }),
  unreadable: (cause: string): Problem => ({ code: 'refused', message: t('cannot be read: {0}', cause) }),
} as const;

/** Something in the folder that is not read; `name` is its path in it, with `/`. */
export interface Refused {
  readonly name: string;
  readonly problem: Problem;
}
