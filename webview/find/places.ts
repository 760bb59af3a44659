import { t, type Plan, type Step } from '../../engine/index';
import { eachStripe, type Readable } from '../compare/steps';
import { readNumber } from '../edits/text';
import { brief } from '../numbers';

/** Where a search can go. */
export type Found =
  | { readonly kind: 'step'; readonly text: string; readonly step: string }
  | { readonly kind: 'token'; readonly text: string; readonly token: number }
  | { readonly kind: 'value'; readonly text: string; readonly step: string; readonly index: readonly number[] };

/** Most results of a kind. */
const most = 50;

/** Steps by name, symbol or id, best first: those that begin with the query. */
export function stepsFor({ steps }: Plan, query: string): readonly Found[] {
  const wanted = plain(query);
  const names = ({ id, symbol, words }: Step): readonly string[] => [words.name, symbol, id].map(plain);
  const rank = (step: Step): number =>
    names(step).some((name) => name === wanted) ? 0 : names(step).some((name) => name.startsWith(wanted)) ? 1 : 2;
  const found = steps.filter((step) => names(step).some((name) => name.includes(wanted)));
  return [...found]
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, most)
    .map((step) => ({ kind: 'step', step: step.id, text: `${step.words.name} (${step.symbol})` }));
}

const plain = (text: string): string => text.toLowerCase().replaceAll('_', '').trim();

/** Tokens that hold the query, those that are it first. */
export function tokensFor({ tokens }: Plan, query: string): readonly Found[] {
  const wanted = query.trim().toLowerCase();
  const found = tokens.flatMap(({ text }, token) => (text.toLowerCase().includes(wanted) ? [{ text, token }] : []));
  const isIt = ({ text }: { readonly text: string }): number => (text.toLowerCase() === wanted ? 0 : 1);
  return found
    .sort((a, b) => isIt(a) - isIt(b) || a.token - b.token)
    .slice(0, most)
    .map(({ text, token }) => ({ kind: 'token', token, text: t('token {0}: {1}', token, text) }));
}

/** The cells of one matrix whose values are nearest to a number, nearest first, equals in reading order; NaN finds NaN. */
export async function valuesFor(
  trace: Readable,
  step: Step,
  lead: readonly number[],
  wanted: number,
  turned: boolean,
): Promise<readonly Found[]> {
  const columns = step.shape.at(-1) ?? 1;
  const nearest: { readonly far: number; readonly at: number; readonly value: number }[] = [];
  await eachStripe(trace, step, lead, (row, values) => {
    values.forEach((value, i) => {
      const far = distance(value, wanted);
      if (Number.isNaN(far) || (nearest.length === most && far >= (nearest.at(-1)?.far ?? Infinity))) return;
      let place = nearest.length;
      while (place > 0 && (nearest[place - 1]?.far ?? 0) > far) place--;
      nearest.splice(place, 0, { far, at: row * columns + i, value });
      if (nearest.length > most) nearest.pop();
    });
  });
  return nearest.map(({ at, value }) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    const names = [step.rowLabels[row] ?? row, step.columnLabels[column] ?? column];
    if (turned) names.reverse();
    const place = t('row {0}, column {1}', names[0], names[1]);
    return { kind: 'value', step: step.id, index: [...lead, row, column], text: `${brief(value, 6)}: ${place}` };
  });
}

const distance = (value: number, wanted: number): number =>
  value === wanted || (Number.isNaN(value) && Number.isNaN(wanted)) ? 0 : Math.abs(value - wanted);

/** The number that a query is, if it is one. */
export function numberIn(query: string): number | undefined {
  const read = readNumber(query);
  return read.ok ? read.value : undefined;
}
