/** Heads: whether a row of a head is a token's, and a row of the joined heads too. Told by where cells are moved, which shapes alone decide. */
import { t, finish, type Paced } from '../../../text';
import {
  type Node,
  count,
  type Dense,
  isKnownShape,
  operations,
  type Operation,
  type OperationName,
} from '../../tensor';
import { joinedHeads, type Parts, productOf } from '../../nearest';
import { isScalar, passes } from '../../recognise';
import { headsOf, type Facts } from '../facts';
import { rewritten, textAt, type Found, type Mend } from './found';

export function* findHeads(facts: Facts, text: string): Paced<readonly Found[]> {
  yield;
  const split = [...sidesOf(facts)].flatMap(([node, letters]) => splitAt(facts.own, node, letters, text));
  const merged = [...(yield* mergedAt(facts, text)), ...acrossInputs(facts, text)];
  const places = new Set<string>();
  return [...split, ...merged, ...tiledAt(facts)].filter(({ node: { range } }) => {
    const place = `${range.start} ${range.end}`;
    return !places.has(place) && places.add(place);
  });
}

/** Queries, keys and values as they meet, with the letters of their axes: token and feature are the last two of `rows, features`. */
function* sidesOf({ scores, own, attention: { parts } }: Facts): Generator<readonly [Node, readonly [row: number, feature: number]]> {
  const product = productOf(scores);
  const [q, k] = own.sides;
  if (product) {
    const shared = product.left.find((letter) => product.right.includes(letter) && !product.out.includes(letter)) ?? '';
    const [i = '', j = ''] = product.out.slice(-2);
    const [ofQ, ofK] = q === scores.operands[0] ? [product.left, product.right] : [product.right, product.left];
    yield [q, [ofQ.indexOf(i), ofQ.indexOf(shared)]];
    yield [k, [ofK.indexOf(j), ofK.indexOf(shared)]];
  }
  const sum = own.v && productOf(own.v.sum);
  const v = own.v?.sum.operands[1];
  if (!sum || !v || !parts.weights) return;
  const feature = sum.right.find((letter) => !sum.left.includes(letter)) ?? '';
  const token = sum.right.find((letter) => sum.left.includes(letter) && !sum.out.includes(letter)) ?? '';
  yield [v, [sum.right.indexOf(token), sum.right.indexOf(feature)]];
} // prettier-ignore

/** From which cell of `base` each cell of `node` was moved; undefined where something is computed on the way. */
interface Moved {
  readonly base: Node;
  readonly chain: readonly Node[];
  readonly shape: readonly number[];
  readonly from: Float64Array;
}

export function movedFrom(node: Node, until?: Node): Moved | undefined {
  const chain: Node[] = [];
  let at = node;
  while (at !== until && at.operands[0] && (passes(at) || isScaled(at))) {
    chain.unshift(at);
    at = at.operands[0];
  }
  if ((until && at !== until) || !at.shape || !isKnownShape(at.shape) || count(at.shape) > mostCells) return undefined;
  let dense: Dense = { dtype: 'float64', shape: at.shape, data: Float64Array.from({ length: count(at.shape) }, (_, i) => i) }; // prettier-ignore
  for (const one of chain) {
    const { shape, attributes } = one;
    if (!shape || !isKnownShape(shape)) return undefined;
    if (isScaled(one) || one.operation === 'cast' || one.operation === 'input') continue;
    const operation = (operations as Readonly<Record<string, Operation>>)[one.operation as OperationName];
    if (!operation) return undefined;
    dense = { dtype: 'float64', shape, data: finish(operation.kernel([dense], { shape, dtype: 'float64', attributes })) }; // prettier-ignore
  }
  return { base: at, chain, shape: dense.shape, from: dense.data };
}

const mostCells = 1e6;

const isScaled = ({ operation, operands: [a, b] }: Node): boolean =>
  (operation === 'multiply' || operation === 'divide') && a !== undefined && b !== undefined && isScalar(b) && !isScalar(a); // prettier-ignore

