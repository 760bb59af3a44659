import { t, say } from '../../text';
import { both, listed, type Fields } from '../field';
import { flag, matrix, number, oneOf, row, tagged, type RecordOf } from '../kinds';
import { checkLimit, widthLimit } from '../limits';
import { learnedOr, type Switches as ModelSwitches } from './model';
import { hasX, sizesOf, type Start } from './start';

/* What makes queries, keys and values. */

const projections = tagged('from', {
  none: { required: {} },
  random: { required: { dK: number, dV: number }, optional: { bias: flag } },
  given: { required: { wq: matrix, wk: matrix, wv: matrix }, optional: { bq: row, bk: row, bv: row } },
  fused: { required: { wqkv: matrix, order: oneOf('blocks', 'heads') }, optional: { bqkv: row } },
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
 * - `fused`: one matrix that holds all three, applied as `convention` says: its columns (X·W: GPT-2's c_attn) or rows (X·Wᵀ: in_proj_weight of nn.MultiheadAttention,
 *   qkv_proj) give Q, K and V. `blocks`: all of Q, then all of K, then all of V. `heads`: query, key and value of each head together (GPT-NeoX's query_key_value); where
 *   heads share a key, the queries of its group, its key, its value (Falcon, InternLM 2). d_v is d_k.
 */
export type Projections = RecordOf<typeof kinds>['projections'];

/** `XW`: Q = X·W, W is d_model×d_k. `XWT`: Q = X·Wᵀ, W is d_k×d_model (`nn.Linear`; also W·x on column vectors). */
export type Convention = RecordOf<typeof kinds>['convention'];

type Fused = Extract<Projections, { from: 'fused' }>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly heads: number;
  readonly kvHeads?: number;
}

export interface Switches {
  readonly projections: {
    readonly projections: Projections['from'];
    readonly dK: number;
    readonly dV: number;
    readonly bias: boolean;
    readonly fusedOrder: Fused['order'];
  };
  readonly convention: { readonly convention: Convention };
}

/** Columns of a head's query, key or value, all of which a fused matrix gives side by side. */
export function fusedWidth({ convention, heads, kvHeads = heads }: Pick<Spec, 'convention' | 'heads' | 'kvHeads'>, { wqkv }: Fused): number {
  const made = sizesOf(wqkv).at(convention === 'XW' ? -1 : -2) ?? NaN;
  return made / (heads + 2 * kvHeads);
} // prettier-ignore

/** Widths of randomly drawn projections where the spec does not say. */
const defaultWidth = 8;

/** Whether W_q, W_k and W_v are drawn. */
export const drawsWeights = (
  spec: { readonly start: Pick<Start, 'from'> },
  { projections }: Pick<Switches['projections'], 'projections'>,
): boolean => hasX(spec) && projections === 'random';

function written({ projections: own }: Spec, s: Switches['projections']): Projections {
  const { projections: from, dK, dV, bias, fusedOrder: order } = s;
  if (own.from === 'random' && from === 'random' && (own.bias ?? false) === bias) return { ...own, dK, dV };
  if (from === 'random') return { from, dK, dV, ...(bias ? { bias } : {}) };
  if (from === 'fused' && own.from === 'fused') return own.order === order ? own : { ...own, order };
  return from === 'given' && own.from === 'given' ? own : { from: 'none' };
}

const fields: Fields<
  typeof kinds,
  Spec,
  Switches,
  Switches['projections'] & Switches['convention'] & ModelSwitches['model']
> = {
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
        const fusedOrder = projections.from === 'fused' ? projections.order : 'blocks';
        return { projections: projections.from, dK: drawn.dK, dV: drawn.dV, bias, fusedOrder };
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
          options: ({ projections }, _, { model }) => [
            ...(projections.from === 'given' ? [{ value: 'given', text: t('Your weights') }] : []),
            ...(projections.from === 'fused' ? [{ value: 'fused', text: t('Your one matrix') }] : []),
            { value: 'random', text: learnedOr(model, t('Random weights')) },
            { value: 'none', text: 'Q = K = V = X' },
          ],
          get: (s) => s.projections,
          set: (_, projections) => ({ projections: projections as Projections['from'] }),
        },
        {
          id: 'fusedOrder',
          group: 'projections',
          kind: 'choice',
          label: () => t('Order in it'),
          explain: () => t('How one matrix holds W_q, W_k and W_v.'),
          explainChoice: ({ fusedOrder }) =>
            fusedOrder === 'blocks'
              ? t('All of Q, then all of K, then all of V: GPT-2’s c_attn, in_proj_weight of nn.MultiheadAttention.')
              : t(
                  'Query, key and value of each head together: GPT-NeoX’s query_key_value; by groups of queries, Falcon and InternLM 2.',
                ),
          paths: ['projections.order', 'projections.wqkv', 'projections.bqkv'],
          applies: (spec, { projections }) => hasX(spec) && projections === 'fused',
          options: () => listed({ blocks: 'Q | K | V', heads: t('Head by head') }),
          get: (s) => s.fusedOrder,
          set: (_, value) => ({ fusedOrder: value as Fused['order'] }),
        },
        {
          id: 'dK',
          group: 'projections',
          order: 1,
          kind: 'number',
          limit: widthLimit,
          label: () => 'd_k',
          explain: () =>
            t(
              'Numbers in each query and key of a head (head_dim; hidden_size / num_attention_heads where a config has none).',
            ),
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
          explain: () => t('A row b_q, b_k, b_v added to every row, as in nn.Linear (attention_bias, qkv_bias).'),
          paths: ['projections.bias'],
          applies: drawsWeights,
          options: (_, __, { model }) => listed({ no: t('None'), yes: learnedOr(model, t('Random')) }),
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
          explain: () =>
            t(
              'X·W has tokens as rows (GPT-2’s Conv1D, Keras, Flax); X·Wᵀ is nn.Linear, as q_proj.weight is stored, and W·x on columns.',
            ),
          paths: ['convention', 'projections.wq', 'projections.wk', 'projections.wv'],
          applies: hasX,
          locked: (_, { projections }) =>
            projections === 'given' || projections === 'fused'
              ? undefined
              : t('Only given matrices can be read in two ways; here none are.'),
          options: () => listed({ XW: 'X·W', XWT: 'X·Wᵀ' }),
          get: (s) => s.convention,
          set: (_, convention) => ({ convention: convention as Convention }),
          brief: (text, { projections }) => (projections === 'given' || projections === 'fused' ? text : ''),
        },
      ],
    },
  },
};

export const projecting = { kinds, fields };
