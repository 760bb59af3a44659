import {
  joined,
  layerCount,
  say,
  shownLayer,
  type Plan,
  type Sentence,
  type SentencePlace,
  type Step,
} from '../../engine/index';
import { h, percent, prose } from '../draw';
import type { TraceHandle } from '../trace';
import { exchangedWith, isRemoved } from './focus';
import { tokenNames, wordsOf, type Focus } from './question';
import { readNext } from './read';

/** The question on the pages of the steps: what this step says about it, in its own numbers. */
export interface Along {
  readonly element: HTMLElement;
  /** `focus`: the row and key of the question; undefined hides the line. */
  update(trace: TraceHandle, step: Step | undefined, focus: Focus | undefined): void;
}

export function createAlong(): Along {
  const element = h('p', { class: 'opening-along', hidden: true, role: 'note' });
  let drawn = '';
  let request = 0;
  let last: TraceHandle | undefined;
  return {
    element,
    update(trace, step, focus) {
      element.hidden = focus === undefined || step === undefined;
      const key =
        focus && step ? `${step.id} ${focus.head.step.id} ${focus.head.evidence.head} ${focus.row} ${focus.key}` : '';
      if (!focus || !step || (key === drawn && trace === last)) return;
      [drawn, last] = [key, trace];
      const mine = ++request;
      const { question } = wordsOf(focus, trace.plan, [], percent);
      answerAt(trace, step, focus)
        .then((answer) => {
          if (mine !== request) return;
          element.replaceChildren(
            h('strong', {}, ...prose(question, { plan: trace.plan })),
            ' ',
            ...prose(answer, { plan: trace.plan }),
          );
        })
        .catch(() => undefined);
    },
  };
}

/** What a step says about the question. */
export async function answerAt(trace: TraceHandle, step: Step, focus: Focus): Promise<Sentence> {
  const words = wordsAt(trace.plan, focus);
  if (/[Pp]robabilities$/.test(step.id)) return likeliest(trace, focus, words);
  const layer = layerOf(trace, step);
  if (layer === undefined) return before(step, words);
  const asked = focus.head.evidence.layer;
  const base = step.id.replace(/^layer\d+_/, '');
  const rowByRow = alone[base];
  if (rowByRow) return rowByRow(words);
  if (layer !== asked) return say('This is layer {0}; the question is about layer {1}.', layer, asked);
  if (compared.has(base)) return largest(trace, step, focus, words);
  const changed = await ofChanged(trace, base, focus, words);
  if (changed) return changed;
  return inHead[base]?.(words, focus) ?? say('These numbers are the same for every text: they were learned.');
}

interface Words {
  /** The row gives most to itself. */
  readonly isOwn: boolean;
  readonly query: SentencePlace;
  readonly key: SentencePlace;
  /** The token at a row. */
  readonly tokenAt: (row: number) => SentencePlace;
}

function wordsAt({ tokens }: Plan, { row, key }: Focus): Words {
  const names = tokenNames(tokens);
  const token = (at: number, role: 'query' | 'key'): SentencePlace => ({ kind: 'token', token: names[at] ?? '', role, axis: role === 'query' ? 'row' : 'column' });
  return { isOwn: row === key, query: token(row, 'query'), key: token(key, 'key'), tokenAt: (at) => token(at, 'key') };
} // prettier-ignore

/** The layer of a step, from 0; undefined for what comes before the layers and after them. */
function layerOf({ spec }: TraceHandle, { id }: Step): number | undefined {
  const named = /^layer(\d+)_/.exec(id)?.[1];
  if (named !== undefined) return Number(named) - 1;
  return outside.has(id) ? undefined : Math.min(shownLayer(spec), layerCount(spec)) - 1;
}

const outside: ReadonlySet<string> = new Set(['tokens', 'table', 'embedding', 'positions', 'x', 'finalNormed', 'finalNormedGains', 'finalNormedBiases', 'logits', 'wu', 'bu']); // prettier-ignore

function before({ id }: Step, { isOwn, query, key }: Words): Sentence {
  if (id === 'logits' || id.startsWith('final'))
    return say(
      'The row of {0} holds what all layers wrote; it is compared with every token that the model knows.',
      query,
    );
  if (id === 'table') return say('These numbers are the same for every text: they were learned.');
  if (isOwn) return say('Here {0} is a row that knows nothing of the others.', query);
  return say('Here {0} and {1} are rows that know nothing of each other.', query, key);
}

type Say = (words: Words) => Sentence;

const byRow: Say = ({ isOwn, query, key }) =>
  isOwn
    ? say('Each row is changed by itself: nothing comes to {0} here.', query)
    : say('Each row is changed by itself: nothing goes from {0} to {1} here.', key, query);

/** Steps in which each row is changed by itself, of any layer. */
const alone: Readonly<Record<string, Say>> = Object.fromEntries(
  ['normed', 'ffNormed', 'ffHiddenProduct', 'ffHidden', 'ffActive', 'ffOutputProduct', 'ffOutput', 'blockOutput'].map((id) => [id, byRow]),
); // prettier-ignore

