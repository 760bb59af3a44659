import { formatNumber, type NumberFormat, type Range } from '../draw';
import type { NumberWidths } from './types';
import { onceATheme } from './theme';

export interface Fonts {
  /** Font family of numbers. */
  readonly mono: string;
  readonly text: string;
}

let measuringContext: CanvasRenderingContext2D | null | undefined;

/** Width of a text in CSS pixels. */
function textWidth(text: string, size: number, family: string, weight = 400): number {
  measuringContext ??= document.createElement('canvas').getContext('2d');
  if (!measuringContext) throw new Error('this page has no 2D canvas');
  measuringContext.font = `${weight} ${size}px ${family}`;
  return measuringContext.measureText(text).width;
}

export const readFonts = onceATheme((): Fonts => {
  const style = getComputedStyle(document.body);
  return {
    mono: style.getPropertyValue('--heatmap-mono').trim() || 'monospace',
    text: style.fontFamily || 'sans-serif',
  };
});

/** Font sizes of numbers in cells, in pixels: the largest that fits is used. */
export const numberSizes = [12, 11, 10] as const;

/** The widest numbers of a range as text. */
export const widestNumbers = ({ min, max }: Range, format: NumberFormat): readonly string[] =>
  [min, max].map((v) => formatNumber(v, format));

/** Widths of a cell that can show any number of the range: with padding, and the minimum. */
export function numberCellWidths(range: Range, format: NumberFormat, fonts: Fonts): NumberWidths {
  const at = (size: number): number =>
    Math.max(...['−0.0', ...widestNumbers(range, format)].map((text) => textWidth(text, size, fonts.mono)));
  return { comfortable: Math.ceil(at(12) + 10), least: Math.ceil(at(10) + 6), widest: widestNumbers(range, format) };
}

/** Font weight of a highlighted label (cells.css), which any label may become. */
const litWeight = 600;

/** The greatest width of a label, at 12 pixels. */
export const labelWidth = (label: string, { text }: Fonts): number => textWidth(label, 12, text, litWeight);

/** Cache of the widest label, as a picture asks for the same ones several times. */
const widest = onceATheme(() => new WeakMap<readonly string[], number>());

/** Width of the widest label; only a few labels of each possible length are measured. */
export function widestLabel(labels: readonly string[], fonts: Fonts): number {
  const known = widest();
  const width = known.get(labels) ?? measuredWidest(labels, fonts);
  known.set(labels, width);
  return width;
}

function measuredWidest(labels: readonly string[], fonts: Fonts): number {
  const longest = labels.reduce((most, l) => Math.max(most, l.length), 0);
  const ofLength = (length: number): string[] => labels.filter((l) => l.length === length).slice(0, 20);
  const candidates = [longest, longest - 1, longest - 2].flatMap(ofLength);
  return Math.max(0, ...candidates.map((l) => labelWidth(l, fonts)));
}

/** Whether labels are indices: every label is its own number. */
export const areIndices = (labels: readonly string[]): boolean => labels.every((l, i) => l === String(i));
