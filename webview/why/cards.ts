import type { Insight, ReversedRow } from '../../engine/index';
import { brief, percent } from '../numbers';
import { prose } from '../prose';
import { h } from '../ui';
import { scaleCard, widthCard } from './scale-card';

type Of<K extends Insight['kind']> = Extract<Insight, { kind: K }>;

/** A reason as a card: what it is about, and what it says of the reader's own numbers. */
export function cardOf(insight: Insight): HTMLElement {
  const write = cards[insight.kind] as (insight: Insight) => HTMLElement;
  return write(insight);
}

/** Strings are paragraphs; symbols in them are set as in formulas. */
export const card = (title: string, ...body: readonly (Node | string)[]): HTMLElement =>
  h(
    'div',
    { class: 'card insight' },
    h('h3', {}, ...prose(title, undefined)),
    ...body.map((part) => (typeof part === 'string' ? h('p', {}, ...prose(part, undefined)) : part)),
  );

/** A small table of facts: name, number. */
export const facts = (...rows: readonly (readonly [string, string])[]): HTMLElement =>
  h(
    'table',
    { class: 'facts' },
    h(
      'tbody',
      {},
      ...rows.map(([name, value]) =>
        h('tr', {}, h('th', { scope: 'row' }, ...prose(name, undefined)), h('td', {}, value)),
      ),
    ),
  );

const cards: { readonly [K in Insight['kind']]: (insight: Of<K>) => HTMLElement } = {
  meeting: ({ meeting: { queryNorm, keyNorm, cosine, product } }) =>
    card(
      'Why a dot product?',
      'It is large when two vectors are long and point the same way: |q| · |k| · cos θ.',
      facts(['|q|', brief(queryNorm)], ['|k|', brief(keyNorm)], ['cos θ', brief(cosine)], ['product', brief(product)]),
    ),
  variance: ({ variance: v }) =>
    card(
      'Why divide by √d_k?',
      `A score adds d_k = ${v.predictedForUnitVariance} products, so its variance grows with d_k.`,
      facts(
        ['variance of these scores', brief(v.scores)],
        ['theory: d_k · var(Q) · var(K)', brief(v.predicted)],
        ['theory for unit variance: d_k', brief(v.predictedForUnitVariance)],
        ['after scaling', brief(v.scaled)],
      ),
    ),
  scale: scaleCard,
  widths: widthCard,
  maskedAfter: ({ after, row }) =>
    card(
      'Why mask before softmax?',
      `Multiplied by zero afterwards, the rows would no longer sum to 1: “${row}” would keep ${percent(after.sum)} of its weight.`,
      ...(Number.isNaN(after.deviation) ? [] : [facts(['largest change of a weight', brief(after.deviation)])]),
    ),
  sharpness: ({ row, most, keys }) =>
    card(
      'How sharp is this row?',
      sharpnessWords(row, keys),
      ...(row.largest > 0
        ? [
            facts(
              ['entropy', `${brief(row.entropy)} of ${brief(most)} nats`],
              ['as if over', `${brief(Math.exp(row.entropy), 3)} of ${keys} keys`],
              ['largest weight', brief(row.largest)],
              ['norm of the softmax Jacobian', brief(row.jacobianNorm)],
            ),
          ]
        : []),
    ),
  overflow: ({ overflow: o, dtype }) =>
    card(
      'Why subtract the maximum?',
      o.overflowsIn.includes(dtype)
        ? `exp(${brief(o.largest)}) is infinite in ${dtype}: without it its row would be ∞/∞ = NaN.`
        : `exp(${brief(o.largest)}) = ${brief(o.exponential)} still fits ${dtype}. ${
            Number.isFinite(o.factorToOverflow)
              ? `Scores ${brief(o.factorToOverflow, 3)} times as large would give ∞/∞ = NaN.`
              : 'No score is positive here, so nothing can overflow.'
          }`,
      'In exact arithmetic the weights are the same either way: numerator and denominator are both divided by exp(max).',
      ...(o.overflowsIn.length ? [`It overflows in ${o.overflowsIn.join(', ')}.`] : []),
    ),
  property: ({ property: p }) =>
    card(
      titles[p.id],
      p.words,
      ...(p.rows?.length ? [reversedTable(p.rows)] : []),
      facts(['largest deviation', brief(p.deviation, 3)]),
    ),
  heads: ({ heads, kvHeads, width, joined }) =>
    card(
      'Why several heads?',
      `Each head has weights of its own and can look for something else. Side by side, ${heads} heads of ${width} columns make ${joined} columns, as many as one wide head.`,
      ...(kvHeads < heads ? [`${heads / kvHeads} query heads share each of ${kvHeads} key and value heads.`] : []),
    ),
  cross: ({ queries, keys }) =>
    card(
      'Cross-attention',
      `Queries come from X (${queries} rows), keys and values from the context (${keys} rows): the weights are ${queries}×${keys}.`,
    ),
  costs: ({ costs: c, tokens, width }) =>
    card(
      'Why not fully connected?',
      `One layer from all ${tokens} tokens to all ${tokens}×${width} outputs would learn a weight for each pair of numbers, for this length alone.`,
      facts(
        ['parameters here', count(c.parameters)],
        ['fully connected', count(c.fullyConnectedParameters)],
        ['multiply-adds here', count(c.multiplyAdds)],
        ['fully connected', count(c.fullyConnectedMultiplyAdds)],
      ),
    ),
};

function sharpnessWords({ largest }: Of<'sharpness'>['row'], keys: number): string {
  if (Number.isNaN(largest)) return 'The weights of this row are NaN: it has no sharpness.';
  if (largest === 0) return 'Every key is hidden: the row has no weight at all.';
  if (keys === 1) return 'There is one key, which gets all the weight whatever its score.';
  return largest > 0.99
    ? 'One key has nearly all the weight: the row is saturated, and hardly any gradient passes.'
    : 'Entropy says over how many keys the weight is spread; the Jacobian, how much a change of the scores changes it.';
}

/** Rows of the output next to where they went. */
function reversedTable(rows: readonly ReversedRow[]): HTMLElement {
  const numbers = (values: readonly number[]): string => values.map((x) => brief(x, 3)).join('  ');
  const line = (label: string, row: number, values: readonly number[]): HTMLElement =>
    h('tr', {}, h('th', { scope: 'row' }, label), h('td', {}, `row ${row}`), h('td', {}, `${numbers(values)} …`));
  const pairs = rows.flatMap(({ label, from, to, before, after }) => [
    line(label, from, before),
    line(`${label}, reversed`, to, after),
  ]);
  return h('div', { class: 'facts-scroll' }, h('table', { class: 'facts reversed' }, h('tbody', {}, ...pairs)));
}

const titles: { readonly [K in Of<'property'>['property']['id']]: string } = {
  'rows-sum-to-1': 'Do the rows sum to 1?',
  'scores-symmetric': 'Is QKᵀ symmetric?',
  'weights-symmetric': 'Are the weights symmetric?',
  causal: 'Does anyone look ahead?',
  'permutation-equivariant': 'Does order matter?',
};

/** Thousands apart by a space that does not break. */
const count = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
