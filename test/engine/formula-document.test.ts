// A document with formulas, code and printed numbers as one: what stands at a place, which attentions it builds, and whose numbers they have.
// Numbers are NumPy's, or those that the tutorials print (../shared/tutorials/README.md; skipped where they do not lie beside the checkout).
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnswering, type Questions } from '../../engine/formula/index';
import { explainAttention, finish, pythonIn, wholeOfLoop, type AttentionSpec } from '../../engine/index';
import { tutorialsFolder as folder } from './tutorials';
import './names-support';

type Kind = 'formulas' | 'described' | 'formula' | 'document';

const ask = <K extends Kind>(
  kind: K,
  asked: Omit<Questions[K]['asked'], 'languageId'>,
  languageId = 'markdown',
): Questions[K]['answer'] =>
  finish(createAnswering()({ kind, languageId, ...asked } as never)).answer as Questions[K]['answer'];

type Found = Extract<Questions['document']['answer'], { is: 'found' }>;

function whole(text: string, at?: number): Found {
  const answer = ask('document', { text, ...(at === undefined ? {} : { at }) });
  assert.equal(answer.is, 'found', JSON.stringify(answer));
  return answer as Found;
}

function rows(spec: AttentionSpec, id: string): readonly (readonly number[])[] {
  const trace = explainAttention(spec);
  assert.ok(trace.ok, trace.ok ? '' : trace.problems[0]?.message);
  const step = trace.value.plan.steps.find((one) => one.id === id);
  const [height = 0, width = 0] = step?.shape.slice(-2) ?? [];
  const { min } = trace.value.read(id, { rows: [0, height], columns: [0, width], level: 0 } as never) as unknown as { readonly min: ArrayLike<number> }; // prettier-ignore
  return Array.from({ length: height }, (_, i) => Array.from({ length: width }, (_, j) => min[i * width + j] ?? NaN));
}

function near(found: readonly (readonly number[])[], wanted: readonly (readonly number[])[], slack: number): void {
  assert.equal(found.length >= wanted.length, true, `${found.length} rows`);
  wanted.forEach(
    (row, i) =>
    row.forEach((x, j) => assert.ok(Math.abs((found[i]?.[j] ?? NaN) - x) <= slack, `${i},${j}: ${found[i]?.[j]} is not ${x}`)), // prettier-ignore
  );
}

const originsOf = ({ spec: { start } }: Found): ReadonlyMap<string, string> =>
  new Map(start.from === 'program' ? start.steps.map((step) => [step.id, step.op === 'given' ? (step.origin ?? '') : step.op]) : []); // prettier-ignore

const sets = String.raw`$Q \in \mathbb{R}^{m \times d_k}$, $K \in \mathbb{R}^{n \times d_k}$, $V \in \mathbb{R}^{n \times d_v}$`;
const attention = String.raw`$$\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$`;

/** A notebook that was copied as text: draws without a seed, and what they printed. */
const copied = `# Attention by hand

In [None]:
import numpy as np

# three keys
Q = np.random.randn(2, 3)
K = np.random.randn(3, 3)
V = np.random.randn(3, 2)
print("Q\\n", Q)

Q
 [[1. 0. 2.]
 [0. 1. 1.]]
K
 [[1. 1. 0.]
 [0. 1. 1.]
 [2. 0. 1.]]
V
 [[1. 2.]
 [3. 4.]
 [5. 6.]]

Prose with words: softmax of scores.

In [2]:
def softmax(x):
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)

weights = softmax(Q @ K.T / np.sqrt(3))
out = weights @ V
`;

