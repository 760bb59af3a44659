import {
  number,
  say,
  shapeMark,
  signs,
  decodedWords,
  isUnnamed,
  t,
  type Insight,
  type ReversedRow,
  type Sentence,
  type TokenMark,
} from '../../engine/index';
import { brief, h, percent, prose } from '../draw';
import { shownText, stepOf, type TraceHandle } from '../trace';
import { card, cellAt, facts, scrollBox, type About } from './card';
import { canShuffle, shuffleCard } from './shuffle-card';
import { scaleCard, widthCard } from './scale-card';

/** An insight that has a card, i.e. all but the marker that more will follow. */
export type Reason = Exclude<Insight, { kind: 'more' }>;
type Of<K extends Reason['kind']> = Extract<Reason, { kind: K }>;

/** Makes the card of an insight. Resolves once everything that it shows is computed. */
export async function cardOf(
  insight: Reason,
  trace: TraceHandle,
  step: string,
  index: readonly number[],
): Promise<HTMLElement> {
  const about: About = { trace, index, plan: trace.plan, currentStep: stepOf(trace.plan, step) };
  const shuffles = insight.kind === 'property' && insight.property.id === 'permutation-equivariant';
  if (shuffles && canShuffle(trace))
    return shuffleCard(about, titles[insight.property.id], insight.property, index.at(-3) ?? 0);
  const write = cards[insight.kind] as (insight: Reason, about: About) => HTMLElement;
  return write(insight, about);
}

const cards: { readonly [K in Reason['kind']]: (insight: Of<K>, about: About) => HTMLElement } = {
  decoded: ({ decoded }, about) =>
    card(
      about,
      say('Is it the full pass?'),
      decodedWords(decoded, (x) => brief(x)),
      facts(about, [say('largest difference'), brief(decoded.deviation)]),
    ),
  meeting: ({ meeting: { queryNorm, keyNorm, cosine, product } }, about) => {
    const [row = 0, column = 0] = about.index.slice(-2);
    const [q = 'q', k = 'k'] = stepOf(about.trace.plan, 'scores')?.operands ?? [];
    return card(
      about,
      say('Why a dot product?'),
      say('It is large when two vectors are long and point the same way: |q| · |k| · cos θ.'),
      facts(
        about,
        [signs('|q|'), number(brief(queryNorm), { step: q, row })],
        [signs('|k|'), number(brief(keyNorm), { step: k, row: column })],
        [signs('cos θ'), brief(cosine)],
        [say('product'), number(brief(product), cellAt(about, 'scores', row, column))],
      ),
    );
  },
  variance: ({ variance: v }, about) =>
    card(
      about,
      say('Why divide by √{d_k}?'),
      say('A score adds {d_k} = {0} products, so its variance grows with {d_k}.', v.predictedForUnitVariance),
      facts(
        about,
        [say('variance of these scores'), number(brief(v.scores), { step: 'scores' })],
        [say('theory: {d_k} · var({Q}) · var({K})'), brief(v.predicted)],
        [say('theory for unit variance: {d_k}'), brief(v.predictedForUnitVariance)],
        [say('after scaling'), number(brief(v.scaled), { step: 'scaled' })],
      ),
    ),
  scale: scaleCard,
  widths: widthCard,
  maskedAfter: ({ after, row }, about) =>
    card(
      about,
      say('Why mask before softmax?'),
      say(
        'Multiplied by zero afterwards, the [rows|columns] would no longer sum to 1: {0} would keep {1} of its weight.',
        rowToken(about, 'weights', row, after.row),
        percent(after.sum),
      ),
      ...(Number.isNaN(after.deviation)
        ? []
        : [facts(about, [say('largest change of a weight'), brief(after.deviation)])]),
    ),
  sharpness: ({ row, most, keys }, about) =>
    card(
      about,
      say('How sharp is this [row|column]?'),
      sharpnessWords(row, keys),
      ...(row.largest > 0
        ? [
            facts(
              about,
              [say('entropy'), say('{0} of {1} nats', brief(row.entropy), brief(most))],
              [say('effective number of keys'), say('{0} of {1} keys', brief(Math.exp(row.entropy), 3), keys)],
              [say('largest weight'), number(brief(row.largest), cellAt(about, 'weights', row.row, row.largestAt))],
              [say('how much the weights react to a score (norm of the Jacobian)'), brief(row.jacobianNorm)],
            ),
          ]
        : []),
    ),
  overflow: ({ overflow: o, dtype }, about) =>
    card(
      about,
      say('Why subtract the maximum?'),
      overflowWords(o, dtype),
      say(
        'In exact arithmetic the weights are the same either way: numerator and denominator are both divided by exp(max).',
      ),
      ...(o.overflowsIn.length ? [say('It overflows in {0}.', o.overflowsIn.join(', '))] : []),
    ),
  property: ({ property: p }, about) =>
    card(
      about,
      titles[p.id],
      p.words,
      ...(p.rows?.length ? [reversedTable(about, p.rows)] : []),
      facts(about, [say('largest deviation'), brief(p.deviation, 3)]),
    ),
  heads: ({ heads, kvHeads, width, joined }, about) =>
    card(
      about,
      say('Why several heads?'),
      say(
        'Each head has weights of its own and can look for something else. [Side by side|One below the other], {0} heads of {1} [columns|rows] make {2} [columns|rows], as many as one [wide|high] head.',
        heads,
        width,
        joined,
      ),
      ...(kvHeads < heads
        ? [say('{0} query heads share each of {1} key and value heads.', heads / kvHeads, kvHeads)]
        : []),
    ),
  cross: ({ queries, keys }, about) =>
    card(
      about,
      say('Cross-attention'),
      say(
        'Queries come from {X} ({0} [rows|columns]), keys and values from the context ({1} [rows|columns]): the weights are {2}.',
        number(queries, { step: 'x' }),
        number(keys, { step: 'context' }),
        shapeMark([queries, keys]),
      ),
    ),
  costs: ({ costs: c, tokens, width }, about) =>
    card(
      about,
      say('Why not a fully connected layer?'),
      say(
        'One layer from all {0} tokens to all {0}×{1} outputs would learn a weight for each pair of numbers, for this length alone.',
        tokens,
        width,
      ),
      facts(
        about,
        [say('parameters here'), count(c.parameters)],
        [say('fully connected'), count(c.fullyConnectedParameters)],
        [say('multiply-adds here'), count(c.multiplyAdds)],
        [say('fully connected'), count(c.fullyConnectedMultiplyAdds)],
      ),
    ),
};

