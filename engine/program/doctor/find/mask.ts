/** Masks: which keys they hide, when, and by what. */
import { t, type Paced } from '../../../text';
import { count, isKnownShape, type Node } from '../../tensor';
import { denseOf, hiddenBelow } from '../../nearest';
import { comesFrom, isOwn } from '../../recognise';
import { matricesOf, type Facts, type OnWay } from '../facts';
import { rewritten, textAt, type Found, type Mend } from './found';
import { findPadding } from './padding';
import { spreadOver } from './spread';

export function* findMask(facts: Facts, text: string): Paced<readonly Found[]> {
  const after = yield* afterSoftmax(facts, text);
  const leaks = yield* fills(facts, text);
  const padding = yield* findPadding(facts, maskNode(facts), text);
  const wrong = [...patterns(facts, text), ...padding, ...(yield* regions(facts))];
  return [...after, ...wrong, ...leaks, ...(wrong.length > 0 ? [] : hidesAll(facts))];
}

// --- after the softmax ---------------------------------------------------------------

/** A weight below this is none. */
const nothing = 1e-6;

function* afterSoftmax(facts: Facts, text: string): Paced<readonly Found[]> {
  const { own, used, weights, hidden, attention: { site } } = facts; // prettier-ignore
  const zeroed = used.map((x, i) => Number(x === 0 && (weights[i] as number) > nothing));
  if (!own.v) return [];
  const infinite = setToInfinity(facts);
  if (infinite) return [infinite];
  if (!zeroed.includes(1)) return [];
  const row = rowThat(facts, (i, at) => {
    const sum = at(i, used);
    return sum > nothing && sum < 1 - 5e-3 && at(i, zeroed) > 0;
  });
  if (row === undefined) return [];
  const node = masking(own.v.used, site.weights);
  const message = t('Keys are hidden after the softmax: what is left of the weights of query {0} does not sum to 1.', row); // prettier-ignore
  const mends = dividing(text, node);
  // By the mask's own numbers: a weight may be so small that nothing of it is seen to go.
  const known = yield* clearedBy(facts, node, site.weights);
  const cleared = known ?? used.map((x, i) => Number(x === 0 && weights[i] !== 0));
  return [{ rule: 'mask-after-softmax', node, message, hidden: hidden.map((x, i) => Math.max(x, cleared[i] as number)), mends }]; // prettier-ignore
}

/** Weights that are −∞ behind the softmax, as scores are before it: no sum of values is finite. */
function setToInfinity(facts: Facts): Found | undefined {
  const { own, used, weights, hidden, attention: { site } } = facts; // prettier-ignore
  const added = used.map((x, i) => x - (weights[i] as number));
  // −100 is enough before the softmax, as in Swin. Behind it, what is added is a mask where it is that or nothing.
  const isMask = added.every((x) => x === 0 || x <= -10);
  const lost = used.map((x, i) =>
    Number((x <= hiddenBelow || (isMask && added[i] !== 0)) && Number.isFinite(weights[i])),
  );
  const row = rowThat(facts, (i, at) => at(i, lost) > 0);
  if (row === undefined || !own.v) return undefined;
  const [fill = 0] = added.filter((_, i) => lost[i] === 1);
  const message =
    fill === -Infinity
      ? t('Keys are hidden with −∞ after the softmax, not before it: what query {0} takes of the values is not finite.', row)
      : t('Keys are hidden with {0} after the softmax, not before it: query {1} takes the values so many times.', Number(fill.toPrecision(3)), row); // prettier-ignore
  return { rule: 'mask-after-softmax', node: masking(own.v.used, site.weights), message, hidden: hidden.map((x, i) => Math.max(x, lost[i] as number)), mends: [] }; // prettier-ignore
}

/** The weights that a product with 0 or a choice of 0 clears; undefined where neither says so cell by cell. */
function* clearedBy(facts: Facts, node: Node, weights: Node): Paced<Float64Array | undefined> {
  const from = node.operands.find((operand) => operand === weights || comesFrom(operand, weights));
  const [condition, a, b] = node.operands;
  if (node.operation === 'multiply') {
    const mask = node.operands.find((operand) => operand !== from);
    return mask && (yield* spread(facts, node, mask))?.map((x) => Number(x === 0));
  }
  if (node.operation !== 'where' || !condition || !a || !b) return undefined;
  return (yield* spread(facts, node, condition))?.map((x) => Number((x !== 0) === (from === b)));
}

