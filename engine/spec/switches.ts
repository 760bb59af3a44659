import type { CutText } from './field';
import { fieldNames, fields, type AttentionSpec, type FieldControl, type SpecSwitches } from './spec';

/* A spec as the panel changes it: each field says which switches stand for it and what it is with them. */

/** The switches as a spec has them. */
export function readSwitches(spec: AttentionSpec): SpecSwitches {
  const read = fieldNames.map((name) => {
    const { panel } = fields[name];
    return panel === 'none' ? {} : panel.read(spec);
  });
  return Object.assign({}, ...read) as SpecSwitches;
}

/** The spec with a reader's switches. Matrices that were given stay those of `spec`; tokens of a vocabulary are those of `cuts`. */
export function writeSwitches(
  spec: AttentionSpec,
  switches: SpecSwitches,
  cuts: readonly CutText[] = [],
): AttentionSpec {
  const written = fieldNames.map((name) => {
    const { panel } = fields[name];
    return [name, panel === 'none' ? spec[name] : panel.write(spec, switches, cuts)] as const;
  });
  const present = written.filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as unknown as AttentionSpec;
}

/** The panel's controls, in the order of the fields. */
export const fieldControls: readonly FieldControl[] = fieldNames.flatMap((name): readonly FieldControl[] => {
  const { panel } = fields[name];
  return panel === 'none' ? [] : panel.controls;
});
