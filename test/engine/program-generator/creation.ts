/** Tensors from nothing: literals, ranges, fillings, draws of a seed. */
import { count, listed, tupleOf, type Kind, type Tensor, type Writer } from './writer';

export const floatTypes = { np: ['float32', 'float64', 'float16'], torch: ['float32', 'float64'] } as const;
export const wholeTypes = ['int64', 'int32', 'int16', 'int8', 'uint8'] as const;

export function someShape(w: Writer, least = 1, most = 3): number[] {
  const rank = w.draw.int(least, most);
  return Array.from({ length: rank }, () => w.draw.pick([1, 2, 2, 3, 3, 4, 5]));
}

function literalNumber(w: Writer, kind: Kind): string {
  const { draw } = w;
  if (kind === 'bool') return draw.chance(0.5) ? 'True' : 'False';
  if (kind === 'int') return String(draw.int(-4, 6));
  const x = draw.pick([
    () => draw.int(-16, 16) / 8,
    () => draw.int(-300, 300) / 100,
    () => draw.int(-9999, 9999) / 10000,
  ])();
  const text = String(x);
  return text.includes('.') ? text : draw.chance(0.3) ? `${text}.` : `${text}.0`;
}

/** A nested literal. */
export function literal(w: Writer, shape: readonly number[], kind: Kind): string {
  const [first, ...rest] = shape;
  if (first === undefined) return literalNumber(w, kind);
  return `[${Array.from({ length: first }, () => literal(w, rest, kind)).join(', ')}]`;
}

const made = (w: Writer, expression: string, shape: readonly number[], kind: Kind, size: number): Tensor =>
  w.tensor(expression, { shape, kind, exact: true, size, own: true });

const make = { np: 'np.array', torch: 'torch.tensor' } as const;

export function fromLiteral(w: Writer, shape = someShape(w), kind?: Kind): Tensor {
  const of = kind ?? w.draw.pick(['float', 'float', 'float', 'int', 'bool'] as const);
  const type = w.draw.chance(0.35)
    ? `, dtype=${w.lib}.${of === 'float' ? w.draw.pick(floatTypes[w.lib]) : of === 'int' ? w.draw.pick(wholeTypes.slice(0, 3)) : w.lib === 'np' ? 'bool_' : 'bool'}`
    : '';
  return made(w, `${make[w.lib]}(${literal(w, shape, of)}${type})`, shape, of, 6);
}

export const floats = (w: Writer, shape = someShape(w)): Tensor => fromLiteral(w, shape, 'float');

/** Of the library's own type, which all functions take. */
export const plainFloats = (w: Writer, shape = someShape(w)): Tensor =>
  made(w, `${make[w.lib]}(${literal(w, shape, 'float')})`, shape, 'float', 6);

function range(w: Writer): Tensor {
  const { draw, lib } = w;
  const shape = someShape(w, 1, 2);
  const n = count(shape);
  const whole = draw.chance(0.6);
  const start = draw.int(-3, 3);
  const by = draw.pick([1, 1, 2]);
  const expression = whole
    ? draw.chance(0.4)
      ? `${lib}.arange(${n})`
      : `${lib}.arange(${start}, ${start + by * n}, ${by})`
    : `${lib}.arange(${start}, ${start + n / 2}, 0.5)`;
  const size = Math.max(n, Math.abs(start) + by * n);
  const kind = whole ? 'int' : 'float';
  if (shape.length === 1) return made(w, expression, [n], kind, size);
  return made(w, `${expression}.reshape(${listed(shape)})`, shape, kind, size);
}