/** A line of its own after an assignment; else the expression divided by its sum. */
function dividing(text: string, node: Node): readonly Mend[] {
  const title = t('Divide what is left by its sum');
  const was = textAt(text, node.range);
  const written = /^\s*=(?!=)[^\n]*/.exec(text.slice(node.range.end));
  const sum = /\btorch\b/.test(text) ? '.sum(dim=-1, keepdim=True)' : '.sum(axis=-1, keepdims=True)';
  const start = text.lastIndexOf('\n', node.range.start - 1) + 1;
  const [, indent = '', name] = /^([ \t]*)(\w+)\s*=\s*$/.exec(text.slice(start, node.range.start)) ?? [];
  const isLine = /^[ \t]*(?:#.*)?(?:\r?\n|$)/.test(text.slice(node.range.end));
  if (written) return dividingBehind(title, text, node.range.end + written[0].length, was, sum);
  if (name !== undefined && isLine)
    return rewritten(title, text, node, `${was}\n${indent}${name} = ${name} / ${name}${sum}`);
  return rewritten(title, text, node, `(${was}) / (${was})${sum}`);
}

/** Behind `A[mask] = 0`, a line that divides A: what is written to is no expression. */
function dividingBehind(title: string, text: string, end: number, target: string, sum: string): readonly Mend[] {
  const name = /^(\w+)\[/.exec(target)?.[1];
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', end - 1) + 1))?.[0] ?? '';
  if (name === undefined) return [];
  return [{ title, edits: [{ range: { start: end, end }, text: `\n${indent}${name} = ${name} / ${name}${sum}` }] }];
}

/** The product or choice between the weights and their use. */
function masking(used: Node, weights: Node): Node {
  for (let at = used; at !== weights;) {
    const from = at.operands.find((operand) => operand === weights || comesFrom(operand, weights));
    if (!from) break;
    if (['multiply', 'where', 'write', 'add'].includes(at.operation)) return at;
    at = from;
  }
  return used;
}

/** The first row of any matrix of which something holds; `at` sums a row of numbers. */
function rowThat(
  { own: { n, m }, used }: Facts,
  holds: (row: number, at: (row: number, data: Float64Array) => number) => boolean,
): number | undefined {
  for (let top = 0; top < used.length; top += n * m)
    for (let i = 0; i < n; i++) {
      const sum = (row: number, data: Float64Array): number => data.subarray(top + row * m, top + (row + 1) * m).reduce((a, b) => a + b, 0); // prettier-ignore
      if (holds(i, sum)) return i;
    }
  return undefined;
}

// --- which keys ----------------------------------------------------------------------

/** Whether every matrix hides exactly these. */
function hides(facts: Facts, is: (i: number, j: number) => boolean): boolean {
  const { n, m } = facts.own;
  for (const at of matricesOf(facts, facts.hidden))
    for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) if ((at(i, j) === 1) !== is(i, j)) return false;
  return true;
}

/** What code says whose tokens see what comes after them; no `loss.backward()`. */
const fromTheRight =
  /right[-_ ]?to[-_ ]?left|newest[-_ ]first|\br2l|\brtl|anti-?_?causal|\bbwd?\b|_bwd?\b|(?:self\.|if |is_)(?:revers|backward)\w*\b(?!\()|(?:revers|backward)\w*[-_ ]?(?:lm\b|model|language|direction|mask|attention|order|causal)/i;

/** Of as many queries as keys, at least three: with two, a window is no triangle. */
function patterns(facts: Facts, text: string): readonly Found[] {
  const { own: { n, m }, ownMask, hidden } = facts; // prettier-ignore
  const node = facts.way.find(({ others }) => others.length > 0 && others.some(isOwn) && hidesHere(facts))?.node;
  if (n !== m || n < 3 || !ownMask || !node || !hidden.includes(1)) return [];
  const causal = hidden.map((_, i) => Number(i % m > Math.floor(i / m) % n));
  const made = { node: maskNode(facts) ?? node, hidden: causal };
  const seesFuture = hides(facts, (i, j) => j <= i) || (!fromTheRight.test(text) && hides(facts, (i, j) => j < i));
  if (seesFuture)
    return [{ ...made, rule: 'mask-inverted', message: t('The mask hides the past and shows the future: query 0 sees key {0}, query {0} does not see key 0.', n - 1), mends: inverting(facts, text) }]; // prettier-ignore
  // In Reformer the first query sees its own key, for want of another.
  if (hides(facts, (i, j) => j >= i) && !firstIsZero(facts) && !((facts.weights[0] as number) > 0.999))
    return [{ ...made, rule: 'mask-off-by-one', message: t('The mask is one off: no query sees its own key, and query 0 sees none.'), mends: shifting(facts, text) }]; // prettier-ignore
  if (hides(facts, (i, j) => j >= i && j > 0))
    return [{ ...made, rule: 'mask-hides-own', message: t('Each query but the first sees only keys before its own. In a causal mask it sees its own key too.'), mends: shifting(facts, text) }]; // prettier-ignore
  if (hides(facts, (i, j) => j > i + 1))
    return [{ ...made, rule: 'mask-off-by-one', message: t('The mask is one off: each query sees the key after its own; query 0 sees keys 0 and 1.'), mends: shifting(facts, text) }]; // prettier-ignore
  return [];
}

/**
 * Keys that are hidden where they are of the query's own region, as in Swin (Liu et al. 2021, section 3.2) those of another are: a window that is one
 * region has nothing left then, so that no mask between kinds of tokens is meant.
 */
function* regions(facts: Facts): Paced<readonly Found[]> {
  const { way, own: { n, m }, ownMask } = facts; // prettier-ignore
  const at = way.find(({ node, others }) => node.operation === 'add' && others.every(isOwn));
  const mask = at?.others[0];
  const added = ownMask && n === m && mask ? yield* beside(facts, at, mask) : undefined;
  const fill = added && Math.min(...new Set(added));
  if (!added || fill === undefined || fill > -10 || added.some((x) => x !== 0 && x !== fill)) return [];
  const matrices = [...matricesOf(facts, added)];
  const parts = matrices.map((cell) => regionsOf(n, (i, j) => cell(i, j) === fill));
  if (!parts.includes(1) || !parts.some((count) => count > 1) || parts.includes(0)) return [];
  const message = t('The mask hides the keys of a query’s own region and shows those of the others; of a window that is one region it hides all.'); // prettier-ignore
  return [{ rule: 'mask-inverted', node: at?.node as Node, message, hidden: added.map((x) => Number(x === 0)), mends: [] }]; // prettier-ignore
}

/** The mask for each cell, also where it was added to windows of inputs that are axes of their own. */
function* beside(facts: Facts, { node }: OnWay, mask: Node): Paced<Float64Array | undefined> {
  const { way, own: { n, m, lead }, source, input } = facts; // prettier-ignore
  const shape = node.shape ?? [];
  if (shape.length === lead.length + 2) return yield* spread(facts, node, mask);
  const later = way.slice(
    0,
    way.findIndex((one) => one.node === node),
  );
  if (!isKnownShape(shape) || count(shape) !== input.length || shape.at(-2) !== n || shape.at(-1) !== m || later.some(({ node: { operation } }) => operation !== 'reshape')) return undefined; // prettier-ignore
  const dense = yield* denseOf(source, mask);
  return dense && spreadOver(dense, shape);
}

/** Into how many regions tokens fall where each is together with those of its own alone; 0 where they do not fall into any. */
function regionsOf(n: number, together: (i: number, j: number) => boolean): number {
  const first = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (__, j) => j).find((j) => together(i, j)),
  );
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) if (first[i] === undefined || together(i, j) !== (first[i] === first[j])) return 0;
  return new Set(first).size;
}

