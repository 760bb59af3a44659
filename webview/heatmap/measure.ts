import { formatNumber, type NumberFormat } from '../numbers';
import type { Range } from '../colours';
import type { Fonts } from './state';

let pen: CanvasRenderingContext2D | null | undefined;

/** Width of a text in CSS pixels. */
export function textWidth(text: string, size: number, family: string): number {
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) throw new Error('this page has no 2D canvas');
  pen.font = `${size}px ${family}`;
  return pen.measureText(text).width;
}

export function readFonts(): Fonts {
  const style = getComputedStyle(document.body);
  return {
    mono: style.getPropertyValue('--heatmap-mono').trim() || 'monospace',
    text: style.fontFamily || 'sans-serif',
  };
}

/** Width of a cell that holds any number of the range at 12 pixels, with air on both sides. */
export function numberCellWidth({ min, max }: Range, format: NumberFormat, fonts: Fonts): number {
  const widths = [min, max].map((v) => textWidth(formatNumber(v, format), 12, fonts.mono));
  return Math.ceil(Math.max(...widths, textWidth('−0.0', 12, fonts.mono)) + 10);
}

/** Labels are 12 pixels tall; the longest few by characters are measured, not all of them. */
export function widestLabel(labels: readonly string[], fonts: Fonts): number {
  const longest = labels.reduce((most, l) => Math.max(most, l.length), 0);
  const candidates = labels.filter((l) => l.length >= longest - 2).slice(0, 20);
  return Math.max(0, ...candidates.map((l) => textWidth(l, 12, fonts.text)));
}

/** Indices rather than tokens: every label is its own number. */
export const areIndices = (labels: readonly string[]): boolean => labels.every((l, i) => l === String(i));
