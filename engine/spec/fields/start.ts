import { t, say } from '../../text';
import { encodingNames } from '../../tokens';
import { listed, type CutText, type Fields } from '../field';
import { expected, ids, number, oneOf, record, tagged, tensor, text, wordOr, type Kind, type RecordOf } from '../kinds';
import { checkLimit, widthLimit } from '../limits';
import { programStart } from './program';
import { isVocabulary, sameTokenizer, splitters, type Piece, type TokenizerChoice } from '../text';

/* Where the computation begins. Everything before that point is absent from the plan. */

/** [id, start, end], then how the token is written, then true where it is special. */
const checkPiece = expected(
  () => '[id, start, end, written?, special?]',
  (value) => {
    const fields = Array.isArray(value) ? (value as unknown[]) : [];
    const [id, from, to, written = '', special = true] = fields;
    const fits = [id, from, to].every((x) => typeof x === 'number') && typeof written === 'string' && special === true;
    return fits && fields.length <= 5;
  },
);

const pieces: Kind<readonly Piece[]> = {
  check: (value, path, problems) => {
    const some = Array.isArray(value) && value.length > 0;
    expected(
      () => t('pieces'),
      () => some,
    )(value, path, problems);
    if (some) (value as unknown[]).forEach((p, i) => checkPiece(p, `${path}[${i}]`, problems));
  },
  schema: () => ({
    type: 'array',
    minItems: 1,
    items: {
      type: 'array',
      prefixItems: [{ type: 'number' }, { type: 'number' }, { type: 'number' }, { type: 'string' }, { const: true }],
      minItems: 3,
      maxItems: 5,
      items: false,
      description: t(
        'Id, start and end in UTF-16 offsets into the text, half-open; how the token is written where those characters do not say it; true where it is special.',
      ),
    },
  }),
};

const noPieces: Kind<undefined> = {
  check: expected(
    () => t('no pieces: nothing decides them'),
    () => false,
  ),
  schema: () => ({ not: {} }),
};

const file = record({
  required: { file: text },
  describe: () => t('The name of a local tokenizer.json or vocab.txt, which is shown and never read.'),
});
const anyTokenizer = wordOr([...splitters, ...encodingNames], file);

/**
 * Text, split into tokens and embedded. Words: punctuation marks are tokens, white space is none. Characters: white space included.
 * Bytes: of UTF-8; the id is the byte, and a random table has rows up to the largest.
 */
const splitText = {
  required: { text, tokenizer: oneOf(...splitters) },
  describe: () => t('Text, split into tokens and embedded.'),
} as const;

/**
 * Text whose tokens a vocabulary decides. With `pieces` the spec needs no vocabulary; `withPieces` fills them in. A random table
 * has a row for each distinct token, in order of first appearance; in a given one the id is the row.
 */
const vocabularyText = {
  required: { text, tokenizer: wordOr(encodingNames, file) },
  optional: { pieces },
  describe: () => t('Text whose tokens a vocabulary decides. With pieces, the spec needs no vocabulary.'),
} as const;

const start = tagged('from', {
  text: {
    each: [splitText, vocabularyText],
    pick: ({ tokenizer }) => ({
      required: { text, tokenizer: anyTokenizer },
      optional: { pieces: (splitters as readonly unknown[]).includes(tokenizer) ? noPieces : pieces },
    }),
  },
  /** Token ids, embedded; random tables have as many rows as the largest id needs. */
  ids: { required: { ids }, describe: () => t('Token ids, embedded.') },
  /**
   * X: n tokens as rows, d_model columns. With a context (m×d_model), keys and values come from it: cross-attention. With `values` (a row for each key),
   * the values come from these instead: query, key and value of nn.MultiheadAttention are three inputs then (DETR adds positions to queries and keys alone).
   */
  x: {
    required: { x: tensor },
    optional: { context: tensor, values: tensor },
    describe: () =>
      t(
        'X: n tokens as rows, d_model columns; with a context, cross-attention; with values, V comes from these (the value of nn.MultiheadAttention, DETR).',
      ),
  },
  /** Q (n×d_k), K (m×d_k) and, if the walk goes past the weights, V (m×d_v); or one of each for every head. */
  qkv: {
    required: { q: tensor, k: tensor },
    optional: { v: tensor },
    describe: () => t('Q (n×d_k), K (m×d_k), V (m×d_v), or one of each for every head.'),
  },
  /** QKᵀ (n×m), not yet scaled; `dK` is what the scale divides by the root of. */
  scores: {
    required: { scores: tensor, dK: number },
    optional: { v: tensor },
    describe: () => t('QKᵀ, not yet scaled.'),
  },
  /** Attention weights (n×m) and V (m×d_v). */
  weights: { required: { weights: tensor, v: tensor }, describe: () => t('Attention weights and V.') },
  /** A program's own steps. */
  program: programStart,
} as const);

