/** TensorFlow and JAX, which no machine of ours has: what NumPy computes by their published definitions, and what is known in shape only. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatShape } from '../../engine/program/tensor/dims';
import { runProgram, type Program } from '../../engine/program/program';
import { findAttention, isSample } from '../../engine/program/recognise/find';
import { finish } from '../../engine/text/pace';
import { pythonOrSkip } from '../reference/python';
import { runPython, type Ran } from './program-compare';

const read = (name: string): string => readFileSync(join(__dirname, '../fixtures/programs/elsewhere', name), 'utf8');

function nodeNamed(program: Program, name: string) {
  const value = program.names.get(name);
  assert.equal(value?.kind, 'tensor', `${name}: ${JSON.stringify(value)}`);
  return program.current(value as never);
}

/** `2×3 float32`, or what it is that is no tensor. */
const shapeOf = (program: Program, name: string): string => {
  const { shape, dtype } = nodeNamed(program, name);
  return `${shape ? formatShape(shape) : '?'} ${dtype}`;
};

describe('libraries that are read and not there', function () {
  this.timeout(120_000);

  for (const library of ['tensorflow', 'jax'])
    it(`${library}: has the numbers of the definitions, in its own number types`, function () {
      const [ran] = runPython(pythonOrSkip(this, 'numpy'), [read(`${library}_attention.oracle`)]) as [Ran];
      assert.equal(ran.error, null);
      const program = runProgram(read(`${library}_attention.py`));
      assert.deepEqual(
        program.notes.filter(({ kind }) => kind === 'error'),
        [],
      );
      const names = Object.entries(ran.names).filter(([, { values }]) => values);
      assert.ok(names.length > 8);
      for (const [name, { values = [], shape, dtype }] of names) {
        const node = nodeNamed(program, name);
        assert.deepEqual([node.shape, node.dtype], [shape, dtype], name);
        const found = finish(program.look(node));
        assert.ok('data' in found, `${name}: ${JSON.stringify(found)}`);
        values.forEach((x, i) =>
          assert.ok(
            Math.abs((found.data[i] as number) - Number(x)) <= 2e-6 * Math.max(1, Math.abs(Number(x))),
            `${name}[${i}]: ${found.data[i]}, ${x}`,
          ),
        );
      }
    });

  it('knows weights and draws of other libraries in shape only, and says why', () => {
    const keras = runProgram(read('tensorflow_attention.py'));
    assert.equal(shapeOf(keras, 'projected'), '1×3×5 float32');
    const found = finish(keras.look(nodeNamed(keras, 'projected')));
    assert.ok('text' in found && found.text.includes('without a seed'), JSON.stringify(found));
    const jax = runProgram(read('jax_attention.py'));
    assert.equal(shapeOf(jax, 'drawn'), '2×3 float32');
    // It draws from a key: each run gives the same.
    const drawn = finish(jax.look(nodeNamed(jax, 'drawn')));
    assert.ok(
      'text' in drawn && drawn.text === 'what jax draws from a seed is not computed here',
      JSON.stringify(drawn),
    );
    const seeded = runProgram('import tensorflow as tf\ntf.random.set_seed(1)\nx = tf.random.normal((2, 3))\n');
    const other = finish(seeded.look(nodeNamed(seeded, 'x')));
    assert.ok('text' in other && other.text.includes('tensorflow draws from a seed'), JSON.stringify(other));
  });

  it('says the shape of a tensor as TensorFlow does', () => {
    const program = runProgram(read('tensorflow_attention.py'));
    const list = program.names.get('static');
    assert.deepEqual(list?.kind === 'list' && list.items.map((item) => item.kind === 'int' && item.value), [1, 3, 4]);
    assert.deepEqual(program.names.get('rank'), { kind: 'int', value: 3 });
  });

  it('finds attention in a Flax module that no line calls, by its fields', () => {
    const program = runProgram(read('jax_attention.py'));
    const own = findAttention(program.graph).filter(isSample);
    assert.equal(own.length, 1, JSON.stringify(program.refusals));
    assert.equal(own[0]?.site.weights.shape?.length, 4);
    assert.equal(own[0]?.site.weights.dtype, 'float32');
  });

  it('finds attention in a Keras layer that no line calls, and in one that hands its keywords on', () => {
    const program = runProgram(
      [
        'import tensorflow as tf',
        'class Cross(tf.keras.layers.Layer):',
        '    def __init__(self, **kwargs):',
        '        super().__init__()',
        '        self.mha = tf.keras.layers.MultiHeadAttention(**kwargs)',
        '    def call(self, x, context):',
        '        out, scores = self.mha(query=x, key=context, value=context, return_attention_scores=True)',
        '        return x + out',
      ].join('\n'),
    );
    const [attention] = findAttention(program.graph).filter(isSample);
    assert.deepEqual(attention?.site.weights.shape, [1, 2, 5, 6], JSON.stringify(program.refusals));
    // The kernel of a layer is its weight, not what it is applied to.
    assert.deepEqual(attention?.parts.wq?.shape, [8, 16]);
    assert.deepEqual(attention?.parts.x?.shape, [1, 5, 8]);
    assert.deepEqual(attention?.parts.context?.shape, [1, 6, 8]);
  });

  it('names a member of Keras that is not followed, instead of an error that Python would not raise', () => {
    const program = runProgram('import keras\nmodel = keras.Model()\nmodel.save_weights("x")\ny = 1');
    assert.deepEqual(
      program.notes.map(({ kind, text }) => `${kind}: ${text}`),
      ['unknown: Model.save_weights is not known'],
    );
  });

  it('maps functions over axes, and carries a state through a loop, as JAX does', () => {
    interface Recorded {
      readonly names: Readonly<Record<string, { shape: readonly number[]; dtype: string; values: readonly number[] | null }>>; // prettier-ignore
    }
    const { names } = JSON.parse(readFileSync(join(__dirname, '../fixtures/jax_vmap.json'), 'utf8')) as Recorded;
    const program = runProgram(read('jax_vmap.py'));
    assert.deepEqual(program.notes.filter(({ kind }) => kind === 'error'), []); // prettier-ignore
    const open: string[] = [];
    for (const [name, { shape, dtype, values }] of Object.entries(names)) {
      // A list of keys here; what is drawn with them is not followed.
      if (name === 'keys') continue;
      assert.equal(shapeOf(program, name), `${shape.length === 0 ? '()' : shape.join('×')} ${dtype}`, name);
      const found = finish(program.look(nodeNamed(program, name)));
      if (!('data' in found)) open.push(name);
      else if (!values) assert.fail(`${name} is claimed to be known`);
      else values.forEach((x, i) => assert.ok(Math.abs(Number(found.data[i]) - x) < 1e-5, `${name}[${i}]`));
    }
    // More than 64 turns are known by the shapes of the first.
    assert.deepEqual(open.sort(), ['all_states', 'drawn', 'long_run', 'many']);
  });

  it('has the shapes of a model that derives from classes of transformers', () => {
    const text = readFileSync(join(__dirname, '../fixtures/hugging_face.json'), 'utf8');
    const { names } = JSON.parse(text) as { names: Readonly<Record<string, { shape: readonly number[]; values: readonly number[] | null }>> }; // prettier-ignore
    const program = runProgram(read('hugging_face.py'));
    assert.deepEqual(program.notes.filter(({ kind }) => kind === 'error'), []); // prettier-ignore
    assert.ok(Object.keys(names).length > 10);
    for (const [name, { shape, values }] of Object.entries(names)) {
      const node = nodeNamed(program, name);
      assert.deepEqual(node.shape, shape, name);
      const found = finish(program.look(node));
      // `post_init` draws the weights anew, in an order that is not followed.
      if (!values) assert.ok(!('data' in found), `${name} is claimed to be known`);
      else values.forEach((x, i) => assert.ok('data' in found && Math.abs(Number(found.data[i]) - x) < 2e-6, `${name}[${i}]`)); // prettier-ignore
    }
    const [attention] = findAttention(program.graph).filter((one) => !isSample(one));
    assert.deepEqual(attention?.site.weights.shape, [2, 4, 7, 7]);
  });

  it('imports PyTorch, not itself, in a file that is called torch.py', () => {
    const text = 'import torch\nx = torch.ones(2)';
    const program = runProgram(text, {
      files: (module) => (module === 'torch' ? { text, isPackage: false } : undefined),
    });
    assert.equal(shapeOf(program, 'x'), '2 float32');
  });

  it('samples a layer whose attention is a class of another file', () => {
    const other = [
      'import torch.nn as nn',
      'class Heads(nn.Module):',
      '    def __init__(self, d_model):',
      '        super().__init__()',
      '        self.q = nn.Linear(d_model, d_model)',
      '    def forward(self, x):',
      '        q = self.q(x)',
      '        return (q @ q.transpose(-2, -1)).softmax(-1) @ x',
    ].join('\n');
    const text = [
      'import torch.nn as nn',
      'from .heads import Heads',
      'class Layer(nn.Module):',
      '    def __init__(self, d_model):',
      '        super().__init__()',
      '        self.heads = Heads(d_model)',
      '    def forward(self, x):',
      '        return x + self.heads(x)',
    ].join('\n');
    const program = runProgram(text, {
      files: (module) => (module === '.heads' ? { text: other, isPackage: false } : undefined),
    });
    const [attention] = findAttention(program.graph);
    assert.deepEqual(attention?.site.weights.shape, [1, 5, 5], JSON.stringify(program.refusals));
    const line = text.slice(0, attention?.site.weights.range.start).split('\n').length;
    assert.equal(line, 8);
  });

  it('says of a chain of layers with attention that no line calls it', () => {
    const text = [
      'import torch.nn as nn',
      'class Chain(nn.Sequential):',
      '    def __init__(self, size):',
      '        super().__init__(nn.LayerNorm(size), nn.MultiheadAttention(size, 2))',
    ].join('\n');
    const { refusals } = runProgram(text);
    assert.deepEqual(
      refusals.map((one) => one.text),
      ['no line calls this'],
    );
  });

  it('samples additive attention whose lengths of texts are optional in all but name', () => {
    const text = [
      'import torch, torch.nn as nn',
      'def masked_softmax(X, valid_lens):',
      '    if valid_lens is None:',
      '        return nn.functional.softmax(X, dim=-1)',
      '    valid_lens = torch.repeat_interleave(valid_lens, X.shape[1])',
      '    return nn.functional.softmax(X.reshape(-1, X.shape[-1]) * valid_lens[:, None], dim=-1).reshape(X.shape)',
      'class DotProduct(nn.Module):',
      '    def forward(self, queries, keys, values, valid_lens):',
      '        scores = torch.bmm(queries, keys.transpose(1, 2)) / queries.shape[-1] ** 0.5',
      '        return torch.bmm(masked_softmax(scores, valid_lens), values)',
    ].join('\n');
    const program = runProgram(text);
    const last = findAttention(program.graph).filter(isSample).at(-1);
    assert.deepEqual(last?.site.weights.shape, [1, 5, 5], JSON.stringify(program.refusals));
  });
});
