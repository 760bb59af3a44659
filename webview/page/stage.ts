import {
  say,
  sentencesAt,
  t,
  type LinkTarget,
  type Plan,
  type Sentence,
  type Slice,
  type Step,
} from '../../engine/index';
import { renderFormula } from '../formulas';
import type { DifferencePicture } from '../compare';
import { createCellEditor, createMarks, editedWords, type CellWriting, type Notes } from '../edits';
import { createMotion } from '../motion';
import { hideSizes } from '../predict';
import { keptFocus } from './kept-focus';
import { createStepView, type StepView } from '../product';
import {
  button,
  h,
  enableLinks,
  prose,
  setAttribute,
  setChildren,
  setDisabled,
  setText,
  watchedWidth,
  withTabStop,
  scrollTo,
} from '../draw';
import { createSlices } from '../slices';
import type { Asked } from '../session';
import { isOff, neighbour, walkedSteps, type Cell, type TraceHandle } from '../trace';

export interface StageModel {
  readonly trace: TraceHandle;
  readonly step: Step;
  readonly cell: Cell;
  readonly slice: Slice;
  readonly digits: number;
  /** Drawn instead of the step's own picture: its difference from the pinned explanation. */
  readonly difference?: DifferencePicture | undefined;
  /** Marks on cells. */
  readonly notes?: Notes | undefined;
  /** The input and the control values, edits included. */
  readonly asked: Asked;
  /** Whether the reader still has to predict the step's result; then its words must not reveal the shape either. */
  readonly hidden: boolean;
  /** Whether the question stands in the place of the stage. */
  readonly covered: boolean;
}

export interface StageActions {
  readonly writing: Omit<CellWriting, 'current'>;
  readonly onStep: (id: string) => void;
  /** Called when a link in a sentence is followed. */
  readonly onLink: (to: LinkTarget) => void;
  /** Shows the line of a program's step in the editor. */
  readonly onLine: (step: Step) => void;
  readonly onSelect: (step: string, cell: Cell) => void;
  /** Called with any cell, by its whole index. */
  readonly onCell: (step: string, index: readonly number[]) => void;
  readonly onSlice: (slice: Slice) => void;
  /** Called when the step's picture is painted. */
  readonly onDrawn: () => void;
}

export interface Stage {
  /** Name, question, formula, shapes, words and matrices of the current step. */
  readonly element: HTMLElement;
  /** Cards below the picture: why, what to notice, and what comes next. */
  readonly cards: HTMLElement;
  update(model: StageModel): void;
  /** Focuses the step's title, after the focused link has been removed. */
  focus(): void;
  /** The trace whose steps are shown. */
  trace(): TraceHandle | undefined;
  /** Closes the motion in front of the picture. False if none is open. */
  closeMotion(): boolean;
  /** Redraws with the colours of a changed theme. */
  redraw(): void;
}

/** The current step's words and picture; between them the toolbar, and the reader's own result beside the step's. */
export function createStage(actions: StageActions, tools: HTMLElement, checked: HTMLElement): Stage {
  let model: StageModel | undefined;
  const head = createHead(
    (by) => {
      const to = model && neighbour(model.trace.plan, model.step, by);
      if (to) actions.onStep(to.id);
    },
    () => model && actions.onLine(model.step),
  );
  const words = createWords((to) => {
    const from = model?.step.id;
    actions.onLink(to);
    // The focused link was removed with its step: focus the title of the next one.
    if (to.step !== from) head.focus();
  });
  const picture = createPicture(actions);
  const slices = createSlices((slice) => actions.onSlice(slice));
  const motion = createMotion({
    onCell: (id, index) => actions.onCell(id, index),
    onOpen(open) {
      setAttribute(element, 'data-motion', open);
      if (open) scrollTo(element, 'start');
    },
    onAsk: (asked) => setAttribute(element, 'data-asked', asked),
  });
  const matrices = h('h2', { class: 'said' }, t('Matrices'));
  const element = h(
    'section',
    { class: 'stage', 'aria-labelledby': 'stage-title' },
    ...head.elements,
    words.lead,
    matrices,
    slices.element,
    tools,
    checked,
    motion.element,
    picture.element,
    createCellEditor(picture.element, { ...actions.writing, current: () => model?.step.id }),
  );
  const mark = createMarks(picture.element);
  return {
    element,
    cards: words.cards,
    update(next) {
      const before = model;
      model = next;
      setAttribute(element, 'data-current-step', next.step.id);
      const sameStep = before?.trace === next.trace && before.step === next.step;
      if (!sameStep) head.update(next);
      // Redrawing unchanged words would lose the focus inside them.
      if (!sameStep || String(before.cell) !== String(next.cell) || before.hidden !== next.hidden) words.update(next);
      slices.update(next.trace, next.step, next.slice);
      // A motion is one of what was shown when it was opened.
      if (next.covered || (before && isElsewhere(before.asked, next.asked))) motion.close();
      motion.update({ ...next, away: next.hidden || next.difference !== undefined });
      picture.show(next);
      mark(next.notes);
    },
    focus: () => head.focus(),
    closeMotion: () => motion.close(true),
    trace: () => model?.trace,
    redraw() {
      slices.redraw();
      picture.redraw();
    },
  };
}

