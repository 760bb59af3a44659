// Folders of models in memory, from what test/reference/transformers_families.py recorded of the transformers library.
import { crc32 } from 'node:zlib';
import { openCheckpoint, runForward, type Checkpoint, type CheckpointFolder, type ForwardResult, type LayerAttention } from '../../engine/checkpoint'; // prettier-ignore
import { sourceOfBytes } from '../../engine/files';
import { wasmKernels } from '../../engine/run';
import { ok, type Result } from '../../engine/text';

type Dtype = 'float32' | 'float16' | 'bfloat16';

/** A small model and what the library computed with it. */
export interface LibraryCase {
  readonly name: string;
  /** config.json as published, and as the library saves it. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly saved: Readonly<Record<string, unknown>>;
  readonly dtype: Dtype;
  readonly gainsAround: number;
  readonly tensors: Readonly<Record<string, readonly number[]>>;
  /** Tensors that have another's numbers. */
  readonly copies?: Readonly<Record<string, string>>;
  readonly ids: readonly number[];
  readonly target?: readonly number[];
  readonly types?: readonly (0 | 1)[];
  /** Rows × vocabulary; without it the model has no head on the vocabulary. */
  readonly logits?: string;
  /** Of each attention in the order in which it is computed: heads × queries × keys. */
  readonly weights: readonly string[];
  readonly weightShapes: readonly (readonly [number, number, number])[];
}

/** A field of a case's config.json that was changed alone. */
export interface LibraryField {
  readonly case: string;
  readonly field: string;
  /** `(absent)`: it was taken away. */
  readonly value: unknown;
  readonly result: 'same' | 'changed' | 'refused' | 'other tensors' | 'not finite';
  /** Where `changed`: the last row of logits, and the last row of each head's weights in the last attention. */
  readonly last?: string;
  readonly weights?: string;
}

export interface Library {
  readonly versions: Readonly<Record<string, string>>;
  readonly cases: readonly LibraryCase[];
  readonly fields: readonly LibraryField[];
}

/** Little-endian float32, in base64. */
export const floatsOf64 = (text: string): Float32Array =>
  new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer);

const bitsOf: Readonly<Record<Dtype, number>> = { float32: 16, float16: 10, bfloat16: 7 };
const codes: Readonly<Record<Dtype, string>> = { float32: 'F32', float16: 'F16', bfloat16: 'BF16' };

/** `rule` of transformers_families.py. */
export function ruled(name: string, shape: readonly number[], dtype: Dtype, gainsAround: number): Float32Array {
  const [count, bits, seed] = [shape.reduce((a, b) => a * b, 1), bitsOf[dtype], crc32(Buffer.from(name))];
  const around = shape.length === 1 && /\.(weight|gamma)$/.test(name) ? gainsAround : 0;
  return Float32Array.from({ length: count }, (_, i) => {
    let x = (Math.imul(i, 2654435761) + seed) >>> 0;
    x = Math.imul(x ^ (x >>> 16), 0x7feb352d) >>> 0;
    x = Math.imul(x ^ (x >>> 15), 0x846ca68b) >>> 0;
    x = (x ^ (x >>> 16)) >>> 0;
    return ((x >>> (32 - bits)) - 2 ** (bits - 1)) / 2 ** bits + around;
  });
}

/** Bits of numbers that the type holds exactly. */
function halvesOf(values: Float32Array, dtype: Dtype): Uint8Array {
  const words = new Uint32Array(values.buffer.slice(0));
  if (dtype === 'float32') return new Uint8Array(words.buffer);
  if (dtype === 'bfloat16') return new Uint8Array(Uint16Array.from(words, (word) => word >>> 16).buffer);
  const halves = Uint16Array.from(words, (word) => {
    const exponent = ((word >>> 23) & 255) - 112;
    if ((word & 0x7fffffff) === 0) return word >>> 16;
    if (exponent < 1 || word & 0x1fff) throw new Error('not a normal float16');
    return ((word >>> 16) & 0x8000) | (exponent << 10) | ((word >>> 13) & 1023);
  });
  return new Uint8Array(halves.buffer);
}

/** A file of tensors: the header's length, the header, the numbers. */
export function safetensorsOf(
  tensors: Readonly<
    Record<string, { readonly dtype: Dtype; readonly shape: readonly number[]; readonly values: Float32Array }>
  >,
): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [name, { dtype, shape, values }] of Object.entries(tensors)) {
    const bytes = halvesOf(values, dtype);
    header[name] = { dtype: codes[dtype], shape, data_offsets: [at, at + bytes.length] };
    parts.push(bytes);
    at += bytes.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8, 32)]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return new Uint8Array(Buffer.concat([length, padded, ...parts]));
}

export function weightsOf({ tensors, copies = {}, dtype, gainsAround }: LibraryCase): Uint8Array {
  return safetensorsOf(
    Object.fromEntries(
      Object.entries(tensors).map(([name, shape]) => [
        name,
        { dtype, shape, values: ruled(copies[name] ?? name, shape, dtype, gainsAround) },
      ]),
    ),
  );
}

/** A folder in memory. */
export function folderIn(files: Readonly<Record<string, Uint8Array>>): CheckpointFolder {
  return {
    open: (name) => Promise.resolve(Object.hasOwn(files, name) ? sourceOfBytes(files[name] as Uint8Array) : undefined),
  };
}

export const jsonBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** What a model reads: ids, those of the decoder, and which of two texts each token is of. */
export interface PassInputs {
  readonly ids: readonly number[];
  readonly target?: readonly number[];
  readonly types?: readonly (0 | 1)[];
}

export interface Pass {
  readonly checkpoint: Checkpoint;
  readonly result: ForwardResult;
  readonly attentions: readonly LayerAttention[];
}

/** Opens a folder and runs the whole model, every row scored, every attention kept. */
export async function passOf(folder: CheckpointFolder, { ids, target, types }: PassInputs): Promise<Result<Pass>> {
  const opened = await openCheckpoint(folder);
  if (!opened.ok) return opened;
  const attentions: LayerAttention[] = [];
  const { architecture, weights } = opened.value;
  const result = await runForward(architecture, weights, ids, {
    kernels: wasmKernels(),
    onAttention: (attention) => void attentions.push(attention),
    scored: (target ?? ids).map((_, i) => i),
    ...(target && { decoderIds: target }),
    ...(types && { types }),
  });
  return result.ok ? ok({ checkpoint: opened.value, result: result.value, attentions }) : result;
}
