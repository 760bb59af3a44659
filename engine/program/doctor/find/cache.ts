/** Keys that earlier calls left: a causal mask has to begin at the queries' own tokens, which are the last. */
import { t, type Paced } from '../../../text';
import { sameNode, type Node } from '../../tensor';
import { passes, throughMoves } from '../../recognise';
import type { Facts } from '../facts';
import { maskNode, triangles } from './mask';
import { sourceOf } from './calls';
import { partOf } from './names';
import { functionAround, rewritten, textAt, type Found, type Mend } from './found';

/** A triangle that begins at key 0 where the queries are the last of more tokens: `tril(ones(L, S))` beside a cache. */
export function* findCache(facts: Facts, text: string): Paced<readonly Found[]> {
  yield;
  const { own: { n, m }, hidden, ownMask } = facts; // prettier-ignore
  const node = maskNode(facts);
  const before = m - n;
  const padded = node && ownMask && before > 0 ? paddedKeys(facts) : undefined;
  if (!node || !padded) return [];
  const hidesFrom = (first: number, i: number): boolean => isAfter(i, n, m, first) || padded.has(keyOf(i, n, m));
  if (!hidden.every((x, i) => (x === 1) === hidesFrom(0, i)) || !isKept(facts)) return [];
  const message = t('The mask begins at the first key, but {0} keys of earlier calls stand before those of this one: query 0 is token {0}, and no query sees its own key.', before); // prettier-ignore
  const right = hidden.map((_, i) => Number(hidesFrom(before, i)));
  return [{ rule: 'mask-cache', node, message, hidden: right, mends: mendsOf(facts, node, text) }];
}

/** A key of one matrix of the stack. */
const keyOf = (cell: number, n: number, m: number): number => Math.floor(cell / (n * m)) * m + (cell % m);

/** Keys below a triangle that no query of the matrix sees, as those of padding; undefined where what is left shows no triangle. */
function paddedKeys({ hidden, own: { n, m } }: Facts): ReadonlySet<number> | undefined {
  const seen = new Set<number>();
  hidden.forEach((x, i) => void (x === 0 && seen.add(keyOf(i, n, m))));
  const own = [...Array((hidden.length / (n * m)) * m).keys()].filter((key) => key % m < n);
  const padded = new Set(own.filter((key) => !seen.has(key)));
  return padded.size === 0 || own.some((key) => key % m > 0 && seen.has(key)) ? padded : undefined;
}

/** Whether a cell's key is after its query, which is token `before` + i. */
const isAfter = (cell: number, n: number, m: number, before: number): boolean =>
  cell % m > (Math.floor(cell / m) % n) + before;

/** Whether the keys are others before those that are made of what the queries are made of, which are as many as the queries. */
function isKept({ scores, own: { n, m } }: Facts): boolean {
  const [left, right] = scores.operands;
  let at = right;
  while (at && at.operation !== 'concat' && passes(at)) at = at.operands[0];
  const fresh = at?.operands.at(-1);
  const axis = at?.attributes.axis ?? 0;
  if (!left || at?.operation !== 'concat' || !fresh || at.operands.length !== 2) return false;
  const along = axis < 0 ? axis + (at.shape?.length ?? 0) : axis;
  const source = sourceOf(left);
  return at.shape?.[along] === m && fresh.shape?.[along] === n && source !== undefined && sourceOf(fresh) === source;
}