/** Whether an input stands in another place than the one before it did when it was explained. */
function isElsewhere({ explanation: { source: before } }: Asked, { explanation: { source } }: Asked): boolean {
  const isOther = before.uri !== undefined && source.uri !== undefined && before.uri !== source.uri;
  return isOther || before.label !== source.label;
}

interface Head {
  readonly elements: readonly HTMLElement[];
  update(model: StageModel): void;
  focus(): void;
}

/** Name and question, links to the steps before and after, formula and shapes. */
function createHead(go: (by: -1 | 1) => void, showLine: () => void): Head {
  const title = h('h1', { id: 'stage-title', tabindex: -1 });
  const stepButton = (label: string, icon: 'left' | 'right', key: string, by: -1 | 1): HTMLElement =>
    button({ label, icon, iconOnly: true, title: `${label} (${key})`, onClick: () => go(by) });
  const back = stepButton(t('Previous step'), 'left', t('Left'), -1);
  const forth = stepButton(t('Next step'), 'right', t('Right'), 1);
  const place = h('span', { class: 'place' });
  const formula = h('div', { class: 'formula' });
  let typeset: string | undefined;
  const shapes = h('div', { class: 'shapes' });
  const line = h('button', { type: 'button', class: 'text-link', hidden: true });
  line.addEventListener('click', showLine);
  const top = h('div', { class: 'stage-head' }, title, h('div', { class: 'stage-walk' }, back, place, forth));
  return {
    elements: [top, h('div', { class: 'formula-line' }, formula, shapes, line)],
    focus: () => title.focus({ preventScroll: true }),
    update({ trace: { plan }, step, asked }) {
      const { name, question, shapes: sizes } = step.sentences;
      setChildren(title, h('span', { class: 'step-name' }, ...prose(name), ': '), ...prose(question, { plan }));
      if (typeset !== step.formula.roles) renderFormula(step.formula.roles, formula, true);
      typeset = step.formula.roles;
      setChildren(shapes, ...prose(sizes, { plan }));
      setText(place, placeOf(plan, step));
      line.hidden = step.line === undefined || asked.explanation.source.uri === undefined;
      setText(line, t('Show line {0} in the editor', step.line ?? 0));
      setDisabled(back, !neighbour(plan, step, -1));
      setDisabled(forth, !neighbour(plan, step, 1));
    },
  };
}

function placeOf(plan: Plan, step: Step): string {
  const steps = walkedSteps(plan);
  if (step.place === 'input') return t('input');
  return isOff(step) ? t('unchanged') : t('{0} of {1}', steps.indexOf(step) + 1, steps.length);
}

interface Words {
  readonly lead: HTMLElement;
  readonly cards: HTMLElement;
  update(model: StageModel): void;
}

