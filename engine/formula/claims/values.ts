/** The numbers of a program's nodes, with how far they may be off since the document's own numbers, from which they follow, are rounded. */
import type { Paced } from '../../text';
import { newAllowance, newSource, numbersOf, type Dense, type Node, type Program, type Source } from '../../program';
import type { Printed } from './things';

export interface Known {
  readonly dense: Dense;
  /** How far each number may be off. */
  readonly within: number;
}

export interface Values {
  readonly of: (node: Node) => Paced<Known | undefined>;
  /** Nodes whose numbers the document writes, and where. */
  readonly written: ReadonlyMap<Node, Printed>;
}

const seed = 0;
/** Readings with written numbers moved by as much as rounding may have moved them. */
const readings = 3;
/** How much farther than in those readings a number may be off. */
const spare = 4;
/** Of the largest number: the order of sums. */
const lost = { float32: 1e-4, float64: 1e-9 } as const;

/** Numbers of a document take the place of draws without a seed. */
export function valuesIn(program: Program, matrices: readonly Printed[]): Values {
  const written = writtenIn(program, matrices);
  const sources = Array.from({ length: written.size > 0 ? readings + 1 : 1 }, (_, i) => sourceOf(written, i));
  return {
    written,
    *of(node) {
      const [own, ...others] = sources;
      const known = own && (yield* numbersOf(own, node));
      if (!known || known.standIn || node.assumes) return undefined;
      const { data, dtype } = known.dense;
      let moved = 0;
      for (const source of others) {
        const other = yield* numbersOf(source, node);
        other?.dense.data.forEach((x, i) => (moved = Math.max(moved, farFrom(x, data[i] ?? NaN))));
      }
      const largest = data.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
      return { dense: known.dense, within: spare * moved + largest * (dtype === 'float64' ? lost.float64 : lost.float32) };
    },
  };
} // prettier-ignore

const farFrom = (a: number, b: number): number => (Object.is(a, b) || a === b ? 0 : Math.abs(a - b) || 0);

/** What was drawn without a seed, by the first assignment to each name, and the first numbers that are printed for it behind that. */
function writtenIn({ bindings }: Program, matrices: readonly Printed[]): ReadonlyMap<Node, Printed> {
  const found = new Map<Node, Printed>();
  const names = new Set<string>();
  for (const { name, range, node, stack, standIn } of bindings) {
    if (!node?.shape || !isDrawn(node) || stack.length > 0 || standIn || names.has(name)) continue;
    names.add(name);
    const own = matrices.find((one) => one.name === name && one.range.start > range.start && one.shape.join() === node.shape?.join() && one.numbers.every(({ value }) => Number.isFinite(value))); // prettier-ignore
    if (own) found.set(node, own);
  }
  return found;
}

/** One call draws it; a library may scale and shift what it draws. */
function isDrawn(node: Node): boolean {
  const all = new Set([node]);
  for (const { operands } of all) for (const operand of operands) all.add(operand);
  const isOne = [...all].every(({ range, operands, shape }) => operands.length === 0 && shape?.length === 0 || range.start === node.range.start && range.end === node.range.end); // prettier-ignore
  return node.why !== undefined && isOne && [...all].filter(({ why, operands }) => why && operands.length === 0).length === 1; // prettier-ignore
}

function sourceOf(written: ReadonlyMap<Node, Printed>, reading: number): Source {
  const moved = [...written].map(([node, { numbers }], at) => [node, numbers.map(({ value, slack }, i) => value + slack * sway(reading, at * 7919 + i))] as const); // prettier-ignore
  return newSource(seed, newAllowance(), new Set(written.keys()), new Map(moved));
}

/** Nothing in the first reading, else up or down, by turns that no two readings share. */
const sway = (reading: number, i: number): number => (reading === 0 ? 0 : ((i * 2654435761) >>> (8 + 3 * reading)) % 2 === 0 ? 1 : -1); // prettier-ignore
