import { ok, type Answer } from '../../../engine/index';
import { h } from '../../draw';
import { words } from '../words';
import type { Asking, Control } from './control';

type Several = Extract<Answer, { readonly kind: 'several' }>;

/** A choice of several statements as a list of check boxes. */
export function createSeveral({
  answer,
  name,
  inline,
  changed,
}: Omit<Asking, 'answer'> & { answer: Several }): Control {
  const inputs = answer.options.map((_, i) => h('input', { type: 'checkbox', value: i, id: `${name}-${i}` }));
  const rows = inputs.map((input, i) =>
    h('div', { class: 'option' }, input, h('label', { for: input.id }, h('span', {}, inline(answer.options[i] ?? '')))),
  );
  for (const input of inputs) input.addEventListener('change', changed);
  const legend = h('legend', {}, words.several);
  return {
    element: h('fieldset', { class: 'options' }, legend, ...rows),
    // None chosen is blank, and marked as such.
    read: () => ok(inputs.flatMap((input, i) => (input.checked ? [i] : []))),
    write(response) {
      const chosen: readonly unknown[] = Array.isArray(response) ? response : [];
      for (const [i, input] of inputs.entries()) input.checked = chosen.includes(i);
    },
    close(shown) {
      for (const input of inputs) input.disabled = true;
      if (shown?.kind === 'several') for (const i of shown.indices) rows[i]?.classList.add('true-option');
    },
  };
}
