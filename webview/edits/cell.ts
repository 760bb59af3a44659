import type { Problem } from '../../engine/index';
import { createCallout, type Callout, type Target } from './callout';
import { setAttribute } from '../draw';
import type { Cell } from '../trace';

/** What can be done to the cells of a picture. Problems are said at the cell. */
export interface CellWriting {
  /** The step whose own cells Enter opens; elsewhere Enter goes to the step. */
  readonly current: () => string | undefined;
  readonly refusal: (step: string) => Problem | undefined;
  /** Writes a text into the cell as it is chosen now: whatever is looked at when the text is done. */
  readonly writer: (step: string, cell: Cell) => (text: string) => readonly Problem[];
  readonly paste: (step: string, cell: Cell, text: string) => readonly Problem[];
  /** What a cell is called: `W_q, row 3, column 2`. */
  readonly name: (step: string, cell: Cell) => string;
}

/** What begins a number. `+` and `=` go on to zoom. */
const beginsNumber = /^[\d.,\-−∞in]$/;

/**
 * A small field at a cell of `box`: Enter, F2, a double click or the first character of a number open it, Enter and Tab write, Escape
 * leaves. What is wrong with the text, or why the cell cannot be changed, is said below it.
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
    if (at?.step === writing.current() && at) open(at, standingIn(at.node));
  });
  document.addEventListener('paste', (event) => {
    const at = box.contains(document.activeElement) ? targetOf(document.activeElement) : undefined;
    const text = event.clipboardData?.getData('text/plain');
    if (!at || text === undefined) return;
    event.preventDefault();
    const refused = writing.refusal(at.step);
    const problems = refused ? [refused] : writing.paste(at.step, at.cell, text);
    if (problems.length) callout.tell(at, problems);
  });
  document.addEventListener('pointerdown', ({ target: on }) => {
    if (callout.isTelling() && !(on instanceof Node && callout.element.contains(on))) callout.hide(false);
  });
  return callout.element;
}

/** What a field opens with: the cell's own text, or a character that was typed over it and is gone on with. */
interface Opening {
  readonly text: string;
  readonly typed: boolean;
}

/** The field's own keys, and what leaving it does. Gives what opens it with a text. */
function fieldIn(callout: Callout, writing: CellWriting): (at: Target, opening: Opening) => void {
  const { input } = callout;
  /** What stood in the cell, where the field opened with it; undefined where a typed character replaced it. */
  let standing: string | undefined;
  let write: (text: string) => readonly Problem[] = () => [];
  const holdsText = (): boolean => callout.target() !== undefined && !input.hidden;
  /** Whether the field may close. */
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
    // What cannot be read stays where it is, with its reason.
    if (holdsText() && commit()) callout.hide(false);
  });
  return (at, { text, typed }) => {
    // A text that could not be read waits at its cell until it is mended or given up.
    if (holdsText()) return input.focus({ preventScroll: true });
    const refused = writing.refusal(at.step);
    if (refused) return callout.tell(at, [refused]);
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

/** The cell that an event is about. */
function targetOf(node: EventTarget | null): Target | undefined {
  const cell = node instanceof Element ? node.closest<HTMLElement>('.heatmap-cell') : null;
  const step = cell?.closest<HTMLElement>('[data-matrix]')?.dataset['matrix'];
  if (!cell || step === undefined) return undefined;
  return { node: cell, step, cell: [Number(cell.dataset['row']), Number(cell.dataset['column'])] };
}

/** What a key opens the field with; undefined where it does something else. */
function opensWith(event: KeyboardEvent, { step, node }: Target, writing: CellWriting): Opening | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === 'F2') return standingIn(node);
  const refused = writing.refusal(step) !== undefined;
  if (event.key === 'Enter') return step === writing.current() && !refused ? standingIn(node) : undefined;
  return beginsNumber.test(event.key) && !refused ? { text: event.key, typed: true } : undefined;
}

const standingIn = (node: HTMLElement): Opening => ({ text: valueOf(node), typed: false });

const valueOf = ({ dataset }: HTMLElement): string => (dataset['value'] ?? '').replace('Infinity', 'inf');
