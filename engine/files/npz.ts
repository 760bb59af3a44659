import { t, fail, ok, type Result } from '../text';
import { crc32 } from './crc32';
import { badCrc, inflateRange, inflateStart } from './inflate';
import { decodeSelection, selectionOf, type Layout } from './layout';
import { checkLength, noTensor, npyDataStart, npyPrefix, parseNpyHeader, typeProblem, type NpyHeader } from './npy';
import { pauseTimer, failAt, readBytes, stopped, type ByteSource, type ReadProgress } from './source';
import type { ByteRange, TensorEntry, TensorFile } from './tensor-file';
import { dataOf, readMembers, type Member } from './zip';

/** An array of a `.npz` file. */
interface Stored {
  readonly member: Member;
  /** Offset of the member's bytes in the file. */
  readonly data: number;
  /** Absent if the member is no readable array. */
  readonly header?: NpyHeader;
  readonly entry: TensorEntry;
}

/**
 * Opens a `.npz` file: a zip file of `.npy` files, as `np.savez` and `np.savez_compressed` write it. Opening reads the central directory and the
 * first bytes of each member. Reading a whole array checks its CRC-32. A slice of an uncompressed array reads only the slice, which no CRC
 * covers.
 */
export async function openNpz(source: ByteSource, watch?: ReadProgress): Promise<Result<TensorFile>> {
  const members = await readMembers(source);
  if (!members.ok) return members;
  const arrays = new Map<string, Stored>();
  const breathe = pauseTimer(watch);
  for (const [i, member] of members.value.entries()) {
    if (!(await breathe(i / members.value.length))) return fail(stopped);
    if (member.name.endsWith('/')) continue;
    const array = await readMember(source, member);
    if (!array.ok) return array;
    const { name } = array.value.entry;
    if (arrays.has(name)) return failAt('duplicate', member.at, t('{0} stands in the file twice', name));
    arrays.set(name, array.value);
  }
  return ok({
    format: 'npz',
    metadata: {},
    tensors: [...arrays.values()].map(({ entry }) => entry),
    read(name, slice, watching) {
      const array = arrays.get(name);
      return array ? readArray(source, array, slice, watching) : Promise.resolve(fail(noTensor(name)));
    },
  });
}

async function readMember(source: ByteSource, member: Member): Promise<Result<Stored>> {
  const data = await dataOf(source, member);
  if (!data.ok) return data;
  const isArray = member.name.endsWith('.npy');
  const name = isArray ? member.name.slice(0, -'.npy'.length) : member.name;
  const byteRange = { start: data.value, end: data.value + member.packed };
  const base = { name, shape: [], dtype: 'none', byteRange };
  const header = isArray
    ? await headerOf(source, member, data.value)
    : failAt('format', member.at, t('{0} is no .npy file', name));
  if (!header.ok) {
    const [problem] = header.problems;
    return ok({
      member,
      data: data.value,
      entry: { ...base, ...(problem ? { problem: namedProblem(problem, name) } : {}) },
    });
  }
  const { type, shape } = header.value;
  const found = typeProblem(header.value) ?? checkLength(member.size, header.value);
  const problem = found && namedProblem(found, name);
  const entry: TensorEntry = { ...base, shape, dtype: type.name, ...(problem ? { problem } : {}) };
  return ok({ member, data: data.value, header: header.value, entry });
}

/** Adds the member's name to a problem, whose offsets count from the member's first byte. */
const namedProblem = <P extends { message: string }>(problem: P, name: string): P => ({
  ...problem,
  message: `${name}, ${problem.message}`,
});

async function headerOf(source: ByteSource, member: Member, data: number): Promise<Result<NpyHeader>> {
  const first = await startOf(source, member, data, npyPrefix);
  if (!first.ok) return first;
  const end = npyDataStart(first.value);
  if (!end.ok) return end;
  const bytes = await startOf(source, member, data, end.value);
  return bytes.ok ? parseNpyHeader(bytes.value) : bytes;
}

function startOf(source: ByteSource, member: Member, data: number, length: number): Promise<Result<Uint8Array>> {
  if (member.deflated) return inflateStart(source, member, data, length);
  return readBytes(source, data, data + Math.min(length, member.size), member.name);
}

async function readArray(
  source: ByteSource,
  { member, data, header, entry }: Stored,
  slice: Parameters<TensorFile['read']>[1],
  watch?: ReadProgress,
): ReturnType<TensorFile['read']> {
  if (!header?.type.stored || entry.problem) return fail(entry.problem ?? noTensor(entry.name));
  const { type, shape, columnsFirst } = header;
  const layout: Layout = { type: { ...type, stored: header.type.stored }, shape, columnsFirst };
  const selection = selectionOf(layout, entry.name, slice);
  if (!selection.ok) return selection;
  const { start, end } = selection.value.bytes;
  const range = { start: header.data + start, end: header.data + end };
  const bytes = await bytesOfMember(source, member, data, range, end - start === header.length, watch);
  return bytes.ok ? decodeSelection(layout, selection.value, bytes.value, watch) : bytes;
}

async function bytesOfMember(
  source: ByteSource,
  member: Member,
  data: number,
  range: ByteRange,
  whole: boolean,
  watch?: ReadProgress,
): Promise<Result<Uint8Array>> {
  if (member.deflated) return inflateRange(source, member, data, range, watch);
  if (!whole) return readBytes(source, data + range.start, data + range.end, member.name);
  const bytes = await readBytes(source, data, data + member.size, member.name);
  if (!bytes.ok) return bytes;
  const found = await crcOf(bytes.value, watch);
  if (found === undefined) return fail(stopped);
  return found === member.crc ? ok(bytes.value.subarray(range.start, range.end)) : badCrc(member, found, data);
}

/** Bytes added to the CRC between two checks of the clock. */
const crcLength = 1 << 20;

/** The CRC-32 of bytes; undefined if cancelled. */
async function crcOf(bytes: Uint8Array, watch?: ReadProgress): Promise<number | undefined> {
  const breathe = pauseTimer(watch);
  let crc = 0;
  for (let at = 0; at < bytes.length; at += crcLength) {
    crc = crc32(bytes.subarray(at, at + crcLength), crc);
    if (!(await breathe(at / bytes.length))) return undefined;
  }
  return crc;
}
