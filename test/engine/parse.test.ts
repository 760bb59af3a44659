// Runs alone: it measures time.
import assert from 'node:assert/strict';
import { parseMatrices } from './parse-same';
import { scanCandidates } from '../../engine/parse/literals';
import { scannerOf } from '../../engine/parse/scanner';
import { example, onlyMatrix, valuesOf, where } from './parse-support';

/** name/role and shape of each matrix, and the codes of the problems. */
function summary(text: string): string {
  const { matrices, problems } = parseMatrices(text);
  const found = matrices.map((m) => `${m.name ?? '-'}/${m.role ?? '-'}${m.index ?? ''} ${m.shape.join('×')}`);
  return [...found, ...problems.map((p) => p.code)].join(', ');
}

describe('numbers of a literal', () => {
  const forms: readonly (readonly [string, readonly number[]])[] = [
    ['[1., .5, 1e-3, -2.5E+2]', [1, 0.5, 0.001, -250]],
    ['[1_000, 0x1F, 0b101, 0o17, -0xff]', [1000, 31, 5, 15, -255]],
    ['[+1, - 2, −3, -0.0]', [1, -2, -3, -0]],
    ['[inf, -inf, nan]', [Infinity, -Infinity, NaN]],
    ['[Infinity, -Infinity, NaN]', [Infinity, -Infinity, NaN]],
    ['[np.inf, -np.inf, math.inf, torch.inf, np.nan, math.nan]', [Infinity, -Infinity, Infinity, Infinity, NaN, NaN]],
    [`[float('-inf'), float("inf"), -float('inf'), float("nan")]`, [-Infinity, Infinity, -Infinity, NaN]],
    ['[True, False, true, false]', [1, 0, 1, 0]],
    ['[np.float64(0.5), np.float32(-1.25), float(3)]', [0.5, -1.25, 3]],
    ['[tensor(0.5), tensor(-2., grad_fn=<NegBackward0>)]', [0.5, -2]],
    ['[1/3, -2/4]', [1 / 3, -0.5]],
    ['[(1), (-2.5)]', [1, -2.5]],
    ['[1.e+00 2.5e-01 -3.e+02]', [1, 0.25, -300]],
    ['[  0. -inf   1.]', [0, -Infinity, 1]],
    ['[1, 2, 3,]', [1, 2, 3]],
    ['[1e400, 5e-324, 1.7976931348623157e308]', [Infinity, 5e-324, Number.MAX_VALUE]],
    // One digit more than a float64 tells apart, and decimals between two floats: as the language itself reads them.
    [
      '[0.1234567890123456789, 9007199254740993, 0.30000000000000004]',
      [0.1234567890123456789, 9007199254740992, 0.30000000000000004],
    ],
    ['[123456789012345e22, 123456789012345e-22, 8.41e21]', [123456789012345e22, 123456789012345e-22, 8.41e21]],
  ];
  for (const [text, expected] of forms) {
    it(text, () => {
      const found = valuesOf(text);
      assert.equal(found.length, expected.length);
      expected.forEach((x, i) => assert.ok(Object.is(found[i], x), `${text}: number ${i} is ${found[i]}, not ${x}`));
    });
  }

  it('passes over comments inside of a literal', () => {
    const text = '[[1, 2], # first [row]\n // second\n [3, /* ] */ 4]]';
    assert.deepEqual(valuesOf(text), [1, 2, 3, 4]);
  });

  it('reads doctest lines, whose dots continue and do not elide', () => {
    const text = '>>> Q = np.array([[1, 2],\n...               [3, 4]])\n>>> Q @ Q';
    assert.equal(summary(text), 'Q/q 2×2');
  });
});

