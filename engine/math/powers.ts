/** 2^k for k = −1074 … 1023, at index k + 1074: every power of two that a double can hold. */
const powersOfTwo: Float64Array = makePowersOfTwo();

function makePowersOfTwo(): Float64Array {
  const powers = new Float64Array(2098);
  for (let k = 0, p = 1; k <= 1023; k++, p *= 2) powers[k + 1074] = p;
  for (let k = 0, p = 1; k >= -1074; k--, p *= 0.5) powers[k + 1074] = p;
  return powers;
}

/** 2^k, exactly, for −1074 ≤ k ≤ 1023. */
export const powerOfTwo = (k: number): number => powersOfTwo[k + 1074] as number;
