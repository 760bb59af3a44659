import { t, type Token, fail, ok, type Problem, type Result } from '../text';
import { tokenLimit, type AttentionSpec, type Piece, type SplitterName, type Start, type VocabularyName } from './spec';
import {
  encodingRules,
  TooMuchWork,
  tooMuchWork,
  tokenize,
  type Tokenizer,
  splitText,
  type TextToken,
} from '../tokens';

type TextStart = Extract<Start, { from: 'text' }>;
/** A start whose tokens come from a vocabulary. */
export type VocabularyStart = Extract<TextStart, { tokenizer: VocabularyName }>;

const isSplitter = (tokenizer: TextStart['tokenizer']): tokenizer is SplitterName =>
  tokenizer === 'words' || tokenizer === 'characters' || tokenizer === 'bytes';

export const usesVocabulary = (start: Start): start is VocabularyStart =>
  start.from === 'text' && !isSplitter(start.tokenizer);

/** The tokenizer that a spec still needs (`withPieces`); undefined when its tokens are known without one. */
export function tokenizerOf({ start }: AttentionSpec): VocabularyName | undefined {
  return usesVocabulary(start) && !start.pieces ? start.tokenizer : undefined;
}

/**
 * The spec with the tokens that the tokenizer finds in its text: from then on it gives the same numbers anywhere. A spec that
 * needs none comes back as it is. A text without tokens or with more than `tokenLimit`, and another encoding's tokenizer, are Problems.
 */
export function withPieces(spec: AttentionSpec, tokenizer: Tokenizer): Result<AttentionSpec> {
  const { start } = spec;
  if (!usesVocabulary(start) || start.pieces) return ok(spec);
  if (!fits(start.tokenizer, tokenizer)) return fail(otherTokenizer(start.tokenizer, tokenizer));
  const cut = cutBy(tokenizer, start);
  if (!cut.ok) return cut;
  const tokens = cut.value;
  if (tokens.length === 0) return fail(noTokens());
  if (tokens.length > tokenLimit) return fail(tooMany(tokens.length, start.text, tokens[tokenLimit]));
  return ok({ ...spec, start: { ...start, pieces: tokens.map((token) => pieceOf(token, start.text)) } });
}

/** A file's patterns may ask for more work than a text is worth. */
function cutBy(tokenizer: Tokenizer, { text, tokenizer: name }: VocabularyStart): Result<TextToken[]> {
  try {
    return ok(tokenize(tokenizer, text));
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    return fail(tooMuchWork(tokenizerName(name), error));
  }
}

const fits = (name: VocabularyName, tokenizer: Tokenizer): boolean =>
  typeof name === 'object' ? tokenizer.kind === 'file' : tokenizer.kind === 'bytes' && tokenizer.name === name;

function pieceOf({ id, start, end, text: written, special }: TextToken, text: string): Piece {
  if (special) return [id, start, end, written, special];
  return written === text.slice(start, end) ? [id, start, end] : [id, start, end, written];
}

/** `gpt2`, or the file's name. */
export const tokenizerName = (name: TextStart['tokenizer']): string => (typeof name === 'object' ? name.file : name);

/** How many ids there are, where that is known without the vocabulary. */
export const vocabularySize = (name: VocabularyName): number | undefined =>
  typeof name === 'object' ? undefined : Math.max(...encodingRules[name].specials.values()) + 1;

/** The tokens of a text; none when a vocabulary is needed and the spec has no pieces. */
export function tokensOf(start: TextStart): readonly Token[] {
  if (isSplitter(start.tokenizer)) return splitText(start.text, start.tokenizer);
  const pieces = usesVocabulary(start) ? (start.pieces ?? []) : [];
  return pieces.map(([id, from, to, written, special]) => {
    const token = { id, text: visibleText(written ?? start.text.slice(from, to)), start: from, end: to };
    return special ? { ...token, special } : token;
  });
}

const signs: ReadonlyMap<string, string> = new Map([[' ', '·'], ['\t', '→'], ['\n', '↵'], ['\r', '␍']]); // prettier-ignore

/** White space as VS Code renders it: a token is mostly told from another by its leading blank. */
export const visibleText = (text: string): string => text.replace(/[ \t\n\r]/g, (c) => signs.get(c) ?? c);

/** For each token, which of the distinct ids it is, numbered by first appearance. */
export function rowsOf(tokens: readonly Token[]): number[] {
  const rows = new Map<number, number>();
  return tokens.map(({ id }) => {
    const row = rows.get(id) ?? rows.size;
    rows.set(id, row);
    return row;
  });
}

/** What is wrong with given pieces: nothing, or the first piece that is out of order, outside of the text or has no id. */
export function checkPieces({ text, pieces = [] }: VocabularyStart): Problem | undefined {
  const path = 'start.pieces';
  if (pieces.length > tokenLimit) return { ...tooMany(pieces.length, text, undefined), path };
  let before = 0;
  for (const [i, [id, start, end]] of pieces.entries()) {
    const at = `${path}[${i}]`;
    const pieceProblem = (message: string): Problem => ({ code: 'piece', path: at, message: `${at}: ${message}` });
    if (!(isWhole(id) && id <= largestId))
      return pieceProblem(t('id {0}, expected a whole number from 0 to {1}', id, largestId));
    if (!isWhole(start) || !isWhole(end) || end < start)
      return pieceProblem(t('from {0} to {1} is no range', start, end));
    if (end > text.length) return pieceProblem(t('ends at {0}, the text at {1}', end, text.length));
    if (start < before) return pieceProblem(t('begins at {0}, before the piece before it, at {1}', start, before));
    before = start;
  }
  return undefined;
}

/** Largest id of a token. */
export const largestId = 1_000_000;
const isWhole = (x: number): boolean => Number.isInteger(x) && x >= 0;

export const noTokens = (): Problem => ({
  code: 'empty',
  message: t('the text has no tokens'),
  hint: t('Select at least one word.'),
  path: 'start.text',
});

function tooMany(count: number, text: string, first: TextToken | undefined): Problem {
  const message = t('the text has {0} tokens, the limit is {1}', count, tokenLimit);
  const hint = t('Select a sentence or a paragraph.');
  const problem: Problem = { code: 'too-large', path: 'start.text', message, hint };
  return first
    ? {
        ...problem,
        hint: [hint, t('The first {0} end before “{1}”.', tokenLimit, text.slice(first.start, first.start + 20))].join(
          ' ',
        ),
      }
    : problem;
}

const otherTokenizer = (name: VocabularyName, { kind, name: found }: Tokenizer): Problem => ({
  code: 'tokenizer-other',
  path: 'start.tokenizer',
  message:
    kind === 'bytes'
      ? t('the spec asks for {0}, found {1}', tokenizerName(name), found)
      : t('the spec asks for {0}, found a tokenizer from a file ({1})', tokenizerName(name), found),
});

/** Why a spec cannot be planned yet. */
export const vocabularyNeeded = (name: VocabularyName): Problem => ({
  code: 'vocabulary-needed',
  path: 'start.tokenizer',
  message: t('the spec has no tokens yet: {0} decides them', tokenizerName(name)),
  hint: t('Fill in its pieces: withPieces(spec, tokenizer), or --tokenizer on the command line.'),
});
