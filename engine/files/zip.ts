import { fail, ok, type Result } from '../problems';
import { bytesOf, failAt, problemAt, readBytes, truncated, viewOf, type ByteSource, type FileProblem } from './source';
import { tensorLimit } from './tensor-file';

/** A file in a zip file. */
export interface Member {
  readonly name: string;
  readonly deflated: boolean;
  readonly crc: number;
  /** Bytes as stored, and once they are inflated. */
  readonly packed: number;
  readonly size: number;
  /** Offset of its local header. */
  readonly at: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const entryLength = 46;
const localLength = 30;
/** A comment may follow the end record. */
const longestComment = 65535;
const wide = 0xffffffff;
/** The list of members is read at once. */
const directoryLimit = 1 << 26;

/**
 * The members of a zip file (PKWARE APPNOTE 6.3), from the list at its end. Stored and deflated ones; zip64, several disks, encryption
 * and other methods are refused, as are members that overlap: no bomb hides in bytes that are used twice.
 */
export async function readMembers(source: ByteSource): Promise<Result<readonly Member[]>> {
  const end = await readEnd(source);
  if (!end.ok) return end;
  const { at, length, count, endAt } = end.value;
  if (at + length !== endAt)
    return failAt('zip', endAt, `the list of members should end here, it stands at ${at} to ${at + length}`);
  if (length > directoryLimit) return failAt('too-large', at, `the list of members has ${bytesOf(length)}`);
  const bytes = await readBytes(source, at, at + length, 'the list of members');
  if (!bytes.ok) return bytes;
  const members = parseEntries(bytes.value, at, count);
  if (!members.ok) return members;
  const overlap = findOverlap(members.value, at);
  return overlap ? fail(overlap) : members;
}

interface Directory {
  readonly at: number;
  readonly length: number;
  readonly count: number;
  readonly endAt: number;
}

async function readEnd(source: ByteSource): Promise<Result<Directory>> {
  const from = Math.max(0, source.size - endLength - longestComment);
  const bytes = await readBytes(source, from, source.size, 'the end of the zip file');
  if (!bytes.ok) return bytes;
  const view = viewOf(bytes.value);
  for (let i = view.byteLength - endLength; i >= 0; i--) {
    if (view.getUint32(i, true) !== endSignature) continue;
    if (i + endLength + view.getUint16(i + 20, true) === view.byteLength) return directoryOf(view, i, from + i);
  }
  return failAt(
    'truncated',
    source.size,
    'no end of a zip file found before the end of this one',
    'Copy or download it again.',
  );
}

function directoryOf(view: DataView, i: number, endAt: number): Result<Directory> {
  const here = view.getUint16(i + 8, true);
  const count = view.getUint16(i + 10, true);
  const length = view.getUint32(i + 12, true);
  const at = view.getUint32(i + 16, true);
  if (count === 0xffff || at === wide || length === wide) return fail(zip64(endAt));
  if (view.getUint16(i + 4, true) !== 0 || view.getUint16(i + 6, true) !== 0 || here !== count)
    return failAt('zip', endAt, 'the zip file is one of several');
  return count > tensorLimit
    ? failAt('too-large', endAt, `${count} members, the limit is ${tensorLimit}`)
    : ok({ at, length, count, endAt });
}

const zip64 = (at: number): FileProblem =>
  problemAt('zip64', at, 'zip64 is not read', 'It is needed above 4 GB: save the arrays one by one with np.save.');

function parseEntries(bytes: Uint8Array, base: number, count: number): Result<readonly Member[]> {
  const view = viewOf(bytes);
  const members: Member[] = [];
  let at = 0;
  while (members.length < count) {
    const end = entryEnd(view, at);
    if (end === undefined)
      return failAt('zip', base + at, `member ${members.length + 1} of ${count} is not in the list`);
    const member = memberOf(bytes, view, at, base);
    if (!member.ok) return member;
    members.push(member.value);
    at = end;
  }
  return at === bytes.length
    ? ok(members)
    : failAt('zip', base + at, `${bytesOf(bytes.length - at)} after the ${count} members of the list`);
}

function entryEnd(view: DataView, at: number): number | undefined {
  if (at + entryLength > view.byteLength || view.getUint32(at, true) !== entrySignature) return undefined;
  const texts = [28, 30, 32].reduce((sum, field) => sum + view.getUint16(at + field, true), 0);
  return at + entryLength + texts <= view.byteLength ? at + entryLength + texts : undefined;
}

function memberOf(bytes: Uint8Array, view: DataView, at: number, base: number): Result<Member> {
  const half = (field: number): number => view.getUint16(at + field, true);
  const full = (field: number): number => view.getUint32(at + field, true);
  const name = nameOf(bytes.subarray(at + entryLength, at + entryLength + half(28)), (half(8) & 0x800) !== 0);
  const [flags, method, packed, size] = [half(8), half(10), full(20), full(24)];
  const where = base + at;
  if (flags & 0x2041) return failAt('encrypted', where, `${name} is encrypted`, 'Save it without a password.');
  if (packed === wide || size === wide || full(42) === wide) return fail(zip64(where));
  if (half(34) !== 0) return failAt('zip', where, `${name} stands in another part of the zip file`);
  if (method !== 0 && method !== 8)
    return failAt(
      'compression',
      where,
      `${name}: ${methods[method] ?? `method ${method}`} is not read`,
      'Use np.savez or np.savez_compressed.',
    );
  if (method === 0 && packed !== size)
    return failAt('zip', where, `${name} is stored with ${bytesOf(packed)}, but has ${size}`);
  return ok({ name, deflated: method === 8, crc: full(16), packed, size, at: full(42) });
}

const methods: Readonly<Record<number, string>> = {
  9: 'deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
};

/** UTF-8 when its flag says so, else a character a byte, which is all that NumPy's names need. */
function nameOf(bytes: Uint8Array, utf8: boolean): string {
  return utf8
    ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    : Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

function findOverlap(members: readonly Member[], end: number): FileProblem | undefined {
  const sorted = [...members].sort((a, b) => a.at - b.at);
  for (const [i, { at, name, packed }] of sorted.entries()) {
    const next = sorted[i + 1]?.at ?? end;
    if (at + localLength + name.length + packed > next)
      return problemAt('overlap', at, `${name} needs more bytes than there are up to ${next}`);
  }
  return undefined;
}

/** Offset of a member's bytes, from its local header, which must agree with the list. */
export async function dataOf(source: ByteSource, { at, name, deflated, packed }: Member): Promise<Result<number>> {
  const bytes = await readBytes(source, at, at + localLength, `the header of ${name}`);
  if (!bytes.ok) return bytes;
  const view = viewOf(bytes.value);
  if (view.getUint32(0, true) !== localSignature) return failAt('zip', at, `${name} should begin here, and does not`);
  const [flags, method] = [view.getUint16(6, true), view.getUint16(8, true)];
  if (method !== (deflated ? 8 : 0) || flags & 0x2041)
    return failAt('zip', at + 6, `the header of ${name} does not agree with the list of members`);
  const data = at + localLength + view.getUint16(26, true) + view.getUint16(28, true);
  return data + packed <= source.size
    ? ok(data)
    : fail(truncated(source.size, `${name} needs bytes ${data} to ${data + packed - 1}`));
}
