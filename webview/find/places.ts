import { largestAt, t, type Plan, type RowEntropy, type Step } from '../../engine/index';
import { eachRowChunk, type Readable } from '../compare';
import { labelAt, saysPlaces, sliceRequest, type TraceHandle } from '../trace';
import { readNumber } from '../choices';
import { brief } from '../draw';

/** A search result: a place in the explanation. */
export type Found =
  | { readonly kind: 'step'; readonly text: string; readonly step: string }
  | { readonly kind: 'token'; readonly text: string; readonly token: number }
  | {
      readonly kind: 'row' | 'key' | 'value';
      readonly text: string;
      readonly step: string;
      readonly index: readonly number[];
    };

/** Maximum number of results of each kind. */
const maxResults = 50;

/** A step's name with its symbol, unless the name ends with it. */
const named = ({ words, symbol }: Step): string =>
  words.name.endsWith(` ${symbol}`) ? words.name : `${words.name} (${symbol})`;

/** Steps whose name, symbol or id contains the query. Equal names come first, then those that begin with it. */
export function stepsFor({ steps }: Plan, query: string): readonly Found[] {
  const wanted = plain(query);
  const names = ({ id, symbol, words }: Step): readonly string[] => [words.name, symbol, id].map(plain);
  const rank = (step: Step): number =>
    names(step).some((name) => name === wanted) ? 0 : names(step).some((name) => name.startsWith(wanted)) ? 1 : 2;
  const found = steps.filter((step) => names(step).some((name) => name.includes(wanted)));
  return [...found]
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxResults)
    .map((step) => ({ kind: 'step', step: step.id, text: named(step) }));
}

const plain = (text: string): string => text.toLowerCase().replaceAll('_', '').trim();

