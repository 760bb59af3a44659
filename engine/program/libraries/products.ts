/** Products of matrices, and what is made of them: einsum, linear layers, embeddings, norms. */
import { t } from '../../text';
import { getItem } from '../evaluate';
import {
  isCause,
  look,
  operate,
  raise,
  addNode,
  castNode,
  constant,
  newTensor,
  nodeOf,
  type Run,
  type Value,
} from '../machine';
import {
  floatLimits,
  isHalf,
  type Node,
  same,
  symbol,
  type Dim,
  type Shape,
  promote,
  type DType,
  broadcast,
  listText,
} from '../tensor';
import {
  listedOf,
  absent,
  apply,
  common,
  given,
  nodeArgument,
  realArgument,
  result,
  shapeOf,
  tensorArgument,
  tensorOf,
  withLastAxis,
} from './support';
import { notFollowed, type Call, type Row } from './table';

/** Operands of a product: PyTorch wants one type, NumPy finds a common one. */
function* factors(call: Call, a: Value, b: Value): Run<{ nodes: readonly [Node, Node]; dtype: DType }> {
  const [x, y] = [yield* tensorOf(call, a), yield* tensorOf(call, b)];
  const second = nodeOf(call.m, y);
  const left = yield* withLastAxis(call, a, second.shape?.length === 1 ? second.shape[0] : second.shape?.at(-2));
  const [p, q] = [nodeOf(call.m, a.kind === 'unknown' ? left : x), second];
  if (call.library === 'torch' && p.dtype !== q.dtype && !p.why && !q.why)
    raise('RuntimeError', `expected m1 and m2 to have the same dtype, but got: ${cName(p.dtype)} != ${cName(q.dtype)}`);
  const dtype = promote(
    call.library,
    [p, q].map((node) => ({ dtype: node.dtype, scalar: false })),
  );
  return { nodes: [castNode(call.m, p, dtype, call.library), castNode(call.m, q, dtype, call.library)], dtype };
}

const cNames: Readonly<Partial<Record<DType, string>>> = {
  float32: 'float',
  float64: 'double',
  int64: 'long long',
  int32: 'int',
  float16: 'c10::Half',
  bfloat16: 'c10::BFloat16',
  bool: 'bool',
};
const cName = (dtype: DType): string => cNames[dtype] ?? dtype;

function* matmul(call: Call): Run<Value> {
  const { nodes, dtype } = yield* factors(call, given(call, 'input'), given(call, 'other'));
  return apply(call, 'matmul', nodes, {}, dtype);
}

/** `mm` and `bmm` take matrices of two and three axes only. */
function* exact(call: Call, rank: 2 | 3): Run<Value> {
  const { nodes, dtype } = yield* factors(call, given(call, 'input'), given(call, 'other'));
  const [a, b] = nodes.map((node) => node.shape);
  if (a && b && (a.length !== rank || b.length !== rank))
    raise('RuntimeError', rank === 3 ? `batch1 must be a 3D tensor` : `self must be a matrix`);
  if (rank === 3 && a && b && same(a[0] as Dim, b[0] as Dim) === false)
    raise(
      'RuntimeError',
      `Expected size for first two dimensions of batch2 tensor to be: ${listText([a[0] as Dim, a[2] as Dim])} but got: ${listText(b.slice(0, 2))}.`,
    );
  return apply(call, 'matmul', nodes, {}, dtype);
}

/** NumPy's dot of more axes sums over the last of the first and the last but one of the second. */
function* dot(call: Call): Run<Value> {
  const { nodes, dtype } = yield* factors(call, given(call, 'input'), given(call, 'other'));
  const [a, b] = nodes.map((node) => node.shape);
  if (call.library === 'torch' && a && b && (a.length !== 1 || b.length !== 1))
    raise('RuntimeError', `1D tensors expected, but got ${a.length}D and ${b.length}D tensors`);
  if (a?.length === 0 || b?.length === 0) return apply(call, 'multiply', nodes, {}, dtype);
  if (a && b && b.length > 2) return notFollowed(call.m, t('{0} of more than two axes is not followed', call.name));
  if (call.library === 'numpy' && a && b && same(a.at(-1) as Dim, (b.length === 1 ? b[0] : b.at(-2)) as Dim) === false)
    raise(
      'ValueError',
      `shapes (${a.join(',')}${a.length === 1 ? ',' : ''}) and (${b.join(',')}${b.length === 1 ? ',' : ''}) not aligned: ${String(a.at(-1))} (dim ${a.length - 1}) != ${String(b.length === 1 ? b[0] : b.at(-2))} (dim ${Math.max(0, b.length - 2)})`,
    );
  return apply(call, 'matmul', nodes, {}, dtype);
}

