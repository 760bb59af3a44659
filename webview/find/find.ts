import { t } from '../../engine/index';
import { createResults, type Results } from './results';
import { extremes, searchFor, visitPlace } from './search';
import type { Session } from '../session';
import { button, h, setText } from '../draw';

export interface Find {
  readonly element: HTMLElement;
  open(): void;
}

/**
 * The search box (Ctrl+F): finds steps by name, tokens, and the cells of the current matrix that are nearest to a number. Enter visits the next
 * result, Shift+Enter the previous one, arrow keys move through the list, Escape closes and returns the focus.
 */
export function createFind(session: Session): Find {
  const input = field();
  const note = h('p', { class: 'find-note', role: 'status', hidden: true });
  const results = createResults(input, (place) => visitPlace(session, place));
  let before: Element | null = null;
  const close = (): void => {
    element.hidden = true;
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
  const element = h(
    'div',
    { class: 'find', role: 'search', 'aria-label': t('Find'), hidden: true },
    h('div', { class: 'find-line' }, input, results.count, ...buttons(results, close)),
    note,
    results.list,
  );
  const search = searcher(session, input, results, note);
  const open = (): void => {
    if (!element.contains(document.activeElement)) before = document.activeElement;
    element.hidden = false;
    input.focus();
    input.select();
    void search();
  };
  input.addEventListener('input', () => void search());
  addFieldKeys(element, input, results, close);
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !isFind(event) || !session.shown) return;
    event.preventDefault();
    open();
  });
  return { element, open };
}

const field = (): HTMLInputElement =>
  h('input', {
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

const buttons = (results: Results, close: () => void): HTMLElement[] => [
  button({ label: t('Previous result'), icon: 'left', iconOnly: true, onClick: results.previous }),
  button({ label: t('Next result'), icon: 'right', iconOnly: true, onClick: results.next }),
  button({ label: t('Close find'), icon: 'close', iconOnly: true, onClick: close }),
];

/** Returns a function that searches for the field's text. Results for an older text are dropped. */
function searcher(session: Session, input: HTMLInputElement, results: Results, note: HTMLElement): () => Promise<void> {
  let latestRequest = 0;
  return async () => {
    const request = ++latestRequest;
    const searched = await searchFor(session, input.value);
    if (request !== latestRequest) return;
    results.fill(searched.found);
    setText(note, searched.note ?? '');
    note.hidden = !searched.note;
    if (input.value.trim() !== '') return;
    setText(results.count, t('looking through the rows'));
    const rows = await extremes(session);
    if (request === latestRequest) results.add(rows);
  };
}

function addFieldKeys(element: HTMLElement, input: HTMLInputElement, results: Results, close: () => void): void {
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    Enter: ({ shiftKey }) => (shiftKey ? results.previous() : results.next()),
    ArrowDown: results.next,
    ArrowUp: results.previous,
    Escape: close,
  };
  element.addEventListener('keydown', (event) => {
    const act = event.target === input || event.key === 'Escape' ? keys[event.key] : undefined;
    if (isFind(event)) input.select();
    else act?.(event);
    if (act || isFind(event)) event.preventDefault();
    event.stopPropagation();
  });
}

const isFind = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'f' && (ctrlKey || metaKey) && !altKey && !shiftKey;
