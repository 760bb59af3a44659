import { t, type AttentionSpec, type Plan, type Token } from '../../engine/index';
import { textPartsOf, type TextPart } from './text-parts';
import { h, setAttribute } from '../draw';

export interface TokensViewModel {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  /** Index of the selected token. */
  readonly token: number | undefined;
  /** Whether the source is a document that can be shown in the editor. */
  readonly canReveal: boolean;
}

export interface TokensView {
  /** The input text with its tokens marked. Hidden if the input is not a text. */
  readonly element: HTMLElement;
  update(model: TokensViewModel | undefined): void;
}

export interface TokensViewActions {
  readonly onToken: (token: number) => void;
  readonly onReveal: () => void;
}

/** The text with each token underlined: one tab stop, arrow keys move, click or Enter selects. */
export function createTokensView(actions: TokensViewActions): TokensView {
  const text = h('div', { class: 'raw-text-body', role: 'toolbar', 'aria-label': t('Text with its tokens') });
  const reveal = h('button', { type: 'button', class: 'text-link' }, t('Show in the editor'));
  reveal.addEventListener('click', actions.onReveal);
  const head = h('div', { class: 'raw-text-head' }, h('h2', { class: 'raw-text-title' }, t('The text')), reveal);
  const element = h('div', { class: 'raw-text', hidden: true }, head, text);
  let drawn: readonly Token[] = [];
  let marks: readonly HTMLElement[] = [];
  const markAt = (target: EventTarget | null): HTMLElement | undefined =>
    marks.find((mark) => target instanceof Node && mark.contains(target));
  text.addEventListener('click', ({ target }) => {
    const mark = markAt(target);
    if (mark) actions.onToken(tokenOf(mark));
  });
  text.addEventListener('keydown', (event) => {
    const mark = markAt(event.target);
    const chosen = mark && chosenBy(event.key, mark, marks);
    if (!chosen) return;
    event.preventDefault();
    event.stopPropagation();
    actions.onToken(tokenOf(chosen));
    chosen.focus();
  });
  return {
    element,
    update(model) {
      const start = model?.spec.start;
      element.hidden = start?.from !== 'text';
      if (!model || start?.from !== 'text') return;
      reveal.hidden = !model.canReveal;
      if (drawn !== model.plan.tokens) {
        drawn = model.plan.tokens;
        text.replaceChildren(...textPartsOf(start.text, drawn).map((stretch) => markOf(stretch, drawn)));
        marks = [...text.querySelectorAll<HTMLElement>('.raw-token')];
      }
      select(marks, model.token);
    },
  };
}

const tokenOf = ({ dataset }: HTMLElement): number => Number(dataset['token']);

/** The mark that a key selects: another one, the same one for Enter and Space, or none. */
function chosenBy(key: string, mark: HTMLElement, marks: readonly HTMLElement[]): HTMLElement | undefined {
  if (key === 'Enter' || key === ' ') return mark;
  const at = marks.indexOf(mark);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: marks.length - 1 }[key];
  return marks[to ?? -1];
}

function markOf({ text, tokens, special }: TextPart, all: readonly Token[]): Node {
  const [token] = tokens;
  if (token === undefined) return document.createTextNode(text);
  const attributes = {
    class: 'raw-token',
    role: 'button',
    tabindex: -1,
    'data-token': token,
    'data-tokens': tokens.join(' '),
    'data-special': special,
    'aria-label': labelOf(tokens, all),
  };
  return h('span', attributes, text);
}

function labelOf(tokens: readonly number[], all: readonly Token[]): string {
  const names = tokens.map((at) => all[at]?.text ?? '');
  return tokens.length > 1
    ? t('Tokens {0} to {1}: {2}', tokens[0] ?? '', tokens.at(-1) ?? '', names.join(' '))
    : t('Token {0}: {1}', tokens[0] ?? '', names[0] ?? '');
}

/** Outlines the selected token and makes it the tab stop. */
function select(marks: readonly HTMLElement[], token: number | undefined): void {
  const holds = (mark: HTMLElement): boolean => (mark.dataset['tokens'] ?? '').split(' ').includes(String(token));
  const chosen = marks.find(holds);
  for (const mark of marks) {
    setAttribute(mark, 'aria-pressed', mark === chosen ? 'true' : undefined);
    mark.tabIndex = mark === (chosen ?? marks[0]) ? 0 : -1;
  }
}
