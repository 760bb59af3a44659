/**
 * Rotary positions of queries and keys together (Su et al. 2021, equation 16): between a token and itself no distance lies, so that their score is
 * made of query and key in the same way at every place. That holds for positions of one axis or two, for parts of the width and with any scale.
 */
import { t, type Paced, type TextRange } from '../../../text';
import { isKnownShape, sameNode, type Node } from '../../tensor';
import { productOf } from '../../nearest';
import { isScalar, passes, productWithLeaf, throughMoves } from '../../recognise';
import type { Facts } from '../facts';
import type { Found } from './found';
import { behind } from './restart';
import { newIsMade, termsOf, tokensBehind, type Term } from './terms';

export function* findTurned(facts: Facts, nodes: readonly Node[], text: string): Paced<readonly Found[]> {
  if (!nodes.some(({ operation }) => operation === 'cos' || operation === 'sin')) return [];
  const sides = yield* sidesOf(facts);
  if (!sides) return [];
  const [q, k, v] = sides;
  const found: Found[] = [];
  const [ofQ, ofK] = [q && (yield* turnedTwice(facts, q.node)), k && (yield* turnedTwice(facts, k.node))];
  const at = ofK ?? ofQ;
  if (at) {
    const words = !ofQ ? t('Rotary positions: the keys are turned twice by the same angles.') : !ofK ? t('Rotary positions: the queries are turned twice by the same angles.') : t('Rotary positions: queries and keys are turned twice by the same angles.');
    found.push({ rule: 'positions-sides', node: facts.scores, ...placeOf(at, facts.scores), message: words, mends: [] });
  }
  if (found.length === 0 && q && k) found.push(...apart(facts, q, k));
  if (found.length === 0 && k && !isPlaced.test(text)) found.push(...jumping(facts, k, nodes));
  if (v && turns(v) && !isTurnedBack(facts, nodes)) found.push({ rule: 'positions-values', node: v.node, ...placeOf(v.node, facts.scores), message: t('Rotary positions turn the values too, and the output is not turned back: what a query takes of a key depends on where that stands, not on the distance. RoPE turns queries and keys alone.'), mends: [] });
  return found;
} // prettier-ignore

/** The call that turned it, of those within what the scores stand in: a helper is the same for all that it turns. */
function placeOf(node: Node, { stack }: Node): { readonly range?: TextRange } {
  let at = throughMoves(node);
  while (at.operation === 'write' && at.operands[1]) at = throughMoves(at.operands[1]);
  const { range, stack: own } = at;
  const apart = own.findIndex(({ start, end }, i) => start !== stack[i]?.start || end !== stack[i].end);
  // The first call of each is the layer's: another one of it left what was turned.
  const call = own[apart === 0 && stack.length > 0 && own.length > 1 ? 1 : apart];
  return { range: call ?? range };
}

// --- queries, keys and values as they meet --------------------------------------------------

interface Side {
  readonly node: Node;
  readonly terms: readonly (readonly Term[])[];
  /** Matrices, one for each head of each input, and their rows. */
  readonly leads: number;
  readonly tokens: number;
  readonly width: number;
  readonly cell: (lead: number, token: number, feature: number) => number;
}

function* sidesOf(facts: Facts): Paced<readonly (Side | undefined)[] | undefined> {
  const { scores, own: { sides: [q, k], v }, way } = facts;
  const isMade = newIsMade();
  const [product, sum] = [productOf(scores), v && productOf(v.sum)];
  // Scores of several products may be chosen by distance: each of them is no score of its own.
  if (!product || way.some(({ others }) => others.some(isMade))) return undefined;
  const [left, right] = q === scores.operands[0] ? [product.left, product.right] : [product.right, product.left];
  const [lead, [i = '', j = '']] = [product.out.slice(0, -2), product.out.slice(-2)];
  const shared = left.find((one) => right.includes(one) && !product.out.includes(one)) ?? '';
  const values = v?.sum.operands[1];
  return [
    yield* sideOf(facts, q, left, lead, i, shared),
    yield* sideOf(facts, k, right, lead, j, shared),
    sum && values && (yield* sideOf(facts, values, sum.right, sum.left.slice(0, -2), sum.left.at(-1) ?? '', sum.right.find((one) => !sum.left.includes(one)) ?? '')),
  ];
} // prettier-ignore

