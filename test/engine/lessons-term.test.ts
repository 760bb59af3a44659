// A term test, marked by an independent grader too: test/reference/lesson_term.py reads the students' own files and marks them with NumPy.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { canvasCsv, feedbackPages, gradeClass, moodleCsv, reportCsv, reportHtml, withoutNames, type ClassReport, type Key } from '../../engine/index'; // prettier-ignore
import { pythonOrSkip } from '../reference/python';
import { cheats, handedInTerm, setUpTerm, termLesson, termList, type Cheat, type TermStudent } from './lessons-term';

type Marks = Readonly<Record<string, Readonly<Record<string, number | null>>>>;
const fixture = join(__dirname, '../fixtures/lessons/term.json');
const reference = JSON.parse(readFileSync(fixture, 'utf8')) as { readonly before: Marks; readonly after: Marks };

/** The same lesson corrected: a statement's claim, what two questions are worth, and that parts of one count. */
const corrected = termLesson
  .replace('{ "is": "more", "value": { "step": "weights", "take": "max" }, "to": 1 }', '{ "is": "more", "value": { "step": "weights", "take": "max" }, "to": 0 }')
  .replace('"partial": false, "prompt": "The weights of query 0?"', '"prompt": "The weights of query 0?"')
  .replace('"id": "most", "kind": "choose"', '"id": "most", "points": 2, "kind": "choose"'); // prettier-ignore

const { plan, students } = setUpTerm();
const files = handedInTerm(students);

function graded(key: Key, more: { correction?: string } = {}): ClassReport {
  const report = gradeClass(termLesson, files, { key, program: '0.1.0', ...more });
  assert.ok(report.ok, JSON.stringify(report));
  return report.value;
}

/** Compares marks with those of the other grader; returns how many. */
function compare(report: ClassReport, marks: Marks): number {
  const bySet = new Map<string, (typeof report.students)[number]>();
  for (const row of report.students) bySet.set(`${row.student}\t${row.file?.split('/').at(-1) ?? ''}`, row);
  let compared = 0;
  for (const [name, points] of Object.entries(marks)) {
    const row = bySet.get(name) ?? assert.fail(name);
    for (const { question, earned, mark } of row.answers) {
      const expected = points[question];
      if (expected === null) assert.ok(['collected', 'unanswered'].includes(mark.verdict), `${name} ${question}`);
      else assert.ok(Math.abs(earned - (expected ?? NaN)) < 1e-12, `${name} ${question}: ${earned}, ${expected}`);
      compared++;
    }
  }
  return compared;
}

const of = (cheat: Cheat): TermStudent => students.find((one) => one.cheat === cheat) ?? assert.fail(cheat);

