import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  openTensorFile,
  sourceOfBytes,
  type ByteSource,
  type FileProblem,
  type Result,
  type TensorFile,
  type TensorSlice,
  type TensorValues,
} from '../../engine/index';

export interface Expected {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** The numbers' bytes in base64: little-endian float64, row-major. */
  readonly bits: string;
}

interface Slice {
  readonly slice: TensorSlice;
  readonly shape: readonly number[];
  readonly bits: string;
}

/** The fixture that test/reference/make_tensor_files.py writes. */
export interface Fixture {
  readonly versions: Readonly<Record<string, string>>;
  readonly digests: Readonly<Record<'float16' | 'bfloat16', string>>;
  readonly arrays: readonly (Expected & { file: string; inexact: number; slices?: readonly Slice[] })[];
  readonly refused: readonly { name: string; code: string; file: string }[];
  readonly archives: readonly { name: string; file: string; tensors: readonly Expected[] }[];
  readonly safetensors: { file: string; tensors: readonly Expected[]; metadata: Readonly<Record<string, string>> };
}

export const fixture = JSON.parse(
  readFileSync(join(__dirname, '../fixtures/files/tensor-files.json'), 'utf8'),
) as Fixture;

/** The decoded bytes, a new copy at each call. */
export const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64'));

export function archive(name: string): Uint8Array<ArrayBuffer> {
  const found = fixture.archives.find((one) => one.name === name);
  assert.ok(found, `${name} is in the fixture`);
  return bytesOfBase64(found.file);
}

/** A byte source that records which ranges were read. */
export function countingSource(bytes: Uint8Array): ByteSource & { readonly reads: { start: number; end: number }[] } {
  const reads: { start: number; end: number }[] = [];
  return {
    size: bytes.length,
    reads,
    readRange(start, end) {
      reads.push({ start, end });
      return Promise.resolve(bytes.slice(start, end));
    },
  };
}

export const open = (bytes: Uint8Array, name: string): Promise<Result<TensorFile>> =>
  openTensorFile(sourceOfBytes(bytes), name);

export async function opened(bytes: Uint8Array, name: string): Promise<TensorFile> {
  const file = await open(bytes, name);
  assert.ok(file.ok, `${name} opens: ${file.ok ? '' : file.problems[0]?.message}`);
  return file.value;
}

export async function read(file: TensorFile, name: string, slice?: TensorSlice): Promise<TensorValues> {
  const values = await file.read(name, slice);
  assert.ok(values.ok, `${name} is read: ${values.ok ? '' : values.problems[0]?.message}`);
  return values.value;
}

/** Asserts shape and values bit for bit, except that all NaNs are equal. */
export function assertBits(found: TensorValues, { shape, bits }: Pick<Expected, 'shape' | 'bits'>, what: string): void {
  assert.deepEqual(found.shape, shape, `${what}: shape`);
  const expected = new Float64Array(bytesOfBase64(bits).buffer);
  assert.equal(found.values.length, expected.length, `${what}: count`);
  expected.forEach((value, i) => {
    if (!Object.is(found.values[i], value)) assert.fail(`${what}: [${i}] is ${found.values[i]}, expected ${value}`);
  });
}

/** The result's only problem. Asserts that there is one. */
export function onlyProblem(result: Result<unknown>): FileProblem {
  assert.ok(!result.ok, 'it is refused');
  assert.equal(result.problems.length, 1, result.problems.map(({ message }) => message).join('; '));
  return result.problems[0] as FileProblem;
}

/** The only problem as `code@offset`. Asserts that its message names the offset too. */
export function told(result: Result<unknown>): string {
  const { code, offset, message } = onlyProblem(result);
  if (offset !== undefined) assert.match(message, new RegExp(`byte ${offset}: `));
  return offset === undefined ? code : `${code}@${offset}`;
}
