import {
  joined,
  say,
  t,
  unknownId,
  type AttentionSpec,
  type HeadChange,
  type Plan,
  type Slice,
  type Token,
} from '../../engine/index';
import { h, percent, prose, scrollTo } from '../draw';
import { firstSlice, leadingIndex, type TraceHandle } from '../trace';
import type { Remote } from '../compute';
import { fitOf, tokenPicture } from './arcs';
import { nextToken } from './head-button';
import { changedHeads, exchangedWords, headGrid, removal } from './heads';
import { askedStep, plainFocus, plainWords, readPlainHeads, sidesOf, type Side } from './plain';
import {
  focusAt,
  measuredModel,
  openingFocus,
  rowAtCursor,
  tokenNames,
  wordsOf,
  type Focus,
  type HeadWeights,
} from './question';
import { onwardOf } from './onward';
import { trainingStory } from './training';
import { nextAfter, readHeads, readNext, verdictOf, type NextToken, type NextTokens } from './read';
import { roadOf, toldKeys, type OpenCell } from './road';
import { nextWithAllHeads } from './whole';

/** Where a cell of the weights is opened with its arithmetic. */
export interface OpeningActions {
  readonly onCell: OpenCell;
  /** The trace has no row that a question can be asked of. */
  readonly onNothing: () => void;
  /** Another checkpoint of the same training. */
  readonly onModel: (name: string) => void;
  /** Other heads are removed, or weigh by other heads' weights. */
  readonly onHeads: (changes: readonly HeadChange[]) => void;
}

export type OpeningKind = 'measured' | 'plain';

/**
 * The first view: a question about a row, who attends to whom, the answer in the row's own numbers, and the road to it. Of a trained model that was
 * measured also what comes next, and, folded, what was measured of the head and every head by its kind.
 */
export interface Opening {
  readonly element: HTMLElement;
  /** Shows the question of a trace and says which kind of question it is; hides itself where none can be asked. */
  update(trace: TraceHandle, slice: Slice, open: boolean, cursor: number | undefined): OpeningKind | undefined;
  /** What the question of a trace is about; undefined where no trained model was measured. */
  focusOf(trace: TraceHandle): Promise<Focus | undefined>;
}

/** CSS pixels beside the tokens, and the most that these are wide, as opening.css has them. */
const [padding, widest] = [32, 832];

/** How many of the likeliest next tokens are shown. */
const shownNext = 5;

