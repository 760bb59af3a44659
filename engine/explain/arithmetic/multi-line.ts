// The digits of a calculation in several lines, of any operation: the operation gives its terms as data (`Work`).
import { erf, exp, tanh } from '../../math';
import type { CellExplanation, CellValue, Work, WorkFunction } from '../../operations';
import { t, plainText, type Sentence } from '../../text';
import { digitsOf, shown, type Digits, type DigitFormat } from './digits';
import type { DigitFormatOf } from './products';
import { resultOf, addDigits, type Group, type Relation, type ShownResult } from './relation';

type Worked = Extract<CellExplanation, { kind: 'worked' }>;

/** A piece of a line: text, or a cell (a link to it) with its digits in this line. */
export type WorkPart = string | { readonly cell: CellValue; readonly text: string };

export interface ShownWorkLine {
  /** What the line computes: `mean of squares`. */
  readonly name: Sentence | undefined;
  readonly parts: readonly WorkPart[];
  readonly result: ShownResult;
}

interface Line {
  readonly relation: Relation;
  readonly groups: readonly Group[];
  readonly write: () => WorkPart[];
  /** Digits of the results of earlier lines that this line uses. */
  readonly takes: readonly Digits[];
}

/** Number of terms of a sum that are written out, unless a caller says otherwise. */
const mostShown = 16;

/** Lines that can each be redone from the digits shown; the last one computes the cell. `between` is the format of numbers that are no cells. */
export function shownWork(
  cell: Worked,
  places: DigitFormatOf,
  between: DigitFormat,
  most = mostShown,
): readonly ShownWorkLine[] {
  const results = cell.lines.map(({ value }, i) =>
    i === cell.lines.length - 1 ? digitsOf(cell.value, places(cell.step)) : digitsOf(value, between),
  );
  const lines = cell.lines.map(({ work }, i) => lineOf(work, results[i] as Digits, { results, places, between, most }));
  // From the last line back: it decides how many digits it needs of an earlier result, and the earlier line must yield those digits.
  for (const [i, line] of [...lines.entries()].reverse()) {
    const later = lines.slice(i + 1).filter(({ takes }) => takes.includes(results[i] as Digits));
    addDigits([line.relation, ...later.map(({ relation }) => relation)], line.groups, { result: true });
  }
  return lines.map(({ relation, write }, i) => ({
    name: cell.lines[i]?.name,
    parts: write(),
    result: resultOf(relation),
  }));
}

/** The line as text; `cellText` can wrap the text of a cell. */
export const workText = (
  { parts }: ShownWorkLine,
  cellText: (cell: CellValue, text: string) => string = (_, text) => text,
): string => parts.map((part) => (typeof part === 'string' ? part : cellText(part.cell, part.text))).join('');

export const workName = ({ name }: ShownWorkLine): string => (name ? plainText(name) : '');

interface WorkContext {
  readonly results: readonly Digits[];
  readonly places: DigitFormatOf;
  readonly between: DigitFormat;
  readonly most: number;
}

/** A part of a line: its value, computed from the digits of the leaves, and its text. */
interface Node {
  readonly value: (numbers: readonly number[]) => number;
  readonly write: () => WorkPart[];
  /** Operator precedence: sums 1, products 2, all else 3. */
  readonly binds: 1 | 2 | 3;
}

/** Collected while a line is built: its leaves in order, and the groups of numbers that get equally many digits. */
interface Gathered {
  readonly book: WorkContext;
  readonly from: Digits[];
  readonly groups: Digits[][];
  readonly takes: Digits[];
}

function lineOf(work: Work, result: Digits, book: WorkContext): Line {
  const gathered: Gathered = { book, from: [], groups: [], takes: [] };
  const node = nodeOf(work, gathered);
  const relation: Relation = { result, from: gathered.from, redo: [node.value] };
  return { relation, groups: gathered.groups, write: node.write, takes: gathered.takes };
}

