import type { Step } from '../engine/index';
import type { Compute } from './compute';
import { countChanged } from './control-table';
import { createControls, type Controls, type ControlsActions } from './controls';
import { createHeader, type Header, type HeaderActions } from './header';
import { createInspector, type Inspector } from './inspector';
import {
  createBanners,
  createProgress,
  emptyState,
  type BannerActions,
  type Banners,
  type Progress as ProgressView,
} from './problems-view';
import { addKeys } from './keys';
import { createRoad, type Road } from './road';
import { keepScroll, placeScroll, settleScroll, type Scroll } from './scroll';
import {
  begin,
  cancel,
  changeSwitches,
  createSession,
  currentStep,
  goTo,
  receive,
  recompute,
  revealSource,
  select,
  selectedToken,
  selectToken,
  travel,
  update,
  type Host,
  type Session,
  type Shown,
} from './session';
import { createStage, type Stage, type StageActions } from './stage';
import { canRedo, canUndo, defaultsOf, visibleSwitches } from './state';
import type { TraceHandle } from './trace-handle';
import { h, progressRing, setAttribute, setText } from './ui';
import { exampleCell, roadOf, type Cell } from './walk';

export interface Page {
  /** Anything that arrived from the host. */
  receive(message: unknown): void;
  /** Colours anew, after a change of theme. */
  redraw(): void;
}

/** How long a computation may take before its progress is shown, in milliseconds. */
const patience = 150;

/** The whole page: builds the views once, and draws them from the session after every change. */
export function createPage(root: HTMLElement, host: Host, compute: Compute): Page {
  const session = createSession(host, compute, () => render(views, session));
  const views = createViews(root, session);
  addKeys(session, () => views.header.focusControls());
  begin(session);
  return {
    receive: (message) => receive(session, message),
    redraw() {
      views.road.redraw();
      views.stage.redraw();
      views.inspector.current?.view.redraw();
    },
  };
}

