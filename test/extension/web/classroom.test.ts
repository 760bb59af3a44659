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
import { lock, memoryFolder, paths, readText, writeText } from '../suite/classroom-files';
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

  /** A class of two in a virtual folder; one of them has handed in right answers to every other question. */
  function classWithResults() {
    const folder = memoryFolder();
    const plan = planClass({ lesson, name: 'room.md', students: ['Ada', 'Grace'], seed: 2017 });
    assert.ok(plan.ok);
    const { files, key } = plan.value;
    for (const { path, text } of files) writeText(folder, path, text);
    const own = readLesson(readText(folder, 'students/Ada/room.md')).lesson;
    const answers = answersOf(own).flatMap(({ question, answer }, i) =>
      answer.ok && i % 2 === 0
        ? [{ question: question.id, response: rightResponse(answer.value), attempts: 1, minutes: 1 }]
        : [],
    );
    const seed = key.students.find(({ student }) => student === 'Ada')?.seed ?? null;
    const text = writeResults(resultsOf(own, { student: 'Ada', seed, program: '0', complete: true, answers }));
    const handed = { name: 'students/Ada/Ada.results.json', text };
    writeText(folder, handed.name, text);
    const version = String((vscode.extensions.getExtension(id)?.packageJSON as { version?: unknown }).version);
    const report = gradeClass(lesson, [handed], { key, program: version });
    assert.ok(report.ok);
    return { folder, report: report.value, right: answers.length };
  }

  /** What is said while something is done. */
  async function saidBy(act: () => Thenable<unknown>, wanted: RegExp): Promise<string> {
    const { showInformationMessage, showErrorMessage } = vscode.window;
    const said: string[] = [];
    const hear = (message: string): Promise<undefined> => Promise.resolve(void said.push(message));
    Object.assign(vscode.window, { showInformationMessage: hear, showErrorMessage: hear });
    try {
      await act();
      await until(`a message ${String(wanted)}`, () => said.some((message) => wanted.test(message)));
    } finally {
      Object.assign(vscode.window, { showInformationMessage, showErrorMessage });
    }
    return said.join('\n');
  }

  const grade = (folder: vscode.Uri) => vscode.commands.executeCommand('explainAttention.gradeClass', folder);
  const shown = (): number => tabs().filter((label) => label.startsWith('Results: ')).length;

  it('grades what was handed in, in a virtual folder, and shows the report', async () => {
    const { folder, report, right } = classWithResults();
    await saidBy(() => grade(folder), /marks\.csv/);
    assert.equal(readText(folder, 'teacher/marks.csv'), reportCsv(report));
    assert.equal(readText(folder, 'teacher/report.html'), reportHtml(report));
    assert.equal(report.students.find(({ student }) => student === 'Ada')?.points, right);
    await until('the report', () => shown() === 1);
  });

  it('shows the report of a folder that cannot be written into, and says so', async () => {
    const { folder } = classWithResults();
    const before = paths(folder);
    lock(folder);
    await saidBy(() => grade(folder), /cannot be written here: .*\(marks\.csv\)/);
    assert.deepEqual(paths(folder), before);
    await until('the report', () => shown() === 2);
  });

  it('says that nothing was handed in', async () => {
    const folder = memoryFolder();
    writeText(folder, 'room.md', lesson);
    await saidBy(() => grade(folder), /no results file/);
    assert.deepEqual(paths(folder), ['room.md']);
  });
});
