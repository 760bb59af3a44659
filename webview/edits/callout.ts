import type { Problem } from '../../engine/index';
import { h, setAttribute, setTypeset } from '../draw';
import type { Cell } from '../trace';

/** A cell in a picture: its element, step and position. */
export interface Target {
  readonly node: HTMLElement;
  readonly step: string;
  readonly cell: Cell;
}

/** An input field over a cell with a message below it, or only the message. */
export interface Callout {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  /** The cell at which it is shown, or undefined while it is hidden. */
  target(): Target | undefined;
  /** Shows the input field at a cell. */
  show(at: Target): void;
  /** Shows only a message at a cell. */
  showProblems(at: Target, problems: readonly Problem[]): void;
  isTelling(): boolean;
  say(problems: readonly Problem[]): void;
  /** `refocus` returns the focus to the cell. */
  hide(refocus: boolean): void;
}

/** Creates the callout. It follows its cell when `box` is scrolled or redrawn. */
export function createCallout(box: HTMLElement): Callout {
  const input = h('input', { type: 'text', class: 'cell-input', spellcheck: 'false', autocomplete: 'off' });
  const problem = h('p', { class: 'cell-problem', role: 'alert', id: 'cell-problem' });
  const element = h('div', { class: 'cell-editor', hidden: true }, input, problem);
  let target: Target | undefined;
  const place = (): void => {
    const node = target && !element.hidden ? currentNode(box, target) : undefined;
    // If its cell is not in the page, the callout stays where it was, so that its text is not lost.
    if (node?.isConnected) placeAt(element, node);
  };
  const say = (problems: readonly Problem[]): void => {
    setTypeset(problem, problems.map((p) => [p.message, p.hint].filter(Boolean).join('. ')).join('\n'));
    setAttribute(input, 'aria-invalid', problems.length > 0 ? 'true' : undefined);
    setAttribute(input, 'aria-describedby', problems.length > 0 ? problem.id : undefined);
    place();
  };
  const appear = (at: Target, withField: boolean): void => {
    target = at;
    input.hidden = !withField;
    element.hidden = false;
  };
  const showProblems = (at: Target, problems: readonly Problem[]): void => {
    appear(at, false);
    say(problems);
  };
  const hide = (refocus: boolean): void => {
    const node = target && currentNode(box, target);
    target = undefined;
    element.hidden = true;
    say([]);
    if (refocus) node?.focus({ preventScroll: true });
  };
  document.addEventListener('scroll', place, true);
  window.addEventListener('resize', place);
  const isTelling = (): boolean => !element.hidden && Boolean(input.hidden);
  return { element, input, say, showProblems, hide, isTelling, target: () => target, show: (at) => appear(at, true) };
}

/** The element that shows the target's cell now; the old one may have been redrawn. */
function currentNode(box: HTMLElement, { node, step, cell: [row, column] }: Target): HTMLElement {
  if (node.isConnected) return node;
  const cell = `[data-matrix="${step}"] [data-row="${row}"][data-column="${column}"]`;
  return box.querySelector<HTMLElement>(cell) ?? node;
}

/** Places the callout over its cell, within the window. The message may extend to the left of the field. */
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
