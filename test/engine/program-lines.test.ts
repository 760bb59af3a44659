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

  const errorsOf = (text: string): readonly string[] =>
    runProgram(text).notes.flatMap(({ kind, text: said }) => (kind === 'error' ? [said] : []));

  it('behind a return that may have been taken', () => {
    const text = `import torch
def first_even(values):
    for value in values:
        if value % 2 == 0:
            return torch.ones(2)
    raise ValueError('none')
def checked(flag):
    if flag:
        return torch.ones(2, 3)
    raise ValueError('no')
even = first_even(open('x').read())
sure = checked(open('x').read() == 'a')
`;
    assert.deepEqual(errorsOf(text), []);
    const { bindings } = runProgram(text);
    assert.deepEqual(bindings.find(({ name }) => name === 'sure')?.node?.shape, [2, 3]);
    // Where it is known that no return is taken, Python raises.
    assert.deepEqual(errorsOf(`${text}checked(False)\n`), ['ValueError: no']);
  });

  it('of attributes that functions, types and classes of libraries have', () => {
    const text = `import torch, os
import numpy as np
import torch.nn as nn
from torch.utils.data import Dataset
class Config(dict):
    __getattr__ = dict.__getitem__
width = Config({'width': 8}).width
table = np.zeros((3, 2))
np.add.at(table, [0, 1], np.ones((2, 2)))
class Holder:
    def part(self):
        return 3
part = Holder.part.__get__(Holder())
state = torch.optim.AdamW(nn.Linear(2, 2).parameters()).state_dict()
hooks = nn.Linear(2, 2)._forward_hooks
class Files(Dataset):
    def __init__(self, folder):
        self.names = os.listdir(folder)
    def __len__(self):
        return len(self.names)
    def __getitem__(self, i):
        return self.names[i]
one = (Files('a') + Files('b'))[3]
`;
    assert.deepEqual(errorsOf(text), []);
    // np.add.at is followed. What np.put wrote is not known, and zeros are not claimed.
    const lookedAt = (more: string): unknown => {
      const program = runProgram(`${text}${more}after = table + 1\n`);
      const { node } = program.bindings.find(({ name }) => name === 'after') ?? {};
      const found = node && finish(program.look(node));
      return found && 'data' in found ? [...found.data] : 'not known';
    };
    assert.deepEqual(lookedAt(''), [2, 2, 2, 2, 1, 1]);
    assert.equal(lookedAt('np.put(table, [0], 4)\n'), 'not known');
    // All attributes of these are known.
    assert.deepEqual(errorsOf('class A:\n    pass\nA().b\n'), ["AttributeError: 'A' object has no attribute 'b'"]);
    const named = 'import torch.nn as nn\nclass A(nn.Module):\n    pass\nA().b\n';
    assert.deepEqual(errorsOf(named), ["AttributeError: 'A' object has no attribute 'b'"]);
  });

  it('of arguments of a library that are not followed', () => {
    const text = 'import tensorflow as tf\nx = tf.ones((2, 3))\ny = tf.keras.layers.Dense(4)(x, mask=None)\n';
    assert.deepEqual(errorsOf(text), []);
    assert.deepEqual(runProgram(text).notes.map(({ text: said }) => said), ['Dense.call(mask=) is not followed']); // prettier-ignore
    const older = 'from d2l import torch as d2l\nattention = d2l.AdditiveAttention(4, 4, 8, 0.1)\n';
    assert.deepEqual(errorsOf(older), []);
  });

  it('nor a shape, of parameters that are called or are texts', () => {
    const text = `import torch
def score(model, tokenizer, text):
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    x = model.encoder(ids)
    weights = torch.softmax(x @ x.transpose(-2, -1), dim=-1)
    return weights
`;
    assert.deepEqual(shapes(text), {});
  });

  it('of constants of the module string', () => {
    const { outputs, notes } = runProgram('import string\nprint(len(string.printable), string.ascii_letters[:3], string.punctuation)\n'); // prettier-ignore
    // As Python 3.11 prints it.
    assert.equal(outputs[0]?.text, '100 abc !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');
    assert.deepEqual(notes, []);
  });
});