describe('what stands at a place of a formula', () => {
  const text = `${sets} ${attention} and $\\text{softmax}(QK)V$, $x$`;
  const at = (part: string): Questions['described']['answer'] => ask('described', { text, offset: text.indexOf(part) });

  it('is the smallest part with its shape, its product, and where shapes come from', () => {
    const found = at('QK^T');
    assert.deepEqual([found?.written, found?.shape, found?.product], ['Q', 'm×d_k', 'Q m×d_k, Kᵀ d_k×n → m×n']);
    assert.deepEqual(found?.parts, [
      { written: 'Q', shape: 'm×d_k', why: 'line 1 says so' },
      { written: 'K', shape: 'n×d_k', why: 'line 1 says so' },
    ]);
    assert.equal(found?.isAttention, true);
    assert.equal(at('\\frac')?.says, 'QKᵀ divided by √d_k, so that the scores do not grow with the width of the keys.');
  });

  it('says in which line another section gives the sizes that may not hold here', () => {
    const text =
      '# One\n$Q, K \\in \\mathbb{R}^{4 \\times 8}$.\n# Two\n$Q, K \\in \\mathbb{R}^{m \\times d_h}$.\n# Three\n$$\\text{softmax}(QK^T)$$';
    const found = ask('described', { text, offset: text.indexOf('QK^T') });
    assert.deepEqual(found?.parts[0], { written: 'Q', shape: '?×?', why: 'line 4 says m×d_h, in another section' });
  });

  it('says nothing of a product where a shape is written, and leaves brackets and signs where they belong', () => {
    const saidOf = (text: string, part: string): string | undefined => ask('described', { text, offset: text.indexOf(part) })?.says ?? undefined; // prettier-ignore
    const size = '$$M = ( n \\times d ) = (\\text{tokens} \\times \\text{width})$$ and $\\text{softmax}(MM^T)$';
    assert.deepEqual([saidOf(size, '( n'), saidOf(size, 'tokens')], [undefined, undefined]);
    assert.equal(saidOf('$\\text{softmax}((QK^T)/\\sqrt{(d)})V$', '\\sqrt'), 'The square root of d.');
    const numbers = '$$\\text{softmax}(\\begin{pmatrix} -0.415 \\\\ 0.571 \\end{pmatrix})$$';
    assert.equal(ask('described', { text: numbers, offset: numbers.indexOf('0.415') })?.written, '−0.415');
    const rows = '$$\\alpha_{ij} = \\frac{\\exp(Q_i K_j^T)}{\\sum_l \\exp(Q_i K_l^T)}$$ of $$\\text{softmax}(QK^T)$$';
    assert.equal(saidOf(rows, 'Q_i K_j'), 'One query.');
    assert.equal(saidOf(rows, ' K_j^T'), 'The dot product of Q_i and K_jᵀ: one score.');
    assert.equal(saidOf(rows, 'QK^T') && ask('described', { text: rows, offset: rows.lastIndexOf('softmax') })?.says, 'Softmax of QKᵀ: each row becomes weights that are positive and sum to 1.'); // prettier-ignore
  });

  it('reads an item of a list behind a few words', () => {
    const text = 'The attention of each head:\n\n* New Q2 = X * W_Q2\n* Scaled attention of Q = all of it\n';
    assert.equal(ask('described', { text, offset: text.indexOf('Q2') })?.written, 'Q_2');
    assert.equal(ask('described', { text, offset: text.indexOf('Q = all') }), undefined);
  });

  it('says one score of one key, and no width of keys of √n', () => {
    const other = String.raw`$\text{softmax}(q_i^T k_j)$ and $f(q, k_i) = q^T k_i$ and $e_{ij} = \frac{x_i^T x_j}{\sqrt{n}}$`;
    const says = (part: string): string => ask('described', { text: other, offset: other.indexOf(part) })?.says ?? '';
    assert.match(says('\\text'), /^Softmax: a share/);
    assert.match(says('= q^T'), /one score/);
    assert.doesNotMatch(says('\\frac'), /width/);
  });

  it('is refused with its first cause, and left alone without a word', () => {
    const found = at('\\text{softmax}(QK)');
    assert.equal(found?.problem?.message, 'Q m×d_k and K n×d_k do not fit: d_k is not n');
    assert.equal(found?.problem?.hint, 'K transposed, d_k×n, would fit.');
    assert.equal(found?.isAttention, false);
    assert.equal(at('x$'), undefined);
    assert.equal(at('and'), undefined);
  });

  it('says what only convention says, and what an equation does', () => {
    const other = String.raw`$W_q \in \mathbb{R}^{d \times d_k}$ $$Q = Y W_q$$ $$\text{softmax}(Q K^T)V$$`;
    const found = ask('described', { text: other, offset: other.indexOf('Q K^T') });
    assert.deepEqual(found?.parts.map(({ written, why }) => `${written}: ${why}`), [
      'Q: line 1 defines it',
      'K: as texts on attention use this name; the document does not say it',
    ]); // prettier-ignore
  });
});

