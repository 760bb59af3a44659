import { t, type Slice, type Step } from '../../engine/index';
import {
  formatNumber,
  inkOn,
  scaleOf,
  scales,
  type Coloured,
  type NumberFormat,
  type Palette,
  type Rgb,
  type Scale,
} from '../draw';
import {
  besideBar,
  blockAt,
  cellsIn,
  columnsOf,
  endsOf,
  formatFor,
  outlierEnds,
  outlierWidth,
  readSmall,
  rowsOf,
  summarise,
  ticksOf,
  valueAlong,
  type BarInput,
  type Blocks,
  type Summary,
} from '../heatmap';
import { drawnStep, leadingIndex, sliceRequest, type ReadTile, type TraceHandle } from '../trace';
import type { Label, Picture, Shape } from './shapes';

export interface MatrixPictureOptions {
  readonly slice: Slice;
  readonly digits: number;
  readonly palette: Palette;
}

/** Up to this many rows and columns, each cell is drawn; larger matrices are drawn in blocks of cells. */
const maxCellsAcross = 64;
const margin = 20;
/** Width of a character in pixels, in a monospaced font of 12 pixels. */
const characterWidth = 7.3;

/** A picture of a step's matrix: title, labels, numbers where they fit, and colour bar. */
export async function matrixPicture(trace: TraceHandle, own: Step, options: MatrixPictureOptions): Promise<Picture> {
  const lead = leadingIndex(trace, own, options.slice);
  const readOwn: ReadTile = (request) => trace.read(own.id, { ...request, ...sliceRequest(lead) });
  const { step, read } = drawnStep(trace.plan, own, readOwn);
  const summary = await summarise(step, read);
  const [rows, columns] = [rowsOf(step), columnsOf(step)];
  const blocks = await readSmall(step, read, {
    width: Math.min(maxCellsAcross, columns),
    height: Math.min(maxCellsAcross, rows),
  });
  const format = formatFor(step, summary, options.digits);
  return compose(step, blocks, summary, { ...options, format, lead, coloured: own, floor: summary.min });
}

interface Style extends MatrixPictureOptions {
  readonly format: NumberFormat;
  readonly lead: readonly number[];
  /** The step before it was transposed for drawing: its number of keys decides the colours. */
  readonly coloured: Coloured;
  /** The lowest value that counts: in a partly hidden block, lower ones such as a mask's −1e9 are ignored. */
  readonly floor: number;
}

interface Layout {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly upright: boolean;
  readonly whole: boolean;
}

function compose(step: Step, blocks: Blocks, summary: Summary, style: Style): Picture {
  const layout = layoutOf(step, blocks, summary, style);
  const scale = scaleOf(style.coloured, summary, style.palette);
  const matrixWidth = blocks.width * layout.width;
  const bottom = layout.top + blocks.height * layout.height;
  const title = titleOf(step, style.lead);
  const noted = layout.whole ? '' : noteText(blocks);
  const widths = [layout.left + matrixWidth, margin + title.length * 8.6, margin + noted.length * 6.2, 240];
  const width = Math.ceil(Math.max(...widths) + margin);
  const { coloured, format } = style;
  const barInput = { step: coloured, range: summary, format, rough: summary.float32 === true, width: barWidth };
  const more = besideBar(barInput) === undefined ? 0 : scaleNoteHeight;
  const shapes = [
    text(margin, margin + 14, title, { size: 15, bold: true, colour: style.palette.foreground }),
    ...labels(step, blocks, layout, style),
    ...cells(step, blocks, layout, style, scale),
    ...bar(barInput, style, scale, { x: layout.left, y: bottom + 16 }),
    ...(layout.whole ? [] : [text(margin, bottom + 62 + more, noted, { size: 11, colour: style.palette.foreground })]),
  ];
  const height = Math.ceil(bottom + more + (layout.whole ? 56 : 78));
  return { width, height, background: style.palette.background, title, shapes };
}

const shapeText = (step: Step): string => step.shape.slice(-2).join('×');

function titleOf(step: Step, lead: readonly number[]): string {
  const [input, head] = [lead.length > 1 ? lead[0] : undefined, lead.at(-1)];
  const title = `${step.words.name}: ${step.symbol}, ${shapeText(step)}`;
  if (head === undefined) return title;
  return `${title}, ${input === undefined ? t('head {0}', head) : t('input {0}, head {1}', input, head)}`;
}

function layoutOf(step: Step, blocks: Blocks, summary: Summary, { format }: Style): Layout {
  const whole = blocks.cellsDown === 1 && blocks.cellsAcross === 1;
  const widest = Math.max(
    ...[summary.min, summary.max].map((v) => formatNumber(v, format).length),
    summary.masked ? 2 : 1,
  );
  const width = whole && blocks.width <= 32 ? Math.max(28, widest * characterWidth + 12) : whole ? 12 : 8;
  const height = whole && blocks.height <= 32 ? 26 : whole ? 12 : 8;
  const longest = (names: readonly string[]): number =>
    Math.min(24, Math.max(...names.map((n) => n.length), 1)) * characterWidth;
  const upright = whole && longest(step.columnLabels) > width;
  const left = margin + (whole ? longest(step.rowLabels) + 8 : 0);
  const top = margin + 34 + (whole ? (upright ? longest(step.columnLabels) : 14) + 6 : 0);
  return { left, top, width, height, upright, whole };
}

