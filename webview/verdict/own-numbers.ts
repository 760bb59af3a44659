import { decodeNumber, t, traceOf, type CheckVerdict, type Slice, type Step } from '../../engine/index';
import { h, setText, watchedWidth } from '../draw';
import { createSequenceView, type StepView } from '../product';
import { leadingIndex, oriented, sliceRequest, type Cell, type TraceHandle } from '../trace';

export interface OwnNumbersModel {
  readonly checked: CheckVerdict;
  /** With tokens as rows. */
  readonly trace: TraceHandle;
  readonly columns: boolean;
  readonly step: Step;
  readonly slice: Slice;
  readonly cell: Cell;
  readonly digits: number;
}

/** The reader's result, the step's numbers and their difference, as three matrices above the step's own picture. */
export interface OwnNumbers {
  readonly element: HTMLElement;
  /** Undefined where a step has nothing to compare with. */
  update(model: OwnNumbersModel | undefined): void;
  redraw(): void;
}

export function createOwnNumbers(onSelect: (step: string, cell: Cell) => void): OwnNumbers {
  const title = h('h2', { class: 'own-title' });
  const count = h('p', { class: 'own-count', role: 'status' });
  const box = h('div', { class: 'own-picture' });
  const element = h(
    'section',
    { class: 'own-numbers', 'aria-label': t('Your result beside the step') },
    title,
    count,
    box,
  );
  let [model, view, key]: [OwnNumbersModel | undefined, StepView | undefined, readonly unknown[]] = [undefined, undefined, []]; // prettier-ignore
  const clear = (): void => {
    view?.destroy();
    [view, key] = [undefined, []];
  };
  const draw = (): void => {
    if (!model || width() === 0) return;
    const { trace, columns, step, slice, digits, checked, cell } = model;
    const next = [trace, columns, step.id, slice.batch, slice.head, digits, checked, width()];
    if (next.every((part, i) => part === key[i])) return view?.select(...cell);
    clear();
    key = next;
    void compare(model).then((compared) => {
      if (key !== next) return;
      setText(title, checked.right ? t('{0} of the code, beside what is right', checked.name) : t('Your {0} beside {1}', checked.name, step.words.name)); // prettier-ignore
      setText(count, t('{0} of {1} numbers agree to {2} digits after the point.', compared.agree, compared.cells, checked.digits)); // prettier-ignore
      view = drawn(compared.trace, digits, cell, width(), (at) => onSelect(step.id, at));
      box.replaceChildren(view.element);
    });
  };
  const width = watchedWidth(box, draw);
  return {
    element,
    update(next) {
      model = next;
      element.hidden = next === undefined;
      if (next) draw();
      else clear();
    },
    redraw: () => view?.redraw(),
  };
}

const drawn = (
  trace: TraceHandle,
  digits: number,
  selected: Cell,
  width: number,
  choose: (at: Cell) => void,
): StepView =>
  createSequenceView(
    trace.plan.steps,
    trace,
    { digits, width, slice: { batch: 0, head: 0 }, selected, onSelect: (_, row, column) => choose([row, column]) },
    { signs: ['−', '='], groups: [0, 0, 1] },
  );

interface Compared {
  /** A trace of three steps: the result, the step, their difference. */
  readonly trace: TraceHandle;
  readonly agree: number;
  readonly cells: number;
}

/** What rounding to the printed digits explains is no difference. */
async function compare({ checked, trace, columns, step, slice }: OwnNumbersModel): Promise<Compared> {
  const shape = [checked.rows.length, checked.rows[0]?.length ?? 0];
  const mine = Float64Array.from(checked.rows.flat(), decodeNumber);
  const right = checked.right
    ? Float64Array.from(checked.right.flat(), decodeNumber)
    : await numbersOf(trace, step, slice);
  const half = 0.5001 * Number(`1e${-checked.digits}`);
  const difference = mine.map((x, i) => {
    const by = x - (right[i] ?? NaN);
    return Object.is(x, right[i]) || x === right[i] || Math.abs(by) <= half ? 0 : by;
  });
  const steps = ownSteps(step, checked, shape);
  const values = [mine, right, difference];
  const named = new Map(steps.map(({ id }, i) => [id, { dtype: 'float64' as const, shape, data: values[i] ?? mine }]));
  const plan = { ...trace.plan, steps };
  const { read } = traceOf(trace.spec, plan, named, []);
  const whole = { ...trace, plan, read: async (id: string, request = {}) => read(id, request) };
  const agree = difference.filter((x) => x === 0).length;
  return { trace: oriented(whole, columns), agree, cells: mine.length };
}

async function numbersOf(trace: TraceHandle, step: Step, slice: Slice): Promise<Float64Array> {
  const { max, nan } = await trace.read(step.id, sliceRequest(leadingIndex(trace, step, slice)));
  return Float64Array.from(max, (x, i) => ((nan[i] ?? 0) > 0 ? NaN : x));
}

/** Steps that are drawn as single matrices, with the step's labels. */
function ownSteps(step: Step, { name, right }: CheckVerdict, shape: readonly number[]): readonly Step[] {
  const isRight = right !== undefined;
  const { hiddenBy: _, ...rest } = step;
  const one = (id: string, symbol: string, kind: Step['kind'], said: string): Step => ({
    ...rest, id, symbol, kind, shape, call: { op: 'identity' }, operands: [], words: { ...step.words, name: said },
  }); // prettier-ignore
  return [
    one('checked-mine', t('yours'), step.kind, t('{0}, yours', name)),
    one('checked-right', isRight ? '✓' : step.symbol, step.kind, isRight ? t('the right numbers') : step.words.name),
    one('checked-difference', 'Δ', 'signed', t('yours − {0}', isRight ? t('the right numbers') : step.words.name)),
  ];
}

/** Whether a step of the page is the one that the result was compared with. */
export const isComparedStep = ({ at, rows, right }: CheckVerdict, step: Step, slice: Slice): boolean =>
  at?.step === step.id &&
  // The right numbers are those of one head.
  (!right || at.head === undefined || at.head === slice.head) &&
  at.form === 'plain' &&
  String(step.shape.slice(-2)) === String([rows.length, rows[0]?.length ?? 0]);
