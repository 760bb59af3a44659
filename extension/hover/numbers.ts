/** At most `digits` digits after the decimal point, an exponent where that would hide the number; a true minus sign. */
export function formatNumber(value: number, digits: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞';
  const magnitude = Math.abs(value);
  const plain =
    magnitude !== 0 && (magnitude >= 1e9 || magnitude < smallest(digits)) ? undefined : fixed(value, digits);
  // `333333333.3333` claims digits that nobody reads.
  const text = plain === undefined || (magnitude >= 1e6 && plain.includes('.')) ? exponential(value, digits) : plain;
  return text.replace(/-/g, '−');
}

/** What would round to zero. */
const smallest = (digits: number): number => Number(`0.5e-${digits}`);
/** The shortest digits that give the same number back, where they are few enough: 0.3 and not 0.29999999999999999. */
function fixed(value: number, digits: number): string {
  const shortest = /^-?\d+(?:\.(\d+))?$/.exec(String(value));
  return shortest && (shortest[1]?.length ?? 0) <= digits ? String(value) : trimmed(value.toFixed(digits));
}
const exponential = (value: number, digits: number): string => {
  const [mantissa = '', exponent = ''] = value.toExponential(digits).split('e');
  return `${trimmed(mantissa)}e${exponent.replace('+', '')}`;
};
const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
