// Set Up a Class and Grade Class in VS Code, in folders in memory: what a virtual workspace is.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answersOf, readLesson, readVariantFile, resultsOf, writeResults } from '../../../engine/index';
import { closeAll, run, until } from './host';
import { memoryFolder, paths, putOdd, readText, writeText } from './classroom-files';

const fence = '```';
const lesson = `# Small

${fence}attention id=small
Q = [[1, 2], [0, 1]]
K = [[1, 0], [3, 1]]
V = [[1, 0], [0, 1]]
${fence}

${fence}attention-question
{ "id": "score", "kind": "number", "prompt": "The score of query 0 and key 1?", "of": { "step": "scores", "cell": [0, 1] } }
${fence}
`;

/** What a person does in the lists, boxes and questions, and what they were shown. */
interface Person {
  picks: RegExp[];
  accept: boolean;
  seed: string;
  readonly asked: string[];
  readonly objections: unknown[];
}

type Window = Record<'showQuickPick' | 'showInputBox' | 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage' | 'showOpenDialog', unknown>; // prettier-ignore
const window = vscode.window as unknown as Window;

function person(): Person {
  const one: Person = { picks: [], accept: true, seed: '7', asked: [], objections: [] };
  const { showQuickPick, showInputBox, showInformationMessage, showWarningMessage, showErrorMessage, showOpenDialog } =
    window;
  const original: Window = {
    showQuickPick,
    showInputBox,
    showInformationMessage,
    showWarningMessage,
    showErrorMessage,
    showOpenDialog,
  };
  const ask = (message: string, options?: unknown, ...buttons: string[]): Promise<string | undefined> => {
    const isModal = (options as vscode.MessageOptions | undefined)?.modal === true;
    one.asked.push(isModal ? `${message}\n${(options as vscode.MessageOptions).detail ?? ''}` : message);
    return Promise.resolve(isModal && one.accept ? buttons[0] : undefined);
  };
  beforeEach(() => {
    Object.assign(one, { picks: [], accept: true, seed: '7' });
    one.asked.splice(0);
    one.objections.splice(0);
    window.showQuickPick = async (items: Thenable<vscode.QuickPickItem[]> | vscode.QuickPickItem[]) => {
      const [wanted] = one.picks.splice(0, 1);
      const all = await items;
      const found = all.find((item) => wanted?.test(item.label));
      assert.ok(found ?? wanted === undefined, `${String(wanted)} among ${all.map((i) => i.label).join(' | ')}`);
      return found;
    };
    window.showInputBox = (options: vscode.InputBoxOptions) => {
      const objection = options.validateInput?.(one.seed);
      if (objection) one.objections.push(objection);
      return Promise.resolve(objection ? undefined : one.seed);
    };
    for (const name of ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const)
      window[name] = ask;
  });
  afterEach(() => Object.assign(window, original));
  return one;
}

