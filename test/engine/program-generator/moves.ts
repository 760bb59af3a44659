/** Shapes, indices, views, writes through them. */
import { any, fromLiteral, literal, plainFloats, someShape, someTensor } from './creation';
import { axisText, count, listed, tupleOf, type Tensor, type Writer } from './writer';

type Step = (w: Writer) => void;

const ranked = (w: Writer, least: number): Tensor =>
  w.some(
    ({ shape }) => shape.length >= least,
    () => fromLiteral(w, someShape(w, least, Math.max(least, 3))),
  );

/** Another shape with as many elements. */
function regrouped(w: Writer, n: number): number[] {
  const out: number[] = [];
  let rest = n;
  while (rest > 1 && out.length < 3) {
    const divisors = Array.from({ length: rest }, (_, i) => i + 1).filter((d) => rest % d === 0);
    const by = out.length === 2 ? rest : w.draw.pick(divisors);
    out.push(by);
    rest /= by;
  }
  return rest > 1 ? [...out, rest] : out.length > 0 ? out : [1];
}

const reshape: Step = (w) => {
  const x = any(w);
  const to = regrouped(w, count(x.shape));
  const open = w.draw.chance(0.4) && count(to) > 0 ? w.draw.int(0, to.length - 1) : -1;
  const asked = to.map((n, i) => (i === open ? -1 : n));
  const text =
    w.lib === 'np'
      ? w.draw.pick([
          `${x.name}.reshape(${listed(asked)})`,
          `np.reshape(${x.name}, ${tupleOf(asked)})`,
          `${x.name}.reshape(${tupleOf(asked)})`,
        ])
      : w.draw.pick([
          `${x.name}.reshape(${listed(asked)})`,
          `torch.reshape(${x.name}, ${tupleOf(asked)})`,
          `${x.name}.contiguous().view(${listed(asked)})`,
        ]);
  w.tensor(text, { ...x, shape: to });
};

const turned: Step = (w) => {
  const { draw, lib } = w;
  const x = ranked(w, 2);
  const axes = draw.shuffled(x.shape.map((_, i) => i));
  const [a, b] = draw.shuffled(x.shape.map((_, i) => i)).slice(0, 2) as [number, number];
  const swapped = x.shape.map((_, i) => (i === a ? b : i === b ? a : i));
  const [text, order] = draw.pick([
    [
      lib === 'np'
        ? `np.swapaxes(${x.name}, ${a}, ${b})`
        : `${x.name}.transpose(${axisText(draw, a, x.shape.length)}, ${axisText(draw, b, x.shape.length)})`,
      swapped,
    ],
    [
      lib === 'np'
        ? `${x.name}.transpose(${draw.pick([listed(axes), tupleOf(axes)])})`
        : `${x.name}.permute(${listed(axes)})`,
      axes,
    ],
    [
      lib === 'np' ? `${x.name}.T` : `${x.name}.mT`,
      lib === 'np'
        ? axes.map((_, i) => axes.length - 1 - i)
        : x.shape.map((_, i) => (i < x.shape.length - 2 ? i : 2 * x.shape.length - 3 - i)),
    ],
    [
      lib === 'np' ? `np.moveaxis(${x.name}, ${a}, ${b})` : `torch.movedim(${x.name}, ${a}, ${b})`,
      movedAxes(x.shape.length, a, b),
    ],
  ] as const);
  w.tensor(text, { ...x, shape: order.map((i) => x.shape[i] ?? 1) });
};

const movedAxes = (rank: number, from: number, to: number): number[] => {
  const rest = Array.from({ length: rank }, (_, i) => i).filter((i) => i !== from);
  return [...rest.slice(0, to), from, ...rest.slice(to)];
};

const viewAfterTurn: Step = (w) => {
  if (w.lib !== 'torch') return reshape(w);
  const x = ranked(w, 2);
  w.attempt(`tried = ${x.name}.transpose(0, 1).view(-1)`);
  return undefined;
};

const ones: Step = (w) => {
  const { draw, lib } = w;
  const x = any(w);
  const axis = draw.int(0, x.shape.length);
  const shape = [...x.shape.slice(0, axis), 1, ...x.shape.slice(axis)];
  const added = w.tensor(
    lib === 'np'
      ? `np.expand_dims(${x.name}, ${axisText(draw, axis, shape.length)})`
      : `${x.name}.unsqueeze(${axisText(draw, axis, shape.length)})`,
    { ...x, shape },
  );
  if (draw.chance(0.4))
    w.tensor(
      draw.pick([
        `${added.name}.squeeze(${axis})`,
        lib === 'np' ? `np.squeeze(${added.name}, axis=${axis})` : `torch.squeeze(${added.name}, ${axis})`,
      ]),
      { ...x },
    );
};

