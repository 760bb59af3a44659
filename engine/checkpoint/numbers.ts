import { fail, ok, t, type Result } from '../text';

/** Types of the numbers of a checkpoint, by safetensors' names. float32 holds each exactly, but for float64. */
const sizes: Readonly<Record<string, number>> = { float64: 8, float32: 4, float16: 2, bfloat16: 2 };

/** Bytes of a number of a type; undefined for a type that is not read here. */
export const bytesEach = (dtype: string): number | undefined => sizes[dtype];

/** Little-endian bytes as float32. Problem: the type is not read here (integers, float8). */
export function floatsOf(dtype: string, bytes: Uint8Array): Result<Float32Array> {
  // A view needs an offset that is a multiple of its element's size.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset, length } = aligned;
  if (dtype === 'float32') return ok(new Float32Array(buffer, byteOffset, length / 4));
  if (dtype === 'float64') return ok(Float32Array.from(new Float64Array(buffer, byteOffset, length / 8)));
  if (dtype === 'bfloat16') return ok(fromBfloat16(new Uint16Array(buffer, byteOffset, length / 2)));
  if (dtype === 'float16') return ok(fromFloat16(new Uint16Array(buffer, byteOffset, length / 2)));
  const message = t('dtype {0} is not read here; {1} are', dtype, Object.keys(sizes).join(', '));
  return fail({ code: 'dtype', message });
}

/** bfloat16 is the upper half of a float32. */
function fromBfloat16(halves: Uint16Array): Float32Array {
  const words = new Uint32Array(halves.length);
  for (let i = 0; i < halves.length; i++) words[i] = (halves[i] as number) << 16;
  return new Float32Array(words.buffer);
}

let table: Float32Array | undefined;

/** Each binary16 number is looked up by its bits. */
function fromFloat16(halves: Uint16Array): Float32Array {
  table ??= Float32Array.from({ length: 65536 }, (_, bits) => float16Of(bits));
  const out = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) out[i] = table[halves[i] as number] as number;
  return out;
}

/** IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. */
function float16Of(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  // The unit of the significand: 2⁻²⁴ for subnormal numbers, then twice as much at each exponent; powers of two are exact.
  const unit = exponent > 1 ? (1 << (exponent - 1)) / (1 << 24) : 1 / (1 << 24);
  return sign * (exponent === 0 ? fraction : 1024 + fraction) * unit;
}