describe('literals and their calls', () => {
  const shapes: readonly (readonly [string, string])[] = [
    ['[[1, 2, 3], [4, 5, 6]]', '-/- 2×3'],
    ['((1, 2, 3), (4, 5, 6))', '-/- 2×3'],
    ['([[1, 2], [3, 4]])', '-/- 2×2'],
    ['[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]', '-/- 2×2×2'],
    ['[[[[1, 2]]]]', '-/- 1×1×1×2'],
    ['[1, 2, 3]', '-/- 3'],
    ['(1, 2, 3)', '-/- 3'],
    ['[[0.1 0.2]\n [0.3 0.4]]', '-/- 2×2'],
    ['np.array([[1, 2], [3, 4]])', '-/- 2×2'],
    ['np.asarray(((1, 2), (3, 4)), np.float32)', '-/- 2×2'],
    ['numpy.array([1, 2, 3])', '-/- 3'],
    ['torch.tensor([[1., 2.]], dtype=torch.float64, device="cpu")', '-/- 1×2'],
    ['nn.Parameter(torch.tensor([[1., 2.]]), requires_grad=False)', '-/- 1×2'],
    ['tf.constant([[1.0], [2.0]], tf.float16)', '-/- 2×1'],
    ['jnp.array([[1, 2]])', '-/- 1×2'],
    ['Array([[1., 2.]], dtype=float32)', '-/- 1×2'],
    ['new Float32Array([1, 2, 3])', '-/- 3'],
    ['[array([[1.],\n       [2.]]), array([[3.],\n       [4.]])]', '-/- 2×2×1'],
    ['1 2 3\n4 5 6', '-/- 2×3'],
    ['1, 2\n3, 4\n5, 6\n', '-/- 3×2'],
    ['0.5\t1e-3\r\n-2\tinf\r\n', '-/- 2×2'],
    ['[1 2 3]\n[4 5 6]', '-/- 2×3'],
    ['[1, 2],\n[3, 4],', '-/- 2×2'],
  ];
  for (const [text, expected] of shapes) it(text.replaceAll('\n', '⏎'), () => assert.equal(summary(text), expected));

  const dtypes: readonly (readonly [string, string | undefined, string])[] = [
    ['np.array([[1, 2]], dtype=np.float32)', 'float32', 'numpy'],
    ['np.array([[1, 2]], np.float32)', 'float32', 'numpy'],
    ["np.array([[1, 2]], dtype='float32')", 'float32', 'numpy'],
    ["np.array([[1, 2]], '<f4')", 'float32', 'numpy'],
    ['np.array([[1, 2]]).astype(np.float32)', 'float32', 'numpy'],
    ['np.array([[1, 2]])', undefined, 'numpy'],
    ['torch.tensor([[1, 2]], dtype=torch.bfloat16)', 'bfloat16', 'torch'],
    ['torch.tensor([[1, 2]]).float()', 'float32', 'torch'],
    ['tensor([[1., 2.]], dtype=torch.float64)', 'float64', 'torch'],
    ['tf.Tensor(\n[[1. 2.]], shape=(1, 2), dtype=float32)', 'float32', 'tensorflow'],
    ['<tf.Tensor: shape=(1, 2), dtype=float32, numpy=array([[1., 2.]], dtype=float32)>', 'float32', 'tensorflow'],
    ['jnp.array([[1, 2]], dtype=jnp.float16)', 'float16', 'jax'],
    ['new Float32Array([1, 2])', 'float32', 'javascript'],
    ['[[1, 2]]', undefined, 'brackets'],
    ['[[1 2]]', undefined, 'printed'],
  ];
  for (const [text, dtype, format] of dtypes) {
    it(`${text.replaceAll('\n', '⏎')} is ${format}, ${dtype ?? 'no dtype'}`, () => {
      const found = onlyMatrix(text);
      assert.equal(found.dtype, dtype);
      assert.equal(found.format, format);
      assert.deepEqual(found.range, { start: 0, end: text.length });
    });
  }

  it('keeps the labels of a score table (tutorial 001)', () => {
    const table = example('1-the-cat-sat.md').split('```')[1] ?? '';
    const found = onlyMatrix(table);
    const tokens = ['The', 'cat', 'sat', 'on', 'the', 'mat'];
    assert.deepEqual(found.rowLabels, tokens);
    assert.deepEqual(found.columnLabels, tokens);
    assert.deepEqual([...found.shape], [6, 6]);
    assert.deepEqual([...found.values.slice(6, 12)], [1.1, 3.2, 4.1, 0.6, 1, 1.8]);
    assert.equal(found.format, 'labelled-table');
  });

  it('takes quoted labels and rows without a header', () => {
    const found = onlyMatrix('"New York"  [1, 2],\n"the"       [3, 4]');
    assert.deepEqual(found.rowLabels, ['New York', 'the']);
    assert.equal(found.columnLabels, undefined);
  });
});

