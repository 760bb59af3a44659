import { formatNumber, type NumberFormat, type Range } from '../draw';
import type { NumberWidths } from './types';
import { onceATheme } from './theme';

export interface Fonts {
  /** Family of numbers. */
  readonly mono: string;
  readonly text: string;
}

let pen: CanvasRenderingContext2D | null | undefined;

/** Width of a text in CSS pixels. */
function textWidth(text: string, size: number, family: string, weight = 400): number {
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) throw new Error('this page has no 2D canvas');
  pen.font = `${weight} ${size}px ${family}`;
  return pen.measureText(text).width;
}

export const readFonts = onceATheme((): Fonts => {
  const style = getComputedStyle(document.body);
  return {
    mono: style.getPropertyValue('--heatmap-mono').trim() || 'monospace',
    text: style.fontFamily || 'sans-serif',
  };
});

/** Sizes of numbers in cells, in pixels: the largest that fits is taken. */
export const numberSizes = [12, 11, 10] as const;

/** The widest numbers of a matrix as they are written. */
export const widestNumbers = ({ min, max }: Range, format: NumberFormat): readonly string[] =>
  [min, max].map((v) => formatNumber(v, format));

/** Width of a cell that holds any number of the range: with air on both sides, and at the least. */
export function numberCellWidths(range: Range, format: NumberFormat, fonts: Fonts): NumberWidths {
  const at = (size: number): number =>
    Math.max(...['−0.0', ...widestNumbers(range, format)].map((text) => textWidth(text, size, fonts.mono)));
  return { comfortable: Math.ceil(at(12) + 10), least: Math.ceil(at(10) + 6), widest: widestNumbers(range, format) };
}

/** Weight of a label that is lit (cells.css), as any of them may be. */
const litWeight = 600;

/** Width of a label of 12 pixels, as wide as it gets. */
export const labelWidth = (label: string, { text }: Fonts): number => textWidth(label, 12, text, litWeight);

/** Widths of the widest labels: a figure asks several times for the same ones. */
const widest = onceATheme(() => new WeakMap<readonly string[], number>());

/** Width of the widest label; of each length that may have it a few are measured, not all. */
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

/** Indices rather than tokens: every label is its own number. */
export const areIndices = (labels: readonly string[]): boolean => labels.every((l, i) => l === String(i));
