// Formulas as graphs: attention is found in them and explained, with the document's own numbers where it gives them. Numbers are NumPy's.
import assert from 'node:assert/strict';
import { explainAttention, type AttentionTrace } from '../../engine/index';
import { explainFormula, formulasOf, type ExplainedFormula } from '../../engine/formula/index';

const numbers =
  'Q =\n[[1, 0, 2],\n [0, 1, 1]]\n\nK =\n[[1, 1, 0],\n [0, 1, 1],\n [2, 0, 1]]\n\nV =\n[[1, 2],\n [3, 4],\n [5, 6]]\n\n';
const sets = String.raw`$Q \in \mathbb{R}^{m \times d_k}$, $K \in \mathbb{R}^{n \times d_k}$, $V \in \mathbb{R}^{n \times d_v}$. `;

function explained(text: string): { readonly made: ExplainedFormula; readonly trace: AttentionTrace } {
  const found = formulasOf(text, 'markdown');
  const made = explainFormula(text, found, found.formulas.length - 1);
  assert.ok(made.ok, made.ok ? '' : made.problems[0]?.message);
  const trace = explainAttention(made.value.spec);
  assert.ok(trace.ok);
  return { made: made.value, trace: trace.value };
}

const steps = ({ plan }: AttentionTrace): readonly string[] =>
  plan.steps.map(({ id, shape }) => `${id} ${shape.join('×')}`);

function near(trace: AttentionTrace, id: string, wanted: readonly (readonly number[])[]): void {
  const { min } = trace.read(id, { rows: [0, wanted.length], columns: [0, wanted[0]?.length ?? 0], level: 0 } as never) as unknown as { readonly min: ArrayLike<number> }; // prettier-ignore
  wanted.flat().forEach((x, i) => assert.ok(Math.abs((min[i] ?? NaN) - x) < 1e-8, `${id}: ${min[i]} is not ${x}`));
}

const weightsOf = (scaled: boolean): readonly (readonly number[])[] =>
  scaled
    ? [
        [0.1185740871, 0.2112174649, 0.670208448],
        [0.2644584615, 0.471083077, 0.2644584615],
      ]
    : [
        [0.0420100661, 0.1141951994, 0.8437947345],
        [0.2119415576, 0.5761168848, 0.2119415576],
      ];