function* outer(call: Call): Run<Value> {
  const { nodes, dtype } = yield* common(call, [given(call, 'input'), given(call, 'other')]);
  const [a, b] = nodes as [Node, Node];
  const shaped = (node: Node, shape: Shape): Node => operate(call.m, 'reshape', [node], { shape }, dtype, call.library);
  return apply(call, 'multiply', [shaped(a, [...(a.shape ?? []), 1]), shaped(b, [1, ...(b.shape ?? [])])], {}, dtype);
}

/** An equation with its ellipses named by letters of their own and its output said. */
function* einsum(call: Call): Run<Value> {
  const [first, ...values] = call.rest;
  const items = listedOf(values);
  if (first?.kind !== 'str') return notFollowed(call.m, t('einsum without an equation is not followed'));
  const { nodes, dtype } = yield* common(call, items);
  const shapes = nodes.map((node) => node.shape ?? notFollowed(call.m, t('its shape is not known')));
  const [left = '', right] = first.value.replaceAll(' ', '').split('->');
  const inputs = left.split(',');
  if (inputs.length !== nodes.length)
    raise('RuntimeError', `einsum(): fewer operands were provided than specified in the equation`);
  const spare = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((letter) => !first.value.includes(letter));
  const widths = inputs.map((letters, i) =>
    letters.includes('...') ? (shapes[i] as Shape).length - letters.length + 3 : 0,
  );
  const most = Math.max(0, ...widths);
  const named = inputs.map((letters, i) =>
    letters.replace('...', spare.slice(most - (widths[i] as number), most).join('')),
  );
  const once = [...new Set(named.join(''))]
    .filter((letter) => [...named.join('')].filter((l) => l === letter).length === 1)
    .sort();
  const output = (
    right ?? `${most > 0 ? '...' : ''}${once.filter((letter) => !spare.slice(0, most).includes(letter)).join('')}`
  ).replace('...', spare.slice(0, most).join(''));
  const sizes = lettersOf(named, shapes);
  const shape = [...output].map(
    (letter) =>
      sizes.get(letter) ??
      raise(
        'RuntimeError',
        `einsum(): output subscript ${letter} does not appear in the equation for any input operand`,
      ),
  );
  return apply(call, 'einsum', nodes, { equation: `${named.join(',')}->${output}`, shape }, dtype);
}

function lettersOf(inputs: readonly string[], shapes: readonly Shape[]): Map<string, Dim> {
  const sizes = new Map<string, Dim>();
  inputs.forEach((letters, n) => {
    const shape = shapes[n] as Shape;
    if (letters.length !== shape.length)
      raise(
        'RuntimeError',
        `einsum(): the number of subscripts in the equation (${letters.length}) does not match the number of dimensions (${shape.length}) for operand ${n} and no ellipsis was given`,
      );
    [...letters].forEach((letter, i) => {
      const [known, dim] = [sizes.get(letter), shape[i] as Dim];
      if (known !== undefined && known !== 1 && dim !== 1 && same(known, dim) === false)
        raise(
          'RuntimeError',
          `einsum(): subscript ${letter} has size ${String(dim)} for operand ${n} which does not broadcast with previously seen size ${String(known)}`,
        );
      if (known === undefined || known === 1 || typeof dim === 'number')
        sizes.set(letter, dim === 1 && known !== undefined ? known : dim);
    });
  });
  return sizes;
}

