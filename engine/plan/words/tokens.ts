import { t } from '../../text/l10n';
import { counted } from '../../text/counted';
import { tokenizerName, usesVocabulary, vocabularySize, type VocabularyStart } from '../../spec/pieces';
import { randomNotice, words, generatorOf, type StepWords, type WordsContext } from './tell';

/** The words of the steps from a text to its embedding. */
export function tellTokens(context: WordsContext, row: string): StepWords {
  const { start } = context.spec;
  const told = (what: string, notice: string): StepWords =>
    words(
      t('Tokens'),
      t('what are the pieces?'),
      what,
      t('A model computes with numbers: the id says which row of the embedding table belongs to a token.'),
      notice,
    );
  if (usesVocabulary(start)) return told(cutBy(start, context), noticeOf(start));
  const n = counted(context.shape[0] ?? 0, 'token');
  const shared = t('Equal tokens share an id: wherever {0} occurs it has the same one.', row);
  if (start.from !== 'text') return told(t('{0}, each by its id, as you gave them.', n), shared);
  const isByte = start.tokenizer === 'bytes';
  return told(
    isByte
      ? t('The text is cut into {0}; the id of a byte is the byte.', n)
      : t('The text is cut into {0}; each distinct token has a number, its id.', n),
    [shared, t('Upper and lower case differ.')].join(' '),
  );
}

function cutBy({ tokenizer }: VocabularyStart, { call, shape }: WordsContext): string {
  const size = vocabularySize(tokenizer);
  const [name, tokens] = [tokenizerName(tokenizer), counted(shape[0] ?? 0, 'token')];
  const cut =
    size === undefined
      ? t('{0} cuts the text into {1}; the id is a token’s place in its vocabulary.', name, tokens)
      : t(
          '{0} cuts the text into {1}; the id is a token’s place in its vocabulary of {2}.',
          name,
          tokens,
          grouped(size),
        );
  return call.op === 'tokens' && call.rows ? [cut, t('The row beside it numbers the distinct ones.')].join(' ') : cut;
}

function noticeOf({ pieces = [], text }: VocabularyStart): string {
  const special = [...new Set(pieces.flatMap(([, , , written, isSpecial]) => (isSpecial ? [written ?? ''] : [])))];
  if (special.length === 1) return t('{0} is a special token: it stands for no text.', special.join(''));
  if (special.length) {
    const all = special.reduce((some, one) => t('{0} and {1}', some, one));
    return t('{0} are special tokens: they stand for no text.', all);
  }
  if (pieces.some(([, start, , written]) => (written ?? text.slice(start)).startsWith(' ')))
    return t('A leading blank, shown as ·, belongs to its token: “·the” and “the” have two ids.');
  return t('Equal tokens share an id; a rare word is cut into parts.');
}

export function tellTable({ call, spec, shape }: WordsContext): StepWords {
  const [rows = 0, width = 0] = shape;
  const why = t('In a trained model these rows are learned, so that similar words get similar vectors.');
  if (call.op === 'given')
    return words(
      t('Embedding table'),
      t('one vector for each id'),
      t(
        '{0}, {1} each, as you gave them: row {2} belongs to id {3}.',
        counted(rows, 'row'),
        counted(width, 'number'),
        rows - 1,
        rows - 1,
      ),
      why,
      t('Only the rows of the tokens above are used.'),
    );
  const { start } = spec;
  const what = start.from === 'text' && start.tokenizer !== 'bytes' ? 'distinct token' : 'row';
  const of = usesVocabulary(start) ? vocabularySize(start.tokenizer) : undefined;
  const drawn = t(
    '{0}, {1} each, drawn from a normal distribution by {2}.',
    counted(rows, what),
    counted(width, 'number'),
    generatorOf(spec),
  );
  return words(
    t('Embedding table'),
    what === 'row' ? t('one vector for each id') : t('one vector for each distinct token'),
    of === undefined ? drawn : [drawn, t('A model has a row for each of {0}.', grouped(of))].join(' '),
    why,
    randomNotice(),
  );
}

export function tellEmbedding({ call, shape }: WordsContext, row: string): StepWords {
  const width = counted(shape.at(-1) ?? 0, 'number');
  return words(
    t('Embedding'),
    t('which vector stands for each token?'),
    call.op === 'lookup' && call.column === 1
      ? t('The row number of {0} picks its row of the table: {1} for each token.', row, width)
      : t('The id of {0} picks its row of the table: {1} for each token.', row, width),
    t('From here on a token is a vector; all that follows is arithmetic on these rows.'),
    t('A token that occurs twice has the same row twice: nothing yet says where it stands.'),
  );
}

/** 100277 → 100,277 */
const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
