import {
  layerCount,
  plainText,
  say,
  t,
  type AttentionSpec,
  type HeadChange,
  type Model,
  type Plan,
} from '../../engine/index';
import { createThumbnail } from '../heatmap';
import { h, percent, prose } from '../draw';
import type { TraceHandle } from '../trace';
import { fitsInRow, focusOnRow, tokenPicture } from './arcs';
import { headButton as headPicture, nextToken } from './head-button';
import {
  bestIn,
  focusAt,
  kindWords,
  measuredModel,
  openingFocus,
  wordsOf,
  type Focus,
  type HeadWeights,
} from './question';
import { trainingStory } from './training';
import { nextAfter, readHeads, readNext, type NextToken, type NextTokens } from './read';

/** Where a cell of the weights is opened with its arithmetic. */
export interface OpeningActions {
  readonly onCell: (step: string, cell: readonly [number, number], head: number) => void;
  readonly onControls: () => void;
  /** Another checkpoint of the same training. */
  readonly onModel: (name: string) => void;
  /** Other heads are removed, or weigh by other heads' weights. */
  readonly onHeads: (changes: readonly HeadChange[]) => void;
}

/**
 * The first view of a text that a trained model reads: a question about it, who attends to whom, the answer in the row's own numbers, what was measured
 * of the head, and every head by its kind.
 */
export interface Opening {
  readonly element: HTMLElement;
  /** Shows the question of a trace; hides itself where no trained model was measured, and says whether it is shown. */
  update(trace: TraceHandle, open: boolean): boolean;
  /** What the question of a trace is about; undefined where no trained model was measured. */
  focusOf(trace: TraceHandle): Promise<Focus | undefined>;
}

/** How many of the likeliest next tokens are shown. */
const shownNext = 5;

export function createOpening(actions: OpeningActions): Opening {
  const element = h('section', { class: 'opening', hidden: true, 'aria-label': t('The question') });
  let drawn: TraceHandle | undefined;
  let resized: () => void = () => undefined;
  new ResizeObserver(() => resized()).observe(element);
  let request = 0;
  /** What came next with all heads, for the text that is shown. */
  let whole: { readonly of: string; readonly next: NextTokens } | undefined;
  /** The head and row that the reader looks at, which stay where heads are removed. */
  let chosen: { readonly of: string; readonly layer: number; readonly head: number; readonly row: number } | undefined;
  const show = (trace: TraceHandle, heads: readonly HeadWeights[], focus: Focus): void => {
    const mine = ++request;
    const { evidence } = focus.head;
    chosen = { of: textOf(trace.spec), layer: evidence.layer, head: evidence.head, row: focus.row };
    const again = (next: Focus): void => show(trace, heads, next);
    const focused = focusedKey(element);
    const inRow = fitsInRow(trace.plan.tokens, element.clientWidth - 32);
    resized = () => {
      if (!element.hidden && fitsInRow(trace.plan.tokens, element.clientWidth - 32) !== inRow) again(focus);
    };
    const next = h('div', { class: 'opening-next' });
    element.replaceChildren(
      ...contents({ trace, heads, focus, inRow, again, actions }),
      next,
      footer(trace, focus, actions),
    );
    if (focused) element.querySelector<HTMLElement>(`[data-key='${focused}']`)?.focus({ preventScroll: true });
    void readNext(trace).then((now) => {
      const of = wholeOf(trace.spec);
      if (now && !trace.spec.headChanges) whole = { of, next: now };
      const before = trace.spec.headChanges && whole?.of === of ? whole.next : undefined;
      if (mine === request && now)
        next.replaceChildren(...nextTokens(nextAfter(now, before, focus.row, shownNext), trace, focus));
      document.body.dataset['ready'] = 'true';
    });
  };
  const readOnce = new WeakMap<TraceHandle, Promise<readonly HeadWeights[]>>();
  const headsOf = (trace: TraceHandle, model: Model): Promise<readonly HeadWeights[]> => {
    const found = readOnce.get(trace) ?? readHeads(trace, model);
    readOnce.set(trace, found);
    return found;
  };
  /** The row and head that were chosen, else those that the text opens on. */
  const focusIn = ({ spec, plan: { tokens } }: TraceHandle, heads: readonly HeadWeights[]): Focus | undefined => {
    const last = heads.at(-1);
    const kept = chosen?.of === textOf(spec) ? chosen : undefined;
    const same = heads.find(({ evidence }) => evidence.layer === kept?.layer && evidence.head === kept.head);
    if (same && kept) return focusAt(same, kept.row);
    return openingFocus(heads, tokens) ?? (last && focusAt(last, tokens.length - 1));
  };
  const open = async (trace: TraceHandle, model: Model): Promise<void> => {
    const mine = ++request;
    const heads = await headsOf(trace, model);
    const focus = mine === request ? focusIn(trace, heads) : undefined;
    if (focus) show(trace, heads, focus);
  };
  return {
    element,
    update(trace, isOpen) {
      const model = trace.preview ? undefined : measuredModel(trace.spec);
      element.hidden = !isOpen || model === undefined;
      if (element.hidden || !model) return false;
      if (drawn !== trace) {
        drawn = trace;
        void open(trace, model).catch(() => undefined);
      } else document.body.dataset['ready'] = 'true';
      return true;
    },
    async focusOf(trace) {
      const model = trace.preview ? undefined : measuredModel(trace.spec);
      return model && focusIn(trace, await headsOf(trace, model));
    },
  };
}

