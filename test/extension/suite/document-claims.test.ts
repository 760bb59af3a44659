// What a document says of its own numbers, in the editor. Numbers are NumPy's, but where the document is meant to be wrong.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, notifications, open, rangeOf, replace, run, sleep } from './host';
import { withSetting } from './hover-support';

/** 5.9451 is 5.4951 in NumPy 1.24, the largest weight 0.6379; the rows of the weights sum to 1; the output has 3 rows. */
const wrong = `# What the weights are

~~~python
import numpy as np
Q = np.array([[1.0, -0.5], [0.25, 2.0], [1.5, 0.75]])
K = np.array([[0.5, 1.0], [1.5, -0.5], [2.0, 0.75], [-1.0, 0.25]])
V = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0], [0.5, -2.0]])
scores = Q @ K.T / np.sqrt(2)
weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
out = weights @ V
print(weights)
print(out)
~~~

It prints

~~~
[[0.1242 0.428  0.3918 0.056 ]
 [0.4303 0.0616 0.3939 0.1143]
 [0.1484 0.1934 0.6379 0.0203]]
[[3.3951 4.5907]
 [2.6415 3.6354]
 [3.9282 5.9451]]
~~~

The columns of the weights sum to 1. The largest weight is 0.7379. The output has shape 2×3.
`.replaceAll('~~~', '```');

/** What is wrong, what mends it, and what is said. */
const mends = [
  ['printed', '5.9451', '5.4951', /5\.9451.*5\.495/],
  ['sum', 'The columns of', 'The rows of', /^Column 0 sums to 0\.7028\d*, not to 1\. Its rows sum to 1\.$/],
  ['number', '0.7379', '0.6379', /^It is 0\.6379\.$/],
  ['shape', '2×3', '3×2', /3×2/],
] as const;
const right = mends.reduce((text, [, from, to]) => text.replace(from, to), wrong);
const printed = wrong.slice(wrong.indexOf('[[3.3951'), wrong.indexOf('5.9451]]') + 8);

const source = 'Explain Attention: numbers';
const own = ({ uri }: vscode.TextDocument): readonly vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter((one) => one.source === source);
const rules = (document: vscode.TextDocument): string => own(document).map(({ code }) => String(code)).sort().join(); // prettier-ignore

/** Waits until these rules are marked, one by one. The text is read elsewhere, some time after the last key. */
async function marked(
  document: vscode.TextDocument,
  ...wanted: readonly string[]
): Promise<readonly vscode.Diagnostic[]> {
  const all = [...wanted].sort().join();
  for (let left = 300; left > 0 && rules(document) !== all; left--) await sleep(50);
  assert.equal(rules(document), all);
  return own(document);
}

async function silence(document: vscode.TextDocument, rule: string): Promise<void> {
  const found = own(document).find(({ code }) => code === rule);
  assert.ok(found, `${rule} is marked`);
  const actions = (await run('vscode.executeCodeActionProvider', document.uri, found.range)) as vscode.CodeAction[];
  const action = actions.find(({ title }) => title === `Ignore ${rule} in this line`);
  assert.ok(action?.edit, actions.map(({ title }) => title).join(', '));
  assert.ok(await vscode.workspace.applyEdit(action.edit));
}

