import {
  isUnnamed,
  signOf,
  t,
  type CellValue,
  type ShownNumber,
  type ShownResult,
  type Step,
} from '../../engine/index';
import { formatNumber } from '../draw';
import { shortLabel, stepOf } from '../trace';
import type { MotionNumber, Piece, Said } from './frame';
import type { Material } from './material';

/* Places on the stage. Widths of numbers are estimated from the number of characters, so that a frame needs no measuring. */

export const rowHeight = 24;
export const cellHeight = 20;
/** The widest stage: on wider pages numbers that belong together would stand too far apart. */
export const widestStage = 620;

const characterWidth = 7.3;
const padding = 12;

/** The width of a cell for the longest of some texts. */
export const widthFor = (texts: readonly string[]): number =>
  Math.ceil(Math.max(3, ...texts.map((text) => text.length)) * characterWidth) + padding;

/** Characters to leave behind a number such that its point is below those of its column. */
export const padOf = (text: string, column: readonly string[]): number =>
  text.includes('e') ? 0 : Math.max(...column.map(afterPoint)) - afterPoint(text);

const afterPoint = (text: string): number => (text.includes('e') ? 0 : (/\.\d*$/.exec(text)?.[0].length ?? 0));

/** The width of a column of numbers whose points are below each other. */
export const columnWidth = (texts: readonly string[]): number =>
  widthFor(texts.map((text) => text.padEnd(text.length + padOf(text, texts))));

/** The width of a column of labels: as wide as the longest, up to a share of the stage. */
export const labelsWidth = (labels: readonly string[], width: number): number =>
  Math.min(widthFor(labels), Math.max(44, Math.round(width * 0.17)));

/** The value of a cell. */
export const cellNumber = (cell: CellValue, text: string): MotionNumber => ({
  text,
  value: cell.value,
  is: 'cell',
  step: cell.step,
  index: cell.index,
});

/** A number of a cell's arithmetic. */
export const workNumber = (of: CellValue, value: number, shown: ShownNumber | ShownResult): MotionNumber => ({
  text: resultText(shown),
  value,
  is: 'work',
  step: of.step,
  index: of.index,
});

const resultText = (shown: ShownNumber | ShownResult): string =>
  signOf(shown) === '≈' ? `≈ ${shown.text}` : shown.text;

/** A cell's value as its matrix shows it. */
export const inMatrix = ({ places }: Material, cell: CellValue): MotionNumber => {
  const { decimals, exponent = false } = places(cell.step);
  return cellNumber(cell, formatNumber(cell.value, { decimals, exponent }));
};

export function said(text: string, names: readonly string[] = [], numbers: readonly MotionNumber[] = []): Said {
  return { text, names, numbers };
}

export const rowLabel = (step: Step, row: number): string => shortLabel(step.rowLabels, row);
export const columnLabel = (step: Step, column: number): string => shortLabel(step.columnLabels, column);

/** A row or a column as a sentence names it: a word that is spoken of stands in quotes, what has no name is called by its place. */
export const rowName = (step: Step, row: number): string =>
  isUnnamed(step.rowLabels) ? t('row {0}', row) : t('“{0}”', rowLabel(step, row));
export const columnName = (step: Step, column: number): string =>
  isUnnamed(step.columnLabels) ? t('column {0}', column) : t('“{0}”', columnLabel(step, column));

export function operandOf({ plan, step }: Material, i: number): Step {
  const found = stepOf(plan, step.operands[i]);
  if (!found) throw new Error(`step ${step.id} has no operand ${i}`);
  return found;
}

/** Indices of the `most` largest by `size`, ascending; `always` is among them. */
export function largestOf(sizes: readonly number[], most: number, always = -1): number[] {
  const order = sizes.map((_, i) => i).sort((a, b) => Number(b === always) - Number(a === always) || (sizes[b] ?? 0) - (sizes[a] ?? 0)); // prettier-ignore
  return order.slice(0, most).sort((a, b) => a - b);
}

/** The row that results, at the foot of the stage: a slot for each column. */
export interface Strip {
  readonly pieces: readonly Piece[];
  /** The height with its labels. */
  readonly height: number;
  /** Whether numbers fit into the slots. */
  readonly numbers: boolean;
  readonly shows: (column: number) => boolean;
  /** Where a column's slot is. */
  readonly at: (column: number) => Pick<Piece, 'x' | 'y' | 'width' | 'height'>;
}

const [leastSlot, mostSlot, gap, slack] = [9, 64, 3, 9];

/** Of a row too long for the stage, only slots around the cell are shown. */
export function stripOf({ step, column, scope }: Material, width: number, top: number, numberWidth: number): Strip {
  const count = step.shape.at(-1) ?? 1;
  const fitting = Math.max(1, Math.floor((width + gap) / ((scope === 'row' ? leastSlot : numberWidth) + gap)));
  const shown = Math.min(count, fitting);
  const first = Math.max(0, Math.min(count - shown, column - Math.floor(shown / 2)));
  const each = Math.min(Math.max(mostSlot, numberWidth), Math.floor((width + gap) / shown) - gap);
  const at: Strip['at'] = (j) => ({ x: (j - first) * (each + gap), y: top, width: each, height: cellHeight });
  const columns = Array.from({ length: shown }, (_, i) => first + i);
  const labelled = each >= 26;
  const label = (j: number): Piece => {
    const box = at(j);
    const text = columnLabel(step, j);
    const named = labelled ? box : belowSlot(box, width, text);
    return { ...named, id: `under-${j}`, look: 'label', y: top + cellHeight + 1, text, ...(j === column && { lit: true }) }; // prettier-ignore
  };
  return {
    height: cellHeight + 22,
    numbers: each >= numberWidth - slack,
    shows: (j) => j >= first && j < first + shown,
    at,
    pieces: [
      ...columns.map((j): Piece => ({ ...at(j), id: `slot-${j}`, look: 'slot', role: step.role, ...(j === column && { lit: true }) })), // prettier-ignore
      ...columns.filter((j) => labelled || j === column).map(label),
    ],
  };
}

/** None where numbers do not fit, which then stay in their lines: an empty box says nothing. */
export function numberedStrip(...of: Parameters<typeof stripOf>): Strip {
  const strip = stripOf(...of);
  return strip.numbers ? strip : { ...strip, pieces: [], height: 0, shows: () => false };
}

/** The only label of narrow slots has more room than its slot, and its middle below that of the slot. */
const belowSlot = <T extends Pick<Piece, 'x' | 'width'>>(box: T, width: number, text: string): T => {
  const wide = Math.min(80, Math.ceil(text.length * characterWidth) + 2);
  return { ...box, x: Math.max(0, Math.min(width - wide, box.x + box.width / 2 - wide / 2)), width: wide };
};
