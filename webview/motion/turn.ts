import { shownRotation, t, type CellExplanation } from '../../engine/index';
import type { Frame, MotionNumber, Piece, Said, Story } from './frame';
import {
  cellHeight,
  cellNumber,
  columnLabel,
  columnName,
  inMatrix,
  rowHeight,
  rowName,
  said,
  stripOf,
  widestStage,
  widthFor,
  workNumber,
} from './layout';
import type { Material } from './material';

/* RoPE: two numbers of a row are the ends of an arrow, which turns by the angle of the row's place. */

type Rotated = Extract<CellExplanation, { kind: 'rotated' }>;

/** The numbers of a pair, in the digits with which the cell's line can be redone. */
interface Pair {
  readonly cell: Rotated;
  readonly own: MotionNumber;
  readonly partner: MotionNumber;
  readonly cosine: MotionNumber;
  readonly sine: MotionNumber;
  readonly after: MotionNumber;
  readonly result: MotionNumber;
}

function pairOf(material: Material, cell: Rotated): Pair {
  const line = shownRotation(cell, material.places);
  const text = (i: number): string => line.from[i]?.text ?? '';
  return {
    cell,
    own: cellNumber(cell.own, text(0)),
    cosine: cellNumber(cell.cosine, text(1)),
    partner: cellNumber(cell.partner, text(2)),
    sine: cellNumber(cell.sine, text(3)),
    after: cellNumber(cell, workNumber(cell, cell.value, line.result).text),
    result: inMatrix(material, cell),
  };
}

const [radius, headHeight] = [66, 22];

interface Places {
  readonly width: number;
  readonly numbers: number;
  /** The middle of the circle. */
  readonly middle: readonly [x: number, y: number];
  readonly table: number;
}

/** The arrow's ends: the first of a pair is to the right, the second upwards. */
function arrowsOf({ cell }: Pair): { readonly before: readonly [number, number]; readonly after: readonly [number, number] } {
  const isFirst = cell.sign < 0;
  const [x, y] = isFirst ? [cell.own.value, cell.partner.value] : [cell.partner.value, cell.own.value];
  const [c, s] = [cell.cosine.value, cell.sine.value];
  return { before: [x, y], after: [x * c - y * s, x * s + y * c] };
} // prettier-ignore

const degrees = (x: number, y: number): number => (Math.atan2(-y, x) * 180) / Math.PI;

/** How far the arrow turns on the stage, counterclockwise as in the plane. */
const turned = ({ cell }: Pair): number => degrees(cell.cosine.value, cell.sine.value);

type Act = 'pair' | 'angle' | 'turned' | 'landed';

function piecesAt(material: Material, places: Places, strip: ReturnType<typeof stripOf>, pair: Pair, act: Act): Piece[] {
  const { step } = material;
  const [x, y] = places.middle;
  const { before, after } = arrowsOf(pair);
  const done = act === 'turned' || act === 'landed';
  const [start, length] = [degrees(...before), Math.hypot(...before)];
  const longest = Math.max(length, Math.hypot(...after)) || 1;
  const arrow = (id: string, turn: number, dim: boolean, role: Piece['role']): Piece => ({ id, look: 'arrow', x, y, width: Math.max(2, (radius * length) / longest), height: 2, turn, dim, ...(role && { role }) });
  const line = tablePieces(material, places, pair, act);
  return [
    ...strip.pieces,
    { id: 'circle', look: 'circle', x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius },
    { id: 'across', look: 'axis', x: x - radius, y, width: 2 * radius, height: 1 },
    { id: 'upwards', look: 'axis', x, y: y - radius, width: 1, height: 2 * radius },
    arrow('arrow-before', start, true, undefined),
    arrow('arrow', done ? start + turned(pair) : start, false, step.role),
    ...line,
    ...(act === 'landed' ? [landedPiece(material, strip, pair, places)] : []),
  ];
} // prettier-ignore

