// Lessons in the extension host: what is opened and where, what the explainer gets, what is kept, what is handed in.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readLesson, readResults, type Results } from '../../../engine/index';
import { course, keptName } from '../../../extension/lesson/course';
import { createProgressStore, keyOfLesson } from '../../../extension/lesson/progress';
import { askedHash } from '../../../webview/lesson-protocol/progress';
import type { LessonMessage, LessonPageMessage, Progress } from '../../../webview/lesson-protocol/messages';
import {
  closeAll,
  extensionId,
  fakePanels,
  inputBoxes,
  notifications,
  open,
  replace,
  run,
  until,
  type FakePage,
} from './host';

const openLesson = 'explainAttention.openLesson';
const handIn = 'explainAttention.handIn';
const source = [
  '# A lesson\n',
  '```attention id=b step=scores cell=0,1\nQ = [[1, 2], [0, 1]]\nK = [[1, 0], [3, 1]]\nV = [[1, 0], [0, 1]]\n```\n',
  '```attention-question\n{ "id": "q", "kind": "shape", "prompt": "Shape?", "step": "scores" }\n```\n',
].join('\n');

const say = (page: FakePage, message: LessonPageMessage): void => page.say(message as never);
const lessons = ({ got }: FakePage): LessonMessage[] => got.flatMap((m) => ((m as { type: string }).type === 'lesson' ? [m as unknown as LessonMessage] : [])); // prettier-ignore

/** The only question, answered at the third try. */
function answered(): Progress {
  const { lesson } = readLesson(source);
  const [q] = lesson.questions;
  assert.ok(q);
  const attempt = { asked: askedHash(q, lesson), response: [2, 2], attempts: 3, minutes: 0.5, right: true, hints: 0, revealed: false };
  return { version: 1, page: 0, answers: { q: attempt } };
} // prettier-ignore

/** What `showInformationMessage` and `showSaveDialog` are asked, and answered with. */
function dialogs() {
  const api = vscode.window as unknown as { showInformationMessage: unknown; showSaveDialog: unknown };
  const kept = { show: api.showInformationMessage, save: api.showSaveDialog };
  const said: string[] = [];
  const answers: { place: vscode.Uri | undefined } = { place: undefined };
  beforeEach(() => {
    said.splice(0);
    api.showInformationMessage = (message: string) => (said.push(message), Promise.resolve(undefined));
    api.showSaveDialog = () => Promise.resolve(answers.place);
  });
  afterEach(() => {
    api.showInformationMessage = kept.show;
    api.showSaveDialog = kept.save;
  });
  return { said, answers };
}

