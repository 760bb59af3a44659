import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readingProgram, type Program } from '../../engine/program/program';
import {
  attentionPlaces,
  linesOf,
  valueAt,
  type AttentionPlace,
  type ValueAt,
} from '../../engine/program/places/index';
import { rangeOf } from '../../engine/program/syntax/source';
import { findAttention } from '../../engine/program/recognise/find';
import { finish } from '../../engine/text/pace';
import { pythonOrSkip } from '../reference/python';
import { handWritten, type Described } from './program-compare';

const read = (text: string): Program => finish(readingProgram(text, { watch: true }));

/** `3: 6×6` for each line with shapes. */
function labelsOf(text: string): readonly string[] {
  return linesOf(text, read(text)).map(
    ({ range, label }) => `${text.slice(0, range.end).split('\n').length}: ${label}`,
  );
}

/** The value where a mark `‸` stands before what is meant. */
function valueIn(marked: string): ValueAt {
  const text = marked.replace('‸', '');
  const found = finish(valueAt(text, read(text), marked.indexOf('‸')));
  assert.ok(found, 'nothing stands there');
  return found;
}

/** The attention of which the marked place is a part, by its title. */
function attentionIn(marked: string): string | undefined {
  const program = read(marked.replace('‸', ''));
  const attentions = findAttention(program.graph);
  return finish(valueAt(marked.replace('‸', ''), program, marked.indexOf('‸'), attentions))?.attention?.title;
}

const lensesOf = (text: string): readonly AttentionPlace[] => {
  const program = read(text);
  return finish(attentionPlaces(program, findAttention(program.graph)));
};

interface Reached {
  readonly shapes: readonly (readonly number[])[];
  readonly last: Described | null;
}

interface Ran {
  readonly places: Readonly<Record<string, Reached>>;
  readonly error: string | null;
  readonly line: number | null;
}

