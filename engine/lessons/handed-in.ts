// Limits on what is read of a folder that was handed in: anybody may have put files there.
import { t, type Problem } from '../text';

/** Most bytes of a results file; one with fifty questions has 10,000. */
const largestResults = 2_000_000;

/** Most bytes of a lesson, a key or a list of names. A key contains the lesson and one line for each student. */
export const largestLesson = 20_000_000;

/** Deepest folder that is searched: class/student/file and one more. */
export const deepestFolder = 4;

export const isResultsFile = (path: string): boolean => /results[^/\\]*\.json$/i.test(path);
export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

/** Most bytes to read of a file, by its name. */
export const mostBytes = (path: string): number => (isResultsFile(path) ? largestResults : largestLesson);

/** Problems of files that are not read and folders that are not searched; they are shown after `{name}: `. */
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

/** Something in the folder that was not read; `name` is its path in it, with `/`. */
export interface Refused {
  readonly name: string;
  readonly problem: Problem;
}
