import assert from 'node:assert/strict';
import { pythonOrSkip } from '../reference/python';
import { compareProgram, runPython, type Ran } from './program-compare';
import { generated, generatedPrograms } from './program-generator/index';

/** Drawn from a fixed seed: the same programs in every run. `npx tsx test/precision/programs.ts` draws others. */
const size = 520;

describe('generated programs beside Python', function () {
  this.timeout(300_000);
  const programs = generatedPrograms(1, size);
  let ran: readonly Ran[] = [];

  before(function () {
    const python = pythonOrSkip(this, 'numpy', 'torch');
    ran = runPython(
      python,
      programs.map(({ text }) => text),
    );
  });

  it('are the same in every run, and different from each other', () => {
    assert.equal(generated(7), generated(7));
    assert.equal(new Set(programs.map(({ text }) => text)).size, size);
  });

  it('have the names, shapes, types, values and kinds of errors that Python gives them', () => {
    const totals = { compared: 0, refused: 0, raised: 0 };
    const wrong = programs.flatMap(({ name, text }, i) => {
      const expected = ran[i] as Ran;
      const found = compareProgram(text, expected, 'kinds');
      totals.compared += found.compared;
      totals.refused += found.unknown.length;
      if (expected.error !== null) totals.raised++;
      return found.wrong.map((one) => `${name}: ${one}`);
    });
    assert.deepEqual(wrong, []);
    // Nearly all names are known, and most programs run to their end.
    assert.ok(totals.compared > 20 * size, `${totals.compared} names were compared`);
    assert.ok(totals.refused * 200 < totals.compared, `${totals.refused} names are refused in words`);
    assert.ok(totals.raised * 10 < size, `${totals.raised} programs raise`);
  });
});
