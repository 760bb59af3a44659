import assert from 'node:assert/strict';
import fc from 'fast-check';
import { specFromText, type Meaning } from '../../engine/parse/index';
import { positionAt } from '../../engine/text/problems';
import { decodeNumber, type SpecNumber } from '../../engine/spec/spec';
import { nameAt, readNames } from './names-support';
import { example, readText } from './parse-support';

interface Named {
  readonly shape: readonly number[];
  readonly dtype: string | null;
  readonly values: readonly SpecNumber[];
}
interface Case {
  readonly name: string;
  readonly text: string;
  readonly exact: boolean;
  readonly names: Readonly<Record<string, Named>>;
}
const { cases } = JSON.parse(readText('test/fixtures/parse/program.json')) as { cases: Case[] };

/** What a name comes to: values in a line, or the problem with its place. */
function meaning(text: string, name: string, before?: string): string {
  const found = readNames(text, before === undefined ? undefined : { before }).meaningOf(name);
  return told(found, text);
}

function told(found: Meaning | undefined, text: string): string {
  if (!found) return 'nothing';
  if (found.kind === 'number') return String(found.value);
  if (found.kind === 'matrix') return `${found.matrix.shape.join('×')}: ${[...found.matrix.values].join(' ')}`;
  if (found.kind === 'other') return 'other';
  const { line, column } = positionAt(text, found.problem.range?.start ?? -1);
  return `${found.problem.code} ${line}:${column} ${found.problem.message}`;
}

/** Library calls differ from ours by the order of a sum and the last bits of a logarithm. */
function near(actual: number, expected: number, dtype: string | null, scale: number): boolean {
  if (Object.is(actual, expected) || (Number.isNaN(actual) && Number.isNaN(expected))) return true;
  return Math.abs(actual - expected) <= (dtype === 'float32' ? 2e-6 : 1e-14) * scale;
}

function assertNamed(found: Meaning | undefined, expected: Named, exact: boolean, name: string): void {
  const values = expected.values.map(decodeNumber);
  assert.ok(found && found.kind !== 'problem', `${name}: ${JSON.stringify(found)}`);
  assert.ok(found.kind === 'number' || found.kind === 'matrix', name);
  const own = found.kind === 'number' ? [found.value] : [...found.matrix.values];
  if (found.kind === 'matrix') {
    assert.deepEqual([...found.matrix.shape], expected.shape.length ? expected.shape : [1], name);
    if (found.matrix.dtype !== undefined) assert.equal(found.matrix.dtype, expected.dtype, name);
  }
  const scale = Math.max(1, ...values.filter(Number.isFinite).map(Math.abs));
  values.forEach((x, i) => {
    const same = exact ? Object.is(own[i], x) : near(own[i] ?? NaN, x, expected.dtype, scale);
    assert.ok(same, `${name}[${i}] is ${own[i]}, not ${x}`);
  });
  assert.equal(own.length, values.length, name);
}

