// Where a program is read on although something is not there: a library of a GPU, a name that is still to be written, the vocabulary of a tokenizer.
import assert from 'node:assert/strict';
import { encodingNames, vocabularyModule, vocabularyText } from '../../engine/tokens';
import { vocabularyBytes } from '../../engine/tokens/vocabularies.mjs';
import { createAnswering } from '../../engine/program/serve';
import { formatShape } from '../../engine/program/tensor/dims';
import { einsum } from '../../engine/program/tensor/kernels/products';
import { readingProgram, runProgram, type Program } from '../../engine/program/program';
import { findAttention } from '../../engine/program/recognise';
import { finish } from '../../engine/text/pace';

const lines = (...all: readonly string[]): string => all.join('\n');

const shapeOf = (program: Program, name: string): string => {
  const found = program.bindings.findLast((binding) => binding.name === name && binding.node);
  return found?.node?.shape ? formatShape(found.node.shape) : 'none';
};

const numbersOf = (program: Program, name: string): readonly number[] | undefined => {
  const value = program.names.get(name);
  const dense = value?.kind === 'tensor' ? finish(program.look(program.current(value))) : undefined;
  return dense && 'data' in dense ? [...dense.data] : undefined;
};

const wholes = (program: Program, name: string): readonly number[] | undefined => {
  const value = program.names.get(name);
  return value?.kind === 'list' ? value.items.map((one) => (one.kind === 'int' ? Number(one.value) : NaN)) : undefined;
};

const notes = (program: Program): string => program.notes.map(({ text }) => text).join('\n');

const ids = lines(
  'import tiktoken, torch',
  'tokenizer = tiktoken.get_encoding("gpt2")',
  'batch = torch.stack([torch.tensor(tokenizer.encode(one)) for one in ["Every effort moves you", "Every day holds a"]])',
  'torch.manual_seed(123)',
  'rows = torch.nn.Embedding(tokenizer.n_vocab, 3)(batch)',
);

describe('a program that is read on', () => {
  let gpt2 = '';
  before(async () => {
    gpt2 = vocabularyText(await vocabularyBytes('gpt2'));
  });
  const withIds = (text: string): Program =>
    finish(
      readingProgram(text, {
        files: (module) => (module === vocabularyModule('gpt2') ? { text: gpt2, isPackage: false } : undefined),
      }),
    );

  // First, since an encoding that was read is kept.
  it('knows a tokenizer’s ids not without its vocabulary, and asks for that', () => {
    const program = runProgram(ids);
    assert.equal(numbersOf(program, 'batch'), undefined);
    assert.match(notes(program), /tiktoken\.get_encoding\(gpt2\) is not known/);
    const answering = createAnswering();
    const first = finish(answering({ kind: 'lines', text: ids }));
    assert.deepEqual(first.missing, ['tiktoken/gpt2']);
    const files = [{ module: 'tiktoken/gpt2', text: gpt2, isPackage: false }];
    const second = finish(answering({ kind: 'lines', text: ids, files }));
    assert.deepEqual(second.missing, []);
    assert.match(JSON.stringify(second.answer), /2×4×3/);
  });

  it('has the ids of tiktoken', () => {
    const program = withIds(ids);
    // Raschka, Build a Large Language Model (From Scratch), chapter 4, as printed.
    assert.deepEqual(numbersOf(program, 'batch'), [6109, 3626, 6100, 345, 6109, 1110, 6622, 257]);
    assert.equal(shapeOf(program, 'rows'), '2×4×3');
  });

  it('follows special tokens and texts of ids', () => {
    const program = withIds(
      lines(
        'from tiktoken import encoding_for_model',
        'enc = encoding_for_model("gpt2")',
        'ids = enc.encode("Hi<|endoftext|>", allowed_special={"<|endoftext|>"})',
        'plain = enc.encode("Hi<|endoftext|>", disallowed_special=())',
        'text = enc.decode(ids)',
        'refused = enc.encode("Hi<|endoftext|>")',
      ),
    );
    assert.deepEqual(wholes(program, 'ids'), [17250, 50256]);
    // tiktoken 0.7: enc.encode("<|endoftext|>", disallowed_special=()).
    assert.deepEqual(wholes(program, 'plain'), [17250, 27, 91, 437, 1659, 5239, 91, 29]);
    const text = program.names.get('text');
    assert.ok(text?.kind === 'str' && text.value === 'Hi<|endoftext|>');
    assert.equal(program.names.get('refused')?.kind, 'unknown');
    assert.match(notes(program), /ValueError: Encountered text corresponding to disallowed special token/);
  });

  it('names no module as a vocabulary', () => {
    for (const name of encodingNames) assert.doesNotMatch(vocabularyModule(name), /^[\w.]+$/);
  });

  it('takes a library of a GPU for not installed where the code says what it does without it', () => {
    const code = (handler: string): string =>
      lines(
        'try:',
        '    import cupy as np',
        '    fast = True',
        handler,
        '    import numpy as np',
        '    fast = False',
        'x = np.array([[1.0, 2.0], [3.0, 5.0]])',
        'e = np.exp(x - np.max(x, axis=-1, keepdims=True))',
        'weights = e / np.sum(e, axis=-1, keepdims=True)',
      );
    for (const handler of ['except:', 'except ImportError:', 'except (OSError, ModuleNotFoundError) as e:']) {
      const program = runProgram(code(handler));
      assert.equal(shapeOf(program, 'weights'), '2×2', handler);
      assert.match(notes(program), /cupy is read as not installed/);
    }
    // Nothing is said of its absence.
    assert.equal(numbersOf(runProgram(code('except ValueError:')), 'weights'), undefined);
  });

  it('reads a class that nobody calls on behind a name that is not there', () => {
    const code = lines(
      'import torch.nn as nn',
      'class Attention(nn.Module):',
      '    def __init__(self, d_model):',
      '        super().__init__()',
      '        self.check = Checker(d_model)',
      '        self.q = nn.Linear(d_model, d_model)',
      '    def forward(self, x):',
      '        B, T, C = x.shape',
      '        self.check(x)',
      '        scores = self.q(x) @ x.transpose(-2, -1)',
      '        return scores.softmax(-1) @ x',
    );
    const program = runProgram(code);
    assert.equal(shapeOf(program, 'scores'), 'B×T×T');
    assert.match(notes(program), /NameError: name 'Checker' is not defined/);
    // A line that runs ends there, as in Python.
    const run = runProgram(lines('import torch', 'x = Checker()', 'y = torch.ones(2)'));
    assert.equal(run.names.get('x')?.kind, 'unknown');
    assert.equal(run.notes.find(({ text }) => text.includes('Checker'))?.kind, 'error');
  });

  it('adds up an einsum’s sums side by side, each in its own order', () => {
    const size = { i: 3, j: 7, k: 5 };
    const numbers = (n: number): Float64Array =>
      Float64Array.from({ length: n }, (_, i) => Math.fround(Math.sin(i + n)));
    for (const dtype of ['float32', 'float64', 'float16'] as const) {
      const [a, b] = [numbers(size.i * size.k), numbers(size.k * size.j)];
      const dense = (data: Float64Array, ...shape: number[]) => ({ data, shape, dtype });
      const found = finish(
        einsum([dense(a, size.i, size.k), dense(b, size.k, size.j)], {
          shape: [size.i, size.j],
          dtype,
          attributes: { equation: 'ik,kj->ij' },
        }),
      );
      const round = dtype === 'float64' ? (x: number) => x : Math.fround;
      const expected = Float64Array.from({ length: size.i * size.j }, (_, at) => {
        let sum = 0;
        for (let k = 0; k < size.k; k++)
          sum = round(
            sum + round((a[Math.floor(at / size.j) * size.k + k] ?? 0) * (b[k * size.j + (at % size.j)] ?? 0)),
          );
        return sum;
      });
      assert.equal(found.length, expected.length);
      for (const [at, x] of found.entries())
        assert.ok(
          dtype === 'float16' ? Math.abs(x - (expected[at] ?? NaN)) < 1e-3 : x === expected[at],
          `${dtype} ${at}`,
        );
    }
  });
});

