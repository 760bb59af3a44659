/** Python without tensors: numbers, text, containers, exceptions, what is printed. */
import { any } from './creation';
import type { Writer } from './writer';

type Step = (w: Writer) => void;

const numberText = (w: Writer): string =>
  w.draw.pick([
    () => String(w.draw.int(-20, 20)),
    () => String(w.draw.int(-999, 999) / 100),
    () => String(w.draw.int(1, 9) * 10 ** w.draw.int(0, 9)),
    () => `${w.draw.int(1, 99)}e${w.draw.int(-12, 12)}`,
  ])();

const arithmetic: Step = (w) => {
  const { draw } = w;
  const name = w.fresh('n');
  const [a, b] = [numberText(w), draw.pick(['7', '3', '-2', '2.5', '0.1', '10'])];
  w.line(
    `${name} = ${draw.pick([`(${a}) ${draw.pick(['+', '-', '*', '/', '//', '%'])} ${b}`, `(${a}) ** 2 - ${b}`, `divmod(${a}, ${b})`, `round(${a} / 3, ${draw.int(0, 3)})`, `abs(${a}) ** 0.5`, `int(${a}) << 3 | 1`, `max(${a}, ${b}, 0) - min(${a}, ${b})`, `-(${a}) if ${a} < ${b} else +(${a})`])}`,
  );
};

const formats = [
  '',
  ':.2f',
  ':.4f',
  ':8.3f',
  ':<8',
  ':>10',
  ':^9',
  ':+.1f',
  ':e',
  ':.3e',
  ':g',
  ':.3g',
  ':,',
  ':08.2f',
  ':.0f',
  ':%',
  ':.1%',
  '!r',
];

const formatted: Step = (w) => {
  const { draw } = w;
  const name = w.fresh('s');
  const value = w.fresh('v');
  w.line(`${value} = ${draw.pick([numberText(w), `${numberText(w)} * 1.0`, `${numberText(w)} / 7`])}`);
  w.line(
    `${name} = f'${draw.pick(['', 'x = ', '[', '{{'])}{${value}${draw.pick(formats)}}${draw.pick(['', '!', ' end'])}'`,
  );
  if (draw.chance(0.3)) w.line(`${w.fresh('s')} = '${draw.pick(['%.3f', '%8.2f', '%g', '%s', '%e'])}' % ${value}`);
  if (draw.chance(0.3))
    w.line(`${w.fresh('s')} = '{:${draw.pick(['.2f', '>12', ',.1f', '.3e'])}} {}'.format(${value}, ${value})`);
};

const text: Step = (w) => {
  const { draw } = w;
  const phrase = draw.pick([
    "'the cat sat on the mat'",
    "'Attention is all you need'",
    "'a,b,,c'",
    "'  padded '",
    "'Überraschung'",
    '"it\'s"',
  ]);
  const s = w.fresh('s');
  w.line(`${s} = ${phrase}`);
  const method = draw.pick([
    'split()',
    "split('a')",
    'upper()',
    'lower()',
    'strip()',
    'title()',
    "replace('a', 'o')",
    "count('a')",
    "find('t')",
    "startswith('t')",
    'encode().decode()',
    "rsplit(' ', 1)",
    "partition(' ')",
    'isalpha()',
    'swapcase()',
    "center(30, '*')",
    "join(['x', 'y'])",
    "index('a')",
    'capitalize()',
    "rstrip('t d')",
    'splitlines()',
    "removeprefix('the ')",
  ]);
  w.line(`${w.fresh('r')} = ${s}.${method}`);
  w.line(`${w.fresh('r')} = ${s}[${draw.pick(['0', '-1', '2:5', '::-1', ':-2', '::2', '-3:'])}]`);
  if (draw.chance(0.4)) w.line(`${w.fresh('vocab')} = {c: i for i, c in enumerate(sorted(set(${s})))}`);
  if (draw.chance(0.4)) w.line(`${w.fresh('ids')} = [ord(c) % 10 for c in ${s} if c != ' ']`);
};

const lists: Step = (w) => {
  const { draw } = w;
  const name = w.fresh('xs');
  w.line(`${name} = [${Array.from({ length: draw.int(3, 6) }, () => draw.int(-9, 9)).join(', ')}]`);
  const changes = [
    `${name}.append(7)`,
    `${name}.extend([1, 2])`,
    `${name} += [3]`,
    `${name}.insert(1, 99)`,
    `${name}.pop()`,
    `${name}.pop(0)`,
    `${name}.reverse()`,
    `${name}.sort()`,
    `${name}.sort(key=lambda v: -abs(v))`,
    `${name}[1:2] = [5, 6]`,
    `del ${name}[0]`,
    `${name}[-1] *= 2`,
    `${name} = ${name} * 2`,
    `${name}[::2] = [0] * len(${name}[::2])`,
  ];
  for (let i = draw.int(1, 4); i > 0; i--) w.line(draw.pick(changes));
  w.line(
    `${w.fresh('r')} = ${draw.pick([`sorted(${name})`, `sum(${name})`, `${name}[::-1]`, `max(${name}, key=abs)`, `${name}.index(${name}[1])`, `list(map(str, ${name}))`, `list(filter(lambda v: v > 0, ${name}))`, `[*${name}, *range(2)]`, `list(zip(${name}, ${name}[1:]))`, `any(v > 5 for v in ${name})`, `all(${name})`, `${name}.count(7)`, `sorted(${name}, reverse=True)[:2]`, `list(enumerate(${name}, 1))[0]`, `list(reversed(${name}))`])}`,
  );
  if (draw.chance(0.4)) w.line(`first, *middle, last = ${name}`);
};

