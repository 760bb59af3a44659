import { t, type AttentionSpec } from '../../engine/index';
import type { Switches } from '../page/switches';
import { always, choices, drawn, embedded, hasX, type Control } from './kinds';

const seeding: Readonly<Record<Switches['generator'], string>> = {
  'numpy.RandomState': 'np.random.seed',
  'numpy.default_rng': 'np.random.default_rng',
  torch: 'torch.manual_seed',
};

/** Whether anything is drawn at all. */
const draws = (spec: AttentionSpec, s: Switches): boolean =>
  embedded(spec) || drawn(spec, s) || (hasX(spec) && s.positions === 'learned-random') || s.output === 'random';

/** How numbers are computed, drawn and shown. */
export const numbersControls: readonly Control[] = [
  {
    id: 'dtype', group: 'numbers', kind: 'choice', label: t('Precision'),
    explain: t('float64 as NumPy, float32 as PyTorch.'),
    paths: ['dtype'], applies: always,
    options: choices({ float64: 'float64', float32: 'float32' }),
    get: (s) => s.dtype,
    set: (s, dtype) => ({ ...s, dtype: dtype as Switches['dtype'] }),
  },
  {
    id: 'generator', group: 'numbers', kind: 'choice', label: t('Generator'),
    explain: t('Whose random numbers: the same seed gives the same numbers there.'),
    explainChoice: ({ generator, seed }) => t('{0}, then normal draws in the order of the steps.', `${seeding[generator]}(${seed})`),
    paths: ['random.generator'], applies: draws,
    options: choices({ 'numpy.RandomState': t('NumPy, RandomState'), 'numpy.default_rng': t('NumPy, default_rng'), torch: 'PyTorch' }),
    get: (s) => s.generator,
    set: (s, generator) => ({ ...s, generator: generator as Switches['generator'] }),
  },
  {
    id: 'seed', group: 'numbers', kind: 'number', label: t('Seed'),
    expected: t('a whole number from 0 to 2⁵³ − 1'), whole: true, min: 0, max: Number.MAX_SAFE_INTEGER,
    explain: t('Another seed draws other numbers.'),
    paths: ['random.seed'], applies: draws,
    get: (s) => String(s.seed),
    set: (s, seed) => ({ ...s, seed }),
  },
  {
    id: 'digits', group: 'numbers', kind: 'number', label: t('Digits shown'),
    expected: t('a whole number from 0 to 15'), whole: true, min: 0, max: 15,
    explain: t('After the decimal point; display only.'),
    paths: [], applies: always,
    get: (s) => String(s.digits),
    set: (s, digits) => ({ ...s, digits }),
  },
]; // prettier-ignore