/** `startWorker`: computes what comes next with all heads, where some are changed and it was not seen before. */
export function createOpening(actions: OpeningActions, startWorker: () => Remote): Opening {
  const element = h('section', { class: 'opening', hidden: true, 'aria-label': t('The question') });
  let drawn: TraceHandle | undefined;
  /** Where the reader's cursor stands in the text. */
  let cursor: number | undefined;
  let resized: () => void = () => undefined;
  new ResizeObserver(() => resized()).observe(element);
  let request = 0;
  /** What came next with all heads, for the text that is shown. */
  let whole: { readonly of: string; readonly next: NextTokens } | undefined;
  /** The head and row that the reader looks at, which stay where heads are removed. */
  let chosen: Chosen | undefined;
  /** Parts that the reader has unfolded. */
  const unfolded = new Set<string>();
  const show = (trace: TraceHandle, heads: readonly HeadWeights[], focus: Focus): void => {
    const mine = ++request;
    const { evidence } = focus.head;
    chosen = { of: textOf(trace.spec), cursor, layer: evidence.layer, head: evidence.head, row: focus.row };
    const again = (next: Focus): void => show(trace, heads, next);
    const focused = focusedKey(element);
    const hold = holdPlace(element, focused);
    const sides = sidesOf(trace.plan, focus.head);
    const width = (): number => Math.min(element.clientWidth - padding, widest);
    const fitting = (): string => sides.map((side) => side && fitOf(side, width())).join();
    const before = fitting();
    resized = () => {
      if (element.hidden) return;
      if (fitting() !== before) again(focus);
      else tellCut();
    };
    const next = h('div', { class: 'opening-next' });
    const [road, onward] = [h('div', { class: 'opening-road-box' }), h('div', {})];
    const verdict = h('p', { class: 'opening-removed', role: 'status' });
    element.replaceChildren(...contents({ trace, heads, focus, sides, width: width(), again, actions, road, onward, next, verdict, unfolded }));
    const tellCut = cutText(element, unfolded);
    tellCut();
    showChosen(element);
    focusAgain(element, focused);
    hold.again();
    const fill = async (box: HTMLElement, parts: Promise<HTMLElement>): Promise<void> => {
      const part = await parts;
      if (mine !== request) return;
      box.replaceChildren(part);
      focusAgain(element, focused);
      hold.again();
    };
    const filled = [fill(road, roadOf(trace, focus, actions.onCell))];
    if (focus.head.isMeasured)
      filled.push(
        fill(onward, onwardOf(trace, focus, actions.onCell)),
        showNext(trace, focus, [next, verdict], () => mine === request, hold.again),
      );
    void Promise.allSettled(filled).then(() => {
      hold.end(mine === request);
      if (mine === request) document.body.dataset['ready'] = 'true';
    });
  }; // prettier-ignore
  const showNext = async (
    trace: TraceHandle,
    focus: Focus,
    [box, verdict]: readonly [HTMLElement, HTMLElement],
    isNew: () => boolean,
    hold: () => void,
  ): Promise<void> => {
    const now = await readNext(trace);
    const of = wholeOf(trace.spec);
    if (now && !trace.spec.headChanges) whole = { of, next: now };
    const draw = (before: NextTokens | undefined): void => {
      if (!isNew() || !now) return;
      box.replaceChildren(...nextTokens(nextAfter(now, before, focus.row, shownNext), trace, focus));
      if (before)
        verdict.replaceChildren(...prose(verdictOf(now, before, focus.row, afterMark(trace, focus)), { plan: trace.plan })); // prettier-ignore
      hold();
    };
    const isChanged = trace.spec.headChanges !== undefined;
    draw(isChanged && whole?.of === of ? whole.next : undefined);
    // After a reload the model was not seen with all its heads.
    if (isChanged && whole?.of !== of && isNew()) {
      const next = await nextWithAllHeads(trace.spec, startWorker);
      if (next) whole = { of, next };
      draw(next);
    }
  };
  const readOnce = new WeakMap<TraceHandle, Map<number, Promise<readonly HeadWeights[]>>>();
  const headsOf = (trace: TraceHandle, slice: Slice): Promise<readonly HeadWeights[]> => {
    const model = measuredModel(trace.spec);
    const batch = model ? 0 : slice.batch;
    const read = readOnce.get(trace) ?? new Map<number, Promise<readonly HeadWeights[]>>();
    const found = read.get(batch) ?? (model ? readHeads(trace, model) : readPlainHeads(trace, slice));
    readOnce.set(trace, read.set(batch, found));
    return found;
  };
  /** The row and head that were chosen, else the token at the cursor, else what the input opens on. */
  const focusIn = ({ spec, plan: { tokens } }: TraceHandle, heads: readonly HeadWeights[]): Focus | undefined => {
    const last = heads.at(-1);
    const kept = chosen?.of === textOf(spec) && chosen.cursor === cursor ? chosen : undefined;
    const same = heads.find(({ evidence }) => evidence.layer === kept?.layer && evidence.head === kept.head);
    if (same && kept && kept.row < (same.step.shape.at(-2) ?? 0)) return focusAt(same, kept.row);
    const at = cursor === undefined ? undefined : rowAtCursor(tokens, cursor);
    if (last && !last.isMeasured) return plainFocus(heads, at);
    return openingFocus(heads, tokens, at) ?? (last && focusAt(last, tokens.length - 1));
  };
  const open = async (trace: TraceHandle, slice: Slice): Promise<void> => {
    const mine = ++request;
    const heads = await headsOf(trace, slice);
    if (mine !== request) return;
    const focus = focusIn(trace, heads);
    // What a change does is said where it is made: after a reload that is folded.
    if (trace.spec.headChanges && !chosen) unfolded.add('measured');
    if (focus) show(trace, heads, focus);
    else actions.onNothing();
  };
  return {
    element,
    update(trace, slice, isOpen, cursorNow) {
      const kind = openingKind(trace);
      element.hidden = !isOpen || kind === undefined;
      if (element.hidden) return undefined;
      // Of a preview there are no digits: the exact values follow it.
      if ((drawn !== trace || cursor !== cursorNow) && !trace.preview) {
        [drawn, cursor] = [trace, cursorNow];
        void open(trace, slice).catch(() => actions.onNothing());
      } else document.body.dataset['ready'] = 'true';
      return kind;
    },
    async focusOf(trace) {
      if (trace.preview || !measuredModel(trace.spec)) return undefined;
      return focusIn(trace, await headsOf(trace, firstSlice));
    },
  };
}

