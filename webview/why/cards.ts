import { hasColumns, t, type Insight, type ReversedRow } from '../../engine/index';
import { brief, percent } from '../draw/numbers';
import { h } from '../draw/ui';
import type { TraceHandle } from '../compute/trace-handle';
import { card, facts, turnWords } from './card';
import { canShuffle, shuffleCard } from './shuffle-card';
import { scaleCard, widthCard } from './scale-card';

/** What a card is about. */
export type Reason = Exclude<Insight, { kind: 'more' }>;
type Of<K extends Reason['kind']> = Extract<Reason, { kind: K }>;

/** A reason as a card, once all that it shows is known: what it is about, and what it says of the reader's own numbers. */
export async function cardOf(insight: Reason, trace: TraceHandle, head: number): Promise<HTMLElement> {
  const shuffles = insight.kind === 'property' && insight.property.id === 'permutation-equivariant';
  if (shuffles && canShuffle(trace)) return shuffleCard(trace, titles[insight.property.id], insight.property, head);
  const write = cards[insight.kind] as (insight: Reason) => HTMLElement;
  const element = write(insight);
  if (hasColumns(trace.plan)) turnWords(element);
  return element;
}

const cards: { readonly [K in Reason['kind']]: (insight: Of<K>) => HTMLElement } = {
  meeting: ({ meeting: { queryNorm, keyNorm, cosine, product } }) =>
    card(
      t('Why a dot product?'),
      t('It is large when two vectors are long and point the same way: |q| · |k| · cos θ.'),
      facts(
        ['|q|', brief(queryNorm)],
        ['|k|', brief(keyNorm)],
        ['cos θ', brief(cosine)],
        [t('product'), brief(product)],
      ),
    ),
  variance: ({ variance: v }) =>
    card(
      t('Why divide by √d_k?'),
      t('A score adds d_k = {0} products, so its variance grows with d_k.', v.predictedForUnitVariance),
      facts(
        [t('variance of these scores'), brief(v.scores)],
        [t('theory: d_k · var(Q) · var(K)'), brief(v.predicted)],
        [t('theory for unit variance: d_k'), brief(v.predictedForUnitVariance)],
        [t('after scaling'), brief(v.scaled)],
      ),
    ),
  scale: scaleCard,
  widths: widthCard,
  maskedAfter: ({ after, row }) =>
    card(
      t('Why mask before softmax?'),
      t(
        'Multiplied by zero afterwards, the rows would no longer sum to 1: “{0}” would keep {1} of its weight.',
        row,
        percent(after.sum),
      ),
      ...(Number.isNaN(after.deviation) ? [] : [facts([t('largest change of a weight'), brief(after.deviation)])]),
    ),
  sharpness: ({ row, most, keys }) =>
    card(
      t('How sharp is this row?'),
      sharpnessWords(row, keys),
      ...(row.largest > 0
        ? [
            facts(
              [t('entropy'), t('{0} of {1} nats', brief(row.entropy), brief(most))],
              [t('as if over'), t('{0} of {1} keys', brief(Math.exp(row.entropy), 3), keys)],
              [t('largest weight'), brief(row.largest)],
              [t('norm of the softmax Jacobian'), brief(row.jacobianNorm)],
            ),
          ]
        : []),
    ),
  overflow: ({ overflow: o, dtype }) =>
    card(
      t('Why subtract the maximum?'),
      o.overflowsIn.includes(dtype)
        ? t('exp({0}) is infinite in {1}: without it its row would be ∞/∞ = NaN.', brief(o.largest), dtype)
        : Number.isFinite(o.factorToOverflow)
          ? t(
              'exp({0}) = {1} still fits {2}. Scores {3} times as large would give ∞/∞ = NaN.',
              brief(o.largest),
              brief(o.exponential),
              dtype,
              brief(o.factorToOverflow, 3),
            )
          : t(
              'exp({0}) = {1} still fits {2}. No score is positive here, so nothing can overflow.',
              brief(o.largest),
              brief(o.exponential),
              dtype,
            ),
      t(
        'In exact arithmetic the weights are the same either way: numerator and denominator are both divided by exp(max).',
      ),
      ...(o.overflowsIn.length ? [t('It overflows in {0}.', o.overflowsIn.join(', '))] : []),
    ),
  property: ({ property: p }) =>
    card(
      titles[p.id],
      p.words,
      ...(p.rows?.length ? [reversedTable(p.rows)] : []),
      facts([t('largest deviation'), brief(p.deviation, 3)]),
    ),
  heads: ({ heads, kvHeads, width, joined }) =>
    card(
      t('Why several heads?'),
      t(
        'Each head has weights of its own and can look for something else. Side by side, {0} heads of {1} columns make {2} columns, as many as one wide head.',
        heads,
        width,
        joined,
      ),
      ...(kvHeads < heads
        ? [t('{0} query heads share each of {1} key and value heads.', heads / kvHeads, kvHeads)]
        : []),
    ),
  cross: ({ queries, keys }) =>
    card(
      t('Cross-attention'),
      t(
        'Queries come from X ({0} rows), keys and values from the context ({1} rows): the weights are {0}×{1}.',
        queries,
        keys,
      ),
    ),
  costs: ({ costs: c, tokens, width }) =>
    card(
      t('Why not fully connected?'),
      t(
        'One layer from all {0} tokens to all {0}×{1} outputs would learn a weight for each pair of numbers, for this length alone.',
        tokens,
        width,
      ),
      facts(
        [t('parameters here'), count(c.parameters)],
        [t('fully connected'), count(c.fullyConnectedParameters)],
        [t('multiply-adds here'), count(c.multiplyAdds)],
        [t('fully connected'), count(c.fullyConnectedMultiplyAdds)],
      ),
    ),
};

function sharpnessWords({ largest }: Of<'sharpness'>['row'], keys: number): string {
  if (Number.isNaN(largest)) return t('The weights of this row are NaN: it has no sharpness.');
  if (largest === 0) return t('Every key is hidden: the row has no weight at all.');
  if (keys === 1) return t('There is one key, which gets all the weight whatever its score.');
  return largest > 0.99
    ? t('One key has nearly all the weight: the row is saturated, and hardly any gradient passes.')
    : t(
        'Entropy says over how many keys the weight is spread; the Jacobian, how much a change of the scores changes it.',
      );
}

/** Rows of the output next to where they went. */
function reversedTable(rows: readonly ReversedRow[]): HTMLElement {
  const numbers = (values: readonly number[]): string => values.map((x) => brief(x, 3)).join('  ');
  const line = (label: string, row: number, values: readonly number[]): HTMLElement =>
    h('tr', {}, h('th', { scope: 'row' }, label), h('td', {}, t('row {0}', row)), h('td', {}, `${numbers(values)} …`));
  const pairs = rows.flatMap(({ label, from, to, before, after }) => [
    line(label, from, before),
    line(t('{0}, reversed', label), to, after),
  ]);
  return h(
    'div',
    { class: 'facts-scroll', tabindex: '0', role: 'region', 'aria-label': t('Rows of the output') },
    h('table', { class: 'facts reversed' }, h('tbody', {}, ...pairs)),
  );
}

const titles: { readonly [K in Of<'property'>['property']['id']]: string } = {
  'rows-sum-to-1': t('Do the rows sum to 1?'),
  'scores-symmetric': t('Is QKᵀ symmetric?'),
  'weights-symmetric': t('Are the weights symmetric?'),
  causal: t('Does anyone look ahead?'),
  'permutation-equivariant': t('Does order matter?'),
};

/** Thousands apart by a space that does not break. */
const count = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
