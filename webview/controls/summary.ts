import type { AttentionSpec } from '../../engine/index';
import type { ControlValues } from '../choices';
import type { PageControl } from './groups';

/** The summary of a folded group in one line, each choice as short as possible: `÷ √d_k · Causal`. */
export function briefOf(
  controls: readonly PageControl[],
  spec: AttentionSpec,
  switches: ControlValues,
  files: readonly string[],
): string {
  const text = (control: PageControl): string => {
    const value = control.get(switches);
    const options = control.kind === 'choice' ? control.options(spec, files, switches) : [];
    const own = options.find((option) => option.value === value)?.text ?? value;
    return control.brief ? control.brief(own, switches) : own;
  };
  return controls.map(text).filter(Boolean).join(' · ');
}
