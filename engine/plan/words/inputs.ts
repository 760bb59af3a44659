import {
  count,
  named,
  product,
  say,
  shapeMark,
  signs,
  size,
  joined,
  type Place,
  type ProductMark,
  type Sentence,
} from '../../text';
import { columnInOtherLayout } from '../../math';
import {
  applied,
  originOf,
  randomNotice,
  rootOf,
  biasWords,
  learnedNotice,
  linkTo,
  placed,
  widthOf,
  words,
  type StepSentences,
  type StepWriter,
  type WordsContext,
} from '../word-context';
import { embeddingWords, tableWords, tokensWords } from './tokens';

/** From the text to Q, K and V. */
export const inputWords = {
  tokens: (context, row) => tokensWords(context, row),
  table: (context) => tableWords(context),
  embedding: (context, row) => embeddingWords(context, row),
  given: ({ shape }, row) =>
    words(
      say('Input'),
      say('the [rows|columns] you gave'),
      say('{0}: [row|column] {1} is one token.', shapeMark(shape), row),
      say('Attention starts from one vector a token.'),
      say('Positions are added next.'),
    ),
  positions: (context, row) => positionsWords(context, row),
  x: (context, row) => xWords(context, row),
  wqkv: (context) => fusedWords(context),
  bqkv: (context) => biasWords(context, 'b_qkv'),
  wq: (context) => weightWords(context, 'W_q', 'queries'),
  wk: (context) => weightWords(context, 'W_k', 'keys'),
  wv: (context) => weightWords(context, 'W_v', 'values'),
  q: (context, row) =>
    branchWords(
      context,
      row,
      say('Query'),
      'Q',
      say('what is each token looking for?'),
      say('A query is compared with every key: it says what a token looks for.'),
    ),
  k: (context, row) =>
    branchWords(
      context,
      row,
      say('Key'),
      'K',
      say('what does each token offer?'),
      say('A key is what queries are compared with: it says what a token can be found by.'),
    ),
  v: (context, row) =>
    branchWords(
      context,
      row,
      say('Value'),
      'V',
      say('what does each token pass on?'),
      say('A value is what is handed over when a query has found its key.'),
    ),
  context: ({ shape }, row) =>
    words(
      say('Context'),
      say('where do keys and values come from?'),
      say('[{0}, as given|{0}, as given, turned]: [row|column] {1} can be attended to.', shapeMark(shape), row),
      say('In cross-attention queries come from one sequence, keys and values from another (an encoder’s output).'),
      say('The number of [rows|columns] may differ from {X}; the scores are then not square.'),
    ),
  valueSource: ({ shape }, row) =>
    words(
      say('Source of the values'),
      say('what are values made of?'),
      say('[{0}, as given|{0}, as given, turned]: [row|column] {1} is what its key hands over.', shapeMark(shape), row),
      say('Keys decide who is attended to, values what is passed on: nn.MultiheadAttention takes query, key and value as three inputs.'),
      say('DETR adds positions to the inputs of queries and keys, not to that of the values.'),
    ), // prettier-ignore
  bq: (context) => branchBias(context, 'b_q'),
  bk: (context) => branchBias(context, 'b_k'),
  bv: (context) => branchBias(context, 'b_v'),
  qProduct: (context, row) => productWords(context, row, say('Query product'), 'Q'),
  kProduct: (context, row) => productWords(context, row, say('Key product'), 'K'),
  vProduct: (context, row) => productWords(context, row, say('Value product'), 'V'),
} satisfies Readonly<Record<string, StepWriter>>;