/** The control that has the focus, which its successor gets when the view is drawn again. */
function focusedKey(element: HTMLElement): string | undefined {
  const active = document.activeElement;
  return active instanceof HTMLElement && element.contains(active) ? active.dataset['key'] : undefined;
}

interface Contents {
  readonly trace: TraceHandle;
  readonly heads: readonly HeadWeights[];
  readonly focus: Focus;
  /** Whether the tokens stand in a row with arcs. */
  readonly inRow: boolean;
  readonly again: (next: Focus) => void;
  readonly actions: OpeningActions;
}

function contents({ trace, heads, focus, inRow, again, actions }: Contents): HTMLElement[] {
  const { plan } = trace;
  const words = wordsOf(focus, plan, heads.map(({ evidence }) => evidence), percent);
  const title = h('h1', { class: 'opening-question', tabindex: -1 }, ...prose(words.question, { plan }));
  const picture = tokenPicture(focus, plan.tokens, inRow, (row) => again(focusOnRow(focus, row)));
  const answer = h('p', { class: 'opening-answer' }, ...prose(words.answer, { plan }));
  const why = h('button', { type: 'button', class: 'text-link' }, t('Show the arithmetic'));
  why.addEventListener('click', () => actions.onCell(focus.head.step.id, [focus.row, focus.key], focus.head.evidence.head));
  const measured = h('p', { class: 'opening-measured' }, ...prose(words.measured, { plan }));
  const story = trainingStory(trace.spec.model?.name ?? '', actions.onModel);
  return [title, ...(story ? [story] : []), picture, signs(plan), h('p', {}, answer, ' ', why), measured, removal(trace.spec, focus, actions), headGrid(trace, heads, focus, again)];
} // prettier-ignore

/** What tokens that are no letters stand for. */
function signs({ tokens }: Plan): HTMLElement {
  const says = [
    ...(tokens.some(({ special, text }) => special && text === '<s>') ? [t('<s>: start of the text')] : []),
    ...(tokens.some(({ text }) => text === '·') ? [t('·: a space')] : []),
  ];
  return h('p', { class: 'opening-signs', hidden: says.length === 0 }, ...says.map((text) => h('span', {}, text)));
}

/** The spec with all its heads, as a key. */
const wholeOf = (spec: AttentionSpec): string => JSON.stringify({ ...spec, headChanges: undefined });

/** The same for every checkpoint of a training. */
const textOf = (spec: AttentionSpec): string => JSON.stringify(spec.start);

const isOf = ({ head, layer = 1 }: HeadChange, { evidence }: HeadWeights): boolean =>
  head === evidence.head && layer === evidence.layer + 1;

/** Takes the head away, or puts it back; and gives it another head's weights. */
function removal(spec: AttentionSpec, { head }: Focus, { onHeads }: OpeningActions): HTMLElement {
  const changes = spec.headChanges ?? [];
  const others = changes.filter((one) => !isOf(one, head));
  const own = changes.find((one) => isOf(one, head));
  const at = { head: head.evidence.head, ...(layerCount(spec) > 1 && { layer: head.evidence.layer + 1 }) };
  const action = (label: string, key: string, next: readonly HeadChange[]): HTMLElement => {
    const button = h('button', { type: 'button', class: 'opening-button', 'data-key': key }, label);
    button.addEventListener('click', () => onHeads(next));
    return button;
  };
  const isRemoved = own !== undefined && own.weightsOf === undefined;
  const says = !own ? '' : isRemoved ? t('Head {0} is removed: each row of its output is now the mean of its rows, the same for every token.', at.head) : t('Head {0} looks where head {1} looks; its values stay its own.', at.head, own.weightsOf ?? 0);
  const patches = Array.from({ length: spec.heads }, (_, i) => i).filter((i) => i !== at.head);
  const pick = h('select', { class: 'opening-select', 'data-key': 'patch', 'aria-label': t('Let this head look where another looks') }, h('option', { value: '' }, own?.weightsOf === undefined ? t('Let it look where another head looks…') : t('Where it looks itself')), ...patches.map((i) => h('option', { value: i, selected: own?.weightsOf === i }, t('Where head {0} looks', i)))) as HTMLSelectElement;
  pick.addEventListener('change', () => onHeads(pick.value === '' ? others : [...others, { ...at, weightsOf: Number(pick.value) }]));
  return h(
    'div',
    { class: 'opening-removal' },
    isRemoved ? action(t('Put head {0} back', at.head), 'removal', others) : action(t('Remove head {0}', at.head), 'removal', [...others, at]),
    pick,
    others.length ? action(t('Undo all changes of heads'), 'all', []) : undefined,
    says ? h('p', { class: 'opening-removed' }, says) : undefined,
  );
} // prettier-ignore