/** The token of a row of a step. `counted` is the row's index over all heads and batches. */
function rowToken({ trace }: About, step: string, token: string, counted: number): TokenMark {
  const [rows = 1, heads = 1] = [stepOf(trace.plan, step)?.shape.at(-2), stepOf(trace.plan, step)?.shape.at(-3)];
  const matrix = Math.floor(counted / rows);
  const rank = (stepOf(trace.plan, step)?.shape.length ?? 2) - 2;
  const lead = [Math.floor(matrix / heads), matrix % heads].slice(2 - rank);
  const unnamed = isUnnamed(stepOf(trace.plan, step)?.rowLabels ?? []);
  return { kind: 'token', token, role: 'query', axis: 'row', unnamed, to: { step, row: counted % rows, lead } };
}

function overflowWords(o: Of<'overflow'>['overflow'], dtype: string): Sentence {
  const largest = number(brief(o.largest), { step: 'masked' });
  if (o.overflowsIn.includes(dtype as 'float32'))
    return say('exp({0}) is infinite in {1}: without it its [row|column] would be ∞/∞ = NaN.', largest, dtype);
  return Number.isFinite(o.factorToOverflow)
    ? say(
        'exp({0}) = {1} still fits {2}. Scores {3} times as large would give ∞/∞ = NaN.',
        largest,
        brief(o.exponential),
        dtype,
        brief(o.factorToOverflow, 3),
      )
    : say(
        'exp({0}) = {1} still fits {2}. No score is positive here, so nothing can overflow.',
        largest,
        brief(o.exponential),
        dtype,
      );
}

function sharpnessWords({ largest }: Of<'sharpness'>['row'], keys: number): Sentence {
  if (Number.isNaN(largest)) return say('The weights of this [row|column] are NaN: it has no sharpness.');
  if (largest === 0) return say('Every key is hidden: the [row|column] has no weight at all.');
  if (keys === 1) return say('It sees one key, which gets all the weight whatever its score.');
  return largest > 0.99
    ? say('One key has nearly all the weight: the [row|column] is saturated, and hardly any gradient passes.')
    : say(
        'Entropy, in nats: over how many keys the weight is spread; 0 is one key. Jacobian: how much each weight changes where a score changes a little.',
      );
}

/** Rows of the output, each with the row for the same token when the input is reversed. */
function reversedTable(about: About, rows: readonly ReversedRow[]): HTMLElement {
  const line = (label: string, row: number, values: readonly number[], own: boolean): HTMLElement => {
    const cells = values.map((x, column) =>
      number(brief(x, 3), own ? cellAt(about, 'output', row, column) : undefined),
    );
    const numbers = signs(`${cells.map((_, i) => `{${i}}`).join('  ')} …`, ...cells);
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, label),
      h('td', {}, shownText(about.trace.plan, say('[row|column] {0}', row))),
      h('td', {}, ...prose(numbers, about)),
    );
  };
  const pairs = rows.flatMap(({ label, from, to, before, after }) => [
    line(label, from, before, true),
    line(t('{0}, reversed', label), to, after, false),
  ]);
  return scrollBox(
    shownText(about.trace.plan, say('[Rows|Columns] of the output')),
    h('table', { class: 'facts reversed' }, h('tbody', {}, ...pairs)),
  );
}

const titles: { readonly [K in Of<'property'>['property']['id']]: Sentence } = {
  'rows-sum-to-1': say('Do the [rows|columns] sum to 1?'),
  'scores-symmetric': say('Is [{Q}{Kᵀ}|{Kᵀ}{Q}] symmetric?'),
  'weights-symmetric': say('Are the weights symmetric?'),
  causal: say('Does any token attend to later ones?'),
  'permutation-equivariant': say('Does order matter?'),
};

/** Groups thousands with narrow no-break spaces. */
const count = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