describe('names', () => {
  const names: readonly (readonly [string, string])[] = [
    ['Q = [[1, 2]]', 'Q/q 1×2'],
    ['self.W_q = [[1, 2]]', 'self.W_q/wq 1×2'],
    ['self.q_proj.weight.data = torch.tensor([[1., 2.]])', 'self.q_proj.weight.data/wq 1×2'],
    ['model.query.weight = [[1, 2]]', 'model.query.weight/wq 1×2'],
    ['const K = [[1, 2]];', 'K/k 1×2'],
    ['let K: number[][] = [[1, 2]];', 'K/k 1×2'],
    ['V: np.ndarray = np.array([[1, 2]])', 'V/v 1×2'],
    ['V: List[List[float]] = [[1, 2]]', 'V/v 1×2'],
    ['if (Q := np.array([[1, 2]])) is None: pass', 'Q/q 1×2'],
    ['{"Q": [[1, 2]], "K": [[3, 4]]}', 'Q/q 1×2, K/k 1×2'],
    ["params['W_k'] = np.array([[1, 2]])", 'W_k/wk 1×2'],
    ['attention(query=[[1, 2]], key=[[3, 4]])', 'query/q 1×2, key/k 1×2'],
    ['Q\n [[1 2]]\nK\n [[3 4]]', 'Q/q 1×2, K/k 1×2'],
    ['x_1:\n[[1]\n [2]]\nx_2:\n[[3]\n [4]]', 'x_1/xi1 2×1, x_2/xi2 2×1'],
    ['**Q:**\n\n[[1, 2]]', 'Q/q 1×2'],
    ['**K**\n```python\n[[1, 2]]\n```', 'K/k 1×2'],
    ['### W_v\n[[1, 2]]', 'W_v/wv 1×2'],
    ['Query matrix:\n[[1 2]]', 'Query matrix/q 1×2'],
    ['Attention weights:\n[[1 2]]', 'Attention weights/- 1×2'],
    ['New V\n [[1 2]]', 'New V/- 1×2'],
    ['Q [[1 2]\n [3 4]]', 'Q/q 2×2'],
    ['Let Q = [[1, 2]] and K = [[3, 4]].', 'Q/q 1×2, K/k 1×2'],
    ['Q: [[1 2]\n [3 4]]  K: [[5 6]]', 'Q/q 2×2, K/k 1×2'],
    ['Q, K = [[1, 2]], [[3, 4]]', '-/- 1×2, -/- 1×2'],
    ['if x:\n    Q = [[1, 2]]', 'Q/q 1×2'],
    ['Q:\n[1 2]\n[3 4]\nK:\n[5 6]\n[7 8]', 'Q/q 2×2, K/k 2×2'],
    ['"cat" → [0.2, -0.1, 0.8]', 'cat/- 3'],
    ['mask\n\narray([[0., 1.]])', 'mask/mask 1×2'],
    ['Out[3]: array([[0., 1.]])', '-/- 1×2'],
    ['    "Q = np.array([\\n",\n    "    [1, 2],\\n",\n    "])\\n",', 'Q/q 1×2'],
    ['    "x_1:\\n",\n    "[[1]\\n",\n    " [2]]\\n",', 'x_1/xi1 2×1'],
  ];
  for (const [text, expected] of names) it(text.replaceAll('\n', '⏎'), () => assert.equal(summary(text), expected));

  const roles: readonly (readonly [string, string])[] = [
    ['q', 'Q q query queries Queries QUERY'],
    ['k', 'K k key keys Keys'],
    ['v', 'V v value values'],
    ['wq', 'W_q Wq w_q W_Q WQ A_q W_query w_query query_proj q_proj.weight to_q'],
    ['wk', 'W_k Wk A_k W_key w_key self.k_proj.weight'],
    ['wv', 'W_v Wv A_v W_value w_value self.attn.v_proj.weight'],
    ['x', 'X x M emb embedding embeddings inputs'],
    ['xi', 'x_1 x_12 x1 X_3 x₁₂'],
    ['mask', 'mask attn_mask causal_mask'],
    ['bq', 'b_q bq b_query q_proj.bias bias_q'],
    ['bias', 'bias'],
  ];
  for (const [role, written] of roles) {
    it(`${role}: ${written}`, () => {
      for (const name of written.split(' ')) assert.equal(onlyMatrix(`${name} = [[1, 2]]`).role, role, name);
    });
  }

  it('gives no role to other names', () => {
    for (const name of 'scores q_2 k_1 qk wqk weights attention max x_y queryset keyboard invalues'.split(' '))
      assert.equal(onlyMatrix(`${name} = [[1, 2]]`).role, undefined, name);
  });

  it('points at the name and at the literal with its call', () => {
    const text = 'import x\n  W_q = np.array([[1, 2]], dtype=float)  # here';
    const found = onlyMatrix(text);
    assert.equal(text.slice(found.nameRange?.start, found.nameRange?.end), 'W_q');
    assert.equal(text.slice(found.range.start, found.range.end), 'np.array([[1, 2]], dtype=float)');
  });
});

