import {
  count,
  countFixed,
  named,
  number,
  product,
  say,
  shapeMark,
  size,
  t,
  joined,
  type Place,
  type Sentence,
} from '../../text';
import { hidesMore, isPaired, reachOf, type Mask } from '../../spec';
import {
  applied,
  linkTo,
  localId,
  originOf,
  learnedNotice,
  biasWords,
  widthOf,
  words,
  type StepSentences,
  type StepWriter,
  type WordsContext,
} from '../word-context';

/** From the scores to the output. */
export const attentionWords = {
  qFeatures: (_, row) => featureWords('Q', row),
  kFeatures: (_, row) => featureWords('K', row),
  scoreVector: (context) => scoreVectorWords(context),
  scores: (context, row, column) =>
    context.spec.weighting?.by === 'linear'
      ? similarityWords(context, row, column)
      : context.call.op === 'additiveScores'
        ? additiveWords(context, row, column)
        : scoresWords(context, row, column),
  scaled: (context) => scaleWords(context),
  alibi: ({ spec, call }, row) =>
    words(
      say('Distance bias'),
      say('how far apart are query and key?'),
      apart(say('[Row|Column] {0}: −slope times the distance to each key.', row), call),
      say('A key far away starts with a handicap, so no position needs to be added to {X}.'),
      spec.heads > 1
        ? say('Each head has its own slope: steep heads look near, flat ones far.')
        : say('The slope of the one head is 2⁻⁸, 0.00390625.'),
    ),
  biased: ({ spec: { positionIds, decode } }, row) =>
    words(
      say('Scores with distance bias'),
      say('what is left after the handicap?'),
      say('[Row|Column] {0} of {Z} plus its distance bias.', row),
      say('ALiBi puts word order into the scores instead of into the embedding.'),
      positionIds || decode
        ? say('A key that stands where the query stands is unchanged: its distance is 0.')
        : say('The diagonal is unchanged: its distance is 0.'),
    ),
  biasTable: (context) => {
    const [buckets = 0, heads = 0] = context.shape;
    return words(
      say('Relative bias'),
      say('what is each distance worth?'),
      originOf(context, shapeMark(context.shape)),
      say(
        '[Row|Column] k serves all distances of bucket k, [column|row] h is head h’s: {0} buckets, {1} heads.',
        number(String(buckets)),
        number(String(heads)),
      ),
      learnedNotice(context, say('In a trained model this matrix is learned.')),
    );
  },
  buckets: ({ call }, row) => {
    const { bidirectional, maxDistance } =
      call.op === 'buckets' ? call.bucketing : { bidirectional: false, maxDistance: 0 };
    const what = say('[Row|Column] {0}: the bucket of the distance to each key.', row);
    return words(
      say('Buckets'),
      say('which distances are treated alike?'),
      call.op === 'buckets' && call.at ? joined(what, say('Distances are those of the positions you gave.')) : what,
      say('Near distances have a bucket each, far ones share: from {0} on all are in the last.', maxDistance),
      bidirectional
        ? say('Keys before and after the query have buckets of their own (T5’s encoder).')
        : say('Keys after the query are in bucket 0, as the query’s own place is (T5’s decoder).'),
    );
  },
  relative: ({ spec }, row) =>
    words(
      say('Distance bias by bucket'),
      say('how much does each distance count?'),
      say('[Row|Column] {0}: the table’s number for the bucket of each key.', row),
      say('T5 puts word order into the scores alone: nothing is added to {X}.'),
      spec.heads > 1
        ? say('Each head has its own column of the table.')
        : say('The one head has the table’s one column.'),
    ),
  related: ({ spec }, row) =>
    words(
      say('Scores with relative bias'),
      say('what does distance add?'),
      say('[Row|Column] {0} of {Z} plus its biases, number by number.', row),
      say('The model learns which distances matter, and each head another answer.'),
      spec.scale === 'none'
        ? say('T5 does not divide its scores either: its initial weights are small instead.')
        : say('T5 itself does not divide its scores: scale “none” does as it does.'),
    ),
  capped: ({ call }) =>
    words(
      say('Capped scores'),
      say('can a score grow without limit?'),
      say('Every score s becomes c·tanh(s/c), c = {0}.', call.op === 'softcap' ? call.cap : 0),
      say('Scores far beyond the cap are squeezed to it, so that softmax cannot saturate completely.'),
      say('Scores much smaller than the cap hardly change.'),
    ),
  tempered: ({ call }) =>
    words(
      say('Temperature'),
      say('how sharp should the choice be?'),
      say('Every score is divided by {T} = {0}.', call.op === 'divide' ? call.by : 0),
      say('{T} above 1 flattens the weights, {T} below 1 sharpens them.'),
      say('The order in each [row|column] stays.'),
    ),
  mask: (context, row) => maskValuesWords(context, row),
  wholeMask: (context, row) => maskValuesWords(context, row),
  causalMask: (context, row) => hidingWords(say('Later keys'), row, ...reasonOf('causal', context.call, context.shape)),
  keyMask: ({ spec: { alsoHidden } }, row) =>
    hidingWords(
      say('Filling'),
      row,
      say('Texts of a batch are filled up to one length; the filling must not be attended to.'),
      alsoHidden?.keys?.oneMeans === 'hidden'
        ? say('In the numbers you gave a 1 is filling, as in nn.MultiheadAttention’s key_padding_mask.')
        : say(
            'In the numbers you gave a 0 is filling, as in Hugging Face’s attention_mask and in padding masks of T5 and Keras.',
          ),
    ),
  segmentMask: (_, row) =>
    hidingWords(
      say('Other segments'),
      row,
      say('Several texts packed into one sequence must not attend to each other.'),
      say('A query sees the keys of its own segment: blocks along the diagonal where segments follow one another.'),
    ),
  jointMask: ({ operands }, row) =>
    words(
      say('All masks together'),
      say('which keys are hidden by any of them?'),
      say(
        '1 where one of the {0} masks is 1: [row|column] {1} sees the keys that all of them leave.',
        operands.length,
        row,
      ),
      say(
        'Libraries join them likewise: boolean masks by “or” where True hides, by “and” where True is seen (scaled_dot_product_attention); added ones by their sum.',
      ),
      say('A row that one mask leaves some keys may see none once they are joined.'),
    ),
  shifted: (_, row) =>
    words(
      say('Scores with the mask added'),
      say('what does the mask weaken?'),
      say('The mask is added to [row|column] {0}: 0 keeps a score, −∞ removes it.', row),
      say('An added mask can hide keys with −∞, and also weaken or prefer them.'),
      say('The masks that hide keys come next.'),
    ),
  masked: (context, row) => maskWords(context, row),
  sinks: (context) =>
    words(
      say('Sinks'),
      say('what draws attention without being a token?'),
      originOf(context, count(context.shape.at(-1) ?? 0, 'number')),
      say('A head that has nothing to say can leave its attention here (gpt-oss).'),
      learnedNotice(context, say('In a trained model they are learned, one a head.')),
    ),
  sunk: ({ operands }, row) =>
    words(
      say('Scores and sink'),
      say('what else takes part in softmax?'),
      operands.length > 1
        ? say('[Row|Column] {0} and behind it its head’s sink, as one more score.', row)
        : say('[Row|Column] {0} and behind it a 0, as one more score: exp(0) is the 1 of softmax plus one.', row),
      say('Softmax alone must give all of a query’s attention away, even where no key fits.'),
      say('The last [column|row] belongs to no token.'),
    ),
  shares: (_, row) =>
    words(
      say('Shares'),
      say('how is each query’s attention shared out, with the sink?'),
      say('Softmax over [row|column] {0} and its sink.', row),
      say('Keys and sink together sum to 1.'),
      say('What the sink takes is missing from the weights.'),
    ),
  weights: (context, row) =>
    context.call.op === 'cut'
      ? sunkWords(row)
      : context.call.op === 'sigmoid'
        ? sigmoidWords(context.call.bias, row)
        : context.call.op === 'shareOut'
          ? sharedOutWords(row)
          : weightsWords(context, row),
  lambdaVectors: (context) =>
    words(
      say('Vectors of λ'),
      say('what is λ learned by?'),
      originOf(context, shapeMark(context.shape)),
      say(
        'Rows λ_q1, λ_k1, λ_q2, λ_k2: λ is made of their products, so that it is learned as fast as the other weights.',
      ),
      learnedNotice(context, say('In a trained model these vectors are learned; all heads of a layer share them.')),
    ),
  lambda: ({ call }) =>
    words(
      say('Factor λ'),
      say('how much of the second softmax is taken away?'),
      say(
        'exp of the first two vectors’ product less exp of the last two’s, plus λ_init = {0}.',
        short(call.op === 'pairFactor' ? call.init : 0),
      ),
      say('λ_init = 0.8 − 0.6·exp(−0.3·(l − 1)) in layer l: it begins at 0.2, and deeper layers take away more.'),
      say('One λ serves all heads of the layer.'),
    ),
  differences: ({ call, spec }, row) =>
    words(
      say('Difference of two softmaxes'),
      say('what is left without what both see?'),
      call.op === 'headDifference' && call.by !== undefined
        ? say('[Row|Column] {0} of {A} in one head, less λ = {1} times that in the next.', row, short(call.by))
        : say('[Row|Column] {0} of {A} in one head, less λ times that in the next.', row),
      say(
        'The paper’s idea: noise that both heads see alike cancels, as in a differential amplifier (Ye et al. 2024).',
      ),
      spec.sink
        ? say('A weight can be negative here.')
        : joined(
            say('A weight can be negative, and a [row|column] sums to 1 − λ.'),
            say('The paper’s code pairs heads beside one another; Hugging Face’s DiffLlama pairs head i with i + h/2.'),
          ),
    ),
  headGain: (context) =>
    words(
      say('Gains of the heads’ norm'),
      say('what is each [column|row] multiplied by?'),
      originOf(context, count(context.shape.at(-1) ?? 0, 'number')),
      say('A norm makes all [rows|columns] of one size; gains say which of their numbers count more.'),
      say('One [row|column] serves all tokens.'),
    ),
  headsNormed: ({ call, shape, operands }, row) =>
    words(
      say('Outputs of the heads, normed'),
      say('how large may a head’s output be?'),
      say(
        '[Row|Column] {0}: its {1} are divided by the root of the mean of their squares plus ε = {2}.',
        row,
        count(shape.at(-1) ?? 0, 'number'),
        number(call.op === 'rmsNorm' ? call.epsilon : 0),
      ),
      say('Differences are small in one head and large in another: each head is normed by itself.'),
      operands.length > 1
        ? say('Then each number is multiplied by its gain.')
        : say('Each [row|column] has a mean of squares of 1, less what ε takes.'),
    ),
  headsScaled: ({ call }) =>
    words(
      say('Outputs times 1 − λ_init'),
      say('how large would they be with one softmax?'),
      say('Every number times {0}.', short(call.op === 'scale' ? call.by : 0)),
      say('So gradients are as large as in a usual transformer, whose settings of training then fit (Ye et al. 2024).'),
      say('The factor is fixed: λ itself may change in training, λ_init does not.'),
    ),
  headOutputs: (context, row) => averageWords(context, row, say('Output of each head')),
  patched: ({ call }) =>
    words(
      say('Weights of another head'),
      say('what would a head say with another’s pattern?'),
      say('{0}: what stands in each head’s place.', headList(call)),
      say('The values stay the head’s own; only where it looks is another’s.'),
      say('If what follows hardly changes, it hardly depends on which of the two patterns this head has.'),
    ),
  averagedWeights: ({ call }, row) =>
    words(
      say('Mean of the heads'),
      say('where do the heads look together?'),
      say(
        '[Row|Column] {0}, averaged over {1}, key by key.',
        row,
        count(call.op === 'averageHeads' ? call.heads : 1, 'head'),
      ),
      say('nn.MultiheadAttention returns this table beside its output (average_attn_weights=True, its default).'),
      say('No output is computed from it: each head weighs the values with its own weights.'),
    ),
  headsLeft: ({ call }) =>
    words(
      say('Without the removed heads'),
      say('what is lost without a head?'),
      say('{0}: a removed head says the mean of its [rows|columns] in each.', headList(call)),
      say('The mean leaves what a head says everywhere, and takes away what it says here (Wang et al. 2022).'),
      say('What changes in the prediction is what this head adds here and no other part makes up for.'),
    ),
  attended: (context, row) => averageWords(context, row, say('Weighted values')),
  concat: (context) => concatWords(context),
  wo: (context) => woWords(context),
  bo: (context) => biasWords(context, 'b_O'),
  outputProduct: (context, row) =>
    words(
      say('Output product'),
      say('{0}, before its bias', product(named('O'), applied(context, 'W_O'))),
      context.spec.heads > 1
        ? say(
            '[Row {0} of the joined heads times {1}|{2} times column {0} of the joined heads].',
            row,
            ...outputWeightMarks(context),
          )
        : say(
            '[Row {0} of the weighted values times {1}|{2} times column {0} of the weighted values].',
            row,
            ...outputWeightMarks(context),
          ),
      mixSentence(context),
      say('The bias is added next.'),
    ),
  output: (context, row) => outputWords(context, row),
} satisfies Readonly<Record<string, StepWriter>>;

