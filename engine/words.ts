import type { OperationCall } from './operations';
import type { AttentionSpec } from './spec';
import { formatShape } from './tensor';

/** The part a matrix plays; one colour each, everywhere. */
export type Role =
  'token' | 'x' | 'position' | 'query' | 'key' | 'value' | 'scores' | 'mask' | 'weights' | 'output' | 'parameter';

/** A step in plain words: one sentence each, with the reader's own tokens and shapes. */
export interface StepWords {
  /** Short name: `Scores`. */
  readonly name: string;
  /** `how well does each query match each key?` */
  readonly question: string;
  readonly what: string;
  readonly why: string;
  readonly notice: string;
}

interface Labelled {
  readonly id: string;
  readonly shape: readonly number[];
}

export interface WordsContext {
  readonly spec: AttentionSpec;
  readonly id: string;
  readonly call: OperationCall;
  readonly shape: readonly number[];
  readonly operands: readonly Labelled[];
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
}

/** The words of a step, naming an example row and column (the second and third token where there are so many). */
export function wordsOf(context: WordsContext): StepWords {
  const tell = tellers[context.id];
  if (!tell) throw new Error(`no words for step ${context.id}`);
  const { rowLabels, columnLabels } = context;
  const row = rowLabels[Math.min(1, rowLabels.length - 1)] ?? '';
  const column = columnLabels[Math.min(2, columnLabels.length - 1)] ?? '';
  return tell(context, `“${row}”`, `“${column}”`);
}

type Tell = (context: WordsContext, row: string, column: string) => StepWords;

const words = (name: string, question: string, what: string, why: string, notice: string): StepWords => ({
  name,
  question,
  what,
  why,
  notice,
});

const randomNotice =
  'These numbers are random, not learned: they show how attention works, not what a trained model looks at.';
/** The line that seeds the same draws in Python. */
export function generatorOf({ random: { generator, seed } }: AttentionSpec): string {
  if (generator === 'torch') return `torch.manual_seed(${seed})`;
  return generator === 'numpy.default_rng' ? `np.random.default_rng(${seed})` : `np.random.seed(${seed})`;
}

const identical = (symbol: string): string => `${symbol} holds the same numbers as before.`;
const widthOf = (labelled: Labelled | undefined): number => labelled?.shape.at(-1) ?? 0;

const tellers: { readonly [id: string]: Tell } = {
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
  scores: ({ operands }, row, column) =>
    words(
      'Scores',
      'how well does each query match each key?',
      `Row ${row} of Q meets column ${column} of Kᵀ: ${plural(widthOf(operands[0]), 'product')}, one sum.`,
      `A large score says that what ${row} looks for is what ${column} offers.`,
      'The table is not symmetric in general: asking and offering are different things.',
    ),
  scaled: (context) => tellScale(context),
  alibi: (_, row) =>
    words(
      'Distance bias',
      'how far apart are query and key?',
      `Row ${row}: −slope times the distance to each key.`,
      'A key far away starts with a handicap, so no position needs to be added to X.',
      'Each head has its own slope: steep heads look near, flat ones far.',
    ),
  biased: (_, row) =>
    words(
      'Scores with distance bias',
      'what is left after the handicap?',
      `Row ${row} of Z plus its distance bias.`,
      'ALiBi puts word order into the scores instead of into the embedding.',
      'The diagonal is unchanged: its distance is 0.',
    ),
  capped: ({ call }) =>
    words(
      'Capped scores',
      'can a score grow without limit?',
      `Every score s becomes c·tanh(s/c), c = ${call.op === 'softcap' ? call.cap : ''}.`,
      'Scores far beyond the cap are squeezed to it, so that softmax cannot saturate completely.',
      'Small scores hardly change.',
    ),
  tempered: ({ call }) =>
    words(
      'Temperature',
      'how sharp should the choice be?',
      `Every score is divided by T = ${call.op === 'divide' ? call.by : ''}.`,
      'T above 1 flattens the weights, T below 1 sharpens them.',
      'The order in each row stays.',
    ),
  mask: (_, row) =>
    words(
      'Mask',
      'which keys are hidden?',
      `1 hides a key from a query: row ${row} sees the keys marked 0.`,
      'A model that writes from left to right must not look at words that are not written yet.',
      'A causal mask hides everything above the diagonal.',
    ),
  masked: (context, row) => tellMask(context, row),
  weights: (_, row) =>
    words(
      'Attention weights',
      'how is each query’s attention shared out?',
      `Softmax over row ${row}: each score less the row’s maximum goes through exp, then all are divided by their sum.`,
      'The weights are positive and each row sums to 1, so the next step is an average.',
      'Subtracting the maximum changes nothing in exact arithmetic; it keeps exp from overflowing.',
    ),
  headOutputs: (context, row) => tellAverage(context, row, 'Output of each head'),
  attended: (context, row) => tellAverage(context, row, 'Weighted values'),
  concat: (context) => tellConcat(context),
  wo: ({ shape }) =>
    words(
      'Weights W_O',
      'what mixes the heads?',
      `${formatShape(shape)}.`,
      'Without W_O the heads would stand side by side and never meet.',
      'It brings the width back to d_model.',
    ),
  bo: (context) => tellBias(context, 'b_O'),
  outputProduct: (_, row) =>
    words(
      'Output product',
      'O·W_O, before its bias',
      `Row ${row} of the joined heads times W_O.`,
      'Every output number mixes all heads.',
      'The bias is added next.',
    ),
  output: (context, row) => tellOutput(context, row),
};

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

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