describe('what is not a matrix is passed over', () => {
  const nothing = [
    'import numpy as np\nnp.random.seed(0)\nx = np.random.normal(size=(4, 1))',
    'a[0] + b[1, 2] - f(x)[3] * g[1:2, 3]',
    'def f(x: List[int], y: Tuple[int, int] = (1, 2)) -> Dict[str, List[float]]: ...',
    '[x for x in y]',
    'print([i * 2 for i in range(3)])',
    'As shown in [1], and by Vaswani et al. [2, 3], attention [4] is all you need.',
    '[Vaswani et al., 2017](https://arxiv.org/abs/1706.03762) and [[Luong et al., 2015](https://arxiv.org/abs/1508.04025)]',
    '- [ ] write\n- [x] read',
    'tokens = ["The", "cat"]\nfor t in tokens: print(t)',
    'Then Q will have shape (n, d_k) = (6, 64)',
    'With shapes: (4, 4), (4, 4), (4, 4)',
    'foo(1, 2)\nbar([x])\nbaz((1, 2))',
    'const [a, b] = useState(0); arr[[0, 1]] = 3; // [[1, 2]]',
    '# Q = [[1, 2], [3, 4]] was here',
    'x = (3 + 4) * 2\nQ = (1 / 8)',
    'regex = /[0-9]+[a-z]/; s = "[1, 2] in a string"',
    'In [20]:\nd = 4',
    'softmax$[X] = \\left[ 1 \\right]$',
  ];
  for (const text of nothing) it(text.replaceAll('\n', '⏎'), () => assert.equal(summary(text), ''));

  it('finds the literals of a program and nothing else', () => {
    assert.equal(
      summary(example('4-loops-then-matrices.py')),
      'X/x 3×4, A_q/wq 4×4, A_k/wk 4×4, A_v/wv 4×4, b_q/bq 4×1, b_k/bk 4×1, b_v/bv 4×1',
    );
    assert.equal(
      summary(example('5-column-vectors.py')),
      'x_1/xi1 4×1, x_2/xi2 4×1, x_3/xi3 4×1, x_4/xi4 4×1, W_q/wq 4×4, W_k/wk 4×4, W_v/wv 4×4',
    );
  });

  it('marks an expression around a literal, which is not computed', () => {
    const cases = [
      ['Q = [[1, 2]] * 0.5', '* 0.5'],
      ['Q = np.array([[1, 2]]).T', '.T'],
      ['Q = np.array([[1, 2]]).reshape(2, 1)', '.reshape(2, 1)'],
      ['y = 2 * np.array([[1, 2]])', '*'],
      ['y = W @ [[1, 2]]', '@'],
      ['Q += [[1, 2]]', '+='],
    ] as const;
    for (const [text, expected] of cases) {
      const { expression } = onlyMatrix(text);
      assert.equal(text.slice(expression?.start, expression?.end), expected, text);
    }
    for (const text of [
      'Q = np.array([[1, 2]]).astype(float)',
      'Q = [[1, 2]]  # * 2',
      'We have Q = [[1, 2]]. So',
      '- [[1, 2]]',
    ])
      assert.equal(onlyMatrix(text).expression, undefined, text);
  });
});

