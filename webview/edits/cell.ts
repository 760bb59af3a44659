import type { Problem } from '../../engine/index';
import { createCallout, type Callout, type Target } from './callout';
import { setAttribute } from '../draw';
import type { Cell } from '../trace';

/** What the cell editor needs in order to edit cells. It shows the returned problems at the cell. */
export interface CellWriting {
  /** The step whose cells Enter edits. In other matrices Enter selects their step. */
  readonly current: () => string | undefined;
  readonly refusal: (step: string) => Problem | undefined;
  /** Binds the cell now and returns a function that writes a text into it, even if another cell is selected by then. */
  readonly writer: (step: string, cell: Cell) => (text: string) => readonly Problem[];
  readonly paste: (step: string, cell: Cell, text: string) => readonly Problem[];
  /** Accessible name of a cell: `W_q, row 3, column 2`. */
  readonly name: (step: string, cell: Cell) => string;
}

/** The characters that start editing. `+` and `=` are not among them: they zoom. */
const beginsNumber = /^[\d.,\-−∞in]$/;

/**
 * A small input field over a cell of `box`. Enter, F2, a double click or the first character of a number opens it; Enter and Tab write the value,
 * Escape cancels. Problems with the text, or why the cell cannot be edited, are shown below it.
 */
export function createCellEditor(box: HTMLElement, writing: CellWriting): HTMLElement {
  const callout = createCallout(box);
  const open = fieldIn(callout, writing);
  box.addEventListener(
    'keydown',
    (event) => {
      const at = targetOf(event.target);
      if (callout.isTelling()) callout.hide(false);
      const opening = at && opensWith(event, at, writing);
      if (!at || !opening) return;
      event.preventDefault();
      event.stopPropagation();
      open(at, opening);
    },
    true,
  );
  box.addEventListener('dblclick', () => {
    const at = targetOf(document.activeElement);
    if (at?.step === writing.current() && at) open(at, openingWithValue(at.node));
  });
  document.addEventListener('paste', (event) => {
    const at = box.contains(document.activeElement) ? targetOf(document.activeElement) : undefined;
    const text = event.clipboardData?.getData('text/plain');
    if (!at || text === undefined) return;
    event.preventDefault();
    const refused = writing.refusal(at.step);
    const problems = refused ? [refused] : writing.paste(at.step, at.cell, text);
    if (problems.length) callout.showProblems(at, problems);
  });
  document.addEventListener('pointerdown', ({ target: on }) => {
    if (callout.isTelling() && !(on instanceof Node && callout.element.contains(on))) callout.hide(false);
  });
  return callout.element;
}

/** The field's initial text: the cell's value, or a typed character that replaces it. */
interface Opening {
  readonly text: string;
  readonly typed: boolean;
}

/** Handles the field's keys and loss of focus. Returns a function that opens it. */
function fieldIn(callout: Callout, writing: CellWriting): (at: Target, opening: Opening) => void {
  const { input } = callout;
  /** The cell's value if the field opened with it; undefined if a typed character replaced it, which counts as a change. */
  let standing: string | undefined;
  let write: (text: string) => readonly Problem[] = () => [];
  const holdsText = (): boolean => callout.target() !== undefined && !input.hidden;
  /** Writes the text if it changed. Returns whether the field may close. */
  const commit = (): boolean => {
    if (!callout.target() || input.value === standing) return true;
    const problems = write(input.value);
    callout.say(problems);
    return problems.length === 0;
  };
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') callout.hide(true);
    else if ((event.key === 'Enter' || event.key === 'Tab') && commit()) callout.hide(true);
    else if (event.key !== 'Enter' && event.key !== 'Tab') return;
    event.preventDefault();
  });
  input.addEventListener('blur', () => {
    // A field whose text is invalid stays open with its problem.
    if (holdsText() && commit()) callout.hide(false);
  });
  return (at, { text, typed }) => {
    // While a field holds an invalid text, no other opens until that is corrected or cancelled.
    if (holdsText()) return input.focus({ preventScroll: true });
    const refused = writing.refusal(at.step);
    if (refused) return callout.showProblems(at, [refused]);
    standing = typed ? undefined : text;
    write = writing.writer(at.step, at.cell);
    callout.show(at);
    setAttribute(input, 'aria-label', writing.name(at.step, at.cell));
    input.value = text;
    callout.say([]);
    input.focus({ preventScroll: true });
    if (!typed) input.select();
  };
}

/** The cell that contains an event's target. */
function targetOf(node: EventTarget | null): Target | undefined {
  const cell = node instanceof Element ? node.closest<HTMLElement>('.heatmap-cell') : null;
  const step = cell?.closest<HTMLElement>('[data-matrix]')?.dataset['matrix'];
  if (!cell || step === undefined) return undefined;
  return { node: cell, step, cell: [Number(cell.dataset['row']), Number(cell.dataset['column'])] };
}

/** How a key opens the field, or undefined if it does not. */
function opensWith(event: KeyboardEvent, { step, node }: Target, writing: CellWriting): Opening | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === 'F2') return openingWithValue(node);
  const refused = writing.refusal(step) !== undefined;
  if (event.key === 'Enter') return step === writing.current() && !refused ? openingWithValue(node) : undefined;
  return beginsNumber.test(event.key) && !refused ? { text: event.key, typed: true } : undefined;
}

const openingWithValue = (node: HTMLElement): Opening => ({ text: valueOf(node), typed: false });

const valueOf = ({ dataset }: HTMLElement): string => (dataset['value'] ?? '').replace('Infinity', 'inf');