/** Every head as a small picture with its measured kind, a row for each layer. */
function headGrid(
  trace: TraceHandle,
  heads: readonly HeadWeights[],
  focus: Focus,
  again: (next: Focus) => void,
): HTMLElement {
  const layers = [...new Set(heads.map(({ evidence }) => evidence.layer))];
  const counted = h('p', { class: 'opening-counted' }, t('Heads by what each was measured to do, and how much (1: always). Layers and heads count from 0, as in PyTorch.'));
  const rows = layers.map((layer) => {
    const own = heads.filter(({ evidence }) => evidence.layer === layer);
    const buttons = own.map((head) => headButton(trace, head, head === focus.head, () => again(bestIn(head, trace.plan.tokens) ?? focusOnRow({ ...focus, head }, focus.row)))); // prettier-ignore
    return h('div', { class: 'opening-layer' }, h('span', { class: 'opening-layer-name' }, t('Layer {0}', layer)), h('div', { class: 'opening-layer-heads' }, ...buttons));
  });
  return h('div', { class: 'opening-heads', role: 'group', 'aria-label': t('Heads, by what each was measured to do') }, counted, ...rows);
} // prettier-ignore

function headButton(trace: TraceHandle, head: HeadWeights, isShown: boolean, onPick: () => void): HTMLElement {
  const { step, evidence } = head;
  const change = trace.spec.headChanges?.find((one) => isOf(one, head));
  const kind = plainText(kindWords(evidence.kind));
  const pointed = evidence.pointed ? t('trained to point') : '';
  const read = (request: object) => trace.read(step.id, { ...request, head: evidence.head });
  const picture = createThumbnail(step, read, { width: 44, height: 44 });
  const score = evidence.kind === 'none' ? '' : evidence.score.toFixed(2);
  const says = change?.weightsOf === undefined ? t('removed') : t('looks where head {0} looks', change.weightsOf);
  const button = headPicture({
    picture,
    name: t('Head {0}', evidence.head),
    kind: `${kind}${score ? ` ${score}` : ''}`,
    notes: [
      pointed ? h('span', { class: 'opening-pointed' }, pointed) : undefined,
      change ? h('span', { class: 'opening-changed' }, says) : undefined,
    ],
    attributes: { 'aria-pressed': String(isShown), 'data-key': `head-${evidence.layer}-${evidence.head}` },
  });
  button.addEventListener('click', onPick);
  return button;
}

function nextTokens(found: readonly NextToken[], { plan }: TraceHandle, { row }: Focus): HTMLElement[] {
  const token = { kind: 'token', token: plan.tokens[row]?.text ?? '', role: 'query', axis: 'row' } as const;
  const title = h('h2', {}, ...prose(say('What the model expects after {0}', token), { plan }));
  const changed = found.some(({ before }) => before !== undefined);
  const columns = h(
    'p',
    { class: 'opening-next-columns' },
    h('span', {}, t('now')),
    h('span', {}, t('with all heads')),
  );
  return [title, ...(changed ? [columns] : []), h('ul', {}, ...found.map(nextToken))];
}

function footer({ spec }: TraceHandle, { head, row, key }: Focus, actions: OpeningActions): HTMLElement {
  const steps = h('button', { type: 'button', class: 'opening-button' }, t('Every step and number'));
  steps.addEventListener('click', () => actions.onCell(head.step.id, [row, key], head.evidence.head));
  const change = h('button', { type: 'button', class: 'opening-button' }, t('Change something'));
  change.addEventListener('click', actions.onControls);
  const { layer, head: at } = head.evidence;
  const about = t('{0} · layer {1}, head {2}', spec.model?.name ?? '', layer, at);
  return h('div', { class: 'opening-footer' }, steps, change, h('span', { class: 'opening-about' }, about));
}
