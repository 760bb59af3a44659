import { count, number, say, shapeMark, size, type Place, type Sentence, type SymbolMark } from '../../text';
import {
  linkTo,
  localId,
  originOf,
  learnedNotice,
  widthOf,
  words,
  type StepSentences,
  type StepWriter,
  type WordsContext,
} from '../word-context';

/** What stands around attention: norms, sums, the feed-forward layer, the words of the vocabulary. */
export const blockWords = {
  normed: (context, row) =>
    normWords(
      context,
      row,
      say('Norm before attention'),
      say(
        'Queries, keys and values are made of these [rows|columns]; the sum after attention adds to the ones before.',
      ),
    ),
  residualNormed: (context, row) =>
    normWords(
      context,
      row,
      say('Norm after attention'),
      say('After the sum each token’s numbers are brought back to one size.'),
    ),
  ffNormed: (context, row) =>
    normWords(
      context,
      row,
      say('Norm before feed-forward'),
      say('The feed-forward layer reads these [rows|columns]; its sum adds to the ones before.'),
    ),
  finalNormed: (context, row) =>
    normWords(
      context,
      row,
      say('Last norm'),
      say('The sums of all layers have grown; what the words are compared with is of one size.'),
    ),
  ownRow: ({ shape }, row) =>
    words(
      say('Row of this step'),
      say('what is attention’s result added to?'),
      say('[Row|Column] {0} alone, of {1}.', row, count(shape.at(-1) ?? 0, 'number')),
      say('A step of a decoder computes one token; of those before it, it needs their keys and values alone.'),
      say('The cache holds keys and values of every layer, so that no earlier token is computed again.'),
    ),
  residual: (context, row) =>
    sumWords(
      context,
      row,
      say('Residual sum'),
      say('what does attention add to each token?'),
      say('What attention wrote is added to what the token was and does not take its place: later layers get both.'),
    ),
  blockSum: (context, row) =>
    sumWords(
      context,
      row,
      say('Second residual sum'),
      say('what does feed-forward add to each token?'),
      say('The feed-forward layer adds to the [row|column] as well; the norm follows.'),
    ),
  blockOutput: (context, row) => blockOutputWords(context, row),
  ffHidden: (context, row) =>
    productWords(context, row, say('Feed-forward, first product'), say('which patterns does each token show?')),
  ffHiddenProduct: (context, row) => productWords(context, row, say('First product'), say('before its bias')),
  ffGate: (context, row) => productWords(context, row, say('Gate'), say('how far is each pattern let through?')),
  ffActive: (context) => activeWords(context),
  ffGated: (_, row) =>
    words(
      say('Gated'),
      say('which patterns are let through?'),
      say('[Row|Column] {0}: each number of the first product times that of the gate, place by place.', row),
      say('A gate that depends on the token itself works better than a function alone (Shazeer 2020).'),
      say('Where the gate is near 0 nothing passes.'),
    ),
  ffOutput: (context, row) =>
    productWords(context, row, say('Feed-forward, second product'), say('what is said about each token?')),
  ffOutputProduct: (context, row) => productWords(context, row, say('Second product'), say('before its bias')),
  w1: (context) => weightWords(context),
  w2: (context) => weightWords(context),
  wg: (context) => weightWords(context),
  wu: (context) => weightWords(context),
  b1: (context) => rowWords(context, say('Bias {0}', markOf(context, 'b_1'))),
  b2: (context) => rowWords(context, say('Bias {0}', markOf(context, 'b_2'))),
  bu: (context) => rowWords(context, say('Bias {0}', markOf(context, 'b_U'))),
  ...besideNorms(),
  logits: (context, row) => logitWords(context, row),
  logitsProduct: (context, row) => logitWords(context, row),
  topLogits: ({ call }, row) =>
    words(
      say('Largest logits'),
      say('which words may come next?'),
      say(
        '[Row|Column] {0} keeps its {1} largest numbers; the others become −∞.',
        row,
        size(call.op === 'topK' ? call.k : 0),
      ),
      say('Words that hardly fit are many: together they would be drawn too often (Fan et al. 2018).'),
      say('What equals the last one kept is kept too.'),
    ),
  probabilities: (_, row, column) =>
    words(
      say('Next token'),
      say('how likely is each word to come next?'),
      say('Softmax over [row|column] {0}: each number becomes a share, {1} has its own.', row, column),
      say('A model of language is trained to make the word that really comes next likely here.'),
      say('Each [row|column] sums to 1: it is the guess of what follows that token.'),
    ),
} satisfies Readonly<Record<string, StepWriter>>;

