import {
  planOf,
  readSwitches,
  type AttentionSpec,
  type LinkTarget,
  type Slice,
  type TextRange,
} from '../../engine/index';
import { ask, currentStep, needsTokens } from './asking';
import { update, type Session } from './model';
import {
  atCell,
  withExplanation,
  specOf,
  stepInHistory,
  visibleControls,
  withControls,
  type AppState,
} from './app-state';
import { carryCell, clampCell, rowOfToken, sliceOf, stepOf, firstUser, type Cell } from '../trace';
import type { ControlValues } from '../choices';

/* The reader's actions: changing controls, going to steps, cells and tokens, showing their place in the source. */

/** Changes control values. While one value is refused, the others still work: the last change is then tried without the refused value. */
export function changeControls(session: Session, switches: ControlValues): void {
  const { state } = session;
  const { asked, refused } = state;
  const next = withControls(state, switches);
  if (asked && refused && !fits(next)) {
    const alone = withControls(state, { ...asked.switches, ...changed(refused.switches, switches) });
    if (fits(alone)) return ask(session, { ...alone, refused: { ...refused, switches } });
  }
  ask(session, next);
}

function fits({ asked }: AppState): boolean {
  const planned = asked && planOf(specOf(asked));
  return planned !== undefined && (planned.ok || needsTokens(planned.problems));
}

/** The values of `to` that differ from those of `from`. */
function changed(from: ControlValues, to: ControlValues): Partial<ControlValues> {
  const differs = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(from[name as keyof ControlValues]);
  return Object.fromEntries(Object.entries(to).filter(differs));
}

export const undoOrRedo = (session: Session, direction: 'undo' | 'redo'): void =>
  ask(session, stepInHistory(session.state, direction));

/** Goes to a step. The selected row and column stay where they have the same meaning there. */
export function goTo(session: Session, id: string): void {
  const { shown, state } = session;
  const plan = shown?.trace.plan;
  const to = plan && stepOf(plan, id);
  if (!to || (id === state.step && !state.reading.opening)) return;
  const cell = carryCell(stepOf(plan, state.step), to, state.cell);
  update(session, { ...withoutOpening(state), step: id, cell, scroll: 0 });
}

/** Follows a link in a sentence: to a step, and to the row or column that it names. */
export function followLink(session: Session, { step: id, row, column, lead }: LinkTarget): void {
  const { shown, state } = session;
  const plan = shown?.trace.plan;
  const to = plan && stepOf(plan, id);
  if (!to) return;
  if (row === undefined && column === undefined) return goTo(session, id);
  const carried = carryCell(stepOf(plan, state.step), to, state.cell);
  select(session, id, [row ?? carried[0], column ?? carried[1]], lead);
}

/** A cell of a step; `lead` says of which head and input, where the step has several. */
export function select(session: Session, id: string, cell: Cell, lead: readonly number[] = []): void {
  const { state, shown } = session;
  const step = shown && stepOf(shown.trace.plan, id);
  if (!step) return;
  const moved = id !== state.step;
  const slice = sliceOf(shown.trace, step, lead, state.slice);
  update(session, {
    ...withoutOpening(state),
    step: id,
    cell: clampCell(step, cell),
    slice,
    ...(moved || state.reading.opening ? { scroll: atCell } : {}),
  });
}

/** Shows the question of the text, or the steps in its place. */
export const showOpening = (session: Session, opening: boolean): void =>
  update(session, { ...session.state, reading: { ...session.state.reading, opening } });

const withoutOpening = (state: AppState): AppState =>
  state.reading.opening ? { ...state, reading: { ...state.reading, opening: false } } : state;

/** Another head, or another input of the batch. */
export const chooseSlice = (session: Session, slice: Slice): void => update(session, { ...session.state, slice });

/** Selects a token's row; in a step whose rows are no tokens (W_q), in the step that uses it. */
export function selectToken(session: Session, token: number): void {
  const { state, shown } = session;
  if (!shown) return;
  const { plan } = shown.trace;
  const here = currentStep(plan, state.step);
  const step = rowOfToken(plan, here, token) === undefined ? (firstUser(plan, here) ?? here) : here;
  const row = rowOfToken(plan, step, token);
  if (row !== undefined) select(session, step.id, [row, step === here ? (state.cell?.[1] ?? 0) : 0]);
}

/** The source's range of the selected token, else of everything. */
export function revealSource(session: Session): void {
  const { shown } = session;
  const source = shown?.asked.explanation.source;
  if (!shown || !source?.range) return;
  const token = shown.trace.plan.tokens[selectedToken(session) ?? -1];
  const { start = 0, end = source.range.end - source.range.start } = token ?? {};
  session.host.post({ type: 'reveal', start, end });
}

/** The token whose row is selected, where rows are tokens. */
export function selectedToken({ state, shown }: Session): number | undefined {
  if (!shown || !state.cell) return undefined;
  const { plan } = shown.trace;
  const step = currentStep(plan, state.step);
  const [row] = state.cell;
  return rowOfToken(plan, step, row) === row && step.place !== 'input' ? row : undefined;
}

export function recompute(session: Session): void {
  session.recomputing = true;
  session.host.post({ type: 'recompute' });
}

/** The fields of the spec as the source says them. */
/** Turns to what stands beside the explanation, such as standard attention beside a program's, or back. */
export function turnBeside(session: Session): void {
  const { asked } = session.state;
  if (!asked) return;
  const { beside, turnedFrom, source } = asked.explanation;
  const next = turnedFrom ?? (beside && { spec: beside.spec, notes: beside.notes, source, turnedFrom: asked.explanation }); // prettier-ignore
  if (next) ask(session, withExplanation(session.state, next));
}

export function followSource(session: Session, { change }: { readonly change: Partial<AttentionSpec> }): void {
  const { asked } = session.state;
  const switches = visibleControls(session.state);
  if (switches && asked) changeControls(session, { ...switches, ...readSwitches({ ...specOf(asked), ...change }) });
}

/** A place of the source's document in its editor. */
export function showPlace({ state, host }: Session, { start, end }: TextRange): void {
  const from = state.asked?.explanation.source.range?.start;
  if (from !== undefined) host.post({ type: 'reveal', start: Math.max(0, start - from), end: Math.max(0, end - from) });
}
