import { t, fail, ok, type Problem, type Result } from '../text';
import { formatShape } from '../math';
import { safetensorsType, type NamedType } from './dtypes';
import { duplicateKey } from './json-keys';
import { decodeSelection, selectionOf } from './layout';
import { noTensor } from './npy';
import { bytesOf, failAt, problemAt, readBytes, truncated, viewOf, type ByteSource } from './source';
import { countOf, rankLimit, tensorLimit, type TensorEntry, type TensorFile } from './tensor-file';

/** Length of the field with the header's length, in bytes. */
const prefix = 8;
/** The format itself allows 100 MB; a header of 100,000 tensors has about 15. */
const headerLimit = 25_000_000;

interface Stored {
  readonly type: NamedType;
  readonly entry: TensorEntry;
}

/**
 * Opens a `.safetensors` file (github.com/huggingface/safetensors, "Format"): the header's length in eight bytes, a JSON header, and the numbers,
 * which must fill the rest of the file without gaps or overlaps. Reads the header only.
 */
export async function openSafetensors(source: ByteSource): Promise<Result<TensorFile>> {
  const header = await readHeader(source);
  if (!header.ok) return header;
  const { json, data } = header.value;
  const metadata = metadataOf(json);
  if (!metadata.ok) return metadata;
  const names = Object.keys(json).filter((name) => name !== metadataKey);
  if (names.length > tensorLimit)
    return failAt('too-large', prefix, t('{0} tensors, the limit is {1}', names.length, tensorLimit));
  const tensors = new Map<string, Stored>();
  const problems: Problem[] = [];
  for (const name of names) {
    const stored = tensorOf(name, json[name], data);
    if (stored.ok) tensors.set(name, stored.value);
    else problems.push(...stored.problems);
  }
  if (problems.length > 0) return fail(...problems.slice(0, mostProblems));
  const misplaced = findMisplaced([...tensors.values()], data, source.size);
  if (misplaced) return fail(misplaced);
  return ok({
    format: 'safetensors',
    metadata: metadata.value,
    tensors: [...tensors.values()].map(({ entry }) => entry),
    read(name, slice, watch) {
      const stored = tensors.get(name);
      return stored ? readTensor(source, stored, slice, watch) : Promise.resolve(fail(noTensor(name)));
    },
  });
}

const metadataKey = '__metadata__';
/** At most this many problems are reported. */
const mostProblems = 20;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Header {
  readonly json: Fields;
  /** Offset of the first tensor. */
  readonly data: number;
}

async function readHeader(source: ByteSource): Promise<Result<Header>> {
  const first = await readBytes(source, 0, prefix, t('the length of the header'));
  if (!first.ok) return first;
  const view = viewOf(first.value);
  const length = view.getUint32(0, true) + view.getUint32(4, true) * 4294967296;
  if (length > headerLimit)
    return failAt(
      'header',
      0,
      t('the header would have {0}, the limit is {1}', bytesOf(length), headerLimit),
      t('Is it a safetensors file?'),
    );
  if (prefix + length > source.size)
    return fail(truncated(source.size, t('the header needs bytes {0} to {1}', prefix, prefix + length - 1)));
  const bytes = await readBytes(source, prefix, prefix + length, t('the header'));
  if (!bytes.ok) return bytes;
  const json = parseHeader(bytes.value);
  return json.ok ? ok({ json: json.value, data: prefix + length }) : json;
}

function parseHeader(bytes: Uint8Array): Result<Fields> {
  if (bytes[0] !== 0x7b)
    return failAt('header', prefix, t('the header should begin with {'), t('Is it a safetensors file?'));
  const text = decode(bytes);
  if (text === undefined) return failAt('header', prefix, t('the header is no UTF-8'));
  const json = parseJson(text);
  if (!json.ok) return json;
  if (!isFields(json.value)) return failAt('header', prefix, t('the header should be an object of tensors'));
  const twice = duplicateKey(text);
  return twice
    ? failAt('duplicate', prefix + byteLength(text, twice.at), t('{0} stands in the header twice', twice.key))
    : ok(json.value);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text) as unknown);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    return failAt('header', prefix + byteLength(text, at), t('the header is no JSON: {0}', message.slice(0, 120)));
  }
}

