import { counted, t, type Problem, say } from '../../text';
import { both, listed, type Fields } from '../field';
import { flag, matrix, number, oneOf, record, row, tagged, type RecordOf } from '../kinds';
import { checkLimit, wholeFrom, type Limit } from '../limits';
import type { SpecNumber } from '../matrix';
import type { Embedding } from './input';
import { learnedOr, type Switches as ModelSwitches } from './model';
import { fusedWidth, type Convention, type Projections } from './projections';
import { hasX, sizesOf, type Start } from './start';

/* How many heads there are and how they come together. */

const outputProjection = tagged('from', {
  none: { required: {} },
  random: { required: {}, optional: { bias: flag } },
  given: { required: { wo: matrix }, optional: { bo: row } },
});

const kinds = {
  required: {
    /** Query heads h. */
    heads: number,
  },
  optional: {
    /** Key and value heads; a divisor of `heads` (grouped-query attention; 1: multi-query). Default: `heads`. */
    kvHeads: number,
    /** W_O after the heads are concatenated, and its bias. */
    outputProjection,
    /** RMS norm of queries and keys before RoPE: see `QkNorm`. */
    qkNorm: record({ required: { over: oneOf('head', 'all') }, optional: { epsilon: number, gq: row, gk: row } }),
  },
} as const;

/**
 * Queries and keys divided by the root of the mean of their squares plus `epsilon` (default 10⁻⁶) and multiplied by gains (all 1 where none are
 * given), before RoPE. `head`: over the d_k numbers of each head, gains of d_k (Qwen 3). `all`: over a token's numbers of all heads, before they are
 * cut, gains of as many (OLMo 2).
 */
export type QkNorm = NonNullable<RecordOf<typeof kinds>['qkNorm']>;

/** That of Qwen 3's and OLMo 2's models. */
export const defaultEpsilon = 1e-6;

/** W_O (h·d_v×d_model) after the heads are concatenated, and its bias. */
export type OutputProjection = NonNullable<RecordOf<typeof kinds>['outputProjection']>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly dModel: number;
  readonly embedding?: Embedding;
  readonly projections: Projections;
  readonly convention: Convention;
}

export interface Switches {
  readonly heads: { readonly heads: number };
  readonly kvHeads: {
    /** null: as many as heads. */
    readonly kvHeads: number | null;
  };
  readonly outputProjection: { readonly output: OutputProjection['from']; readonly outputBias: boolean };
  readonly qkNorm: { readonly qkNorm: 'none' | QkNorm['over']; readonly qkEpsilon: number };
}

const headLimit = wholeFrom(1, 256);

/** Whether columns can be cut into heads: matrices that came one a head cannot. */
const cuts = (spec: Spec): boolean =>
  hasX(spec) || (spec.start.from === 'qkv' && typeof spec.start.q[0]?.[0] !== 'object');

const hasOutput = ({ start }: Spec): boolean =>
  start.from === 'text' ||
  start.from === 'ids' ||
  start.from === 'x' ||
  (start.from !== 'program' && start.v !== undefined);

function writtenOutput(spec: Spec, s: Switches['outputProjection']): OutputProjection | undefined {
  const { outputProjection: own } = spec;
  const { output, outputBias } = s;
  if (own?.from === output && (own.from !== 'random' || (own.bias ?? false) === outputBias)) return own;
  if (output === 'random') return { from: 'random', ...(outputBias ? { bias: true } : {}) };
  return own && { from: 'none' };
}

const hasBranches = ({ start }: Spec): boolean => hasX({ start }) || start.from === 'qkv';

const epsilonLimit: Limit = { whole: false, least: 0, most: Infinity, expected: () => t('a finite number, 0 or more') };

/** The gains that were given belong to the widths that they were given for. */
function writtenNorm(
  { qkNorm: own }: Spec,
  { qkNorm: over, qkEpsilon: epsilon }: Switches['qkNorm'],
): QkNorm | undefined {
  if (over === 'none') return undefined;
  const { epsilon: given = defaultEpsilon } = own ?? {};
  if (own?.over === over && given === epsilon) return own;
  return { ...(own?.over === over && own), over, epsilon };
}

