import { fail, ok, type Problem, type Result } from '../../problems';
import { addedTokens, type AddedToken } from './added';
import { wordPiece } from './models/words';
import { sizeOf } from './json';
import { normalizerOf } from './normalizers';
import type { Pipeline } from './pipeline';
import { around } from './postprocessors';
import { preTokenizerOf } from './pretokenizers';
import { nodeAt } from './reader';

/**
 * BERT's tokenizer (Devlin et al. 2019) from its `vocab.txt`: a WordPiece a line, the id being the line's number from 0. The
 * file does not say whether the text is lowercased: it is, unless a piece has an upper-case letter; `notes` say so, and
 * `lowercase` overrides it.
 */
export function tokenizerFromVocab(text: string, options: { readonly lowercase?: boolean } = {}): Result<Pipeline> {
  const lines = text
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line) => line.replace(/\p{White_Space}+$/u, ''));
  const vocabulary = new Map(lines.map((line, id) => [line, id]));
  const unknownAs = vocabulary.get('[UNK]');
  if (unknownAs === undefined) {
    const message = `vocab.txt: no line [UNK] among ${lines.length}`;
    return fail({ code: 'tokenizer-invalid', message, hint: 'A BERT vocabulary has one piece a line.' });
  }
  const cased = lines.findIndex((line) => !/^\[.*\]$/.test(line) && line !== line.toLowerCase());
  const lowercase = options.lowercase ?? cased < 0;
  const notes = [...notesOn(lines, vocabulary), ...(options.lowercase === undefined ? [caseNote(lines, cased)] : [])];
  return ok(bert(vocabulary, unknownAs, lowercase, notes));
}

function bert(
  vocabulary: ReadonlyMap<string, number>,
  unknownAs: number,
  lowercase: boolean,
  notes: Problem[],
): Pipeline {
  const part = (value: object) => nodeAt({ problems: [], notes: [] }, '', value);
  const normalize = normalizerOf(
    part({ type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase }),
  );
  return {
    kind: 'file',
    name: 'WordPiece',
    size: sizeOf(vocabulary.values()),
    notes,
    added: addedTokens(specials(vocabulary), normalize),
    normalize,
    preTokenize: preTokenizerOf(part({ type: 'BertPreTokenizer' })),
    model: wordPiece({ vocabulary, unknown: '[UNK]', unknownAs, prefix: '##', longestWord: 100 }),
    postProcess: around(inVocabulary(vocabulary, '[CLS]'), inVocabulary(vocabulary, '[SEP]')),
    bytes: false,
  };
}

const inVocabulary = (
  vocabulary: ReadonlyMap<string, number>,
  ...written: string[]
): { written: string; id: number }[] =>
  written.flatMap((token) => {
    const id = vocabulary.get(token);
    return id === undefined ? [] : [{ written: token, id }];
  });

function specials(vocabulary: ReadonlyMap<string, number>): AddedToken[] {
  const rules = { special: true, normalized: false, singleWord: false, left: false, right: false };
  const found = inVocabulary(vocabulary, '[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]');
  return found.map(({ written, id }) => ({ content: written, id, ...rules }));
}

function caseNote(lines: readonly string[], cased: number): Problem {
  const why = cased < 0 ? 'no piece has an upper-case letter' : `line ${cased + 1} is ${lines[cased]}`;
  return { code: 'tokenizer-inferred', message: `text is ${cased < 0 ? '' : 'not '}lowercased: ${why}` };
}

/** A piece that stands twice has the later line's id, as where such files are read. */
function notesOn(lines: readonly string[], vocabulary: ReadonlyMap<string, number>): Problem[] {
  const twice = lines.findIndex((line, id) => vocabulary.get(line) !== id);
  if (twice < 0) return [];
  const piece = lines[twice] ?? '';
  const message = `vocab.txt: ${piece || 'an empty line'} on line ${twice + 1} and on line ${(vocabulary.get(piece) ?? 0) + 1}, which counts`;
  return [{ code: 'tokenizer-duplicate', message }];
}