describe('what a document says of its own numbers, in the editor', function () {
  this.timeout(90_000);
  const errors = notifications();
  afterEach(async () => {
    await closeAll();
    assert.deepEqual(errors.shown, []);
  });
  const all = mends.map(([rule]) => rule);

  it('is marked where it does not hold, with what would, and leads to the line of code', async () => {
    const { document } = await open(wrong, 'markdown');
    const found = await marked(document, ...all);
    for (const [rule, text, , says] of mends) {
      const one = found.find(({ code }) => code === rule);
      assert.ok(one);
      assert.match(one.message, says);
      assert.equal(one.severity, vscode.DiagnosticSeverity.Warning);
      assert.ok(one.range.intersection(rangeOf(document, text)), `${rule}: ${document.getText(one.range)}`);
    }
    const matrix = found.find(({ code }) => code === 'printed');
    assert.equal(document.getText(matrix?.range), printed);
    const [because] = matrix?.relatedInformation ?? [];
    assert.equal(because && document.getText(because.location.range), 'weights @ V');
  });

  it('is marked no longer once it is mended, one after the other; and again where the code changes', async () => {
    const { document } = await open(wrong, 'markdown');
    const left: string[] = [...all];
    await marked(document, ...left);
    for (const [, from, to] of mends) {
      await replace(document, from, to);
      left.shift();
      await marked(document, ...left);
    }
    assert.equal(document.getText(), right);
    await replace(document, 'np.sqrt(2)', 'np.sqrt(4)');
    for (let more = 200; more > 0 && !rules(document).includes('printed'); more--) await sleep(50);
    assert.match(rules(document), /printed/);
  });

  it('marks nothing in a document that is right, nor in other languages', async () => {
    const { document: mended } = await open(right, 'markdown');
    await sleep(2000);
    assert.deepEqual(own(mended), []);
    const { document: script } = await open(wrong, 'javascript');
    await sleep(1500);
    assert.deepEqual(own(script), []);
  });

  it('has a severity, by language too, and a switch', async () => {
    const { document } = await open(wrong, 'markdown');
    await marked(document, ...all);
    for (const [name, severity] of [
      ['error', vscode.DiagnosticSeverity.Error],
      ['information', vscode.DiagnosticSeverity.Information],
      ['hint', vscode.DiagnosticSeverity.Hint],
    ] as const)
      // prettier-ignore
      await withSetting('documentCheck', name, async () => {
        for (let left = 100; left > 0 && own(document).some((one) => one.severity !== severity); left--) await sleep(50);
        assert.deepEqual(own(document).map((one) => one.severity), all.map(() => severity)); // prettier-ignore
      });
    await withSetting('documentCheck', 'off', async () => void (await marked(document)));
    await marked(document, ...all);
    const settings = vscode.workspace.getConfiguration('explainAttention', { languageId: 'markdown' });
    await settings.update('documentCheck', 'off', vscode.ConfigurationTarget.Global, true);
    try {
      await marked(document);
    } finally {
      await settings.update('documentCheck', undefined, vscode.ConfigurationTarget.Global, true);
    }
    await marked(document, ...all);
  });

  it('is silenced by a comment, which an action writes above the sentence or above the block, and comes back without it', async () => {
    const { document } = await open(wrong, 'markdown');
    await marked(document, ...all);
    await silence(document, 'sum');
    const comment = '<!-- explain-attention: ignore[sum] -->\n';
    assert.ok(document.getText().includes(`${comment}The columns`), document.getText());
    await marked(document, 'printed', 'number', 'shape');
    await silence(document, 'printed');
    await marked(document, 'number', 'shape');
    assert.ok(document.getText().includes('<!-- explain-attention: ignore[printed] -->\n```\n[[0.1242'), 'nothing is written into what is printed'); // prettier-ignore
    await replace(document, comment, '');
    await marked(document, 'sum', 'number', 'shape');
  });

  it('is silenced above a formula on lines of its own, and in LaTeX by its comment', async () => {
    const sets = String.raw`Let $Q \in \mathbb{R}^{m \times d}$, $K \in \mathbb{R}^{n \times d}$ and $V \in \mathbb{R}^{n \times v}$.`;
    const formula = String.raw`V\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d}}\right)`;
    const { document } = await open(`${sets}\n\n$$\n${formula}\n$$\n`, 'markdown');
    await marked(document, 'formula');
    await silence(document, 'formula');
    await marked(document);
    assert.ok(document.getText().includes(`$$\n${formula}\n$$`), document.getText());
    const tex = (await open(`\\documentclass{article}\\begin{document}\n${sets}\n\n$$${formula}$$\n\\end{document}\n`, 'latex')).document; // prettier-ignore
    await marked(tex, 'formula');
    await silence(tex, 'formula');
    await marked(tex);
    assert.ok(tex.getText().includes(`% explain-attention: ignore[formula]\n$$`), tex.getText());
  });

  it('marks attention in its code once: by the doctor of code, or without the doctor here, and silences it there', async () => {
    const code = `import torch
torch.manual_seed(3)
q, k, v = (torch.randn(5, 4) for _ in range(3))
scores = q @ k.T / 4 ** 0.5
weights = torch.softmax(scores, dim=0)
out = weights @ v
`;
    const { document } = await open(`# Wrong\n\n\`\`\`python\n${code}\`\`\`\n`, 'markdown');
    const total = (): number => vscode.languages.getDiagnostics(document.uri).filter(({ source: by }) => by?.startsWith('Explain Attention')).length; // prettier-ignore
    for (let left = 200; left > 0 && total() === 0; left--) await sleep(50);
    await sleep(1500);
    assert.equal(total(), 1);
    await withSetting('doctor.enabled', false, async () => {
      const [found] = await marked(document, 'code');
      assert.equal(document.getText(found?.range), 'torch.softmax(scores, dim=0)');
      await silence(document, 'code');
      await marked(document);
      assert.ok(document.getText().includes(code), 'the code is what it was');
    });
  });
});
