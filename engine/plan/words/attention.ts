import { t } from '../../text/l10n';
import { counted } from '../../text/counted';
import type { Mask } from '../../spec/spec';
import { formatShape } from '../../math/tensor';
import { originOf, randomNotice, tellBias, widthOf, words, type StepWords, type Tell, type WordsContext } from './tell';

/** From the scores to the output. */
export const attentionTellers: { readonly [id: string]: Tell } = {
  scores: (context, row, column) => tellScores(context, row, column),
  scaled: (context) => tellScale(context),
  alibi: ({ spec }, row) =>
    words(
      t('Distance bias'),
      t('how far apart are query and key?'),
      t('Row {0}: −slope times the distance to each key.', row),
      t('A key far away starts with a handicap, so no position needs to be added to X.'),
      spec.heads > 1
        ? t('Each head has its own slope: steep heads look near, flat ones far.')
        : t('The slope of the one head is 2⁻⁸, 0.00390625.'),
    ),
  biased: (_, row) =>
    words(
      t('Scores with distance bias'),
      t('what is left after the handicap?'),
      t('Row {0} of Z plus its distance bias.', row),
      t('ALiBi puts word order into the scores instead of into the embedding.'),
      t('The diagonal is unchanged: its distance is 0.'),
    ),
  capped: ({ call }) =>
    words(
      t('Capped scores'),
      t('can a score grow without limit?'),
      t('Every score s becomes c·tanh(s/c), c = {0}.', call.op === 'softcap' ? call.cap : ''),
      t('Scores far beyond the cap are squeezed to it, so that softmax cannot saturate completely.'),
      t('Scores much smaller than the cap hardly change.'),
    ),
  tempered: ({ call }) =>
    words(
      t('Temperature'),
      t('how sharp should the choice be?'),
      t('Every score is divided by T = {0}.', call.op === 'divide' ? call.by : ''),
      t('T above 1 flattens the weights, T below 1 sharpens them.'),
      t('The order in each row stays.'),
    ),
  mask: (context, row) => tellMaskValues(context, row),
  masked: (context, row) => tellMask(context, row),
  weights: (context, row) => tellWeights(context, row),
  headOutputs: (context, row) => tellAverage(context, row, t('Output of each head')),
  attended: (context, row) => tellAverage(context, row, t('Weighted values')),
  concat: (context) => tellConcat(context),
  wo: (context) => tellWo(context),
  bo: (context) => tellBias(context, 'b_O'),
  outputProduct: (context, row) =>
    words(
      t('Output product'),
      t('O·W_O{0}, before its bias', turned(context)),
      context.spec.heads > 1
        ? t('Row {0} of the joined heads times W_O{1}.', row, turned(context))
        : t('Row {0} of the weighted values times W_O{1}.', row, turned(context)),
      mixes(context),
      t('The bias is added next.'),
    ),
  output: (context, row) => tellOutput(context, row),
};

function tellScores({ operands, shape, spec }: WordsContext, row: string, column: string): StepWords {
  const name = t('Scores');
  const question = t('how well does each query match each key?');
  const why = t('A large score says that what {0} looks for is what {1} offers.', row, column);
  if (!operands.length) {
    const what = t('{0}, as you gave them: row {1} is a query, column {2} a key.', formatShape(shape), row, column);
    const dK = 'dK' in spec.start ? spec.start.dK : 0;
    return words(name, question, what, why, t('They are sums of {0}: d_k is {1}.', counted(dK, 'product'), dK));
  }
  const what = t(
    'Row {0} of Q meets column {1} of Kᵀ: {2}, one sum.',
    row,
    column,
    counted(widthOf(operands[0]), 'product'),
  );
  return words(
    name,
    question,
    what,
    why,
    t('The table is not symmetric in general: asking and offering are different things.'),
  );
}

function tellWeights({ operands, shape, spec }: WordsContext, row: string): StepWords {
  const name = t('Attention weights');
  const question = t('how is each query’s attention shared out?');
  if (!operands.length) {
    const what = t('{0}, as you gave them: row {1} says how much of each value it takes.', formatShape(shape), row);
    const why = t('Softmax would make rows that sum to 1; the next step is an average only if these do.');
    return words(name, question, what, why, t('No scores are known, so the walk starts here.'));
  }
  return words(
    name,
    question,
    t(
      'Softmax over row {0}: each score less the row’s maximum goes through exp, then all are divided by their sum.',
      row,
    ),
    spec.mask === 'none'
      ? t('No weight is negative and each row sums to 1, so that they average the values.')
      : t('No weight is negative and each row that sees a key sums to 1, so that they average the values.'),
    t('Subtracting the maximum changes nothing in exact arithmetic; it keeps exp from overflowing.'),
  );
}