function markOf({ role, id }: WordsContext, name: string): SymbolMark {
  return { kind: 'symbol', name, role, steps: [id], transposed: false };
}

/** The norms of a layer, by the ids of their steps. */
export type NormId = 'normed' | 'residualNormed' | 'ffNormed' | 'blockOutput' | 'finalNormed';
type BesideNorm = `${NormId}${'Gains' | 'Biases'}`;

/** Gains and biases of each norm. */
function besideNorms(): Readonly<Record<BesideNorm, StepWriter>> {
  const gains: StepWriter = (context) =>
    rowWords(context, say('Gains of the norm'), say('what is each [column|row] multiplied by?'));
  const biases: StepWriter = (context) => rowWords(context, say('Biases of the norm'));
  return {
    normedGains: gains,
    normedBiases: biases,
    residualNormedGains: gains,
    residualNormedBiases: biases,
    ffNormedGains: gains,
    ffNormedBiases: biases,
    blockOutputGains: gains,
    blockOutputBiases: biases,
    finalNormedGains: gains,
    finalNormedBiases: biases,
  };
}

function rowWords(
  context: WordsContext,
  name: Sentence,
  question = say('what is added to every [row|column]?'),
): StepSentences {
  return words(
    name,
    question,
    originOf(context, count(context.shape.at(-1) ?? 0, 'number')),
    learnedNotice(context, say('In a trained model they are learned.')),
    say('One [row|column] serves all tokens.'),
  );
}

function weightWords(context: WordsContext): StepSentences {
  const { shape, id } = context;
  const names: Readonly<Record<string, string>> = { w1: 'W_1', w2: 'W_2', wg: 'W_g', wu: 'W_U' };
  const mark = markOf(context, names[id] ?? id);
  return words(
    say('Weights {0}', mark),
    id === 'wu'
      ? say('what does each word of the vocabulary look like?')
      : say('what is learned about each token alone?'),
    originOf(context, shapeMark(shape)),
    say('In a trained model this matrix is learned.'),
    learnedNotice(context, say('The same matrix serves every token.')),
  );
}

function normWords({ call, shape, operands }: WordsContext, row: Place, name: Sentence, why: Sentence): StepSentences {
  const question = say('how large may a [row|column] be?');
  const gained = operands.length > 1;
  if (call.op === 'rmsNorm') {
    const divided = say(
      '[Row|Column] {0}: its {1} are divided by the root of the mean of their squares plus ε = {2}.',
      row,
      count(shape.at(-1) ?? 0, 'number'),
      number(call.epsilon),
    );
    return words(
      name,
      question,
      divided,
      why,
      gained
        ? say('Then each [column|row] is multiplied by its gain.')
        : say('Each [row|column] has a mean of squares of 1, less what ε takes.'),
    );
  }
  const epsilon = call.op === 'layerNorm' ? call.epsilon : 0;
  return words(
    name,
    question,
    say(
      '[Row|Column] {0}: its {1} less their mean, divided by the root of their variance plus ε = {2}.',
      row,
      count(shape.at(-1) ?? 0, 'number'),
      number(epsilon),
    ),
    why,
    gained
      ? say('Then each [column|row] is multiplied by its gain, and its bias is added.')
      : say('Each [row|column] has mean 0 and variance 1, less what ε takes.'),
  );
}