describe('problems name what was found, and where', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['Q = [[1, 2, 3],\n     [4, 5, 6],\n     [7, 8]]', 'ragged 3:6 [7, 8]', 'row 3 has 2 numbers, rows 1–2 have 3'],
    ['[[1, 2], [3]]', 'ragged 1:10 [3]', 'row 2 has 1 number, row 1 has 2'],
    ['[[1], [2], [3, 4], [5]]', 'ragged 1:12 [3, 4]', 'row 3 has 2 numbers, rows 1–2 have 1'],
    ['[[[1], [2]], [[3]]]', 'ragged 1:14 [[3]]', 'matrix 2 has 1 row, matrix 1 has 2'],
    ['1 2 3\n4 5', 'ragged 2:1 4 5', 'row 2 has 2 numbers, row 1 has 3'],
    ['[[1, 2, ..., 9],\n [3, 4, ..., 8]]', 'elided 1:9 ...', '... stands for numbers that were not printed'],
    ['[[1 2]\n ...\n [3 4]]', 'elided 2:2 ...', '... stands for numbers that were not printed'],
    ['K = [1, 2, …]', 'elided 1:12 …', '… stands for numbers that were not printed'],
    ['Q = [[1, 2],\n     [3, "a"]]', 'string 2:10 "a"', '"a" is a string, expected a number'],
    ["np.array([1, '2'])", "string 1:14 '2'", "'2' is a string, expected a number"],
    ['[1, 2j]', 'complex 1:5 2j', '2j is a complex number'],
    ['[[1+2j, 3]]', 'complex 1:3 1+2j', '1+2j is a complex number'],
    ['[1, null]', 'null 1:5 null', 'null is not a number'],
    ['[a, 1]', 'unknown-name 1:2 a', 'a is not a number'],
    ['Q = [\n  1, d_k\n]', 'unknown-name 2:6 d_k', 'd_k is not a number'],
    ['[1, 12px]', 'malformed 1:5 12px', '12px is not a number'],
    ['[1, 1.2.3]', 'malformed 1:5 1.2.3', '1.2.3 is not a number'],
    ['[1, 1__0]', 'malformed 1:5 1__0', '1__0 is not a number'],
    ['[]', 'empty 1:1 []', 'brackets without numbers'],
    ['np.array([])', 'empty 1:10 []', 'brackets without numbers'],
    ['[[1], []]', 'empty 1:7 []', 'a row without numbers'],
    ['[[1, 2], 3]', 'mixed-depth 1:10 3', 'a number where a row was expected'],
    ['[1, [2, 3]]', 'mixed-depth 1:5 [', 'a row where a number was expected'],
    ['[[1, 2], [[3, 4]]]', 'mixed-depth 1:12 3', 'this number is nested deeper or less deep than the first'],
    ['[[[[[1]]]]]', 'too-deep 1:5 [', 'more than 4 brackets in each other'],
    ['[[1, 2], [3, 4]', 'unbalanced 1:1 [', '[ is never closed'],
    ['Q = [[1, 2],\n     [3, 4]\nK = [[5, 6]]', 'unbalanced 1:5 [', '[ is never closed'],
    ['[[1, 2], [3, 4)]', 'unbalanced 1:15 )', 'found ), expected ] to close ['],
    ['[[1, 2], [3, 4]]]', 'unbalanced 1:17 ]', '] closes nothing'],
    ['np.array([[1, 2]]', 'unbalanced 1:9 (', 'np.array( is never closed'],
    ['Q = np.array([[1, 2]]\nK = 3', 'unbalanced 1:13 (', 'np.array( is never closed'],
    ['[[1, 2] [3, 4]]', 'separator 1:9 [', 'some numbers are separated by commas, some are not'],
    ['[[1 2], [3 4]]', 'separator 1:7 ,', 'some numbers are separated by commas, some are not'],
    ['[[1, 2][3, 4]]', 'separator 1:8 [', 'some numbers are separated by commas, some are not'],
    ['[1, 2 3]', 'separator 1:7 3', 'some numbers are separated by commas, some are not'],
    ['[1,, 2]', 'missing-number 1:4 ,', 'no number between two commas'],
    ['[[1, 2], [3 * 4, 5]]', 'unexpected 1:13 *', '* inside of the brackets'],
    ['[[1, 2]; [3, 4]]', 'unexpected 1:8 ;', '; inside of the brackets'],
    ['[7//2, 1]', 'unexpected 1:3 /', '/ inside of the brackets'],
    ['[5 - 3]', 'unexpected 1:4 -', '- inside of the brackets'],
    ['Q = np.array([[1, 2]] * 3)', 'expression 1:23 *', 'found * in np.array(…), expected a comma or )'],
  ];
  for (const [text, place, message] of cases) {
    it(text.replaceAll('\n', '⏎'), () => {
      const { matrices, problems } = parseMatrices(text);
      const [problem] = problems;
      assert.ok(problem, `no problem in ${text}`);
      assert.equal(where(text, problem), place);
      assert.equal(problem.message, message);
      assert.ok(problem.hint, 'a hint says what would fix it');
      assert.ok(
        !matrices.some(
          (m) => m.range.start <= (problem.range?.start ?? 0) && (problem.range?.start ?? 0) < m.range.end,
        ),
      );
    });
  }

  it('reports every broken literal and keeps the others', () => {
    const text = 'Q = [[1, 2], [3]]\nK = [[5, 6]]\nV = [[7, "8"]]\n';
    const { matrices, problems } = parseMatrices(text);
    assert.deepEqual(
      matrices.map((m) => m.name),
      ['K'],
    );
    assert.deepEqual(
      problems.map((p) => where(text, p)),
      ['ragged 1:14 [3]', 'string 3:10 "8"'],
    );
  });

  it('says the size and the limit of a text that is too large, at once', () => {
    const text = `[${'1, '.repeat(3_500_000)}1]`;
    const start = performance.now();
    const { matrices, problems } = parseMatrices(text);
    assert.ok(performance.now() - start < 250, 'nothing of it is read');
    assert.equal(matrices.length, 0);
    assert.equal(problems[0]?.code, 'too-large');
    assert.equal(problems[0]?.message, '10,500,003 characters are selected, the limit is 2,000,000');
  });
});