function* sideOf(facts: Facts, node: Node, letters: readonly string[], lead: readonly string[], token: string, feature: string): Paced<Side | undefined> {
  const { own: { lead: sizes } } = facts;
  const terms = yield* termsOf(node, facts);
  const { shape } = node;
  const [row, column] = [letters.indexOf(token), letters.indexOf(feature)];
  if (!terms || !shape || !isKnownShape(shape) || row < 0 || column < 0) return undefined;
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const cell = (one: number, i: number, c: number): number => {
    let [rest, at] = [one, i * (strides[row] as number) + c * (strides[column] as number)];
    for (let which = sizes.length - 1; which >= 0; which--) {
      const [axis, size] = [letters.indexOf(lead[which] ?? ''), sizes[which] as number];
      if (axis >= 0) at += ((rest % size) % (shape[axis] as number)) * (strides[axis] as number);
      rest = Math.floor(rest / size);
    }
    return at;
  };
  return { node, terms, leads: sizes.reduce((a, b) => a * b, 1), tokens: shape[row] as number, width: shape[column] as number, cell };
} // prettier-ignore

// --- how tokens are turned -------------------------------------------------------------------

/** What differs by less is rounding, of halves too. */
const tolerance = 0.05;

/** Factors by a name for what they are of, as if their squares summed to 1 for each feature: a scale that grows with the token turns nothing. */
type Factors = ReadonlyMap<string, number>;

function factorsOf(side: Side, lead: number, token: number): Factors {
  const found = new Map<string, number>();
  let first = Infinity;
  for (let c = 0; c < side.width; c++) for (const { feature } of termsAt(side, lead, token, c)) first = Math.min(first, feature); // prettier-ignore
  for (let c = 0; c < side.width; c++) for (const { feature, by } of termsAt(side, lead, token, c)) add(found, `${c} ${feature - first}`, by); // prettier-ignore
  return normed(found, side.width);
}

const termsAt = ({ terms, cell }: Side, lead: number, token: number, feature: number): readonly Term[] => terms[cell(lead, token, feature)] ?? []; // prettier-ignore

const add = (to: Map<string, number>, key: string, by: number): Map<string, number> => to.set(key, (to.get(key) ?? 0) + by); // prettier-ignore

function normed(found: ReadonlyMap<string, number>, width: number): Factors {
  const length = Math.sqrt([...found.values()].reduce((sum, x) => sum + x * x, 0) / width);
  return new Map([...found].map(([key, x]) => [key, x / length]));
}

/** The name of what differs most. */
function differing(a: Factors, b: Factors): string | undefined {
  let [found, most]: [string | undefined, number] = [undefined, tolerance];
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const difference = Math.abs((a.get(key) ?? 0) - (b.get(key) ?? 0));
    if (difference > most) [found, most] = [key, difference];
  }
  return found;
}

const isTurnedAt = (side: Side, lead: number): boolean => {
  const first = factorsOf(side, lead, 0);
  for (let i = 1; i < side.tokens; i++) if (differing(first, factorsOf(side, lead, i)) !== undefined) return true;
  return false;
};

/** Whether all tokens are turned, features by twos and none stretched, each by an angle of its own. */
function turns(side: Side): boolean {
  const areTurned = side.terms.every((terms) => terms.length > 0 && terms.length <= 2 && tokensBehind((terms[0] as Term).base) !== undefined); // prettier-ignore
  const pairs = side.terms.filter(({ length }) => length === 2);
  const lengths = pairs.map((terms) => terms.reduce((sum, { by }) => sum + by * by, 0));
  const isEven = lengths.every((one) => Math.abs(one / (lengths[0] as number) - 1) < tolerance);
  return areTurned && pairs.length > 0 && isEven && side.tokens > 1 && isTurnedAt(side, 0);
}

