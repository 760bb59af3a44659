import {
  shownSoftmax,
  t,
  type CellExplanation,
  type CellValue,
  type ShownShare,
  type SoftmaxTerm,
} from '../../engine/index';
import type { Frame, MotionNumber, Piece, Said, Story } from './frame';
import {
  cellHeight,
  cellNumber,
  columnLabel,
  columnName,
  inMatrix,
  labelsWidth,
  largestOf,
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

type Softmax = Extract<CellExplanation, { kind: 'softmax' }>;

/** Of a longer row the largest weights have a line of their own, and the others one together. */
const mostLines = 8;

/** One key of the row, or all that have no line of their own. */
interface Line {
  readonly key: string;
  readonly label: string;
  readonly lit: boolean;
  readonly score?: MotionNumber;
  readonly shifted?: MotionNumber;
  readonly exponential: MotionNumber;
  readonly weight: MotionNumber;
  /** The weight as its matrix shows it. */
  readonly result?: MotionNumber;
}

interface Row {
  readonly cell: Softmax;
  readonly lines: readonly Line[];
  readonly max: MotionNumber;
  readonly sum: MotionNumber;
}

function rowOf(material: Material, cell: Softmax): Row {
  const { terms, rest } = cell;
  const own = terms.findIndex(({ operand }) => operand.index.at(-1) === cell.index.at(-1));
  const all = terms.length + (rest?.count ?? 0) <= mostLines;
  const chosen = all ? terms.map((_, i) => i) : largestOf(terms.map(({ weight }) => weight), mostLines - 1, own); // prettier-ignore
  const shown = shownSoftmax(cell, material.places, material.share, chosen);
  const lines = shown.terms.map((share) => lineOf(material, cell, share, share.at === own));
  const largest = terms.find(({ operand }) => operand.value === cell.max)?.operand;
  return {
    cell,
    lines: shown.others ? [...lines, othersOf(cell, chosen, shown.others)] : lines,
    max: largest ? cellNumber(largest, shown.max.text) : workNumber(cell, cell.max, shown.max),
    sum: workNumber(cell, cell.sum, shown.sum),
  };
}

function lineOf(material: Material, cell: Softmax, shown: ShownShare, lit: boolean): Line {
  const { operand, shifted, exponential, weight } = cell.terms[shown.at] as SoftmaxTerm;
  const column = operand.index.at(-1) ?? shown.at;
  const result: CellValue = { step: cell.step, index: operand.index, value: weight };
  return {
    key: String(column),
    label: columnLabel(material.step, column),
    lit,
    score: cellNumber(operand, shown.score.text),
    shifted: workNumber(result, shifted, shown.shifted),
    exponential: workNumber(result, exponential, shown.exponential),
    weight: cellNumber(result, workNumber(result, weight, shown.weight).text),
    result: inMatrix(material, result),
  };
}

function othersOf(cell: Softmax, chosen: readonly number[], shown: NonNullable<ReturnType<typeof shownSoftmax>['others']>): Line {
  const kept = new Set(chosen);
  const { rest = { count: 0, exponentials: 0, weights: 0 } } = cell;
  const left = cell.terms.filter((_, i) => !kept.has(i));
  const exponential = left.reduce((sum, term) => sum + term.exponential, rest.exponentials);
  const weight = left.reduce((sum, term) => sum + term.weight, rest.weights);
  return {
    key: 'others',
    label: othersLabel(left.length + rest.count, left.filter(({ operand }) => operand.value === -Infinity).length),
    lit: false,
    exponential: workNumber(cell, exponential, shown.exponential),
    weight: workNumber(cell, weight, shown.weight),
  };
} // prettier-ignore

/** Keys that the mask hides are none of the others: they have no share. */
const othersLabel = (count: number, hidden: number): string =>
  count === hidden ? t('{0} hidden', hidden) : t('{0} others', count - hidden);

/** What the lines show: scores, differences from the largest, exponentials in their lines or laid end to end, shares, or cells. */
type Act = 'scores' | 'shifted' | 'exponentials' | 'sum' | 'shares' | 'landed';

interface Places {
  readonly width: number;
  readonly labels: number;
  readonly numbers: number;
  readonly bars: { readonly x: number; readonly width: number };
  readonly sums: number;
  readonly strip: Strip;
  readonly height: number;
}

function placesOf(material: Material, { lines, sum }: Row, room: number): Places {
  const width = Math.min(room, widestStage);
  const labels = labelsWidth(lines.map(({ label }) => label), width); // prettier-ignore
  const numbers = widthFor([sum, ...lines.flatMap((line) => [line.score, line.shifted, line.exponential, line.weight])].map((n) => n?.text ?? '')); // prettier-ignore
  const x = labels + numbers + 16;
  const sums = lines.length * rowHeight + 8;
  const strip = numberedStrip(
    material,
    width,
    sums + rowHeight + 12,
    widthFor(lines.map(({ result }) => result?.text ?? '')),
  );
  return { width, labels, numbers, bars: { x, width: width - x }, sums, strip, height: sums + rowHeight + 12 + strip.height }; // prettier-ignore
}

const numberAt = (line: Line, act: Act): MotionNumber | undefined => {
  if (act === 'scores') return line.score;
  if (act === 'shifted') return line.shifted;
  if (act === 'landed' && line.result) return line.result;
  return act === 'exponentials' || act === 'sum' ? line.exponential : line.weight;
};

function piecesAt(material: Material, places: Places, row: Row, act: Act): Piece[] {
  const { step } = material;
  const scores = operandOf(material, 0);
  const ofWeights = act === 'shares' || act === 'landed';
  return [
    ...places.strip.pieces,
    ...row.lines.flatMap((line, i): Piece[] => {
      const y = i * rowHeight;
      const number = numberAt(line, act);
      const lands = act === 'landed' && line.key !== 'others' && places.strip.shows(Number(line.key));
      const place = lands ? places.strip.at(Number(line.key)) : { x: places.labels + 4, y, width: places.numbers, height: cellHeight }; // prettier-ignore
      const role = ofWeights ? step.role : act === 'scores' ? scores.role : undefined;
      return [
        { id: `label-${line.key}`, look: 'label', x: 0, y, width: places.labels, height: cellHeight, text: line.label, lit: line.lit },
        ...(number ? [{ ...place, id: `number-${line.key}`, look: role ? 'cell' : 'plain', ...(role && { role }), number, lit: line.lit } as const] : []),
        ...barPieces(places, row, i, act, role ?? step.role),
      ]; // prettier-ignore
    }),
    ...(act === 'landed' ? otherCells(material, places, row) : []),
    ...(act === 'sum' || act === 'shares' ? [sumPiece(places, row)] : []),
  ];
}

/** Weights without a line of their own come into their slots at the end. */
const otherCells = (material: Material, { strip }: Places, { cell, lines }: Row): Piece[] =>
  cell.terms.flatMap(({ operand, weight }): Piece[] => {
    const column = operand.index.at(-1) ?? 0;
    if (!strip.shows(column) || lines.some(({ key }) => key === String(column))) return [];
    const number = inMatrix(material, { step: cell.step, index: operand.index, value: weight });
    return [{ ...strip.at(column), id: `number-${column}`, look: 'cell', role: material.step.role, number }];
  }); // prettier-ignore

/** The sum stands left of the bar that all exponentials make together. */
const sumPiece = ({ labels, numbers, sums }: Places, { sum }: Row): Piece => ({ id: 'sum', look: 'plain', x: labels + 4, y: sums, width: numbers, height: cellHeight, number: sum }); // prettier-ignore

function barPieces(places: Places, row: Row, i: number, act: Act, role: Piece['role']): Piece[] {
  const line = row.lines[i];
  const span = line && spanOf(places, row, i, act);
  if (!line || !span || act === 'landed') return [];
  const [from, to, y = i * rowHeight + 4] = span;
  const bar: Piece = {
    id: `bar-${line.key}`,
    look: 'bar',
    x: places.bars.x + Math.min(from, to) * places.bars.width,
    y,
    width: Math.max(1, Math.abs(to - from) * places.bars.width),
    height: 12,
    ...(role && { role }),
    lit: line.lit,
  };
  return [bar];
}

/** Both ends of a bar as shares of the room for bars, and its height on the stage where it is not in its line. */
function spanOf(places: Places, { lines, max, sum }: Row, i: number, act: Act): readonly [number, number, number?] | undefined {
  const line = lines[i] as Line;
  const finite = (of: (line: Line) => MotionNumber | undefined): number[] => lines.map((one) => of(one)?.value ?? NaN).filter(Number.isFinite); // prettier-ignore
  if (act === 'scores' || act === 'shifted') {
    const value = line.score?.value ?? NaN;
    if (!Number.isFinite(value) || !Number.isFinite(max.value)) return undefined;
    const scores = finite(({ score }) => score);
    const [low, high] = [Math.min(0, ...scores), Math.max(0, ...scores)];
    const at = (x: number): number => (high > low ? (x - low) / (high - low) : 0);
    // The same places: first each score's distance from zero, then its distance from the largest.
    return act === 'scores' ? [at(0), at(value)] : [at(value), at(max.value)];
  }
  const { value } = line.exponential;
  if (!Number.isFinite(value) || !(sum.value > 0)) return undefined;
  if (act === 'exponentials') return [0, value / Math.max(1, ...finite(({ exponential }) => exponential))];
  if (act === 'shares') return [0, line.weight.value];
  const before = lines.slice(0, i).reduce((total, { exponential }) => total + exponential.value, 0);
  return [before / sum.value, (before + value) / sum.value, places.sums + 4];
} // prettier-ignore

function saidAt(material: Material, { cell, lines, max, sum }: Row, act: Act): Said {
  const { step, row } = material;
  const name = rowName(step, row);
  if (act === 'scores')
    return said(
      cell.terms.some(({ operand }) => operand.value === -Infinity)
        ? t('The scores of {0}: one number for every key, of any size. What the mask hides has −∞.', name)
        : t('The scores of {0}: one number for every key, of any size.', name),
      [name],
    );
  if (act === 'shifted') return said(t('The largest, {0}, is taken from each. The shares will be the same, and no exponential too large.', max.text), [], [max]); // prettier-ignore
  if (act === 'exponentials') return said(t('The exponential of each: all become positive, and their order stays the same.'));
  if (act === 'sum') return said(t('Laid end to end they are {0} long: that is their sum.', sum.text), [], [sum]);
  if (act === 'shares') return said(t('Each is divided by the sum, {0}: its share of the whole.', sum.text), [], [sum]);
  const own = lines.find(({ lit }) => lit);
  if (!own) return said(t('The shares are the weights of {0}.', name), [name]);
  const weight = inMatrix(material, cell);
  const key = columnName(step, cell.index.at(-1) ?? 0);
  return said(t('The shares are the weights of {0}: {1} has {2}.', name, key, weight.text), [name, key], [weight]); // prettier-ignore
} // prettier-ignore

/** A row of scores becomes a row of weights. */
export function softmaxStory(material: Material, room: number): Story {
  const cell = material.cells.get(material.column);
  if (cell?.kind !== 'softmax') return { width: room, height: 0, frames: [] };
  const row = rowOf(material, cell);
  const places = placesOf(material, row, room);
  // A row of nothing but −∞ has no exponentials that were used.
  const acts: readonly Act[] = cell.zeroed ? ['scores', 'landed'] : ['scores', 'shifted', 'exponentials', 'sum', 'shares', 'landed']; // prettier-ignore
  const frames = acts.map((act): Frame => ({ said: saidAt(material, row, act), pieces: piecesAt(material, places, row, act) })); // prettier-ignore
  return { width: places.width, height: places.height, frames };
}