/** A sentence on distances, and where queries and keys stand if the spec says so. */
function apart(sentence: Sentence, call: WordsContext['call']): Sentence {
  if (call.op !== 'alibi' || !call.at) return sentence;
  const { queries, keys } = call.at;
  return typeof queries === 'number' && typeof keys === 'number'
    ? joined(sentence, say('Query 0 stands at position {0}, key 0 at position {1}.', queries, keys))
    : joined(sentence, say('Distances are those of the positions you gave.'));
}

function scoresWords({ operands, shape, spec }: WordsContext, row: Place, column: Place): StepSentences {
  const name = say('Scores');
  const question = say('how well does each query match each key?');
  const why = say(
    'A large score: the query of {0:alone} and the key of {1:alone} point to the same side; long vectors make it larger.',
    row,
    column,
  );
  if (!operands.length) {
    const what = say(
      '[{0}, as given|{0}, as given, turned]: [row|column] {1} is a query, [column|row] {2} a key.',
      shapeMark(shape),
      row,
      column,
    );
    const dK = 'dK' in spec.start ? spec.start.dK : 0;
    return words(name, question, what, why, say('They are sums of {0}: {d_k} is {1}.', count(dK, 'product'), size(dK)));
  }
  const what = say(
    '[Row|Column] {0} of {Q} meets [column|row] {1} of {Kᵀ}: {2}, one sum.',
    row,
    column,
    count(widthOf(operands[0]), 'product', linkTo(operands[0])),
  );
  return words(
    name,
    question,
    what,
    why,
    say('The table is not symmetric in general: asking and offering are different things.'),
  );
}

