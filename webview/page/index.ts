import { offsetOf, t, type EncodingName, type Step } from '../../engine/index';
import { createComparing, type Comparing } from '../compare/page';
import type { Compute } from '../compute';
import { countChanged } from '../control/table';
import { createControls, type Controls } from '../control/index';
import { originOf } from '../edits/words';
import { toolsActions, writingOf } from '../edits/moves';
import { createFind, type Find } from '../find/index';
import { controlsActions, renderControls, type Toggle } from './controls';
import { notesOf } from './notes';
import { renderProgress } from './progress';
import { createHeader, type Header, type HeaderActions } from './header';
import { createInspector, type Inspector } from '../inspector/index';
import {
  createBanners,
  createProgress,
  emptyState,
  type BannerActions,
  type Banners,
  type Progress as ProgressView,
} from './problems';
import { act, addKeys } from './keys';
import { chooseSlice, goTo, recompute, revealSource, select, selectedToken, selectToken, travel } from './moves';
import { oriented, shownShape } from '../orientation';
import { isHidden } from '../predict/index';
import { createRoad, type Road } from '../road/index';
import { attentionOf, createReading, type ReadingViews } from '../reading/page';
import { keepScroll, placeScroll, settleScroll, type Scroll } from './scroll';
import {
  begin,
  cancel,
  createSession,
  currentStep,
  receive,
  update,
  type Host,
  type Session,
  type Shown,
} from '../session';
import { leadIn } from '../slices/slice';
import { createShare, type Share, type ShareActions } from '../share/index';
import { createStage, type Stage, type StageActions } from './stage';
import type { PageState } from '../protocol';
import { canRedo, canUndo, defaultsOf, toPageState, visibleSwitches } from '../state';
import { createTokenizers } from '../tokens/tokenizers';
import type { Remote } from '../remote';
import type { TraceHandle } from '../trace-handle';
import { plain } from '../symbols';
import { h, progressRing, setAttribute, setText } from '../ui';
import { createWhy, type Why } from '../why/index';
import { exampleCell, roadOf } from '../walk';

export interface Page {
  /** Anything that arrived from the host. */
  receive(message: unknown): void;
  /** Colours anew, after a change of theme. */
  redraw(): void;
}

/** The whole page: builds the views once, and draws them from the session after every change. */
export function createPage(root: HTMLElement, host: Host, compute: Compute, startWorker: () => Remote): Page {
  const ask = (encoding: EncodingName): void => host.post({ type: 'vocabulary', encoding });
  const tokenizers = createTokenizers({ startWorker, ask });
  const session = createSession({
    host,
    compute,
    tokenizers,
    act: (action) => act(session, action, views.find.open),
    changed: () => render(views, session),
  });
  const views = createViews(root, session, startWorker);
  addKeys(session, () => views.header.focusControls());
  begin(session);
  return {
    receive: (message) => receive(session, message),
    redraw() {
      views.road.redraw();
      views.stage.redraw();
      views.reading.redraw();
      views.inspector.current?.view.redraw();
    },
  };
}

interface Views {
  readonly header: Header;
  readonly share: Share;
  readonly road: Road;
  readonly banners: Banners;
  readonly stage: Stage;
  readonly reading: ReadingViews;
  readonly comparing: Comparing;
  readonly why: Why;
  readonly find: Find;
  readonly controls: Controls;
  readonly inspectorBox: HTMLElement;
  readonly inspector: { current?: Inspected & { readonly view: Inspector } };
  readonly progress: ProgressView;
  /** Speaks to screen readers. */
  readonly live: HTMLElement;
  readonly spoken: { step?: string; trace?: TraceHandle };
  readonly scroll: Scroll;
  /** The page with an explanation, and without. */
  readonly filled: HTMLElement;
  readonly empty: HTMLElement;
}

function createViews(root: HTMLElement, session: Session, startWorker: () => Remote): Views {
  const content = h('main', { class: 'content', tabindex: -1 });
  const scroll = keepScroll(content, session);
  const toggle = (open: boolean): void => {
    update(session, { ...session.state, controlsOpen: open });
    if (open) views.controls.focus();
    else views.header.focusControls();
  };
  const share = createShare(shareActions(session));
  const walk = (index: readonly number[]): void => walkTo(session, session.state.step ?? '', index);
  const comparing = createComparing(startWorker, () => session.changed(), toolsActions(session, walk));
  const header = createHeader(headerActions(session, toggle), share.element);
  const stage = createStage(stageActions(session, scroll), comparing.tools);
  const views: Views = {
    share,
    header,
    road: createRoad((id) => goTo(session, id)),
    banners: createBanners(bannerActions(session)),
    stage,
    reading: createReading(session, stage.element, header),
    comparing,
    why: createWhy(),
    find: createFind(session),
    controls: createControls(controlsActions(session, toggle)),
    inspectorBox: h('div', { class: 'inspector-scroll', tabindex: -1 }),
    inspector: {},
    progress: createProgress(progressRing(), () => cancel(session)),
    live: h('div', { class: 'spoken', 'aria-live': 'polite' }),
    spoken: {},
    scroll,
    filled: h('div', { class: 'page' }),
    empty: h('div', { class: 'page-empty' }),
  };
  assemble(root, content, views);
  views.filled.append(views.find.element);
  return views;
}

