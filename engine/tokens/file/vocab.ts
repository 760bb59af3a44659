import { t, fail, ok, type Problem, type Result } from '../../text';
import { addedTokens, type AddedToken } from './added';
import { wordPiece } from './models';
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
    .map((line) => line.replace(/(?<!\p{White_Space})\p{White_Space}+$/u, ''));
  const vocabulary = new Map(lines.map((line, id) => [line, id]));
  const unknownAs = vocabulary.get('[UNK]');
  if (unknownAs === undefined) {
    const message = t('vocab.txt: no line [UNK] among {0}', lines.length);
    return fail({ code: 'tokenizer-invalid', message, hint: t('A BERT vocabulary has one piece a line.') });
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
  const message =
    cased < 0
      ? t('text is lowercased: no piece has an upper-case letter')
      : t('text is not lowercased: line {0} is {1}', cased + 1, lines[cased]);
  return { code: 'tokenizer-inferred', message };
}

/** Notes on duplicate pieces, which have the later line's id, as in the programs that read such files. */
function notesOn(lines: readonly string[], vocabulary: ReadonlyMap<string, number>): Problem[] {
  const twice = lines.findIndex((line, id) => vocabulary.get(line) !== id);
  if (twice < 0) return [];
  const piece = lines[twice] ?? '';
  const called = piece || t('an empty line');
  const message = t(
    'vocab.txt: {0} on line {1} and on line {2}, which counts',
    called,
    twice + 1,
    (vocabulary.get(piece) ?? 0) + 1,
  );
  return [{ code: 'tokenizer-duplicate', message }];
}