function tellScale({ call, spec, operands }: WordsContext): StepWords {
  const name = t('Scaled scores');
  const question = t('are the scores too large for softmax?');
  if (call.op !== 'divide') {
    return words(
      name,
      question,
      t('No scaling. Z holds the same numbers as before.'),
      t('Vaswani et al. divide by √d_k, because the variance of a dot product grows with d_k.'),
      t('Large scores make softmax choose one key and ignore the rest.'),
    );
  }
  const by = Number(call.by.toPrecision(6));
  if (spec.scale === 'sqrt_d_k') {
    return words(
      name,
      question,
      t('Every score is divided by √d_k = {0}.', by),
      t('A sum of d_k products has d_k times the variance of one; the division takes that back.'),
      t('Only the size changes: the order in each of the {0} rows stays.', operands[0]?.shape.at(-2) ?? 0),
    );
  }
  return words(
    name,
    question,
    spec.scale === 'sqrt_d_model'
      ? t('Every score is divided by {0}. This is √d_model; the paper divides by √d_k.', by)
      : t('Every score is divided by {0}.', by),
    t('Smaller scores give flatter weights, larger ones sharper weights.'),
    by > 0 ? t('The order in each row stays.') : t('The divisor is negative: the order in each row is turned round.'),
  );
}

function tellMask({ call, spec, shape }: WordsContext, row: string): StepWords {
  const name = t('Mask');
  const question = t('which keys may each query see?');
  if (call.op === 'identity') {
    return words(
      name,
      question,
      t('No mask: every query sees every key. M holds the same numbers as before.'),
      t('An encoder reads the whole text at once; a decoder hides what comes later.'),
      t('Switch the mask to causal to see the difference.'),
    );
  }
  const why = t('The mask comes before softmax, so that the weights still sum to 1.');
  if (call.op === 'add') {
    const what = t('The mask is added to row {0}: 0 keeps a score, −∞ removes it.', row);
    return words(
      name,
      question,
      what,
      why,
      hides(spec.mask) ? hidden() : t('Without −∞ no key is hidden: its score is moved.'),
    );
  }
  const isSquare = shape.at(-1) === shape.at(-2);
  const what = spec.mask === 'causal' && isSquare ? becomeBefore(spec.maskFill, row) : become(spec.maskFill);
  return words(name, question, what, why, filled(spec));
}

type Fill = WordsContext['spec']['maskFill'];

const become = (fill: Fill): string =>
  fill === 'min'
    ? t('Hidden scores become the lowest number.')
    : t('Hidden scores become {0}.', fill === '-inf' ? '−∞' : fill);

const becomeBefore = (fill: Fill, row: string): string =>
  fill === 'min'
    ? t('Hidden scores become the lowest number: {0} keeps itself and what stands before it.', row)
    : t('Hidden scores become {0}: {1} keeps itself and what stands before it.', fill === '-inf' ? '−∞' : fill, row);

const hidden = (): string => t('exp(−∞) is 0: a hidden key gets no weight at all.');

/** What is left of a hidden key. exp of −746 and less is 0 in float64. */
function filled({ maskFill }: WordsContext['spec']): string {
  if (maskFill === '-inf') return hidden();
  if (maskFill === 'min' || maskFill < -1e6)
    return t('So far below the others, exp is 0: a hidden key gets no weight, unless all keys are hidden.');
  return t('{0} is a score like another: after softmax a hidden key can keep some weight.', maskFill);
}

const hides = (mask: Mask): boolean =>
  typeof mask === 'object' && mask.kind === 'additive' && (mask.values as readonly unknown[]).some(holdsInfinity);

const holdsInfinity = (x: unknown): boolean => (Array.isArray(x) ? x.some(holdsInfinity) : x === '-inf');

function tellMaskValues({ spec: { mask }, shape }: WordsContext, row: string): StepWords {
  const [why, notice] = reasonOf(mask, shape.at(-2) ?? 0, shape.at(-1) ?? 0);
  if (typeof mask === 'object' && mask.kind === 'additive')
    return words(
      t('Mask'),
      t('what is added to each score?'),
      t('Row {0}: a number for each key; 0 leaves its score.', row),
      why,
      notice,
    );
  return words(
    t('Mask'),
    t('which keys are hidden?'),
    t('1 hides a key from a query: row {0} sees the keys marked 0.', row),
    why,
    notice,
  );
}

