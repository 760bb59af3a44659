import {
  fail,
  ok,
  figureDigits,
  showNumber,
  type Answer,
  type Question,
  type Result,
  type SpecNumber,
  type Step,
  type StudentResponse,
} from '../../../engine/index';
import { h, setAttribute, setText } from '../../draw';
import { fullIndex, headsOf, matrixTable } from '../table';
import { words } from '../words';
import type { Asking, Control } from './control';
import { numberIn } from './number';
import { stepOf } from '../../trace';

type Blanked = Extract<Answer, { readonly kind: 'matrix' }>;
type Asked = Extract<Question, { readonly kind: 'matrix' }>;

/** A step's matrix with input fields for the cells that are asked for. The other cells show their values. */
export function createMatrix(asking: Asking<Asked, Blanked>): Control {
  const { question, answer, trace } = asking;
  const step = stepOf(trace.plan, question.step);
  if (!step) throw new Error(`no step ${question.step}`);
  const inputs = fieldsOf(asking, step);
  const { elements, redraw } = givenTables(asking, step, inputs);
  const note = h('p', { class: 'tolerance' }, words.tolerance(answer.digits, String(Number(answer.tolerance.toPrecision(6)))));
  return {
    element: h('div', { class: 'matrices' }, ...elements, note),
    read: () => readFields(inputs),
    write(response: StudentResponse) {
      if (!Array.isArray(response)) return;
      inputs.forEach((input, i) => (input.value = response[i] === null ? '' : String(response[i] ?? '')));
    },
    mark: (wrong) => inputs.forEach((input, i) => setAttribute(input, 'aria-invalid', wrong.includes(i) ? 'true' : undefined)),
    close(shown) {
      inputs.forEach((input, i) => {
        input.readOnly = true;
        const cell = shown?.kind === 'matrix' ? shown.cells[i] : undefined;
        if (!cell) return;
        input.value = showNumber(cell.value, answer.digits);
        input.removeAttribute('aria-invalid');
      });
    },
    redraw,
  };
} // prettier-ignore

/** One field for each cell that is asked for, in the order of the answer. */
const fieldsOf = ({ answer, name, changed }: Asking<Asked, Blanked>, step: Step): HTMLInputElement[] =>
  answer.cells.map(({ index }, i) => {
    const label = cellLabel(step, index);
    const input = h('input', { type: 'text', id: `${name}-${i}`, 'aria-label': label, autocomplete: 'off', size: 6, spellcheck: 'false' });
    input.addEventListener('input', changed);
    return input;
  }); // prettier-ignore

interface Given {
  readonly elements: readonly HTMLElement[];
  /** Updates values and colours. A cell that another open question asks for shows "?" until that is answered. */
  redraw(): void;
}

/** One table for each head with a cell that is asked for: fields for these cells, values in the others. */
function givenTables({ answer, trace, asked }: Asking<Asked, Blanked>, step: Step, inputs: readonly HTMLInputElement[]): Given {
  const place = (index: readonly number[]): number => answer.cells.findIndex((c) => c.index.join() === index.join());
  const wanted = answer.cells.map(({ index }) => [index.at(-2) ?? 0, index.at(-1) ?? 0] as const);
  const heads = [...new Set(answer.cells.map(({ index }) => index.at(-3) ?? 0))].filter((head) => head < headsOf(step));
  const given: { readonly node: HTMLElement; readonly index: readonly number[] }[] = [];
  const tables = heads.map((head) =>
    matrixTable({
      step, trace, head, wanted,
      isHidden: (row, column) => asked()(step.id, fullIndex(step, head, row, column)),
      cell(row, column) {
        const index = fullIndex(step, head, row, column);
        const input = inputs[place(index)];
        if (input) return { content: input, class: 'blank' };
        const value = trace.value(step.id, index);
        const content = h('span', {});
        given.push({ node: content, index });
        return { content, value };
      },
    }),
  );
  const redraw = (): void => {
    const isAsked = asked();
    for (const { node, index } of given)
      setText(node, isAsked(step.id, index) ? '?' : showNumber(trace.value(step.id, index), Math.max(answer.digits, figureDigits)));
    for (const table of tables) table.recolour();
  };
  redraw();
  return { elements: tables.map(({ element }) => element), redraw };
} // prettier-ignore

/** Null where a field is empty. A Problem if a field is not a number or all are empty. */
function readFields(inputs: readonly HTMLInputElement[]): Result<StudentResponse> {
  const cells = inputs.map(({ value }) => numberIn(value));
  const bad = cells.findIndex((c) => !c.ok && c.problems[0]?.code === 'value');
  const unread = cells[bad];
  if (unread && !unread.ok) return unread;
  const given = cells.map((c): SpecNumber | null => (c.ok ? c.value : null));
  return given.every((x) => x === null) ? fail({ code: 'blank', message: words.nothing }) : ok(given);
}

/** A cell's place in words: matrix, head, row and column. */
export function cellLabel(
  step: { readonly symbol: string; readonly shape: readonly number[]; readonly rowLabels: readonly string[]; readonly columnLabels: readonly string[] },
  index: readonly number[],
): string {
  const [row = 0, column = 0] = index.slice(-2);
  const head = (step.shape.at(-3) ?? 1) > 1 ? index.at(-3) : undefined;
  return words.cell(step.symbol, withName(step.rowLabels, row), withName(step.columnLabels, column), head);
} // prettier-ignore

/** The number of a row or a column, with its name if it has another. */
export const withName = (names: readonly string[], i: number): string =>
  names[i] === undefined || names[i] === String(i) ? String(i) : `${i} “${names[i]}”`;
