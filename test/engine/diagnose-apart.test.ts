// Inputs that tell mistakes apart: NumPy (test/reference/mistakes.py) prints different numbers of them, those that were foretold.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { catalogue, separated, wordsOf, type Separation } from '../../engine/diagnose';
import { finish, type AttentionSpec, type SpecMatrix } from '../../engine/index';
import { pythonOrSkip } from '../reference/python';
import { roundedTo, rowsOf, saidOf, traceOf, type Input } from './planted';

const program = join(__dirname, '../reference/mistakes.py');
const setOf = (ids: string) => ids.split('+').map((id) => catalogue.find((one) => one.id === id) ?? assert.fail(id));

describe('an input that tells mistakes apart', function () {
  this.timeout(60_000);
  let python = '';
  let inputs: readonly Input[] = [];
  const run = (words: readonly string[], input = ''): readonly string[] => {
    const { stdout, stderr, status } = spawnSync(python, [program, ...words], { encoding: 'utf8', maxBuffer: 1 << 28, input });
    assert.equal(status, 0, stderr);
    return stdout.trim().split('\n');
  }; // prettier-ignore
  before(function () {
    python = pythonOrSkip(this as unknown as Mocha.Context, 'numpy');
    inputs = run(['8']).map((line) => JSON.parse(line) as Input);
  });
  const numPyOf = (spec: AttentionSpec, sets: readonly string[]): readonly SpecMatrix[] => {
    const [line = ''] = run(['--asked'], `${JSON.stringify({ spec, sets: sets.map((set) => set.split('+')) })}\n`);
    return JSON.parse(line) as readonly SpecMatrix[];
  };

  /** The input of the plants that the mistakes are named together on, and the mistakes. */
  const together: readonly (readonly [number, readonly string[]])[] = [
    [0, ['scaleHeads', 'scaleFourth']],
    [0, ['scaleWidth', 'scaleEight']],
    [1, ['scaleD', 'scaleModel']],
    [1, ['viewHeads', 'viewQueries']],
    [1, ['maskLoose', 'windowBoth']],
    [1, ['windowLong', 'windowForgotten']],
    [2, ['scaleD', 'scaleModel', 'scaleKeys']],
    [3, ['scaleD', 'scaleHeads']],
    [4, ['scaleZero', 'argmax']],
  ];
  for (const [number, sets] of together)
    it(`has NumPy print other numbers with ${sets.join(', ')}`, () => {
      const { spec } = inputs[number] ?? assert.fail();
      const found = finish(separated({ ...traceOf({ spec, planted: [] }).spec }, sets.map(setOf))) ?? assert.fail('none');
      assert.equal(found.isPartial, false);
      const printed = numPyOf(found.spec, sets).map((rows) => roundedTo(rowsOf(rows), found.digits));
      found.prints.forEach(({ rows }, i) => assert.deepEqual(rowsOf(rows), printed[i]?.map((row) => row.map((x) => x + 0))));
      assert.equal(new Set(printed.map(String)).size, sets.length);
    }); // prettier-ignore

  it('is not there where two mistakes are one computation', () => {
    const { spec } = traceOf({ spec: (inputs[0] ?? assert.fail()).spec, planted: [] });
    for (const sets of [['valuesAreKeys', 'turnedKeysAsValues'], ['maskAddedSeen', 'maskTaken']])
      assert.equal(finish(separated(spec, sets.map(setOf))), undefined);
  }); // prettier-ignore

  it('is offered with the answer, in words', () => {
    const input = inputs[0] ?? assert.fail();
    const rows = rowsOf(input.planted.find(({ ids }) => String(ids) === 'scaleFourth')?.rows ?? []);
    const checked = saidOf(traceOf(input), rows, 4);
    assert.ok(checked.is === 'mistake' && checked.separation);
    const { prints } = checked.separation as Separation;
    const words = wordsOf(checked, 'out', 48);
    assert.ok(words.includes('The smallest input found that tells them apart: run your code with it.'));
    for (const { rows: printed } of prints) assert.ok(words.some((line) => line.endsWith(JSON.stringify(printed))));
  });
});
