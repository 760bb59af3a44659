import type { Step } from '../../engine/index';
import { countChanged } from '../controls';
import { renderControls } from './controls';
import { inspect } from './inspected';
import {
  canRedo,
  canUndo,
  currentStep,
  defaultsOf,
  selectedToken,
  toPageState,
  visibleControls,
  type Session,
  type Shown,
} from '../session';
import { notesOf, offersOf, turnOf } from './notes';
import { exampleCell, leadingIndex, oriented, stepOf, type TraceHandle } from '../trace';
import { isHidden } from '../predict';
import { emptyState } from './problems';
import { renderProgress } from './progress';
import { placeScroll, seesCell } from './scroll';
import type { PageState } from '../protocol';
import { openingKind } from '../opening';
import { isStandalone, setAttribute } from '../draw';
import { isComparedStep, verdictIn, type VerdictModel } from '../verdict';
import type { Views } from './views';

/** Draws the views from the session. */
export function render(views: Views, session: Session): void {
  const { shown, state } = session;
  renderProgress(views.progress, session);
  views.filled.hidden = !shown;
  // Until the host has said that nothing comes, the page is being loaded. A saved page has no host.
  views.root.hidden = !session.heard && !state.trouble && !state.asked && !isStandalone();
  views.empty.hidden = shown !== undefined || session.previousState !== undefined;
  delete document.body.dataset['ready'];
  if (!shown) {
    const { trouble } = state;
    const { post } = session.host;
    views.empty.replaceChildren(emptyState(trouble, () => post({ type: 'askInput' }), () => post({ type: 'explainAsText' }))); // prettier-ignore
    if (!session.previousState) document.body.dataset['ready'] = 'true';
    return;
  }
  views.empty.replaceChildren();
  renderShown(views, session, shown);
}

function renderShown(views: Views, session: Session, own: Shown): void {
  const { state } = session;
  const trace = oriented(own.trace, state.reading.columns);
  const shown = { ...own, trace };
  // Counts the traces shown so far; tests wait for it.
  if (views.stage.trace() !== trace)
    document.body.dataset['shown'] = String(Number(document.body.dataset['shown'] ?? 0) + 1);
  const { plan } = trace;
  const step = currentStep(plan, state.step);
  const cell = state.cell ?? exampleCell(step);
  const { asked } = own;
  const { digits } = asked.switches;
  renderHeader(views, session, shown);
  views.alongBar.update(session.along);
  const hidden = (of: Step): boolean => isHidden(state.reading, trace, of);
  const saved = (): PageState | undefined => toPageState(session.state);
  views.share.update({ trace, step, slice: state.slice, digits, hidden: hidden(step), state: saved });
  const weights = stepOf(plan, 'weights');
  // An opening shows weights: not those that the reader still has to predict.
  const asks = state.reading.opening && !(weights && hidden(weights));
  const opening = views.opening.update(trace, state.slice, asks, state.reading.cursor);
  setAttribute(views.filled, 'data-opening', opening);
  renderAlong(views, session, own.trace, opening !== undefined || hidden(step) ? undefined : step);
  views.timeline.update(trace, step.id, state.slice, hidden);
  const { source } = asked.explanation;
  views.banners.update({
    trouble: state.trouble,
    shownLabel: source.label,
    source: state.source,
    notes: state.notesHidden ? [] : notesOf(asked, plan),
    offers: state.notesHidden ? [] : offersOf(asked, plan),
    turn: state.notesHidden ? undefined : turnOf(asked),
    unfollowed: state.notesHidden ? [] : (asked.explanation.unfollowed ?? []),
    canShow: source.range !== undefined && state.source !== 'gone',
    plan,
    observations: trace.problems,
  });
  const found = verdictOf(session, shown);
  views.verdict.update(found, plan);
  views.ownNumbers.update(
    found && isComparedStep(found.checked, step, state.slice) && !hidden(step)
      ? {
          checked: found.checked,
          trace: own.trace,
          columns: state.reading.columns,
          step,
          slice: state.slice,
          cell,
          digits,
        }
      : undefined,
  );
  const index = [...leadingIndex(trace, step, state.slice), ...cell];
  const drawn = views.comparing.update(state, shown, step, index);
  if (cell.join() !== exampleCell(step).join()) views.scroll.chosenIn = asked.explanation;
  const keepsCell = seesCell(views.scroll, state, asked.explanation);
  views.stage.update({
    trace,
    step,
    cell,
    slice: state.slice,
    digits,
    asked,
    hidden: hidden(step),
    covered: opening !== undefined,
    ...drawn,
  });
  views.comparing.markTimeline(views.timeline.element, trace.plan, hidden);
  views.verdict.markTimeline(views.timeline.element);
  inspect(views.inspector, session, {
    trace,
    digits,
    step: step.id,
    index,
    hidden: trace.plan.steps.filter(hidden).map(({ id }) => id),
  });
  views.reading.update(shown, step, index);
  views.why.show(trace, step.id, index);
  renderControls(views.controls, session);
  placeScroll(views.scroll, state, asked.explanation, keepsCell);
  views.voice.announce(step, trace, hidden(step));
}

/** What the shown step says about the text's question. Its sentences speak of rows. */
function renderAlong({ opening, along }: Views, { state }: Session, trace: TraceHandle, step: Step | undefined): void {
  void opening.focusOf(trace).then((focus) => along.update(trace, step, state.reading.columns ? undefined : focus));
}

/** What was found of the reader's own result. Numbers of a preview are not compared with it. */
function verdictOf({ state }: Session, { asked, trace }: Shown): VerdictModel | undefined {
  const found = verdictIn(asked.explanation);
  const [switches, defaults] = [visibleControls(state), defaultsOf(state)];
  const changed = switches !== undefined && defaults !== undefined && countChanged(switches, defaults) > 0;
  return found && !(trace.preview ?? false) ? { ...found, changed } : undefined;
}

/** Whether there is a question to go back to: always of a trained model, else where the input has opened on it. */
function hasQuestion(trace: TraceHandle, { reading }: Session['state']): boolean {
  const kind = openingKind(trace);
  return kind === 'measured' || (kind === 'plain' && reading.opened);
}

function renderHeader(views: Views, session: Session, { asked, trace, report }: Shown): void {
  const { state } = session;
  const switches = visibleControls(state);
  const defaults = defaultsOf(state);
  views.header.update({
    label: state.movedTo ?? asked.explanation.source.label,
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
    hasQuestion: !state.reading.opening && !(trace.preview ?? false) && hasQuestion(trace, state),
    hiddenNotes: state.notesHidden ? notesOf(asked, trace.plan).length + offersOf(asked, trace.plan).length + Number(turnOf(asked) !== undefined) + (asked.explanation.unfollowed?.length ?? 0) : 0, // prettier-ignore
  });
}
