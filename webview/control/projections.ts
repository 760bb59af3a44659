import { t } from '../../engine/index';
import type { Switches } from '../page/switches';
import { choices, drawn, hasX, width, type Control } from './kinds';

/** What makes queries, keys and values. */
export const projectionsControls: readonly Control[] = [
  {
    id: 'projections', group: 'projections', kind: 'choice', label: t('Made by'),
    explain: t('What turns X into Q, K and V: W_q, W_k, W_v, or nothing.'),
    paths: ['projections'], applies: hasX,
    options: ({ projections }) => [
      ...(projections.from === 'given' ? [{ value: 'given', text: t('Your weights') }] : []),
      { value: 'random', text: t('Random weights') },
      { value: 'none', text: 'Q = K = V = X' },
    ],
    get: (s) => s.projections,
    set: (s, projections) => ({ ...s, projections: projections as Switches['projections'] }),
  },
  {
    id: 'convention', group: 'projections', kind: 'choice', label: t('Applied as'),
    explain: t('X·W has tokens as rows; X·Wᵀ is nn.Linear, and W·x on columns.'),
    paths: ['convention', 'projections.wq', 'projections.wk', 'projections.wv'], applies: hasX,
    locked: (_, { projections }) =>
      projections === 'given' ? undefined : t('Only given matrices can be read in two ways; here none are.'),
    options: choices({ XW: 'X·W', XWT: 'X·Wᵀ' }),
    get: (s) => s.convention,
    set: (s, convention) => ({ ...s, convention: convention as Switches['convention'] }),
  },
  {
    id: 'dK', group: 'projections', kind: 'number', ...width, label: 'd_k',
    explain: t('Numbers in each query and key.'),
    paths: ['projections.dK'], applies: drawn,
    get: (s) => String(s.dK),
    set: (s, dK) => ({ ...s, dK }),
  },
  {
    id: 'dV', group: 'projections', kind: 'number', ...width, label: 'd_v',
    explain: t('Numbers in each value, and in each row of the output.'),
    paths: ['projections.dV'], applies: drawn,
    get: (s) => String(s.dV),
    set: (s, dV) => ({ ...s, dV }),
  },
  {
    id: 'bias', group: 'projections', kind: 'choice', label: t('Biases'),
    explain: t('A row b_q, b_k, b_v added to every row, as in nn.Linear.'),
    paths: ['projections.bias'], applies: drawn,
    options: choices({ no: t('None'), yes: t('Random') }),
    get: (s) => (s.bias ? 'yes' : 'no'),
    set: (s, value) => ({ ...s, bias: value === 'yes' }),
  },
]; // prettier-ignore
