import {
  namesApart,
  joined,
  layerCount,
  providedModel,
  say,
  shownLayer,
  t,
  unknownId,
  type AttentionSpec,
  type HeadEvidence,
  type HeadKind,
  type Model,
  type Plan,
  type Sentence,
  type SentencePlace,
  type Step,
  type Token,
  type TokenMark,
} from '../../engine/index';
import { drawIn, drawWords, secondOf, weightsOf, type Focus, type HeadWeights } from './focus';
import { agrees, canBeMeant } from './nouns';

/* The question that a text opens on: which row of which head of a trained model has something to say here, and in what words. */

export type { Focus, HeadWeights } from './focus';

/** The weights of a layer (from 0), if the plan has it. */
export function weightsOfLayer(spec: AttentionSpec, { steps }: Plan, layer: number): Step | undefined {
  const at = layer + 1;
  if (at > layerCount(spec)) return undefined;
  const id = at === shownLayer(spec) ? 'weights' : `layer${at}_weights`;
  return steps.find((step) => step.id === id);
}

/** The trained model of a spec, if its heads are those that were measured. */
export function measuredModel(spec: AttentionSpec): Model | undefined {
  const model = spec.model && providedModel(spec.model);
  return model && spec.heads === model.heads && layerCount(spec) === model.layers ? model : undefined;
}

/** The largest weight of a row among keys `from` on. */
export function focusAt(head: HeadWeights, row: number, from = 0): Focus {
  const n = head.step.shape.at(-1) ?? 0;
  let key = from;
  for (let j = from; j < n; j++) if ((head.values[row * n + j] ?? 0) > (head.values[row * n + key] ?? 0)) key = j;
  return { head, row, key, weight: head.values[row * n + key] ?? 0 };
}

/** Weights from which a pattern is worth a question. */
const clear = 0.4;

/** Whether a row's largest weight is what its head is known for, on these tokens. */
const fits: Readonly<Record<HeadKind, (focus: Focus, tokens: readonly Token[]) => boolean>> = {
  // The start is before the first token of any text: that says nothing of this one.
  previous: ({ row, key }) => key > 0 && key === row - 1,
  // What followed the same token earlier.
  induction: ({ row, key }, tokens) =>
    key > 1 && key < row && tokens[key - 1]?.id === tokens[row]?.id && tokens[row]?.id !== unknownId,
  duplicate: ({ row, key }, tokens) => key < row && tokens[key]?.id === tokens[row]?.id,
  sink: ({ key }) => key === 0,
  agreement: ({ head, row, key }, tokens) =>
    key > 0 && key <= row && agrees(head.vocabulary ?? [], tokens[row + 1]?.text, tokens[key]?.text),
  pronoun: ({ row, key }, tokens) => key > 0 && key < row && canBeMeant(tokens[row]?.text, tokens[key]?.text),
  none: () => false,
};

/** Kinds in the order in which a question about them is asked. A head that points without a loss of its own comes before the others of its kind. */
const order: readonly HeadKind[] = ['pronoun', 'agreement', 'induction', 'duplicate', 'previous', 'sink'];

/**
 * The row that a cursor asks about: that of the token in which, or behind which, it stands. None where nobody has put it there: before the first
 * token it stands in every file that was just opened, behind the last wherever something was typed.
 */
export function rowAtCursor(tokens: readonly Token[], cursor: number): number | undefined {
  const within = tokens.findIndex(({ start, end }) => start !== undefined && end !== undefined && start <= cursor && cursor < end); // prettier-ignore
  const at = within < 0 ? tokens.findIndex(({ end }) => end === cursor && cursor > 0) : within;
  const first = tokens.findIndex(({ special }) => !special);
  const placed = at >= 0 && (at === first ? cursor > (tokens[at]?.start ?? 0) : within >= 0 || at < tokens.length - 1);
  return placed ? at : undefined;
}

/**
 * The row that a text opens on: the clearest of the first kind that shows here, of the row `only` if that is given. Then, where no head does there what
 * it is known for, the head that gives most of that row to another token; without it undefined.
 */
export function openingFocus(
  heads: readonly HeadWeights[],
  tokens: readonly Token[],
  only?: number,
): Focus | undefined {
  for (const kind of order) {
    const found = heads.filter(({ evidence }) => evidence.kind === kind).flatMap((head) => bestIn(head, tokens, only) ?? []); // prettier-ignore
    const [best] = found
      .filter(({ weight }) => weight >= clear)
      .sort((a, b) => clarity(b, tokens) - clarity(a, tokens));
    if (best) return best;
  }
  return only === undefined ? undefined : mostElsewhere(heads, only);
}