// --- a token and itself ----------------------------------------------------------------------

/** Queries and keys of the same tokens, made by layers from the same, that are turned apart. */
function apart(facts: Facts, q: Side, k: Side): readonly Found[] {
  for (let lead = 0; lead < q.leads; lead++) {
    const own = [...meetings(facts, q, k, lead)];
    for (const one of own) {
      // What other layers made, as those of texts beside images, is of other features.
      const first = own.find(({ bases }) => bases === one.bases);
      const at = first && differing(first.factors, one.factors);
      if (!first || at === undefined) continue;
      const [a = '', b = ''] = at.split(' ').slice(-2);
      const [before, after] = [first, one].map(({ factors }) => (factors.get(at) ?? 0).toFixed(2));
      const [ofQ, ofK] = [isTurnedAt(q, lead), isTurnedAt(k, lead)];
      // Turned all alike, as from one place.
      if ([q, k].some((side, i) => ![ofQ, ofK][i] && side.terms.some(({ length }) => length > 1))) return [];
      const words = !ofK
        ? t('Rotary positions: the queries are turned and the keys are not.')
        : !ofQ
          ? t('Rotary positions: the keys are turned and the queries are not.')
          : t('Rotary positions: the query of a token is turned otherwise than its key.');
      const shown = t('So the score of a token with itself depends on where it stands: feature {0} of the query times feature {1} of the key counts {2} at token {3}, {4} at token {5}.', a, b, before, first.token, after, one.token);
      return [{ rule: 'positions-sides', node: facts.scores, message: `${words} ${shown}`, mends: [] }];
    }
    const offset = offsetOf(q, k, lead, own);
    if (offset) return [{ rule: 'positions-offset', node: facts.scores, message: t('Rotary positions: query {0} is turned as key {1} is; the key of its own token is key {2}. So the distance of a token to itself counts as {3}, not 0.', offset.one.token, offset.one.key + offset.by, offset.one.key, offset.by), mends: [] }];
  }
  return [];
} // prettier-ignore

/** Queries that are turned as other keys than their own, all by as many tokens; undefined where they are not, or where that is not clear. */
function offsetOf(q: Side, k: Side, lead: number, own: readonly Meeting[]): { readonly one: Meeting; readonly by: number } | undefined {
  const queries = own.map(({ token }) => factorsOf(q, lead, token));
  const keys = Array.from({ length: k.tokens }, (_, j) => factorsOf(k, lead, j));
  const isLike = (one: Factors | undefined, other: Factors | undefined): boolean => one !== undefined && other !== undefined && differing(one, other) === undefined;
  const isAt = (by: number): boolean => {
    const near = own.flatMap(({ key }, i) => (keys[key + by] ? isLike(queries[i], keys[key + by]) : []));
    return near.length >= Math.min(2, own.length) && near.every(Boolean);
  };
  const fits = own.length === 0 || isAt(0) ? [] : Array.from({ length: 2 * k.tokens - 1 }, (_, i) => i - k.tokens + 1).filter(isAt);
  const [by] = fits;
  const one = own.find(({ key }) => by !== undefined && keys[key + by]);
  // Keys that are turned alike have no place.
  return one && by !== undefined && fits.length === 1 ? { one, by } : undefined;
} // prettier-ignore

/** What may share a position or leave one out on purpose: patches of an image, texts side by side, drafts for one place, padding, what is not fed. */
const isPlaced = /image|patch|frame|\bpad|document|passage|pack|parallel|draft|tree|specul|memor|\bsep|glm/i;

