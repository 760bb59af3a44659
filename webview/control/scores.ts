import { t, type AttentionSpec, type Mask } from '../../engine/index';
import type { Switches } from '../page/switches';
import { choices, given, hasScores, hasX, listed, type Control } from './kinds';

type Window = Extract<Mask, { kind: 'window' }>;
type Padding = Extract<Mask, { kind: 'padding' }>;
type Flags = Extract<Mask, { kind: 'boolean' }>;
const isWindow = (mask: Mask): mask is Window => typeof mask === 'object' && mask.kind === 'window';
const isPadding = (mask: Mask): mask is Padding => typeof mask === 'object' && mask.kind === 'padding';
/** Ones and zeros that came with the input: which of the two hides is a matter of the library. */
const isFlags = (mask: Mask): mask is Flags => typeof mask === 'object' && mask.kind === 'boolean';
/** Numbers to be added that came with the input. */
const isAdded = (mask: Mask): boolean => typeof mask === 'object' && mask.kind === 'additive';
const hides = (spec: AttentionSpec, { mask }: Switches): boolean =>
  hasScores(spec) && mask !== 'none' && !isAdded(mask);

function kindOf(mask: Mask): string {
  if (typeof mask === 'string') return mask;
  if (mask.kind === 'causal') return mask.alignment === 'end' ? 'causal-end' : 'causal';
  if (mask.kind === 'boolean') return `boolean-${mask.trueMeans}`;
  return mask.kind === 'window' && mask.causal ? 'window-causal' : mask.kind;
}

const flagNames = {
  'boolean-visible': t('As given, 1 is seen'),
  'boolean-hidden': t('As given, 1 is hidden'),
} as const;

/** The input's own mask, read as it came or the other way round. */
const ownMask = (mask: Mask, value: string): Mask =>
  isFlags(mask) ? { ...mask, trueMeans: value === 'boolean-hidden' ? 'hidden' : 'visible' } : mask;

const maskNames = {
  none: t('None'), causal: t('Causal'), 'causal-end': t('Causal, ends aligned'), 'window-causal': t('Window, causal'), window: t('Window, both sides'), padding: t('Padding'),
} as const; // prettier-ignore

const masks: Readonly<Record<string, Mask>> = {
  none: 'none',
  causal: 'causal',
  'causal-end': { kind: 'causal', alignment: 'end' },
  'window-causal': { kind: 'window', size: 1, causal: true },
  window: { kind: 'window', size: 1, causal: false },
  padding: { kind: 'padding', visible: 1 },
};

const maskNotes: Readonly<Record<string, string>> = {
  none: t('Every query sees every key.'),
  causal: t('A token sees itself and what stands before it.'),
  'causal-end': t('Causal, the last query beside the last key: a decoder with a cache.'),
  'window-causal': t('A token sees itself and some before it.'),
  window: t('A token sees its neighbours on both sides.'),
  padding: t('Keys at the end are no text and hidden.'),
  'boolean-visible': t('Your mask, a 1 (True) may be seen: as scaled_dot_product_attention reads it.'),
  'boolean-hidden': t('Your mask, a 1 (True) is hidden: as masked_fill and nn.MultiheadAttention read it.'),
  additive: t('The mask that came with the input is added to the scores.'),
};

