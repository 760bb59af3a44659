/** Faults that attention code of public repositories showed: endless readings, wrong numbers after ways that are not known, exceptions of ours. */
import assert from 'node:assert/strict';
import { formatShape } from '../../engine/program/tensor/dims';
import { runProgram, type Program } from '../../engine/program/program';
import { explaining } from '../../engine/program/explain/explain';
import { chosen } from '../../engine/program/explain/choose';
import { findAttention } from '../../engine/program/recognise/find';
import { finish } from '../../engine/text/pace';

const lines = (...all: readonly string[]): string => all.join('\n');

/** Shape and values, or the reason that there are none. */
function told(program: Program, name: string): string {
  const value = program.names.get(name);
  if (value?.kind === 'unknown') return value.cause.text;
  if (value?.kind !== 'tensor') return value?.kind === 'bool' ? String(value.value) : (value?.kind ?? 'nothing');
  const node = program.current(value);
  const found = finish(program.look(node));
  const shape = node.shape ? formatShape(node.shape) : '?';
  return `${shape}: ${'data' in found ? [...found.data].map((x) => x.toFixed(4)).join(' ') : found.text}`;
}

const stopped = (program: Program): boolean => program.notes.some(({ kind }) => kind === 'stopped');

describe('attention code as it is found', () => {
  it('ends with a function that calls itself under conditions that are not known', () => {
    const program = runProgram(
      lines(
        'import torch.nn as nn',
        'def loss(scores, target):',
        '    entropy = nn.CrossEntropyLoss()',
        '    return entropy(scores, target)',
      ),
      { steps: 20_000 },
    );
    assert.ok(!stopped(program));
  });

  const afterWay = 'what is drawn after this is not known: which way the code goes here is not known';

  it('has no numbers that are drawn after draws of which it is not known how many there were', () => {
    const seeded = ['import torch', 'torch.manual_seed(0)', 'n = int(input())'];
    const loop = runProgram(lines(...seeded, 'for i in range(n):', '    y = torch.randn(3)', 'x = torch.randn(2)'));
    assert.equal(told(loop, 'x'), `2: ${afterWay}`);
    const branch = runProgram(lines(...seeded, 'if n > 2:', '    y = torch.rand(3)', 'x = torch.randn(2)'));
    assert.equal(told(branch, 'x'), `2: ${afterWay}`);
    const reseeded = runProgram(lines(...seeded, 'if n > 2:', '    torch.manual_seed(1)', 'x = torch.randn(2)'));
    assert.equal(told(reseeded, 'x'), `2: ${afterWay}`);
    // PyTorch: torch.manual_seed(0); torch.randn(2).
    const none = runProgram(lines(...seeded, 'if n > 2:', '    y = torch.ones(3)', 'x = torch.randn(2)'));
    assert.equal(told(none, 'x'), '2: 1.5410 -0.2934');
  });

  it('reads a training loop once, and what comes after it', () => {
    const program = runProgram(
      lines(
        'import torch',
        'w = torch.nn.Linear(2, 2)',
        'best = torch.zeros(2)',
        'optimizer = torch.optim.SGD(w.parameters(), lr=0.1)',
        'for step in range(100000):',
        '    loss = w(torch.ones(4, 2)).sum()',
        '    loss.backward()',
        '    optimizer.step()',
        '    if step == 500:',
        '        best = torch.ones(3)',
        'y = torch.ones(2) + 1',
      ),
    );
    assert.ok(!stopped(program));
    assert.equal(told(program, 'y'), '2: 2.0000 2.0000');
    assert.equal(told(program, 'loss'), '(): training is not followed');
    assert.equal(told(program, 'best'), '?: training is not followed');
  });

  it('goes on after a loop and a comprehension that are too long, with what they change not known', () => {
    const why = 'this loop takes more steps than are followed';
    const program = runProgram(
      lines(
        'import numpy as np',
        'k, a, late = 0, np.zeros(2), []',
        'for i in range(300000):',
        '    k = k + 1',
        '    if i == 200000:',
        '        a = np.zeros(3)',
        '        late.append(1)',
        '    if i == 200001:',
        '        z = 5',
        'empty = len(late) == 0',
        't = np.array([[p / np.power(10000, 2 * i / 512) for i in range(0, 512, 2)] for p in range(300)])',
        'b = np.ones(2)',
      ),
    );
    assert.ok(!stopped(program));
    assert.equal(told(program, 'k'), why);
    assert.equal(told(program, 'a'), `?: ${why}`);
    assert.equal(told(program, 'z'), why);
    assert.equal(told(program, 'empty'), why);
    assert.equal(told(program, 't'), '300×256: this takes more steps than are followed');
    assert.equal(told(program, 'b'), '2: 1.0000 1.0000');
  });

  it('compares objects with what is not known, takes keys that are not known, and stacks nothing as Python does', () => {
    const program = runProgram(
      lines(
        'import numpy as np',
        'class A:',
        '    pass',
        'n = int(input())',
        'same = A() == n',
        'other = A() == 3',
        'itself = (lambda a: a == a)(A())',
        'd = {(1, 2): 3}',
        'there = (1, n) in d',
        'got = d[(n, 2)]',
        'd[(n, 3)] = 4',
        'kept = d[(1, 2)]',
        'np.vstack([])',
      ),
    );
    const input = 'input is not followed: nothing is read or run';
    for (const name of ['same', 'there', 'got', 'kept']) assert.equal(told(program, name), input, name);
    assert.equal(told(program, 'other'), 'false');
    assert.equal(told(program, 'itself'), 'true');
    assert.ok(program.notes.some(({ text }) => text === 'ValueError: need at least one array to concatenate'));
  });

  it('draws after a seed of Lightning what PyTorch and NumPy draw after theirs', () => {
    const program = runProgram(
      lines(
        'import numpy as np',
        'import pytorch_lightning as pl',
        'import torch',
        'pl.seed_everything(42)',
        'q = torch.randn(1, 2)',
        'a = np.random.rand(2)',
      ),
    );
    // torch.manual_seed(42), np.random.seed(42).
    assert.equal(told(program, 'q'), '1×2: 0.3367 0.1288');
    assert.equal(told(program, 'a'), '2: 0.3745 0.9507');
  });

  it('says at the line that calls what went wrong within what it calls', () => {
    const text = lines(
      'import torch',
      'def masked(scores, mask):',
      '    scores += mask',
      '    return scores.softmax(-1)',
      'w = masked(torch.zeros(2, 2), torch.zeros(3, 2, 2))',
    );
    const places = runProgram(text).notes.filter(({ kind }) => kind !== 'assumed').map(({ range }) => text.slice(range.start, range.end)); // prettier-ignore
    assert.equal(places.length, 2);
    assert.ok(places.some((place) => place.startsWith('w = masked')));
  });

  it('has no number where elements that are one in memory are filled one by one', () => {
    const program = runProgram(
      lines(
        'import torch',
        'mask = torch.tensor([[[True, False]], [[False, False]]])',
        "y = torch.zeros(1, 2).expand(2, 1, 2).masked_fill_(mask, float('-inf'))",
      ),
    );
    assert.equal(told(program, 'y'), '2×1×2: several of its elements are one in memory');
  });

  it('reads what stands after a definition that takes more steps than are followed', () => {
    const program = runProgram(
      lines(
        'import torch',
        'def count(n):',
        '    total = 0',
        '    while total < 10 ** 9:',
        '        total = total + 1 if n else count(total)',
        '    return total',
        'def attend(q):',
        '    w = (q @ q.transpose(0, 1)).softmax(-1)',
        '    return w @ q',
      ),
      { watch: true },
    );
    assert.ok(program.sampleBindings.some(({ name }) => name === 'w'));
  });

  it('takes a name that nothing binds for one of the module whose names were all imported', () => {
    const program = runProgram(
      lines('from random import *', 'n = randrange(4)', 'def f():', '    return later', 'm = f()', 'later = 1'),
    );
    assert.equal(told(program, 'n'), 'without a seed each run draws other numbers');
    // What the text itself binds, and has not yet, is no name of another module.
    assert.equal(told(program, 'm'), "NameError: name 'later' is not defined");
    const plain = runProgram('n = randrange(4)');
    assert.equal(told(plain, 'n'), "NameError: name 'randrange' is not defined");
  });

  it('reads a class whose name a later cell binds again', () => {
    const text = lines(
      'import torch',
      'class Attention:',
      '    def forward(self, x):',
      '        first = torch.softmax(x @ x.transpose(-2, -1), dim=-1)',
      '        return first @ x',
      'class Attention:',
      '    def forward(self, x):',
      '        second = torch.softmax(2 * x @ x.transpose(-2, -1), dim=-1)',
      '        return second @ x',
    );
    const program = runProgram(text, { watch: true });
    const own = findAttention(program.graph).map(({ site }) => text.slice(0, site.weights.range.start).split('\n').length); // prettier-ignore
    assert.deepEqual([...own].sort(), [4, 8]);
  });

  it('adds more to a list than a call may have arguments, and a list to itself', () => {
    const program = runProgram(
      lines(
        'import torch',
        'n = int(input())',
        'found = []',
        'if n > 2:',
        '    found += list(range(200000))',
        '    found.extend(range(200000))',
        'both = [1, 2]',
        'both += both',
        'x = torch.tensor(both) * 2.0',
      ),
    );
    assert.equal(told(program, 'x'), '4: 2.0000 4.0000 2.0000 4.0000');
  });

  it('refuses an attention of more numbers than it may have before it computes any', () => {
    const text = lines(
      'import torch',
      'torch.manual_seed(0)',
      'x = torch.randn(64, 300, 8)',
      'y = torch.softmax(x @ x.transpose(1, 2), dim=-1) @ x',
    );
    const program = runProgram(text);
    const [attention] = findAttention(program.graph);
    assert.ok(attention);
    let looks = 0;
    const counted = { ...program, look: (...args: Parameters<Program['look']>) => ((looks += 1), program.look(...args)) }; // prettier-ignore
    const made = finish(explaining(text, counted, attention));
    assert.match(made.ok ? '' : (made.problems[0]?.message ?? ''), /more than 4194304 numbers/);
    assert.equal(looks, 0);
  });

  it('finds the attention of a layer at the line that makes it, also where its weights were replaced since', () => {
    const text = lines(
      'import torch',
      'import torch.nn as nn',
      'torch.manual_seed(0)',
      'x = torch.randn(1, 4, 4)',
      'w = torch.randn(12, 4)',
      'layer = nn.MultiheadAttention(4, 2, bias=False, batch_first=True)',
      'layer.in_proj_weight = nn.Parameter(w)',
      'layer.out_proj.weight = nn.Parameter(w[:4])',
      'y, _ = layer(x, x, x)',
    );
    const program = runProgram(text);
    const at = text.indexOf('layer =');
    assert.ok(chosen(text, program.graph, findAttention(program.graph), { start: at, end: at + 1 }));
    const other = text.indexOf('w =');
    assert.ok(
      chosen(text, program.graph, findAttention(program.graph), { start: other, end: other + 1 }) !== undefined,
    );
    const none = text.indexOf('import torch.nn');
    assert.equal(chosen(text, program.graph, findAttention(program.graph), { start: none, end: none + 1 }), undefined);
  });

  it('reads static methods and class methods that nothing calls', () => {
    const text = lines(
      'import torch',
      'class Ops:',
      '    @staticmethod',
      '    def attend(q, k, v):',
      '        weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)',
      '        return weights @ v',
    );
    const program = runProgram(text, { watch: true });
    assert.equal(findAttention(program.graph).length, 1);
    assert.ok(program.sampleBindings.some(({ name }) => name === 'weights'));
  });
});
