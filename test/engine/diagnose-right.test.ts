// What looks different and is right is said to be right; half precision is known by its numbers; no random result is named. PyTorch's numbers.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkNumbers, checkResult, wordsOf, type Checked } from '../../engine/diagnose';
import { explainAttention, finish, matrixDefaults, type AttentionSpec } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';

type Rows = readonly (readonly number[])[];
interface Made {
  readonly right: Readonly<Record<string, { readonly of: string; readonly rows: Rows }>>;
  readonly half: Readonly<Record<string, Readonly<Record<'weights' | 'output', Rows>>>>;
}
const { given } = JSON.parse(readFileSync(join(__dirname, '../fixtures/diagnose.json'), 'utf8')) as {
  readonly given: Readonly<Record<'x' | 'wq' | 'wk' | 'wv', Rows>>;
};
const { x, wq, wk, wv } = given;
const spec: AttentionSpec = {
  ...matrixDefaults, start: { from: 'x', x }, dModel: 8, projections: { from: 'given', wq, wk, wv }, mask: 'causal',
}; // prettier-ignore
const trace = explainAttention(spec);
const rounded = (rows: Rows, digits: number): Rows =>
  rows.map((row) => row.map((cell) => Number(cell.toFixed(digits))));

function check(rows: Rows, digits: number): Checked {
  assert.ok(trace.ok);
  const checked = finish(checkResult(trace.value, { rows: rounded(rows, digits), digits }));
  return checked.ok ? checked.value : assert.fail(JSON.stringify(checked.problems));
}

describe('a result that looks different', function () {
  this.timeout(60_000);
  let made: Made = { right: {}, half: {} };
  before(function () {
    const python = pythonOrSkip(this as unknown as Mocha.Context, 'torch');
    const program = join(__dirname, '../reference/right_but_other.py');
    const { stdout, stderr, status } = spawnSync(python, [program], { encoding: 'utf8', input: JSON.stringify({ x, wq, wk, wv }) });
    assert.equal(status, 0, stderr);
    made = JSON.parse(stdout) as Made;
  }); // prettier-ignore

  for (const digits of [2, 4, 8])
    it(`is right where it is, from ${digits} digits`, () => {
      for (const [name, { of, rows }] of Object.entries(made.right)) {
        const checked = check(rows, digits);
        assert.equal(checked.is, 'step', name);
        assert.ok(checked.is === 'step' && checked.steps.some(({ step }) => step.id === of), name);
        assert.match(wordsOf(checked, 'S', 36)[0] ?? '', /^S is /, name);
      }
    });

  it('says what stands for −∞, and what was not divided yet', () => {
    const words = (name: string): string => wordsOf(check(made.right[name]?.rows ?? [], 4), 'S', 36)[0] ?? '';
    assert.match(words('filled with -1e+09'), /large negative number for −∞: right/);
    assert.match(words('before the division'), /before each row is divided by its sum.*right so far/);
  });

  it('is not right where the fill leaks, or where a hidden cell is another one', () => {
    const rows = made.right['filled with -1e+09']?.rows ?? [];
    const leaks = rows.map((row) => row.map((cell) => (cell < -1e8 ? -10 : cell)));
    const checked = check(leaks, 4);
    assert.ok(checked.is === 'mistake' && checked.named.mistakes.flat().some(({ id }) => id === 'maskMinusTen'));
    assert.notEqual(check(rows.map((row, i) => row.map((cell, j) => (i === 3 && j === 1 ? -1e9 : cell))), 4).is, 'step');
  }); // prettier-ignore

  for (const dtype of ['float16', 'bfloat16'] as const)
    it(`is computed in ${dtype}`, () => {
      for (const step of ['weights', 'output'] as const) {
        const checked = check(made.half[dtype]?.[step] ?? [], dtype === 'float16' ? 5 : 4);
        assert.ok(checked.is === 'mistake', `${step}: ${checked.is}`);
        assert.deepEqual(checked.named.mistakes.flat().map(({ id }) => id), [dtype]);
      }
    }); // prettier-ignore

  it('is no half precision where a number is not one of it', () => {
    const rows = made.half['bfloat16']?.output ?? [];
    // Between two numbers of float16 too.
    const largest = rows.flat().reduce((most, cell) => Math.max(most, Math.abs(cell)), 0);
    const other = rows.map((row) => row.map((cell) => (Math.abs(cell) === largest ? cell + 0.0002 : cell)));
    assert.equal(check(other, 4).is, 'none');
  });
});

describe('a random result', function () {
  this.timeout(300_000);
  let seed = 18;
  const draw = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const [n, width] = [3, 2];
  const small = (rows: number, columns: number): Rows =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => Math.round(draw() * 20 - 10) / 10));
  const own: AttentionSpec = {
    ...matrixDefaults, dModel: width, mask: 'causal', start: { from: 'x', x: small(n, width) },
    projections: { from: 'given', wq: small(width, width), wk: small(width, width), wv: small(width, width) },
  }; // prettier-ignore

  it('is named in none of 500 cases', () => {
    for (let i = 0; i < 500; i++) {
      const rows = rounded(Array.from({ length: n }, () => Array.from({ length: width }, () => draw() * 2 - 1)), 2);
      const answer = finish(checkNumbers(own, { rows, digits: 2 }));
      assert.ok(answer.ok && answer.value.is === 'none', JSON.stringify(rows));
    }
  }); // prettier-ignore

  it('of few digits is matched no more often than is said, and never named', () => {
    let [matched, expected] = [0, 0];
    for (let i = 0; i < 100; i++) {
      const rows = rounded(Array.from({ length: n }, () => Array.from({ length: width }, () => draw())), 0);
      const answer = finish(checkNumbers(own, { rows, digits: 0 }));
      assert.ok(answer.ok);
      if (answer.value.is !== 'several' && answer.value.is !== 'mistake') continue;
      matched++;
      assert.equal(answer.value.is, 'several', JSON.stringify(rows));
      expected += Math.min(1, answer.value.chance);
    }
    assert.ok(matched <= expected, `${matched} matched, ${expected} said`);
    assert.ok(matched > 0);
  }); // prettier-ignore
});