/** Values of earlier tokens that are these tokens' keys: a cache that was given the keys twice. */
export function findKeptKeys({ scores, own: { v } }: Facts): readonly Found[] {
  const [keys, values] = [scores.operands[1], v?.sum.operands[1]].map((one) => one && throughMoves(one));
  if (keys?.operation !== 'concat' || values?.operation !== 'concat' || keys === values || keys.operands.length !== values.operands.length) return []; // prettier-ignore
  const isKept = values.operands.map((one, i) => isSame(one, keys.operands[i]));
  // What both take alike and no layer made, such as rows of zeros, may be meant for both.
  const kept = values.operands.find((one, i) => isKept[i] && isProjected(throughMoves(one)));
  // Features that keys and values share are no tokens.
  if (!kept || isKept.every(Boolean) || [-1, (values.shape?.length ?? 0) - 1].includes(values.attributes.axis ?? 0))
    return [];
  const tokens = kept.shape?.at(-2) ?? 0;
  return [{ rule: 'values-from-keys', node: values, message: t('The values of {0} earlier tokens are their keys: the cache was given the keys for both.', String(tokens)), mends: [] }]; // prettier-ignore
}

/** The last keys and values of a cache with a place for each token, if none was written to them: a score of 0 hides none. A key of zeros may be seen on purpose. */
export function findUnwritten({ attention: { site }, scores, own: { k, m, d, n, v }, weights }: Facts, text: string): readonly Found[] {
  if (!v || ![scores.operands[1], v.sum.operands[1]].every((one) => one && isWritten(throughMoves(one))) || !/cache|past|\bc_?k\b/i.test(text) || /zero_?attn|sink|null|dummy|memor|slot|neighbo/i.test(text)) return [];
  // What is made of the weights may leave these out.
  if (throughMoves(v.sum.operands[0] as Node) !== throughMoves(site.weights)) return [];
  const isZero = (data: Float64Array, width: number, j: number): boolean => data.every((x, at) => Math.floor(at / width) % m !== j || x === 0);
  const empty = Array.from({ length: m }, (_, j) => j).filter((j) => isZero(k, d, j) && isZero(v.data, v.width, j));
  const [first] = empty;
  const share = empty.reduce((sum, j) => sum + (weights[(n - 1) * m + j] as number), 0);
  if (first === undefined || first === 0 || first + empty.length !== m || !(share > 1e-3)) return [];
  return [{ rule: 'mask-cache', node: scores, message: t('{0} of the {1} keys, from key {2} on, are zeros to which no token was written yet: together query {3} gives them the weight {4}.', empty.length, m, first, n - 1, share.toFixed(4)), mends: [] }];
} // prettier-ignore

/** Zeros that were written into in part. */
function isWritten(node: Node): boolean {
  let [at, writes]: [Node | undefined, number] = [node, 0];
  for (; at && (at.operation === 'write' || passes(at)); at = at.operands[0]) if (at.operation === 'write') writes++;
  return writes > 0 && at?.operation === 'constant';
}