const repeated: Step = (w) => {
  const { draw, lib } = w;
  const x = any(w);
  const axis = draw.int(0, Math.max(0, x.shape.length - 1));
  const n = draw.int(1, 3);
  const times = x.shape.map(() => draw.int(1, 2));
  const along = x.shape.map((d, i) => (i === axis ? d * n : d));
  const lead = draw.int(1, 3);
  const options: (readonly [string, readonly number[]])[] =
    lib === 'np'
      ? [
          [`np.tile(${x.name}, ${tupleOf(times)})`, x.shape.map((d, i) => d * (times[i] ?? 1))],
          [`np.repeat(${x.name}, ${n}, axis=${axis})`, along],
          [`np.broadcast_to(${x.name}, ${tupleOf([lead, ...x.shape])})`, [lead, ...x.shape]],
        ]
      : [
          [`${x.name}.repeat(${listed([lead, ...times])})`, [lead, ...x.shape.map((d, i) => d * (times[i] ?? 1))]],
          [`${x.name}.repeat_interleave(${n}, dim=${axis})`, along],
          [`${x.name}.expand(${listed([lead, ...x.shape])})`, [lead, ...x.shape]],
          [`${x.name}.unsqueeze(0).expand(${listed([lead, ...x.shape.map(() => -1)])})`, [lead, ...x.shape]],
        ];
  const [text, shape] = draw.pick(x.shape.length === 0 ? options.slice(-1) : options);
  w.tensor(text, { ...x, shape });
};

const joinedUp: Step = (w) => {
  const { draw, lib } = w;
  const x = ranked(w, 1);
  const axis = draw.int(0, x.shape.length - 1);
  const other = fromLiteral(
    w,
    x.shape.map((n, i) => (i === axis ? draw.int(1, 3) : n)),
    draw.chance(0.8) ? x.kind : 'float',
  );
  const kind = other.kind === x.kind ? x.kind : 'float';
  const exact = x.exact;
  const size = Math.max(x.size, other.size);
  if (draw.chance(0.6)) {
    const shape = x.shape.map((n, i) => (i === axis ? n + (other.shape[i] ?? 0) : n));
    const [open, close] = draw.pick(['[]', '()'] as const);
    const by = `${lib === 'np' ? 'axis' : 'dim'}=${axisText(draw, axis, x.shape.length)}`;
    w.tensor(`${lib}.${lib === 'np' ? 'concatenate' : 'cat'}(${open}${x.name}, ${other.name}${close}, ${by})`, {
      shape,
      kind,
      exact,
      size,
      own: true,
    });
    return;
  }
  const n = draw.int(2, 3);
  const at = draw.int(0, x.shape.length);
  w.tensor(
    `${lib}.stack([${Array.from({ length: n }, () => x.name).join(', ')}], ${lib === 'np' ? 'axis' : 'dim'}=${at})`,
    { ...x, shape: [...x.shape.slice(0, at), n, ...x.shape.slice(at)], own: true },
  );
};

const parted: Step = (w) => {
  const { draw, lib } = w;
  const x = ranked(w, 1);
  const axis = draw.int(0, x.shape.length - 1);
  const total = x.shape[axis] ?? 1;
  const name = w.fresh('parts');
  const pick = (shape: readonly number[], i: string): void => void w.tensor(`${name}[${i}]`, { ...x, shape });
  const of = (n: number): number[] => x.shape.map((d, i) => (i === axis ? n : d));
  if (lib === 'np') {
    const n = draw.pick([1, total]);
    w.line(`${name} = np.split(${x.name}, ${n}, axis=${axis})`);
    return pick(of(total / n), draw.pick(['0', '-1']));
  }
  const way = draw.int(0, 2);
  if (way === 0) {
    const size = draw.int(1, total);
    w.line(
      `${name} = ${draw.pick([`${x.name}.split(${size}, dim=${axis})`, `torch.split(${x.name}, ${size}, ${axis})`])}`,
    );
    return pick(of(Math.min(size, total)), '0');
  }
  if (way === 1) {
    const n = draw.int(1, 3);
    w.line(`${name} = ${x.name}.chunk(${n}, ${axis})`);
    return pick(of(Math.min(total, Math.ceil(total / n))), '0');
  }
  w.line(`${name} = ${x.name}.unbind(${axisText(draw, axis, x.shape.length)})`);
  return pick(
    x.shape.filter((_, i) => i !== axis),
    draw.pick(['0', '-1']),
  );
};