describe('places of programs beside Python', function () {
  this.timeout(300_000);
  const programs = handWritten();
  let ran: readonly Ran[] = [];

  before(function () {
    const python = pythonOrSkip(this, 'numpy', 'torch');
    const { status, stdout, stderr } = spawnSync(python, [join(__dirname, '../reference/program_places.py')], {
      input: JSON.stringify(programs.map(({ text }) => text)),
      encoding: 'utf8',
      maxBuffer: 1 << 29,
      env: { ...process.env, PYTHONWARNINGS: 'ignore', NPY_PROMOTION_STATE: 'weak', OMP_NUM_THREADS: '1' },
    });
    assert.equal(status, 0, stderr.slice(-2000));
    ran = JSON.parse(stdout) as readonly Ran[];
  });

  /** `line:column-line:column`, as the reference writes it; undefined where a line has other letters than ASCII's. */
  const keyOf = (text: string, { start, end }: { start: number; end: number }): string | undefined => {
    const at = (offset: number): string => {
      const before = text.slice(0, offset).split('\n');
      return `${before.length}:${before.at(-1)?.length}`;
    };
    const from = text.lastIndexOf('\n', start) + 1;
    return /^[\x00-\x7f]*$/.test(text.slice(from, end)) ? `${at(start)}-${at(end)}` : undefined;
  };

  const compared = { tensors: 0, plain: 0, lines: 0 };

  for (const [i, { name, text }] of programs.entries())
    it(name, () => {
      const { places, error, line } = ran[i] as Ran;
      const program = read(text);
      const wrong: string[] = [];
      for (const seen of program.seen.values()) {
        const value = finish(valueAt(text, { ...program, seen: new Map([[seen, seen]]) }, startOf(seen)));
        const key = value && keyOf(text, rangeWith(seen));
        const expected = key === undefined ? undefined : places[key];
        if (!value || !expected?.last || value.standIn || value.assumes) continue;
        compare(value, expected, wrong, key as string);
      }
      assert.deepEqual(wrong, []);
      for (const one of linesOf(text, program)) compared.lines += one.parts.length;
      const said = linesOf(text, program).find((one) => one.error !== undefined);
      assert.equal(said?.error ?? null, error);
      if (said) assert.equal(text.slice(0, said.range.start).split('\n').length, line, 'the line of the error');
    });

  it('are many', () => {
    assert.ok(compared.tensors > 3000, `${compared.tensors} tensors`);
    assert.ok(compared.plain > 1000, `${compared.plain} others`);
    assert.ok(compared.lines > 1000, `${compared.lines} on lines`);
  });

  function compare(value: ValueAt, { shapes, last }: Reached, wrong: string[], key: string): void {
    const say = (what: string): void => void wrong.push(`${key} ${value.text.slice(0, 30)}: ${what}`);
    if (last?.kind === 'tensor') {
      if (value.shape === undefined) return value.state === 'unknown' ? undefined : say('no shape');
      compared.tensors++;
      const shape = pythonShape(last.shape ?? []);
      if (value.shape !== shape || value.dtype !== last.dtype)
        return say(`${value.shape} ${value.dtype}, expected ${shape} ${last.dtype}`);
      const others = new Set(shapes.map(pythonShape).filter((one) => one !== shape));
      if (value.before.some((one) => !others.has(one)) || others.size > 0 !== value.before.length > 0)
        return say(`before ${value.before.join()}, expected ${[...others].join()}`);
      if (value.part && !value.part.index) near(value, last, say);
    } else if (
      last &&
      (last.kind === 'int' || last.kind === 'bool' || last.kind === 'float') &&
      value.words !== undefined
    ) {
      if (value.state === 'unknown' || value.words === '?') return;
      const own = { True: 1, False: 0, inf: Infinity, '-inf': -Infinity, nan: NaN }[value.words] ?? Number(value.words);
      if (Number.isNaN(own) && /[a-zA-Z]/.test(value.words)) return; // a size by name
      compared.plain++;
      const real = toNumber(last.value);
      if (!(Object.is(own, real) || Math.abs(own - real) <= 1e-4 * Math.max(1, Math.abs(real))))
        say(`${value.words}, expected ${real}`);
    }
  }

  const toNumber = (x: number | string | undefined): number =>
    x === 'nan' ? NaN : x === 'inf' ? Infinity : x === '-inf' ? -Infinity : Number(x);

  const pythonShape = (shape: readonly number[]): string =>
    shape.length === 0 ? '()' : shape.length === 1 ? `(${shape[0]},)` : shape.join('×');

  function near(value: ValueAt, { values = [] }: Described, say: (what: string) => void): void {
    const expected = values.map(toNumber);
    const finite = expected.filter(Number.isFinite);
    const within = 1e-4 * Math.max(1e-3, ...finite.map(Math.abs));
    const off = expected.findIndex((x, at) => {
      const own = value.part?.values[at] ?? NaN;
      return !(Object.is(own, x) || own === x || Math.abs(own - x) <= within || (Number.isNaN(own) && Number.isNaN(x)));
    });
    if (off >= 0) say(`number ${off}: ${value.part?.values[off]}, expected ${expected[off]}`);
  }

  type OneSeen = Program['seen'] extends ReadonlyMap<object, infer S> ? S : never;
  const rangeWith = ({ source, place }: OneSeen): { start: number; end: number } => rangeOf(source, place);
  const startOf = (seen: OneSeen): number => rangeWith(seen).start;
});

const imports = 'import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n';

/** Karpathy's head, which no line calls. */
const head = `${imports}
class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size=8):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer('tril', torch.tril(torch.ones(block_size, block_size)))
    def forward(self, x):
        B, T, C = x.shape
        k = self.key(x)
        wei = self.query(x) @ k.transpose(-2, -1) * k.shape[-1]**-0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))
        wei = F.softmax(wei, dim=-1)
        return wei @ x
`;

