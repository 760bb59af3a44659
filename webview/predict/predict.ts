import { hashSpec, t, type Step } from '../../engine/index';
import { readNumber, type Guess, type Reading } from '../choices';
import { formatFor, summarise } from '../heatmap';
import { button, formatNumber, h, scrollTo, setAttribute, setTypeset, typeset, type NumberFormat } from '../draw';
import { sliceRequest, shownNames, shownShape, type TraceHandle } from '../trace';
import { choiceForm, choiceTruth } from './choice';
import { isShapeOf, isShown, readShape } from './check';

export interface PredictModel {
  readonly trace: TraceHandle;
  readonly step: Step;
  readonly index: readonly number[];
  readonly digits: number;
  readonly reading: Reading;
}

export interface Predict {
  /** The button that turns predicting on and off. */
  readonly toggle: HTMLElement;
  /** The question, and after an answer both the guess and the value. */
  readonly element: HTMLElement;
  update(model: PredictModel): void;
}

export interface PredictActions {
  readonly onToggle: (predict: boolean) => void;
  readonly onGuess: (guess: Guess, about: string) => void;
}

const hashes = new WeakMap<TraceHandle, string>();

/** Key of guesses: the hash of the spec, so that they apply only to the values that they were made for. */
function aboutOf(trace: TraceHandle): string {
  const known = hashes.get(trace) ?? hashSpec(trace.spec);
  hashes.set(trace, known);
  return known;
}

const guessOf = (reading: Reading, trace: TraceHandle, step: Step): Guess | undefined =>
  reading.about === aboutOf(trace) ? reading.guesses.find((guess) => guess.step === step.id) : undefined;

/** Whether a step's result is hidden: a lesson asks for it, or it is to be predicted. Given and drawn matrices are not predicted. */
export const isHidden = (reading: Reading, trace: TraceHandle, step: Step): boolean =>
  isAsked(reading, step) ||
  (reading.predict && step.operands.length > 0 && !trace.preview && guessOf(reading, trace, step) === undefined);

const isAsked = ({ asked }: Reading, step: Step): boolean => asked.includes(step.id);

/** The state with one more guess. Guesses about another spec are dropped. */
export function withGuess(reading: Reading, guess: Guess, about: string): Partial<Reading> {
  const { right, of } = reading.score;
  const kept = reading.about === about ? reading.guesses.filter(({ step }) => step !== guess.step) : [];
  return { about, guesses: [...kept, guess], score: { right: right + (guess.right ? 1 : 0), of: of + 1 } };
}

/** The value of the selected cell, and the number format of its matrix. */
async function truth({ trace, step, index, digits }: Omit<PredictModel, 'reading'>): Promise<Truth> {
  const lead = sliceRequest(index.slice(0, -2));
  const summary = await summarise(step, (request) => trace.read(step.id, { ...request, ...lead }));
  const { value } = await trace.explainCell(step.id, index);
  return { value, format: formatFor(step, summary, digits) };
}

interface Truth {
  readonly value: number;
  readonly format: NumberFormat;
}

/** Asks for a number or a shape before the result is shown, and afterwards shows both. Nothing else is blocked meanwhile. */
export function createPredict(actions: PredictActions): Predict {
  const toggle = button({ label: t('Predict first'), icon: 'predict', iconOnly: true, onClick: () => flip() });
  const element = h('section', {
    class: 'predict',
    'aria-labelledby': 'predict-title',
    'aria-describedby': 'predict-facts',
    tabindex: -1,
    hidden: true,
  });
  let model: PredictModel | undefined;
  let drawn = '';
  let isAnswered = false;
  /** The form was removed: focus and screen reader continue at the result, which is read as its name. */
  const readResult = (): void => {
    if (isAnswered) element.focus({ preventScroll: true });
    isAnswered = false;
  };
  const flip = (): void => {
    actions.onToggle(!model?.reading.predict);
    // In a narrow panel the question would be below the visible area.
    scrollTo(element, 'nearest');
  };
  const answer = (guess: Guess): void => {
    if (!model) return;
    isAnswered = true;
    actions.onGuess(guess, aboutOf(model.trace));
  };
  const ask = (asked: PredictModel): readonly (HTMLElement | string)[] => {
    const choice = choiceForm(asked, answer);
    const form = askForm(asked, async (number, shape) => {
      const guess = await judged(asked, number, shape);
      if (guess) answer(guess);
    });
    return choice ? [choice, h('p', { class: 'predict-or' }, t('or')), form] : [form];
  };
  return {
    toggle,
    element,
    update(next) {
      model = next;
      const { reading, trace, step } = next;
      toggle.ariaPressed = String(reading.predict);
      toggle.toggleAttribute('data-on', reading.predict);
      const hidden = isHidden(reading, trace, step);
      const isOfLesson = isAsked(reading, step);
      setAttribute(document.body, 'data-predict', hidden);
      // If a lesson asks for an operand too, the whole picture is hidden.
      setAttribute(document.body, 'data-asked', isOfLesson && step.operands.some((id) => reading.asked.includes(id)));
      const guess = reading.predict && !isOfLesson ? guessOf(reading, trace, step) : undefined;
      element.hidden = !hidden && !guess;
      const key = [hidden, isOfLesson, step.id, aboutKey(next, guess), JSON.stringify(guess), next.digits].join('|');
      if (key === drawn) return;
      drawn = key;
      if (isOfLesson) element.replaceChildren(title(t('Asked in the lesson')), h('p', {}, askedText()));
      else if (hidden) element.replaceChildren(title(t('What will it be?')), ...ask(next), scoreOf(reading));
      else if (guess) void compare(element, next, guess, () => drawn === key).then(readResult);
      else element.replaceChildren();
    },
  };
}

