// How much is done for a program, counted in parts, nodes and trees, never in time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explaining } from '../../engine/program/explain/explain';
import { readingProgram, runProgram, type Program, type ProgramOptions } from '../../engine/program/program';
import { openingPlaces } from '../../engine/program/places/index';
import { findAttention, findingAttention } from '../../engine/program/recognise/find';
import { finish, type Paced } from '../../engine/text/pace';

const lines = (...all: readonly string[]): string => all.join('\n');

function partsOf<T>(paced: Paced<T>): { readonly parts: number; readonly value: T } {
  for (let parts = 1; ; parts++) {
    const { done, value } = paced.next();
    if (done) return { parts, value };
  }
}

const partsToRead = (text: string, options: ProgramOptions = {}): number =>
  partsOf(readingProgram(text, options)).parts;

const bodiesOf = ({ units }: Program): readonly unknown[] => units.map(({ body }) => body);

describe('work for a program', () => {
  it('has a place to stop after some statements, not after each', () => {
    const text = (turns: number): string => lines('x = 0', `for i in range(${turns}):`, '    x += 1', '    x += 1');
    const more = partsToRead(text(900)) - partsToRead(text(100));
    // 1600 statements: at least one stop in 64, at most one in 8.
    assert.ok(more >= 1600 / 64 && more <= 1600 / 8, `${more} places to stop`);
  });

  it('fills a large tensor when it is looked at, not before', () => {
    const program = runProgram('import torch\nmask = torch.tril(torch.ones(300, 300))\nsmall = torch.ones(2)\n');
    const leaves = program.graph.nodes.filter(({ operation }) => operation === 'constant');
    assert.deepEqual(leaves.map(({ value }) => value !== undefined), [false, true]); // prettier-ignore
    const mask = program.names.get('mask');
    assert.ok(mask?.kind === 'tensor');
    const dense = finish(program.look(program.current(mask)));
    assert.ok('data' in dense);
    // 1 + 2 + … + 300.
    assert.equal(dense.data.reduce((a, b) => a + b, 0), 45150); // prettier-ignore
  });

  it('tries no other sizes where a name is not defined', () => {
    const layer = (product: string): string =>
      lines(
        'import torch, torch.nn as nn',
        'class Layer(nn.Module):',
        '    def __init__(self, d_model, n_heads):',
        '        super().__init__()',
        '        self.q = nn.Linear(d_model, d_model)',
        '    def forward(self, x, y):',
        `        return torch.softmax(self.q(x) @ ${product}, dim=-1) @ x`,
      );
    const found = partsToRead(layer('x.transpose(-2, -1)'));
    const lacking = partsToRead(layer('missing(x)'));
    assert.ok(lacking <= found, `${lacking} parts where a name is not defined, ${found} where all are`);
  });

  it('spends no more on trying than its budget of steps', () => {
    // Each function runs a loop before Python refuses its product for another reason each time.
    const hopeless = (i: number): string =>
      lines(
        `def attend${i}(x, n):`,
        '    for _ in range(2000):',
        '        n = n + 1',
        `    raise ValueError(f"{n} {x.shape} {x.sum()}")`,
        `    return torch.softmax(x @ x.T, dim=-1) @ x`,
      );
    const text = (count: number): string => lines('import torch', ...Array.from({ length: count }, (_, i) => hopeless(i))); // prettier-ignore
    const own = (count: number): number => partsToRead(text(count)) - partsToRead(text(count), { standIns: false });
    // 60,000 steps for trying and 40,000 for stand-ins, two or more steps a statement, one stop in 16 statements.
    assert.ok(own(12) < 100_000 / 16, `${own(12)} parts`);
  });

  it('reads a program’s parsed statements again, each tree for one place', () => {
    const text = readFileSync(join(__dirname, '../fixtures/programs/nanogpt.py'), 'utf8');
    const first = runProgram(text);
    const edited = text.replace('\nimport math', '\n\nimport math').replace('self.n_head = ', 'self.n_head  = ');
    assert.notEqual(edited, text);
    const again = runProgram(edited, { before: first.units });
    const before = new Set(bodiesOf(first));
    const fresh = bodiesOf(again).filter((body) => !before.has(body));
    assert.equal(again.units.length, first.units.length);
    assert.equal(fresh.length, 1);
    const plain = runProgram(edited);
    assert.deepEqual(again.notes, plain.notes);
    assert.deepEqual(
      again.bindings.map(({ name, range }) => [name, range]),
      plain.bindings.map(({ name, range }) => [name, range]),
    );
  });

  it('gives the same statement at two places two trees, and names a lost line in every reading', () => {
    const twice = runProgram('x = 1\nx = 1\n');
    const again = runProgram('x = 1\nx = 1\nx = 1\n', { before: twice.units });
    assert.equal(new Set(bodiesOf(again)).size, 3);
    const broken = runProgram('x = 1\ny = = 2\n');
    assert.equal(broken.notes.length, 1);
    assert.deepEqual(runProgram('x = 1\ny = = 2\n', { before: broken.units }).notes, broken.notes);
  });

  it('asks what numbers may take before it draws them', () => {
    const program = runProgram(
      lines(
        'import torch',
        'x, a, b, c = [torch.randn(3000, 3000) for _ in range(4)]',
        'y = torch.softmax((x @ a) @ (x @ b).T, dim=-1) @ (x @ c)',
      ),
    );
    const [attention] = findAttention(program.graph);
    assert.ok(attention);
    const { parts, value } = partsOf(explaining('', program, attention));
    assert.ok(!value.ok && value.problems[0]?.message.includes('3000×3000'), JSON.stringify(value).slice(0, 200));
    assert.ok(parts < 10, `${parts} parts`);
  });

  it('gives the shapes of lines before anything is sampled, and the same ones after', () => {
    const text = readFileSync(join(__dirname, '../fixtures/programs/uncalled/head.py'), 'utf8');
    const opened = partsOf(openingPlaces(text));
    const nodes = opened.value.program.graph.nodes.length;
    const shapes = JSON.stringify(opened.value.lines);
    assert.ok(opened.value.lines.length > 5 && !opened.value.program.graph.nodes.some(({ sample }) => sample));
    const whole = partsOf(opened.value.whole());
    assert.ok(whole.value.program.graph.nodes.length > nodes);
    assert.equal(JSON.stringify(whole.value.places.lines), shapes);
    // What is kept is not done again, and a reading that was given up goes on where it was.
    assert.equal(partsOf(opened.value.whole()).parts, 1);
    const again = finish(openingPlaces(text));
    for (let i = 0, some = again.whole(); i < whole.parts / 2; i++) some.next();
    const rest = partsOf(again.whole());
    assert.ok(rest.parts < whole.parts, `${rest.parts} of ${whole.parts} parts`);
    assert.deepEqual(rest.value.places, whole.value.places);
  });

  it('looks for attention with a place to stop after each softmax, and through a node of many readers once', () => {
    const many = (n: number): string => lines('import torch', 'x = torch.randn(2, 2)', `for i in range(${n}):`, '    w = torch.softmax(x @ x.T, dim=-1) @ x'); // prettier-ignore
    const { graph } = runProgram(many(40));
    const { parts, value } = partsOf(findingAttention(graph));
    assert.equal(value.length, 40);
    assert.ok(parts >= 40, `${parts} parts`);
  });

  it('draws what a deep model gives to its last attention, and not its layers', () => {
    const program = runProgram(
      lines(
        'import torch, torch.nn as nn',
        'x = torch.randn(4, 1000)',
        'for _ in range(20):',
        '    x = torch.relu(nn.Linear(1000, 1000)(x))',
        'y = torch.softmax(x @ x.T, dim=-1) @ x',
      ),
    );
    const [attention] = findAttention(program.graph);
    assert.ok(attention);
    const { parts, value } = partsOf(explaining('', program, attention));
    assert.ok(value.ok, JSON.stringify(value).slice(0, 200));
    // The layers have 20 million numbers.
    assert.ok(parts < 2000, `${parts} parts`);
  });
});