const hidesHere = ({ hidden }: Facts): boolean => hidden.includes(1);

/** What hides keys: the node whose other operand is a mask. */
export const maskNode = ({ way }: Facts): Node | undefined =>
  way.find(({ node }) => ['where', 'write', 'add', 'subtract', 'minimum'].includes(node.operation))?.node;

/** Weights of the first query that the code itself sets to 0: it is meant to see nothing. */
const firstIsZero = ({ used, own: { m } }: Facts): boolean => used.subarray(0, m).every((x) => x === 0);

/** `tril`, `triu` behind a mask. */
export function triangles({ way }: Facts): readonly Node[] {
  const seen = new Set<Node>(way.flatMap(({ others }) => others));
  for (const at of seen) if (seen.size < 512) for (const operand of at.operands) seen.add(operand);
  return [...seen].filter(({ operation }) => operation === 'tril' || operation === 'triu');
}

function inverting(facts: Facts, text: string): readonly Mend[] {
  const title = t('Show the past and hide the future');
  const node = maskNode(facts);
  return [
    ...(node ? rewritten(title, text, node, ...negated(textAt(text, node.range))) : []),
    ...triangles(facts).flatMap((one) => {
      const was = textAt(text, one.range);
      const other = was.replace(/tri[lu]\b/, (name) => (name === 'tril' ? 'triu' : 'tril'));
      return rewritten(title, text, one, other, ...[0, 1, -1].map((k) => withDiagonal(other, k)));
    }),
  ];
}

