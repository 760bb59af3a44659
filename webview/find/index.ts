import { turns, t, type Step } from '../../engine/index';
import { extremesFor, numberIn, searchedOf, stepsFor, strongestKeys, tokensFor, valuesFor, type Found } from './places';
import { goTo, select, selectedToken, selectToken } from '../page/moves';
import { isHidden } from '../predict/index';
import { currentStep, type Session } from '../session';
import { leadIn } from '../slices/slice';
import type { TraceHandle } from '../trace-handle';
import { typeset } from '../symbols';
import { button, h, setAttribute, setText } from '../ui';

export interface Find {
  readonly element: HTMLElement;
  open(): void;
}

/**
 * Find, by Ctrl+F: a step by its name, a token, or the cells of the current matrix nearest to a number. Enter goes to the next result,
 * Shift+Enter to the one before, the arrow keys choose, Escape goes back to where the keyboard was.
 */
export function createFind(session: Session): Find {
  const input = h('input', {
    type: 'text',
    class: 'find-input',
    role: 'combobox',
    'aria-label': t('Find a step, a token or a number'),
    'aria-autocomplete': 'list',
    'aria-controls': 'find-results',
    'aria-expanded': 'false',
    placeholder: t('step, token or number'),
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const list = h('ul', { id: 'find-results', class: 'find-results', role: 'listbox', 'aria-label': t('Results') });
  const count = h('span', { class: 'find-count', role: 'status' });
  const note = h('p', { class: 'find-note', role: 'status', hidden: true });
  let found: readonly Found[] = [];
  /** The result that is gone to next; what was gone to already. */
  let [at, gone] = [0, false];
  let before: Element | null = null;
  let turn = 0;

  const close = (): void => {
    element.hidden = true;
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
  const mark = (): void => {
    [...list.children].forEach((item, i) => setAttribute(item, 'aria-selected', String(i === at)));
    list.children[at]?.scrollIntoView({ block: 'nearest' });
    setAttribute(input, 'aria-activedescendant', found[at] ? `find-${at}` : undefined);
    setAttribute(input, 'aria-expanded', String(found.length > 0));
    const none = input.value.trim() === '' ? '' : t('nothing found');
    setText(count, found.length ? t('{0} of {1}', at + 1, found.length) : none);
  };
  const visit = (next: number): void => {
    if (!found.length) return;
    at = (next + found.length) % found.length;
    gone = true;
    const place = found[at];
    if (place) go(session, place);
    mark();
  };
  const fill = (results: readonly Found[]): void => {
    [found, at, gone] = [results, 0, false];
    list.replaceChildren(...found.map((place, i) => option(place, i, () => visit(i))));
    mark();
  };
  const search = async (): Promise<void> => {
    const mine = ++turn;
    const results = await searchFor(session, input.value);
    if (mine !== turn) return;
    fill(results.found);
    setText(note, results.note ?? '');
    note.hidden = !results.note;
    if (input.value.trim() !== '') return;
    setText(count, t('looking through the rows'));
    const rows = await extremes(session);
    if (mine !== turn) return;
    if (gone) {
      // What is being gone through stays where it is.
      found = [...found, ...rows];
      list.append(
        ...rows.map((place, i) =>
          option(place, found.length - rows.length + i, () => visit(found.length - rows.length + i)),
        ),
      );
      return mark();
    }
    fill([...rows, ...found]);
  };
  const element = h(
    'div',
    { class: 'find', role: 'search', 'aria-label': t('Find'), hidden: true },
    h(
      'div',
      { class: 'find-line' },
      input,
      count,
      button({ label: t('Previous result'), icon: 'left', iconOnly: true, onClick: () => visit(gone ? at - 1 : at) }),
      button({ label: t('Next result'), icon: 'right', iconOnly: true, onClick: () => visit(gone ? at + 1 : at) }),
      button({ label: t('Close find'), icon: 'close', iconOnly: true, onClick: close }),
    ),
    note,
    list,
  );
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    Enter: ({ shiftKey }) => visit(gone ? at + (shiftKey ? -1 : 1) : at),
    ArrowDown: () => visit(gone ? at + 1 : at),
    ArrowUp: () => visit(gone ? at - 1 : at),
    Escape: close,
  };
  input.addEventListener('input', () => void search());
  element.addEventListener('keydown', (event) => {
    const act = event.target === input || event.key === 'Escape' ? keys[event.key] : undefined;
    if (isFind(event)) input.select();
    else act?.(event);
    if (act || isFind(event)) event.preventDefault();
    event.stopPropagation();
  });
  const open = (): void => {
    if (!element.contains(document.activeElement)) before = document.activeElement;
    element.hidden = false;
    input.focus();
    input.select();
    void search();
  };
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !isFind(event) || !session.shown) return;
    event.preventDefault();
    open();
  });
  return { element, open };
}

