import type { AttentionSpec } from '../spec';
import { formatShape } from '../tensor';
import { identical, plural, tellBias, widthOf, words, type StepWords, type Tell, type WordsContext } from './tell';

const randomNotice =
  'These numbers are random, not learned: they show how attention works, not what a trained model looks at.';
/** The line that seeds the same draws in Python. */
export function generatorOf({ random: { generator, seed } }: AttentionSpec): string {
  if (generator === 'torch') return `torch.manual_seed(${seed})`;
  return generator === 'numpy.default_rng' ? `np.random.default_rng(${seed})` : `np.random.seed(${seed})`;
}

/** From the text to Q, K and V. */
export const inputTellers: { readonly [id: string]: Tell } = {
  tokens: ({ rowLabels }, row) =>
    words(
      'Tokens',
      'what are the pieces?',
      `The text is cut into ${plural(rowLabels.length, 'token')}; each distinct token has a number, its id.`,
      'A model computes with numbers: the id says which row of the embedding table belongs to a token.',
      `Equal tokens share an id: wherever ${row} occurs it has the same one. Upper and lower case differ.`,
    ),
  table: ({ spec, shape }) =>
    words(
      'Embedding table',
      'one vector for each distinct token',
      `${plural(shape[0] ?? 0, 'distinct token')}, ${shape[1]} numbers each, drawn from a normal distribution by ${generatorOf(spec)}.`,
      'In a trained model these rows are learned, so that similar words get similar vectors.',
      randomNotice,
    ),
  embedding: ({ shape }, row) =>
    words(
      'Embedding',
      'which vector stands for each token?',
      `The id of ${row} picks its row of the table: ${shape.at(-1)} numbers for each token.`,
      'From here on a token is a vector; all that follows is arithmetic on these rows.',
      'A token that occurs twice has the same row twice: nothing yet says where it stands.',
    ),
  given: ({ shape }, row) =>
    words(
      'Input',
      'the rows you gave',
      `${formatShape(shape)}: row ${row} is one token.`,
      'Attention starts from one vector a token.',
      'Positions are added next.',
    ),
  positions: ({ shape }, row) =>
    words(
      'Positions',
      'where does each token stand?',
      `Row ${row} holds sines and cosines of its position, at ${Math.ceil((shape.at(-1) ?? 0) / 2)} frequencies.`,
      'Without them attention cannot tell word order: shuffled tokens would give the same rows, shuffled.',
      'The first columns swing fast from row to row, the last hardly change.',
    ),
  x: (context, row) => tellX(context, row),
  wq: (context) => tellWeight(context, 'W_q', 'queries'),
  wk: (context) => tellWeight(context, 'W_k', 'keys'),
  wv: (context) => tellWeight(context, 'W_v', 'values'),
  q: (context, row) =>
    tellLane(
      context,
      row,
      'Query',
      'Q',
      'what is each token looking for?',
      'A query is compared with every key: it says what a token looks for.',
    ),
  k: (context, row) =>
    tellLane(
      context,
      row,
      'Key',
      'K',
      'what does each token offer?',
      'A key is what queries are compared with: it says what a token can be found by.',
    ),
  v: (context, row) =>
    tellLane(
      context,
      row,
      'Value',
      'V',
      'what does each token pass on?',
      'A value is what is handed over when a query has found its key.',
    ),
  context: ({ shape }, row) =>
    words(
      'Context',
      'where do keys and values come from?',
      `${formatShape(shape)}, as you gave it: row ${row} can be attended to.`,
      'In cross-attention queries come from one sequence, keys and values from another (an encoder’s output).',
      'The number of rows may differ from X; the scores are then not square.',
    ),
  bq: (context) => tellBias(context, 'b_q'),
  bk: (context) => tellBias(context, 'b_k'),
  bv: (context) => tellBias(context, 'b_v'),
  qProduct: (context, row) =>
    tellLane(context, row, 'Query product', 'Q', 'X·W_q, before its bias', 'The bias is added next.'),
  kProduct: (context, row) =>
    tellLane(context, row, 'Key product', 'K', 'X·W_k, before its bias', 'The bias is added next.'),
  vProduct: (context, row) =>
    tellLane(context, row, 'Value product', 'V', 'X·W_v, before its bias', 'The bias is added next.'),
  qHeads: (context) => tellHeads(context, 'Q'),
  kHeads: (context) => tellHeads(context, 'K'),
  vHeads: (context) => tellHeads(context, 'V'),
  kShared: (context) => tellShared(context, 'key'),
  vShared: (context) => tellShared(context, 'value'),
  qRotations: (context, row) => tellRotations(context, row),
  kRotations: (context, row) => tellRotations(context, row),
  qRotated: (context, row) => tellRotated(context, row, 'Q'),
  kRotated: (context, row) => tellRotated(context, row, 'K'),
};