describe('names of a program, as NumPy and PyTorch compute them', () => {
  for (const { name, text, exact, names } of cases)
    it(`${name}: ${Object.keys(names).length} names`, () => {
      const program = readNames(text);
      assert.ok(Object.keys(names).length > 2);
      for (const [key, expected] of Object.entries(names)) assertNamed(program.meaningOf(key), expected, exact, key);
    });

  it('tutorial 000: the three x and all weights of seed 3 make the rows that it prints', () => {
    const { text } = cases.find((c) => c.name === 'tutorial 000') as Case;
    const read = specFromText(text.replace(/^(?:q_1|X|Q|K|V|dot_pdts) = .*$/gm, ''));
    assert.ok(read.ok, JSON.stringify(read));
    assert.equal(read.value.spec.convention, 'XWT');
    assert.equal(read.value.spec.projections.from, 'given');
    assert.ok(
      read.value.notes.some((note) => note.includes('A_q is np.random.normal(size=(D,D)), line 10, seeded in line 4')),
      read.value.notes.join('\n'),
    );
  });

  it('tutorial 001: the product, scaled, of what it prints under Q and K', () => {
    const printed = example('1-the-cat-sat.md');
    const text = `${printed}\nd_k = 8\nproduct = np.matmul(Q, K.T)\nscaled = np.matmul(Q, K.T) / math.sqrt(d_k)\nmask = np.triu(np.ones((4, 4)), k=1)\nmask[mask == 1] = -np.inf\nsum = scaled + mask\n`;
    const at = (name: string, i: number): number => {
      const found = readNames(text).meaningOf(name);
      assert.ok(found?.kind === 'matrix', JSON.stringify(found));
      return found.matrix.values[i] ?? NaN;
    };
    // As the tutorial prints them.
    assert.ok(Math.abs(at('product', 3) - 6.23532513) < 5e-8);
    assert.ok(Math.abs(at('scaled', 3) - 2.20452034) < 5e-8);
    assert.ok(Math.abs(at('scaled', 15) - -0.91668503) < 5e-8);
    assert.deepEqual([at('sum', 1), at('sum', 4) > 0.277], [-Infinity, true]);
  });

  it('tutorial 004: query, keys, scores, weights and output by its own statements', () => {
    const steps = [
      'q_2 = tf.matmul(W_q, x_2)',
      ...[1, 2, 3, 4].map((i) => `k_${i} = tf.matmul(W_k, x_${i})`),
      'q_T_2 = tf.transpose(q_2)',
      ...[1, 2, 3, 4].map((i) => `w_T_2${i} = tf.matmul(q_T_2, k_${i})`),
      ...[1, 2, 3, 4].map((i) => `exp_w_T_2${i} = tf.exp(w_T_2${i})`),
      'exp_sum = exp_w_T_21 + exp_w_T_22 + exp_w_T_23 + exp_w_T_24',
      ...[1, 2, 3, 4].map((i) => `w_2${i} = exp_w_T_2${i} / exp_sum`),
      ...[1, 2, 3, 4].map((i) => `v_${i} = tf.matmul(W_v, x_${i})`),
      'y_2 = w_21 * v_1 + w_22 * v_2 + w_23 * v_3 + w_24 * v_4',
    ];
    const program = readNames(`${readText('test/fixtures/parse/004-printed.txt')}\n${steps.join('\n')}\n`);
    // As the tutorial prints them, in float32.
    const printed: Readonly<Record<string, readonly number[]>> = {
      q_2: [1.0629584, -1.5088519, 3.2348833, -0.9673554],
      k_1: [0.8910108, 0.27564165, -2.154867, -0.1560781],
      k_4: [-0.42409754, 0.8261164, 0.8868669, 2.9904504],
      w_T_23: [-13.573791],
      w_21: [0.00466374],
      w_22: [0.5462668],
      v_3: [3.1802108, -0.03328285, -0.03700471, -1.3184092],
      y_2: [0.11782318, 0.39491105, -2.4440105, 0.5687822],
    };
    for (const [name, values] of Object.entries(printed)) {
      const found = program.meaningOf(name);
      assert.ok(found?.kind === 'matrix', `${name}: ${JSON.stringify(found)}`);
      values.forEach((x, i) =>
        assert.ok(Math.abs((found.matrix.values[i] ?? NaN) - x) < 2e-6 * Math.max(1, Math.abs(x)), name),
      );
    }
  });
});

