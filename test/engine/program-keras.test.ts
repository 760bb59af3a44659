// Layers of Keras, beside what Keras itself gave (test/reference/keras_layers.py).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDim } from '../../engine/program/tensor/dims';
import { runProgram, type Program } from '../../engine/program/program';
import { finish } from '../../engine/text/pace';

interface Recorded {
  readonly numbers: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly shapes: Readonly<Record<string, readonly (number | string)[]>>;
}
const recorded = JSON.parse(readFileSync(join(__dirname, '../fixtures/keras_layers.json'), 'utf8')) as Recorded;

const start = `import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
`;

function nodeOf(program: Program, name: string) {
  const { node } = program.bindings.filter((one) => one.name === name).at(-1) ?? {};
  assert.ok(node, `${name}: ${JSON.stringify(program.notes)}`);
  return node;
}

describe('layers of Keras', () => {
  it('have its numbers, masks included, where they have no drawn weights', () => {
    const program = runProgram(`${start}a = tf.reshape(tf.range(12, dtype=tf.float32), (1, 3, 4)) / 8
seen = tf.constant([[True, False, True]])
asked = tf.constant([[True, True, False]])
masked = layers.Attention()([a, a], mask=[asked, seen], return_attention_scores=True)
causal = layers.Attention(use_scale=True)([a, a], mask=[None, seen], use_causal_mask=True, return_attention_scores=True)
concat = layers.Attention(score_mode="concat")([a, a], return_attention_scores=True)
additive = layers.AdditiveAttention(use_scale=False)([a, a], mask=[None, seen], return_attention_scores=True)
dots = layers.Dot(axes=1)([a[:, 0], a[:, 2]]), layers.Dot(axes=2, normalize=True)([a, a])
mixed = layers.Dot(axes=(1, 2))([a[:, 1], a]), layers.Multiply()([a, a])[0, 2]
${Object.keys(recorded.numbers)
  .map((name) => `${name}_0, ${name}_1 = ${name}\n`)
  .join('')}`);
    assert.deepEqual(program.notes, []);
    for (const [name, pair] of Object.entries(recorded.numbers))
      for (const [i, expected] of pair.entries()) {
        const found = finish(program.look(nodeOf(program, `${name}_${i}`)));
        assert.ok('data' in found, `${name}: ${JSON.stringify(found)}`);
        assert.equal(found.data.length, expected.length);
        expected.forEach((x, at) => assert.ok(Math.abs(Number(found.data[at]) - x) < 2e-6, `${name}_${i}[${at}]`));
      }
  });

  it('have its shapes: the size of a batch that comes later is None, as Keras writes it', () => {
    for (const [code, expected] of Object.entries(recorded.shapes)) {
      const text = `${start}v = tf.random.normal((2, 5, 8))
inputs = layers.Input((20, 32))
y = ${code.replace('keras.random', 'tf.random')}
`;
      const program = runProgram(text);
      assert.deepEqual(program.notes.filter(({ kind }) => kind === 'error'), [], code); // prettier-ignore
      assert.deepEqual(nodeOf(program, 'y').shape?.map(formatDim), expected.map(String), code);
    }
  });

  it('take a length that comes later, and say what they do not follow', () => {
    const program = runProgram(`${start}ids = keras.Input(shape=(None,))
e = layers.Embedding(100, 16)(ids)
scores = tf.matmul(e, e, transpose_b=True)
v = tf.random.normal((2, 5, 5, 8))
y = layers.MultiHeadAttention(2, 4, attention_axes=(1, 2))(v, v)
`);
    assert.deepEqual(nodeOf(program, 'scores').shape?.map(formatDim), ['None', 'None1', 'None1']);
    const notes = program.notes.map(({ kind, text }) => `${kind}: ${text}`);
    assert.deepEqual(notes, ['unknown: tf.keras.layers.MultiHeadAttention(attention_axes=) is not known']);
  });
});
