import { t, say } from '../../text';
import { both, listed, type Fields } from '../field';
import { flag, matrix, number, oneOf, row, tagged, type RecordOf } from '../kinds';
import { checkLimit, widthLimit } from '../limits';
import { hasX, type Start } from './start';

/* What makes queries, keys and values. */

const projections = tagged('from', {
  none: { required: {} },
  random: { required: { dK: number, dV: number }, optional: { bias: flag } },
  given: { required: { wq: matrix, wk: matrix, wv: matrix }, optional: { bq: row, bk: row, bv: row } },
});

const kinds = {
  required: {
    /** How queries, keys and values come from X: see `Projections`. */
    projections,
    /** How weights are applied: see `Convention`. */
    convention: oneOf('XW', 'XWT'),
  },
  optional: {},
} as const;

/**
 * How queries, keys and values come from X (ignored when starting from Q, K, V or later).
 * - `none`: Q = K = V = X
 * - `random`: W_q (d_model×h·d_k), W_k, W_v drawn from the spec's generator, divided by √d_model; biases, when asked for, likewise
 * - `given`: the matrices themselves, applied as `convention` says; biases are rows
 */
export type Projections = RecordOf<typeof kinds>['projections'];

/** `XW`: Q = X·W, W is d_model×d_k. `XWT`: Q = X·Wᵀ, W is d_k×d_model (`nn.Linear`; also W·x on column vectors). */
export type Convention = RecordOf<typeof kinds>['convention'];

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
}

export interface Switches {
  readonly projections: {
    readonly projections: Projections['from'];
    readonly dK: number;
    readonly dV: number;
    readonly bias: boolean;
  };
  readonly convention: { readonly convention: Convention };
}

/** Widths of randomly drawn projections where the spec does not say. */
const defaultWidth = 8;

/** Whether W_q, W_k and W_v are drawn. */
export const drawsWeights = (
  spec: { readonly start: Pick<Start, 'from'> },
  { projections }: Pick<Switches['projections'], 'projections'>,
): boolean => hasX(spec) && projections === 'random';

function written({ projections: own }: Spec, s: Switches['projections']): Projections {
  const { projections: from, dK, dV, bias } = s;
  if (own.from === 'random' && from === 'random' && (own.bias ?? false) === bias) return { ...own, dK, dV };
  if (from === 'random') return { from, dK, dV, ...(bias ? { bias } : {}) };
  return from === 'given' && own.from === 'given' ? own : { from: 'none' };
}

const fields: Fields<typeof kinds, Spec, Switches, Switches['projections'] & Switches['convention']> = {
  projections: {
    describe: () => t('How queries, keys and values come from X.'),
    initial: { text: { from: 'random', dK: defaultWidth, dV: defaultWidth }, matrix: { from: 'none' } },
    example: '={"from":"none"}',
    limits: ({ start, projections }, problems) => {
      if (!hasX({ start }) || projections.from !== 'random') return;
      checkLimit(problems, 'projections.dK', projections.dK, widthLimit);
      checkLimit(problems, 'projections.dV', projections.dV, widthLimit);
    },
    ignored: {
      projections: ({ projections }, plan) => (projections.from !== 'none' && !plan.has('x') ? plan.begins : undefined),
    },
    panel: {
      read: ({ projections }) => {
        const drawn = projections.from === 'random' ? projections : { dK: defaultWidth, dV: defaultWidth };
        const bias = projections.from === 'random' && projections.bias === true;
        return { projections: projections.from, dK: drawn.dK, dV: drawn.dV, bias };
      },
      write: written,
      controls: [
        {
          id: 'projections',
          group: 'projections',
          kind: 'choice',
          label: () => t('Made by'),
          explain: () => t('What turns X into Q, K and V: W_q, W_k, W_v, or nothing.'),
          paths: ['projections'],
          applies: hasX,
          options: ({ projections }) => [
            ...(projections.from === 'given' ? [{ value: 'given', text: t('Your weights') }] : []),
            { value: 'random', text: t('Random weights') },
            { value: 'none', text: 'Q = K = V = X' },
          ],
          get: (s) => s.projections,
          set: (_, projections) => ({ projections: projections as Projections['from'] }),
        },
        {
          id: 'dK',
          group: 'projections',
          order: 1,
          kind: 'number',
          limit: widthLimit,
          label: () => 'd_k',
          explain: () => t('Numbers in each query and key.'),
          paths: ['projections.dK'],
          applies: drawsWeights,
          get: (s) => String(s.dK),
          set: (_, dK) => ({ dK }),
          brief: (text) => `d_k ${text}`,
        },
        {
          id: 'dV',
          group: 'projections',
          order: 1,
          kind: 'number',
          limit: widthLimit,
          label: () => 'd_v',
          explain: () => t('Numbers in each value, and in each row of the output.'),
          paths: ['projections.dV'],
          applies: drawsWeights,
          get: (s) => String(s.dV),
          set: (_, dV) => ({ dV }),
          brief: (text) => `d_v ${text}`,
        },
        {
          id: 'bias',
          group: 'projections',
          order: 1,
          kind: 'choice',
          label: () => t('Biases'),
          explain: () => t('A row b_q, b_k, b_v added to every row, as in nn.Linear.'),
          paths: ['projections.bias'],
          applies: drawsWeights,
          options: () => listed({ no: t('None'), yes: t('Random') }),
          get: (s) => (s.bias ? 'yes' : 'no'),
          set: (_, value) => ({ bias: value === 'yes' }),
          brief: (text) => (text === t('None') ? '' : t('biases')),
        },
      ],
    },
  },
  convention: {
    describe: () => t('XW: Q = X·W. XWT: Q = X·Wᵀ (nn.Linear; also W·x on columns).'),
    initial: both('XW'),
    example: '=XWT',
    limits: 'none',
    ignored: {
      convention: ({ convention }, plan) =>
        convention === 'XWT' && !plan.has('wq') && !plan.has('wo') ? say('there is no W to apply') : undefined,
    },
    panel: {
      read: ({ convention }) => ({ convention }),
      write: (_, { convention }) => convention,
      controls: [
        {
          id: 'convention',
          group: 'projections',
          kind: 'choice',
          label: () => t('Applied as'),
          explain: () => t('X·W has tokens as rows; X·Wᵀ is nn.Linear, and W·x on columns.'),
          paths: ['convention', 'projections.wq', 'projections.wk', 'projections.wv'],
          applies: hasX,
          locked: (_, { projections }) =>
            projections === 'given' ? undefined : t('Only given matrices can be read in two ways; here none are.'),
          options: () => listed({ XW: 'X·W', XWT: 'X·Wᵀ' }),
          get: (s) => s.convention,
          set: (_, convention) => ({ convention: convention as Convention }),
          brief: (text, { projections }) => (projections === 'given' ? text : ''),
        },
      ],
    },
  },
};

export const projecting = { kinds, fields };
