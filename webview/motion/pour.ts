import { shownProducts, t, type CellExplanation, type ProductTerm } from '../../engine/index';
import type { Frame, MotionNumber, Piece, Said, Story } from './frame';
import {
  cellHeight,
  columnLabel,
  columnName,
  inMatrix,
  labelsWidth,
  largestOf,
  operandOf,
  rowHeight,
  rowLabel,
  rowName,
  said,
  widestStage,
  widthFor,
  workNumber,
} from './layout';
import type { Material } from './material';

type Products = Extract<CellExplanation, { kind: 'products' }>;

/** Of more tokens those with the largest weights are poured one by one, and the others together. */
const mostTokens = 8;

/** One column of the result: for each token that is poured its value, the product and the sum so far. */
interface Column {
  readonly at: number;
  readonly label: string;
  readonly values: readonly MotionNumber[];
  readonly products: readonly MotionNumber[];
  readonly sums: readonly MotionNumber[];
  readonly others: MotionNumber | undefined;
  readonly result: MotionNumber;
}

/** A token whose row of values is poured. */
interface Source {
  readonly label: string;
  /** As a sentence names it. */
  readonly name: string;
  readonly weight: MotionNumber;
  readonly amount: number;
  /** Whether tokens without a line of their own have been added since the one before. */
  readonly afterGap: boolean;
}

interface Poured {
  readonly sources: readonly Source[];
  readonly columns: readonly Column[];
  readonly others: number;
}

function pouredOf(material: Material, cells: readonly Products[]): Poured {
  const [first] = cells;
  const terms = first?.terms ?? [];
  const count = terms.length + (first?.rest?.count ?? 0);
  const chosen = count <= mostTokens ? terms.map((_, i) => i) : largestOf(terms.map(({ left }) => left.value), mostTokens - 1); // prettier-ignore
  const left = operandOf(material, 0);
  return {
    sources: chosen.map((at, i) => {
      const weight = (terms[at] as ProductTerm).left;
      const column = weight.index.at(-1) ?? at;
      return { label: columnLabel(left, column), name: columnName(left, column), weight: inMatrix(material, weight), amount: weight.value, afterGap: at !== (chosen[i - 1] ?? -1) + 1 };
    }),
    columns: cells.map((cell) => columnOf(material, cell, chosen)),
    others: count - chosen.length,
  }; // prettier-ignore
}

function columnOf(material: Material, cell: Products, chosen: readonly number[]): Column {
  const at = cell.index.at(-1) ?? 0;
  const shown = shownProducts(cell, material.places, chosen);
  const terms = chosen.map((i) => cell.terms[i] as ProductTerm);
  const rest = cell.terms.reduce((sum, { product }, i) => (chosen.includes(i) ? sum : sum + product), cell.rest?.sum ?? 0); // prettier-ignore
  return {
    at,
    label: columnLabel(material.step, at),
    values: terms.map(({ right }) => inMatrix(material, right)),
    products: terms.map(({ product }, i) => workNumber(cell, product, shown.terms[i]?.product ?? shown.total)),
    sums: terms.map(({ partialSum }, i) => workNumber(cell, partialSum, shown.terms[i]?.sum ?? shown.total)),
    others: shown.others && workNumber(cell, rest, shown.others),
    result: inMatrix(material, cell),
  };
}

interface Places {
  readonly width: number;
  readonly labels: number;
  readonly weights: number;
  readonly first: number;
  readonly each: number;
  /** The columns that fit, around the selected one. */
  readonly columns: readonly Column[];
  readonly foot: number;
  readonly height: number;
}

const [headHeight, signWidth, gap] = [22, 15, 3];

function placesOf({ column }: Material, { sources, columns, others }: Poured, room: number): Places {
  const width = Math.min(room, widestStage);
  const labels = labelsWidth(sources.map(({ label }) => label), width); // prettier-ignore
  const weights = widthFor(sources.map(({ weight }) => weight.text));
  const first = labels + 4 + weights + signWidth;
  const each = widthFor(columns.flatMap((of) => [...of.values, ...of.products, ...of.sums, of.result].map((n) => n.text))); // prettier-ignore
  const fitting = Math.max(1, Math.min(columns.length, Math.floor((width - first + gap) / (each + gap))));
  const selected = columns.findIndex(({ at }) => at === column);
  const from = Math.max(0, Math.min(columns.length - fitting, selected - Math.floor(fitting / 2)));
  const foot = headHeight + (sources.length + (others > 0 ? 1 : 0)) * rowHeight + 10;
  return { width, labels, weights, first, each, columns: columns.slice(from, from + fitting), foot, height: foot + rowHeight }; // prettier-ignore
}

/** `weighed`: the token whose values have just been multiplied; `sum`: how many tokens the output holds. */
interface Moment {
  readonly weighed?: number;
  /** The token whose products are falling into the output. */
  readonly falling?: number;
  readonly sum: number;
  readonly done?: boolean;
}

function piecesAt(material: Material, poured: Poured, places: Places, moment: Moment): Piece[] {
  const { sources, others } = poured;
  const { labels, columns, foot } = places;
  const atFoot = rowLabel(material.step, material.row);
  const rest = sources.length;
  return [
    ...headPieces(material, places),
    ...sources.flatMap((source, i) => sourcePieces(material, places, source, i, moment)),
    ...(others > 0 ? [{ id: 'label-others', look: 'label', x: 0, y: yOf(rest), width: labels + places.weights, height: cellHeight, text: t('{0} others', others) } as const] : []),
    ...columns.flatMap((column) => [...fallingPieces(places, column, moment, rest), ...sumPieces(material, places, column, moment, rest)]),
    { id: 'label-foot', look: 'label', x: 0, y: foot, width: labels, height: cellHeight, text: atFoot, lit: true },
    { id: 'symbol-foot', look: 'head', x: labels + 4, y: foot, width: places.weights, height: cellHeight, role: material.step.role, text: material.step.symbol },
  ]; // prettier-ignore
}

