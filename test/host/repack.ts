// Writes a .vsix again: deflated as far as it goes, and with the translations alone that its bundles ask for.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { deflateAsync } from '@gfx/zopfli';
import ts from 'typescript';
import { packedKey } from '../../engine/text';
import { root } from './paths';

export interface Entry {
  readonly name: string;
  /** Compressed. */
  readonly size: number;
  /** Where its local header begins. */
  readonly at: number;
}

/** The text of an entry. */
export const textOf = (zip: Buffer, entry: Entry): string => contentOf(zip, entry).toString('utf8');

/** Names and compressed sizes, from a zip's central directory (APPNOTE 4.3.12). */
export function entriesOf(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const entries: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number]; // prettier-ignore
    const [size, start] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    entries.push({ name: zip.toString('utf8', at + 46, at + 46 + name), size, at: start });
    at += 46 + name + extra + comment;
  }
  return entries;
}

/** Offsets in an entry of the central directory (APPNOTE 4.3.12) of what is written anew. */
const central = { method: 10, crc: 16, size: 20, whole: 24, nameLength: 28, extraLength: 30, commentLength: 32, at: 42, fixed: 46 }; // prettier-ignore

/** The same files in the same order with the same dates; `change` may give one another content. The same bytes for the same input. */
export async function repacked(zip: Buffer, change: (name: string, content: Buffer) => Buffer): Promise<Buffer> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let from = zip.readUInt32LE(end + 16);
  let at = 0;
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const entry of entriesOf(zip)) {
    const lengths = [central.nameLength, central.extraLength, central.commentLength].map((offset) => zip.readUInt16LE(from + offset)); // prettier-ignore
    const head = Buffer.from(zip.subarray(from, from + central.fixed));
    const name = zip.subarray(from + central.fixed, from + central.fixed + (lengths[0] ?? 0));
    from += central.fixed + lengths.reduce((sum, length) => sum + length, 0);
    const content = change(entry.name, contentOf(zip, entry));
    const { method, data } = await packed(content);
    head.writeUInt16LE(method, central.method);
    head.writeUInt32LE(crc32(content), central.crc);
    head.writeUInt32LE(data.length, central.size);
    head.writeUInt32LE(content.length, central.whole);
    head.writeUInt16LE(0, central.extraLength);
    head.writeUInt16LE(0, central.commentLength);
    head.writeUInt32LE(at, central.at);
    // Sizes stand in the header itself: no descriptor follows the data.
    head.writeUInt16LE(head.readUInt16LE(8) & ~8, 8);
    directory.push(head, name);
    // A local header begins as the central one does behind its first version, and has no extra field.
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      head.subarray(6, 30),
      Buffer.alloc(2),
      name,
      data,
    ]);
    files.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const last = Buffer.from(zip.subarray(end, end + 22));
  last.writeUInt32LE(list.length, 12);
  last.writeUInt32LE(at, 16);
  last.writeUInt16LE(0, 20);
  return Buffer.concat([...files, list, last]);
}

/** What is stored or deflated at an entry. */
export function contentOf(zip: Buffer, { at, size }: Entry): Buffer {
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const data = zip.subarray(start, start + size);
  return zip.readUInt16LE(at + 8) === 8 ? inflateRawSync(data) : Buffer.from(data);
}

/** Less than this gains a few bytes only. */
const worthwhile = 1000;

/** Zopfli makes code and text about 4 % smaller than zlib’s best. What is packed already (weights, vocabularies, pictures) gains next to nothing and takes as long. */
async function packed(content: Buffer): Promise<{ readonly method: number; readonly data: Uint8Array }> {
  const quick = deflateRawSync(content, { level: 9, memLevel: 9 });
  const isText = content.length > worthwhile && quick.length < 0.5 * content.length;
  const data = isText ? await deflateAsync(content, { numiterations: 10, blocksplittingmax: 60 }) : quick;
  return data.length < content.length ? { method: 8, data } : { method: 0, data: content };
}

/**
 * The texts of a bundle of translations that stand in sources of the package: the terminal's own are not in it. Those that only the engine and the
 * page show are under their `packedKey`; VS Code itself looks up the extension's.
 */
export function packagedTexts(bundle: string): string {
  const own = literalsOf('extension');
  const others = ['engine', 'webview'].map(literalsOf);
  const packed: Record<string, string> = {};
  for (const [text, translation] of Object.entries(JSON.parse(bundle) as Readonly<Record<string, string>>)) {
    if (![own, ...others].some((used) => used.has(text))) continue;
    const key = own.has(text) ? text : packedKey(text);
    if (key in packed) throw new Error(`two texts have the key ${key}, one of them is “${text}”`);
    packed[key] = translation;
  }
  return JSON.stringify(packed);
}

/** Every text that is written in the sources of a folder, but for the terminal's. */
function literalsOf(folder: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.add(node.text);
    node.forEachChild(visit);
  };
  for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    const path = `${folder}/${name.replaceAll('\\', '/')}`;
    if (!/(?<!\.d)\.ts$/.test(path) || path.startsWith('engine/cli/')) continue;
    visit(ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true));
  }
  return found;
}