/** What a mask is for, and which cells it hides. */
function reasonOf(mask: Mask, n: number, m: number): readonly [why: string, notice: string] {
  if (mask === 'none') throw new Error('no mask, no step');
  if (mask === 'causal' || mask.kind === 'causal') {
    const later = mask === 'causal' || mask.alignment === 'start' ? 0 : m - n;
    const from = later === 0 ? 'i' : `i ${later < 0 ? '−' : '+'} ${Math.abs(later)}`;
    return [
      t('A model that writes from left to right must not look at words that are not written yet.'),
      n === m
        ? t('A causal mask hides everything above the diagonal.')
        : t('Query i sees no key after {0}, counted from 0.', from),
    ];
  }
  switch (mask.kind) {
    case 'padding':
      return [
        t('Texts of a batch are filled up to one length; the filling must not be attended to.'),
        t('All queries see the first {0} of {1}.', counted(Math.min(mask.visible, m), 'key'), m),
      ];
    case 'window':
      return [
        t('Looking at near tokens only costs less; stacked layers still reach far.'),
        mask.causal
          ? [
              t('A query sees keys at most {0} away, and none after it.', mask.size),
              t('Hugging Face counts the token itself: its sliding_window is {0}.', mask.size + 1),
            ].join(' ')
          : t('A query sees keys at most {0} away.', mask.size),
      ];
    case 'boolean':
      return [
        t('What may be seen is the task’s to say: filling, order, segments.'),
        mask.trueMeans === 'hidden'
          ? t('In the mask you gave, true means hidden.')
          : t('In the mask you gave, true means visible.'),
      ];
    case 'additive':
      return [
        t('An added mask can hide keys with −∞, and also weaken or prefer them.'),
        hides(mask) ? t('Keys with −∞ are hidden.') : t('There is no −∞ in it: no key is hidden.'),
      ];
  }
}

function tellAverage({ operands, spec }: WordsContext, row: string, name: string): StepWords {
  return words(
    name,
    t('what does each token take home?'),
    t('Row {0} of A weighs the rows of V: {1}, added up by weight.', row, counted(widthOf(operands[0]), 'value row')),
    t('The result for {0} is a mixture of values, mostly of the tokens it attends to.', row),
    spec.start.from === 'weights'
      ? t('It is an average where the weights of the row sum to 1.')
      : t('The weights of a row sum to 1; the output’s rows need not.'),
  );
}

function tellConcat({ operands, shape, spec }: WordsContext): StepWords {
  const heads = operands[0]?.shape.at(-3) ?? 1;
  return words(
    t('Heads joined'),
    t('how do the heads come together?'),
    t('{0} stand side by side: {1} for each token.', counted(heads, 'head'), counted(shape.at(-1) ?? 0, 'column')),
    t('Each head’s result keeps its own columns.'),
    isProjected(spec) ? t('No number changes; W_O will mix them.') : t('No number changes, and no W_O mixes them.'),
  );
}

const isProjected = ({ outputProjection = { from: 'none' } }: WordsContext['spec']): boolean =>
  outputProjection.from !== 'none';
const turned = ({ spec }: WordsContext): string => (spec.convention === 'XWT' ? 'ᵀ' : '');
const mixes = ({ spec }: WordsContext): string =>
  spec.heads > 1
    ? t('Every output number mixes all heads.')
    : t('Every output number mixes all columns of the values.');

function tellWo(context: WordsContext): StepWords {
  const { shape, spec, call } = context;
  const [from, to] = spec.convention === 'XW' ? shape : [...shape].reverse();
  const many = spec.heads > 1;
  return words(
    t('Weights W_O'),
    many ? t('what mixes the heads?') : t('what turns the weighted values into the output?'),
    originOf(context, formatShape(shape)),
    many
      ? t('Without W_O the heads would stand side by side and never meet.')
      : t('The next layer expects rows of its own width and meaning.'),
    call.op === 'random'
      ? randomNotice()
      : t('It is applied as O·W_O{0}: from {1} to {2}.', turned(context), counted(from ?? 0, 'column'), to),
  );
}

function tellOutput(context: WordsContext, row: string): StepWords {
  if (context.call.op === 'concatHeads') return { ...tellConcat(context), name: t('Output') };
  if (context.operands.some((o) => o.id === 'wo')) {
    const width = counted(context.shape.at(-1) ?? 0, 'column');
    return words(
      t('Output'),
      t('what leaves the layer?'),
      context.spec.heads > 1
        ? t('Row {0} of the joined heads times W_O{1}: {2}.', row, turned(context), width)
        : t('Row {0} of the weighted values times W_O{1}: {2}.', row, turned(context), width),
      mixes(context),
      t('The next layer starts from these rows.'),
    );
  }
  if (context.call.op === 'add') {
    return words(
      t('Output'),
      t('what leaves the layer?'),
      t('Row {0} plus b_O.', row),
      t('A bias shifts a projection, as in nn.Linear.'),
      t('The next layer starts from these rows.'),
    );
  }
  return tellAverage(context, row, t('Output'));
}
