import { t, fail, ok, type Result } from '../text';
import { Inflate } from 'fflate/browser';
import { crc32 } from './crc32';
import { pauseTimer, failAt, readBytes, stopped, type ByteSource, type ReadProgress } from './source';
import type { ByteRange } from './tensor-file';
import type { Member } from './zip';

/**
 * Least and most packed bytes inflated in one part. Deflate expands up to 1032 times, so a part gives at most 2.1 MB, about 6 ms. After a
 * part that gave more than `usual` bytes, the next one is half as long.
 */
const [shortest, longest, usual] = [512, 1 << 11, 1 << 18];
const readLength = 1 << 20;

interface InflateStream {
  /** Inflates packed bytes; false if they are no deflate stream or expand beyond the announced size. */
  push(packed: Uint8Array, last: boolean): boolean;
  /** Number of bytes inflated so far. */
  readonly made: number;
  readonly crc: number;
}

/** An inflating stream that stores only the bytes of `range`, in `kept`. */
function inflateInto(kept: Uint8Array, range: ByteRange, most: number): InflateStream {
  const state = { made: 0, crc: 0 };
  const stream = new Inflate((bytes) => {
    // Bytes beyond the announced size are dropped here, and `push` refuses the stream.
    if (state.made + bytes.length <= most) {
      state.crc = crc32(bytes, state.crc);
      copyRange(kept, range, bytes, state.made);
    }
    state.made += bytes.length;
  });
  return {
    push(packed, last) {
      try {
        stream.push(packed, last);
        return state.made <= most;
      } catch {
        return false;
      }
    },
    get made() {
      return state.made;
    },
    get crc() {
      return state.crc;
    },
  };
}

/** Copies the part of `bytes` that is in `range`; `at` is their offset. */
function copyRange(kept: Uint8Array, { start, end }: ByteRange, bytes: Uint8Array, at: number): void {
  const [from, to] = [Math.max(start, at), Math.min(end, at + bytes.length)];
  if (from < to) kept.set(bytes.subarray(from - at, to - at), from - start);
}

/** The first `length` bytes of a deflated member, or all if there are fewer. Reads no more packed bytes than necessary. */
export async function inflateStart(
  source: ByteSource,
  member: Member,
  data: number,
  length: number,
): Promise<Result<Uint8Array>> {
  const range = { start: 0, end: Math.min(length, member.size) };
  const kept = new Uint8Array(range.end);
  const stream = inflateInto(kept, range, member.size);
  for (let at = 0; at < member.packed && stream.made < range.end;) {
    const end = Math.min(member.packed, at + shortest);
    const packed = await readBytes(source, data + at, data + end, member.name);
    if (!packed.ok) return packed;
    if (!stream.push(packed.value, end === member.packed)) return broken(member, data);
    at = end;
  }
  return stream.made < range.end ? broken(member, data) : ok(kept);
}

/**
 * Bytes `range` of an inflated member. All of it is inflated, so that its size and CRC-32 are always checked, but never more than it
 * announces. Memory is `range` plus one part.
 */
export async function inflateRange(
  source: ByteSource,
  member: Member,
  data: number,
  range: ByteRange,
  watch?: ReadProgress,
): Promise<Result<Uint8Array>> {
  const kept = new Uint8Array(range.end - range.start);
  const stream = inflateInto(kept, range, member.size);
  const breathe = pauseTimer(watch);
  let length = shortest;
  for (let from = 0; from < member.packed; from += readLength) {
    const to = Math.min(member.packed, from + readLength);
    const packed = await readBytes(source, data + from, data + to, member.name);
    if (!packed.ok) return packed;
    for (let at = from; at < to;) {
      const [end, before] = [Math.min(to, at + length), stream.made];
      if (!stream.push(packed.value.subarray(at - from, end - from), end === member.packed))
        return broken(member, data);
      length = stream.made - before > usual ? Math.max(shortest, length / 2) : Math.min(longest, length * 2);
      at = end;
      if (!(await breathe(at / member.packed))) return fail(stopped);
    }
  }
  if (stream.made !== member.size) return broken(member, data);
  return stream.crc === member.crc ? ok(kept) : badCrc(member, stream.crc, data);
}

const broken = ({ name, size }: Member, data: number) =>
  failAt(
    'deflate',
    data,
    t('{0} does not inflate to the {1} bytes that its zip file announces', name, size),
    t('Copy or download it again.'),
  );

const hex = (n: number): string => n.toString(16).padStart(8, '0');

export const badCrc = ({ name, crc }: Member, found: number, data: number) =>
  failAt(
    'crc',
    data,
    t('CRC-32 of {0} is {1}, expected {2}', name, hex(found), hex(crc)),
    t('Copy or download it again.'),
  );
