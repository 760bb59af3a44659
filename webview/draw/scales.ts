import type { Step, ValueKind } from '../../engine/index';
import { colourLimitOf, mix, parseHex, type Palette, type Range, type Rgb, type Scale } from './colours';
import { okabeIto, viridis } from './viridis';

/* The colour scales of all kinds of values, declared once (`scales`), and how values map to positions on them. */

const steps = 512;
const stops = viridis.split(' ').map(parseHex);
const hues = okabeIto.split(' ').map(parseHex);

const table = (colour: (t: number) => Rgb): readonly Rgb[] =>
  Array.from({ length: steps + 1 }, (_, i) => colour(i / steps));

const lookUp = (colours: readonly Rgb[], t: number): Rgb =>
  colours[Math.round(Math.min(1, Math.max(0, t)) * steps)] ?? [0, 0, 0];

function alongViridis(t: number): Rgb {
  const at = Math.min(1, Math.max(0, t)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  return mix(stops[i] ?? [0, 0, 0], stops[i + 1] ?? [0, 0, 0], at - i);
}

/**
 * For values from 0 up. Zero is close to the background in both kinds of theme: dark themes use viridis; light themes use it reversed, with the
 * bright end blended into the neutral colour, as a page full of yellow zeros would be glaring.
 */
function sequential(palette: Palette): (t: number) => Rgb {
  if (!palette.light) return alongViridis;
  return (t) => mix(palette.neutral, alongViridis(0.97 - 0.97 * t), Math.min(1, t / 0.25));
}

const diverging =
  (palette: Palette) =>
  (t: number): Rgb =>
    mix(palette.neutral, t < 0.5 ? palette.negative : palette.positive, Math.abs(2 * t - 1));

const tables = new WeakMap<Palette, Map<ColourAlong, readonly Rgb[]>>();

/** For a palette, the colours along a scale from t = 0 to 1. */
type ColourAlong = (palette: Palette) => (t: number) => Rgb;

/** The colours at 513 evenly spaced positions, computed once per theme and scale. */
function tableOf(along: ColourAlong, palette: Palette): readonly Rgb[] {
  const known = tables.get(palette) ?? new Map<ColourAlong, readonly Rgb[]>();
  tables.set(palette, known);
  const found = known.get(along) ?? table(along(palette));
  known.set(along, found);
  return found;
}

/** What of a step decides its colours. Of weights, `shape` ends in queries × keys. */
export type Coloured = Pick<Step, 'kind' | 'shape'>;

/** How values are spaced along a colour scale. */
export type Spacing = { readonly kind: 'linear' } | { readonly kind: 'log'; readonly keys: number };

/** Up to this many keys, an average weight can be told from 0 on a linear scale. */
const maxLinearKeys = 256;

/**
 * With many keys a weight is about 1/m, which has the colour of 0 on a linear scale. Depends only on the shape, so that inputs of one size can be
 * compared.
 */
export function spacingOf({ kind, shape }: Coloured): Spacing {
  const keys = shape.at(-1) ?? 1;
  return scales[kind].shares && keys > maxLinearKeys ? { kind: 'log', keys } : { kind: 'linear' };
}

/** The factor c in log(1 + c·m·w): an average weight of 1/m counts ten times the 1 that keeps 0 on the scale. */
const logFactor = 10;

/** Position of a weight on the logarithmic scale for m `keys`: log(1 + 10·m·w) / log(1 + 10·m), so 0 is at 0 and 1 at 1. */
export const logPosition = (weight: number, keys: number): number =>
  Math.log1p(logFactor * keys * weight) / Math.log1p(logFactor * keys);

/** Inverse of `logPlace`: the weight at a position on the logarithmic scale. */
export const logWeight = (place: number, keys: number): number =>
  Math.expm1(place * Math.log1p(logFactor * keys)) / (logFactor * keys);

/** Everything that the page needs to know about the colours of a kind of values. A kind without an entry does not compile. */
export interface ColourScale {
  /** The colours of a step's values within a range. */
  readonly of: (step: Coloured, range: Range, palette: Palette) => Scale;
  /** What the colour bar shows: a ramp with its limits, the colours of 0 and 1, or nothing, as ids have no order. */
  readonly bar: 'ramp' | '0 and 1' | 'none';
  /** Whether outliers are left out of the scale (`limitWithoutOutliers`). */
  readonly outliers: boolean;
  /** Whether cells with value 1 are hatched. */
  readonly hatched: boolean;
  /** Whether the values of a row sum to 1. Then digits, spacing and pooled tiles depend on the number of keys. */
  readonly shares: boolean;
}

const plain = { outliers: false, hatched: false, shares: false } as const;

/** The only list of colour scales: views look up a step's kind here and test for no kind by name. */
export const scales: Readonly<Record<ValueKind, ColourScale>> = {
  /** Diverging around zero: equal magnitudes are equally strong on both sides, up to the range's `colourLimit`. */
  signed: { ...plain, of: signedScale, bar: 'ramp', outliers: true },
  /** Linear from 0 to the matrix's maximum; with many keys logarithmic from 0 to 1. */
  weights: { ...plain, of: weightsScale, bar: 'ramp', shares: true },
  ids: { ...plain, of: (_, __, palette) => (id) => category(id, palette), bar: 'none' },
  mask: { ...plain, of: (_, __, palette) => () => palette.neutral, bar: '0 and 1', hatched: true },
};

/** The colour scale for a step's values. */
export const scaleOf = (step: Coloured, range: Range, palette: Palette): Scale =>
  scales[step.kind].of(step, range, palette);

function signedScale(_: Coloured, range: Range, palette: Palette): Scale {
  const colours = tableOf(diverging, palette);
  const colourLimit = colourLimitOf(range);
  const inside: Scale = (v) => lookUp(colours, 0.5 + (colourLimit > 0 ? clampToUnit(v / colourLimit) / 2 : 0));
  return range.colourLimit === undefined ? inside : withOutliers(inside, range.colourLimit, palette);
}

function weightsScale(step: Coloured, { max }: Range, palette: Palette): Scale {
  const colours = tableOf(sequential, palette);
  const spacing = spacingOf(step);
  return spacing.kind === 'log' ? logScale(colours, spacing.keys) : (v) => lookUp(colours, max > 0 ? v / max : 0);
}

/** Gives outliers on each side a colour that the scale does not contain: that end's colour, mixed half with the foreground. */
function withOutliers(inside: Scale, colourLimit: number, palette: Palette): Scale {
  const [below, above] = [palette.negative, palette.positive].map((end) => mix(end, palette.foreground, 0.5));
  return (v) => (v > colourLimit ? above : v < -colourLimit ? below : undefined) ?? inside(v);
}

/** A float32 that shares memory with its bits. Read as an integer, exponent and leading mantissa bits approximate a logarithm without a call. */
const float32 = new Float32Array(1);
const bits = new Uint32Array(float32.buffer);
const bitsOf1 = 0x3f800000;
/** Low bits dropped from the index: 512 entries per doubling of a weight are finer than the colours. */
const droppedBits = 14;

const logTables = new WeakMap<readonly Rgb[], { readonly keys: number; readonly colours: readonly Rgb[] }>();

/**
 * A logarithmic scale by table lookup: index is the bits of 1 + 10·m·w. Computing a logarithm for each pixel took longer than all the rest of
 * drawing it.
 */
function logScale(colours: readonly Rgb[], keys: number): Scale {
  const known = logTables.get(colours);
  const ours = known?.keys === keys ? known : { keys, colours: logTable(colours, keys) };
  logTables.set(colours, ours);
  const [table, times] = [ours.colours, logFactor * keys];
  return (weight) => {
    float32[0] = 1 + times * Math.min(1, Math.max(0, weight));
    return table[((bits[0] ?? 0) - bitsOf1) >> droppedBits] ?? [0, 0, 0];
  };
}

/** The table for `logScale`: each entry has the colour at the middle of its interval. */
function logTable(colours: readonly Rgb[], keys: number): readonly Rgb[] {
  float32[0] = 1 + logFactor * keys;
  const count = (((bits[0] ?? 0) - bitsOf1) >> droppedBits) + 1;
  return Array.from({ length: count }, (_, i) => {
    bits[0] = bitsOf1 + (i << droppedBits) + (1 << (droppedBits - 1));
    return lookUp(colours, logPosition(((float32[0] ?? 1) - 1) / (logFactor * keys), keys));
  });
}

const clampToUnit = (t: number): number => Math.min(1, Math.max(-1, t));

/**
 * Equal ids share a colour. There are eight hues in three strengths, then they repeat: a fourth strength could not be told from the background.
 * Mixed with the neutral colour to be calm, but hardly in high contrast, where that is black on black.
 */
function category(id: number, palette: Palette): Rgb {
  const whole = Math.abs(Math.trunc(id));
  const hue = hues[whole % hues.length] ?? palette.neutral;
  const round = Math.floor(whole / hues.length) % 3;
  return mix(palette.neutral, hue, (palette.outline ? 0.92 : 0.62) / (1 + 0.35 * round));
}
