import { stepsOf, t, trainingCurve, trainingOf, type CurvePoint } from '../../engine/index';
import { h } from '../draw';

const ns = 'http://www.w3.org/2000/svg';
/** Width and height of the curves' picture in its own units. */
const [width, height] = [600, 120];

/** The checkpoints of a training as a slider, with what was measured along it: undefined where a model is no checkpoint. */
export function trainingStory(name: string, onModel: (name: string) => void): HTMLElement | undefined {
  const checkpoints = trainingOf(name);
  const at = checkpoints.findIndex((model) => model.name === name);
  if (at < 0) return undefined;
  const steps = checkpoints.map(stepsOf);
  const slider = h('input', {
    type: 'range', min: 0, max: checkpoints.length - 1, step: 1, value: at, class: 'opening-slider', 'data-key': 'slider',
    'aria-label': t('Steps of training'), 'aria-valuetext': t('{0} steps', steps[at] ?? 0),
  }) as HTMLInputElement;
  slider.addEventListener('change', () => {
    const chosen = checkpoints[Number(slider.value)];
    if (chosen) onModel(chosen.name);
  });
  const now = h('output', {}, t('{0} steps of training', steps[at] ?? 0));
  slider.addEventListener('input', () => (now.textContent = t('{0} steps of training', steps[Number(slider.value)] ?? 0)));
  const curve = trainingCurve(name);
  return h(
    'section',
    { class: 'opening-training', 'aria-label': t('Training') },
    h('div', { class: 'opening-training-row' }, slider, now),
    ...(curve.length ? [picture(curve, steps[at] ?? 0), legend(curve, steps[at] ?? 0)] : []),
  );
} // prettier-ignore

/** Losses fall and the induction score rises along the steps; a line stands at the checkpoint. */
function picture(curve: readonly CurvePoint[], at: number): SVGSVGElement {
  const last = curve.at(-1)?.step ?? 1;
  const most = Math.max(...curve.flatMap(({ text, repeated }) => [text, repeated]));
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('class', 'opening-curves');
  svg.setAttribute('aria-hidden', 'true');
  const x = (step: number): number => (step / last) * width;
  const line = (of: (point: CurvePoint) => number, part: string): void => {
    const path = document.createElementNS(ns, 'polyline');
    path.setAttribute('points', curve.map((point) => `${x(point.step).toFixed(1)},${(height * (1 - of(point))).toFixed(1)}`).join(' '));
    path.setAttribute('data-curve', part);
    svg.append(path);
  };
  line(({ text }) => text / most, 'text');
  line(({ repeated }) => repeated / most, 'repeated');
  line(({ induction }) => induction, 'induction');
  const here = document.createElementNS(ns, 'line');
  for (const [name, value] of Object.entries({ x1: x(at), x2: x(at), y1: 0, y2: height })) here.setAttribute(name, String(value));
  here.setAttribute('data-curve', 'here');
  svg.append(here);
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
    entry('text', t('loss on text {0} nats', (point?.text ?? NaN).toFixed(2))),
    entry('repeated', t('loss on a second copy {0} nats', (point?.repeated ?? NaN).toFixed(2))),
    entry('induction', t('best induction head {0}', (point?.induction ?? NaN).toFixed(2))),
  );
}
