/** `str(value)` and `repr(value)`: undefined where a tensor is in it (the panel writes it) or something is not known. */
import { step, type Machine, nodeOf, deepestNesting, type Run, type Value } from '../machine';
import { attribute } from './attributes';
import { derivesFrom, exceptionText, fieldsFor } from './classes';
import { plainText } from './format';
import { formatDim } from '../tensor';
import { numberIn } from './builtins';
import { inSomeOrder } from './iterate';

export function* textOf(
  m: Machine,
  value: Value,
  asRepr: boolean,
  around: readonly Value[] = [],
): Run<string | undefined> {
  if (around.length > deepestNesting) return undefined;
  step(m);
  switch (value.kind) {
    case 'list':
      if (around.includes(value)) return '[...]';
      if (value.unsure) return undefined;
      return wrapped(
        value.ofDict ? `dict_${value.ofDict}([` : '[',
        yield* parts(m, value.items, [...around, value]),
        value.ofDict ? '])' : ']',
      );
    case 'tuple':
      return tupleText(value, yield* parts(m, value.items, [...around, value]));
    case 'set':
      if (value.unsure) return undefined;
      return value.entries.size === 0
        ? 'set()'
        : wrapped('{', yield* parts(m, inSomeOrder(m, [...value.entries.values()]), [...around, value]), '}');
    case 'dict':
      return around.includes(value) ? '{...}' : yield* dictText(m, value, [...around, value]);
    case 'instance':
      return yield* instanceText(m, value, asRepr, [...around, value]);
    case 'tensor': {
      if (value.library === 'numpy' && value.scalar) {
        const plain = plainText(yield* numberIn(m, value), asRepr);
        // NumPy 2 writes the type of a scalar within others.
        if (plain === undefined || !asRepr) return plain;
        const { dtype } = nodeOf(m, value);
        return dtype === 'bool' ? `np.${plain}_` : `np.${dtype}(${plain})`;
      }
      return undefined;
    }
    case 'slice':
      return undefined;
    case 'symbol':
      return formatDim(value.dim);
    case 'function':
      return undefined;
    default:
      return plainText(value, asRepr);
  }
}

function* parts(m: Machine, items: readonly Value[], around: readonly Value[]): Run<readonly string[] | undefined> {
  const out: string[] = [];
  for (const item of items) {
    const text = yield* textOf(m, item, true, around);
    if (text === undefined) return undefined;
    out.push(text);
  }
  return out;
}

const wrapped = (open: string, texts: readonly string[] | undefined, close: string): string | undefined =>
  texts && open + texts.join(', ') + close;

const tupleText = (
  { items, isSize }: Value & { kind: 'tuple' },
  texts: readonly string[] | undefined,
): string | undefined =>
  texts && (isSize ? `torch.Size([${texts.join(', ')}])` : `(${texts.join(', ')}${items.length === 1 ? ',' : ''})`);

function* dictText(
  m: Machine,
  { entries, unsure }: Value & { kind: 'dict' },
  around: readonly Value[],
): Run<string | undefined> {
  if (unsure) return undefined;
  const out: string[] = [];
  for (const [key, value] of entries.values()) {
    const [name, text] = [yield* textOf(m, key, true, around), yield* textOf(m, value, true, around)];
    if (name === undefined || text === undefined) return undefined;
    out.push(`${name}: ${text}`);
  }
  return `{${out.join(', ')}}`;
}

function* instanceText(
  m: Machine,
  value: Value & { kind: 'instance' },
  asRepr: boolean,
  around: readonly Value[],
): Run<string | undefined> {
  const own = (asRepr ? undefined : yield* attribute(m, value, '__str__')) ?? (yield* attribute(m, value, '__repr__'));
  if (own) {
    const text = yield* m.evaluator.call(m, own, { positional: [], keywords: new Map() });
    return text.kind === 'str' ? text.value : undefined;
  }
  if (derivesFrom(value.of, 'BaseException')) {
    const args = value.attributes.get('args');
    if (!asRepr) return exceptionText(value).slice(value.of.name.length + 2);
    const texts: (string | undefined)[] = [];
    for (const arg of args?.kind === 'tuple' ? args.items : []) texts.push(yield* textOf(m, arg, true, around));
    return texts.includes(undefined) ? undefined : `${value.of.name}(${texts.join(', ')})`;
  }
  if (!value.of.fields) return undefined;
  const out: string[] = [];
  for (const name of fieldsFor(value.of, 'repr')) {
    const text = yield* textOf(m, value.attributes.get(name) ?? { kind: 'none' }, true, around);
    if (text === undefined) return undefined;
    out.push(`${name}=${text}`);
  }
  return `${value.of.name}(${out.join(', ')})`;
}