/** Judges a response. Undefined if there is none. */
async function judged(
  asked: PredictModel,
  number: Entered | undefined,
  shape: readonly number[] | undefined,
): Promise<Guess | undefined> {
  const { step, index, trace } = asked;
  if (number !== undefined) {
    const { value, format } = await truth(asked);
    return { step: step.id, index, said: number.text, right: isShown(number.value, value, format) };
  }
  return shape && { step: step.id, said: shape.join('×'), right: isShapeOf(shape, shownShape(trace.plan, step)) };
}

/** The form depends on the selected cell, the result on the cell that was guessed. */
const aboutKey = ({ reading, trace, index }: PredictModel, guess: Guess | undefined): string =>
  reading.predict ? `${aboutOf(trace)} ${guess ? '' : index.join()} ${reading.columns}` : '';

const askedText = (): string =>
  t('The lesson asks for this. Answer there, or have the answer shown, and it appears here.');

const title = (text: string): HTMLElement => h('h2', { id: 'predict-title' }, ...typeset(text));

const scoreOf = ({ score: { right, of } }: Reading): HTMLElement | string =>
  of ? h('p', { class: 'predict-score' }, t('{0} of {1} right so far', right, of)) : '';

function nameOf({ step, trace }: Pick<PredictModel, 'step' | 'trace'>, index: readonly number[]): string {
  const [row = 0, column = 0] = index.slice(-2);
  return `${step.symbol}[${shownNames(trace.plan, step, [row, column]).join(', ')}]`;
}

interface Entered {
  readonly value: number;
  readonly text: string;
}
type Submit = (number: Entered | undefined, shape: readonly number[] | undefined) => Promise<void>;

function askForm(model: PredictModel, submit: Submit): HTMLElement {
  const number = field(nameOf(model, model.index));
  const shape = field(t('shape of {0}', model.step.symbol));
  const problem = h('p', { class: 'predict-problem', role: 'alert' });
  const form = h(
    'form',
    { class: 'predict-form' },
    number.row,
    h('p', { class: 'predict-or' }, t('or')),
    shape.row,
    problem,
    h('button', { class: 'predict-check' }, t('Check')),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [said, sized] = [number.input.value.trim(), shape.input.value.trim()];
    const read = said ? readNumber(said) : undefined;
    const sizes = readShape(sized);
    if (!said && !sized) setTypeset(problem, t('Enter a number or a shape.'));
    else if (read && !read.ok) setTypeset(problem, read.problems[0]?.message ?? '');
    else if (!read && !sizes) setTypeset(problem, t('expected a shape such as 6×8, found “{0}”', sized));
    else void submit(read && { value: read.value, text: said }, read ? undefined : sizes).catch(() => undefined);
  });
  return form;
}

function field(label: string): { readonly row: HTMLElement; readonly input: HTMLInputElement } {
  const input = h('input', { class: 'predict-input', autocomplete: 'off', spellcheck: 'false' });
  return { input, row: h('label', { class: 'predict-field' }, h('span', {}, ...typeset(label)), input) };
}

/** Shows the guess and the value. */
async function compare(element: HTMLElement, model: PredictModel, guess: Guess, current: () => boolean): Promise<void> {
  const { step, reading } = model;
  const [name, is] = await trueOf(model, guess);
  if (!current()) return;
  const line = (what: string, value: string): HTMLElement =>
    h('tr', {}, h('th', { scope: 'row' }, what), h('td', {}, value));
  const rows = h('tbody', {}, line(t('your guess'), guess.said), line(guess.asks ? t('right') : t('actual value'), is));
  const asked = name ?? t('shape of {0}', step.symbol);
  element.replaceChildren(
    title(guess.right ? t('Right: {0}', asked) : t('Not quite: {0}', asked)),
    h('table', { class: 'facts', id: 'predict-facts' }, rows),
    scoreOf(reading),
  );
}

async function trueOf(model: PredictModel, { index, asks }: Guess): Promise<readonly [string | undefined, string]> {
  if (asks && index) return choiceTruth({ ...model, index });
  if (!index) return [undefined, shownShape(model.trace.plan, model.step).join('×')];
  const { value, format } = await truth({ ...model, index });
  return [nameOf(model, index), formatNumber(value, format)];
}
