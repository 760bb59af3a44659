/** Functions of each element, operators with broadcasting and promotion, products, sums and what runs along an axis. */
import { any, anyFloats, floats, floatTypes, fromLiteral, literal, plainFloats, wholeTypes } from './creation';
import { axisText, listed, tame, tupleOf, type Kind, type Tensor, type Writer } from './writer';

type Step = (w: Writer) => void;

/** Name, what its values stay below for |x| ≤ 4, and whether it is exact. */
const bounded: readonly (readonly [string, number, boolean?])[] = [
  ['exp', 60],
  ['tanh', 1],
  ['sin', 1],
  ['cos', 1],
  ['abs', 4, true],
  ['sign', 1, true],
  ['floor', 5, true],
  ['ceil', 5, true],
  ['trunc', 4, true],
  ['square', 16, true],
  ['expm1', 60],
  ['exp2', 16],
  ['round', 5, true],
  ['negative', 4, true],
  ['isnan', 1, true],
  ['isfinite', 1, true],
];
const ofTorch: readonly (readonly [string, number, boolean?])[] = [
  ['sigmoid', 1],
  ['relu', 4, true],
  ['erf', 1],
  ['nn.functional.gelu', 4],
  ['nn.functional.silu', 4],
  ['nn.functional.softplus', 5],
  ['nn.functional.elu', 4],
  ['nn.functional.leaky_relu', 4, true],
];

const tests = new Set(['isnan', 'isfinite']);

/** `torch.tanh(x)`, `x.tanh()`, `np.tanh(x)`. */
const unary: Step = (w) => {
  const { draw, lib } = w;
  const [name, size, exact = false] = draw.pick(lib === 'torch' ? [...bounded, ...ofTorch] : bounded);
  const discrete = ['sign', 'floor', 'ceil', 'trunc', 'round'].includes(name);
  const x = w.some(
    (t) => (t.kind === 'float' || (draw.chance(0.15) && t.kind === 'int')) && t.size <= 4 && (t.exact || !discrete),
    () => floats(w),
  );
  const method = lib === 'torch' && !name.includes('.') && draw.chance(0.5);
  const kind = tests.has(name) ? 'bool' : exact ? x.kind : 'float';
  const made = { shape: x.shape, kind, exact: x.exact && exact, size, own: true };
  w.tensor(method ? `${x.name}.${name}()` : `${lib}.${name}(${x.name})`, made);
};

/** Of positive numbers. */
const root: Step = (w) => {
  const x = anyFloats(w);
  const lib = w.lib;
  const positive = `${lib}.abs(${x.name}) + ${w.draw.pick(['1', '0.5', '2.0'])}`;
  const name = w.draw.pick(
    lib === 'torch'
      ? ['sqrt', 'rsqrt', 'log', 'reciprocal', 'log1p', 'log2']
      : ['sqrt', 'log', 'log1p', 'log2', 'log10'],
  );
  w.tensor(`${lib}.${name}(${positive})`, { shape: x.shape, kind: 'float', exact: false, size: 4, own: true });
};

/** A shape that broadcasts with `shape`. */
function partner(w: Writer, shape: readonly number[]): number[] {
  const kept = shape.slice(w.draw.int(0, shape.length));
  const out = kept.map((n) => (w.draw.chance(0.35) ? 1 : n));
  return w.draw.chance(0.2) && out.length === shape.length ? [w.draw.int(1, 3), ...out] : out;
}

const joined = (a: readonly number[], b: readonly number[]): number[] => {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, i) => {
    const [x, y] = [a[i - rank + a.length] ?? 1, b[i - rank + b.length] ?? 1];
    return x === 1 ? y : x;
  });
};

const fits = (a: readonly number[], b: readonly number[]): boolean => {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, i) => {
    const [x, y] = [a[i - rank + a.length] ?? 1, b[i - rank + b.length] ?? 1];
    return x === 1 || y === 1 || x === y;
  }).every(Boolean);
};