const kinds = {
  required: {
    /** Where the computation begins. Everything before that point is absent from the plan. */
    start,
  },
  optional: {},
} as const;

/** Where the computation begins. */
export type Start = RecordOf<typeof kinds>['start'];

type TextStart = Extract<Start, { from: 'text' }>;

/** The start with another tokenizer; without pieces where nothing has cut the text yet. */
export function startWith(start: TextStart, tokenizer: TokenizerChoice, cuts: readonly CutText[]): Start {
  const { from, text } = start;
  if (!isVocabulary(tokenizer)) return { from, text, tokenizer };
  const cut = cuts.find((one) => sameTokenizer(one.tokenizer, tokenizer));
  if (cut) return { from, text, tokenizer, pieces: cut.pieces };
  return sameTokenizer(start.tokenizer, tokenizer) ? start : { from, text, tokenizer };
}

interface Spec {
  readonly start: Start;
  readonly scale: string | object;
}

export interface Switches {
  readonly start: { readonly tokenizer: TokenizerChoice };
}

const filePrefix = 'file:';

const tokenizerNote = (choice: TokenizerChoice): string =>
  typeof choice === 'string'
    ? tokenizerNotes[choice]()
    : t('This text’s tokens are kept. Another text needs the file again; after a reload it is asked for.');

const tokenizerNotes: Readonly<Record<Extract<TokenizerChoice, string>, () => string>> = {
  words: () => t('Words and punctuation marks; white space is none.'),
  characters: () => t('Each character, white space included.'),
  bytes: () => t('Each byte of UTF-8; the id is the byte.'),
  gpt2: () => t('GPT-2’s byte-level BPE: 50,257 ids.'),
  cl100k_base: () => t('GPT-3.5’s and GPT-4’s byte-level BPE: 100,277 ids.'),
  o200k_base: () => t('GPT-4o’s byte-level BPE: 200,019 ids.'),
};

const fields: Fields<typeof kinds, Spec, Switches, Switches['start']> = {
  start: {
    describe: () => t('Where the computation begins.'),
    initial: 'asked',
    example: '.tokenizer=characters',
    limits: ({ start }, problems) => {
      if (start.from === 'scores') checkLimit(problems, 'start.dK', start.dK, widthLimit);
    },
    ignored: {
      // Nothing is lost of a width of 1, which divides by 1.
      'start.dK': ({ start, scale }) =>
        start.from === 'scores' && scale !== 'sqrt_d_k' && !(scale === 'none' && start.dK === 1)
          ? say('the scores are not divided by √{d_k}')
          : undefined,
    },
    panel: {
      read: ({ start }) => ({ tokenizer: start.from === 'text' ? start.tokenizer : 'words' }),
      write: ({ start }, { tokenizer }, cuts) => (start.from === 'text' ? startWith(start, tokenizer, cuts) : start),
      controls: [
        {
          id: 'tokenizer',
          group: 'tokens',
          kind: 'choice',
          label: () => t('Tokens'),
          explain: () => t('What one token is.'),
          explainChoice: ({ tokenizer }) => tokenizerNote(tokenizer),
          paths: ['start.text', 'start.tokenizer', 'start.pieces'],
          applies: ({ start }) => start.from === 'text',
          options: (_, files) => [
            ...listed({ words: t('Words'), characters: t('Characters'), bytes: t('Bytes (UTF-8)') }),
            ...encodingNames.map((name) => ({ value: name, text: name })),
            ...files.map((name) => ({ value: filePrefix + name, text: name })),
            { value: 'choose', text: t('Tokenizer file…') },
          ],
          opens: 'choose',
          get: ({ tokenizer }) => (typeof tokenizer === 'object' ? filePrefix + tokenizer.file : tokenizer),
          set: (_, value) => ({
            tokenizer: value.startsWith(filePrefix)
              ? { file: value.slice(filePrefix.length) }
              : (value as Extract<TokenizerChoice, string>),
          }),
        },
      ],
    },
  },
};

export const starting = { kinds, fields };

/** Whether there is an X: it is given, or text or ids are embedded. */
export const hasX = ({ start }: { readonly start: Pick<Start, 'from'> }): boolean =>
  start.from === 'text' || start.from === 'ids' || start.from === 'x';
export const hasScores = ({ start }: { readonly start: Pick<Start, 'from'> }): boolean =>
  start.from !== 'weights' && start.from !== 'program';

/** Sizes of nested arrays, by their first elements. */
export const sizesOf = (nested: unknown): readonly number[] =>
  Array.isArray(nested) ? [nested.length, ...sizesOf(nested[0])] : [];
