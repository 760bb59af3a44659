import { log, pow } from './math';

/*
 * How fast each pair of columns turns under RoPE: base, scaling to longer texts, and the precision in which it is computed. Sources: Su et al. 2021;
 * Chen et al. 2023 (linear); bloc97 and emozilla (NTK-aware, fixed and dynamic); Peng et al. 2023 (YaRN); Llama 3.1; all as Hugging Face's
 * modeling_rope_utils.py has them.
 */

/** Scaling of RoPE to longer texts than a model was trained on: see `Rotary` of the spec. */
export type RopeScaling =
  | { readonly kind: 'linear' | 'ntk'; readonly factor: number }
  | { readonly kind: 'dynamic'; readonly factor: number; readonly original: number; readonly length?: number }
  | YarnScaling
  | Llama3Scaling;

interface YarnScaling {
  readonly kind: 'yarn';
  readonly factor: number;
  readonly original: number;
  readonly betaFast?: number;
  readonly betaSlow?: number;
  readonly attentionFactor?: number;
  readonly mscale?: number;
  readonly mscaleAllDims?: number;
  readonly truncate?: boolean;
}

interface Llama3Scaling {
  readonly kind: 'llama3';
  readonly factor: number;
  readonly lowFrequency: number;
  readonly highFrequency: number;
  readonly original: number;
}

/** What rotations turn by, where it is not 10000^(−2i/d) in float64. */
export interface Turning {
  readonly base?: number;
  /** A dynamic one has its length. */
  readonly scaling?: RopeScaling;
  /** Every operation is rounded to float32, as Hugging Face's code does. */
  readonly float32?: true;
}

/** How a pair of columns turns: by position ÷ `divisor`. */
export interface Turn {
  /** That of all pairs, with what a scaling makes of it. */
  readonly base: number;
  /** base^(2i/d) */
  readonly plain: number;
  /** How much of the unscaled frequency is kept; the rest is divided by `factor`. 1 without scaling. */
  readonly share: number;
  readonly factor: number;
  /** plain ÷ (share + (1 − share)/factor) */
  readonly divisor: number;
  /** 1 ÷ divisor in float32, by which positions are multiplied there. */
  readonly rate?: number;
}

const defaultBase = 10000;

/** How each of the pairs turns. */
export function turnsOf(pairs: number, turning: Turning = {}): readonly Turn[] {
  const d = 2 * pairs;
  const base = baseOf(turning, d);
  const shareOf = sharesOf(turning, base, d);
  return Array.from({ length: pairs }, (_, i) => (turning.float32 ? turn32 : turn64)(turning, base, i, d, shareOf));
}

/** What a scaling has the base become: b·s^(d/(d−2)); a dynamic one takes s·L/L₀ − (s − 1) for s, L at least L₀. */
export function baseOf({ base = defaultBase, scaling }: Turning, d: number): number {
  if (scaling?.kind === 'ntk') return base * pow(scaling.factor, d / (d - 2));
  if (scaling?.kind !== 'dynamic') return base;
  const { factor, original, length = original } = scaling;
  return base * pow((factor * Math.max(length, original)) / original - (factor - 1), d / (d - 2));
}

/** How much of pair i's frequency is kept; `plain` is base^(2i/d). */
type ShareOf = (i: number, plain: number) => number;

function sharesOf({ scaling }: Turning, base: number, d: number): ShareOf {
  if (scaling?.kind === 'linear') return () => 0;
  if (scaling?.kind === 'yarn') return yarnShares(scaling, base, d);
  return scaling?.kind === 'llama3' ? (_, plain) => llama3Share(scaling, 2 * Math.PI * plain) : () => 1;
}

/** 1 less a ramp from the pair that turns `betaFast` times over the original length to that which turns `betaSlow` times. */
function yarnShares(scaling: YarnScaling, base: number, d: number): ShareOf {
  const { original, betaFast = 32, betaSlow = 1, truncate = true } = scaling;
  const pairOf = (times: number): number => (d * log(original / (times * 2 * Math.PI))) / (2 * log(base));
  const [first, last] = [pairOf(betaFast), pairOf(betaSlow)];
  const low = Math.max(truncate ? Math.floor(first) : first, 0);
  const high = Math.min(truncate ? Math.ceil(last) : last, d - 1);
  // As the source has it: a ramp of no length has no slope.
  const span = (low === high ? high + 0.001 : high) - low;
  return (i) => 1 - Math.min(1, Math.max(0, (i - low) / span));
}

function llama3Share({ lowFrequency, highFrequency, original }: Llama3Scaling, wavelength: number): number {
  if (wavelength < original / highFrequency) return 1;
  if (wavelength > original / lowFrequency) return 0;
  return (original / wavelength - lowFrequency) / (highFrequency - lowFrequency);
}

function turn64({ scaling }: Turning, base: number, i: number, d: number, shareOf: ShareOf): Turn {
  const plain = pow(base, (2 * i) / d);
  const [share, factor] = [shareOf(i, plain), scaling?.factor ?? 1];
  const divisor = share === 1 ? plain : share === 0 ? plain * factor : plain / (share + (1 - share) / factor);
  return { base, plain, share, factor, divisor };
}

const round = Math.fround;

/** The same, each operation rounded in the order of the source. Ratios of lengths and the base are Python's floats there, so float64. */
function turn32({ scaling }: Turning, base: number, i: number, d: number, shareOf: ShareOf): Turn {
  const plain = round(pow(round(base), round((2 * i) / d)));
  const [own, factor] = [round(1 / plain), scaling?.factor ?? 1];
  const share = scaling?.kind === 'llama3' ? llama3Share32(scaling, own) : round(shareOf(i, plain));
  const rate = rate32(scaling, plain, own, share);
  return { base, plain, share, factor, divisor: 1 / rate, rate };
}

function llama3Share32({ lowFrequency, highFrequency, original }: Llama3Scaling, own: number): number {
  const wavelength = round((2 * Math.PI) / own);
  if (wavelength < original / highFrequency) return 1;
  if (wavelength > original / lowFrequency) return 0;
  return round(round(round(original / wavelength) - lowFrequency) / round(highFrequency - lowFrequency));
}

function rate32(scaling: RopeScaling | undefined, plain: number, own: number, share: number): number {
  if (!scaling || scaling.kind === 'ntk' || scaling.kind === 'dynamic') return own;
  const { kind, factor } = scaling;
  if (kind === 'yarn') {
    const stretched = round(1 / round(factor * plain));
    return round(round(stretched * round(1 - share)) + round(own * share));
  }
  if (kind === 'linear' || share === 0) return round(own / factor);
  return share === 1 ? own : round(round(round(round(1 - share) * own) / factor) + round(share * own));
}

/** What cosines and sines are multiplied by: 1 but for YaRN's attention factor. */
export function timesOf({ scaling }: Turning): number {
  if (scaling?.kind !== 'yarn') return 1;
  const { factor, attentionFactor, mscale, mscaleAllDims } = scaling;
  if (attentionFactor !== undefined) return attentionFactor;
  const grown = (by: number): number => (factor <= 1 ? 1 : 0.1 * by * log(factor) + 1);
  return mscale && mscaleAllDims ? grown(mscale) / grown(mscaleAllDims) : grown(1);
}

/** The angle of a pair at a position. */
export const angleAt = ({ divisor, rate }: Pick<Turn, 'divisor' | 'rate'>, position: number): number =>
  rate === undefined ? position / divisor : round(rate * round(position));
