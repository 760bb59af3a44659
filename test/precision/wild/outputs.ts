/** Compares matrices in a notebook's saved output with the interpreter's values of the same cell. */
import { isKnownShape } from '../../../engine/program/tensor/dims';
import type { Node } from '../../../engine/program/tensor/graph';
import type { Program } from '../../../engine/program/program';
import { finish } from '../../../engine/text/pace';
import { fromPrinted, offBy, withDropout, type PrintedValues } from '../../../engine/program/places/rounding';
import type { Cell } from './cells';

export interface Printed {
  /** `open`: the interpreter does not know the printed value, with the reason. `other`: it has numbers, but different ones. `read`: drawn without a seed, and taken from this output. */
  readonly is: 'reproduced' | 'read' | 'open' | 'other';
  readonly text: string;
  readonly why?: string;
}

interface Matrix {
  readonly numbers: readonly number[];
  /** Half a unit in the last printed digit of each number. */
  readonly slack: readonly number[];
  readonly elided: boolean;
  readonly text: string;
}

export function printedMatrices(program: Program, cell: Cell, given: PrintedValues): readonly Printed[] {
  const matrices = cell.printed.flatMap(matricesIn);
  if (matrices.length === 0) return [];
  const nodes = program.outputs
    .filter(({ by }) => by.start >= cell.start && by.start < cell.end)
    .flatMap(({ parts }) => parts.flatMap((part) => ('node' in part && part.node ? [part.node as Node] : [])));
  return matrices.map((matrix) => ({ text: matrix.text.slice(0, 80), ...verdictOf(program, matrix, nodes, given) }));
}

function verdictOf(
  program: Program,
  matrix: Matrix,
  nodes: readonly Node[],
  given: PrintedValues,
): Omit<Printed, 'text'> {
  const values = nodes.map((node) => valuesOf(program, node));
  const found = nodes.find((node, i) => {
    const own = values[i];
    const dropped = finish(withDropout(program, node));
    if (dropped.some(({ data }) => agrees(matrix, data))) return true;
    if (own !== undefined && typeof own !== 'string') return agrees(matrix, own, finish(offBy(program, node)));
    const made = finish(fromPrinted(node, given));
    return made && agrees(matrix, made.dense.data, made.far);
  });
  // What was read from the output is no finding of ours.
  if (found) return program.kept.used.has(found) ? { is: 'read' } : { is: 'reproduced' };
  const why =
    values.find((own) => typeof own === 'string') ??
    // Dropout that is passed by: said so, and not claimed to be what was printed.
    nodes.find(({ assumes }) => assumes)?.assumes?.text ??
    (nodes.length === 0 ? 'nothing is printed here' : undefined);
  return why === undefined ? { is: 'other' } : { is: 'open', why: String(why) };
}

function valuesOf(program: Program, node: Node): Float64Array | string {
  if (node.why) return node.why.text;
  if (!node.shape || !isKnownShape(node.shape)) return 'shape is not known';
  const found = finish(program.look(node));
  return 'data' in found ? found.data : found.text;
}

/** If the printed matrix is abbreviated with `...`, each of its numbers must occur among ours, in order. */
function agrees({ numbers, slack, elided }: Matrix, own: Float64Array, far?: Float64Array): boolean {
  const near = (x: number, i: number): boolean =>
    Math.abs(x - (numbers[i] as number)) <=
      (slack[i] as number) * 1.01 + 2e-6 * Math.abs(x) + (elided ? 0 : (far?.[i] ?? 0)) || Object.is(x, numbers[i]);
  if (!elided) return own.length === numbers.length && own.every(near);
  let i = 0;
  for (const x of own) if (i < numbers.length && near(x, i)) i++;
  return i === numbers.length && own.length > numbers.length;
}

const number = /[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)/gi;

/** Nested brackets that contain only numbers, as PyTorch and NumPy print them. */
function matricesIn(text: string): readonly Matrix[] {
  return bracketed(text).flatMap((whole) => matrixOf(whole) ?? []);
}

/** The outermost `[[…]]` of a text, found in one pass. */
function bracketed(text: string): readonly string[] {
  const found: string[] = [];
  let [depth, deepest, start] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '[') {
      if (depth++ === 0) [start, deepest] = [i, 0];
      deepest = Math.max(deepest, depth);
    } else if (text[i] === ']' && depth > 0 && --depth === 0 && deepest > 1) found.push(text.slice(start, i + 1));
  }
  return found;
}

function matrixOf(whole: string): Matrix | undefined {
  if (!/^[-+\d.e,\s[\]infa]+$/i.test(whole)) return undefined;
  const words = whole.match(number) ?? [];
  if (words.length < 2 || words.length > 20_000) return undefined;
  const numbers = words.map((word) => Number(word.replace(/inf/i, 'Infinity').replace(/nan/i, 'NaN')));
  const isScientific = /e[-+]?\d/i.test(whole);
  const slack = words.map((word) =>
    isScientific ? Math.abs(Number(word)) * 6e-5 : 0.5 * 10 ** -(word.split('.')[1]?.length ?? 0),
  );
  return {
    numbers,
    slack: slack.map((s) => (Number.isFinite(s) ? s : 0)),
    elided: whole.includes('...'),
    text: whole.replace(/\s+/g, ' '),
  };
}
