import { t } from '../../engine/index';
import { h, plain } from '../draw';

const svgNamespace = 'http://www.w3.org/2000/svg';

export interface Series {
  /** CSS class of its line and label: `series-a`, `series-b`. */
  readonly class: string;
  readonly label: string;
  readonly values: readonly number[];
}

export interface ChartOptions {
  /** Labels of the horizontal axis. `at` is an index into the values, which are evenly spaced. */
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  /** The upper end of the vertical axis; the lower is 0. */
  readonly top: number;
  readonly topText: string;
  readonly series: readonly Series[];
  /** Index of the highlighted point. */
  readonly mark: number;
  /** Accessible description of the whole chart. */
  readonly label: string;
}

const size = { width: 264, height: 112, left: 34, right: 6, top: 8, bottom: 18 } as const;

/** A small line chart, followed by a note if values are missing. Only the note if all are. */
export function lineChart(options: ChartOptions): readonly Element[] {
  const values = options.series.flatMap((one) => one.values);
  const missing = values.filter((value) => !Number.isFinite(value)).length;
  if (missing === 0) return [chartSvg(options)];
  const all = missing === values.length;
  const said = all
    ? t('No point can be drawn: every value is NaN or infinite, since the scores have NaN or infinities.')
    : t('{0} of {1} points are not drawn: their values are NaN or infinite.', missing, values.length);
  const note = h('p', { class: 'chart-missing' }, said);
  return all ? [note] : [chartSvg(options), note];
}

/** Draws the chart with labels at the axes and the highlighted point. Colours come from CSS classes. */
function chartSvg(options: ChartOptions): SVGSVGElement {
  const { series, ticks, mark } = options;
  const count = series[0]?.values.length ?? 0;
  const x = (i: number): number => size.left + (i / Math.max(1, count - 1)) * (size.width - size.left - size.right);
  const foot = size.height - size.bottom;
  const y = (value: number): number => foot - (Math.min(value, options.top) / (options.top || 1)) * (foot - size.top);
  const svg = node('svg', {
    class: 'chart', viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height,
    role: 'img', 'aria-label': plain(options.label),
  }) as SVGSVGElement; // prettier-ignore
  svg.append(
    node('path', { class: 'chart-axis', d: `M${size.left} ${size.top}V${foot}H${size.width - size.right}` }),
    text(size.left - 4, size.top + 4, 'end', options.topText),
    text(size.left - 4, foot, 'end', '0'),
    ...ticks.map(({ at, text: label }) => text(x(at), size.height - 4, at === count - 1 ? 'end' : 'middle', label)),
    node('path', { class: 'chart-mark', d: `M${x(mark)} ${size.top}V${foot}` }),
    ...series.flatMap((one) => line(one, x, y, mark)),
  );
  return svg;
}

function line(
  { class: name, values }: Series,
  x: (i: number) => number,
  y: (v: number) => number,
  mark: number,
): Element[] {
  const at = values[mark];
  return [
    ...runsOf(values).map((run) => {
      // A single point between missing ones becomes a line of zero length, which round caps show as a dot.
      const places = run.length === 1 ? [...run, ...run] : run;
      const points = places.map((i) => `${x(i).toFixed(1)},${y(values[i] ?? 0).toFixed(1)}`).join(' ');
      return node('polyline', { class: `chart-line ${name}`, points });
    }),
    ...(at === undefined || !Number.isFinite(at)
      ? []
      : [node('circle', { class: `chart-point ${name}`, cx: x(mark), cy: y(at), r: 3 })]),
  ];
}

/** Indices of consecutive finite values, split at missing ones. */
function runsOf(values: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = [[]];
  values.forEach((value, i) => {
    if (Number.isFinite(value)) runs.at(-1)?.push(i);
    else runs.push([]);
  });
  return runs.filter((run) => run.length > 0);
}

function text(x: number, y: number, anchor: string, content: string): Element {
  const element = node('text', { class: 'chart-text', x, y, 'text-anchor': anchor });
  element.textContent = content;
  return element;
}

function node(name: string, attributes: Readonly<Record<string, string | number>>): Element {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
