import { t, say } from '../../text';
import { listed, type Fields } from '../field';
import { expected, flag, oneOf, record, type Kind, type RecordOf } from '../kinds';
import { type Mask, type Switches as MaskSwitches } from './mask';
import { isRow } from './places';
import { hasScores, type Start } from './start';

/* Keys that are hidden besides the mask's: order, filling and segments at once. */

/** A number for each row, or such a list for each input of a batch. */
const lists: Kind<readonly number[] | readonly (readonly number[])[]> = {
  check: expected(
    () => t('a list of whole numbers, or one for each input'),
    (value) => isRow(value) || (Array.isArray(value) && value.length > 0 && value.every(isRow)),
  ),
  schema: () => {
    const list = { type: 'array', items: { type: 'number' } };
    return { anyOf: [list, { type: 'array', items: list }] };
  },
};

const kinds = {
  required: {},
  optional: {
    /** Keys that are hidden besides: see `AlsoHidden`. */
    alsoHidden: record({
      required: {},
      optional: {
        causal: flag,
        keys: record({ required: { values: lists, oneMeans: oneOf('visible', 'hidden') } }),
        segments: record({ required: { queries: lists }, optional: { keys: lists } }),
      },
    }),
  },
} as const;

/**
 * Keys that are hidden besides those of `mask`: a key that any of the masks hides is hidden. Absent: the mask alone.
 * - `causal`: keys after the query, beside a mask that does not say so (a given one, padding)
 * - `keys`: 0 or 1 for each key, or a list for each input of a batch. `visible`: a 1 is text (Hugging Face's attention_mask, T5's and Keras's padding masks);
 *   `hidden`: a 1 is filling (nn.MultiheadAttention's key_padding_mask)
 * - `segments`: the number of the text that a row belongs to, where several are packed into one sequence; keys of another segment are hidden. Without `keys`
 *   the keys have the queries' numbers.
 */
export type AlsoHidden = NonNullable<RecordOf<typeof kinds>['alsoHidden']>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly mask: Mask;
}

export interface Switches {
  readonly alsoHidden: {
    readonly alsoCausal: boolean;
    /** What a 1 among the input's numbers for keys means, or that they are left out. */
    readonly keysOne: 'none' | 'visible' | 'hidden';
    readonly segments: boolean;
  };
}

/** Whether the mask itself hides what comes after a query. */
export const isCausal = (mask: Mask): boolean =>
  mask === 'causal' || (typeof mask === 'object' && mask.kind === 'causal');

/** Whether masks beside the mask hide anything. */
export const hidesMore = ({ alsoHidden: of, mask }: Pick<Spec, 'alsoHidden' | 'mask'>): boolean =>
  of !== undefined && ((of.causal === true && !isCausal(mask)) || of.keys !== undefined || of.segments !== undefined);

function written({ alsoHidden: own }: Spec, s: Switches['alsoHidden']): AlsoHidden | undefined {
  const keys = own?.keys && s.keysOne !== 'none' ? { ...own.keys, oneMeans: s.keysOne } : undefined;
  const segments = s.segments ? own?.segments : undefined;
  const causal = s.alsoCausal || (own?.causal === false ? false : undefined);
  const some = causal !== undefined || keys !== undefined || segments !== undefined;
  if (!some) return own && Object.keys(own).length === 0 ? own : undefined;
  return { ...(causal !== undefined && { causal }), ...(keys && { keys }), ...(segments && { segments }) };
}

const fields: Fields<typeof kinds, Spec, Switches, Switches['alsoHidden'] & MaskSwitches['mask']> = {
  alsoHidden: {
    describe: () =>
      t(
        'Keys that are hidden besides the mask’s: later ones, filling (attention_mask, key_padding_mask), other segments of a packed sequence.',
      ),
    initial: 'absent',
    example: '.causal=true',
    limits: 'none',
    ignored: {
      alsoHidden: ({ alsoHidden, start }, plan) => (alsoHidden && start.from === 'weights' ? plan.begins : undefined),
      'alsoHidden.causal': ({ alsoHidden, mask, start }) =>
        alsoHidden?.causal && start.from !== 'weights' && isCausal(mask) ? say('the mask is causal') : undefined,
    },
    panel: {
      read: ({ alsoHidden: of }) => ({
        alsoCausal: of?.causal ?? false,
        keysOne: of?.keys?.oneMeans ?? 'none',
        segments: of?.segments !== undefined,
      }),
      write: written,
      controls: [
        {
          id: 'alsoCausal',
          group: 'scores',
          kind: 'choice',
          label: () => t('Later keys besides'),
          explain: () => t('Whether keys after the query are hidden too, beside what the mask hides.'),
          paths: ['alsoHidden', 'alsoHidden.causal'],
          applies: ({ start, alsoHidden }, { mask, alsoCausal }) =>
            hasScores({ start }) && !isCausal(mask) && (mask !== 'none' || alsoHidden !== undefined || alsoCausal),
          options: () => listed({ no: t('As the mask says'), yes: t('Hidden too') }),
          get: (s) => (s.alsoCausal ? 'yes' : 'no'),
          set: (_, value) => ({ alsoCausal: value === 'yes' }),
          brief: (_, { alsoCausal }) => (alsoCausal ? t('and causal') : ''),
        },
        {
          id: 'keysOne',
          group: 'scores',
          kind: 'choice',
          label: () => t('Filling'),
          explain: () => t('Which of the input’s numbers for keys marks filling, which no query sees.'),
          explainChoice: ({ keysOne }) =>
            keysOne === 'none'
              ? t('The numbers that came for the keys are left out: no key is hidden by them.')
              : keysOne === 'visible'
                ? t('A 1 is text: Hugging Face’s attention_mask, padding masks of T5 and Keras.')
                : t('A 1 (True) is filling: nn.MultiheadAttention’s key_padding_mask.'),
          paths: ['alsoHidden.keys', 'alsoHidden.keys.values', 'alsoHidden.keys.oneMeans'],
          applies: ({ start, alsoHidden }) => hasScores({ start }) && alsoHidden?.keys !== undefined,
          options: () => listed({ visible: t('0 is filling'), hidden: t('1 is filling'), none: t('None') }),
          get: (s) => s.keysOne,
          set: (_, value) => ({ keysOne: value as Switches['alsoHidden']['keysOne'] }),
          brief: (_, { keysOne }) => (keysOne === 'none' ? '' : t('filling hidden')),
        },
        {
          id: 'segments',
          group: 'scores',
          kind: 'choice',
          label: () => t('Segments'),
          explain: () => t('Whether a query sees only its own segment of a packed sequence (block-diagonal).'),
          paths: ['alsoHidden.segments', 'alsoHidden.segments.queries', 'alsoHidden.segments.keys'],
          applies: ({ start, alsoHidden }) => hasScores({ start }) && alsoHidden?.segments !== undefined,
          options: () => listed({ yes: t('Kept apart'), no: t('One sequence') }),
          get: (s) => (s.segments ? 'yes' : 'no'),
          set: (_, value) => ({ segments: value === 'yes' }),
          brief: (_, { segments }) => (segments ? t('by segments') : ''),
        },
      ],
    },
  },
};

export const alsoHiding = { kinds, fields };
