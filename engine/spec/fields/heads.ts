import { t } from '../../text/l10n';
import { say } from '../../text/sentence';
import { both, listed, type Fields } from '../field';
import { flag, matrix, number, row, tagged, type RecordOf } from '../kinds';
import { checkLimit, wholeFrom } from '../limits';
import { hasX, type Start } from './start';

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
  },
} as const;

/** W_O (h·d_v×d_model) after the heads are concatenated, and its bias. */
export type OutputProjection = NonNullable<RecordOf<typeof kinds>['outputProjection']>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
}

export interface Switches {
  readonly heads: { readonly heads: number };
  readonly kvHeads: {
    /** null: as many as heads. */
    readonly kvHeads: number | null;
  };
  readonly outputProjection: { readonly output: OutputProjection['from']; readonly outputBias: boolean };
}

const headLimit = wholeFrom(1, 256);

/** Whether columns can be cut into heads: matrices that came one a head cannot. */
const cuts = (spec: Spec): boolean =>
  hasX(spec) || (spec.start.from === 'qkv' && typeof spec.start.q[0]?.[0] !== 'object');

const hasOutput = ({ start }: Spec): boolean =>
  start.from === 'text' || start.from === 'ids' || start.from === 'x' || start.v !== undefined;

function writtenOutput(spec: Spec, s: Switches['outputProjection']): OutputProjection | undefined {
  const { outputProjection: own } = spec;
  const { output, outputBias } = s;
  if (own?.from === output && (own.from !== 'random' || (own.bias ?? false) === outputBias)) return own;
  if (output === 'random') return { from: 'random', ...(outputBias ? { bias: true } : {}) };
  return own && { from: 'none' };
}

const fields: Fields<
  typeof kinds,
  Spec,
  Switches,
  Switches['heads'] & Switches['kvHeads'] & Switches['outputProjection']
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
          explain: () => t('Attention this many times side by side, each with columns of its own.'),
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
    describe: () => t('Key and value heads; a divisor of heads.'),
    initial: 'absent',
    example: '=1',
    limits: ({ heads, kvHeads }, problems) => {
      if (kvHeads === undefined || (Number.isInteger(kvHeads) && kvHeads >= 1 && heads % kvHeads === 0)) return;
      const message = t('kvHeads is {0}, expected a divisor of heads ({1})', kvHeads, heads);
      problems.push({ code: 'heads', path: 'kvHeads', message });
    },
    ignored: {
      kvHeads: ({ heads, kvHeads = heads }, { lanes }) =>
        kvHeads !== heads && lanes.k === undefined && lanes.v === undefined
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
          explain: () => t('Fewer than heads: query heads share them (grouped-query attention; 1 is multi-query).'),
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
      outputProjection: ({ outputProjection = { from: 'none' } }, { lanes }) =>
        outputProjection.from !== 'none' && lanes.v === undefined ? say('there is no {V}, so no output') : undefined,
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
          explain: () => t('W_O mixes the joined heads.'),
          paths: ['outputProjection', 'outputProjection.wo', 'outputProjection.bo'],
          applies: hasOutput,
          options: ({ outputProjection }) => [
            ...(outputProjection?.from === 'given' ? [{ value: 'given', text: t('Your W_O') }] : []),
            { value: 'none', text: t('None') },
            { value: 'random', text: t('Random W_O') },
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
          options: () => listed({ no: t('None'), yes: t('Random') }),
          get: (s) => (s.outputBias ? 'yes' : 'no'),
          set: (_, value) => ({ outputBias: value === 'yes' }),
          brief: (text) => (text === t('None') ? '' : 'b_O'),
        },
      ],
    },
  },
};

export const heading = { kinds, fields };
