import type { NumberFormat } from '../draw';

/**
 * Whether a number that was entered is the one that is shown: at most half a unit of the last shown digit away. Infinities and
 * NaN are themselves.
 */
export function isShown(said: number, value: number, { decimals, exponent }: NumberFormat): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(said)) return Object.is(said, value);
  const power = exponent && value !== 0 ? Number(value.toExponential().split('e')[1]) : 0;
  // Halves are entered as well as they can be: 0.125 for a shown 0.13.
  return Math.abs(said - value) <= 0.5 * 10 ** (power - decimals) * (1 + 1e-9);
}

/** `6x8`, `(6, 8)`, `6 by 8` as [6, 8]; undefined without two to four whole numbers. */
export function readShape(text: string): readonly number[] | undefined {
  const plain = text.trim().replace(/^[([]|[)\]]$/g, '');
  const sizes = plain.split(/\s*[×x*,;]\s*|\s+by\s+|\s+/i);
  const whole = sizes.length >= 2 && sizes.length <= 4 && sizes.every((size) => /^\d+$/.test(size));
  return whole ? sizes.map(Number) : undefined;
}

/** The whole shape, or that of one head's matrix. */
export const isShapeOf = (said: readonly number[], shape: readonly number[]): boolean =>
  [shape, shape.slice(-2)].some((one) => one.join() === said.join());
