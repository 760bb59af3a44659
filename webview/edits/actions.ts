import { decodeNumber, encodeNumber, offsetOf, planOf, t, type Problem, type Step } from '../../engine/index';
import { cellsOf, misvalueOf, readNumber, readPasted, refusalOf, withEdit, type Edit } from '../choices';
import { changeControls, editedOf, specOf, visibleControls, type Session } from '../session';
import type { CellWriting } from './cell';
import { leadingIndex, oriented, shownNames, stepOf, type Cell } from '../trace';

/* What changes when the reader edits cells of source matrices. */

/** Why the cells of a step cannot be edited, or undefined if they can. */
export function refusal({ shown, state }: Session, id: string): Problem | undefined {
  const step = shown && stepOf(shown.trace.plan, id);
  return step && state.asked ? refusalOf(specOf(state.asked), step) : undefined;
}

/**
 * Returns a function that writes a typed number into a cell of the current slice and returns the problems of the text. The cell stays the same even
 * if another step or slice is shown when the text is complete; for another explanation nothing is written.
 */
export function cellWriter(session: Session, id: string, cell: Cell): (text: string) => readonly Problem[] {
  const step = session.shown && stepOf(session.shown.trace.plan, id);
  const explanation = session.state.asked?.explanation;
  const index = step ? [...leadOf(session, step), ...cell] : [];
  return (text) => {
    if (!step || session.state.asked?.explanation !== explanation) return [];
    const read = readNumber(text);
    return read.ok ? write(session, step, { step: id, index, value: encodeNumber(read.value) }) : read.problems;
  };
}

/** Writes a text from the clipboard: a single number into the cell, a matrix over the whole step. */
export function paste(session: Session, id: string, cell: Cell, text: string): readonly Problem[] {
  const step = session.shown && stepOf(session.shown.trace.plan, id);
  if (!step) return [];
  if (readNumber(text).ok) return cellWriter(session, id, cell)(text);
  const rows = readPasted(text, step);
  return rows.ok ? write(session, step, { step: id, lead: leadOf(session, step), rows: rows.value }) : rows.problems;
}

const leadOf = ({ shown, state }: Session, step: Step): readonly number[] =>
  shown ? leadingIndex(shown.trace, step, state.slice) : [];

function write(session: Session, step: Step, edit: Edit): readonly Problem[] {
  const { asked } = session.state;
  const switches = visibleControls(session.state);
  const refused = refusal(session, step.id);
  if (!asked || !switches || refused) return refused ? [refused] : [];
  const wrong = cellsOf(edit).map(({ value }) => misvalueOf(step, decodeNumber(value)));
  const first = wrong.find((problem) => problem !== undefined);
  if (first) return [first];
  const next = { ...switches, edits: withEdit(switches.edits, edit, wasOf(session, step, edit)) };
  const planned = planOf(specOf({ ...asked, switches: { ...asked.switches, edits: next.edits } }));
  if (!planned.ok) return planned.problems;
  changeControls(session, next);
  return [];
}

/** The cell's value before its first edit. */
function wasOf({ shown, state }: Session, step: Step, edit: Edit): number | undefined {
  if (!shown || !state.asked || !('index' in edit)) return undefined;
  return editedOf(state.asked).was.get(step.id)?.get(offsetOf(step.shape, edit.index));
}

/** Removes all edits. Undo restores them. */
export function dropEdits(session: Session): void {
  const switches = visibleControls(session.state);
  if (switches) changeControls(session, { ...switches, edits: [] });
}

/** The editing functions that the stage's cell editor needs. */
export const writingOf = (session: Session): Omit<CellWriting, 'current'> => ({
  refusal: (id) => refusal(session, id),
  writer: (id, cell) => cellWriter(session, id, cell),
  paste: (id, cell, text) => paste(session, id, cell, text),
  name(id, cell) {
    const plan = session.shown && oriented(session.shown.trace, session.state.reading.columns).plan;
    const step = plan && stepOf(plan, id);
    return step ? t('{0}, row {1}, column {2}', step.symbol, ...shownNames(plan, step, cell)) : id;
  },
});
