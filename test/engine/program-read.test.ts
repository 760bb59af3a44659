import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatShape } from '../../engine/program/tensor/dims';
import { runProgram, type Program } from '../../engine/program/program';
import { finish } from '../../engine/text/pace';

const lines = (...all: readonly string[]): string => all.join('\n');

const valuesOf = (program: Program, name: string): readonly number[] => {
  const value = program.names.get(name);
  assert.equal(value?.kind, 'tensor', `${name} is ${value?.kind}`);
  const dense = value.kind === 'tensor' ? finish(program.look(program.current(value))) : undefined;
  assert.ok(dense && 'data' in dense, `${name} has no values`);
  return [...dense.data];
};

/** The last shape that a name was bound to. */
const shapeOf = (program: Program, name: string): string => {
  const found = program.bindings.findLast((binding) => binding.name === name && binding.node);
  return found?.node?.shape ? formatShape(found.node.shape) : 'none';
};

const near = (actual: number | undefined, expected: number): void =>
  assert.ok(Math.abs((actual ?? NaN) - expected) < 5e-5, `${actual}, expected ${expected}`);

const attention = lines(
  'import torch, math',
  'import torch.nn as nn',
  'class Attention(nn.Module):',
  '    def __init__(self, config):',
  '        super().__init__()',
  '        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd)',
  '        self.drop = nn.Dropout(config.dropout)',
  '        self.n_head, self.n_embd = config.n_head, config.n_embd',
  '    def forward(self, x):',
  '        B, T, C = x.size()',
  '        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)',
  '        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)',
  '        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)',
  '        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)',
  '        att = self.drop(torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1))',
  '        y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)',
  '        return y',
);

