/** What programs are built of: functions, closures, classes, modules, loops, conditions, comprehensions. */
import { anyFloats, fromLiteral, plainFloats } from './creation';
import { numbers } from './numbers';
import { moves } from './moves';
import { listed, type Made, type Tensor, type Writer } from './writer';

type Step = (w: Writer) => void;

const matrix = (w: Writer): Tensor =>
  w.some(
    ({ shape, kind, size }) => shape.length === 2 && kind === 'float' && size <= 4,
    () => plainFloats(w, [w.draw.int(2, 4), w.draw.int(2, 4)]),
  );

const floatLike = (x: Tensor, change: Partial<Made> = {}): Made => ({
  shape: x.shape,
  kind: 'float',
  exact: false,
  size: x.size * 3,
  own: true,
  ...change,
});

const keepDims = (w: Writer): string => (w.lib === 'np' ? 'axis=-1, keepdims=True' : 'dim=-1, keepdim=True');

/** Defaults, keywords, `*args`, a result of several values. */
const plainFunction: Step = (w) => {
  const { draw } = w;
  const name = w.fresh('f');
  const x = anyFloats(w);
  const [scale, shift] = [draw.pick(['2.0', '0.5', '-1']), draw.pick(['1', '0.25'])];
  w.block(`def ${name}(x, scale=${scale}, *rest, shift=${shift}, **more):`, () => {
    w.line('y = x * scale');
    w.block('for r in rest:', () => w.line('y = y + r'));
    w.block("if 'extra' in more:", () => w.line("y = y - more['extra']"));
    w.line('z = y + shift');
    w.line('return y, z');
  });
  const call = draw.pick([
    `${x.name}`,
    `${x.name}, 3`,
    `${x.name}, 2, 0.5, 1`,
    `${x.name}, shift=2`,
    `x=${x.name}, scale=0.5`,
    `${x.name}, extra=1.5`,
    `*[${x.name}, 2], **{'shift': 1}`,
  ]);
  const [a, b] = [w.fresh(), w.fresh()];
  w.line(`${a}, ${b} = ${name}(${call})`);
  w.keep(a, floatLike(x));
  w.keep(b, floatLike(x));
};

const closure: Step = (w) => {
  const { draw } = w;
  const x = anyFloats(w);
  const [make, made] = [w.fresh('make'), w.fresh('g')];
  const counts = draw.chance(0.5);
  w.block(`def ${make}(factor):`, () => {
    w.line('calls = 0');
    w.block('def inner(x):', () => {
      w.line('nonlocal calls');
      w.line('calls += 1');
      w.line(counts ? 'return x * factor + calls' : 'return x / factor');
    });
    w.line('return inner');
  });
  w.line(`${made} = ${make}(${draw.pick(['2', '0.5', '3.0'])})`);
  w.tensor(`${made}(${made}(${x.name}))`, floatLike(x));
  if (draw.chance(0.5)) w.line(`${w.fresh('fs')} = [f(2) for f in [lambda v, k=k: v * k for k in range(3)]]`);
};

const recursion: Step = (w) => {
  const name = w.fresh('fact');
  w.block(`def ${name}(n):`, () => w.line(`return 1 if n <= 1 else n * ${name}(n - 1)`));
  w.line(`${w.fresh('n')} = ${name}(${w.draw.int(3, 18)})`);
};

const generator: Step = (w) => {
  const name = w.fresh('gen');
  w.block(`def ${name}(n):`, () => {
    w.block('for i in range(n):', () => {
      w.block('if i % 2:', () => w.line('continue'));
      w.line('yield i * i');
    });
  });
  w.line(`${w.fresh('ys')} = list(${name}(${w.draw.int(3, 8)}))`);
  w.line(`${w.fresh('total')} = sum(v for v in ${name}(5))`);
};

