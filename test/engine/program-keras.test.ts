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

  it('take NumPy’s arrays as tensors', () => {
    const program = runProgram(`${start}import numpy as np
a = np.arange(12, dtype='float32').reshape(1, 3, 4) / 8
of_arrays, beside = layers.Attention()([a, a], return_attention_scores=True)
of_tensors, weights = layers.Attention()([tf.constant(a), tf.constant(a)], return_attention_scores=True)
added = layers.AdditiveAttention(use_scale=False)([a, a])
`);
    assert.deepEqual(program.notes, []);
    const numbers = (name: string): unknown => finish(program.look(nodeOf(program, name)));
    assert.deepEqual(numbers('of_arrays'), numbers('of_tensors'));
    assert.ok('data' in (numbers('added') as object));
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

  it('convolve pictures: ⌈n/s⌉ places of same, ⌊(n − k)/s⌋ + 1 of valid, as Keras defines them', () => {
    const shape = (layer: string): string | undefined => {
      const program = runProgram(`${start}import tensorflow_addons as tfa\nx = tf.random.normal((2, 7, 10, 3))\ny = ${layer}(x)\n`); // prettier-ignore
      assert.deepEqual(program.notes.filter(({ kind }) => kind === 'error'), [], layer); // prettier-ignore
      return nodeOf(program, 'y').shape?.map(formatDim).join();
    };
    assert.equal(shape('layers.Conv2D(4, 3)'), '2,5,8,4');
    assert.equal(shape('layers.Conv2D(4, 3, strides=2, padding="same")'), '2,4,5,4');
    assert.equal(shape('layers.Conv2D(4, (3, 1), strides=(2, 3), use_bias=False)'), '2,3,4,4');
    assert.equal(shape('layers.Conv2D(4, 1, data_format="channels_first")'), '2,4,10,3');
    assert.equal(shape('tfa.layers.SpectralNormalization(layers.Conv2D(filters=5, kernel_size=1))'), '2,7,10,5');
    assert.equal(shape('layers.Conv2D(4, 2, padding="same")'), '2,7,10,4');
    assert.equal(shape('layers.Conv2D(4, 2, strides=2, padding="SAME")'), '2,4,5,4');
    assert.equal(shape('layers.MaxPooling2D(2)'), '2,3,5,3');
    assert.equal(shape('layers.MaxPooling2D(2, data_format="channels_first")'), '2,7,5,1');
    assert.equal(shape('layers.MaxPool2D(3, strides=2, padding="same")'), '2,4,5,3');
  });

  it('pool pictures by the largest of each window; the edge of same has none beside it', () => {
    const program = runProgram(`${start}x = tf.reshape(tf.range(15, dtype=tf.float32), (1, 3, 5, 1))
y = tf.nn.max_pool2d(x, ksize=2, strides=2, padding="SAME")
z = tf.nn.max_pool2d(x, 2, 2, "VALID")
four = tf.nn.max_pool2d(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
`);
    // Rows 0–4, 5–9, 10–14: the largest of each 2×2.
    const numbers = (name: string): unknown => { const found = finish(program.look(nodeOf(program, name))); return 'data' in found ? [...found.data] : found; }; // prettier-ignore
    assert.deepEqual(numbers('y'), [6, 8, 9, 11, 13, 14]);
    assert.deepEqual(numbers('z'), [6, 8]);
    assert.deepEqual(numbers('four'), [6, 8]);
  });

  it('begin a convolution of same where TensorFlow does: with more padding behind than before', () => {
    // W of 3×1 ones, stride 2, over the column 1 … 8: 7 rows more than strides leave, so one row of zeros behind and none before.
    const program = runProgram(`${start}x = tf.reshape(tf.range(1, 9, dtype=tf.float32), (1, 8, 1, 1))
layer = layers.Conv2D(1, (3, 1), strides=(2, 1), padding="same", use_bias=False)
layer(x)
layer.kernel = tf.ones((1, 1, 3, 1))
y = layer(x)
`);
    const found = finish(program.look(nodeOf(program, 'y')));
    assert.deepEqual('data' in found && [...found.data], [6, 12, 18, 15]);
  });

  it('are those of Keras, not what TensorFlow Addons calls by the same name', () => {
    const { notes } = runProgram(`${start}import tensorflow_addons as tfa
x = tf.random.normal((2, 5, 8))
y = tfa.layers.MultiHeadAttention(head_size=4, num_heads=2)([x, x, x])
`);
    assert.deepEqual(notes.map(({ kind, text }) => `${kind}: ${text}`), ['unknown: tfa.layers.MultiHeadAttention is not known']); // prettier-ignore
  });

  it('make their weights before a call that a sample makes', () => {
    const { sampleBindings, refusals } = runProgram(`${start}class Attention(layers.Layer):
    def build(self, shape):
        self.places = shape[1] * shape[2]
        self.query = layers.Conv2D(4, 1)

    def call(self, x):
        b, h, w, c = x.shape
        q = tf.reshape(self.query(x), (-1, self.places, 4))
        weights = tf.nn.softmax(tf.matmul(q, q, transpose_b=True))
        return tf.matmul(weights, q)
`);
    assert.deepEqual(refusals, []);
    assert.ok(sampleBindings.some(({ name }) => name === 'weights'));
  });
});
