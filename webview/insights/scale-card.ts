import { say, t, type Insight } from '../../engine/index';
import { brief, h, prose, setText, type ProseOptions } from '../draw';
import { card, facts } from './card';
import { lineChart } from './chart';

type Of<K extends Insight['kind']> = Extract<Insight, { kind: K }>;

/** A slider over divisors, showing what the reader's own scores would become. The explanation itself does not change. */
export function scaleCard(scale: Of<'scale'>, telling: ProseOptions): HTMLElement {
  const { points, divideBy, rows, taken } = scale;
  const own = ownOf(scale);
  const input = h('input', {
    type: 'range',
    min: 0,
    max: points.length - 1,
    value: own,
    class: 'slider',
    'aria-label': t('Divide the scores by'),
  });
  const chart = h('div', { class: 'chart-box' });
  const spoken = h('output', { class: 'slider-value' });
  const table = h('div', {});
  const draw = (): void => {
    const at = Number(input.value);
    const point = points[at];
    if (!point) return;
    setText(spoken, at === own ? t('÷ {0} (in use)', brief(point.divideBy)) : `÷ ${brief(point.divideBy)}`);
    input.setAttribute('aria-valuetext', spokenPoint(point));
    chart.replaceChildren(...scaleChart(scale, at));
    table.replaceChildren(scaleFacts(point, scale, telling));
  };
  input.addEventListener('input', draw);
  draw();
  const said = divideBy === 1 ? say('They are not scaled now.') : say('They are divided by {0} now.', brief(divideBy));
  return card(
    telling,
    say('What does the scale do to your scores?'),
    say(
      '{0} With smaller divisors one key gets nearly all the weight, and softmax’s gradients vanish; with larger ones all keys get similar weights.',
      said,
    ),
    h('label', { class: 'slider-line' }, t('Divide by'), input, spoken),
    chart,
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'key series-a' }, t('largest weight')),
      h('span', { class: 'key series-b' }, t('entropy, relative to its maximum')),
    ),
    table,
    ...(taken < rows ? [say('Means over {0} of the {1} [rows|columns], evenly spaced.', taken, rows)] : []),
  );
}

type Point = Of<'scale'>['points'][number];

/** Index of the divisor in use, which is in the middle. */
const ownOf = ({ points }: Of<'scale'>): number => (points.length - 1) / 2;

/** The maximum entropy of a row, in nats: that of equal weights. */
const maxEntropyOf = ({ keys }: Of<'scale'>): number => Math.log(keys);

const spokenPoint = ({ divideBy, entropy, largest }: Point): string =>
  t('divided by {0}: entropy {1}, largest weight {2}', brief(divideBy), brief(entropy), brief(largest));

function scaleChart(scale: Of<'scale'>, at: number): readonly Element[] {
  const { points } = scale;
  const most = maxEntropyOf(scale);
  const divisorAt = (i: number): string => brief(points.at(i)?.divideBy ?? NaN, 2);
  return lineChart({
    ticks: [0, ownOf(scale), points.length - 1].map((i) => ({ at: i, text: divisorAt(i) })),
    top: 1, topText: '1', mark: at,
    series: [
      { class: 'series-a', label: t('largest weight'), values: points.map((p) => p.largest) },
      { class: 'series-b', label: t('entropy'), values: points.map((p) => (most > 0 ? p.entropy / most : 0)) },
    ],
    label: t('Largest weight and entropy against the divisor, from {0} to {1}', divisorAt(0), divisorAt(-1)),
  });
} // prettier-ignore

const scaleFacts = (point: Point, scale: Of<'scale'>, telling: ProseOptions): HTMLElement =>
  facts(
    telling,
    [say('largest weight, mean'), brief(point.largest)],
    [say('entropy, mean'), say('{0} of {1} nats', brief(point.entropy), brief(maxEntropyOf(scale)))],
    [say('norm of the Jacobian, mean'), brief(point.jacobianNorm)],
  );

/** Random queries and keys at d_k from 1 to 1024, to show why the scale is a square root. */
export function widthCard({ points, tokens }: Of<'widths'>, telling: ProseOptions): HTMLElement {
  const last = points.at(-1);
  const chart = lineChart({
    ticks: [0, 5, 10].map((i) => ({ at: i, text: String(points[i]?.dK ?? '') })),
    top: 1, topText: '1', mark: points.length - 1,
    series: [
      { class: 'series-a', label: t('without √d_k'), values: points.map((p) => p.unscaled.largest) },
      { class: 'series-b', label: t('with √d_k'), values: points.map((p) => p.scaled.largest) },
    ],
    label: t('Largest weight against d_k from 1 to 1024: without scaling it rises to {0}, with √d_k it is {1}', brief(last?.unscaled.largest ?? NaN), brief(last?.scaled.largest ?? NaN)),
  }); // prettier-ignore
  const legend = h(
    'p',
    { class: 'legend' },
    h('span', { class: 'key series-a' }, ...prose(say('without √{d_k}'), telling)),
    h('span', { class: 'key series-b' }, ...prose(say('with √{d_k}'), telling)),
  );
  return card(
    telling,
    say('What about other values of d_k?'),
    say(
      '{0} random queries and keys of unit variance: the mean of each [row|column]’s largest weight at {d_k} from 1 to 1024.',
      tokens,
    ),
    h('div', { class: 'chart-box' }, ...chart),
    legend,
    facts(
      telling,
      [say('variance of [{Q}{Kᵀ}|{Kᵀ}{Q}] at {d_k} = 1024'), brief(last?.variance ?? NaN)],
      [say('norm of the Jacobian without √{d_k}'), brief(last?.unscaled.jacobianNorm ?? NaN, 3)],
      [say('with √{d_k}'), brief(last?.scaled.jacobianNorm ?? NaN, 3)],
    ),
  );
}
