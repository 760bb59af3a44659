/** Rotary positions whose angle grows along another axis than the tokens', such as the heads': code that turns (batch, tokens, heads, width) and is given (batch, heads, tokens, width). */
import { t, type Paced } from '../../../text';
import { count, type Dense, isKnownShape, type Node } from '../../tensor';
import { denseOf, productOf } from '../../nearest';
import { isScalar, passes } from '../../recognise';
import type { Facts } from '../facts';
import { textAt, type Found } from './found';
import { movedCells } from './moved';
import { spreadOver } from './spread';

/** Nodes that are looked at behind queries or keys, and cells of each. */
const mostNodes = 128;
const mostCells = 1e5;

export function* findPositionAxis({ scores, source, attention: { heads = 1 } }: Facts): Paced<readonly Found[]> {
  const product = productOf(scores);
  const [left, right] = scores.operands;
  if (!product || !left || !right) return [];
  for (const [side, own, other] of [[left, product.left, product.right], [right, product.right, product.left]] as const) {
    const turns = yield* turnsBehind(side, (node) => denseOf(source, node));
    const tokens = own.findIndex((letter) => product.out.includes(letter) && !other.includes(letter));
    const angles = turns && anglesOf(side, turns);
    const at = angles && tokens >= 0 ? misplaced(angles, tokens, own.findIndex((letter) => !product.out.includes(letter))) : undefined;
    const [first] = turns?.keys() ?? [];
    if (!at || !first) continue;
    const parts = [at.feature, at.values[0].toFixed(4), at.values[1].toFixed(4), at.index] as const;
    const message = heads > 1 && at.axis === own.length - 3
      ? t('Rotary positions: all tokens of a head are turned by the same angle, and the angle changes from head to head. The factor of feature {0} is {1} in head 0 and {2} in head {3}, at every token.', ...parts)
      : t('Rotary positions: all tokens of an input are turned by the same angle, and the angle changes from input to input. The factor of feature {0} is {1} in input 0 and {2} in input {3}, at every token.', ...parts);
    return [{ rule: 'positions-axis', node: first, message, mends: [] }];
  }
  return [];
} // prettier-ignore

