import { fail, ok } from '../../../engine/index';
import { h } from '../../draw';
import { words } from '../words';
import type { Asking, Control } from './control';

/** Most characters of a text: some ten pages. */
const longest = 20_000;

/** A field of several lines for a text that a person marks. */
export function createText({ name, changed }: Asking, lines: number): Control {
  const field = h('textarea', { id: name, rows: lines, maxlength: longest });
  field.addEventListener('input', changed);
  return {
    element: h('div', { class: 'free-text' }, h('label', { for: name }, words.text), field),
    read: () => (field.value.trim() === '' ? fail({ code: 'blank', message: words.nothing }) : ok(field.value)),
    write: (response) => void (field.value = typeof response === 'string' ? response : ''),
    close: () => void (field.readOnly = true),
  };
}