function weightsWords({ operands, shape, spec }: WordsContext, row: Place): StepSentences {
  const name = say('Attention weights');
  const question = say('how is each query’s attention shared out?');
  if (!operands.length) {
    const what = say(
      '[{0}, as given|{0}, as given, turned]: [row|column] {1} says how much of each value it takes.',
      shapeMark(shape),
      row,
    );
    const why = say('Softmax would make [rows|columns] that sum to 1; the next step is an average only if these do.');
    return words(name, question, what, why, say('No scores are known, so the walk starts here.'));
  }
  return words(
    name,
    question,
    shape.at(-1) === 1 && spec.mask === 'none' && !hidesMore(spec)
      ? say('One key alone gets 1 from softmax, whatever finite score it has.')
      : say(
          'Softmax over [row|column] {0}: each score less the [row|column]’s maximum goes through exp, then all are divided by their sum.',
          row,
        ),
    isPaired(spec)
      ? say('Two heads beside one another make one: next the second is taken from the first.')
      : spec.mask === 'none' && !hidesMore(spec)
        ? say('No weight is negative and each [row|column] sums to 1, so that they average the values.')
        : say(
            'No weight is negative and each [row|column] that sees a key sums to 1, so that they average the values.',
          ),
    say('Subtracting the maximum changes nothing in exact arithmetic; it keeps exp from overflowing.'),
  );
}

