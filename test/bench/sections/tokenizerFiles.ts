import { tokenize, tokenizerFromJson, type TextToken } from '../../../engine/tokens';
import { idsAs } from '../check';
import { corpora } from '../corpus';
import { measure, type Contender, type Measured } from '../measure';
import { peer, type Place } from '../peers';
import { gpt2File, unigramFile, wordPieceFile, type TokenizerFile } from '../vocabularies';
import { ownEncoding } from './encodings';
import type { Form, Section } from './index';

export const tokenizerFiles: Section = {
  name: 'tokenizer-files',
  words: 'tokenizer.json with BPE, WordPiece, Unigram: text to tokens, against Hugging Face’s libraries',
  run,
};

async function* run(place: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  const texts = corpora(`${place.folder}/../..`, 4, short ? 30_000 : 100_000);
  const all = texts.flatMap(({ slices }) => slices);
  const files = [gpt2File((await ownEncoding(place, 'gpt2')).vocabulary), wordPieceFile(all), unigramFile(all)];
  for (const file of files) {
    const encoders = await encodersOf(place, file);
    for (const { name, slices, megabytes } of texts) {
      const contenders = await contendersOf(encoders, slices);
      const work = { name: `${file.name}, ${name}`, amount: megabytes, unit: 'MB', inputs: slices.length, contenders };
      yield measure(work, effort);
    }
  }
}

interface Encoder {
  readonly name: string;
  readonly encode: (text: string) => unknown;
  readonly idsOf: (result: unknown) => ArrayLike<number>;
}

interface NativeTokenizer {
  readonly encode: (text: string) => Promise<{ getIds(): number[]; getOffsets(): number[][]; getTokens(): string[] }>;
}
type Pure = new (file: object, config: object) => { encode(text: string): { ids: number[] } };

const native = 'tokenizers (Rust, native)';

async function encodersOf(place: Place, { json }: TokenizerFile): Promise<Encoder[]> {
  const own = tokenizerFromJson(json);
  if (!own.ok) throw new Error(JSON.stringify(own.problems));
  const { Tokenizer } = await peer<{ Tokenizer: Pure }>(place, '@huggingface/tokenizers');
  const rust = await peer<{ Tokenizer: { fromString(text: string): NativeTokenizer } }>(place, 'tokenizers');
  const pure = new Tokenizer(json, {});
  const program = rust.Tokenizer.fromString(JSON.stringify(json));
  return [
    {
      name: 'ours: tokens, offsets',
      encode: (text) => tokenize(own.value, text),
      idsOf: (result) => (result as TextToken[]).map(({ id }) => id),
    },
    {
      name: '@huggingface/tokenizers',
      encode: (text) => pure.encode(text),
      idsOf: (result) => (result as { ids: number[] }).ids,
    },
    {
      // Ours computes tokens and offsets on demand, so they are requested here. The others return them at once.
      name: native,
      encode: async (text) => {
        const found = await program.encode(text);
        return { ids: found.getIds(), offsets: found.getOffsets(), tokens: found.getTokens() };
      },
      idsOf: (result) => (result as { ids: number[] }).ids,
    },
  ];
}

/** All others must agree with Hugging Face's tokenizer (Rust). */
async function contendersOf(encoders: readonly Encoder[], texts: readonly string[]): Promise<Contender[]> {
  const program = encoders.find(({ name }) => name === native);
  if (!program) throw new Error(`${native} is missing`);
  const expected = await Promise.all(texts.map(async (text) => program.idsOf(await program.encode(text))));
  return encoders.map(({ name, encode, idsOf }) => ({
    name,
    run: (input) => encode(texts[input] ?? ''),
    check: idsAs((input) => expected[input] ?? [], idsOf),
  }));
}
