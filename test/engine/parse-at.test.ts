import assert from 'node:assert/strict';
import { literalAt, windowSize } from '../../engine/parse/index';
import { parseMatrices } from './parse-same';
import { at, example } from './parse-support';

describe('the literal around an offset', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['Q = [[1, |2], [3, 4]]', 'Q 2×2'],
    ['Q = |[[1, 2], [3, 4]]', 'Q 2×2'],
    ['Q = [[1, 2], [3, 4]]|', 'Q 2×2'],
    ['|Q = [[1, 2], [3, 4]]', 'Q 2×2'],
    ['Q = np.ar|ray([[1, 2], [3, 4]], dtype=float)', 'Q 2×2'],
    ['Q = np.array([[1, 2], [3, 4]], dty|pe=float)', 'Q 2×2'],
    ['x = 1\nself.W_|q = nn.Parameter(torch.tensor([[1., 2.]]))', 'self.W_q 1×2'],
    ['Q|\n [[1 2]\n [3 4]]', 'Q 2×2'],
    ['Q\n [[1 2]\n [3| 4]]', 'Q 2×2'],
    ['f(x, [[1, 2], [3|, 4]], y=3)', '- 2×2'],
    ['f(K=[[1, 2], [3|, 4]])', 'K 2×2'],
    ['{"a": {"K": [[1, 2], [3|, 4]]}}', 'K 2×2'],
    ['if x:\n    V = [  # [a comment (\n        [1, 2], # :)\n        [3|, 4],\n    ]', 'V 2×2'],
    ['for x in [1, 2|, 3]:', '- 3'],
    ['return [1, 2|, 3]', '- 3'],
    ['const a = f([1, 2|, 3])', '- 3'],
    ['json.loads("[[1, 2], [3|, 4]]")', '- 2×2'],
    ['      The  cat\nThe [ 1 2 ]\ncat [ 3 |4 ]', '- 2×2'],
    ['[1, 2]\n[3, |4]\n[5, 6]', '- 3×2'],
    ['[("a", [1, 2, |3]), ("b", [4, 5, 6])]', '- 3'],
    ['float m[2][2] = { // first [\n {1, 2|}, {3, 4} };', 'm 2×2'],
    ['float m[2][2] = { {1, 2|}, /* a ] */ {3, 4} };', 'm 2×2'],
    ['>>> lagdiv([8, 3], [1])\n(array([1., 2|., 3.]), array([1., 1.]))', '- 3'],
  ];
  for (const [text, expected] of cases) it(text.replaceAll('\n', '⏎'), () => assert.equal(at(text), expected));

  const nothing = [
    'a[0|]',
    'a[0, |1]',
    'a[[0, 1|], [1, 2]]',
    'x[1:2|, 3]',
    'f([x|])',
    'List[in|t]',
    'def f(a: Tuple[int, |int] = (1, 2)) -> None:',
    'as in [1|] and [2]',
    'see [1, |2] for more',
    '"shape [2, |3] expected"',
    '[x for |x in y]',
    'x\n|[std::vector<float> W{{1, 2}, {3, 4}};',
    'f(1, |2)',
    'np.zeros((2, |3))',
    'np.zeros([2, |3])',
    'torch.Size([1, |9])',
    'size=(4, |1)',
    'let |x = 1',
    'The cat sat on the m|at',
    'Q = [|5]',
    'Q = |x\nK = [[1, 2]]',
    'x = (0, util.|f)(y)',
    '|',
  ];
  for (const text of nothing) it(`${text.replaceAll('\n', '⏎')} is none`, () => assert.equal(at(text), 'nothing'));

  const problems: readonly (readonly [string, string])[] = [
    ['Q = [[1, 2], [3|]]', 'ragged'],
    ['f([[1, 2], [3|]])', 'ragged'],
    ['[[[1, 2], [3, 4|]], [[5, 6]]]', 'ragged'],
    ['Q = [[1, 2|], [3, "a"]]', 'string'],
    ['np.array([[1, ..., 2|]])', 'elided'],
    ['Q = [[1, 2|], [3, 4]', 'unbalanced'],
  ];
  for (const [text, expected] of problems) it(text, () => assert.equal(at(text), expected));

  it('agrees at every offset of a program', () => {
    const text = example('5-column-vectors.py');
    const start = text.indexOf('W_k = ');
    const end = text.indexOf('W_v = ') - 2;
    for (let i = start; i <= end; i++) {
      const found = literalAt(text, i);
      assert.ok(found && 'matrix' in found, `offset ${i - start}`);
      assert.equal(found.matrix.name, 'W_k');
      assert.deepEqual([...found.matrix.shape], [4, 4]);
    }
    assert.equal(literalAt(text, text.indexOf('xs = ')), undefined);
  });
});

