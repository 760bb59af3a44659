import { t, say } from '../../text';
import { both, given, listed, type Fields } from '../field';
import { flag, number, oneOf, tagged, tensor, wordOr, type Kind, type RecordOf } from '../kinds';
import { checkLimit, wholeFrom } from '../limits';
import { hasScores, type Start } from './start';
import { withoutSoftmax, type WeighedBy, type Weighting } from './weighting';

/* Which keys a query may not see, and what becomes of them. */

const mask = wordOr(
  ['none', 'causal'],
  tagged('kind', {
    causal: { required: { alignment: oneOf('start', 'end') } },
    padding: { required: { visible: number } },
    window: { required: { size: number, causal: flag }, optional: { counts: oneOf('others', 'self') } },
    boolean: { required: { values: tensor, trueMeans: oneOf('hidden', 'visible') } },
    additive: { required: { values: tensor } },
  }),
);

const fillWord = oneOf('-inf', 'min');
const maskFill: Kind<'-inf' | 'min' | number> = {
  check: (value, path, problems) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) fillWord.check(value, path, problems);
  },
  schema: () => ({ oneOf: [fillWord.schema(), { type: 'number' }] }),
};

const kinds = {
  required: {
    /** Which keys a query may not see: see `Mask`. */
    mask,
    /** What stands in a masked cell before the softmax; `min`: the dtype's lowest finite number. */
    maskFill,
  },
  optional: {
    /** The weights of a row whose keys are all hidden with −inf: NaN (softmax in NumPy and PyTorch) or zero (some kernels). Default NaN. */
    fullyMasked: oneOf('nan', 'zero'),
  },
} as const;

/**
 * Which keys a query may not see.
 * - `causal`: those after it; `alignment` says where query 0 stands when m ≠ n: beside key 0 (`start`, torch.tril) or so that
 *   the last query sees the last key (`end`, a decoder with a cache). Default `start`. RoPE, ALiBi and added positions count queries
 *   from 0 all the same: the plan's notes say so.
 * - `padding`: all keys from `visible` on
 * - `window`: those further than `size` away, and the later ones if `causal`. Query 0 is beside key 0. `counts` says what the size counts: `others`
 *   (default) the keys beside the token, so that Hugging Face's sliding_window of 3 is 2; `self` the token too, as Hugging Face does: causal, 3 are the token
 *   and two before it; on both sides it is the whole width, half on each side (ModernBERT's local_attention).
 * - `boolean`: `values` 0 or 1; `trueMeans` states the polarity (`hidden`: PyTorch's MultiheadAttention; `visible`:
 *   scaled_dot_product_attention)
 * - `additive`: added to the scaled scores, usually 0 and −inf
 *
 * Given values are n×m for all, or have the last dimensions of the scores: one matrix for each head (for each input, with one head
 * in a batch of X), or for each head of each input. Any axis may be 1, and is repeated: 1×m for every query, n×1 for every key.
 */
export type Mask = RecordOf<typeof kinds>['mask'];
type MaskFill = RecordOf<typeof kinds>['maskFill'];

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly weighting?: Weighting;
  readonly alsoHidden?: object;
}

export interface Switches {
  readonly mask: { readonly mask: Mask };
  readonly maskFill: { readonly maskFill: MaskFill };
  readonly fullyMasked: { readonly fullyMasked: 'nan' | 'zero' };
}

/** Keys that a mask of the spec, and one of the panel, may count. */
const [keyLimit, selfLimit, panelLimit] = [wholeFrom(0, 1_000_000), wholeFrom(1, 1_000_000), wholeFrom(0, 100_000)];

type OfKind<K> = Extract<Mask, { readonly kind: K }>;
export const isWindow = (mask: Mask): mask is OfKind<'window'> => typeof mask === 'object' && mask.kind === 'window';
/** How many keys beside its own a query sees on each side that it sees. */
export const reachOf = ({ size, causal, counts }: OfKind<'window'>): number =>
  counts !== 'self' ? size : causal ? size - 1 : Math.floor(size / 2);