/** x·Wᵀ + b. */
function* linear(call: Call): Run<Value> {
  const weight = yield* nodeArgument(call, 'weight');
  const x = nodeOf(call.m, yield* withLastAxis(call, given(call, 'input'), weight.shape?.at(-1)));
  const { m } = call;
  if (x.dtype !== weight.dtype && !x.why && !weight.why)
    raise(
      'RuntimeError',
      `mat1 and mat2 must have the same dtype, but got ${cName(x.dtype)} and ${cName(weight.dtype)}`,
    );
  const rank = weight.shape?.length ?? 2;
  const turned = rank === 2 ? operate(m, 'permute', [weight], { axes: [1, 0] }, weight.dtype, 'torch') : weight;
  const bias = call.get('bias');
  const wide = inside(weight.dtype);
  const isOnce = wide !== weight.dtype && !absent(bias);
  const product = operate(m, 'matmul', isOnce ? [widened(call, x), widened(call, turned)] : [x, turned], {}, isOnce ? wide : weight.dtype, 'torch'); // prettier-ignore
  if (absent(bias)) return newTensor('torch', product);
  const sum = operate(m, 'add', [product, widened(call, nodeOf(m, yield* tensorOf(call, bias)))], {}, wide, 'torch');
  return newTensor('torch', castNode(m, sum, weight.dtype, 'torch'));
}

/** Half precision is computed in float32 inside a layer and rounded once at its end. */
const inside = (dtype: DType): DType => (isHalf(dtype) ? 'float32' : dtype);

const widened = ({ m }: Call, node: Node): Node => castNode(m, node, inside(node.dtype), 'torch');

/** Rows of a table. Ids that are out of it are found where they are looked up. */
function* embedding(call: Call): Run<Value> {
  const ids = yield* tensorArgument(call, 'input');
  const table = yield* tensorArgument(call, 'weight');
  const node = nodeOf(call.m, ids);
  const [rows, width] = nodeOf(call.m, table).shape ?? [];
  if (width === undefined || (node.why && node.shape === undefined))
    return newTensor(
      'torch',
      addNode(call.m, 'pick', { operands: [nodeOf(call.m, table), node], shape: undefined, dtype: table.node.dtype }),
    );
  // A stand-in for ids is a whole number, whatever it was taken for.
  if (node.why && node.dtype === 'float32')
    return newTensor(
      'torch',
      addNode(call.m, 'pick', {
        operands: [nodeOf(call.m, table), node],
        attributes: { axes: [0], axis: 0 },
        shape: [...(node.shape ?? []), width as Dim],
        dtype: table.node.dtype,
      }),
    );
  if (node.dtype !== 'int64' && node.dtype !== 'int32')
    raise(
      'RuntimeError',
      `Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.${node.dtype === 'float32' ? 'FloatTensor' : node.dtype} instead (while checking arguments for embedding)`,
    );
  const values = node.why ? undefined : yield* look(call.m, node);
  if (values && !isCause(values) && typeof rows === 'number' && values.data.some((id) => id < 0 || id >= rows))
    raise('IndexError', 'index out of range in self');
  return yield* getItem(call.m, table, ids);
}

/** `torch.finfo(x.dtype).eps` as `rms_norm` takes it; halves are computed in float32, and so is their eps. */
const smallest = (dtype: DType): number => floatLimits(dtype === 'float64' ? dtype : 'float32')?.eps ?? 0;

function* norm(call: Call, operation: 'layer_norm' | 'rms_norm'): Run<Value> {
  const asked = yield* shapeOf(call, [given(call, 'normalized_shape')]);
  const node = nodeOf(call.m, yield* withLastAxis(call, given(call, 'input'), asked.at(-1)));
  const rank = node.shape?.length ?? asked.length;
  const axes = asked.map((_, i) => rank - asked.length + i);
  const own = node.shape?.slice(-asked.length);
  if (own && (own.length !== asked.length || own.some((dim, i) => same(dim, asked[i] as Dim) === false)))
    raise(
      'RuntimeError',
      `Given normalized_shape=${listText(asked)}, expected input with shape ${listText([symbol('*'), ...asked])}, but got input of size${listText(node.shape ?? [])}`,
    );
  const eps =
    absent(call.get('eps')) && operation === 'rms_norm' ? smallest(node.dtype) : realArgument(call, 'eps', 1e-5);
  const wide = inside(node.dtype);
  let made = operate(call.m, operation, [widened(call, node)], { axes, eps }, wide, 'torch');
  const [weight, bias] = [call.get('weight'), call.get('bias')];
  if (!absent(weight))
    made = operate(call.m, 'multiply', [made, widened(call, nodeOf(call.m, yield* tensorOf(call, weight)))], {}, wide, 'torch'); // prettier-ignore
  if (!absent(bias))
    made = operate(call.m, 'add', [made, widened(call, nodeOf(call.m, yield* tensorOf(call, bias)))], {}, wide, 'torch'); // prettier-ignore
  return result(call, castNode(call.m, made, node.dtype, 'torch'));
}

