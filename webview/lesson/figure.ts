import {
  arithmeticOf,
  figureDigits,
  showNumber,
  wordsAt,
  type AttentionTrace,
  type LessonBlock,
  type Step,
} from '../../engine/index';
import { renderFormula } from '../formulas';
import { exactNumber, h, plain, setText, setTypeset } from '../draw';
import { columnsIn, fullIndex, headsOf, matrixTable, rowsIn, type MatrixTable } from './table';
import { words } from './words';

type IsAsked = (step: string, index: readonly number[]) => boolean;

export interface FigureOptions {
  readonly block: LessonBlock;
  readonly trace: AttentionTrace;
  /** Which cells open questions ask for at the moment. They show a question mark. */
  readonly asked: () => IsAsked;
  /** Steps whose shape an open question asks for. Shape and matrix are hidden. */
  readonly askedShapes: () => ReadonlySet<string>;
  /** The number of the question that asks for a prediction about a step, and keeps it back until it is answered. */
  readonly predictedBy: (step: string) => number | undefined;
  readonly exam: boolean;
  /** Opens the block in the explainer. Absent in a saved page, which has no explainer. */
  readonly onShow?: () => void;
}

/** A block in a lesson's page: one step at a time as a matrix, with its formula, shapes and the arithmetic of the picked cell. */
export interface Figure {
  readonly element: HTMLElement;
  /** To be called after an answer or a change of theme. */
  readonly update: () => void;
}

export function createFigure({ block, trace, asked, askedShapes, predictedBy, exam, onShow }: FigureOptions): Figure {
  const { steps } = trace.plan;
  const [first] = steps;
  if (!first) return { element: h('figure'), update: () => undefined };
  let step = steps.find(({ id }) => id === block.view.step) ?? steps.at(-1) ?? first;
  let cell = cellOf(step, block.view.cell);
  const chooser = stepChooser(steps, step, (chosen) => {
    step = chosen;
    cell = undefined;
    draw();
  });
  const formula = h('div', { class: 'formula' });
  const shapes = h('span', { class: 'shapes' });
  const matrix = h('div', { class: 'figure-matrices' });
  const about = h('p', { class: 'figure-arithmetic', role: 'status' });
  let tables: readonly MatrixTable[] = [];

  const pick = (index: readonly number[]): void => {
    cell = index;
    draw();
    matrix.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  };
  function draw(): void {
    const isAsked = asked();
    const isKept = askedShapes().has(step.id);
    renderFormula(step.formula.roles, formula, true);
    setText(shapes, isKept ? '?' : step.shapes);
    tables = isKept ? [] : tablesOf(step, trace, cell, isAsked, pick);
    matrix.replaceChildren(...tables.map(({ element }) => element));
    oneTabStop(matrix);
    const number = predictedBy(step.id);
    const kept = isKept ? (exam ? words.keptInExam : words.keptShape) : sentenceAt(step, cell, isAsked, exam);
    const instead = number === undefined ? kept : words.guessFirst(number);
    about.classList.toggle('sentence', instead !== undefined);
    setTypeset(about, instead ?? (cell ? arithmeticAt(trace, step, cell) : ''));
  }
  draw();
  matrix.addEventListener('keydown', moveFocus);
  const head = h('div', { class: 'figure-head' }, chooser, shapes, onShow && showButton(onShow));
  const element = h('figure', { class: 'block', 'data-block': block.id }, head, formula, matrix, about);
  return { element, update: draw };
}

function stepChooser(steps: readonly Step[], chosen: Step, onChoose: (step: Step) => void): HTMLElement {
  const select = h(
    'select',
    { 'aria-label': words.step },
    ...steps.map(({ id, symbol }) =>
      h('option', { value: id, selected: id === chosen.id }, plain(`${symbol} (${id})`)),
    ),
  );
  select.addEventListener('change', () => {
    const step = steps.find(({ id }) => id === select.value);
    if (step) onChoose(step);
  });
  return select;
}

function showButton(onShow: () => void): HTMLElement {
  const button = h('button', { type: 'button', class: 'quiet' }, words.show);
  button.addEventListener('click', onShow);
  return button;
}

function cellOf(step: Step, cell: readonly number[] | undefined): readonly number[] | undefined {
  if (!cell) return undefined;
  return [...step.shape.slice(cell.length).map(() => 0), ...cell];
}

const same = (a: readonly number[], b: readonly number[] | undefined): boolean => a.join() === b?.join();

/** One table per head, each showing the rows and columns around the picked cell. */
function tablesOf(
  step: Step,
  trace: AttentionTrace,
  picked: readonly number[] | undefined,
  isAsked: IsAsked,
  pick: (index: readonly number[]) => void,
): MatrixTable[] {
  const wanted = picked ? [[picked.at(-2) ?? 0, picked.at(-1) ?? 0] as const] : [];
  return Array.from({ length: headsOf(step) }, (_, head) =>
    matrixTable({
      step,
      trace,
      head,
      wanted,
      cell(row, column) {
        const index = fullIndex(step, head, row, column);
        const value = trace.value(step.id, index);
        const kept = isAsked(step.id, index);
        const text = kept ? '?' : showNumber(value, figureDigits);
        const label = kept ? words.kept : exactNumber(value);
        const button = h('button', { type: 'button', 'aria-pressed': same(index, picked) ? 'true' : 'false', title: label }, text);
        button.addEventListener('click', () => pick(index));
        return { content: button, ...(kept ? { class: 'asked' } : { value }) };
      },
    }),
  );
} // prettier-ignore

/** The sentence shown instead of the arithmetic, or undefined if the arithmetic is shown. */
function sentenceAt(
  step: Step,
  cell: readonly number[] | undefined,
  isAsked: IsAsked,
  exam: boolean,
): string | undefined {
  if (rowsIn(step) * columnsIn(step) === 0) return '';
  if (!cell) return words.pickForArithmetic;
  return isAsked(step.id, cell) ? (exam ? words.keptInExam : words.kept) : undefined;
}

function arithmeticAt(trace: AttentionTrace, step: Step, cell: readonly number[]): string {
  const { what } = wordsAt(trace, step, cell);
  return [...arithmeticOf(trace, step.id, cell, 4), what].filter((line) => line !== '').join('\n');
}

/** One cell of a matrix is reached by Tab: the picked one, or the first. Arrow keys lead to the others. */
function oneTabStop(matrix: HTMLElement): void {
  for (const box of matrix.querySelectorAll('.matrix-scroll')) {
    const cells = [...box.querySelectorAll<HTMLElement>('td button')];
    const stop = cells.find((cell) => cell.getAttribute('aria-pressed') === 'true') ?? cells[0];
    for (const cell of cells) cell.tabIndex = cell === stop ? 0 : -1;
    // What scrolls is reached by what is in it.
    if (stop) box.removeAttribute('tabindex');
  }
}

const arrows: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function moveFocus(event: KeyboardEvent): void {
  const [down, right] = arrows[event.key] ?? [];
  const from = event.target instanceof Element ? event.target.closest('td') : null;
  const table = from?.closest('table');
  if (down === undefined || right === undefined || !from || !table || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...table.querySelectorAll('tbody tr')];
  const row = rows[rows.findIndex((one) => one.contains(from)) + down];
  const to = row?.children[[...(from.parentElement?.children ?? [])].indexOf(from) + right]?.querySelector<HTMLElement>('button');
  event.preventDefault();
  if (!to) return;
  for (const cell of table.querySelectorAll<HTMLElement>('td button')) cell.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
} // prettier-ignore