/** The head and row that the reader looks at, of a text that was asked about at a place of the cursor. */
interface Chosen {
  readonly of: string;
  readonly cursor: number | undefined;
  readonly layer: number;
  readonly head: number;
  readonly row: number;
}

/** What a trace's question can be about: heads that were measured, or the weights alone. */
export function openingKind(trace: TraceHandle): OpeningKind | undefined {
  return measuredModel(trace.spec) ? 'measured' : askedStep(trace) && 'plain';
}

/** Says below a long text that a part of it is shown, and shows all on demand. Returns what looks again. */
function cutText(element: HTMLElement, unfolded: Set<string>): () => void {
  const picture = element.querySelector<HTMLElement>('.opening-picture');
  const texts = [...element.querySelectorAll<HTMLElement>('.opening-text')];
  const isWhole = (): boolean => unfolded.has('text');
  const all = h('button', { type: 'button', class: 'text-link', 'data-key': 'text' });
  const tell = (): void => {
    for (const text of texts) text.classList.toggle('whole', isWhole());
    all.hidden = !isWhole() && !texts.some((text) => text.scrollHeight > text.clientHeight + 1);
    all.textContent = isWhole()
      ? t('Show a part')
      : t('A part is shown. Show all {0} tokens', element.querySelectorAll('.opening-token').length);
  };
  all.addEventListener('click', () => {
    if (!unfolded.delete('text')) unfolded.add('text');
    tell();
    showChosen(element);
  });
  if (texts.length > 0) picture?.after(all);
  return tell;
}

/** Scrolls a long text to the token that is asked about. */
function showChosen(element: HTMLElement): void {
  const chosen = element.querySelector<HTMLElement>('.opening-text [aria-checked=true]');
  const text = chosen?.parentElement;
  if (chosen && text) text.scrollTop = chosen.offsetTop - text.offsetTop - text.clientHeight / 2;
}

/** The control that has the focus, which its successor gets when the view is drawn again. */
function focusedKey(element: HTMLElement): string | undefined {
  const active = document.activeElement;
  return active instanceof HTMLElement && element.contains(active) ? active.dataset['key'] : undefined;
}

/** What a reader does to scroll. */
const scrolling = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/**
 * Keeps the control that was used where the reader sees it while the view is drawn again and its numbers come bit by bit: what it does is said beside
 * it. Until all is drawn, or the reader scrolls.
 */