const triangle: Step = (w) => {
  const { draw, lib } = w;
  const x = ranked(w, 2);
  const k = draw.int(-1, 1);
  const by = lib === 'np' ? `k=${k}` : draw.chance(0.5) ? `diagonal=${k}` : String(k);
  w.tensor(`${lib}.${draw.pick(['tril', 'triu'])}(${x.name}, ${by})`, { ...x, own: true });
};

const diagonal: Step = (w) => {
  const x = w.some(
    ({ shape }) => shape.length === 2 || shape.length === 1,
    () => fromLiteral(w, [3, 3]),
  );
  const [n = 1, m = 1] = x.shape;
  w.tensor(`${w.lib}.diag(${x.name})`, {
    ...x,
    shape: x.shape.length === 1 ? [n, n] : [Math.min(n, m)],
    own: w.lib === 'torch',
  });
};

const turnedOver: Step = (w) => {
  const { draw, lib } = w;
  const x = ranked(w, 1);
  const axis = draw.int(0, x.shape.length - 1);
  const by = axisText(draw, axis, x.shape.length);
  w.tensor(
    draw.pick([
      lib === 'np' ? `np.flip(${x.name}, axis=${by})` : `torch.flip(${x.name}, [${by}])`,
      `${lib}.roll(${x.name}, ${draw.int(-2, 3)}, ${lib === 'np' ? 'axis' : 'dims'}=${by})`,
    ]),
    { ...x },
  );
};

const flattened: Step = (w) => {
  const x = any(w);
  const text =
    w.lib === 'np'
      ? w.draw.pick([`${x.name}.flatten()`, `${x.name}.ravel()`])
      : w.draw.pick([`${x.name}.flatten()`, `torch.flatten(${x.name})`, `${x.name}.reshape(-1)`]);
  w.tensor(text, { ...x, shape: [count(x.shape)] });
};

const byPlaces: Step = (w) => {
  const { draw, lib } = w;
  const x = ranked(w, 1);
  const axis = draw.int(0, x.shape.length - 1);
  const n = x.shape[axis] ?? 1;
  const length = draw.int(1, 3);
  const places = Array.from({ length }, () => draw.int(0, n - 1));
  const shape = x.shape.map((d, i) => (i === axis ? length : d));
  if (draw.chance(0.4)) {
    w.tensor(
      lib === 'np'
        ? `np.take(${x.name}, [${listed(places)}], axis=${axis})`
        : `torch.index_select(${x.name}, ${axis}, torch.tensor([${listed(places)}]))`,
      { ...x, shape, own: true },
    );
    return;
  }
  const index = (shape2: readonly number[], i = 0): string =>
    i === shape2.length
      ? String(draw.int(0, n - 1))
      : `[${Array.from({ length: shape2[i] ?? 0 }, () => index(shape2, i + 1)).join(', ')}]`;
  const text =
    lib === 'np'
      ? `np.take_along_axis(${x.name}, np.array(${index(shape)}), axis=${axis})`
      : `torch.gather(${x.name}, ${axis}, torch.tensor(${index(shape)}))`;
  w.tensor(text, { ...x, shape, own: true });
};

interface Index {
  readonly text: string;
  readonly shape: readonly number[];
}

/** An index of slices, single places, new axes and `...`: a view. */
function basicIndex(w: Writer, shape: readonly number[]): Index {
  const { draw, lib } = w;
  const parts: string[] = [];
  const left: number[] = [];
  const stop = draw.chance(0.4) ? draw.int(0, shape.length) : shape.length;
  for (const [i, n] of shape.entries()) {
    if (i >= stop) {
      left.push(n);
      continue;
    }
    if (draw.chance(0.12)) {
      parts.push('None');
      left.push(1);
    }
    const way = draw.int(0, 4);
    if (way === 0 && n > 0) parts.push(String(draw.int(-n, n - 1)));
    else if (way === 1) {
      parts.push(':');
      left.push(n);
    } else {
      const [from, to, by] = [
        draw.int(-n, n),
        draw.int(-n - 1, n + 1),
        draw.pick([1, 1, 1, 2, ...(lib === 'np' ? [-1] : [])]),
      ];
      const [a, b] = [draw.chance(0.3) ? '' : String(from), draw.chance(0.3) ? '' : String(to)];
      parts.push(`${a}:${b}${by === 1 ? '' : `:${by}`}`);
      left.push(sliceLength(n, a === '' ? undefined : from, b === '' ? undefined : to, by));
    }
  }
  if (stop < shape.length && draw.chance(0.5)) parts.push('...');
  if (parts.length === 0) return { text: ':', shape };
  return { text: parts.join(', '), shape: left };
}

