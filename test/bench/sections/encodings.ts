import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodingNames, loadTokenizer, tokenize, type EncodingName } from '../../../engine/tokens';
import { encodeBytes, type ByteEncoding } from '../../../engine/tokens/bytes';
import { buildVocabularies } from '../../../engine/tokens/vocabularies.mjs';
import { idsAs } from '../check';
import { corpora } from '../corpus';
import { measure, type Contender, type Measured } from '../measure';
import { peer, type Place } from '../peers';
import { reaching } from '../reach';
import type { Form, Section } from './index';

export const encodings: Section = {
  name: 'encodings',
  words: 'gpt2, cl100k_base, o200k_base: text to ids, against libraries of the same vocabularies',
  run,
};

async function* run(place: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  const texts = corpora(join(place.folder, '../..'), 4, short ? 100_000 : 250_000);
  for (const name of short ? (['cl100k_base'] as const) : encodingNames) {
    const all = await encodersOf(place, name);
    for (const { name: text, slices, megabytes } of texts) {
      const contenders = contendersOf(all, slices);
      yield measure(
        { name: `${name}, ${text}`, amount: megabytes, unit: 'MB', inputs: slices.length, contenders },
        effort,
      );
    }
    yield oneLetter(name, all, { short, effort });
    all.free();
  }
}

const megabyte = 2 ** 20;

/** A megabyte of one letter without a blank. Merging takes quadratic time or more in most libraries. */
async function oneLetter(name: string, all: Encoders, { short, effort }: Form): Promise<Measured> {
  const contendersAt = (size: number): readonly Contender[] =>
    contendersOf({ ...all, reference: () => idsOfLetters(all.reference, size) }, ['a'.repeat(size)]);
  const { contenders, notes } = await reaching(contendersAt, megabyte, short ? 300 : 2000);
  const work = { name: `${name}, one letter`, amount: megabyte / 1e6, unit: 'MB', inputs: 1, contenders, notes };
  return measure(work, effort);
}

/** The reference ids of `size` equal letters, by repeating those of 1024 letters: a power of two of one letter is merged in halves. Tokenizing it whole would take minutes. */
function idsOfLetters(reference: Encoders['reference'], size: number): Int32Array {
  const period = 1024;
  const ids = reference('a'.repeat(period));
  return Int32Array.from({ length: (ids.length * size) / period }, (_, i) => ids[i % ids.length] ?? -1);
}

interface Encoder {
  readonly name: string;
  readonly encode: (text: string) => unknown;
  readonly idsOf: (result: unknown) => ArrayLike<number>;
}

interface Encoders {
  readonly list: readonly Encoder[];
  /** OpenAI's own tokenizer. All others must return its ids. */
  readonly reference: (text: string) => ArrayLike<number>;
  readonly free: () => void;
}

interface Tiktoken {
  readonly encode: (text: string, allowed: string[], disallowed: string[]) => ArrayLike<number>;
  readonly free?: () => void;
}

const asIds = (result: unknown): ArrayLike<number> => result as ArrayLike<number>;

async function encodersOf(place: Place, name: EncodingName): Promise<Encoders> {
  const own = await ownEncoding(place, name);
  const gpt = await peer<{ encode: (text: string) => number[] }>(
    place,
    `gpt-tokenizer/encoding/${name === 'gpt2' ? 'r50k_base' : name}`,
  );
  const pure = (await peer<{ getEncoding: (name: string) => Tiktoken }>(place, 'js-tiktoken')).getEncoding(name);
  const wasm = (await peer<{ get_encoding: (name: string) => Tiktoken }>(place, 'tiktoken')).get_encoding(name);
  const list: Encoder[] = [
    {
      name: 'ours: ids, offsets',
      encode: (text) => encodeBytes(own, text, false),
      idsOf: (result) => {
        const { ids, count } = result as ReturnType<typeof encodeBytes>;
        return ids.subarray(0, count);
      },
    },
    {
      name: 'ours: tokens',
      encode: (text) => tokenize(own, text),
      idsOf: (result) => (result as ReturnType<typeof tokenize>).map(({ id }) => id),
    },
    { name: 'gpt-tokenizer', encode: (text) => gpt.encode(text), idsOf: asIds },
    { name: 'js-tiktoken', encode: (text) => pure.encode(text, [], []), idsOf: asIds },
    { name: 'tiktoken (WASM)', encode: (text) => wasm.encode(text, [], []), idsOf: asIds },
  ];
  return { list, reference: (text) => wasm.encode(text, [], []), free: () => wasm.free?.() };
}

/** One of ours, from the file that the build would make. */
export async function ownEncoding({ cache }: Place, name: EncodingName): Promise<ByteEncoding> {
  await buildVocabularies(cache);
  const loaded = await loadTokenizer(name, (file) => readFile(join(cache, file)));
  if (!loaded.ok || loaded.value.kind !== 'bytes') throw new Error(JSON.stringify(loaded));
  return loaded.value;
}

function contendersOf({ list, reference }: Encoders, texts: readonly string[]): Contender[] {
  const expected = new Map<number, ArrayLike<number>>();
  const idsFor = (input: number): ArrayLike<number> => {
    const ids = expected.get(input) ?? reference(texts[input] ?? '');
    expected.set(input, ids);
    return ids;
  };
  return list.map(({ name, encode, idsOf }) => ({
    name,
    run: (input) => encode(texts[input] ?? ''),
    check: idsAs(idsFor, idsOf),
  }));
}
