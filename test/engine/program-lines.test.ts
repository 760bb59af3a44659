// Lines of code that had no shape in public notebooks, for reasons of ours: each by a program of its own.
import assert from 'node:assert/strict';
import { linesOf, readingPlaces } from '../../engine/program/places/index';
import { runProgram } from '../../engine/program/program';
import { finish } from '../../engine/text/pace';

/** What is shown at the end of each line. */
function shapes(text: string): Readonly<Record<string, string>> {
  const { program } = finish(readingPlaces(text));
  return Object.fromEntries(
    linesOf(text, program).map(({ range, label }) => [text.slice(range.start, range.end).trim(), label]),
  );
}

describe('lines of code have a shape', () => {
  it('where TensorFlow is given an array of NumPy', () => {
    const { bindings, notes } = runProgram(`import numpy as np, tensorflow as tf
angles = np.sin(np.arange(6).reshape(2, 3) / 4)
table = tf.cast(angles[np.newaxis, ...], dtype=tf.float32)
tf.print("table", table)
`);
    const { node } = bindings.find(({ name }) => name === 'table') ?? {};
    assert.deepEqual([node?.shape, node?.dtype, notes], [[1, 2, 3], 'float32', []]);
  });

  it('where a later call of which nothing is known has none', () => {
    const found = shapes(`import torch
def attend(q, k):
    weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
    return weights
a = attend(torch.ones(2, 3, 4), torch.ones(2, 5, 4))
data = torch.load('x.pt')
b = attend(data, data)
`);
    assert.equal(found['weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)'], '2×3×5');
  });

  it('where a loop has more turns than are followed', () => {
    const found = shapes(`import numpy as np
for i in range(30000):
    x = np.ones((2 + i // 30000, 3))
    scores = x @ x.T
`);
    assert.equal(found['scores = x @ x.T'], '2×2');
  });

  it('after a loop over batches of unknown data, which may end before any turn', () => {
    const text = `import torch
from torch.utils.data import DataLoader
from datasets import load_dataset
for i, batch in enumerate(DataLoader(load_dataset('x')['train'], batch_size=4, shuffle=True)):
    total = batch['ids'].sum()

class Until:
    def __init__(self, text):
        self.text = text
    def __iter__(self):
        return self
    def __next__(self):
        if self.text == 'end':
            raise StopIteration
        return torch.ones(2, 3)

for one in Until(open('f').read()):
    product = one @ one.T
several = [one for one in Until(open('f').read())]
pairs = list(zip(range(3), Until(open('f').read())))
after = torch.ones(4, 5)
`;
    const { program } = finish(readingPlaces(text));
    const labels = shapes(text);
    assert.deepEqual(program.notes.filter(({ kind, text: of }) => kind === 'stopped' || /steps/.test(of)), []); // prettier-ignore
    assert.equal(labels['product = one @ one.T'], '2×2');
    assert.equal(labels['after = torch.ones(4, 5)'], '4×5');
    // How many there are is not known, so that nothing is said of them.
    const unknown = program.bindings.filter(({ name }) => name === 'several' || name === 'pairs');
    assert.deepEqual([...new Set(unknown.map(({ node }) => node))], [undefined]);
    assert.equal(labels["pairs = list(zip(range(3), Until(open('f').read())))"], undefined);
    assert.equal(labels["several = [one for one in Until(open('f').read())]"], undefined);
  });

  it('where arrays and weights are arguments of a function that nothing calls', () => {
    const text = `import numpy as np

def softmax(x, axis=-1):
    e_x = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e_x / np.sum(e_x, axis=axis, keepdims=True)

def multi_head_attention(Q, K, V, W_q, W_k, W_v, W_o, num_heads):
    batch_size, seq_len_q, d_model = Q.shape
    _, seq_len_k, _ = K.shape
    d_k = d_model // num_heads
    Q = Q @ W_q
    K = K @ W_k
    V = V @ W_v
    Q = Q.reshape(batch_size, seq_len_q, num_heads, d_k).transpose(0, 2, 1, 3)
    K = K.reshape(batch_size, seq_len_k, num_heads, d_k).transpose(0, 2, 1, 3)
    V = V.reshape(batch_size, seq_len_k, num_heads, d_k).transpose(0, 2, 1, 3)
    scores = (Q @ K.transpose(0, 1, 3, 2)) / np.sqrt(d_k)
    weights = softmax(scores, axis=-1)
    context = weights @ V
    context = context.transpose(0, 2, 1, 3).reshape(batch_size, seq_len_q, d_model)
    output = context @ W_o
    return output
`;
    const found = shapes(text);
    assert.deepEqual(runProgram(text).refusals, [], 'sizes that stand in are found');
    assert.equal(found['weights = softmax(scores, axis=-1)'], '~ batch_size×num_heads×seq_len_q×seq_len_k');
    assert.equal(found['output = context @ W_o'], '~ 1×5×8');
  });
});

describe('no error is claimed', () => {
  it('of arrays in a program without tensors, whose transpose takes all axes', () => {
    const { notes } = runProgram(`import numpy as np
def heads(Q, V, W_q, W_v, num_heads):
    b, n, d = Q.shape
    Q = (Q @ W_q).reshape(b, n, num_heads, d // num_heads).transpose(0, 2, 1, 3)
    V = (V @ W_v).reshape(b, n, num_heads, d // num_heads).transpose(0, 2, 1, 3)
    return Q, V
`);
    assert.deepEqual(notes, []);
  });

  it('of an index of whose number type nothing is known', () => {
    const { notes } = runProgram(`import torch
words = open('names.txt').read().split()
ids = torch.tensor([w[0] for w in words])
C = torch.randn(27, 2)
emb = C[ids]
`);
    assert.deepEqual(notes.filter(({ kind }) => kind === 'error'), []); // prettier-ignore
  });

  it('of constants of the module string', () => {
    const { outputs, notes } = runProgram('import string\nprint(len(string.printable), string.ascii_letters[:3], string.punctuation)\n'); // prettier-ignore
    // As Python 3.11 prints it.
    assert.equal(outputs[0]?.text, '100 abc !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');
    assert.deepEqual(notes, []);
  });
});