describe('the attentions of a document', () => {
  it('are its formulas in one line, with the shape of what that line says', () => {
    const text = `${sets} ${attention} $$w_{ij} = \\frac{\\exp(q_i^T k_j)}{\\sum_j \\exp(q_i^T k_j)}$$ $$y_i = \\sum_j w_{ij} v_j$$ $d_k$`; // prettier-ignore
    const found = ask('formulas', { text });
    assert.deepEqual(found.map(({ title, shape }) => [title, shape]), [['softmax(QKᵀ/√d_k)V', 'm×d_v'], ['exp(q_iᵀk_j)/Σ_j exp(q_iᵀk_j)', ''], ['Σ_j w_ijv_j', '']]); // prettier-ignore
    assert.equal(text.slice(found[0]?.range.start, found[0]?.range.end), attention);
  });

  it('are explained by a place: the formula there, else the last one of a range', () => {
    const text = `${sets} ${attention} $$\\text{softmax}(QK^T)V$$ end`;
    const at = (start: number, end: number): Questions['formula']['answer'] => ask('formula', { text, at: { start, end } }); // prettier-ignore
    const steps = (answer: Questions['formula']['answer']): readonly string[] =>
      answer.is === 'found' && answer.spec.start.from === 'program' ? answer.spec.start.steps.map(({ id }) => id) : [];
    assert.ok(steps(at(text.indexOf('QK^T'), text.indexOf('QK^T'))).includes('scaled'));
    assert.ok(!steps(at(0, text.length)).includes('scaled'));
    assert.ok(steps(at(0, text.length)).includes('weights'));
    assert.equal(at(text.length - 1, text.length).is, 'none');
  });

  it('are the last one whose numbers the document gives; others are listed, and what is not read has its place', () => {
    const numbers = 'Q =\n[[1, 0, 2],\n [0, 1, 1]]\n\nK =\n[[1, 1, 0],\n [0, 1, 1],\n [2, 0, 1]]\n\nV =\n[[1, 2],\n [3, 4],\n [5, 6]]\n\n'; // prettier-ignore
    const text = `${numbers}${sets} ${attention} $$\\text{softmax}(QK)V$$ $$\\text{softmax}(XX^T)X$$`;
    const found = whole(text);
    assert.deepEqual([found.all.map(({ label }) => label), found.which], [
      ['formula in line 15: softmax(QKᵀ/√d_k)V, m×d_v', 'formula in line 15: softmax(XXᵀ)X'],
      0,
    ]); // prettier-ignore
    near(rows(found.spec, 'weights'), [[0.11857409, 0.21121746, 0.67020845], [0.26445846, 0.47108308, 0.26445846]], 1e-8); // prettier-ignore
    assert.deepEqual(
      found.notes.map(({ range }) => text.slice(range?.start, range?.end)),
      ['K'],
    );
    assert.equal(originsOf(whole(text, 1)).get('x'), 'stand-in');
  });

  it('are the last one where none has numbers', () => {
    const found = whole(`${sets} ${attention} $$\\text{softmax}(QK^T)V$$`);
    assert.deepEqual([found.all.length, found.which], [2, 1]);
  });

  it('are refused with their causes where none is explained, and none where the text is about something else', () => {
    const answer = ask('document', { text: `${sets} $$\\text{softmax}(QK)V$$` });
    assert.ok(answer.is === 'refused' && answer.problems[0]?.range);
    assert.equal(ask('document', { text: 'The price is $5$ and $x = 3$.' }).is, 'none');
  });
});