/** `torch.baddbmm`, `torch.addmm`: beta·input + alpha·a·b; with beta 0 the input counts for nothing, whatever it has. */
function* added(call: Call): Run<Value> {
  const { nodes, dtype } = yield* factors(call, given(call, 'a'), given(call, 'b'));
  const { m } = call;
  const wide = inside(dtype);
  const [alpha, beta] = [realArgument(call, 'alpha', 1), realArgument(call, 'beta', 1)];
  const times = (node: Node, by: number): Node => (by === 1 ? node : operate(m, 'multiply', [node, constant(m, [], wide, Float64Array.of(by))], {}, wide, 'torch')); // prettier-ignore
  const product = operate(m, 'matmul', nodes.map((node) => widened(call, node)), {}, wide, 'torch'); // prettier-ignore
  const base = nodeOf(m, yield* tensorArgument(call, 'input'));
  if (base.shape && product.shape) broadcast('torch', [base.shape, product.shape]);
  const scaled = times(product, alpha);
  const sum = beta === 0 ? scaled : operate(m, 'add', [times(widened(call, base), beta), scaled], {}, wide, 'torch');
  return newTensor('torch', castNode(m, sum, dtype, 'torch'));
}

const row = (
  names: string,
  signature: string,
  run: Row['run'],
  source: string,
  oracle: Row['oracle'] = 'torch',
): Row => ({ names, signature, run, source, oracle });

export const productRows: readonly Row[] = [
  row(
    'torch.matmul Tensor.matmul Tensor.__matmul__ np.matmul ndarray.__matmul__',
    'input|x1, other|x2',
    matmul,
    'PyTorch, torch.matmul; NumPy, numpy.matmul',
  ),
  row('torch.mm Tensor.mm', 'input, other|mat2', (call) => exact(call, 2), 'PyTorch, torch.mm'),
  row('torch.bmm Tensor.bmm', 'input, other|mat2', (call) => exact(call, 3), 'PyTorch, torch.bmm'),
  row('torch.mv Tensor.mv', 'input, other|vec', matmul, 'PyTorch, torch.mv'),
  row('torch.dot Tensor.dot np.dot ndarray.dot', 'input|a, other|b|tensor', dot, 'NumPy, numpy.dot'),
  row('torch.outer torch.ger Tensor.outer Tensor.ger np.outer', 'input|a, other|b|vec2', outer, 'NumPy, numpy.outer'),
  row('torch.einsum np.einsum', '*operands, **', einsum, 'NumPy, numpy.einsum'),
  row(
    'torch.addmm torch.baddbmm Tensor.addmm Tensor.baddbmm',
    'input, a|mat1|batch1, b|mat2|batch2, *, beta=, alpha=',
    added,
    'PyTorch, torch.addmm',
  ),
  row('F.linear', 'input, weight, bias=', linear, 'PyTorch, torch.nn.functional.linear'),
  row(
    'F.embedding',
    'input, weight, padding_idx=, max_norm=, norm_type=, scale_grad_by_freq=, sparse=',
    embedding,
    'PyTorch, torch.nn.functional.embedding',
  ),
  row(
    'F.layer_norm',
    'input, normalized_shape, weight=, bias=, eps=',
    (call) => norm(call, 'layer_norm'),
    'Ba, Kiros & Hinton 2016, eq. 4',
  ),
  row(
    'F.rms_norm',
    'input, normalized_shape, weight=, eps=',
    (call) => norm(call, 'rms_norm'),
    'Zhang & Sennrich 2019, eq. 4',
    'transcribed',
  ),
];