/** `past_k, past_v = past` where the call gives back `(v, k)`. */
export function findCacheOrder({ attention: { site }, scores }: Facts, text: string): readonly Found[] {
  const calls = new Set([site.weights.range, ...site.weights.stack].map(({ start }) => functionAround(text, start)));
  return [...calls].flatMap((at) => {
    const code = at ? textAt(text, at) : '';
    const taken = /^[ \t]*\(?(\w+)[ \t]*,[ \t]*(\w+)\)?[ \t]*=[ \t]*([\w.]+)[ \t]*(?:#.*)?$/m.exec(code);
    const [, a = '', b = '', from = ''] = taken ?? [];
    const [first, second] = [partOf(a), partOf(b)];
    const isPair = (first === 'keys' && second === 'values') || (first === 'values' && second === 'keys');
    // What a caller gives, or the last call left.
    const isKept = from.startsWith('self.') || new RegExp(`^[^:]*\\b${from}\\b`).test(code);
    if (!at || !isPair || !isKept) return [];
    const given = [...code.matchAll(/^[ \t]*(?:return\b.*[\s,]|[\w.]+[ \t]*=[ \t]*)(\((\w+), *(\w+)\))[ \t]*(?:#.*)?$/gm)];
    return given.flatMap(({ index, 0: line, 1: pair = '', 2: x = '', 3: y = '' }): readonly Found[] => {
      if (partOf(x) !== second || partOf(y) !== first) return [];
      const start = at.start + index + line.lastIndexOf(pair);
      const range = { start, end: start + pair.length };
      const message = t('The cache is given back as {0} and taken as {1}: in the next call keys and values change places.', pair, `(${a}, ${b})`);
      return [{ rule: 'values-from-keys', node: scores, range, message, mends: rewritten(t('Give it back in the order in which it is taken'), text, { range }, `(${y}, ${x})`) }];
    });
  });
} // prettier-ignore

/**
 * Keys that are all of earlier calls, where the same layer makes keys of this token too and no attention of this call takes them. The first call's
 * tokens have to see their own: a memory that is empty then, and read before it is written, is none of the queries' own sequence.
 */
export function findOwnLate({ own: { n, sides: [left, right] }, scores }: Facts, nodes: readonly Node[]): readonly Found[] {
  const [kept, own] = [partsOf(right).map(productBehind), productBehind(left)];
  const [last, tokens] = [kept.at(-1), own && cutTokens(own)];
  if (!last || !tokens || n > 1 || !nodes.some((one) => isOfItself(one, kept[0])) || kept.some((one) => !one || weightOf(one) !== weightOf(last) || isCutAlike(cutTokens(one), tokens))) return [];
  const late = nodes.find((one) => one.operation === 'matmul' && isAt(one, last) && weightOf(one) === weightOf(last) && isCutAlike(cutTokens(one), tokens));
  if (!late) return [];
  // Whatever takes them, such as a window beside a memory, shows a query its own key.
  const reached = new Set<Node>([late]);
  for (const node of nodes.slice(nodes.indexOf(late) + 1)) if (node !== scores && node.operands.some((one) => reached.has(one))) reached.add(node);
  reached.delete(late);
  if ([...reached].some(({ operation }) => operation === 'matmul' || operation === 'einsum' || operation === 'softmax')) return [];
  const isKept = ({ operation, operands }: Node): boolean => operation === 'concat' && operands.some((one) => !reached.has(one) && partsOf(one).some((part) => kept.includes(productBehind(part))));
  if (![...reached].some(isKept) && !(reached.size === 0 && isLastOfLate(scores, right, last, nodes))) return [];
  return [{ rule: 'mask-hides-own', node: scores, message: t('The keys of this call are kept for the next one only: no query sees its own key.'), mends: [] }];
} // prettier-ignore

/** A join of one, as a list of the first call's keys, is that one. */
function soleProduct(node: Node): Node | undefined {
  const [one, ...more] = partsOf(node);
  return one && more.length === 0 ? productBehind(one) : undefined;
}

/** Of the last call, whose keys no other takes: whether the call before kept its own for this one alike, and did not see them. */
function isLastOfLate(scores: Node, keys: Node, kept: Node, nodes: readonly Node[]): boolean {
  const before = nodes.findLast((one) => one.id < scores.id && one.operation === scores.operation && isAt(one, scores));
  const side = scores.operands.indexOf(keys);
  const [query, old] = [before?.operands[1 - side], before?.operands[side]].map((one) => one && throughMoves(one));
  const own = query && productBehind(query);
  return own !== undefined && old !== undefined && isCutAlike(cutTokens(own), cutTokens(kept)) && !partsOf(old).some((one) => productBehind(one) === kept);
} // prettier-ignore

/** Whether a product is of queries and keys of the same tokens. */
const isOfItself = ({ operation, operands }: Node, keys: Node | undefined): boolean => {
  const behind = operation === 'matmul' || operation === 'einsum' ? operands.map(soleProduct) : [];
  const query = behind.find((one) => one !== keys);
  return keys !== undefined && query !== undefined && behind.includes(keys) && isCutAlike(cutTokens(query), cutTokens(keys));
}; // prettier-ignore

/** What a layer multiplies with, and what it is given. */
export const weightOf = ({ operands: [, weight] }: Node): Node | undefined => weight && throughMoves(weight);
export const tokensOf = ({ operands: [tokens] }: Node): Node | undefined => tokens && throughMoves(tokens);
/** The tokens of one step, where a loop cuts them from all. */
function cutTokens({ operands: [tokens] }: Node): Node | undefined {
  let at = tokens;
  while (at && passes(at) && at.operation !== 'slice' && at.operands[0]) at = at.operands[0];
  return at;
}

const isCutAlike = (a: Node | undefined, b: Node | undefined): boolean => a !== undefined && b !== undefined && sameNode(a, b); // prettier-ignore

const isAt = ({ range }: Node, other: Node): boolean => range.start === other.range.start && range.end === other.range.end; // prettier-ignore

/** What was joined, call after call. */
function partsOf(node: Node): readonly Node[] {
  const at = throughMoves(node);
  return at.operation === 'concat' ? at.operands.flatMap(partsOf) : [at];
}

/** The layer that made queries or keys. */
function productBehind(node: Node): Node | undefined {
  let at: Node | undefined = throughMoves(node);
  while (at && at.operation !== 'matmul') at = ['add', 'multiply', 'divide'].includes(at.operation) || passes(at) ? at.operands[0] : undefined; // prettier-ignore
  return at;
}

/** Whether two tensors are one, or one moved in the same way. */
const isSame = (one: Node, other: Node | undefined): boolean =>
  one === other ||
  (other !== undefined && passes(one) && one.operation === other.operation && JSON.stringify(one.attributes) === JSON.stringify(other.attributes) && one.operands[0] !== undefined && isSame(one.operands[0], other.operands[0])); // prettier-ignore

/** Whether a layer made it, or what was joined before. */
const isProjected = (node: Node): boolean =>
  node.operation === 'concat'
    ? node.operands.some((one) => isProjected(throughMoves(one)))
    : sourceOf(node) !== undefined;

/** `tril(ones(L, S))` with the diagonal S − L; `mask[:T, :S]` with its last rows. */
function mendsOf(facts: Facts, node: Node, text: string): readonly Mend[] {
  const title = t('Begin the mask at the queries’ own tokens');
  const shifted = triangles(facts).flatMap((one): readonly Mend[] => {
    const was = textAt(text, one.range);
    const [, rows, columns] = /\b(?:ones|full|zeros)\(\(?\s*([\w.]+(?:\[-?\d+\])?)\s*,\s*([\w.]+(?:\[-?\d+\])?)\s*[,)]/.exec(was) ?? [];
    if (rows === undefined || columns === undefined) return [];
    const offset = `${columns} - ${rows}`;
    return variants(was, offset).map((now) => ({ title, edits: [{ range: one.range, text: now }] }));
  }); // prettier-ignore
  const was = textAt(text, node.range);
  const sliced = was.replace(/:\s*(\w+)\s*,\s*:\s*(\w+)\s*\]/, '$2 - $1:$2, :$2]');
  return [...shifted, ...(sliced === was ? [] : [{ title, edits: [{ range: node.range, text: sliced }] }])];
}

/** A call of `tril` or `triu` with another diagonal. */
function variants(was: string, offset: string): readonly string[] {
  const beside = /\btri([lu])\((?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*\)$/.exec(was);
  const own = /(?:diagonal\s*=\s*|k\s*=\s*|,\s*|\()(-?\d+)\s*\)$/.exec(was)?.[1];
  if (!beside) return [];
  const k = own === undefined || Number(own) === 0 ? offset : `${offset} + ${own}`;
  if (own !== undefined) return [was.replace(/(diagonal\s*=\s*|k\s*=\s*|,\s*|\()-?\d+\s*\)$/, `$1${k})`)];
  return /tri[lu]\(\s*\)$/.test(was) ? [was.replace(/\(\s*\)$/, `(${k})`)] : [was.replace(/\)$/, `, ${k})`)];
}