/** A condition the other way round: comparisons with 0 and 1, `~`, a bare name, `where` with its sides changed. */
function negated(was: string): readonly string[] {
  const compared = was.replace(/(==|!=)(\s*(?:0|1|True|False)\b)/, (_, sign: string, rest: string) => (sign === '==' ? '!=' : '==') + rest); // prettier-ignore
  const bare = was.replace(/((?:masked_fill_?\(|where\([^,()]*?|attn_mask=)\s*)~\s*/, '$1');
  const filled = was.replace(/(masked_fill_?\(\s*)([\w.[\]:, ]+?)(\s*,\s*[^,]+\))$/, '$1~$2$3');
  const fillZero = was.replace(/(masked_fill_?\(\s*)([\w.[\]:, ]+?)(\s*,\s*[^,]+\))$/, '$1$2 == 0$3');
  const given = was.replace(/(attn_mask\s*=\s*)([\w.]+)/, '$1~$2');
  const sides = was.replace(/^((?:\w+\.)?where\()([^,]+),\s*([^,]+),\s*(.+)\)$/s, '$1$2, $4, $3)');
  return [compared, bare, filled, fillZero, given, sides];
}

function shifting(facts: Facts, text: string): readonly Mend[] {
  return triangles(facts).flatMap((one) =>
    rewritten(t('Begin the triangle at the right diagonal'), text, one, ...[0, 1, -1].map((k) => withDiagonal(textAt(text, one.range), k))),
  );
} // prettier-ignore

function withDiagonal(call: string, k: number): string {
  const named = call.replace(/\b(diagonal|k)(\s*=\s*)-?\d+/, `$1$2${k}`);
  if (named !== call) return named;
  const positional = call.replace(/(,\s*)-?\d+\s*\)$/, `$1${k})`);
  if (positional !== call) return positional;
  const method = /\.tri[lu]\(\s*-?\d*\s*\)$/;
  if (/^[\w.]*tri[lu]\(/.test(call) || !method.test(call)) return call.replace(/\)$/, `, ${k})`);
  return call.replace(/\(\s*-?\d*\s*\)$/, `(${k})`);
}

// --- by what -------------------------------------------------------------------------

/** A share of a query’s weight that leaks. */
const leak = 1e-2;

/** Scores that are set to a number that hides nothing, are multiplied by 0, or have 1 added to them. */
function* fills(facts: Facts, text: string): Paced<readonly Found[]> {
  const found: Found[] = [];
  for (const on of facts.way) {
    const cells = yield* filledBy(facts, on);
    if (cells && (cells.isNan || leaks(facts, cells.filled))) {
      const hidden = facts.hidden.map((x, i) => Math.max(x, cells.filled[i] as number));
      found.push({
        rule: 'mask-fill',
        node: on.node,
        hidden,
        ...cells.said(text),
      });
    }
  }
  return found;
}

interface Filled {
  readonly filled: Float64Array;
  /** Softmax of what it fills with is no number. */
  readonly isNan?: boolean;
  readonly said: (text: string) => Pick<Found, 'message' | 'mends'>;
}

function* filledBy(facts: Facts, { node, from, others }: OnWay): Paced<Filled | undefined> {
  const [other] = others;
  if (!other) return undefined;
  if (node.operation === 'where') return yield* byChoice(facts, node, from);
  const mask = others.length === 1 && (node.operation === 'multiply' || node.operation === 'add' || node.operation === 'subtract') ? yield* spread(facts, node, other) : undefined; // prettier-ignore
  if (!mask || new Set(mask).size !== 2) return undefined;
  const values = [...new Set(mask)].sort((a, b) => a - b);
  if (node.operation === 'multiply') {
    // Other scores may stand where these are 0.
    const left = new Set(facts.input.filter((_, i) => mask[i] === 0 && facts.hidden[i] === 0));
    if (values.join() !== '0,1' || left.size > 1) return undefined;
    return { filled: mask.map((x) => Number(x === 0)), said: (text) => ({ message: t('Scores are multiplied by a mask of 0 and 1: a score of 0 hides no key, softmax gives it a weight.'), mends: byInfinity(text, node, others) }) }; // prettier-ignore
  }
  const [low = 0, high = 0] = values;
  const step = high - low;
  const isTruth = low === 0 || high === 0;
  const hidden =
    triangleOf(facts, mask) ?? (isCondition(other) || marksPadding(facts, mask) ? keysOfTruth(facts, mask) : undefined);
  if (!isTruth || step > 10 || !hidden || !isOwn(other)) return undefined;
  return { filled: hidden, said: () => ({ message: t('A mask of {0} and {1} is added to the scores: this hides no key.', low, high), mends: [] }) }; // prettier-ignore
}

/** The keys after each query, where a mask has one number there and another everywhere else. */
function triangleOf(facts: Facts, mask: Float64Array): Float64Array | undefined {
  const { n, m } = facts.own;
  if (n !== m || n < 3) return undefined;
  const after = mask.map((_, i) => Number(i % m > Math.floor(i / m) % n));
  const future = mask[1] as number;
  return mask.every((x, i) => (x === future) === (after[i] === 1)) ? after : undefined;
}

/** Whether a mask was true and false before it was a number. */
function isCondition(mask: Node): boolean {
  let at: Node | undefined = mask;
  while (at && at.dtype !== 'bool') at = at.operands.length === 1 || at.operation === 'multiply' ? at.operands[0] : undefined; // prettier-ignore
  return at !== undefined;
}

/**
 * Whether a mask is what tokenizers give for several inputs: 1 for the tokens of each, 0 for its padding, which is on the same side in all, and the
 * longest has none. One input alone could as well have a key that is to be looked at more.
 */
function marksPadding({ own: { n, m } }: Facts, mask: Float64Array): boolean {
  const rows = Array.from({ length: mask.length / (n * m) }, (_, one) => mask.subarray(one * n * m, one * n * m + m));
  const isMask = (row: Float64Array): boolean => row.includes(1) && row.every((x) => x === 0 || x === 1);
  const turnsOnlyTo = (row: Float64Array, end: 0 | 1): boolean => row.every((x, j) => j === 0 || x === row[j - 1] || x === end); // prettier-ignore
  const hasLongest = rows.some((row) => !row.includes(0)) && rows.some((row) => row.includes(0));
  return (
    hasLongest && rows.every(isMask) && ([0, 1] as const).some((end) => rows.every((row) => turnsOnlyTo(row, end)))
  );
}

/** Keys that a mask for keys hides from all queries: those unlike the token that every input has at one of its ends. */
function keysOfTruth({ own: { n, m } }: Facts, mask: Float64Array): Float64Array | undefined {
  const isForKeys = mask.every((x, i) => x === mask[Math.floor(i / (n * m)) * n * m + (i % m)]);
  const ends = [0, m - 1].map((j) => new Set(mask.filter((_, i) => i % m === j)));
  const [token] = ends.find(({ size }) => size === 1) ?? [];
  return isForKeys && token !== undefined && m > 1 ? mask.map((x) => Number(x !== token)) : undefined;
}

/** `masked_fill`, `where` with one number on one side. */
function* byChoice(facts: Facts, node: Node, from: Node): Paced<Filled | undefined> {
  const [condition, a, b] = node.operands;
  if (!condition || !a || !b || comesFrom(condition, facts.scores)) return undefined;
  const fill = from === a ? b : a;
  const value = (yield* denseOf(facts.source, fill))?.data;
  const truth = yield* spread(facts, node, condition);
  if (!truth || value?.length !== 1) return undefined;
  const filled = truth.map((x) => Number((x !== 0) === (fill === a)));
  if (value[0] === Infinity && filled.includes(1)) return { filled, isNan: true, said: (text) => ({ message: t('The mask fills with +∞, not with −∞: softmax of such a row is nan.'), mends: rewritten(t('Fill with −∞'), text, node, ...negative(textAt(text, node.range))) }) }; // prettier-ignore
  if (!Number.isFinite(value[0])) return value[0] === -Infinity ? lostAgain(facts, node, filled) : undefined;
  const number = Number((value[0] as number).toPrecision(6));
  const title = t('Fill with −∞');
  return {
    filled,
    said: (text) => ({
      message: t('The mask fills with {0}, not with −∞: softmax gives hidden keys a weight.', number),
      mends: rewritten(title, text, node, ...infinite(textAt(text, node.range))),
    }),
  };
}

/** What makes a number of −∞ again, behind the mask. */
function lostAgain({ way }: Facts, node: Node, filled: Float64Array): Filled | undefined {
  const later = way.slice(0, way.findIndex((on) => on.node === node)).find((on) => makesFinite.has(on.node.operation));
  if (!later) return undefined;
  const message = t('The mask fills with −∞, and a later step makes a number of it again: softmax gives hidden keys a weight.');
  return { filled, said: () => ({ message, mends: [] }) };
} // prettier-ignore

const makesFinite: ReadonlySet<string> = new Set(['tanh', 'where', 'maximum', 'clip', 'clamp', 'nan_to_num', 'sigmoid', 'exp']); // prettier-ignore

const infinities = ["float('-inf')", '-np.inf'];

/** +∞ with its sign turned. */
const negative = (was: string): readonly string[] => [
  was.replace(/-\s*(float\(\s*(['"])-inf(?:inity)?\2\s*\))/i, '$1'),
  was.replace(/float\(\s*(['"])\+?inf(?:inity)?\1\s*\)/i, "float('-inf')"),
  was.replace(/(?<![-\w.])((?:np|torch|math|jnp)\.inf)\b/, '-$1'),
];

/** The number that stands last in the call, or on a side of `where`. */
function infinite(was: string): readonly string[] {
  const number = String.raw`-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?`;
  return (was.startsWith('np.') ? [...infinities].reverse() : infinities).flatMap((fill) => [
    was.replace(new RegExp(String.raw`(,\s*(?:value\s*=\s*)?)${number}(\s*\))$`, 'i'), `$1${fill}$2`),
    was.replace(new RegExp(String.raw`^(.*?where\(.*?,\s*)${number}(\s*,)`, 'is'), `$1${fill}$2`),
  ]);
}

/** `scores * mask` as a choice. */
function byInfinity(text: string, node: Node, [mask]: readonly Node[]): readonly Mend[] {
  const [left, right] = node.operands;
  if (!mask || !left || !right) return [];
  const [scores, by] = [textAt(text, (left === mask ? right : left).range), textAt(text, mask.range)];
  if (!textAt(text, node.range).includes(by) || scores === '') return [];
  return rewritten(t('Fill with −∞'), text, node, `torch.where(${by} != 0, ${scores}, float('-inf'))`, `np.where(${by} != 0, ${scores}, -np.inf)`); // prettier-ignore
}

/** A mask for each cell of all matrices. */
export function* spread({ source, own }: Facts, { shape }: Node, mask: Node): Paced<Float64Array | undefined> {
  const dense = yield* denseOf(source, mask);
  const sizes = [...own.lead, own.n, own.m];
  return dense && shape?.length === sizes.length ? spreadOver(dense, sizes) : undefined;
}

/** Whether a query that sees some key gives hidden ones a share of its weight. */
function leaks(facts: Facts, filled: Float64Array): boolean {
  const row = rowThat(facts, (i, at) => {
    const kept = at(i, filled.map((x, k) => (x === 1 ? 0 : (facts.weights[k] as number)))); // prettier-ignore
    const lost = at(i, filled.map((x, k) => (x === 1 ? (facts.weights[k] as number) : 0))); // prettier-ignore
    return kept > 0 && lost > leak * (kept + lost);
  });
  return row !== undefined;
}

// --- rows that see nothing --------------------------------------------------------------

function hidesAll(facts: Facts): readonly Found[] {
  const { used, weights, ownMask } = facts;
  const node = maskNode(facts);
  if (!ownMask || !node) return [];
  if (facts.hidden.length > 1 && facts.hidden.every((x) => x === 1) && !weights.some(Number.isNaN))
    return [{ rule: 'mask-hides-all', node, message: t('The mask hides every key of every query: all that is left is what the fill gives.'), mends: [] }]; // prettier-ignore
  const hiddenOnly = facts.input.map((x) => Number(x !== -Infinity));
  const row = rowThat(facts, (i, at) => at(i, hiddenOnly) === 0);
  const isLost = weights.some((x, i) => Number.isNaN(x) && Number.isNaN(used[i]));
  if (row === undefined || !isLost) return [];
  const message = t('The mask hides every key of query {0}: softmax of nothing but −∞ is nan.', row);
  return [{ rule: 'mask-hides-all', node, message, mends: [] }];
}