/** A head whose rows are not its tokens: `view(B, h, T, d)` of what has tokens before features. */
function splitAt({ n, d }: Parts, node: Node, [row, feature]: readonly [number, number], text: string): readonly Found[] {
  const moved = movedFrom(node);
  const width = moved?.base.shape?.at(-1);
  const rank = moved?.base.shape?.length ?? 0;
  if (!moved || typeof width !== 'number' || width === 1 || rank < 2 || row < 0 || feature < 0) return [];
  // Rows of one number are nobody's cut: a convolution's eighth of eight channels, whose features are not its last axis.
  if (moved.shape[feature] === 1) return [];
  const rows = rowsOf(moved, row, feature, width);
  const reshape = moved.chain.findLast(({ operation }) => operation === 'reshape');
  if (!rows && reshape) return scrambledAt(moved, reshape, n, shapeAt(moved, row), text);
  if (!rows || !reshape) return [];
  // A head whose rows are of several tokens says more than one that is all of one token.
  const isDouble = (tokens: readonly number[]): boolean => new Set(tokens).size < tokens.length;
  const mixed = rows.findIndex((tokens) => isDouble(tokens) && new Set(tokens).size > 1);
  const head = mixed >= 0 ? mixed : rows.findIndex(isDouble);
  const tokens = rows[head];
  if (!tokens || tokens.length < 2) return [];
  const whole = new Set(tokens).size === 1;
  // One vector that is cut into rows is no token that was lost. One layer may make all three parts, but also slots or items of a token.
  if (whole && (rank < 3 || d === 1 || (n * d !== width && (3 * n * d !== width || !/head|class \w*Att|self\.n?_?h\b/i.test(text))))) return [];
  const again = tokens.findIndex((one, i) => tokens.indexOf(one) < i);
  const message = whole
    ? t('The heads of each token attend to each other: tokens are not the axis before the features.')
    : t('The rows of a head are not its tokens: rows {0} and {1} of head {2} are both cut from token {3}.', tokens.indexOf(tokens[again] ?? 0), again, head, tokens[again]); // prettier-ignore
  return [{ rule: 'heads-split', node: reshape, message, mends: splitting(text, reshape) }];
} // prettier-ignore

/** Fewer heads of keys than of queries, given to query heads one after the other (0, 1, 0, 1), where neighbours share one in grouped-query attention. */
function tiledAt(facts: Facts): readonly Found[] {
  const [, [node, [row, feature]] = [undefined, [-1, -1]]] = [...sidesOf(facts)];
  const moved = node && movedFrom(node);
  const width = moved?.base.shape?.at(-1);
  if (!moved || typeof width !== 'number' || row < 0 || feature < 0) return [];
  const lead = moved.shape.map((_, axis) => axis).filter((axis) => axis !== row && axis !== feature);
  const axis = lead.at(-1);
  const heads = axis === undefined ? 1 : (moved.shape[axis] ?? 1);
  const stride = axis === undefined ? 0 : moved.shape.slice(axis + 1).reduce((a, b) => a * b, 1);
  const begins = Array.from({ length: heads }, (_, head) => moved.from[head * stride] ?? NaN);
  const kinds = [...new Set(begins)];
  const [own, group] = [begins.map((one) => kinds.indexOf(one)), heads / kinds.length];
  const shared = own.map((_, head) => Math.floor(head / group));
  if (kinds.length < 2 || group < 2 || !own.every((one, head) => one === head % kinds.length)) return [];
  const at = moved.chain.find(({ operation }) => operation === 'tile') ?? moved.chain.at(-1);
  const message = t('Query heads take the heads of keys in the order {0}; in grouped-query attention neighbours share one: {1}.', own.join(' '), shared.join(' ')); // prettier-ignore
  return at ? [{ rule: 'heads-tiled', node: at, message, mends: [] }] : [];
}

const shapeAt = ({ shape }: Moved, axis: number): number => shape[axis] ?? 0;

/** As many rows as a layer gave tokens, and in one row numbers of several: cells were counted off where axes were to be turned. */
function scrambledAt({ base }: Moved, reshape: Node, queries: number, rows: number, text: string): readonly Found[] {
  const tokens = base.shape?.at(-2);
  // Of more axes, those behind the tokens may all be features.
  if ((base.shape?.length ?? 0) > 3 || !isLayer(base) || rows !== tokens || tokens < 2 || queries < 2) return [];
  const message = t('A row that queries meet has numbers of several tokens: the cells are counted off anew where axes are to be turned.'); // prettier-ignore
  const was = textAt(text, reshape.range);
  const before = /^(.*)\.(?:view|reshape)\([^()]*(?:\([^()]*\)[^()]*)*\)$/s.exec(was)?.[1];
  const mends = before === undefined ? [] : rewritten(t('Turn the last two axes'), text, reshape, `${before}.transpose(-2, -1)`, `${before}.T`);
  return [{ rule: 'heads-split', node: reshape, message, mends }];
} // prettier-ignore

/** What a layer gives has features last. */
const isLayer = ({ operation, operands }: Node): boolean =>
  operation === 'matmul' || (operation === 'add' && operands.some((one) => one.operation === 'matmul'));

