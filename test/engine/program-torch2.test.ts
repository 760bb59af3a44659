// What PyTorch 2 and NumPy 2 give where the installed versions lack a function or have another rule: recorded by test/reference/torch2_vectors.py, with the versions.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareProgram, type Ran } from './program-compare';

const folder = join(__dirname, '../fixtures/programs/torch2');

interface Recorded {
  readonly torch: string;
  readonly numpy: string;
  readonly programs: readonly { readonly name: string; readonly text: string; readonly ran: Ran }[];
}

const recorded = JSON.parse(readFileSync(join(__dirname, '../fixtures/torch2.json'), 'utf8')) as Recorded;

describe('programs of PyTorch 2 and NumPy 2', () => {
  it('are recorded by these versions, each as it stands beside', () => {
    assert.match(recorded.torch, /^2\.(?:[5-9]|\d\d)/);
    assert.match(recorded.numpy, /^2\./);
    const texts = readdirSync(folder)
      .filter((name) => name.endsWith('.py'))
      .sort()
      .map((name) => ({ name: name.replace('.py', ''), text: readFileSync(join(folder, name), 'utf8') }));
    assert.deepEqual(
      recorded.programs.map(({ name, text }) => ({ name, text })),
      texts,
    );
  });

  /** Names that are compared in all, a little below what they are now. */
  const least: Readonly<Record<string, number>> = { attention_modules: 16, flex_attention: 11, numpy2_promotion: 20, sdpa_options: 15, seeded_draws: 21 }; // prettier-ignore
  for (const { name, text, ran } of recorded.programs)
    it(name, () => {
      const { wrong, unknown, compared, shapes } = compareProgram(text, ran);
      assert.deepEqual(wrong, []);
      assert.deepEqual(unknown, []);
      // What a program's last lines draw otherwise is refused in words.
      assert.equal(shapes, name === 'seeded_draws' ? 3 : 0);
      assert.ok(compared >= (least[name] ?? 0), String(compared));
    });
});
