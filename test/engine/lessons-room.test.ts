// A class from end to end: set up, worked at, handed in, graded. The marks are NumPy's (test/reference/lesson_room.py), which reads the students'
// folders and files by itself.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gradeClass, hashSpec, hashTrace, planClass, readLesson, textOfBytes, traceOfBlock, variantOf, type ClassReport, type LessonBlock, type StudentReport } from '../../engine/index'; // prettier-ignore
import { pythonOrSkip } from '../reference/python';
import { classSeed, handedIn, names, program, roomLesson, setUpRoom, type Fate } from './lessons-room';
import { lessonFrom } from './lessons-support';

type Marks = Readonly<Record<string, Readonly<Record<string, number>> | null>>;
const golden = join(__dirname, '../fixtures/lessons/room.json');
const { plan, students } = setUpRoom();
const files = handedIn(students);

function graded(): ClassReport {
  const handed = files.map(({ path, bytes }) => ({ name: path, text: textOfBytes(bytes) }));
  const report = gradeClass(plan.key.lesson, handed, { key: plan.key, program });
  assert.ok(report.ok, JSON.stringify(report));
  return report.value;
}

describe('a class is set up', () => {
  it('with a folder for each name, whatever is in it', () => {
    const folders = [...plan.folders.values()];
    assert.equal(new Set(folders.map((f) => f.toLowerCase())).size, 30);
    for (const folder of folders) assert.doesNotMatch(folder, /[<>:"/\\|?*]|^\.|[. ]$|^con$/i);
    for (const { path } of plan.files) assert.doesNotMatch(path, /^\/|\.\.|\\/);
    for (const { folder } of students) {
      const own = plan.files.filter((f) => f.path.startsWith(`students/${folder}/`)).map((f) => f.path.slice(10 + folder.length));
      assert.deepEqual(own, ['room.md', 'explain-attention.variant.json', 'README.md', '.vscode/extensions.json', '.vscode/settings.json', '.devcontainer/devcontainer.json']);
    }
  }); // prettier-ignore

  it('with the key and the answers for the teacher alone', () => {
    const teacher = plan.files.filter((f) => f.path.startsWith('teacher/')).map((f) => f.path);
    assert.deepEqual(teacher, ['teacher/README.md', 'teacher/key.json', 'teacher/answers.csv', 'teacher/room.md']);
    for (const { student, seed } of plan.key.students) {
      const others = plan.files.filter((f) => f.path.startsWith('students/') && !f.path.startsWith(`students/${plan.folders.get(student)}/`));
      for (const { path, text } of others) assert.ok(!text.includes(String(seed)), `${path} has the seed of ${student}`);
    }
  }); // prettier-ignore

  it('with variants that differ, and read again are those of the seeds', () => {
    const seen = new Set<string>();
    for (const { lesson, seed } of students) {
      const variant = variantOf(lessonFrom(roomLesson), seed);
      assert.ok(variant.ok);
      for (const [i, block] of lesson.blocks.entries()) {
        const other: LessonBlock | undefined = variant.value.blocks[i];
        assert.ok(other);
        const mine = traceOfBlock(block);
        const theirs = traceOfBlock(other);
        assert.ok(mine.ok);
        assert.ok(theirs.ok);
        assert.equal(hashTrace(mine.value), hashTrace(theirs.value));
      }
      seen.add(hashSpec(lesson.blocks[0]?.spec.start));
    }
    assert.equal(seen.size, 30);
  });

  it('of the same difficulty: kinds, shapes, zeros, and the digits of every number', () => {
    const shape = (source: string): string[] => {
      const { start } = readLesson(source).lesson.blocks[0]?.spec ?? assert.fail();
      assert.ok(start.from === 'qkv');
      const numbers = [start.q, start.k, start.v].flatMap((m) => (m as number[][]).flat());
      // Q and K have halves, V has whole numbers.
      return numbers.map((x, i) => (x === 0 ? '0' : String(Math.abs(x) * (i < 24 ? 2 : 1)).length.toString()));
    };
    const expected = shape(roomLesson);
    assert.ok(expected.includes('2') && expected.includes('0'));
    for (const { folder } of students)
      assert.deepEqual(shape(plan.files.find((f) => f.path === `students/${folder}/room.md`)?.text ?? ''), expected);
  });

  it('again with the same bytes, and for who stays when others come and go', () => {
    const again = planClass({ lesson: roomLesson, name: 'room.md', students: names, seed: classSeed });
    assert.ok(again.ok);
    assert.deepEqual(again.value.files, plan.files);
    const fewer = planClass({ lesson: roomLesson, name: 'room.md', students: [...names.slice(5), 'Newcomer'].reverse(), seed: classSeed });
    assert.ok(fewer.ok);
    const seeds = new Map(plan.key.students.map((s) => [s.student, s.seed]));
    for (const { student, seed } of fewer.value.key.students) assert.equal(seed, seeds.get(student) ?? seed);
    const other = planClass({ lesson: roomLesson, name: 'room.md', students: names, seed: classSeed + 1 });
    assert.ok(other.ok);
    assert.ok(other.value.key.students.every(({ student, seed }) => seed !== seeds.get(student)));
  }); // prettier-ignore

  it('without names as one folder for all, which can be graded', () => {
    const one = planClass({ lesson: `\ufeff${roomLesson}`, name: 'README.md', students: [], seed: 1 });
    assert.ok(one.ok);
    const everybody = one.value.files.filter((f) => f.path.startsWith('students/')).map((f) => f.path);
    assert.deepEqual(everybody.slice(0, 2), ['students/everybody/lesson.md', 'students/everybody/README.md']);
    assert.equal(one.value.files.find((f) => f.path === 'students/everybody/lesson.md')?.text, roomLesson);
    assert.deepEqual(one.value.key.students, []);
  });

  it('and not from a lesson with problems or without questions', () => {
    const broken = planClass({ lesson: '```attention\nQ = [[1\n```\n', name: 'a.md', students: ['a'], seed: 1 });
    assert.ok(!broken.ok && broken.problems[0]?.range);
    const prose = planClass({ lesson: '# Prose\n', name: 'a.md', students: ['a'], seed: 1 });
    assert.deepEqual(prose.ok ? [] : prose.problems.map((p) => p.message), ['the lesson has no questions']);
  });
});

const flagsByFate: Readonly<Record<Fate, readonly string[]>> = {
  right: [], 'cut numbers': [], wrong: [], partial: [], blank: [], 'CRLF and BOM': [], 'UTF-16': [], renamed: [],
  half: ['incomplete'],
  absent: ['absent'],
  empty: ['damaged'],
  crashed: ['damaged'],
  tampered: ['changed'],
  'neighbour’s numbers': ['other-lesson', 'other-seed', 'other-numbers'],
  'neighbour’s file': ['absent'],
  'late program': ['late-version', 'copy'],
  'late format': ['late-version'],
  conflict: ['conflict'],
}; // prettier-ignore

describe('a class is graded', () => {
  const report = graded();
  const marks = JSON.parse(readFileSync(golden, 'utf8')) as Marks;
  const rowOf = (student: string): StudentReport => {
    const rows = report.students.filter((r) => r.student === student);
    return rows.find((r) => !r.flags.some((f) => f.code === 'other-place')) ?? assert.fail(student);
  };

  it('as NumPy grades it: every answer of every file', () => {
    let compared = 0;
    for (const { file, answers } of report.students.filter((r) => r.file !== undefined)) {
      const expected = marks[file ?? ''];
      assert.ok(expected !== undefined, file);
      for (const { question, mark } of answers) {
        const points = expected === null ? 0 : (expected[question] ?? NaN);
        assert.ok(Math.abs(mark.points - points) < 1e-12, `${file} ${question}: ${mark.points} for ${points}: ${mark.reason}`);
        compared++;
      }
    }
    assert.equal(compared, Object.keys(marks).length * 9);
    assert.equal(Object.keys(marks).length, 29);
  }); // prettier-ignore

  it('with a remark on each file that a teacher should look at, and on no other', () => {
    for (const { student, fate } of students)
      assert.deepEqual(rowOf(student).flags.map((f) => f.code), flagsByFate[fate], `${student}: ${fate}`); // prettier-ignore
    const copied = report.students.find((r) => r.flags.some((f) => f.code === 'other-place'));
    assert.equal(copied?.student, students.find((s) => s.fate === 'late program')?.student);
  });

  it('with the traces’ hashes of all who computed them', () => {
    const fates = new Map(students.map((s) => [s.student, s.fate]));
    for (const { student, hashes, file } of report.students) {
      const equal = hashes.filter((h) => h.handed === h.trace).length;
      const fate = fates.get(student);
      if (fate === 'neighbour’s numbers') assert.equal(equal, 0);
      else if (hashes.length) assert.deepEqual([equal, hashes.length], [2, 2], file);
    }
  });

  it('the marks that are right are those of who answered right', () => {
    for (const { student, fate } of students.filter((s) => ['right', 'cut numbers', 'UTF-16', 'renamed'].includes(s.fate)))
      assert.equal(rowOf(student).points, 9, `${student}: ${fate}`);
    for (const { student } of students.filter((s) => s.fate === 'wrong')) assert.equal(rowOf(student).points, 0, student);
  }); // prettier-ignore
});

describe('the room of test/reference', () => {
  const folder = mkdtempSync(join(tmpdir(), 'explain-attention-room-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is marked so by the program', function () {
    this.timeout(60_000);
    const python = pythonOrSkip(this, 'numpy');
    const all = [...plan.files.map(({ path, text }) => ({ path, bytes: Buffer.from(text) })), ...files];
    for (const { path, bytes } of all) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    const { stdout, stderr } = spawnSync(python, [join(__dirname, '../reference/lesson_room.py'), folder], { encoding: 'utf8', env: { ...process.env, PYTHONIOENCODING: 'utf-8' } });
    if (process.env['WRITE_ROOM']) writeFileSync(golden, stdout);
    assert.equal(stderr, '');
    assert.equal(stdout, readFileSync(golden, 'utf8'));
  }); // prettier-ignore
});
