import { count, number, say, signs, type Place, type Sentence } from '../../text';
import type { AttentionSpec, ProgramStep } from '../../spec';
import { exchangesLastAxes } from '../../operations';
import { linkTo, widthOf, words, type StepSentences, type WordsContext } from '../word-context';

/** The sentences about a step of a program, by its operation and its role. */
export function programWords(context: WordsContext, row: Place, column: Place): StepSentences {
  const { start } = context.spec;
  const step = start.from === 'program' ? start.steps.find(({ id }) => id === context.id) : undefined;
  if (!step) throw new Error(`no step ${context.id} of the program`);
  return words(
    signs('{0}', step.name),
    questionOf(step, start.from === 'program' ? start.sumsOver : undefined),
    whatOf(step, context, row, column),
    whyOf(step),
    noticeOf(step, context),
  );
}

const questions: Readonly<Record<string, () => Sentence>> = {
  x: () => say('what does attention start from?'),
  context: () => say('where do keys and values come from?'),
  q: () => say('what is each token looking for?'),
  k: () => say('what does each token offer?'),
  v: () => say('what does each token pass on?'),
  scores: () => say('how well does each query match each key?'),
  mask: () => say('which keys are hidden?'),
  masked: () => say('which keys may each query see?'),
  weights: () => say('how is each query’s attention shared out?'),
  attended: () => say('what does each token take home?'),
  output: () => say('what leaves the layer?'),
};

type SumsOver = Extract<AttentionSpec['start'], { from: 'program' }>['sumsOver'];

/** Weights that do not sum to 1 over the keys of a query share out something else. */
const shares: Readonly<Record<NonNullable<SumsOver>, () => Sentence>> = {
  queries: () => say('how is each key shared out over the queries, not each query over the keys?'),
  matrix: () => say('how is 1 shared out over the whole matrix, not over the keys of each query?'),
  other: () => say('how is 1 shared out over another axis than the keys?'),
};

/** What a program has computed may be noise behind the sixth digit: 0.3535533845 of float32. */
const short = (x: number): Place => number(Number(x.toPrecision(6)));

function questionOf({ id, line }: ProgramStep, sumsOver: SumsOver): Sentence {
  const own = id === 'weights' && sumsOver ? shares[sumsOver]() : questions[id]?.();
  if (line === undefined) return own ?? say('what does the code compute here?');
  return own ? say('{0} (line {1})', own, number(line)) : say('what does line {0} compute?', number(line));
}

function whatOf(step: ProgramStep, context: WordsContext, row: Place, column: Place): Sentence {
  const [a, b] = context.operands;
  const [first, second] = [nameOf(context, 0), nameOf(context, 1)];
  switch (step.op) {
    case 'given':
      return givenWhat(step);
    case 'matmul':
      return step.transposeB
        ? say(
            '[Row|Column] {0} of {1} meets [row|column] {2} of {3}: {4}, one sum.',
            row,
            first,
            column,
            second,
            count(widthOf(a), 'product', linkTo(a)),
          )
        : say(
            '[Row|Column] {0} of {1} meets [column|row] {2} of {3}: {4}, one sum.',
            row,
            first,
            column,
            second,
            count(widthOf(a), 'product', linkTo(b)),
          );
    case 'add':
      return say('{0} plus {1}, cell by cell.', first, second);
    case 'combine':
      return say('{0} {1} {2}, cell by cell.', first, step.sign, second);
    case 'scale':
      return say('Every number of {0} times {1}.', first, short(step.by));
    case 'divide':
      return say('Every number of {0} is divided by {1}.', first, short(step.by));
    case 'mask':
      return say(
        'Where {0} hides a key, {1} is replaced by {2}.',
        second,
        first,
        number(String(step.fill).replace('inf', '∞').replace('-', '−')),
      );
    case 'softmax':
      return say('Softmax of each [row|column] of {0}: exponentials, divided by their sum.', first);
    case 'exponential':
      return say('e to the power of every number of {0}.', first);
    case 'reduce':
      return reduced(step, first);
    case 'apply':
      return applied[step.of](first);
    case 'join':
      return joinedWords(step, context);
    case 'splitHeads':
      return say('The [columns|rows] of {0} are cut into {1}.', first, count(step.heads, 'head'));
    case 'concatHeads':
      return say('The heads of {0} [stand side by side|stand one below the other].', first);
    case 'repeatHeads':
      return say('Each head of {0} serves {1}.', first, count(step.times, 'query head'));
    case 'rearrange':
      return exchangesLastAxes(step)
        ? say('{0} transposed: its [rows are now columns|columns are now rows].', first)
        : say('The numbers of {0} at other places; nothing is computed.', first);
    case 'pick':
      return say('The numbers of {0} at other places; nothing is computed.', first);
  }
}

