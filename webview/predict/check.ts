import type { NumberFormat } from '../draw';

/**
 * Whether an entered number counts as right: within half a unit of the last digit shown, in the matrix's number format. Infinities and NaN must be
 * equal.
 */
export function isShown(said: number, value: number, { decimals, exponent }: NumberFormat): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(said)) return Object.is(said, value);
  const power = exponent && value !== 0 ? Number(value.toExponential().split('e')[1]) : 0;
  // The factor tolerates rounding at exactly half a unit: 0.125 is right for a shown 0.13.
  return Math.abs(said - value) <= 0.5 * 10 ** (power - decimals) * (1 + 1e-9);
}

/** Reads `6x8`, `(6, 8)` or `6 by 8` as [6, 8]; undefined unless there are two to four whole numbers. */
export function readShape(text: string): readonly number[] | undefined {
  const plain = text.trim().replace(/^[([]|[)\]]$/g, '');
  const sizes = plain.split(/\s*[×x*,;]\s*|\s+by\s+|\s+/i);
  const whole = sizes.length >= 2 && sizes.length <= 4 && sizes.every((size) => /^\d+$/.test(size));
  return whole ? sizes.map(Number) : undefined;
}

/** Whether it is the whole shape, or that of one head's matrix. */
export const isShapeOf = (said: readonly number[], shape: readonly number[]): boolean =>
  [shape, shape.slice(-2)].some((one) => one.join() === said.join());
