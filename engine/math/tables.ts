import { bitLength, expFixed, fixedOf, inverseSeries, ln2Fixed, piFixed, roundScaled, sineSeries } from './exact';

/**
 * Tables made when first asked for, from the integer series of `exact.ts`: nothing to copy wrongly, and the same on
 * every machine. An entry is an unevaluated sum of two doubles, right to about 2^-105 of its size.
 */

const bits = 320;
const one = 1n << BigInt(bits);

// value · 2^-bits as a high part at index 2i and a low part at 2i + 1.
function store(table: Float64Array, i: number, value: bigint): void {
  const high = roundScaled(value, -bits);
  table[2 * i] = high;
  table[2 * i + 1] = roundScaled(value - fixedOf(high, bits), -bits);
}

/** 2^(i/1024) for i = 0 … 1023. */
export function makeExpTable(): Float64Array {
  const table = new Float64Array(2 * 1024);
  const step = expFixed(ln2Fixed(bits) >> 10n, bits).value;
  for (let i = 0, power = one; i < 1024; i++, power = (power * step) >> BigInt(bits)) store(table, i, power);
  return table;
}

/** −ln(j/512) for j = 362 … 724 (√½ to √2); ln((j+1)/j) = 2·atanh(1/(2j+1)) leads from one to the next. */
export function makeLogTable(): Float64Array {
  const table = new Float64Array(2 * 725);
  for (let j = 512, log = 0n; j < 724; j++) store(table, j + 1, -(log += logStep(j)));
  for (let j = 512, log = 0n; j > 362; j--) store(table, j - 1, -(log -= logStep(j - 1)));
  return table;
}

const logStep = (j: number): bigint => 2n * inverseSeries(BigInt(2 * j + 1), bits, 1n);

/** sin(i·π/1024) for i = 0 … 512, by turning (1, 0) step by step. */
export function makeSineTable(): Float64Array {
  const table = new Float64Array(2 * 513);
  const angle = piFixed(bits) >> 10n;
  const [c1, s1] = [sineSeries(angle, bits, 0n), sineSeries(angle, bits, 1n)];
  for (let i = 0, c = one, s = 0n; i <= 512; i++) {
    store(table, i, i === 512 ? one : s);
    [c, s] = [(c * c1 - s * s1) >> BigInt(bits), (s * c1 + c * s1) >> BigInt(bits)];
  }
  return table;
}

/**
 * A positive constant cut into pieces whose sum it is: each but the last holds the next `widths[i]` bits, so that its
 * product with an integer of up to 53 − widths[i] bits is exact; the last is the rest, rounded.
 */
function pieces(value: bigint, widths: readonly number[]): number[] {
  let rest = value;
  const heads = widths.map((width) => {
    const drop = BigInt(bitLength(rest) - width);
    const head = (rest >> drop) << drop;
    rest -= head;
    return roundScaled(head, -bits);
  });
  return [...heads, roundScaled(rest, -bits)];
}

/** ln 2 / 1024 in pieces of 32 bits and the rest. */
export const [ln2Over1024High, ln2Over1024Low] = pieces(ln2Fixed(bits) >> 10n, [32]) as [number, number];
/** ln 2 in pieces of 42 bits and the rest. */
export const [ln2High, ln2Low] = pieces(ln2Fixed(bits), [42]) as [number, number];
/** π / 1024 in three pieces of 26 bits and the rest. */
export const [piOver1024A, piOver1024B, piOver1024C, piOver1024D] = pieces(piFixed(bits) >> 10n, [26, 26, 26]) as [
  number,
  number,
  number,
  number,
];
/** 1024 / ln 2 and 1024 / π, to pick the nearest table entry. */
export const entriesPerLn2: number = 1024 / (ln2High + ln2Low);
export const entriesPerPi: number = 1 / (piOver1024A + piOver1024B);