function tellX({ call, operands, shape, spec }: WordsContext, row: string): StepWords {
  const name = 'Input X';
  const question = 'what does attention start from?';
  if (call.op === 'add') {
    return words(
      name,
      question,
      `Row ${row}: its embedding plus its position, number by number.`,
      'One vector now says both which token it is and where it stands.',
      'The same token at two places now has two different rows.',
    );
  }
  if (operands.length) {
    return words(
      name,
      question,
      `No positions are added. ${identical('X')}`,
      'Without positions attention sees a set of tokens, not a sequence.',
      'Shuffle the tokens and the output’s rows are shuffled in the same way, nothing more.',
    );
  }
  const none = spec.projections.from === 'none';
  return words(
    name,
    question,
    `${formatShape(shape)}, as you gave it: row ${row} is one token.`,
    'Every row will ask, be asked and be passed on.',
    none
      ? 'No projections are given, so Q = K = V = X.'
      : 'Three matrices turn each row into a query, a key and a value.',
  );
}

function tellWeight({ spec, shape }: WordsContext, symbol: string, made: string): StepWords {
  const name = `Weights ${symbol}`;
  const question = `what turns X into ${made}?`;
  if (spec.projections.from === 'random') {
    return words(
      name,
      question,
      `${formatShape(shape)}, drawn from a normal distribution by ${generatorOf(spec)}, divided by √d_model.`,
      'Division by √d_model keeps the size of the numbers as it was in X.',
      randomNotice,
    );
  }
  return words(
    name,
    question,
    `${formatShape(shape)}, as you gave it.`,
    'In a trained model this matrix is learned.',
    spec.convention === 'XW'
      ? `It is applied as X·${symbol}.`
      : `It is applied as X·${symbol}ᵀ, which is ${symbol}·x on column vectors.`,
  );
}

function tellLane(
  { call, operands, shape, spec }: WordsContext,
  row: string,
  name: string,
  symbol: string,
  question: string,
  why: string,
): StepWords {
  if (!operands.length)
    return words(
      name,
      question,
      `${formatShape(shape)}, as you gave it: row ${row} is one token.`,
      why,
      `d is ${shape.at(-1)} here.`,
    );
  if (call.op === 'identity')
    return words(
      name,
      question,
      `No projection: ${symbol} = X.`,
      why,
      'With Q = K the scores are symmetric; the weights, row by row, are not.',
    );
  const w = `W_${symbol.toLowerCase()}${spec.convention === 'XWT' ? 'ᵀ' : ''}`;
  return words(
    name,
    question,
    `Row ${row} of X times ${w}: ${plural(widthOf(operands[0]), 'product')} for each of ${plural(shape.at(-1) ?? 0, 'column')}.`,
    why,
    'The same matrix serves every token.',
  );
}

function tellHeads({ shape }: WordsContext, symbol: string): StepWords {
  const [heads, , width] = shape.slice(-3);
  return words(
    `${symbol} in heads`,
    'which columns belong to which head?',
    `The columns are cut into ${plural(heads ?? 1, 'head')} of ${width} each.`,
    'Each head compares tokens in its own few dimensions and can look for something else.',
    'No number changes; only the grouping does.',
  );
}

function tellShared({ call }: WordsContext, what: string): StepWords {
  const times = call.op === 'repeatHeads' ? call.times : 1;
  return words(
    `Shared ${what} heads`,
    `which query heads share a ${what} head?`,
    `Each ${what} head serves ${plural(times, 'query head')}.`,
    'Grouped-query attention keeps fewer keys and values in memory while it writes.',
    'The repeated heads hold the same numbers.',
  );
}

function tellRotations(_: WordsContext, row: string): StepWords {
  return words(
    'Rotations',
    'how far does each position turn?',
    `Row ${row}: the cosine or sine of position times each pair’s frequency.`,
    'RoPE turns queries and keys by an angle that grows with position.',
    'The first pairs turn fast, the last slowly.',
  );
}

function tellRotated(_: WordsContext, row: string, symbol: string): StepWords {
  return words(
    `${symbol} rotated`,
    'where does the token stand?',
    `Each pair of columns of row ${row} is turned by its position’s angle.`,
    'After turning, the product of a query and a key depends on their distance only.',
    'Lengths do not change: a rotation keeps them.',
  );
}
