import { readSwitches, writeSwitches, type AttentionSpec, type SpecSwitches } from '../../engine/index';
import type { TokenizedText } from './tokenized-text';
import type { Edit } from './edits';

/** The values of all controls, and the reader's edits. Plain JSON. Saved states and messages call them `switches`. */
export interface ControlValues extends SpecSwitches {
  /** Digits after the decimal point: display only, no number changes. */
  readonly digits: number;
  /** Edited cells of sources, in order; `specOf` applies them after everything else. */
  readonly edits: readonly Edit[];
}

/** The control values of a spec. */
export const controlValuesOf = (spec: AttentionSpec, digits: number): ControlValues => ({
  ...readSwitches(spec),
  digits,
  edits: [],
});

/** The spec with the reader's control values. Given matrices stay those of `spec`; tokens of a vocabulary come from `cuts`. */
export const applyControls = (
  spec: AttentionSpec,
  switches: ControlValues,
  cuts: readonly TokenizedText[] = [],
): AttentionSpec => writeSwitches(spec, switches, cuts);

export const sameControls = (a: ControlValues, b: ControlValues): boolean => JSON.stringify(a) === JSON.stringify(b);
