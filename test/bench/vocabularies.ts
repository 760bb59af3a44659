// Tokenizer files of the size that models use (30,000 to 50,000 tokens) without a download: GPT-2's own, from OpenAI's ranks, and
// WordPiece and Unigram vocabularies counted over the texts that are tokenized.
import { mergeAll } from '../../engine/tokens/merge';
import { findToken, type Vocabulary } from '../../engine/tokens/vocabulary';

export interface TokenizerFile {
  readonly name: string;
  readonly json: Readonly<Record<string, unknown>>;
}

const base = { version: '1.0', truncation: null, padding: null, added_tokens: [], post_processor: null, decoder: null };

/** The visible characters that stand for bytes in GPT-2's files (`bytes_to_unicode` of its encoder.py). */
function byteCharacters(): string[] {
  let next = 0x100;
  const visible = (b: number): boolean => (b >= 0x21 && b <= 0x7e) || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
  return Array.from({ length: 256 }, (_, b) => String.fromCharCode(visible(b) ? b : next++));
}

/** GPT-2 as a tokenizer.json. A token's merge joins the two parts into which the merges of lower rank split it. */
export function gpt2File(vocabulary: Vocabulary): TokenizerFile {
  const characters = byteCharacters();
  const { bytes, starts, count } = vocabulary;
  const written = (from: number, to: number): string =>
    Array.from(bytes.subarray(from, to), (b) => characters[b] ?? '').join('');
  const vocab: Record<string, number> = {};
  const merges: [string, string][] = [];
  for (let id = 0; id < count; id++) {
    const [from, to] = [starts[id] ?? 0, starts[id + 1] ?? 0];
    vocab[written(from, to)] = id;
    if (to - from < 2) continue;
    const middle = from + lastCut(vocabulary, id, from, to);
    merges.push([written(from, middle), written(middle, to)]);
  }
  const model = { type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: null };
  const rules = { end_of_word_suffix: null, fuse_unk: false, byte_fallback: false, ignore_merges: false };
  const preTokenizer = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  const json = { ...base, normalizer: null, pre_tokenizer: preTokenizer, model: { ...model, ...rules, vocab, merges } };
  return { name: 'BPE (gpt2)', json };
}

function lastCut(vocabulary: Vocabulary, id: number, from: number, to: number): number {
  const token = vocabulary.bytes.slice(from, to);
  const { next } = mergeAll(token.length, {
    rank: (left, _, end) => {
      const rank = findToken(vocabulary, token, left, end);
      return rank < id ? rank : -1;
    },
  });
  return next[0] ?? 0;
}

const size = 30_000;

/** Like bert-base-uncased: lower case without accents. Its tokens are the most frequent words, then the most frequent word endings. */
export function wordPieceFile(texts: readonly string[]): TokenizerFile {
  const words = new Map<string, number>();
  const ends = new Map<string, number>();
  const characters = new Set<string>();
  for (const text of texts) {
    for (const [word] of plain(text).matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) {
      add(words, word);
      for (const c of word) characters.add(c);
      const units = [...word];
      for (let n = 1; n <= 6 && n < units.length; n++) add(ends, `##${units.slice(-n).join('')}`);
    }
  }
  const single = [...characters].flatMap((c) => [c, `##${c}`]);
  const room = size - 5 - single.length;
  const pieces = [...single, ...top(words, room >> 1), ...top(ends, room >> 1)];
  const vocab = numbered(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...pieces]);
  const normalizer = {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  };
  const rules = {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
  };
  const json = { ...base, normalizer, pre_tokenizer: { type: 'BertPreTokenizer' }, model: { ...rules, vocab } };
  return { name: 'WordPiece (BERT)', json };
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** Like T5 and ALBERT: words with the blank before them as `▁`, and their substrings of up to six characters, scored by frequency. */
export function unigramFile(texts: readonly string[]): TokenizerFile {
  const counts = new Map<string, number>();
  const characters = new Set<string>();
  for (const text of texts) {
    for (const word of `▁${text.replaceAll(' ', '▁')}`.match(/▁?[^▁]*/gu) ?? []) {
      const units = [...word];
      for (const c of units) characters.add(c);
      for (let i = 0; i < units.length && units.length < 40; i++)
        for (let n = 2; n <= 6 && i + n <= units.length; n++) add(counts, units.slice(i, i + n).join(''));
    }
  }
  const pieces = top(counts, size - characters.size);
  const total = [...counts.values()].reduce((sum, n) => sum + n, 0);
  // Scores get a small perturbation. Otherwise two segmentations of a word can be equally probable, and programs that round differently choose differently.
  const score = (piece: string, i: number): number =>
    Number((Math.log((counts.get(piece) ?? 1) / total) + ((i * 0.6180339887) % 1) / 100).toFixed(9));
  const all = [...new Set([...characters, ...pieces])];
  const vocab = [['<unk>', 0], ...all.map((piece, i) => [piece, score(piece, i)])];
  const preTokenizer = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true };
  const model = { type: 'Unigram', unk_id: 0, vocab, byte_fallback: false };
  return { name: 'Unigram (SentencePiece)', json: { ...base, normalizer: null, pre_tokenizer: preTokenizer, model } };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const top = (counts: ReadonlyMap<string, number>, n: number): string[] =>
  [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, Math.max(0, n))
    .map(([key]) => key);

const numbered = (pieces: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(pieces)].map((piece, id) => [piece, id]));
