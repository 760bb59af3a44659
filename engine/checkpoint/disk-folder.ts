import { t } from '../text';
import type { ByteSource } from '../files';
import type { CheckpointFolder } from './weights';

/** The part of Node's `fs/promises` that is used; a host without Node has none. */
export interface DiskFiles {
  open(path: string, flags: 'r'): Promise<DiskFile>;
  stat(path: string): Promise<{ isFile(): boolean }>;
}

interface DiskFile {
  stat(): Promise<{ readonly size: number; readonly mtimeMs: number }>;
  read(to: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

/**
 * A folder of the disk, read by range. Files stay open until `close`. A file that changes meanwhile is an error at the next read; a name that is no file (a
 * folder, a pipe, which would wait for a writer) is one at once.
 */
export function diskFolder(files: DiskFiles, path: string): CheckpointFolder & { close(): Promise<void> } {
  const open: DiskFile[] = [];
  return {
    async open(name) {
      try {
        if (!(await files.stat(`${path}/${name}`)).isFile()) throw new Error(t('{0} is no file', name));
        const file = await files.open(`${path}/${name}`, 'r');
        open.push(file);
        return await sourceOf(file);
      } catch (error) {
        const { code } = error as { readonly code?: unknown };
        if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
        throw error;
      }
    },
    async close() {
      await Promise.all(open.splice(0).map((file) => file.close()));
    },
  };
}

async function sourceOf(file: DiskFile): Promise<ByteSource> {
  const { size, mtimeMs } = await file.stat();
  return {
    size,
    async readRange(start, end) {
      const bytes = new Uint8Array(end - start);
      let at = 0;
      while (at < bytes.length) {
        const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      if ((await file.stat()).mtimeMs !== mtimeMs) throw new Error(t('the file was changed while it was read'));
      return bytes.subarray(0, at);
    },
  };
}
