// A mask alone: what it shows under each convention, from the definitions of the libraries; the pictures are written by hand.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMasks } from '../../engine/cli/mask';
import { maskKindOf, readMask, type ConventionId, type ReadMask } from '../../engine/diagnose';

type Rows = readonly (readonly number[])[];
const of = (n: number, m: number, x: (i: number, j: number) => boolean): Rows => Array.from({ length: n }, (_, i) => Array.from({ length: m }, (__, j) => Number(x(i, j)))); // prettier-ignore
const flipped = (rows: Rows): Rows => rows.map((row) => row.map((x) => 1 - x));
const added = (rows: Rows, fill: number): Rows => rows.map((row) => row.map((x) => (x === 1 ? 0 : fill)));
const read = (rows: Rows): ReadMask => readMask(rows) ?? assert.fail('no mask');
const readingOf = (mask: ReadMask, id: ConventionId) => mask.readings.find(({ conventions }) => conventions.includes(id)) ?? assert.fail(id); // prettier-ignore
const patternOf = (rows: Rows, id: ConventionId) => readingOf(read(rows), id).shown.pattern;

/** By what each query sees; as its name says. */
const seen: Readonly<Record<string, Rows>> = {
  causal: of(5, 5, (i, j) => j <= i), before: of(5, 5, (i, j) => j < i), next: of(5, 5, (i, j) => j <= i + 1), future: of(5, 5, (i, j) => j >= i), after: of(5, 5, (i, j) => j > i), diagonal: of(5, 5, (i, j) => i === j),
}; // prettier-ignore

describe('a mask alone', () => {
  for (const [name, rows] of Object.entries(seen))
    it(`is ${name} where 1 sees, where 1 hides and where −∞, −1e9 or −10000 is added`, () => {
      for (const id of ['sdpa', 'hugging-face', 'keras'] as const) assert.equal(patternOf(rows, id).is, name);
      for (const id of ['multihead', 'masked-fill'] as const) assert.equal(patternOf(flipped(rows), id).is, name);
      for (const fill of [-Infinity, -1e9, -10000, -100]) assert.equal(patternOf(added(rows, fill), 'added').is, name);
    });

  it('is a window, with as many keys before and after as it has', () => {
    assert.deepEqual(patternOf(of(7, 7, (i, j) => j <= i && i - j < 3), 'sdpa'), { is: 'window', before: 2, after: 0 });
    assert.deepEqual(patternOf(of(7, 7, (i, j) => Math.abs(i - j) <= 2), 'sdpa'), { is: 'window', before: 2, after: 2 });
    assert.deepEqual(patternOf(of(7, 7, (i, j) => j <= i && i - j <= 3), 'sdpa'), { is: 'window', before: 3, after: 0 });
  });

  it('is padding, at either end, or beside a causal mask', () => {
    assert.deepEqual(patternOf([[1, 1, 1, 0, 0]], 'hugging-face'), { is: 'padding', seen: 3, end: 'first' });
    assert.deepEqual(patternOf([[0, 0, 1, 1, 1]], 'hugging-face'), { is: 'padding', seen: 3, end: 'last' });
    assert.deepEqual(patternOf([[0, 0, 0, 1, 1]], 'multihead'), { is: 'padding', seen: 3, end: 'first' });
    assert.deepEqual(patternOf(of(5, 5, (i, j) => j <= i && j < 3), 'sdpa'), { is: 'causal padding', seen: 3, end: 'first' });
    assert.deepEqual(patternOf(of(5, 5, (i, j) => j <= i && j > 1), 'sdpa'), { is: 'causal padding', seen: 3, end: 'last' });
  });

  it('is a prefix, texts behind each other, or causal after a cache', () => {
    assert.deepEqual(patternOf(of(6, 6, (i, j) => j < 3 || j <= i), 'sdpa'), { is: 'prefix', length: 3 });
    assert.deepEqual(patternOf(of(6, 6, (i, j) => i < 2 === j < 2), 'sdpa'), { is: 'blocks', sizes: [2, 4] });
    assert.deepEqual(patternOf(of(2, 5, (i, j) => j <= i + 3), 'sdpa'), { is: 'causal cached', past: 3, corner: 'last' });
    assert.deepEqual(patternOf(of(2, 5, (i, j) => j <= i), 'sdpa'), { is: 'causal cached', past: 3, corner: 'first' });
    assert.deepEqual(patternOf(of(4, 4, (i, j) => (i * 3 + j * 2) % 5 < 3), 'sdpa'), { is: 'other' });
  });

  it('counts queries that see nothing, keys after a query, and hidden cells', () => {
    const { shown } = readingOf(read(of(4, 4, (i, j) => j < i)), 'sdpa');
    assert.deepEqual([shown.blind, shown.future, shown.hidden], [[0], 0, 10]);
    const other = readingOf(read(of(4, 4, (i, j) => j < i)), 'multihead').shown;
    assert.deepEqual([other.blind, other.future, other.hidden], [[], 6, 6]);
  });

  it('is drawn with queries down and keys across', () => {
    assert.equal(readingOf(readMask([[1, 0], [1, 1]], ['The', 'cat']) ?? assert.fail(), 'sdpa').picture, '    0 1\nThe ■ ·\ncat ■ ■');
  });

  it('asks, and does not say, where a mask is likely meant for another convention, or is one off', () => {
    assert.match(read(of(4, 4, (i, j) => j > i)).question ?? '', /^Given to PyTorch’s scaled_dot_product_attention .*nn\.MultiheadAttention.*\?$/);
    assert.match(read(of(4, 4, (i, j) => j < i)).question ?? '', /one off.*\?$/);
    assert.equal(read(of(6, 6, (i, j) => Math.abs(i - j) <= 1)).question, undefined);
    assert.equal(read(added(of(4, 4, (i, j) => j <= i), -Infinity)).question, undefined);
  });

  it('is none of other numbers', () => {
    for (const rows of [[[0.5, 1]], [[1, 1], [1, 1]], [[0, 0], [0, 0]], [[0, -1], [0, 0]], [[1, 2], [0, 1]], [[1]], [[1, 0], [1]]])
      assert.equal(maskKindOf(rows), undefined, JSON.stringify(rows));
  });

  it('is read from a file in the terminal: as it stands, and as Python computes it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mask-'));
    try {
      const file = join(folder, 'masks.py');
      writeFileSync(file, 'import torch\nmask = torch.triu(torch.ones(4, 4), diagonal=1).bool()\npad = [[1, 1, 0]]\nx = [[0.2, 0.4]]\n');
      const { status, out } = readMasks([file]);
      assert.equal(status, 0);
      assert.match(out, /mask, line 2\n[\s\S]*nn\.MultiheadAttention \(True hides\)\n[^\n]*masked_fill[^\n]*\n +Causal: /);
      const json = JSON.parse(readMasks([file, '--name', 'pad', '--json']).out) as { masks: { name: string; line: number }[] };
      assert.deepEqual(json.masks.map(({ name, line }) => [name, line]), [['pad', 3]]);
      assert.equal(readMasks([file, '--name', 'x']).status, 2);
      assert.equal(readMasks([]).status, 2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}); // prettier-ignore