const plainClass: Step = (w) => {
  const { draw } = w;
  const x = matrix(w);
  const [base, child] = [w.fresh('Base'), w.fresh('Child')];
  w.block(`class ${base}:`, () => {
    w.line('kind = "base"');
    w.block('def __init__(self, scale):', () => w.line('self.scale = scale'));
    w.block('def __call__(self, x):', () => w.line('return self.apply(x) * self.scale'));
    w.block('def apply(self, x):', () => w.line('return x'));
    w.line('@property');
    w.block('def double(self):', () => w.line('return 2 * self.scale'));
    w.line('@staticmethod');
    w.block('def half(v):', () => w.line('return v / 2'));
    w.line('@classmethod');
    w.block('def unit(cls):', () => w.line('return cls(1)'));
  });
  w.block(`class ${child}(${base}):`, () => {
    w.block('def __init__(self, scale, shift=1):', () => {
      w.line('super().__init__(scale)');
      w.line('self.shift = shift');
    });
    w.block('def apply(self, x):', () =>
      w.line(draw.pick(['return super().apply(x) + self.shift', 'return self.half(x) - self.shift'])),
    );
  });
  const made = w.fresh('obj');
  w.line(`${made} = ${child}(${draw.pick(['2', '0.5', '2, 3', '2, shift=-1'])})`);
  w.tensor(`${made}(${x.name})`, floatLike(x));
  w.line(`${w.fresh('n')} = ${made}.double + ${child}.unit().shift`);
  w.line(`${w.fresh('b')} = isinstance(${made}, ${base}) and ${made}.kind == 'base'`);
};

const module: Step = (w) => {
  const { draw } = w;
  if (w.lib !== 'torch') return plainClass(w);
  const x = matrix(w);
  const [n, d] = x.shape as [number, number];
  const out = draw.int(1, 4);
  const name = w.fresh('Net');
  const way = draw.int(0, 3);
  const [head, body] = (
    [
      [
        [`self.a = torch.nn.Linear(${d}, ${out}, bias=${draw.pick(['True', 'False'])})`],
        [`return torch.tanh(self.a(x))`],
      ],
      [
        [
          `self.net = torch.nn.Sequential(torch.nn.Linear(${d}, 4), torch.nn.${draw.pick(['ReLU', 'GELU', 'SiLU'])}(), torch.nn.Linear(4, ${out}))`,
          `self.ln = torch.nn.LayerNorm(${out})`,
        ],
        ['return self.ln(self.net(x))'],
      ],
      [
        [
          `self.q, self.k, self.v = [torch.nn.Linear(${d}, ${out}) for _ in range(3)]`,
          `self.register_buffer('mask', torch.tril(torch.ones(${n}, ${n})))`,
        ],
        [
          'q, k, v = self.q(x), self.k(x), self.v(x)',
          'att = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5',
          `att = att.masked_fill(self.mask == 0, float('-inf'))`,
          'return att.softmax(dim=-1) @ v',
        ],
      ],
      [
        [
          `self.layers = torch.nn.ModuleList([torch.nn.Linear(${d}, ${d}) for _ in range(2)])`,
          `self.w = torch.nn.Parameter(torch.randn(${d}, ${out}))`,
        ],
        ['for layer in self.layers:', '    x = x + layer(x)', 'return x @ self.w'],
      ],
    ] as const
  )[way] ?? [[], []];
  w.block(`class ${name}(torch.nn.Module):`, () => {
    w.block('def __init__(self):', () => {
      w.line('super().__init__()');
      head.forEach((line) => w.line(line));
    });
    w.block('def forward(self, x):', () => body.forEach((line) => w.line(line)));
  });
  w.line(`torch.manual_seed(${draw.int(0, 99)})`);
  const made = w.fresh('net');
  w.line(`${made} = ${name}()`);
  w.tensor(`${made}(${x.name}.float())`, { shape: [n, out], kind: 'float', exact: false, size: 20, own: true });
  w.line(`${w.fresh('n')} = sum(p.numel() for p in ${made}.parameters())`);
  if (draw.chance(0.4)) w.line(`${w.fresh('names')} = [k for k, _ in ${made}.named_parameters()]`);
};