describe('a term test of thirty', () => {
  it('is marked as the independent grader marks it, also by a corrected lesson', () => {
    assert.equal(compare(graded(plan.key), reference.before), 30 * 9);
    assert.equal(compare(graded(plan.key, { correction: corrected }), reference.after), 30 * 9);
  });

  it('names nine of ten ways to cheat, the tenth earns nothing, and nobody honest has a remark', () => {
    const report = graded(plan.key);
    const flags = (student: string): string[][] =>
      report.students.filter((row) => row.student === student).map((row) => row.flags.map(({ code }) => code));
    const expected: Readonly<Record<Cheat, readonly (readonly string[])[]>> = {
      'neighbour’s file, renamed inside': [['other-lesson', 'other-seed', 'other-numbers']],
      'neighbour’s numbers, typed': [[]],
      'points edited': [['changed']],
      'neighbour’s file, as it is': [['absent']],
      'not as an exam': [['not-exam']],
      late: [['late']],
      'two files': [['twice'], ['twice']],
      'a seed of choice': [['other-lesson', 'other-seed', 'other-numbers']],
      'an easier text': [['other-lesson', 'other-numbers']],
      'everything ticked': [[]],
    };
    for (const cheat of cheats) assert.deepEqual(flags(of(cheat).student).map((all) => [...all].sort()), expected[cheat].map((all) => [...all].sort()), cheat); // prettier-ignore
    const lent = students[cheats.indexOf('neighbour’s file, as it is')]?.student ?? '';
    for (const { student, cheat } of students)
      if (!cheat && student !== lent) assert.deepEqual(flags(student), [[]], student);
    assert.deepEqual(flags(lent).map((all) => all.includes('other-place') || all.includes('twice') || all.includes('copy')), [true, true]); // prettier-ignore
    const typed = of('neighbour’s numbers, typed').student;
    const pairs = report.close.map((pair) => [...pair.students].sort());
    const chosen = of('a seed of choice').student;
    const [lender = '', other = ''] = [students[1], students[7]].map((one) => one?.student);
    // Who chose a seed answered on another's numbers.
    assert.deepEqual(pairs.sort(), [[lender, typed].sort(), [other, chosen].sort()].sort());
    const ticked = report.students.find(({ student }) => student === of('everything ticked').student);
    assert.equal(ticked?.answers.find(({ question }) => question === 'which')?.earned.toFixed(4), (2 / 3).toFixed(4));
  });

  it('is for gradebooks what they import: Canvas’s columns in their order, and Moodle’s', () => {
    const report = graded(plan.key);
    const canvas = canvasCsv(report, plan.key);
    const lines = canvas.csv.split('\r\n');
    assert.equal(lines[0], 'Student,ID,SIS User ID,SIS Login ID,Section,Term test: three queries');
    assert.equal(lines[1], '    Points Possible,,,,,13.5'.replace('    Points Possible', '"    Points Possible"'));
    assert.match(lines[2] ?? '', /^"Lovelace; ""Ada""",9000,A100,user0,S1,[\d.]+$/);
    assert.match(lines[3] ?? '', /^'=Bobby,9001,A101,user1,S1,[\d.]+$/);
    const absent = of('neighbour’s file, as it is').student;
    const codes = canvas.notes.map(({ code }) => code);
    assert.deepEqual([...new Set(codes)].sort(), ['guarded', 'no-points']);
    assert.ok(canvas.notes.some(({ message }) => message === `${absent}: no points, nothing was marked`));
    assert.ok(
      lines.some((line) => line.startsWith(`${absent},`) && line.endsWith(',')),
      'an empty cell changes no grade',
    );
    const moodle = moodleCsv(report, plan.key).csv.split('\r\n');
    assert.equal(moodle[0], 'Username,ID number,Email address,Full name,Term test: three queries');
    assert.match(moodle[1] ?? '', /^user0,A100,u0@school\.test,"Lovelace; ""Ada""",[\d.]+$/);
    const csv = reportCsv(report).split('\r\n');
    assert.ok((csv[0] ?? '').endsWith('id,email,user name,section'));
    assert.ok(csv.some((line) => line.endsWith(',A100,u0@school.test,user0,S1')));
  });

  it('is a page for each student, with nothing of anybody else, and nothing that runs or loads', () => {
    const report = graded(plan.key, { correction: corrected });
    const pages = feedbackPages(report);
    // Two students have two files, and one has none.
    assert.equal(pages.length, 31);
    assert.equal(new Set(pages.map(({ path }) => path)).size, 31);
    for (const { path, text } of pages) {
      assert.match(text, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
      assert.ok(!/<script|<img|<link|href=|src=/.test(text), path);
      const plain = text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      const named = students.filter(({ student }) =>
        plain
          .split(student)
          .slice(1)
          .some((rest) => !/^\d/.test(rest)),
      );
      assert.equal(named.length, 1, `${path}: ${named.map(({ student }) => student).join()}`);
    }
    const first = pages.find(({ text }) => text.includes('<header><p>=Bobby</p>'))?.text ?? assert.fail();
    assert.match(first, /<p class="total">[\d.]+ of 14\.5 points<\/p>/);
    assert.match(first, /The lesson was corrected, and marked again:<\/p><ul><li>most: 1 points before, 2 now/);
  });

  it('says what a correction changed, and refuses one that would change what answers meant', () => {
    const report = graded(plan.key, { correction: corrected });
    const expected = Object.entries(reference.before).flatMap(([name, before]) =>
      Object.entries(before).filter(([question, points]) => points !== reference.after[name]?.[question]).map(([question]) => `${name.split('\t')[0]} ${question}`)); // prettier-ignore
    const changed = (report.changes ?? []).map(({ student, question }) => `${student} ${question}`);
    assert.deepEqual([...new Set(changed)].sort(), [...new Set(expected)].sort());
    assert.ok(changed.length > 30, String(changed.length));
    assert.match(reportHtml(report), /What the correction changed/);
    assert.ok(reportCsv(report).split('\r\n')[0]?.endsWith(',points before'));
    for (const [wrong, message] of [
      [termLesson.replace('[2, -1]', '[2, 1]'), 'block a has other numbers than were handed out'],
      [termLesson.replace('"id": "score"', '"id": "new"'), 'question new is new: nobody was asked it'],
      [termLesson.replace('"several": true, "points": 2', '"points": 2'), 'which'],
      [termLesson.replace('[[2, 0], [2, 1], [2, 2]]', '[[2, 0], [2, 1], [1, 2]]'), 'question row asks for other cells'],
    ] as const) {
      const refused = gradeClass(termLesson, files, { key: plan.key, correction: wrong });
      assert.ok(!refused.ok && refused.problems.every(({ path }) => path === 'correction'), message);
      assert.ok(
        refused.problems.some((p) => p.message.includes(message) || message === 'which'),
        JSON.stringify(refused.problems),
      );
    }
    assert.deepEqual(graded(plan.key, { correction: termLesson }).changes, []);
  });

  it('with codes: nothing that students get or that marks has a name in it', () => {
    const coded = setUpTerm(true);
    const given = coded.plan.files.filter(({ path }) => path.startsWith('students/'));
    const named = students.map(({ student }) => student).sort((a, b) => b.length - a.length);
    for (const { path, text } of given)
      for (const name of named) assert.ok(!`${path} ${text}`.includes(name), `${path}: ${name}`);
    assert.match(
      coded.plan.files.find(({ path }) => path === 'teacher/codes.csv')?.text ?? '',
      /^\ufeffstudent,code,id,email\r\n"Lovelace; ""Ada""",[2-9B-Z]{6},A100,u0@school.test/,
    );
    const report = gradeClass(termLesson, handedInTerm(coded.students, true), { key: coded.plan.key });
    assert.ok(report.ok);
    const totals = (of: ClassReport): string[] => of.students.map(({ student, points }) => `${student} ${points}`);
    assert.deepEqual(totals(report.value), totals(graded(plan.key)));
    const blind = withoutNames(report.value, coded.plan.key);
    assert.ok(blind.ok);
    const shown = reportCsv(blind.value) + reportHtml(blind.value) + feedbackPages(blind.value).map(({ path, text }) => path + text).join(''); // prettier-ignore
    for (const name of [...named, 'A100', 'u0@school.test', 'user0']) assert.ok(!shown.includes(name), name);
    assert.ok(canvasCsv(report.value, coded.plan.key).csv.includes('A100'), 'a gradebook knows them');
    assert.ok(!withoutNames(graded(plan.key), plan.key).ok, 'this class has no codes');
  });

  it('is marked so by the program', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy');
    const folder = mkdtempSync(join(tmpdir(), 'term-'));
    try {
      for (const { path, text } of [...plan.files, ...files.map(({ name, text: own }) => ({ path: name, text: own }))]) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      writeFileSync(join(folder, 'corrected.md'), corrected);
      const run = (...more: string[]): Marks => {
        const { stdout, stderr } = spawnSync(python, [join(__dirname, '../reference/lesson_term.py'), folder, ...more], { encoding: 'utf8' });
        assert.ok(stdout, stderr);
        return JSON.parse(stdout) as Marks;
      };
      const again = { before: run(), after: run(join(folder, 'corrected.md')) };
      if (process.env['WRITE_FIXTURE']) writeFileSync(fixture, `${JSON.stringify(again)}\n`);
      else assert.deepEqual(again, reference);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }); // prettier-ignore
});

describe('a term test in the terminal', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'term-cli-'));
  const program = join(folder, 'cli.js');
  const at = (...path: string[]): string => join(folder, ...path);
  const cli = (...words: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', env: {} });
  before(() => {
    buildSync({ entryPoints: [join(__dirname, '../../engine/cli/main.ts')], outfile: program, bundle: true, platform: 'node', define: { PACKAGE_VERSION: '"0.1.0"' } }); // prettier-ignore
    writeFileSync(at('term.md'), termLesson);
    writeFileSync(at('list.csv'), termList);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is set up with codes, and marked into table, report, gradebooks and pages by a correction', () => {
    const asked = ['class', at('term.md'), '--out', at('class'), '--students', at('list.csv'), '--seed', '7', '--codes'];
    assert.equal(cli(...asked).status, 1, 'the order of steps is the same for everybody');
    assert.equal(cli(...asked, '--equal').status, 0);
    assert.ok(existsSync(at('class/teacher/codes.csv')));
    const coded = setUpTerm(true);
    for (const { name, text } of handedInTerm(coded.students, true)) writeFileSync(at('class', name), text);
    writeFileSync(at('corrected.md'), corrected);
    const out = ['--csv', at('m.csv'), '--html', at('r.html'), '--canvas', at('c.csv'), '--moodle', at('d.csv'), '--feedback', at('pages')];
    const { status, stdout, stderr } = cli('grade', at('class'), ...out, '--correction', at('corrected.md'), '--anonymous');
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /the correction changed \d+ answers of \d+ students\n$/);
    assert.match(stderr, /c\.csv: .*: no points, nothing was marked/);
    const codes = new Map(coded.plan.key.students.map(({ student, code }) => [student, code ?? '']));
    const pages = readdirSync(at('pages'));
    assert.equal(pages.length, 31);
    for (const page of pages) assert.ok([...codes.values()].some((code) => page.startsWith(code)), page);
    for (const file of ['m.csv', 'r.html']) assert.ok(!readFileSync(at(file), 'utf8').includes('Bobby'), file);
    assert.ok(readFileSync(at('c.csv'), 'utf8').startsWith('Student,ID,'), 'without a byte order mark');
    assert.ok(readFileSync(at('d.csv'), 'utf8').includes('u5@school.test'));
  }); // prettier-ignore

  it('names a bad list, a correction that is none, and a class without codes', () => {
    writeFileSync(at('bad.csv'), 'Name,Id\nAda,1\nBob,1\n');
    const bad = cli('class', at('term.md'), '--out', at('bad'), '--students', at('bad.csv'), '--seed', '1', '--equal');
    assert.deepEqual([bad.status, bad.stderr, existsSync(at('bad'))], [1, `${at('bad.csv')}: line 3: 1 stands in line 2 too\n`, false]);
    assert.equal(cli('class', at('term.md'), '--out', at('bad'), '--codes').status, 2);
    writeFileSync(at('other.md'), termLesson.replace('"id": "score"', '"id": "new"'));
    const wrong = cli('grade', at('class'), '--correction', at('other.md'));
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /other\.md:18:1: question new is new/);
    assert.equal(cli('class', at('term.md'), '--out', at('named'), '--students', at('list.csv'), '--seed', '7', '--equal').status, 0);
    mkdirSync(at('named/in'));
    writeFileSync(at('named/in/x.results.json'), '');
    assert.match(cli('grade', at('named'), '--anonymous').stderr, /the key has no codes/);
  }); // prettier-ignore
});
