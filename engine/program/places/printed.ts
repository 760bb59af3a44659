/** What a notebook has kept as printed, or a comment shows, beside what the program computes. */
import { type Paced, type TextRange, t } from '../../text';
import { parseMatricesPaced } from '../../parse/index';
import { type Node, type Dense, formatShape, isKnownShape } from '../tensor';
import type { Program } from '../program';
import type { KeptValues } from '../machine';
import { fromPrinted, offBy, withDropout, type PrintedValues } from './rounding';

/** A cell's output as text, and the cell's range in the program. */
export interface StoredOutput {
  readonly cell: TextRange;
  readonly text: string;
}

/** A matrix that was printed, and the line that printed it. */
export interface PrintedMatrix {
  /** Which of the stored outputs, and where in its text. */
  readonly output: number;
  readonly range: TextRange;
  /** What printed it, in the program: a call of print, or the value of a cell. */
  readonly at: TextRange;
  readonly shape: string;
  /** Its numbers, and how many of them the program has too, to every printed digit. */
  readonly count: number;
  readonly equal: number;
  /** Why no number of it is known; then none is equal. */
  readonly why?: string;
  /** It follows from numbers that the notebook printed, and is compared within what their rounding allows. */
  readonly isWithin?: true;
  /** It agrees with dropout as its seed draws it, which what the code's steps show passes by. */
  readonly isDropped?: true;
  /** It is drawn without a seed, and these numbers were taken for its values. */
  readonly isRead?: true;
}

/** The same with the node that it shows. */
export interface PrintedNode extends PrintedMatrix {
  readonly node: Node;
  /** The cell prints as many matrices of this shape as its output shows. */
  readonly isSure: boolean;
  /** Of what is not known otherwise, the numbers as they are printed. */
  readonly own?: KeptValues;
}

/** Numbers as they are written, with how far a number may be off that is printed so. */
export interface PrintedNumbers {
  readonly shape: readonly number[];
  readonly range: TextRange;
  readonly numbers: readonly PrintedNumber[];
}

export interface PrintedNumber extends TextRange {
  readonly value: number;
  readonly slack: number;
}

/** Printed matrices with more numbers are not compared. */
const mostNumbers = 20_000;

const written = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[-+]?inf|nan/gi;

/** Half a unit of the last digit that is written: rounding moves no number further. */
function slackOf(word: string): number {
  const [digits = '', exponent = '0'] = word.toLowerCase().split('e');
  const value = /^[-+]?[\d.]/.test(word);
  return value ? 0.5 * Number(`1e${Number(exponent) - (digits.split('.')[1]?.length ?? 0)}`) : 0;
}

/** The numbers of a text, in order. */
export const numbersIn = (text: string, from = 0): readonly PrintedNumber[] =>
  [...text.matchAll(written)].map(({ 0: word, index }) => ({
    start: from + index,
    end: from + index + word.length,
    value: Number(word.replace(/inf/i, 'Infinity').replace(/nan/i, 'NaN')),
    slack: slackOf(word),
  }));

