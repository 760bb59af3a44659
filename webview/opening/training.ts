import { stepsOf, t, trainingCurve, trainingOf, type BoxModel, type CurvePoint } from '../../engine/index';
import { h } from '../draw';

const ns = 'http://www.w3.org/2000/svg';
/** Width and height of the curves' picture in its own units. */
const [width, height] = [600, 120];
/** Where the axis of losses ends, in nats; that of scores ends at 1. */
const mostLoss = 5;

/** The checkpoints of a training as a slider below what was measured along it: undefined where a model is no checkpoint. */
export function trainingStory(name: string, onModel: (name: string) => void): HTMLElement | undefined {
  const checkpoints = trainingOf(name);
  const at = checkpoints.findIndex((model) => model.name === name);
  if (at < 0) return undefined;
  const step = stepsOf({ name });
  const curve = trainingCurve(name);
  const now = h('output', { class: 'opening-now' }, stepsWords(step));
  const slider = createSlider(checkpoints, at, (to) => (now.textContent = stepsWords(to)), onModel);
  return h(
    'section',
    { class: 'opening-training', 'aria-label': t('Training') },
    h('p', { class: 'opening-rise' }, riseWords(curve)),
    chart(curve, step),
    h('div', { class: 'opening-training-row' }, slider),
    now,
    legend(curve, step),
  );
}

const stepsWords = (step: number): string => t('{0} steps of training', grouped(step));

/** Thousands in groups, by a narrow space, which no language takes for a decimal mark: 1 600. */
const grouped = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, '\u202f');

/** A slider along the steps, as wide as the curves above it. It stops at checkpoints alone. */
function createSlider(
  checkpoints: readonly BoxModel[],
  at: number,
  onStep: (step: number) => void,
  onModel: (name: string) => void,
): HTMLElement {
  const steps = checkpoints.map(stepsOf);
  const slider = h('input', {
    type: 'range', min: 0, max: steps.at(-1) ?? 0, step: 1, value: steps[at] ?? 0, class: 'opening-slider', 'data-key': 'slider',
    'aria-label': t('Steps of training'), 'aria-valuetext': stepsWords(steps[at] ?? 0),
  }) as HTMLInputElement;
  const choose = (index: number): void => {
    const chosen = checkpoints[index];
    if (chosen && index !== at) onModel(chosen.name);
  };
  slider.addEventListener('input', () => {
    slider.value = String(steps[nearest(steps, Number(slider.value))] ?? 0);
    onStep(Number(slider.value));
  });
  slider.addEventListener('change', () => choose(nearest(steps, Number(slider.value))));
  slider.addEventListener('keydown', (event) => {
    const to = keyed(event.key, at, steps.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  });
  return slider;
} // prettier-ignore

const nearest = (steps: readonly number[], to: number): number =>
  steps.reduce((best, step, i) => (Math.abs(step - to) < Math.abs((steps[best] ?? 0) - to) ? i : best), 0);

/** The checkpoint that a key leads to; undefined for other keys. */
function keyed(key: string, at: number, last: number): number | undefined {
  if (key === 'Home' || key === 'End') return key === 'Home' ? 0 : last;
  const by = { ArrowRight: 1, ArrowUp: 1, PageUp: 1, ArrowLeft: -1, ArrowDown: -1, PageDown: -1 }[key];
  return by === undefined ? undefined : Math.min(last, Math.max(0, at + by));
}

/** The steps in which the best score rises from a tenth of its largest value to four fifths, and what the loss on a repeat does meanwhile. */
function riseWords(curve: readonly CurvePoint[]): string {
  const most = Math.max(...curve.map(({ induction }) => induction));
  const to = curve.find(({ induction }) => induction >= 0.8 * most);
  const from = curve.filter(({ step, induction }) => step < (to?.step ?? 0) && induction < 0.1 * most).at(-1);
  if (!from || !to) return '';
  return t(
    'Between steps {0} and {1} an induction head appears, one that looks at what followed the same token earlier: its score rises from {2} to {3}, and the loss on a repeat falls from {4} to {5} nats.',
    grouped(from.step), grouped(to.step), two(from.induction), two(to.induction), two(from.repeated), two(to.repeated),
  );
} // prettier-ignore

const two = (x: number): string => x.toFixed(2);

/** The curves between their axes: losses on the left, the score on the right, steps below. */
function chart(curve: readonly CurvePoint[], at: number): HTMLElement {
  const last = curve.at(-1)?.step ?? 1;
  const axis = (side: string, name: string, ends: readonly string[]): HTMLElement =>
    h('div', { class: 'opening-axis', 'data-side': side }, ...ends.map((end) => h('span', {}, end)), h('span', { class: 'opening-axis-name' }, name));
  const steps = Array.from({ length: 6 }, (_, i) => h('span', {}, grouped((last / 5) * i)));
  return h(
    'div',
    { class: 'opening-chart', 'aria-hidden': 'true' },
    axis('left', t('loss in nats'), [String(mostLoss), String(mostLoss / 2), '0']),
    picture(curve, at, last),
    axis('right', t('score'), ['1', '0.5', '0']),
    h('div', { class: 'opening-steps' }, ...steps),
  );
} // prettier-ignore

/** Losses fall and the induction score rises along the steps; a line stands at the checkpoint. */
function picture(curve: readonly CurvePoint[], at: number, last: number): SVGSVGElement {
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('class', 'opening-curves');
  const x = (step: number): number => (step / last) * width;
  const straight = (part: string, [x1, x2, y1, y2]: readonly [number, number, number, number]): void => {
    const line = document.createElementNS(ns, 'line');
    for (const [name, value] of Object.entries({ x1, x2, y1, y2 })) line.setAttribute(name, String(value));
    line.setAttribute('data-curve', part);
    svg.append(line);
  };
  const line = (of: (point: CurvePoint) => number, part: string): void => {
    const path = document.createElementNS(ns, 'polyline');
    path.setAttribute('points', curve.map((point) => `${x(point.step).toFixed(1)},${(height * (1 - of(point))).toFixed(1)}`).join(' '));
    path.setAttribute('data-curve', part);
    svg.append(path);
  };
  straight('grid', [0, width, height / 2, height / 2]);
  line(({ text }) => text / mostLoss, 'text');
  line(({ repeated }) => repeated / mostLoss, 'repeated');
  line(({ induction }) => induction, 'induction');
  straight('here', [x(at), x(at), 0, height]);
  return svg;
} // prettier-ignore

/** What the curves are, each with its number at this checkpoint: of the nearest point that was measured. */
function legend(curve: readonly CurvePoint[], at: number): HTMLElement {
  const [point] = [...curve].sort((a, b) => Math.abs(a.step - at) - Math.abs(b.step - at));
  const entry = (part: string, text: string): HTMLElement =>
    h('li', {}, h('span', { class: 'opening-key', 'data-curve': part, 'aria-hidden': 'true' }), text);
  return h(
    'ul',
    { class: 'opening-legend' },
    entry('text', t('loss on text {0} nats', two(point?.text ?? NaN))),
    entry('repeated', t('loss on a repeat {0} nats', two(point?.repeated ?? NaN))),
    entry('induction', t('score of the best induction head {0}', two(point?.induction ?? NaN))),
    h(
      'li',
      {},
      t('Loss: how surprised the model is by the next token, in nats. 0: it was certain; 0.69: a coin toss.'),
    ),
  );
}