/** Python's rule: `slice(...).indices(n)`. */
function sliceLength(n: number, from: number | undefined, to: number | undefined, by: number): number {
  const clamp = (x: number): number => Math.min(Math.max(x < 0 ? x + n : x, by > 0 ? 0 : -1), by > 0 ? n : n - 1);
  const start = from === undefined ? (by > 0 ? 0 : n - 1) : clamp(from);
  const stop = to === undefined ? (by > 0 ? n : -1) : clamp(to);
  return Math.max(0, Math.ceil((stop - start) / by));
}

const sliced: Step = (w) => {
  const x = ranked(w, 1);
  const { text, shape } = basicIndex(w, x.shape);
  if (count(shape) === 0) w.line(`${w.fresh('empty')} = ${x.name}[${text}]`);
  else w.tensor(`${x.name}[${text}]`, { ...x, shape });
};

const places = (w: Writer, n: number, length: number): string =>
  `[${Array.from({ length }, () => w.draw.int(-n, n - 1)).join(', ')}]`;

/** Lists, index tensors and masks. */
const picked: Step = (w) => {
  const { draw, lib } = w;
  const x = ranked(w, 1);
  const [n = 1, m = 1] = x.shape;
  const length = draw.int(1, 4);
  const tensor = (text: string): string =>
    draw.chance(0.5) ? text : lib === 'np' ? `np.array(${text})` : `torch.tensor(${text})`;
  const rest = x.shape.slice(1);
  const options: (() => Index)[] = [
    () => ({ text: tensor(places(w, n, length)), shape: [length, ...rest] }),
    () => ({
      text:
        lib === 'np'
          ? `np.array([${places(w, n, 2)}, ${places(w, n, 2)}])`
          : `torch.tensor([${places(w, n, 2)}, ${places(w, n, 2)}])`,
      shape: [2, 2, ...rest],
    }),
  ];
  if (x.shape.length > 1) {
    options.push(
      () => ({
        text: `${tensor(places(w, n, length))}, ${tensor(places(w, m, length))}`,
        shape: [length, ...x.shape.slice(2)],
      }),
      () => ({ text: `:, ${tensor(places(w, m, length))}`, shape: [n, length, ...x.shape.slice(2)] }),
      () => ({ text: `${draw.int(0, n - 1)}, ${tensor(places(w, m, length))}`, shape: [length, ...x.shape.slice(2)] }),
      () => ({
        text: `${lib}.arange(${n})[:, None], ${tensor(places(w, m, length))}`,
        shape: [n, length, ...x.shape.slice(2)],
      }),
    );
  }
  if (x.shape.length > 2)
    options.push(() => ({
      text: `${tensor(places(w, n, length))}, :, ${tensor(places(w, x.shape[2] ?? 1, length))}`,
      shape: [length, m, ...x.shape.slice(3)],
    }));
  const { text, shape } = draw.pick(options)();
  w.tensor(`${x.name}[${text}]`, { ...x, shape, own: true });
};

const masked: Step = (w) => {
  const { lib } = w;
  const x = w.some(
    ({ shape, exact, kind }) => shape.length > 0 && exact && kind !== 'bool',
    () => fromLiteral(w, undefined, 'float'),
  );
  const test = w.draw.pick([`${x.name} > 0`, `${x.name} <= 1`, `(${x.name} > -1) & (${x.name} < 2)`]);
  w.line(`${w.fresh('chosen')} = ${x.name}[${test}]`);
  if (w.draw.chance(0.4)) w.line(`${w.fresh('count')} = int((${test}).sum())`);
  if (w.draw.chance(0.3)) w.line(`${w.fresh('where')} = ${lib}.where(${test})`);
};

/** A tensor of its own, so that what is written is written into it. */
const writable = (w: Writer): Tensor =>
  w.some(
    ({ own, shape, kind }) => own && shape.length > 0 && kind !== 'bool',
    () => fromLiteral(w, someShape(w, 1, 3), w.draw.chance(0.7) ? 'float' : 'int'),
  );

const wrote = (w: Writer, x: Tensor, size: number): void => w.update(x, { size: Math.max(x.size, size) });