/** Number of UTF-8 bytes before a UTF-16 offset. */
const byteLength = (text: string, at: number): number => new TextEncoder().encode(text.slice(0, at)).length;

function metadataOf(json: Fields): Result<Readonly<Record<string, string>>> {
  const value = Object.hasOwn(json, metadataKey) ? json[metadataKey] : {};
  if (!isFields(value) || !Object.values(value).every((text) => typeof text === 'string'))
    return failAt('header', prefix, t('{0} should be an object of texts', metadataKey));
  return ok(value as Readonly<Record<string, string>>);
}

/** Reads a tensor's entry in the header. */
function tensorOf(name: string, value: unknown, data: number): Result<Stored> {
  const wrong = (message: string) => failAt('header', prefix, `${name}: ${message}`);
  if (!isFields(value)) return wrong(t('expected an object with dtype, shape and data_offsets'));
  const { dtype, shape, data_offsets: offsets } = value;
  const more = Object.keys(value).find((key) => !['dtype', 'shape', 'data_offsets'].includes(key));
  if (more !== undefined) return wrong(t('unknown field {0}', more));
  if (typeof dtype !== 'string') return wrong(t('dtype should be a text such as F32'));
  if (!isWholes(shape) || shape.length > rankLimit)
    return wrong(t('shape should be at most {0} whole numbers from 0', rankLimit));
  if (!isWholes(offsets) || offsets.length !== 2) return wrong(t('data_offsets should be two whole numbers from 0'));
  const [start = 0, end = 0] = offsets;
  if (start > end) return wrong(t('data_offsets {0} to {1} end before they begin', start, end));
  const type = safetensorsType(dtype);
  const needed = countOf(shape) * (type.size ?? NaN);
  if (type.size !== undefined && !Number.isSafeInteger(needed))
    return wrong(t('shape {0} has too many numbers', formatShape(shape)));
  if (type.size !== undefined && needed !== end - start)
    return wrong(
      t('{0} {1} needs {2}, data_offsets give {3}', dtype, formatShape(shape), bytesOf(needed), end - start),
    );
  const byteRange = { start: data + start, end: data + end };
  const problem =
    type.problem && problemAt('dtype', byteRange.start, `${name}: ${type.problem.message}`, type.problem.hint);
  return ok({ type, entry: { name, shape, dtype: type.name, byteRange, ...(problem ? { problem } : {}) } });
}

const isWholes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);

/** The first gap, overlap, missing or surplus byte. */
function findMisplaced(tensors: readonly Stored[], data: number, size: number) {
  const ranges = tensors
    .map(({ entry }) => ({ name: entry.name, ...entry.byteRange }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let at = data;
  let before = t('the header');
  for (const { name, start, end } of ranges) {
    if (start > at)
      return problemAt('gap', at, t('{0} between {1} and {2} belong to no tensor', bytesOf(start - at), before, name));
    if (start < at) return problemAt('overlap', start, t('{0} begins before {1} ends, at byte {2}', name, before, at));
    at = end;
    before = name;
  }
  if (at > size)
    return truncated(size, t('{0} needs bytes up to {1}: {2} are missing', before, at - 1, bytesOf(at - size)));
  return at < size
    ? problemAt('surplus', at, t('{0} after {1} belong to no tensor', bytesOf(size - at), before))
    : undefined;
}

async function readTensor(
  source: ByteSource,
  { type, entry }: Stored,
  slice: Parameters<TensorFile['read']>[1],
  watch: Parameters<TensorFile['read']>[2],
): ReturnType<TensorFile['read']> {
  if (!type.stored) return fail(entry.problem ?? noTensor(entry.name));
  const layout = { type: { ...type, stored: type.stored }, shape: entry.shape, columnsFirst: false };
  const selection = selectionOf(layout, entry.name, slice);
  if (!selection.ok) return selection;
  const { start, end } = selection.value.bytes;
  const from = entry.byteRange.start;
  const bytes = await readBytes(source, from + start, from + end, entry.name);
  return bytes.ok ? decodeSelection(layout, selection.value, bytes.value, watch) : bytes;
}
