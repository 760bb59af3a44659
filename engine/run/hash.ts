import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import type { Step } from '../plan';
import { sizeOf } from '../math';
import type { AttentionTrace } from './trace';

/**
 * SHA-256 over the spec and every value of every step, as lower-case hexadecimal. Equal on every machine: the spec as JSON
 * with sorted keys, then for each step its id, shape and values as little-endian IEEE bytes in the spec's dtype,
 * row-major, with one NaN (positive, quiet, no payload).
 */
export function hashTrace(trace: AttentionTrace): string {
  const hash = sha256.create();
  const text = new TextEncoder();
  hash.update(text.encode(`explain-attention trace 1\n${canonicalJson(trace.spec)}\n`));
  for (const step of trace.plan.steps) {
    hash.update(text.encode(`${step.id} ${step.shape.join('×')}\n`));
    hash.update(bytesOf(trace, step));
  }
  return bytesToHex(hash.digest());
}

/** SHA-256 of the spec alone, for traces whose values are not all held. */
export const hashSpec = (spec: unknown): string =>
  bytesToHex(sha256(new TextEncoder().encode(`explain-attention spec 1\n${canonicalJson(spec)}\n`)));

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, v]) => v !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([k, v]) => `${JSON.stringify(k)}:${canonicalJson(v)}`).join(',')}}`;
}

function bytesOf(trace: AttentionTrace, step: Step): Uint8Array {
  const wide = trace.spec.dtype === 'float64';
  const bytes = new Uint8Array(sizeOf(step.shape) * (wide ? 8 : 4));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const value of valuesOf(trace, step)) {
    const canonical = Number.isNaN(value) ? NaN : value;
    if (wide) view.setFloat64(at, canonical, true);
    else view.setFloat32(at, canonical, true);
    at += wide ? 8 : 4;
  }
  return canonicalNaN(bytes, wide);
}

/** JavaScript does not specify the bits of a stored NaN. Writes the positive quiet NaN without payload instead. */
function canonicalNaN(bytes: Uint8Array, wide: boolean): Uint8Array {
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += wide ? 8 : 4) {
    if (wide && Number.isNaN(view.getFloat64(at, true))) {
      view.setUint32(at, 0, true);
      view.setUint32(at + 4, 0x7ff80000, true);
    } else if (!wide && Number.isNaN(view.getFloat32(at, true))) view.setUint32(at, 0x7fc00000, true);
  }
  return bytes;
}

/** All values of a step, row-major, batches first, then heads. */
export function valuesOf(trace: AttentionTrace, step: Step): Float64Array {
  const leading = step.shape.slice(0, -2);
  const [batches, heads] = leading.length === 2 ? [leading[0] ?? 1, leading[1] ?? 1] : [1, leading[0] ?? 1];
  const out = new Float64Array(sizeOf(step.shape));
  let at = 0;
  for (let batch = 0; batch < batches; batch++) {
    for (let head = 0; head < heads; head++) {
      // At level 0 `min` holds the cells themselves, including the sign of a zero.
      const { min } = trace.read(step.id, { batch, head });
      out.set(min, at);
      at += min.length;
    }
  }
  return out;
}
