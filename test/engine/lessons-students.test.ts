// Lists of students as teachers have them, and the folders that they become.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answersCsv, folderNameOf, foldersOf, mostStudents, readStudents, textOfBytes } from '../../engine/index';
import { csvLine } from '../../engine/lessons/csv';
import { asking, lessonFrom } from './lessons-support';

const names = (text: string, table?: boolean): readonly string[] => readStudents(text, table).students;

describe('lists of students', () => {
  it('are lines, without empty ones, blanks and marks', () => {
    assert.deepEqual(names('\ufeffAda\r\n\r\n  Grace  Hopper \rDoe, Jane\n\t\n\u200bZoe\u0301\n'), ['Ada', 'Grace Hopper', 'Doe, Jane', 'Zoé']);
    assert.deepEqual(names(''), []);
  }); // prettier-ignore

  it('are tables with the column of names, wherever it is', () => {
    assert.deepEqual(names('Name;ID\n"Müller; Jörg";1\n"say ""hi""";2\n', true), ['Müller; Jörg', 'say "hi"']);
    assert.deepEqual(names('id,first name,last name\n1,Ada,Lovelace\n2,Grace,Hopper\n', true), ['Ada Lovelace', 'Grace Hopper']); // prettier-ignore
    assert.deepEqual(names('Group\tMatrikelnummer\nA\t4711\n'), ['4711']);
    assert.deepEqual(names('ada,1\ngrace,2\n', true), ['ada', 'grace']);
    assert.deepEqual(names('name\n"two\nlines"\nAda\n', true), ['two lines', 'Ada']);
  });

  it('say who is listed twice, with the lines, and keep both apart', () => {
    const { students, notes } = readStudents('Ada\nGrace\nada\nADA\n');
    assert.deepEqual(students, ['Ada', 'Grace', 'ada (2)', 'ADA (3)']);
    assert.deepEqual(notes.map((n) => n.message), ['ada is listed in line 1 and line 3: the second is ada (2)', 'ADA is listed in line 1 and line 4: the second is ADA (3)']);
  }); // prettier-ignore

  it('say where a row has more columns than the heading: a comma in a name that is not quoted', () => {
    const { students, notes } = readStudents('Name,Group\nAda,a\nO’Neill, Séan,b\nGrace,a,\n', true);
    assert.deepEqual(students, ['Ada', 'O’Neill', 'Grace']);
    assert.deepEqual(notes.map((n) => n.message), ['line 3 has more columns than the heading: the name is read as O’Neill']);
  }); // prettier-ignore

  it('are cut, with a note, where they are too long', () => {
    const { students, notes } = readStudents(`${'x'.repeat(500)}\n${Array.from({ length: mostStudents + 5 }, (_, i) => `s${i}`).join('\n')}`); // prettier-ignore
    assert.equal(students.length, mostStudents);
    assert.equal(students[0]?.length, 120);
    assert.deepEqual(notes.map((n) => n.code), ['long', 'too-many']); // prettier-ignore
  });

  it('give folders that every file system takes, each its own', () => {
    assert.deepEqual(['../../etc', 'CON', 'com1.txt', 'a.', '.hidden', 'a<b>:c', '…', 'x'.repeat(90)].map(folderNameOf), ['__.._etc', '_CON', '_com1.txt', 'a', '_hidden', 'a_b__c', '…', 'x'.repeat(60)]); // prettier-ignore
    assert.deepEqual([...foldersOf(['a/b', 'a:b', 'A_B']).values()], ['a_b', 'a_b (2)', 'A_B (3)']);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 80 })), (all) => {
        const { students } = readStudents(all.join('\n'));
        const folders = [...foldersOf(students).values()];
        assert.equal(new Set(folders.map((f) => f.toLowerCase())).size, students.length);
        for (const folder of folders) assert.match(folder, /^(?!\.)[^<>:"/\\|?*\0-\x1f]+(?<![. ])$/);
      }),
    );
  });
});

describe('CSV for spreadsheets', () => {
  it('has no formula, in whichever separator a spreadsheet reads it', () => {
    const cells = (text: string): string => csvLine([text]).trimEnd();
    assert.deepEqual(
      ['=1+1', '+1', '-1+1', '@x', ' =1', '\t=1', '＝1', 'a;=1', 'a\n=1', 'a;"=1'].map(cells),
      ["'=1+1", "'+1", "'-1+1", "'@x", "' =1", "\"'\t'=1\"", "'＝1", "\"a;'=1\"", "\"a\n'=1\"", "\"a;\"\"'=1\""],
    ); // prettier-ignore
  });

  it('keeps numbers and quotes', () => {
    assert.equal(csvLine(['-1.5', '1e-3', '-2e+10', 'a,b', 'say "hi"', '[1,-2]', ' x']), '-1.5,1e-3,-2e+10,"a,b","say ""hi""","[1,-2]"," x"\r\n'); // prettier-ignore
  });

  it('is the key for the teacher: the right answer of each question', () => {
    // Q·Kᵀ of the lesson by hand: 1·3 + 0·0.
    const lesson = lessonFrom(asking({ kind: 'number', digits: 1, prompt: '?', of: { step: 'scores', cell: [0, 1] } }));
    assert.equal(answersCsv(lesson, []), 'student,q1\r\n(all),3\r\n');
  });
});

describe('files that were saved by another editor', () => {
  it('are read as what they were', () => {
    const text = '{"a": "ä→"}';
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from(`\ufeff${text}`, 'utf16le').swap16()])
      assert.equal(textOfBytes(bytes).replace(/^\ufeff/, ''), text);
  }); // prettier-ignore
});