const dicts: Step = (w) => {
  const { draw } = w;
  const name = w.fresh('d');
  w.line(
    `${name} = ${draw.pick(["{'a': 1, 'b': 2}", 'dict(a=1, b=2)', "dict(zip('ab', range(2)))", "{**{'a': 1}, 'b': 3}"])}`,
  );
  const changes = [
    `${name}['c'] = 3`,
    `${name}.update(b=5)`,
    `${name}.setdefault('a', 9)`,
    `${name}.pop('a', None)`,
    `${name}['b'] = ${name}.get('b', 0) + 1`,
    `${name} |= {'z': 0}`,
  ];
  for (let i = draw.int(1, 3); i > 0; i--) w.line(draw.pick(changes));
  w.line(
    `${w.fresh('r')} = ${draw.pick([`list(${name})`, `list(${name}.items())`, `sum(${name}.values())`, `'a' in ${name}`, `len(${name})`, `sorted(${name}, key=${name}.get)`, `{v: k for k, v in ${name}.items()}[list(${name}.values())[0]]`, `str(${name})`, `max(${name}, key=lambda k: ${name}[k])`])}`,
  );
};

const library: Step = (w) => {
  const { draw } = w;
  const [module, call] = draw.pick([
    ['math', 'math.sqrt(2.0)'], ['math', 'math.log(8, 2)'], ['math', 'math.ceil(7 / 2)'], ['math', 'math.prod([2, 3, 4])'], ['math', 'math.isclose(0.1 + 0.2, 0.3)'], ['math', 'math.exp(-1)'], ['math', 'math.gcd(12, 18)'], ['math', 'math.pi / 2'], ['math', 'math.factorial(6)'], ['math', 'math.hypot(3, 4)'], ['math', 'math.log10(1000)'], ['math', 'math.comb(5, 2)'],
    ['itertools', 'list(itertools.product([1, 2], [3]))'], ['itertools', 'list(itertools.chain([1], [2, 3]))'], ['itertools', 'list(itertools.accumulate([1, 2, 3]))'], ['itertools', 'list(itertools.permutations([1, 2, 3], 2))'], ['itertools', 'list(itertools.combinations([1, 2, 3], 2))'], ['itertools', 'list(itertools.islice(range(9), 2, 6))'], ['itertools', "list(itertools.repeat('x', 2))"],
    ['functools', 'functools.reduce(lambda a, b: a * b, [1, 2, 3, 4])'], ['functools', 'functools.partial(max, 3)(1, 2)'], ['collections', "collections.Counter('abca').most_common(1)"], ['collections', "dict(collections.Counter('abca'))"], ['collections', "list(collections.OrderedDict(a=1))"],
  ] as const); // prettier-ignore
  w.line(`import ${module}`);
  w.line(`${w.fresh('r')} = ${call}`);
};

const exceptions: Step = (w) => {
  const { draw } = w;
  const out = w.fresh('r');
  const [body, kind] = draw.pick([
    ['1 / 0', 'ZeroDivisionError'],
    ['[][1]', 'IndexError'],
    ["{}['k']", 'KeyError'],
    ["int('q')", 'ValueError'],
    ["'a' + 1", 'TypeError'],
    ['None.x', 'AttributeError'],
    ['no_such_name', 'NameError'],
  ] as const);
  w.block('try:', () => {
    w.line(`${out} = 'before'`);
    w.line(body);
  });
  w.block(`except ${draw.pick([kind, `(${kind}, OSError)`, 'Exception'])} as error:`, () =>
    w.line(`${out} = f'{type(error).__name__}: {error}'`),
  );
  if (draw.chance(0.4)) w.block('finally:', () => w.line(`${w.fresh('f')} = 'done'`));
  if (draw.chance(0.4)) {
    const name = w.fresh('Odd');
    w.block(`class ${name}(ValueError):`, () => w.line('pass'));
    w.block('try:', () => w.line(`raise ${name}('no', 3)`));
    w.block('except ValueError as error:', () => w.line(`${w.fresh('r')} = (type(error).__name__, error.args)`));
  }
};

const printed: Step = (w) => {
  const { draw } = w;
  const x = any(w);
  w.line(
    draw.pick([
      `print('shape', ${x.name}.shape)`,
      `print(f'{${x.name}.dtype} of {len(${x.name}.shape)} axes')`,
      `print('a', 1, 2.5, [1, 'b'], (3,), None, True, sep='|')`,
      `print({'k': [1, 2]}, {1})`,
      `print(tuple(${x.name}.shape), end='\\n')`,
      `print(1e-7, 1e16, 123456789.123, 0.1 + 0.2, -0.0, 1e22)`,
    ]),
  );
};

const walrus: Step = (w) => {
  w.block(`if (${w.fresh('n')} := ${w.draw.int(1, 9)}) > 4:`, () => w.line(`${w.fresh('big')} = True`));
  w.line(`assert ${w.draw.pick(['1 < 2 < 3', 'not []', "'a' in 'cat'", '3 not in [1]', 'None is None'])}, 'never'`);
};

export const plain: readonly Step[] = [
  arithmetic,
  formatted,
  formatted,
  text,
  lists,
  lists,
  dicts,
  library,
  exceptions,
  printed,
  walrus,
];
