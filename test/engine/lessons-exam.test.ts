// Exams: what marks a lesson as one, what its students get, and what the marks say.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { gradeClass, handedOut, planClass, readLesson, reportCsv, reportHtml, resultsOf, writeResults, type ClassReport, type Results } from '../../engine/index'; // prettier-ignore
import { examFileName, frontMatterOf } from '../../engine/lessons/front-matter';
import { lessonFrom, placed } from './lessons-support';

const question = {
  id: 'score', kind: 'number', prompt: 'The score of query 0 and key 1?', of: { step: 'scores', cell: [0, 1] },
  hints: ['Multiply and add.'], explanation: 'A sum of products.',
}; // prettier-ignore
const body = `# A test\n\n\`\`\`attention id=a\nQ = [[1, 2], [3, 1]]\nK = [[2, 1], [1, 3]]\n\`\`\`\n\n\`\`\`attention-question\n${JSON.stringify(question)}\n\`\`\`\n`;
const exam = `---\nexam: yes\ndue: 2026-12-01T11:00+01:00\n---\n\n${body}`;

describe('the front matter of a lesson', () => {
  it('marks an exam and says when it is due, in any line ends, and is no part of its prose', () => {
    for (const text of [exam, exam.replaceAll('\n', '\r\n'), `\ufeff${exam}`]) {
      const lesson = lessonFrom(text);
      assert.deepEqual([lesson.exam, lesson.due, lesson.title], [true, '2026-12-01T11:00+01:00', 'A test']);
      assert.ok(!lesson.parts.some((part) => part.kind === 'prose' && part.text.includes('exam:')));
    }
  });

  it('of other programs is passed over, and a rule with prose below it is none', () => {
    assert.equal(lessonFrom(`---\ntitle: x # exam: yes\ntags:\n- a\n---\n${body}`).exam, false);
    assert.equal(lessonFrom(body).exam, false);
    const prose = `---\nWe begin.\n\n---\n${body}`;
    assert.ok(lessonFrom(prose).parts.some((part) => part.kind === 'prose' && part.text.includes('We begin.')));
    assert.equal(frontMatterOf(`---\nexam: yes\n${body}`).range.end, 0, 'it is not closed');
  });

  it('that cannot be read is named at its place, and an exam until it is mended', () => {
    const problemsIn = (text: string): string[] => placed(text, readLesson(text).problems);
    const maybe = `---\nexam: maybe\n---\n${body}`;
    assert.deepEqual(problemsIn(maybe), ['2:1 exam: expected yes or no, found maybe']);
    assert.equal(readLesson(maybe).lesson.exam, true);
    assert.deepEqual(problemsIn(`---\ndue: 2026-12-01\nExam: yes\n---\n${body}`), [
      '2:1 due: expected a moment with a time zone, found 2026-12-01',
      '3:1 Exam: written exam',
    ]);
    for (const no of ['no', 'false', '"off"', 'no # for now'])
      assert.equal(lessonFrom(`---\nexam: ${no}\n---\n${body}`).exam, false, no);
  });
});

const answers = [{ question: 'score', response: 7, attempts: 3, minutes: 1 }];
const handIn = (more: Partial<Results> = {}): Results =>
  resultsOf(lessonFrom(handedOut(exam)), {
    student: 'Ada', seed: null, program: '0.1.0', complete: true, answers, exam: true, handedIn: '2026-12-01T09:59:00.000Z', ...more,
  }); // prettier-ignore

function graded(results: Results): ClassReport {
  const report = gradeClass(exam, [{ name: 'Ada.results.json', text: writeResults(results) }]);
  assert.ok(report.ok, JSON.stringify(report));
  return report.value;
}
const flags = (report: ClassReport): string[] => report.students.flatMap((s) => s.flags.map((f) => f.message));

