import { counted, t } from '../../text';
import { given, listed, type Fields } from '../field';
import { row, tagged, type RecordOf } from '../kinds';
import { hasScores, type Start } from './start';
import { withoutSoftmax, type WeighedBy, type Weighting } from './weighting';

/* A share of softmax that goes to no value. */

const kinds = {
  required: {},
  optional: {
    /** One more number in each row's softmax: see `Sink`. */
    sink: tagged('from', { one: { required: {} }, random: { required: {} }, given: { required: { logits: row } } }),
  },
} as const;

/**
 * One more number in the softmax of each row, whose share no value takes: the weights of a row no longer sum to 1, and a row may attend to nothing.
 * - `one`: 0, so that the denominator is 1 + Σ exp (Miller 2023, “softmax plus one”)
 * - `random`, `given`: a learned number for each head (the sinks of gpt-oss), drawn here or given as `logits`
 */
export type Sink = NonNullable<RecordOf<typeof kinds>['sink']>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly weighting?: Weighting;
  readonly heads: number;
}

export interface Switches {
  readonly sink: { readonly sink: 'none' | Sink['from'] };
}

const notes: Readonly<Record<Switches['sink']['sink'], () => string>> = {
  none: () => t('The weights of a row sum to 1.'),
  one: () => t('The denominator is 1 + Σ exp: a row may attend to nothing (Miller 2023, softmax plus one; add_zero_attn of nn.MultiheadAttention gives the same output).'),
  random: () => t('Each head has a number that takes its share of every row, drawn here, learned in a model: gpt-oss’s self_attn.sinks, neither scaled nor masked.'),
  given: () => t('Each head has a number that takes its share of every row, as given: gpt-oss’s self_attn.sinks, neither scaled nor masked.'),
}; // prettier-ignore

const fields: Fields<typeof kinds, Spec, Switches, Switches['sink'] & WeighedBy> = {
  sink: {
    describe: () => t('One more number in each row’s softmax, whose share goes to no value: gpt-oss’s sinks, softmax plus one.'),
    initial: 'absent',
    example: '.from=one',
    limits: ({ sink, heads, start }, problems) => {
      if (sink?.from !== 'given' || !hasScores({ start }) || sink.logits.length === heads) return;
      const path = 'sink.logits';
      const message = t('{0} has {1}, expected {2}', path, counted(sink.logits.length, 'number'), heads);
      problems.push({ code: 'shape-mismatch', path, message, hint: t('One for each head.') });
    },
    ignored: {
      sink: (spec, plan) =>
        spec.sink === undefined ? undefined : spec.start.from === 'weights' ? plan.begins : withoutSoftmax(spec),
    },
    panel: {
      read: ({ sink }) => ({ sink: sink?.from ?? 'none' }),
      write: ({ sink: own }, { sink }) =>
        sink === own?.from ? own : sink === 'one' || sink === 'random' ? { from: sink } : undefined,
      controls: [
        {
          id: 'sink',
          group: 'scores',
          kind: 'choice',
          label: () => t('Sink'),
          explain: () => t('One more number in each row’s softmax, whose share goes to no value.'),
          explainChoice: ({ sink }) => notes[sink](),
          paths: ['sink', 'sink.logits'],
          applies: (spec, { weighting }) => hasScores(spec) && weighting === 'softmax',
          options: ({ sink }) => [
            ...listed({ none: t('None'), one: t('Softmax plus one'), random: t('Random, one a head') }),
            ...(sink?.from === 'given' ? [{ value: given, text: t('As given') }] : []),
          ],
          get: (s) => s.sink,
          set: (_, value) => ({ sink: value as Switches['sink']['sink'] }),
          brief: (text, { sink }) => (sink === 'none' ? '' : sink === 'one' ? text : t('sinks')),
        },
      ],
    },
  },
}; // prettier-ignore

export const sinking = { kinds, fields };
