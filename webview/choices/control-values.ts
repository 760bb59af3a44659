import { readSwitches, writeSwitches, type AttentionSpec, type SpecSwitches } from '../../engine/index';
import type { Cut } from './tokenized-text';
import type { Edit } from './edits';

/** Everything a reader can change in the page without the host, beside the input itself. Plain JSON. */
export interface Switches extends SpecSwitches {
  /** Digits after the decimal point: display only, no number changes. */
  readonly digits: number;
  /** What was written into sources, in order; `specOf` lays them on top of everything else. */
  readonly edits: readonly Edit[];
}

/** The switches as a spec has them. */
export const switchesOf = (spec: AttentionSpec, digits: number): Switches => ({
  ...readSwitches(spec),
  digits,
  edits: [],
});

/** The spec with a reader's switches. Matrices that were given stay those of `spec`; tokens of a vocabulary are those of `cuts`. */
export const applySwitches = (spec: AttentionSpec, switches: Switches, cuts: readonly Cut[] = []): AttentionSpec =>
  writeSwitches(spec, switches, cuts);

export const sameSwitches = (a: Switches, b: Switches): boolean => JSON.stringify(a) === JSON.stringify(b);
