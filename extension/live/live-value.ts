import type { LiveInfo, LiveScalar, LiveTensorInfo } from '../../engine/index';

export type { LiveInfo, LiveScalar };
export type TensorInfo = LiveTensorInfo;

/* What the reader says of a value in the process is checked: it comes from outside. */

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isScalar = (value: unknown): value is LiveScalar => value === null || ['number', 'string', 'boolean'].includes(typeof value); // prettier-ignore

const libraries = ['torch', 'numpy', 'jax', 'tensorflow', 'cupy', 'array', 'list'];

/** Undefined where it is not what the reader says. */
export function infoFrom(value: unknown): LiveInfo | undefined {
  if (!isFields(value) || !isText(value['kind'])) return undefined;
  const { kind, type } = value;
  if (kind === 'missing') return { kind };
  if (!isText(type)) return undefined;
  if (kind === 'value') {
    const own = value['value'];
    return isScalar(own) ? { kind, type, value: numberIn(type, own) } : undefined;
  }
  if (kind === 'object') return objectFrom(value, type);
  return libraries.includes(kind) ? tensorFrom(value, kind, type) : { kind: 'other', type };
}

/** JSON has no infinity: Python's text of it. */
const numberIn = (type: string, value: LiveScalar): LiveScalar =>
  type.startsWith('float') && isText(value) ? Number(value.replace('inf', 'Infinity').replace('nan', 'NaN')) : value;

function objectFrom(value: Fields, type: string): LiveInfo | undefined {
  const { module, nn, has } = value;
  if (!isText(module) || typeof nn !== 'boolean' || !isFields(has)) return undefined;
  const own = Object.entries(has).flatMap(([name, inner]) => {
    const info = infoFrom(inner);
    return info ? [[name, info] as const] : [];
  });
  return { kind: 'object', type, module, nn, has: Object.fromEntries(own) };
}

function tensorFrom(value: Fields, library: string, type: string): LiveInfo {
  const { shape, dtype, device, wire, no, value: items } = value;
  return {
    kind: 'tensor', library, type,
    ...(Array.isArray(shape) && shape.every(isSize) && { shape }),
    ...(isText(dtype) && { dtype }),
    ...(isText(device) && { device }),
    ...(isText(wire) && { wire }),
    ...(isText(no) && { no }),
    ...(Array.isArray(items) && items.every(isScalar) && { items }),
  }; // prettier-ignore
}
