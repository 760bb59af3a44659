// The extension in the browser's extension host: a worker, no Node, files in memory.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  answersOf,
  explainAttention,
  gradeClass,
  hashTrace,
  planClass,
  reportCsv,
  reportHtml,
  resultsOf,
  writeResults,
  specFromText,
  traceOfBlock,
  readLesson,
  readVariantFile,
} from '../../../engine/index';
import { memoryFolder, paths, readText, writeText } from '../suite/classroom-files';
import { rightResponse } from '../../engine/lessons-support';
import { hashes, lesson, literals } from './expected';

const id = 'explain-attention.explain-attention';

function hashOf(text: string): string {
  const spec = specFromText(text);
  assert.ok(spec.ok);
  const trace = explainAttention(spec.value.spec);
  assert.ok(trace.ok);
  return hashTrace(trace.value);
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > end) assert.fail(`waited 20 s for ${what}`);
    await new Promise((go) => setTimeout(go, 50));
  }
}

const tabs = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));

describe('the web extension host', () => {
  const { showQuickPick, showInputBox, showInformationMessage, showOpenDialog } = vscode.window;
  after(() => Object.assign(vscode.window, { showQuickPick, showInputBox, showInformationMessage, showOpenDialog }));

  it('is a worker without Node', () => {
    assert.ok('WorkerGlobalScope' in globalThis);
    assert.equal(
      typeof (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node,
      'undefined',
    );
  });

  it('runs the extension from `browser`', async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension);
    await extension.activate();
    assert.ok(extension.isActive);
    assert.equal(extension.extensionKind, vscode.ExtensionKind.UI);
    assert.notEqual(extension.extensionUri.scheme, 'file');
  });

  it('explains a literal in a panel', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'python', content: literals[0] ?? '' });
    const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    editor.selection = new vscode.Selection(document.positionAt(0), document.positionAt((literals[0] ?? '').length));
    await vscode.commands.executeCommand('explainAttention.explain');
    await until('a panel', () =>
      vscode.window.tabGroups.all.some((g) => g.tabs.some((t) => t.input instanceof vscode.TabInputWebview)),
    );
  });

  it('computes the bytes that Node computes: literals', () => {
    assert.ok(literals.length > 2);
    assert.deepEqual(literals.map(hashOf), hashes.literals);
  });

  it('and those of every block of a lesson', () => {
    const { lesson: read, problems } = readLesson(lesson);
    assert.deepEqual(problems, []);
    const found = read.blocks.map((block) => {
      const trace = traceOfBlock(block);
      assert.ok(trace.ok);
      return hashTrace(trace.value);
    });
    assert.ok(found.length > 1);
    assert.deepEqual(found, hashes.lesson);
  });

  it('sets up a class in a virtual folder, with the files that Node writes', async () => {
    const folder = memoryFolder();
    const file = writeText(folder, 'room.md', lesson);
    const picks = [/clipboard/, /folder…$/];
    const answers = {
      showQuickPick: async (items: PromiseLike<vscode.QuickPickItem[]> | vscode.QuickPickItem[]) => {
        const wanted = picks.shift();
        return (await items).find((item) => wanted?.test(item.label));
      },
      showInputBox: () => Promise.resolve('2017'),
      showOpenDialog: () => Promise.resolve([folder]),
      showInformationMessage: (_: string, options: { modal?: boolean }, ...buttons: string[]) =>
        Promise.resolve(options.modal ? buttons[0] : undefined),
    };
    Object.assign(vscode.window, answers);
    const clipboard = { readText: () => Promise.resolve('Ada\nGrace\n') };
    Object.defineProperty(vscode.env, 'clipboard', { value: clipboard, configurable: true });
    await vscode.commands.executeCommand('explainAttention.setUpClass', file);
    assert.equal(paths(folder).length, 1 + 4 + 2 * 6);
    const own = readVariantFile(readText(folder, 'students/Ada/explain-attention.variant.json'));
    assert.ok(own.ok);
    assert.equal(readText(folder, 'students/Ada/room.md'), hashes.variant);
    assert.deepEqual(
      tabs().filter((label) => /error/i.test(label)),
      [],
    );
  });

  it('grades what was handed in, in a virtual folder, with the marks that Node gives', async () => {
    const folder = memoryFolder();
    const plan = planClass({ lesson, name: 'room.md', students: ['Ada', 'Grace'], seed: 2017 });
    assert.ok(plan.ok);
    for (const { path, text } of plan.value.files) writeText(folder, path, text);
    const own = readLesson(readText(folder, 'students/Ada/room.md')).lesson;
    const seed = plan.value.key.students.find(({ student }) => student === 'Ada')?.seed ?? null;
    // Right answers to every other question.
    const answers = answersOf(own).flatMap(({ question, answer }, i) =>
      answer.ok && i % 2 === 0
        ? [{ question: question.id, response: rightResponse(answer.value), attempts: 1, minutes: 1 }]
        : [],
    );
    const results = resultsOf(own, { student: 'Ada', seed, program: '0', complete: true, answers });
    const handed = [{ name: 'students/Ada/Ada.results.json', text: writeResults(results) }];
    writeText(folder, handed[0]?.name ?? '', handed[0]?.text ?? '');
    const said: string[] = [];
    Object.assign(vscode.window, {
      showInformationMessage: (message: string) => Promise.resolve(void said.push(message)),
    });
    await vscode.commands.executeCommand('explainAttention.gradeClass', folder);
    await until('the marks', () => paths(folder).includes('teacher/report.html'));
    const marks = readText(folder, 'teacher/marks.csv');
    const version = String((vscode.extensions.getExtension(id)?.packageJSON as { version?: unknown }).version);
    const expected = gradeClass(lesson, handed, plan.value.key, version);
    assert.ok(expected.ok);
    assert.equal(marks, `\ufeff${reportCsv(expected.value)}`);
    assert.equal(readText(folder, 'teacher/report.html'), reportHtml(expected.value));
    assert.match(marks, /^Ada,/m);
    assert.ok((expected.value.students.find((s) => s.student === 'Ada')?.points ?? 0) > 0, marks);
    await until('the message', () => said.some((message) => /marks\.csv/.test(message)));
    await until('the report', () => tabs().some((label) => label.startsWith('Results: ')));
  });

  it('says that nothing was handed in', async () => {
    const folder = memoryFolder();
    writeText(folder, 'room.md', lesson);
    const { showErrorMessage } = vscode.window;
    const said: string[] = [];
    Object.assign(vscode.window, { showErrorMessage: (message: string) => Promise.resolve(void said.push(message)) });
    try {
      await vscode.commands.executeCommand('explainAttention.gradeClass', folder);
      await until('the message', () => said.length > 0);
    } finally {
      Object.assign(vscode.window, { showErrorMessage });
    }
    assert.match(said.join(), /no results file/);
    assert.deepEqual(paths(folder), ['room.md']);
  });
});
