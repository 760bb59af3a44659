// A class of thirty: numbers, responses and marks come from NumPy (test/reference/lesson_class.py), which knows nothing of the engine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import {
  gradeClass, keyOf, readKey, readResults, reportCsv, reportHtml, resultsOf, variantFileName, variantOf, writeResults,
  type ClassReport, type HandedFile, type Key, type Results, type StudentReport, type StudentResponse,
} from '../../engine/index'; // prettier-ignore
import { pythonOrSkip } from '../reference/python';
import { fenced, lessonFrom } from './lessons-support';

interface Student {
  readonly student: string;
  readonly seed: number;
  readonly plays: 'right' | 'wrong' | 'partial' | 'half';
  readonly responses: Readonly<Record<string, StudentResponse>>;
  readonly points: Readonly<Record<string, number>>;
}

const fixtures = join(__dirname, '../fixtures/lessons');
const source = readFileSync(join(fixtures, 'class.md'), 'utf8');
/** One question that is the same for everybody, and one that is asked in two ways. */
const askedTwice = `# T\n\n${fenced('attention id=a vary=no', 'Q = [[1, 2]]\nK = [[1, 0], [3, 1]]\nV = [[1], [2]]')}\n${fenced('attention-question', JSON.stringify({ id: 'fixed', kind: 'shape', prompt: 'Shape of V?', step: 'v' }))}\n${fenced('attention-question', JSON.stringify({ id: 'two', kind: 'shape', prompt: 'Shape of K?', step: 'k', or: [{ prompt: 'Shape of Q?', step: 'q' }] }))}`;
const { students } = JSON.parse(readFileSync(join(fixtures, 'class.json'), 'utf8')) as { students: Student[] };
const lesson = lessonFrom(source);
const key: Key = keyOf(source, students.map(({ student, seed }) => ({ student, seed }))); // prettier-ignore

function handIn({ student, seed, plays, responses }: Student): Results {
  const variant = variantOf(lesson, seed);
  assert.ok(variant.ok, JSON.stringify(variant));
  const answers = Object.entries(responses).map(([question, response]) => ({ question, response, attempts: 1, minutes: 2.5 }));
  return resultsOf(variant.value, { student, seed, program: '0.1.0', complete: plays !== 'half', answers });
} // prettier-ignore

const file = (results: Results): HandedFile => ({
  name: `${results.student}.results.json`,
  text: writeResults(results),
});

function graded(files: readonly HandedFile[], withKey = true): ClassReport {
  const report = gradeClass(source, files, withKey ? { key } : {});
  assert.ok(report.ok, JSON.stringify(report));
  return report.value;
}

const rowOf = ({ students: rows }: ClassReport, student: string): StudentReport =>
  rows.find((r) => r.student === student) ?? assert.fail(student);
const codes = (row: StudentReport): string[] => row.flags.map((f) => f.code);
const at = (i: number): Student => students[i] ?? assert.fail(String(i));