describe('a formula as a graph', () => {
  it('has the numbers of the document', () => {
    const { made, trace } = explained(`${numbers}${sets}$$\\text{softmax}\\left(\\frac{QK^T}{\\sqrt{d_k}}\\right)V$$`);
    assert.deepEqual(steps(trace), [
      'q 2×3',
      'k 3×3',
      'v 3×2',
      'scores 2×3',
      'scaled 2×3',
      'weights 2×3',
      'output 2×2',
    ]);
    assert.deepEqual(made.own, ['Q', 'K', 'V']);
    near(trace, 'weights', weightsOf(true));
  });

  it('takes √d_k of the keys’ width where that is written as a number alone, unless the text says another d_k', () => {
    const text = (said = ''): string => String.raw`Let $Q \in \mathbb{R}^{4 \times 3}$, $K \in \mathbb{R}^{4 \times 3}$ and $V \in \mathbb{R}^{4 \times 2}$. ${said}` + '\n\n' + String.raw`$$\mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$`; // prettier-ignore
    const scaleOf = (given: string): number => {
      const { trace } = explained(given);
      const at = (id: string): number => (trace.read(id, { rows: [0, 1], columns: [0, 1], level: 0 } as never) as unknown as { readonly min: ArrayLike<number> }).min[0] ?? NaN; // prettier-ignore
      return at('scores') / at('scaled');
    };
    assert.ok(Math.abs(scaleOf(text()) - Math.sqrt(3)) < 1e-12);
    assert.deepEqual([...explained(text()).made.sizes], []);
    assert.ok(Math.abs(scaleOf(text('Here $d_k = 64$.')) - 8) < 1e-12);
  });

  it('writes a part of a formula as a formula', () => {
    const { trace } = explained(`${numbers}${sets}$$\\text{softmax}\\left(\\frac{QK^T}{\\sqrt{d_k}}\\right)V$$`);
    const plain = trace.plan.steps.map(({ formula }) => (formula as { readonly plain: string }).plain);
    assert.ok(plain.includes('\\mathit{A} = \\operatorname{softmax}({QK^{\\top}/\\sqrt{d_{k}}})'), plain.join('\n'));
  });

  it('is not scaled where it is not', () => {
    const { trace } = explained(`${numbers}${sets}$$\\text{softmax}(QK^T)V$$`);
    assert.deepEqual(steps(trace).includes('scaled 2×3'), false);
    near(trace, 'weights', weightsOf(false));
  });

  it('has steps that stand where its parts do', () => {
    const text = `${numbers}${sets}$$\\text{softmax}\\left(\\frac{QK^T}{\\sqrt{d_k}}\\right)V$$`;
    const { start } = explained(text).made.spec;
    assert.ok(start.from === 'program');
    const at = (id: string): string => {
      const [from = 0, to = 0] = start.steps.find((step) => step.id === id)?.range ?? [];
      return text.slice(from, to);
    };
    assert.equal(at('scores'), 'QK^T');
    assert.equal(at('scaled'), '\\frac{QK^T}{\\sqrt{d_k}}');
    assert.equal(at('q'), 'Q');
  });

  it('follows definitions to the projections, with stand-ins that are named', () => {
    const text = String.raw`$X \in \mathbb{R}^{n \times d}$, $W_Q, W_K, W_V \in \mathbb{R}^{d \times d_k}$. $$Q = XW_Q, \quad K = XW_K, \quad V = XW_V$$ $$\text{softmax}(QK^T / \sqrt{d_k})V$$`;
    const { made, trace } = explained(text);
    assert.deepEqual(steps(trace).slice(0, 4), ['x 5×8', 'wq 8×4', 'q 5×4', 'wk 8×4']);
    assert.deepEqual([...made.sizes.keys()].sort(), ['d', 'd_k', 'n']);
    assert.deepEqual(made.own, []);
  });

  it('takes sizes from the text', () => {
    const { trace } = explained(`${sets}Let $m = 3$, $n = 2$, $d_k = 5$ and $d_v = 7$. $$\\text{softmax}(QK^T)V$$`);
    assert.deepEqual(steps(trace), ['q 3×5', 'k 2×5', 'v 2×7', 'scores 3×2', 'weights 3×2', 'output 3×7']);
  });

  it('reads indices as products of matrices', () => {
    const text = String.raw`$x_1, \dots, x_t \in \mathbb{R}^d$, $t = 4$ $$q_i = W_q x_i, \quad k_i = W_k x_i, \quad v_i = W_v x_i$$ where $W_q \in \mathbb{R}^{d \times d}$, $W_k \in \mathbb{R}^{d \times d}$, $W_v \in \mathbb{R}^{d \times d}$ $$s_{ij} = q_i^T k_j$$ $$w_{ij} = \frac{\exp(s_{ij})}{\sum_j \exp(s_{ij})}$$ $$y_i = \sum_j w_{ij} v_j$$`;
    assert.deepEqual(steps(explained(text).trace), ['x 4×8', 'wq 8×8', 'q 4×8', 'wk 8×8', 'k 4×8', 'wv 8×8', 'v 4×8', 'scores 4×4', 'weights 4×4', 'output 4×8']); // prettier-ignore
  });

  it('gives weights that no text sizes as many rows as what they stand behind has columns, so that many heads are their own', () => {
    const text = String.raw`$$\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$ $\text{head}_i = \text{Attention}(QW_i^Q, KW_i^K, VW_i^V)$ $$\text{MultiHead}(Q, K, V) = \text{Concat}(\text{head}_1, \ldots, \text{head}_h)W^O$$`;
    const { made, trace } = explained(text);
    assert.equal(text.slice(made.formula.outer.start).startsWith('$$\\text{MultiHead}'), true);
    assert.equal(made.instead, undefined);
    assert.deepEqual(steps(trace).slice(0, 6), ['x 5×4', 'wq 4×8', 'q 5×8', 'context 6×4', 'wk 4×8', 'k 6×8']);
  });

  it('refuses a mask whose numbers the text does not give', () => {
    const text = `${sets}$$\\text{softmax}(QK^T + M)V$$`;
    const made = explainFormula(text, formulasOf(text, 'markdown'), 3);
    assert.equal(made.ok ? '' : made.problems[0]?.message, 'the text gives no numbers for M');
  });
});
