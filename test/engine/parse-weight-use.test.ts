// X·W or X·Wᵀ of square weights, told by the lines that multiply. Rules: NumPy's matmul, dot, inner and einsum, PyTorch's
// F.linear (x·Wᵀ). Numbers: NumPy, from the programs of the test themselves.
// Runs alone: it measures time.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { explainAttention, specFromText } from '../../engine/index';
import { weightUse } from '../../engine/parse/weight-use';
import './names-support';

const matrices = [
  'X = np.array([[1.0, 2.0], [3.0, 5.0], [7.0, 11.0]])',
  'A_q = np.array([[1.0, 2.0], [3.0, 4.0]])',
  'A_k = np.array([[0.5, -1.0], [2.0, 1.0]])',
  'A_v = np.array([[1.0, 0.0], [4.0, 2.0]])\n',
].join('\n');

type Told = 'XW' | 'XWT' | undefined;

/** And whether a line is named for it; without one, today's reading stands. */
function told(text: string, before = '', after = ''): Told {
  const read = specFromText(text, { before, after });
  assert.ok(read.ok, read.ok ? '' : read.problems[0]?.message);
  const { spec, notes } = read.value;
  const said = /(X·Wᵀ?), as the line `(.+)` says/.exec(notes.join(' '));
  if (!said) {
    assert.match(notes.join(' '), /both X·W and X·Wᵀ fit|are columns|linear layer/);
    return undefined;
  }
  assert.equal(spec.convention, said[1] === 'X·W' ? 'XW' : 'XWT');
  return spec.convention;
}