/** The line own·cos ∓ partner·sin, part by part. */
function tablePieces(material: Material, { table, numbers }: Places, pair: Pair, act: Act): Piece[] {
  const { cell } = pair;
  const role = material.step.role;
  const at = (id: string, row: number, column: number, number: MotionNumber, look: 'cell' | 'plain', own?: Piece['role']): Piece => ({ id, look, x: table + column * (numbers + 16), y: headHeight + row * 26, width: numbers, height: cellHeight, number, ...(own && { role: own }) });
  const sign = (id: string, row: number, column: number, text: string): Piece => ({ id, look: 'sign', x: table + column * (numbers + 16) - 16, y: headHeight + row * 26, width: 16, height: cellHeight, text });
  const label = (id: string, row: number, text: string): Piece => ({ id, look: 'label', x: table + numbers + 22, y: headHeight + row * 26, width: 60, height: cellHeight, text });
  const first = at('own', 0, 0, pair.own, 'cell', role);
  const second = at('partner', 1, 0, pair.partner, 'cell', role);
  const names = [label('label-own', 0, columnLabel(material.step, cell.own.index.at(-1) ?? 0)), label('label-partner', 1, columnLabel(material.step, cell.partner.index.at(-1) ?? 0))];
  if (act === 'pair') return [first, second, ...names];
  const factors = [
    sign('times-own', 0, 1, '×'),
    at('cosine', 0, 1, pair.cosine, 'cell', 'position'),
    sign('times-partner', 1, 1, '×'),
    at('sine', 1, 1, pair.sine, 'cell', 'position'),
    sign('between', 1, 0, cell.sign < 0 ? '−' : '+'),
  ];
  if (act === 'angle') return [first, second, ...factors];
  const sum = act === 'turned' ? [sign('equals', 2, 0, '='), at('after', 2, 0, pair.after, 'cell', role)] : [];
  return [first, second, ...factors].map((piece): Piece => ({ ...piece, dim: act === 'landed' })).concat(sum);
} // prettier-ignore

const landedPiece = ({ step, column }: Material, strip: ReturnType<typeof stripOf>, { result }: Pair, { table, numbers }: Places): Piece => {
  const place = strip.numbers ? strip.at(column) : { x: table, y: headHeight + 52, width: numbers, height: cellHeight };
  return { ...place, id: 'after', look: 'cell', role: step.role, number: result, lit: true };
}; // prettier-ignore

function saidAt({ step, row }: Material, pair: Pair, act: Act): Said {
  const name = rowName(step, row);
  const number = columnName(step, pair.cell.index.at(-1) ?? 0);
  if (act === 'pair')
    return said(t('Two numbers of {0} are one arrow: {1} and {2}.', name, pair.own.text, pair.partner.text), [name], [pair.own, pair.partner]);
  if (act === 'angle')
    return said(t('Where {0} stands gives an angle: its cosine is {1}, its sine {2}.', name, pair.cosine.text, pair.sine.text), [name], [pair.cosine, pair.sine]);
  if (act === 'turned') return said(t('The arrow turns by this angle and keeps its length. {0} becomes {1}.', pair.own.text, pair.after.text), [], [pair.own, pair.after]);
  return said(t('{0} at {1}, {2} is {3}.', step.symbol, name, number, pair.result.text), [step.symbol, name, number], [pair.result]);
} // prettier-ignore

/** Columns behind the turning ones stay as they are. */
function stayingStory(material: Material, room: number): Story {
  const { step, column } = material;
  const cell = material.cells.get(column);
  if (!cell) return { width: room, height: 0, frames: [] };
  const width = Math.min(room, widestStage);
  const result = inMatrix(material, cell);
  const strip = stripOf(material, width, rowHeight, widthFor([result.text]));
  const above = { x: 0, y: 0, width: widthFor([result.text]), height: cellHeight };
  const piece: Piece = { ...(strip.numbers ? strip.at(column) : above), id: 'after', look: 'cell', role: step.role, number: result, lit: true };
  const words = said(t('This number is in no pair that turns: it stays {0}.', result.text), [], [result]);
  return { width, height: rowHeight + strip.height, frames: [{ said: words, pieces: [...strip.pieces, piece] }] };
} // prettier-ignore

export function turnStory(material: Material, room: number): Story {
  const cell = material.cells.get(material.column);
  if (cell?.kind !== 'rotated') return stayingStory(material, room);
  const pair = pairOf(material, cell);
  const width = Math.min(room, widestStage);
  const numbers = widthFor([pair.own, pair.partner, pair.cosine, pair.sine, pair.after].map(({ text }) => text));
  const table = Math.min(2 * radius + 40, width - 2 * numbers - 16);
  const places: Places = { width, numbers, middle: [radius + 4, radius + 4], table };
  const top = 2 * radius + 18;
  const strip = stripOf(material, width, top, widthFor([pair.result.text]));
  const acts: readonly Act[] = ['pair', 'angle', 'turned', 'landed'];
  const frames = acts.map((act): Frame => ({ said: saidAt(material, pair, act), pieces: piecesAt(material, places, strip, pair, act) }));
  return { width, height: top + strip.height, frames };
} // prettier-ignore