describe('shapes of lines', () => {
  it('stand at what binds, returns and prints, with other number types than the usual ones', () => {
    const text = `import numpy as np
import torch
x = torch.ones(2, 3)
n = 4
a, b = x.T, x[0]
mask = x > 0
ids = np.array([1, 2])
x += 1
for row in x:
    y = row * 2
pair = [x, x]
many = [x for _ in range(7)]
print(x @ a, n)
x
`;
    assert.deepEqual(labelsOf(text), ['3: 2×3', '5: a 3×2, b (3,)', '6: 2×3 bool', '7: (2,) int64', '8: 2×3', '9: row (3,)', '10: (3,)', '11: (2×3, 2×3)', '12: 7 tensors 2×3', '13: 2×2', '14: 2×3']); // prettier-ignore
  });

  it('have the names of the code where no line calls it, and say so', () => {
    const labels = labelsOf(head);
    assert.ok(labels.includes('11: ~ x B×T×C'), labels.join('\n'));
    assert.ok(labels.includes('14: ~ B×T×T'), labels.join('\n'));
  });

  it('are those of the last call, which is said where the others differ', () => {
    const text = 'import torch\ndef f(x):\n    return x.T\nf(torch.ones(2, 3))\nf(torch.ones(4, 5))\n';
    assert.deepEqual(labelsOf(text), ['2: last call: x 4×5', '3: last call: 5×4', '4: 3×2', '5: 5×4']);
  });

  it('stay those of the call when a class is read again with stand-ins', () => {
    const called = `${head}    def unused(self, y):\n        return y\nHead(16, 4)(torch.ones(1, 5, 16))\n`;
    assert.ok(labelsOf(called).includes('14: 1×5×5'), labelsOf(called).join('\n'));
  });

  it('give way to what Python raises, at the line where it does', () => {
    const text = `${imports}def f(x):
    q = nn.Linear(3, 2)(x)
    return q @ x
y = f(torch.ones(4, 3))
z = y + 1
`;
    const errors = labelsOf(text).filter((label) => label.includes('Error'));
    assert.deepEqual(errors, ['6: RuntimeError: … be multiplied (4x2 and 4x3)']);
  });

  it('stay where another line is not finished', () => {
    const whole = labelsOf(head);
    const broken = head.replace('self.query(x) @ k.transpose(-2, -1) * k.shape[-1]**-0.5', 'self.query(x) @ (k.tr');
    const labels = labelsOf(broken);
    assert.ok(
      whole.slice(0, 4).every((label) => labels.includes(label)),
      labels.join('\n'),
    );
  });
});

