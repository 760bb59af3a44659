import { formatShape } from '../tensor';
import { identical, plural, tellBias, widthOf, words, type StepWords, type Tell, type WordsContext } from './tell';

/** From the scores to the output. */
export const attentionTellers: { readonly [id: string]: Tell } = {
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
