import {
  decodeNumber,
  fail,
  ok,
  showNumber,
  type Answer,
  type Question,
  type SpecNumber,
  type Step,
} from '../../../engine/index';
import { h, setAttribute, setTypeset } from '../../draw';
import { fullIndex, headsOf, matrixTable, rowsIn, type MatrixTable } from '../table';
import { words } from '../words';
import type { Asking, Control } from './control';
import { cellLabel, withName } from './matrix';
import { stepOf } from '../../trace';

type Picked = Extract<Answer, { readonly kind: 'pick-cell' }>;
type Asked = Extract<Question, { readonly kind: 'pick-cell' }>;

/**
 * A matrix of buttons, of which one can be picked. It is one tab stop: arrow keys move the focus, Enter, Space or a click picks. Where the question
 * claims values they are shown; where the largest or smallest cell is to be found, values are hidden until the question is closed. Where it is searched
 * in one row or column, that is said, and the others have no buttons.
 */
export function createCell(asking: Asking<Asked, Picked>): Control {
  const { question, trace, changed } = asking;
  const step = stepOf(trace.plan, question.step);
  if (!step) throw new Error(`no step ${question.step}`);
  const toPick = words.pickACell(...partOf(question, step));
  const picked = h('p', { class: 'picked', role: 'status' }, toPick);
  let chosen: readonly number[] | undefined;
  const pick = (index: readonly number[]): void => {
    chosen = index;
    for (const [key, button] of buttons) button.setAttribute('aria-pressed', key === index.join() ? 'true' : 'false');
    const own = buttons.get(index.join());
    if (own) setTabStop(buttons, own);
    setTypeset(picked, words.picked(cellLabel(step, index)));
  };
  const { buttons, tables } = buttonTables(asking, step, (index) => {
    pick(index);
    changed();
  });
  const [first] = buttons.values();
  if (first) setTabStop(buttons, first);
  const element = h('div', { class: 'matrices picking' }, ...tables.map((t) => t.element), picked);
  element.addEventListener('keydown', (event) => moveFocus(event, buttons));
  return {
    element,
    read: () => (chosen ? ok(chosen) : fail({ code: 'blank', message: toPick })),
    write(response) {
      if (Array.isArray(response) && buttons.has(response.join())) pick(response as readonly number[]);
    },
    close(shown) {
      for (const [key, button] of buttons) {
        button.disabled = true;
        if (!('claimed' in question)) reveal(button, asking, step, key.split(',').map(Number));
      }
      if (shown?.kind === 'pick-cell') buttons.get(shown.cell.join())?.classList.add('true-cell');
    },
    redraw: () => tables.forEach((t) => t.recolour()),
  };
}

/** The names of the row and the column in which the cell is searched. */
function partOf(
  question: Asked,
  { rowLabels, columnLabels }: Step,
): [row: string | undefined, column: string | undefined] {
  if ('claimed' in question) return [undefined, undefined];
  const { row, column } = question;
  return [
    row === undefined ? undefined : withName(rowLabels, row),
    column === undefined ? undefined : withName(columnLabels, column),
  ];
}

/** The buttons by their cell's index, joined with commas. */
type Buttons = ReadonlyMap<string, HTMLButtonElement>;

interface ButtonTables {
  readonly buttons: Buttons;
  readonly tables: readonly MatrixTable[];
}

/** One table per head, with a button for each cell. */
function buttonTables({ question, trace }: Asking<Asked, Picked>, step: Step, onPick: (index: readonly number[]) => void): ButtonTables {
  const buttons = new Map<string, HTMLButtonElement>();
  const heads = question.head === undefined ? Array.from({ length: headsOf(step) }, (_, i) => i) : [question.head];
  const make = (head: number, row: number, column: number): { content: HTMLElement; value?: number; class?: string } => {
    if (!isOffered(question, row, column)) return { content: h('span', {}, '·'), class: 'outside' };
    const index = fullIndex(step, head, row, column);
    const claimed = claimedAt(question, step, heads.indexOf(head), row, column);
    const text = claimed === undefined ? '\u00a0' : asWritten(claimed);
    const button = h('button', { type: 'button', 'aria-pressed': 'false', 'aria-label': accessibleName(step, index, claimed), tabindex: -1 }, text);
    button.addEventListener('click', () => onPick(index));
    buttons.set(index.join(), button);
    return { content: button, ...(claimed === undefined ? {} : { value: claimed }) };
  };
  const wanted = [[question.kind === 'pick-cell' && 'row' in question ? (question.row ?? 0) : 0, 'column' in question ? (question.column ?? 0) : 0] as const];
  const tables = heads.map((head) =>
    matrixTable({ step, trace, head, wanted: rowsIn(step) ? wanted : [], cell: (row, column) => make(head, row, column) }));
  return { buttons, tables };
} // prettier-ignore

/** Shows the cell's value, which was hidden until the question was closed. */
function reveal(button: HTMLElement, { trace }: Asking<Asked, Picked>, step: Step, index: readonly number[]): void {
  const text = showNumber(trace.value(step.id, index), 4);
  button.textContent = text;
  setAttribute(button, 'aria-label', `${cellLabel(step, index)}: ${text}`);
}

const accessibleName = (step: Step, index: readonly number[], value: number | undefined): string =>
  `${cellLabel(step, index)}${value === undefined ? '' : `: ${asWritten(value)}`}`;

/** The claimed value with all digits of the question's text, not rounded for display. */
const asWritten = (value: number): string => (Number.isFinite(value) ? String(value).replace('-', '−') : showNumber(value, 4)); // prettier-ignore

/** The value that the question claims for a cell, or undefined if it claims none. */
function claimedAt(question: Asked, step: Step, head: number, row: number, column: number): number | undefined {
  if (!('claimed' in question)) return undefined;
  const rows = question.claimed as readonly (readonly SpecNumber[])[];
  const value = rows[head * rowsIn(step) + row]?.[column];
  return value === undefined ? undefined : decodeNumber(value);
}

const isOffered = (question: Asked, row: number, column: number): boolean =>
  'claimed' in question ||
  ((question.row === undefined || question.row === row) &&
    (question.column === undefined || question.column === column));

/** Roving tabindex: makes `one` the only button that Tab reaches. */
function setTabStop(buttons: Buttons, one: HTMLButtonElement): void {
  for (const button of buttons.values()) button.tabIndex = button === one ? 0 : -1;
}

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
}; // prettier-ignore

function moveFocus(event: KeyboardEvent, buttons: Buttons): void {
  const by = moves[event.key];
  const from = [...buttons].find(([, button]) => button === event.target)?.[0].split(',').map(Number);
  if (!by || !from) return;
  event.preventDefault();
  const [row = 0, column = 0] = from.slice(-2);
  const lead = from.slice(0, -2);
  const to = buttons.get([...lead, row + by[0], column + by[1]].join());
  if (!to) return;
  setTabStop(buttons, to);
  to.focus();
} // prettier-ignore