const written: Step = (w) => {
  const { draw, lib } = w;
  const x = writable(w);
  const { text, shape } = basicIndex(w, x.shape);
  const kind = x.kind;
  const operator = draw.pick(['=', '=', '+=', '-=', '*=']);
  const value = draw.chance(0.5)
    ? literal(w, [], kind)
    : `${lib === 'np' ? 'np.array' : 'torch.tensor'}(${literal(w, shape, kind)})`;
  w.line(`${x.name}[${text}] ${operator} ${value}`);
  wrote(w, x, operator === '=' ? 6 : x.size * 6);
};

/** Through a view: what it was cut from has it too. */
const writtenThrough: Step = (w) => {
  const { draw, lib } = w;
  const x = writable(w);
  const { text, shape } = basicIndex(w, x.shape);
  const view = w.fresh('view');
  w.line(`${view} = ${x.name}[${text}]`);
  if (shape.length === 0 && lib === 'np') return;
  const way = draw.int(0, 4);
  if (way === 0) w.line(`${view} += ${literal(w, [], x.kind)}`);
  else if (way === 1 && lib === 'torch') w.line(`${view}.mul_(${literal(w, [], x.kind)})`);
  else if (way === 2 && shape.length > 0 && (shape[0] ?? 0) > 0) w.line(`${view}[0] = ${literal(w, [], x.kind)}`);
  else if (way === 3 && lib === 'torch') w.line(`${view}.fill_(${literal(w, [], x.kind)})`);
  else w.line(`${view}[...] = ${literal(w, [], x.kind)}`);
  wrote(w, x, x.size * 6);
};

const writtenTurned: Step = (w) => {
  const x = w.some(
    ({ own, shape, kind }) => own && shape.length >= 2 && kind !== 'bool',
    () => plainFloats(w, [w.draw.int(2, 3), w.draw.int(2, 3)]),
  );
  const turn = w.lib === 'np' ? `${x.name}.T` : `${x.name}.transpose(0, 1)`;
  const view = w.fresh('view');
  w.line(`${view} = ${turn}`);
  w.line(`${view}[0] ${w.draw.pick(['=', '+=', '*='])} ${literal(w, [], x.kind)}`);
  w.line(`${w.fresh('flat')} = ${x.name}.reshape(-1)`);
  wrote(w, x, x.size * 6);
};

const writtenPicked: Step = (w) => {
  const { draw } = w;
  const x = writable(w);
  const n = x.shape[0] ?? 1;
  const way = draw.int(0, 2);
  if (way === 0)
    w.line(
      `${x.name}[[${listed(draw.shuffled(Array.from({ length: n }, (_, i) => i)).slice(0, draw.int(1, n)))}]] = ${literal(w, [], x.kind)}`,
    );
  else if (way === 1 && x.exact) w.line(`${x.name}[${x.name} ${draw.pick(['>', '<'])} 0] = ${literal(w, [], x.kind)}`);
  else w.line(`${x.name}[${draw.int(-n, n - 1)}] ${draw.pick(['=', '+='])} ${literal(w, [], x.kind)}`);
  wrote(w, x, x.size + 6);
};

const inPlace: Step = (w) => {
  const { draw, lib } = w;
  const x = w.some(
    ({ own, kind, size }) => own && kind === 'float' && size < 10,
    () => plainFloats(w),
  );
  const alias = w.fresh('alias');
  w.line(`${alias} = ${x.name}`);
  w.line(
    lib === 'torch' && draw.chance(0.6)
      ? `${x.name}.${draw.pick(['add_(1)', 'mul_(2.0)', 'clamp_(min=0)', 'sub_(0.5)', 'neg_()', 'zero_()', 'fill_(3)'])}`
      : `${x.name} ${draw.pick(['+=', '*=', '-=', '/='])} ${draw.pick(['2', '0.5', '3.0'])}`,
  );
  wrote(w, x, x.size * 3);
};

const copied: Step = (w) => {
  const x = writable(w);
  const copy = w.tensor(
    w.lib === 'np' ? w.draw.pick([`${x.name}.copy()`, `np.array(${x.name})`]) : `${x.name}.clone()`,
    { ...x, own: true },
  );
  w.line(`${copy.name}[0] = ${literal(w, [], x.kind)}`);
};

const start: Step = (w) => void someTensor(w);

export const moves: readonly Step[] = [
  reshape, turned, turned, viewAfterTurn, ones, repeated, joinedUp, parted, triangle, diagonal, turnedOver, flattened, byPlaces,
  sliced, sliced, picked, picked, masked, written, written, writtenThrough, writtenThrough, writtenTurned, writtenPicked, inPlace, copied, start,
]; // prettier-ignore
