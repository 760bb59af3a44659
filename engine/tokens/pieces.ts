import type { Token } from '../plan';
import { fail, ok, type Problem, type Result } from '../problems';
import {
  tokenLimit,
  type AttentionSpec,
  type Piece,
  type SplitterName,
  type Start,
  type VocabularyName,
} from '../spec';
import { encodingRules } from './encodings';
import { tokenize } from './index';
import { splitText } from './split';
import type { TextToken, Tokenizer } from './types';

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
  const tokens = tokenize(tokenizer, start.text);
  if (tokens.length === 0) return fail(noTokens());
  if (tokens.length > tokenLimit) return fail(tooMany(tokens.length, start.text, tokens[tokenLimit]));
  return ok({ ...spec, start: { ...start, pieces: tokens.map((token) => pieceOf(token, start.text)) } });
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
    const token = { id, text: visible(written ?? start.text.slice(from, to)), start: from, end: to };
    return special ? { ...token, special } : token;
  });
}

const signs: ReadonlyMap<string, string> = new Map([[' ', '·'], ['\t', '→'], ['\n', '↵'], ['\r', '␍']]); // prettier-ignore

/** White space as VS Code renders it: a token is mostly told from another by its leading blank. */
const visible = (text: string): string => text.replace(/[ \t\n\r]/g, (c) => signs.get(c) ?? c);

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
    const wrong = (message: string): Problem => ({ code: 'piece', path: at, message: `${at}: ${message}` });
    if (!(isWhole(id) && id <= largestId)) return wrong(`id ${id}, expected a whole number from 0 to ${largestId}`);
    if (!isWhole(start) || !isWhole(end) || end < start) return wrong(`from ${start} to ${end} is no range`);
    if (end > text.length) return wrong(`ends at ${end}, the text at ${text.length}`);
    if (start < before) return wrong(`begins at ${start}, before the piece before it, at ${before}`);
    before = start;
  }
  return undefined;
}

/** Largest id of a token. */
export const largestId = 1_000_000;
const isWhole = (x: number): boolean => Number.isInteger(x) && x >= 0;

export const noTokens = (): Problem => ({
  code: 'empty',
  message: 'the text has no tokens',
  hint: 'Select at least one word.',
  path: 'start.text',
});

function tooMany(count: number, text: string, first: TextToken | undefined): Problem {
  const message = `the text has ${count} tokens, the limit is ${tokenLimit}`;
  const problem: Problem = {
    code: 'too-large',
    path: 'start.text',
    message,
    hint: 'Select a sentence or a paragraph.',
  };
  return first
    ? {
        ...problem,
        hint: `${problem.hint ?? ''} The first ${tokenLimit} end before “${text.slice(first.start, first.start + 20)}”.`,
      }
    : problem;
}

const otherTokenizer = (name: VocabularyName, { kind, name: found }: Tokenizer): Problem => ({
  code: 'tokenizer-other',
  path: 'start.tokenizer',
  message: `the spec asks for ${tokenizerName(name)}, found ${kind === 'bytes' ? found : `a tokenizer from a file (${found})`}`,
});

/** Why a spec cannot be planned yet. */
export const vocabularyNeeded = (name: VocabularyName): Problem => ({
  code: 'vocabulary-needed',
  path: 'start.tokenizer',
  message: `the spec has no tokens yet: ${tokenizerName(name)} decides them`,
  hint: 'Fill in its pieces: withPieces(spec, tokenizer), or --tokenizer on the command line.',
});