function holdPlace(element: HTMLElement, key: string | undefined): Hold {
  const scroller = element.closest<HTMLElement>('.content');
  const find = (): HTMLElement | null => element.querySelector(`[data-key='${key ?? ''}']`);
  const top = find()?.getBoundingClientRect().top;
  if (!scroller || top === undefined || /^(token|head)-/.test(key ?? ''))
    return { again: () => undefined, end: (isLast) => void (isLast && (element.style.minHeight = '')) };
  let held = true;
  const stop = (): void => void (held = false);
  for (const type of scrolling) scroller.addEventListener(type, stop, { once: true, passive: true });
  // Without its parts the view would be too low to stay scrolled.
  element.style.minHeight = `${element.offsetHeight}px`;
  const again = (): void => {
    const now = find()?.getBoundingClientRect().top;
    if (held && now !== undefined) scroller.scrollTop += now - top;
  };
  const end = (isLast: boolean): void => {
    if (isLast) {
      element.style.minHeight = '';
      again();
    }
    for (const type of scrolling) scroller.removeEventListener(type, stop);
  };
  return { again, end };
} // prettier-ignore

interface Hold {
  /** A part has come. */
  readonly again: () => void;
  /** All parts have come, or the view was drawn again since. */
  readonly end: (isLast: boolean) => void;
}

/** Focuses what has taken the place of the control that had the focus: of the tokens, the one that is chosen now. */
function focusAgain(element: HTMLElement, key: string | undefined): void {
  if (!key || (document.activeElement && document.activeElement !== document.body)) return;
  const selector = key.startsWith('token-') ? '.opening-token[aria-checked=true]' : `[data-key='${key}']`;
  element.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
}

interface Contents {
  readonly trace: TraceHandle;
  readonly heads: readonly HeadWeights[];
  readonly focus: Focus;
  readonly sides: readonly [Side, Side | undefined];
  /** CSS pixels for the tokens. */
  readonly width: number;
  readonly again: (next: Focus) => void;
  readonly actions: OpeningActions;
  /** What follows once its numbers are read. */
  readonly road: HTMLElement;
  readonly onward: HTMLElement;
  readonly next: HTMLElement;
  readonly verdict: HTMLElement;
  readonly unfolded: Set<string>;
}

function contents(all: Contents): HTMLElement[] {
  const { trace, heads, focus, sides, width, again, actions, road, onward, next, verdict, unfolded } = all;
  const { plan } = trace;
  const { isMeasured } = focus.head;
  const words = isMeasured ? wordsOf(focus, plan, heads.map(({ evidence }) => evidence), percent) : plainWords(focus);
  const toTop = (next: Focus): void => {
    again(next);
    // Another head changes the question, which is far above.
    const question = document.querySelector('.opening-question');
    if (question) scrollTo(question, 'nearest');
  };
  const title = h('h1', { class: 'opening-question', tabindex: -1 }, ...prose(words.question, { plan }));
  // The question of an induction head also names what its key followed.
  const told = [...toldKeys(focus), ...(focus.head.evidence.kind === 'induction' ? [focus.key - 1] : [])];
  const picture = tokenPicture({ focus, sides, width, told, onRow: (row) => again(focusAt(focus.head, row)) });
  const answer = h('p', { class: 'opening-answer' }, ...prose(joined(words.answer, ...[(isMeasured && exchangedWords(trace, heads, focus)) || []].flat()), { plan }));
  const why = h('button', { type: 'button', class: 'text-link', 'data-key': 'why' }, t('Show the arithmetic'));
  why.addEventListener('click', () => actions.onCell(focus.head.step.id, [focus.row, focus.key], leadingIndex(trace, focus.head.step, { batch: focus.head.batch, head: focus.head.evidence.head })));
  const story = isMeasured && trainingStory(trace.spec.model?.name ?? '', actions.onModel);
  const measured = 'measured' in words ? [h('p', { class: 'opening-measured' }, ...prose(words.measured, { plan })), removal(trace.spec, focus, actions.onHeads, verdict)] : [];
  const about = t('{0} · layer {1}, head {2}', trace.spec.model?.name ?? '', focus.head.evidence.layer, focus.head.evidence.head);
  return [
    title,
    ...[changedHeads(trace.spec, actions.onHeads) ?? []].flat(),
    ...(story ? [story] : []),
    picture,
    signs(plan, placesIn(sides, focus.row, told)),
    h('p', {}, answer, ' ', why),
    road,
    ...(isMeasured ? [fold('onward', t('On to the next word'), unfolded, onward)] : []),
    next,
    ...(isMeasured ? [fold('measured', t('What does this head do?'), unfolded, ...measured)] : []),
    ...(heads.length > 1 ? [fold('heads', counted(heads.length), unfolded, headGrid(trace, heads, focus, toTop))] : []),
    ...(isMeasured ? [h('p', { class: 'opening-about' }, about)] : []),
  ];
} // prettier-ignore

