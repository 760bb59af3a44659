import type { Problem } from '../../engine/index';
import { h, setAttribute, setTypeset } from '../ui';
import type { Cell } from '../walk';

/** What can be done to the cells of a picture. Problems are said at the cell. */
export interface CellWriting {
  /** The step whose own cells Enter opens; elsewhere Enter goes to the step. */
  readonly current: () => string | undefined;
  readonly refusal: (step: string) => Problem | undefined;
  readonly write: (step: string, cell: Cell, text: string) => readonly Problem[];
  readonly paste: (step: string, cell: Cell, text: string) => readonly Problem[];
  /** What a cell is called: `W_q, row 3, column 2`. */
  readonly name: (step: string, cell: Cell) => string;
}

interface Target {
  readonly node: HTMLElement;
  readonly step: string;
  readonly cell: Cell;
}

/** What begins a number. `+` and `=` go on to zoom. */
const beginsNumber = /^[\d.,\-−∞in]$/;

/**
 * A small field at a cell of `box`: Enter, F2, a double click or the first character of a number open it, Enter and Tab write, Escape
 * leaves. What is wrong with the text, or why the cell cannot be changed, is said below it.
 */
export function createCellEditor(box: HTMLElement, writing: CellWriting): HTMLElement {
  const input = h('input', { type: 'text', class: 'cell-input', spellcheck: 'false', autocomplete: 'off' });
  const problem = h('p', { class: 'cell-problem', role: 'alert', id: 'cell-problem' });
  const element = h('div', { class: 'cell-editor', hidden: true }, input, problem);
  let target: Target | undefined;
  let opened = '';
  const place = (): void => {
    if (target && !element.hidden) placeAt(element, liveNode(box, target));
  };
  const say = (problems: readonly Problem[]): void => {
    setTypeset(problem, problems.map((p) => [p.message, p.hint].filter(Boolean).join('. ')).join('\n'));
    setAttribute(input, 'aria-invalid', problems.length > 0 ? 'true' : undefined);
    setAttribute(input, 'aria-describedby', problems.length > 0 ? problem.id : undefined);
    place();
  };
  const close = (refocus: boolean): void => {
    const node = target && liveNode(box, target);
    target = undefined;
    element.hidden = true;
    say([]);
    if (refocus) node?.focus({ preventScroll: true });
  };
  const tell = (at: Target, problems: readonly Problem[]): void => {
    target = at;
    input.hidden = true;
    element.hidden = false;
    say(problems);
  };
  const open = (at: Target, text: string): void => {
    const refused = writing.refusal(at.step);
    if (refused) return tell(at, [refused]);
    target = at;
    opened = text;
    input.hidden = false;
    element.hidden = false;
    setAttribute(input, 'aria-label', writing.name(at.step, at.cell));
    input.value = text;
    say([]);
    input.focus({ preventScroll: true });
    // What stands there is replaced by typing; what was typed to open it is gone on with.
    if (text === valueOf(at.node)) input.select();
  };
  /** Whether the field may close. */
  const commit = (): boolean => {
    if (!target || input.value === opened) return input.value !== '' || opened !== '';
    const problems = writing.write(target.step, target.cell, input.value);
    say(problems);
    return problems.length === 0;
  };

  box.addEventListener(
    'keydown',
    (event) => {
      const at = targetOf(event.target);
      if (!element.hidden && input.hidden) close(false);
      const text = at && opensWith(event, at, writing);
      if (!at || text === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      open(at, text);
    },
    true,
  );
  box.addEventListener('dblclick', () => {
    const at = targetOf(document.activeElement);
    if (at?.step === writing.current() && at) open(at, valueOf(at.node));
  });
  document.addEventListener('paste', (event) => {
    const at = box.contains(document.activeElement) ? targetOf(document.activeElement) : undefined;
    const text = event.clipboardData?.getData('text/plain');
    if (!at || text === undefined) return;
    event.preventDefault();
    const refused = writing.refusal(at.step);
    const problems = refused ? [refused] : writing.paste(at.step, at.cell, text);
    if (problems.length) tell(at, problems);
  });
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') close(true);
    else if ((event.key === 'Enter' || event.key === 'Tab') && commit()) close(true);
    else if (event.key !== 'Enter' && event.key !== 'Tab') return;
    event.preventDefault();
  });
  input.addEventListener('blur', () => {
    // What cannot be read stays where it is, with its reason.
    if (target && !input.hidden && (input.value === opened || commit())) close(false);
  });
  document.addEventListener('pointerdown', ({ target: on }) => {
    if (input.hidden && !element.hidden && !(on instanceof Node && element.contains(on))) close(false);
  });
  document.addEventListener('scroll', place, true);
  window.addEventListener('resize', place);
  return element;
}

/** The cell that an event is about. */
function targetOf(node: EventTarget | null): Target | undefined {
  const cell = node instanceof Element ? node.closest<HTMLElement>('.heatmap-cell') : null;
  const step = cell?.closest<HTMLElement>('[data-matrix]')?.dataset['matrix'];
  if (!cell || step === undefined) return undefined;
  return { node: cell, step, cell: [Number(cell.dataset['row']), Number(cell.dataset['column'])] };
}

/** The text that a key opens the field with; undefined where it does something else. */
function opensWith(event: KeyboardEvent, { step, node }: Target, writing: CellWriting): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === 'F2') return valueOf(node);
  const refused = writing.refusal(step) !== undefined;
  if (event.key === 'Enter') return step === writing.current() && !refused ? valueOf(node) : undefined;
  return beginsNumber.test(event.key) && !refused ? event.key : undefined;
}

const valueOf = ({ dataset }: HTMLElement): string => (dataset['value'] ?? '').replace('Infinity', 'inf');

/** The same cell in the picture that is on the screen now. */
function liveNode(box: HTMLElement, { node, step, cell: [row, column] }: Target): HTMLElement {
  if (node.isConnected) return node;
  const cell = `[data-matrix="${step}"] [data-row="${row}"][data-column="${column}"]`;
  return box.querySelector<HTMLElement>(cell) ?? node;
}

/** Over its cell, within the window; what is said may reach to the left of the field. */
function placeAt(element: HTMLElement, node: HTMLElement): void {
  const cell = node.getBoundingClientRect();
  element.style.setProperty('--least', `${Math.max(76, Math.round(cell.width))}px`);
  element.style.setProperty('--shift', '0px');
  const said = element.lastElementChild?.getBoundingClientRect();
  const left = Math.max(4, Math.min(cell.left, window.innerWidth - 80));
  const top = Math.max(4, Math.min(cell.top, window.innerHeight - (said?.height ?? 0) - 28));
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
  element.style.setProperty('--shift', `${Math.min(0, window.innerWidth - 4 - left - (said?.width ?? 0))}px`);
}