describe('a generator beside a condition that is not known', () => {
  const read = (...code: readonly string[]): Program =>
    runProgram(lines('import torch, os', 'flag = bool(os.environ.get("X"))', ...code));
  const kindOf = (program: Program, name: string): string => program.names.get(name)?.kind ?? 'none';
  const number = (program: Program, name: string): unknown => {
    const value = program.names.get(name);
    return value?.kind === 'int' ? Number(value.value) : value?.kind;
  };

  it('has items of which nothing is claimed once it may have ended', () => {
    const program = read(
      'def gen():',
      '    for i in range(5):',
      '        yield i',
      '        if flag:',
      '            return',
      'g = gen()',
      'first = next(g)',
      'second = next(g)',
      'all = list(gen())',
    );
    assert.deepEqual([number(program, 'first'), number(program, 'second'), kindOf(program, 'all')], [0, 'unknown', 'unknown']); // prettier-ignore
  });

  it('is not known where a way that may not be taken has asked it, and goes on where none has', () => {
    const program = read(
      'asked, other = iter([1, 2, 3]), (i for i in range(3))',
      'if flag:',
      '    next(asked)',
      'a, b = next(asked), next(other)',
      'if flag:',
      '    b = b + 1',
      'c = next(other)',
    );
    assert.deepEqual([number(program, 'a'), number(program, 'b'), number(program, 'c')], ['unknown', 'unknown', 1]);
  });

  it('undoes what its body changed in a way that may not be taken', () => {
    const program = read(
      'seen = []',
      'def gen():',
      '    try:',
      '        while True:',
      '            seen.append(1)',
      '            yield len(seen)',
      '    finally:',
      '        pass',
      'g = gen()',
      'one = next(g)',
      'if flag:',
      '    next(g)',
      'n = len(seen)',
    );
    assert.deepEqual([number(program, 'one'), number(program, 'n')], [1, 'unknown']);
  });

  it('of endless numbers is followed as far as it is asked', () => {
    const program = read('def count():', '    n = 0', '    while True:', '        yield n', '        n += 1', 'rows = [n for n, _ in zip(count(), range(4))]', 'endless = sum(count())', 'after = 3'); // prettier-ignore
    assert.deepEqual(wholes(program, 'rows'), [0, 1, 2, 3]);
    assert.equal(kindOf(program, 'endless'), 'unknown');
    assert.equal(number(program, 'after'), 3);
  });
});

it('a word of which a match statement takes a way stands in for an argument', () => {
  const { graph } = runProgram(
    lines(
      'import torch',
      'def attend(q, k, v, how):',
      '    match how:',
      "        case 'scaled':",
      '            scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5',
      '        case _:',
      '            raise ValueError(how)',
      '    return torch.softmax(scores, dim=-1) @ v',
    ),
  );
  assert.equal(findAttention(graph).length, 1);
});
