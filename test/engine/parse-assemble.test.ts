// Runs alone: it measures time.
import assert from 'node:assert/strict';
import { statedFieldNotes } from '../../engine/index';
import { specFromText } from '../../engine/parse/index';
import { tokenLimit } from '../../engine/spec/spec';
import {
  decodeNumber,
  matrixDefaults,
  textDefaults,
  type AttentionSpec,
  type SpecHeads,
  type SpecMatrix,
} from '../../engine/spec/spec';
import { explainAttention } from '../../engine/run/run';
import { assembled, example, readText, refused, where } from './parse-support';

const tutorials = JSON.parse(readText('test/fixtures/attention/tutorials.json')) as Record<
  '000' | '001' | '004',
  Record<string, SpecMatrix>
>;

/** Rows as numbers, each through `round`: the fixture of 004 holds float32 values, its literals the printed digits. */
const rows = (m: SpecHeads | undefined, round = (x: number): number => x): number[][] =>
  (m ?? []).map((row) =>
    row.map((x) => {
      assert.ok(!Array.isArray(x), 'one head');
      return round(decodeNumber(x as SpecMatrix[number][number]));
    }),
  );

function startOf<F extends AttentionSpec['start']['from']>(
  spec: AttentionSpec,
  from: F,
): Extract<AttentionSpec['start'], { from: F }> {
  assert.equal(spec.start.from, from);
  return spec.start as Extract<AttentionSpec['start'], { from: F }>;
}

function givenOf(spec: AttentionSpec): Extract<AttentionSpec['projections'], { from: 'given' }> {
  assert.equal(spec.projections.from, 'given');
  return spec.projections as Extract<AttentionSpec['projections'], { from: 'given' }>;
}

/** Problems as `code line:column text` and message. */
const complaints = (text: string): string[] => refused(text).map((p) => `${where(text, p)} | ${p.message}`);

describe('a spec from text', () => {
  it('takes a sentence with the defaults for text', () => {
    const { spec, notes, used } = assembled('The cat sat on the mat');
    assert.deepEqual(spec, {
      ...textDefaults,
      start: { from: 'text', text: 'The cat sat on the mat', tokenizer: 'words' },
    });
    assert.deepEqual([notes, used], [[], []]);
  });

  const sentences = [
    'Attention [1] is all you need [2, 3].',
    '[1] Vaswani et al. Attention is all you need, 2017.',
    '[CLS] The cat sat [SEP]',
    '[CLS]',
    'What is the capital of France?',
    'Q: What is attention? A: It is a weighted sum (see above).',
    'Let f(x) = a[0] + b[1].',
    'In 2017 there were 8 heads, 512 wide',
    '(so it seems, at least)',
    '[[Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)]',
    '- [ ] read\n- [x] write',
    'Then Q has shape (n, d_k) = (6, 64)',
    '2017',
  ];
  for (const text of sentences)
    it(`${text.replaceAll('\n', '⏎')} is text`, () => assert.equal(assembled(text).spec.start.from, 'text'));

  it('refuses nothing and white space', () => {
    assert.deepEqual(complaints(''), ['empty 1:1  | nothing is selected']);
    assert.deepEqual(complaints(' \n\t'), ['empty 1:1  \n\t | only white space is selected']);
  });

  it('counts the words of a long text', () => {
    const text = `${'word '.repeat(tokenLimit)}more words`;
    assert.deepEqual(complaints(text), [
      'too-large 1:655361 more words | the text has 131074 words and marks, the limit is 131072',
    ]);
    assert.equal(assembled('word '.repeat(tokenLimit)).spec.start.from, 'text');
  });

  it('refuses 10 MB at once', () => {
    const start = performance.now();
    const [problem] = refused('word '.repeat(2_000_000));
    assert.ok(performance.now() - start < 250);
    assert.equal(problem?.message, '10,000,000 characters are selected, the limit is 2,000,000');
  });
});