const higher = (a: Kind, b: Kind): Kind =>
  a === 'float' || b === 'float' ? 'float' : a === 'int' || b === 'int' ? 'int' : 'bool';

interface Other {
  readonly text: string;
  readonly shape: readonly number[];
  readonly kind: Kind;
  readonly exact: boolean;
  readonly size: number;
}

/** The other side of an operator: a tensor that broadcasts, a number of Python's, a scalar of the library's. */
function other(w: Writer, x: Tensor): Other {
  const { draw, lib } = w;
  if (draw.chance(0.35)) {
    const kind = draw.pick(['int', 'float', 'bool'] as const);
    const text = literal(w, [], kind);
    const wrapped = draw.chance(0.25)
      ? lib === 'np'
        ? kind === 'bool'
          ? `np.bool_(${text})`
          : `np.${kind === 'float' ? draw.pick(floatTypes.np) : draw.pick(wholeTypes.slice(0, 2))}(${text})`
        : `torch.tensor(${text})`
      : text;
    return { text: wrapped, shape: [], kind, exact: true, size: 6 };
  }
  const found = w.some(
    (t) => t.size <= 10 && fits(t.shape, x.shape),
    () => fromLiteral(w, partner(w, x.shape)),
  );
  return { ...found, text: found.name };
}

const arithmetic: Step = (w) => {
  const { draw, lib } = w;
  const x = w.some(
    (t) => t.size <= 10,
    () => fromLiteral(w),
  );
  const b = other(w, x);
  const shape = joined(x.shape, b.shape);
  const [left, right] = draw.chance(0.25) ? [b.text, x.name] : [x.name, b.text];
  const kind = higher(x.kind, b.kind);
  const exact = x.exact && b.exact;
  const operator = draw.pick(['+', '-', '*', '/', '+', '-', '*', '//', '%']);
  if ((operator === '//' || operator === '%') && !exact)
    return void w.tensor(`${left} + ${right}`, { shape, kind, exact, size: x.size + b.size, own: true });
  if (operator === '/' || operator === '//' || operator === '%') {
    const divisor = draw.pick(['2', '4.0', '3', '0.5', '-2', '1.5']);
    const divided = operator === '/' || divisor.includes('.') ? 'float' : x.kind;
    w.tensor(`${x.name} ${operator} ${divisor}`, {
      shape: x.shape,
      kind: divided,
      exact: x.exact,
      size: x.size * 2,
      own: true,
    });
    return;
  }
  const size = operator === '*' ? x.size * b.size : x.size + b.size;
  const named =
    { '+': 'add', '-': lib === 'np' ? 'subtract' : 'sub', '*': lib === 'np' ? 'multiply' : 'mul' }[operator] ?? '';
  const call = lib === 'np' ? `np.${named}(${left}, ${right})` : `torch.${named}(${x.name}, ${b.text})`;
  const text = draw.chance(0.2) && (lib === 'np' || /^[a-z]/.test(b.text)) ? call : `${left} ${operator} ${right}`;
  w.tensor(text, { shape, kind: kind === 'bool' ? 'int' : kind, exact, size, own: true });
};

const power: Step = (w) => {
  const x = w.some(
    (t) => t.size <= 6 && t.kind !== 'bool',
    () => fromLiteral(w, undefined, 'float'),
  );
  const by = w.draw.pick(['2', '3', '2.0', '1', '0']);
  w.tensor(`${x.name} ** ${by}`, {
    shape: x.shape,
    kind: by.includes('.') ? 'float' : x.kind,
    exact: false,
    size: x.size ** 3,
    own: true,
  });
};

const comparison: Step = (w) => {
  const { draw } = w;
  const x = w.some(
    (t) => t.exact,
    () => fromLiteral(w),
  );
  const found = other(w, x);
  const b = found.exact ? found : { ...found, text: '1', shape: [] };
  w.tensor(`${x.name} ${draw.pick(['<', '<=', '>', '>=', '==', '!='])} ${b.text}`, {
    shape: joined(x.shape, b.shape),
    kind: 'bool',
    exact: true,
    size: 1,
    own: true,
  });
};