describe('what is not known is said, with its place', () => {
  const q = 'Q = np.array([[1.0, 2.0], [3.0, 4.0]])\n';
  const draws = 'what is drawn after this is not known:';
  const unknown: readonly (readonly [text: string, name: string, expected: string])[] = [
    [
      'Q = np.random.randn(2, 2)',
      'Q',
      'unseeded 1:5 np.random.randn(…) without a seed above it: its numbers are other ones in each run',
    ],
    [
      'np.random.seed()\nQ = np.random.rand(2)',
      'Q',
      'unseeded 2:5 np.random.rand(…) without a seed above it: its numbers are other ones in each run',
    ],
    [
      'np.random.seed(3)\nfoo(1)\nQ = np.random.rand(2)',
      'Q',
      `draws 2:1 ${draws} NameError: name 'foo' is not defined`,
    ],
    [
      'np.random.seed(3)\np = np.random.gamma(2.0)\nQ = np.random.rand(2)',
      'Q',
      `draws 2:5 ${draws} np.random.gamma is not known`,
    ],
    [
      'np.random.seed(3)\na = [np.random.rand() for i in x]\nQ = np.random.rand(2)',
      'Q',
      `draws 2:32 ${draws} NameError: name 'x' is not defined`,
    ],
    [
      'torch.manual_seed(1)\nnp.random.seed(2)\nQ = tf.random.normal((2, 2))',
      'Q',
      'unseeded 3:5 tf.random.normal(…) without a seed above it: its numbers are other ones in each run',
    ],
    ['S = Q @ K.T', 'S', 'expression 1:5 Q is not defined above'],
    [
      `${q}S = Q @ np.ones((3, 2))`,
      'S',
      'expression 2:5 ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 3 is different from 2)',
    ],
    [
      `${q}S = Q + np.ones((3, 2))`,
      'S',
      'expression 2:5 ValueError: operands could not be broadcast together with shapes (2,2) (3,2) ',
    ],
    [`${q}if x:\n  Q = Q * 2\nS = Q`, 'S', 'expression 2:4 x is not defined above'],
    [`${q}np.fill_diagonal(Q, 0)\nS = Q`, 'S', 'expression 2:1 np.fill_diagonal is not known'],
    [`${q}S = Q.shape[7]`, 'S', 'expression 2:5 IndexError: tuple index out of range'],
    [`${q}S = softmax(Q)`, 'S', 'expression 2:5 softmax is not defined above'],
    [`${q}S = Q if a else Q`, 'S', 'expression 2:10 a is not defined above'],
    [
      'S = np.zeros((10**5, 10**5))',
      'S',
      'expression 1:5 100000×100000 is more than is computed (1,000,000 numbers, 4 dimensions)',
    ],
    ['Q = np.array([[1, 2], [3]])', 'Q', 'ragged 1:23 row 2 has 1 number, row 1 has 2'],
    [`${q}Q = Q × W`, 'Q', 'expression 2:1 this line is not Python'],
    ['Q = Q × W', 'Q', 'nothing'],
  ];
  for (const [text, name, expected] of unknown)
    it(text.replaceAll('\n', '⏎'), () => assert.equal(meaning(text, name), expected));

  const known: readonly (readonly [text: string, name: string, expected: string])[] = [
    ['def f(x):\n  return np.exp(x)\nnp.random.seed(3)\nf(2)\nprint(3)\nQ = np.random.randint(0, 9, 1)', 'Q', '1: 8'],
    [`${q}P = Q\nQ = Q + 1\nS = P`, 'S', '2×2: 1 2 3 4'],
    [`${q}P = Q.copy()\nQ += 1\nS = P`, 'S', '2×2: 1 2 3 4'],
    ['if __name__ == "__main__":\n  Q = np.eye(2)', 'Q', '2×2: 1 0 0 1'],
    ['with torch.no_grad():\n  Q = torch.eye(2)', 'Q', '2×2: 1 0 0 1'],
    ['import numpy as xp\nfrom numpy import eye\nQ = xp.ones((1, 2)) @ eye(2)', 'Q', '1×2: 1 1'],
    ['>>> Q = np.eye(2)\n>>> S = (Q\n...      + 1)', 'S', '2×2: 2 1 1 2'],
    ['self.W_q = np.eye(2)\nS = self.W_q * 3', 'S', '2×2: 3 0 0 3'],
    // From here on as NumPy 1.24 and PyTorch 1.13 have it.
    [
      'np.random.seed(3)\nfor i in range(3):\n  a = np.random.rand(2)\nQ = np.random.rand(2)',
      'Q',
      '2: 0.12558531046383625 0.20724287813818676',
    ],
    ['torch.manual_seed(1)\nl = nn.Linear(2, 2)\nQ = torch.rand(2)', 'Q', '2: 0.3971373438835144 0.7543719410896301'],
    [
      'def f():\n  return np.random.rand()\nnp.random.seed(3)\nf()\nQ = np.random.rand(2)',
      'Q',
      '2: 0.7081478226181048 0.2909047389129443',
    ],
    ['Q = [[1, 2], [3, 4]]\nS = Q * 2', 'S', '4×2: 1 2 3 4 1 2 3 4'],
    [`${q}P = Q\nP += 1\nS = Q`, 'S', '2×2: 2 3 4 5'],
    [`${q}P = Q.T\nQ[Q == 1] = 0\nS = P`, 'S', '2×2: 0 3 2 4'],
    [`${q}S = Q[:, 0]`, 'S', '2: 1 3'],
    ['S = F.softmax(torch.tensor([[1.0]]))', 'S', '1×1: 1'],
    ['T = torch.tensor([[1.0]])\nS = T + np.ones((1, 1))', 'S', '1×1: 2'],
    ['a = np.ones(2, dtype=np.float32)\nS = a * np.sqrt(4)', 'S', '2: 2 2'],
  ];
  for (const [text, name, expected] of known)
    it(`${text.replaceAll('\n', '⏎')} is known`, () => assert.equal(meaning(text, name), expected));
});