const dataclass: Step = (w) => {
  const { draw } = w;
  const name = w.fresh('Config');
  w.line('from dataclasses import dataclass');
  w.line('@dataclass');
  w.block(`class ${name}:`, () => {
    w.line(`size: int = ${draw.int(2, 4)}`);
    w.line('heads: int = 2');
    w.line("name: str = 'tiny'");
  });
  const made = w.fresh('config');
  w.line(`${made} = ${name}(${draw.pick(['', 'size=3', '4, 1', "name='other'"])})`);
  w.tensor(`${w.lib}.${draw.pick(['ones', 'zeros'])}((${made}.size, ${made}.heads)) + ${made}.size`, {
    shape: [1, 1],
    kind: 'float',
    exact: true,
    size: 6,
    own: true,
  });
  w.tensors.pop();
  w.line(`${w.fresh('s')} = f'{${made}.name}: {${made}}'`);
};

const loop: Step = (w) => {
  const { draw, lib } = w;
  const x = matrix(w);
  const [n, m] = x.shape as [number, number];
  const out = w.fresh();
  const way = draw.int(0, 3);
  if (way === 0) {
    w.line(`${out} = ${lib}.zeros((${n}, ${n}))`);
    w.block(`for i in range(${n}):`, () =>
      w.block(`for j in range(${n}):`, () =>
        w.line(
          lib === 'np'
            ? `${out}[i, j] = np.dot(${x.name}[i], ${x.name}[j])`
            : `${out}[i, j] = (${x.name}[i] * ${x.name}[j]).sum()`,
        ),
      ),
    );
    w.keep(out, { shape: [n, n], kind: 'float', exact: false, size: x.size * x.size * m, own: true });
  } else if (way === 1) {
    w.line(`${out} = 0`);
    w.block(`for i, row in enumerate(${x.name}):`, () => {
      w.block(`if i == ${draw.int(1, 3)}:`, () => w.line(draw.pick(['break', 'continue'])));
      w.line(`${out} = ${out} + row * (i + 1)`);
    });
    w.keep(out, { shape: [m], kind: 'float', exact: false, size: x.size * 10, own: false });
  } else if (way === 2) {
    w.line(`i, ${out} = 0, ${x.name}`);
    w.block(`while i < ${draw.int(1, 4)}:`, () => {
      w.line(`${out} = ${out} * 0.5 + ${out}.mean()`);
      w.line('i += 1');
    });
    w.keep(out, floatLike(x));
  } else {
    w.line('rows = []');
    w.block(`for row in ${x.name}:`, () =>
      w.line(`rows.append(row - row.${draw.pick(['max', 'min', 'mean', 'sum'])}())`),
    );
    w.line(`${out} = ${lib}.stack(rows)`);
    w.keep(out, floatLike(x));
  }
};

const condition: Step = (w) => {
  const { draw } = w;
  const x = w.some(
    ({ exact, kind, shape }) => exact && kind !== 'bool' && shape.length > 0,
    () => fromLiteral(w, [w.draw.int(1, 3), 2], 'float'),
  );
  const out = w.fresh('c');
  const test = draw.pick([
    `${x.name}.max() > 1`,
    `len(${x.name}) > 2 and ${x.name}.shape[0] < 4`,
    `not (${x.name} > 5).any()`,
    `${x.name}.ndim == 2 or ${x.name}.sum() < 0`,
    `${x.name}.reshape(-1)[0] >= 0`,
  ]);
  w.block(`if ${test}:`, () => w.line(`${out} = 'yes'`));
  w.block(`elif ${x.name}.shape[0] == 1:`, () => w.line(`${out} = 'one'`));
  w.block('else:', () => w.line(`${out} = ('no', ${x.name}.shape[0])`));
  w.line(`${w.fresh('d')} = 1 if ${test} else 2`);
};