function tellScale({ call, spec, operands }: WordsContext): StepWords {
  const name = 'Scaled scores';
  const question = 'are the scores too large for softmax?';
  if (call.op !== 'divide') {
    return words(
      name,
      question,
      `No scaling. ${identical('Z')}`,
      'Vaswani et al. divide by √d_k, because the variance of a dot product grows with d_k.',
      'Unscaled scores make softmax choose one key and ignore the rest.',
    );
  }
  const by = Number(call.by.toPrecision(6));
  if (spec.scale === 'sqrt_d_k') {
    return words(
      name,
      question,
      `Every score is divided by √d_k = ${by}.`,
      'A sum of d_k products has d_k times the variance of one; the division takes that back.',
      `Only the size changes: the order in each of the ${operands[0]?.shape.at(-2)} rows stays.`,
    );
  }
  const mistake = spec.scale === 'sqrt_d_model' ? ' This is √d_model; the paper divides by √d_k.' : '';
  return words(
    name,
    question,
    `Every score is divided by ${by}.${mistake}`,
    'Smaller scores give flatter weights, larger ones sharper weights.',
    'The order in each row stays.',
  );
}

function tellMask({ call, spec }: WordsContext, row: string): StepWords {
  const name = 'Mask';
  const question = 'which keys may each query see?';
  if (call.op === 'identity') {
    return words(
      name,
      question,
      `No mask: every query sees every key. ${identical('M')}`,
      'An encoder reads the whole text at once; a decoder hides what comes later.',
      'Switch the mask to causal to see the difference.',
    );
  }
  const why = 'The mask comes before softmax, so that the visible weights still sum to 1.';
  const notice = 'exp(−∞) is 0: a hidden key gets no weight at all.';
  if (call.op === 'add')
    return words(name, question, `The mask is added to row ${row}: 0 keeps a score, −∞ removes it.`, why, notice);
  const fill = spec.maskFill === '-inf' ? '−∞' : spec.maskFill === 'min' ? 'the lowest number' : `${spec.maskFill}`;
  const causal = spec.mask === 'causal' ? `: ${row} keeps itself and what stands before it` : '';
  return words(name, question, `Hidden scores become ${fill}${causal}.`, why, notice);
}

function tellBias({ shape }: WordsContext, symbol: string): StepWords {
  return words(
    `Bias ${symbol}`,
    'what is added to every row?',
    `${plural(shape.at(-1) ?? 0, 'number')}, the same for every token.`,
    'A bias shifts a projection, as in nn.Linear.',
    'One row serves all tokens.',
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

function tellAverage({ operands }: WordsContext, row: string, name: string): StepWords {
  return words(
    name,
    'what does each token take home?',
    `Row ${row} of A weighs the rows of V: ${plural(widthOf(operands[0]), 'value row')}, added up by weight.`,
    `The result for ${row} is a mixture of values, mostly of the tokens it attends to.`,
    'The weights sum to 1 in each row; the output’s rows need not.',
  );
}

function tellConcat({ operands, shape }: WordsContext): StepWords {
  const heads = operands[0]?.shape.at(-3) ?? 1;
  return words(
    'Heads joined',
    'how do the heads come together?',
    `${plural(heads, 'head')} stand side by side: ${plural(shape.at(-1) ?? 0, 'column')} for each token.`,
    'Each head’s result keeps its own columns.',
    'No number changes; W_O will mix them.',
  );
}

function tellOutput(context: WordsContext, row: string): StepWords {
  if (context.call.op === 'concatHeads') return { ...tellConcat(context), name: 'Output' };
  if (context.operands.some((o) => o.id === 'wo')) {
    return words(
      'Output',
      'what leaves the layer?',
      `Row ${row} of the joined heads times W_O.`,
      'Every output number mixes all heads, and the width is d_model again.',
      'The next layer starts from these rows.',
    );
  }
  if (context.call.op === 'add') {
    return words(
      'Output',
      'what leaves the layer?',
      `Row ${row} plus b_O.`,
      'A bias shifts a projection, as in nn.Linear.',
      'The next layer starts from these rows.',
    );
  }
  return tellAverage(context, row, 'Output');
}