/** Scale, mask and what else happens to the scores. */
export const scoresControls: readonly Control[] = [
  {
    id: 'scale', group: 'scores', kind: 'choice', label: t('Scale'),
    explain: t('What the scores are divided by before softmax.'),
    paths: [], applies: hasScores,
    options: (spec) => [
      { value: 'sqrt_d_k', text: '÷ √d_k' },
      { value: 'none', text: t('None') },
      ...(hasX(spec) ? [{ value: 'sqrt_d_model', text: t('÷ √d_model') }] : []),
      { value: 'number', text: t('÷ a number') },
    ],
    get: ({ scale }) => (typeof scale === 'object' ? 'number' : scale),
    set: (s, value) => ({
      ...s,
      scale: value === 'number' ? { divideBy: 2 } : (value as Extract<Switches['scale'], string>),
    }),
  },
  {
    id: 'divideBy', group: 'scores', kind: 'number', label: t('Divide by'),
    expected: t('a number other than 0'), whole: false, min: -Infinity, max: Infinity,
    explain: t('Larger: flatter weights. Smaller: sharper weights.'),
    paths: ['scale'], applies: (spec, { scale }) => hasScores(spec) && typeof scale === 'object',
    get: ({ scale }) => (typeof scale === 'object' ? String(scale.divideBy) : ''),
    set: (s, divideBy) => ({ ...s, scale: { divideBy } }),
  },
  {
    id: 'mask', group: 'scores', kind: 'choice', label: t('Mask'),
    explain: t('Which keys a query may not see.'),
    explainChoice: ({ mask }) => maskNotes[kindOf(mask)] ?? '',
    paths: ['mask', 'mask.values'], applies: hasScores,
    options: ({ mask }) => [
      ...listed(maskNames),
      ...(isAdded(mask) ? [{ value: given, text: t('As given') }] : []),
      ...(isFlags(mask) ? listed(flagNames) : []),
    ],
    get: (s) => (isAdded(s.mask) ? given : kindOf(s.mask)),
    set: (s, value, spec) => ({ ...s, mask: masks[value] ?? ownMask(spec.mask, value) }),
  },
  {
    id: 'windowSize', group: 'scores', kind: 'number', label: t('Window'),
    expected: t('a whole number from 0 to 100000'), whole: true, min: 0, max: 100000,
    explain: t('Keys up to this far away are seen.'),
    paths: ['mask.size'], applies: (spec, { mask }) => hasScores(spec) && isWindow(mask),
    get: ({ mask }) => (isWindow(mask) ? String(mask.size) : ''),
    set: (s, size) => ({ ...s, mask: isWindow(s.mask) ? { ...s.mask, size } : s.mask }),
  },
  {
    id: 'visible', group: 'scores', kind: 'number', label: t('Keys that are no padding'),
    expected: t('a whole number from 0 to 100000'), whole: true, min: 0, max: 100000,
    explain: t('Keys from this one on are padding and hidden.'),
    paths: ['mask.visible'], applies: (spec, { mask }) => hasScores(spec) && isPadding(mask),
    get: ({ mask }) => (isPadding(mask) ? String(mask.visible) : ''),
    set: (s, visible) => ({ ...s, mask: isPadding(s.mask) ? { ...s.mask, visible } : s.mask }),
  },
  {
    id: 'maskFill', group: 'scores', kind: 'choice', label: t('Hidden cells hold'),
    explain: t('What stands in a hidden cell before softmax.'),
    paths: ['maskFill'], applies: hides,
    options: ({ maskFill }) => [
      { value: '-inf', text: '−∞' },
      { value: '-1000000000', text: '−1e9' },
      { value: 'min', text: t('The lowest finite number') },
      ...(typeof maskFill === 'number' && maskFill !== -1e9 ? [{ value: String(maskFill), text: String(maskFill) }] : []),
    ],
    get: (s) => String(s.maskFill),
    set: (s, value) => ({ ...s, maskFill: value === '-inf' || value === 'min' ? value : Number(value) }),
  },
  {
    id: 'fullyMasked', group: 'scores', kind: 'choice', label: t('A row that sees nothing'),
    explain: t('softmax of −∞ alone is NaN in NumPy and PyTorch; some kernels give 0.'),
    paths: ['fullyMasked'], applies: (spec, s) => hides(spec, s) && s.maskFill === '-inf',
    options: choices({ nan: 'NaN', zero: '0' }),
    get: (s) => s.fullyMasked,
    set: (s, value) => ({ ...s, fullyMasked: value as Switches['fullyMasked'] }),
  },
  {
    id: 'softcap', group: 'scores', kind: 'number', label: t('Softcap'),
    expected: t('0, or a number above it'), whole: false, min: 0, max: Infinity,
    explain: t('0: none. Else c·tanh(Z/c), so that no score exceeds c (Gemma 2).'),
    paths: ['softcap'], applies: hasScores,
    get: (s) => String(s.softcap ?? 0),
    set: (s, softcap) => ({ ...s, softcap: softcap === 0 ? null : softcap }),
  },
  {
    id: 'temperature', group: 'scores', kind: 'number', label: t('Temperature'),
    expected: t('a number above 0'), whole: false, min: 1e-12, max: Infinity,
    explain: t('The scaled scores are divided by it once more. 1 changes nothing.'),
    paths: ['temperature'], applies: hasScores,
    get: (s) => String(s.temperature ?? 1),
    set: (s, temperature) => ({ ...s, temperature: temperature === 1 ? null : temperature }),
  },
]; // prettier-ignore
