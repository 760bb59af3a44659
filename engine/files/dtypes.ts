import { t } from '../text';
import type { FileProblem } from './source';

/** Number types of files. All are converted to float64, exactly except for large 64-bit integers. */
export type StoredType =
  | 'float64' | 'float32' | 'float16' | 'bfloat16'
  | 'int64' | 'int32' | 'int16' | 'int8'
  | 'uint64' | 'uint32' | 'uint16' | 'uint8'
  | 'bool'; // prettier-ignore

/** Reads the number at byte `at`. */
export type Decode = (view: DataView, at: number, little: boolean) => number;

interface Stored {
  /** In bytes. */
  readonly size: number;
  readonly decode: Decode;
}

export const storedTypes: Readonly<Record<StoredType, Stored>> = {
  float64: { size: 8, decode: (view, at, little) => view.getFloat64(at, little) },
  float32: { size: 4, decode: (view, at, little) => view.getFloat32(at, little) },
  float16: { size: 2, decode: (view, at, little) => decodeFloat16(view.getUint16(at, little)) },
  bfloat16: { size: 2, decode: (view, at, little) => decodeBfloat16(view.getUint16(at, little)) },
  int64: {
    size: 8,
    decode: (view, at, little) => int64From(view.getInt32(at + (little ? 4 : 0), little), view, at, little),
  },
  int32: { size: 4, decode: (view, at, little) => view.getInt32(at, little) },
  int16: { size: 2, decode: (view, at, little) => view.getInt16(at, little) },
  int8: { size: 1, decode: (view, at) => view.getInt8(at) },
  uint64: {
    size: 8,
    decode: (view, at, little) => int64From(view.getUint32(at + (little ? 4 : 0), little), view, at, little),
  },
  uint32: { size: 4, decode: (view, at, little) => view.getUint32(at, little) },
  uint16: { size: 2, decode: (view, at, little) => view.getUint16(at, little) },
  uint8: { size: 1, decode: (view, at) => view.getUint8(at) },
  bool: { size: 1, decode: (view, at) => (view.getUint8(at) === 0 ? 0 : 1) },
};

/** The unit of an 11-bit significand at each exponent of binary16, 2⁻²⁵ … 2⁵; powers of two are exact. */
const halfScales = /* @__PURE__ */ Array.from({ length: 31 }, (_, e) => (e < 25 ? 1 / (1 << (25 - e)) : 1 << (e - 25)));

/** IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. Exact in float64. */
function decodeFloat16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  const scale = halfScales[Math.max(exponent, 1)] as number;
  return sign * (exponent === 0 ? fraction : 1024 + fraction) * scale;
}

const word = /* @__PURE__ */ new Uint32Array(1);
const single = /* @__PURE__ */ new Float32Array(word.buffer);

/** bfloat16: the upper half of a float32. */
function decodeBfloat16(bits: number): number {
  word[0] = bits << 16;
  return single[0] as number;
}

/** A 64-bit integer from its upper half: the sum of two exact terms, hence the nearest float64. */
const int64From = (high: number, view: DataView, at: number, little: boolean): number =>
  high * 4294967296 + view.getUint32(at + (little ? 0 : 4), little);

/** Whether `wide` rounded the integer. The sum's error can be computed exactly because the upper term is larger, or zero. */
export function isRounded(view: DataView, at: number, little: boolean, signed: boolean): boolean {
  const upper = at + (little ? 4 : 0);
  const high = (signed ? view.getInt32(upper, little) : view.getUint32(upper, little)) * 4294967296;
  const low = view.getUint32(at + (little ? 0 : 4), little);
  return high + low - high !== low;
}

/** A type by its name in the file, with a problem if its numbers cannot be read. */
export interface NamedType {
  /** The name for display: `float16`, or the file's own name. */
  readonly name: string;
  readonly stored?: StoredType;
  readonly little: boolean;
  /** Bytes of one number; undefined for an unknown type. */
  readonly size?: number;
  readonly problem?: FileProblem;
}

const readableType = (stored: StoredType, little: boolean): NamedType => ({
  name: stored,
  stored,
  little,
  size: storedTypes[stored].size,
});

const unreadableType = (name: string, size: number | undefined, why: string, hint: string): NamedType => ({
  name,
  little: true,
  ...(size === undefined ? {} : { size }),
  problem: { code: 'dtype', message: t('dtype {0}: {1}', name, why), hint },
});

