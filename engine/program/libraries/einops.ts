/** `einops`: patterns such as `'b (h d) n -> b h n d'` as reshapes, permutations, repetitions and reductions. */
import { t } from '../../text';
import { dimOf } from '../evaluate';
import { Raised, multiply, remaining, same, sizeOf, type Dim, type Shape } from '../tensor';
import {
  raise,
  expanded,
  nodeOf,
  permuted,
  reshaped,
  list,
  str,
  tuple,
  type Run,
  type TensorValue,
  type Value,
} from '../machine';
import { given, tensorOf } from './support';
import { notFollowed, type Call, type Row } from './table';

/** Axes of one side: each a group of names; `1` is a group without names. */
type Side = readonly (readonly string[])[];

const refuse = (message: string): never => raise('EinopsError', message);

/** `b (h d) ... 1`, the ellipsis as as many names as there are axes left. */
function sideOf(text: string, rest: readonly string[]): Side {
  const groups: string[][] = [];
  let open: string[] | undefined;
  for (const word of text.match(/\(|\)|\.{3}|…|[^\s()]+/g) ?? []) {
    if (word === '(') open = [];
    else if (word === ')') {
      groups.push(open ?? []);
      open = undefined;
    } else {
      const names = word === '...' || word === '…' ? rest : word === '1' ? [] : [word];
      if (open) open.push(...names);
      else if (word === '1') groups.push([]);
      else groups.push(...names.map((name) => [name]));
    }
  }
  return groups;
}

interface Pattern {
  readonly left: Side;
  readonly right: Side;
}

function patternOf(text: string, rank: number): Pattern {
  const [left, right, ...more] = text.split('->');
  if (left === undefined || right === undefined || more.length > 0) return refuse(`Invalid pattern: ${text}`);
  const plain = sideOf(left, []).length;
  const rest = /\.{3}|…/.test(left) ? Array.from({ length: Math.max(0, rank - plain) }, (_, i) => `…${i}`) : [];
  const sides = { left: sideOf(left, rest), right: sideOf(right, rest) };
  if (sides.left.length !== rank)
    refuse(`Wrong shape: expected ${sides.left.length} dims. Received ${rank}-dim tensor.`);
  return sides;
}

/** The size of each name: told, or what is left of its group's axis. */
function sizesOf(call: Call, left: Side, shape: Shape): Map<string, Dim> {
  const sizes = new Map<string, Dim>();
  for (const [name, value] of call.keywords) {
    const dim = dimOf(value);
    if (name === 'reduction') continue;
    sizes.set(name, dim ?? notFollowed(call.m, t('{0} of {1} is not known', name, call.name)));
  }
  left.forEach((names, i) => {
    const total = shape[i] as Dim;
    const open = names.filter((name) => !sizes.has(name) && !/^\d+$/.test(name));
    if (open.length > 1) refuse(`Could not infer sizes for ${open.join(', ')}`);
    const known = names
      .filter((name) => name !== open[0])
      .reduce<Dim>((product, name) => multiply(product, sizes.get(name) ?? Number(name)), 1);
    if (open[0] !== undefined) {
      if (typeof total === 'number' && typeof known === 'number' && (known === 0 || total % known !== 0))
        refuse(`Shape mismatch, can't divide axis of length ${total} in chunks of ${known}`);
      sizes.set(open[0], remaining(total, known));
    } else if (same(total, known) === false) refuse(`Shape mismatch, ${String(total)} != ${String(known)}`);
  });
  return sizes;
}

const sizeIn = (sizes: ReadonlyMap<string, Dim>, name: string): Dim => sizes.get(name) ?? Number(name);

const grouped = (side: Side, sizes: ReadonlyMap<string, Dim>): Shape =>
  side.map((names) => sizeOf(names.map((name) => sizeIn(sizes, name))));

function* subject(call: Call): Run<TensorValue> {
  const value = given(call, 'tensor');
  if (value.kind !== 'list' && value.kind !== 'tuple') return yield* tensorOf(call, value);
  const stack = call.m.library(call.m, 'torch.stack');
  const made =
    stack &&
    (yield* call.m.evaluator.call(call.m, stack, { positional: [list([...value.items])], keywords: new Map() }));
  return made?.kind === 'tensor' ? made : notFollowed(call.m, t('its shape is not known'));
}

interface Split {
  readonly tensor: TensorValue;
  readonly names: readonly string[];
  readonly right: Side;
  readonly sizes: ReadonlyMap<string, Dim>;
}

/** The tensor with an axis for each name of the left side. */
function* split(call: Call): Run<Split> {
  const tensor = yield* subject(call);
  const text = given(call, 'pattern');
  const { shape } = nodeOf(call.m, tensor);
  if (text.kind !== 'str' || !shape) return notFollowed(call.m, t('its shape is not known'));
  const { left, right } = patternOf(text.value, shape.length);
  const sizes = sizesOf(call, left, shape);
  const names = left.flat();
  const wide = reshaped(
    call.m,
    tensor,
    names.map((name) => sizeIn(sizes, name)),
  );
  return { tensor: wide, names, right, sizes };
}

