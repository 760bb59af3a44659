// What names above a selection mean: what they last meant before it, in its scope; and in which line, of which cell, that was.
import assert from 'node:assert/strict';
import { specFromText, type Above } from '../../engine/parse/index';
import { nameAt } from './names-support';
import type { Assembled } from '../../engine/parse/index';

const after = (before: string, text: string, more: Partial<Above> = {}): Assembled => {
  const found = specFromText(text, { before, ...more });
  assert.ok(found.ok, JSON.stringify(found));
  return found.value;
};
const refusedAfter = (before: string, text: string): string => {
  const found = specFromText(text, { before });
  assert.ok(!found.ok, JSON.stringify(found.ok && found.value.spec.start));
  return found.problems[0]?.message ?? '';
};

const inputs = 'import numpy as np\ninputs = np.array([[1., 2.], [3., 4.], [5., 6.]])\n';
const kv = 'keys = np.array([[1., 0.], [0., 1.], [1., 1.]])\nvalues = np.array([[1., 2.], [3., 4.], [5., 6.]])\n';

describe('names above a selection', () => {
  it('take no part in what does not use them: a query of one token is not Q of keys and values', () => {
    const before = `${inputs}query = inputs[1]\n`;
    assert.equal(refusedAfter(before, kv), 'keys, values without Q');
    // Used in the selection, or with one of its names right below it, it is.
    for (const [text, below] of [
      [`${kv}scores = query @ keys.T\n`, ''],
      [kv, 'scores = query @ keys.T\n'],
    ] as const) {
      const { spec, notes } = after(before, text, { after: below });
      assert.deepEqual(spec.start.from === 'qkv' && spec.start.q, [[3, 4]]);
      assert.ok(notes.includes('query (2, 2 numbers) is taken from line 3, above the selection.'), notes.join('\n'));
    }
  });

  it('complete what is written as they are', () => {
    const { spec } = after('Q = np.array([[1., 2.]])\n', 'K = np.array([[3., 4.]])\nV = np.array([[5., 6.]])\n');
    assert.equal(spec.start.from, 'qkv');
    const weights = 'W_q = np.eye(2)\nW_k = np.eye(2)\n';
    const { spec: walked } = after(`X = np.array([[1., 2.]])\n${weights}`, 'W_v = np.eye(2)\n');
    assert.equal(walked.projections.from, 'given');
  });

  const W = 'W_q = np.eye(2)\nW_k = np.eye(2)\nW_v = np.eye(2)\n';
  it('are what they were last: X of an experiment further up is not taken once it was reassigned', () => {
    const first = 'X = np.array([[1., 2.], [3., 4.]])\n';
    assert.equal(after(first, W).spec.start.from, 'x');
    assert.deepEqual(after(`${first}X = np.array([[7., 8.]])\n`, W).spec.start, { from: 'x', x: [[7, 8]] });
    for (const later of [
      'X = load()\n',
      'X, y = split(data)\n',
      'for X in batches:\n    pass\n',
      'del X\n',
      'X[0] = f(1)\n',
    ])
      assert.match(refusedAfter(first + later, W), /without|X /, later);
  });

  it('are those of their scope: a parameter hides what stands outside, a function keeps its own', () => {
    const outside = 'X = np.array([[1., 2.], [3., 4.]])\n';
    const inside = W.replace(/^/gm, '    ').trimEnd();
    refusedAfter(`${outside}def attend(X, mask=None):\n`, inside);
    refusedAfter(`${outside}def attend(X, mask=None):\n    n = 3\n`, inside);
    // What the function itself assigns is known in it, and nowhere else.
    const own = 'def attend(data):\n    X = np.array([[5., 6.]])\n';
    assert.deepEqual(after(outside + own, inside).spec.start, { from: 'x', x: [[5, 6]] });
    assert.deepEqual(after(`${outside}${own}    return X\n`, W).spec.start, { from: 'x', x: [[1, 2], [3, 4]] }); // prettier-ignore
  });

  it('stand in the line of their own assignment, not in that of a number in it', () => {
    const text = 'import numpy as np\nnp.random.seed(0)\nd = 4\nK = np.ones((2, 2))\nQ = np.random.randn(2, 2) / d\n';
    const { notes } = after('', text);
    assert.ok(
      notes.includes('Q is np.random.randn(2, 2) / d, line 5, from line 3, seeded in line 2.'),
      notes.join('\n'),
    );
    const hovered = nameAt(text, text.lastIndexOf('Q'));
    assert.ok(hovered && 'matrix' in hovered);
    assert.match(hovered.matrix.derivation ?? '', /, line 5, /);
  });

  it('are told with the line of their cell, and the cell', () => {
    // Two cells of two lines each, numbers 2 and 4 of the notebook, above the selected one.
    const cells = ['d = 2\nX = np.ones((2, 2)) * d\n', 'np.random.seed(0)\nW_q = np.random.randn(2, 2)\n'];
    const before = cells.join('');
    const above = { line: -3, cells: [{ start: 0, number: 2 }, { start: cells[0]?.length ?? 0, number: 4 }] }; // prettier-ignore
    const { notes } = after(before, '\nW_k = X @ W_q\nW_v = np.eye(2)\n', above);
    assert.ok(
      notes.includes('X (2×2, 4 numbers) is taken from line 2 of cell 2, above the selection.'),
      notes.join('\n'),
    );
    assert.ok(notes.includes('W_k is X @ W_q, line 2, from line 2 of cell 2 and line 2 of cell 4.'), notes.join('\n'));
    assert.ok(
      notes.includes('W_q is np.random.randn(2, 2), line 2 of cell 4, seeded in line 1 of cell 4.'),
      notes.join('\n'),
    );
  });

  it('are told with the line of their document where the text above it is cut', () => {
    const found = specFromText('Q = np.array([[1., 2.]])\nQ = foo(Q)\nK = Q\n', {
      before: 'a = 1\n',
      line: 100,
      cut: true,
    });
    assert.ok(!found.ok);
    const [problem] = found.problems;
    assert.ok(problem && !/line [1-9]\b/.test(problem.message), problem?.message);
    const twice = specFromText('Q = [[1]]\nK = [[1]]\nQ = [[2]]', { before: 'a = 1\n', line: 100 });
    assert.ok(!twice.ok);
    assert.match(twice.problems[0]?.message ?? '', /in line 101 and line 103$/);
  });

  it('count in the lines of what is refused: code, and a piece of a literal', () => {
    const block = 'def attend(x):\n    return softmax(x)\n';
    assert.match(refusedAfter('import numpy as np\n\n', block), /function attend \(lines 3 to 4\)$/);
    assert.match(refusedAfter('A = 1\n', '5 & 6 \\\\\n7 & 8\n\\end{bmatrix}\n'), /line 4 closes/);
    const above = { before: 'a = 1\n', line: 0, cells: [{ start: 0, number: 1 }] };
    const inCell = specFromText(block, above);
    assert.ok(!inCell.ok);
    assert.match(inCell.problems[0]?.message ?? '', /function attend \(lines 1 to 2\)$/);
  });

  it('count for each of several selections in its own lines of the document', () => {
    // Lines 10 to 11 and 40 to 41 of one document, joined by a line end.
    const [one, two] = ['def one(x):\n    return softmax(x)', 'def two(x):\n    return softmax(x)'];
    const parts = (first: string) => [{ start: 0, line: 10 }, { start: first.length + 1, line: 40 }]; // prettier-ignore
    const told = (first: string, second: string): string => {
      const found = specFromText(`${first}\n${second}`, { before: '', parts: parts(first) });
      const texts = found.ok ? found.value.notes : found.problems.map(({ message }) => message);
      return texts.join('\n');
    };
    assert.match(told(one, two), /function one \(lines 10 to 11\), function two \(lines 40 to 41\)$/);
    assert.match(told('Q = [[1]]\nK = [[1]]', 'Q = [[2]]'), /in line 10 and line 40$/);
    assert.match(told('5 & 6 \\\\\n7 & 8\n\\end{bmatrix}', '9'), /line 12 closes/);
    assert.match(told('Q: see below', '{{1, 2},\n{3, '), /what line 40 opens is never closed$/);
    const drawn = told(
      'import numpy as np\nnp.random.seed(0)\nd = 4',
      'K = np.ones((2, 2))\nQ = np.random.randn(2, 2) / d',
    );
    assert.match(drawn, /Q is np.random.randn\(2, 2\) \/ d, line 41, from line 12, seeded in line 11\./);
  });
});
