// Every mistake of the catalogue, planted by NumPy in a few inputs: none is named wrongly. test/precision/mistakes.ts does the same for fifty.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pythonOrSkip } from '../reference/python';
import { judged, namesIn, roundedTo, rowsOf, saidOf, traceOf, type Input } from './planted';

describe('mistakes that NumPy made', function () {
  this.timeout(120_000);
  let inputs: readonly Input[] = [];
  before(function () {
    const python = pythonOrSkip(this as unknown as Mocha.Context, 'numpy');
    const program = join(__dirname, '../reference/mistakes.py');
    const { stdout, stderr, status } = spawnSync(python, [program, '4'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    assert.equal(status, 0, stderr);
    inputs = stdout.trim().split('\n').map((line) => JSON.parse(line) as Input); // prettier-ignore
  });

  for (const digits of [2, 8])
    it(`are named, never wrongly, from ${digits} digits`, () => {
      for (const input of inputs) {
        const trace = traceOf(input);
        const byIds = new Map(input.planted.map(({ ids, rows }) => [ids.join('+'), rowsOf(rows)]));
        for (const { ids, rows } of input.planted) {
          const mine = String(roundedTo(rowsOf(rows), digits));
          const same = (set: string): boolean => String(roundedTo(byIds.get(set) ?? [], digits)) === mine;
          const checked = saidOf(trace, rowsOf(rows), digits);
          const outcome = judged(ids, checked, same);
          assert.ok(!['wrong', 'not found', 'few digits'].includes(outcome), `${ids.join('+')}: ${outcome}, ${namesIn(checked).join(' | ')}`);
        }
      }
    }); // prettier-ignore
});