const sunkWords = (row: Place): StepSentences =>
  words(
    say('Attention weights'),
    say('how much of each value does a query take?'),
    say('The shares of [row|column] {0} without the sink’s.', row),
    say('The sink has no value: its share goes to nothing.'),
    say('No [row|column] sums to 1 any more: what is missing is the sink’s share.'),
  );

const featureWords = (of: string, row: Place): StepSentences =>
  words(
    say('Features of {0}', named(of)),
    say('can a match be a plain product?'),
    say('Each number x of [row|column] {0} becomes x + 1 above 0 and exp(x) below: elu(x) + 1.', row),
    say('All features are above 0, so that their products can be shares, without a softmax (Katharopoulos et al. 2020).'),
    say('Each cell alone: no other token is asked.'),
  ); // prettier-ignore

const similarityWords = ({ operands }: WordsContext, row: Place, column: Place): StepSentences =>
  words(
    say('Similarities'),
    say('how well does each query match each key?'),
    say('The features of {0:alone} meet those of {1:alone}: {2}, one sum.', row, column, count(widthOf(operands[0]), 'product', linkTo(operands[0]))),
    say('A large number: the features of {0:alone} and those of {1:alone} point to the same side; long vectors make it larger.', row, column),
    say('None is negative. Nothing is scaled and nothing goes through exp.'),
  ); // prettier-ignore

