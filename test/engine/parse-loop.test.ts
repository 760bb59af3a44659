import assert from 'node:assert/strict';
import { specFromText } from '../../engine/parse/index';
import { readNames } from './names-support';
import { run, tutorials } from './specs';
import { assertPrinted } from './tolerance';

/** As tutorial 000 has it: three tokens drawn in a loop, then weights and biases. */
const tokens = `np.random.seed(3)
N = 3
D = 4

all_x = []
# Create elements x_n and append to list
for n in range(N):
  all_x.append(np.random.normal(size=(D,1)))  # <- doesn't really matter for this toy example

print(all_x)
`;
const names = ['A_q', 'A_k', 'A_v', 'b_q', 'b_k', 'b_v'] as const;
const weights = names.map((name) => `${name} = np.random.normal(size=(D,${name.startsWith('A') ? 'D' : '1'}))`);
const code = [tokens, ...weights].join('\n');
const loops = `
for x in all_x:
  query = A_q @ x + b_q
  all_queries.append(query)

X = np.array(all_x).squeeze()
out = self_attention(X, A_v, A_q, A_k, b_v, b_q, b_k)`;

/** The problem that a name runs into, or the numbers in it. */
function meaning(text: string, name: string): string {
  const found = readNames(text).meaningOf(name);
  if (found?.kind === 'problem') return found.problem.message;
  return found?.kind === 'matrix' ? found.matrix.shape.join('×') : String(found?.kind);
}

describe('a loop that appends to a list', () => {
  for (const [what, text] of [
    ['the draws of tutorial 000', code],
    ['all of its code, which makes X of the list later', code + loops],
  ] as const)
    it(`${what}: the tokens, the weights and the output that it prints`, () => {
      const read = specFromText(text);
      assert.ok(read.ok, JSON.stringify(read));
      const { spec, notes } = read.value;
      assert.equal(spec.convention, 'XWT');
      assert.ok(spec.start.from === 'x');
      assert.deepEqual(spec.start.x, tutorials['000']['x']);
      assert.deepEqual(spec.labels?.queries, ['x_1', 'x_2', 'x_3']);
      const trace = run({ ...spec, scale: 'none' });
      assertPrinted(trace, 'weights', 0, ['0.00000001', '0.0007469', '0.99925309']);
      assertPrinted(trace, 'output', 0, ['1.91864032', '1.5888283', '-4.54884773', '0.85013971']);
      const said = 'x_1, x_2, x_3 come from for n in range(N): all_x.append(np.random.normal(size=(D,1))), line 7, seeded in line 1.';
      assert.ok(notes.includes(said), notes.join('\n'));
      assert.ok(!notes.some((note) => note.startsWith('Not used')), notes.join('\n'));
    }); // prettier-ignore

  it('completes weights that are selected below it', () => {
    const read = specFromText(weights.join('\n'), { before: `${tokens}\n` });
    assert.ok(read.ok, JSON.stringify(read));
    assert.ok(read.value.spec.start.from === 'x');
    assert.deepEqual(read.value.spec.start.x, tutorials['000']['x']);
  });

  it('leaves its variable at the last run, and is as long as a name or a number says', () => {
    const seeded = 'np.random.seed(1)\nk = 2\nxs = []\n';
    assert.equal(meaning(`${seeded}for i in range(k):\n  xs.append(np.random.rand(3, 1))\nL = np.ones((i, 2))`, 'L'), '1×2');
    assert.equal(meaning(`${seeded}for i in range(5):\n  xs.append(np.random.rand(3, 1))`, 'xs'), '5×3×1');
  }); // prettier-ignore

  // The last Q of each, as NumPy 1.24 has it.
  const others: readonly (readonly [what: string, code: string, expected: string])[] = [
    ['asks for its variable', 'xs = []\nfor n in range(3):\n  xs.append(np.random.rand(n + 1))', '0.44080984365063647'],
    ['does more than that', 'xs = []\nfor n in range(3):\n  xs.append(np.random.rand(2))\n  y = np.random.rand(2)', '0.5908628174163508'],
    ['appends to what is not empty', 'xs = [[1, 2]]\nfor n in range(3):\n  xs.append(np.random.rand(2))', '0.44080984365063647'],
    ['begins elsewhere', 'xs = []\nfor n in range(1, 3):\n  xs.append(np.random.rand(2))', '0.20724287813818676'],
    ['runs very often', 'xs = []\nfor n in range(999):\n  xs.append(np.random.rand(2))', '0.8017182204621155'],
    ['stands in another', 'xs = []\nfor m in range(2):\n  for n in range(3):\n    xs.append(np.random.rand(2))', '0.5908628174163508'],
  ]; // prettier-ignore
  for (const [what, text, expected] of others)
    it(`draws where it ${what}`, () => {
      const found = readNames(`np.random.seed(3)\n${text}\nQ = np.random.rand(2, 2)`).meaningOf('Q');
      assert.ok(found?.kind === 'matrix', JSON.stringify(found));
      assert.equal(String(found.matrix.values.at(-1)), expected);
    });

  const unknown = /^what is drawn after this is not known: NameError: name '\w+' is not defined$/;
  for (const [what, text] of [
    ['runs nobody knows how often', 'xs = []\nfor n in range(len(y)):\n  xs.append(np.random.rand(2))'],
    ['appends to a list that may have been changed', 'xs = []\nfill(xs)\nfor n in range(3):\n  xs.append(np.random.rand(2))'],
  ] as const)
    it(`draws nothing where it ${what}`, () => {
      assert.match(meaning(`np.random.seed(3)\n${text}\nQ = np.random.rand(2, 2)`, 'Q'), unknown);
    }); // prettier-ignore

  it('changes a list under each of its names', () => {
    const text = 'np.random.seed(3)\nxs = []\nother = xs\nfor n in range(2):\n  xs.append(np.random.rand(2))';
    // NumPy 1.24
    const numbers = [0.5507979025745755, 0.7081478226181048, 0.2909047389129443, 0.510827605197663];
    for (const name of ['other', 'xs']) {
      const found = readNames(text).meaningOf(name);
      assert.ok(found?.kind === 'matrix', JSON.stringify(found));
      assert.deepEqual([[...found.matrix.shape], [...found.matrix.values]], [[2, 2], numbers]);
    }
  });
});
