/** Reads a hex float: `0x1.8p3` is 1.5 · 2³ (C11 6.4.4.2). Exact if the digits fit into 53 bits, as in printed floats; NaN if malformed. */
export function hexFloat(written: string): number {
  const match = /^0x([\da-f]*)\.?([\da-f]*)p([+-]?\d{1,5})$/i.exec(written);
  if (!match) return NaN;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+(?=.)/, '');
  if (digits === '' || digits.length > 14 || whole + fraction === '') return NaN;
  return scaled(parseInt(digits, 16), Number(exponent) - 4 * fraction.length);
}

/** x · 2ⁿ for an integer x, rounded once. Steps of 2¹⁰⁰⁰ keep integers exact. */
function scaled(x: number, n: number): number {
  let value = x;
  for (let left = n; left !== 0 && value !== 0 && Number.isFinite(value);) {
    const step = Math.min(Math.abs(left), 1000);
    value = left > 0 ? value * powerOfTwo(step) : value / powerOfTwo(step);
    left -= left > 0 ? step : -step;
  }
  return value;
}

function powerOfTwo(n: number): number {
  let power = 1;
  for (let i = 0; i < n; i++) power *= 2;
  return power;
}
