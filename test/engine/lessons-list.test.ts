// Lists of students as the systems of schools export them, and what is wrong with bad ones, by line.
import assert from 'node:assert/strict';
import { canvasCsv, gradeClass, keyOf, moodleCsv, readKey, readStudents } from '../../engine/index';
import { writeKey } from '../../engine/lessons/results';
import { asking } from './lessons-support';

const canvas =
  'Student,ID,SIS User ID,SIS Login ID,Section,Essay (17)\n,,,,,Manual Posting\n    Points Possible,,,,,10\n"Lovelace, Ada",9001,A1,ada,S1,9\n"Hopper, Grace",9002,A2,grace,S1,\n';
const moodle =
  'First name,Last name,ID number,Institution,Department,Email address\nAda,Lovelace,A1,,,ada@school.test\nGrace,Hopper,,,,grace@school.test\n';
const messages = (text: string): readonly string[] => readStudents(text, true).problems.map(({ message }) => message);

describe('a list of students', () => {
  it('has ids, user names and addresses from exports of Canvas and Moodle, and no row that is no student', () => {
    const first = readStudents(canvas, true);
    assert.deepEqual([first.students, first.notes, first.problems], [['Lovelace, Ada', 'Hopper, Grace'], [], []]);
    assert.deepEqual(first.identities.get('Lovelace, Ada'), { id: 'A1', login: 'ada', canvas: '9001', section: 'S1' });
    const second = readStudents(moodle, true);
    assert.deepEqual(second.students, ['Ada Lovelace', 'Grace Hopper']);
    assert.deepEqual([...second.identities], [
      ['Ada Lovelace', { id: 'A1', email: 'ada@school.test' }],
      ['Grace Hopper', { email: 'grace@school.test' }],
    ]);
    const german = readStudents('\ufeffVorname;Nachname;Matrikelnummer;E-Mail-Adresse\r\nÄnne;"Öz; geb. ""Ü"""; 0042 ;A@B.de\r\n', true);
    assert.deepEqual([...german.identities], [['Änne Öz; geb. "Ü"', { id: '0042', email: 'A@B.de' }]]);
  }); // prettier-ignore

  it('is refused by line where an id or an address is two students’, a name is missing, or a quotation mark stays open', () => {
    assert.deepEqual(messages('Name,Id,Email\nAda,1,a@b.c\nGrace,1,A@B.C\n'), ['line 3: 1 stands in line 2 too', 'line 3: A@B.C stands in line 2 too']); // prettier-ignore
    assert.deepEqual(messages('Name,Id\nAda,1\n,2\n\n'), ['line 3 has no name']);
    assert.deepEqual(messages('Name,Id\nAda,1\n"Grace,2\nAlan,3\n'), ['line 3: a quotation mark is not closed: what follows would be one cell']); // prettier-ignore
    assert.deepEqual(messages('Name,Id\nAda,\nGrace,\n'), []);
  });

  it('without a column that is known is read by its first, and says so', () => {
    const { students, notes } = readStudents('Gruppe,Platz\nA,1\n', true);
    assert.deepEqual([students, notes.map(({ code }) => code)], [['Gruppe', 'A'], ['heading']]);
  });
});

describe('a gradebook', () => {
  const lesson = asking({
    id: 'q',
    kind: 'number',
    prompt: '?',
    digits: 0,
    points: 4,
    of: { step: 'scores', cell: [0, 1] },
  });
  const key = (more: object): ReturnType<typeof keyOf> =>
    keyOf(lesson, [{ student: '@Ada', seed: null, ...more }, { student: '-Bo;=1', seed: null }]); // prettier-ignore

  it('guards against formulas in every cell, and says whom its system may not find', () => {
    const report = gradeClass(lesson, [], { key: key({ id: '+49', email: '=x@y' }) });
    assert.ok(report.ok);
    for (const { csv, notes } of [canvasCsv(report.value, key({ id: '+49' })), moodleCsv(report.value, key({ id: '+49', email: '=x@y' }))]) {
      for (const line of csv.split('\r\n').slice(1)) for (const cell of line.split(/[,;]/)) assert.doesNotMatch(cell.replace(/^"/, ''), /^[=+@]|^-[^\d]/, cell);
      assert.ok(notes.some(({ code }) => code === 'guarded'));
    }
    const bare = keyOf(lesson, [{ student: 'Ada', seed: null }]);
    const named = gradeClass(lesson, [], { key: bare });
    assert.ok(named.ok);
    assert.ok(canvasCsv(named.value, bare).notes.some(({ message }) => message.includes('by name alone')));
    assert.ok(moodleCsv(named.value, bare).notes.some(({ code }) => code === 'no-identity'));
  }); // prettier-ignore

  it('has a key whose ids come through its file', () => {
    const written = key({ id: '1', email: 'a@b.c', login: 'ada', canvas: '9', section: 'S', code: 'BCD234' });
    const read = readKey(writeKey(written));
    assert.ok(read.ok);
    assert.deepEqual(read.value, written);
    assert.ok(!readKey(writeKey({ ...written, students: [{ student: 'A', seed: 1, iban: 'x' } as never] })).ok);
  });
});