function sumWords(
  { operands }: WordsContext,
  row: Place,
  name: Sentence,
  question: Sentence,
  why: Sentence,
): StepSentences {
  return words(
    name,
    question,
    say(
      '[Row|Column] {0}: {1} plus {2}, place by place.',
      row,
      count(widthOf(operands[0]), 'number', linkTo(operands[0])),
      count(widthOf(operands[1]), 'number', linkTo(operands[1])),
    ),
    why,
    say('It is called a residual connection (He et al. 2016): the layer learns only what is to be changed.'),
  );
}

function blockOutputWords(context: WordsContext, row: Place): StepSentences {
  if (context.call.op !== 'add')
    return normWords(context, row, say('Output of the layer'), say('The next layer starts from these [rows|columns].'));
  return sumWords(
    context,
    row,
    say('Output of the layer'),
    say('what leaves the layer?'),
    say('The next layer starts from these [rows|columns].'),
  );
}

function productWords(
  { call, operands, shape }: WordsContext,
  row: Place,
  name: Sentence,
  question: Sentence,
): StepSentences {
  const why = say('Attention moves numbers between tokens; this layer works on each token alone.');
  if (call.op === 'add')
    return words(
      name,
      question,
      say('[Row|Column] {0} plus its bias, number by number.', row),
      why,
      say('The same bias serves every token.'),
    );
  return words(
    name,
    question,
    say(
      '[Row|Column] {0} meets each [column|row] of the weights: {1} for each of {2}.',
      row,
      count(widthOf(operands[0]), 'product', linkTo(operands[0])),
      count(shape.at(-1) ?? 0, 'column', linkTo(operands[1])),
    ),
    why,
    say('The same matrix serves every token.'),
  );
}

const functions: Readonly<Record<string, () => Sentence>> = {
  relu: () => say('ReLU: what is below 0 becomes 0, the rest stays.'),
  gelu: () => say('GELU: each x times the share of a normal distribution below it, x·(1 + erf(x/√2))/2.'),
  geluTanh: () => say('GELU by its tanh approximation, as GPT-2 has it: x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2.'),
  silu: () => say('SiLU: each x times its sigmoid, x/(1 + e⁻ˣ).'),
};

function activeWords({ call, operands }: WordsContext): StepSentences {
  const of = call.op === 'apply' ? call.of : 'relu';
  const gate = localId(operands[0]?.id ?? '') === 'ffGate';
  return words(
    gate ? say('Gate, opened') : say('Activation'),
    say('which numbers go on?'),
    (functions[of] ?? (() => say('Each number goes through a function.')))(),
    say('Without a function between them two products would be one: it is what a single matrix cannot do.'),
    say('Each number alone: no other token and no other column is asked.'),
  );
}

function logitWords({ call, operands, spec, shape }: WordsContext, row: Place): StepSentences {
  const name = say('Logits');
  const question = say('how well does each word fit here?');
  const why = say('A large number says that the word fits what the [row|column] has come to.');
  const notice =
    spec.unembedding?.from === 'tied'
      ? say(
          'The words are the [rows|columns] of the embedding table: what a token came in as is what it is compared with.',
        )
      : say('Each word of the vocabulary has a [column|row] of its own in {0}.', {
          kind: 'symbol',
          name: 'W_U',
          role: 'parameter',
          steps: ['wu'],
          transposed: false,
        });
  if (call.op === 'add')
    return words(name, question, say('[Row|Column] {0} plus its bias, number by number.', row), why, notice);
  return words(
    name,
    question,
    say(
      '[Row|Column] {0} meets each of {1}: {2}, one sum.',
      row,
      count(shape.at(-1) ?? 0, 'column', linkTo(operands[1])),
      count(widthOf(operands[0]), 'product', linkTo(operands[0])),
    ),
    why,
    notice,
  );
}