describe('a class', function () {
  this.timeout(30_000);
  const teacher = person();
  let folder: vscode.Uri;
  let file: vscode.Uri;

  beforeEach(() => {
    folder = memoryFolder();
    window.showOpenDialog = () => Promise.resolve([folder]);
    file = writeText(folder, 'lesson.md', lesson);
  });
  after(closeAll);

  const another = /folder…$/;
  const setUp = async (names: string, ...picks: RegExp[]): Promise<void> => {
    await vscode.env.clipboard.writeText(names);
    teacher.picks = picks.length ? picks : [/clipboard/, another];
    await run('explainAttention.setUpClass', file);
  };

  it('is written with a folder for each student, and the key in the teacher’s', async () => {
    await setUp('Ada\n\nGrace Hopper\nada\n');
    const found = paths(folder).filter((path) => path !== 'lesson.md');
    assert.equal(found.length, 4 + 3 * 6);
    for (const name of ['Ada', 'Grace Hopper', 'ada (2)']) {
      const own = readVariantFile(readText(folder, `students/${name}/explain-attention.variant.json`));
      assert.ok(own.ok);
      assert.equal(own.value.student, name);
      assert.deepEqual(readLesson(readText(folder, `students/${name}/lesson.md`)).problems, []);
    }
    assert.deepEqual(
      found.filter((path) => /key|answers/.test(path)),
      ['teacher/answers.csv', 'teacher/key.json'],
    );
    const plan = teacher.asked.find((text) => text.startsWith('Set up a class for “Small”?'));
    assert.match(
      plan ?? '',
      /22 files go to .*students: Ada, Grace Hopper, ada \(2\).*ada is listed in line 1 and line 4/s,
    );
  });

  it('is not written without a yes, and nothing is written over without another', async () => {
    teacher.accept = false;
    await setUp('Ada');
    assert.deepEqual(paths(folder), ['lesson.md']);
    teacher.accept = true;
    await setUp('Ada');
    writeText(folder, 'students/Ada/lesson.md', 'my work');
    teacher.accept = false;
    await setUp('Ada\nGrace');
    assert.equal(readText(folder, 'students/Ada/lesson.md'), 'my work');
    assert.ok(!paths(folder).some((path) => path.includes('Grace')));
    assert.match(teacher.asked.at(-1) ?? '', /10 of these files exist and would be replaced/);
  });

  it('of a lesson of the course, with one folder for all', async () => {
    teacher.picks = [/^5\. Softmax/, /^\$\(organization\)/, another];
    await run('explainAttention.setUpClass');
    const lessons = paths(folder).filter((path) => path.endsWith('05-softmax.md'));
    assert.deepEqual(lessons, ['students/everybody/05-softmax.md', 'teacher/05-softmax.md']);
  });

  it('is not set up from a lesson with problems, which are named', async () => {
    file = writeText(folder, 'broken.md', lesson.replace('"cell": [0, 1]', '"cell": [0, 7]'));
    await setUp('Ada');
    assert.match(teacher.asked.at(-1) ?? '', /\[0,7\] is outside.*broken\.md, line 10/);
    assert.ok(!paths(folder).some((path) => path.startsWith('students')));
  });

  it('asks again where no name is, and refuses a seed that is none', async () => {
    await setUp(' \n\t\n', /clipboard/, /No list/, another);
    assert.ok(teacher.asked.includes('There is no name in it.\n'));
    teacher.seed = '1.5';
    await setUp('Ada');
    assert.deepEqual(teacher.objections, ['Expected a whole number from 0 to 4294967295']);
  });

  it('is graded: table and report beside the key, and shown', async () => {
    await setUp('Ada\nGrace');
    for (const [name, isRight] of [
      ['Ada', true],
      ['Grace', false],
    ] as const) {
      const own = readVariantFile(readText(folder, `students/${name}/explain-attention.variant.json`));
      assert.ok(own.ok);
      const { lesson: mine } = readLesson(readText(folder, `students/${name}/lesson.md`));
      // q·k by hand, from the student's own text.
      const matrix = (of: string): number[][] =>
        JSON.parse(new RegExp(`^${of} = (.*)$`, 'm').exec(mine.source)?.[1] ?? '') as number[][];
      const [q, k] = [matrix('Q')[0] ?? [], matrix('K')[1] ?? []];
      const response = q.reduce((sum, x, i) => sum + x * (k[i] ?? 0), 0) + (isRight ? 0 : 1);
      const answers = [{ question: 'score', response, attempts: 1, minutes: 1 }];
      const results = resultsOf(mine, {
        student: name,
        seed: own.value.seed,
        program: '0.1.0',
        complete: true,
        answers,
      });
      writeText(folder, `students/${name}/${name}.results.json`, writeResults(results));
    }
    await run('explainAttention.gradeClass', folder);
    const lines = readText(folder, 'teacher/marks.csv').trim().split('\r\n');
    assert.deepEqual(
      lines.slice(1).map((line) => line.split(',').filter((_, i) => [0, 3, 6].includes(i))),
      [
        ['Ada', '1', ''],
        ['Grace', '0', ''],
      ],
    );
    assert.match(readText(folder, 'teacher/report.html'), /^<!doctype html>[^]*Small/);
    await until('the report', () =>
      vscode.window.tabGroups.all.some((g) => g.tabs.some((tab) => tab.label === 'Results: Small')),
    );
    teacher.accept = false;
    writeText(folder, 'teacher/marks.csv', 'mine');
    await run('explainAttention.gradeClass', folder);
    assert.equal(readText(folder, 'teacher/marks.csv'), 'mine');
  });

  it('is marked by a correction of the teacher’s copy, if the teacher says so, with gradebooks and a page for each', async () => {
    await setUp('Name\tId\tEmail\nAda\tA1\ta@school.test\nGrace\tA2\t\n');
    const own = readVariantFile(readText(folder, 'students/Ada/explain-attention.variant.json'));
    assert.ok(own.ok);
    const { lesson: mine } = readLesson(readText(folder, 'students/Ada/lesson.md'));
    const [answer] = answersOf(mine);
    assert.ok(answer?.answer.ok && answer.answer.value.kind === 'number');
    const answers = [{ question: 'score', response: answer.answer.value.value, attempts: 1, minutes: 1 }];
    const results = resultsOf(mine, { student: 'Ada', seed: own.value.seed, program: '0.1.0', complete: true, answers });
    writeText(folder, 'students/Ada/Ada.results.json', writeResults(results));
    writeText(folder, 'teacher/lesson.md', lesson.replace('"id": "score"', '"points": 3, "id": "score"'));
    await run('explainAttention.gradeClass', folder);
    assert.ok(teacher.asked.some((said) => said.startsWith('teacher/lesson.md differs from the lesson that was handed out')));
    const marks = readText(folder, 'teacher/marks.csv').split('\r\n');
    assert.ok(marks[0]?.endsWith(',id,email,user name,section,points before') && marks[1]?.endsWith(',A1,a@school.test,,,1'), marks[1]);
    assert.match(readText(folder, 'teacher/marks-canvas.csv'), /\r\nAda,,A1,,,3\r\nGrace,,A2,,,\r\n$/);
    assert.match(readText(folder, 'teacher/marks-moodle.csv'), /^ID number,Email address,Full name,Small\r\nA1,a@school\.test,Ada,3\r\n/);
    assert.match(readText(folder, 'teacher/feedback/Ada.html'), /score: 1 points before, 3 now/);
    assert.ok(!paths(folder).includes('teacher/feedback/Grace.html'));
  }); // prettier-ignore

  it('is graded whatever one student put there: huge files and what is none are named, and the others are marked', async () => {
    await setUp('Ada\nBob');
    const { lesson: mine } = readLesson(readText(folder, 'students/Ada/lesson.md'));
    const own = readVariantFile(readText(folder, 'students/Ada/explain-attention.variant.json'));
    assert.ok(own.ok);
    const { seed } = own.value;
    writeText(folder, 'students/Ada/Ada.results.json', writeResults(resultsOf(mine, { student: 'Ada', seed, program: '0.1.0', complete: true, answers: [] }))); // prettier-ignore
    const { File, Unknown, SymbolicLink, Directory } = vscode.FileType;
    putOdd(folder, 'students/Bob/results.json', File, 700_000_000);
    putOdd(folder, 'students/Bob/fifo.results.json', Unknown);
    putOdd(folder, 'students/Bob/dangling.results.json', SymbolicLink);
    putOdd(folder, 'students/Bob/round', SymbolicLink | Directory);
    await run('explainAttention.gradeClass', folder);
    const rows = readText(folder, 'teacher/marks.csv').trim().split('\r\n').slice(1);
    // A student's other files are named in the row of each.
    const row = (name: string): string => rows.find((line) => line.split(',')[1] === name) ?? rows.join('\n');
    assert.match(row('students/Ada/Ada.results.json'), /^Ada,students\/Ada\/Ada\.results\.json,\d+,0,1,0,,/);
    assert.match(row('students/Bob/results.json'), /700\.0 MB, at most 2 MB are read/);
    assert.match(row('students/Bob/fifo.results.json'), /neither a file nor a folder/);
    assert.match(row('students/Bob/dangling.results.json'), /a symbolic link, which is not followed/);
    assert.equal(rows.length, 4);
    assert.match(teacher.asked.join('\n'), /students\/Bob\/round: a symbolic link/);
  });

  it('is not written through a link', async () => {
    putOdd(folder, 'teacher/key.json', vscode.FileType.SymbolicLink);
    await setUp('Ada');
    assert.match(teacher.asked.at(-1) ?? '', /teacher\/key\.json: a symbolic link; nothing is written through it/);
    assert.ok(!paths(folder).some((path) => path.startsWith('students')));
  });

  it('that handed in nothing, or has no key, is told so', async () => {
    await run('explainAttention.gradeClass', folder);
    assert.match(teacher.asked.at(-1) ?? '', /no results file/);
    writeText(folder, 'lesson.md', '# Nothing');
    await run('explainAttention.gradeClass', folder);
    assert.match(teacher.asked.at(-1) ?? '', /no key\.json and no lesson/);
    writeText(folder, 'key.json', '{ "format": ');
    await run('explainAttention.gradeClass', folder);
    assert.match(teacher.asked.at(-1) ?? '', /expected.*key\.json, line 1/);
  });
});
