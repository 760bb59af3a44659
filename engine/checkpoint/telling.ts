import { t } from '../text';
import type { CheckpointFolder } from './weights';

/** How pointers of Git LFS begin (its specification, v1). */
const pointer = 'version https://git-lfs';
/** Bytes, of which pointers have less. */
export const longestPointer = 1024;

/** A file that cannot be read, whose message names it. */
export class ReadError extends Error {}

/** The same folder, whose reads fail with a ReadError. What Git LFS leaves in place of a file is refused. */
export function telling(folder: CheckpointFolder): CheckpointFolder {
  const failed = (name: string) => (error: unknown) => {
    throw new ReadError(t('{0} cannot be read: {1}', name, error instanceof Error ? error.message : String(error)));
  };
  return {
    async open(name) {
      const source = await folder.open(name).catch(failed(name));
      if (!source) return undefined;
      const readRange = (start: number, end: number) => source.readRange(start, end).catch(failed(name));
      if (source.size < longestPointer && new TextDecoder().decode(await readRange(0, source.size)).startsWith(pointer))
        throw new ReadError(t('{0} is a pointer of Git LFS, not the file itself: run git lfs pull in its repository', name)); // prettier-ignore
      return { size: source.size, readRange };
    },
  };
}