describe('a spec from one matrix', () => {
  it('is X with Q = K = V = X, whatever stands around it', () => {
    const { spec, notes, used } = assembled('d_model = 512; mask = "causal"; heads = 8\nX = [[1, 2], [3, 4], [5, 6]]');
    assert.deepEqual(spec, {
      ...matrixDefaults,
      start: {
        from: 'x',
        x: [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
      },
    });
    assert.deepEqual(notes, [
      'One matrix is selected: Q = K = V = X.',
      'heads = 8 is not used: 2 columns are not shared by 8 heads.',
    ]);
    assert.deepEqual(
      used.map((m) => m.name),
      ['X'],
    );
  });

  it('needs no name, or any', () => {
    for (const text of [
      '[[1, 2], [3, 4]]',
      'np.array([[1, 2], [3, 4]])',
      'table = [[1, 2], [3, 4]]',
      '1 2\n3 4',
      'M = [[1 2]\n [3 4]]',
    ])
      assert.deepEqual(
        startOf(assembled(text).spec, 'x').x,
        [
          [1, 2],
          [3, 4],
        ],
        text,
      );
  });

  it('is one row when it is a flat list', () => {
    const { spec, notes } = assembled('[1, 2, 3]');
    assert.deepEqual(startOf(spec, 'x').x, [[1, 2, 3]]);
    assert.ok(notes.includes('A flat list is one row.'));
  });

  it('carries the labels of its rows', () => {
    const { spec } = assembled('The [ 1 2 ]\ncat [ 3 4 ]');
    assert.equal(spec.start.from, 'x');
    assert.deepEqual(spec.labels, { queries: ['The', 'cat'] });
  });

  it('keeps NaN, infinities and minus zero, and says where they are', () => {
    const { spec, notes } = assembled('X = [[1, nan], [-inf, -0.0], [nan, 2]]');
    assert.deepEqual(startOf(spec, 'x').x, [
      [1, 'nan'],
      ['-inf', '-0'],
      ['nan', 2],
    ]);
    assert.ok(notes.includes('X holds 2 NaN, the first at [0, 1].'), notes.join());
    assert.ok(notes.includes('X holds 1 infinite value, at [1, 0].'), notes.join());
  });

  it('computes in the precision of the source, and says so as long as it does', () => {
    const dtypeOf = (text: string): string => assembled(text).spec.dtype;
    const told = (text: string, dtype?: 'float64'): string => {
      const { said = [], spec } = assembled(text);
      return statedFieldNotes(said, dtype ? { ...spec, dtype } : spec).join();
    };
    const numpy = 'X = np.array([[1.5, 2]], dtype=np.float32)';
    assert.equal(dtypeOf(numpy), 'float32');
    assert.equal(told(numpy), 'Computed in float32, as the source says (float32).');
    assert.equal(told(numpy, 'float64'), 'The source says float32; computed in float64, other digits come out.');
    for (const [text, library] of [
      ['torch.tensor([[0.1]])', 'PyTorch'],
      ['tensor([[0.1, 0.2]])', 'PyTorch'],
      ['X = tf.constant([[0.1, 0.2]])', 'TensorFlow'],
      ['X = jnp.array([[0.1, 0.2]])', 'JAX'],
      ['torch.tensor([[1, 0], [0, 1]])', 'PyTorch'],
    ] as const) {
      assert.equal(dtypeOf(text), 'float32', text);
      assert.equal(told(text), `Computed in float32: the source is ${library}, float32 unless it says otherwise.`);
    }
    for (const text of [
      'X = [[0.1]]',
      'X = np.array([[0.1]])',
      'torch.tensor([[0.1]], dtype=torch.float64)',
      '[[0.1 0.2]]',
    ])
      assert.deepEqual([dtypeOf(text), told(text)], ['float64', ''], text);
    const mixed = assembled('Q = torch.tensor([[0.1, 0.2]])\nK = np.array([[0.3, 0.4]])');
    assert.equal(mixed.spec.dtype, 'float64');
    assert.ok(mixed.notes.includes('Q: float32; K: float64. Computed in float64, which loses no digit of either.'));
    // A list beside a tensor has no precision of its own.
    assert.equal(dtypeOf('Q = torch.tensor([[0.1, 0.2]])\nK = [[0.3, 0.4]]'), 'float32');
    const half = assembled('X = torch.tensor([[0.1]], dtype=torch.float16)');
    assert.equal(half.spec.dtype, 'float32');
    assert.ok(
      half.notes.includes('The source says float16, which is not computed: its digits differ, float32 is nearest.'),
    );
    assert.ok(assembled('X = np.array([[1.5]], dtype=int)').notes.some((note) => note.includes('would cut 1.5')));
  });

  it('takes a batch, and refuses axes before it', () => {
    assert.deepEqual(startOf(assembled('X = [[[1, 2], [3, 4]]]').spec, 'x').x, [
      [1, 2],
      [3, 4],
    ]);
    assert.deepEqual(startOf(assembled('X = [[[1, 2]], [[3, 4]]]').spec, 'x').x, [[[1, 2]], [[3, 4]]]);
    assert.deepEqual(complaints('X = [[[[1, 2]], [[3, 4]]], [[[1, 2]], [[3, 4]]]]'), [
      'one-sequence 1:5 [[[[1, 2]], [[3, 4]]], [[[1, 2]], [[3, 4]]]] | X is 2×2×1×2, expected one sequence: rows × columns',
    ]);
  });

  it('refuses what is not computed', () => {
    assert.deepEqual(complaints('X = [[1, 2]] * 0.5'), [
      "expression 1:5 [[1, 2]] * 0.5 | TypeError: unsupported operand type(s) for *: 'list' and 'float'",
    ]);
    assert.equal(refused('y = W @ [[1, 2]]')[0]?.code, 'expression');
    assert.equal(refused('Q = [[1, 2]]\nK = np.array([[1], [2]]).foo()')[0]?.code, 'expression');
  });
});

describe('a spec from Q, K and V', () => {
  it('takes them in any order and any case', () => {
    const { spec, used } = assembled('values = [[5], [6]]\nKeys = [[1, 2], [3, 4]]\nquery = [[7, 8]]');
    const start = startOf(spec, 'qkv');
    assert.deepEqual(
      [start.q, start.k, start.v],
      [
        [[7, 8]],
        [
          [1, 2],
          [3, 4],
        ],
        [[5], [6]],
      ],
    );
    assert.deepEqual(
      used.map((m) => m.role),
      ['q', 'k', 'v'],
    );
  });

  it('goes to the weights without V', () => {
    const { spec, notes } = assembled('Q = [[1, 2]]\nK = [[3, 4]]');
    assert.equal(startOf(spec, 'qkv').v, undefined);
    assert.deepEqual(notes, ['V is not selected: the walk ends at the weights.']);
  });

  const wrong: readonly (readonly [string, string])[] = [
    ['Q = [[1, 2, 3, 4]]\nK = [[1, 2, 3]]', 'shape-mismatch 2:5 [[1, 2, 3]] | K has 3 columns, Q has 4'],
    ['Q = [[1]]\nK = [[1], [2]]\nV = [[1]]', 'shape-mismatch 3:5 [[1]] | V has 1 row, K has 2'],
    ['Q = [[1, 2]]', 'missing 1:1 Q | Q without K'],
    ['V = [[1, 2]]', 'missing 1:1 V | V without Q, K'],
    ['W_q = [[1, 2]]\nX = [[1, 2]]', 'missing 1:1 W_q | W_q without W_k, W_v'],
    ['W_q = [[1]]\nW_k = [[1]]\nW_v = [[1]]', 'missing 1:1 W_q | W_q, W_k, W_v without X'],
    ['[[1, 2]]\n\n[[3, 4]]', 'unnamed 3:1 [[3, 4]] | 2 matrices are selected and nothing says which is which'],
    ['a = [[1, 2]]\nb = [[3, 4]]', 'unnamed 2:5 [[3, 4]] | 2 matrices are selected and none is named Q, K, V or X'],
    ['mask = [[1, 2]]', 'missing 1:1 mask | mask without X, or Q and K'],
    [
      'Q = [[1]]\nK = [[1]]\nQ = [[2]]',
      'duplicate 3:5 [[2]] | Q is given twice with different numbers, in line 1 and line 3',
    ],
    ['Q = [[1, 2], [3]]\nK = [[1, 2]]', 'ragged 1:14 [3] | row 2 has 1 number, row 1 has 2'],
    ['K = [[1, "a"]]', 'string 1:10 "a" | "a" is a string, expected a number'],
    ['[[1, 2], [3, x]]', 'unknown-name 1:14 x | x is not a number'],
    ['[1, 2', 'unbalanced 1:1 [ | [ is never closed'],
    ['x_1 = [1, 2]\nx_3 = [3, 4]', 'missing 2:1 x_3 | x_3 follows x_1: x_2 is missing'],
    ['x_1 = [1, 2]\nx_2 = [3]', 'shape-mismatch 2:7 [3] | x_2 has 1 numbers, x_1 has 2'],
    [
      'x_1 = [[1, 2], [3, 4]]',
      "shape-mismatch 1:7 [[1, 2], [3, 4]] | x_1 is 2×2, expected one token's vector (d×1, 1×d or a list)",
    ],
    ['x_1 = [1]\nx_1 = [2]', 'duplicate 2:7 [2] | x_1 is given twice with different numbers'],
  ];
  for (const [text, expected] of wrong)
    it(text.replaceAll('\n', '⏎'), () => assert.deepEqual(complaints(text), [expected]));

  it('says what is not used, and what is broken beside it', () => {
    const { notes } = assembled(
      'Q = [[1]]\nK = [[2]]\nb_q = [[3]]\nmask = [[0]]\nscores = [[4]]\nragged = [[1, 2], [3]]',
    );
    assert.deepEqual(notes, [
      'V is not selected: the walk ends at the weights.',
      'mask is added to the scaled scores: it hides 0 of 1 cells.',
      'Not used: b_q (1×1): biases are added where X, W_q, W_k and W_v are given.',
      'Not used: scores (1×1).',
      'ragged is left out: row 2 has 1 number, row 1 has 2.',
    ]);
  });
});

describe('a spec from X and weights', () => {
  const weights = (w: string): string => `W_q = ${w}\nW_k = ${w}\nW_v = ${w}`;
  const two = '[[1, 2], [3, 4]]';
  const tall = '[[1, 2, 3], [4, 5, 6]]';
  const chosen = (text: string): string => `${assembled(text).spec.convention}: ${assembled(text).notes[0]}`;

  it('prefers X·W for square weights, and says that it can be switched', () => {
    assert.equal(
      chosen(`X = ${two}\n${weights(two)}`),
      'XW: The weights are square, so both X·W and X·Wᵀ fit; X·Wᵀ is right where W stands at the left (W·x).',
    );
  });

  it('takes X·Wᵀ for column vectors, which W stands at the left of', () => {
    const columns = 'x_1 = [[1], [2]]\nx_2 = [[3], [4]]\nx_3 = [[5], [6]]\n';
    assert.equal(
      chosen(columns + weights(two)),
      'XWT: X·Wᵀ, because x_1…x_3 are columns (2×1): W·x on columns is X·Wᵀ on rows.',
    );
    const { spec, used } = assembled(columns + weights(two));
    assert.deepEqual(startOf(spec, 'x').x, [
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    assert.deepEqual(spec.labels, { queries: ['x_1', 'x_2', 'x_3'] });
    assert.equal(used.length, 6);
  });

  it('takes flat lists and rows as rows', () => {
    for (const list of ['x_2 = [3, 4]\nx_1 = [1, 2]\n', 'x_1 = [[1, 2]]\nx_2 = [[3, 4]]\n']) {
      const { spec } = assembled(list + weights(two));
      assert.deepEqual(startOf(spec, 'x').x, [
        [1, 2],
        [3, 4],
      ]);
      assert.equal(spec.convention, 'XW');
    }
  });

  it('takes X·Wᵀ for the weights of linear layers', () => {
    const layers = `q_proj.weight = ${two}\nk_proj.weight = ${two}\nv_proj.weight = ${two}`;
    assert.equal(chosen(`X = ${two}\n${layers}`), 'XWT: X·Wᵀ, because a linear layer keeps its weight as d_out×d_in.');
  });

  it('takes what fits when the weights are not square', () => {
    assert.equal(chosen(`X = ${two}\n${weights(tall)}`), 'XW: X·W: the only one that fits X 2×2 and W_q 2×3.');
    assert.equal(chosen(`X = [[1, 2, 3]]\n${weights(tall)}`), 'XWT: X·Wᵀ: the only one that fits X 1×3 and W_q 2×3.');
  });

  it('says what both would need when neither fits', () => {
    const text = `X = [[1, 2, 3, 4]]\nW_q = ${tall}\nW_k = ${tall}\nW_v = ${tall}`;
    assert.deepEqual(
      complaints(text)[0],
      `shape-mismatch 2:7 ${tall} | W_q is 2×3; X is 1×4: X·W needs 4 rows, X·Wᵀ needs 4 columns`,
    );
    const mixed = `X = ${two}\nW_q = ${tall}\nW_k = [[1, 2], [3, 4], [5, 6]]\nW_v = ${tall}`;
    assert.deepEqual(complaints(mixed), [
      'shape-mismatch 3:7 [[1, 2], [3, 4], [5, 6]] | W_k is 3×2; X is 2×2: X·W needs 2 rows, X·Wᵀ needs 2 columns',
    ]);
  });
});

describe('the tutorials’ inputs', () => {
  const f32 = Math.fround;

  for (const name of ['5-column-vectors.py', '5-column-vectors.md', '5-column-vectors.ipynb']) {
    it(`${name}: x_1 … x_4 and weights, and the numbers that the tutorial prints`, () => {
      const { spec } = assembled(example(name));
      const { wq, wk, wv } = givenOf(spec);
      assert.equal(spec.convention, 'XWT');
      const expected = tutorials['004'];
      assert.deepEqual(rows(startOf(spec, 'x').x, f32), rows(expected['x']));
      assert.deepEqual(
        [wq, wk, wv].map((w) => rows(w, f32)),
        [expected['wq'], expected['wk'], expected['wv']].map((w) => rows(w)),
      );
      const result = explainAttention({ ...spec, scale: 'none', dtype: 'float32' });
      assert.ok(result.ok);
      const printed = [0.11782318, 0.39491105, -2.4440105, 0.5687822];
      printed.forEach((x, j) =>
        assert.ok(Math.abs(result.value.value('output', [1, j]) - x) < 2e-7 * Math.max(1, Math.abs(x))),
      );
    });
  }

  it('the text of 004 itself', () => {
    const { spec, notes } = assembled(readText('test/fixtures/parse/004-printed.txt'));
    assert.equal(spec.convention, 'XWT');
    assert.deepEqual(rows(startOf(spec, 'x').x, f32), rows(tutorials['004']['x']));
    assert.deepEqual(notes, ['X·Wᵀ, because x_1…x_4 are columns (4×1): W·x on columns is X·Wᵀ on rows.']);
  });

  for (const name of ['1-the-cat-sat.py', '1-the-cat-sat.md', '1-the-cat-sat.ipynb']) {
    it(`${name}: Q and K`, () => {
      const { spec } = assembled(example(name));
      const start = startOf(spec, 'qkv');
      assert.deepEqual(rows(start.q), rows(tutorials['001']['q']));
      assert.deepEqual(rows(start.k), rows(tutorials['001']['k']));
      assert.equal(start.v, undefined);
    });
  }

  it('4-loops-then-matrices.py: X, weights and biases of seed 3, and the numbers that the tutorial prints', () => {
    const { spec, used } = assembled(example('4-loops-then-matrices.py'));
    const { wq, wk, wv, bq, bk, bv } = givenOf(spec);
    const expected = tutorials['000'];
    assert.deepEqual(rows(startOf(spec, 'x').x), rows(expected['x']));
    assert.deepEqual(
      [wq, wk, wv].map((w) => rows(w)),
      [expected['wq'], expected['wk'], expected['wv']].map((w) => rows(w)),
    );
    assert.deepEqual([[bq], [bk], [bv]], [expected['bq'], expected['bk'], expected['bv']]);
    assert.equal(used.length, 7);
    const result = explainAttention({ ...spec, convention: 'XWT', scale: 'none' });
    assert.ok(result.ok);
    const printed = [1.91864032, 1.5888283, -4.54884773, 0.85013971];
    printed.forEach((x, j) => assert.ok(Math.abs(result.value.value('output', [0, j]) - x) < 5e-9));
  });

  it('biases as columns, rows or lists, each where it is given', () => {
    const square = 'X = [[1, 2]]\nW_q = [[1, 0], [0, 1]]\nW_k = [[1, 0], [0, 1]]\nW_v = [[1, 0], [0, 1]]\n';
    for (const bias of ['[5, 6]', '[[5, 6]]', '[[5], [6]]']) {
      const given = givenOf(assembled(`${square}b_q = ${bias}`).spec);
      assert.deepEqual([given.bq, given.bk], [[5, 6], undefined]);
    }
    assert.deepEqual(complaints(`${square}b_k = [1, 2, 3]`), [
      'shape-mismatch 5:7 [1, 2, 3] | b_k has 3 numbers, expected 2',
    ]);
    assert.equal(refused(`${square}b_k = [[1, 2], [3, 4]]`)[0]?.message, 'b_k is 2×2, expected a vector');
  });

  it('4-loops-then-matrices.md: Q, K and V with the biases', () => {
    const start = startOf(assembled(example('4-loops-then-matrices.md')).spec, 'qkv');
    const { q, k, v } = tutorials['000'];
    assert.deepEqual([rows(start.q), rows(start.k), rows(start.v)], [rows(q), rows(k), rows(v)]);
  });

  it('3-two-queries-three-keys.md: two queries and three keys', () => {
    const start = startOf(assembled(example('3-two-queries-three-keys.md')).spec, 'qkv');
    assert.deepEqual([start.q.length, start.k.length, start.v?.length], [2, 3, 3]);
  });

  it('2-capital-of-france.md: the question as text, M as Q = K = V = M', () => {
    const text = example('2-capital-of-france.md');
    const question = text.split('\n').find((line) => line.endsWith('?')) ?? '';
    assert.equal(startOf(assembled(question).spec, 'text').text, 'What is the capital of France?');
    assert.equal(startOf(assembled(text).spec, 'x').x.length, 3);
  });

  it('bad-input.py: one message for each statement', () => {
    const text = example('bad-input.py');
    const found = text
      .split('\n\n')
      .filter((part) => part.includes('# '))
      .map((part) => {
        const result = specFromText(part);
        return result.ok
          ? result.value.notes.join(' ')
          : where(part, result.problems[0] ?? { code: 'none', message: '' });
      });
    assert.deepEqual(found, [
      'ragged 5:5 [7.0, 8.0]',
      'elided 2:31 ...',
      'string 2:24 "three"',
      'shape-mismatch 3:5 [[1, 2, 3], [4, 5, 6]]',
      'unbalanced 2:14 [',
      'complex 2:20 1 + 2j',
      'One matrix is selected: Q = K = V = X. not_finite holds 1 NaN, at [0, 1]. not_finite holds 1 infinite value, at [1, 0].',
    ]);
  });

  it('a V that is cut off: Q and K lead to the weights, and where the selection would end', () => {
    const qk = 'Q\n [[ 1. 2.]\n [ 3. 4.]]\nK\n [[ 1. 0.]\n [ 0. 1.]]\n';
    const cut = `${qk}V\n [[ 0.5 0.25]\n [ 0.788`;
    const [problem] = refused(cut);
    assert.equal(problem?.message, '[ is never closed');
    const said = /^Add \] at the end\. Q and K alone lead to the weights: end the selection after line (\d+) of it\.$/;
    const line = Number(said.exec(problem.hint ?? '')?.[1]);
    const kept = cut.split('\n').slice(0, line).join('\n');
    assert.equal(startOf(assembled(kept).spec, 'qkv').v, undefined);
    assert.equal(`${kept}\n`, qk);
    // Nothing of it where Q is the one that is cut off, or K is missing.
    assert.equal(refused('Q = [[1, 2], [3, 4\n')[0]?.hint?.includes('alone'), false);
    assert.equal(refused('Q = [[1, 2], [3, 4]]\nV = [[1, 2], [3')[0]?.hint?.includes('alone'), false);
  });

  it('code whose numbers are nowhere printed: what to do next', () => {
    for (const text of [
      'W_q = np.random.normal(size=(2, 2))\nW_k = np.random.normal(size=(2, 2))',
      'rows = []\nfor r in y:\n  rows = rows + [r]\nX = np.array(rows).squeeze()',
      'X = np.array(all_x).squeeze()',
    ])
      assert.match(refused(text)[0]?.hint ?? '', /un the code, print the matrix and select what is printed\.$/, text);
    // As tutorial 000 does it, value by value: code, and why none of its matrices is known.
    const [loop] = refused('for x in all_x:\n  query = A_q @ x + b_q\n  queries.append(query)\n');
    assert.equal(loop?.code, 'code');
    assert.match(loop.message, /^this is Python code, and none of its matrices is known: all_x is not defined above$/);
    assert.match(loop.hint ?? '', /^Run the code, print its matrices .+; or explain it as text\.$/);
    assert.deepEqual(assembled('The cat sat on the mat').notes, []);
  });
});
