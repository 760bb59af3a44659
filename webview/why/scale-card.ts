import type { Insight } from '../../engine/index';
import { brief } from '../numbers';
import { prose } from '../prose';
import { h, setText } from '../ui';
import { card, facts } from './cards';
import { lineChart } from './chart';

type Of<K extends Insight['kind']> = Extract<Insight, { kind: K }>;

/** A slider over divisors: what the reader's own scores become, without a change to what is shown above. */
export function scaleCard({ points, divideBy, keys }: Of<'scale'>): HTMLElement {
  const own = (points.length - 1) / 2;
  const most = Math.log(keys);
  const input = h('input', {
    type: 'range',
    min: 0,
    max: points.length - 1,
    value: own,
    class: 'slider',
    'aria-label': 'Divide the scores by',
  });
  const chart = h('div', { class: 'chart-box' });
  const spoken = h('output', { class: 'slider-value' });
  const table = h('div', {});
  const draw = (): void => {
    const at = Number(input.value);
    const point = points[at];
    if (!point) return;
    setText(spoken, `÷ ${brief(point.divideBy)}${at === own ? ' (in use)' : ''}`);
    input.setAttribute(
      'aria-valuetext',
      `divided by ${brief(point.divideBy)}: entropy ${brief(point.entropy)}, largest weight ${brief(point.largest)}`,
    );
    chart.replaceChildren(
      lineChart({
        ticks: [0, own, points.length - 1].map((i) => ({ at: i, text: brief(points[i]?.divideBy ?? NaN, 2) })),
        top: 1, topText: '1', mark: at,
        series: [
          { class: 'series-a', label: 'largest weight', values: points.map((p) => p.largest) },
          { class: 'series-b', label: 'entropy', values: points.map((p) => (most > 0 ? p.entropy / most : 0)) },
        ],
        label: `Largest weight and entropy against the divisor, from ${brief(points[0]?.divideBy ?? NaN, 2)} to ${brief(points.at(-1)?.divideBy ?? NaN, 2)}`,
      }),
    ); // prettier-ignore
    table.replaceChildren(
      facts(
        ['largest weight, mean', brief(point.largest)],
        ['entropy, mean', `${brief(point.entropy)} of ${brief(most)} nats`],
        ['norm of the Jacobian, mean', brief(point.jacobianNorm)],
      ),
    );
  };
  input.addEventListener('input', draw);
  draw();
  const legend = h(
    'p',
    { class: 'legend' },
    h('span', { class: 'key series-a' }, 'largest weight'),
    h('span', { class: 'key series-b' }, 'entropy, of its most'),
  );
  const line = h('label', { class: 'slider-line' }, 'Divide by', input, spoken);
  const said = divideBy === 1 ? 'Nothing divides them now.' : `They are divided by ${brief(divideBy)} now.`;
  return card(
    'What does the scale do to your scores?',
    `${said} Smaller divisors let one key take all, and softmax stops learning; larger ones make all keys alike.`,
    line,
    chart,
    legend,
    table,
  );
}

/** Random queries and keys at d_k from 1 to 1024: why the square root. */
export function widthCard({ points, tokens }: Of<'widths'>): HTMLElement {
  const last = points.at(-1);
  const chart = lineChart({
    ticks: [0, 5, 10].map((i) => ({ at: i, text: String(points[i]?.dK ?? '') })),
    top: 1, topText: '1', mark: points.length - 1,
    series: [
      { class: 'series-a', label: 'without √d_k', values: points.map((p) => p.unscaled.largest) },
      { class: 'series-b', label: 'with √d_k', values: points.map((p) => p.scaled.largest) },
    ],
    label: `Largest weight against d_k from 1 to 1024: without scaling it rises to ${brief(last?.unscaled.largest ?? NaN)}, with √d_k it is ${brief(last?.scaled.largest ?? NaN)}`,
  }); // prettier-ignore
  const legend = h(
    'p',
    { class: 'legend' },
    h('span', { class: 'key series-a' }, ...prose('without √d_k', undefined)),
    h('span', { class: 'key series-b' }, ...prose('with √d_k', undefined)),
  );
  return card(
    'And at other widths?',
    `${tokens} random queries and keys of unit variance: the mean of each row’s largest weight at d_k from 1 to 1024.`,
    h('div', { class: 'chart-box' }, chart),
    legend,
    facts(
      ['variance of QKᵀ at d_k = 1024', brief(last?.variance ?? NaN)],
      ['norm of the Jacobian without √d_k', brief(last?.unscaled.jacobianNorm ?? NaN, 3)],
      ['with √d_k', brief(last?.scaled.jacobianNorm ?? NaN, 3)],
    ),
  );
}
