import { t } from '../../text/l10n';
import { counted } from '../../text/counted';
import { columnInOtherLayout } from '../../math/positions';
import { formatShape } from '../../math/tensor';
import {
  originOf,
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
      t('Input'),
      t('the rows you gave'),
      t('{0}: row {1} is one token.', formatShape(shape), row),
      t('Attention starts from one vector a token.'),
      t('Positions are added next.'),
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
      t('Query'),
      'Q',
      t('what is each token looking for?'),
      t('A query is compared with every key: it says what a token looks for.'),
    ),
  k: (context, row) =>
    tellLane(
      context,
      row,
      t('Key'),
      'K',
      t('what does each token offer?'),
      t('A key is what queries are compared with: it says what a token can be found by.'),
    ),
  v: (context, row) =>
    tellLane(
      context,
      row,
      t('Value'),
      'V',
      t('what does each token pass on?'),
      t('A value is what is handed over when a query has found its key.'),
    ),
  context: ({ shape }, row) =>
    words(
      t('Context'),
      t('where do keys and values come from?'),
      t('{0}, as you gave it: row {1} can be attended to.', formatShape(shape), row),
      t('In cross-attention queries come from one sequence, keys and values from another (an encoder’s output).'),
      t('The number of rows may differ from X; the scores are then not square.'),
    ),
  bq: (context) => tellBias(context, 'b_q'),
  bk: (context) => tellBias(context, 'b_k'),
  bv: (context) => tellBias(context, 'b_v'),
  qProduct: (context, row) => tellProduct(context, row, t('Query product'), 'Q'),
  kProduct: (context, row) => tellProduct(context, row, t('Key product'), 'K'),
  vProduct: (context, row) => tellProduct(context, row, t('Value product'), 'V'),
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
      t('Positions'),
      t('where does each token stand?'),
      what,
      spec.mask === 'none'
        ? t('Without them attention cannot tell word order: shuffled tokens would give the same rows, shuffled.')
        : t('Without them only the mask would tell one place from another.'),
      notice,
    );
  const width = shape.at(-1) ?? 0;
  if (call.op === 'given')
    return told(
      t('Row {0} is added to the token that stands there.', row),
      t('Each place has a row of its own, as you gave it.'),
    );
  if (call.op !== 'sinusoidal')
    return told(
      t('Row {0} is added to the token that stands there: learned positions, one row a place.', row),
      randomNotice(),
    );
  const { layout } = call;
  const frequencies = Math.ceil(width / 2);
  return told(
    frequencies === 1
      ? t('Row {0} holds sines and cosines of its position, at 1 frequency.', row)
      : t('Row {0} holds sines and cosines of its position, at {1} frequencies.', row, frequencies),
    [speedOf(layout, frequencies), ...(width % 2 === 0 ? [otherLayout(layout, width)] : [])].join(' '),
  );
}

type Layout = Extract<WordsContext['call'], { op: 'sinusoidal' }>['layout'];

function speedOf(layout: Layout, frequencies: number): string {
  if (frequencies === 1) return t('All columns swing at one speed.');
  return layout === 'interleaved'
    ? t('The first columns swing fast from row to row, the last hardly change.')
    : t('The first half are sines, the second cosines; in each the first column swings fastest.');
}

function otherLayout(layout: Layout, width: number): string {
  const there = columnInOtherLayout(layout, 1, width);
  return layout === 'interleaved'
    ? t('The concatenated layout has the same columns in another order: column 1 here is column {0} there.', there)
    : t('The interleaved layout has the same columns in another order: column 1 here is column {0} there.', there);
}

function tellX({ call, operands, shape, spec }: WordsContext, row: string): StepWords {
  const name = t('Input X');
  const question = t('what does attention start from?');
  if (call.op === 'add') {
    return words(
      name,
      question,
      operands[0]?.id === 'given'
        ? t('Row {0}: the row you gave plus its position, number by number.', row)
        : t('Row {0}: its embedding plus its position, number by number.', row),
      t('One vector now says both which token it is and where it stands.'),
      t('The same token at two places now has two different rows.'),
    );
  }
  if (operands.length) {
    const [why, notice] = orderOf(spec);
    return words(name, question, t('No positions are added. X holds the same numbers as before.'), why, notice);
  }
  const crossed = hasContext(spec);
  const same = crossed ? t('Q = X and K = V = C') : 'Q = K = V = X';
  return words(
    name,
    question,
    t('{0}, as you gave it: row {1} is one token.', formatShape(shape), row),
    crossed
      ? t('Every row will ask; the rows of the context will be asked and passed on.')
      : t('Every row will ask, be asked and be passed on.'),
    spec.projections.from === 'none'
      ? t('No projections are given, so {0}.', same)
      : crossed
        ? t('W_q turns each row into a query; keys and values are made of the context.')
        : t('Three matrices turn each row into a query, a key and a value.'),
  );
}

const hasContext = ({ start }: WordsContext['spec']): boolean => start.from === 'x' && start.context !== undefined;

/** Where order enters when no positions are added to X, and what to look at. */
function orderOf({ positions, mask }: WordsContext['spec']): readonly [why: string, notice: string] {
  if (positions === 'alibi')
    return [
      t('ALiBi puts distances into the scores instead.'),
      t('A token that occurs twice still has the same row twice.'),
    ];
  if (positions !== 'none')
    return [
      t('RoPE rotates Q and K by position instead.'),
      t('A token that occurs twice still has the same row twice.'),
    ];
  if (mask !== 'none')
    return [
      t('Only the mask tells one place from another.'),
      t('Without the mask attention would see a set of tokens, not a sequence.'),
    ];
  return [
    t('Without positions attention sees a set of tokens, not a sequence.'),
    t('Shuffle the tokens and the output’s rows are shuffled in the same way, nothing more.'),
  ];
}