const sharedOutWords = (row: Place): StepSentences =>
  words(
    say('Attention weights'),
    say('how is each query’s attention shared out?'),
    say('Each similarity of [row|column] {0} is divided by the sum of them all.', row),
    say('No weight is negative and each [row|column] that sees a key sums to 1, so that they average the values.'),
    say('A model never writes this table: it keeps the sums of φ(k)·v and of φ(k), so that its cost grows with the tokens, not with their square.'),
  ); // prettier-ignore

/** In six figures, with a typographic minus. */
/** Six digits: enough of a number that is computed. */
const short = (x: number): Place => number(Number(x.toPrecision(6)));

const signed = (x: number): string => String(Number(x.toPrecision(6))).replace('-', '−');

const sigmoidWords = (bias: number, row: Place): StepSentences =>
  words(
    say('Attention weights'),
    say('how much of each value does a query take?'),
    say('Each score of [row|column] {0} plus b = {1} goes through 1/(1 + exp(−x)), alone.', row, number(signed(bias))),
    say('Keys do not compete: a query can take much of all values, or next to nothing (Ramapuram et al. 2024).'),
    say('No [row|column] has to sum to 1; b = −log n brings it near 1 where all scores are near 0.'),
  ); // prettier-ignore

const scoreVectorWords = (context: WordsContext): StepSentences =>
  words(
    say('Vector {0}', named('v_a')),
    say('what makes one number of a comparison?'),
    originOf(context, shapeMark(context.shape)),
    say('It weighs what tanh gives for a query and a key ({0}), so that one score is left.', count(context.shape.at(-1) ?? 0, 'number')),
    learnedNotice(context, context.spec.heads > 1 ? say('In a trained model it is learned, a row a head.') : say('In a trained model it is learned.')),
  ); // prettier-ignore

const additiveWords = ({ operands }: WordsContext, row: Place, column: Place): StepSentences =>
  words(
    say('Scores'),
    say('how well does each query match each key?'),
    say('[Row|Column] {0} of {Q} plus [row|column] {1} of {K}: {2}, each through tanh and times {3}, added up.', row, column, count(widthOf(operands[0]), 'number', linkTo(operands[0])), named('v_a')),
    say('A small network compares {0:alone} and {1:alone}, in place of a dot product (Bahdanau et al. 2015).', row, column),
    say('{Q} and {K} are projected already: their {W_q} and {W_k} are the two matrices of the paper’s network, and of d2l’s AdditiveAttention.'),
  ); // prettier-ignore

