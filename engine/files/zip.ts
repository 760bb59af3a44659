import { t, fail, ok, type Result } from '../text';
import { bytesOf, failAt, problemAt, readBytes, viewOf, type ByteSource, type FileProblem } from './source';
import { tensorLimit } from './tensor-file';
import { readZip64End, zip64Sizes, type Directory } from './zip64';

/** A file inside a zip file. */
export interface Member {
  readonly name: string;
  readonly deflated: boolean;
  readonly crc: number;
  /** Sizes in bytes: `packed` as stored, `size` after inflating. */
  readonly packed: number;
  readonly size: number;
  /** Offset of its local header. */
  readonly at: number;
  /** Offset of what follows: the next member, or the central directory. */
  readonly limit: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const entryLength = 46;
const localLength = 30;
/** Longest comment that may follow the end record. */
const longestComment = 65535;
/** The central directory is read in one go, up to this many bytes. */
const directoryLimit = 1 << 26;

/**
 * The members of a zip file (PKWARE APPNOTE 6.3), from the central directory at its end, including zip64. Members are stored or deflated;
 * several disks, encryption and other methods are refused. So are overlapping members, with which zip bombs reuse bytes.
 */
export async function readMembers(source: ByteSource): Promise<Result<readonly Member[]>> {
  const end = await readEnd(source);
  if (!end.ok) return end;
  const { at, length, count, endAt } = end.value;
  if (count > tensorLimit) return failAt('too-large', endAt, t('{0} members, the limit is {1}', count, tensorLimit));
  if (at + length !== endAt)
    return failAt('zip', endAt, t('the list of members should end here, it stands at {0} to {1}', at, at + length));
  if (length > directoryLimit) return failAt('too-large', at, t('the list of members has {0}', bytesOf(length)));
  const bytes = await readBytes(source, at, at + length, t('the list of members'));
  if (!bytes.ok) return bytes;
  const members = parseEntries(bytes.value, at, count);
  return members.ok ? withLimits(members.value, at) : members;
}

async function readEnd(source: ByteSource): Promise<Result<Directory>> {
  const from = Math.max(0, source.size - endLength - longestComment);
  const bytes = await readBytes(source, from, source.size, t('the end of the zip file'));
  if (!bytes.ok) return bytes;
  const view = viewOf(bytes.value);
  for (let i = view.byteLength - endLength; i >= 0; i--) {
    if (view.getUint32(i, true) !== endSignature) continue;
    if (i + endLength + view.getUint16(i + 20, true) === view.byteLength) return directoryOf(source, view, i, from + i);
  }
  return failAt(
    'truncated',
    source.size,
    t('no end of a zip file found before the end of this one'),
    t('Copy or download it again.'),
  );
}

async function directoryOf(source: ByteSource, view: DataView, i: number, endAt: number): Promise<Result<Directory>> {
  const here = view.getUint16(i + 8, true);
  const count = view.getUint16(i + 10, true);
  const length = view.getUint32(i + 12, true);
  const at = view.getUint32(i + 16, true);
  // If a number does not fit into this record, another record before it (zip64) has it.
  const other = at + length === endAt ? undefined : await readZip64End(source, endAt);
  if (other) return other;
  if (view.getUint16(i + 4, true) !== 0 || view.getUint16(i + 6, true) !== 0 || here !== count)
    return failAt('zip', endAt, t('the zip file is one of several'));
  return ok({ at, length, count, endAt });
}

type Listed = Omit<Member, 'limit'>;

function parseEntries(bytes: Uint8Array, base: number, count: number): Result<readonly Listed[]> {
  const view = viewOf(bytes);
  const members: Listed[] = [];
  let at = 0;
  while (members.length < count) {
    const end = entryEnd(view, at);
    if (end === undefined)
      return failAt('zip', base + at, t('member {0} of {1} is not in the list', members.length + 1, count));
    const member = memberOf(bytes, view, at, base);
    if (!member.ok) return member;
    members.push(member.value);
    at = end;
  }
  return at === bytes.length
    ? ok(members)
    : failAt('zip', base + at, t('{0} after the {1} members of the list', bytesOf(bytes.length - at), count));
}

function entryEnd(view: DataView, at: number): number | undefined {
  if (at + entryLength > view.byteLength || view.getUint32(at, true) !== entrySignature) return undefined;
  const texts = [28, 30, 32].reduce((sum, field) => sum + view.getUint16(at + field, true), 0);
  return at + entryLength + texts <= view.byteLength ? at + entryLength + texts : undefined;
}

function memberOf(bytes: Uint8Array, view: DataView, at: number, base: number): Result<Listed> {
  const half = (field: number): number => view.getUint16(at + field, true);
  const full = (field: number): number => view.getUint32(at + field, true);
  const name = nameOf(bytes.subarray(at + entryLength, at + entryLength + half(28)), (half(8) & 0x800) !== 0);
  const [flags, method] = [half(8), half(10)];
  const where = base + at;
  if (flags & 0x2041) return failAt('encrypted', where, t('{0} is encrypted', name), t('Save it without a password.'));
  const extra = at + entryLength + half(28);
  const places = zip64Sizes(bytes.subarray(extra, extra + half(30)), [full(24), full(20), full(42)]);
  if (!places) return failAt('zip64', where, t('the zip64 field of {0} does not hold its sizes', name));
  const [size, packed, local] = places;
  if (half(34) !== 0) return failAt('zip', where, t('{0} stands in another part of the zip file', name));
  if (method !== 0 && method !== 8)
    return failAt(
      'compression',
      where,
      t('{0}: {1} is not read', name, methods[method] ?? t('method {0}', method)),
      t('Use np.savez or np.savez_compressed.'),
    );
  if (method === 0 && packed !== size)
    return failAt('zip', where, t('{0} is stored with {1}, but has {2}', name, bytesOf(packed), size));
  return ok({ name, deflated: method === 8, crc: full(16), packed, size, at: local });
}

const methods: Readonly<Record<number, string>> = {
  9: 'deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
};

/** The name: UTF-8 if its flag says so, else Latin-1, which is enough for NumPy's names. */
function nameOf(bytes: Uint8Array, utf8: boolean): string {
  return utf8
    ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    : Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** The members in directory order, each with the offset at which it must end. */
function withLimits(members: readonly Listed[], end: number): Result<readonly Member[]> {
  const limits = new Map<Listed, number>();
  const sorted = [...members].sort((a, b) => a.at - b.at);
  for (const [i, member] of sorted.entries()) {
    const limit = sorted[i + 1]?.at ?? end;
    if (member.at + localLength + member.name.length + member.packed > limit) return fail(overlaps(member, limit));
    limits.set(member, limit);
  }
  return ok(members.map((member) => ({ ...member, limit: limits.get(member) ?? end })));
}

const overlaps = ({ at, name }: Listed, limit: number): FileProblem =>
  problemAt('overlap', at, t('{0} needs more bytes than there are up to {1}', name, limit));

/** Offset of a member's bytes, from its local header, which must agree with the central directory. */
export async function dataOf(source: ByteSource, member: Member): Promise<Result<number>> {
  const { at, name, deflated, packed, limit } = member;
  const bytes = await readBytes(source, at, at + localLength, t('the header of {0}', name));
  if (!bytes.ok) return bytes;
  const view = viewOf(bytes.value);
  if (view.getUint32(0, true) !== localSignature)
    return failAt('zip', at, t('{0} should begin here, and does not', name));
  const [flags, method] = [view.getUint16(6, true), view.getUint16(8, true)];
  if (method !== (deflated ? 8 : 0) || flags & 0x2041)
    return failAt('zip', at + 6, t('the header of {0} does not agree with the list of members', name));
  const named = at + localLength + view.getUint16(26, true);
  const data = named + view.getUint16(28, true);
  if (data + packed > limit) return fail(overlaps(member, limit));
  const written = await readBytes(source, at + localLength, named, t('the name of {0}', name));
  if (!written.ok) return written;
  const own = nameOf(written.value, (flags & 0x800) !== 0);
  return own === name
    ? ok(data)
    : failAt('zip', at + localLength, t('{0} is called {1} in the list of members', own, name));
}