/** `together` is the group of a sum's cells, which get equally many digits. */
function nodeOf(work: Work, gathered: Gathered, together?: Digits[]): Node {
  switch (work.is) {
    case 'cell': {
      const { cell } = work;
      const digits = digitsOf(cell.value, gathered.book.places(cell.step));
      return leaf(digits, gathered, together, (text) => [{ cell, text }]);
    }
    case 'number':
      return leaf(digitsOf(work.value, gathered.book.between), gathered, undefined, (text) => [text]);
    case 'line': {
      const digits = gathered.book.results[work.at] as Digits;
      gathered.takes.push(digits);
      return leaf(digits, gathered, undefined, (text) => [text]);
    }
    case 'whole':
      return { value: () => work.value, write: () => [String(work.value)], binds: 3 };
    case 'sum':
      return sumOf(work, gathered);
    case 'product':
      return joined(
        work.of.map((part) => nodeOf(part, gathered, together)),
        ' · ',
        2,
        (a, b) => a * b,
      );
    case 'quotient': {
      const parts = [work.of, work.by].map((part) => nodeOf(part, gathered, together));
      return joined(parts, ' ÷ ', 2, (a, b) => a / b);
    }
    case 'difference': {
      const parts = [work.of, work.less].map((part) => nodeOf(part, gathered, together));
      return joined(parts, ' − ', 1, (a, b) => a - b, 2);
    }
    default: {
      const { value, write } = functionsOfWork[work.is];
      const of = nodeOf(work.of, gathered, together);
      return { value: (numbers) => value(of.value(numbers)), write: () => write(of), binds: 3 };
    }
  }
}

function leaf(
  digits: Digits,
  { from, groups }: Gathered,
  together: Digits[] | undefined,
  write: (text: string) => WorkPart[],
): Node {
  const at = from.push(digits) - 1;
  if (together) together.push(digits);
  else groups.push([digits]);
  return { value: (numbers) => numbers[at] as number, write: () => write(shown(digits).text), binds: 3 };
}

/** The first terms and the sum of the others. */
function sumOf({ of, rest }: Extract<Work, { is: 'sum' }>, gathered: Gathered): Node {
  const { most, between } = gathered.book;
  const together: Digits[] = [];
  const first = of.slice(0, most);
  const nodes = first.map((term) => nodeOf(term, gathered, together));
  gathered.groups.push(together);
  const count = of.length - first.length + (rest?.count ?? 0);
  if (count > 0) {
    const left = of.slice(first.length).reduce((sum, term) => sum + exactValue(term, gathered), rest?.sum ?? 0);
    nodes.push(leaf(digitsOf(left, between), gathered, undefined, (text) => [t('{0} ({1} others)', text, count)]));
  }
  return joined(nodes, ' + ', 1, (a, b) => a + b);
}

/** `second`: how tightly what stands behind the sign has to bind. */
function joined(
  nodes: readonly Node[],
  sign: string,
  binds: 1 | 2,
  apply: (a: number, b: number) => number,
  second: 2 | 3 = 3,
): Node {
  return {
    value: (numbers) => nodes.map((node) => node.value(numbers)).reduce(apply),
    write: () => nodes.flatMap((node, i) => [...(i ? [sign] : []), ...bracketed(node, i === 0 ? binds : second)]),
    binds,
  };
}

const bracketed = (node: Node, binds: 1 | 2 | 3): WorkPart[] =>
  node.binds < binds ? ['(', ...node.write(), ')'] : node.write();

const squared = (x: number): number => x * x;

interface FunctionOfWork {
  readonly value: (x: number) => number;
  readonly write: (of: Node) => WorkPart[];
}

const called =
  (name: string) =>
  (of: Node): WorkPart[] => [`${name}(`, ...of.write(), ')'];

/** What is done to one number, and how it is written. */
const functionsOfWork: Readonly<Record<WorkFunction, FunctionOfWork>> = {
  negative: { value: (x) => -x, write: (of) => ['−', ...baseOf(of)] },
  square: { value: squared, write: (of) => [...baseOf(of), '²'] },
  cube: { value: (x) => x * x * x, write: (of) => [...baseOf(of), '³'] },
  root: { value: Math.sqrt, write: called('√') },
  tanh: { value: tanh, write: called('tanh') },
  exp: { value: exp, write: called('exp') },
  erf: { value: erf, write: called('erf') },
};

/** What a power is of, or a sign stands before: in brackets where it has a sign. */
function baseOf(node: Node): WorkPart[] {
  const parts = node.write();
  const [first] = parts;
  const text = typeof first === 'string' ? first : (first?.text ?? '');
  return node.binds < 3 || /[−e]/.test(text) ? ['(', ...parts, ')'] : parts;
}

/** The exact value of a term that is not shown. */
function exactValue(work: Work, gathered: Gathered): number {
  switch (work.is) {
    case 'line':
      return (gathered.book.results[work.at] as Digits).value;
    case 'difference':
      return exactValue(work.of, gathered) - exactValue(work.less, gathered);
    case 'cell':
      return work.cell.value;
    case 'number':
    case 'whole':
      return work.value;
    case 'square':
      return squared(exactValue(work.of, gathered));
    case 'product':
      return work.of.reduce((product, part) => product * exactValue(part, gathered), 1);
    default:
      throw new Error(`a term of a sum is no ${work.is}`);
  }
}
