import { t } from '../text';
import type { CheckpointFolder } from './weights';

/** The part of a browser's `File` that is used. */
export interface PickedFile {
  readonly name: string;
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** Files that were chosen in a page, read by range. A browser refuses to read one that was changed since. */
export function pickedFiles(files: readonly PickedFile[]): CheckpointFolder & { close(): Promise<void> } {
  const byName = new Map(files.map((file) => [file.name, file]));
  return {
    open(name) {
      const file = byName.get(name);
      if (!file) return Promise.resolve(undefined);
      const readRange = async (start: number, end: number) => {
        try {
          return new Uint8Array(await file.slice(start, end).arrayBuffer());
        } catch (error) {
          if ((error as { readonly name?: unknown }).name === 'NotReadableError') throw new Error(t('it was changed or moved since it was chosen'));
          throw error;
        }
      };
      return Promise.resolve({ size: file.size, readRange });
    },
    close: () => Promise.resolve(),
  };
} // prettier-ignore
