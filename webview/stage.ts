import { type Step } from '../engine/index';
import { renderFormula } from './katex';
import { createStepView, type StepView } from './product';
import { prose, shapesOf, wordsAt } from './prose';
import type { TraceHandle } from './trace-handle';
import { button, h, setAttribute, setDisabled } from './ui';
import { neighbour, roadOf, type Cell } from './walk';

export interface StageModel {
  readonly trace: TraceHandle;
  readonly step: Step;
  readonly cell: Cell;
  readonly digits: number;
}

export interface StageActions {
  readonly onStep: (id: string) => void;
  readonly onSelect: (step: string, cell: Cell) => void;
  /** What is asked for is on the screen. */
  readonly onDrawn: () => void;
}

export interface Stage {
  /** Name, question, formula, shapes, words and matrices of the current step. */
  readonly element: HTMLElement;
  /** Why, what to notice, and what comes next. */
  readonly cards: HTMLElement;
  update(model: StageModel): void;
  /** Whose steps it shows. */
  trace(): TraceHandle | undefined;
  /** Colours anew, after a change of theme. */
  redraw(): void;
}

export function createStage(actions: StageActions): Stage {
  const title = h('h1', { id: 'stage-title', tabindex: -1 });
  const back = button({
    label: 'Previous step',
    icon: 'left',
    iconOnly: true,
    title: 'Previous step (Left)',
    onClick: () => go(-1),
  });
  const forth = button({
    label: 'Next step',
    icon: 'right',
    iconOnly: true,
    title: 'Next step (Right)',
    onClick: () => go(1),
  });
  const place = h('span', { class: 'place' });
  const formula = h('div', { class: 'formula' });
  const shapes = h('div', { class: 'shapes' });
  const lead = h('p', { class: 'lead' });
  const picture = h('div', { class: 'picture' });
  const head = h('div', { class: 'stage-head' }, title, h('div', { class: 'stage-walk' }, back, place, forth));
  const element = h(
    'section',
    { class: 'stage', 'aria-labelledby': 'stage-title' },
    head,
    h('div', { class: 'formula-line' }, formula, shapes),
    lead,
    h('h2', { class: 'said' }, 'Matrices'),
    picture,
  );
  const cards = h('section', { class: 'cards', 'aria-label': 'Reasons' });
  let model: StageModel | undefined;
  const pictures: Pictures = { box: picture, shown: undefined, coming: undefined };

  const go = (by: -1 | 1): void => {
    const to = model && neighbour(model.trace.plan, model.step, by);
    if (to) actions.onStep(to.id);
  };
  const drawHead = ({ trace: { plan }, step }: StageModel): void => {
    const road = roadOf(plan);
    setAttribute(element, 'data-current-step', step.id);
    title.replaceChildren(
      h('span', { class: 'step-name' }, `${step.words.name}: `),
      ...prose(step.words.question, plan, step),
    );
    renderFormula(step.formula.roles, formula, true);
    shapes.replaceChildren(...shapesOf(plan, step));
    place.textContent = step.place === 'input' ? 'input' : `${road.indexOf(step) + 1} of ${road.length}`;
    setDisabled(back, !neighbour(plan, step, -1));
    setDisabled(forth, !neighbour(plan, step, 1));
  };
  const drawWords = (shown: StageModel): void => {
    const { trace, step, cell } = shown;
    const { plan } = trace;
    const said = wordsAt(trace.spec, plan, step, cell);
    lead.replaceChildren(...prose(said.what, plan, step));
    cards.replaceChildren(
      card('Why', prose(said.why, plan, step)),
      card('Notice', prose(said.notice, plan, step)),
      nextCard(shown, onNext),
    );
  };
  /** The link goes with its step: the keyboard goes on at the next one's title. */
  const onNext = (id: string): void => {
    actions.onStep(id);
    title.focus({ preventScroll: true });
  };
  const draw = (): void => {
    if (model && picture.clientWidth > 0) showStep(model, pictures, actions);
  };
  whenWidthChanges(picture, draw);
  return {
    element,
    cards,
    update(next) {
      const before = model;
      model = next;
      const sameStep = before?.trace === next.trace && before.step === next.step;
      if (!sameStep) drawHead(next);
      // Drawing the same words again would take the focus out of them.
      if (!sameStep || String(before.cell) !== String(next.cell)) drawWords(next);
      draw();
    },
    trace: () => model?.trace,
    redraw: () => [pictures.shown, pictures.coming].forEach((p) => p?.view.redraw()),
  };
}

const card = (title: string, text: readonly Node[]): HTMLElement =>
  h('div', { class: 'card' }, h('h2', {}, title), h('p', {}, ...text));

function nextCard({ trace: { plan }, step }: StageModel, onStep: (id: string) => void): HTMLElement {
  const next = neighbour(plan, step, 1);
  if (!next)
    return card('The end', prose('Click any number to see where it came from, back to the input.', plan, step));
  const link = h('button', { type: 'button', class: 'text-link' }, next.words.name);
  link.addEventListener('click', () => onStep(next.id));
  return h(
    'div',
    { class: 'card' },
    h('h2', {}, 'Next'),
    h('p', {}, link, ': ', ...prose(next.words.question, plan, next)),
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

/** Keeps the picture while only the selected cell changes; otherwise the old one stays until the new one has drawn. */
function showStep(model: StageModel, pictures: Pictures, { onSelect, onDrawn }: StageActions): void {
  const { trace, step, digits, cell } = model;
  const width = pictures.box.clientWidth;
  const key = [trace, step, digits, width];
  const latest = pictures.coming ?? pictures.shown;
  if (latest && key.every((part, i) => part === latest.key[i])) {
    latest.view.select(cell[0], cell[1]);
    if (!pictures.coming) onDrawn();
    return;
  }
  const view = createStepView(step, trace, {
    digits,
    width,
    selected: cell,
    onSelect: (id, row, column) => onSelect(id, [row, column]),
  });
  const layer = h('div', { class: 'picture-layer coming' }, view.element);
  const picture: Picture = { view, layer, key };
  drop(pictures.coming);
  pictures.coming = picture;
  pictures.box.append(layer);
  const finish = (): void => {
    if (pictures.coming !== picture) return;
    drop(pictures.shown);
    layer.classList.remove('coming');
    [pictures.shown, pictures.coming] = [picture, undefined];
    onDrawn();
  };
  // A worker that was stopped answers no more; what has been drawn is still the better picture.
  view.drawn.then(finish, finish);
}

function drop(picture: Picture | undefined): void {
  picture?.view.destroy();
  picture?.layer.remove();
}

/** Once a frame at most, and not for a change of height. */
function whenWidthChanges(element: HTMLElement, then: () => void): void {
  let width = 0;
  let frame = 0;
  new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(then);
  }).observe(element);
}
