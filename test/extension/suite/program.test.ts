import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  closeAll,
  explain,
  fakePanels,
  goTo,
  notifications,
  open,
  rangeOf,
  replace,
  run,
  select,
  sleep,
  until,
} from './host';
import { withSetting } from './hover-support';

/** rasbt's first class, called with a seed. */
const code = `import torch
import torch.nn as nn

class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        keys = self.W_key(x)
        scores = self.W_query(x) @ keys.T
        weights = torch.softmax(scores / keys.shape[-1]**0.5, dim=-1)
        return weights @ self.W_value(x)

inputs = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
                       [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]])
torch.manual_seed(789)
sa = SelfAttention(3, 2)
out = sa(inputs)
`;

async function lensesOf({ uri }: vscode.TextDocument): Promise<readonly vscode.CodeLens[]> {
  return (await run('vscode.executeCodeLensProvider', uri)) as vscode.CodeLens[];
}

/** Ours, by their lines from 1. */
async function hintsOf(document: vscode.TextDocument): Promise<ReadonlyMap<number, string>> {
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  const hints = (await run('vscode.executeInlayHintProvider', document.uri, all)) as vscode.InlayHint[];
  return new Map(hints.map(({ position, label }) => [position.line + 1, String(label)]));
}

/** Asks until a line has the hint: what is read, is read elsewhere. */
async function hintAt(document: vscode.TextDocument, line: number, wanted: string): Promise<void> {
  let last: ReadonlyMap<number, string> = new Map();
  for (let left = 100; left > 0; left--) {
    last = await hintsOf(document);
    if (last.get(line) === wanted) return;
    await sleep(50);
  }
  assert.fail(`line ${line} has ${last.get(line)}, not ${wanted}`);
}

async function hoverOf(document: vscode.TextDocument, text: string): Promise<string> {
  const hovers = (await run('vscode.executeHoverProvider', document.uri, rangeOf(document, text).start)) as vscode.Hover[]; // prettier-ignore
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (typeof content === 'string' ? content : content.value))
    .join('\n')
    .replaceAll('\\', '');
}

