// The digits of a calculation in several lines, whatever it is made of: an operation says its terms as data (`Work`).
import { tanh } from '../../math';
import type { CellExplanation, CellValue, Work } from '../../operations';
import { t, plainText, type Sentence } from '../../text';
import { digitsOf, shown, type Digits, type Places } from './digits';
import type { PlacesOf } from './products';
import { resultOf, settle, type Group, type Relation, type ShownResult } from './redo';

type Worked = Extract<CellExplanation, { kind: 'worked' }>;

/** A piece of a line: signs, or a cell that can be walked to, with the digits it has here. */
export type WorkPart = string | { readonly cell: CellValue; readonly text: string };

export interface ShownWorkLine {
  /** What the line makes: `mean of squares`. */
  readonly name: Sentence | undefined;
  readonly parts: readonly WorkPart[];
  readonly result: ShownResult;
}

interface Line {
  readonly relation: Relation;
  readonly groups: readonly Group[];
  readonly write: () => WorkPart[];
  /** The digits of earlier lines that it takes. */
  readonly takes: readonly Digits[];
}

/** Terms of one sum that are written out, where a surface does not say. */
const mostShown = 16;

/** Lines that can be redone one by one from the digits that are shown; the last makes the cell. `between`: numbers that are no cells. */
export function shownWork(cell: Worked, places: PlacesOf, between: Places, most = mostShown): readonly ShownWorkLine[] {
  const results = cell.lines.map(({ value }, i) =>
    i === cell.lines.length - 1 ? digitsOf(cell.value, places(cell.step)) : digitsOf(value, between),
  );
  const lines = cell.lines.map(({ work }, i) => lineOf(work, results[i] as Digits, { results, places, between, most }));
  // From the last on: what a line takes from an earlier one gets the digits that it needs, and the earlier one has to lead to these.
  for (const [i, line] of [...lines.entries()].reverse()) {
    const later = lines.slice(i + 1).filter(({ takes }) => takes.includes(results[i] as Digits));
    settle([line.relation, ...later.map(({ relation }) => relation)], line.groups, { result: true });
  }
  return lines.map(({ relation, write }, i) => ({
    name: cell.lines[i]?.name,
    parts: write(),
    result: resultOf(relation),
  }));
}

/** The line as text; `cellText` writes a cell with its digits. */
export const workText = (
  { parts }: ShownWorkLine,
  cellText: (cell: CellValue, text: string) => string = (_, text) => text,
): string => parts.map((part) => (typeof part === 'string' ? part : cellText(part.cell, part.text))).join('');

export const workName = ({ name }: ShownWorkLine): string => (name ? plainText(name) : '');

interface Book {
  readonly results: readonly Digits[];
  readonly places: PlacesOf;
  readonly between: Places;
  readonly most: number;
}

/** A part of a line on its way: its value from the digits of the leaves, and how it is written. */
interface Node {
  readonly value: (numbers: readonly number[]) => number;
  readonly write: () => WorkPart[];
  /** How tightly it binds: sums 1, products 2, the rest 3. */
  readonly binds: 1 | 2 | 3;
}

/** What a line gathers: its leaves in order, and whose digits are added together. */
interface Gathered {
  readonly book: Book;
  readonly from: Digits[];
  readonly groups: Digits[][];
  readonly takes: Digits[];
}

function lineOf(work: Work, result: Digits, book: Book): Line {
  const gathered: Gathered = { book, from: [], groups: [], takes: [] };
  const node = nodeOf(work, gathered);
  const relation: Relation = { result, from: gathered.from, redo: [node.value] };
  return { relation, groups: gathered.groups, write: node.write, takes: gathered.takes };
}

/** `together`: the group that a sum's cells share. */
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
    case 'square': {
      const of = nodeOf(work.of, gathered, together);
      return { value: (numbers) => squared(of.value(numbers)), write: () => [...signless(of), '²'], binds: 3 };
    }
    case 'root':
    case 'tanh': {
      const of = nodeOf(work.of, gathered, together);
      const apply = work.is === 'root' ? Math.sqrt : tanh;
      const name = work.is === 'root' ? '√' : 'tanh';
      return { value: (numbers) => apply(of.value(numbers)), write: () => [`${name}(`, ...of.write(), ')'], binds: 3 };
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

/** The first terms, and what the others add. */
function sumOf({ of, rest }: Extract<Work, { is: 'sum' }>, gathered: Gathered): Node {
  const { most, between } = gathered.book;
  const together: Digits[] = [];
  const first = of.length + (rest?.count ?? 0) > most ? of.slice(0, most) : of;
  const nodes = first.map((term) => nodeOf(term, gathered, together));
  gathered.groups.push(together);
  const count = of.length - first.length + (rest?.count ?? 0);
  if (count > 0) {
    const left = of.slice(first.length).reduce((sum, term) => sum + exactly(term), rest?.sum ?? 0);
    nodes.push(leaf(digitsOf(left, between), gathered, undefined, (text) => [t('{0} ({1} others)', text, count)]));
  }
  return joined(nodes, ' + ', 1, (a, b) => a + b);
}

function joined(nodes: readonly Node[], sign: string, binds: 1 | 2, apply: (a: number, b: number) => number): Node {
  return {
    value: (numbers) => nodes.map((node) => node.value(numbers)).reduce(apply),
    write: () => nodes.flatMap((node, i) => [...(i ? [sign] : []), ...bracketed(node, i === 0 ? binds : 3)]),
    binds,
  };
}

const bracketed = (node: Node, binds: 1 | 2 | 3): WorkPart[] =>
  node.binds < binds ? ['(', ...node.write(), ')'] : node.write();

const squared = (x: number): number => x * x;

/** What is squared: in brackets where it has a sign. */
function signless(node: Node): WorkPart[] {
  const parts = node.write();
  const [first] = parts;
  const text = typeof first === 'string' ? first : (first?.text ?? '');
  return node.binds < 3 || /[−e]/.test(text) ? ['(', ...parts, ')'] : parts;
}

/** The value of a term that is not shown: one that takes nothing from other lines. */
function exactly(work: Work): number {
  switch (work.is) {
    case 'cell':
      return work.cell.value;
    case 'number':
    case 'whole':
      return work.value;
    case 'square':
      return squared(exactly(work.of));
    case 'product':
      return work.of.reduce((product, part) => product * exactly(part), 1);
    default:
      throw new Error(`a term of a sum is no ${work.is}`);
  }
}
