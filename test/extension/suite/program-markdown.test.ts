import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, explain, fakePanels, goTo, notifications, open, rangeOf, run, select, show, sleep, until } from './host'; // prettier-ignore

const first = `import torch
x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])`;
const second = `scores = x @ x.T
weights = torch.softmax(scores, dim=-1)
z = weights @ x`;
const page = `# Attention

With softmax, by hand.

\`\`\`python
${first}
\`\`\`

Then the weights = what counts.

\`\`\`python
${second}
\`\`\`
`;

/** Hints by their lines from 1, once there are any. */
async function hintsOf(document: vscode.TextDocument): Promise<ReadonlyMap<number, string>> {
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  let hints: readonly vscode.InlayHint[] = [];
  for (let left = 100; left > 0 && hints.length === 0; left--) {
    hints = (await run('vscode.executeInlayHintProvider', document.uri, all)) as vscode.InlayHint[];
    await sleep(50);
  }
  return new Map(hints.map(({ position, label }) => [position.line + 1, String(label)]));
}

async function hoverOf(document: vscode.TextDocument, text: string): Promise<string> {
  const hovers = (await run('vscode.executeHoverProvider', document.uri, rangeOf(document, text).start)) as vscode.Hover[]; // prettier-ignore
  const contents = hovers.flatMap((hover) => hover.contents);
  return contents.map((content) => (typeof content === 'string' ? content : content.value)).join('\n');
}

describe('attention code in documents that are no Python files', function () {
  this.timeout(60_000);
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  /** What is explained starts from, with the lines of its steps. */
  async function explained(): Promise<readonly string[]> {
    await until('an explanation', () => panels.opened.length > 0 && panels.page().got.some(({ type }) => type === 'explain')); // prettier-ignore
    const { start } = panels.explanation().spec;
    assert.deepEqual(errors.shown, []);
    if (start.from !== 'program') return [start.from];
    return start.steps.map((step) => `${step.name} ${'line' in step ? step.line : ''}`);
  }

  it('has lens, hints and hovers in the blocks of Markdown, which are one program with the lines of the document', async () => {
    const { document } = await open(page, 'markdown');
    const hints = await hintsOf(document);
    assert.deepEqual([...hints], [[7, '3×2'], [13, '3×3'], [14, '3×3'], [15, '3×2']]); // prettier-ignore
    const lenses = (await run('vscode.executeCodeLensProvider', document.uri)) as vscode.CodeLens[];
    const titles = lenses.map(({ range, command }) => [range.start.line + 1, command?.title ?? ''] as const);
    assert.deepEqual(titles.filter(([, title]) => title.startsWith('Explain Attention')), [[13, 'Explain Attention · 3×3, one head, no mask']]); // prettier-ignore
    // The document's model: its first place is the literal x.
    assert.deepEqual(titles.filter(([line]) => line === 7).map(([, title]) => title), ['$(book) Read Along', '5 places belong to the attention', 'This is x, as the document gives it']); // prettier-ignore
    assert.match(await hoverOf(document, 'weights = torch'), /^\*\*weights\*\* 3×3/);
    // The same word in the prose.
    assert.doesNotMatch(await hoverOf(document, 'weights = what'), /3×3/);
  });

  it('is explained at the caret in a block, and where it is selected', async () => {
    const editor = await open(page, 'markdown');
    await goTo(editor, 'weights = torch');
    await run(explain);
    assert.deepEqual(await explained(), ['x 7', 'scores 13', 'weights 14', 'z 15']);
    await select(editor, second);
    await run(explain);
    assert.ok((await explained()).includes('weights 14'));
  });

  it('leaves prose of Markdown text, and a matrix a matrix', async () => {
    const editor = await open(page, 'markdown');
    await select(editor, 'With softmax, by hand.');
    await run(explain);
    assert.deepEqual(await explained(), ['text']);
    await select(editor, '[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]');
    await run(explain);
    await until('the matrix', () => panels.explanation().spec.start.from === 'x');
  });

  it('is explained in an untitled text without a language, and prose with its words is not', async () => {
    const untitled = async (content: string): Promise<vscode.TextEditor> =>
      show(await vscode.workspace.openTextDocument({ language: 'plaintext', content }));
    const editor = await untitled(`${first}\n${second}\n`);
    assert.equal((await hintsOf(editor.document)).get(4), '3×3');
    await goTo(editor, 'weights = torch');
    await run(explain);
    assert.ok((await explained()).includes('weights 4'));
    const prose = await untitled('Attention is softmax(QK), and the import of = is small.');
    await select(prose, prose.document.getText());
    await run(explain);
    await until('the text', () => panels.explanation().spec.start.from === 'text');
  });

  it('takes the cells that %% marks in a file for ordinary text of one program', async () => {
    const editor = await open(`# %%\n${first}\n# %% [markdown]\n# softmax\n# %%\n${second}\n`);
    assert.equal((await hintsOf(editor.document)).get(8), '3×3');
    await goTo(editor, 'weights = torch');
    await run(explain);
    assert.ok((await explained()).includes('weights 8'));
  });
});