describe('code that computes attention, in the editor', function () {
  this.timeout(60_000);
  const panels = fakePanels();
  notifications();

  /** The steps of what the only panel explains, by their names and lines. */
  async function stepsShown(): Promise<readonly string[]> {
    const { start } = await until('an explanation', () => (panels.opened.length > 0 && panels.page().got.some(({ type }) => type === 'explain') ? panels.explanation().spec : undefined)); // prettier-ignore
    assert.equal(start.from, 'program');
    return start.steps.map((step) => `${step.name} ${'line' in step ? step.line : ''}`.trim());
  }
  afterEach(closeAll);

  it('has a lens above the function that computes it, which explains that place', async () => {
    const { document } = await open(code);
    let lenses: readonly vscode.CodeLens[] = [];
    for (let left = 100; left > 0 && lenses.length === 0; left--) {
      lenses = await lensesOf(document);
      await sleep(50);
    }
    const [lens, ...more] = lenses;
    assert.equal(more.length, 0);
    assert.equal(lens?.command?.title, 'Explain Attention · 6×6, one head, no mask');
    assert.equal(lens.range.start.line, rangeOf(document, 'def forward').start.line);
    assert.equal(lens.command.command, 'explainAttention.explain');
    const { uri, start, end } = lens.command.arguments?.[0] as { uri: string; start: number; end: number };
    assert.equal(uri, document.uri.toString());
    assert.equal(document.getText().slice(start, end), 'self.W_query(x) @ keys.T');
    await run(lens.command.command, ...(lens.command.arguments ?? []));
    const steps = await stepsShown();
    assert.ok(steps.includes('weights 14') && steps.includes('keys 12'), steps.join());
  });

  it('is explained at the cursor, by its own steps', async () => {
    const editor = await open(code);
    await goTo(editor, 'return weights');
    await run(explain);
    assert.ok((await stepsShown()).includes('weights 14'));
  });

  it('is explained where it is selected with its matrices, and again when the panel asks; a matrix alone stays one', async () => {
    const editor = await open(code);
    const { document } = editor;
    const lineOfWeights = async (count: number): Promise<number | undefined> => {
      await until(`explanation ${count}`, () => panels.opened.length > 0 && panels.page().got.filter(({ type }) => type === 'explain').length === count); // prettier-ignore
      const { start } = panels.explanation().spec;
      const step = start.from === 'program' ? start.steps.find(({ name }) => name === 'weights') : undefined;
      return step && 'line' in step ? step.line : undefined;
    };
    await select(editor, code);
    await run('explainAttention.explain');
    assert.equal(await lineOfWeights(1), 14);
    await replace(document, 'import torch\n', '# one\n# two\nimport torch\n');
    panels.page().say({ type: 'recompute' });
    assert.equal(await lineOfWeights(2), 16);
    await select(editor, code.slice(code.indexOf('inputs ='), code.indexOf('torch.manual')));
    await run('explainAttention.explain');
    assert.equal(await lineOfWeights(3), undefined);
    assert.equal(panels.explanation().spec.start.from, 'x');
  });

  it('is explained in a notebook’s cell with the lines of the cell', async () => {
    const parts = [code.slice(0, code.indexOf('inputs =')), `${code.slice(code.indexOf('inputs ='))}s = out @ out.T\nw = torch.softmax(s, dim=-1)\nz = w @ out\n`]; // prettier-ignore
    const cells = parts.map((text) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python'));
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData(cells));
    const { document } = notebook.cellAt(1);
    const start = document.getText().indexOf('w = torch');
    await run(explain, { uri: document.uri.toString(), start, end: start + 1, code: true });
    const steps = await stepsShown();
    assert.ok(steps.includes('w 7') && steps.includes('out'), steps.join());
  });

  it('has shapes at the ends of lines, which follow what is typed, while a line is unfinished too', async () => {
    const { document } = await open(code);
    await hintAt(document, 14, '6×6');
    assert.equal((await hintsOf(document)).get(11), 'x 6×3');
    await replace(document, '\ninputs', '\n\n\ninputs');
    await replace(document, 'SelfAttention(3, 2)', 'SelfAttention(3, 4)');
    await hintAt(document, 15, '6×4');
    await replace(document, 'torch.softmax(scores', 'torch.softmax((scores');
    await hintAt(document, 13, '6×6');
    for (let left = 100; left > 0 && (await hintsOf(document)).has(14); left--) await sleep(50);
    const broken = await hintsOf(document);
    assert.deepEqual(
      [broken.get(12), broken.get(13), broken.get(14), broken.get(15)],
      ['6×4', '6×6', undefined, undefined],
    );
    await replace(document, '((scores', '(scores');
    await hintAt(document, 14, '6×6');
  });

  it('keeps its shapes at their lines from the keystroke on', async () => {
    const { document } = await open(code);
    await hintAt(document, 14, '6×6');
    await replace(document, 'import torch\n', '# one\n# two\nimport torch\n');
    const from = performance.now();
    const hints = await hintsOf(document);
    assert.equal(hints.get(16), '6×6');
    assert.ok(performance.now() - from < 1000);
  });

  it('says what stands there in a hover, with its numbers and the attention of which it is a step', async () => {
    const { document } = await open(code);
    const weights = await hoverOf(document, 'weights = torch');
    assert.match(weights, /^\*\*weights\*\* 6×6 · float32 · min 0\.\d+ · max 0\.\d+ · mean 0\.1667/);
    assert.match(weights, /\[Explain this step of the attention 6×6, one head, no mask\]\(command:explainAttention\.explain/); // prettier-ignore
    assert.match(weights, /\|0&nbsp;\|<span/);
    assert.match(await hoverOf(document, 'keys.shape[-1]**'), /^\*\*keys\*\* 6×2 · float32/);
    // A literal has what it always had.
    assert.match(await hoverOf(document, '0.43'), /copyAs/);
  });

  it('says nothing where its settings say so, nor in code without attention', async () => {
    const { document } = await open(code);
    await hintAt(document, 14, '6×6');
    await withSetting('shapeHints', false, async () => assert.equal((await hintsOf(document)).size, 0));
    await withSetting('attentionLens', false, async () => assert.equal((await lensesOf(document)).length, 0));
    const other = await open('import torch\nx = torch.ones(2, 3)\nloss = torch.softmax(x, dim=-1)\n');
    await sleep(300);
    assert.equal((await hintsOf(other.document)).size, 0);
  });

  it('reads the cells of a notebook as one program', async () => {
    const cells = [code.slice(0, code.indexOf('inputs =')), code.slice(code.indexOf('inputs ='))].map(
      (text) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python'),
    );
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData(cells));
    await hintAt(notebook.cellAt(1).document, 2, '6×3');
    assert.equal((await hintsOf(notebook.cellAt(1).document)).get(5), '6×2');
    // What a later cell calls has its shapes.
    await hintAt(notebook.cellAt(0).document, 14, '6×6');
  });
});