function checkNorm(spec: Spec, problems: Problem[]): void {
  const { qkNorm, start, heads, kvHeads = heads } = spec;
  if (!qkNorm || !hasBranches(spec)) return;
  checkLimit(problems, 'qkNorm.epsilon', qkNorm.epsilon ?? defaultEpsilon, epsilonLimit);
  const split = start.from === 'qkv' && [start.q, start.k].some((of) => Array.isArray(of[0]?.[0]));
  if (qkNorm.over === 'all' && split && heads > 1) {
    const message = t('qkNorm.over is "all", but Q and K came as one matrix for each head');
    problems.push({ code: 'heads', path: 'qkNorm.over', message, hint: t('Take "head", or give Q and K whole.') });
    return;
  }
  for (const branch of ['q', 'k'] as const) {
    const [gains, width] = [qkNorm[`g${branch}`], branchWidth(spec, branch)];
    const expected = qkNorm.over === 'all' ? width : width / (branch === 'q' ? heads : kvHeads);
    if (gains && Number.isInteger(expected) && gains.length !== expected) checkGains(branch, gains, expected, problems);
  }
}

function checkGains(branch: 'q' | 'k', gains: readonly SpecNumber[], expected: number, problems: Problem[]): void {
  const path = `qkNorm.g${branch}`;
  const message = t('{0} has {1}, expected {2}', path, counted(gains.length, 'number'), expected);
  problems.push({
    code: 'shape-mismatch',
    path,
    message,
    hint: t('One gain for each number that is normed together.'),
  });
}

/** Columns of Q or K with all heads side by side; NaN where something else does not fit. */
function branchWidth(spec: Spec, branch: 'q' | 'k'): number {
  const { start, projections, convention, heads, kvHeads = heads } = spec;
  const own = branch === 'q' ? heads : kvHeads;
  if (start.from === 'qkv') {
    const sizes = sizesOf(start[branch]);
    return (sizes.at(-1) ?? NaN) * (sizes.length > 2 ? own : 1);
  }
  if (projections.from === 'random') return projections.dK * own;
  if (projections.from === 'fused') return fusedWidth(spec, projections) * own;
  if (projections.from === 'given') return sizesOf(projections[`w${branch}`]).at(convention === 'XW' ? -1 : -2) ?? NaN;
  if (start.from === 'x') return sizesOf(branch === 'k' ? (start.context ?? start.x) : start.x).at(-1) ?? NaN;
  return spec.embedding?.from === 'given' ? (sizesOf(spec.embedding.table).at(-1) ?? NaN) : spec.dModel;
}

const fields: Fields<
  typeof kinds,
  Spec,
  Switches,
  Switches['heads'] & Switches['kvHeads'] & Switches['outputProjection'] & Switches['qkNorm'] & ModelSwitches['model']
