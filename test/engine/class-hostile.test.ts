// Grading and setting up a class in folders where anybody may have put anything: one student stops nobody else's marks, and nothing is
// written where a link leads.
import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { keyOf, resultsOf, writeResults } from '../../engine/index';
import { lessonFrom } from './lessons-support';

const fence = '```';
// 1·2 + 0·1 = 2
const source = `# Small

${fence}attention id=small
Q = [[1, 0]]
K = [[2, 1]]
${fence}

${fence}attention-question
{ "id": "score", "kind": "number", "prompt": "The score?", "of": { "step": "scores", "cell": [0, 0] } }
${fence}
`;

describe('a class with hostile hand-ins', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'explain-attention-hostile-'));
  const program = join(folder, 'cli.js');
  let handed = '';
  let count = 0;
  /** Nobody, where the tests run as root: root may read what is locked. */
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const cli = (...words: string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', timeout: 20_000 });
  const asNobody = (...words: string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', timeout: 20_000, ...nobody });

  before(() => {
    chmodSync(folder, 0o755);
    const entry = join(__dirname, '../../engine/cli/main.ts');
    buildSync({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', define: { PACKAGE_VERSION: '"1.2.3"' } }); // prettier-ignore
    writeFileSync(join(folder, 'lesson.md'), source);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** A class of two: Ada, who is right, and Bob, who has only what a test puts into his folder. */
  beforeEach(() => {
    handed = join(folder, `class${count++}`);
    for (const name of ['teacher', 'Ada', 'Bob']) mkdirSync(join(handed, name), { recursive: true });
    const students = ['Ada', 'Bob'].map((student) => ({ student, seed: null }));
    writeFileSync(join(handed, 'teacher/key.json'), JSON.stringify(keyOf(source, students)));
    const answers = [{ question: 'score', response: 2, attempts: 1, minutes: 1 }];
    const results = resultsOf(lessonFrom(source), { student: 'Ada', seed: null, program: '0.1.0', complete: true, answers });
    writeFileSync(join(handed, 'Ada/Ada.results.json'), writeResults(results));
  }); // prettier-ignore

  /** Ada's marks are there, and Bob's file is named with the reason; it took no long wait and no large memory. */
  function assertNamed({ status, stdout, stderr }: SpawnSyncReturns<string>, reason: RegExp, name = 'Bob/results.json'): void {
    assert.equal(status, 1, stderr);
    assert.match(stdout, /^Ada,Ada\/Ada\.results\.json,,1,1,/m, stdout);
    const line = stderr.split('\n').find((l) => l.startsWith(`${name}: `));
    assert.match(line ?? '', reason, stderr);
  } // prettier-ignore

  it('a file of 700 MB is named, and not read', () => {
    const file = join(handed, 'Bob/results.json');
    writeFileSync(file, '');
    truncateSync(file, 700_000_000);
    assertNamed(cli('grade', handed), /^Bob\/results\.json: 700\.0 MB, at most 2 MB are read/);
  });

  it('a folder, a FIFO, links that lead away, nowhere or in a circle: named', () => {
    const bob = join(handed, 'Bob');
    mkdirSync(join(bob, 'results.json'));
    symlinkSync('/etc/hostname', join(bob, 'a.results.json'));
    symlinkSync('/nowhere/at/all', join(bob, 'b.results.json'));
    symlinkSync('c.results.json', join(bob, 'c.results.json'));
    symlinkSync('..', join(bob, 'round'));
    assert.equal(spawnSync('mkfifo', [join(bob, 'd.results.json')]).status, 0);
    const outcome = cli('grade', handed);
    assertNamed(outcome, /a folder, expected a file/);
    for (const name of ['a', 'b', 'c']) assertNamed(outcome, /symbolic link/, `Bob/${name}.results.json`);
    assertNamed(outcome, /neither a file nor a folder/, 'Bob/d.results.json');
    assertNamed(outcome, /symbolic link/, 'Bob/round');
    assert.equal(outcome.stdout.match(/^Ada,/gm)?.length, 1);
  });

  it('what may not be read, a file or a folder: named', function () {
    if (process.platform === 'win32') return this.skip();
    const [file, locked] = [join(handed, 'Bob/results.json'), join(handed, 'Bob/locked')];
    writeFileSync(file, '{}');
    mkdirSync(locked);
    for (const path of [file, locked]) chmodSync(path, 0);
    const outcome = asNobody('grade', handed);
    for (const path of [file, locked]) chmodSync(path, 0o700);
    assertNamed(outcome, /cannot be read: .*EACCES/);
    assertNamed(outcome, /cannot be read: .*EACCES/, 'Bob/locked');
  });

  it('without a key: a lesson of 700 MB in a student’s folder is named, and the other one is it', () => {
    rmSync(join(handed, 'teacher'), { recursive: true });
    writeFileSync(join(handed, 'lesson.md'), source);
    writeFileSync(join(handed, 'Bob/lesson.md'), '');
    truncateSync(join(handed, 'Bob/lesson.md'), 700_000_000);
    assertNamed(cli('grade', handed), /700\.0 MB, at most 20 MB are read$/, 'Bob/lesson.md');
  });

  it('a thousand files of one student are compared in one pass, and eight of them named', () => {
    const text = readFileSync(join(handed, 'Ada/Ada.results.json'), 'utf8');
    for (let i = 0; i < 1000; i++) writeFileSync(join(handed, `Bob/${i}.results.json`), text);
    const { stderr } = cli('grade', handed);
    const first = stderr.split('\n').find((line) => line.startsWith('Ada/Ada.results.json: the same file as '));
    assert.match(first ?? '', / … \(1000\)$/);
  });

  describe('explain-attention class --out', () => {
    const outside = (): string => join(folder, `outside${count}`);
    const class_ = (...words: string[]): SpawnSyncReturns<string> =>
      cli('class', join(folder, 'lesson.md'), '--out', handed, ...words);
    beforeEach(() => rmSync(handed, { recursive: true }));

    for (const words of [[], ['--force']]) {
      it(`writes nothing through a dangling link${words.join()}`, () => {
        mkdirSync(join(handed, 'teacher'), { recursive: true });
        symlinkSync(outside(), join(handed, 'teacher/key.json'));
        const { status, stderr } = class_(...words);
        assert.equal(status, 1, stderr);
        assert.equal(stderr, `${join(handed, 'teacher/key.json')}: a symbolic link; nothing is written through it\n`);
        assert.ok(!existsSync(outside()));
        assert.ok(!existsSync(join(handed, 'students')));
      });

      it(`writes nothing into a linked folder${words.join()}`, () => {
        mkdirSync(handed);
        mkdirSync(outside());
        symlinkSync(outside(), join(handed, 'students'));
        const { status, stderr } = class_(...words);
        assert.equal(status, 1, stderr);
        assert.equal(stderr, `${join(handed, 'students')}: a symbolic link; nothing is written through it\n`);
        assert.ok(!existsSync(join(outside(), 'everybody')));
      });
    }

    it('writes into a folder that the teacher names by a link, and over files with --force', () => {
      mkdirSync(outside());
      symlinkSync(outside(), handed);
      assert.equal(class_().status, 0);
      writeFileSync(join(outside(), 'teacher/key.json'), 'x'.repeat(100_000));
      assert.equal(class_().status, 1);
      assert.equal(class_('--force').status, 0);
      assert.match(readFileSync(join(outside(), 'teacher/key.json'), 'utf8'), /^\{\n {2}"format"[^]*\}\n$/);
    });
  });
});
