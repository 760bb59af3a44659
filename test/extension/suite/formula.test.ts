// Formulas in documents: lens, hover, Explain on a formula and on the whole document. Numbers are NumPy's.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, explain, fakePanels, goTo, notifications, open, rangeOf, replace, run, select, show, sleep, until } from './host'; // prettier-ignore
import { withSetting } from './hover-support';

const sets = String.raw`The queries are the rows of $Q \in \mathbb{R}^{m \times d_k}$, with $K \in \mathbb{R}^{n \times d_k}$ and $V \in \mathbb{R}^{n \times d_v}$.`;
const attention = String.raw`$$\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V$$`;
const numbers = `Q =
[[1, 0, 2],
 [0, 1, 1]]

K =
[[1, 1, 0],
 [0, 1, 1],
 [2, 0, 1]]

V =
[[1, 2],
 [3, 4],
 [5, 6]]
`;
const page = `# Attention

${sets}

${attention}

What does not fit is $\\text{softmax}(QK)V$; the price is $x$.

${numbers}`;

interface Found {
  readonly value: string;
  readonly link: string | undefined;
}

describe('formulas in documents', function () {
  this.timeout(60_000);
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  async function explained(): Promise<readonly string[]> {
    await until('an explanation', () => panels.opened.length > 0 && panels.page().got.some(({ type }) => type === 'explain'), 30); // prettier-ignore
    assert.deepEqual(errors.shown, []);
    const { start } = panels.explanation().spec;
    return start.from === 'program' ? start.steps.map(({ id }) => id) : [start.from];
  }

  /** The text at which each step stands. */
  function placesOf(document: vscode.TextDocument): ReadonlyMap<string, string> {
    const { start } = panels.explanation().spec;
    assert.ok(start.from === 'program');
    const found = start.steps.flatMap(({ id, range }): [string, string][] =>
      range ? [[id, document.getText().slice(range[0], range[1])]] : [],
    );
    return new Map(found);
  }

  async function hoverOf(document: vscode.TextDocument, text: string): Promise<Found> {
    const hovers = (await run('vscode.executeHoverProvider', document.uri, rangeOf(document, text).start)) as vscode.Hover[]; // prettier-ignore
    const contents = hovers.flatMap((hover) => hover.contents);
    const value = contents.map((content) => (typeof content === 'string' ? content : content.value)).join('\n');
    return { value: value.replaceAll('\\', ''), link: /command:explainAttention\.explain\?([^)]*)/.exec(value)?.[1] };
  }

  async function lensesOf(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    let found: vscode.CodeLens[] = [];
    for (let left = 100; left > 0 && found.length < 2; left--) {
      found = (await run('vscode.executeCodeLensProvider', document.uri)) as vscode.CodeLens[];
      await sleep(50);
    }
    return found.filter(({ command }) => command?.title.startsWith('Explain Attention') === true);
  }

  it('have a lens that explains them with the numbers of the document: two clicks to a number', async () => {
    const { document } = await open(page, 'markdown');
    const lenses = await lensesOf(document);
    assert.deepEqual(lenses.map(({ range, command }) => [range.start.line + 1, command?.title]), [[5, 'Explain Attention · softmax(QKᵀ/√d_k)V · m×d_v']]); // prettier-ignore
    const [lens] = lenses;
    await run(explain, lens?.command?.arguments?.[0]);
    assert.deepEqual(await explained(), ['q', 'k', 'v', 'scores', 'scaled', 'weights', 'output']);
    const places = placesOf(document);
    assert.equal(places.get('scores'), 'QK^\\top');
    assert.equal(places.get('scaled'), '\\frac{QK^\\top}{\\sqrt{d_k}}');
    const { spec, notes } = panels.explanation();
    assert.ok(spec.start.from === 'program' && spec.start.seed === undefined);
    assert.ok(
      notes.some((note) => note.includes('the document’s own: Q, K, V')),
      notes.join('\n'),
    );
  });

  it('have their shapes in the line where a setting asks for them', async () => {
    const { document } = await open(page, 'markdown');
    await lensesOf(document);
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = async (): Promise<vscode.InlayHint[]> => (await run('vscode.executeInlayHintProvider', document.uri, all)) as vscode.InlayHint[]; // prettier-ignore
    assert.deepEqual(await hints(), []);
    await withSetting('formulaHints', true, async () => {
      const found = (await hints()).filter(({ position }) => position.line === 4);
      assert.deepEqual(
        found.map(({ label }) => label),
        ['m×d_k', 'n×d_k', 'n×d_v', '= m×d_v'],
      );
      const at = found.map(({ position }) => document.getText(new vscode.Range(position.translate(0, -1), position)));
      assert.deepEqual(at, ['Q', 'K', 'V', '$']);
      const [tip] = found.map(({ tooltip }) => (tooltip instanceof vscode.MarkdownString ? tooltip.value : tooltip));
      assert.equal(tip, 'line 3 says so');
      await replace(document, 'm \\times d_k', 'r \\times d_k');
      let labels: readonly unknown[] = [];
      for (let left = 100; left > 0 && !labels.includes('r×d_k'); left--) {
        labels = (await hints()).map(({ label }) => label);
        await sleep(50);
      }
      assert.ok(labels.includes('r×d_k'), labels.join(' '));
    });
    assert.deepEqual(await hints(), []);
  });

  it('say at a part what it is, its shape and why', async () => {
    const { document } = await open(page, 'markdown');
    await lensesOf(document);
    const { value, link } = await hoverOf(document, 'QK^\\top');
    assert.match(value, /Q m×d_k, Kᵀ d_k×n → m×n/);
    assert.match(value, /Q m×d_k: line 3 says so/);
    assert.ok(link);
    assert.match((await hoverOf(document, '\\operatorname')).value, /each row becomes weights/);
  });

  it('say at a part that does not fit which, and what would; what is left alone says nothing', async () => {
    const { document } = await open(page, 'markdown');
    await lensesOf(document);
    const { value, link } = await hoverOf(document, '\\text{softmax}(QK)');
    assert.match(value, /Q m×d_k and K n×d_k do not fit: d_k is not n/);
    assert.match(value, /K transposed, d_k×n, would fit/);
    assert.equal(link, undefined);
    assert.equal((await hoverOf(document, 'x$.')).value, '');
    assert.equal((await hoverOf(document, 'price')).value, '');
  });

  it('are explained at the cursor, at the step of its part', async () => {
    const editor = await open(page, 'markdown');
    await goTo(editor, 'QK^\\top');
    await run(explain);
    await explained();
    const message = panels.page().got.find(({ type }) => type === 'explain');
    assert.ok(message?.type === 'explain');
    assert.equal(message.view?.step, 'q');
  });

  it('are explained in LaTeX, in plain text, and in a cell of a notebook', async () => {
    for (const [language, text] of [
      ['latex', `\\documentclass{article}\\begin{document}${sets}\n\n${attention}\n\\end{document}\n`],
      ['plaintext', 'Attention(Q, K, V) = softmax(QKᵀ/√d_k)V\n'],
    ] as const) {
      const { document } = await show(await vscode.workspace.openTextDocument({ language, content: text }));
      const lenses = await lensesOf(document);
      assert.equal(lenses.length, 1, language);
    }
    const data = new vscode.NotebookData([
      new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, sets, 'markdown'),
      new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, attention, 'markdown'),
    ]);
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', data);
    await vscode.window.showNotebookDocument(notebook);
    const { document } = notebook.cellAt(1);
    const { value } = await hoverOf(document, 'QK^\\top');
    assert.match(value, /Q m×d_k, Kᵀ d_k×n → m×n/);
  });

  it('are explained as a whole document: the last attention with own numbers, what is not read at its place, no prose', async () => {
    const editor = await open(`${page}\n${String.raw`Later $$\text{softmax}(XX^T)X$$`}\n`, 'markdown');
    await select(editor, editor.document.getText());
    await run(explain);
    assert.deepEqual((await explained()).slice(0, 3), ['q', 'k', 'v']);
    const { notes, unfollowed = [] } = panels.explanation();
    assert.equal(placesOf(editor.document).get('scores'), 'QK^\\top');
    assert.ok(
      notes.some((note) => note.startsWith('Attention 1 of 2 in this document')),
      notes.join('\n'),
    );
    assert.ok(
      unfollowed.some(({ range }) => range !== undefined),
      'the formula that does not fit, at its place',
    );
  });

  it('are explained as a whole by the command alone, in prose', async () => {
    const editor = await open(`${page}\n\nA queue of keys stands here. Each waits for its query.\n`, 'markdown');
    await goTo(editor, '# Attention');
    await run(explain);
    assert.deepEqual((await explained()).slice(0, 3), ['q', 'k', 'v']);
    assert.match(panels.explanation().notes.join('\n'), /^At the cursor there is no attention\. Shown is: /m);
    assert.doesNotMatch(panels.explanation().notes.join('\n'), /sentence at the cursor/);
    await goTo(editor, 'A queue of keys');
    await run(explain);
    await until('the sentence', () =>
      panels.explanation().notes.includes('Select the sentence at the cursor to have it read as text.'),
    );
  });

  it('leave prose, and a matrix that is selected, what they were', async () => {
    const editor = await open(page, 'markdown');
    await select(editor, 'What does not fit is');
    await run(explain);
    assert.deepEqual(await explained(), ['text']);
    await select(editor, '[[1, 1, 0],\n [0, 1, 1],\n [2, 0, 1]]');
    await run(explain);
    await until('the matrix', () => panels.explanation().spec.start.from === 'x');
  });
});
