import assert from 'node:assert/strict';
import { parseMatrices } from './parse-same';
import { explainAttention } from '../../engine/run/run';
import type { AttentionSpec } from '../../engine/spec/spec';
import { assembled, example, refused } from './parse-support';

const from = (text: string): string => assembled(text).spec.start.from;
const specOf = (text: string): AttentionSpec => assembled(text).spec;
const notesOf = (text: string): string => assembled(text).notes.join('\n');

const qk = 'Q = [[1.0, 2.0], [3.0, 4.0]]\nK = [[1.0, 0.0], [0.0, 1.0]]\n';
const qkv = `${qk}V = [[1.0, 2.0], [3.0, 4.0]]\n`;

describe('where the walk starts', () => {
  it('at the scores for tutorial 001’s table with its labels, and scales them as it says: d_k = 64', () => {
    const { spec, notes } = assembled(example('1-the-cat-sat.md').split('```')[1] ?? '');
    assert.ok(spec.start.from === 'scores');
    assert.equal(spec.start.dK, 64);
    const tokens = ['The', 'cat', 'sat', 'on', 'the', 'mat'];
    assert.deepEqual(spec.labels, { queries: tokens, keys: tokens });
    assert.match(notes.join('\n'), /taken as scores QKᵀ, for its rows and columns carry the same tokens/);
    assert.match(notes.join('\n'), /d_k is not given: 64 is taken/);
    const result = explainAttention(spec);
    assert.ok(result.ok);
    // The tutorial: Scaled_Scores = Attention_Scores / 8.
    [2.1, 1.2, 0.8, 0.9, 2.0, 0.7].forEach((x, j) => assert.equal(result.value.value('scaled', [0, j]), x / 8));
  });

  it('at the scores by their name, with d_k of the text', () => {
    for (const name of ['scores', 'S', 'logits', 'attention_scores'])
      assert.equal(from(`${name} = [[1, 2], [3, 4]]`), 'scores', name);
    const { start } = specOf('d_k = 16\nscores = [[1, 2], [3, 4]]');
    assert.equal(start.from === 'scores' && start.dK, 16);
    assert.match(notesOf('d_k = 16\nscores = [[1, 2], [3, 4]]'), /d_k is 16, as d_k says/);
    assert.equal(specOf('scaled_scores = [[1, 2], [3, 4]]').scale, 'none');
  });

  it('at the weights where rows sum to 1 and V is there', () => {
    const { spec, notes } = assembled('attn = [[0.25, 0.75], [0.5, 0.5]]\nV = [[1, 2], [3, 4]]');
    assert.ok(spec.start.from === 'weights');
    assert.match(notes[0] ?? '', /attn is taken as attention weights: its rows sum to 1/);
    assert.equal(from('A = [[0.25, 0.75], [0.5, 0.5]]'), 'x');
    assert.match(notesOf('A = [[0.25, 0.75], [0.5, 0.5]]'), /select V with it/);
    assert.equal(refused('A = [[0.25, 0.5], [0.5, 0.5]]\nV = [[1, 2], [3, 4]]')[0]?.message, 'V without Q, K');
  });

  it('at X with a context: cross-attention', () => {
    const w = 'W_q = [[1, 0], [0, 2]]\nW_k = [[1, 1], [0, 1]]\nW_v = [[1, 0], [1, 1]]\n';
    const { spec, notes } = assembled(`X = [[1, 2]]\nmemory = [[1, 2], [3, 4], [5, 6]]\n${w}`);
    assert.deepEqual(spec.start.from === 'x' && spec.start.context, [
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    assert.match(notes.join('\n'), /Keys and values come from memory: cross-attention/);
  });

  it('at constructors and draws, without a literal', () => {
    assert.equal(from('Q = np.eye(3)\nK = np.ones((4, 3))'), 'qkv');
    assert.equal(from('np.random.seed(3)\nQ, K = np.random.rand(2, 3), np.random.rand(4, 3)'), 'qkv');
    assert.equal(refused('Q = np.random.randn(4, 8)\nK = np.random.randn(4, 8)')[0]?.code, 'unseeded');
  });

  it('with the last value of a name that a program assigns again', () => {
    const { start } = specOf('X = np.array([[1.0, 2.0]])\nX = X * 2');
    assert.deepEqual(start.from === 'x' && start.x, [[2, 4]]);
  });

  it('not with what a part of a statement says', () => {
    assert.equal(refused('X = np.array([[1.0, 2.0]]) if a else 3')[0]?.message, 'a is not defined above');
  });
});

describe('heads', () => {
  const three = '[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]';
  it('are the third dimension of Q, K and V, a batch of one before them', () => {
    for (const m of [three, `[${three}]`]) {
      const { spec, notes } = assembled(`Q = ${m}\nK = ${m}\nV = ${m}`);
      assert.equal(spec.heads, 2);
      assert.ok(spec.start.from === 'qkv' && explainAttention(spec).ok);
      assert.match(notes[0] ?? '', /2 heads of 2×2/);
    }
    assert.equal(specOf(`Q = [${three.slice(1, -1)}, ${three.slice(1, -1)}]\nK = ${three}`).kvHeads, 2);
    assert.equal(refused(`Q = [${three}, ${three}]\nK = ${three}`)[0]?.code, 'shape-mismatch');
  });
  it('are the third, and inputs of a batch the fourth, where all have both', () => {
    const batch = `[${three}, ${three}]`;
    const { spec, notes } = assembled(`Q = ${batch}\nK = ${batch}\nV = ${batch}`);
    assert.equal(spec.heads, 2);
    const trace = explainAttention(spec);
    assert.ok(trace.ok);
    assert.deepEqual(trace.value.plan.steps.find(({ id }) => id === 'weights')?.shape, [2, 2, 2, 2]);
    assert.match(notes[0] ?? '', /Q is 2×2×2×2: 2 inputs, each of 2 heads of 2×2/);
  });
  it('of X alone are none: its third axis is that of the inputs', () => {
    const { spec, notes } = assembled(`X = ${three}`);
    const trace = explainAttention(spec);
    assert.ok(trace.ok);
    assert.deepEqual(trace.value.plan.steps.find(({ id }) => id === 'weights')?.shape, [2, 2, 2]);
    assert.match(notes.join(' '), /X is 2×2×2: 2 inputs of 2×2/);
  });
  it('are said by num_heads where widths can be shared', () => {
    for (const name of ['h', 'n_heads', 'num_heads']) assert.equal(specOf(`${name} = 2\n${qkv}`).heads, 2, name);
    assert.match(notesOf(`h = 3\n${qkv}`), /h = 3 is not used: 2, 2, 2 columns are not shared by 3 heads/);
  });
});

describe('masks', () => {
  const masked = (mask: string): AttentionSpec['mask'] => specOf(`${qkv}mask = ${mask}`).mask;
  const boolean = (mask: string): unknown => {
    const found = masked(mask);
    return typeof found === 'object' && found.kind === 'boolean' ? found.trueMeans : found;
  };
  it('0 and −inf are added', () => {
    const found = masked('[[0, -inf], [0, 0]]');
    assert.deepEqual(found, {
      kind: 'additive',
      values: [
        [0, '-inf'],
        [0, 0],
      ],
    });
    assert.match(notesOf(`${qkv}mask = [[0, -1e9], [0, 0]]`), /added to the scaled scores: it hides 1 of 4 cells/);
  });
  it('ones above the diagonal hide, ones below it are seen, both by value', () => {
    assert.equal(boolean('[[0, 1], [0, 0]]'), 'hidden');
    assert.equal(boolean('[[True, False], [True, True]]'), 'visible');
    assert.equal(boolean('np.triu(np.ones((2, 2)), k=1)'), 'hidden');
    assert.equal(boolean('torch.tril(torch.ones(2, 2)).bool()'), 'visible');
  });
  it('neither hides all keys of a query, if the other reading does not', () => {
    assert.equal(boolean('[[1, 1], [1, 0]]'), 'visible');
    assert.equal(boolean('[[0, 0], [1, 0]]'), 'hidden');
  });
  it('states the default where nothing tells', () => {
    assert.equal(boolean('[[0, 1], [1, 0]]'), 'visible');
    assert.match(
      notesOf(`${qkv}mask = [[0, 1], [1, 0]]`),
      /as in scaled_dot_product_attention; in MultiheadAttention it hides/,
    );
  });
  it('one row serves every query; another size is a Problem at the mask', () => {
    assert.deepEqual(masked('[[0, -inf]]'), {
      kind: 'additive',
      values: [
        [0, '-inf'],
        [0, '-inf'],
      ],
    });
    assert.equal(refused(`${qkv}mask = [[0, 1, 0]]`)[0]?.message, 'mask is 1×3, the scores are 2×2');
  });
  it('causal by is_causal, and what is not known is left out', () => {
    assert.equal(specOf(`${qkv}is_causal = True`).mask, 'causal');
    assert.match(notesOf(`${qkv}mask = make(3)`), /mask is left out: make is not defined above/);
  });
});

describe('what stands beside', () => {
  it('W_o and b_o are the output projection', () => {
    const { outputProjection } = specOf(`${qkv}W_o = [[1, 0, 2], [0, 1, 3]]\nb_o = [1, 2, 3]`);
    assert.deepEqual(outputProjection, {
      from: 'given',
      wo: [
        [1, 0, 2],
        [0, 1, 3],
      ],
      bo: [1, 2, 3],
    });
    assert.equal(
      refused(`${qkv}W_o = [[1], [2], [3]]`)[0]?.message,
      'W_o is 3×1, the heads side by side have 2 columns',
    );
  });
  it('scale: √d_k in both ways of writing it, 1 for none, else it is said', () => {
    for (const scale of ['math.sqrt(2)', '2 ** -0.5'])
      assert.equal(specOf(`scale = ${scale}\n${qkv}`).scale, 'sqrt_d_k');
    assert.equal(specOf(`scale = 1.0\n${qkv}`).scale, 'none');
    assert.match(notesOf(`scale = 3\n${qkv}`), /scale = 3 is not used/);
  });
});

describe('what PyTorch prints of a model', () => {
  const pair = (name: string, numbers: string): string => `('${name}', tensor([[${numbers}],\n        [3., 4.]]))`;
  it('a state dict: each matrix by the name in its pair', () => {
    const text = `OrderedDict([${['q', 'k', 'v'].map((x) => pair(`${x}_proj.weight`, '1., 2.')).join(', ')}])`;
    const { matrices } = parseMatrices(text);
    assert.deepEqual(
      matrices.map(({ name, role }) => [name, role]),
      [['q_proj.weight', 'wq'], ['k_proj.weight', 'wk'], ['v_proj.weight', 'wv']], // prettier-ignore
    );
  });

  it('the arguments of a call are no pair', () => {
    assert.equal(parseMatrices("plot('Q', [[1, 2], [3, 4]])").matrices[0]?.name, undefined);
  });

  it('a parameter: its line is no name, the heading above it is', () => {
    const text = 'Parameter containing:\ntensor([[ 0.1, -0.2],\n        [ 0.3,  0.4]], requires_grad=True)\n';
    assert.equal(parseMatrices(text).matrices[0]?.name, undefined);
    const [named] = parseMatrices(`W_q\n${text}`).matrices;
    assert.deepEqual([named?.name, named?.role], ['W_q', 'wq']);
  });
});
