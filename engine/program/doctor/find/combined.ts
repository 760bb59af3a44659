/** Two masks made one: a key has to be hidden where either hides it, which is `&` of what is seen and `|` of what is hidden. */
import { t, type Paced } from '../../../text';
import type { Node } from '../../tensor';
import { isOwn, passes } from '../../recognise';
import type { Facts } from '../facts';
import { rewritten, textAt, type Found } from './found';
import { maskNode, spread } from './mask';

const signs: Readonly<Record<string, '|' | '&'>> = {
  bitwise_or: '|',
  logical_or: '|',
  bitwise_and: '&',
  logical_and: '&',
};
const functions: readonly (readonly [RegExp, string])[] = [[/\blogical_or\b/, 'logical_and'], [/\blogical_and\b/, 'logical_or'], [/\bbitwise_or\b/, 'bitwise_and'], [/\bbitwise_and\b/, 'bitwise_or']]; // prettier-ignore

/**
 * A triangle and a mask of padding of which only those keys are hidden that both hide; a triangle beside a mask that shows all. A prefix or global
 * tokens that all see have such numbers too, so the other mask has to be called padding, or be all true as it is written. A triangle and a window of
 * the last keys, `j <= i` and `j > i - 3`, are known by their numbers: of the two one always shows a key.
 */
export function* findCombined(facts: Facts, text: string, name: (node: Node) => string): Paced<readonly Found[]> {
  const { own: { n, m }, hidden, ownMask } = facts; // prettier-ignore
  const at = maskNode(facts);
  const joined = at && facts.way.find(({ node }) => node === at)?.others.flatMap(joinedBehind)[0];
  const truth = joined && (yield* spread(facts, at, joined));
  if (!ownMask || !truth || n !== m || n < 3) return [];
  const hides = [0, 1].find((side) => truth.every((x, i) => Number(x !== 0) === (hidden[i] === 1 ? side : 1 - side)));
  const sign = signs[joined.operation] as '|' | '&';
  if (hides === undefined || (sign === '|') === (hides === 1)) return [];
  const causal = hidden.map((_, i) => Number(i % m > Math.floor(i / m) % n));
  for (const [one, other] of [joined.operands, [...joined.operands].reverse()]) {
    if (!one || !other) continue;
    const [first, second] = [yield* hiddenBy(facts, at, one, hides), yield* hiddenBy(facts, at, other, hides)];
    if (!first?.every((x, i) => x === causal[i]) || !second) continue;
    const right = hidden.map((_, i) => Math.max(first[i] as number, second[i] as number));
    if (!hidden.includes(1) && isWindow(second, n))
      return [{ rule: 'mask-unused', node: joined, hidden: right, message: t('The mask hides nothing: `{0}` joins two that hide different keys.', sign), mends: mendsOf(text, joined, sign) }];
    const isForKeys = second.every((x, i) => x === second[Math.floor(i / (n * m)) * n * m + (i % m)]);
    const all = namesBehind(other, name, text);
    const isPadding = isForKeys && second.includes(1) && all.some((called) => /pad|valid|att(?:entio)?n_mask/i.test(called));
    const showsAll = !second.includes(1) && (other.shape?.length ?? 0) > 1 && all.some((called) => /^(?:\w+\.)?(?:ones|zeros)\(/.test(called));
    if (!isPadding && !showsAll) continue;
    const message = showsAll
      ? t('The causal mask has no effect: `{0}` joins it with a mask that shows all.', sign)
      : t('`{0}` joins the masks, so a key is hidden only where both hide it: later tokens and padding are seen.', sign);
    return [{ rule: showsAll ? 'mask-unused' : 'mask-padding', node: joined, hidden: right, message, mends: mendsOf(text, joined, sign) }];
  }
  return [];
} // prettier-ignore

/** Whether all keys are hidden that are so many tokens before a query, or more, and no others: at least two, for a triangle that is turned hides the one before it. */
function isWindow(hidden: readonly number[], n: number): boolean {
  const width = Array.from({ length: n }, (_, i) => hidden[i * n]).indexOf(1);
  return width > 1 && hidden.every((x, i) => (x === 1) === (Math.floor(i / n) % n) - (i % n) >= width);
}

/** Back from a mask over views, casts and `~` to where two become one. */
function joinedBehind(mask: Node): readonly Node[] {
  let at: Node | undefined = mask;
  while (at && (passes(at) || turns.has(at.operation))) at = at.operands[0];
  return at && signs[at.operation] && at.dtype === 'bool' ? [at] : [];
}

/** `~`, and comparisons with a number. */
const turns: ReadonlySet<string> = new Set(['logical_not', 'equal', 'not_equal']);

function* hiddenBy(facts: Facts, at: Node, mask: Node, hides: number): Paced<readonly number[] | undefined> {
  const truth = isOwn(mask) ? yield* spread(facts, at, mask) : undefined;
  return truth && Array.from(truth, (x) => Number(Number(x !== 0) === hides));
}

/** What a mask is called on the way back to its numbers, and how these are written. */
function namesBehind(node: Node, name: (node: Node) => string, text: string): readonly string[] {
  const found: string[] = [];
  for (let at: Node | undefined = node; at && found.length < 64; at = passes(at) || turns.has(at.operation) ? at.operands[0] : undefined)
    found.push(name(at), textAt(text, at.range));
  return found;
} // prettier-ignore

function mendsOf(text: string, joined: Node, sign: '|' | '&'): Found['mends'] {
  const was = textAt(text, joined.range);
  const called = functions.map(([from, to]) => was.replace(from, to));
  const parts = was.split(sign);
  return rewritten(t('Hide what either mask hides'), text, joined, ...(parts.length === 2 ? [parts.join(sign === '|' ? '&' : '|')] : []), ...called); // prettier-ignore
}
