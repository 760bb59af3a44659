import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { matchPrinted, openingNotebook, type StoredOutput } from '../../engine/program/places/index';
import { runProgram } from '../../engine/program/program';
import { finish } from '../../engine/text/pace';

interface Notebook {
  readonly cells: readonly { readonly code: string; readonly output: string }[];
}
/** Cells that draw without a seed, and what torch 1.13 and NumPy 1.24 printed for them, as a notebook keeps it. */
const { cells } = JSON.parse(readFileSync('test/fixtures/program-unseeded.json', 'utf8')) as Notebook;

function read(parts: Notebook['cells']) {
  let text = '';
  const outputs: StoredOutput[] = [];
  for (const { code, output } of parts) {
    outputs.push({ cell: { start: text.length, end: text.length + code.length }, text: output });
    text += code;
  }
  const { program } = finish(openingNotebook(text, outputs));
  const printed = finish(matchPrinted(text, program, outputs));
  return { program, printed: printed.map((one) => ({ ...one, code: text.slice(one.at.start, one.at.end) })) };
}

describe('draws without a seed that a notebook printed', () => {
  it('are its values, and what follows from them agrees as far as their rounding allows', () => {
    const { program, printed } = read(cells);
    assert.equal(printed.length, 15);
    for (const { code, count, equal, why } of printed) assert.deepEqual([equal, why], [count, undefined], code);
    const taken = printed.filter(({ isRead }) => isRead).map(({ code }) => code);
    assert.deepEqual([...new Set(taken)], ['print(x)', 'W_q, W_k, W_v', 'print(lin.weight)', 'print(lin.bias)', 'print(a)', 'print(b)', 'ids']); // prettier-ignore
    assert.deepEqual(printed.filter(({ isWithin }) => isWithin).length, 6);
    assert.equal(program.notes.filter(({ kind }) => kind === 'assumed').length, 8, 'each place says so');
  });

  it('are not known where the notebook has no output', () => {
    const { program } = read(cells.map(({ code }) => ({ code, output: '' })));
    assert.equal(program.kept.used.size, 0);
    assert.ok(program.bindings.find(({ name }) => name === 'weights')?.node?.why);
  });

  it('are left out where something printed later contradicts them', () => {
    const stale = cells.map((cell) => ({ ...cell, output: cell.output.replace('0.3197', '0.4197') }));
    const { program, printed } = read(stale);
    assert.ok(program.bindings.find(({ name }) => name === 'weights')?.node?.why, 'no number is claimed');
    assert.ok(
      printed.some(({ code, isRead }) => code === 'ids' && isRead),
      'what has nothing to do with it stays',
    );
  });

  it('are not guessed where fewer matrices are printed than the cell shows', () => {
    const [code, output] = ['import torch\na = torch.rand(2, 2)\nb = torch.rand(2, 2)\nprint(a)\nprint(b)\n', 'tensor([[0.1000, 0.2000],\n        [0.3000, 0.4000]])\n']; // prettier-ignore
    assert.equal(read([{ code, output }]).program.kept.used.size, 0);
  });

  it('say how far a number may be off: one more digit is no agreement', () => {
    const finer = cells.map((cell, i) => (i === 4 ? { ...cell, output: cell.output.replace('0.5247', '0.5347') } : cell)); // prettier-ignore
    const { printed } = read(finer);
    assert.ok(!printed.some(({ code, equal, count }) => code.startsWith('print("out"') && equal === count));
  });

  it('follow also from what is no draw: queries that were printed', () => {
    const { printed } = read([
      { code: 'import torch\nq, k = torch.rand(2, 3) @ torch.rand(3, 2), torch.eye(2)\nprint(q)\n', output: 'tensor([[0.5000, 1.0000],\n        [0.2500, 0.7500]])\n' },
      { code: 'print(q @ k.T * 2)\n', output: 'tensor([[1.0000, 2.0000],\n        [0.5000, 1.5000]])\n' },
    ]); // prettier-ignore
    assert.deepEqual(printed.map(({ equal, isWithin }) => [equal, isWithin]), [[0, undefined], [4, true]]); // prettier-ignore
  });
});

describe('a list of which it is not known what it has', () => {
  const { bindings, outputs } = runProgram(`import torch
text = open('a').read()
ids = {}
for i, c in enumerate(text):
    ids[c] = i
print(ids)
out = []
for c in text:
    out.append(ids[c])
a = torch.tensor(out)
b = torch.tensor([out, out])
n = len(out * 2)
x = torch.zeros(2, 3).permute(out)
`);
  const named = (name: string) => bindings.findLast((one) => one.name === name);
  it('is no tensor without elements', () => {
    for (const name of ['a', 'b', 'x'])
      assert.ok(named(name)?.node ? named(name)?.node?.why : named(name)?.value.kind === 'unknown', name);
    assert.equal(named('a')?.node?.shape, undefined);
    assert.equal(named('n')?.value.kind, 'unknown');
  });
  it('is not printed as if it were empty', () => {
    assert.equal(outputs[0]?.text, undefined);
  });
});
