import type { RecordOf } from './kinds';
import { ablating, type Switches as AblationSwitches } from './fields/ablation';
import { alsoHiding, type Switches as AlsoHiddenSwitches } from './fields/also-hidden';
import { averaging, type Switches as AverageSwitches } from './fields/average';
import { blocking, type Switches as BlockSwitches } from './fields/block';
import { general, type Switches as GeneralSwitches } from './fields/general';
import { subtracting, type Switches as DifferentialSwitches } from './fields/differential';
import { dividing, type Switches as DividedSwitches } from './fields/divided';
import { drawing, type Switches as DrawSwitches } from './fields/draws';
import { heading, type Switches as HeadSwitches } from './fields/heads';
import { input, type Switches as InputSwitches } from './fields/input';
import { labelling } from './fields/labels';
import { training, type Switches as ModelSwitches } from './fields/model';
import { masking, type Switches as MaskSwitches } from './fields/mask';
import { placing, type Switches as PlaceSwitches } from './fields/places';
import { projecting, type Switches as ProjectionSwitches } from './fields/projections';
import { relating, type Switches as RelativeSwitches } from './fields/relative';
import { turning, type Switches as RopeSwitches } from './fields/rope';
import { scaling, type Switches as ScaleSwitches } from './fields/scale';
import { scoring, type Switches as ScoringSwitches } from './fields/scoring';
import { sinking, type Switches as SinkSwitches } from './fields/sink';
import { starting, type Switches as StartSwitches } from './fields/start';
import { tempering, type Switches as TemperSwitches } from './fields/tempering';
import { weighing, type Switches as WeightingSwitches } from './fields/weighting';
import type { Control, Field } from './field';

/*
 * The fields of a spec, each declared once in a file of its group (`fields/`): its kind and TypeScript type, limits, default, the note where
 * it changes nothing, the panel's controls and its words. Validator, JSON schemas, notes, panel, lessons and the terminal's help read this table.
 */

export * from './matrix';
export * from './text';
export type { Convention, Projections } from './fields/projections';
export type { Embedding, Positions } from './fields/input';
export type { AlsoHidden } from './fields/also-hidden';
export type { Mask } from './fields/mask';
export type { OutputProjection } from './fields/heads';
export type { Scale } from './fields/scale';
export { programLimit, programRest, type ProgramStep } from './fields/program';
export type { Start } from './fields/start';

/** The kinds of all fields, in the order in which schemas, notes and controls have them. */
export const kinds = {
  required: {
    ...general.kinds.required,
    ...starting.kinds.required,
    ...training.kinds.required,
    ...input.kinds.required,
    ...placing.kinds.required,
    ...turning.kinds.required,
    ...relating.kinds.required,
    ...projecting.kinds.required,
    ...heading.kinds.required,
    ...scoring.kinds.required,
    ...scaling.kinds.required,
    ...masking.kinds.required,
    ...alsoHiding.kinds.required,
    ...weighing.kinds.required,
    ...subtracting.kinds.required,
    ...sinking.kinds.required,
    ...tempering.kinds.required,
    ...blocking.kinds.required,
    ...ablating.kinds.required,
    ...averaging.kinds.required,
    ...drawing.kinds.required,
    ...dividing.kinds.required,
    ...labelling.kinds.required,
  },
  optional: {
    ...general.kinds.optional,
    ...starting.kinds.optional,
    ...training.kinds.optional,
    ...input.kinds.optional,
    ...placing.kinds.optional,
    ...turning.kinds.optional,
    ...relating.kinds.optional,
    ...projecting.kinds.optional,
    ...heading.kinds.optional,
    ...scoring.kinds.optional,
    ...scaling.kinds.optional,
    ...masking.kinds.optional,
    ...alsoHiding.kinds.optional,
    ...weighing.kinds.optional,
    ...subtracting.kinds.optional,
    ...sinking.kinds.optional,
    ...tempering.kinds.optional,
    ...blocking.kinds.optional,
    ...ablating.kinds.optional,
    ...averaging.kinds.optional,
    ...drawing.kinds.optional,
    ...dividing.kinds.optional,
    ...labelling.kinds.optional,
  },
} as const;

