import { t } from '../text';
import type { Candidate } from './matrix';
import type { Scanner } from './scanner';

/** The exponent of a power of ten: 3 for `1.0e+03`, `1000` and `1e3`; undefined for other numbers. */
export function powerOf(written: string): number | undefined {
  const power = /^10*(?:\.0*)?(?:e([-+]?\d+))?$/.exec(written);
  if (power) return Number(power[1] ?? 0) + (/^10*/.exec(written)?.[0].length ?? 1) - 1;
  const small = /^0\.(0*)10*$/.exec(written);
  return small ? -1 - (small[1]?.length ?? 0) : undefined;
}

export const factorNote = (written: string): string =>
  t('Each number as printed times {0}, which stands above them.', written);

/** Longest factor, including the line end and blanks after it. */
const longest = 60;

/** Applies the common factor that PyTorch prints above the numbers: `tensor(1.0e+03 *⏎       [[…`. */
export function withFactor(s: Scanner, candidate: Candidate): Candidate {
  const { matrix } = candidate;
  if (!matrix || s.text.charAt(matrix.range.start) !== '[') return candidate;
  s.steps += longest;
  const before = s.text.slice(Math.max(0, matrix.range.start - longest), matrix.range.start);
  const written = /[(\s](1\.0*e[-+]\d{1,3})[ \t]*\*[ \t]*\r?\n[ \t]*$/.exec(` ${before}`)?.[1];
  const power = written === undefined ? undefined : powerOf(written);
  if (written === undefined || power === undefined) return candidate;
  const values = matrix.values.map((x) => shiftedBy(x, power));
  return { ...candidate, matrix: { ...matrix, values, notes: [...(matrix.notes ?? []), factorNote(written)] } };
}

/** A printed number times a power of ten, by shifting the decimal exponent: 0.0003 times 1e4 is 3, not 2.9999999999999996. */
function shiftedBy(x: number, power: number): number {
  const [mantissa = '', exponent = '0'] = String(x).split('e');
  return Number.isFinite(x) ? Number(`${mantissa}e${Number(exponent) + power}`) : x;
}