const counted = (heads: number): string => t('All {0} heads', heads);

/** A part that is one click away, and stays as the reader left it. */
function fold(key: string, title: string, unfolded: Set<string>, ...parts: readonly HTMLElement[]): HTMLElement {
  const summary = h('summary', { 'data-key': `fold-${key}` }, title);
  const element = h('details', { class: 'opening-fold', open: unfolded.has(key) }, summary, ...parts) as HTMLDetailsElement; // prettier-ignore
  element.addEventListener('toggle', () => (element.open ? unfolded.add(key) : unfolded.delete(key)));
  return element;
}

/** The first of the places that tell the tokens that are named here from others of the same text. */
function placesIn([keys, queries]: Contents['sides'], row: number, told: readonly number[]): number | undefined {
  const comesAgain = (side: Side, at: number): boolean => side.filter(({ text }) => text === side[at]?.text).length > 1;
  return comesAgain(queries ?? keys, row) ? row : told.find((key) => comesAgain(keys, key));
}

/** What places and tokens that are no letters stand for. */
function signs({ tokens }: Plan, place: number | undefined): HTMLElement {
  const says = [
    ...(tokens.some(({ special, text }) => special && text === '<s>') ? [t('<s>: the start')] : []),
    ...(tokens.some(({ text }) => text === '·') ? [t('·: a space')] : []),
    ...(tokens.some(({ text }) => text === '↵') ? [t('↵: a new line')] : []),
    ...(tokens.some(isUnknown) ? [t('<unknown>: unknown to the model')] : []),
    ...(place === undefined ? [] : [t('({0}): token {0}, counted from 0', place)]),
  ];
  return h('p', { class: 'opening-signs', hidden: says.length === 0 }, ...says.map((text) => h('span', {}, text)));
}

/** What a model puts in the place of what it does not know. */
const unknown = '<unknown>';
const isUnknown = ({ id, text }: Token): boolean => id === unknownId && text === unknown;

/** The spec with all its heads, as a key. */
const wholeOf = (spec: AttentionSpec): string => JSON.stringify({ ...spec, headChanges: undefined });

/** The same for every checkpoint of a training. */
const textOf = (spec: AttentionSpec): string => JSON.stringify(spec.start);

/** The token after which something is expected. */
const afterMark = ({ plan }: TraceHandle, { row }: Focus) =>
  ({ kind: 'token', token: tokenNames(plan.tokens)[row] ?? '', role: 'query', axis: 'row' }) as const;

function nextTokens(found: readonly NextToken[], trace: TraceHandle, focus: Focus): HTMLElement[] {
  const title = h('h2', {}, ...prose(say('What the model expects after {0}', afterMark(trace, focus)), { plan: trace.plan })); // prettier-ignore
  const changed = found.some(({ before }) => before !== undefined);
  const columns = h(
    'p',
    { class: 'opening-next-columns' },
    h('span', {}, t('now')),
    h('span', {}, t('with all heads')),
  );
  const isNew = found.some(({ text }) => text === unknown) && !trace.plan.tokens.some(isUnknown);
  const sign = isNew ? [h('p', { class: 'opening-signs' }, t('<unknown>: anything else'))] : [];
  return [title, ...(changed ? [columns] : []), h('ul', {}, ...found.map(nextToken)), ...sign];
}
