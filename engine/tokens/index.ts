/** Splits text into tokens: bundled byte-level BPE vocabularies, and tokenizers from files. */
import { t, fail, ok, type Result } from '../text';
import { tokenizeBytes, type ByteEncoding } from './bytes';
import { encodingNames, encodingRules, vocabularyFile, type EncodingName } from './encodings';
import { tokenizeByFile, type Pipeline } from './file';
import type { TextToken, TokenizeOptions } from './types';
import { readVocabulary } from './vocabulary';

export { tokenizerFromJson, tokenizerFromVocab, TooMuchWork, tooMuchWork } from './file';
export {
  encodingNames,
  encodingRules,
  vocabularyFile,
  vocabularyModule,
  vocabularyOf,
  vocabularyText,
  type EncodingName,
} from './encodings';
export { spellings } from './spellings';
export { splitText } from './split';
export { bytesOf, encodeBytes, type ByteEncoding } from './bytes';
export type { TextToken, TokenizeOptions } from './types';

/** A tokenizer that is ready for use: plain data for `tokenize`. */
export type Tokenizer = ByteEncoding | Pipeline;

/**
 * Loads a bundled byte-level BPE encoding: `gpt2`, `cl100k_base`, `o200k_base`. The engine does no input or output itself: `read` returns the
 * bytes of a file of the package (`vocabularyFile(name)`: `cl100k_base.tkv`). A file that is unreadable, damaged or of another
 * encoding is a Problem.
 */
export async function loadTokenizer(
  name: EncodingName,
  read: (file: string) => Promise<Uint8Array>,
): Promise<Result<Tokenizer>> {
  if (!encodingNames.includes(name)) {
    return fail({ code: 'tokenizer-unknown', message: t('{0}: expected {1}', String(name), encodingNames.join(', ')) });
  }
  const file = vocabularyFile(name);
  const bytes = await read(file).catch((error: unknown) => String(error instanceof Error ? error.message : error));
  if (typeof bytes === 'string') {
    return fail({ code: 'vocabulary-unreadable', message: `${file}: ${bytes}`, hint: t('Reinstall the extension.') });
  }
  return encodingOf(name, bytes);
}

/** A bundled encoding from the bytes of its file. */
export function encodingOf(name: EncodingName, bytes: Uint8Array): Result<ByteEncoding> {
  const file = vocabularyFile(name);
  const vocabulary = readVocabulary(file, bytes);
  if (!vocabulary.ok) return vocabulary;
  const rules = encodingRules[name];
  const { count } = vocabulary.value;
  if (count !== rules.count) {
    return fail({
      code: 'vocabulary-damaged',
      message: t('{0}: {1} tokens, {2} has {3}', file, count, name, rules.count),
    });
  }
  const size = Math.max(...rules.specials.values()) + 1;
  return ok({ kind: 'bytes', name, size, notes: [], ...rules, vocabulary: vocabulary.value });
}

/**
 * Splits a text into tokens in order, with ids and UTF-16 offsets into `text`. Throws only TooMuchWork, when a tokenizer file needs more steps
 * than its text justifies (`withPieces` turns that into a Problem). Time is at most proportional to length · log(length).
 */
export function tokenize(tokenizer: Tokenizer, text: string, options: TokenizeOptions = {}): TextToken[] {
  return tokenizer.kind === 'bytes'
    ? tokenizeBytes(tokenizer, text, options)
    : tokenizeByFile(tokenizer, text, options);
}