function positionsWords(context: WordsContext, row: Place): StepSentences {
  const { call, shape, spec } = context;
  const positionWordsWith = (what: Sentence, notice: Sentence): StepSentences =>
    words(
      say('Positions'),
      say('where does each token stand?'),
      what,
      spec.mask === 'none' && !spec.alsoHidden
        ? say(
            'Without them attention cannot tell word order: shuffled tokens would give the same [rows|columns], shuffled.',
          )
        : say('Without them only the mask would tell one place from another.'),
      notice,
    );
  const width = shape.at(-1) ?? 0;
  if (call.op === 'given')
    return positionWordsWith(
      say('[Row|Column] {0} is added to the token that stands there.', row),
      say('Each place has a [row|column] of its own, as given.'),
    );
  if (call.op === 'weight')
    return positionWordsWith(
      say(
        '[Row|Column] {0} is added to the token that stands there: learned positions, one [row|column] a place.',
        row,
      ),
      learnedNotice(context, say('Each place has a [row|column] of its own, as given.')),
    );
  if (call.op !== 'sinusoidal')
    return positionWordsWith(
      say(
        '[Row|Column] {0} is added to the token that stands there: learned positions, one [row|column] a place.',
        row,
      ),
      randomNotice(),
    );
  const { layout } = call;
  const frequencies = Math.ceil(width / 2);
  const holds =
    frequencies === 1
      ? say('[Row|Column] {0} holds sines and cosines of its position, at 1 frequency.', row)
      : say('[Row|Column] {0} holds sines and cosines of its position, at {1} frequencies.', row, frequencies);
  return positionWordsWith(
    placed(holds, call.at),
    joined(speedOf(layout, frequencies), ...(width % 2 === 0 ? [otherLayout(layout, width)] : [])),
  );
}

type Layout = Extract<WordsContext['call'], { op: 'sinusoidal' }>['layout'];

function speedOf(layout: Layout, frequencies: number): Sentence {
  if (frequencies === 1) return say('All [columns|rows] swing at one speed.');
  return layout === 'interleaved'
    ? say('The first [columns|rows] swing fast from [row|column] to [row|column], the last hardly change.')
    : say('The first half are sines, the second cosines; in each the first [column|row] swings fastest.');
}

function otherLayout(layout: Layout, width: number): Sentence {
  const there = columnInOtherLayout(layout, 1, width);
  return layout === 'interleaved'
    ? say(
        'The concatenated layout has the same [columns|rows] in another order: [column|row] 1 here is [column|row] {0} there.',
        there,
      )
    : say(
        'The interleaved layout has the same [columns|rows] in another order: [column|row] 1 here is [column|row] {0} there.',
        there,
      );
}

function xWords({ call, operands, shape, spec }: WordsContext, row: Place): StepSentences {
  const name = say('Input {X}');
  const question = say('what does attention start from?');
  if (call.op === 'add') {
    return words(
      name,
      question,
      operands[0]?.id === 'given'
        ? say('[Row|Column] {0}: the [row|column] you gave plus its position, number by number.', row)
        : say('[Row|Column] {0}: its embedding plus its position, number by number.', row),
      say('One vector now says both which token it is and where it stands.'),
      spec.positionIds?.queries
        ? say('The same token at two positions now has two different [rows|columns].')
        : say('The same token at two places now has two different [rows|columns].'),
    );
  }
  if (operands.length) {
    const [why, notice] = orderOf(spec);
    return words(name, question, say('No positions are added. {X} holds the same numbers as before.'), why, notice);
  }
  const crossed = hasContext(spec);
  const same = sameAs(spec);
  return words(
    name,
    question,
    say('[{0}, as given|{0}, as given, turned]: [row|column] {1} is one token.', shapeMark(shape), row),
    usesOf(spec),
    spec.projections.from === 'none'
      ? say('No projections are given, so {0}.', same)
      : hasValues(spec)
        ? crossed
          ? say('{W_q} turns each [row|column] into a query; keys are made of the context, values of {X_v}.')
          : say('{W_q} and {W_k} turn each [row|column] into a query and a key; values are made of {X_v}.')
        : crossed
          ? say('{W_q} turns each [row|column] into a query; keys and values are made of the context.')
          : say('Three matrices turn each [row|column] into a query, a key and a value.'),
  );
}

function sameAs(spec: WordsContext['spec']): Sentence {
  if (hasValues(spec))
    return hasContext(spec) ? say('{Q} = {X}, {K} = {C} and {V} = {X_v}') : say('{Q} = {K} = {X} and {V} = {X_v}');
  return hasContext(spec) ? say('{Q} = {X} and {K} = {V} = {C}') : signs('{Q} = {K} = {V} = {X}');
}

/** What becomes of X, and of the other inputs. */
function usesOf(spec: WordsContext['spec']): Sentence {
  if (hasValues(spec))
    return hasContext(spec)
      ? say('Every [row|column] will ask; the [rows|columns] of the context will be asked, those of {X_v} passed on.')
      : say('Every [row|column] will ask and be asked; the [rows|columns] of {X_v} will be passed on.');
  return hasContext(spec)
    ? say('Every [row|column] will ask; the [rows|columns] of the context will be asked and passed on.')
    : say('Every [row|column] will ask, be asked and be passed on.');
}

