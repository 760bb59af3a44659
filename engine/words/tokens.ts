import { tokenizerName, usesVocabulary, vocabularySize, type VocabularyStart } from '../tokens/pieces';
import { plural, randomNotice, words, generatorOf, type StepWords, type WordsContext } from './tell';

/** The words of the steps from a text to its embedding. */
export function tellTokens(context: WordsContext, row: string): StepWords {
  const { start } = context.spec;
  const told = (what: string, notice: string): StepWords =>
    words(
      'Tokens',
      'what are the pieces?',
      what,
      'A model computes with numbers: the id says which row of the embedding table belongs to a token.',
      notice,
    );
  if (usesVocabulary(start)) return told(cutBy(start, context), noticeOf(start));
  const n = plural(context.rowLabels.length, 'token');
  const shared = `Equal tokens share an id: wherever ${row} occurs it has the same one.`;
  if (start.from !== 'text') return told(`${n}, each by its id, as you gave them.`, shared);
  const isByte = start.tokenizer === 'bytes';
  return told(
    `The text is cut into ${n}; ${isByte ? 'the id of a byte is the byte' : 'each distinct token has a number, its id'}.`,
    `${shared} Upper and lower case differ.`,
  );
}

function cutBy({ tokenizer }: VocabularyStart, { call, rowLabels }: WordsContext): string {
  const size = vocabularySize(tokenizer);
  const vocabulary = size === undefined ? 'its vocabulary' : `its vocabulary of ${grouped(size)}`;
  const rows = call.op === 'tokens' && call.rows ? ' The row beside it numbers the distinct ones.' : '';
  return `${tokenizerName(tokenizer)} cuts the text into ${plural(rowLabels.length, 'token')}; the id is a token’s place in ${vocabulary}.${rows}`;
}

function noticeOf({ pieces = [], text }: VocabularyStart): string {
  const special = [...new Set(pieces.flatMap(([, , , written, isSpecial]) => (isSpecial ? [written ?? ''] : [])))];
  if (special.length) {
    const [are, they] =
      special.length === 1 ? ['is a special token', 'it stands'] : ['are special tokens', 'they stand'];
    return `${special.join(' and ')} ${are}: ${they} for no text.`;
  }
  if (pieces.some(([, start, , written]) => (written ?? text.slice(start)).startsWith(' ')))
    return 'A leading blank, shown as ·, belongs to its token: “·the” and “the” have two ids.';
  return 'Equal tokens share an id; a rare word is cut into parts.';
}

export function tellTable({ call, spec, shape }: WordsContext): StepWords {
  const [rows = 0, width = 0] = shape;
  const why = 'In a trained model these rows are learned, so that similar words get similar vectors.';
  if (call.op === 'given')
    return words(
      'Embedding table',
      'one vector for each id',
      `${plural(rows, 'row')}, ${plural(width, 'number')} each, as you gave them: row ${rows - 1} belongs to id ${rows - 1}.`,
      why,
      'Only the rows of the tokens above are used.',
    );
  const { start } = spec;
  const what = start.from === 'text' && start.tokenizer !== 'bytes' ? 'distinct token' : 'row';
  const of = usesVocabulary(start) ? vocabularySize(start.tokenizer) : undefined;
  const rest = of === undefined ? '' : ` A model has a row for each of ${grouped(of)}.`;
  return words(
    'Embedding table',
    what === 'row' ? 'one vector for each id' : 'one vector for each distinct token',
    `${plural(rows, what)}, ${plural(width, 'number')} each, drawn from a normal distribution by ${generatorOf(spec)}.${rest}`,
    why,
    randomNotice,
  );
}

export function tellEmbedding({ call, shape }: WordsContext, row: string): StepWords {
  const by = call.op === 'lookup' && call.column === 1 ? 'row number' : 'id';
  return words(
    'Embedding',
    'which vector stands for each token?',
    `The ${by} of ${row} picks its row of the table: ${plural(shape.at(-1) ?? 0, 'number')} for each token.`,
    'From here on a token is a vector; all that follows is arithmetic on these rows.',
    'A token that occurs twice has the same row twice: nothing yet says where it stands.',
  );
}

/** 100277 → 100,277 */
const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
