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
import { hideSizes } from '../predict';
import { keptFocus } from './kept-focus';
import { createStepView, type StepView } from '../product';
import { button, h, enableLinks, prose, setAttribute, setChildren, setDisabled, setText, withTabStop } from '../draw';
import { createSlices } from '../slices';
import type { Asked } from '../session';
import { neighbour, mainSteps, type Cell, type TraceHandle } from '../trace';

export interface StageModel {
  readonly trace: TraceHandle;
  readonly step: Step;
  readonly cell: Cell;
  readonly slice: Slice;
  readonly digits: number;
  /** Drawn in place of the step's own picture: its difference to what is pinned. */
  readonly difference?: DifferencePicture | undefined;
  /** Marks on cells. */
  readonly notes?: Notes | undefined;
  /** What was asked for, with what was written into it. */
  readonly asked: Asked;
  /** The step's result is still to be predicted: its words do not tell the shape either. */
  readonly hidden: boolean;
}

export interface StageActions {
  readonly writing: Omit<CellWriting, 'current'>;
  readonly onStep: (id: string) => void;
  /** Something in a sentence was followed. */
  readonly onLink: (to: LinkTarget) => void;
  readonly onSelect: (step: string, cell: Cell) => void;
  readonly onSlice: (slice: Slice) => void;
  /** What is asked for is on the screen. */
  readonly onDrawn: () => void;
}

export interface Stage {
  /** Name, question, formula, shapes, words and matrices of the current step. */
  readonly element: HTMLElement;
  /** Why, what to notice, and what comes next. */
  readonly cards: HTMLElement;
  update(model: StageModel): void;
  /** The keyboard goes on at the step's title: what was followed is gone. */
  focus(): void;
  /** Whose steps it shows. */
  trace(): TraceHandle | undefined;
  /** Colours anew, after a change of theme. */
  redraw(): void;
}

/** `tools` is the line between the words and the picture. */
export function createStage(actions: StageActions, tools: HTMLElement): Stage {
  let model: StageModel | undefined;
  const head = createHead((by) => {
    const to = model && neighbour(model.trace.plan, model.step, by);
    if (to) actions.onStep(to.id);
  });
  const words = createWords((to) => {
    const from = model?.step.id;
    actions.onLink(to);
    // The link went with its step: the keyboard goes on at the next one's title.
    if (to.step !== from) head.focus();
  });
  const picture = createPicture(actions);
  const slices = createSlices((slice) => actions.onSlice(slice));
  const matrices = h('h2', { class: 'said' }, t('Matrices'));
  const element = h(
    'section',
    { class: 'stage', 'aria-labelledby': 'stage-title' },
    ...head.elements,
    words.lead,
    matrices,
    slices.element,
    tools,
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
      // Drawing the same words again would take the focus out of them.
      if (!sameStep || String(before.cell) !== String(next.cell) || before.hidden !== next.hidden) words.update(next);
      slices.update(next.trace, next.step, next.slice);
      picture.show(next);
      mark(next.notes);
    },
    focus: () => head.focus(),
    trace: () => model?.trace,
    redraw() {
      slices.redraw();
      picture.redraw();
    },
  };
}

interface Head {
  readonly elements: readonly HTMLElement[];
  update(model: StageModel): void;
  focus(): void;
}

/** Name and question, the way to the steps beside it, formula and shapes. */
function createHead(go: (by: -1 | 1) => void): Head {
  const title = h('h1', { id: 'stage-title', tabindex: -1 });
  const walk = (label: string, icon: 'left' | 'right', key: string, by: -1 | 1): HTMLElement =>
    button({ label, icon, iconOnly: true, title: `${label} (${key})`, onClick: () => go(by) });
  const back = walk(t('Previous step'), 'left', t('Left'), -1);
  const forth = walk(t('Next step'), 'right', t('Right'), 1);
  const place = h('span', { class: 'place' });
  const formula = h('div', { class: 'formula' });
  let typeset: string | undefined;
  const shapes = h('div', { class: 'shapes' });
  const top = h('div', { class: 'stage-head' }, title, h('div', { class: 'stage-walk' }, back, place, forth));
  return {
    elements: [top, h('div', { class: 'formula-line' }, formula, shapes)],
    focus: () => title.focus({ preventScroll: true }),
    update({ trace: { plan }, step }) {
      const { name, question, shapes: sizes } = step.sentences;
      const steps = mainSteps(plan);
      setChildren(title, h('span', { class: 'step-name' }, ...prose(name), ': '), ...prose(question, { plan }));
      if (typeset !== step.formula.roles) renderFormula(step.formula.roles, formula, true);
      typeset = step.formula.roles;
      setChildren(shapes, ...prose(sizes, { plan }));
      setText(place, step.place === 'input' ? t('input') : t('{0} of {1}', steps.indexOf(step) + 1, steps.length));
      setDisabled(back, !neighbour(plan, step, -1));
      setDisabled(forth, !neighbour(plan, step, 1));
    },
  };
}

interface Words {
  readonly lead: HTMLElement;
  readonly cards: HTMLElement;
  update(model: StageModel): void;
}

/** What happens, why, what to notice, and what comes next: with the selected cell's own row and column. */
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
      const told = (sentence: Sentence): Node[] =>
        prose(sentence, { plan, currentStep: step, ...(replaceText && { replaceText }) });
      setChildren(lead, ...withTabStop(told(said.what)));
      setChildren(
        cards,
        ...withTabStop([
          card(t('Why'), told(said.why)),
          card(t('Notice'), told(said.notice)),
          // Where the words stay, so does the link: it goes to what is next now.
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

/** The picture on the screen, and the one that is being drawn to take its place. */
interface Pictures {
  readonly box: HTMLElement;
  shown: Picture | undefined;
  coming: Picture | undefined;
}

interface Picture {
  readonly view: StepView;
  readonly layer: HTMLElement;
  /** What it shows; with the same parts, only the selected cell can differ. */
  readonly key: readonly unknown[];
}

/** The step's matrices, as wide as there is room. */
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

/** Keeps the picture while only the selected cell changes; otherwise the old one stays until the new one has drawn. */
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
  drop(pictures.coming);
  pictures.coming = picture;
  const finish = (): void => {
    if (pictures.coming !== picture) return;
    const giveBack = keptFocus(pictures.shown?.layer);
    drop(pictures.shown);
    // Not before: a canvas in the page asks for the page's styles and layout when it is painted, which then are made twice.
    pictures.box.append(layer);
    [pictures.shown, pictures.coming] = [picture, undefined];
    // The keyboard stays where it is when that gets other numbers, or another size.
    giveBack?.(layer);
    onDrawn();
  };
  // A worker that was stopped answers no more; what has been drawn is still the better picture.
  view.drawn.then(finish, finish);
}

function drop(picture: Picture | undefined): void {
  picture?.view.destroy();
  picture?.layer.remove();
}

/**
 * An element's width without a forced layout, and what to do when it changes: once a frame at most, and not for a change of
 * height. Only before its first layout (it is 0) the element itself is asked.
 */
function watchedWidth(element: HTMLElement, then: () => void): () => number {
  let width = 0;
  let frame = 0;
  new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(then);
  }).observe(element);
  return () => width || element.clientWidth;
}
