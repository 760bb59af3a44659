import { t } from '../../text/l10n';
import { mapped } from './arithmetic';
import type { Arguments } from './arguments';
import { describe, refuse, scalar, type Value } from './values';

const names: ReadonlySet<string> = new Set(['float', 'int', 'len', 'abs', 'torch.Size']);

export const isBuiltin = (name: string): boolean => names.has(name);

/** `float('-inf')`, `len(Q)`: what Python's own functions come to. */
export function builtin(name: string, args: Arguments): Value {
  const [value] = args.positional;
  if (!value || args.positional.length !== 1 || args.named.size > 0)
    return refuse(args.at, t('{0}(…) with these arguments is not computed', name));
  if (name === 'torch.Size') return value;
  if (name === 'len') {
    const n = value.kind === 'sequence' ? value.items.length : value.kind === 'array' ? value.shape[0] : undefined;
    return n === undefined ? refuse(args.at, t('{0} has no length', describe(value))) : scalar(n, 'int');
  }
  if (value.kind === 'word') return written(value.text, name, args);
  const single = value.kind === 'array' && value.shape.length === 0 ? scalar(value.values[0] ?? NaN, 'float') : value;
  if (name === 'abs' && value.kind === 'array') return mapped(value, value.dtype, Math.abs, args.at);
  if (single.kind !== 'scalar') return refuse(args.at, t('{0}(…) of {1} is not computed', name, describe(value)));
  if (name === 'abs') return scalar(Math.abs(single.value), single.type);
  if (name === 'float') return scalar(single.value, 'float');
  return Number.isFinite(single.value)
    ? scalar(Math.trunc(single.value) + 0, 'int')
    : refuse(args.at, `int(${single.value})`);
}

/** `float('-inf')` */
function written(text: string, name: string, args: Arguments): Value {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^([+-]?)inf(?:inity)?$/, '$1Infinity');
  const value = plain === 'nan' ? NaN : plain === '' ? undefined : Number(plain);
  const sound = value !== undefined && (plain === 'nan' || !Number.isNaN(value)) && !/^[+-]?0[xob]/.test(plain);
  if (!sound || name !== 'float') return refuse(args.at, t("{0}('{1}') is not computed", name, text.slice(0, 20)));
  return scalar(value, 'float');
}
