import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explaining } from '../../engine/program/explain/explain';
import { runProgram, type Program } from '../../engine/program/program';
import { titleOf } from '../../engine/program/places/attentions';
import { d2l } from '../../engine/program/libraries/prelude/d2l';
import { findAttention, lastOf } from '../../engine/program/recognise/find';
import { finish } from '../../engine/text/pace';
import { pythonOrSkip } from '../reference/python';
import { runPython } from './program-compare';

const shapeOf = ({ names }: Program, name: string): string => {
  const value = names.get(name);
  return value?.kind === 'tensor' ? JSON.stringify(value.node.shape) : (value?.kind ?? 'nothing');
};

const errorsOf = ({ notes }: Program): readonly string[] =>
  notes.filter(({ kind }) => kind === 'error').map(({ text }) => text);

describe('well-known attention code', function () {
  this.timeout(60_000);

  it('reads usual names of libraries that are imported nowhere, and says so', () => {
    const program = runProgram('x = torch.ones(2, 3)\ny = F.softmax(x / math.sqrt(3), dim=-1)\nz = np.ones((2, 4))\n');
    assert.deepEqual(errorsOf(program), []);
    assert.deepEqual(['y', 'z'].map((name) => shapeOf(program, name)), ['[2,3]', '[2,4]']); // prettier-ignore
    const said = program.notes.map(({ text }) => text);
    assert.ok(said.includes('torch is not imported here; read as PyTorch'), said.join('; '));
    assert.ok(said.includes('np is not imported here; read as NumPy'));
  });

  it('leaves a usual name alone that the text binds, though later or elsewhere', () => {
    const later = runProgram('y = np.ones(2)\nimport numpy as np\n');
    assert.deepEqual(errorsOf(later), ["NameError: name 'np' is not defined"]);
    const own = runProgram('print(F)\nF = 3\n');
    assert.deepEqual(errorsOf(own), ["NameError: name 'F' is not defined"]);
  });

  it('keeps a layer’s definition that a branch of unknown outcome was the first to ask for', () => {
    const program = runProgram(
      'import os, torch, torch.nn as nn\nif os.path.isfile("a"):\n    first = nn.Linear(2, 3)\nlayer = nn.Linear(4, 5)\nw = layer.weight\n',
    );
    assert.deepEqual(errorsOf(program), []);
    assert.equal(shapeOf(program, 'w'), '[5,4]');
  });

  it('refuses a size that is no whole number, as Python does', () => {
    const program = runProgram('import torch\ntorch.manual_seed(0)\nn = torch.randn(())\nx = torch.empty(n, 3)\n');
    assert.deepEqual(errorsOf(program), ['TypeError: only integer tensors of a single element can be converted to an index']); // prettier-ignore
  });

  it('knows that Python has names which are not followed, and what may bind others', () => {
    const read = (text: string): readonly string[] => errorsOf(runProgram(text));
    for (const name of [
      'globals()',
      'locals()',
      'hex(3)',
      'bin(3)',
      'dir()',
      'complex(1, 2)',
      'bytearray(3)',
      'TimeoutError',
      'get_ipython()',
      'Out[1]',
      '_',
    ])
      assert.deepEqual(read(`x = ${name}\n`), [], name);
    assert.deepEqual(read("exec(open('other.py').read())\ny = made_there\n"), []);
    assert.deepEqual(read('x = not_there\n'), ["NameError: name 'not_there' is not defined"]);
    // What an `except` catches: RecursionError is a RuntimeError, KeyboardInterrupt no Exception.
    const caught = runProgram("a = b = 0\ntry:\n    raise RecursionError('deep')\nexcept RuntimeError:\n    a = 1\ntry:\n    try:\n        raise KeyboardInterrupt\n    except Exception:\n        b = 1\nexcept KeyboardInterrupt:\n    b = 2\n"); // prettier-ignore
    assert.deepEqual(['a', 'b'].map((name) => caught.names.get(name)), [{ kind: 'int', value: 1 }, { kind: 'int', value: 2 }]); // prettier-ignore
  });

  it('claims no place in a list or a range where the index is not known', () => {
    const lines = ['k = int(input())', 'a = range(5)[k]', 'b = range(5)[k:]', 'c = [1, 2]', 'c.insert(k, 3)', 'd = [1, 2]', 'd.pop(k)', 'e = c[0]', 'f = d[0]', 'g = len(range(5)[k:])']; // prettier-ignore
    const program = runProgram(lines.join('\n'));
    assert.deepEqual(errorsOf(program), []);
    for (const name of 'abefg') assert.equal(program.names.get(name)?.kind, 'unknown', name);
  });

  it('makes sets of the keys of dicts', () => {
    const program = runProgram('a = {"x": 1, "y": 2}\nb = sorted(a.keys() - {"x"})\nc = sorted(a.keys() | {"z"})\nd = len(a.keys() & {"y"})\ne = a.items() - {("x", 1)}\nprint(b, c, d, e)\n'); // prettier-ignore
    assert.deepEqual(program.outputs.map(({ text }) => text), ["['y'] ['x', 'y', 'z'] 1 {('y', 2)}"]); // prettier-ignore
  });

  it('starts at Q, K and V where the layers have more numbers than can be given, and says so', () => {
    const text = [
      'import torch, math', 'from torch import nn', 'torch.manual_seed(1)', 'd = 640',
      'w_q, w_k, w_v, w_o = (nn.Linear(d, d) for _ in range(4))', 'x = torch.randn(1, 3, d)',
      'q, k, v = (w(x).view(1, 3, 2, d // 2).transpose(1, 2) for w in (w_q, w_k, w_v))',
      's = q @ k.transpose(-2, -1) / math.sqrt(d // 2)', 'a = s.softmax(-1)',
      'out = w_o((a @ v).transpose(1, 2).reshape(1, 3, d))',
    ].join('\n'); // prettier-ignore
    const program = runProgram(text);
    const attention = lastOf(findAttention(program.graph));
    assert.ok(attention);
    const made = finish(explaining(text, program, attention));
    assert.ok(made.ok, made.ok ? '' : JSON.stringify(made.problems));
    const { start } = made.value.spec;
    assert.ok(start.from === 'program');
    const ids = start.steps.map(({ id }) => id);
    for (const id of ['q', 'k', 'v', 'scores', 'weights', 'output']) assert.ok(ids.includes(id), ids.join());
    for (const id of ['wq', 'wo', 'x']) assert.ok(!ids.includes(id), ids.join());
    assert.match(
      made.value.said[0]?.message ?? '',
      /^The input and its layers have 1642880 numbers, the limit is 1048576/,
    );
  });

  it('gives an attention’s sizes from the sample where its reading by names has none', () => {
    const text = [
      'import math', 'from torch import nn',
      'class Dot(nn.Module):', '    def __init__(self):', '        super().__init__()', '        self.softmax = nn.Softmax(dim=-1)',
      '    def forward(self, q, k, v):', '        b, h, n, d = k.size()', '        s = (q @ k.transpose(2, 3)) / math.sqrt(d)',
      '        return self.softmax(s) @ v',
    ].join('\n'); // prettier-ignore
    const attention = lastOf(findAttention(runProgram(text).graph));
    assert.ok(attention);
    assert.equal(finish(titleOf(attention)), '~5×5, 2 heads, no mask');
  });

  it('takes the arguments that are saved as hyperparameters', () => {
    const program = runProgram(
      [
        'import torch', 'from d2l import torch as d2l', 'import pytorch_lightning as pl',
        'class Block(d2l.Module):', '    def __init__(self, width, heads=2, *, drop=0.0):', '        super().__init__()',
        "        self.save_hyperparameters(ignore=['drop'])", '        self.size = self.width // self.heads',
        'class Light(pl.LightningModule):', '    def __init__(self, width):', '        super().__init__()',
        '        self.save_hyperparameters()', '        self.twice = 2 * self.hparams.width + self.hparams["width"]',
        'a, b = Block(8), Light(3)', 'print(a.size, b.twice, hasattr(a, "drop"))',
      ].join('\n'), // prettier-ignore
    );
    assert.deepEqual(errorsOf(program), []);
    assert.deepEqual(program.outputs.map(({ text }) => text), ['4 9 False']); // prettier-ignore
  });

  it('finds additive attention, whose scores are no product of queries and keys', () => {
    const text = readFileSync(join(__dirname, '../fixtures/programs/lazy_additive.py'), 'utf8');
    const program = runProgram(text);
    const [additive, heads] = findAttention(program.graph);
    assert.ok(additive && heads);
    const made = finish(explaining(text, program, additive));
    assert.ok(made.ok, made.ok ? '' : JSON.stringify(made.problems));
    const { start } = made.value.spec;
    assert.ok(start.from === 'program');
    const lines = Object.fromEntries(start.steps.map(({ id, line }) => [id, line]));
    assert.deepEqual([lines['scores'], lines['masked'], lines['weights'], lines['output']], [22, 24, 24, 25]);
  });

  it('has the package of the book’s chapters: heads side by side in the batch, with the numbers of its definitions', function () {
    const python = pythonOrSkip(this, 'torch');
    const use = [
      'torch.manual_seed(5)', 'attention = d2l.MultiHeadAttention(8, 2, 0.5)', 'X = torch.randn(2, 3, 8)',
      'attention.eval()', 'out = attention(X, X, X, torch.tensor([2, 3]))', 'd2l.check_shape(out, (2, 3, 8))',
      'pe = d2l.PositionalEncoding(8, 0.0, 10)', 'y = pe(X)',
      // As the book's first edition calls it: sizes of keys, queries and values before all others.
      'first = d2l.MultiHeadAttention(6, 8, 5, 4, 2, 0.5)', 'first.eval()',
      'old = first(X, torch.randn(2, 3, 6), torch.randn(2, 3, 5), torch.tensor([2, 3]))',
      'masked = d2l.sequence_mask(torch.ones(2, 3), torch.tensor([1, 2]), value=-1)',
    ].join('\n'); // prettier-ignore
    const before = 'import math, torch\nfrom torch import nn\nimport torch.nn.functional as F\nclass Saving:\n    def save_hyperparameters(self): pass\n'; // prettier-ignore
    const own = `${before}${d2l.replace('class HyperParameters:', 'class HyperParameters(Saving):')}\nclass d2l:\n    MultiHeadAttention, PositionalEncoding, check_shape, sequence_mask = MultiHeadAttention, PositionalEncoding, check_shape, sequence_mask\n${use}\n`; // prettier-ignore
    const [ran] = runPython(python, [own]);
    assert.equal(ran?.error, null);
    const program = runProgram(`import torch\nfrom d2l import torch as d2l\n${use}\n`);
    assert.deepEqual(errorsOf(program), []);
    assert.equal(findAttention(program.graph).length, 2);
    for (const name of ['out', 'y', 'old', 'masked']) {
      const value = program.names.get(name);
      assert.ok(value?.kind === 'tensor');
      const dense = finish(program.look(program.current(value)));
      const expected = ran?.names[name]?.values ?? [];
      assert.ok('data' in dense && expected.length === dense.data.length);
      expected.forEach((x, i) => assert.ok(Math.abs(Number(x) - (dense.data[i] ?? NaN)) < 1e-6, `${name} ${i}`));
    }
  });

  it('refuses a number where PyTorch wants a tensor, in code that nobody calls too, as tutorial 003 has it', () => {
    const program = runProgram('import torch\nx = torch.ones(2, 3)\ny = torch.sqrt(x.size(-1))\n');
    assert.deepEqual(errorsOf(program), ["TypeError: sqrt(): argument 'input' (position 1) must be Tensor, not int"]);
    const text = [
      'def attention(Q, K, V):', '    dk = K.size(-1)', '    scores = torch.matmul(Q, K.transpose(-2, -1)) / torch.sqrt(dk)',
      '    return torch.matmul(torch.softmax(scores, dim=-1), V)',
    ].join('\n'); // prettier-ignore
    const uncalled = runProgram(text);
    assert.equal(findAttention(uncalled.graph).length, 0);
    assert.match(uncalled.refusals[0]?.text ?? '', /sqrt\(\): argument 'input'/);
  });

  it('prints nothing where no line calls', () => {
    const program = runProgram('def main():\n    print("never")\nprint("once")\n');
    assert.deepEqual(program.outputs.map(({ text }) => text), ['once']); // prettier-ignore
  });
});
