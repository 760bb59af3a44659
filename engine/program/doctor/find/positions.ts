/** Rotary positions: both features of a pair have to be turned by one angle (Su et al. 2021, equation 34). */
import { t, type Paced } from '../../../text';
import { count, type Dense, isKnownShape, type Node } from '../../tensor';
import { denseOf } from '../../nearest';
import { comesFrom, passes } from '../../recognise';
import type { Facts } from '../facts';
import { rewritten, textAt, type Found, type Mend } from './found';
import { movedCells } from './moved';
import { spreadOver } from './spread';

export function* findPositions({ scores, source }: Facts, text: string): Paced<readonly Found[]> {
  for (const side of scores.operands)
    for (const turn of turnsBehind(side)) {
      const cells = partnersOf(turn);
      const [cos, sin] = [yield* denseOf(source, turn.cos), yield* denseOf(source, turn.sin)];
      const [c, s] = cells && cos && sin ? [spreadOver(cos, turn.shape), spreadOver(sin, turn.shape)] : [];
      if (!cells || !c || !s) continue;
      const found = wrongPair(cells, c, s, turn);
      if (found) return [{ rule: 'positions-pairs', node: turn.node, message: found, mends: mendsOf(turn, text) }];
    }
  return [];
}

/** x · cos + turned(x) · sin, where `turned` moves cells of x and changes signs. */
interface Turn {
  readonly node: Node;
  readonly x: Node;
  readonly turned: Node;
  readonly cos: Node;
  readonly sin: Node;
  readonly shape: readonly number[];
}

/** Nodes that are looked at behind queries or keys. */
const mostBehind = 64;

function turnsBehind(side: Node): readonly Turn[] {
  const seen = new Set<Node>([side]);
  const found: Turn[] = [];
  for (const at of seen) {
    const turn = turnAt(at);
    if (turn) found.push(turn);
    else if (seen.size < mostBehind && (passes(at) || ['concat', 'multiply', 'divide'].includes(at.operation))) for (const one of at.operands) seen.add(one); // prettier-ignore
  }
  return found;
}

function turnAt(node: Node): Turn | undefined {
  const { operation, operands: [a, b], shape } = node; // prettier-ignore
  if (operation !== 'add' || !shape || !isKnownShape(shape) || count(shape) > mostCells) return undefined;
  if (a?.operation !== 'multiply' || b?.operation !== 'multiply') return undefined;
  for (const [x, cos] of pairsOf(a))
    for (const [turned, sin] of pairsOf(b))
      if (turned !== x && comesFrom(turned, x) && !comesFrom(cos, x) && !comesFrom(sin, x)) return { node, x, turned, cos, sin, shape }; // prettier-ignore
  return undefined;
}

const mostCells = 1e5;

const pairsOf = ({ operands: [a, b] }: Node): readonly (readonly [Node, Node])[] =>
  a && b ? [[a, b], [b, a]] : []; // prettier-ignore

/** Of each cell the cell of x that `turned` has there, counted from 1 and with its sign; undefined where anything is computed on the way. */
function partnersOf({ x, turned, shape }: Turn): Float64Array | undefined {
  if (!x.shape || !isKnownShape(x.shape) || x.shape.join() !== shape.join()) return undefined;
  const known = new Map<Node, Dense | undefined>([[x, { dtype: 'float64', shape, data: Float64Array.from({ length: count(shape) }, (_, i) => i + 1) }]]); // prettier-ignore
  const cells = movedCells(turned, known, isTurned);
  return cells?.data.length === count(shape) ? (cells.data as Float64Array) : undefined;
}

const isTurned = (node: Node): boolean => passes(node) || ['negative', 'concat', 'stack'].includes(node.operation);

const square = (x = NaN): number => x * x;

/** Rounding of a cosine in half precision and less. */
const tolerance = 1e-2;