describe('what stands above a selection', () => {
  const above = 'import numpy as np\nQ = np.array([[1.0, 2.0]])\nK = np.eye(2)\nV = np.ones((2, 3))\n';
  it('gives names that the selection uses', () => {
    const read = specFromText('scores = Q @ K.T', { before: above });
    assert.ok(read.ok, JSON.stringify(read));
    assert.equal(read.value.spec.start.from, 'scores');
    assert.deepEqual(
      read.value.spec.start.from === 'scores' && [read.value.spec.start.scores, read.value.spec.start.dK],
      [[[1, 2]], 2],
    );
    assert.ok(read.value.notes.includes('scores is Q @ K.T, line 5, from lines 2 and 3.'), read.value.notes.join('\n'));
  });
  it('gives what a walk needs: K and V beside a selected Q', () => {
    const read = specFromText('Q = np.array([[5.0, 6.0]])', { before: above });
    assert.ok(read.ok && read.value.spec.start.from === 'qkv', JSON.stringify(read));
    assert.deepEqual(read.value.spec.start.q, [[5, 6]]);
    assert.deepEqual(read.value.spec.start.v?.length, 2);
  });
  it('takes an expression in the middle of a statement', () => {
    const read = specFromText('Q @ K.T', { before: `${above}scores = ` });
    assert.ok(read.ok && read.value.spec.start.from === 'x', JSON.stringify(read));
    assert.deepEqual(read.value.spec.start.x, [[1, 2]]);
  });
  it('leaves prose text', () => {
    const read = specFromText('The cat sat on the mat', { before: above });
    assert.ok(read.ok && read.value.spec.start.from === 'text');
  });
  it('does not know what a block that begins above the window assigned', () => {
    const read = readNames('S = Q', { before: '  Q = np.eye(2)\nK = 1\n', cut: true });
    assert.match(told(read.meaningOf('S'), 'S = Q'), /block that begins too far above/);
  });
  it('points at the selection for a problem above it', () => {
    assert.equal(meaning('S = Q @ Q', 'S', 'Q = np.random.rand(2, 2)\n').slice(0, 13), 'unseeded 1:1 ');
  });
});

describe('the matrix that a name stands for at a place', () => {
  const text = 'Q = np.eye(2)\nK = Q + 1\nQ = Q * 3 + K\n# Q in a comment\nprint("Q", Q.T)\ndef f(Q):\n  return Q\n';
  const at = (occurrence: number): string => {
    let offset = -1;
    for (let i = 0; i <= occurrence; i++) offset = text.indexOf('Q', offset + 1);
    const found = nameAt(text, offset);
    if (!found) return 'nothing';
    return 'problems' in found
      ? (found.problems[0]?.message ?? '')
      : `line ${found.line}: ${[...found.matrix.values].join(' ')}`;
  };
  const expected = [
    'line 1: 1 0 0 1',
    'line 1: 1 0 0 1',
    'line 3: 5 1 1 5',
    'line 1: 1 0 0 1',
    'nothing',
    'nothing',
    'line 3: 5 1 1 5',
    'Q differs from run to run of the def in line 6',
    'Q differs from run to run of the def in line 6',
  ];
  expected.forEach((value, i) => it(`Q number ${i + 1}: ${value}`, () => assert.equal(at(i), value)));
  it('shows flat lists of Python under names with a role only', () => {
    const shown = (text: string): boolean => nameAt(text, 0) !== undefined;
    assert.deepEqual(
      ['version = (1, 0)', 'sizes = [2, 3]', 'Q = [2, 3]', 'a = np.array([2, 3])', 'rows = [[1, 2]]'].map(shown),
      [false, false, true, true, true],
    );
  });
  it('says where it was defined, and how it came about', () => {
    const found = nameAt('K = [[1, 2]]\nQ = np.ones((2, 2))\nS = Q @ Q.T\nS', 45);
    assert.ok(found && 'matrix' in found);
    assert.deepEqual(
      [found.line, found.definedAt, found.matrix.derivation],
      [3, { start: 33, end: 34 }, 'Q @ Q.T, line 3, from line 2'],
    );
  });
  it('tells the line of a draw from that of its seed, and of what is made of draws', () => {
    const text = 'np.random.seed(3)\nn = 2\n\nG = np.random.normal(size=(2, 3))\nH = np.random.rand(n)\nS = G @ G.T\n';
    const derivation = (name: string): string | undefined => {
      const found = nameAt(text, text.indexOf(`${name} =`));
      return found && 'matrix' in found ? found.matrix.derivation : undefined;
    };
    assert.equal(derivation('G'), 'np.random.normal(size=(2, 3)), line 4, seeded in line 1');
    assert.equal(derivation('S'), 'G @ G.T, line 6, from line 4');
  });
});