describe('a program that is read', () => {
  it('has the numbers of the book: its two self-attentions, first rows', () => {
    const text = readFileSync(join(__dirname, '../fixtures/programs/rasbt_chapter3.py'), 'utf8');
    const program = runProgram(text);
    // Raschka, Build a Large Language Model (From Scratch), chapter 3, as printed.
    const [v1, v2] = [valuesOf(program, 'out1'), valuesOf(program, 'out2')];
    near(v1[0], 0.2996);
    near(v1[1], 0.8053);
    near(v2[0], -0.0739);
    near(v2[1], 0.0713);
  });

  it('has shapes by the names in a class that nobody calls', () => {
    const program = runProgram(attention);
    assert.equal(shapeOf(program, 'q'), 'B×n_head×T×C//n_head');
    assert.equal(shapeOf(program, 'att'), 'B×n_head×T×T');
    assert.equal(shapeOf(program, 'y'), 'B×T×C');
    assert.ok(program.bindings.filter(({ name }) => name === 'att').every(({ standIn }) => standIn));
  });

  it('keeps what parses around an unfinished line, and names the line', () => {
    const program = runProgram(
      lines(
        'import numpy as np',
        'a = np.ones((2, 3))',
        'b = a @ (',
        'c = a.T',
        'def f(x):',
        '    y = x +',
        '    return x',
        'd = f(3)',
      ),
    );
    assert.equal(shapeOf(program, 'c'), '3×2');
    assert.ok(program.notes.some(({ kind }) => kind === 'skipped'));
    assert.equal(program.names.get('d')?.kind, 'int');
  });

  it('names what a notebook says to its shell, and follows the rest', () => {
    const program = runProgram(
      lines('%matplotlib inline', '!pip install torch', 'import torch', 'x = torch.ones(2, 3)', 'x.shape?'),
    );
    assert.deepEqual(
      program.notes.map(({ kind }) => kind),
      ['skipped', 'skipped', 'skipped'],
    );
    assert.equal(shapeOf(program, 'x'), '2×3');
  });

  it('says where Python would stop, as Python says it, and goes on', () => {
    const text = lines('import torch', 'a = torch.ones(6, 3)', 'b = a @ torch.ones(2, 3)', 'c = a.T');
    const [note] = runProgram(text).notes;
    assert.equal(note?.text, 'RuntimeError: mat1 and mat2 shapes cannot be multiplied (6x3 and 2x3)');
    assert.equal(text.slice(note.range.start, note.range.end), 'a @ torch.ones(2, 3)');
    assert.equal(shapeOf(runProgram(text), 'c'), '3×6');
  });

  it('names the first cause of what is not known, once', () => {
    const text = lines('from sageattention import sageattn', 'x = sageattn(1)', 'y = x + 1', 'z = y * 2');
    const program = runProgram(text);
    const z = program.names.get('z');
    assert.equal(
      z?.kind === 'unknown' && text.slice(z.cause.range.start, z.cause.range.end),
      'from sageattention import sageattn',
    );
    assert.equal(program.notes.length, 1);
  });

  it('knows unseeded draws in shape only', () => {
    const program = runProgram(lines('import torch', 'x = torch.randn(2, 3)', 'y = x @ x.T'));
    const y = program.names.get('y');
    assert.ok(y?.kind === 'tensor' && y.node.why?.text.includes('seed'));
    assert.equal(shapeOf(program, 'y'), '2×2');
  });

  it('takes neither way of a condition that is not known', () => {
    const program = runProgram(
      lines(
        'import torch',
        'x = torch.randn(1)',
        'if x > 0:',
        '    a = torch.zeros(2)',
        '    b = 1',
        '    c = 3',
        'else:',
        '    a = torch.ones(2)',
        '    b = 2',
        '    c = 3',
      ),
    );
    const [a, b, c] = ['a', 'b', 'c'].map((name) => program.names.get(name));
    assert.ok(a?.kind === 'tensor' && a.node.why);
    assert.equal(b?.kind, 'unknown');
    assert.equal(c?.kind, 'int');
  });

  it('stops a program without end, and says so', () => {
    const program = runProgram(lines('i = 0', 'while True:', '    i += 1'), { steps: 5000 });
    assert.deepEqual(
      program.notes.map(({ kind }) => kind),
      ['stopped'],
    );
  });

  it('reads modules of the workspace', () => {
    const files: Readonly<Record<string, string>> = { '.layers': 'import torch\ndef twice(x):\n    return 2 * x\n' };
    const program = runProgram(lines('import torch', 'from .layers import twice', 'y = twice(torch.ones(3))'), {
      files: (name) => (files[name] === undefined ? undefined : { text: files[name], isPackage: false }),
    });
    assert.deepEqual(valuesOf(program, 'y'), [2, 2, 2]);
  });

  it('ends where a list holds itself, as Python does', () => {
    const program = runProgram(
      lines(
        'a, b = [], []',
        'a.append(a)',
        'a.append(a)',
        'b.append(b)',
        'b.append(b)',
        'same = a == b',
        'text = str(a)',
      ),
    );
    assert.deepEqual(
      program.notes.map(({ text }) => text),
      ['RecursionError: maximum recursion depth exceeded in comparison'],
    );
    assert.deepEqual(program.names.get('text'), { kind: 'str', value: '[[...], [...]]' });
  });

  it('asks for what an imported file imports under the name that the program would use', () => {
    // Python 3.11 finds each of these so: model is a package, model.block and model.parts.scale are files in it.
    const files: Readonly<Record<string, readonly [text: string, isPackage?: boolean]>> = {
      model: ['from .block import twice', true],
      'model.block': ['from .parts.scale import by\ndef twice(x):\n    return by * x\n'],
      'model.parts.scale': ['from ..constants import two as by\n'],
      'model.constants': ['two = 2\n'],
    };
    const asked: string[] = [];
    const program = runProgram(lines('import torch', 'from model import twice', 'y = twice(torch.ones(2))'), {
      files(name) {
        asked.push(name);
        const file = files[name];
        return file && { text: file[0], isPackage: file[1] === true };
      },
    });
    assert.deepEqual(valuesOf(program, 'y'), [2, 2]);
    assert.deepEqual(asked.filter((name) => name !== 'torch'), ['model', 'model.block', 'model.parts.scale', 'model.constants']); // prettier-ignore
  });

  it('gives what an imported file computes the place of the call', () => {
    const text = lines('import torch', 'from layers import attend', '', 'x = torch.ones(2, 3)', 'y = attend(x)');
    const attend = 'import torch\n'.repeat(20) + 'def attend(x):\n    return torch.softmax(x @ x.T, dim=-1) @ x\n';
    const { graph } = runProgram(text, { files: (name) => (name === 'layers' ? { text: attend, isPackage: false } : undefined) }); // prettier-ignore
    const softmax = graph.nodes.find(({ operation }) => operation === 'softmax');
    assert.equal(text.slice(softmax?.range.start, softmax?.range.end), 'attend(x)');
  });
});
