import { goTo, travel } from './moves';
import { currentStep, update, type Session } from './session';
import { neighbour } from './walk';

/** Where arrow keys have a meaning of their own. */
const ownsArrows =
  '[role=grid], [role=toolbar], [role=combobox], [role=slider], input, vscode-text-field, vscode-dropdown';
const typesText = 'input, textarea, vscode-text-field';

/** Undo and redo, steps by arrows and brackets, Escape for the controls (then the keyboard goes to `onClosed`). */
export function addKeys(session: Session, onClosed: () => void): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return;
    const done = historyKey(session, event) || stepKey(session, event) || escapeKey(session, onClosed, event);
    if (done) event.preventDefault();
  });
}

const isIn = ({ target }: KeyboardEvent, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

function historyKey(session: Session, event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || isIn(event, typesText)) return false;
  if (key !== 'z' && key !== 'y') return false;
  travel(session, key === 'y' || event.shiftKey ? 'redo' : 'undo');
  return true;
}

function stepKey(session: Session, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || !session.shown) return false;
  const bracket = { '[': -1, ']': 1 }[event.key];
  const arrow = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const by = (bracket && !isIn(event, typesText) ? bracket : 0) || (arrow && !isIn(event, ownsArrows) ? arrow : 0);
  if (!by) return false;
  const { plan } = session.shown.trace;
  const to = neighbour(plan, currentStep(plan, session.state.step), by < 0 ? -1 : 1);
  if (to) goTo(session, to.id);
  return true;
}

function escapeKey(session: Session, onClosed: () => void, event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || !session.state.controlsOpen || isIn(event, 'vscode-dropdown[open]')) return false;
  update(session, { ...session.state, controlsOpen: false });
  onClosed();
  return true;
}