describe('a matrix inside of what TensorFlow prints before an array', () => {
  // A fuzz found it: the array took the text from `<tf.` on as its own, the matrix in it included.
  const text =
    '<tf.Tensor:[[1, 2], [3, 4]] shape=(2, 2, 3), dtype=float32, numpy=\narray([[[-2.102219  , -0.04678103,  0.2501394 ],\n        [-0.23553082,  1.493212  , -0.5450737 ]],\n\n       [[-0.62255454, -0.08805668,  0.20567577],\n        [ 0.7823345 , -1.7184397 , -0.08419082]]], dtype=float32)>';
  it('is one of its own, before the array', () => {
    const { matrices } = parseMatrices(text);
    assert.deepEqual(
      matrices.map(({ shape, range }) => [shape.join('×'), text.slice(range.start, range.start + 7)]),
      [['2×2', '[[1, 2]'], ['2×2×3', 'array([']], // prettier-ignore
    );
  });

  for (const head of [
    "Variable 'Variable:0' shape=(1, 2)",
    "Variable 'layer/q:0' shape=(1, 2)",
    'Tensor: id=7, shape=(1, 2),',
    'Tensor: shape=(1, 2),',
  ])
    it(`<tf.${head} …> is one literal with its array`, () => {
      const whole = `<tf.${head} dtype=float32, numpy=array([[1., 2.]], dtype=float32)>`;
      const [only, ...others] = parseMatrices(whole).matrices;
      assert.deepEqual([only?.range, only?.format, others], [{ start: 0, end: whole.length }, 'tensorflow', []]);
    });

  it('takes what stands in a larger literal for no literal of its own (Go’s array type, found by the fuzz)', () => {
    const text = 'W_q := [1]64{{1, 2}, {3, math.Inf(-1)\n}}(\nA = cat(3, [1 2; 3 4], [5 6; 7 8]);\n';
    const { matrices } = parseMatrices(text);
    assert.deepEqual(
      matrices.map(({ shape }) => shape.join('×')),
      ['2×2', '2×2×2'],
    );
  });

  it('takes the factor that PyTorch prints above all numbers, exactly', () => {
    const text = 'tensor(1.0e+04 *\n       [[0.0003, 2.0000],\n        [3.0000, -inf]])';
    const [m] = parseMatrices(text).matrices;
    assert.deepEqual([...(m?.values ?? [])], [3, 20000, 30000, -Infinity]);
    assert.deepEqual(m?.notes, ['Each number as printed times 1.0e+04, which stands above them.']);
    // A product in code is none that was printed.
    assert.equal(parseMatrices('x = 1.0e+04 * [[1, 2]]').matrices[0]?.values[0], 1);
  });

  it('passes over open brackets beyond four dimensions in a few steps each', () => {
    for (const text of ['['.repeat(100_000), '[\n'.repeat(50_000)]) {
      const s = scannerOf(text);
      assert.equal(scanCandidates(s).filter((c) => c.matrix).length, 0);
      assert.ok(s.steps < 30 * text.length, `${s.steps / text.length} steps a character`);
    }
  });
});