/** Keys whose angles grow alike from one to the next, but between two calls not at all or twice as much; or keys of as many calls that are all turned alike. */
function jumping({ scores }: Facts, k: Side, nodes: readonly Node[]): readonly Found[] {
  const said = (message: string): readonly Found[] => [{ rule: 'positions-offset', node: scores, message, mends: [] }];
  // Keys that are turned after they were joined have their positions from one hand.
  const { operation, attributes, shape } = throughMoves(k.node);
  if (operation !== 'write' && (operation !== 'concat' || attributes.axis === (shape?.length ?? 0) - 1)) return [];
  let bases: readonly Node[] = [];
  for (let c = 0; c < k.width; c++) {
    const pairs = Array.from({ length: k.tokens }, (_, j) => termsAt(k, 0, j, c));
    if (pairs.some(([a, b, ...more]) => !a || a.base !== b?.base || more.length > 0)) continue;
    bases = pairs.flatMap(([a]) => a?.base ?? []);
    // Of the feature and of its partner, in one order at all keys: from each to the next one, by what it is turned.
    const at = pairs.map(([a, b]): Turn => [a?.by ?? 0, b?.by ?? 0]);
    const steps = at.slice(1).map((one, j) => turnOf(one, at[j] as Turn));
    const usual = steps.find((x) => steps.filter((y) => near(x, y)).length >= Math.max(3, steps.length - 1));
    if (usual === undefined) return [];
    const twice = turnOf(usual, [usual[0], -usual[1]]);
    if (steps.every((x) => near(x, none)) || near(twice, none)) continue;
    const odd = steps.findIndex((x) => !near(x, usual));
    const step = steps[odd];
    const [[before], [after]] = [pairs[odd] ?? [], pairs[odd + 1] ?? []];
    if (step === undefined || !before || !after || !isNext(before, after, nodes)) return [];
    if (near(step, none)) return said(t('Rotary positions: keys {0} and {1}, of two calls, have one position; from all others to the next it grows evenly.', odd, odd + 1));
    return near(step, twice) ? said(t('Rotary positions: between keys {0} and {1}, of two calls, a position is left out; from all others to the next it grows evenly.', odd, odd + 1)) : [];
  }
  const [weight, ...others] = bases.map((base) => productWithLeaf(base)?.w);
  const isOneLayer = others.every((one) => weight && one && sameNode(one, weight));
  // Tokens to which others are added may have positions by that.
  const hasSum = bases.flatMap(behind).some((one) => one.operation === 'add' && !one.operands.some(isScalar));
  return k.tokens > 2 && new Set(bases).size === k.tokens && isOneLayer && !hasSum ? said(t('Rotary positions: the keys of all {0} calls are turned by the same angles, so that the scores do not show their order.', k.tokens)) : [];
} // prettier-ignore

/** Cosine and sine. */
type Turn = readonly [number, number];
const none: Turn = [1, 0];
const near = ([a, b]: Turn, [c, d]: Turn): boolean => a * c + b * d > 0.9999;

/** From one to another. */
function turnOf([a, b]: Turn, [c, d]: Turn): Turn {
  const length = Math.sqrt((a * a + b * b) * (c * c + d * d));
  return [(a * c + b * d) / length, (b * c - a * d) / length];
}

/** Whether one is of the last token of a call and the other of the next call's only one, of one text or after a prompt: of keys that are no longer there, or other tokens', nothing is said. */
function isNext(before: Term, after: Term, nodes: readonly Node[]): boolean {
  const tokensOf = ({ base }: Term): number => (base.shape?.at(-2) as number | undefined) ?? 1;
  const [was, is] = [before, after].map(({ base }) => productWithLeaf(base)?.w);
  const [from, to] = [before, after].map(({ base }) => tokensBehind(base));
  const isCut = from?.operation === 'slice' && to?.operation === 'slice' && from.operands[0] === to.operands[0];
  // Of one text a token is left out.
  if (isCut && to.attributes.starts?.at(-2) !== (from.attributes.starts?.at(-2) ?? 0) + tokensOf(before)) return false;
  const isBetween = ({ id }: Node): boolean => id > before.base.id && id < after.base.id;
  return was !== undefined && is !== undefined && sameNode(was, is) && tokensOf(after) === 1 && (isCut || tokensOf(before) > 1) && before.row % tokensOf(before) === tokensOf(before) - 1 && before.base !== after.base && !nodes.some((node) => isBetween(node) && node.operation === before.base.operation && sameNode(productWithLeaf(node)?.w ?? before.base, was));
} // prettier-ignore

