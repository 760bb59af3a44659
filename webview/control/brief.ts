import { t, type AttentionSpec } from '../../engine/index';
import type { Switches } from '../page/switches';
import type { Control, ControlId } from './kinds';

/* What a folded group says in one line: its choices, each in as few words as tell it from the others. */

/** Of the choice's text, or the number; empty where it says nothing more than the others do. */
const briefs: { readonly [id in ControlId]?: (text: string, switches: Switches) => string } = {
  dModel: (text) => `d_model ${text}`,
  positions: (text) => (text === t('None') ? t('no positions') : text),
  convention: (text, { projections }) => (projections === 'given' ? text : ''),
  dK: (text) => `d_k ${text}`,
  dV: (text) => `d_v ${text}`,
  bias: (text) => (text === t('None') ? '' : t('biases')),
  heads: (text) => (text === '1' ? t('1 head') : t('{0} heads', text)),
  kvHeads: (text, { kvHeads }) => (kvHeads === null ? '' : t('{0} for K and V', text)),
  output: (text) => (text === t('None') ? t('no W_O') : text),
  outputBias: (text) => (text === t('None') ? '' : 'b_O'),
  scale: (text, { scale }) => (typeof scale === 'object' ? '' : text === t('None') ? t('unscaled') : text),
  divideBy: (text) => `÷ ${text}`,
  mask: (text) => (text === t('None') ? t('no mask') : text),
  windowSize: (text) => t('of {0}', text),
  visible: (text) => t('{0} keys', text),
  maskFill: (text, { maskFill }) => (maskFill === '-inf' ? '' : text),
  fullyMasked: () => '',
  softcap: (text, { softcap }) => (softcap === null ? '' : t('softcap {0}', text)),
  temperature: (text, { temperature }) => (temperature === null ? '' : `T = ${text}`),
  generator: () => '',
  seed: (text) => t('seed {0}', text),
  digits: (text) => (text === '1' ? t('1 digit') : t('{0} digits', text)),
};

/** `÷ √d_k · Causal`: what a group's controls are set to. */
export function briefOf(
  controls: readonly Control[],
  spec: AttentionSpec,
  switches: Switches,
  files: readonly string[],
): string {
  const text = (control: Control): string => {
    const value = control.get(switches);
    const options = control.kind === 'choice' ? control.options(spec, files) : [];
    const own = options.find((option) => option.value === value)?.text ?? value;
    return briefs[control.id]?.(own, switches) ?? own;
  };
  return controls.map(text).filter(Boolean).join(' · ');
}
