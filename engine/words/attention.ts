import type { Mask } from '../spec';
import { formatShape } from '../tensor';
import {
  identical,
  originOf,
  plural,
  randomNotice,
  tellBias,
  widthOf,
  words,
  type StepWords,
  type Tell,
  type WordsContext,
} from './tell';

/** From the scores to the output. */
export const attentionTellers: { readonly [id: string]: Tell } = {
  scores: (context, row, column) => tellScores(context, row, column),
  scaled: (context) => tellScale(context),
  alibi: ({ spec }, row) =>
    words(
      'Distance bias',
      'how far apart are query and key?',
      `Row ${row}: −slope times the distance to each key.`,
      'A key far away starts with a handicap, so no position needs to be added to X.',
      spec.heads > 1
        ? 'Each head has its own slope: steep heads look near, flat ones far.'
        : 'The slope of the one head is 2⁻⁸, 0.00390625.',
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
      'Scores much smaller than the cap hardly change.',
    ),
  tempered: ({ call }) =>
    words(
      'Temperature',
      'how sharp should the choice be?',
      `Every score is divided by T = ${call.op === 'divide' ? call.by : ''}.`,
      'T above 1 flattens the weights, T below 1 sharpens them.',
      'The order in each row stays.',
    ),
  mask: (context, row) => tellMaskValues(context, row),
  masked: (context, row) => tellMask(context, row),
  weights: (context, row) => tellWeights(context, row),
  headOutputs: (context, row) => tellAverage(context, row, 'Output of each head'),
  attended: (context, row) => tellAverage(context, row, 'Weighted values'),
  concat: (context) => tellConcat(context),
  wo: (context) => tellWo(context),
  bo: (context) => tellBias(context, 'b_O'),
  outputProduct: (context, row) =>
    words(
      'Output product',
      `O·W_O${turned(context)}, before its bias`,
      `Row ${row} of ${before(context)} times W_O${turned(context)}.`,
      mixes(context),
      'The bias is added next.',
    ),
  output: (context, row) => tellOutput(context, row),
};

function tellScores({ operands, shape, spec }: WordsContext, row: string, column: string): StepWords {
  const name = 'Scores';
  const question = 'how well does each query match each key?';
  const why = `A large score says that what ${row} looks for is what ${column} offers.`;
  if (!operands.length) {
    const what = `${formatShape(shape)}, as you gave them: row ${row} is a query, column ${column} a key.`;
    const dK = 'dK' in spec.start ? spec.start.dK : 0;
    return words(name, question, what, why, `They are sums of ${plural(dK, 'product')}: d_k is ${dK}.`);
  }
  const what = `Row ${row} of Q meets column ${column} of Kᵀ: ${plural(widthOf(operands[0]), 'product')}, one sum.`;
  return words(
    name,
    question,
    what,
    why,
    'The table is not symmetric in general: asking and offering are different things.',
  );
}

function tellWeights({ operands, shape, spec }: WordsContext, row: string): StepWords {
  const name = 'Attention weights';
  const question = 'how is each query’s attention shared out?';
  if (!operands.length) {
    const what = `${formatShape(shape)}, as you gave them: row ${row} says how much of each value it takes.`;
    const why = 'Softmax would make rows that sum to 1; the next step is an average only if these do.';
    return words(name, question, what, why, 'No scores are known, so the walk starts here.');
  }
  const rows = spec.mask === 'none' ? 'each row' : 'each row that sees a key';
  return words(
    name,
    question,
    `Softmax over row ${row}: each score less the row’s maximum goes through exp, then all are divided by their sum.`,
    `No weight is negative and ${rows} sums to 1, so that they average the values.`,
    'Subtracting the maximum changes nothing in exact arithmetic; it keeps exp from overflowing.',
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
      'Large scores make softmax choose one key and ignore the rest.',
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
    by > 0 ? 'The order in each row stays.' : 'The divisor is negative: the order in each row is turned round.',
  );
}

function tellMask({ call, spec, shape }: WordsContext, row: string): StepWords {
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
  const why = 'The mask comes before softmax, so that the weights still sum to 1.';
  if (call.op === 'add') {
    const what = `The mask is added to row ${row}: 0 keeps a score, −∞ removes it.`;
    return words(
      name,
      question,
      what,
      why,
      hides(spec.mask) ? hidden : 'Without −∞ no key is hidden: its score is moved.',
    );
  }
  const fill = spec.maskFill === '-inf' ? '−∞' : spec.maskFill === 'min' ? 'the lowest number' : `${spec.maskFill}`;
  const isSquare = shape.at(-1) === shape.at(-2);
  const causal = spec.mask === 'causal' && isSquare ? `: ${row} keeps itself and what stands before it` : '';
  return words(name, question, `Hidden scores become ${fill}${causal}.`, why, filled(spec));
}

const hidden = 'exp(−∞) is 0: a hidden key gets no weight at all.';