const numpyTypes = new Map<string, StoredType>([
  ['f8', 'float64'], ['f4', 'float32'], ['f2', 'float16'],
  ['i8', 'int64'], ['i4', 'int32'], ['i2', 'int16'], ['i1', 'int8'],
  ['u8', 'uint64'], ['u4', 'uint32'], ['u2', 'uint16'], ['u1', 'uint8'],
  ['b1', 'bool'],
]); // prettier-ignore

const numpyKinds: Readonly<Record<string, () => readonly [why: string, hint: string]>> = {
  O: () => [t('Python objects are not read: that would run the file'), t('Save numbers: np.save(file, np.array(x, dtype=np.float64)).')],
  c: () => [t('complex numbers are not read'), t('Save the real and the imaginary part.')],
  f: () => [t('only float16, float32 and float64 are read'), t('Save x.astype(np.float64).')],
  S: () => [t('texts are not read'), t('Save numbers.')],
  U: () => [t('texts are not read'), t('Save numbers.')],
  M: () => [t('dates are not read'), t('Save numbers.')],
  m: () => [t('spans of time are not read'), t('Save numbers.')],
  V: () => [t('bytes without a type are not read'), t('NumPy writes bfloat16 in this way: save x.astype(np.float32), or use safetensors.')],
}; // prettier-ignore

/** Reads a NumPy type string (`dtype.str`) such as `<f4`, `>i8`, `|b1`: byte order, kind, size in bytes. Undefined if it is none. */
export function numpyType(text: string): NamedType | undefined {
  const match = /^([<>|=])([a-zA-Z])(\d{0,9})(\[[\w/]+\])?$/.exec(text);
  if (!match) return undefined;
  const [, order = '', kind = '', digits = '', unit] = match;
  // Only datetime64 and timedelta64 have a unit.
  if (unit !== undefined && kind !== 'M' && kind !== 'm') return undefined;
  const stored = numpyTypes.get(kind + digits);
  if (!stored) {
    const [why, hint] = numpyKinds[kind]?.() ?? [t('not a type of NumPy'), t('Save x.astype(np.float64).')];
    // Unicode strings count characters of four bytes each.
    const size = kind === 'O' || digits === '' ? undefined : Number(digits) * (kind === 'U' ? 4 : 1);
    return unreadableType(text, size, why, hint);
  }
  const { size } = storedTypes[stored];
  if (size > 1 && order !== '<' && order !== '>')
    return unreadableType(
      text,
      size,
      t('it does not say its byte order'),
      t('Expected < (little endian) or > (big endian).'),
    );
  return readableType(stored, order !== '>');
}

const tensorTypes = new Map<string, StoredType>([
  ['F64', 'float64'], ['F32', 'float32'], ['F16', 'float16'], ['BF16', 'bfloat16'],
  ['I64', 'int64'], ['I32', 'int32'], ['I16', 'int16'], ['I8', 'int8'],
  ['U64', 'uint64'], ['U32', 'uint32'], ['U16', 'uint16'], ['U8', 'uint8'],
  ['BOOL', 'bool'],
]); // prettier-ignore

/** Sizes in bytes of further safetensors types, except types of less than a byte. */
const otherSizes = new Map([['F8_E4M3', 1], ['F8_E5M2', 1], ['F8_E8M0', 1], ['F8_E4M3FNUZ', 1], ['F8_E5M2FNUZ', 1], ['C64', 8]]); // prettier-ignore

/** Reads a safetensors type: `F32`, `BF16`. Numbers are little-endian. */
export function safetensorsType(text: string): NamedType {
  const stored = tensorTypes.get(text);
  if (stored) return readableType(stored, true);
  return unreadableType(
    text,
    otherSizes.get(text),
    t('it is not read'),
    t('Read are {0}.', [...tensorTypes.keys()].join(', ')),
  );
}

/** Little-endian numbers as float64, and whether a 64-bit integer had to be rounded. Undefined for a type that is not read, or bytes that are cut off. */
export function numbersIn(
  type: string,
  bytes: Uint8Array,
): { readonly values: Float64Array; readonly rounded: boolean } | undefined {
  if (!Object.hasOwn(storedTypes, type)) return undefined;
  const { size, decode } = storedTypes[type as StoredType];
  if (bytes.length % size !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const values = new Float64Array(bytes.length / size);
  const isWide = type === 'int64' || type === 'uint64';
  let rounded = false;
  for (let i = 0; i < values.length; i++) {
    values[i] = decode(view, i * size, true);
    if (isWide && isRounded(view, i * size, true, type === 'int64')) rounded = true;
  }
  return { values, rounded };
}

/** In bytes; undefined for a type that is not read. */
export const sizeOfType = (type: string): number | undefined =>
  Object.hasOwn(storedTypes, type) ? storedTypes[type as StoredType].size : undefined;
