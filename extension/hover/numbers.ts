/**
 * A number with at most `digits` digits after the decimal point, in exponential notation if it would round to zero or be very long, with a true minus
 * sign.
 */
export function formatNumber(value: number, digits: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞';
  const magnitude = Math.abs(value);
  const plain =
    magnitude !== 0 && (magnitude >= 1e9 || magnitude < smallest(digits)) ? undefined : fixed(value, digits);
  // `333333333.3333` would be longer than useful.
  const text = plain === undefined || (magnitude >= 1e6 && plain.includes('.')) ? exponential(value, digits) : plain;
  return text.replace(/-/g, '−');
}

/** The smallest magnitude that does not round to zero. */
const smallest = (digits: number): number => Number(`0.5e-${digits}`);
/** The shortest decimal that reads back as the same number if it has few enough digits (0.3, not 0.29999999999999999), else the rounded number. */
function fixed(value: number, digits: number): string {
  const shortest = /^-?\d+(?:\.(\d+))?$/.exec(String(value));
  return shortest && (shortest[1]?.length ?? 0) <= digits ? String(value) : trimmed(value.toFixed(digits));
}
const exponential = (value: number, digits: number): string => {
  const [mantissa = '', exponent = ''] = value.toExponential(digits).split('e');
  return `${trimmed(mantissa)}e${exponent.replace('+', '')}`;
};
const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
