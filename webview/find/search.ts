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
  /** What was not looked through, where something was not. */
  readonly note?: string;
}

/** A token by its place, numbers in the matrix that is looked at, then steps and tokens of that name. */
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

/** The rows of the weights that are most and least spread out: all of them have to be looked through. */
export async function extremes(session: Session): Promise<readonly Found[]> {
  const weights = weightsOf(session);
  return weights ? extremesFor(weights.trace, weights.step, weights.lead) : [];
}

/** Shows what was found. */
export function visitPlace(session: Session, found: Found): void {
  if (found.kind === 'step') return goTo(session, found.step);
  if (found.kind === 'token') return selectToken(session, found.token);
  const [row = 0, column = 0] = found.index.slice(-2);
  select(session, found.step, [row, column], found.index.slice(0, -2));
}

/** Before anything is typed: the keys that the selected row looks at most. */
async function suggestions(session: Session): Promise<readonly Found[]> {
  const weights = weightsOf(session);
  if (!weights) return [];
  const { trace, step, lead } = weights;
  const row = Math.min(selectedToken(session) ?? session.state.cell?.[0] ?? 0, (step.shape.at(-2) ?? 1) - 1);
  return strongestKeys(trace, step, lead, row);
}

/** The weights that nobody is still to predict, and which matrix of them is looked at. */
function weightsOf({ shown, state }: Session): { trace: TraceHandle; step: Step; lead: readonly number[] } | undefined {
  const trace = shown?.trace;
  const step = trace?.plan.steps.find(({ call }) => call.op === 'softmax');
  if (!trace || trace.preview || !step || isHidden(state.reading, trace, step)) return undefined;
  return { trace, step, lead: leadingIndex(trace, step, state.slice) };
}

/** Cells nearest to a number in the matrix that is looked at; of one that is too large in the selected row alone. */
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
