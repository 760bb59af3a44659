import { say, t, type Plan, type Property, type Sentence } from '../../engine/index';
import { isSmall } from '../compute';
import { createThumbnail } from '../heatmap';
import { brief, button, h, prose } from '../draw';
import { drawnStep, stepOf, type ReadTile, type Shuffling, type TraceHandle } from '../trace';
import { card, facts, type About } from './card';

/** Most tokens whose names are listed. */
const maxNamed = 24;

/** Whether the trace is small enough to recompute it with shuffled tokens while the reader waits. */
export const canShuffle = ({ plan, preview }: TraceHandle): boolean => isSmall(plan) && !preview;

/**
 * A card that shuffles the tokens by a seed and shows where the output's rows move and how the weights change. A button shuffles again. Resolves
 * with the first shuffle computed.
 */
export async function shuffleCard(
  about: About,
  title: Sentence,
  property: Property,
  head: number,
): Promise<HTMLElement> {
  const { trace } = about;
  const result = h('div', { class: 'shuffle-result', role: 'status' });
  let seed = 0;
  const shuffle = async (): Promise<void> => {
    const found = await trace.shuffle(seed + 1);
    if (!found) return;
    seed = found.seed;
    result.replaceChildren(...parts(about, found, head));
  };
  await shuffle();
  if (seed === 0) return card(about, title, property.words);
  // If the worker was stopped, the last shuffle stays.
  const shuffleAgainButton = button({
    label: t('Shuffle again'),
    onClick: () => void shuffle().catch(() => undefined),
  });
  return card(
    about,
    title,
    say(
      'The same tokens in another order, every weight matrix as it is. Where order does not matter, each token keeps its [row|column] of the output, at another place, and the weights are permuted on both sides.',
    ),
    result,
    h('div', { class: 'shuffle-again' }, shuffleAgainButton),
  );
}

function parts(about: About, found: Shuffling, head: number): readonly HTMLElement[] {
  const { trace } = about;
  const { order, output, weights, holds, seed } = found;
  const verdict = holds
    ? say('Only the [rows|columns] moved: order does not matter to it.')
    : say('The values of the [rows|columns] changed: order matters.');
  return [
    orderTable(trace.plan, order),
    ...pictures(trace, found, 'output', head),
    ...pictures(trace, found, 'weights', head),
    facts(
      about,
      [say('output, largest difference'), brief(output, 3)],
      ...(weights === undefined ? [] : [[say('weights, largest difference'), brief(weights, 3)] as const]),
      [say('seed of the order'), String(seed)],
    ),
    h('p', { class: 'shuffle-verdict', 'data-holds': String(holds) }, ...prose(verdict, about)),
  ];
}

/** Two rows of token names: `The cat sat` and `sat The cat`. */
function orderTable(plan: Plan, order: readonly number[]): HTMLElement {
  const names = (at: readonly number[]): string => {
    const shown = at.slice(0, maxNamed).map((i) => plan.tokens[i]?.text ?? String(i));
    return [...shown, ...(at.length > maxNamed ? ['…'] : [])].join(' ');
  };
  const line = (label: string, at: readonly number[]): HTMLElement =>
    h('tr', {}, h('th', { scope: 'row' }, label), h('td', {}, names(at)));
  const inOrder = order.map((_, i) => i);
  return h(
    'table',
    { class: 'facts shuffle-order' },
    h('tbody', {}, line(t('before'), inOrder), line(t('shuffled'), order)),
  );
}

/**
 * Three thumbnails of a matrix: as it is, its rows (of weights also its columns) permuted, and as computed from the shuffled tokens. The last two
 * are equal if order does not matter.
 */
function pictures(
  trace: TraceHandle,
  { seed, order }: Shuffling,
  id: 'weights' | 'output',
  head: number,
): HTMLElement[] {
  const step = stepOf(trace.plan, id);
  if (!step || step.shape.length > 3) return [];
  const at = step.shape.length > 2 ? { head } : {};
  const readOwnTile: ReadTile = (request) => trace.read(id, { ...request, ...at });
  const again: ReadTile = (request) => trace.readShuffled(seed, id, { ...request, ...at });
  const picture = (name: string, read: ReadTile): HTMLElement => {
    const drawn = drawnStep(trace.plan, step, read);
    const { element } = createThumbnail(drawn.step, drawn.read, { width: 76, height: 76 });
    return h('figure', { class: 'shuffle-picture' }, element, h('figcaption', {}, name));
  };
  const permuted: ReadTile = async () => permute(await readOwnTile({}), order, id === 'weights');
  const small = Math.max(...step.shape.slice(-2)) <= 64;
  const box = h(
    'div',
    { class: 'shuffle-pictures' },
    picture(step.symbol, readOwnTile),
    ...(small ? [picture(t('{0}, permuted', step.symbol), permuted)] : []),
    picture(t('{0} of the shuffled tokens', step.symbol), again),
  );
  return [box];
}

type Tile = Awaited<ReturnType<ReadTile>>;

/** Permutes the rows of a tile, and with `columns` also its columns. */
function permute(tile: Tile, order: readonly number[], columns: boolean): Tile {
  const m = tile.width;
  const from = Array.from(
    tile.max,
    (_, at) => (order[Math.floor(at / m)] ?? 0) * m + (columns ? (order[at % m] ?? 0) : at % m),
  );
  const floats = (values: Float64Array): Float64Array => Float64Array.from(from, (at) => values[at] ?? NaN);
  const counts = (values: Uint32Array): Uint32Array => Uint32Array.from(from, (at) => values[at] ?? 0);
  const { min, max, mean, nan, masked } = tile;
  return { ...tile, min: floats(min), max: floats(max), mean: floats(mean), nan: counts(nan), masked: counts(masked) };
}