describe('the literal around an offset in a long text', () => {
  const row = `[${Array.from({ length: 100 }, (_, i) => i / 8).join(', ')}]`;
  const rows = (count: number): string => Array.from({ length: count }, () => row).join(',\n');
  const long = `a = 1\nQ = [${rows(20_000)}]\n`;
  const steps = long.length;

  it('has 10 MB', () => assert.ok(steps > 9_500_000));

  for (const offset of [8, 100_000, 5_000_000, steps - 10]) {
    it(`says that the literal is too long, and claims no row of it, at ${offset}`, () => {
      const found = literalAt(long, offset);
      assert.ok(found && 'problems' in found);
      assert.deepEqual(
        found.problems.map((p) => p.code),
        ['too-large'],
      );
    });
  }

  it('says that a flat list is too long, with the cursor near its start', () => {
    const found = literalAt(`[${'0.5, '.repeat(1_000_000)}1]`, 100);
    assert.ok(found && 'problems' in found);
    assert.equal(found.problems[0]?.code, 'too-large');
  });

  it('says that a table without outer brackets is too long', () => {
    const table = 'the [1 2]\n'.repeat(50_000);
    for (const offset of [6, table.length / 2, table.length - 4]) {
      const found = literalAt(table, offset);
      assert.ok(found && 'problems' in found);
      assert.equal(found.problems[0]?.message, 'the table has more than 1000 rows around the cursor');
    }
    const short = literalAt('the [1 2]\n'.repeat(1000), 6);
    assert.ok(short && 'matrix' in short && short.matrix.shape[0] === 1000);
  });

  it('says that a table of long lines is too long, and calls no row of it ragged', () => {
    const line = `${Array.from({ length: 100 }, (_, i) => (i * 1.25).toFixed(4)).join(',')}\n`;
    const table = line.repeat(Math.ceil((3 * windowSize) / line.length));
    for (const offset of [6, 0.1, 0.3, 0.5, 0.7, 0.9].map((x) => Math.floor(x < 1 ? x * table.length : x))) {
      const found = literalAt(table, offset);
      assert.ok(found && 'problems' in found, `${offset}`);
      assert.equal(found.problems[0]?.code, 'too-large', `${offset}: ${found.problems[0]?.message}`);
    }
  });

  it('finds a small literal in the middle of 10 MB of other text', () => {
    const filler = 'The cat (see [1]) sat; f(x)[0] = {a: [1, 2]};\n'.repeat(110_000);
    const text = `${filler}K = [[1, 2], [3, 4]]\n${filler}`;
    const found = literalAt(text, filler.length + 6);
    assert.ok(found && 'matrix' in found);
    assert.equal(found.matrix.name, 'K');
    assert.deepEqual(found.matrix.range, { start: filler.length + 4, end: filler.length + 20 });
  });

  it('finds a literal as long as the window allows', () => {
    const literal = `Q = [${rows(Math.floor(windowSize / 2 / row.length))}]`;
    const text = `${'x = 1\n'.repeat(500_000)}${literal}\n${'y = 2\n'.repeat(500_000)}`;
    const found = literalAt(text, text.indexOf(literal) + literal.length / 2);
    assert.ok(found && 'matrix' in found, JSON.stringify(found));
    assert.equal(found.matrix.name, 'Q');
  });
});

describe('a literal of any notation', () => {
  const texts = [
    '[[1, 2], [3, 4]]', 'np.array([[1, 2], [3, 4]])', '[1 2; 3 4]', 'Float32[1 2; 3 4]', '{{1, 2}, {3, 4}}', 'vec![vec![1.0, 2.0], vec![3.0, 4.0]]', 'mat.NewDense(2, 2, []float64{1, 2, 3, 4})',
    'matrix(c(1, 3, 2, 4), 2)', '\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}', '1 2\n3 4', '1,2\n3,4', '1;2\n3;4', '| 1 | 2 |\n|---|---|\n| 3 | 4 |', '   0  1\n0  1  2\n1  3  4', '     [,1] [,2]\n[1,]    1    2\n[2,]    3    4',
  ]; // prettier-ignore
  for (const text of texts)
    it(`is found from its first to behind its last character, and no further: ${JSON.stringify(text)}`, () => {
      const whole = parseMatrices(text).matrices[0];
      assert.ok(whole);
      const shapeAt = (offset: number): string => {
        const found = literalAt(`${text}\n\nend`, offset);
        return found && 'matrix' in found ? found.matrix.shape.join('×') : 'nothing';
      };
      const { start, end } = whole.range;
      assert.deepEqual([start, end, text.length + 1].map(shapeAt), ['2×2', '2×2', 'nothing']);
    });

  it('has up to three calls around it, the outermost first', () => {
    // What more stands around it is not the matrix's own.
    const made = 'torch.tensor(np.array(np.asarray([[1, 2], [3, 4]])))';
    const rangeIn = (text: string): string => {
      const [found] = parseMatrices(text).matrices;
      return found ? text.slice(found.range.start, found.range.end) : '';
    };
    assert.equal(rangeIn(`X = ${made}`), made);
    assert.equal(rangeIn(`X = torch.tensor(${made})`), made);
  });

  it('takes no labels of a frame for numbers, whatever later rows are called', () => {
    for (const other of ['×2', 'x2', '-2', '2']) {
      const text = `   x0\n0  0.5\n1  1.5\n${other}  2.5\n3  3.5`;
      for (let at = 0; at <= text.length; at++) {
        const found = literalAt(text, at);
        const numbers = found && 'matrix' in found ? [...found.matrix.values] : [0.5, 1.5, 2.5, 3.5];
        assert.deepEqual(numbers, [0.5, 1.5, 2.5, 3.5], `${other}, at ${at}`);
      }
    }
  });
});