const applied: Readonly<Record<Extract<ProgramStep, { op: 'apply' }>['of'], (name: string) => Sentence>> = {
  square: (name) => say('The square of every number of {0}.', name),
  root: (name) => say('The root of every number of {0}.', name),
  inverseRoot: (name) => say('1 divided by the root of every number of {0}.', name),
  inverse: (name) => say('1 divided by every number of {0}.', name),
  tanh: (name) => say('tanh of every number of {0}: what is large comes close to 1 or −1.', name),
};

/** `K_cache and k, one below the other`. */
function joinedWords({ axis, operands }: Extract<ProgramStep, { op: 'join' }>, context: WordsContext): Sentence {
  const names = operands.slice(0, 4).map((_, i) => nameOf(context, i));
  const list = operands.length > 4 ? `${names.join(', ')}, …` : names.join(', ');
  if (axis === 1) return say('{0} [side by side|one below the other]; nothing is computed.', list);
  if (axis === 2) return say('{0} [one below the other|side by side]; nothing is computed.', list);
  return say('{0} one after the other; nothing is computed.', list);
}

const axisSentences = {
  row: (name: string): Sentence => say('of each [row|column] of {0}', name),
  column: (name: string): Sentence => say('of each [column|row] of {0}', name),
  matrix: (name: string): Sentence => say('of all of {0}', name),
};

const reduced = ({ of, over }: Extract<ProgramStep, { op: 'reduce' }>, name: string): Sentence =>
  of === 'sum'
    ? say('The sum {0}.', axisSentences[over](name))
    : say('The largest number {0}.', axisSentences[over](name));

function givenWhat({ origin, line }: Extract<ProgramStep, { op: 'given' }>): Sentence {
  const at = number(line ?? '?');
  if (origin === 'stand-in') return say('Stand-in numbers: the text does not say what they are.');
  if (origin === 'live') return say('Live numbers: read from the process where it had stopped.');
  if (origin === 'drawn') return say('Drawn in line {0}, from the seed that the code sets.', at);
  return origin === 'computed'
    ? say('As line {0} computes it; that is not shown step by step.', at)
    : say('As the text gives it; it stands in line {0}.', at);
}

function nameOf({ spec: { start }, operands }: WordsContext, i: number): string {
  const id = operands[i]?.id;
  return (start.from === 'program' && start.steps.find((step) => step.id === id)?.name) || (id ?? '');
}

const reasons: Readonly<Record<string, () => Sentence>> = {
  q: () => say('This is {Q}, the queries.'),
  k: () => say('This is {K}, the keys.'),
  v: () => say('This is {V}, the values.'),
  x: () => say('This is {X}, from which queries are made.'),
  context: () => say('This is the context, from which keys and values are made.'),
  scores: () => say('These are the scores: queries meet keys.'),
  scaled: () => say('These are the scaled scores.'),
  mask: () => say('This is the mask.'),
  masked: () => say('These are the masked scores.'),
  weights: () => say('These are the attention weights.'),
  attended: () => say('These are the weighted sums of the values.'),
  output: () => say('This is the output.'),
};

const whyOf = ({ id, role }: ProgramStep): Sentence =>
  reasons[id]?.() ??
  (role === 'parameter' ? say('A weight or a bias of a layer.') : say('It stands on the way to the output.'));

const standsIn = (step: ProgramStep): boolean =>
  step.op === 'given' && (step.origin === 'stand-in' || step.standsIn === true);

function noticeOf(step: ProgramStep, { operands }: WordsContext): Sentence {
  if (standsIn(step)) return say('These numbers stand in: they come from a seed, so that the steps can be seen.');
  if (operands.some(({ standIn }) => standIn)) return say('These numbers follow from numbers that stand in.');
  return step.line === undefined
    ? say('The code has no line of its own for it.')
    : say('The numbers are those of the text.');
}