/** What is left of a hidden key. exp of −746 and less is 0 in float64. */
function filled({ maskFill }: WordsContext['spec']): string {
  if (maskFill === '-inf') return hidden;
  if (maskFill === 'min' || maskFill < -1e6)
    return 'So far below the others, exp is 0: a hidden key gets no weight, unless all keys are hidden.';
  return `${maskFill} is a score like another: after softmax a hidden key can keep some weight.`;
}

const hides = (mask: Mask): boolean =>
  typeof mask === 'object' && mask.kind === 'additive' && (mask.values as readonly unknown[]).some(holdsInfinity);

const holdsInfinity = (x: unknown): boolean => (Array.isArray(x) ? x.some(holdsInfinity) : x === '-inf');

function tellMaskValues({ spec: { mask }, shape }: WordsContext, row: string): StepWords {
  const [why, notice] = reasonOf(mask, shape.at(-2) ?? 0, shape.at(-1) ?? 0);
  if (typeof mask === 'object' && mask.kind === 'additive')
    return words(
      'Mask',
      'what is added to each score?',
      `Row ${row}: a number for each key; 0 leaves its score.`,
      why,
      notice,
    );
  return words(
    'Mask',
    'which keys are hidden?',
    `1 hides a key from a query: row ${row} sees the keys marked 0.`,
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
      'A model that writes from left to right must not look at words that are not written yet.',
      n === m
        ? 'A causal mask hides everything above the diagonal.'
        : `Query i sees no key after ${from}, counted from 0.`,
    ];
  }
  switch (mask.kind) {
    case 'padding':
      return [
        'Texts of a batch are filled up to one length; the filling must not be attended to.',
        `All queries see the first ${plural(Math.min(mask.visible, m), 'key')} of ${m}.`,
      ];
    case 'window':
      return [
        'Looking at near tokens only costs less; stacked layers still reach far.',
        `A query sees keys at most ${mask.size} away${mask.causal ? ', and none after it' : ''}.`,
      ];
    case 'boolean':
      return [
        'What may be seen is the task’s to say: filling, order, segments.',
        `In the mask you gave, true means ${mask.trueMeans}.`,
      ];
    case 'additive':
      return [
        'An added mask can hide keys with −∞, and also weaken or prefer them.',
        hides(mask) ? 'Keys with −∞ are hidden.' : 'There is no −∞ in it: no key is hidden.',
      ];
  }
}

function tellAverage({ operands, spec }: WordsContext, row: string, name: string): StepWords {
  return words(
    name,
    'what does each token take home?',
    `Row ${row} of A weighs the rows of V: ${plural(widthOf(operands[0]), 'value row')}, added up by weight.`,
    `The result for ${row} is a mixture of values, mostly of the tokens it attends to.`,
    spec.start.from === 'weights'
      ? 'It is an average where the weights of the row sum to 1.'
      : 'The weights of a row sum to 1; the output’s rows need not.',
  );
}

function tellConcat({ operands, shape, spec }: WordsContext): StepWords {
  const heads = operands[0]?.shape.at(-3) ?? 1;
  return words(
    'Heads joined',
    'how do the heads come together?',
    `${plural(heads, 'head')} stand side by side: ${plural(shape.at(-1) ?? 0, 'column')} for each token.`,
    'Each head’s result keeps its own columns.',
    isProjected(spec) ? 'No number changes; W_O will mix them.' : 'No number changes, and no W_O mixes them.',
  );
}

const isProjected = ({ outputProjection = { from: 'none' } }: WordsContext['spec']): boolean =>
  outputProjection.from !== 'none';
const turned = ({ spec }: WordsContext): string => (spec.convention === 'XWT' ? 'ᵀ' : '');
const before = ({ spec }: WordsContext): string => (spec.heads > 1 ? 'the joined heads' : 'the weighted values');
const mixes = ({ spec }: WordsContext): string =>
  spec.heads > 1 ? 'Every output number mixes all heads.' : 'Every output number mixes all columns of the values.';

function tellWo(context: WordsContext): StepWords {
  const { shape, spec, call } = context;
  const [from, to] = spec.convention === 'XW' ? shape : [...shape].reverse();
  const many = spec.heads > 1;
  return words(
    'Weights W_O',
    many ? 'what mixes the heads?' : 'what turns the weighted values into the output?',
    `${formatShape(shape)}, ${originOf(context)}.`,
    many
      ? 'Without W_O the heads would stand side by side and never meet.'
      : 'The next layer expects rows of its own width and meaning.',
    call.op === 'random'
      ? randomNotice
      : `It is applied as O·W_O${turned(context)}: from ${plural(from ?? 0, 'column')} to ${to}.`,
  );
}

function tellOutput(context: WordsContext, row: string): StepWords {
  if (context.call.op === 'concatHeads') return { ...tellConcat(context), name: 'Output' };
  if (context.operands.some((o) => o.id === 'wo')) {
    return words(
      'Output',
      'what leaves the layer?',
      `Row ${row} of ${before(context)} times W_O${turned(context)}: ${plural(context.shape.at(-1) ?? 0, 'column')}.`,
      mixes(context),
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