/** X, or the context where keys and values come from it. */
const sourceOf = (spec: WordsContext['spec'], symbol: string): string =>
  hasContext(spec) && !symbol.endsWith('q') ? 'C' : 'X';

/** `X·W_q`, `C·W_kᵀ` */
function productOf(spec: WordsContext['spec'], symbol: string): string {
  return `${sourceOf(spec, symbol)}·${symbol}${spec.convention === 'XWT' ? 'ᵀ' : ''}`;
}

type Made = 'queries' | 'keys' | 'values';

/** What a projection is asked. */
function asked(source: string, made: Made): string {
  if (made === 'queries') return t('what turns X into queries?');
  if (made === 'keys') return source === 'C' ? t('what turns the context into keys?') : t('what turns X into keys?');
  return source === 'C' ? t('what turns the context into values?') : t('what turns X into values?');
}

function tellWeight(context: WordsContext, symbol: string, made: Made): StepWords {
  const { spec, shape, call } = context;
  const name = t('Weights {0}', symbol);
  const source = sourceOf(spec, symbol);
  const question = asked(source, made);
  const what = originOf(context, formatShape(shape));
  if (call.op === 'random' && call.divideBy !== 1) {
    const why = t(
      'Division by {0} keeps the size of the numbers about as it was in {1}.',
      rootOf(call.divideBy),
      source,
    );
    return words(name, question, what, why, randomNotice());
  }
  const why = t('In a trained model this matrix is learned.');
  if (call.op === 'random') return words(name, question, what, why, randomNotice());
  const product = productOf(spec, symbol);
  const notice =
    spec.convention === 'XWT'
      ? t('It is applied as {0}, which is {1}·x on column vectors.', product, symbol)
      : t('It is applied as {0}.', product);
  return words(name, question, what, why, notice);
}

function tellProduct(context: WordsContext, row: string, name: string, symbol: string): StepWords {
  const made = productOf(context.spec, `W_${symbol.toLowerCase()}`);
  return tellLane(context, row, name, symbol, t('{0}, before its bias', made), t('The bias is added next.'));
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
    const what = t('{0}, as you gave it: row {1} is one token.', formatShape(shape), row);
    return words(name, question, what, why, widthNotice(context, symbol));
  }
  const w = `W_${symbol.toLowerCase()}`;
  const source = sourceOf(spec, w);
  if (call.op === 'identity') {
    const notice = hasContext(spec)
      ? t('Queries are the rows of X, keys and values those of the context.')
      : t('With Q = K the scores are symmetric; the weights, row by row, need not be.');
    return words(name, question, t('No projection: {0} = {1}.', symbol, source), why, notice);
  }
  if (call.op === 'add') {
    const what = t('Row {0} of {1} plus b_{2}, number by number.', row, productOf(spec, w), symbol.toLowerCase());
    return words(name, question, what, why, t('The same bias serves every token.'));
  }
  return words(
    name,
    question,
    t(
      'Row {0} of {1} times {2}{3}: {4} for each of {5}.',
      row,
      source,
      w,
      spec.convention === 'XWT' ? 'ᵀ' : '',
      counted(widthOf(operands[0]), 'product'),
      counted(shape.at(-1) ?? 0, 'column'),
    ),
    why,
    t('The same matrix serves every token.'),
  );
}

/** What the columns of a given Q, K or V are: one head’s, or those of all heads together. */
function widthNotice({ shape, spec: { heads } }: WordsContext, symbol: string): string {
  const width = shape.at(-1) ?? 0;
  if (heads > 1 && shape.length === 2) return t('Its columns are cut into heads next: {0} in all.', width);
  return t('{0} is {1} here.', symbol === 'V' ? 'd_v' : 'd_k', width);
}

function tellHeads({ shape }: WordsContext, symbol: string): StepWords {
  const [heads, , width] = shape.slice(-3);
  return words(
    t('{0} in heads', symbol),
    t('which columns belong to which head?'),
    t('The columns are cut into {0} of {1} each.', counted(heads ?? 1, 'head'), width),
    t('Each head compares tokens in its own few dimensions and can look for something else.'),
    t('No number changes; only the grouping does.'),
  );
}

function tellShared({ call }: WordsContext, what: 'key' | 'value'): StepWords {
  const times = counted(call.op === 'repeatHeads' ? call.times : 1, 'query head');
  const isKey = what === 'key';
  return words(
    isKey ? t('Shared key heads') : t('Shared value heads'),
    isKey ? t('which query heads share a key head?') : t('which query heads share a value head?'),
    isKey ? t('Each key head serves {0}.', times) : t('Each value head serves {0}.', times),
    t('Grouped-query attention keeps fewer keys and values in memory while it writes.'),
    t('The repeated heads hold the same numbers.'),
  );
}

function tellRotations(_: WordsContext, row: string): StepWords {
  return words(
    t('Rotations'),
    t('how far does each position turn?'),
    t('Row {0}: the cosine or sine of position times each pair’s frequency.', row),
    t('RoPE turns queries and keys by an angle that grows with position.'),
    t('The first pairs turn fast, the last slowly.'),
  );
}

function tellRotated(_: WordsContext, row: string, symbol: string): StepWords {
  return words(
    t('{0} rotated', symbol),
    t('where does the token stand?'),
    t('Each pair of columns of row {0} is turned by its position’s angle.', row),
    t('After turning, where a query and a key stand counts only through the difference of their places.'),
    t('Lengths do not change: a rotation keeps them.'),
  );
}
