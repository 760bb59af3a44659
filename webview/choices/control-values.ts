import { readSwitches, writeSwitches, type AttentionSpec, type SpecSwitches } from '../../engine/index';
import type { TokenizedText } from './tokenized-text';
import type { Edit } from './edits';

/** Everything a reader can change in the page without the host, beside the input itself. Plain JSON. */
export interface ControlValues extends SpecSwitches {
  /** Digits after the decimal point: display only, no number changes. */
  readonly digits: number;
  /** What was written into sources, in order; `specOf` lays them on top of everything else. */
  readonly edits: readonly Edit[];
}

/** The switches as a spec has them. */
export const controlValuesOf = (spec: AttentionSpec, digits: number): ControlValues => ({
  ...readSwitches(spec),
  digits,
  edits: [],
});

/** The spec with a reader's switches. Matrices that were given stay those of `spec`; tokens of a vocabulary are those of `cuts`. */
export const applyControls = (
  spec: AttentionSpec,
  switches: ControlValues,
  cuts: readonly TokenizedText[] = [],
): AttentionSpec => writeSwitches(spec, switches, cuts);

export const sameControls = (a: ControlValues, b: ControlValues): boolean => JSON.stringify(a) === JSON.stringify(b);
