import { t, type Asked, type ModelSummary } from '../../engine/index';
import { h } from '../draw';

/** What a model is asked to read: a text, and what its kind of model reads beside it. */
export interface TextForm {
  readonly element: HTMLElement;
  /** Shows the fields that a model has. */
  fit(summary: ModelSummary): void;
  text(): string;
  setText(text: string): void;
  asked(): Asked;
  focus(): void;
}

/** Where something is said twice, heads that copy have something to copy. */
const example = 'When Mary and John went to the store, John gave a drink to';

/** `id` tells the fields of two forms apart. */
export function createTextForm(id: string, action: string, onRead: () => void): TextForm {
  const field = (name: string, label: string, rows: number) => {
    const area = h('textarea', { id: `${id}-${name}`, class: 'model-text', rows, spellcheck: 'false' });
    const element = h('div', { class: 'model-field' }, h('label', { for: `${id}-${name}` }, label), area);
    area.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      onRead();
    });
    return { area, element };
  };
  const text = field('text', t('Text'), 2);
  const ids = field('ids', t('There is no tokenizer that is read: token ids, with commas between'), 1);
  const pair = field('pair', t('Second sentence, after the separator; may be empty'), 1);
  const target = field('target', t('What the decoder has written so far; may be empty'), 1);
  const read = h('button', { type: 'button', class: 'model-primary' }, action);
  read.addEventListener('click', onRead);
  const element = h('div', { class: 'model-form' }, text.element, ids.element, pair.element, target.element, read);
  let fitted: ModelSummary | undefined;
  return {
    element,
    fit(summary) {
      fitted = summary;
      text.element.hidden = !summary.hasTokenizer;
      ids.element.hidden = summary.hasTokenizer;
      pair.element.hidden = !summary.readsPairs;
      target.element.hidden = summary.layers.length < 2;
      if (text.area.value === '') text.area.value = example;
    },
    text: () => text.area.value,
    setText: (value) => void (text.area.value = value),
    asked() {
      const own = fitted?.hasTokenizer ? { text: text.area.value } : { text: '', ids: ids.area.value };
      const second = fitted?.readsPairs ? pair.area.value : '';
      const written = (fitted?.layers.length ?? 1) > 1 ? target.area.value : '';
      return { ...own, ...(second !== '' && { second }), ...(written !== '' && { target: written }) };
    },
    focus() {
      const { area } = fitted?.hasTokenizer === false ? ids : text;
      area.focus();
      // What stands there is an example, or the text of the other side: the first key replaces it.
      area.select();
    },
  };
}