/** The same window, its size counted otherwise. */
function counted(mask: OfKind<'window'>, counts: 'others' | 'self'): OfKind<'window'> {
  const { counts: _, ...rest } = mask;
  const reach = reachOf(mask);
  return counts === 'others' ? { ...rest, size: reach } : { ...rest, size: mask.causal ? reach + 1 : 2 * reach + 1, counts };
} // prettier-ignore

const isPadding = (mask: Mask): mask is OfKind<'padding'> => typeof mask === 'object' && mask.kind === 'padding';
/** Ones and zeros that came with the input: which of the two hides is a matter of the library. */
const isFlags = (mask: Mask): mask is OfKind<'boolean'> => typeof mask === 'object' && mask.kind === 'boolean';
/** Numbers to be added that came with the input. */
const isAdded = (mask: Mask): boolean => typeof mask === 'object' && mask.kind === 'additive';
const hides = (spec: Spec, { mask }: Switches['mask']): boolean =>
  hasScores(spec) && ((mask !== 'none' && !isAdded(mask)) || spec.alsoHidden !== undefined);

function nameOfMask(mask: Mask): string {
  if (typeof mask === 'string') return mask;
  if (mask.kind === 'causal') return mask.alignment === 'end' ? 'causal-end' : 'causal';
  if (mask.kind === 'boolean') return `boolean-${mask.trueMeans}`;
  return mask.kind === 'window' && mask.causal ? 'window-causal' : mask.kind;
}

/** The input's own mask, read as it came or the other way round. */
const ownMask = (mask: Mask, value: string): Mask =>
  isFlags(mask) ? { ...mask, trueMeans: value === 'boolean-hidden' ? 'hidden' : 'visible' } : mask;

const masks: Readonly<Record<string, { readonly mask: Mask; readonly name: () => string }>> = {
  none: { mask: 'none', name: () => t('None') },
  causal: { mask: 'causal', name: () => t('Causal') },
  'causal-end': { mask: { kind: 'causal', alignment: 'end' }, name: () => t('Causal, ends aligned') },
  'window-causal': { mask: { kind: 'window', size: 1, causal: true }, name: () => t('Window, causal') },
  window: { mask: { kind: 'window', size: 1, causal: false }, name: () => t('Window, both sides') },
  padding: { mask: { kind: 'padding', visible: 1 }, name: () => t('Padding') },
};

const notes: Readonly<Record<string, () => string>> = {
  none: () => t('Every query sees every key.'),
  causal: () =>
    t(
      'A token sees itself and what stands before it: query 0 beside key 0 (torch.tril, is_causal of scaled_dot_product_attention).',
    ),
  'causal-end': () =>
    [
      t(
        'Causal, the last query beside the last key: a decoder with a cache (flash-attn from 2.1 on, causal_lower_right).',
      ),
      t('Positions (RoPE, ALiBi, added) still count queries from 0, unless their first position is given.'),
    ].join(' '),
  'window-causal': () => t('A token sees itself and some before it.'),
  window: () => t('A token sees its neighbours on both sides.'),
  padding: () => t('Keys at the end are no text and hidden.'),
  'boolean-visible': () => t('Your mask, a 1 (True) may be seen: as scaled_dot_product_attention reads it.'),
  'boolean-hidden': () => t('Your mask, a 1 (True) is hidden: as masked_fill and nn.MultiheadAttention read it.'),
  additive: () => t('The mask that came with the input is added to the scores.'),
};

const fields: Fields<
  typeof kinds,
  Spec,
  Switches,
  Switches['mask'] & Switches['maskFill'] & Switches['fullyMasked'] & WeighedBy
