import { shownQuotient, t, type CellExplanation } from '../../engine/index';
import { exactNumber } from '../draw';
import type { Frame, MotionNumber, Piece, Said, Story } from './frame';
import {
  cellHeight,
  cellNumber,
  columnLabel,
  columnName,
  inMatrix,
  labelsWidth,
  numberedStrip,
  operandOf,
  rowHeight,
  rowName,
  said,
  widestStage,
  widthFor,
  workNumber,
  type Strip,
} from './layout';
import type { Material } from './material';

/* Steps in which each cell is made of the one in its place: a division shrinks every bar of the row, a mask shuts cells. */

type Quotient = Extract<CellExplanation, { kind: 'quotient' }>;
type Masked = Extract<CellExplanation, { kind: 'masked' }>;

/** Of a longer row the cells around the selected one have a line. */
const mostLines = 8;

interface Line {
  readonly column: number;
  readonly before: MotionNumber;
  readonly after: MotionNumber;
  /** The cell as its matrix shows it. */
  readonly result: MotionNumber;
  /** The divisor, or what the mask says of the cell. */
  readonly by: MotionNumber;
  readonly shut: boolean;
}

function lineOf(material: Material, cell: Quotient | Masked): Line {
  const column = cell.index.at(-1) ?? 0;
  const result = inMatrix(material, cell);
  if (cell.kind === 'masked') {
    const shut = cell.mask.value === 1;
    const by = cellNumber(cell.mask, exactNumber(cell.mask.value));
    return { column, before: inMatrix(material, cell.operand), after: result, result, by, shut };
  }
  const shown = shownQuotient(cell, material.places, { decimals: 4, figures: 4 });
  const [above, by] = shown.from;
  if (!above || !by) throw new Error('a quotient has two parts');
  return {
    column,
    before: cellNumber(cell.operand, above.text),
    after: cellNumber(cell, workNumber(cell, cell.value, shown.result).text),
    result,
    by: workNumber(cell, cell.by, by),
    shut: false,
  };
}

/** Before, with the divisor or the mask beside it, after, and in the row that results. */
type Act = 'before' | 'by' | 'after' | 'landed';

interface Places {
  readonly width: number;
  readonly labels: number;
  readonly numbers: number;
  readonly bys: number;
  readonly bars: { readonly x: number; readonly width: number };
  /** The largest and the smallest number that a bar shows. */
  readonly range: readonly [number, number];
  readonly strip: Strip;
  readonly height: number;
}

const signWidth = 16;

function placesOf(material: Material, lines: readonly Line[], room: number): Places {
  const width = Math.min(room, widestStage);
  const labels = labelsWidth(lines.map(({ column }) => columnLabel(material.step, column)), width); // prettier-ignore
  const numbers = widthFor(lines.flatMap(({ before, after, result }) => [before.text, after.text, result.text]));
  const bys = widthFor(lines.map(({ by }) => by.text));
  const x = labels + 4 + numbers + signWidth + bys + 10;
  const values = lines.flatMap(({ before, after }) => [before.value, after.value]).filter(Number.isFinite);
  const range = [Math.min(0, ...values.filter((one) => one > -1e8)), Math.max(0, ...values)] as const;
  const top = lines.length * rowHeight + 10;
  const strip = numberedStrip(material, width, top, widthFor(lines.map(({ result }) => result.text)));
  return { width, labels, numbers, bys, bars: { x, width: width - x }, range, strip, height: top + strip.height };
}

function piecesAt(material: Material, places: Places, lines: readonly Line[], act: Act): Piece[] {
  const rows = lines.flatMap((line, i) => linePieces(material, places, line, i, act));
  return [...places.strip.pieces, ...rows, ...(act === 'landed' ? otherCells(material, places, lines) : [])];
}

/** Cells without a line come into their slots at the end. */
const otherCells = (material: Material, { strip }: Places, lines: readonly Line[]): Piece[] =>
  [...material.cells].flatMap(([column, cell]): Piece[] =>
    !strip.shows(column) || lines.some((line) => line.column === column)
      ? []
      : [{ ...strip.at(column), id: `number-${column}`, look: 'cell', role: material.step.role, number: inMatrix(material, cell) }],
  ); // prettier-ignore

function linePieces(material: Material, places: Places, line: Line, i: number, act: Act): Piece[] {
  const { step, column } = material;
  const { labels, numbers, strip } = places;
  const [y, height, lit] = [i * rowHeight, cellHeight, line.column === column];
  const done = act === 'after' || act === 'landed';
  const lands = act === 'landed' && strip.shows(line.column);
  const number = act === 'landed' ? line.result : done ? line.after : line.before;
  const role = done ? step.role : operandOf(material, 0).role;
  const home = { x: labels + 4, y, width: numbers, height };
  return [
    { id: `label-${line.column}`, look: 'label', x: 0, y, width: labels, height, text: columnLabel(step, line.column), lit },
    { ...(lands ? strip.at(line.column) : home), id: `number-${line.column}`, look: 'cell', role, number, lit, dim: line.shut && act === 'after' },
    ...byPieces(material, places, line, y, act),
    ...(act === 'landed' ? [] : barPieces(material, places, line, y, act)),
  ]; // prettier-ignore
}