const logic: Step = (w) => {
  const { draw, lib } = w;
  const a = w.some(
    (t) => t.kind === 'bool',
    () => fromLiteral(w, undefined, 'bool'),
  );
  const b = fromLiteral(w, partner(w, a.shape), 'bool');
  const shape = joined(a.shape, b.shape);
  const text = draw.pick([
    `${a.name} & ${b.name}`,
    `${a.name} | ${b.name}`,
    `${a.name} ^ ~${b.name}`,
    `${lib}.logical_and(${a.name}, ${b.name})`,
    `${lib}.logical_not(${a.name}) | ${b.name}`,
  ]);
  w.tensor(text, { shape, kind: 'bool', exact: true, size: 1, own: true });
};

const choice: Step = (w) => {
  const { draw, lib } = w;
  const x = anyFloats(w, tame);
  const mask = fromLiteral(w, partner(w, x.shape).slice(-x.shape.length), 'bool');
  if (lib === 'torch' && draw.chance(0.5) && mask.shape.length <= x.shape.length) {
    const value = draw.pick(["float('-inf')", '0', '-1e9', '0.0']);
    w.tensor(`${x.name}.masked_fill(${mask.name}, ${value})`, { ...x, exact: x.exact, size: 1e9, own: true });
    return;
  }
  // 1.24 does not promote a number of Python's as NumPy 2 does here.
  const b = draw.chance(0.5) && lib === 'torch' ? literal(w, [], draw.pick(['float', 'int'])) : anyFloats(w, tame);
  const [text, shape, exact] =
    typeof b === 'string'
      ? [b, [], true]
      : fits(b.shape, joined(x.shape, mask.shape))
        ? [b.name, b.shape, b.exact]
        : [lib === 'np' ? `${x.name} * 0` : '0.5', [], true];
  w.tensor(`${lib}.where(${mask.name}, ${x.name}, ${text})`, {
    shape: joined(joined(x.shape, mask.shape), shape),
    kind: 'float',
    exact: x.exact && exact,
    size: tame,
    own: true,
  });
};

const clip: Step = (w) => {
  const x = anyFloats(w, tame);
  const [low, high] = [w.draw.pick(['-1', '-0.5', '0']), w.draw.pick(['1', '1.5', '2'])];
  const text =
    w.lib === 'np'
      ? `np.clip(${x.name}, ${low}, ${high})`
      : w.draw.pick([
          `${x.name}.clamp(min=${low})`,
          `torch.clamp(${x.name}, ${low}, ${high})`,
          `${x.name}.clamp(max=${high})`,
        ]);
  w.tensor(text, { ...x, own: true });
};

const extremes: Step = (w) => {
  const x = anyFloats(w, tame);
  const y = plainFloats(w, partner(w, x.shape));
  w.tensor(`${w.lib}.${w.draw.pick(['maximum', 'minimum'])}(${x.name}, ${y.name})`, {
    shape: joined(x.shape, y.shape),
    kind: 'float',
    exact: x.exact,
    size: x.size,
    own: true,
  });
};

const cast: Step = (w) => {
  const { draw, lib } = w;
  const x = w.some(
    (t) => t.exact && t.size <= tame,
    () => fromLiteral(w),
  );
  const type = draw.pick([
    'float32',
    'float64',
    'int64',
    'int32',
    'bool',
    'int16',
    ...(lib === 'np' ? ['float16'] : ['bfloat16']),
  ]);
  const kind: Kind = type === 'bool' ? 'bool' : type.startsWith('int') ? 'int' : 'float';
  const texts =
    lib === 'np'
      ? [
          `${x.name}.astype(np.${type === 'bool' ? 'bool_' : type})`,
          `${x.name}.astype(${kind === 'int' ? 'int' : kind})`,
        ]
      : [
          `${x.name}.to(torch.${type})`,
          `${x.name}.${{ bool: 'bool', int: 'long', float: draw.pick(['float', 'double']) }[kind]}()`,
        ];
  w.tensor(draw.pick(texts), { ...x, kind, own: true });
};