describe('the value at an offset', () => {
  const values = 'import torch\nx = torch.tensor([[1., 2.], [0., float("nan")]])\ny = x.unsqueeze(0)\n';

  it('is that of the smallest expression, with statistics over all numbers', () => {
    const { text, shape, state, statistics, part } = valueIn(`${values}z = (‸x * 2)[0]\n`);
    assert.deepEqual([text, shape, state], ['x', '2×2', 'known']);
    assert.deepEqual([...(part?.values ?? [])], [1, 2, 0, NaN]);
    // np.std([1, 2, 0]) is 0.816496580927726.
    assert.deepEqual([statistics?.min, statistics?.max, statistics?.mean, statistics?.zeros, statistics?.nan], [0, 2, 1, 1, 1]); // prettier-ignore
    assert.ok(Math.abs((statistics?.std ?? 0) - 0.816496580927726) < 1e-15);
    assert.equal(valueIn(`${values}z = (x ‸* 2)[0]\n`).text, 'x * 2');
    assert.equal(valueIn(`${values}z = (x‸ * 2)[0]\n`).text, 'x');
  });

  it('is a matrix of a larger tensor, and says which', () =>
    assert.deepEqual([valueIn(`${values}‸y\n`).part?.index, valueIn(`${values}‸y\n`).part?.shape], ['0', [2, 2]]));

  it('is what it was then, not what it became', () => {
    const text = 'import torch\nx = torch.zeros(2)\ny = ‸x + 1\nx[0] = 5\nrows = [x]\nprint(rows)\nrows.append(x)\n';
    assert.deepEqual([...(valueIn(text).part?.values ?? [])], [0, 0]);
    assert.equal(valueIn(text.replace('‸', '').replace('print(rows)', 'print(‸rows)')).words, '[Tensor((2,))]');
  });

  it('is Python’s text for what is no tensor', () => {
    const text = `from dataclasses import dataclass
@dataclass
class C:
    n: int = 4
    names: tuple = ('a', 'b')
c = C()
d = {'k': 1.5, 'c': [None, True]}
`;
    // repr(c) and repr(d) in Python 3.11.
    assert.equal(valueIn(`${text}print(‸c)\n`).words, "C(n=4, names=('a', 'b'))");
    assert.equal(valueIn(`${text}print(‸d)\n`).words, "{'k': 1.5, 'c': [None, True]}");
  });

  it('is a shape with its reason where numbers are not known', () => {
    const { state, shape, why, part } = valueIn(`import torch\nx = torch.randn(2, 3)\n‸x\n`);
    assert.deepEqual([state, shape, part], ['shape', '2×3', undefined]);
    assert.match(why?.text ?? '', /seed/);
  });

  it('is not known with its first cause where nothing follows', () => {
    const text = 'import torch\nimport flash_attn\ny = flash_attn.f(torch.ones(2))\nz = y * 2\n‸z\n';
    const { state, why } = valueIn(text);
    assert.equal(state, 'unknown');
    assert.match(why?.text ?? '', /flash_attn/);
  });

  it('has no number type where that is only supposed', () => {
    const head = 'import numpy as np\nimport foo\n';
    const typeIn = (text: string): string | undefined => valueIn(head + text).dtype;
    // NumPy makes int64 of it where both are whole.
    assert.equal(typeIn('a = np.array([1, foo.n])\n‸a\n'), undefined);
    assert.equal(typeIn('a = np.array([1, foo.n])\nb = a @ np.ones((2, 2), dtype=int)\n‸b\n'), undefined);
    assert.equal(typeIn('a = np.array([1, foo.n], dtype=np.float32)\n‸a\n'), 'float32');
    assert.equal(typeIn('a = np.ones(3) * foo.n\n‸a\n'), 'float64');
  });

  it('marks what no line calls', () => {
    const found = valueIn(head.replace('wei = F.softmax(wei', 'wei = F.softmax(‸wei'));
    assert.deepEqual([found.shape, found.standIn, found.state], ['B×T×T', true, 'shape']);
  });
});

describe('places of attentions', () => {
  const call = `${head}torch.manual_seed(1)\nh = Head(16, 4, 5)\nh(torch.rand(1, 5, 16))\n`;

  it('stand above the function, with sizes, heads and the mask by its numbers', () => {
    const [lens, ...more] = lensesOf(call);
    assert.equal(more.length, 0);
    assert.deepEqual([lens?.title, lens?.standIn], ['5×5, one head, causal', false]);
    assert.equal(call.slice(lens?.above.start, lens?.above.end), 'def forward');
    assert.equal(lensesOf(call.replace('torch.tril(', 'torch.triu(')).at(0)?.title, '5×5, one head, masked');
    assert.equal(lensesOf(call.replace('== 0, float', '== 7, float')).at(0)?.title, '5×5, one head, masked');
  });

  it('have sizes by name where no line calls', () => {
    const [lens] = lensesOf(head);
    assert.deepEqual([lens?.title, lens?.standIn], ['T×T, one head, causal', true]);
  });

  it('are named at each of their steps, and at nothing else', () => {
    const two = `${call}n = torch.ones(3, 3) @ torch.ones(3, 3)\n`;
    for (const step of ['wei = F.softmax(‸wei', 'k = self.key(‸x)', 'return ‸wei @ x'])
      assert.equal(attentionIn(two.replace(step.replace('‸', ''), step)), '5×5, one head, causal', step);
    assert.equal(attentionIn(two.replace('n = torch', '‸n = torch')), undefined);
  });

  it('count the calls', () => assert.equal(lensesOf(`${call}h(torch.rand(1, 3, 16))\n`)[0]?.times, 2));

  it('are causal by the mask alone where scores are not known', () => {
    const unseeded = call.replace('torch.manual_seed(1)', '');
    assert.equal(lensesOf(unseeded)[0]?.title, '5×5, one head, causal');
  });
});
