import type { Step } from '../engine/index';
import type { Compute } from './compute';
import { countChanged } from './control-table';
import { createControls } from './controls';
import { createHeader } from './header';
import { createInspector, type Inspector } from './inspector';
import { createBanners, createProgress, emptyState } from './problems-view';
import type { Explanation } from './protocol';
import { createRoad } from './road';
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
import { createStage } from './stage';
import { canRedo, canUndo, defaultsOf, visibleSwitches, type AppState } from './state';
import type { TraceHandle } from './trace-handle';
import { h, progressRing, setAttribute, setText } from './ui';
import { exampleCell, neighbour, roadOf, type Cell } from './walk';

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
  addKeys(session, views);
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

type Views = ReturnType<typeof createViews>;

function createViews(root: HTMLElement, session: Session) {
  const toggleControls = (open: boolean): void => {
    update(session, { ...session.state, controlsOpen: open });
    if (open) controls.focus();
    else header.focusControls();
  };
  const header = createHeader({
    onReveal: () => revealSource(session),
    onToken: (token) => selectToken(session, token),
    onUndo: () => travel(session, 'undo'),
    onRedo: () => travel(session, 'redo'),
    onControls: () => toggleControls(!session.state.controlsOpen),
    onNotes: () => update(session, { ...session.state, notesHidden: false }),
  });
  const road = createRoad((id) => goTo(session, id));
  const banners = createBanners({
    onRecompute: () => recompute(session),
    onDismissTrouble: () => {
      const { trouble: _, ...rest } = session.state;
      update(session, rest);
    },
    onDismissNotes: () => update(session, { ...session.state, notesHidden: true }),
    onStep: (id) => goTo(session, id),
  });
  const stage = createStage({
    onStep: (id) => goTo(session, id),
    onSelect: (id, cell) => select(session, id, cell),
    onDrawn: () => {
      settleScroll(scroll);
      // The preview of a computation under way is not what was asked for yet.
      if (!session.before) document.body.dataset['ready'] = 'true';
    },
  });
  const controls = createControls({
    onChange: (switches) => changeSwitches(session, switches),
    onReset: () => {
      const defaults = defaultsOf(session.state);
      if (defaults) changeSwitches(session, defaults);
    },
    onClose: () => toggleControls(false),
  });
  const inspectorBox = h('div', { class: 'inspector-scroll', tabindex: -1 });
  const inspector: { current?: Inspected & { readonly view: Inspector } } = {};
  const progress = createProgress(progressRing(), () => cancel(session));
  const live = h('div', { class: 'spoken', 'aria-live': 'polite' });
  const inspectorSide = h('aside', { class: 'inspector-box', 'aria-label': 'Selected cell' }, inspectorBox);
  const zones = h('div', { class: 'zones' }, stage.element, inspectorSide, stage.cards);
  const content = h('main', { class: 'content', tabindex: -1 }, zones);
  const body = h('div', { class: 'body' }, content, controls.element);
  const filled = h('div', { class: 'page' }, header.element, road.element, banners.element, body);
  const empty = h('div', { class: 'page-empty' });
  root.replaceChildren(filled, empty, progress.element, live);
  const scroll = keepScroll(content, session);
  const spoken: { step?: string; trace?: TraceHandle } = {};
  placeZones(zones, content, controls.element);
  return {
    header,
    road,
    banners,
    stage,
    controls,
    inspectorBox,
    inspector,
    progress,
    live,
    spoken,
    scroll,
    filled,
    empty,
  };
}

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

// --- scroll -----------------------------------------------------------------------

/** Where to scroll once there is enough to scroll: after a change of step or input, and after a reload. */
interface Scroll {
  readonly content: HTMLElement;
  shownStep?: string;
  shownInput?: Explanation;
  pending?: number;
}

function keepScroll(content: HTMLElement, session: Session): Scroll {
  const scroll: Scroll = { content };
  let timer: number | undefined;
  const save = (): void => {
    const { scrollTop } = content;
    const settled = scroll.pending === undefined && scrollTop !== session.state.scroll;
    if (settled) update(session, { ...session.state, scroll: scrollTop });
  };
  content.addEventListener('scroll', () => {
    clearTimeout(timer);
    timer = window.setTimeout(save, 150);
  });
  return scroll;
}

function placeScroll(scroll: Scroll, state: AppState, input: Explanation): void {
  if (scroll.shownStep === state.step && scroll.shownInput === input) return;
  Object.assign(scroll, { shownStep: state.step, shownInput: input, pending: state.scroll });
  scroll.content.scrollTop = state.scroll;
}

function settleScroll(scroll: Scroll): void {
  if (scroll.pending === undefined) return;
  scroll.content.scrollTop = scroll.pending;
  delete scroll.pending;
}

// --- keys -------------------------------------------------------------------------

/** Where arrow keys have a meaning of their own. */
const ownsArrows =
  '[role=grid], [role=toolbar], [role=combobox], [role=slider], input, vscode-text-field, vscode-dropdown';
const typesText = 'input, textarea, vscode-text-field';

function addKeys(session: Session, views: Views): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return;
    const done = historyKey(session, event) || stepKey(session, event) || escapeKey(session, views, event);
    if (done) event.preventDefault();
  });
}

const isIn = ({ target }: KeyboardEvent, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

function historyKey(session: Session, event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || isIn(event, typesText)) return false;
  if (key !== 'z' && key !== 'y') return false;
  travel(session, key === 'y' || event.shiftKey ? 'redo' : 'undo');
  return true;
}

function stepKey(session: Session, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || !session.shown) return false;
  const bracket = { '[': -1, ']': 1 }[event.key];
  const arrow = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const by = (bracket && !isIn(event, typesText) ? bracket : 0) || (arrow && !isIn(event, ownsArrows) ? arrow : 0);
  if (!by) return false;
  const { plan } = session.shown.trace;
  const to = neighbour(plan, currentStep(plan, session.state.step), by < 0 ? -1 : 1);
  if (to) goTo(session, to.id);
  return true;
}

function escapeKey(session: Session, { header }: Views, event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || !session.state.controlsOpen || isIn(event, 'vscode-dropdown[open]')) return false;
  update(session, { ...session.state, controlsOpen: false });
  header.focusControls();
  return true;
}
