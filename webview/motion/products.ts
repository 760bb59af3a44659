import {
  shownProducts,
  t,
  type CellExplanation,
  type ProductTerm,
  type ShownProducts,
  type ShownTerm,
} from '../../engine/index';
import type { Frame, MotionNumber, Piece, Said, Story } from './frame';
import {
  cellHeight,
  cellNumber,
  columnLabel,
  columnName,
  columnWidth,
  inMatrix,
  labelsWidth,
  largestOf,
  operandOf,
  padOf,
  rowHeight,
  rowLabel,
  rowName,
  said,
  stripOf,
  widestStage,
  widthFor,
  workNumber,
  type Strip,
} from './layout';
import type { Material } from './material';

type Products = Extract<CellExplanation, { kind: 'products' }>;

/** Longer sums show their largest products, and the others as one. */
const mostTerms = 8;

/** One line of the table: a pair, or what all others add up to. */
interface Pair {
  readonly label: string;
  readonly left?: MotionNumber;
  readonly right?: MotionNumber;
  readonly product: MotionNumber;
  readonly value: number;
  /** The sum up to this product; none where others have no line of their own, as it would not be that of the lines. */
  readonly sum?: MotionNumber;
  /** The sum of the lines up to this one. */
  readonly partial: number;
}

/** A row times a column, ready to be drawn. */
interface Meeting {
  readonly cell: Products;
  readonly pairs: readonly Pair[];
  readonly total: MotionNumber;
  readonly result: MotionNumber;
}

function meetingOf(material: Material, cell: Products): Meeting {
  const chosen =
    cell.terms.length + (cell.rest?.count ?? 0) > mostTerms
      ? largestOf(cell.terms.map(({ product }) => Math.abs(product)), mostTerms - 1) // prettier-ignore
      : cell.terms.map((_, i) => i);
  const shown = shownProducts(cell, material.places, chosen);
  const left = operandOf(material, 0);
  const others = othersOf(cell, shown, chosen);
  let partial = 0;
  const pairs = shown.terms.map((term) => {
    const pair = pairOf(cell, term, columnLabel(left, cell.terms[term.at]?.left.index.at(-1) ?? 0)); // prettier-ignore
    return { ...pair, partial: (partial += pair.value), ...(!others && { sum: workNumber(cell, cell.terms[term.at]?.partialSum ?? NaN, term.sum) }) }; // prettier-ignore
  });
  const total = workNumber(cell, cell.value, shown.total);
  return { cell, pairs: others ? [...pairs, others] : pairs, total, result: inMatrix(material, cell) };
}

function pairOf(cell: Products, shown: ShownTerm, label: string): Omit<Pair, 'partial'> {
  const { left, right, product } = cell.terms[shown.at] as ProductTerm;
  return {
    label,
    left: cellNumber(left, shown.left.text),
    right: cellNumber(right, shown.right.text),
    product: workNumber(cell, product, shown.product),
    value: product,
  };
}

function othersOf(cell: Products, shown: ShownProducts, chosen: readonly number[]): Pair | undefined {
  if (!shown.others) return undefined;
  const value = cell.terms.reduce((sum, { product }, i) => (chosen.includes(i) ? sum : sum + product), cell.rest?.sum ?? 0); // prettier-ignore
  const count = cell.terms.length - chosen.length + (cell.rest?.count ?? 0);
  const product = workNumber(cell, value, shown.others);
  return { label: t('{0} others', count), product, value, partial: cell.value };
}

const textsOf = ({ pairs }: Meeting, of: (pair: Pair) => MotionNumber | undefined): string[] =>
  pairs.flatMap((pair) => of(pair)?.text ?? []);

/** Columns of the table, and the strip below it. */
interface Places {
  readonly width: number;
  readonly labels: number;
  readonly left: number;
  readonly right: number;
  readonly product: number;
  readonly numbers: { readonly left: number; readonly right: number; readonly product: number };
  readonly bars: { readonly x: number; readonly width: number };
  readonly sums: number;
  readonly strip: Strip;
  readonly height: number;
}