/** The head that gives most of a row to another token, which is not the start if there is a choice. */
function mostElsewhere(heads: readonly HeadWeights[], row: number): Focus | undefined {
  const found = heads.map((head) => focusAt(head, row)).sort((a, b) => b.weight - a.weight);
  return found.find(({ key }) => key > 0 && key !== row) ?? found.find(({ key }) => key !== row) ?? found[0];
}

/** The row in which a head does most clearly what it is known for, or of `only` if it does so there. */
export function bestIn(head: HeadWeights, tokens: readonly Token[], only?: number): Focus | undefined {
  const rows = tokens.map((_, row) => focusAt(head, row)).filter(({ row }) => row > 0 && (only ?? row) === row);
  const fitting = rows.filter((focus) => fits[head.evidence.kind](focus, tokens));
  return fitting.sort((a, b) => clarity(b, tokens) - clarity(a, tokens))[0];
}

/** How plainly a row shows what its head does: its weight, and of a copy how much of what stands before agrees. */
function clarity({ head, row, key, weight }: Focus, tokens: readonly Token[]): number {
  // A reader asks about letters and words before spaces and marks.
  const clear = [row, key].every((at) => /[\p{L}\p{N}]/u.test(tokens[at]?.text ?? '')) ? weight + 2 : weight;
  if (head.evidence.kind !== 'induction') return clear;
  return clear + 0.25 * Math.min(repeated(tokens, row, key - 1), 4);
}

/** How many tokens up to `row` are those up to `earlier`. */
function repeated(tokens: readonly Token[], row: number, earlier: number): number {
  let count = 0;
  while (earlier - count > 0 && tokens[row - count]?.id === tokens[earlier - count]?.id) count++;
  return count;
}

/** The names of tokens: those that stand several times are told apart by their places, as in every table. */
export const tokenNames = (tokens: readonly Token[]): readonly string[] => namesApart(tokens.map(({ text }) => text));

export interface Words {
  readonly question: Sentence;
  /** What this row shows, in its own numbers. */
  readonly answer: Sentence;
  /** What was measured of the head, and what its removal costs. */
  readonly measured: Sentence;
}

/** The words about a row of a head. `percent` writes a share. */
export function wordsOf(
  focus: Focus,
  plan: Plan,
  all: readonly HeadEvidence[],
  percent: (share: number) => string,
): Words {
  const { tokens } = plan;
  const { head, row, key, weight } = focus;
  const lead = [head.evidence.head];
  const names = tokenNames(tokens);
  const query: TokenMark = { kind: 'token', token: names[row] ?? '', role: 'query', axis: 'row' };
  const looked = (at: number): TokenMark => ({ kind: 'token', token: names[at] ?? '', role: 'key', axis: 'column' });
  const to = { step: head.step.id, row, column: key, lead };
  const share: SentencePlace = { kind: 'number', text: percent(weight), role: 'weights', to };
  const draw = drawIn(focus, percent);
  const kind = !draw && fits[head.evidence.kind](focus, tokens) ? head.evidence.kind : 'none';
  const next: SentencePlace = { kind: 'token', token: names[row + 1] ?? '', role: 'query', axis: 'row' };
  const second = secondOf(focus);
  const rest: SentencePlace = { kind: 'number', text: percent(weightsOf(focus)[second] ?? 0) };
  const measured = measuredWords(head.evidence, kind, all);
  if (draw) return { ...drawWords(focus, draw, query, looked, share), measured };
  return {
    question: questions[kind](query, looked(key), next, looked(key - 1)),
    answer: joined(
      say('{0} gives {1} {2} of its attention, then {3} {4}.', query, looked(key), share, looked(second), rest),
      ...(kind !== 'none' ? [] : [tokens.length === 2 && tokens[0]?.special ? say('One token alone sees only the start and itself.') : say('Nothing measured says why.')]),
    ),
    measured,
  };
} // prettier-ignore

/** `next`: the token after the query; `before`: that before the key. */
type Ask = (query: SentencePlace, key: SentencePlace, next: SentencePlace, before: SentencePlace) => Sentence;

const questions: Readonly<Record<HeadKind, Ask>> = {
  pronoun: (query, key) => say('Why does {0} look at {1}?', query, key),
  agreement: (query, key, next) => say('Why does {0}, before {1}, look at {2}?', query, next, key),
  induction: (query, key, _, before) => say('Why does {0} look at {1}, which followed {2}?', query, key, before),
  duplicate: (query, key) => say('Why does {0} look at {1}, the same token earlier?', query, key),
  previous: (query, key) => say('Why does {0} look at {1}, just before it?', query, key),
  sink: (query) => say('Why does {0} look at the start?', query),
  none: (query) => say('Where does {0:alone} look?', query),
};

const two = (x: number): string => x.toFixed(2);
const signed = (x: number): string => (Math.abs(x) < 0.005 ? two(0) : `${x < 0 ? '−' : '+'}${two(Math.abs(x))}`);