interface Meeting {
  readonly token: number;
  readonly key: number;
  readonly bases: string;
  /** Of the products of their features in the score. */
  readonly factors: Factors;
}

/** Of each token that has a query and a key, and whose key its query sees: the factors of their features' products. */
function* meetings({ hidden, own: { n, m } }: Facts, q: Side, k: Side, lead: number): Generator<Meeting> {
  const [rows, of] = [rowsOf(q, lead), rowsOf(k, lead)];
  const [first, second] = [rows, of].map((all) => Math.min(...all.flatMap((one) => [...(one?.features ?? [])])));
  for (const [i, row] of rows.entries()) {
    const [j, ...more] = of.flatMap((other, at) => (row && other?.row === row.row && sameNode(other.tokens, row.tokens) ? at : []));
    // Keys of one token in two places are near and far on purpose.
    if (j === undefined || more.length > 0 || hidden[(lead * n + i) * m + j] === 1) continue;
    const found = new Map<string, number>();
    const bases = new Set<string>();
    for (let c = 0; c < q.width; c++)
      for (const a of termsAt(q, lead, i, c))
        for (const b of termsAt(k, lead, j, c)) {
          const pair = `${a.base.id} ${b.base.id}`;
          add(found, `${pair} ${a.feature - (first as number)} ${b.feature - (second as number)}`, a.by * b.by);
          bases.add(pair);
        }
    yield { token: i, key: j, bases: [...bases].join(), factors: normed(found, q.width) };
  }
} // prettier-ignore

interface Row {
  readonly tokens: Node;
  readonly row: string;
  readonly features: ReadonlySet<number>;
}

/** Of each query or key the row of its tokens that it was made of; undefined where it was made of several, or not by a layer alone. */
function rowsOf(side: Side, lead: number): readonly (Row | undefined)[] {
  const tokens = new Map<Node, Node | undefined>();
  return Array.from({ length: side.tokens }, (_, i) => {
    const terms = Array.from({ length: side.width }, (_x, c) => termsAt(side, lead, i, c)).flat();
    for (const { base } of terms) if (!tokens.has(base)) tokens.set(base, tokensBehind(base));
    const rows = new Set(terms.map(({ base, row }) => `${base.shape?.slice(0, -1).join()} ${row}`));
    const [of, ...more] = new Set(terms.map(({ base }) => tokens.get(base)));
    const [row] = rows;
    const features = new Set(terms.map(({ feature }) => feature));
    return of && more.length === 0 && rows.size === 1 && row !== undefined ? { tokens: of, row, features } : undefined;
  });
} // prettier-ignore

// --- twice, and back ---------------------------------------------------------------------------

/** What is turned by the angles that all of it that was turned before was turned by, of what queries or keys are made of. */
function* turnedTwice(facts: Facts, side: Node): Paced<Node | undefined> {
  const times = timesBehind(side);
  const joined = (turned: number): readonly Node[] => [...times].flatMap(([at, is]) => (is === turned && isJoined(at) ? at : [])).slice(0, 8);
  for (const outer of joined(2))
    for (const inner of joined(1)) {
      const [again, before] = [yield* termsOf(outer, facts, inner), yield* termsOf(inner, facts)];
      if (again && before && isSameTurn(outer, again, inner, before)) return outer;
    }
  return undefined;
} // prettier-ignore

