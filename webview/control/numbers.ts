import type { Switches } from '../switches';
import { always, choices, type Control } from './kinds';

/** How numbers are computed and shown. */
export const numbersControls: readonly Control[] = [
  {
    id: 'dtype', group: 'numbers', kind: 'choice', label: 'Precision',
    explain: 'float64 as NumPy, float32 as PyTorch.',
    paths: ['dtype'], applies: always,
    options: choices({ float64: 'float64', float32: 'float32' }),
    get: (s) => s.dtype,
    set: (s, dtype) => ({ ...s, dtype: dtype as Switches['dtype'] }),
  },
  {
    id: 'digits', group: 'numbers', kind: 'number', label: 'Digits shown',
    expected: 'a whole number from 0 to 15', whole: true, min: 0, max: 15,
    explain: 'After the decimal point; display only.',
    paths: [], applies: always,
    get: (s) => String(s.digits),
    set: (s, digits) => ({ ...s, digits }),
  },
]; // prettier-ignore
