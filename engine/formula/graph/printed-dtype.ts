/** The number type in which printed numbers were computed: by how many digits tell each from its neighbours. */

const shortest = /\.?0+(?=$|e)/;

/** Digits without sign, point, exponent and zeros at either end. */
const significant = (written: string): number =>
  written.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '').length;

/** The fewest digits that tell a float32 from its neighbours. */
function asFloat32(value: number): number {
  const exact = Math.fround(value);
  for (let digits = 1; digits <= 9; digits++) {
    const written = Number(exact.toPrecision(digits));
    if (Math.fround(written) === exact) return written;
  }
  return exact;
}

/** More digits than a person would write, and fewer than a float64 has. */
const telling = 7;

/** float32 where many digits are written, and no number has more than a float32 needs; else float64. */
export function printedDType(values: readonly number[]): 'float32' | 'float64' {
  const long = values.filter((value) => significant(String(value).replace(shortest, '')) >= telling);
  return long.length > 3 && long.every((value) => asFloat32(value) === value) ? 'float32' : 'float64';
}