const isFind = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'f' && (ctrlKey || metaKey) && !altKey && !shiftKey;

function option({ kind, text }: Found, i: number, onClick: () => void): HTMLElement {
  const item = h(
    'li',
    { role: 'option', id: `find-${i}`, 'data-found': kind, 'aria-selected': 'false' },
    ...typeset(text),
  );
  item.addEventListener('click', onClick);
  return item;
}

/** The weights that nobody is still to predict, and which matrix of them is looked at. */
function weightsOf({ shown, state }: Session): { trace: TraceHandle; step: Step; lead: readonly number[] } | undefined {
  const trace = shown?.trace;
  const step = trace?.plan.steps.find(({ call }) => call.op === 'softmax');
  if (!trace || trace.preview || !step || isHidden(state.reading, trace, step)) return undefined;
  return { trace, step, lead: leadIn(trace, step, state.slice) };
}

/** Before anything is typed: the keys that the selected row looks at most. */
async function suggestions(session: Session): Promise<readonly Found[]> {
  const weights = weightsOf(session);
  if (!weights) return [];
  const { trace, step, lead } = weights;
  const row = Math.min(selectedToken(session) ?? session.state.cell?.[0] ?? 0, (step.shape.at(-2) ?? 1) - 1);
  return strongestKeys(trace, step, lead, row);
}

async function extremes(session: Session): Promise<readonly Found[]> {
  const weights = weightsOf(session);
  return weights ? extremesFor(weights.trace, weights.step, weights.lead) : [];
}

interface Results {
  readonly found: readonly Found[];
  /** What was not looked through, where something was not. */
  readonly note?: string;
}

/** Numbers in the matrix that is looked at first, then steps and tokens of that name. */
async function searchFor(session: Session, query: string): Promise<Results> {
  const { shown } = session;
  if (!shown) return { found: [] };
  if (query.trim() === '') return { found: await suggestions(session) };
  const { plan } = shown.trace;
  const number = numberIn(query);
  const numbers = number === undefined ? { found: [] } : await numbersFor(session, shown.trace, number);
  return { ...numbers, found: [...numbers.found, ...stepsFor(plan, query), ...tokensFor(plan, query)] };
}

/** Cells nearest to a number in the matrix that is looked at; of one that is too large in the selected row alone. */
async function numbersFor(session: Session, trace: TraceHandle, number: number): Promise<Results> {
  const { state } = session;
  const step = currentStep(trace.plan, state.step);
  if (trace.preview || isHidden(state.reading, trace, step)) return { found: [] };
  const turned = state.reading.columns && turns(step);
  const part = searchedOf(step, state.cell?.[0] ?? 0);
  const where = { turned, rows: part?.rows };
  const found = await valuesFor(trace, step, leadIn(trace, step, state.slice), number, where);
  return part ? { found, note: part.note } : { found };
}

function go(session: Session, found: Found): void {
  if (found.kind === 'step') return goTo(session, found.step);
  if (found.kind === 'token') return selectToken(session, found.token);
  const [row = 0, column = 0] = found.index.slice(-2);
  select(session, found.step, [row, column], found.index.slice(0, -2));
}
