// Files of a model's folder, read by range.
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckpointFolder } from '../checkpoint';
import type { ByteSource } from '../files';
import { t } from '../text';

/** A folder of the disk. Files stay open until `close`. */
export function folderAt(path: string): CheckpointFolder & { close(): Promise<void> } {
  const handles: FileHandle[] = [];
  return {
    async open(name) {
      let handle: FileHandle;
      try {
        handle = await open(join(path, name), 'r');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
      handles.push(handle);
      return sourceOf(handle);
    },
    close: async () => void (await Promise.all(handles.map((handle) => handle.close()))),
  };
}

async function sourceOf(handle: FileHandle): Promise<ByteSource> {
  const { size, mtimeMs } = await handle.stat();
  return {
    size,
    async readRange(start, end) {
      const bytes = new Uint8Array(end - start);
      let at = 0;
      while (at < bytes.length) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      if ((await handle.stat()).mtimeMs !== mtimeMs) throw new Error(t('the file was changed while it was read'));
      return bytes.subarray(0, at);
    },
  };
}