describe('an exam', () => {
  it('is handed out without what a question says after it was answered, and marked alike', () => {
    const text = handedOut(exam);
    for (const help of ['Multiply and add.', 'A sum of products.', 'hints', 'explanation'])
      assert.ok(!text.includes(help), help);
    assert.equal(handedOut(body), body, 'a lesson that is none is left as it is');
    // 1·1 + 2·3 = 7.
    const report = graded(handIn());
    assert.deepEqual([flags(report), report.students[0]?.points], [[], 1]);
  });

  it('is written with its mark beside each student’s lesson, and with none in the teacher’s folder', () => {
    for (const students of [['Ada', 'Bob'], []]) {
      const plan = planClass({ lesson: exam, name: 'test.md', students, seed: 1 });
      assert.ok(plan.ok);
      const marks = plan.value.files.filter(({ path }) => path.endsWith(examFileName)).map(({ path }) => path);
      assert.deepEqual(
        marks,
        (students.length ? students : ['everybody']).map((s) => `students/${s}/${examFileName}`),
      );
      const lesson = plan.value.files.find(({ path }) => /^students\/.*test\.md$/.test(path))?.text ?? '';
      assert.ok(lesson.startsWith('---\nexam: yes\n') && !lesson.includes('Multiply'));
      assert.ok(plan.value.files.find(({ path }) => path === 'teacher/test.md')?.text.includes('Multiply'));
    }
  });

  it('says in the marks that it was one, and names who worked otherwise, who was late and who says no time', () => {
    const [on, late, hours, days, open, timeless] = [
      graded(handIn()),
      graded(handIn({ handedIn: '2026-12-01T10:00:30.000Z' })),
      graded(handIn({ handedIn: '2026-12-01T13:05:00.000Z' })),
      graded(handIn({ handedIn: '2026-12-04T12:00:00.000Z' })),
      graded(handIn({ exam: false })),
      graded(resultsOf(lessonFrom(handedOut(exam)), { student: 'Ada', seed: null, program: '0.1.0', complete: true, answers, exam: true })),
    ];
    assert.deepEqual([on, late, hours, days, open, timeless].map(flags), [
      [],
      ['handed in 1 min late, by the student’s clock'],
      ['handed in 3 h 5 min late, by the student’s clock'],
      ['handed in 3 days 2 h late, by the student’s clock'],
      ['not worked on as an exam: answers could be shown and reset'],
      ['the file does not say when it was handed in'],
    ]);
    const [head = '', row = ''] = reportCsv(late).split('\r\n');
    assert.ok(head.includes(',exam,handed in,minutes late,') && row.includes(',yes,2026-12-01T10:00:30.000Z,0.5,'), row);
    assert.match(reportHtml(on), /Results of a class in an exam; due 2026-12-01T11:00\+01:00\. The times .* own clocks/);
  }); // prettier-ignore
});

describe('explain-attention lesson --answers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exam-'));
  const program = join(folder, 'cli.js');
  before(() => void buildSync({ entryPoints: [join(__dirname, '../../engine/cli/main.ts')], outfile: program, bundle: true, platform: 'node', define: { PACKAGE_VERSION: '"1"' } })); // prettier-ignore
  after(() => rmSync(folder, { recursive: true }));
  const answersOf = (name: string, files: Readonly<Record<string, string>>): readonly [number | null, string] => {
    const place = join(folder, name);
    mkdirSync(place);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
    const { status, stdout } = spawnSync(process.execPath, [program, 'lesson', join(place, 'l.md'), '--answers'], { encoding: 'utf8' });
    return [status, /^score: (.*)$/m.exec(stdout)?.[1] ?? ''];
  }; // prettier-ignore

  it('keeps those of an exam back, by its text or its folder, but not beside the key', () => {
    assert.deepEqual(answersOf('plain', { 'l.md': body }), [0, '7']);
    assert.deepEqual(answersOf('text', { 'l.md': exam }), [1, '']);
    assert.deepEqual(answersOf('folder', { 'l.md': body, [examFileName]: '' }), [1, '']);
    assert.deepEqual(answersOf('teacher', { 'l.md': exam, 'key.json': '{}' }), [0, '7']);
    assert.ok(readFileSync(join(folder, 'teacher/l.md'), 'utf8').includes('exam'));
  });
});