const [headHeight, signWidth, leastBars] = [22, 15, 24];

function placesOf(material: Material, meetings: readonly Meeting[], room: number): Places {
  const width = Math.min(room, widestStage);
  const pairs = meetings.flatMap((meeting) => meeting.pairs);
  const texts = (of: (pair: Pair) => MotionNumber | undefined): number =>
    Math.max(...meetings.map((meeting) => columnWidth(textsOf(meeting, of))));
  const numbers = { left: texts((p) => p.left), right: texts((p) => p.right), product: texts((p) => p.product) };
  const wanted = labelsWidth(pairs.map(({ label }) => label), width); // prettier-ignore
  const taken = numbers.left + numbers.right + numbers.product + 2 * signWidth;
  // Labels give way to the bars, which say most.
  const labels = Math.max(0, Math.min(wanted, width - taken - 46));
  const left = labels + 4;
  const right = left + numbers.left + signWidth;
  const product = right + numbers.right + signWidth;
  const bars = { x: product + numbers.product + 6, width: width - product - numbers.product - 6 };
  const rows = Math.max(0, ...meetings.map((meeting) => meeting.pairs.length));
  const sums = headHeight + rows * rowHeight + 6;
  const results = meetings.map(({ result }) => result.text);
  const strip = stripOf(material, width, sums + rowHeight + 12, widthFor(results));
  return {
    width,
    labels,
    left,
    right,
    product,
    numbers,
    bars,
    sums,
    strip,
    height: sums + rowHeight + 12 + strip.height,
  };
}

/** Where a pair stands in time: apart, side by side, multiplied, or `poured` as far as the given number of products. */
interface Moment {
  readonly apart?: boolean;
  readonly multiplied?: boolean;
  readonly poured: number;
  readonly landed?: boolean;
}

const yOf = (i: number): number => headHeight + i * rowHeight;

/** The pieces of one meeting at one moment. */
function meetingPieces(material: Material, places: Places, meeting: Meeting, moment: Moment): Piece[] {
  return [
    ...headPieces(material, places, meeting.cell, moment.apart ?? false),
    ...meeting.pairs.flatMap((_, i) => pairPieces(material, places, meeting, i, moment)),
    ...sumPieces(material, places, meeting, moment),
  ];
}

/** One line: two factors, and once they are multiplied their product with its bar. */
function pairPieces(material: Material, places: Places, meeting: Meeting, i: number, moment: Moment): Piece[] {
  const { cell, pairs } = meeting;
  const pair = pairs[i] as Pair;
  const { apart = false, multiplied = false, poured, landed = false } = moment;
  const [j, y, height] = [cell.index.at(-1) ?? 0, yOf(i), cellHeight];
  const dim = landed || i < poured;
  const pad = (of: (pair: Pair) => MotionNumber | undefined): number => padOf(of(pair)?.text ?? '', textsOf(meeting, of));
  const { numbers } = places;
  const pieces: Piece[] = [];
  if (places.labels && !apart) pieces.push({ id: `label-${i}`, look: 'label', x: 0, y, width: places.labels, height, text: pair.label });
  if (pair.left && pair.right) {
    const lying = apart ? lyingAt(places, i) : { x: places.left, y };
    pieces.push(
      { id: `left-${i}`, look: 'cell', ...lying, width: numbers.left, height, role: operandOf(material, 0).role, number: pair.left, pad: pad((p) => p.left), dim },
      { id: `right-${j}-${i}`, look: 'cell', x: apart ? farOf(places) : places.right, y, width: numbers.right, height, role: operandOf(material, 1).role, number: pair.right, pad: pad((p) => p.right), dim },
    );
    if (!apart) pieces.push(sign(`times-${i}`, '×', places.right - signWidth, y));
  }
  if (!multiplied) return pieces;
  if (pair.left) pieces.push(sign(`equals-${i}`, '=', places.product - signWidth, y));
  return [
    ...pieces,
    { id: `product-${j}-${i}`, look: 'plain', x: places.product, y, width: numbers.product, height, number: pair.product, pad: pad((p) => p.product), dim },
    ...barPieces(places, pairs, i, j, moment),
  ];
} // prettier-ignore

