import { columnInOtherLayout } from '../positions';
import { formatShape } from '../tensor';
import {
  identical,
  originOf,
  plural,
  randomNotice,
  rootOf,
  tellBias,
  widthOf,
  words,
  type StepWords,
  type Tell,
  type WordsContext,
} from './tell';
import { tellEmbedding, tellTable, tellTokens } from './tokens';

/** From the text to Q, K and V. */
export const inputTellers: { readonly [id: string]: Tell } = {
  tokens: (context, row) => tellTokens(context, row),
  table: (context) => tellTable(context),
  embedding: (context, row) => tellEmbedding(context, row),
  given: ({ shape }, row) =>
    words(
      'Input',
      'the rows you gave',
      `${formatShape(shape)}: row ${row} is one token.`,
      'Attention starts from one vector a token.',
      'Positions are added next.',
    ),
  positions: (context, row) => tellPositions(context, row),
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
  qProduct: (context, row) => tellProduct(context, row, 'Query product', 'Q'),
  kProduct: (context, row) => tellProduct(context, row, 'Key product', 'K'),
  vProduct: (context, row) => tellProduct(context, row, 'Value product', 'V'),
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

function tellPositions({ call, shape, spec }: WordsContext, row: string): StepWords {
  const told = (what: string, notice: string): StepWords =>
    words(
      'Positions',
      'where does each token stand?',
      what,
      spec.mask === 'none'
        ? 'Without them attention cannot tell word order: shuffled tokens would give the same rows, shuffled.'
        : 'Without them only the mask would tell one place from another.',
      notice,
    );
  const width = shape.at(-1) ?? 0;
  if (call.op === 'given')
    return told(
      `Row ${row} is added to the token that stands there.`,
      'Each place has a row of its own, as you gave it.',
    );
  if (call.op !== 'sinusoidal')
    return told(
      `Row ${row} is added to the token that stands there: learned positions, one row a place.`,
      randomNotice,
    );
  const { layout } = call;
  const other = layout === 'interleaved' ? 'concatenated' : 'interleaved';
  const frequencies = Math.ceil(width / 2);
  return told(
    `Row ${row} holds sines and cosines of its position, at ${frequencies} ${frequencies === 1 ? 'frequency' : 'frequencies'}.`,
    (frequencies === 1
      ? 'All columns swing at one speed.'
      : layout === 'interleaved'
        ? 'The first columns swing fast from row to row, the last hardly change.'
        : 'The first half are sines, the second cosines; in each the first column swings fastest.') +
      (width % 2 === 0
        ? ` The ${other} layout has the same columns in another order: column 1 here is column ${columnInOtherLayout(layout, 1, width)} there.`
        : ''),
  );
}

function tellX({ call, operands, shape, spec }: WordsContext, row: string): StepWords {
  const name = 'Input X';
  const question = 'what does attention start from?';
  if (call.op === 'add') {
    return words(
      name,
      question,
      `Row ${row}: ${operands[0]?.id === 'given' ? 'the row you gave' : 'its embedding'} plus its position, number by number.`,
      'One vector now says both which token it is and where it stands.',
      'The same token at two places now has two different rows.',
    );
  }
  if (operands.length) {
    const [why, notice] = orderOf(spec);
    return words(name, question, `No positions are added. ${identical('X')}`, why, notice);
  }
  const crossed = hasContext(spec);
  const same = crossed ? 'Q = X and K = V = C' : 'Q = K = V = X';
  return words(
    name,
    question,
    `${formatShape(shape)}, as you gave it: row ${row} is one token.`,
    crossed
      ? 'Every row will ask; the rows of the context will be asked and passed on.'
      : 'Every row will ask, be asked and be passed on.',
    spec.projections.from === 'none'
      ? `No projections are given, so ${same}.`
      : crossed
        ? 'W_q turns each row into a query; keys and values are made of the context.'
        : 'Three matrices turn each row into a query, a key and a value.',
  );
}

const hasContext = ({ start }: WordsContext['spec']): boolean => start.from === 'x' && start.context !== undefined;

/** Where order enters when no positions are added to X, and what to look at. */
function orderOf({ positions, mask }: WordsContext['spec']): readonly [why: string, notice: string] {
  if (positions === 'alibi')
    return ['ALiBi puts distances into the scores instead.', 'A token that occurs twice still has the same row twice.'];
  if (positions !== 'none')
    return ['RoPE rotates Q and K by position instead.', 'A token that occurs twice still has the same row twice.'];
  if (mask !== 'none')
    return [
      'Only the mask tells one place from another.',
      'Without the mask attention would see a set of tokens, not a sequence.',
    ];
  return [
    'Without positions attention sees a set of tokens, not a sequence.',
    'Shuffle the tokens and the output’s rows are shuffled in the same way, nothing more.',
  ];
}

/** X, or the context where keys and values come from it. */
const sourceOf = (spec: WordsContext['spec'], symbol: string): string =>
  hasContext(spec) && !symbol.endsWith('q') ? 'C' : 'X';

/** `X·W_q`, `C·W_kᵀ` */
function productOf(spec: WordsContext['spec'], symbol: string): string {
  return `${sourceOf(spec, symbol)}·${symbol}${spec.convention === 'XWT' ? 'ᵀ' : ''}`;
}

function tellWeight(context: WordsContext, symbol: string, made: string): StepWords {
  const { spec, shape, call } = context;
  const name = `Weights ${symbol}`;
  const source = sourceOf(spec, symbol);
  const question = `what turns ${source === 'C' ? 'the context' : 'X'} into ${made}?`;
  const what = `${formatShape(shape)}, ${originOf(context)}.`;
  if (call.op === 'random' && call.divideBy !== 1) {
    const why = `Division by ${rootOf(call.divideBy)} keeps the size of the numbers about as it was in ${source}.`;
    return words(name, question, what, why, randomNotice);
  }
  const why = 'In a trained model this matrix is learned.';
  if (call.op === 'random') return words(name, question, what, why, randomNotice);
  const turned = spec.convention === 'XWT' ? `, which is ${symbol}·x on column vectors` : '';
  const notice = `It is applied as ${productOf(spec, symbol)}${turned}.`;
  return words(name, question, what, why, notice);
}

function tellProduct(context: WordsContext, row: string, name: string, symbol: string): StepWords {
  const made = productOf(context.spec, `W_${symbol.toLowerCase()}`);
  return tellLane(context, row, name, symbol, `${made}, before its bias`, 'The bias is added next.');
}

function tellLane(
  context: WordsContext,
  row: string,
  name: string,
  symbol: string,
  question: string,
  why: string,
): StepWords {
  const { call, operands, shape, spec } = context;
  if (!operands.length) {
    const what = `${formatShape(shape)}, as you gave it: row ${row} is one token.`;
    return words(name, question, what, why, widthNotice(context, symbol));
  }
  const w = `W_${symbol.toLowerCase()}`;
  const source = sourceOf(spec, w);
  if (call.op === 'identity') {
    const notice = hasContext(spec)
      ? 'Queries are the rows of X, keys and values those of the context.'
      : 'With Q = K the scores are symmetric; the weights, row by row, need not be.';
    return words(name, question, `No projection: ${symbol} = ${source}.`, why, notice);
  }
  if (call.op === 'add') {
    const what = `Row ${row} of ${productOf(spec, w)} plus b_${symbol.toLowerCase()}, number by number.`;
    return words(name, question, what, why, 'The same bias serves every token.');
  }
  return words(
    name,
    question,
    `Row ${row} of ${source} times ${w}${spec.convention === 'XWT' ? 'ᵀ' : ''}: ${plural(widthOf(operands[0]), 'product')} for each of ${plural(shape.at(-1) ?? 0, 'column')}.`,
    why,
    'The same matrix serves every token.',
  );
}

/** What the columns of a given Q, K or V are: one head’s, or those of all heads together. */
function widthNotice({ shape, spec: { heads } }: WordsContext, symbol: string): string {
  const width = shape.at(-1) ?? 0;
  if (heads > 1 && shape.length === 2) return `Its columns are cut into heads next: ${width} in all.`;
  return `${symbol === 'V' ? 'd_v' : 'd_k'} is ${width} here.`;
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
    'After turning, where a query and a key stand counts only through the difference of their places.',
    'Lengths do not change: a rotation keeps them.',
  );
}
