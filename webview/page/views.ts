import { t } from '../../engine/index';
import { createComparing, type Comparing, type ToolsActions } from '../compare';
import {
  cancel,
  changeControls,
  chooseSlice,
  followLink,
  followSource,
  turnBeside,
  goTo,
  recompute,
  revealSource,
  select,
  selectToken,
  showOpening,
  showPlace,
  undoOrRedo,
  update,
  visibleControls,
  withPin,
  writeBackMessage,
  type Session,
} from '../session';
import { createControls, type Controls } from '../controls';
import { dropEdits, writingOf } from '../edits';
import { createFind, type Find } from '../find';
import { createAlongBar, type AlongBar } from './along-bar';
import { controlsActions, type Toggle } from './controls';
import { createHeader, type Header, type HeaderActions } from './header';
import { goToCell, type InspectorPlace } from './inspected';
import { createBanners, createProgress, type BannerActions, type Banners, type Progress } from './problems';
import { attentionOf, createReading, type ReadingViews } from './reading';
import type { ControlValues } from '../choices';
import type { Remote } from '../compute';
import { createTimeline, type Timeline } from '../timeline';
import { keepScroll, settleScroll, type Scroll } from './scroll';
import { createAlong, createOpening, type Along, type Opening } from '../opening';
import { createShare, type Share, type ShareActions } from '../share';
import { createStage, type Stage, type StageActions } from './stage';
import { h, progressRing, setAttribute } from '../draw';
import { createAnnouncer, type Announcer } from './announcer';
import { createWhy, type Why } from '../insights';
import { createOwnNumbers, createVerdict, type OwnNumbers, type VerdictView } from '../verdict';

export interface Views {
  readonly header: Header;
  readonly share: Share;
  readonly timeline: Timeline;
  readonly banners: Banners;
  readonly verdict: VerdictView;
  readonly ownNumbers: OwnNumbers;
  readonly stage: Stage;
  readonly opening: Opening;
  readonly along: Along;
  readonly alongBar: AlongBar;
  readonly reading: ReadingViews;
  readonly comparing: Comparing;
  readonly why: Why;
  readonly find: Find;
  readonly controls: Controls;
  readonly inspector: InspectorPlace;
  readonly progress: Progress;
  readonly voice: Announcer;
  readonly scroll: Scroll;
  /** The page's elements with an explanation, and without one. */
  readonly filled: HTMLElement;
  readonly root: HTMLElement;
  readonly empty: HTMLElement;
}

/** Builds all views once and places them in the page. */
export function createViews(root: HTMLElement, session: Session, startWorker: () => Remote): Views {
  const content = h('main', { class: 'content', tabindex: -1 });
  const scroll = keepScroll(content, session);
  const toggle = (open: boolean): void => {
    update(session, { ...session.state, controlsOpen: open });
    if (open) views.controls.focus();
    else views.header.focusControls();
  };
  const share = createShare(shareActions(session));
  const goToCellOfStep = (index: readonly number[]): void => goToCell(session, session.state.step ?? '', index);
  const comparing = createComparing(startWorker, () => session.changed(), toolbarActions(session, goToCellOfStep));
  const header = createHeader(headerActions(session, toggle), share.element);
  const ownNumbers = createOwnNumbers((id, cell) => select(session, id, cell));
  const stage = createStage(stageActions(session, scroll), comparing.tools, ownNumbers.element);
  const views: Views = {
    share,
    header,
    timeline: createTimeline((id) => goTo(session, id)),
    banners: createBanners(bannerActions(session)),
    verdict: createVerdict({
      onShow: ({ at, cell }) => {
        if (at) select(session, at.step, cell ?? [0, 0], at.head === undefined ? [] : [at.head]);
        stage.focus();
      },
      onTurn: () => turnBeside(session),
    }),
    ownNumbers,
    stage,
    opening: createOpening(
      {
        onCell: (step, cell, lead) => select(session, step, cell, lead),
        onNothing: () => showOpening(session, false),
        onHeads: (headChanges) => change(session, { headChanges }),
        onModel: (model) => change(session, { model }),
      },
      startWorker,
    ),
    along: createAlong(),
    alongBar: createAlongBar((act) => session.host.post({ type: 'along', act })),
    reading: createReading(session, stage.element, header),
    comparing,
    why: createWhy((to) => {
      followLink(session, to);
      stage.focus();
    }),
    find: createFind(session),
    controls: createControls(controlsActions(session, toggle)),
    inspector: { box: h('div', { class: 'inspector-scroll', tabindex: -1 }) },
    progress: createProgress(progressRing(), () => cancel(session)),
    voice: createAnnouncer(),
    scroll,
    filled: h('div', { class: 'page' }),
    root,
    empty: h('div', { class: 'page-empty' }),
  };
  assemble(root, content, views);
  views.filled.append(views.find.element);
  return views;
}