> = {
  heads: {
    describe: () => t('Query heads h.'),
    initial: both(1),
    example: '=2',
    limits: ({ heads }, problems) => checkLimit(problems, 'heads', heads, headLimit, 'heads'),
    ignored: 'never',
    panel: {
      read: ({ heads }) => ({ heads }),
      write: (_, { heads }) => heads,
      controls: [
        {
          id: 'heads',
          group: 'heads',
          kind: 'number',
          limit: headLimit,
          label: () => t('Heads'),
          explain: () =>
            t(
              'Attention this many times side by side, each with columns of its own (num_attention_heads): head k has the k-th d_k columns.',
            ),
          paths: ['heads'],
          applies: cuts,
          get: (s) => String(s.heads),
          set: (_, heads) => ({ heads }),
          brief: (text) => (text === '1' ? t('1 head') : t('{0} heads', text)),
        },
      ],
    },
  },
  kvHeads: {
    describe: () =>
      t(
        'Key and value heads; a divisor of heads. Query heads beside one another share one (num_key_value_heads, repeat_kv).',
      ),
    initial: 'absent',
    example: '=1',
    limits: ({ heads, kvHeads }, problems) => {
      if (kvHeads === undefined || (Number.isInteger(kvHeads) && kvHeads >= 1 && heads % kvHeads === 0)) return;
      const message = t('kvHeads is {0}, expected a divisor of heads ({1})', kvHeads, heads);
      problems.push({ code: 'heads', path: 'kvHeads', message });
    },
    ignored: {
      kvHeads: ({ heads, kvHeads = heads }, { branches }) =>
        kvHeads !== heads && branches.k === undefined && branches.v === undefined
          ? say('there is no {K} and no {V}')
          : undefined,
    },
    panel: {
      read: ({ heads, kvHeads }) => ({ kvHeads: kvHeads === undefined || kvHeads === heads ? null : kvHeads }),
      write: (spec, s) => s.kvHeads ?? (spec.kvHeads === s.heads ? s.heads : undefined),
      controls: [
        {
          id: 'kvHeads',
          group: 'heads',
          kind: 'number',
          limit: headLimit,
          label: () => t('Key and value heads'),
          explain: () =>
            t(
              'num_key_value_heads. Fewer than heads: query heads beside one another share one, heads 0 to h/g − 1 the first of g (Hugging Face’s repeat_kv, enable_gqa). 1 is multi-query.',
            ),
          paths: ['kvHeads'],
          applies: (spec, s) => cuts(spec) && s.heads > 1,
          get: (s) => String(s.kvHeads ?? s.heads),
          set: (s, kvHeads) => ({ kvHeads: kvHeads === s.heads ? null : kvHeads }),
          brief: (text, { kvHeads }) => (kvHeads === null ? '' : t('{0} for K and V', text)),
        },
      ],
    },
  },
  outputProjection: {
    describe: () => t('W_O and b_O.'),
    initial: 'absent',
    example: '={"from":"random"}',
    limits: 'none',
    ignored: {
      outputProjection: ({ outputProjection = { from: 'none' } }, { branches }) =>
        outputProjection.from !== 'none' && branches.v === undefined ? say('there is no {V}, so no output') : undefined,
    },
    panel: {
      read: ({ outputProjection: own }) => ({
        output: own?.from ?? 'none',
        outputBias: own?.from === 'random' && own.bias === true,
      }),
      write: writtenOutput,
      controls: [
        {
          id: 'output',
          group: 'heads',
          kind: 'choice',
          label: () => t('Output projection'),
          explain: () => t('W_O mixes the joined heads (o_proj, out_proj, c_proj).'),
          paths: ['outputProjection', 'outputProjection.wo', 'outputProjection.bo'],
          applies: hasOutput,
          options: ({ outputProjection }, _, { model }) => [
            ...(outputProjection?.from === 'given' ? [{ value: 'given', text: t('Your W_O') }] : []),
            { value: 'none', text: t('None') },
            { value: 'random', text: model ? t('W_O of {0}', model) : t('Random W_O') },
          ],
          get: (s) => s.output,
          set: (_, output) => ({ output: output as OutputProjection['from'] }),
          brief: (text) => (text === t('None') ? t('no W_O') : text),
        },
        {
          id: 'outputBias',
          group: 'heads',
          kind: 'choice',
          label: () => t('Its bias'),
          explain: () => t('A row b_O added to every row of the output.'),
          paths: ['outputProjection.bias'],
          applies: (spec, s) => hasOutput(spec) && s.output === 'random',
          options: (_, __, { model }) => listed({ no: t('None'), yes: learnedOr(model, t('Random')) }),
          get: (s) => (s.outputBias ? 'yes' : 'no'),
          set: (_, value) => ({ outputBias: value === 'yes' }),
          brief: (text) => (text === t('None') ? '' : 'b_O'),
        },
      ],
    },
  },
  qkNorm: {
    describe: () => t('RMS norm of Q and K before RoPE: over each head (Qwen 3) or all of a row (OLMo 2).'),
    initial: 'absent',
    example: '.over=head',
    limits: checkNorm,
    ignored: {
      qkNorm: ({ qkNorm }, plan) => (qkNorm && !plan.has('qNormed') ? plan.begins : undefined),
    },
    panel: {
      read: ({ qkNorm }) => ({ qkNorm: qkNorm?.over ?? 'none', qkEpsilon: qkNorm?.epsilon ?? defaultEpsilon }),
      write: writtenNorm,
      controls: [
        {
          id: 'qkNorm',
          group: 'heads',
          kind: 'choice',
          label: () => t('Norm of Q and K'),
          explain: () =>
            t(
              'Divides each query and key by the root of the mean of its squares, before RoPE: q_norm and k_norm. Per head in Qwen 3 and Gemma 3 (whose gains are 1 + weight), over all heads in OLMo 2.',
            ),
          paths: ['qkNorm', 'qkNorm.over', 'qkNorm.gq', 'qkNorm.gk'],
          applies: hasBranches,
          options: () =>
            listed({ none: t('None'), head: t('RMS of each head (Qwen 3)'), all: t('RMS of all heads (OLMo 2)') }),
          get: (s) => s.qkNorm,
          set: (_, qkNorm) => ({ qkNorm: qkNorm as Switches['qkNorm']['qkNorm'] }),
          brief: (text) => (text === t('None') ? '' : t('QK-norm')),
        },
        {
          id: 'qkEpsilon',
          group: 'heads',
          kind: 'number',
          limit: epsilonLimit,
          label: () => 'ε',
          explain: () =>
            t(
              'rms_norm_eps, 10⁻⁶ in Qwen 3 and Gemma 3: added to the mean of squares, so that a row of zeros can be divided.',
            ),
          paths: ['qkNorm.epsilon'],
          applies: (spec, s) => hasBranches(spec) && s.qkNorm !== 'none',
          get: (s) => String(s.qkEpsilon),
          set: (_, qkEpsilon) => ({ qkEpsilon }),
          brief: () => '',
        },
      ],
    },
  },
};

export const heading = { kinds, fields };
