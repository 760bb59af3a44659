/** What a notebook has kept as printed, or a comment shows, beside what the program computes. */
import { type Paced, type TextRange, t } from '../../text';
import { parseMatricesPaced } from '../../parse/index';
import { type Node, type Dense, formatShape, isKnownShape } from '../tensor';
import type { Program } from '../program';

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
}

/** The same with the node that it shows. */
export interface PrintedNode extends PrintedMatrix {
  readonly node: Node;
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

/** The matrices that a text shows, whole: elided ones are left out. */
export function* printedIn(text: string): Paced<readonly PrintedNumbers[]> {
  const { matrices } = yield* parseMatricesPaced(text);
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
export const isPrintedAs = (value: number, { value: printed, slack }: PrintedNumber): boolean =>
  Object.is(value, printed) ||
  (Number.isFinite(value) && Math.abs(value - printed) <= slack * (1 + 1e-6) + Math.abs(value) * float32Unit);

export const countEqual = ({ data }: Dense, { numbers }: PrintedNumbers): number =>
  data.length === numbers.length ? data.reduce((n, x, i) => n + Number(isPrintedAs(x, numbers[i] as PrintedNumber)), 0) : 0; // prettier-ignore

interface Shown {
  readonly node: Node;
  readonly at: TextRange;
  readonly dense: Dense | undefined;
  readonly why: string | undefined;
}

/** Of the values of a cell's statements a notebook shows the last; a semicolon hides it. */
const isLast = /^\s*(?:#.*\s*)*$/;

/** The tensors that the statements of a cell print, in order. */
function* shownIn(text: string, program: Program, { start, end }: TextRange): Paced<readonly Shown[]> {
  const found: Shown[] = [];
  for (const { range, parts, printed } of program.outputs) {
    if (range.start < start || range.start >= end || !(printed || isLast.test(text.slice(range.end, end)))) continue;
    for (const part of parts) {
      const node = 'node' in part ? part.node : undefined;
      if (!node?.shape || !isKnownShape(node.shape)) continue;
      const looked = node.why ? undefined : yield* program.look(node);
      const dense = looked && 'data' in looked ? looked : undefined;
      const why = dense ? undefined : (node.why?.text ?? (looked && 'text' in looked ? looked.text : t('known in shape only'))); // prettier-ignore
      found.push({ node, at: range, dense, why });
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
  const found: PrintedNode[] = [];
  for (const [output, { cell, text }] of outputs.entries()) {
    const printed = yield* printedIn(text);
    const shown = printed.length > 0 ? yield* shownIn(code, program, cell) : [];
    for (const [i, j] of aligned(printed, shown)) {
      const [matrix, { node, at, dense, why }] = [printed[i] as PrintedNumbers, shown[j] as Shown];
      found.push({
        output, range: matrix.range, at, node, shape: formatShape(matrix.shape), count: matrix.numbers.length,
        equal: dense ? countEqual(dense, matrix) : 0, ...(why === undefined ? {} : { why }),
      }); // prettier-ignore
    }
    yield;
  }
  return found;
}

/** Most matrices of a cell that are paired. */
const mostPaired = 200;

/** Pairs of what is printed and what prints, in the order of both: as many of one shape as there are, of these with as many numbers equal. */
function aligned(printed: readonly PrintedNumbers[], shown: readonly Shown[]): readonly (readonly [number, number])[] {
  const [rows, columns] = [Math.min(printed.length, mostPaired), Math.min(shown.length, mostPaired)];
  const worth = (i: number, j: number): number => {
    const [matrix, { node, dense }] = [printed[i] as PrintedNumbers, shown[j] as Shown];
    if (node.shape?.join() !== matrix.shape.join()) return 0;
    return 1 + (dense ? countEqual(dense, matrix) / matrix.numbers.length : 0);
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