/** Where the column stands before it meets the row. */
const farOf = ({ width, numbers }: Places): number => width - numbers.right;

/** The row as it lies in its matrix, in as many lines as it needs beside the column. */
function lyingAt({ width, numbers }: Places, i: number): Pick<Piece, 'x' | 'y'> {
  const perLine = Math.max(1, Math.floor((width - numbers.right - 12) / (numbers.left + 3)));
  return { x: (i % perLine) * (numbers.left + 3), y: headHeight + Math.floor(i / perLine) * rowHeight };
}

const sign = (id: string, text: string, x: number, y: number): Piece => ({ id, look: 'sign', x, y, width: signWidth, height: cellHeight, text }); // prettier-ignore

/** The names of the row and of the column. */
function headPieces(material: Material, places: Places, cell: Products, apart: boolean): Piece[] {
  const [leftStep, rightStep] = [operandOf(material, 0), operandOf(material, 1)];
  const [i, j] = [cell.index.at(-2) ?? 0, cell.index.at(-1) ?? 0];
  const head = (id: string, x: number, width: number, of: typeof leftStep, text: string, below: string): Piece => ({ id, look: 'head', x, y: 0, width, height: cellHeight, role: of.role, text, below }); // prettier-ignore
  const far = farOf(places);
  const turned = isTurned(material);
  return [
    head('head-left', apart ? 0 : places.left, places.numbers.left, leftStep, leftStep.symbol.toLowerCase(), rowLabel(leftStep, i)), // prettier-ignore
    turned
      ? head(`head-right-${j}`, apart ? far : places.right, places.numbers.right, rightStep, rightStep.symbol.toLowerCase(), rowLabel(rightStep, j)) // prettier-ignore
      : head(`head-right-${j}`, apart ? far : places.right, places.numbers.right, rightStep, rightStep.symbol, columnLabel(rightStep, j)), // prettier-ignore
  ];
}

const isTurned = ({ step }: Material): boolean => step.call.op === 'matmul' && step.call.transposeB;

/** The bar of a product: in its line, from the middle to either side, and then end to end with the others. */
function barPieces(
  { bars, product, sums }: Places,
  pairs: readonly Pair[],
  i: number,
  j: number,
  { poured, landed }: Moment,
): Piece[] {
  const pair = pairs[i];
  if (!pair || landed || !Number.isFinite(pair.value)) return [];
  const height = 12;
  const look = { id: `bar-${j}-${i}`, look: 'bar', height, negative: pair.value < 0 } as const;
  if (i < poured) {
    const { low, scale } = sumScale(product, pairs);
    const from = Math.min(pair.partial, pair.partial - pair.value);
    // Two lanes, one for each direction, as they would cover each other in one.
    const y = sums + (pair.value < 0 ? 11 : 2);
    return [{ ...look, height: 8, x: (from - low) * scale, y, width: Math.max(1, Math.abs(pair.value) * scale) }];
  }
  if (bars.width < leastBars) return [];
  const most = Math.max(...pairs.map(({ value }) => Math.abs(value)).filter(Number.isFinite), 0);
  const width = most > 0 ? (Math.abs(pair.value) / most) * (bars.width / 2) : 0;
  const middle = bars.x + bars.width / 2;
  return [
    { id: `axis-${i}`, look: 'axis', x: middle, y: yOf(i), width: 1, height: cellHeight },
    ...(i < poured
      ? []
      : [{ ...look, x: pair.value < 0 ? middle - width : middle, y: yOf(i) + 4, width: Math.max(1, width) }]),
  ];
}