describe('X·W or X·Wᵀ, by the lines that use square weights', () => {
  const lines: readonly (readonly [line: string, convention: Told])[] = [
    ['Q = X @ A_q', 'XW'],
    ['Q = X @ A_q.T', 'XWT'],
    ['Q = X @ A_q.T + b_q.T', 'XWT'],
    ['Q = X@A_q.transpose(-2, -1)', 'XWT'],
    ['Q = X @ A_q.t()', 'XWT'],
    ['Q = X @ np.transpose(A_q)', 'XWT'],
    ['Q = X @ A_q.T.T', 'XW'],
    ['Q = (X + pos) @ A_q.T', 'XWT'],
    ['Q = X.astype(np.float32) @ A_q.T', 'XWT'],
    ['Q = np.matmul(X, A_q.T)', 'XWT'],
    ['Q = np.matmul(X, A_q)', 'XW'],
    ['Q = np.dot(X, A_k)', 'XW'],
    ['K = X.dot(A_k.T)', 'XWT'],
    ['K = torch.matmul(X, A_k.T)', 'XWT'],
    ['K = tf.matmul(X, A_k, transpose_b=True)', 'XWT'],
    ['K = tf.matmul(X, A_k)', 'XW'],
    ['K = np.inner(X, A_k)', 'XWT'],
    ['K = np.inner(A_k, X)', 'XWT'],
    ['K = np.einsum("nd,ed->ne", X[0][:, None], A_k)', undefined],
    ['K = F.linear(X, A_k)', 'XWT'],
    ['K = torch.nn.functional.linear(X, A_k, b_k)', 'XWT'],
    ['K = F.linear(X, A_k.T)', 'XW'],
    ['K = np.einsum("nd,ed->ne", X, A_k)', 'XWT'],
    ["K = np.einsum('nd,de->ne', X, A_k)", 'XW'],
    ['Q = A_q @ X.T', 'XWT'],
    ['Q = (A_q @ X.T).T', 'XWT'],
    ['Q = A_q.T @ X.T', 'XW'],
    ['q = A_q @ X[0]', 'XWT'],
    ['q = A_q @ x_1', 'XWT'],
    ['q = A_q.dot(X[i])', 'XWT'],
    ['q = X[1] @ A_q', 'XW'],
    ['q = np.matmul(A_q, x)', 'XWT'],
    ['for x in X:\n    q = A_q @ x + b_q', 'XWT'],
    ['qs = [A_q @ x for x in X]', 'XWT'],
    ['qs = [A_q @ row for row in X]', 'XWT'],
    ['qs = [A_q @ row for i, row in enumerate(X)]', 'XWT'],
    ['for row in X:\n    q = A_q @ row', 'XWT'],
    ['for row in X:\n    if row[0]:\n        q = A_q @ row', 'XWT'],
    ['for row in X:\n    pass\nq = A_q @ row', undefined],
    ['for row in Y:\n    q = A_q @ row', undefined],
    ['Q = np.matmul(\n    X,  # rows\n    A_q.T,\n)', 'XWT'],
    ['Q = X @ A_q[:, :1]', 'XW'],
    ['Q = X @ A_q[:1, :].T', 'XWT'],
    ['Q = X @ A_q\nK = X @ A_k\ndX = dQ @ A_q.T', 'XW'],
    // What says nothing of it.
    ['# Q = X @ A_q.T', undefined],
    ['print("Q = X @ A_q.T")', undefined],
    ['"""\nQ = X @ A_q.T\n"""', undefined],
    ["note = 'it\\'s X @ A_q.T'", undefined],
    ['Q = X @ A_qq.T', undefined],
    ['Q = X @ other.A_q.T', undefined],
    ['Q = X @ my_A_q.T', undefined],
    ['Q = Y @ A_q.T', undefined],
    ['dX = dQ @ A_q.T', undefined],
    ['M = A_q @ A_k.T', undefined],
    ['M = A_q.T @ A_k', undefined],
    ['Q = X * A_q.T', undefined],
    ['Q = X @ A_q[0]', undefined],
    ['Q = X @ A_q.sum()', undefined],
    ['Q = X @ A_q.reshape(2, 2)', undefined],
    ['Q = X @ np.linalg.inv(A_q)', undefined],
    ['Q = f(A_q @ x.shape)', undefined],
    ['Q = X @ A_q\nK = X @ A_k.T', undefined],
    ['Q = (X @ A_q\n  .T)', undefined],
    ['Q = X @ A_q \\\n  .T', undefined],
    ['Q = M @ A_q.T', undefined],
    [`${'_ = 1; '.repeat(41)}Q = X @ A_q.T`, 'XWT'],
    [`${'_ = 1; '.repeat(41)}  Q = X @ A_q.T`, undefined],
    ['A_q = fetch()\nQ = X @ A_q.T', undefined],
  ]; // prettier-ignore
  for (const [line, convention] of lines)
    it(`${line.replaceAll('_ = 1; ', '').replaceAll('\n', ' ⏎ ')}: ${convention ?? 'not told'}`, () => {
      assert.equal(told(matrices.trimEnd(), '', `\n${line}\n`), convention, 'right below the selection');
      // A value that is computed in the selection is one more matrix there: only what it says counts here.
      if (!line.includes('fetch')) assert.equal(told(matrices + line), convention, 'in the selection');
    });

  it('X with as many rows as columns does not tell whether A_q @ X takes its columns', () => {
    const square = matrices.replace(', [7.0, 11.0]', '');
    for (const line of ['Q = A_q @ X', 'Q = X.T @ A_q', 'Q = np.inner(A_q, X.T)', 'Q = np.matmul(A_q, x)'])
      assert.equal(told(square, '', `\n${line}\n`), undefined, line);
    assert.equal(told(square, '', '\nQ = X @ A_q.T\n'), 'XWT');
    assert.equal(told(square, '', '\nfor x in X:\n  q = np.matmul(A_q, x)\n'), 'XWT');
  });

  it('a function counts that is called with it, under whatever name', () => {
    const project = 'def project(x, W):\n    """x @ W"""\n    return x @ W.T\n\n';
    assert.equal(told(`${project}${matrices}Q = project(X, A_q)\n`), 'XWT');
    assert.equal(told(`${project}${matrices}Q = project(X, A_q.T)\n`), 'XW');
    assert.equal(told(`${project}${matrices}Q = project(W=A_q, x=X)\n`), 'XWT');
    assert.equal(told(matrices, project, '\nQ = project(X, A_q)\n'), 'XWT');
    assert.equal(told(matrices, project), undefined, 'not called');
    assert.equal(told(`${project}${matrices}Q = project(X.T, A_q)\n`), undefined, 'does not run');
    const anew = project.replace('return', 'W = W.T\n    return');
    assert.equal(told(`${anew}${matrices}Q = project(X, A_q)\n`), undefined);
    const own = 'def attend(X, A_q):\n    return X @ A_q.T\n\n';
    assert.equal(told(matrices, own), undefined);
    assert.equal(told(matrices, own, '\nattend(X, A_q)\n'), 'XWT');
    assert.equal(told(matrices, own, '\nattend(X, A_q.T)\n'), 'XW');
    const outer = 'def attend(X):\n    return X @ A_q.T\n\n';
    assert.equal(told(matrices, outer), 'XWT', 'the name of the file');
    // Which of the two values it multiplies by depends on when it is called.
    assert.equal(told(matrices, outer, '\nA_q = fetch()\n'), undefined, 'another value below');
  });

  it('columns and linear layers are read as their use says', () => {
    const columns = matrices.replace(/^X.*/, 'x_1 = [[1], [2]]\nx_2 = [[3], [4]]\nx_3 = [[5], [7]]');
    assert.equal(told(columns), undefined);
    assert.equal(told(`${columns}q_1 = x_1.T @ A_q\n`), 'XW');
    assert.equal(told(`${columns}q_1 = A_q @ x_1\n`), 'XWT');
  });

  it('W_o that is used the other way contradicts', () => {
    const output = 'W_o = np.array([[1.0, 2.0], [0.0, 1.0]])\n';
    assert.equal(told(`${matrices}${output}`, '', '\nQ = X @ A_q.T\nout = Z @ W_o\n'), undefined);
    assert.equal(told(`${matrices}${output}`, '', '\nQ = X @ A_q.T\nout = Z @ W_o.T\n'), 'XWT');
  });

  it('a string that is open above the selection hides nothing but what is above', () => {
    assert.equal(told(matrices, 'Q = X @ A_q.T\n"""open\n', '\nQ = X @ A_q\n'), 'XW');
  });

  const python = '/usr/bin/python3';
  const hasNumPy = existsSync(python) && spawnSync(python, ['-c', 'import numpy']).status === 0;
  it('gives the digits of the program, by NumPy', function () {
    if (!hasNumPy) this.skip();
    this.timeout(60_000);
    const programs = [
      'Q, K, V = X @ A_q.T, X @ A_k.T, X @ A_v.T',
      'Q, K, V = X @ A_q, X @ A_k, X @ A_v',
      'Q = np.matmul(X, A_q.T)\nK = np.einsum("nd,ed->ne", X, A_k)\nV = np.inner(X, A_v)',
      'Q = np.array([A_q @ x for x in X])\nK = np.array([np.matmul(A_k, x) for x in X])\nV = (A_v @ X.T).T',
      'def project(x, W):\n    return x @ W.T\nQ, K, V = project(X, A_q), project(X, A_k), project(X, A_v)',
    ];
    for (const program of programs) {
      const tail = '\nimport json\nprint(json.dumps([Q.tolist(), K.tolist(), V.tolist()]))';
      const { stdout, stderr } = spawnSync(python, ['-c', `import numpy as np\n${matrices}${program}${tail}`], {
        encoding: 'utf8',
      });
      assert.notEqual(stdout, '', stderr);
      const expected = JSON.parse(stdout) as number[][][];
      const read = specFromText(matrices.trimEnd(), { before: '', after: `\n${program}\n` });
      assert.ok(read.ok);
      const trace = explainAttention(read.value.spec);
      assert.ok(trace.ok);
      for (const [i, id] of ['q', 'k', 'v'].entries())
        for (const [row, numbers] of (expected[i] ?? []).entries())
          for (const [column, number] of numbers.entries())
            assert.equal(trace.value.value(id, [row, column]), number, `${id}: ${program}`);
    }
  });

  it('each of these lines computes what it is said to, by NumPy', function () {
    if (!hasNumPy) this.skip();
    const own = lines.filter(([line, is]) => is && !/torch|tf\.|F\.|\.t\(|-2, -1|^for |dX|^_/.test(line));
    assert.ok(own.length > 20);
    const script = [
      'import numpy as np, json, re, sys',
      `${matrices}pos, b_q, i, x, x_1 = 0, np.zeros((2, 1)), 0, X[0], X[0]`,
      'def said(line):',
      '    names = dict(globals())',
      '    exec(line, names)',
      '    made = np.array(names[line.split(" ")[0]])',
      '    W = names[re.search("A_[qk]", line)[0]]',
      '    def same(Q): return any(made.shape == P.shape and np.array_equal(made, P) for P in (Q, Q.T, Q[0], Q[1], Q[:, :1]))',
      '    return [name for name, Q in (("XW", X @ W), ("XWT", X @ W.T)) if same(Q)]',
      'print(json.dumps([said(line) for line in json.load(sys.stdin)]))',
    ].join('\n');
    const { stdout, stderr } = spawnSync(python, ['-c', script], {
      input: JSON.stringify(own.map(([line]) => line)),
      encoding: 'utf8',
    });
    assert.notEqual(stdout, '', stderr);
    assert.deepEqual(
      JSON.parse(stdout),
      own.map(([, is]) => [is]),
    );
  });

  it('other names, comments and strings never decide', () => {
    const name = fc.stringMatching(/^[A-Za-z_]\w{0,6}$/).filter((n) => !/^(A_[qkv]|X)$/.test(n));
    const use = fc.constantFrom('X @ N', 'X @ N.T', 'np.matmul(N, X[0])', 'F.linear(X, N)', 'N @ X.T', 'X.dot(N)');
    const hidden = fc.constantFrom('# L', 's = "L"', "s = 'L'", '"""\nL\n"""', 'f(r"L", 1)  # L');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, use, hidden), { maxLength: 8 }), (parts) => {
        const after = parts
          .flatMap(([n, u, h]) => [`Q = ${u.replaceAll('N', n)}`, `_ = ${u.replaceAll('N', `${n}.A_q`)}`, h.replaceAll('L', u.replaceAll('N', 'A_q'))])
          .join('\n');
        const used = { inputs: ['X'], weights: ['A_q', 'A_k', 'A_v'], isFlat: true, isSquare: false };
        assert.equal(weightUse({ text: matrices, after }, used), undefined, after);
      }),
      { seed: 7, numRuns: 300 },
    ); // prettier-ignore
  });

  it('stays quick where every line uses it, or seems to', function () {
    this.timeout(60_000);
    const used = { inputs: ['X'], weights: ['A_q'], output: 'W_o', isFlat: true, isSquare: false };
    const texts = [
      'Q = X @ A_q\n'.repeat(50_000),
      'def f(A_q):\n  f(X, A_q)\n'.repeat(20_000),
      `${' '.repeat(9)}f(f(f(f(A_q))))\n`.repeat(20_000),
      `X${'[0](a).b'.repeat(36)} @ A_q\n`.repeat(4000),
      `A_q @ ${'a[0](a).b'.repeat(36)}\n`.repeat(4000),
      `A_q${'.T'.repeat(140)} @ X\n`.repeat(4000),
      `${'"'.repeat(200_000)}A_q`,
      `'''${"'' ".repeat(200_000)}X @ A_q`,
      `${'('.repeat(100_000)}X @ A_q`,
    ];
    for (const text of texts) {
      const started = performance.now();
      weightUse({ before: text, text, after: text }, used);
      const took = performance.now() - started;
      assert.ok(took < 3000, `${took} ms for ${text.slice(0, 40)}`);
    }
  });
});