interface Views {
  readonly header: Header;
  readonly road: Road;
  readonly banners: Banners;
  readonly stage: Stage;
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

function createViews(root: HTMLElement, session: Session): Views {
  const content = h('main', { class: 'content', tabindex: -1 });
  const scroll = keepScroll(content, session);
  const toggle = (open: boolean): void => {
    update(session, { ...session.state, controlsOpen: open });
    if (open) views.controls.focus();
    else views.header.focusControls();
  };
  const views: Views = {
    header: createHeader(headerActions(session, toggle)),
    road: createRoad((id) => goTo(session, id)),
    banners: createBanners(bannerActions(session)),
    stage: createStage(stageActions(session, scroll)),
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
  return views;
}

function assemble(root: HTMLElement, content: HTMLElement, views: Views): void {
  const { header, road, banners, stage, controls, filled } = views;
  const side = h('aside', { class: 'inspector-box', 'aria-label': 'Selected cell' }, views.inspectorBox);
  const zones = h('div', { class: 'zones' }, stage.element, side, stage.cards);
  const body = h('div', { class: 'body' }, content, controls.element);
  content.append(zones);
  filled.append(header.element, road.element, banners.element, body);
  root.replaceChildren(filled, views.empty, views.progress.element, views.live);
  placeZones(zones, content, controls.element);
}

type Toggle = (open: boolean) => void;

const headerActions = (session: Session, toggle: Toggle): HeaderActions => ({
  onReveal: () => revealSource(session),
  onToken: (token) => selectToken(session, token),
  onUndo: () => travel(session, 'undo'),
  onRedo: () => travel(session, 'redo'),
  onControls: () => toggle(!session.state.controlsOpen),
  onNotes: () => update(session, { ...session.state, notesHidden: false }),
});

const bannerActions = (session: Session): BannerActions => ({
  onRecompute: () => recompute(session),
  onDismissTrouble() {
    const { trouble: _, ...rest } = session.state;
    update(session, rest);
  },
  onDismissNotes: () => update(session, { ...session.state, notesHidden: true }),
  onStep: (id) => goTo(session, id),
});

const stageActions = (session: Session, scroll: Scroll): StageActions => ({
  onStep: (id) => goTo(session, id),
  onSelect: (id, cell) => select(session, id, cell),
  onDrawn() {
    settleScroll(scroll);
    // The preview of a computation under way is not what was asked for yet.
    if (!session.before) document.body.dataset['ready'] = 'true';
  },
});

const controlsActions = (session: Session, toggle: Toggle): ControlsActions => ({
  onChange: (switches) => changeSwitches(session, switches),
  onReset() {
    const defaults = defaultsOf(session.state);
    if (defaults) changeSwitches(session, defaults);
  },
  onClose: () => toggle(false),
});

function render(views: Views, session: Session): void {
  const { shown, state } = session;
  renderProgress(views, session);
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

function renderShown(views: Views, session: Session, shown: Shown): void {
  const { state } = session;
  const { trace } = shown;
  // Counts the traces that were shown: tests wait for the next.
  if (views.stage.trace() !== trace)
    document.body.dataset['shown'] = String(Number(document.body.dataset['shown'] ?? 0) + 1);
  const { plan } = trace;
  const step = currentStep(plan, state.step);
  const cell = state.cell ?? exampleCell(step);
  const { digits } = shown.asked.switches;
  renderHeader(views, session, shown);
  views.road.update(trace, step.id);
  const { source, notes } = shown.asked.explanation;
  views.banners.update({
    trouble: state.trouble,
    shownLabel: source.label,
    source: state.source,
    notes: state.notesHidden ? [] : notes,
    plan,
    observations: trace.problems,
  });
  views.stage.update({ trace, step, cell, digits });
  inspect(views, session, { trace, digits, step: step.id, cell });
  renderControls(views, session);
  placeScroll(views.scroll, state, shown.asked.explanation);
  speak(views, step, trace);
}

/** Says the step, and that its numbers are others where only these changed. */
function speak({ live, spoken }: Views, step: Step, trace: TraceHandle): void {
  const road = roadOf(trace.plan);
  const place = step.place === 'input' ? 'input' : `step ${road.indexOf(step) + 1} of ${road.length}`;
  const text = `${step.words.name}, ${place}, ${step.shape.join(' by ')}`;
  const again = spoken.step === step.id && spoken.trace !== trace;
  if (spoken.step !== step.id || again) setText(live, again ? `${text}, recomputed` : text);
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
    changed: switches && defaults ? countChanged(switches, defaults) : 0,
    controlsOpen: state.controlsOpen,
    canUndo: canUndo(state),
    canRedo: canRedo(state),
    hiddenNotes: state.notesHidden ? asked.explanation.notes.length : 0,
  });
}

/** What the inspector shows. */
interface Inspected {
  readonly trace: TraceHandle;
  readonly digits: number;
  readonly step: string;
  readonly cell: Cell;
}

/** Shows another cell. An inspector belongs to one trace; drawing the same cell again would take the focus out of it. */
function inspect(views: Views, session: Session, next: Inspected): void {
  const { current } = views.inspector;
  const sameTrace = current?.trace === next.trace && current.digits === next.digits;
  if (sameTrace && current.step === next.step && String(current.cell) === String(next.cell)) return;
  const view = sameTrace ? current.view : newInspector(views, session, next);
  views.inspector.current = { ...next, view };
  view.show(next.step, next.cell);
}

function newInspector({ inspector, inspectorBox }: Views, session: Session, { trace, digits }: Inspected): Inspector {
  const view = createInspector(trace, {
    digits,
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
  select(session, id, [row, column]);
}

function renderControls({ controls }: Views, { state }: Session): void {
  const switches = visibleSwitches(state);
  const defaults = defaultsOf(state);
  controls.element.hidden = !state.controlsOpen;
  if (!state.asked || !switches || !defaults) return;
  const { spec } = state.asked.explanation;
  controls.update({ spec, switches, defaults, problems: state.refused?.problems ?? [] });
}

/** The inspector stands beside the stage where both have room: a product needs 600 pixels, more of them beside open controls. */
function placeZones(zones: HTMLElement, content: HTMLElement, controls: HTMLElement): void {
  new ResizeObserver(() => {
    const least = controls.hidden ? 880 : 1040;
    setAttribute(zones, 'data-wide', content.clientWidth >= least);
  }).observe(content);
}

// --- progress ---------------------------------------------------------------------

let waitingSince: number | undefined;

function renderProgress({ progress }: Views, session: Session): void {
  if (!session.before) {
    waitingSince = undefined;
    return progress.hide();
  }
  waitingSince ??= performance.now();
  const left = patience - (performance.now() - waitingSince);
  if (left > 0) setTimeout(() => session.changed(), left);
  else progress.show(progressText(session));
}

function progressText({ progress }: Session): string {
  if (!progress) return 'Computing';
  const { step, done, total } = progress;
  return done < total ? `Computing ${step} (${done + 1} of ${total})` : 'Computed';
}