/** `matmul` of matrices, of batches and with vectors. */
const product: Step = (w) => {
  const { draw, lib } = w;
  const a = w.some(
    (t) => t.kind === 'float' && t.size <= 4 && t.shape.length > 0,
    () => plainFloats(w),
  );
  const k = a.shape.at(-1) ?? 1;
  const columns = draw.int(1, 4);
  const lead = draw.chance(0.4) ? a.shape.slice(0, -2).map((n) => (draw.chance(0.3) ? 1 : n)) : [];
  const vector = draw.chance(0.25);
  const b =
    lib === 'torch'
      ? `torch.tensor(${literal(w, vector ? [k] : [...lead, k, columns], 'float')}, dtype=${a.name}.dtype)`
      : literalArray(w, vector ? [k] : [...lead, k, columns]);
  const name = w.fresh();
  w.line(`${name} = ${b}`);
  const batch = a.shape.length > 1 ? joined(a.shape.slice(0, -2), vector ? [] : lead) : vector ? [] : lead;
  const shape = [...batch, ...(a.shape.length > 1 ? a.shape.slice(-2, -1) : []), ...(vector ? [] : [columns])];
  const text = draw.pick([`${a.name} @ ${name}`, `${lib}.matmul(${a.name}, ${name})`]);
  w.tensor(text, { shape, kind: 'float', exact: false, size: a.size * 6 * k, own: true });
};

const literalArray = (w: Writer, shape: readonly number[]): string => `np.array(${literal(w, shape, 'float')})`;

const similarity: Step = (w) => {
  const a = w.some(
    (t) => t.kind === 'float' && t.size <= 6 && t.shape.length >= 2,
    () => plainFloats(w, [w.draw.int(2, 4), w.draw.int(2, 4)]),
  );
  const n = a.shape.at(-2) ?? 1;
  const turned =
    w.lib === 'torch'
      ? w.draw.pick([`${a.name}.transpose(-2, -1)`, `${a.name}.transpose(-1, -2)`])
      : `np.swapaxes(${a.name}, -1, -2)`;
  const scores = w.tensor(`${a.name} @ ${turned} / ${w.draw.pick(['2', '1.5', `${a.name}.shape[-1] ** 0.5`])}`, {
    shape: [...a.shape.slice(0, -1), n],
    kind: 'float',
    exact: false,
    size: a.size * a.size * 4,
    own: true,
  });
  if (w.lib === 'torch')
    w.tensor(
      w.draw.pick([
        `torch.softmax(${scores.name}, dim=-1)`,
        `${scores.name}.softmax(-1)`,
        `torch.nn.functional.softmax(${scores.name}, dim=${-2 + w.draw.int(0, 1)})`,
      ]),
      { ...scores, size: 1, own: true },
    );
  else {
    const e = w.tensor(`np.exp(${scores.name} - ${scores.name}.max(axis=-1, keepdims=True))`, {
      ...scores,
      size: 1,
      own: true,
    });
    w.tensor(`${e.name} / ${e.name}.sum(-1, keepdims=True)`, { ...scores, size: 1, own: true });
  }
};

const letters = 'bhijkd';

/** Two operands with letters in common, and an output of some of them. */
const einsum: Step = (w) => {
  const { draw, lib } = w;
  const sizes = new Map([...letters].map((letter) => [letter, draw.int(1, 3)]));
  const choose = (): string =>
    draw
      .shuffled([...letters])
      .slice(0, draw.int(1, 3))
      .join('');
  const [p, q] = [choose(), choose()];
  const all = [...new Set(p + q)];
  const output = draw.shuffled(all).slice(0, draw.int(0, Math.min(3, all.length)));
  const shapeOf = (word: string): number[] => [...word].map((letter) => sizes.get(letter) ?? 1);
  const [a, b] = [plainFloats(w, shapeOf(p)), plainFloats(w, shapeOf(q))];
  const implicit = draw.chance(0.15);
  const once = all.filter((l) => [...(p + q)].filter((other) => other === l).length === 1).sort();
  w.tensor(`${lib}.einsum('${p},${q}${implicit ? '' : `->${output.join('')}`}', ${a.name}, ${b.name})`, {
    shape: shapeOf((implicit ? once : output).join('')),
    kind: 'float',
    exact: false,
    size: 36 * 9,
    own: true,
  });
};