/** Everything needed to get the same numbers again, anywhere. Plain JSON. */
export interface AttentionSpec extends RecordOf<typeof kinds> {
  readonly version: 1;
}

export type FieldName = keyof AttentionSpec;

/** The switches of a group, those of all its fields together. */
type SwitchesOfGroup<G> = (G[keyof G] extends infer V ? (V extends unknown ? (v: V) => void : never) : never) extends (
  v: infer All,
) => void
  ? All
  : never;

/** Everything of a spec that a reader can change in the page, by name of switch. Plain JSON. */
export interface SpecSwitches
  extends
    SwitchesOfGroup<GeneralSwitches>,
    SwitchesOfGroup<StartSwitches>,
    SwitchesOfGroup<ModelSwitches>,
    SwitchesOfGroup<InputSwitches>,
    SwitchesOfGroup<PlaceSwitches>,
    SwitchesOfGroup<RopeSwitches>,
    SwitchesOfGroup<RelativeSwitches>,
    SwitchesOfGroup<ProjectionSwitches>,
    SwitchesOfGroup<HeadSwitches>,
    SwitchesOfGroup<ScoringSwitches>,
    SwitchesOfGroup<ScaleSwitches>,
    SwitchesOfGroup<MaskSwitches>,
    SwitchesOfGroup<AlsoHiddenSwitches>,
    SwitchesOfGroup<WeightingSwitches>,
    SwitchesOfGroup<DifferentialSwitches>,
    SwitchesOfGroup<SinkSwitches>,
    SwitchesOfGroup<TemperSwitches>,
    SwitchesOfGroup<BlockSwitches>,
    SwitchesOfGroup<AblationSwitches>,
    SwitchesOfGroup<AverageSwitches>,
    SwitchesOfGroup<DrawSwitches>,
    SwitchesOfGroup<DividedSwitches> {}

export type SpecField<F extends FieldName> = Field<
  Exclude<AttentionSpec[F], undefined>,
  AttentionSpec,
  Partial<SpecSwitches>,
  SpecSwitches
>;

/** Every field of a spec. */
export const fields: { readonly [F in FieldName]: SpecField<F> } = {
  ...general.fields,
  ...starting.fields,
  ...training.fields,
  ...input.fields,
  ...placing.fields,
  ...turning.fields,
  ...relating.fields,
  ...projecting.fields,
  ...heading.fields,
  ...scoring.fields,
  ...scaling.fields,
  ...masking.fields,
  ...alsoHiding.fields,
  ...weighing.fields,
  ...subtracting.fields,
  ...sinking.fields,
  ...tempering.fields,
  ...blocking.fields,
  ...ablating.fields,
  ...averaging.fields,
  ...drawing.fields,
  ...dividing.fields,
  ...labelling.fields,
};

export const fieldNames = Object.keys(fields) as readonly FieldName[];

/** Fields that `--set` and the opening line of a block may change: all but the version. */
export const settableFields = fieldNames.filter((name) => fields[name].example !== 'fixed');

function initial(of: 'text' | 'matrix'): Omit<AttentionSpec, 'start'> {
  const known = fieldNames.flatMap((name) => {
    const value = fields[name].initial;
    return typeof value === 'object' ? [[name, value[of]] as const] : [];
  });
  return Object.fromEntries(known) as unknown as Omit<AttentionSpec, 'start'>;
}

/** The defaults of the command, for text (issue: words, d_model 16, one head, d_k 8, …). Each is visible and changeable in the panel. */
export const textDefaults = initial('text');

/** The defaults for a matrix: no positions, Q = K = V = X. */
export const matrixDefaults = initial('matrix');

/** The panel's control of a field, or of a part of one. */
export type FieldControl = Control<AttentionSpec, SpecSwitches>;