/** The divisor comes to the number and is taken in; what the mask says stays beside it. */
function byPieces(material: Material, places: Places, line: Line, y: number, act: Act): Piece[] {
  const { labels, numbers, bys } = places;
  const masks = material.step.call.op === 'mask';
  const taken = !masks && act === 'after';
  if (act === 'before' || act === 'landed') return [];
  const at = labels + 4 + numbers + signWidth;
  const box = { id: `by-${line.column}`, y, width: bys, height: cellHeight, number: line.by, gone: taken } as const;
  return [
    masks
      ? { ...box, look: 'cell', role: 'mask', x: at, dim: !line.shut }
      : { ...box, look: 'plain', x: taken ? labels + 4 : at },
    { id: `sign-${line.column}`, look: 'sign', x: at - signWidth, y, width: signWidth, height: cellHeight, text: masks ? '' : '÷', gone: taken }, // prettier-ignore
  ];
}

/** A bar from zero; where the mask shuts its cell, a shutter from the right. */
function barPieces({ step }: Material, { bars, range: [low, high], ...places }: Places, line: Line, y: number, act: Act): Piece[] {
  if (bars.width < 24) return [];
  const value = act === 'after' ? line.after.value : line.before.value;
  const at = (x: number): number => bars.x + (high > low ? ((x - low) / (high - low)) * bars.width : 0);
  const shutting = step.call.op === 'mask' && line.shut;
  const span = Number.isFinite(value) && !(shutting && act === 'after') ? [at(Math.min(0, value)), at(Math.max(0, value))] : undefined;
  const closed = act === 'after' ? bars.width : 0;
  return [
    { id: `axis-${line.column}`, look: 'axis', x: at(0), y, width: 1, height: cellHeight },
    ...(span ? [{ id: `bar-${line.column}`, look: 'bar', x: span[0] ?? 0, y: y + 4, width: Math.max(1, (span[1] ?? 0) - (span[0] ?? 0)), height: 12, negative: value < 0 } as const] : []),
    ...(shutting && act !== 'before' ? [{ id: `shutter-${line.column}`, look: 'shutter', x: places.width - closed, y, width: closed, height: cellHeight } as const] : []),
  ];
} // prettier-ignore

function saidAt(material: Material, lines: readonly Line[], act: Act): Said {
  const { step, row, column } = material;
  const name = rowName(step, row);
  const own = lines.find((line) => line.column === column) ?? lines[0];
  if (!own) return said('');
  const key = columnName(step, own.column);
  const masks = step.call.op === 'mask';
  if (act === 'before')
    return said(t('{0} of {1}, as it comes in.', operandOf(material, 0).symbol, name), [
      operandOf(material, 0).symbol,
      name,
    ]);
  if (act === 'landed') return said(t('{0} at {1}, {2} is {3}.', step.symbol, name, key, own.result.text), [step.symbol, name, key], [own.result]); // prettier-ignore
  if (!masks) return dividedSaid(own, act);
  const shut = lines.find((line) => line.shut);
  if (!shut) return said(t('The mask hides nothing here from {0}: every number stays.', name), [name]);
  return act === 'by'
    ? said(t('Beside each what the mask says: where it says {0}, {1} does not look.', shut.by.text, name), [name], [shut.by]) // prettier-ignore
    : said(t('There the cells are shut: {0} stands in them now.', shut.after.text), [], [shut.after]);
}

function dividedSaid(own: Line, act: Act): Said {
  if (act === 'by') return said(t('Each is divided by the same number, {0}.', own.by.text), [], [own.by]);
  const text =
    own.by.value > 1
      ? t('All shrink alike: {0} becomes {1}. Their order stays.', own.before.text, own.after.text)
      : t('{0} becomes {1}.', own.before.text, own.after.text);
  return said(text, [], [own.before, own.after]); // prettier-ignore
}

/** A row of scores, divided or masked. */
export function linesStory(material: Material, room: number): Story {
  const cells = [...material.cells.values()].filter((cell) => cell.kind === 'quotient' || cell.kind === 'masked');
  const at = cells.findIndex((cell) => cell.index.at(-1) === material.column);
  const from = Math.max(0, Math.min(cells.length - mostLines, at - mostLines / 2));
  const lines = cells.slice(from, from + mostLines).map((cell) => lineOf(material, cell));
  const places = placesOf(material, lines, room);
  const acts: readonly Act[] = ['before', 'by', 'after', 'landed'];
  const frames = acts.map((act): Frame => ({ said: saidAt(material, lines, act), pieces: piecesAt(material, places, lines, act) })); // prettier-ignore
  return { width: places.width, height: places.height, frames };
}