type TextStyle = Partial<Pick<Label, 'size' | 'anchor' | 'bold' | 'mono' | 'upright'>> & { readonly colour: Rgb };
const text = (x: number, y: number, content: string, style: TextStyle): Label => ({
  kind: 'label',
  x,
  y,
  text: content,
  size: 12,
  anchor: 'start',
  ...style,
});

const short = (label: string): string => (label.length > 24 ? `${label.slice(0, 23)}…` : label);

function labels(
  step: Step,
  blocks: Blocks,
  { left, top, width, height, upright, whole }: Layout,
  { palette }: Style,
): Shape[] {
  if (!whole) return [];
  const colour = palette.foreground;
  const size = Math.min(12, height);
  const rows = step.rowLabels
    .slice(0, blocks.height)
    .map((name, i) =>
      text(left - 8, top + (i + 0.5) * height + size * 0.36, short(name), { anchor: 'end', size, colour }),
    );
  const columns = step.columnLabels.slice(0, blocks.width).map((name, j) => {
    const x = left + (j + 0.5) * width;
    const across = Math.min(12, width);
    return upright
      ? text(x + across * 0.36, top - 6, short(name), { upright, size: across, colour })
      : text(x, top - 6, short(name), { anchor: 'middle', colour });
  });
  return [...rows, ...columns];
}

function cells(step: Step, blocks: Blocks, layout: Layout, { palette, format, floor }: Style, scale: Scale): Shape[] {
  const { left, top, width, height, whole } = layout;
  const gap = whole ? 1 : 0;
  return Array.from({ length: blocks.width * blocks.height }, (_, i): Shape[] => {
    const [x, y] = [left + (i % blocks.width) * width, top + Math.floor(i / blocks.width) * height];
    const size = cellsIn(blocks, Math.floor(i / blocks.width), i % blocks.width, rowsOf(step), columnsOf(step));
    const { value, hidden: veiled, pending = false } = blockAt(blocks, i, size, floor);
    const nan = Number.isNaN(value) && !pending;
    const hidden = veiled || (scales[step.kind].hatched && value === 1);
    const fill = nan || hidden || !Number.isFinite(value) ? palette.neutral : scale(value);
    const box: Shape = { kind: 'box', x, y, width: width - gap, height: height - gap, fill };
    const marks = hidden
      ? hatch(x, y, width - gap, height - gap, palette.hatch)
      : nan
        ? cross(x, y, width - gap, height - gap, palette.error)
        : [];
    const shown = nan ? 'NaN' : formatNumber(value, format);
    const fits = whole && height >= 20 && shown.length * characterWidth + 4 <= width;
    const ink = nan ? palette.error : inkOn(fill);
    return [
      box,
      ...marks,
      ...(fits
        ? [text(x + (width - gap) / 2, y + height / 2 + 4, shown, { anchor: 'middle', mono: true, colour: ink })]
        : []),
    ];
  }).flat();
}

function hatch(x: number, y: number, width: number, height: number, colour: Rgb): Shape[] {
  const lines: Shape[] = [];
  for (let d = 6; d < width + height; d += 6) {
    const from: [number, number] = [x + Math.max(0, d - height), y + Math.min(height, d)];
    const to: [number, number] = [x + Math.min(width, d), y + Math.max(0, d - width)];
    lines.push({ kind: 'line', from, to, colour });
  }
  return lines;
}

const cross = (x: number, y: number, width: number, height: number, colour: Rgb): Shape[] => [
  { kind: 'line', from: [x, y], to: [x + width, y + height], colour },
  { kind: 'line', from: [x, y + height], to: [x + width, y], colour },
];

const barWidth = 180;
/** Height of the text below a colour bar with a logarithmic scale, in pixels. */
const scaleNoteHeight = 16;

function bar(input: BarInput, { palette }: Style, scale: Scale, { x, y }: { x: number; y: number }): Shape[] {
  const ends = endsOf(input);
  if (!ends) return [];
  const parts = 90;
  const valueAt = valueAlong(input.step, ends);
  const boxes = Array.from({ length: parts }, (_, i): Shape => ({
    kind: 'box', x: x + (i * barWidth) / parts, y, width: barWidth / parts + 0.5, height: 8, fill: scale(valueAt(i + 0.5, parts)),
  })); // prettier-ignore
  const outliers = outlierEnds(input).map(({ end, value }): Shape => ({
    kind: 'box', x: end === 'start' ? x : x + barWidth - outlierWidth, y, width: outlierWidth, height: 8, fill: scale(value),
  })); // prettier-ignore
  const style = { size: 11, colour: palette.foreground } as const;
  const ticks = ticksOf(input).flatMap(({ at, text: content, textAt, anchor }): Shape[] => [
    ...(anchor === 'middle' ? [tickMark(x + at, y + 8, palette.foreground)] : []),
    text(x + textAt, y + 22, content, { ...style, mono: true, anchor }),
  ]);
  const said = besideBar(input);
  return [
    ...boxes,
    ...outliers,
    ...ticks,
    ...(said === undefined ? [] : [text(x, y + 22 + scaleNoteHeight, said, style)]),
  ];
}

const tickMark = (x: number, y: number, colour: Rgb): Shape => ({ kind: 'line', from: [x, y], to: [x, y + 3], colour });

const noteText = ({ cellsDown, cellsAcross }: Blocks): string =>
  t('Each cell stands for {0} numbers: the one farthest from 0.', `${cellsDown}×${cellsAcross}`);