describe('a class of thirty', () => {
  it('has thirty variants that differ', () => {
    assert.equal(students.length, 30);
    const hashes = students.map((s) => handIn(s).blocks[0]?.trace);
    assert.equal(new Set(hashes).size, 30);
  });

  it('is marked as NumPy marks it, answer by answer, with the key and without', () => {
    const files = students.map((s) => file(handIn(s)));
    for (const report of [graded(files), graded(files, false)]) {
      let compared = 0;
      for (const { student, points, plays } of students) {
        const row = rowOf(report, student);
        for (const { question, mark } of row.answers) {
          assert.ok(
            Math.abs(mark.points - (points[question] ?? NaN)) < 1e-12,
            `${student} ${question}: ${mark.reason}`,
          );
          compared++;
        }
        assert.deepEqual(codes(row), plays === 'half' ? ['incomplete'] : [], student);
      }
      assert.equal(compared, 30 * 8);
    }
  });

  it('flags what is damaged or inconsistent, and marks what can be marked', () => {
    const good = students.map((s) => handIn(s));
    const files = good.map(file);
    const replace = (i: number, change: (r: Results) => Results): void => {
      files[i] = { name: `s${String(i).padStart(2, '0')}.results.json`, text: writeResults(change(good[i] ?? assert.fail())) };
    };
    const text = files[2]?.text ?? '';
    files[0] = { name: 's00.results.json', text: '' };
    files[1] = { name: 's01.results.json', text: text.slice(0, 700) };
    replace(2, (r) => ({ ...r, answers: r.answers.map((a) => (a.question === 'score' ? { ...a, response: 999 } : a)) }));
    replace(3, () => handIn({ ...at(3), seed: 77 }));
    replace(4, (r) => ({ ...r, blocks: r.blocks.map((b) => ({ ...b, trace: b.spec })) }));
    replace(5, (r) => resultsOf(lessonFrom(`${source}\nmore\n`), { ...r, complete: true }));
    replace(6, () => handIn({ ...at(6), responses: { ...at(6).responses, nothing: 1, row: 'x' as unknown as StudentResponse } }));
    replace(7, (r) => ({ ...r, student: 'stranger' }));
    files[8] = { name: 's08.results.json', text: JSON.stringify({ ...good[8], answers: [{ question: 'score', response: { a: 1 }, attempts: 1, minutes: 1 }] }) };
    files.push({ name: 'again/s09.results.json', text: files[9]?.text ?? '' });
    const report = graded(files);
    const flags = (student: string): string[] => codes(rowOf(report, student));
    assert.deepEqual(flags('s00'), ['damaged']);
    assert.deepEqual(flags('s01'), ['damaged']);
    assert.match(rowOf(report, 's01').flags[0]?.message ?? '', /^line \d+, column \d+: expected /);
    assert.deepEqual(flags('s02'), ['changed']);
    assert.equal(rowOf(report, 's02').answers.find((a) => a.question === 'score')?.mark.verdict, 'wrong');
    assert.deepEqual(flags('s03'), ['other-seed', 'other-numbers']);
    assert.deepEqual(flags('s04'), ['changed', 'other-trace']);
    assert.deepEqual(flags('s05'), ['other-lesson', 'other-numbers']);
    assert.deepEqual(flags('s06'), ['unknown-question', 'unreadable']);
    assert.deepEqual(flags('stranger'), ['changed', 'unknown-student']);
    assert.deepEqual(flags('s07'), ['absent']);
    assert.deepEqual(flags('s08'), ['damaged']);
    assert.match(rowOf(report, 's08').flags[0]?.message ?? '', /answers\[0\]\.response: expected/);
    assert.deepEqual(flags('s09'), ['copy']);
    assert.deepEqual(flags('s10'), []);
    for (const student of ['s00', 's01', 's07', 's08']) assert.equal(rowOf(report, student).points, 0);
  }); // prettier-ignore

  it('says what was answered wrong most often, in words that hold for all variants', () => {
    const report = graded(students.map((s) => file(handIn(s))));
    const wrong = report.questions.find((q) => q.question.id === 'wrong');
    assert.deepEqual([wrong?.right, wrong?.wrong, wrong?.unanswered], [18, 8, 4]);
    assert.deepEqual(wrong?.commonWrong, { response: 'Each row of weights sums to 1.', times: 8 });
  });

  it('names the token that was chosen wrongly, and lists 2 before 10', () => {
    const asked = '```attention id=a\nQ = [[1, 2]]\nK = [[1, 0], [3, 1]]\n```\n\n```attention-question\n{ "id": "q", "kind": "choose", "prompt": "?", "among": { "step": "scores", "row": 0, "take": "largest" } }\n```\n';
    const named = asked.replace('id=a', 'id=a labels={"keys":["le","chat"]}');
    const files = [10, 2].map((i) => {
      const answers = [{ question: 'q', response: 0, attempts: 1, minutes: 1 }];
      const results = resultsOf(lessonFrom(named), { student: `s${i}`, seed: null, program: '0', complete: true, answers });
      return { name: `s${i}.results.json`, text: writeResults(results) };
    });
    const report = gradeClass(named, files);
    assert.ok(report.ok, JSON.stringify(report));
    const once = gradeClass(named, files.slice(0, 1));
    assert.equal(once.ok && once.value.questions[0]?.commonWrong, undefined);
    assert.deepEqual(report.value.questions[0]?.commonWrong, { response: 'le', times: 2 });
    assert.deepEqual(report.value.students.map(({ student }) => student), ['s2', 's10']);
  }); // prettier-ignore

  it('refuses a lesson with problems, with their places', () => {
    const report = gradeClass('```attention-question\n{\n```\n', []);
    assert.ok(!report.ok && report.problems[0]?.range);
  });
});