> = {
  mask: {
    describe: () =>
      [
        t('Which keys a query may not see.'),
        t(
          'A window’s size does not count the token itself: Hugging Face’s sliding_window of 3 is 2 here, or 3 with counts “self”.',
        ),
        t(
          'Alignment “end” puts the last query beside the last key; RoPE, ALiBi and added positions still count queries from 0.',
        ),
      ].join(' '),
    initial: both('none'),
    example: '=causal',
    limits: ({ mask }, problems) => {
      if (isPadding(mask)) checkLimit(problems, 'mask.visible', mask.visible, keyLimit);
      if (isWindow(mask)) checkLimit(problems, 'mask.size', mask.size, mask.counts === 'self' ? selfLimit : keyLimit);
    },
    ignored: {
      mask: ({ start, mask }, plan) => (start.from === 'weights' && mask !== 'none' ? plan.begins : undefined),
    },
    panel: {
      read: ({ mask }) => ({ mask }),
      write: (_, { mask }) => mask,
      controls: [
        {
          id: 'mask',
          group: 'scores',
          kind: 'choice',
          part: 'mask',
          label: () => t('Mask'),
          explain: () => t('Which keys a query may not see.'),
          explainChoice: ({ mask }) => notes[nameOfMask(mask)]?.() ?? '',
          paths: ['mask', 'mask.values'],
          applies: hasScores,
          options: ({ mask }) => [
            ...Object.entries(masks).map(([value, { name }]) => ({ value, text: name() })),
            ...(isAdded(mask) ? [{ value: given, text: t('As given') }] : []),
            ...(isFlags(mask)
              ? listed({
                  'boolean-visible': t('As given, 1 is seen'),
                  'boolean-hidden': t('As given, 1 is hidden'),
                })
              : []),
          ],
          get: (s) => (isAdded(s.mask) ? given : nameOfMask(s.mask)),
          set: (_, value, spec) => ({ mask: masks[value]?.mask ?? ownMask(spec.mask, value) }),
          brief: (text) => (text === t('None') ? t('no mask') : text),
        },
        {
          id: 'windowSize',
          group: 'scores',
          kind: 'number',
          part: 'mask',
          limit: panelLimit,
          label: () => t('Window'),
          explain: () =>
            t(
              'Keys up to this far away are seen, and the token itself, as flash-attn’s window_size counts. Hugging Face’s sliding_window counts the token too: its 3 is 2 here.',
            ),
          explainChoice: ({ mask }) =>
            !isWindow(mask) || mask.counts !== 'self'
              ? t(
                  'Keys up to this far away are seen, and the token itself, as flash-attn’s window_size counts. Hugging Face’s sliding_window counts the token too: its 3 is 2 here.',
                )
              : mask.causal
                ? t('sliding_window as Hugging Face counts it: the token itself and those before it.')
                : t(
                    'The whole width as ModernBERT’s local_attention and Longformer’s attention_window count it: half of it on each side.',
                  ),
          paths: ['mask.size'],
          applies: (spec, { mask }) => hasScores(spec) && isWindow(mask),
          get: ({ mask }) => (isWindow(mask) ? String(mask.size) : ''),
          set: (s, size) => ({ mask: isWindow(s.mask) ? { ...s.mask, size } : s.mask }),
          brief: (text) => t('of {0}', text),
        },
        {
          id: 'windowCounts',
          group: 'scores',
          kind: 'choice',
          part: 'mask',
          label: () => t('The window counts'),
          explain: () => t('What its size counts; the window stays the same.'),
          paths: ['mask.counts'],
          applies: (spec, { mask }) => hasScores(spec) && isWindow(mask),
          options: () => listed({ others: t('Keys beside the token'), self: t('The token too (Hugging Face)') }),
          get: ({ mask }) => (isWindow(mask) ? (mask.counts ?? 'others') : ''),
          set: ({ mask }, value) => ({ mask: isWindow(mask) ? counted(mask, value as 'others' | 'self') : mask }),
          brief: () => '',
        },
        {
          id: 'visible',
          group: 'scores',
          kind: 'number',
          part: 'mask',
          limit: panelLimit,
          label: () => t('Keys that are no padding'),
          explain: () => t('Keys from this one on are padding and hidden.'),
          paths: ['mask.visible'],
          applies: (spec, { mask }) => hasScores(spec) && isPadding(mask),
          get: ({ mask }) => (isPadding(mask) ? String(mask.visible) : ''),
          set: (s, visible) => ({ mask: isPadding(s.mask) ? { ...s.mask, visible } : s.mask }),
          brief: (text) => t('{0} keys', text),
        },
      ],
    },
  },
  maskFill: {
    describe: () =>
      t(
        'What stands in a masked cell before softmax: -inf (PyTorch), min (torch.finfo(dtype).min, Hugging Face), or a number.',
      ),
    initial: both('-inf'),
    example: '=-1e9',
    limits: 'none',
    ignored: {
      maskFill: ({ start, mask, maskFill, weighting, alsoHidden }, plan) => {
        if (maskFill === '-inf') return undefined;
        if (weighting?.by === 'linear' && (mask !== 'none' || alsoHidden)) return say('a hidden similarity is 0');
        if (plan.operation('masked') === 'mask') return undefined;
        if (start.from === 'weights') return plan.begins;
        return mask === 'none' ? say('there is no mask') : say('the mask is added');
      },
    },
    panel: {
      read: ({ maskFill }) => ({ maskFill }),
      write: (_, { maskFill }) => maskFill,
      controls: [
        {
          id: 'maskFill',
          group: 'scores',
          kind: 'choice',
          label: () => t('Hidden cells hold'),
          explain: () =>
            t(
              'What stands in a hidden cell before softmax: −∞ in PyTorch’s own attention, the dtype’s lowest (torch.finfo(dtype).min) in Hugging Face’s models, −1e9 in the Annotated Transformer.',
            ),
          paths: ['maskFill'],
          applies: (spec, s) => hides(spec, s) && s.weighting !== 'linear',
          options: ({ maskFill }) => [
            { value: '-inf', text: '−∞' },
            { value: '-1000000000', text: '−1e9' },
            { value: 'min', text: t('The lowest finite number') },
            ...(typeof maskFill === 'number' && maskFill !== -1e9
              ? [{ value: String(maskFill), text: String(maskFill) }]
              : []),
          ],
          get: (s) => String(s.maskFill),
          set: (_, value) => ({ maskFill: value === '-inf' || value === 'min' ? value : Number(value) }),
          brief: (text, { maskFill }) => (maskFill === '-inf' ? '' : text),
        },
      ],
    },
  },
  fullyMasked: {
    describe: () => t('The weights of a row whose keys are all hidden.'),
    initial: 'absent',
    example: '=zero',
    limits: 'none',
    ignored: {
      // Without a mask it still has a say: scores can be −∞ by themselves.
      fullyMasked: (spec, plan) =>
        spec.fullyMasked === undefined
          ? undefined
          : spec.start.from === 'weights'
            ? plan.begins
            : spec.weighting?.by === 'linear'
              ? undefined
              : withoutSoftmax(spec),
    },
    panel: {
      read: ({ fullyMasked = 'nan' }) => ({ fullyMasked }),
      write: (spec, { fullyMasked }) =>
        fullyMasked === 'nan' && spec.fullyMasked === undefined ? undefined : fullyMasked,
      controls: [
        {
          id: 'fullyMasked',
          group: 'scores',
          kind: 'choice',
          label: () => t('A row that sees nothing'),
          explain: () =>
            t(
              'softmax of −∞ alone is NaN in NumPy and PyTorch; flash-attn and other kernels give 0. With a finite number in hidden cells the shares are even.',
            ),
          paths: ['fullyMasked'],
          applies: (spec, s) => hides(spec, s) && s.maskFill === '-inf' && s.weighting === 'softmax',
          options: () => listed({ nan: 'NaN', zero: '0' }),
          get: (s) => s.fullyMasked,
          set: (_, value) => ({ fullyMasked: value as 'nan' | 'zero' }),
          brief: () => '',
        },
      ],
    },
  },
};

export const masking = { kinds, fields };