/** Of each matrix the row of the base that each row's cells are from; undefined where a row's cells are of several. */
function rowsOf({ shape, from }: Moved, row: number, feature: number, width: number): readonly number[][] | undefined {
  const [n, d] = [shape[row] ?? 0, shape[feature] ?? 0];
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const lead = shape.map((_, axis) => axis).filter((axis) => axis !== row && axis !== feature);
  const matrices = lead.reduce((all, axis) => all * (shape[axis] ?? 1), 1);
  const found: number[][] = [];
  for (let one = 0; one < matrices; one++) {
    let [rest, at] = [one, 0];
    for (const axis of [...lead].reverse()) {
      at += (rest % (shape[axis] as number)) * (strides[axis] as number);
      rest = Math.floor(rest / (shape[axis] as number));
    }
    const tokens: number[] = [];
    for (let i = 0; i < n; i++) {
      const cell = (c: number): number => Math.floor((from[at + i * (strides[row] as number) + c * (strides[feature] as number)] as number) / width); // prettier-ignore
      for (let c = 1; c < d; c++) if (cell(c) !== cell(0)) return undefined;
      tokens.push(cell(0));
    }
    found.push(tokens);
  }
  return found;
}

/** Tokens before heads, then both turned. */
function splitting(text: string, reshape: Node): readonly Mend[] {
  const title = t('Cut heads from the features, then put them before the tokens');
  const was = textAt(text, reshape.range);
  const call = /^(.*\.(?:view|reshape))\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/s.exec(was);
  const [, before = '', inside = ''] = call ?? [];
  const args = argumentsOf(inside);
  const turned = (list: readonly string[], ...ends: readonly string[]): readonly string[] => ends.map((end) => `${before}(${list.join(', ')})${end}`); // prettier-ignore
  const [a = '', b = '', c = '', e = ''] = args;
  const swapped =
    args.length === 4
      ? turned([a, c, b, e], '.transpose(1, 2)', '.transpose(0, 2, 1, 3)')
      : args.length === 3
        ? turned([b, a, c], '.transpose(0, 1)', '.transpose(1, 0, 2)')
        : [];
  const asIs = args.length === 4 ? turned(args, '.transpose(1, 2)', '.transpose(0, 2, 1, 3)') : [];
  return rewritten(title, text, reshape, ...swapped, ...asIs);
}

export function argumentsOf(inside: string): readonly string[] {
  const found: string[] = [];
  let [depth, from] = [0, 0];
  for (let i = 0; i <= inside.length; i++) {
    const c = inside[i];
    if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if ((c === ',' || c === undefined) && depth === 0) {
      found.push(inside.slice(from, i).trim());
      from = i + 1;
    }
  }
  return found.filter((one) => one !== '');
}

/** Heads that are joined without their axis being put behind the tokens'. */
function* mergedAt(facts: Facts, text: string): Paced<readonly Found[]> {
  const { own, attention, source } = facts;
  const heads = headsOf(facts);
  const joined = yield* joinedHeads({ ...attention, heads }, source, own);
  const sum = own.v?.sum;
  if (!joined || !sum?.shape || !own.v || heads < 2 || !isKnownShape(sum.shape)) return [];
  const moved = movedFrom(joined.node, sum);
  const queries = own.v.out.indexOf('query');
  if (!moved || queries < 0) return [];
  const stride = sum.shape.slice(queries + 1).reduce<number>((a, b) => a * (typeof b === 'number' ? b : 1), 1);
  const width = heads * own.v.width;
  const query = (cell: number): number => Math.floor((moved.from[cell] as number) / stride) % own.n;
  const inputs = sum.shape.length === 4 && sum.shape[1] === heads && queries === 2 ? own.n * heads * stride : undefined;
  const input = (cell: number): number => (inputs === undefined ? 0 : Math.floor((moved.from[cell] as number) / inputs)); // prettier-ignore
  for (let row = 0; row < moved.from.length / width; row++)
    for (let c = 1; c < width; c++) {
      const [first, other] = [query(row * width), query(row * width + c)];
      const reshape = moved.chain.findLast(({ operation }) => operation === 'reshape');
      if (!reshape) continue;
      const [one, another] = [input(row * width), input(row * width + c)];
      if (one !== another)
        return [{ rule: 'heads-merged', node: reshape, message: t('Heads are joined across inputs: row {0} of the result has numbers of inputs {1} and {2}.', row % own.n, one, another), mends: [] }]; // prettier-ignore
      if (first === other) continue;
      return [
        joinedBefore(
          text,
          reshape,
          row % own.n,
          Array.from({ length: width }, (_, at) => query(row * width + at)),
        ),
      ];
    }
  return [];
}

