import { isTransposedInColumns, type Step } from '../../engine/index';
import {
  extremesFor,
  numberIn,
  placeIn,
  searchedOf,
  stepsFor,
  strongestKeys,
  tokensFor,
  valuesFor,
  type Found,
} from './places';
import { currentStep, goTo, select, selectedToken, selectToken, type Session } from '../session';
import { isHidden } from '../predict';
import { leadingIndex, type TraceHandle } from '../trace';

export interface Searched {
  readonly found: readonly Found[];
  /** Says what was not searched, if anything. */
  readonly note?: string;
}

/** All results of a query: a token by its position, cells of the current matrix by value, then steps and tokens by name. */
export async function searchFor(session: Session, query: string): Promise<Searched> {
  const { shown } = session;
  if (!shown) return { found: [] };
  if (query.trim() === '') return { found: await suggestions(session) };
  const { plan } = shown.trace;
  const number = numberIn(query);
  const numbers = number === undefined ? { found: [] } : await numbersFor(session, shown.trace, number);
  return {
    ...numbers,
    found: [...placeIn(plan, query), ...numbers.found, ...stepsFor(plan, query), ...tokensFor(plan, query)],
  };
}

/** The rows of weights with the highest and the lowest entropy. All rows have to be computed for this. */
export async function extremes(session: Session): Promise<readonly Found[]> {
  const weights = weightsOf(session);
  return weights ? extremesFor(weights.trace, weights.step, weights.lead) : [];
}

/** Shows the place of a result. */
export function visitPlace(session: Session, found: Found): void {
  if (found.kind === 'step') return goTo(session, found.step);
  if (found.kind === 'token') return selectToken(session, found.token);
  const [row = 0, column = 0] = found.index.slice(-2);
  select(session, found.step, [row, column], found.index.slice(0, -2));
}

/** Results for an empty query: the keys with the largest weights in the selected row. */
async function suggestions(session: Session): Promise<readonly Found[]> {
  const weights = weightsOf(session);
  if (!weights) return [];
  const { trace, step, lead } = weights;
  const row = Math.min(selectedToken(session) ?? session.state.cell?.[0] ?? 0, (step.shape.at(-2) ?? 1) - 1);
  return strongestKeys(trace, step, lead, row);
}

/** The weights and their current slice, unless they are hidden, to be predicted. */
function weightsOf({ shown, state }: Session): { trace: TraceHandle; step: Step; lead: readonly number[] } | undefined {
  const trace = shown?.trace;
  const step = trace?.plan.steps.find(({ call }) => call.op === 'softmax');
  if (!trace || trace.preview || !step || isHidden(state.reading, trace, step)) return undefined;
  return { trace, step, lead: leadingIndex(trace, step, state.slice) };
}

/** The cells nearest to a number in the current matrix; if it is too large, in the selected row only. */
async function numbersFor(session: Session, trace: TraceHandle, number: number): Promise<Searched> {
  const { state } = session;
  const step = currentStep(trace.plan, state.step);
  if (trace.preview || isHidden(state.reading, trace, step)) return { found: [] };
  const turned = state.reading.columns && isTransposedInColumns(step);
  const part = searchedOf(step, state.cell?.[0] ?? 0);
  const where = { turned, rows: part?.rows };
  const found = await valuesFor(trace, step, leadingIndex(trace, step, state.slice), number, where);
  return part ? { found, note: part.note } : { found };
}