const axisName = { np: 'axis', torch: 'dim' } as const;
const keepName = { np: 'keepdims', torch: 'keepdim' } as const;

const without = (shape: readonly number[], axes: readonly number[], keep: boolean): number[] =>
  shape.flatMap((n, i) => (axes.includes(i) ? (keep ? [1] : []) : [n]));

const reduction: Step = (w) => {
  const { draw, lib } = w;
  const name = draw.pick([
    'sum',
    'mean',
    'max',
    'min',
    'prod',
    'var',
    'std',
    'any',
    'all',
    'argmax',
    'argmin',
    'sum',
    'mean',
  ]);
  const needsFloat = ['mean', 'var', 'std'].includes(name);
  const decides = ['argmax', 'argmin', 'any', 'all'].includes(name);
  const x = w.some(
    (t) =>
      (!needsFloat || t.kind === 'float') &&
      (!decides || t.exact) &&
      (name !== 'prod' || t.size <= 4) &&
      t.size <= tame &&
      !(t.kind === 'bool' && ['max', 'min', 'argmax', 'argmin', 'prod'].includes(name) && lib === 'torch'),
    () => plainFloats(w),
  );
  const axis = draw.int(0, Math.max(0, x.shape.length - 1));
  const whole = x.shape.length === 0 || draw.chance(0.25);
  const keep = !whole && draw.chance(0.4);
  const arg = axisText(draw, axis, x.shape.length);
  const pairs = lib === 'torch' && (name === 'max' || name === 'min') && !whole;
  const several = !whole && x.shape.length > 1 && ['sum', 'mean'].includes(name) && draw.chance(0.2);
  const given = whole
    ? []
    : [
        several ? `${axisName[lib]}=(0, -1)` : draw.chance(0.5) ? String(arg) : `${axisName[lib]}=${arg}`,
        ...(keep ? [`${keepName[lib]}=True`] : []),
      ];
  const call = draw.chance(0.5)
    ? `${x.name}.${name}(${given.join(', ')})`
    : `${lib}.${name}(${[x.name, ...given].join(', ')})`;
  const shape = whole ? [] : without(x.shape, several ? [0, x.shape.length - 1] : [axis], keep);
  const kind: Kind = name.startsWith('arg')
    ? 'int'
    : ['any', 'all'].includes(name)
      ? 'bool'
      : ['sum', 'prod'].includes(name) && x.kind === 'bool'
        ? 'int'
        : x.kind;
  const exact = x.exact && (decides || ['max', 'min'].includes(name) || x.kind !== 'float');
  const size = { sum: x.size * 60, prod: 1e4 }[name] ?? x.size;
  w.tensor(pairs ? `${call}${draw.pick(['.values', '[0]'])}` : call, { shape, kind, exact, size, own: true });
};

const along: Step = (w) => {
  const { draw, lib } = w;
  const x = w.some(
    (t) => t.kind === 'float' && t.size <= 10 && t.shape.length > 0,
    () => plainFloats(w),
  );
  const axis = axisText(draw, draw.int(0, x.shape.length - 1), x.shape.length);
  const by = draw.chance(0.5) ? String(axis) : `${axisName[lib]}=${axis}`;
  const text =
    lib === 'np'
      ? draw.pick([`np.cumsum(${x.name}, ${by})`, `${x.name}.cumsum(${by})`])
      : draw.pick([
          `torch.cumsum(${x.name}, ${by})`,
          `${x.name}.softmax(${by})`,
          `torch.log_softmax(${x.name}, ${by})`,
          `torch.softmax(${x.name}, ${by})`,
        ]);
  w.tensor(text, { ...x, exact: false, size: x.size * 6, own: true });
};

