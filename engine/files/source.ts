import { t, counted, fail, ok, type Problem, type Result, nextTurn } from '../text';

/** A Problem of a file, with the offset of the byte where it stands. */
export interface FileProblem extends Problem {
  readonly offset?: number;
}

/** Bytes that can be read in part: a file, or what a host keeps of it. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** Bytes `start` to `end` − 1, with 0 ≤ start ≤ end ≤ size. May reject when the file cannot be read. */
  readRange(start: number, end: number): Promise<Uint8Array>;
}

/** How a long read tells of its progress, and learns that nobody waits for it any longer. */
export interface Watch {
  /** Parts done, from 0 to 1. */
  readonly progress?: (done: number) => void;
  readonly cancelled?: () => boolean;
}

/** A source over bytes in memory. */
export const sourceOfBytes = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  readRange: (start, end) => Promise.resolve(bytes.subarray(start, end)),
});

/** `byte 80: expected …`; everything about a file is said in this form. */
export const problemAt = (code: string, offset: number, message: string, hint?: string): FileProblem => ({
  code,
  message: t('byte {0}: {1}', offset, message),
  offset,
  ...(hint === undefined ? {} : { hint }),
});

export const failAt = (code: string, offset: number, message: string, hint?: string) =>
  fail(problemAt(code, offset, message, hint));

/** Where the file ends, and what should have stood there. */
export const truncated = (size: number, missing: string): FileProblem =>
  problemAt('truncated', size, t('the file ends, {0}', missing), t('Copy or download it again.'));

/**
 * Exactly the bytes `start` to `end` − 1. Problems: the file ends before (`truncated`), or it was changed while it was read and
 * gives another number of bytes (`changed`). `what` names them in messages: `the header`.
 */
export async function readBytes(
  source: ByteSource,
  start: number,
  end: number,
  what: string,
): Promise<Result<Uint8Array>> {
  if (end > source.size) return fail(truncated(source.size, t('{0} needs bytes {1} to {2}', what, start, end - 1)));
  const bytes = await source.readRange(start, end);
  if (bytes.length === end - start) return ok(bytes);
  return failAt(
    'changed',
    start,
    t('expected {0} bytes, read {1}', end - start, bytes.length),
    t('The file was changed; open it again.'),
  );
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const stopped: Problem = { code: 'cancelled', message: 'cancelled' };

/** Milliseconds of work before others may run: with the part that ends it, less than a person's editor should ever wait. */
const stretch = 4;

/**
 * Told between the parts of a long read: gives way to others now and then, reports progress, and is false once nobody waits any longer.
 * The clock decides only when it gives way; no number depends on it.
 */
export function breather({ progress, cancelled }: Watch = {}): (done: number) => Promise<boolean> {
  let last = Date.now();
  return async (done) => {
    progress?.(done);
    if (Date.now() - last >= stretch) {
      await nextTurn();
      last = Date.now();
    }
    return !cancelled?.();
  };
}

/** `12 bytes`, `1 byte` */
export const bytesOf = (n: number): string => counted(n, 'byte');