/** How often what a tensor is made of, layers aside, was multiplied by sines and cosines. */
function timesBehind(side: Node): ReadonlyMap<Node, number> {
  const times = new Map<Node, number>();
  const isMade = newIsMade();
  const timesOf = (at: Node): number => {
    const was = times.get(at);
    if (was !== undefined || times.size > 128) return was ?? 0;
    times.set(at, 0);
    const isTurned = at.operation === 'multiply' && at.operands.some((one) => !isMade(one) && hasAngle(one));
    const is =
      productWithLeaf(at) || !isFollowed(at)
        ? 0
        : Math.max(0, ...at.operands.filter(isMade).map(timesOf)) + Number(isTurned);
    times.set(at, is);
    return is;
  };
  timesOf(side);
  return times;
}

const isFollowed = (node: Node): boolean => passes(node) || ['add', 'subtract', 'multiply', 'divide', 'negative', 'concat', 'write'].includes(node.operation); // prettier-ignore

/** Where turned features stand together: x · cos + turned(x) · sin, both halves joined, pairs written. */
const isJoined = ({ operation }: Node): boolean => operation === 'add' || operation === 'concat' || operation === 'write'; // prettier-ignore

/** Whether pairs of features are turned by what they were turned by before, of tokens that are turned otherwise: a shift is the same for all. */
function isSameTurn(outer: Node, again: readonly (readonly Term[])[], inner: Node, before: readonly (readonly Term[])[]): boolean {
  const [width, of] = [outer, inner].map((one) => one.shape?.at(-1)) as [number, number];
  const isNear = (a: Term, b: Term): boolean => Math.abs(a.by - b.by) < tolerance;
  const factors = new Map<number, number[]>();
  for (const [cell, terms] of again.entries()) {
    const own = terms.map(({ row, feature }) => before[row * of + feature] ?? []);
    if (!own.some(({ length }) => length === 2)) continue;
    const [x, y] = terms;
    // Of the same feature: its partner's is that of turning back.
    const [a, b] = own[terms.findIndex(({ feature }) => feature % width === cell % width)] ?? [];
    const isSame = a !== undefined && b !== undefined && x !== undefined && y !== undefined && ((isNear(a, x) && isNear(b, y)) || (isNear(a, y) && isNear(b, x)));
    if (terms.length !== 2 || terms.some(({ base }) => base !== inner) || !isSame) return false;
    factors.set(cell % width, [...(factors.get(cell % width) ?? []), (x as Term).by]);
  }
  return [...factors.values()].some((all) => all.some((one) => Math.abs(one - (all[0] as number)) > tolerance));
} // prettier-ignore

/** Whether what was summed, or a part of it, is multiplied by a cosine or a sine before a layer takes it. */
function isTurnedBack({ own: { v } }: Facts, nodes: readonly Node[]): boolean {
  if (!v) return true;
  const isMade = newIsMade();
  // What is put in order for the doctor stands at the place of the code's own, which the code goes on with.
  const { start, end } = v.sum.range;
  const isSum = (node: Node): boolean => node.range.start === start && node.range.end === end;
  const reached = new Set<Node>(nodes.filter(isSum).concat(v.sum));
  for (const node of nodes) {
    if (!node.operands.some((one) => reached.has(one)) || productWithLeaf(node)) continue;
    if (node.operands.some((one) => !isMade(one) && hasAngle(one))) return true;
    // Or may be left out: of keys that are the values too, such as a latent's, features that were turned are cut off.
    if (node.operation === 'slice' && node.shape?.at(-1) !== node.operands[0]?.shape?.at(-1)) return true;
    reached.add(node);
  }
  return false;
}

/** Whether a cosine or a sine is behind it, and no layer in between. */
function hasAngle(node: Node): boolean {
  const seen = new Set<Node>([node]);
  for (const at of seen) {
    if (at.operation === 'cos' || at.operation === 'sin') return true;
    if (seen.size < 64 && !productWithLeaf(at)) for (const one of at.operands) seen.add(one);
  }
  return false;
}