/** The token at a position: `#57`. If labels include positions (`57 the`, `the (57)`), the label or the bare number finds it too. */
export function placeIn({ tokens }: Plan, query: string): readonly (Found & { readonly kind: 'token' })[] {
  const [, sure, number, after, before, last] = /^(?:#(\d+)|(\d+)(?: (.*))?|(.*) \((\d+)\))$/.exec(query.trim()) ?? [];
  const place = Number(sure ?? number ?? last);
  const text = tokens[place]?.text;
  const name = after ?? before;
  const isMeant = sure !== undefined || (saysPlaces(tokens) && (name === undefined || name === text));
  return text !== undefined && isMeant ? [tokenAt(text, place)] : [];
}

/** Tokens that contain the query, equal ones first, except the token that `placeIn` finds. */
export function tokensFor(plan: Plan, query: string): readonly Found[] {
  const wanted = query.trim().toLowerCase();
  const placed = placeIn(plan, query)[0]?.token;
  const found = plan.tokens.flatMap(({ text }, token) =>
    token !== placed && text.toLowerCase().includes(wanted) ? [{ text, token }] : [],
  );
  const isIt = ({ text }: { readonly text: string }): number => (text.toLowerCase() === wanted ? 0 : 1);
  return found
    .sort((a, b) => isIt(a) - isIt(b) || a.token - b.token)
    .slice(0, maxResults)
    .map(({ text, token }) => tokenAt(text, token));
}

const tokenAt = (text: string, token: number): Found & { readonly kind: 'token' } => ({
  kind: 'token',
  token,
  text: t('token {0}: {1}', token, text),
});

/** How many keys are listed for a row of weights. */
const maxKeys = 10;

/** The keys with the largest weights in a row; ties in their own order. Excludes hidden keys and NaN. */
export async function strongestKeys(
  trace: Readable,
  step: Step,
  lead: readonly number[],
  row: number,
): Promise<readonly Found[]> {
  const { max, nan, masked } = await trace.read(step.id, { ...sliceRequest(lead), rows: [row, row + 1] });
  const open = max.map((weight, i) => (nan[i] || masked[i] ? NaN : weight));
  return largestAt(open, maxKeys).map((column) => ({
    kind: 'key',
    step: step.id,
    index: [...lead, row, column],
    text: t(
      '{0}: row {1} attends to {2}',
      brief(open[column] as number, 6),
      labelAt(step.rowLabels, row),
      labelAt(step.columnLabels, column),
    ),
  }));
}

/** The rows of weights with the highest and the lowest entropy, each at its largest weight. */
export async function extremesFor(
  trace: Pick<TraceHandle, 'read' | 'spec' | 'plan' | 'extremeRows'>,
  step: Step,
  lead: readonly number[],
): Promise<readonly Found[]> {
  const rows = await trace.extremeRows(step.id, sliceRequest(lead));
  if (!rows) return [];
  const found = ({ row }: RowEntropy, text: string): Promise<Found> =>
    strongestKeys(trace, step, lead, row).then(([key]) => ({
      kind: 'row',
      step: step.id,
      index: key?.kind === 'key' ? key.index : [...lead, row, 0],
      text,
    }));
  const named = ({ row, entropy }: RowEntropy): [string, string] => [labelAt(step.rowLabels, row), brief(entropy, 6)];
  return Promise.all([
    found(rows.highest, t('most spread out: row {0}, entropy {1}', ...named(rows.highest))),
    found(rows.lowest, t('least spread out: row {0}, entropy {1}', ...named(rows.lowest))),
  ]);
}

/** The cells of a matrix, or of some of its rows, whose values are nearest to a number: nearest first, ties in reading order. NaN matches NaN. */
export async function valuesFor(
  trace: Readable,
  step: Step,
  lead: readonly number[],
  wanted: number,
  { turned, rows }: { readonly turned: boolean; readonly rows?: readonly [number, number] | undefined },
): Promise<readonly Found[]> {
  const columns = step.shape.at(-1) ?? 1;
  const nearest: { readonly far: number; readonly at: number; readonly value: number }[] = [];
  const take = (row: number, values: Float64Array): void =>
    values.forEach((value, i) => {
      const far = distance(value, wanted);
      if (Number.isNaN(far) || (nearest.length === maxResults && far >= (nearest.at(-1)?.far ?? Infinity))) return;
      let place = nearest.length;
      while (place > 0 && (nearest[place - 1]?.far ?? 0) > far) place--;
      nearest.splice(place, 0, { far, at: row * columns + i, value });
      if (nearest.length > maxResults) nearest.pop();
    });
  await eachRowChunk(trace, step, lead, take, rows);
  return nearest.map(({ at, value }) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    const names = [labelAt(step.rowLabels, row), labelAt(step.columnLabels, column)];
    if (turned) names.reverse();
    const place = t('row {0}, column {1}', names[0], names[1]);
    return { kind: 'value', step: step.id, index: [...lead, row, column], text: `${brief(value, 6)}: ${place}` };
  });
}

const distance = (value: number, wanted: number): number =>
  value === wanted || (Number.isNaN(value) && Number.isNaN(wanted)) ? 0 : Math.abs(value - wanted);

/** Most cells of a matrix that are searched for a number: about a second. */
const maxSearchedCells = 1 << 24;

/** If a matrix has too many cells to be searched: the row that is searched instead, and a note that says so. */
export function searchedOf(
  step: Step,
  row: number,
): { readonly rows: readonly [number, number]; readonly note: string } | undefined {
  const [height, width] = [step.shape.at(-2) ?? 1, step.shape.at(-1) ?? 1];
  if (height * width <= maxSearchedCells) return undefined;
  const at = Math.min(row, height - 1);
  const note = t(
    'numbers of row {0} only: {1}×{2} are too many to look through',
    labelAt(step.rowLabels, at),
    height,
    width,
  );
  return { rows: [at, at + 1], note };
}

/** The query as a number, or undefined if it is none. */
export function numberIn(query: string): number | undefined {
  const read = readNumber(query);
  return read.ok ? read.value : undefined;
}