/** Where bars that are added end to end stand: from the least sum on the way, pixels for 1. */
function sumScale(width: number, pairs: readonly Pair[]): { readonly low: number; readonly scale: number } {
  const ends = pairs.flatMap(({ partial, value }) => [partial, partial - value]).filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  return { low, scale: high > low ? (width - 16) / (high - low) : 0 };
}

/** The running sum, and the cell that it becomes. */
function sumPieces(
  { step, column }: Material,
  { product, numbers, sums, strip, width }: Places,
  { cell, pairs, total, result }: Meeting,
  { poured, landed }: Moment,
): Piece[] {
  const j = cell.index.at(-1) ?? 0;
  const wide = Math.max(numbers.product, widthFor([total.text]));
  const below = { x: Math.min(product, width - wide), y: sums, width: wide, height: cellHeight };
  const lit = j === column;
  if (landed) return [{ ...landedPlace(strip, j, below), id: `sum-${j}`, look: 'cell', role: step.role, number: result, lit }, ...filled(strip, j, step.role, lit)]; // prettier-ignore
  const number = poured >= pairs.length ? total : pairs[poured - 1]?.sum;
  const { low, scale } = sumScale(product, pairs);
  // Zero, where the sum begins.
  const axis: Piece[] = poured > 0 ? [{ id: `axis-sum-${j}`, look: 'axis', x: -low * scale, y: sums, width: 1, height: cellHeight }] : []; // prettier-ignore
  if (!number) return axis;
  return [
    ...axis,
    sign('equals-sum', '=', product - signWidth, sums),
    { ...below, id: `sum-${j}`, look: 'cell', role: step.role, number, lit },
  ];
}

/** In slots too narrow for numbers, the number stays above and its slot is filled. */
const landedPlace = (
  strip: Strip,
  j: number,
  above: Pick<Piece, 'x' | 'y' | 'width' | 'height'>,
): Pick<Piece, 'x' | 'y' | 'width' | 'height'> => (strip.numbers ? strip.at(j) : above);

const filled = (strip: Strip, j: number, role: Piece['role'], lit: boolean): Piece[] =>
  strip.numbers ? [] : [{ ...strip.at(j), id: `full-${j}`, look: 'cell', ...(role && { role }), lit }];

// --- sentences -----------------------------------------------------------------

/** What meets, and that of many pairs some are shown: no digit of it may be taken for a number of the trace. */
const apartSaid = (material: Material, meeting: Meeting): Said => {
  const { text, names } = meetSaid(material, meeting);
  const isWhole = meeting.pairs.every(({ left }) => left);
  return said(isWhole ? text : `${text} ${t('Shown: the pairs with the largest products.')}`, names);
};

/** The names of what meets: for scores query and key, else row and column. */
const meetSaid = (material: Material, { cell }: Meeting): Said => {
  const [left, right] = [operandOf(material, 0), operandOf(material, 1)];
  const [i, j] = [cell.index.at(-2) ?? 0, cell.index.at(-1) ?? 0];
  const row = rowName(left, i);
  const column = isTurned(material) ? rowName(right, j) : columnName(right, j);
  if (left.role === 'query' && right.role === 'key')
    return said(t('The query of {0} and the key of {1}: as many numbers each.', row, column), [row, column]);
  const names = [row, column, left.symbol, right.symbol];
  if (left.role === 'weights' && right.role === 'value')
    return said(t('The weights of {0}, and of each value the number in {1}: one pair for every key.', row, column), [
      row,
      column,
    ]);
  return said(t('{0} of {1} and {2} of {3}: as many numbers each.', row, left.symbol, column, right.symbol), names);
};

