import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { TraceJson } from '../../engine/index';
import { spec004 } from './specs';

const root = join(__dirname, '../..');

describe('the command line', function () {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), 'explain-attention-cli-'));
  const program = join(folder, 'cli.js');
  before(() => {
    buildSync({
      entryPoints: [join(root, 'engine/cli/main.ts')], outfile: program, bundle: true, platform: 'node',
      define: { PACKAGE_VERSION: '"1.2.3"' },
    }); // prettier-ignore
  });

  const cli = (words: readonly string[], input = ''): { status: number | null; stdout: string; stderr: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { input, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('prints the steps of a text with shapes and shaded cells', () => {
    const { status, stdout, stderr } = cli(['--text', 'The cat sat on the mat']);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^S {2}Scores {3}\(6×8\)·\(8×6\) → \(6×6\) {3}\[scores\]$/m);
    assert.match(stdout, /^ {2} *cat( +[·░▒▓█] −?\d+\.\d{4}){6}$/m);
  });

  it('reads a spec from a file and gives the whole trace as JSON', () => {
    const file = join(folder, 'spec.json');
    writeFileSync(file, JSON.stringify(spec004));
    const { status, stdout, stderr } = cli([file, '--json']);
    assert.equal(status, 0, stderr);
    const trace = JSON.parse(stdout) as TraceJson;
    const output = trace.steps.find((s) => s.id === 'output')?.values as number[][];
    assert.deepEqual(
      output[1]?.map((x) => x.toFixed(7)),
      ['0.1178232', '0.3949111', '-2.4440105', '0.5687822'],
    );
  });

  it('reads literals from standard input, changes switches, shows one cell with its terms', () => {
    const q = 'Q = [[1, 0], [0, 2]]\nK = [[1, 1], [3, 0]]\n';
    const { status, stdout, stderr } = cli(['-', '--set', 'scale=none', '--cell', 'scores[1,0]'], q);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /scores\[1,0\] = 2\.0000/);
    assert.match(stdout, /q\[1,1\] 2\.0000 · k\[0,1\] 1\.0000 = 2\.0000 {3}Σ 2\.0000/);
  });

  it('names line and column of bad input and exits with 1', () => {
    const { status, stdout, stderr } = cli(['-'], '\nX = [[1, 2],\n     [3]]\n');
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^-:3:6: .*row 2 has 1 number/);
  });

  it('exits with 2 on bad usage, and says what the options are', () => {
    for (const words of [
      [],
      ['--nonsense'],
      ['--cell', 'weights', '-'],
      ['--digits', '99', '-'],
      [join(folder, 'absent')],
    ]) {
      assert.equal(cli(words).status, 2, words.join(' '));
    }
    assert.match(cli([]).stderr, /Usage: explain-attention/);
    assert.match(cli(['--text', 'a b', '--cell', 'weights[7,0]']).stderr, /weights\[7,0\] is outside of 2×2/);
    assert.match(cli(['--text', 'a b', '--steps', 'wights']).stderr, /no step wights; the steps are tokens, /);
  });

  it('prints its version and its help', () => {
    assert.equal(cli(['--version']).stdout, '1.2.3\n');
    assert.match(cli(['--help']).stdout, /--cell STEP\[I,J\]/);
  });
});
