import type { PageAction } from '../protocol';
import { read } from './reading';
import { currentStep, goTo, undoOrRedo, update, type Session } from '../session';
import { neighbour } from '../trace';

/** Elements that handle arrow keys themselves. */
const ownsArrows =
  '[role=grid], [role=toolbar], [role=combobox], [role=slider], input, vscode-text-field, vscode-dropdown';
const typesText = 'input, textarea, vscode-text-field';

/** Performs an action of the command palette or of a key. */
export function performAction(session: Session, action: PageAction, find: () => void): void {
  if (!session.shown) return;
  if (action === 'find') return find();
  if (action === 'turn') return read(session, { columns: !session.state.reading.columns });
  step(session, action === 'nextStep' ? 1 : -1);
}

/**
 * Undo and redo, steps by arrows and brackets, T for rows or columns, Escape for the controls (then the keyboard goes to `onClosed`) and for a motion,
 * wherever the focus is.
 */
export function addKeys(session: Session, onClosed: () => void, closeMotion: () => boolean): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return;
    const done =
      historyKey(session, event) ||
      stepKey(session, event) ||
      orientationKey(session, event) ||
      escapeKey(session, onClosed, event) ||
      (event.key === 'Escape' && closeMotion());
    if (done) event.preventDefault();
  });
}

const isIn = ({ target }: KeyboardEvent, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

function historyKey(session: Session, event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || isIn(event, typesText)) return false;
  if (key !== 'z' && key !== 'y') return false;
  undoOrRedo(session, key === 'y' || event.shiftKey ? 'redo' : 'undo');
  return true;
}

function stepKey(session: Session, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || !session.shown) return false;
  const bracket = { '[': -1, ']': 1 }[event.key];
  const arrow = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const by = (bracket && !isIn(event, typesText) ? bracket : 0) || (arrow && !isIn(event, ownsArrows) ? arrow : 0);
  if (!by) return false;
  step(session, by < 0 ? -1 : 1);
  return true;
}

function step(session: Session, by: -1 | 1): void {
  const plan = session.shown?.trace.plan;
  const to = plan && neighbour(plan, currentStep(plan, session.state.step), by);
  if (to) goTo(session, to.id);
}

/** T transposes the display: tokens as rows or as columns. */
function orientationKey(session: Session, event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key.toLowerCase() !== 't' || ctrlKey || metaKey || altKey || !session.shown) return false;
  if (isIn(event, `${typesText}, [role=combobox], [role=menu], vscode-dropdown`)) return false;
  performAction(session, 'turn', () => undefined);
  return true;
}

function escapeKey(session: Session, onClosed: () => void, event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || !session.state.controlsOpen || isIn(event, 'vscode-dropdown[open]')) return false;
  update(session, { ...session.state, controlsOpen: false });
  onClosed();
  return true;
}
