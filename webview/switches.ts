import type { AttentionSpec, Convention, DType, Mask, Positions, Projections, Scale, Start } from '../engine/index';

/** Everything a reader can change in the page without the host, beside the input itself. Plain JSON. */
export interface Switches {
  readonly tokenizer: Extract<Start, { from: 'text' }>['tokenizer'];
  readonly positions: Positions;
  readonly dModel: number;
  readonly projections: Projections['from'];
  readonly dK: number;
  readonly dV: number;
  readonly seed: number;
  readonly convention: Convention;
  readonly scale: Scale;
  readonly mask: Mask;
  readonly dtype: DType;
  /** Digits after the decimal point: display only, no number changes. */
  readonly digits: number;
}

/** Widths of randomly drawn projections where the spec does not say. */
const defaultWidth = 8;

/** The switches as a spec has them. */
export function switchesOf(spec: AttentionSpec, digits: number): Switches {
  const { start, projections } = spec;
  const drawn = projections.from === 'random' ? projections : { dK: defaultWidth, dV: defaultWidth };
  return {
    tokenizer: start.from === 'text' ? start.tokenizer : 'words',
    positions: spec.positions,
    dModel: spec.dModel,
    projections: projections.from,
    dK: drawn.dK,
    dV: drawn.dV,
    seed: spec.random.seed,
    convention: spec.convention,
    scale: spec.scale,
    mask: spec.mask,
    dtype: spec.dtype,
    digits,
  };
}

/** The spec with a reader's switches. Matrices that were given stay those of `spec`. */
export function applySwitches(spec: AttentionSpec, switches: Switches): AttentionSpec {
  const { start } = spec;
  const { positions, dModel, convention, scale, mask, dtype, seed } = switches;
  return {
    ...spec,
    start: start.from === 'text' ? { ...start, tokenizer: switches.tokenizer } : start,
    projections: projectionsOf(spec, switches),
    random: { ...spec.random, seed },
    positions,
    dModel,
    convention,
    scale,
    mask,
    dtype,
  };
}

function projectionsOf({ projections }: AttentionSpec, { projections: from, dK, dV }: Switches): Projections {
  if (from === 'random') return { ...(projections.from === 'random' ? projections : { from }), dK, dV };
  return from === 'given' && projections.from === 'given' ? projections : { from: 'none' };
}

export const sameSwitches = (a: Switches, b: Switches): boolean => JSON.stringify(a) === JSON.stringify(b);