describe('reports', () => {
  const hostile = { ...at(0), student: '=HYPERLINK("x")<script>alert(1)</script>' };
  const report = graded([file(handIn(at(1))), file(handIn(hostile))]);

  it('CSV has one line a student, and no formula', () => {
    const lines = reportCsv(report).split('\r\n');
    assert.equal(lines.length, 1 + 31 + 1);
    assert.match(lines[0] ?? '', /^student,file,seed,points,of,minutes,flags,score,/);
    assert.ok(lines.some((line) => line.startsWith(`"'=HYPERLINK(""x"")`)));
    assert.ok(lines.some((line) => line.startsWith('s01,s01.results.json,1001,8,8,20,,1,1,1,')));
  });

  it('HTML is one page without script, links or anything a student wrote as markup', () => {
    const html = reportHtml(report);
    assert.ok(!/<script|<img|href=|src=|url\(|\son\w+=/i.test(html));
    assert.match(html, /&#60;script&#62;/);
    assert.equal((html.match(/<details>/g) ?? []).length, 2);
    assert.equal((html.match(/<td/g) ?? []).length > 31 * 8, true);
  });
});

describe('results files', () => {
  it('are read as they were written', () => {
    const results = handIn(at(20));
    const read = readResults(`\ufeff${writeResults(results)}`);
    assert.ok(read.ok);
    assert.deepEqual(read.value, results);
  });

  it('every cut of one is damaged, and never throws', () => {
    const text = writeResults(handIn(at(0))).trimEnd();
    for (let length = 0; length < text.length; length += 7) {
      const read = readResults(text.slice(0, length));
      assert.ok(!read.ok && read.problems[0]?.range, String(length));
    }
  });

  it('a change of any one character is noticed', () => {
    const text = writeResults(handIn(at(0)));
    const unnoticed: number[] = [];
    for (let i = 0; i < text.length; i += 3) {
      const changed = text.slice(0, i) + (text[i] === '7' ? '8' : '7') + text.slice(i + 1);
      const [row] = graded([{ name: 's00.results.json', text: changed }]).students.filter((r) => r.file !== undefined);
      if (!row?.flags.length) unnoticed.push(i);
    }
    // Blanks between fields carry nothing: a 7 in place of one is no JSON; so nothing is left.
    assert.deepEqual(unnoticed, []);
  });
});

describe('explain-attention lesson and grade', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'explain-attention-class-'));
  const program = join(folder, 'cli.js');
  const handed = join(folder, 'handed');
  const cli = (...words: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  before(() => {
    const entry = join(__dirname, '../../engine/cli/main.ts');
    buildSync({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', define: { PACKAGE_VERSION: '"1.2.3"' } }); // prettier-ignore
    mkdirSync(join(handed, 'room'), { recursive: true });
    writeFileSync(join(folder, 'key.json'), JSON.stringify(key));
    for (const s of students.slice(0, 20)) {
      writeFileSync(join(handed, 'room', `${s.student}.results.json`), writeResults(handIn(s)));
    }
    const sum =
      '{ "id": "sum", "kind": "number", "prompt": "?", "digits": 0, "of": { "step": "scores", "take": "sum" } }';
    const chosen =
      '{ "id": "key", "kind": "choose", "prompt": "?", "among": { "step": "scores", "row": 0, "take": "largest" } }';
    const questions = [sum, chosen].map((q) => `\n\`\`\`attention-question\n${q}\n\`\`\`\n`).join('');
    // 1·2 = 2, 1·5 = 5: their sum is 7, and key 1 has the largest.
    writeFileSync(join(folder, 'small.md'), `# T\n\n\`\`\`attention\nQ = [[1]]\nK = [[2], [5]]\n\`\`\`\n${questions}`);
    writeFileSync(join(folder, 'bad.md'), '# T\n\n```attention\nQ = [[1, 2]]\nK = [[1]]\n```\n');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('checks a lesson: status 0, or 1 with line and column', () => {
    const good = cli('lesson', join(fixtures, 'class.md'));
    assert.deepEqual([good.status, good.stderr], [0, '']);
    assert.equal(good.stdout, 'A test of attention: 1 block, 8 questions, every answer follows\n');
    const answers = cli('lesson', '--answers', join(folder, 'small.md'));
    assert.equal(answers.stdout, 'T: 1 block, 2 questions, every answer follows\nsum: 7\nkey: 2: 1\n');
    const bad = cli('lesson', join(folder, 'bad.md'));
    assert.equal(bad.status, 1);
    assert.ok(bad.stderr.startsWith(`${join(folder, 'bad.md')}:5:5: K has 1 column`), bad.stderr);
    assert.equal(cli('lesson').status, 2);
    assert.equal(cli('lesson', 'none.md').status, 2);
  });

  it('keeps the answers back in a student’s folder, and names why', () => {
    const out = join(folder, 'of-a-class');
    const { status, stderr } = cli('class', join(folder, 'small.md'), '--out', out, '--students', namesFile(), '--seed', '1');
    assert.equal(status, 0, stderr);
    const own = join(out, 'students', 'Ada');
    const refused = cli('lesson', '--answers', join(own, 'small.md'));
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.ok(refused.stderr.includes(`${join(own, variantFileName)}: this is a student’s folder`), refused.stderr);
    const link = join(folder, 'link-to-small.md');
    symlinkSync(join(own, 'small.md'), link);
    assert.deepEqual([cli('lesson', '--answers', link).status, cli('lesson', '--answers', link).stdout], [1, '']);
    assert.equal(cli('lesson', join(own, 'small.md')).status, 0, 'it is checked all the same');
    assert.match(cli('lesson', '--answers', join(out, 'teacher', 'small.md')).stdout, /^sum: 7$/m);
  }); // prettier-ignore

  function namesFile(names = 'Ada\n'): string {
    const file = join(folder, 'names.txt');
    writeFileSync(file, names);
    return file;
  }

  it('says how many questions discriminate, and writes nothing where some have one answer for everybody, unless asked', () => {
    const out = join(folder, 'equal');
    const all = ['class', join(fixtures, 'class.md'), '--out', out, '--students', namesFile('A\nB\nC\nD\n'), '--seed', '1'];
    const refused = cli(...all);
    assert.deepEqual([refused.status, refused.stdout, existsSync(out)], [1, '', false]);
    assert.ok(refused.stderr.endsWith('3 of 8 questions have the same answer for everybody: shape, order, wrong. Nothing was written; --equal writes it nonetheless.\n'), refused.stderr);
    const { status, stderr } = cli(...all, '--equal');
    assert.equal(status, 0);
    assert.match(stderr, /[45] of 8 questions discriminate: .* A neighbour’s paper, all right, would score \d\d %\./);
    assert.match(stderr, /the same answer for everybody: shape, order, wrong\n$/);
    // What is equal for two students alone is named as chance; what is so for everybody is not.
    const ways = join(folder, 'ways.md');
    writeFileSync(ways, askedTwice);
    const two = cli('class', ways, '--out', join(folder, 'two'), '--students', namesFile('A\nB\n'), '--seed', '1');
    assert.match(two.stderr, /2 of 2 questions have .*: fixed, two\. Nothing was written; --equal writes it nonetheless\. By chance in a class of 2: two\. Another --seed may deal them apart\.\n$/);
  }); // prettier-ignore

  it('grades a folder: CSV and HTML, and the missing by name', () => {
    const [csv, html] = [join(folder, 'a.csv'), join(folder, 'a.html')];
    const { status, stderr, stdout } = cli('grade', handed, '--key', join(folder, 'key.json'), '--csv', csv, '--html', html);
    assert.deepEqual([status, stdout], [1, '']);
    assert.deepEqual(stderr.trim().split('\n'), students.slice(20).map((s) => `${s.student}: nothing was handed in`));
    assert.equal(readFileSync(csv, 'utf8').trim().split('\r\n').length, 31);
    assert.match(readFileSync(html, 'utf8'), /^<!doctype html>/);
  }); // prettier-ignore

  it('without a key takes the lesson that lies there, and says when there is none', () => {
    assert.match(cli('grade', handed).stderr, /expected one lesson .* found none/);
    writeFileSync(join(handed, 'lesson.md'), source);
    const { status, stdout, stderr } = cli('grade', handed);
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout.trim().split('\r\n').length, 21);
  });

  it('names a key that is damaged, and what it was asked wrongly', () => {
    writeFileSync(join(folder, 'broken.json'), '{ "format": ');
    assert.match(cli('grade', handed, '--key', join(folder, 'broken.json')).stderr, /broken\.json:1:\d+: expected/);
    assert.equal(cli('grade').status, 2);
    assert.equal(cli('grade', handed, '--kez', 'x').status, 2);
    assert.equal(cli('grade', join(folder, 'nowhere')).status, 2);
    assert.ok(!readKey('').ok);
  });
});

describe('the class of test/reference', () => {
  it('is what the program prints', function () {
    this.timeout(60_000);
    const python = pythonOrSkip(this, 'numpy');
    const { stdout } = spawnSync(python, [join(__dirname, '../reference/lesson_class.py'), join(fixtures, 'class.md')], { encoding: 'utf8' });
    // The last digit of a product depends on the processor for which NumPy chose its code.
    const rounded = (_: string, value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(12)) : value);
    const told = JSON.parse(stdout, rounded) as { students: unknown };
    assert.deepEqual(told.students, JSON.parse(JSON.stringify(students), rounded));
  }); // prettier-ignore
});
