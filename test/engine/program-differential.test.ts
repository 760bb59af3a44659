import assert from 'node:assert/strict';
import { pythonOrSkip } from '../reference/python';
import { compareProgram, handWritten, runPython, type Ran } from './program-compare';

describe('programs beside Python', function () {
  this.timeout(300_000);
  const programs = handWritten();
  let ran: readonly Ran[] = [];

  before(function () {
    const python = pythonOrSkip(this, 'numpy', 'torch');
    ran = runPython(
      python,
      programs.map(({ text }) => text),
    );
  });

  it('are there', () => assert.ok(programs.length >= 60));

  for (const [i, { name, text }] of programs.entries())
    it(name, () => {
      const { wrong, compared, unknown } = compareProgram(text, ran[i] as Ran);
      assert.deepEqual(wrong, []);
      assert.ok(compared > 0, 'nothing was compared');
      // A program that says so may have names that are not known.
      const allowed = Number(/^# unknown: (\d+)/m.exec(text)?.[1] ?? 0);
      assert.ok(unknown.length <= allowed, unknown.join('\n'));
    });
});