function scaleWords({ call, spec, operands }: WordsContext): StepSentences {
  const name = say('Scaled scores');
  const question = spec.weighting ? say('are the scores too large?') : say('are the scores too large for softmax?');
  if (call.op !== 'divide' && spec.scoring && spec.start.from !== 'scores') {
    return words(
      name,
      question,
      say('No scaling. {Z} holds the same numbers as before.'),
      say('tanh keeps what v_a weighs between −1 and 1, however large {Q} and {K} are.'),
      say('Neither Bahdanau et al. nor d2l divide these scores.'),
    ); // prettier-ignore
  }
  if (call.op !== 'divide') {
    return words(
      name,
      question,
      say('No scaling. {Z} holds the same numbers as before.'),
      say('Vaswani et al. divide by √{d_k}, because the variance of a dot product grows with {d_k}.'),
      say('Large scores make softmax choose one key and ignore the rest.'),
    );
  }
  const by = Number(call.by.toPrecision(6));
  if (spec.scale === 'sqrt_d_k') {
    return words(
      name,
      question,
      say('Every score is divided by √{d_k} = {0}.', by),
      say('A sum of {d_k} products has {d_k} times the variance of one; the division takes that back.'),
      say(
        'Only the size changes: the order in each of the {0} [rows|columns] stays.',
        size(operands[0]?.shape.at(-2) ?? 0),
      ),
    );
  }
  return words(
    name,
    question,
    spec.scale === 'sqrt_d_model'
      ? say('Every score is divided by {0}. This is √{d_model}; the paper divides by √{d_k}.', by)
      : say('Every score is divided by {0}.', by),
    say('Smaller scores give flatter weights, larger ones sharper weights.'),
    by > 0
      ? say('The order in each [row|column] stays.')
      : say('The divisor is negative: the order in each [row|column] is turned round.'),
  );
}

function maskWords({ call, spec, shape }: WordsContext, row: Place): StepSentences {
  const name = say('Mask');
  const question = say('which keys may each query see?');
  if (call.op === 'identity') {
    return words(
      name,
      question,
      say('No mask: every query sees every key. {M} holds the same numbers as before.'),
      say('An encoder reads the whole text at once; a decoder hides what comes later.'),
      say('Switch the mask to causal to see the difference.'),
    );
  }
  const why =
    spec.weighting?.by === 'linear'
      ? say('The mask comes before the sum of the row, so that the weights still sum to 1.')
      : spec.weighting
        ? say('The mask comes before the sigmoid, which makes of −∞ a weight of 0.')
        : spec.sink
          ? say('The mask comes before softmax: a hidden key takes no part in it.')
          : say('The mask comes before softmax, so that the weights still sum to 1.');
  if (call.op === 'add') {
    const what = say('The mask is added to [row|column] {0}: 0 keeps a score, −∞ removes it.', row);
    return words(
      name,
      question,
      what,
      why,
      hidesCells(spec.mask)
        ? spec.weighting
          ? say('σ(−∞) is 0: a hidden key gets no weight at all.')
          : hiddenSentence()
        : say('Without −∞ no key is hidden: its score is moved.'),
    );
  }
  const isSquare = shape.at(-1) === shape.at(-2);
  const fill = spec.weighting?.by === 'linear' ? 0 : spec.maskFill;
  const what =
    spec.mask === 'causal' && isSquare && !hidesMore(spec) ? fillSentenceForRow(fill, row) : fillSentence(fill);
  return words(name, question, what, why, remainingWeight(spec));
}

type Fill = WordsContext['spec']['maskFill'];

const fillSentence = (fill: Fill): Sentence =>
  fill === 'min'
    ? say('Hidden scores become the lowest number.')
    : say('Hidden scores become {0}.', fill === '-inf' ? '−∞' : fill);

const fillSentenceForRow = (fill: Fill, row: Place): Sentence =>
  fill === 'min'
    ? say('Hidden scores become the lowest number: {0:alone} keeps itself and what stands before it.', row)
    : say(
        'Hidden scores become {0}: {1:alone} keeps itself and what stands before it.',
        fill === '-inf' ? '−∞' : fill,
        row,
      );

const hiddenSentence = (): Sentence => say('exp(−∞) is 0: a hidden key gets no weight at all.');

/** What remains of a hidden key's weight. exp(x) is 0 in float64 for x ≤ −746. */
function remainingWeight({ maskFill, weighting }: WordsContext['spec']): Sentence {
  if (weighting?.by === 'linear') return say('A similarity of 0 has no share: a hidden key gets no weight at all.');
  if (maskFill === '-inf') return weighting ? say('σ(−∞) is 0: a hidden key gets no weight at all.') : hiddenSentence();
  if (weighting)
    return say(
      'The sigmoid of a low number is small, of a very low one 0: that is what is left of a hidden key’s weight.',
    );
  if (maskFill === 'min' || maskFill < -1e6)
    return say('So far below the others, exp is 0: a hidden key gets no weight, unless all keys are hidden.');
  return say('{0} is a score like another: after softmax a hidden key can keep some weight.', maskFill);
}