const yOf = (i: number): number => headHeight + i * rowHeight;
const xOf = ({ first, each, columns }: Places, column: Column): number =>
  first + columns.indexOf(column) * (each + gap);

function headPieces(material: Material, places: Places): Piece[] {
  const [weights, values] = [operandOf(material, 0), operandOf(material, 1)];
  const head = (id: string, x: number, width: number, of: typeof weights): Piece => ({ id, look: 'head', x, y: 0, width, height: cellHeight, role: of.role, text: of.symbol }); // prettier-ignore
  return [
    head('head-weights', places.labels + 4, places.weights, weights),
    head('head-values', places.first, places.each, values),
    ...places.columns.slice(1).map((column): Piece => ({ id: `head-${column.at}`, look: 'label', x: xOf(places, column), y: 0, width: places.each, height: cellHeight, text: column.label })), // prettier-ignore
  ];
}

/** A token: its weight, and its row of values. */
function sourcePieces(material: Material, places: Places, source: Source, i: number, { weighed, sum, done = false }: Moment): Piece[] {
  const [weights, values] = [operandOf(material, 0), operandOf(material, 1)];
  const [y, lit] = [yOf(i), weighed === i];
  const dim = done || (!lit && i < sum);
  return [
    { id: `label-${i}`, look: 'label', x: 0, y, width: places.labels, height: cellHeight, text: source.label, lit },
    { id: `weight-${i}`, look: 'cell', x: places.labels + 4, y, width: places.weights, height: cellHeight, role: weights.role, number: source.weight, dim, lit },
    { id: `times-${i}`, look: 'sign', x: places.first - signWidth, y, width: signWidth, height: cellHeight, text: '×' },
    ...places.columns.flatMap((column): Piece[] => {
      const number = column.values[i];
      return number && !lit ? [{ id: `value-${i}-${column.at}`, look: 'cell', x: xOf(places, column), y, width: places.each, height: cellHeight, role: values.role, number, dim }] : [];
    }),
  ];
} // prettier-ignore

/** The products of the token that is being weighed, in its line; then they fall into the output. */
function fallingPieces(places: Places, column: Column, { weighed, falling }: Moment, rest: number): Piece[] {
  const at = weighed ?? falling ?? -1;
  const number = at === rest ? column.others : column.products[at];
  if (!number) return [];
  const box = { x: xOf(places, column), width: places.each, height: cellHeight, look: 'cell', number } as const;
  const fallen = weighed === undefined;
  return [{ ...box, id: `product-${at}-${column.at}`, y: fallen ? places.foot : yOf(at), lit: true, gone: fallen }];
}

/** What the output holds so far. */
function sumPieces(
  { step, column: selected }: Material,
  places: Places,
  column: Column,
  { sum, done }: Moment,
  rest: number,
): Piece[] {
  const box = { x: xOf(places, column), y: places.foot, width: places.each, height: cellHeight, role: step.role, lit: column.at === selected }; // prettier-ignore
  const number = done || sum > rest ? column.result : column.sums[sum - 1];
  const slot: Piece = { ...box, id: `slot-${column.at}`, look: 'slot' };
  return number ? [slot, { ...box, id: `sum-${column.at}`, look: 'cell', number }] : [slot];
}

const weighedSaid = ({ name, weight, afterGap }: Source): Said => {
  const text = afterGap
    ? t('What lies between is in the sum too. {0} has the weight {1}: every number of its value is multiplied by it.', name, weight.text)
    : t('{0} has the weight {1}: every number of its value is multiplied by it.', name, weight.text);
  return said(text, [name], [weight]);
}; // prettier-ignore

/** The output of a token: every token's values, weighed and poured into one row. */
export function pourStory(material: Material, room: number): Story {
  const cells = [...material.cells.values()].filter((cell) => cell.kind === 'products');
  const poured = pouredOf(material, cells);
  const places = placesOf(material, poured, room);
  const frame = (words: Said, moment: Moment): Frame => ({ said: words, pieces: piecesAt(material, poured, places, moment) }); // prettier-ignore
  const { sources, others } = poured;
  const name = rowName(material.step, material.row);
  const rest = sources.length;
  const ends = (count: number): Frame =>
    frame(said(t('Poured together, that is the output of {0}.', name), [name]), { sum: count, falling: others > 0 ? rest : rest - 1, done: true });
  return {
    width: places.width,
    height: places.height,
    frames: [
      frame(said(t('The weights of {0}, and beside each the value that it weighs.', name), [name]), { sum: 0 }),
      ...sources.flatMap((source, i) => [
        frame(weighedSaid(source), { weighed: i, sum: i }),
        ...(i === rest - 1 && others === 0 ? [] : [frame(said(t('It is poured into the output of {0}.', name), [name]), { falling: i, sum: i + 1 })]),
      ]),
      ...(others > 0 ? [frame(said(t('The others are in the sum as well: together they make this.')), { weighed: rest, sum: rest })] : []),
      ends(rest + 1),
    ],
  };
} // prettier-ignore

export const poursRows = (material: Material): boolean =>
  material.scope === 'row' && material.step.call.op === 'matmul' && operandOf(material, 0).role === 'weights';
