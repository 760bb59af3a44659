/** A causal window of one key less than the code's own name for it says. One key more is what FlexAttention's and Mistral's own code means by `dist <= window`. */
import { t, type Paced } from '../../../text';
import { denseOf } from '../../nearest';
import { isOwn, isScalar } from '../../recognise';
import type { Facts } from '../facts';
import { textAt, type Found } from './found';
import { maskNode } from './mask';

export function* findWindow(facts: Facts, text: string): Paced<readonly Found[]> {
  const { own: { n, m }, hidden, source, way } = facts; // prettier-ignore
  const node = maskNode(facts);
  const keys = hidden.subarray((n - 1) * m, n * m).filter((x) => x === 0).length;
  const isIn = (i: number, j: number): boolean => j <= i && j > i - keys;
  // The last of an n-gram is none of the keys.
  if (!node || n !== m || /n-?gram|predict/i.test(text) || keys < 2 || keys > n - 2 || !hidden.every((x, at) => (x === 0) === isIn(Math.floor(at / m) % n, at % m))) return [];
  const seen = new Set(way.flatMap(({ others }) => others));
  for (const at of seen) {
    for (const one of at.operands) seen.add(one);
    const leaf = at.operands.find((one) => isScalar(one) && one.operands.length === 0);
    const value = at.attributes.k ?? (leaf && (yield* denseOf(source, leaf))?.data[0]);
    // Of `i - window + 1` the number 1 is added last.
    const isSum = at.operation === 'add' || at.operation === 'subtract';
    const [written = '', name, rest = ''] = /(?<![\w.])[-+(\d ]*((?:\w+\.)*(?:sliding_?|local_?|attention_?|attn_?)?window(?:_?size|_?len(?:gth)?)?)\b([-+)\d ]*)$/.exec(textAt(text, at.range)) ?? [];
    const is = (said: number): boolean => Math.abs(sumOf(written.replace(name ?? '', `${said}`))) === Math.abs(value as number);
    if (name && value !== undefined && !(isSum && /\d/.test(rest)) && isOwn(at) && is(keys + 1) && !is(keys))
      return [{ rule: 'mask-window', node, message: t('Each query sees {0} keys, its own and {1} before it; {2} is {3}.', keys, keys - 1, name, keys + 1), mends: [] }];
  }
  return [];
} // prettier-ignore

/** Of whole numbers that are added and subtracted: `-(4 - 1)`. */
const sumOf = (written: string): number =>
  (written.replace(/- *\(([^()]*)/g, (_, inner: string) => `-${inner.replace(/[-+]/g, (sign) => (sign === '-' ? '+' : '-'))}`).replace(/[() ]/g, '').match(/[-+]?\d+/g) ?? []).reduce((sum, one) => sum + Number(one), 0); // prettier-ignore