/** Steps in which the numbers of a row of keys are compared. */
const compared: ReadonlySet<string> = new Set(['scores', 'scaled', 'masked', 'weights']);

type SayFocus = (words: Words, focus: Focus) => Sentence;

const query: SayFocus = (w) => say('The row of {0} is its query: what it looks for.', w.query);
const key: SayFocus = (w) => say('The row of {0} is its key: what a query is compared with.', w.key);
const value: SayFocus = (w) => say('The row of {0} is its value: what {1} takes most of.', w.key, w.query);

const inHead: Readonly<Record<string, SayFocus>> = {
  q: query,
  qProduct: query,
  qHeads: query,
  k: key,
  kProduct: key,
  kHeads: key,
  v: value,
  vProduct: value,
  vHeads: value,
  mask: (w, { row }) =>
    w.isOwn ? say('{0} sees itself and the {1} tokens before it.', w.query, row) : say('{0} sees itself and the {1} tokens before it, {2} among them.', w.query, row, w.key),
  headOutputs: (w, { weight, head }) => taken(w, head.evidence.head, weight),
  headsLeft: (w) => say('Heads that are removed say the same in every row, in that of {0} too.', w.query),
  patched: (w) => say('Heads whose weights were exchanged look where another head looks, {0} too.', w.query),
  concat: (w, { head }) => say('What head {0} wrote for {1} stands beside what the other heads wrote.', head.evidence.head, w.query),
  outputProduct: (w) => say('W_O mixes what the heads wrote into one row for {0}.', w.query),
  output: (w) => say('W_O mixes what the heads wrote into one row for {0}.', w.query),
  residual: (w) => say('What attention wrote is added to the row that {0} had before.', w.query),
}; // prettier-ignore

const taken = (w: Words, head: number, weight: number): Sentence =>
  say('In head {0} the row of {1} is {2} of the value of {3}, and {4} of all others together.', head, w.query, percent(weight), w.key, percent(1 - weight)); // prettier-ignore

/** What is said of a head that is removed, or weighs its values by another head's weights, where that of its own pattern would be false. */
async function ofChanged(trace: TraceHandle, base: string, focus: Focus, words: Words): Promise<Sentence | undefined> {
  const { head, row, key: at } = focus;
  const other = exchangedWith(trace.spec, head);
  if (other !== undefined && base === 'headOutputs') {
    const { max } = await trace.read(head.step.id, { head: other });
    return taken(words, head.evidence.head, max[row * (head.step.shape.at(-1) ?? 0) + at] ?? NaN);
  }
  if (other !== undefined && /^v(Product|Heads)?$/.test(base)) return say('The row of {0} is its value.', words.key);
  if (base === 'concat' && isRemoved(trace.spec, head)) return inHead['headsLeft']?.(words, focus);
  return undefined;
}

/** The two largest of the row, among the keys that the query sees. */
async function largest(trace: TraceHandle, step: Step, { row, key: at, head }: Focus, words: Words): Promise<Sentence> {
  const { max } = await trace.read(step.id, { head: head.evidence.head });
  const n = step.shape.at(-1) ?? 0;
  const own = max.subarray(row * n, row * n + row + 1);
  const others = [...own.keys()].filter((j) => j !== at);
  const second = others.reduce<number | undefined>((best, j) => (best === undefined || (own[j] ?? 0) > (own[best] ?? 0) ? j : best), undefined);
  const lead = [head.evidence.head];
  const number = (column: number) => ({ kind: 'number', text: shown(step, own[column] ?? NaN), to: { step: step.id, row, column, lead } }) as const;
  if (second === undefined) return say('{0} sees only itself.', words.query);
  const [first, next] = [number(at), number(second)];
  if (first.text === next.text) return say('Of the keys that {0} sees, {1} and {2} have the same number, {3}, and none a larger one.', words.query, words.key, words.tokenAt(second), first);
  return say('Of the keys that {0} sees, {1} has the largest number: {2}. The next is {3} with {4}.', words.query, words.key, first, words.tokenAt(second), next);
} // prettier-ignore

const shown = ({ kind }: Step, value: number): string =>
  kind === 'weights' ? percent(value) : value.toFixed(2).replace('-', '−');

async function likeliest(trace: TraceHandle, { row }: Focus, { query: after }: Words): Promise<Sentence> {
  const next = await readNext(trace);
  const width = next?.words.length ?? 0;
  const own = next?.shares.subarray(row * width, (row + 1) * width) ?? new Float64Array();
  const best = own.indexOf(Math.max(...own));
  const token: SentencePlace = { kind: 'token', token: next?.words[best] ?? '', role: 'query', axis: 'row' };
  const says = say('After {0} the likeliest token is {1}, with {2}.', after, token, percent(own[best] ?? 0));
  const real = trace.plan.tokens[row + 1]?.text;
  const at = real === undefined ? -1 : (next?.words.indexOf(real) ?? -1);
  if (real === undefined || at < 0 || at === best) return says;
  const goesOn: SentencePlace = { kind: 'token', token: real, role: 'query', axis: 'row' };
  return joined(says, say('The text goes on with {0}, which it gives {1}.', goesOn, percent(own[at] ?? 0)));
}