/** Tensors of a tuple or a list that was printed stand each for itself: its bracket and its commas become spaces. */
const apart = (text: string): string =>
  text.replace(
    /[([,]\s{0,200}(?=(?:tensor|array|Parameter containing:\s{0,9}tensor)\()/g,
    (found) => `\n${found.slice(1)}`,
  );

/** The matrices that a text shows, whole: elided ones are left out. */
export function* printedIn(text: string): Paced<readonly PrintedNumbers[]> {
  const { matrices } = yield* parseMatricesPaced(apart(text));
  return matrices.flatMap(({ shape, range, values }) => {
    // Behind its numbers a tensor may name its type, which has digits too.
    const numbers = numbersIn(text.slice(range.start, range.end), range.start).slice(0, values.length);
    return values.length > 0 && numbers.length === values.length && values.length <= mostNumbers
      ? [{ shape, range, numbers }]
      : [];
  });
}

/** Half the distance between neighbours of float32 at 1. */
const float32Unit = 2 / 33_554_432;

/** Whether a number would be printed so; the last bit of a float32 may differ by the order of a sum. */
export const isPrintedAs = (
  value: number,
  { value: printed, slack }: Pick<PrintedNumber, 'value' | 'slack'>,
): boolean =>
  Object.is(value, printed) ||
  (Number.isFinite(value) && Math.abs(value - printed) <= slack * (1 + 1e-6) + Math.abs(value) * float32Unit);

/** How many numbers are printed as they are; `far`: how far each may be off besides. */
export function countEqual({ data }: Dense, { numbers }: PrintedNumbers, far?: Float64Array): number {
  if (data.length !== numbers.length) return 0;
  return data.reduce((n, x, i) => {
    const { value, slack } = numbers[i] as PrintedNumber;
    return n + Number(isPrintedAs(x, { value, slack: slack + (far?.[i] ?? 0) }));
  }, 0);
}

interface Shown {
  readonly node: Node;
  readonly at: TextRange;
  readonly dense: Dense | undefined;
  /** With the dropout that a seed draws, by each kind of processor, where there is one before it. */
  readonly dropped: readonly Dense[];
  readonly far: Float64Array | undefined;
  readonly why: string | undefined;
}

/** Of the values of a cell's statements a notebook shows the last; a semicolon hides it. */
const isLast = /^\s*(?:#.*\s*)*$/;

/** The tensors that the statements of a cell print, in order. */
function* shownIn(text: string, program: Program, { start, end }: TextRange): Paced<readonly Shown[]> {
  const found: Shown[] = [];
  for (const { range, by, parts, printed } of program.outputs) {
    if (by.start < start || by.start >= end || !(printed || isLast.test(text.slice(range.end, end)))) continue;
    for (const part of parts) {
      const node = 'node' in part ? part.node : undefined;
      if (!node?.shape || !isKnownShape(node.shape)) continue;
      const looked = node.why ? undefined : yield* program.look(node);
      const dense = looked && 'data' in looked ? looked : undefined;
      const why = dense ? undefined : (node.why?.text ?? (looked && 'text' in looked ? looked.text : t('known in shape only'))); // prettier-ignore
      const far = dense ? yield* offBy(program, node) : undefined;
      const dropped = yield* withDropout(program, node);
      // What a function prints stands below the cell that calls it.
      const at = range.start >= start && range.start < end ? range : by;
      found.push({ node, at, dense, dropped, far, why });
    }
  }
  return found;
}

/** Each matrix of a notebook's outputs with what printed it, where that is a tensor of its shape. */
export function* matchPrinted(
  code: string,
  program: Program,
  outputs: readonly StoredOutput[],
): Paced<readonly PrintedNode[]> {
  const found: Matched[] = [];
  for (const [output, { cell, text }] of outputs.entries()) {
    const printed = yield* printedIn(text);
    const shown = printed.length > 0 ? yield* shownIn(code, program, cell) : [];
    for (const [i, j] of aligned(printed, shown)) {
      const [matrix, one] = [printed[i] as PrintedNumbers, shown[j] as Shown];
      const alike = (shape: readonly unknown[] | undefined): boolean => shape?.join() === matrix.shape.join();
      const isSure = printed.filter(({ shape }) => alike(shape)).length === shown.filter(({ node }) => alike(node.shape)).length; // prettier-ignore
      found.push({ output, matrix, shown: one, isSure, text: text.slice(matrix.range.start, matrix.range.end) });
    }
    yield;
  }
  const values = new Map(
    found.flatMap((one) => (one.isSure && one.shown.why !== undefined ? valuesAsPrinted(one) : [])),
  );
  const nodes: PrintedNode[] = [];
  for (const one of found) nodes.push(yield* printedNode(program, one, values));
  return nodes;
}

interface Matched {
  readonly output: number;
  readonly matrix: PrintedNumbers;
  readonly shown: Shown;
  readonly isSure: boolean;
  readonly text: string;
}

function* printedNode({ kept }: Program, one: Matched, values: PrintedValues): Paced<PrintedNode> {
  const { output, matrix, shown, isSure } = one;
  const { node, at } = shown;
  // What is not known may follow from what was printed before it.
  const made = shown.why === undefined ? undefined : yield* fromPrinted(node, values);
  const [known, far, why] = made ? [made.dense, made.far, undefined] : [shown.dense, shown.far, shown.why];
  const dropped = shown.dropped.find((other) => countEqual(other, matrix) === matrix.numbers.length);
  const dense = dropped ?? known;
  const own = values.get(node);
  return {
    output, range: matrix.range, at, node, isSure, shape: formatShape(matrix.shape), count: matrix.numbers.length,
    equal: dense ? countEqual(dense, matrix, far) : 0, ...(why === undefined ? {} : { why }),
    ...(dropped && { isDropped: true as const }),
    ...(kept.used.has(node) ? { isRead: true as const } : far ? { isWithin: true as const } : {}), ...(own && { own }),
  }; // prettier-ignore
}

function valuesAsPrinted({ shown, matrix: { numbers }, text }: Matched): readonly (readonly [Node, KeptValues])[] {
  if (numbers.some(({ value }) => !Number.isFinite(value))) return [];
  const { node } = shown;
  // A matrix has one number of decimals: `1.` among `0.25` is 1.00, and `1.` among such alone is a whole number.
  const finest = Math.min(...numbers.map(({ slack }) => slack));
  const isScientific = /\de[-+]?\d/i.test(text);
  const isWhole = /^u?int|^bool/.test(node.dtype) || (!isScientific && finest >= 0.5);
  const data = Float64Array.from(numbers, ({ value }) => value);
  const slack = Float64Array.from(numbers, (one) => (isWhole ? 0 : isScientific ? one.slack : finest));
  return [[node, { shape: node.shape as readonly number[], data, slack }]];
}

/**
 * Of what was printed, what the code's numbers can start from: what does not follow from the code, nor from what was printed before it, such as
 * a draw without a seed. What follows from these, or from the scores of an attention, is computed and not taken over: it is to be compared.
 */
export function inputsAmong(
  printed: readonly PrintedNode[],
  { nodes }: Program['graph'],
  scores: readonly Node[],
): readonly PrintedNode[] {
  const unknown = new Map(printed.filter(({ node, own }) => own && node.why).map((one) => [one.node, one]));
  const taken: PrintedNode[] = [];
  if (unknown.size === 0) return taken;
  const [followed, behind] = [new Set<Node>(), new Set<Node>(scores)];
  for (const node of nodes) {
    if (node.operands.some((one) => behind.has(one))) behind.add(node);
    const ofOthers = node.operands.some(({ why }) => why) && node.operands.every((one) => followed.has(one));
    const own = node.why && !ofOthers && !behind.has(node) ? unknown.get(node) : undefined;
    if (own) taken.push(own);
    if (!node.why || ofOthers || own) followed.add(node);
  }
  return taken;
} // prettier-ignore

/** Most matrices of a cell that are paired. */
const mostPaired = 200;

/** Pairs of what is printed and what prints, in the order of both: as many of one shape as there are, of these with as many numbers equal. */
function aligned(printed: readonly PrintedNumbers[], shown: readonly Shown[]): readonly (readonly [number, number])[] {
  const [rows, columns] = [Math.min(printed.length, mostPaired), Math.min(shown.length, mostPaired)];
  const worth = (i: number, j: number): number => {
    const [matrix, { node, dense, dropped, far }] = [printed[i] as PrintedNumbers, shown[j] as Shown];
    if (node.shape?.join() !== matrix.shape.join()) return 0;
    const others = dropped.map((other) => countEqual(other, matrix));
    return 1 + Math.max(...others, dense ? countEqual(dense, matrix, far) : 0) / matrix.numbers.length;
  };
  // best[i][j]: of all from i and from j on.
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--) {
      const own = worth(i, j);
      (best[i] as Float64Array)[j] = Math.max(at(i + 1, j), at(i, j + 1), own > 0 ? own + at(i + 1, j + 1) : 0);
    }
  const pairs: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < rows && j < columns;) {
    if (at(i, j) === at(i + 1, j)) i++;
    else if (at(i, j) === at(i, j + 1)) j++;
    else pairs.push([i++, j++]);
  }
  return pairs;
}