const hidesCells = (mask: Mask): boolean =>
  typeof mask === 'object' && mask.kind === 'additive' && (mask.values as readonly unknown[]).some(holdsInfinity);

const holdsInfinity = (x: unknown): boolean => (Array.isArray(x) ? x.some(holdsInfinity) : x === '-inf');

function maskValuesWords({ spec: { mask }, shape, call }: WordsContext, row: Place): StepSentences {
  const [why, notice] = reasonOf(mask, call, shape);
  if (typeof mask === 'object' && mask.kind === 'additive')
    return words(
      say('Mask matrix'),
      say('what is added to each score?'),
      say('[Row|Column] {0}: a number for each key; 0 leaves its score.', row),
      why,
      notice,
    );
  return words(
    say('Mask matrix'),
    say('which keys are hidden?'),
    say('1 hides a key from a query: [row|column] {0} sees the keys marked 0.', row),
    why,
    notice,
  );
}

const hidingWords = (name: Sentence, row: Place, why: Sentence, notice: Sentence): StepSentences =>
  words(
    name,
    say('which keys are hidden?'),
    say('1 hides a key from a query: [row|column] {0} sees the keys marked 0.', row),
    why,
    notice,
  );

/** What a mask is for, and which cells it hides. */
function reasonOf(
  mask: Mask,
  call: WordsContext['call'],
  shape: readonly number[],
): readonly [why: Sentence, notice: Sentence] {
  if (mask === 'none') throw new Error('no mask, no step');
  const [n = 0, m = 0] = shape.slice(-2);
  if (mask === 'causal' || mask.kind === 'causal') {
    const later = call.op === 'patternMask' ? call.after : 0;
    const from = later === 0 ? 'i' : `i ${later < 0 ? '−' : '+'} ${Math.abs(later)}`;
    return [
      say('A model that writes from left to right must not look at words that are not written yet.'),
      n === m && later === 0
        ? say('A causal mask hides everything above the diagonal.')
        : say('Query i sees no key after {0}, counted from 0.', from),
    ];
  }
  switch (mask.kind) {
    case 'padding':
      return [
        say('Texts of a batch are filled up to one length; the filling must not be attended to.'),
        say('All queries see the first {0} of {1}.', count(Math.min(mask.visible, m), 'key'), size(m)),
      ];
    case 'window':
      return [
        say('Looking at near tokens only costs less; stacked layers still reach far.'),
        mask.causal
          ? joined(
              say('A query sees keys at most {0} away, and none after it.', reachOf(mask)),
              say('Hugging Face counts the token itself: its sliding_window is {0}.', reachOf(mask) + 1),
              say(
                'Models mix such local layers with global ones, which have a causal mask (Gemma 2: each second; Gemma 3: five local, one global).',
              ),
            )
          : say('A query sees keys at most {0} away.', reachOf(mask)),
      ];
    case 'boolean':
      return [
        say('What may be seen is the task’s to say: filling, order, segments.'),
        mask.trueMeans === 'hidden'
          ? say('In the mask you gave, true means hidden.')
          : say('In the mask you gave, true means visible.'),
      ];
    case 'additive':
      return [
        say('An added mask can hide keys with −∞, and also weaken or prefer them.'),
        hidesCells(mask) ? say('Keys with −∞ are hidden.') : say('There is no −∞ in it: no key is hidden.'),
      ];
  }
}

function averageWords({ operands, spec }: WordsContext, row: Place, name: Sentence): StepSentences {
  const rows = count(widthOf(operands[0]), 'value row', linkTo(operands[1]));
  const subtracted = operands[0] !== undefined && localId(operands[0].id) === 'differences';
  if (subtracted)
    return words(
      name,
      say('what does each token take home?'),
      say('[Row|Column] {0} of {D} weighs the [rows|columns] of {V}: {1}, added up by weight.', row, rows),
      say('Both heads of a pair weigh the same values.'),
      say('This is no average: weights may be negative and need not sum to 1.'),
    );
  return words(
    name,
    say('what does each token take home?'),
    operands[0] !== undefined && localId(operands[0].id) === 'patched'
      ? say('[Row|Column] {0} of {A′} weighs the [rows|columns] of {V}: {1}, added up by weight.', row, rows)
      : say('[Row|Column] {0} of {A} weighs the [rows|columns] of {V}: {1}, added up by weight.', row, rows),
    say('The result for {0:alone} is a mixture of values, mostly of the tokens it attends to.', row),
    spec.start.from === 'weights'
      ? say('It is an average where the weights of the [row|column] sum to 1.')
      : spec.weighting?.by === 'sigmoid'
        ? say('The weights of a [row|column] need not sum to 1: this is a weighted sum, not an average.')
        : spec.sink
          ? say('The weights of a [row|column] sum to less than 1: a sink takes the rest.')
          : say('The weights of a [row|column] sum to 1; the output’s [rows|columns] need not.'),
  );
}