/** Rows of a table that are added input by input: `x + pe[:x.size(0)]`, as it is written for tokens before inputs, where the code says that inputs stand before tokens: rows of an image have positions too. */
export function* findAddedAxis({ attention: { parts: { x } }, own: { n }, source }: Facts, text: string): Paced<readonly Found[]> {
  const [inputs, tokens] = x?.shape ?? [];
  if (!x || x.shape?.length !== 3 || tokens !== n || inputs === n || typeof inputs !== 'number' || inputs < 2) return [];
  let at: Node | undefined = x;
  while (at && at.operation !== 'add' && (at.operation === 'layer_norm' || (passes(at) && at.operation !== 'permute'))) at = at.operands[0];
  const written = at?.operation === 'add' ? textAt(text, at.range) : '';
  const table = at?.operands.find((one) => one.shape?.length === 3 && one.shape[0] === inputs && one.shape[1] === 1);
  if (!at || !table || !/(\w+) *\+.*(?:\b|_)(?:pe|pos\w*)\[:? *\1\.(?:size\(0\)|shape\[0\])/i.test(written) || /time|frame|temp|type/i.test(written) || !inputsFirst.test(text) || hasAxes.test(text)) return [];
  const data = (yield* denseOf(source, table))?.data;
  const width = (data?.length ?? 0) / inputs;
  const c = data?.findIndex((one, i) => i >= width && one !== data[i - width]) ?? -1;
  if (!data || c < 0) return [];
  return [{ rule: 'positions-axis', node: at, message: t('Positions are added input by input: all {0} tokens of input {1} are given row {1} of the table.', n, Math.floor(c / width)), mends: [] }];
} // prettier-ignore

const inputsFirst = /batch_?first|\b(?:B|N|bsz?|batch\w*), *(?:T|L|S|seq\w*|tokens?|time)\b/;
const hasAxes = /axial|\brows?\b|column|patch|frame|segment|variat|video/i;

/** What is multiplied by a cosine or a sine behind queries or keys, with the factor at each cell; undefined where there is none. */
function* turnsBehind(side: Node, numbers: (node: Node) => Paced<Dense | undefined>): Paced<Map<Node, Dense> | undefined> {
  const turns = new Map<Node, Dense>();
  const seen = new Set<Node>([side]);
  for (const at of seen) {
    const factor = at.operation === 'multiply' ? at.operands.find(isAngle) : undefined;
    const { shape } = at;
    if (factor && shape && isKnownShape(shape) && count(shape) <= mostCells) {
      const dense = yield* numbers(factor);
      const data = dense && spreadOver(dense, shape);
      if (data) turns.set(at, { dtype: 'float64', shape, data });
    } else if (seen.size < mostNodes && isFollowed(at)) for (const one of at.operands) seen.add(one);
  }
  return turns.size > 0 ? turns : undefined;
} // prettier-ignore

const isFollowed = (node: Node): boolean =>
  passes(node) || ['concat', 'stack', 'add', 'subtract', 'multiply', 'divide', 'negative'].includes(node.operation);

/** A cosine or a sine that was only moved, joined or negated since. */
function isAngle(node: Node): boolean {
  let at: Node | undefined = node;
  for (let turn = 0; at && turn < 32; turn++) {
    if (at.operation === 'cos' || at.operation === 'sin') return true;
    const [a, b]: readonly (Node | undefined)[] = at.operands;
    // Of polar coordinates, `torch.polar(ones, angles)`, the length comes first.
    const isLength: boolean = at.operation === 'multiply' && a?.attributes.origin === 'torch.ones_like';
    const isScaled = at.operation === 'multiply' && b !== undefined && isScalar(b);
    if (!isLength && !isScaled && !passes(at) && !['concat', 'stack', 'negative'].includes(at.operation)) return false;
    at = isLength ? b : a;
  }
  return false;
}

/** Of each cell of the queries or keys one factor that it was turned by; undefined where a part of them was not turned, or more than moved since. */
function anglesOf(side: Node, turns: ReadonlyMap<Node, Dense>): Dense | undefined {
  const computed = ['add', 'subtract', 'multiply', 'divide', 'negative'];
  return movedCells(side, new Map<Node, Dense | undefined>(turns), isFollowed, ({ operation, shape }, from) =>
    computed.includes(operation) ? from.find((one) => one.shape.join() === shape?.join()) : undefined,
  );
}

interface Misplaced {
  readonly axis: number;
  readonly index: number;
  readonly feature: number;
  readonly values: readonly [number, number];
}

const tolerance = 1e-3;

/** Where the factor is one for all tokens, and another at an index of another axis; undefined where it changes with the token. */
function misplaced({ data, shape }: Dense, tokens: number, features: number): Misplaced | undefined {
  const strides = shape.map((_, d) => shape.slice(d + 1).reduce((a, b) => a * b, 1));
  const stride = strides[tokens] ?? 1;
  if ((shape[tokens] ?? 1) < 2 || features < 0) return undefined;
  const indexAt = (flat: number, d: number): number => Math.floor(flat / (strides[d] as number)) % (shape[d] as number);
  const isNear = (a: number, b: number): boolean => Math.abs((data[a] as number) - (data[b] as number)) <= tolerance;
  for (let i = 0; i < data.length; i++) if (!isNear(i, i - indexAt(i, tokens) * stride)) return undefined;
  for (const axis of shape.keys())
    if (axis !== tokens && axis !== features)
      for (let i = 0; i < data.length; i++) {
        const first = i - indexAt(i, axis) * (strides[axis] as number);
        if (!isNear(i, first))
          return { axis, index: indexAt(i, axis), feature: indexAt(i, features), values: [data[first] as number, data[i] as number] }; // prettier-ignore
      }
  return undefined;
}