const sorted: Step = (w) => {
  const { draw, lib } = w;
  const x = w.some(
    (t) => t.exact && t.kind !== 'bool' && t.shape.length > 0,
    () => plainFloats(w),
  );
  const axis = draw.int(0, x.shape.length - 1);
  const by = axisText(draw, axis, x.shape.length);
  if (lib === 'np') {
    w.tensor(`np.sort(${x.name}, axis=${by})`, { ...x, own: true });
    return;
  }
  const down = draw.chance(0.4) ? ', descending=True' : '';
  if (draw.chance(0.5))
    w.tensor(`torch.sort(${x.name}, dim=${by}${down})${draw.pick(['.values', '[0]'])}`, { ...x, own: true });
  else {
    const k = draw.int(1, x.shape[axis] ?? 1);
    w.tensor(`torch.topk(${x.name}, ${k}, dim=${by})${draw.pick(['.values', '[0]'])}`, {
      ...x,
      shape: x.shape.map((n, i) => (i === axis ? k : n)),
      own: true,
    });
  }
};

const norm: Step = (w) => {
  const x = w.some(
    (t) => t.kind === 'float' && t.size <= 10 && t.shape.length > 0,
    () => plainFloats(w),
  );
  const axis = w.draw.int(0, x.shape.length - 1);
  const keep = w.draw.chance(0.5);
  const text =
    w.lib === 'np'
      ? `np.linalg.norm(${x.name}, axis=${axis}, keepdims=${keep ? 'True' : 'False'})`
      : `${x.name}.norm(dim=${axis}, keepdim=${keep ? 'True' : 'False'})`;
  w.tensor(text, { shape: without(x.shape, [axis], keep), kind: 'float', exact: false, size: x.size * 3, own: true });
};

/** A number of Python's from a tensor. */
const item: Step = (w) => {
  const x = any(w);
  const name = w.fresh('n');
  w.line(
    w.draw.pick([
      `${name} = ${x.name}.sum().item()`,
      `${name} = float(${x.name}.sum())`,
      `${name} = ${x.name}.tolist()`,
      `${name} = len(${x.name}.shape)`,
      `${name} = tuple(${x.name}.shape)`,
    ]),
  );
};

/** What does not fit: the kind of the error is compared. */
const misfit: Step = (w) => {
  const { draw, lib } = w;
  const x = w.some(
    (t) => t.shape.length > 0,
    () => plainFloats(w),
  );
  const odd = plainFloats(
    w,
    x.shape.map((n) => n + 1 + (n === 1 ? 1 : 0)),
  );
  w.attempt(
    draw.pick([
      `bad = ${x.name} + ${odd.name}`,
      `bad = ${x.name} @ ${odd.name}`,
      `bad = ${x.name}.reshape(${listed([...x.shape, 7])})`,
      `bad = ${x.name}.sum(${x.shape.length + 1})`,
      `bad = ${lib}.concatenate([${x.name}, ${odd.name}], ${x.shape.length - 1})`.replace(
        'torch.concatenate',
        'torch.cat',
      ),
      `bad = ${x.name}[${listed([...x.shape.map(() => 0), 0])}]`,
      `bad = ${x.name}[${x.shape[0]}]`,
      `bad = ${x.name}.nothing`,
      `bad = ${x.name} + 'text'`,
      `bad = ${lib}.${lib === 'np' ? 'stack' : 'stack'}([${x.name}, ${odd.name}])`,
      `bad = [1, 2][5]`,
      `bad = {'a': 1}['b']`,
      `bad = int('x')`,
      `bad = undefined_name + 1`,
      `a, b = ${tupleOf([1, 2, 3])}`,
      `if ${odd.name} > 0: pass`,
    ]),
  );
};

export const numbers: readonly Step[] = [
  unary, unary, unary, root, arithmetic, arithmetic, arithmetic, arithmetic, power, comparison, logic, choice, clip, extremes, cast,
  product, product, similarity, einsum, reduction, reduction, reduction, along, sorted, norm, item, misfit,
]; // prettier-ignore
