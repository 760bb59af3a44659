import { t, counted, fail, ok, type Problem, type Result, nextTurn } from '../text';

/** A Problem in a file, with the byte offset where it is. */
export interface FileProblem extends Problem {
  readonly offset?: number;
}

/** Bytes that can be read in parts: a file, or a host's buffer of it. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** Bytes `start` to `end` − 1, with 0 ≤ start ≤ end ≤ size. May reject when the file cannot be read. */
  readRange(start: number, end: number): Promise<Uint8Array>;
}

/** Callbacks of a long read, for progress and cancellation. */
export interface ReadProgress {
  /** Called with the finished fraction, from 0 to 1. */
  readonly progress?: (done: number) => void;
  readonly cancelled?: () => boolean;
}

/** A source over bytes in memory. */
export const sourceOfBytes = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  readRange: (start, end) => Promise.resolve(bytes.subarray(start, end)),
});

/** A Problem whose message begins `byte 80: …`, the form of all problems in files. */
export const problemAt = (code: string, offset: number, message: string, hint?: string): FileProblem => ({
  code,
  message: t('byte {0}: {1}', offset, message),
  offset,
  ...(hint === undefined ? {} : { hint }),
});

export const failAt = (code: string, offset: number, message: string, hint?: string) =>
  fail(problemAt(code, offset, message, hint));

/** The file ends too early; `missing` says what should follow. */
export const truncated = (size: number, missing: string): FileProblem =>
  problemAt('truncated', size, t('the file ends, {0}', missing), t('Copy or download it again.'));

/**
 /**
  * Exactly the bytes `start` to `end` − 1. Problems: the file is shorter (`truncated`), or it changed meanwhile and returns another number of
  * bytes (`changed`). `what` names the bytes in messages: `the header`.
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

/** Milliseconds of work between two pauses; with the part that exceeds it, still short enough for an editor. */
const workMilliseconds = 4;

/**
 * Returns a function to be awaited between the parts of a long read. It pauses when `stretch` is over, reports progress, and returns
 * false once the read is cancelled. The clock decides only when to pause; no number depends on it.
 */
export function pauseTimer({ progress, cancelled }: ReadProgress = {}): (done: number) => Promise<boolean> {
  let last = Date.now();
  return async (done) => {
    progress?.(done);
    if (Date.now() - last >= workMilliseconds) {
      await nextTurn();
      last = Date.now();
    }
    return !cancelled?.();
  };
}

/** `12 bytes`, `1 byte` */
export const bytesOf = (n: number): string => counted(n, 'byte');
