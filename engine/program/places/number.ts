/** Where a number that is read somewhere, in a comment or an output, stands among the steps of a program's attentions. */
import type { Paced, TextRange } from '../../text';
import { explaining } from '../explain/index';
import type { Node, Dense } from '../tensor';
import type { Program } from '../program';
import type { Attention } from '../recognise/index';
import { countEqual, isPrintedAs, numbersIn, printedIn, type PrintedNumber, type PrintedNumbers } from './printed';

/** A number in a text, at an offset of it: a comment, an output, a typed number. */
export interface AskedNumber {
  readonly text: string;
  readonly offset: number;
}

export interface NumberPlace {
  /** By its number among all attentions. */
  readonly attention: number;
  readonly step: string;
  /** What the code calls it. */
  readonly name: string;
  readonly shape: readonly number[];
  /** Of the step's numbers, row by row. */
  readonly index: number;
  readonly value: number;
  /** What computes the step, in the program. */
  readonly range: TextRange;
}

export interface NumberPlaces {
  /** As it is written; undefined where there is none. */
  readonly number?: string;
  /** It was looked for with the matrix in which it stands, and all of that is there. */
  readonly withMatrix: boolean;
  /** Of the last attentions first. */
  readonly places: readonly NumberPlace[];
  /** More are not given. */
  readonly isCut: boolean;
  /** How many attentions of the program were looked through, where those before them were not. */
  readonly lookedThrough?: number;
}

/** Attentions that are looked through, the last ones, and places that are given. */
const [mostAttentions, mostPlaces] = [8, 100] as const;

export function* numberPlaces(
  code: string,
  program: Program,
  attentions: readonly Attention[],
  asked: AskedNumber,
): Paced<NumberPlaces> {
  const { text } = asked;
  const number = numbersIn(text).find(({ start, end }) => start <= asked.offset && asked.offset <= end);
  if (!number) return { withMatrix: false, places: [], isCut: false };
  const matrix = (yield* printedIn(text)).find(({ range }) => range.start <= number.start && number.end <= range.end);
  const [whole, single]: [NumberPlace[], NumberPlace[]] = [[], []];
  for (let which = attentions.length - 1; which >= 0 && which >= attentions.length - mostAttentions; which--)
    for (const { step, name, node, dense } of yield* stepsOf(code, program, attentions[which] as Attention)) {
      const place = (index: number): NumberPlace => ({ attention: which, step, name, shape: dense.shape, index, value: dense.data[index] ?? NaN, range: node.range }); // prettier-ignore
      const index = matrix ? indexIn(matrix, number, dense) : undefined;
      if (index !== undefined) whole.push(place(index));
      else if (whole.length === 0 && single.length <= mostPlaces) dense.data.forEach((x, i) => void (isPrintedAs(x, number) && single.push(place(i)))); // prettier-ignore
    }
  const places = whole.length > 0 ? whole : single;
  const written = text.slice(number.start, number.end);
  return { number: written, withMatrix: whole.length > 0, places: places.slice(0, mostPlaces), isCut: places.length > mostPlaces, ...(attentions.length > mostAttentions && { lookedThrough: mostAttentions }) }; // prettier-ignore
}

/** Which of the numbers it is where all of the matrix are those of a tensor. */
function indexIn(matrix: PrintedNumbers, number: PrintedNumber, dense: Dense): number | undefined {
  if (dense.data.length !== matrix.numbers.length || countEqual(dense, matrix) < dense.data.length) return undefined;
  const index = matrix.numbers.findIndex(({ start }) => start === number.start);
  return index < 0 ? undefined : index;
}

interface StepNumbers {
  readonly step: string;
  readonly name: string;
  readonly node: Node;
  readonly dense: Dense;
}

/** Each step of an attention once, with its numbers; of those that only stand in none is the code's. */
function* stepsOf(code: string, program: Program, attention: Attention): Paced<readonly StepNumbers[]> {
  const made = yield* explaining(code, program, attention);
  if (!made.ok) return [];
  const found = new Map<string, StepNumbers>();
  const { start } = made.value.spec;
  const names = new Map((start.from === 'program' ? start.steps : []).map(({ id, name }) => [id, name]));
  for (const [node, step] of made.value.steps) {
    if (node.why || node.sample || found.has(step)) continue;
    const dense = yield* program.look(node);
    if ('data' in dense) found.set(step, { step, name: names.get(step) ?? step, node, dense });
  }
  return [...found.values()];
}