function placed(call: Call, tensor: TensorValue, names: readonly string[], wanted: readonly string[]): TensorValue {
  const axes = wanted.map((name) => names.indexOf(name));
  return axes.every((axis, i) => axis === i) ? tensor : permuted(call.m, tensor, axes);
}

function* rearrange(call: Call): Run<Value> {
  const { tensor, names, right, sizes } = yield* split(call);
  const wanted = right.flat();
  const odd = [...wanted.filter((name) => !names.includes(name)), ...names.filter((name) => !wanted.includes(name))];
  if (odd.length > 0)
    refuse(
      `Identifiers only on one side of expression (should be on both): {${odd.map((name) => `'${name}'`).join(', ')}}`,
    );
  return reshaped(call.m, placed(call, tensor, names, wanted), grouped(right, sizes));
}

/** Names that only stand on the right are axes along which it repeats. */
function* repeat(call: Call): Run<Value> {
  const { tensor, names, right, sizes } = yield* split(call);
  const wanted = right.flat();
  const kept = wanted.filter((name) => names.includes(name));
  const sized = wanted.filter((name) => !names.includes(name) && !sizes.has(name) && !/^\d+$/.test(name));
  if (sized.length > 0)
    refuse(`Specify sizes for new axes in repeat: {${sized.map((name) => `'${name}'`).join(', ')}}`);
  const turned = placed(call, tensor, names, kept);
  const open = reshaped(
    call.m,
    turned,
    wanted.map((name) => (names.includes(name) ? sizeIn(sizes, name) : 1)),
  );
  const wide = expanded(
    call.m,
    open,
    wanted.map((name) => sizeIn(sizes, name)),
  );
  return reshaped(call.m, wide, grouped(right, sizes));
}

/** Names that only stand on the left are reduced over. */
function* reduce(call: Call): Run<Value> {
  const { tensor, names, right, sizes } = yield* split(call);
  const wanted = right.flat();
  const axes = names.flatMap((name, i) => (wanted.includes(name) ? [] : [i]));
  const reduction = given(call, 'reduction');
  const method =
    reduction.kind === 'str'
      ? { mean: 'mean', sum: 'sum', max: 'amax', min: 'amin', prod: 'prod' }[reduction.value]
      : undefined;
  if (!method) return notFollowed(call.m, t('{0} of {1} is not known', 'reduction', call.name));
  const found = call.m.library(call.m, tensor.library === 'torch' ? `torch.${method}` : `np.${method}`);
  const reduced =
    found && axes.length > 0
      ? yield* call.m.evaluator.call(call.m, found, {
          positional: [tensor, tuple(axes.map((value) => ({ kind: 'int', value })))],
          keywords: new Map(),
        })
      : tensor;
  if (reduced.kind !== 'tensor') return reduced;
  const left = names.filter((name) => wanted.includes(name));
  return reshaped(call.m, placed(call, reduced, left, wanted), grouped(right, sizes));
}

/** einsum whose axes have names of any length: `einsum(q, k, 'batch query d, batch key d -> batch query key')`, the pattern first or last. */
function* namedEinsum(call: Call): Run<Value> {
  const [text] = call.rest.filter((value) => value.kind === 'str');
  const tensors = call.rest.filter((value) => value !== text);
  if (text?.kind !== 'str') return notFollowed(call.m, t('einsum without an equation is not followed'));
  const words = [...new Set(text.value.match(/[A-Za-z_]\w*/g))];
  if (words.length > letters.length) return notFollowed(call.m, t('einsum without an equation is not followed'));
  const equation = text.value.replace(/[A-Za-z_]\w*/g, (word) => letters[words.indexOf(word)] ?? word);
  const first = tensors[0];
  const library = first?.kind === 'tensor' && first.library === 'numpy' ? 'np.einsum' : 'torch.einsum';
  const einsum = call.m.library(call.m, library);
  const positional = [str(equation), ...tensors];
  return einsum ? yield* call.m.evaluator.call(call.m, einsum, { positional, keywords: new Map() }) : notFollowed(call.m, t('its shape is not known')); // prettier-ignore
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** einops refuses with a class of its own. */
const told = (run: Row['run']): Row['run'] =>
  function* (call) {
    try {
      return yield* run(call);
    } catch (error) {
      if (error instanceof Raised && error.type === 'RuntimeError') return refuse(error.message);
      throw error;
    }
  };

const row = (name: string, signature: string, run: Row['run']): Row => ({
  names: name.includes('.') ? name : `einops.${name}`,
  signature,
  run: told(run),
  source: 'Rogozhnikov 2022, Einops: Clear and Reliable Tensor Manipulations with Einstein-like Notation',
  oracle: 'transcribed',
});

export const einopsRows: readonly Row[] = [
  row('rearrange', 'tensor, pattern, **', rearrange),
  row('repeat', 'tensor, pattern, **', repeat),
  row('reduce', 'tensor, pattern, reduction, **', reduce),
  row('einops.einsum fancy_einsum.einsum', '*tensors_and_pattern', namedEinsum),
];