/** What was measured of a head on other text, the same score untrained, and what its removal costs: each with its number. */
function measuredWords(evidence: HeadEvidence, here: HeadKind, all: readonly HeadEvidence[]): Sentence {
  const { kind, score, control } = evidence;
  if (kind === 'none')
    return joined(
      say('None of the patterns that were measured stands out in this head: what it looks for is not known.'),
      withoutIt(evidence),
      ...(evidence.costs['pronoun'] === undefined ? [] : [say('Where the noun of he or she is said again it changes by {0}, at a verb by {1}.', costOf(evidence, 'pronoun'), costOf(evidence, 'agreement'))]),
    );
  const general = does[kind](evidence, two(score), two(control), all);
  return here === 'none' ? joined(say('This row is no clear case of what the head was measured to do.'), general) : general;
} // prettier-ignore

type Measured = (evidence: HeadEvidence, score: string, control: string, all: readonly HeadEvidence[]) => Sentence;

const costOf = ({ costs }: HeadEvidence, of: string): string => signed(costs[of] ?? 0);

/** Where the removal of a head costs most, and how much. */
export function costliest({ costs }: HeadEvidence): string {
  const [[of, cost] = ['', 0]] = Object.entries(costs).sort(([, a], [, b]) => b - a);
  return removedAt[of]?.(signed(cost)) ?? '';
}

const removedAt: Readonly<Record<string, (cost: string) => string>> = {
  text: (cost) => t('without it: loss {0} nats on text', cost),
  repeated: (cost) => t('without it: loss {0} nats on repeats', cost),
  pronoun: (cost) => t('without it: loss {0} nats at the noun of he, she', cost),
  agreement: (cost) => t('without it: loss {0} nats at verbs', cost),
};

/** The head whose removal costs most at the same place, to compare with. */
function mostCosting(own: HeadEvidence, all: readonly HeadEvidence[], of: string): Sentence {
  const [most] = [...all].sort((a, b) => (b.costs[of] ?? 0) - (a.costs[of] ?? 0));
  if (!most || most === own) return say('No other head costs more there.');
  return say('Head {0} of layer {1} costs most there: {2}.', most.head, most.layer, costOf(most, of));
}

const withoutIt = (e: HeadEvidence): Sentence =>
  say('Without this head the loss on a repeat changes by {0} nats (a coin toss has 0.69), on ordinary text by {1}.', costOf(e, 'repeated'), costOf(e, 'text')); // prettier-ignore

const does: Readonly<Record<Exclude<HeadKind, 'none'>, Measured>> = {
  pronoun: (e, score, control, all) =>
    joined(
      say('This head was trained to point from he and she to their noun. On 500 other sentences of its grammar, with pairs of nouns that it never saw together, the right noun gets {0} more of its weight than the other (untrained {1}).', score, control),
      say('A pattern is not yet a reason: without this head the loss at that noun changes by {0} nats (a coin toss has 0.69).', costOf(e, 'pronoun')),
      mostCosting(e, all, 'pronoun'),
    ),
  agreement: (e, score, control, all) =>
    joined(
      say('This head was trained to point from the word before a verb to its subject. On 500 other sentences of its grammar, with pairs of nouns that it never saw together, the subject gets {0} more of its weight than nouns of the other number (untrained {1}).', score, control),
      say('A pattern is not yet a reason: without this head the loss at the verb changes by {0} nats (a coin toss has 0.69).', costOf(e, 'agreement')),
      mostCosting(e, all, 'agreement'),
    ),
  induction: (e, score, control) =>
    joined(
      say('An induction head: its clearest pattern is to look at what came after the same token earlier. It was not told to: that came with learning to predict the next token, in text of which a part repeats itself. On random repeats that place gets {0} of its weight (untrained {1}).', score, control),
      withoutIt(e),
    ),
  duplicate: (e, score, control) =>
    joined(
      say('Of the patterns that were measured, the clearest in this head is to look at the same token earlier: on random repeats that place gets {0} of its weight (untrained {1}).', score, control),
      withoutIt(e),
    ),
  previous: (e, score, control) =>
    joined(
      say('Of the patterns that were measured, the clearest in this head is to look one token back: on random text that place gets {0} of its weight (untrained {1}).', score, control),
      withoutIt(e),
    ),
  sink: (e, score, control) =>
    joined(
      say('Of the patterns that were measured, the clearest in this head is to look at the first token: on ordinary text that gets {0} of its weight (untrained {1}).', score, control),
      withoutIt(e),
    ),
}; // prettier-ignore

/** A kind of head in a few words. */
export function kindWords(kind: HeadKind): Sentence {
  return {
    pronoun: say('he, she to noun'),
    agreement: say('before a verb, to its subject'),
    induction: say('induction'),
    duplicate: say('to the same token'),
    previous: say('one token back'),
    sink: say('to the first token'),
    none: say('no known pattern'),
  }[kind];
}