function assemble(root: HTMLElement, content: HTMLElement, views: Views): void {
  const { header, road, banners, stage, why, controls, filled } = views;
  const side = h('aside', { class: 'inspector-box', 'aria-label': t('Selected cell') });
  side.append(views.reading.predict, views.comparing.cell, views.inspectorBox);
  const zones = h('div', { class: 'zones' }, stage.element, side, stage.cards, why.element);
  const body = h('div', { class: 'body' }, content, controls.element);
  content.append(zones);
  filled.append(header.element, road.element, banners.element, body);
  root.replaceChildren(filled, views.empty, views.progress.element, views.live);
  placeZones(zones, side, views.reading.predict, content, controls.element);
}

const headerActions = (session: Session, toggle: Toggle): HeaderActions => ({
  onReveal: () => revealSource(session),
  onToken: (token) => selectToken(session, token),
  onUndo: () => travel(session, 'undo'),
  onRedo: () => travel(session, 'redo'),
  onControls: () => toggle(!session.state.controlsOpen),
  onNotes: () => update(session, { ...session.state, notesHidden: false }),
  attention: (token) => attentionOf(session, token),
});

const shareActions = (session: Session): ShareActions => ({
  onTake: (taken) => session.host.post(taken),
  onProblems: (problems) =>
    update(session, { ...session.state, trouble: { label: t('this'), problems, shared: true } }),
});

const bannerActions = (session: Session): BannerActions => ({
  onRecompute: () => recompute(session),
  onDismissTrouble() {
    const { trouble: _, ...rest } = session.state;
    update(session, rest);
  },
  onDismissNotes: () => update(session, { ...session.state, notesHidden: true }),
  onStep: (id) => goTo(session, id),
  onChooseTokenizer: () => session.host.post({ type: 'chooseTokenizer' }),
});

const stageActions = (session: Session, scroll: Scroll): StageActions => ({
  onStep: (id) => goTo(session, id),
  onSelect: (id, cell) => select(session, id, cell),
  onSlice: (slice) => chooseSlice(session, slice),
  writing: writingOf(session),
  onDrawn() {
    settleScroll(scroll);
    // The preview of a computation under way is not what was asked for yet.
    if (!session.before) document.body.dataset['ready'] = 'true';
  },
});

function render(views: Views, session: Session): void {
  const { shown, state } = session;
  renderProgress(views.progress, session);
  views.filled.hidden = !shown;
  views.empty.hidden = shown !== undefined || session.before !== undefined;
  delete document.body.dataset['ready'];
  if (!shown) {
    const { trouble } = state;
    views.empty.replaceChildren(emptyState(trouble, () => session.host.post({ type: 'askInput' })));
    if (!session.before) document.body.dataset['ready'] = 'true';
    return;
  }
  views.empty.replaceChildren();
  renderShown(views, session, shown);
}

function renderShown(views: Views, session: Session, own: Shown): void {
  const { state } = session;
  const trace = oriented(own.trace, state.reading.columns);
  const shown = { ...own, trace };
  // Counts the traces that were shown: tests wait for the next.
  if (views.stage.trace() !== trace)
    document.body.dataset['shown'] = String(Number(document.body.dataset['shown'] ?? 0) + 1);
  const { plan } = trace;
  const step = currentStep(plan, state.step);
  const cell = state.cell ?? exampleCell(step);
  const { asked } = own;
  const { digits } = asked.switches;
  renderHeader(views, session, shown);
  const hidden = (of: Step): boolean => isHidden(state.reading, trace, of);
  const saved = (): PageState | undefined => toPageState(session.state);
  views.share.update({ trace, step, slice: state.slice, digits, hidden: hidden(step), state: saved });
  views.road.update(trace, step.id, state.slice, hidden);
  const { source } = asked.explanation;
  views.banners.update({
    trouble: state.trouble,
    shownLabel: source.label,
    source: state.source,
    notes: state.notesHidden ? [] : notesOf(asked, plan),
    plan,
    observations: trace.problems,
  });
  const index = [...leadIn(trace, step, state.slice), ...cell];
  const drawn = views.comparing.update(state, shown, step, index);
  views.stage.update({ trace, step, cell, slice: state.slice, digits, asked, hidden: hidden(step), ...drawn });
  views.comparing.markRoad(views.road.element, trace.plan, hidden);
  inspect(views, session, {
    trace,
    digits,
    step: step.id,
    index,
    hidden: trace.plan.steps.filter(hidden).map(({ id }) => id),
  });
  views.reading.update(shown, step, index);
  views.why.show(trace, step.id, index);
  renderControls(views.controls, session);
  placeScroll(views.scroll, state, shown.asked.explanation);
  speak(views, step, trace, hidden(step));
}

