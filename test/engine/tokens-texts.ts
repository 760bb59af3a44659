import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadTokenizer, type EncodingName } from '../../engine/tokens';
import type { ByteEncoding } from '../../engine/tokens/bytes';
import { vocabularyBytes } from '../../engine/tokens/vocabularies.mjs';

/** JSON from a packed file of test/fixtures/tokens. */
export function fixture<T>(name: string): T {
  return JSON.parse(gunzipSync(readFileSync(join(__dirname, '../fixtures/tokens', name))).toString()) as T;
}

const files = new Map<string, Promise<Uint8Array>>();

/** The vocabulary file as the build makes it, made once. */
export function vocabularyOf(name: string): Promise<Uint8Array> {
  const file = files.get(name) ?? vocabularyBytes(name);
  files.set(name, file);
  return file;
}

const loaded = new Map<EncodingName, ByteEncoding>();

export async function encoding(name: EncodingName): Promise<ByteEncoding> {
  const before = loaded.get(name);
  if (before) return before;
  const result = await loadTokenizer(name, (file) => vocabularyOf(file.replace('.tkv', '')));
  if (!result.ok || result.value.kind !== 'bytes') throw new Error(JSON.stringify(result));
  loaded.set(name, result.value);
  return result.value;
}

const scripts: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0x20, 0x7e],
  [0x20, 0x7e],
  [0, 0x84],
  [0xa0, 0x24f],
  [0x250, 0x36f],
  [0x370, 0x52f],
  [0x530, 0x6ff],
  [0x700, 0x9ff],
  [0xa00, 0xfff],
  [0x1000, 0x1fff],
  [0x2000, 0x2bff],
  [0x2c00, 0x33ff],
  [0x4e00, 0x9fff],
  [0xa000, 0xabff],
  [0xac00, 0xd7a3],
  [0xd800, 0xdfff],
  [0xf900, 0xfefe],
  [0xff00, 0xffff],
  [0x10000, 0x1ffff],
  [0x20000, 0x2ffff],
  [0, 0x10ffff],
];

const phrases =
  "the quick brown Fox don't WON'T I'll we'Re it'S They'VE 'd'M x's 12345 3.14159 1e-9 HelloWorld camelCase XMLHttpRequest naïve Straße ǅungla ÉCOLE αβγς Привет שלום مرحبا नमस्ते สวัสดี 你好世界 こんにちは 안녕하세요 👩‍👩‍👧 🇫🇷 for(int i=0;i<n;++i){a[i]+=b;} // /* */ <|endoftext|> https://example.com/a?b=c ... --- '' é ʰA".split(
    ' ',
  );
const spaces = [' ', '  ', '\n', '\n\n', '\r\n', '\t', ' \n', '\n ', '\u00a0', '\u3000', '        ', '\n\n  \n', '/\n'];

/** Words, scripts, emoji, code, white space, any code point and lone surrogates; the same for the same seed. */
export function texts(count: number, seed: number): string[] {
  let state = seed;
  const below = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x100000000) * n);
  };
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = (): string => {
    const kind = below(100);
    if (kind < 40) return pick(phrases);
    if (kind < 70) return pick(spaces).repeat(1 + below(3));
    if (kind < 73) return pick([...'aA1! \n漢é']).repeat(1 + below(300));
    const [low, high] = pick(scripts);
    return Array.from({ length: 1 + below(6) }, () => String.fromCodePoint(low + below(high - low + 1))).join('');
  };
  return Array.from({ length: count }, () => Array.from({ length: below(12) }, some).join(''));
}