const pouredSaid = ({ product, sum, left }: Pair, first: boolean, total: MotionNumber): Said => {
  if (!left) return said(t('All the smaller ones together make {0}. With them the sum is {1}.', product.text, total.text), [], [product, total]);
  if (!sum) return said(t('{0} goes into the sum, which is complete once the smaller ones are in it too.', product.text), [], [product]);
  return first
    ? said(t('The sum begins with the first product, {0}.', sum.text), [], [sum])
    : said(t('{0} is added: the sum is now {1}.', product.text, sum.text), [], [product, sum]);
}; // prettier-ignore

const landedSaid = (material: Material, { cell, result }: Meeting): Said => {
  const { step } = material;
  const names = [step.symbol, rowName(step, cell.index.at(-2) ?? 0), columnName(step, cell.index.at(-1) ?? 0)];
  return said(t('The sum is the cell: {0} at {1}, {2} is {3}.', ...names, result.text), names, [result]);
};

// --- stories -------------------------------------------------------------------

/** One sum of products: row and column meet, pair by pair they are multiplied, the products fall into a sum, and the sum into its cell. */
export function productStory(material: Material, room: number): Story {
  const cells = [...material.cells.values()].filter((cell) => cell.kind === 'products');
  const meetings = cells.map((cell) => meetingOf(material, cell));
  const places = placesOf(material, meetings, room);
  const frames =
    material.scope === 'row'
      ? rowFrames(material, places, meetings)
      : meetings.flatMap((m) => cellFrames(material, places, m));
  return { width: places.width, height: places.height, frames };
}

function cellFrames(material: Material, places: Places, meeting: Meeting): Frame[] {
  const frame = (words: Said, moment: Moment): Frame => ({
    said: words,
    pieces: [...places.strip.pieces, ...meetingPieces(material, places, meeting, moment)],
  });
  const { pairs } = meeting;
  return [
    frame(apartSaid(material, meeting), { apart: true, poured: 0 }),
    frame(said(t('They stand side by side. Nothing is computed yet.')), { poured: 0 }),
    frame(said(t('Each pair is multiplied. Bars to the right will raise the sum, bars to the left lower it.')), { multiplied: true, poured: 0 }),
    ...pairs.map((pair, i) => frame(pouredSaid(pair, i === 0, meeting.total), { multiplied: true, poured: i + 1 })),
    frame(landedSaid(material, meeting), { multiplied: true, poured: pairs.length, landed: true }),
  ]; // prettier-ignore
}

/** Column after column: its pairs, and then its sum, which stays. The next column waits at the right. */
function rowFrames(material: Material, places: Places, meetings: readonly Meeting[]): Frame[] {
  const landed = (i: number): Piece[] =>
    meetings.slice(0, i).flatMap((meeting) => landedPieces(material, places, meeting));
  const waiting = (i: number): Piece[] => {
    const next = meetings[i];
    return next ? meetingPieces(material, places, next, { apart: true, poured: 0 }).filter(({ id }) => id.startsWith(`right-`)).map((piece) => ({ ...piece, dim: true })) : []; // prettier-ignore
  };
  return meetings.flatMap((meeting, i): Frame[] => {
    const at = (moment: Moment): Piece[] => [
      ...places.strip.pieces,
      ...meetingPieces(material, places, meeting, moment),
      ...landed(i),
      // Only once the bars are gone, which stand there.
      ...(moment.landed && places.bars.width > places.numbers.right + 8 ? waiting(i + 1) : []),
    ];
    return [
      { said: apartSaid(material, meeting), pieces: at({ multiplied: true, poured: 0 }) },
      { said: landedSaid(material, meeting), pieces: at({ multiplied: true, poured: meeting.pairs.length, landed: true }) }, // prettier-ignore
    ];
  });
}

/** A cell that has been computed. */
function landedPieces({ step, column }: Material, { strip }: Places, { cell, result }: Meeting): Piece[] {
  const j = cell.index.at(-1) ?? 0;
  const lit = j === column;
  if (!strip.numbers) return filled(strip, j, step.role, lit);
  return [{ ...strip.at(j), id: `sum-${j}`, look: 'cell', role: step.role, number: result, lit }];
}