/** Says the step, and that its numbers are others where only these changed. */
function speak({ live, spoken }: Views, step: Step, trace: TraceHandle, hidden: boolean): void {
  const road = roadOf(trace.plan);
  const place = step.place === 'input' ? t('input') : t('step {0} of {1}', road.indexOf(step) + 1, road.length);
  const text = `${step.words.name}, ${place}, ${hidden ? t('to be predicted') : shownShape(trace.plan, step).join(t(' by '))}`;
  const again = spoken.step === step.id && spoken.trace !== trace;
  if (spoken.step !== step.id || again) setText(live, plain(again ? t('{0}, recomputed', text) : text));
  Object.assign(spoken, { step: step.id, trace });
}

function renderHeader(views: Views, session: Session, { asked, trace, report }: Shown): void {
  const { state } = session;
  const switches = visibleSwitches(state);
  const defaults = defaultsOf(state);
  views.header.update({
    label: asked.explanation.source.label,
    canReveal: asked.explanation.source.range !== undefined && state.source !== 'gone',
    spec: trace.spec,
    plan: trace.plan,
    token: selectedToken(session),
    report,
    preview: trace.preview ?? false,
    previewBy: trace.previewBy,
    changed: switches && defaults ? countChanged(switches, defaults) : 0,
    controlsOpen: state.controlsOpen,
    canUndo: canUndo(state),
    canRedo: canRedo(state),
    hiddenNotes: state.notesHidden ? notesOf(asked, trace.plan).length : 0,
  });
}

/** What the inspector shows. */
interface Inspected {
  readonly trace: TraceHandle;
  readonly digits: number;
  readonly step: string;
  readonly index: readonly number[];
  /** Steps that the reader predicts first. */
  readonly hidden: readonly string[];
}

/** Shows another cell. An inspector belongs to one trace; drawing the same cell again would take the focus out of it. */
function inspect(views: Views, session: Session, next: Inspected): void {
  const { current } = views.inspector;
  const sameTrace =
    current?.trace === next.trace && current.digits === next.digits && String(current.hidden) === String(next.hidden);
  if (sameTrace && current.step === next.step && String(current.index) === String(next.index)) return;
  const view = sameTrace ? current.view : newInspector(views, session, next);
  views.inspector.current = { ...next, view };
  view.show(next.step, next.index);
}

function newInspector({ inspector, inspectorBox }: Views, session: Session, next: Inspected): Inspector {
  const { trace, digits, hidden } = next;
  const view = createInspector(trace, {
    digits,
    hidden: (id) => hidden.includes(id),
    origin(of, index) {
      const { shown } = session;
      return shown && originOf(shown.asked, of, offsetOf(of.shape, index));
    },
    onWalk(id, index) {
      walkTo(session, id, index);
      // What was clicked is gone with the cell that it belonged to.
      inspectorBox.focus({ preventScroll: true });
    },
  });
  // The one before stays until this one has something to show.
  new MutationObserver((_, observer) => {
    observer.disconnect();
    if (inspector.current?.view === view) inspectorBox.replaceChildren(view.element);
  }).observe(view.element, { childList: true });
  return view;
}

function walkTo(session: Session, id: string, index: readonly number[]): void {
  const [row = 0, column = 0] = index.slice(-2);
  select(session, id, [row, column], index.slice(0, -2));
}

/** The inspector stands beside the stage where both have room: a product needs 600 pixels, more of them beside open controls. */
function placeZones(
  zones: HTMLElement,
  side: HTMLElement,
  predict: HTMLElement,
  content: HTMLElement,
  controls: HTMLElement,
): void {
  new ResizeObserver(() => {
    const least = controls.hidden ? 880 : 1040;
    const wide = content.clientWidth >= least;
    setAttribute(zones, 'data-wide', wide);
    // Below a long stage nobody would see what is asked.
    const place = wide ? side : zones;
    if (predict.parentElement !== place) place.prepend(predict);
  }).observe(content);
}