/** What happens, why, what to notice, and what comes next, in sentences that name the selected cell's row and column. */
function createWords(go: (to: LinkTarget) => void): Words {
  const lead = h('p', { class: 'lead' });
  const cards = h('section', { class: 'cards', 'aria-label': t('Reasons') });
  let next: Step | undefined;
  enableLinks(lead, go);
  enableLinks(cards, go);
  return {
    lead,
    cards,
    update({ trace, step, cell, asked, hidden }) {
      const { plan } = trace;
      next = neighbour(plan, step, 1);
      const said = editedWords(asked, plan, step, cell) ?? sentencesAt(trace, step, cell);
      const replaceText = hidden ? hideSizes(step.shape) : undefined;
      const sentenceNodes = (sentence: Sentence): Node[] =>
        prose(sentence, { plan, currentStep: step, ...(replaceText && { replaceText }) });
      setChildren(lead, ...withTabStop(sentenceNodes(said.what)));
      setChildren(
        cards,
        ...withTabStop([
          card(t('Why'), sentenceNodes(said.why)),
          card(t('Notice'), sentenceNodes(said.notice)),
          // The link outlives a change of step if the words are the same, and goes to the step that is next at the time of the click.
          nextCard(plan, step, next, () => next && go({ step: next.id })),
        ]),
      );
    },
  };
}

const card = (title: string, text: readonly Node[]): HTMLElement =>
  h('div', { class: 'card' }, h('h2', {}, title), h('p', {}, ...text));

function nextCard(plan: Plan, step: Step, next: Step | undefined, onNext: () => void): HTMLElement {
  if (!next) return card(t('The end'), prose(say('Click any number to see where it came from, back to the input.')));
  const link = h('button', { type: 'button', class: 'text-link' }, next.words.name);
  link.addEventListener('click', onNext);
  return h(
    'div',
    { class: 'card' },
    h('h2', {}, t('Next')),
    h('p', {}, link, ': ', ...prose(next.sentences.question, { plan, currentStep: step })),
  );
}

/** The visible picture, and the one that is being drawn to replace it. */
interface Pictures {
  readonly box: HTMLElement;
  shown: Picture | undefined;
  coming: Picture | undefined;
}

interface Picture {
  readonly view: StepView;
  readonly layer: HTMLElement;
  /** The content of the picture; if all parts are equal, only the selected cell can differ. */
  readonly key: readonly unknown[];
}

/** The step's matrices, fitted to the available width. */
function createPicture(actions: StageActions): {
  readonly element: HTMLElement;
  show(model: StageModel): void;
  redraw(): void;
} {
  const element = h('div', { class: 'picture' });
  const pictures: Pictures = { box: element, shown: undefined, coming: undefined };
  let model: StageModel | undefined;
  const draw = (): void => {
    if (model && widthOf() > 0) showStep(model, widthOf(), pictures, actions);
  };
  const widthOf = watchedWidth(element, draw);
  return {
    element,
    show(next) {
      model = next;
      draw();
    },
    redraw: () => [pictures.shown, pictures.coming].forEach((p) => p?.view.redraw()),
  };
}

/** Keeps the picture if only the selected cell changes; otherwise the old picture stays until the new one is painted. */
function showStep(model: StageModel, width: number, pictures: Pictures, { onSelect, onDrawn }: StageActions): void {
  const { digits, cell, slice } = model;
  const { trace, step } = model.difference ?? model;
  const key = [trace, step, digits, width, slice.batch, slice.head];
  const latest = pictures.coming ?? pictures.shown;
  if (latest && key.every((part, i) => part === latest.key[i])) {
    latest.view.select(cell[0], cell[1]);
    if (!pictures.coming) onDrawn();
    return;
  }
  const view = createStepView(step, trace, {
    digits,
    width,
    slice,
    selected: cell,
    onSelect: (id, row, column) => onSelect(id, [row, column]),
  });
  const layer = h('div', { class: 'picture-layer' }, view.element);
  const picture: Picture = { view, layer, key };
  destroyPicture(pictures.coming);
  pictures.coming = picture;
  const finish = (): void => {
    if (pictures.coming !== picture) return;
    const giveBack = keptFocus(pictures.shown?.layer);
    destroyPicture(pictures.shown);
    // Only now: painting a canvas that is in the page computes styles and layout, which would then be computed twice.
    pictures.box.append(layer);
    [pictures.shown, pictures.coming] = [picture, undefined];
    // A focused cell keeps the focus when its numbers or size change.
    giveBack?.(layer);
    onDrawn();
  };
  // If the worker is stopped the picture stays incomplete, but it is still better than the old one.
  view.drawn.then(finish, finish);
}

function destroyPicture(picture: Picture | undefined): void {
  picture?.view.destroy();
  picture?.layer.remove();
}