describe('programs of any kind', () => {
  const adversaries: Readonly<Record<string, (n: number) => string>> = {
    names: (n) => Array.from({ length: n / 12 }, (_, i) => `a${i} = ${i}\n`).join(''),
    'one name again and again': (n) => 'Q = Q + 1\n'.repeat(n / 10),
    'aliases and changes': (n) => 'a = b\nb += 1\n'.repeat(n / 13),
    'unclosed brackets': (n) => 'Q = f(\n'.repeat(n / 7),
    'unclosed strings': (n) => 'Q = "a\n'.repeat(n / 7),
    'triple quotes': (n) => '"""\n'.repeat(n / 4),
    'open brackets': (n) => `Q = ${'['.repeat(n)}`,
    attributes: (n) => `Q = a${'.a'.repeat(n / 2)}`,
    'one sum': (n) => `Q = a${' + a'.repeat(n / 4)}`,
    commas: (n) => `${'a,'.repeat(n / 2)} = 3`,
    'blocks with draws': (n) => 'rng = np.random.default_rng(1)\nfor i in x:\n  f(rng)\n'.repeat(n / 53),
    'draws in one statement': (n) => `np.random.seed(1)\nQ = [${'np.random.rand(), '.repeat(n / 18)}]`,
    'nested blocks': (n) =>
      Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}if x:\n`)
        .join('')
        .repeat(n / 21000 + 1),
    words: (n) => 'word '.repeat(n / 5),
    'lists of names': (n) => 'l = [l, a]\n'.repeat(n / 11),
    signs: (n) => `Q = ${'-'.repeat(n)}1`,
  };
  for (const [name, of] of Object.entries(adversaries))
    it(`${name}: twice the text, at most about twice the places to stop`, () => {
      const steps = (text: string): number => readNames(text).steps();
      const [a, b] = [steps(of(8_400)), steps(of(16_800))];
      assert.ok(b <= 2.2 * a + 500, `${a} then ${b}`);
    });

  it('30,000 names, each of the one before, come to a number without recursion', () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `a${i + 1} = a${i} + 1`);
    assert.equal(meaning(`a0 = 0\n${lines.join('\n')}`, 'a30000'), '30000');
  }).timeout(20_000);

  it('a chain that doubles is refused, not computed', () => {
    const lines = Array.from({ length: 60 }, () => 'a = np.concatenate([a, a])');
    assert.match(meaning(`a = np.ones(8)\n${lines.join('\n')}`, 'a'), /^expression \d+:5 \d+ is more than is computed/);
    const heavy = Array.from({ length: 400 }, () => 'a = a @ a');
    assert.match(meaning(`a = np.eye(900)\n${heavy.join('\n')}`, 'a'), /too much to compute here/);
  }).timeout(20_000);

  const pieces = cases
    .flatMap((c) => c.text.split('\n'))
    .concat([
      'for i in x:',
      '  Q = 1',
      '```',
      'def f(a):',
      '  return a',
      '"""',
      'The cat sat',
      'Q[0] = 1',
      'del Q',
      '>>> Q',
      'Q = np.random.seed(3)',
      'x = Q.T.T @ [1, 2]',
      '(',
      ')',
      '[',
      ']',
    ]);
  it('random programs and mutations never throw', () => {
    const edit = fc.tuple(
      fc.nat(),
      fc.nat(12),
      fc.constantFrom('', ')', '(', '[', ']', ' = ', '.T', '@', ',', '"', '\n', 'Q', '1', ':'),
    );
    const program = fc.tuple(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), fc.array(edit, { maxLength: 4 }));
    fc.assert(
      fc.property(program, fc.nat(), ([lines, edits], where) => {
        let text = lines.join('\n');
        for (const [at, length, put] of edits) {
          const from = at % (text.length + 1);
          text = text.slice(0, from) + put + text.slice(from + length);
        }
        const read = readNames(text);
        for (const { meaning: found } of read.names) {
          if (found?.kind === 'problem')
            assert.ok(
              found.problem.range && found.problem.range.end <= text.length && found.problem.message.length < 300,
            );
        }
        nameAt(text, where % (text.length + 1));
        const cut = where % (text.length + 1);
        specFromText(text.slice(cut), { before: text.slice(0, cut) });
      }),
      { numRuns: 200 },
    );
  }).timeout(20_000);
});
