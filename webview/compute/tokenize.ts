import {
  loadTokenizer,
  tokenizerFromJson,
  tokenizerFromVocab,
  tokenizerName,
  tokenizerOf,
  withPieces,
  type Problem,
  type Result,
  type Tokenizer,
  type VocabularyName,
} from '../../engine/index';
import type { CutResult, TokenizerSource, WorkerMethods } from './remote';

/** Tokenizes texts and keeps the tokenizers that it has read. For a worker: reading a large file takes a second. */
export function createTokenizing(): WorkerMethods['tokenize'] {
  const kept = new Map<string, Tokenizer>();
  return async (spec, source) => {
    const name = tokenizerOf(spec);
    if (!name) throw new Error('the spec needs no tokenizer');
    const key = tokenizerName(name);
    const tokenizer = source && (await read(name, source));
    if (tokenizer && !tokenizer.ok) return { known: false, problems: tokenizer.problems };
    if (tokenizer) kept.set(key, tokenizer.value);
    const used = kept.get(key);
    if (!used) throw new Error(`${key} has not been read`);
    return resultOf(withPieces(spec, used), used.notes);
  };
}

function resultOf(cut: ReturnType<typeof withPieces>, notes: readonly Problem[]): CutResult {
  if (!cut.ok) return { known: true, problems: cut.problems };
  const { start } = cut.value;
  const pieces = (start.from === 'text' && 'pieces' in start && start.pieces) || [];
  return { known: true, pieces, notes: notes.map(inWords) };
}

/** A text that begins with a brace is read as a tokenizer.json, whatever the file's name. */
async function read(name: VocabularyName, source: TokenizerSource): Promise<Result<Tokenizer>> {
  if (typeof name === 'string') return loadTokenizer(name, async () => bytesOf(source));
  const text = 'text' in source ? source.text : '';
  const isList = /\.txt\b/i.test(name.file) && !/^\s*\{/.test(text);
  return isList ? tokenizerFromVocab(text) : tokenizerFromJson(text);
}

function bytesOf(source: TokenizerSource): Uint8Array {
  if ('bytes' in source) return source.bytes;
  throw new Error('a text in place of a vocabulary');
}

/** A problem as a single text, for the page's notes. */
const inWords = ({ message, hint }: Problem): string => [message, hint].filter(Boolean).join('. ');