describe('a lesson that is played', () => {
  const panels = fakePanels();
  const errors = notifications();
  const boxes = inputBoxes();
  const asked = dialogs();
  afterEach(closeAll);

  const lessonPage = (): FakePage => {
    const found = panels.opened.find(({ args }) => args[0] === 'explainAttention.lesson');
    assert.ok(found, 'a lesson’s panel');
    return found.page;
  };
  const explainerPage = (): FakePage | undefined =>
    panels.opened.find(({ args }) => args[0] === 'explainAttention.panel')?.page;

  async function playing(): Promise<{ page: FakePage; lesson: LessonMessage }> {
    const { document } = await open(source, 'markdown');
    await run(openLesson, document.uri);
    const page = panels.opened.at(-1)?.page;
    assert.ok(page);
    const lesson = await until('the lesson', () => lessons(page).at(-1));
    return { page, lesson };
  }

  it('opens from an editor with its text, once', async () => {
    const { page, lesson } = await playing();
    assert.equal(lesson.source, source);
    assert.match(panels.opened[0]?.args[1] ?? '', /^Lesson: document-\d+\.md$/);
    await run(openLesson, vscode.Uri.parse(lesson.uri ?? ''));
    assert.equal(panels.opened.length, 1);
    assert.equal(page.reveals(), 1);
    assert.match(page.panel.webview.html, /default-src 'none'/);
    assert.match(page.panel.webview.html, /<body [^>]*data-page="lesson">/);
    assert.match(page.panel.webview.html, /webview\.js/);
    const options = panels.opened[0]?.args[3];
    assert.notEqual(options?.retainContextWhenHidden, true);
  });

  it('puts a block into the explainer beside, which does not take the focus', async () => {
    const { page } = await playing();
    const spec = readLesson(source).lesson.blocks[0]?.spec;
    assert.ok(spec);
    say(page, { type: 'show', block: 'b', spec, view: { step: 'scores', cell: [0, 1] }, asked: ['scores'] });
    const explainer = await until('the explainer', explainerPage);
    const shown = await until('its block', () => explainer.got.findLast((m) => m.type === 'explain'));
    assert.ok(shown.type === 'explain');
    assert.deepEqual(shown.view, { step: 'scores', cell: [0, 1] });
    assert.match(shown.explanation.source.label, /\.md: b$/);
    assert.deepEqual(shown.asked, ['scores']);
    say(page, { type: 'asked', block: 'b', asked: [] });
    const open = await until('word of the answer', () => explainer.got.findLast((m) => m.type === 'asked'));
    assert.deepEqual(open, { type: 'asked', label: shown.explanation.source.label, steps: [] });
    const column = panels.opened.find(({ page: p }) => p === explainer)?.args[2];
    assert.deepEqual(column, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  });

  it('keeps progress, and gives it to a page that comes again', async () => {
    const { page } = await playing();
    const progress = { version: 1, page: 2, answers: {} } as const;
    say(page, { type: 'progress', progress });
    const before = lessons(page).length;
    await until('it to be kept', () => {
      say(page, { type: 'ready' });
      return lessons(page).length > before && lessons(page).at(-1)?.progress.page === 2;
    });
    assert.deepEqual(lessons(page).at(-1)?.progress, progress);
  });

  it('is sent anew when it is edited', async () => {
    const { page } = await playing();
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.getText() === source);
    assert.ok(editor);
    await replace(editor.document, 'A lesson', 'An edited lesson');
    await until('the edit', () => lessons(page).at(-1)?.source.includes('An edited lesson'));
  });

  it('refuses what is no message, and addresses that are not https', async () => {
    const { page } = await playing();
    page.say({ type: 'show', block: 'b', spec: { bad: 1 }, view: {} } as never);
    say(page, { type: 'link', href: 'file:///etc/passwd' });
    say(page, { type: 'link', href: 'command:workbench.action.quit' });
    assert.equal(explainerPage(), undefined);
    assert.deepEqual(errors.shown, []);
  });

  async function handedIn(place: vscode.Uri): Promise<Results> {
    await until('word of it', () => asked.said.at(-1)?.startsWith('Handed in'));
    const results = readResults(new TextDecoder().decode(await vscode.workspace.fs.readFile(place)));
    assert.ok(results.ok);
    return results.value;
  }

  it('is handed in beside itself, under the name that was typed', async () => {
    const { page, lesson } = await playing();
    boxes.type(' Ada ');
    say(page, { type: 'progress', progress: answered() });
    say(page, { type: 'handIn' });
    const place = vscode.Uri.joinPath(vscode.Uri.parse(lesson.uri ?? ''), '..', 'Ada.results.json');
    const { student, seed, complete, answers, program } = await handedIn(place);
    assert.match(asked.said.at(-1) ?? '', /^Handed in 1 of 1 answers: .*Ada\.results\.json\.$/);
    assert.deepEqual([student, seed, complete], ['Ada', null, true]);
    assert.deepEqual(answers, [{ question: 'q', response: [2, 2], attempts: 3, minutes: 0.5 }]);
    assert.equal(program, (vscode.extensions.getExtension(extensionId)?.packageJSON as { version: string }).version);
    assert.match(boxes.shown.at(-1)?.options.prompt ?? '', /^Your name or id/);
  });

  it('of the course is handed in where the reader says, and the folder of the extension stays as it is', async () => {
    const folder = vscode.extensions.getExtension(extensionId)?.extensionUri;
    assert.ok(folder);
    const builtIn = vscode.Uri.joinPath(folder, 'extension', 'lessons');
    const list = async (): Promise<string[]> =>
      (await vscode.workspace.fs.readDirectory(builtIn)).map(([name]) => name);
    const before = await list();
    await run(openLesson, vscode.Uri.joinPath(builtIn, course[0]));
    const { page: own } = await playing();
    const place = vscode.Uri.joinPath(vscode.Uri.parse(lessons(own).at(-1)?.uri ?? ''), '..', 'chosen.json');
    asked.answers.place = place;
    boxes.type('Grace');
    say(lessonPage(), { type: 'handIn' });
    assert.equal((await handedIn(place)).student, 'Grace');
    assert.deepEqual(await list(), before);
  });

  it('is not handed in where the reader leaves, and says how to where there is no lesson', async () => {
    const { page } = await playing();
    boxes.type('', false);
    say(page, { type: 'handIn' });
    await until('the question', () => boxes.shown.length > 0);
    assert.match(boxes.shown[0]?.options.prompt ?? '', /^1 question is not answered\. /);
    page.close();
    await closeAll();
    await run(handIn);
    await until('word of it', () => asked.said.at(-1)?.startsWith('Open a lesson first'));
    assert.equal(asked.said.length, 1);
  });

  it('that is gone is said so', async () => {
    await run(openLesson, vscode.Uri.parse('file:///no/such/lesson.md'));
    await until('an error', () => errors.shown[0]?.includes('the lesson cannot be opened'));
    assert.equal(panels.opened.length, 0);
  });

  it('of the course is there, and its progress has a name without a version', async () => {
    const folder = vscode.extensions.getExtension(extensionId)?.extensionUri;
    assert.ok(folder);
    const builtIn = vscode.Uri.joinPath(folder, 'extension', 'lessons');
    const files = (await vscode.workspace.fs.readDirectory(builtIn)).map(([name]) => name);
    assert.deepEqual(files.filter((name) => /^\d\d-.*\.md$/.test(name)).sort(), [...course]);
    const uri = vscode.Uri.joinPath(builtIn, course[0]);
    assert.equal(keyOfLesson(uri, builtIn), `built-in:${course[0]}`);
    // Lessons that were renumbered keep what was answered, and no two share a name.
    assert.equal(keyOfLesson(vscode.Uri.joinPath(builtIn, '08-positions.md'), builtIn), 'built-in:02-positions.md');
    assert.equal(new Set(course.map(keptName)).size, course.length);
    await run(openLesson, uri);
    const lesson = await until('the lesson', () => lessons(lessonPage()).at(-1));
    assert.match(lesson.source, /^# 1\./);
  });
});

describe('progress in the workspace', () => {
  it('that is none is empty', () => {
    const memory = new Map<string, unknown>([['explainAttention.lesson.x', { version: 9 }]]);
    const memento = { get: (key: string) => memory.get(key), update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)), keys: () => [...memory.keys()] }; // prettier-ignore
    const store = createProgressStore(memento as unknown as vscode.Memento);
    assert.deepEqual(store.get('x'), { version: 1, page: 0, answers: {} });
    void store.set('y', { version: 1, page: 3, answers: {} });
    assert.equal(store.get('y').page, 3);
  });
});
