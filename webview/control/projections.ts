import type { AttentionSpec } from '../../engine/index';
import type { Switches } from '../switches';
import { choices, drawn, embedded, hasX, width, type Control } from './kinds';

const seeding: Readonly<Record<Switches['generator'], string>> = {
  'numpy.RandomState': 'np.random.seed',
  'numpy.default_rng': 'np.random.default_rng',
  torch: 'torch.manual_seed',
};

/** Whether anything is drawn at all. */
const draws = (spec: AttentionSpec, s: Switches): boolean =>
  embedded(spec) || drawn(spec, s) || (hasX(spec) && s.positions === 'learned-random') || s.output === 'random';

/** What makes queries, keys and values, and what is drawn. */
export const projectionsControls: readonly Control[] = [
  {
    id: 'projections', group: 'projections', kind: 'choice', label: 'Made by',
    explain: 'What turns X into Q, K and V: W_q, W_k, W_v, or nothing.',
    paths: ['projections'], applies: hasX,
    options: ({ projections }) => [
      ...(projections.from === 'given' ? [{ value: 'given', text: 'Your weights' }] : []),
      { value: 'random', text: 'Random weights' },
      { value: 'none', text: 'Q = K = V = X' },
    ],
    get: (s) => s.projections,
    set: (s, projections) => ({ ...s, projections: projections as Switches['projections'] }),
  },
  {
    id: 'convention', group: 'projections', kind: 'choice', label: 'Applied as',
    explain: 'X·W has tokens as rows; X·Wᵀ is nn.Linear, and W·x on columns.',
    paths: ['convention', 'projections.wq', 'projections.wk', 'projections.wv'], applies: hasX,
    locked: (_, { projections }) =>
      projections === 'given' ? undefined : 'Only given matrices can be read in two ways; here none are.',
    options: choices({ XW: 'X·W', XWT: 'X·Wᵀ' }),
    get: (s) => s.convention,
    set: (s, convention) => ({ ...s, convention: convention as Switches['convention'] }),
  },
  {
    id: 'dK', group: 'projections', kind: 'number', ...width, label: 'd_k',
    explain: 'Numbers in each query and key.',
    paths: ['projections.dK'], applies: drawn,
    get: (s) => String(s.dK),
    set: (s, dK) => ({ ...s, dK }),
  },
  {
    id: 'dV', group: 'projections', kind: 'number', ...width, label: 'd_v',
    explain: 'Numbers in each value, and in each row of the output.',
    paths: ['projections.dV'], applies: drawn,
    get: (s) => String(s.dV),
    set: (s, dV) => ({ ...s, dV }),
  },
  {
    id: 'bias', group: 'projections', kind: 'choice', label: 'Biases',
    explain: 'A row b_q, b_k, b_v added to every row, as in nn.Linear.',
    paths: ['projections.bias'], applies: drawn,
    options: choices({ no: 'None', yes: 'Random' }),
    get: (s) => (s.bias ? 'yes' : 'no'),
    set: (s, value) => ({ ...s, bias: value === 'yes' }),
  },
  {
    id: 'generator', group: 'projections', kind: 'choice', label: 'Generator',
    explain: 'Whose random numbers: the same seed gives the same numbers there.',
    explainChoice: ({ generator, seed }) => `${seeding[generator]}(${seed}), then normal draws in the order of the steps.`,
    paths: ['random.generator'], applies: draws,
    options: choices({ 'numpy.RandomState': 'NumPy, RandomState', 'numpy.default_rng': 'NumPy, default_rng', torch: 'PyTorch' }),
    get: (s) => s.generator,
    set: (s, generator) => ({ ...s, generator: generator as Switches['generator'] }),
  },
  {
    id: 'seed', group: 'projections', kind: 'number', label: 'Seed',
    expected: 'a whole number from 0 to 2⁵³ − 1', whole: true, min: 0, max: Number.MAX_SAFE_INTEGER,
    explain: 'Another seed draws other numbers.',
    paths: ['random.seed'], applies: draws,
    get: (s) => String(s.seed),
    set: (s, seed) => ({ ...s, seed }),
  },
]; // prettier-ignore
