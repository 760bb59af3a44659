import { fail, ok, type Answer } from '../../../engine/index';
import { h } from '../../draw';
import { words } from '../words';
import type { Asking, Control } from './control';

type Choice = Extract<Answer, { readonly index: number }>;

/** A choice among statements as a list of radio buttons. CSS numbers them, so that a class can refer to them. */
export function createChoice({ answer, name, inline, changed }: Omit<Asking, 'answer'> & { answer: Choice }): Control {
  const inputs = answer.options.map((_, i) => h('input', { type: 'radio', name, value: i, id: `${name}-${i}` }));
  const rows = inputs.map((input, i) =>
    h('div', { class: 'option' }, input, h('label', { for: input.id }, h('span', {}, inline(answer.options[i] ?? '')))),
  );
  for (const input of inputs) input.addEventListener('change', changed);
  const legend = h('legend', { class: 'spoken' }, words.statements);
  return {
    element: h('fieldset', { class: 'options' }, legend, ...rows),
    read() {
      const chosen = inputs.findIndex((input) => input.checked);
      return chosen < 0 ? fail({ code: 'blank', message: words.nothing }) : ok(chosen);
    },
    write(response) {
      const input = typeof response === 'number' ? inputs[response] : undefined;
      if (input) input.checked = true;
    },
    close(shown) {
      for (const input of inputs) input.disabled = true;
      if (shown && 'index' in shown) rows[shown.index]?.classList.add('true-option');
    },
  };
}