/** In words, where pairs are turned by two angles or mirrored; undefined where they are turned, or where cos² + sin² is not 1 and no turn is meant. */
function wrongPair(cells: Float64Array, cos: Float64Array, sin: Float64Array, { shape }: Turn): string | undefined {
  const width = shape.at(-1) ?? 1;
  const partner = (i: number): number => Math.abs(cells[i] as number) - 1;
  const isPair = (i: number): boolean => partner(i) !== i && partner(partner(i)) === i && Math.floor(i / width) === Math.floor(partner(i) / width); // prettier-ignore
  for (let i = 0; i < cells.length; i++)
    if (!isPair(i) || Math.abs(square(cos[i]) + square(sin[i]) - 1) > tolerance) return undefined;
  for (let i = 0; i < cells.length; i++) {
    const [j, a, b] = [partner(i), cos[i] as number, cos[partner(i)] as number];
    if (Math.sign(cells[i] as number) === Math.sign(cells[j] as number) && Math.abs(sin[i] as number) > tolerance)
      return t('Rotary positions: features {0} and {1} are mirrored, not turned. One of the two products with the sine needs a minus sign.', i % width, j % width); // prettier-ignore
    if (Math.max(Math.abs(a - b), Math.abs((sin[i] as number) - (sin[j] as number))) > tolerance)
      return t('Rotary positions: features {0} and {1} are turned as a pair, but by two angles: their cosines are {2} and {3}. So the scores depend on more than the distance of two tokens.', i % width, j % width, a.toFixed(4), b.toFixed(4)); // prettier-ignore
  }
  return undefined;
}

/** The angles laid out for the pairs that the code turns: once where cosines and sines are of the same, else in both. */
function mendsOf({ cos, sin }: Turn, text: string): readonly Mend[] {
  const [ofCos, ofSin] = [laidOut(cos, text), laidOut(sin, text)];
  const isSame = (a: Mend, b: Mend): boolean => a.edits[0]?.range.start === b.edits[0]?.range.start;
  const both = ofCos.filter((one) => ofSin.some((other) => isSame(one, other)));
  return both.length > 0
    ? both
    : ofCos.flatMap((one) => ofSin.map((other) => ({ ...one, edits: [...one.edits, ...other.edits] })));
}

/** As a whole twice for halves, each twice for neighbours. */
function laidOut(from: Node, text: string): readonly Mend[] {
  const seen = new Set<Node>([from]);
  for (const at of seen) if (seen.size < mostBehind) for (const operand of at.operands) seen.add(operand);
  return [...seen].flatMap((node) => {
    const was = textAt(text, node.range);
    const [, method] = /^(.+)\.repeat_interleave\(\s*2\s*,\s*(?:dim\s*=\s*)?-1\s*\)$/s.exec(was) ?? [];
    const [, called] = /^(?:torch\.repeat_interleave|np\.repeat)\(\s*(.+?)\s*,\s*(?:repeats\s*=\s*)?2\s*,\s*(?:(?:dim|axis)\s*=\s*)?-1\s*\)$/s.exec(was) ?? [];
    const [, numpy, one, other] = /^(torch\.cat|torch\.concat|np\.concatenate)\(\s*[[(]\s*(.+?)\s*,\s*(.+?)\s*[\])]\s*,\s*(?:(?:dim|axis)\s*=\s*)?-1\s*\)$/s.exec(was) ?? [];
    const whole = method ?? called;
    const now = whole !== undefined ? (was.startsWith('np.') ? `np.concatenate((${whole}, ${whole}), axis=-1)` : `torch.cat((${whole}, ${whole}), dim=-1)`) : one !== undefined && one === other ? (numpy?.startsWith('np') ? `np.repeat(${one}, 2, axis=-1)` : `torch.repeat_interleave(${one}, 2, dim=-1)`) : undefined;
    return rewritten(t('Lay the angles out as the pairs are'), text, node, now);
  });
} // prettier-ignore