function filling(w: Writer): Tensor {
  const { draw, lib } = w;
  const shape = someShape(w);
  const sizes = lib === 'torch' && draw.chance(0.5) ? listed(shape) : tupleOf(shape);
  const type = draw.chance(0.3) ? draw.pick([...floatTypes[lib], 'int64', 'int32']) : '';
  const dtype = type ? `, dtype=${lib}.${type}` : '';
  const kind = type.startsWith('int') ? 'int' : 'float';
  return draw.pick([
    () => made(w, `${lib}.zeros(${sizes}${dtype})`, shape, kind, 0),
    () => made(w, `${lib}.ones(${sizes}${dtype})`, shape, kind, 1),
    () => {
      const value = literalNumber(w, draw.pick(['int', 'float']));
      const of = kind === 'int' || (type === '' && !value.includes('.')) ? 'int' : 'float';
      return made(w, `${lib}.full(${tupleOf(shape)}, ${value}${dtype})`, shape, of, 6);
    },
    () => {
      const n = draw.int(1, 4);
      return made(w, `${lib}.eye(${n}${dtype})`, [n, n], kind, 1);
    },
    () => {
      const like = w.some(
        () => true,
        () => floats(w),
      );
      return made(w, `${lib}.${draw.pick(['zeros_like', 'ones_like'])}(${like.name})`, like.shape, like.kind, 1);
    },
  ])();
}

function line(w: Writer): Tensor {
  const n = w.draw.int(1, 7);
  const [a, b] = [w.draw.int(-2, 0), w.draw.int(1, 3)];
  return w.tensor(`${w.lib}.linspace(${a}, ${b}, ${n})`, {
    shape: [n],
    kind: 'float',
    exact: false,
    size: 3,
    own: true,
  });
}

/** Draws of a seed: PyTorch's are exact, NumPy's may differ by 3 ulp. */
function drawn(w: Writer): Tensor {
  const { draw } = w;
  const shape = someShape(w);
  const seed = draw.int(0, 1000);
  if (w.lib === 'torch') {
    w.line(`torch.manual_seed(${seed})`);
    return draw.pick([
      () => w.tensor(`torch.randn(${listed(shape)})`, { shape, kind: 'float', exact: false, size: 4, own: true }),
      () => w.tensor(`torch.rand(${listed(shape)})`, { shape, kind: 'float', exact: true, size: 1, own: true }),
      () => made(w, `torch.randint(${draw.int(-3, 0)}, ${draw.int(1, 9)}, ${tupleOf(shape)})`, shape, 'int', 9),
      () => {
        const n = draw.int(1, 6);
        return made(w, `torch.randperm(${n})`, [n], 'int', n);
      },
    ])();
  }
  if (draw.chance(0.4)) {
    const rng = w.fresh('rng');
    w.line(`${rng} = np.random.default_rng(${seed})`);
    return draw.pick([
      () =>
        w.tensor(`${rng}.normal(size=${tupleOf(shape)})`, { shape, kind: 'float', exact: false, size: 4, own: true }),
      () => made(w, `${rng}.integers(0, ${draw.int(2, 9)}, size=${tupleOf(shape)})`, shape, 'int', 9),
    ])();
  }
  w.line(`np.random.seed(${seed})`);
  return draw.pick([
    () => w.tensor(`np.random.randn(${listed(shape)})`, { shape, kind: 'float', exact: false, size: 4, own: true }),
    () => made(w, `np.random.rand(${listed(shape)})`, shape, 'float', 1),
    () => made(w, `np.random.randint(0, ${draw.int(2, 9)}, size=${tupleOf(shape)})`, shape, 'int', 9),
  ])();
}

export const creating: readonly ((w: Writer) => Tensor)[] = [
  (w) => fromLiteral(w),
  (w) => fromLiteral(w),
  range,
  filling,
  line,
  drawn,
];

export const someTensor = (w: Writer): Tensor => w.draw.pick(creating)(w);

/** One that is there, or a new one. */
export const any = (w: Writer): Tensor =>
  w.some(
    () => true,
    () => someTensor(w),
  );

export const anyFloats = (w: Writer, most = 4): Tensor =>
  w.some(
    ({ kind, size }) => kind === 'float' && size <= most,
    () => plainFloats(w),
  );