const comprehension: Step = (w) => {
  const { draw, lib } = w;
  const x = matrix(w);
  const [n, m] = x.shape as [number, number];
  const out = draw.pick([
    [`${lib}.stack([row * i for i, row in enumerate(${x.name})])`, [n, m]],
    [`${lib}.stack([${x.name}[:, j] for j in range(${m}) if j != 7])`, [m, n]],
    [`${lib}.stack([a + b for a, b in zip(${x.name}, ${x.name}[::1])])`, [n, m]],
    [`{k: ${x.name} * v for k, v in {'a': 1, 'b': 2}.items()}['b']`, [n, m]],
  ] as const);
  w.tensor(out[0], { shape: out[1], kind: 'float', exact: false, size: x.size * 4, own: true });
  w.line(`${w.fresh('ns')} = [[i * j for j in range(3)] for i in range(${n})]`);
  w.line(`${w.fresh('ks')} = sorted({v % 3 for v in range(${draw.int(2, 7)})})`);
};

/** A function of the program's own steps, with local names. */
const wrappedSteps: Step = (w) => {
  const { draw } = w;
  const name = w.fresh('steps');
  const x = matrix(w);
  const before = [...w.tensors];
  w.tensors.length = 0;
  w.block(`def ${name}(x):`, () => {
    w.tensors.push({ ...x, name: 'x', own: false });
    for (let i = draw.int(2, 4); i > 0; i--) draw.pick(draw.chance(0.6) ? numbers : moves)(w);
    w.line(`return ${w.tensors.at(-1)?.name ?? 'x'}`);
  });
  const last = w.tensors.at(-1);
  w.tensors.length = 0;
  w.tensors.push(...before);
  if (last) w.tensor(`${name}(${x.name})`, { ...last, own: false });
};

const attentionFunction: Step = (w) => {
  const { draw, lib } = w;
  const [n, d] = [draw.int(2, 4), draw.int(2, 4)];
  const x = plainFloats(w, [n, d]);
  const name = w.fresh('attention');
  const [axis, causal] = [keepDims(w), draw.chance(0.5)];
  w.block(`def ${name}(q, k, v, mask=None):`, () => {
    w.line(
      lib === 'np'
        ? 'scores = q @ k.swapaxes(-2, -1) / np.sqrt(k.shape[-1])'
        : 'scores = q @ k.transpose(-2, -1) / k.size(-1) ** 0.5',
    );
    w.block('if mask is not None:', () =>
      w.line(
        lib === 'np' ? 'scores = np.where(mask, scores, -np.inf)' : "scores = scores.masked_fill(~mask, float('-inf'))",
      ),
    );
    w.line(
      lib === 'np'
        ? `e = np.exp(scores - scores.max(${axis}))`
        : 'e = torch.exp(scores - scores.amax(-1, keepdim=True))',
    );
    w.line(`weights = e / e.sum(${axis})`);
    w.line('return weights @ v, weights');
  });
  const mask = causal
    ? lib === 'np'
      ? `, np.tri(${n}, dtype=bool)`
      : `, torch.tril(torch.ones(${n}, ${n})).bool()`
    : '';
  const [out, weights] = [w.fresh(), w.fresh()];
  w.line(`${out}, ${weights} = ${name}(${listed([x.name, x.name, x.name])}${mask})`);
  w.keep(out, { shape: [n, d], kind: 'float', exact: false, size: 6, own: true });
  w.keep(weights, { shape: [n, n], kind: 'float', exact: false, size: 1, own: true });
};

export const structures: readonly Step[] = [
  plainFunction, closure, recursion, generator, plainClass, module, module, dataclass, loop, loop, condition, condition, comprehension, wrappedSteps, wrappedSteps, attentionFunction,
]; // prettier-ignore