const hasContext = ({ start }: WordsContext['spec']): boolean => start.from === 'x' && start.context !== undefined;
const hasValues = ({ start }: WordsContext['spec']): boolean => start.from === 'x' && start.values !== undefined;

/** Where token order enters when no positions are added to X, and what to notice there. */
function orderOf({
  positions,
  mask,
  alsoHidden,
  relativeBias,
}: WordsContext['spec']): readonly [why: Sentence, notice: Sentence] {
  if (positions === 'alibi')
    return [
      say('ALiBi puts distances into the scores instead.'),
      say('A token that occurs twice still has the same [row|column] twice.'),
    ];
  if (positions !== 'none')
    return [
      say('RoPE rotates {Q} and {K} by position instead.'),
      say('A token that occurs twice still has the same [row|column] twice.'),
    ];
  if (relativeBias)
    return [
      say('A bias of the scores says how far apart tokens are.'),
      say('A token that occurs twice still has the same [row|column] twice.'),
    ];
  if (mask !== 'none' || alsoHidden)
    return [
      say('Only the mask tells one place from another.'),
      say('Without the mask attention would see a set of tokens, not a sequence.'),
    ];
  return [
    say('Without positions attention sees a set of tokens, not a sequence.'),
    say('Shuffle the tokens and the output’s [rows|columns] are shuffled in the same way, nothing more.'),
  ];
}

/** The input of a projection: X, the context C for keys and values of cross-attention, or an input of the values’ own. */
function sourceOf(spec: WordsContext['spec'], symbol: string): string {
  if (symbol.endsWith('v') && hasValues(spec)) return 'X_v';
  return hasContext(spec) && !symbol.endsWith('q') ? 'C' : 'X';
}

/** `X·W_q`, `C·W_kᵀ` */
const productOf = (spec: WordsContext['spec'], symbol: string): ProductMark =>
  product(named(sourceOf(spec, symbol)), applied({ spec }, symbol));

type BranchNoun = 'queries' | 'keys' | 'values';

/** The question that a projection's weights answer. */
function questionOf(source: string, made: BranchNoun): Sentence {
  if (made === 'queries') return say('what turns {X} into queries?');
  if (made === 'keys')
    return source === 'C' ? say('what turns the context into keys?') : say('what turns {X} into keys?');
  if (source === 'X_v') return say('what turns {X_v} into values?');
  return source === 'C' ? say('what turns the context into values?') : say('what turns {X} into values?');
}

const branchBias = (context: WordsContext, symbol: string): StepSentences =>
  context.call.op === 'bands'
    ? { ...biasWords(context, symbol), what: bandSentence(context, 'b_qkv') }
    : biasWords(context, symbol);

/** One matrix for all three. */
function fusedWords(context: WordsContext): StepSentences {
  const { spec, shape } = context;
  return words(
    say('Weights {0}', named('W_qkv')),
    say('what turns {X} into queries, keys and values at once?'),
    originOf(context, shapeMark(shape)),
    fusedOrder(spec),
    say('Models multiply first and cut {Q}, {K} and {V} out of the product; the numbers are the same.'),
  );
}

const fusedOrder = ({ projections }: WordsContext['spec']): Sentence =>
  projections.from === 'fused' && projections.order === 'heads'
    ? say('Query, key and value of each head stand together in it (GPT-NeoX’s query_key_value).')
    : say(
        'It holds all of {W_q}, then all of {W_k}, then all of {W_v} (GPT-2’s c_attn, in_proj_weight of nn.MultiheadAttention).',
      );

/** Which part of the one matrix it is. */
function bandSentence({ call, operands }: WordsContext, of: string): Sentence {
  if (call.op !== 'bands') throw new Error(`${call.op} cuts no bands`);
  const { along, start, size, stride, times } = call;
  const whole = named(of);
  const [from, to] = [start, start + size - 1];
  if (times === 1)
    return along === 'rows'
      ? say('Rows {0} to {1} of {2}, which has {3}; they count from 0.', from, to, whole, count(operands[0]?.shape[0] ?? 0, 'row'))
      : say('Columns {0} to {1} of {2}, which has {3}; they count from 0.', from, to, whole, count(operands[0]?.shape[1] ?? 0, 'column'));
  return along === 'rows'
    ? say('Of each {0} of {1} those from {2} to {3}, {4} times: once for each head of keys.', count(stride, 'row'), whole, from, to, times)
    : say('Of each {0} of {1} those from {2} to {3}, {4} times: once for each head of keys.', count(stride, 'column'), whole, from, to, times);
} // prettier-ignore

