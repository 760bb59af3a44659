/** Layers too large to be given number by number: attention then starts with what they made, and ends before W_O. */
import { t, type Problem } from '../../text';
import { programLimit } from '../../spec';
import { type Node, count } from '../tensor';
import type { Attention, PartName } from '../recognise/index';
import { shapeOf } from './steps';

const layers: readonly PartName[] = ['x', 'context', 'wq', 'wk', 'wv', 'bq', 'bk', 'bv', 'wo', 'bo'];

export interface Shortened {
  readonly attention: Attention;
  /** What is left out. */
  readonly note?: Problem;
}

/** The attention itself where its layers can be given. */
export function withinLimit(attention: Attention): Shortened {
  const { parts, site } = attention;
  const outer = new Set(layers.flatMap((name) => parts[name] ?? []));
  const numbers = [...outer].reduce((sum, node) => sum + count(shapeOf(node) ?? []), 0);
  const { q, k, v } = parts;
  if (numbers <= programLimit.numbers || !q || !k || !v) return { attention };
  const last = parts.attended ?? attention.last;
  const inner = Object.entries(parts).filter(([name]) => !layers.includes(name as PartName) && name !== 'attended');
  return {
    attention: {
      ...attention,
      parts: { ...(Object.fromEntries(inner) as Partial<Record<PartName, Node>>), output: last },
      starts: [q, k, v],
      layers: new Map(),
      last,
    },
    note: {
      code: 'program-skipped',
      message: t('The input and its layers have {0} numbers, the limit is {1}: this starts with Q, K and V and ends before W_O.', numbers, programLimit.numbers), // prettier-ignore
      range: site.weights.range,
    },
  };
}

/** Where W_O is computed in another precision than all before it: without that layer. */
export function endingBefore({ parts, ...attention }: Attention): Shortened | undefined {
  const { wo, bo: _, attended, ...inner } = parts;
  if (!wo || !attended) return undefined;
  return {
    attention: { ...attention, parts: { ...inner, output: attended }, last: attended },
    note: {
      code: 'program-skipped',
      message: t('The layer with W_O is computed in float32 and rounded once, its bias with it: this ends before W_O.'),
      range: attention.site.weights.range,
    },
  };
}
