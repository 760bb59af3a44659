import { fail, ok, t, type Problem, type Result } from '../text';
import { formatShape, sizeOf } from '../math';
import { openSafetensors, type ByteSource, type TensorEntry } from '../files';
import { jsonIn } from './json';
import { bytesEach, floatsOf } from './numbers';

/** A folder of a checkpoint: files by name, read by range. Undefined: there is no such file. */
export interface CheckpointFolder {
  open(name: string): Promise<ByteSource | undefined>;
}

/** The tensors of all shards. Only the bytes that are asked for are read. */
export interface Weights {
  readonly entries: ReadonlyMap<string, TensorEntry>;
  /** Bytes of all shards. */
  readonly bytes: number;
  /** Rows `from` to `to` − 1 of a tensor (all of it by default) as float32, row-major. Problems: missing, changed, its type is not read. */
  read(name: string, rows?: readonly [from: number, to: number]): Promise<Result<Float32Array>>;
  /** Whether two tensors have the same type, shape and bytes. Rejects if the file cannot be read. */
  equal(one: string, other: string): Promise<boolean>;
}

export const configFile = 'config.json';
export const tokenizerFile = 'tokenizer.json';
const single = 'model.safetensors';
const sharded = 'model.safetensors.index.json';

/** Most shards: the largest published models have about 200. */
const mostShards = 1000;
/** Of an index, in bytes. */
const longestIndex = 1 << 25;

interface Stored {
  readonly source: ByteSource;
  readonly file: string;
  readonly entry: TensorEntry;
}

/** Opens the shards of a folder and reads their headers. Problems: no safetensors, a missing or damaged shard, a tensor that the index puts elsewhere. */
export async function openWeights(folder: CheckpointFolder): Promise<Result<Weights>> {
  const listed = await shardsOf(folder);
  if (!listed.ok) return listed;
  const { files, placed } = listed.value;
  const stored = new Map<string, Stored>();
  let bytes = 0;
  for (const file of files) {
    const source = await folder.open(file);
    if (!source) return missing(t('{0} is not in the folder; {1} names it', file, sharded));
    bytes += source.size;
    const opened = await openSafetensors(source);
    if (!opened.ok) return fail(...opened.problems.map((problem) => inFile(file, problem)));
    for (const entry of opened.value.tensors) stored.set(entry.name, { source, file, entry });
  }
  const lost = [...placed].find(([name, file]) => stored.get(name)?.file !== file);
  if (lost) return missing(t('{0} should be in {1}, which does not have it', lost[0], lost[1]));
  return ok({
    entries: new Map([...stored].map(([name, { entry }]) => [name, entry])),
    bytes,
    read: (name, rows) => readRows(stored.get(name), name, rows),
    equal: (one, other) => haveSameBytes(stored.get(one), stored.get(other)),
  });
}

/** Bytes of two tensors that are compared at once. */
const compared = 1 << 22;

async function haveSameBytes(one: Stored | undefined, other: Stored | undefined): Promise<boolean> {
  if (!one || !other || one.entry.dtype !== other.entry.dtype || one.entry.shape.join() !== other.entry.shape.join())
    return false;
  const [a, b] = [one.entry.byteRange, other.entry.byteRange];
  const size = a.end - a.start;
  for (let at = 0; at < size; at += compared) {
    const to = Math.min(size, at + compared);
    const [mine, its] = await Promise.all([
      one.source.readRange(a.start + at, a.start + to),
      other.source.readRange(b.start + at, b.start + to),
    ]);
    if (mine.length !== to - at || mine.length !== its.length || mine.some((byte, i) => byte !== its[i])) return false;
  }
  return true;
}

const missing = (message: string) => fail({ code: 'checkpoint', message });
const inFile = (file: string, problem: Problem): Problem => ({ ...problem, message: `${file}: ${problem.message}` });

interface Shards {
  readonly files: readonly string[];
  /** Where the index says that each tensor is. */
  readonly placed: ReadonlyMap<string, string>;
}

async function shardsOf(folder: CheckpointFolder): Promise<Result<Shards>> {
  const index = await folder.open(sharded);
  if (index) return readIndex(index);
  if (await folder.open(single)) return ok({ files: [single], placed: new Map() });
  const pickled = await folder.open('pytorch_model.bin');
  return pickled
    ? missing(t('the folder has pytorch_model.bin, which can run code when it is read; only safetensors is read. Save it again with save_pretrained(folder, safe_serialization=True).')) // prettier-ignore
    : fail({
        code: 'checkpoint',
        message: t('neither {0} nor {1} is in the folder', single, sharded),
        hint: t('Shards are read by their index; of other formats (GGUF, .bin, .pt) none is read.'),
      });
}

async function readIndex(source: ByteSource): Promise<Result<Shards>> {
  if (source.size > longestIndex) return missing(t('{0} has {1} bytes, the limit is {2}', sharded, source.size, longestIndex)); // prettier-ignore
  const json = jsonIn(sharded, await source.readRange(0, source.size));
  if (!json.ok) return json;
  const map = (json.value as { weight_map?: unknown } | null)?.weight_map;
  const entries = typeof map === 'object' && map !== null ? Object.entries(map as Record<string, unknown>) : [];
  const odd = entries.find(([, file]) => typeof file !== 'string' || !isPlainName(file));
  if (entries.length === 0 || odd)
    return missing(t('{0}: weight_map should name a file of the folder for each tensor', sharded));
  const placed = new Map(entries as readonly (readonly [string, string])[]);
  const files = [...new Set(placed.values())].sort();
  return files.length > mostShards
    ? missing(t('{0} names {1} files, the limit is {2}', sharded, files.length, mostShards))
    : ok({ files, placed });
}

/** A name without folders, so that an index cannot lead out of its folder. */
const isPlainName = (name: string): boolean => /^[\w.-]+\.safetensors$/.test(name);

async function readRows(
  stored: Stored | undefined,
  name: string,
  rows?: readonly [number, number],
): Promise<Result<Float32Array>> {
  if (!stored) return missing(t('the checkpoint has no tensor {0}', name));
  const { source, file, entry } = stored;
  const width = sizeOf(entry.shape.slice(1));
  const each = width * (bytesEach(entry.dtype) ?? 0);
  const { start, end } = entry.byteRange;
  const [from, to] = rows ? [start + rows[0] * each, start + rows[1] * each] : [start, end];
  if (from > to || to > end)
    return missing(t('{0} has shape {1}: no rows {2} to {3}', name, formatShape(entry.shape), rows?.[0], rows?.[1]));
  let bytes: Uint8Array;
  try {
    bytes = await source.readRange(from, to);
  } catch (error) {
    return missing(error instanceof Error ? error.message : String(error));
  }
  if (bytes.length !== to - from)
    return missing(t('{0} was changed while it was read: {1} bytes of {2}', file, bytes.length, to - from));
  return floatsOf(entry.dtype, bytes);
}