function weightWords(context: WordsContext, symbol: string, made: BranchNoun): StepSentences {
  const { spec, shape, call } = context;
  const name = say('Weights {0}', named(symbol));
  const source = sourceOf(spec, symbol);
  const question = questionOf(source, made);
  if (call.op === 'bands')
    return words(
      name,
      question,
      bandSentence(context, 'W_qkv'),
      fusedOrder(spec),
      say('It is applied as {0}.', productOf(spec, symbol)),
    );
  const what = originOf(context, shapeMark(shape));
  if (call.op === 'random' && call.divideBy !== 1) {
    const why = say(
      'Division by {0} keeps the size of the numbers about as it was in {1}.',
      rootOf(call.divideBy),
      named(source),
    );
    return words(name, question, what, why, randomNotice());
  }
  if (call.op === 'random' && call.times !== undefined) {
    const why = say(
      'One factor for every width, as torch.randn(…) * {0} has it. GPT-2 begins with weights of standard deviation 0.02.',
      call.times,
    );
    return words(name, question, what, why, randomNotice());
  }
  const why = say('In a trained model this matrix is learned.');
  if (call.op === 'weight')
    return words(
      name,
      question,
      what,
      learnedNotice(context, why),
      say('It is applied as {0}.', productOf(spec, symbol)),
    );
  if (call.op === 'random') return words(name, question, what, why, randomNotice());
  const applies = productOf(spec, symbol);
  const notice =
    spec.convention === 'XWT'
      ? say('It is applied as {0}, which is {1}·x on column vectors.', applies, named(symbol))
      : say('It is applied as {0}.', applies);
  return words(name, question, what, why, notice);
}

function productWords(context: WordsContext, row: Place, name: Sentence, symbol: string): StepSentences {
  const made = productOf(context.spec, `W_${symbol.toLowerCase()}`);
  return branchWords(context, row, name, symbol, say('{0}, before its bias', made), say('The bias is added next.'));
}

function branchWords(
  context: WordsContext,
  row: Place,
  name: Sentence,
  symbol: string,
  question: Sentence,
  why: Sentence,
): StepSentences {
  const { call, operands, shape, spec } = context;
  if (!operands.length) {
    const what = say('[{0}, as given|{0}, as given, turned]: [row|column] {1} is one token.', shapeMark(shape), row);
    return words(name, question, what, why, widthNotice(context, symbol));
  }
  const w = `W_${symbol.toLowerCase()}`;
  const source = sourceOf(spec, w);
  if (call.op === 'identity') {
    const notice = hasContext(spec)
      ? hasValues(spec)
        ? say('Queries are the [rows|columns] of {X}, keys those of the context, values those of {X_v}.')
        : say('Queries are the [rows|columns] of {X}, keys and values those of the context.')
      : say('With {Q} = {K} the scores are symmetric; the weights, [row|column] by [row|column], need not be.');
    return words(name, question, say('No projection: {0} = {1}.', named(symbol), named(source)), why, notice);
  }
  if (call.op === 'add') {
    const what = say(
      '[Row|Column] {0} of {1} plus {2}, number by number.',
      row,
      productOf(spec, w),
      named(`b_${symbol.toLowerCase()}`),
    );
    return words(name, question, what, why, say('The same bias serves every token.'));
  }
  const transposed = spec.convention === 'XWT';
  return words(
    name,
    question,
    say(
      '[Row {0} of {1} times {2}|{3} times column {0} of {1}]: {4} for each of {5}.',
      row,
      named(source),
      named(w, transposed),
      named(w, !transposed),
      count(widthOf(operands[0]), 'product', linkTo(operands[0])),
      count(shape.at(-1) ?? 0, 'column', linkTo(operands[1])),
    ),
    why,
    say('The same matrix serves every token.'),
  );
}

/** Whether the columns of a given Q, K or V belong to one head or to all heads together. */
function widthNotice({ shape, spec: { heads } }: WordsContext, symbol: string): Sentence {
  const width = shape.at(-1) ?? 0;
  if (heads > 1 && shape.length === 2)
    return say('Its [columns|rows] are cut into heads next: {0} in all.', size(width));
  return say('{0} is {1} here.', named(symbol === 'V' ? 'd_v' : 'd_k'), size(width));
}
