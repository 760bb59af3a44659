import { count, number, say, joined, type Place, type Sentence } from '../../text';
import { tokenizerName, usesVocabulary, vocabularySize, type VocabularyStart } from '../../spec';
import {
  learnedNotice,
  randomNotice,
  words,
  generatorOf,
  type StepSentences,
  type WordsContext,
} from '../word-context';

/** The sentences about the token ids. */
export function tokensWords(context: WordsContext, row: Place): StepSentences {
  const { start } = context.spec;
  const tokenWordsWith = (what: Sentence, notice: Sentence): StepSentences =>
    words(
      say('Tokens'),
      say('what are the pieces?'),
      what,
      say('A model computes with numbers: the id says which [row|column] of the embedding table belongs to a token.'),
      notice,
    );
  if (usesVocabulary(start)) return tokenWordsWith(cutBy(start, context), noticeOf(start));
  const n = count(context.shape[0] ?? 0, 'token');
  const shared = say('Equal tokens share an id: wherever {0} occurs it has the same one.', row);
  if (start.from !== 'text') return tokenWordsWith(say('{0}, each by its id, as given.', n), shared);
  const isByte = start.tokenizer === 'bytes';
  return tokenWordsWith(
    isByte
      ? say('The text is cut into {0}; the id of a byte is the byte.', n)
      : say('The text is cut into {0}; each distinct token has a number, its id.', n),
    joined(shared, say('Upper and lower case differ.')),
  );
}

function cutBy({ tokenizer }: VocabularyStart, { call, shape }: WordsContext): Sentence {
  const size = vocabularySize(tokenizer);
  const [name, tokens] = [tokenizerName(tokenizer), count(shape[0] ?? 0, 'token')];
  const cut =
    size === undefined
      ? say('{0} cuts the text into {1}; the id is a token’s place in its vocabulary.', name, tokens)
      : say(
          '{0} cuts the text into {1}; the id is a token’s place in its vocabulary of {2}.',
          name,
          tokens,
          number(grouped(size)),
        );
  return call.op === 'tokens' && call.rows
    ? joined(cut, say('The [row|column] beside it numbers the distinct ones.'))
    : cut;
}

function noticeOf({ pieces = [], text }: VocabularyStart): Sentence {
  const special = [...new Set(pieces.flatMap(([, , , written, isSpecial]) => (isSpecial ? [written ?? ''] : [])))];
  const [first = '', ...more] = special;
  if (special.length === 1) return say('{0} is a special token: it stands for no text.', first);
  if (special.length) {
    const all = more.reduce<Place>((some, one) => say('{0} and {1}', some, one), first);
    return say('{0} are special tokens: they stand for no text.', all);
  }
  if (pieces.some(([, start, , written]) => (written ?? text.slice(start)).startsWith(' ')))
    return say('A leading blank, shown as ·, belongs to its token: “·the” and “the” have two ids.');
  return say('Equal tokens share an id; a rare word is cut into parts.');
}

export function tableWords(context: WordsContext): StepSentences {
  const { call, spec, shape } = context;
  const [rows = 0, width = 0] = shape;
  const why = say(
    'In a trained model these [rows|columns] are learned: words that are used alike often get similar vectors.',
  );
  if (call.op === 'weight')
    return words(
      say('Embedding table'),
      say('one vector for each id'),
      say(
        '{0}, {1} each, learned by the model {2}.',
        count(rows, 'row'),
        count(width, 'number'),
        spec.model?.name ?? '',
      ),
      learnedNotice(context, why),
      say('Only the [rows|columns] of the tokens above are used.'),
    );
  if (call.op === 'given')
    return words(
      say('Embedding table'),
      say('one vector for each id'),
      say(
        '{0}, {1} each, as given: [row|column] {2} belongs to id {3}.',
        count(rows, 'row'),
        count(width, 'number'),
        rows - 1,
        rows - 1,
      ),
      why,
      say('Only the [rows|columns] of the tokens above are used.'),
    );
  const { start } = spec;
  const what = start.from === 'text' && start.tokenizer !== 'bytes' ? 'distinct token' : 'row';
  const of = usesVocabulary(start) ? vocabularySize(start.tokenizer) : undefined;
  const drawn = say(
    '{0}, {1} each, drawn from a normal distribution by {2}.',
    count(rows, what),
    count(width, 'number'),
    generatorOf(spec),
  );
  return words(
    say('Embedding table'),
    what === 'row' ? say('one vector for each id') : say('one vector for each distinct token'),
    of === undefined ? drawn : joined(drawn, say('A model has a [row|column] for each of {0}.', number(grouped(of)))),
    why,
    randomNotice(),
  );
}

export function embeddingWords({ call, shape }: WordsContext, row: Place): StepSentences {
  const width = count(shape.at(-1) ?? 0, 'number');
  return words(
    say('Embedding'),
    say('which vector stands for each token?'),
    call.op === 'lookup' && call.column === 1
      ? say('The [row|column] number of {0} picks its [row|column] of the table: {1} for each token.', row, width)
      : say('The id of {0} picks its [row|column] of the table: {1} for each token.', row, width),
    say('From here on a token is a vector; all that follows is arithmetic on these [rows|columns].'),
    say('A token that occurs twice has the same [row|column] twice: nothing yet says where it stands.'),
  );
}

/** 100277 → 100,277 */
const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
