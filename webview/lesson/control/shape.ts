import { fail, ok, type Result } from '../../../engine/index';
import { h } from '../../draw';
import { words } from '../words';
import type { Asking, Control } from './control';

/** Reads a shape written as `3×4`, `3 x 4`, `(3, 4)` or similar. */
export function shapeIn(text: string): Result<readonly number[]> {
  const plain = text.trim().replace(/^[([]|[)\]]$/g, '').replace(/,\s*$/, '').trim(); // prettier-ignore
  if (plain === '') return fail({ code: 'blank', message: words.nothing });
  const sizes = plain.split(/\s*[×x*,;·]\s*|\s+/i);
  if (sizes.every((size) => /^\d{1,9}$/.test(size))) return ok(sizes.map(Number));
  return fail({ code: 'value', message: words.notAShape(text.trim()) });
}

export function createShape({ name, changed }: Asking): Control {
  const input = h('input', { type: 'text', id: name, autocomplete: 'off', size: 14, spellcheck: 'false' });
  input.addEventListener('input', changed);
  const truth = h('output', { class: 'truth' });
  return {
    element: h('div', { class: 'number' }, h('label', { for: name }, words.shape), input, truth),
    read: () => shapeIn(input.value),
    write: (response) => void (input.value = Array.isArray(response) ? response.join('×') : ''),
    close(shown) {
      input.readOnly = true;
      if (shown?.kind === 'shape') truth.textContent = shown.shape.join('×');
    },
  };
}