function assemble(root: HTMLElement, content: HTMLElement, views: Views): void {
  const { header, alongBar, timeline, banners, verdict, stage, why, controls, filled } = views;
  const side = h('aside', { class: 'inspector-box', 'aria-label': t('Selected cell') });
  side.append(views.reading.predict, views.comparing.cell, views.inspector.box);
  const zones = h('div', { class: 'zones' }, stage.element, side, stage.cards, why.element);
  const body = h('div', { class: 'body' }, content, controls.element);
  content.append(views.opening.element, views.along.element, zones);
  controls.element.append(header.computed);
  filled.append(header.element, alongBar.element, timeline.element, verdict.element, banners.element, body);
  root.replaceChildren(filled, views.empty, views.progress.element, views.voice.element);
  placeZones(zones, side, views.reading.predict, content, controls.element);
}

const change = (session: Session, changed: Partial<ControlValues>): void => {
  const switches = visibleControls(session.state);
  if (switches) changeControls(session, { ...switches, ...changed });
};

const headerActions = (session: Session, toggle: Toggle): HeaderActions => ({
  onReveal: () => revealSource(session),
  onToken: (token) => selectToken(session, token),
  onUndo: () => undoOrRedo(session, 'undo'),
  onRedo: () => undoOrRedo(session, 'redo'),
  onControls: () => toggle(!session.state.controlsOpen),
  onNotes: () => update(session, { ...session.state, notesHidden: false }),
  onQuestion: () => showOpening(session, true),
  attention: (token) => attentionOf(session, token),
});

const shareActions = (session: Session): ShareActions => ({
  onTake: (taken) => session.host.post(taken),
  onProblems: (problems) =>
    update(session, { ...session.state, trouble: { label: t('this'), problems, shared: true } }),
});

/** Actions of the toolbar for pinning and edits; `walk` goes to a cell of the current step. */
const toolbarActions = (session: Session, walk: (index: readonly number[]) => void): ToolsActions => ({
  onPin: () => update(session, withPin(session.state, session.shown?.asked)),
  onUnpin: () => update(session, withPin(session.state, undefined)),
  onDifferences: (differences) => update(session, { ...session.state, differences }),
  onPlace: walk,
  onDropEdits: () => dropEdits(session),
  onWriteBack() {
    const { asked } = session.state;
    if (asked) session.host.post(writeBackMessage(asked));
  },
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
  onFollow: (said) => followSource(session, said),
  onPlace: (place) => showPlace(session, place),
  onAsText: () => session.host.post({ type: 'explainAsText' }),
  onTurn: () => turnBeside(session),
});

const stageActions = (session: Session, scroll: Scroll): StageActions => ({
  onStep: (id) => goTo(session, id),
  onLink: (to) => followLink(session, to),
  onLine: ({ id }) => session.host.post({ type: 'step', step: id, reveal: true }),
  onSelect: (id, cell) => select(session, id, cell),
  onCell: (id, index) => goToCell(session, id, index),
  onSlice: (slice) => chooseSlice(session, slice),
  writing: writingOf(session),
  onDrawn() {
    settleScroll(scroll);
    // While a computation is under way, its preview is not the final result.
    if (!session.previousState) document.body.dataset['ready'] = 'true';
  },
});

/** Places the inspector beside the stage if there is space for both: a product needs 600 pixels, more beside open controls. */
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
    // Below a long stage the prediction's question would be out of view.
    const place = wide ? side : zones;
    if (predict.parentElement !== place) place.prepend(predict);
  }).observe(content);
}
