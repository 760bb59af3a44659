import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue, checkNumbers, type Answer } from '../../engine/diagnose';
import { quickExp } from '../../engine/diagnose/walk/exp';
import { finish, matrixDefaults, type AttentionSpec } from '../../engine/index';

type Rows = readonly (readonly number[])[];
interface Fixture {
  readonly given: Readonly<Record<'x' | 'wq' | 'wk' | 'wv' | 'wo', Rows>> &
    Readonly<Record<'bq' | 'bk' | 'bv', number[]>>;
  readonly results: Readonly<Record<string, Rows>>;
}
const path = join(__dirname, '../fixtures/diagnose.json');
const { given, results } = JSON.parse(readFileSync(path, 'utf8')) as Fixture;
const { x, wq, wk, wv, wo, bq, bk, bv } = given;

const spec: AttentionSpec = {
  ...matrixDefaults,
  start: { from: 'x', x },
  dModel: 8,
  projections: { from: 'given', wq, wk, wv, bq, bk, bv },
  heads: 2,
  outputProjection: { from: 'given', wo },
  mask: 'causal',
};

function check(rows: Rows, digits: number, pairs = false): Answer {
  const printed = rows.map((row) => row.map((cell) => Number(cell.toFixed(digits))));
  const answer = finish(checkNumbers(spec, { rows: printed, digits }, { pairs }));
  if (!answer.ok) assert.fail(JSON.stringify(answer.problems));
  return answer.value;
}

const idsOf = (answer: Answer): readonly string[] =>
  answer.is === 'mistake' ? answer.named.mistakes.map((set) => set.map(({ id }) => id).join('+')) : [answer.is];

const namesOf = (answer: Answer & { is: 'several' }): readonly string[] =>
  answer.named.flatMap(({ mistakes }) => mistakes.map((set) => set.map(({ id }) => id).join('+')));

describe('the check of a printed result', () => {
  it('has each mistake once, with a source', () => {
    assert.equal(new Set(catalogue.map(({ id }) => id)).size, catalogue.length);
    for (const { id, defined, reported = defined, cause, look, fix } of catalogue) {
      assert.match(reported, /^https:\/\/(?:github\.com|arxiv\.org)\//);
      assert.ok(cause() && look() && fix, id);
    }
    assert.ok(catalogue.length >= 80);
  });

  for (const digits of [2, 4, 8])
    it(`names what NumPy computed with a mistake, from ${digits} digits`, () => {
      for (const [name, rows] of Object.entries(results)) {
        const answer = check(rows, digits);
        // Without W_O the result is the joined heads, which are a step of their own; 0 and 1e-9 differ in the ninth digit only.
        if (name === 'right' || name === 'noWo') assert.equal(answer.is, 'right', name);
        else if (answer.is === 'several')
          assert.deepEqual([name, namesOf(answer)], ['maskZero', ['maskZero', 'maskTiny']]);
        else assert.deepEqual(idsOf(answer), [name]);
      }
    });

  it('shows the cell that differs most', () => {
    const answer = check(results['noScale'] ?? [], 4);
    assert.ok(answer.is === 'mistake');
    const { row, column, mine, right, cells, differing } = answer.named.evidence;
    assert.equal(cells, 48);
    assert.ok(differing > 0 && differing <= 48);
    assert.equal(mine, Number(results['noScale']?.[row]?.[column]?.toFixed(4)));
    assert.ok(Math.abs(right - (results['right']?.[row]?.[column] ?? NaN)) < 1e-12);
  });

  it('finds nothing in 200 random results', () => {
    let seed = 18;
    const draw = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
    for (let i = 0; i < 200; i++)
      assert.equal(
        check(
          Array.from({ length: 6 }, () => Array.from({ length: 8 }, draw)),
          2,
        ).is,
        'none',
      );
  });

  it('refuses what it does not compute', () => {
    const turned = finish(checkNumbers({ ...spec, positions: 'alibi' }, { rows: [[1]], digits: 1 }));
    assert.ok(!turned.ok);
    assert.equal(turned.problems[0]?.code, 'not-followed');
  });

  it('rejects by exponentials that are right to the last digits', () => {
    for (let x = -706; x < 707; x += 0.37) assert.ok(Math.abs(quickExp(x) / Math.exp(x) - 1) < 2e-15, String(x));
    for (const x of [0, -0, -Infinity, Infinity, -800, 800]) assert.equal(quickExp(x), Math.exp(x), String(x));
    assert.ok(Number.isNaN(quickExp(NaN)));
  });
});