function concatWords({ operands, shape, spec }: WordsContext): StepSentences {
  const heads = operands[0]?.shape.at(-3) ?? 1;
  return words(
    say('Heads joined'),
    say('how do the heads come together?'),
    say(
      '{0} [stand side by side|stand one below the other]: {1} for each token.',
      count(heads, 'head'),
      count(shape.at(-1) ?? 0, 'column'),
    ),
    say('Each head’s result keeps its own [columns|rows].'),
    isProjected(spec)
      ? say('No number changes; {W_O} will mix them.')
      : say('No number changes, and no {W_O} mixes them.'),
  );
}

const isProjected = ({ outputProjection = { from: 'none' } }: WordsContext['spec']): boolean =>
  outputProjection.from !== 'none';

/** W_O or its transpose, as the product is written for tokens as rows and as columns. */
function outputWeightMarks({ spec }: WordsContext): readonly [rows: Place, columns: Place] {
  const transposed = spec.convention === 'XWT';
  return [named('W_O', transposed), named('W_O', !transposed)];
}

const mixSentence = ({ spec }: WordsContext): Sentence =>
  spec.heads > 1
    ? say('Every output number mixes all heads.')
    : say('Every output number mixes all [columns|rows] of the values.');

function woWords(context: WordsContext): StepSentences {
  const { shape, spec } = context;
  const [from, to] = spec.convention === 'XW' ? shape : [...shape].reverse();
  const many = spec.heads > 1;
  return words(
    say('Weights {W_O}'),
    many ? say('what mixes the heads?') : say('what turns the weighted values into the output?'),
    originOf(context, shapeMark(shape)),
    many
      ? say('Without {W_O} the heads would stand side by side and never meet.')
      : say('The next layer expects [rows of its own width|columns of its own height] and meaning.'),
    learnedNotice(
      context,
      say(
        'It is applied as {0}: from {1} to {2}.',
        product(named('O'), applied(context, 'W_O')),
        countFixed(from ?? 0, 'column'),
        size(to ?? 0),
      ),
    ),
  );
}

function outputWords(context: WordsContext, row: Place): StepSentences {
  if (context.call.op === 'concatHeads') return { ...concatWords(context), name: say('Output') };
  if (context.operands.some((o) => localId(o.id) === 'wo')) {
    const width = count(context.shape.at(-1) ?? 0, 'column');
    return words(
      say('Output'),
      say('what leaves the layer?'),
      context.spec.heads > 1
        ? say(
            '[Row {0} of the joined heads times {1}|{2} times column {0} of the joined heads]: {3}.',
            row,
            ...outputWeightMarks(context),
            width,
          )
        : say(
            '[Row {0} of the weighted values times {1}|{2} times column {0} of the weighted values]: {3}.',
            row,
            ...outputWeightMarks(context),
            width,
          ),
      mixSentence(context),
      say('The next layer starts from these [rows|columns].'),
    );
  }
  if (context.call.op === 'add') {
    return words(
      say('Output'),
      say('what leaves the layer?'),
      say('[Row|Column] {0} plus {b_O}.', row),
      say('A bias shifts a projection, as in nn.Linear.'),
      say('The next layer starts from these [rows|columns].'),
    );
  }
  return averageWords(context, row, say('Output'));
}

/** `0, 1, mean, 3`: what stands in the place of each head. */
function headList(call: WordsContext['call']): Place {
  const heads = call.op === 'replaceHeads' ? call.heads : [];
  return heads.map((of) => (of === 'mean' ? t('mean') : String(of))).join(', ');
}
