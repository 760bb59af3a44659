import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { examFileName, variantFileName } from '../../../engine/index';
import { extensionId } from './host';
import { createFile, createFileAt } from './memory-files';

const block =
  '# T\n\n```attention id=a\nQ = [[1, 0], [0, 2], [1, 1]]\nK = [[1, 1], [3, 0], [0, -1]]\nV = [[1, 2], [3, 4], [5, 6]]\n```\n';
const asked = (body: string): string => `${block}\n\`\`\`attention-question\n${body}\n\`\`\`\n`;

const open = (content: string): Thenable<vscode.TextDocument> =>
  vscode.workspace.openTextDocument(createFile(content, 'md'));

/** The diagnostics of a document once there are so many, by code `line:column severity message`. */
async function diagnosed(uri: vscode.Uri, many: number): Promise<string[]> {
  for (const end = Date.now() + 15_000; ;) {
    const found = vscode.languages.getDiagnostics(uri).filter((d) => d.source === 'Explain Attention');
    const shown = found.map((d) => `${d.range.start.line + 1}:${d.range.start.character + 1} ${d.severity} ${d.message}`);
    if (found.length === many || Date.now() > end) return shown;
    await new Promise((go) => setTimeout(go, 50));
  }
} // prettier-ignore

describe('writing a lesson', () => {
  before(() => vscode.extensions.getExtension(extensionId)?.activate());
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('has problems at their places, and none once they are mended', async () => {
    const document = await open(asked('{ "kind": "shape", "promt": "?", "step": "v" }'));
    assert.deepEqual(await diagnosed(document.uri, 2), [
      '10:1 0 prompt: expected a text that is not empty, found nothing',
      '10:20 0 promt: unknown field. Did you mean prompt?',
    ]);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(9, 20, 9, 25), 'prompt');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.deepEqual(await diagnosed(document.uri, 0), []);
  });

  it('warns of script, at its place, and leaves other Markdown alone', async () => {
    const document = await open(`${block}\n<script>alert(1)</script>\n`);
    const [warning] = await diagnosed(document.uri, 1);
    assert.match(warning ?? '', /^9:1 1 HTML that would run/);
    const other = await open('# T\n\n<script>alert(1)</script>\n');
    await new Promise((go) => setTimeout(go, 400));
    assert.deepEqual(await diagnosed(other.uri, 0), []);
  });

  it('refuses a block that would cost gigabytes, at its field, and goes on answering', async () => {
    const settings = 'dModel=100000000 outputProjection.from=random outputProjection.bias=false';
    let [last, longest] = [Date.now(), 0];
    const pulse = setInterval(() => {
      longest = Math.max(longest, Date.now() - last);
      last = Date.now();
    }, 10);
    const document = await open(block.replace('id=a', `id=a ${settings}`));
    const [problem = ''] = await diagnosed(document.uri, 1);
    await vscode.commands.executeCommand('markdown.showPreviewToSide', document.uri);
    await new Promise((go) => setTimeout(go, 1500));
    clearInterval(pulse);
    assert.match(problem, /^3:\d+ 0 dModel is 100000000, expected a whole number from 1 to /);
    // It used to hold the host for a minute and then end it.
    assert.ok(longest < 5000, `${longest} ms without an answer`);
  });

  it('completes fields, kinds and steps, and says the answer on hover', async () => {
    const source = asked('{ "kind": "number", "prompt": "?", "of": { "step": "", "cell": [1, 2] },  }');
    const document = await open(source);
    const at = (offset: number): vscode.Position => document.positionAt(offset);
    const completed = async (offset: number): Promise<readonly string[]> => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at(offset));
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    const fields = await completed(source.indexOf('"", "cell"') + 1);
    assert.ok(fields.includes('scores'), fields.join());
    const values = await completed(source.indexOf(',  }') + 2);
    assert.ok(values.includes('tolerance'), values.join());
    const outside = await completed(2);
    assert.ok(!outside.includes('tolerance') && !outside.includes('vary='), outside.join());
    const whole = await open(source.replace('""', '"scores"').replace(',  }', ' }'));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', whole.uri, whole.positionAt(source.indexOf('"prompt"') + 2));
    const words = hovers.flatMap((h) => h.contents.map((c) => (typeof c === 'string' ? c : c.value))).join('\n').replace(/&nbsp;/g, ' ');
    // q_1 = (0, 2), k_2 = (0, -1)
    assert.match(words, /Answer of q1[^]*−2 ± 0\.0001/);
  }); // prettier-ignore

  it('tells a student nothing on hover: neither answers nor shapes', async () => {
    const source = asked('{ "kind": "shape", "prompt": "?", "step": "scores" }');
    const lesson = createFileAt('/students/ada/lesson.md', source);
    const document = await vscode.workspace.openTextDocument(lesson);
    const told = async (): Promise<number> => {
      const places = ['id=a', '"prompt"', '"scores"'].map((text) => document.positionAt(source.indexOf(text) + 2));
      const all = await Promise.all(places.map((at) => vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', lesson, at)));
      return all.flat().filter((hover) => hover.contents.some((c) => /Answer of|3×3|Block/.test(typeof c === 'string' ? c : c.value))).length;
    };
    assert.ok((await told()) >= 2, 'its author is told');
    createFileAt(`/students/ada/${variantFileName}`, '{}');
    assert.equal(await told(), 0);
  }); // prettier-ignore

  it('tells nobody anything in an exam: no hover, no completion, no lens, no preview of its steps, no explanation', async () => {
    const source = asked('{ "kind": "number", "prompt": "?", "of": { "step": "scores", "cell": [0, 1] } }');
    for (const [place, text] of [['by-text', `---\nexam: yes\n---\n${source}`], ['by-folder', source]] as const) {
      const lesson = createFileAt(`/${place}/lesson.md`, text);
      if (place === 'by-folder') createFileAt(`/${place}/${examFileName}`, '');
      const document = await vscode.workspace.openTextDocument(lesson);
      const shown = async (): Promise<number[]> => {
        const places = ['id=a', '"prompt"', '"scores"', '[[1, 0], [0, 2]', '[[1, 1]'].map((word) => document.positionAt(text.indexOf(word) + 2));
        const hovers = await Promise.all(places.map((at) => vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', lesson, at)));
        const list = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', lesson, document.positionAt(text.indexOf('"scores"') + 1));
        const steps = list.items.filter(({ label }) => /^(?:scores|weights)$/.test(typeof label === 'string' ? label : label.label) && list.items.length < 40 && list.items.some(({ detail }) => detail?.includes('×')));
        return [hovers.flat().length, steps.length];
      };
      assert.deepEqual(await shown(), [0, 0], place);
      createFileAt(`/${place}/key.json`, '{}');
      const [hovers = 0] = await shown();
      assert.ok(hovers > 0, 'its author is told, beside the key');
    }
    const html = await vscode.commands.executeCommand<string>('markdown.api.render', `---\nexam: yes\n---\n${source}`);
    assert.ok(!/<svg role="img"|<details>/.test(html), html);
  }); // prettier-ignore

  it('is drawn by VS Code’s own Markdown engine, with formulas by its KaTeX', async () => {
    const html = await vscode.commands.executeCommand<string>('markdown.api.render', asked('{ "kind": "shape", "prompt": "Which shape?", "step": "v" }'));
    assert.match(html, /<td style="[^"]*">−?\d/);
    assert.match(html, /class="katex"/);
    assert.match(html, /<svg role="img"/);
    assert.match(html, /Which shape\?/);
    assert.ok(!html.includes('"kind"'), html);
  }); // prettier-ignore
});