describe('a notebook that was copied as text', () => {
  it('has its code, without what it printed and the prose, at the same places', () => {
    const code = pythonIn(copied);
    assert.equal(code?.text.length, copied.length);
    assert.deepEqual(code?.text.split('\n').map((line) => line.trim()).filter((line) => line !== '').slice(0, 6), ['import numpy as np', '# three keys', 'Q = np.random.randn(2, 3)', 'K = np.random.randn(3, 3)', 'V = np.random.randn(3, 2)', 'print("Q\\n", Q)']); // prettier-ignore
    assert.doesNotMatch(code?.text ?? '', /Prose|\[\[1/);
    assert.match(code?.text ?? '', /out = weights @ V/);
    assert.equal(pythonIn('no cells here'), undefined);
  });

  it('is explained with the printed numbers in place of its draws', () => {
    const found = whole(copied);
    assert.deepEqual(['q', 'k', 'v'].map((id) => originsOf(found).get(id)), ['literal', 'literal', 'literal']); // prettier-ignore
    assert.ok(found.spec.start.from === 'program' && found.spec.start.seed === undefined);
    near(rows(found.spec, 'output'), [[4.10326872, 5.10326872], [3, 4]], 1e-8); // prettier-ignore
  });

  it('keeps the numbers of a print that breaks off, without its last one, and says that the others stand in', () => {
    const found = whole(copied.replace('[3. 4.]\n [5. 6.]]', '[3. 4.2'));
    assert.equal(originsOf(found).get('v'), 'stand-in');
    near(rows(found.spec, 'v'), [[1, 2], [3]], 0); // prettier-ignore
    assert.notEqual(rows(found.spec, 'v')[1]?.[1], 4.2);
    assert.ok(
      found.said?.some((said) => said.includes('V (3)')),
      found.said?.join(),
    );
    near(rows(found.spec, 'weights'), [[0.11857409, 0.21121746, 0.67020845]], 1e-8);
  });

  it('takes a printed matrix of another shape for none of its own', () => {
    const found = whole(copied.replaceAll('randn(3, 2)', 'randn(3, 4)'));
    assert.equal(originsOf(found).get('v'), 'stand-in');
    assert.equal(originsOf(found).get('k'), 'literal');
  });
});

describe('numbers that a document writes', () => {
  const vectors =
    'x_1:\n[[ 0.2573482 ]\n [ 1.3089472 ]\n [-0.7750926 ]]\nx_2:\n[[-1.1420391]\n [ 0.4412087]\n [ 0.2873359]]\n\n';
  const formulas = String.raw`$x_1, \dots, x_t \in \mathbb{R}^d$ $$s_{ij} = x_i^T x_j$$ $$w_{ij} = \text{softmax}(s_{ij})$$ $$y_i = \sum_j w_{ij} x_j$$`; // prettier-ignore

  it('are computed as float32 where they are printed as float32', () => {
    const found = whole(vectors + formulas);
    assert.equal(found.spec.dtype, 'float32');
    near(rows(found.spec, 'output'), [[0.13206643, 1.231262, -0.6799775], [-0.8910214, 0.5968609, 0.09676082]], 2e-7); // prettier-ignore
    const longer = whole(vectors.replace('1.3089472 ', '1.308947234') + formulas);
    assert.equal(longer.spec.dtype, 'float64');
  });

  it('say how large a name is that no text declares: V has a row for each key', () => {
    const found = whole('Q =\n[[1, 0],\n [0, 1]]\n\nK =\n[[1, 1],\n [0, 2]]\n\n$$\\text{softmax}(QK^T)V$$');
    assert.deepEqual(rows(found.spec, 'v').map((row) => row.length), [2, 2]); // prettier-ignore
    near(
      rows(found.spec, 'weights'),
      [
        [0.73105858, 0.26894142],
        [0.26894142, 0.73105858],
      ],
      1e-8,
    );
  });

  it('are kept where a matrix has dots: from its beginning and from its end', () => {
    const text = String.raw`$n = 3$, $d = 4$, $X \in \mathbb{R}^{n \times d}$ $$X = \begin{pmatrix} 0.5 & -1.5 & \dots & 2 \\ \vdots & \vdots & & \vdots \\ 3 & 4 & \dots & -5 \end{pmatrix}$$ $$\text{softmax}(XX^T)X$$`; // prettier-ignore
    const found = whole(text);
    const x = rows(found.spec, originsOf(found).has('x') ? 'x' : 'q');
    assert.deepEqual([x[0]?.[0], x[0]?.[1], x[0]?.[3], x[2]?.[0], x[2]?.[1], x[2]?.[3]], [0.5, -1.5, 2, 3, 4, -5]);
    assert.ok(
      found.said?.some((said) => said.includes('X (6/12)')),
      found.said?.join(),
    );
  });
});

describe('a formula that has no steps of its own', () => {
  const text = `${sets} ${attention}\n\n$$A(Q) = \\text{softmax}(QK^T + M)V$$`;
  const said = (at: string): readonly string[] => {
    const start = text.indexOf(at);
    const answer = ask('formula', { text, at: { start, end: start + 1 } } as never) as Questions['formula']['answer'];
    return answer.is === 'found' ? (answer.said ?? []) : [answer.is];
  };

  it('opens another one, and says which and why', () =>
    assert.equal(said('A(Q)')[0], 'Shown is the formula in line 1: the text gives no numbers for M'));

  it('is not what one is that has: nothing is said then', () =>
    assert.ok(said('softmax').every((one) => !one.startsWith('Shown'))));
});

describe('what a document writes cell by cell', () => {
  const numbers = 'Q =\n[[1, 0, 2],\n [0, 1, 1],\n [1, 1, 0]]\n\nK =\n[[1, 1, 0],\n [0, 1, 1],\n [2, 0, 1]]\n\nV =\n[[1, 2],\n [3, 4],\n [5, 6]]\n\n'; // prettier-ignore
  const masked = String.raw`$$\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}} + M\right)V$$`;
  const causal = [[1, 0, 0], [0.35954252, 0.64045748, 0], [0.39041395, 0.21917211, 0.39041395]]; // prettier-ignore

  for (const cases of [
    String.raw`M_{ij} = \begin{cases} 0 & \text{if } i \ge j \\ -\infty & \text{otherwise} \end{cases}`,
    String.raw`M_{qk} = \begin{cases} -\infty & k > q \\ 0 & \text{else} \end{cases}`,
    String.raw`M = \begin{cases} 0, & j \leq i \\ -\infty, & j > i \end{cases}`,
  ])
    it(`is a mask by cases: ${cases}`, () => {
      near(rows(whole(`${numbers}${sets} $$${cases}$$ ${masked}`).spec, 'weights'), causal, 1e-8);
    });

  it('is no mask where a case is not read, is left out, or depends on where counting begins', () => {
    for (const [condition, why] of [
      ['\\text{on Mondays}', 'this case is not read'],
      ['i > j', 'these cases leave out row 1, column 1'],
      ['j > 0', 'this case is not read'],
    ] as const) {
      const text = `${numbers}${sets} $$M_{ij} = \\begin{cases} 0 & ${condition} \\end{cases}$$ ${masked}`;
      const answer = ask('formula', { text, at: { start: text.indexOf('QK^T'), end: text.indexOf('QK^T') } });
      assert.equal(answer.is === 'refused' ? answer.problems[0]?.message : answer.is, why);
    }
  });

  it('is softmax with indices, by itself', () => {
    const vectors = 'q_1 = [[1, 0, 2]]\nq_2 = [[0, 1, 1]]\nq_3 = [[1, 1, 0]]\nk_1 = [[1, 1, 0]]\nk_2 = [[0, 1, 1]]\nk_3 = [[2, 0, 1]]\n\n'; // prettier-ignore
    const text = String.raw`$q_i \in \mathbb{R}^{d}$, $k_j \in \mathbb{R}^{d}$ $$a_{ij} = \frac{\exp(q_i \cdot k_j)}{\sum_{l=1}^{n} \exp(q_i \cdot k_l)}$$`; // prettier-ignore
    near(
      rows(whole(vectors + text).spec, 'weights'),
      [
        [0.04201007, 0.1141952, 0.84379473],
        [0.21194156, 0.57611688, 0.21194156],
        [0.4223188, 0.1553624, 0.4223188],
      ],
      1e-8,
    );
  });
});

const tutorial = (name: string): string => {
  const file = folder && readdirSync(folder).find((one) => one.startsWith(`${name}_`));
  return file ? readFileSync(join(folder ?? '', file), 'utf8') : '';
};

describe('the five tutorials, each as a whole', function () {
  before(function () {
    if (!folder) this.skip();
  });

  it('000: three queries of its loop together, unscaled', () => {
    const text = tutorial('000');
    const { spec: last, calls = 0 } = whole(text);
    const spec = finish(wholeOfLoop(text, last, calls));
    assert.ok(spec);
    near(rows(spec, 'weights'), [[0.00000001, 0.0007469, 0.99925309], [0.01772, 0.98227757, 0.00000243], [0.97501898, 0.01332218, 0.01165884]], 5e-9); // prettier-ignore
    near(rows(spec, 'output'), [[1.91864032, 1.5888283, -4.54884773, 0.85013971]], 5e-9);
  });

  it('001: its printed Q and K, scaled and masked', () => {
    const { spec } = whole(tutorial('001'));
    near(rows(spec, 'weights'), [[1, 0, 0, 0], [0.52712553, 0.47287447, 0, 0], [0.3922859, 0.49747004, 0.11024406, 0], [0.50691084, 0.15507701, 0.19935514, 0.138657]], 5e-9); // prettier-ignore
    near(rows(spec, 'v'), [[1.07902494, -1.26877275, 0.23930751, -0.35502214, -0.95741432, 0.12459074, 0.76431504, 1.23321664]], 0); // prettier-ignore
  });

  it('002 and 003: their formulas, with 7 tokens in 003 and stand-ins that are marked', () => {
    assert.equal(originsOf(whole(tutorial('002'))).get('wq'), 'stand-in');
    const three = whole(tutorial('003'));
    assert.equal(rows(three.spec, 'weights').length, 7);
    assert.equal(originsOf(three).get('x'), 'stand-in');
  });

  it('004: y_2 to the printed digits, unscaled', () => {
    const found = whole(tutorial('004'));
    assert.ok(!originsOf(found).has('scaled'));
    near(rows(found.spec, 'output').slice(1, 2), [[0.11782318, 0.39491105, -2.4440105, 0.5687822]], 5e-8);
    near(rows(found.spec, 'weights').slice(1, 2), [[0.00466374, 0.5462668, 0.0000032, 0.4490663]], 5e-8);
    near(rows(found.spec, 'scores').slice(1, 2), [[-6.288555, -1.5252657, -13.573791, -1.7212026]], 2e-6);
  });
});
