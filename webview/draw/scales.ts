import type { Step, ValueKind } from '../../engine/index';
import { colourLimitOf, mix, parseHex, type Palette, type Range, type Rgb, type Scale } from './colours';
import { okabeIto, viridis } from './viridis';

/* The colours of each kind of values, declared once (`scales`), and how they lie between two ends. */

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
 * Zero recedes into the background and more stands out from it, on both kinds of theme: viridis upwards on dark ones;
 * on light ones viridis downwards, its bright end faded into the neutral, since a page of yellow zeros would shout.
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

/** Colours along a scale, for a palette: t from 0 to 1. */
type ColourAlong = (palette: Palette) => (t: number) => Rgb;

/** The colours at 513 places, mixed once for each theme. */
function tableOf(along: ColourAlong, palette: Palette): readonly Rgb[] {
  const known = tables.get(palette) ?? new Map<ColourAlong, readonly Rgb[]>();
  tables.set(palette, known);
  const found = known.get(along) ?? table(along(palette));
  known.set(along, found);
  return found;
}

/** Of a step, what decides its colours: `shape` ends in queries and keys where the values are weights. */
export type Coloured = Pick<Step, 'kind' | 'shape'>;

/** How values lie along their colours. */
export type Spacing = { readonly kind: 'linear' } | { readonly kind: 'log'; readonly keys: number };

/** Up to so many keys an even share of a row can be told from 0 on linear colours. */
const fewKeys = 256;

/** Weights among many keys are about 1/m each: all of them would have the colour of 0. By the size alone, so that inputs of one size compare. */
export function spacingOf({ kind, shape }: Coloured): Spacing {
  const keys = shape.at(-1) ?? 1;
  return scales[kind].shares && keys > fewKeys ? { kind: 'log', keys } : { kind: 'linear' };
}

/** What a weight of 1/m counts as beside the 1 that keeps 0 on the scale. */
const evenShare = 10;

/** Where a weight among so many keys lies along logarithmic colours: 0 at 0, 1 at 1; log(1 + 10·m·w) / log(1 + 10·m). */
export const logPlace = (weight: number, keys: number): number =>
  Math.log1p(evenShare * keys * weight) / Math.log1p(evenShare * keys);

/** The weight at a place of logarithmic colours. */
export const logWeight = (place: number, keys: number): number =>
  Math.expm1(place * Math.log1p(evenShare * keys)) / (evenShare * keys);

/** The colours of a kind of values, and what the page says of them. A kind without one of these does not compile. */
export interface ColourScale {
  /** The colours of a step's values within a range. */
  readonly of: (step: Coloured, range: Range, palette: Palette) => Scale;
  /** What a colour bar shows: the colours between their ends, what 0 and 1 look like, or that there is nothing to read off. */
  readonly bar: 'ramp' | '0 and 1' | 'none';
  /** Whether the colours end before a few numbers far beyond the others (`limitWithoutOutliers`). */
  readonly outliers: boolean;
  /** Whether a cell of 1 is hatched. */
  readonly hatched: boolean;
  /** Whether they are shares of 1: digits, spacing and pooled tiles go by the keys that share it. */
  readonly shares: boolean;
}

const plain = { outliers: false, hatched: false, shares: false } as const;

/** The one list of colour scales: a view asks here and knows no kind by its name. */
export const scales: Readonly<Record<ValueKind, ColourScale>> = {
  /** Diverging around zero: the same distance has the same strength on both sides, up to the range's `colourLimit`. */
  signed: { ...plain, of: signedScale, bar: 'ramp', outliers: true },
  /** From 0 to the matrix's maximum; among many keys to 1, by logarithm. */
  weights: { ...plain, of: weightsScale, bar: 'ramp', shares: true },
  ids: { ...plain, of: (_, __, palette) => (id) => category(id, palette), bar: 'none' },
  mask: { ...plain, of: (_, __, palette) => () => palette.neutral, bar: '0 and 1', hatched: true },
};

/** The colours of a matrix. */
export const scaleOf = (step: Coloured, range: Range, palette: Palette): Scale =>
  scales[step.kind].of(step, range, palette);

function signedScale(_: Coloured, range: Range, palette: Palette): Scale {
  const colours = tableOf(diverging, palette);
  const colourLimit = colourLimitOf(range);
  const inside: Scale = (v) => lookUp(colours, 0.5 + (colourLimit > 0 ? unit(v / colourLimit) / 2 : 0));
  return range.colourLimit === undefined ? inside : withOutliers(inside, range.colourLimit, palette);
}

function weightsScale(step: Coloured, { max }: Range, palette: Palette): Scale {
  const colours = tableOf(sequential, palette);
  const spacing = spacingOf(step);
  return spacing.kind === 'log' ? logScale(colours, spacing.keys) : (v) => lookUp(colours, max > 0 ? v / max : 0);
}

/** Gives outliers on each side the colour of that end, half way to the text's: it differs from every colour of the scale. */
function withOutliers(inside: Scale, colourLimit: number, palette: Palette): Scale {
  const [below, above] = [palette.negative, palette.positive].map((end) => mix(end, palette.foreground, 0.5));
  return (v) => (v > colourLimit ? above : v < -colourLimit ? below : undefined) ?? inside(v);
}

/** A float32 and its bits: exponent and leading digits are a logarithm that costs no call. */
const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);
const bitsOf1 = 0x3f800000;
/** Bits left out: 512 entries each time that a weight doubles are finer than the colours. */
const leftOut = 14;

const logTables = new WeakMap<readonly Rgb[], { readonly keys: number; readonly colours: readonly Rgb[] }>();

/** A logarithm for each pixel would take longer than all else of it: the colours are looked up by the bits of 1 + 10·m·w. */
function logScale(colours: readonly Rgb[], keys: number): Scale {
  const known = logTables.get(colours);
  const ours = known?.keys === keys ? known : { keys, colours: logTable(colours, keys) };
  logTables.set(colours, ours);
  const [table, times] = [ours.colours, evenShare * keys];
  return (weight) => {
    single[0] = 1 + times * Math.min(1, Math.max(0, weight));
    return table[((bits[0] ?? 0) - bitsOf1) >> leftOut] ?? [0, 0, 0];
  };
}

/** The colour in the middle of what each entry stands for. */
function logTable(colours: readonly Rgb[], keys: number): readonly Rgb[] {
  single[0] = 1 + evenShare * keys;
  const count = (((bits[0] ?? 0) - bitsOf1) >> leftOut) + 1;
  return Array.from({ length: count }, (_, i) => {
    bits[0] = bitsOf1 + (i << leftOut) + (1 << (leftOut - 1));
    return lookUp(colours, logPlace(((single[0] ?? 1) - 1) / (evenShare * keys), keys));
  });
}

const unit = (t: number): number => Math.min(1, Math.max(-1, t));

/**
 * Equal ids share a colour; after eight the hues come again, paler, and after 24 as at first: still paler, they would not stand out from
 * the page. Calm: half the way to the neutral, but where that is black on black.
 */
function category(id: number, palette: Palette): Rgb {
  const whole = Math.abs(Math.trunc(id));
  const hue = hues[whole % hues.length] ?? palette.neutral;
  const round = Math.floor(whole / hues.length) % 3;
  return mix(palette.neutral, hue, (palette.outline ? 0.92 : 0.62) / (1 + 0.35 * round));
}
