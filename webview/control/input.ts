import { t } from '../../engine/index';
import type { TokenizerChoice } from '../tokens/cuts';
import type { Switches } from '../page/switches';
import { embedded, fromText, given, hasX, listed, nameOf, takesPositions, width, withOwn, type Control } from './kinds';

const filePrefix = 'file:';

const tokenizerNotes: Readonly<Record<Extract<TokenizerChoice, string>, string>> = {
  words: t('Words and punctuation marks; white space is none.'),
  characters: t('Each character, white space included.'),
  bytes: t('Each byte of UTF-8; the id is the byte.'),
  gpt2: t('GPT-2’s byte-level BPE: 50,257 ids.'),
  cl100k_base: t('GPT-3.5’s and GPT-4’s byte-level BPE: 100,277 ids.'),
  o200k_base: t('GPT-4o’s byte-level BPE: 200,019 ids.'),
};

const tokenizerNote = (choice: TokenizerChoice): string =>
  typeof choice === 'string'
    ? tokenizerNotes[choice]
    : t('This text’s tokens are kept. Another text needs the file again; after a reload it is asked for.');

const biased = { none: t('None'), alibi: 'ALiBi' } as const;
const turned = {
  none: t('None'),
  'rope-interleaved': t('RoPE, adjacent pairs'),
  'rope-half': t('RoPE, halves'),
  alibi: 'ALiBi',
} as const;
const positionNames = {
  none: t('None'),
  'sinusoidal-interleaved': t('Sinusoidal, interleaved'),
  'sinusoidal-concatenated': t('Sinusoidal, concatenated'),
  'learned-random': t('Learned (random)'),
  'rope-interleaved': t('RoPE, adjacent pairs'),
  'rope-half': t('RoPE, halves'),
  alibi: 'ALiBi',
} as const;

const positionNotes: Readonly<Record<string, string>> = {
  none: t('Without positions attention sees a set, not a sequence.'),
  'sinusoidal-interleaved': t('Sines and cosines in turn are added to X (Vaswani et al. 2017).'),
  'sinusoidal-concatenated': t('Sines, then cosines are added to X (tensor2tensor).'),
  'learned-random': t('A row for each place is added to X; drawn here, learned in a model.'),
  'rope-interleaved': t('Columns 2i and 2i+1 of Q and K turn with the position (Su et al. 2021).'),
  'rope-half': t('Columns i and i+d/2 of Q and K turn with the position (GPT-NeoX, Llama).'),
  alibi: t('Scores lose in proportion to the distance (Press et al. 2022).'),
};

/** What is cut, embedded and placed. */
export const inputControls: readonly Control[] = [
  {
    id: 'tokenizer', group: 'tokens', kind: 'choice', label: t('Tokens'),
    explain: t('What one token is.'),
    explainChoice: ({ tokenizer }) => tokenizerNote(tokenizer),
    paths: ['start.text', 'start.tokenizer', 'start.pieces'], applies: fromText,
    options: (_, files) => [
      ...listed({
        words: t('Words'), characters: t('Characters'), bytes: t('Bytes (UTF-8)'),
        gpt2: 'gpt2', cl100k_base: 'cl100k_base', o200k_base: 'o200k_base',
      }),
      ...files.map((file) => ({ value: filePrefix + file, text: file })),
      { value: 'choose', text: t('Tokenizer file…') },
    ],
    opens: 'choose',
    get: ({ tokenizer }) => (typeof tokenizer === 'object' ? filePrefix + tokenizer.file : tokenizer),
    set: (s, value) => ({
      ...s,
      tokenizer: value.startsWith(filePrefix)
        ? { file: value.slice(filePrefix.length) }
        : (value as Extract<TokenizerChoice, string>),
    }),
  },
  {
    id: 'dModel', group: 'input', kind: 'number', ...width, label: 'd_model',
    explain: t('Numbers in each token’s embedding.'),
    paths: ['dModel'], applies: embedded,
    get: (s) => String(s.dModel),
    set: (s, dModel) => ({ ...s, dModel }),
  },
  {
    id: 'positions', group: 'input', kind: 'choice', label: t('Positions'),
    explain: t('What says where a token stands.'),
    explainChoice: ({ positions }) => positionNotes[nameOf(positions)] ?? t('Rows that came with the input are added to X.'),
    paths: ['positions'], applies: takesPositions,
    options: (spec) => withOwn(hasX(spec) ? positionNames : spec.start.from === 'qkv' ? turned : biased, spec.positions, t('Learned, as given')),
    get: (s) => nameOf(s.positions),
    set: (s, value, spec) => ({
      ...s,
      positions: value === given ? spec.positions : (value as Extract<Switches['positions'], string>),
    }),
  },
]; // prettier-ignore
