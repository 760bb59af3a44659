// What single formulas and short documents say. Expected shapes are worked out by hand from the text.
import assert from 'node:assert/strict';
import { formulasOf, type Formula } from '../../engine/formula/index';
import { formatShape } from '../../engine/program/tensor/dims';

const said = ({ status, isSize, shapes }: Formula): string =>
  status === 'alone' ? 'alone' : isSize ? 'size' : `${status === 'refused' ? 'refused ' : ''}${shapes.map((shape) => (shape ? formatShape(shape) : '?')).join(' ; ')}`; // prettier-ignore

const all = (text: string, languageId = 'markdown'): readonly string[] =>
  formulasOf(text, languageId).formulas.map(said);

const declared = String.raw`$Q \in \mathbb{R}^{m \times d_k}$, $K \in \mathbb{R}^{n \times d_k}$, $V \in \mathbb{R}^{n \times d_v}$. `;
const last = (text: string, languageId?: string): string => all(declared + text, languageId).at(-1) ?? '';

describe('formulas of attention', () => {
  const weights: readonly string[] = [
    String.raw`$\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)$`,
    String.raw`$\mathrm{softmax}(Q K^{\mathsf{T}} / \sqrt{d_k})$`,
    String.raw`$\text{softmax}\Big(\frac{\mathbf{Q}\mathbf{K}^T}{\sqrt{d_k}}\Big)$`,
    String.raw`$$softmax(\frac{1}{\sqrt{d_k}} Q \cdot K')$$`,
    String.raw`\( \sigma\left(d_k^{-1/2} Q K^{\intercal}\right) \)`,
    String.raw`\[ \text{softmax}(Q \times K^T) \]`,
    '\\begin{equation}\n\\text{softmax}(QK^{\\prime})\n\\end{equation}',
  ];
  for (const text of weights) it(`are queries by keys: ${text}`, () => assert.equal(last(text), 'm×n'));

  const plain: readonly (readonly [string, string])[] = [
    ['The output is softmax(QKᵀ/√d_k)V.', 'm×d_v'],
    ['It is `softmax(Q @ K.T / sqrt(d_k)) @ V` at last', 'm×d_v'],
    ['```\nAttention(Q, K, V) = softmax((Q × K^T) / sqrt(d_k)) × V\n```', 'm×d_v'],
    ['```text\nScores = Q · Kᵀ\n```', 'm×n'],
  ];
  for (const [text, shape] of plain) it(`in plain text: ${text}`, () => assert.equal(last(text), shape));

  it('say what does not fit, and what would', () => {
    const { formulas } = formulasOf(`${declared}$$\\text{softmax}(QK)V$$`, 'markdown');
    const [problem] = formulas.at(-1)?.problems ?? [];
    assert.equal(problem?.message, 'Q m×d_k and K n×d_k do not fit: d_k is not n');
    assert.equal(problem.hint, 'K transposed, d_k×n, would fit.');
    assert.equal(`${declared}$$\\text{softmax}(QK)V$$`.slice(problem.range?.start, problem.range?.end), 'K');
  });

  it('say that numbers do not fit', () => {
    const text = String.raw`$X \in \mathbb{R}^{6 \times 512}$ and $W_Q \in \mathbb{R}^{64 \times 512}$. $Q = X W_Q$, $\text{softmax}(QK^T)$`;
    assert.deepEqual(all(text).slice(0, 3), ['6×512', '64×512', 'refused ?']);
  });

  it('take sizes from the text: d_model = 512 is not 64', () => {
    const text = String.raw`$d_{model} = 512$, $X \in \mathbb{R}^{n \times d_{model}}$, $W^Q \in \mathbb{R}^{64 \times 64}$: $\text{softmax}(X W^Q)$`;
    assert.equal(all(text).at(-1), 'refused ?');
  });

  it('follow definitions across the document, also those that come later', () => {
    const text = String.raw`$$A = \text{softmax}(QK^T)$$ where $Q = XW^Q$, $K = XW^K$, $X \in \mathbb{R}^{n \times d}$, $W^Q \in \mathbb{R}^{d \times d_k}$, $W^K \in \mathbb{R}^{d \times d_k}$. $$Z = A X$$`;
    assert.deepEqual(all(text), ['n×n', 'n×d_k', 'n×d_k', 'n×d', 'd×d_k', 'd×d_k', 'n×d']);
  });

  it('infer what an equation says of a name that is not declared', () => {
    const text = `${declared}$\\text{softmax}(QK^T)$ with $X \\in \\mathbb{R}^{m \\times d}$ and $$Q = X W^Q$$ so $W^Q$`;
    assert.equal(all(text).at(-1), 'd×d_k');
  });

  it('name the sizes of undeclared Q, K and V as texts do, and say that this is assumed', () => {
    const { formulas } = formulasOf('$$\\text{softmax}(QK^T)V$$', 'markdown');
    assert.equal(formulas[0] && said(formulas[0]), 'n_q×d_v');
    assert.equal(formulas[0]?.assumed, true);
  });

  it('of several heads', () => {
    const text = String.raw`$$\text{MultiHead}(Q,K,V) = \text{Concat}(\text{head}_1, \dots, \text{head}_h) W^O, \quad \text{head}_i = \text{Attention}(QW_i^Q, KW_i^K, VW_i^V)$$
      where $W_i^Q \in \mathbb{R}^{d_{model} \times d_k}$, $W_i^K \in \mathbb{R}^{d_{model} \times d_k}$, $W_i^V \in \mathbb{R}^{d_{model} \times d_v}$, $W^O \in \mathbb{R}^{hd_v \times d_{model}}$`;
    assert.deepEqual(all(text), [
      'n_q?×d_model ; n_q?×d_v',
      'd_model×d_k',
      'd_model×d_k',
      'd_model×d_v',
      'd_v*h×d_model',
    ]);
  });

  it('by indices: dot products, weights over a sum, softmax written out', () => {
    const text = String.raw`$x_1, \dots, x_t \in \mathbb{R}^d$ $$w'_{ij} = x_i^T x_j$$ $$w_{ij} = \frac{\exp(w'_{ij})}{\sum_j \exp(w'_{ij})}$$ $$y_i = \sum_j w_{ij} x_j$$`;
    assert.deepEqual(all(text).slice(1), ['()', '()', 'd']);
  });

  it('with matrices of names and what is left out', () => {
    const text = String.raw`$$QK^T = \begin{pmatrix} q_1 \cdot k_1 & \dots & q_1 \cdot k_n \\ \vdots & \ddots & \vdots \\ q_m \cdot k_1 & \dots & q_m \cdot k_n \end{pmatrix}$$`;
    assert.equal(last(text), 'm×n');
    assert.equal(last(String.raw`$QK^T$ $$Q = \begin{pmatrix} q_1 \\ \vdots \\ q_m \end{pmatrix}$$`), 'm×d_k');
  });

  it('keep numbers that are written, and leave out what is not', () => {
    const { formulas } = formulasOf(
      String.raw`${declared}$QK^T$ $$V = \begin{pmatrix} -0.415 & \dots \\ \vdots & 0.571 \end{pmatrix}$$`,
      'markdown',
    );
    assert.deepEqual(formulas.at(-1)?.parts.filter(({ expression }) => expression.kind === 'number').map(({ expression }) => expression.kind === 'number' && expression.value), [0.415, 0.571]); // prettier-ignore
  });

  it('with masks by cases', () => {
    const text = String.raw`$$\text{softmax}(QK^T + M)V$$ $$M_{ij} = \begin{cases} 0 & i \ge j \\ -\infty & \text{otherwise} \end{cases}$$`;
    assert.deepEqual(all(declared + text).slice(-2), ['m×d_v', '()']);
  });

  it('through the macros of a document', () => {
    const text = String.raw`\newcommand{\R}{\mathbb{R}} \def\sm#1{\operatorname{softmax}\left(#1\right)} \DeclareMathOperator{\Att}{Attention}
      $Q \in \R^{m \times d}$, $K \in \R^{n \times d}$, $V \in \R^{n \times d_v}$ \[ \Att(Q,K,V) = \sm{QK^\top} V \]`;
    assert.equal(all(text, 'latex').at(-1), 'm×d_v');
  });

  it('leave a letter with a prime a name where the document defines it so', () => {
    assert.deepEqual(all(`$x_i \\in \\mathbb{R}^d$ $$w'_{ij} = x'_i x_j$$ $$softmax(w'_{ij})$$`), ['d', '()', '()']);
  });

  it('take sizes from sentences', () => {
    const text =
      'The matrix $M$ has dimensions $(n \\times d)$. Make 3 copies, the matrices $Q, K$ and $V$. Each of these has dimension $(n \\times d)$. $$softmax(QK^T)V$$';
    assert.deepEqual(all(text), ['n×d', 'n×d', 'n×d ; n×d', 'n×d', 'n×d', 'n×d']);
    assert.deepEqual(all('```\nQ has shape (n, d_k) = (6, 64)\nK^T has shape (d_k, n)\nScores = Q × K^T\n```'), [
      'n×n',
    ]);
  });

  it('refuse V on the left of softmax(QKᵀ), which mixes rows and columns', () => {
    const { formulas } = formulasOf(`${declared}$$V\\text{softmax}(QK^T)$$`, 'markdown');
    assert.equal(formulas.at(-1)?.problems[0]?.message, 'V stands left of softmax(QKᵀ)');
    assert.equal(all('$x_i \\in \\mathbb{R}^D$ $$V \\text{softmax}(K^T Q)$$').at(-1), '?×n_q');
  });

  const others: readonly string[] = [
    String.raw`$E = mc^2$ and $\int_0^1 f(x)\,dx$`,
    'It costs $5 and then $10 more.',
    String.raw`$$\frac{\partial L}{\partial w} = 2(w - y)$$`,
    '```python\nscores = softmax(Q @ K.T)\n```',
    'Nothing here.',
  ];
  for (const text of others)
    it(`are not found in ${text}`, () =>
      assert.deepEqual(
        [...new Set(all(text))].filter((one) => one !== 'alone'),
        [],
      ));

  it('leave statistics of a text on attention alone', () =>
    assert.equal(
      last(String.raw`$\text{softmax}(QK^T)$ has $\text{Var}[q \cdot k] = \mathbb{E}[(q \cdot k)^2]$`),
      'alone',
    ));
});