/** Heads and inputs on one axis (B·h × n × d) that are taken apart in another order: a row of the result is of several inputs, or of several queries. */
function acrossInputs(facts: Facts, text: string): readonly Found[] {
  const { own, attention: { parts: { output, wo } } } = facts; // prettier-ignore
  const sum = own.v?.sum;
  const isStack = sum?.shape?.length === 3 && own.v?.out.indexOf('query') === 1;
  const inputs = isStack ? inputsOf(facts) : undefined;
  const product = output?.operation === 'add' ? output.operands[0] : output;
  const node = wo ? product?.operands[0] : output;
  const moved = node && inputs && movedFrom(node, sum);
  const [width = 0, size = 1] = [moved?.shape.at(-1), (own.v?.width ?? 0) * own.n];
  const reshape = moved?.chain.findLast(({ operation }) => operation === 'reshape');
  if (!moved || !inputs || !reshape || width <= (own.v?.width ?? 0)) return [];
  const input = (cell: number): number => inputs[Math.floor((moved.from[cell] as number) / size)] ?? 0;
  const query = (cell: number): number => Math.floor((moved.from[cell] as number) / (own.v?.width ?? 1)) % own.n;
  const row = (cell: number): number => Math.floor(cell / width) % own.n;
  const isOfOne = (of: (cell: number) => number, cell: number): boolean => of(cell) === of(cell - (cell % width));
  const all = Array.from({ length: moved.from.length }, (_, cell) => cell);
  const across = all.find((cell) => !isOfOne(input, cell));
  if (across !== undefined)
    return [{ rule: 'heads-merged', node: reshape, message: t('Heads are joined across inputs: row {0} of the result has numbers of inputs {1} and {2}.', row(across), input(across - (across % width)), input(across)), mends: [] }]; // prettier-ignore
  // What lays all of an input side by side joins no heads.
  const mixed = width < all.length / new Set(inputs).size ? all.find((cell) => !isOfOne(query, cell)) : undefined;
  if (mixed === undefined) return [];
  return [
    joinedBefore(
      text,
      reshape,
      row(mixed),
      Array.from({ length: width }, (_, at) => query(mixed - (mixed % width) + at)),
    ),
  ];
}

/** `queries`: of which each cell of a row of the result is. */
const joinedBefore = (text: string, reshape: Node, row: number, queries: readonly number[]): Found => ({
  rule: 'heads-merged',
  node: reshape,
  message: t('Heads are joined without a transpose: row {0} of the result has numbers of queries {1}, not of query {0} alone.', row, [...new Set(queries)].sort((a, b) => a - b).slice(0, 8).join(', ')),
  mends: joining(text, reshape),
}); // prettier-ignore

/** Of each matrix of values the input that all of it comes from; undefined where one is of several, or where there is one input. */
function inputsOf(facts: Facts): readonly number[] | undefined {
  const [node, [row, feature]] = [...sidesOf(facts)].at(-1) ?? [undefined, [-1, -1]];
  const moved = node && node === facts.own.v?.sum.operands[1] ? movedFrom(node) : undefined;
  const { shape } = moved?.base ?? {};
  const [count = 0, tokens = 0, width = 0] = shape && isKnownShape(shape) && shape.length === 3 ? shape : [];
  // As wide as a head it may have heads before the tokens: no heads are cut from its features.
  if (!moved || count < 2 || row < 0 || feature < 0 || width <= (facts.own.v?.width ?? 0)) return undefined;
  const found = rowsOf(moved, row, feature, width)?.map((all) => [...new Set(all.map((one) => Math.floor(one / tokens)))]);
  return found?.every((all) => all.length === 1) ? found.map(([one = 0]) => one) : undefined;
} // prettier-ignore

function joining(text: string, reshape: Node): readonly Mend[] {
  const was = textAt(text, reshape.range);
  const call = /^(.*)\.(view|reshape|flatten)(\(.*\))$/s.exec(was);
  const [, before = '', by = '', args = ''] = call ?? [];
  if (!call) return [];
  const ends = ['.transpose(1, 2)', '.transpose(0, 1)', '.transpose(0, 2, 1, 3)', '.transpose(1, 0, 2)'];
  const bare = before.replace(/\.contiguous\(\)$/, '');
  return rewritten(t('Put tokens before heads, then join'), text, reshape, ...ends.map((end) => `${bare}${end}.${by.replace('view', 'reshape')}${args}`)); // prettier-ignore
}
