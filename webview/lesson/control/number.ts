import { encodeNumber, fail, ok, showNumber, type Answer, type Result, type SpecNumber } from '../../../engine/index';
import { readNumber } from '../../choices';
import { h, setAttribute } from '../../draw';
import { words } from '../words';
import type { Asking, Control } from './control';

type Numbered = Extract<Answer, { readonly kind: 'number' }>;

/** Reads a number; also accepts a decimal comma (`0,5`) and the typographic minus (`−1`). */
export function numberIn(text: string): Result<SpecNumber> {
  const plain = text.trim().replaceAll('−', '-').replace(/^([-+]?\d*),(\d+)$/, '$1.$2'); // prettier-ignore
  if (plain === '') return fail({ code: 'blank', message: words.nothing });
  const read = readNumber(plain);
  return read.ok ? ok(encodeNumber(read.value)) : fail({ code: 'value', message: words.notANumber(text.trim()) });
}

export function createNumber({ answer, name, changed }: Omit<Asking, 'answer'> & { answer: Numbered }): Control {
  const input = h('input', { type: 'text', id: name, inputmode: 'text', autocomplete: 'off', size: 14, spellcheck: 'false' });
  input.addEventListener('input', changed);
  const { digits, tolerance } = answer;
  const note = h('span', { class: 'tolerance', id: `${name}-note` }, words.tolerance(digits, String(Number(tolerance.toPrecision(6)))));
  input.setAttribute('aria-describedby', note.id);
  const truth = h('output', { class: 'truth' });
  return {
    element: h('div', { class: 'number' }, h('label', { for: name }, words.number), input, note, truth),
    read() {
      const read = numberIn(input.value);
      setAttribute(input, 'aria-invalid', !read.ok && read.problems[0]?.code === 'value' ? 'true' : undefined);
      return read;
    },
    write: (response) => void (input.value = response === null ? '' : String(response)),
    close(shown) {
      input.readOnly = true;
      if (shown?.kind === 'number') truth.textContent = showNumber(shown.value, shown.digits);
    },
  };
} // prettier-ignore
