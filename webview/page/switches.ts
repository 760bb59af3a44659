import type {
  AttentionSpec,
  Convention,
  DType,
  Mask,
  OutputProjection,
  Positions,
  Projections,
  Scale,
} from '../../engine/index';
import { startWith, type Cut, type TokenizerChoice } from '../tokens/cuts';
import type { Edit } from '../edits/index';

/** Everything a reader can change in the page without the host, beside the input itself. Plain JSON. */
export interface Switches {
  readonly tokenizer: TokenizerChoice;
  readonly positions: Positions;
  readonly dModel: number;
  readonly projections: Projections['from'];
  readonly dK: number;
  readonly dV: number;
  readonly bias: boolean;
  readonly generator: AttentionSpec['random']['generator'];
  readonly seed: AttentionSpec['random']['seed'];
  readonly heads: number;
  /** null: as many as heads. */
  readonly kvHeads: number | null;
  readonly output: OutputProjection['from'];
  readonly outputBias: boolean;
  readonly convention: Convention;
  readonly scale: Scale;
  readonly mask: Mask;
  readonly maskFill: AttentionSpec['maskFill'];
  readonly fullyMasked: 'nan' | 'zero';
  /** null: none. */
  readonly softcap: number | null;
  readonly temperature: number | null;
  readonly dtype: DType;
  /** Digits after the decimal point: display only, no number changes. */
  readonly digits: number;
  /** What was written into sources, in order; `specOf` lays them on top of everything else. */
  readonly edits: readonly Edit[];
}

/** Widths of randomly drawn projections where the spec does not say. */
const defaultWidth = 8;

/** The switches as a spec has them. */
export function switchesOf(spec: AttentionSpec, digits: number): Switches {
  const { start, projections, outputProjection: output } = spec;
  const drawn = projections.from === 'random' ? projections : { dK: defaultWidth, dV: defaultWidth };
  return {
    tokenizer: start.from === 'text' ? start.tokenizer : 'words',
    positions: spec.positions,
    dModel: spec.dModel,
    projections: projections.from,
    dK: drawn.dK,
    dV: drawn.dV,
    bias: projections.from === 'random' && projections.bias === true,
    generator: spec.random.generator,
    seed: spec.random.seed,
    heads: spec.heads,
    kvHeads: spec.kvHeads === undefined || spec.kvHeads === spec.heads ? null : spec.kvHeads,
    output: output?.from ?? 'none',
    outputBias: output?.from === 'random' && output.bias === true,
    convention: spec.convention,
    scale: spec.scale,
    mask: spec.mask,
    maskFill: spec.maskFill,
    fullyMasked: spec.fullyMasked ?? 'nan',
    softcap: spec.softcap ?? null,
    temperature: spec.temperature ?? null,
    dtype: spec.dtype,
    digits,
    edits: [],
  };
}

/** The spec with a reader's switches. Matrices that were given stay those of `spec`; tokens of a vocabulary are those of `cuts`. */
export function applySwitches(spec: AttentionSpec, switches: Switches, cuts: readonly Cut[] = []): AttentionSpec {
  const {
    start,
    kvHeads: _,
    outputProjection: __,
    softcap: ___,
    temperature: ____,
    fullyMasked: _____,
    ...rest
  } = spec;
  const { positions, dModel, convention, scale, mask, maskFill, dtype, heads, generator, seed } = switches;
  return {
    ...rest,
    start: start.from === 'text' ? startWith(start, switches.tokenizer, cuts) : start,
    projections: projectionsOf(spec, switches),
    random: { generator, seed },
    positions,
    dModel,
    convention,
    scale,
    mask,
    maskFill,
    dtype,
    heads,
    ...optional(spec, switches),
  };
}

/** Fields that a spec has only where they say something. */
function optional(spec: AttentionSpec, s: Switches): Partial<AttentionSpec> {
  return {
    ...(s.kvHeads === null ? (spec.kvHeads === s.heads ? { kvHeads: s.heads } : {}) : { kvHeads: s.kvHeads }),
    ...outputOf(spec, s),
    ...(s.softcap === null ? {} : { softcap: s.softcap }),
    ...(s.temperature === null ? {} : { temperature: s.temperature }),
    ...(s.fullyMasked === 'nan' && spec.fullyMasked === undefined ? {} : { fullyMasked: s.fullyMasked }),
  };
}

function outputOf(
  { outputProjection: own }: AttentionSpec,
  { output, outputBias }: Switches,
): Pick<AttentionSpec, 'outputProjection'> {
  if (own?.from === output && (own.from !== 'random' || (own.bias ?? false) === outputBias))
    return { outputProjection: own };
  if (output === 'random') return { outputProjection: { from: 'random', ...(outputBias ? { bias: true } : {}) } };
  return own ? { outputProjection: { from: 'none' } } : {};
}

function projectionsOf({ projections }: AttentionSpec, { projections: from, dK, dV, bias }: Switches): Projections {
  if (projections.from === 'random' && from === 'random' && (projections.bias ?? false) === bias)
    return { ...projections, dK, dV };
  if (from === 'random') return { from, dK, dV, ...(bias ? { bias } : {}) };
  return from === 'given' && projections.from === 'given' ? projections : { from: 'none' };
}

export const sameSwitches = (a: Switches, b: Switches): boolean => JSON.stringify(a) === JSON.stringify(b);
