import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, explain, fakePanels, notifications, open, rangeOf, run, until } from './host';
import { withSetting } from './hover-support';

/** Commands that a hover may run. */
const ours = [
  ...['explainMatrix', 'manageInputs'].map((name) => `_explainAttention.${name}`),
  ...['checkNumbers', 'copyAs', 'explain', 'explainInputs', 'resetInputs', 'showInputs', 'useAs'].map(
    (name) => `explainAttention.${name}`,
  ),
];

/** Markdown of our hover at the first place of a text, if there is one. */
async function hoverAt(document: vscode.TextDocument, text: string, shift = 0): Promise<vscode.Hover | undefined> {
  const position = rangeOf(document, text).start.translate(0, shift);
  const hovers = (await run('vscode.executeHoverProvider', document.uri, position)) as vscode.Hover[];
  return hovers.find((hover) => markdownOf(hover).includes(`command:${explain}`));
}

const markdownOf = ({ contents }: vscode.Hover): string =>
  contents.map((content) => (typeof content === 'string' ? content : content.value)).join('\n');

async function textAt(document: vscode.TextDocument, text: string, shift = 0): Promise<string> {
  const hover = await hoverAt(document, text, shift);
  assert.ok(hover, `a hover at ${text}`);
  return markdownOf(hover);
}

describe('hover', () => {
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);

  // np.array([[0.5, -1.25, 3], [2, 0, -0.125]]): min -1.25, max 3.0, mean 0.6875, std 1.413753131443629
  const literal = '[[0.5, -1.25, 3], [2, 0, -0.125]]';
  const facts = /2×3.* min −1\\?\.25 · max 3 · mean 0\\?\.6875 · std 1\\?\.4138/;

  it('shows name, shape, statistics and the numbers on their colours', async () => {
    const { document } = await open(`import numpy as np\nW_q = np.array(${literal})\n`);
    const text = await textAt(document, '-1.25');
    assert.match(text, /^\*\*W\\_q\*\* /);
    assert.match(text, facts);
    assert.match(text, /\|1&nbsp;\|<span style="color:#000000;background-color:#[0-9a-f]{6};">&nbsp;.*2&nbsp;<\/span>/);
    assert.ok(text.length < 100_000);
  });

  for (const language of ['markdown', 'json', 'plaintext', 'javascript', 'latex', 'python']) {
    it(`works in ${language}`, async () => {
      const { document } = await open(literal, language);
      assert.match(await textAt(document, '3]'), facts);
    });
  }

  it('works in a notebook’s cell', async () => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, `x = ${literal}`, 'python');
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData([cell]));
    const { document } = notebook.cellAt(0);
    assert.match(await textAt(document, '3]'), facts);
  });

  it('counts NaN and infinities', async () => {
    // np.nanmin etc. over the finite values of [[1, nan], [inf, -inf], [nan, -3]]: min -3, max 1, mean -1
    const { document } = await open('x = [[1, nan], [inf, -inf], [nan, -3]]');
    assert.match(await textAt(document, '[inf'), /3×2 · min −3 · max 1 · mean −1 · std 2 · 2 NaN · 1 ∞ · 1 −∞/);
  });

  it('is the whole literal, from a row as well as from its name', async () => {
    const { document } = await open(`Q = ${literal}\n`);
    for (const place of ['Q', '[[', '-0.125']) {
      const hover = await hoverAt(document, place);
      assert.ok(hover, place);
      assert.match(markdownOf(hover), facts);
      assert.deepEqual(hover.range, rangeOf(document, `Q = ${literal}`));
    }
  });

  /** Our hover of what stands there by its name only. */
  async function namedAt(
    document: vscode.TextDocument,
    text: string,
    shift: number,
  ): Promise<vscode.Hover | undefined> {
    const position = rangeOf(document, text).start.translate(0, shift);
    const hovers = (await run('vscode.executeHoverProvider', document.uri, position)) as vscode.Hover[];
    return hovers.find((hover) => markdownOf(hover).includes('command:_explainAttention.explainMatrix'));
  }

  it('is on the constructor that a name is assigned, as on the name', async () => {
    const { document } = await open('import numpy as np\nW = np.eye(2)\nW = np.tril(np.ones((2, 2)))\nb = np.load(path)\n');
    for (const [name, call] of [['np.eye', 'np\\.eye'], ['np.tril', 'np\\.tril']] as const) {
      for (const shift of [0, 4]) {
        const hover = await namedAt(document, name, shift);
        assert.ok(hover, name);
        assert.match(markdownOf(hover).replaceAll('\\', ''), new RegExp(`^\\*\\*W\\*\\* 2×2.*[^]*from ${call}\\(`));
        assert.deepEqual(hover.range, rangeOf(document, name));
      }
    }
    assert.equal(await namedAt(document, 'np.load', 4), undefined);
    assert.equal(await namedAt(document, 'np.ones', 4), undefined);
  }); // prettier-ignore

  for (const [what, content, place] of [
    ['an index', 'y = a[0]', '0]'],
    ['an index pair', 'y = a[1, 2] + b', '1, 2'],
    ['a ragged literal', 'x = [[1, 2], [3]]', '3'],
    ['an elided print', '[[1. 2. ... 3.]\n [4. 5. ... 6.]]', '5.'],
    ['strings', 'x = [["1", "2"], ["3", "4"]]', '"3"'],
    ['an unclosed literal', 'x = [[1, 2], [3, 4', '3'],
    ['a sentence', 'The cat [1] sat on [2] the mat.', '1]'],
    ['nothing', 'words only', 'only'],
  ] as const) {
    it(`shows nothing on ${what}`, async () => {
      const { document } = await open(content);
      assert.equal(await hoverAt(document, place), undefined);
    });
  }

  it('has a link that explains exactly that literal', async () => {
    const { document } = await open(`K = [[9, 9], [9, 9]]\nQ = ${literal}\n`);
    const hover = await hoverAt(document, '-1.25');
    assert.ok(hover);
    const [markdown] = hover.contents;
    const trusted = markdown instanceof vscode.MarkdownString ? markdown.isTrusted : undefined;
    assert.ok(trusted && typeof trusted === 'object');
    assert.deepEqual([...trusted.enabledCommands].sort(), ours);
    const [, query = ''] = new RegExp(`command:${explain}\\?([^)]+)\\)`).exec(markdownOf(hover)) ?? [];
    await run(explain, ...(JSON.parse(decodeURIComponent(query)) as unknown[]));
    await until('the explanation', () => panels.page().got.some(({ type }) => type === 'explain'));
    const { spec, source } = panels.explanation();
    assert.deepEqual(spec.start, {
      from: 'x',
      x: [
        [0.5, -1.25, 3],
        [2, 0, -0.125],
      ],
    });
    assert.match(source.label, /^document-\d+\.py:2$/);
    assert.deepEqual(errors.shown, []);
  });

  it('answers fast in a document of 10 MB, and only reads near the pointer', async () => {
    const row = `x = [[1, 2], [3, 4]]  # ${'-'.repeat(100)}\n`;
    const { document } = await open(row.repeat(Math.ceil(10_000_000 / row.length)), 'plaintext');
    const position = document.positionAt(row.length * 40_000 + 10);
    const started = Date.now();
    const hovers = (await run('vscode.executeHoverProvider', document.uri, position)) as vscode.Hover[];
    const took = Date.now() - started;
    assert.ok(
      hovers.some((hover) => markdownOf(hover).includes('2×2 · min 1 · max 4 · mean 2')),
      'a hover',
    );
    assert.ok(took < 2000, `${took} ms`);
  });

  it('reads a literal of more than 100,000 characters as a whole, from any of its rows', async () => {
    // np.arange(64 * 200).reshape(200, 64) + 0.5: min 0.5, max 12799.5, mean 6400.0
    const rows = Array.from(
      { length: 200 },
      (_, i) => `[${Array.from({ length: 64 }, (_, j) => `${i * 64 + j}.50000`).join(', ')}]`,
    );
    const { document } = await open(`# ${'-'.repeat(300_000)}\nX = [${rows.join(',\n ')}]\n# ${'-'.repeat(300_000)}\n`);
    assert.ok(rows.join().length > 100_000);
    for (const row of [0, 100, 199]) {
      const position = new vscode.Position(1 + row, 12);
      const hovers = (await run('vscode.executeHoverProvider', document.uri, position)) as vscode.Hover[];
      const texts = hovers.map(markdownOf);
      assert.ok(
        texts.some((text) =>
          text.replaceAll('\\', '').includes('200×64 · min 0.5 · max 12799.5 · mean 6400 · std 3695.0417'),
        ),
        `row ${row}`,
      );
    }
  });

  it('shows nothing on a row whose literal began too far away to be seen', async () => {
    const row = `[${Array.from({ length: 64 }, (_, j) => `${j}.50000`).join(', ')}]`;
    const { document } = await open(`X = [${Array.from({ length: 1500 }, () => row).join(',\n ')}]\n`, 'plaintext');
    const position = new vscode.Position(750, 12);
    const hovers = (await run('vscode.executeHoverProvider', document.uri, position)) as vscode.Hover[];
    assert.deepEqual(
      hovers.filter((hover) => markdownOf(hover).includes(explain)),
      [],
    );
  });

  it('says what stands near and fits, and what does not', async () => {
    const { document } = await open('Q = [[1, 2], [3, 4]]\n\n\nK = [[5, 6], [7, 8], [9, 0]]\nV = [[1, 2], [3, 4]]\n');
    const plain = async (place: string): Promise<string> => (await textAt(document, place)).replaceAll('\\', '');
    assert.match(
      await plain('[1, 2]'),
      /^\*\*Q\*\* 2×2 \(queries × d_k\) .*\n[^]*with K \(3×2\), line 4: QKᵀ is 2×3\n/,
    );
    assert.match(await plain('V ='), /\ndoes not fit K \(3×2\), line 4: V has 2 rows, K has 3\n/);
  });

  it('says what stands in other cells of the notebook', async () => {
    const code = (text: string) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python');
    const data = new vscode.NotebookData([code('Q = [[1, 2], [3, 4]]'), code('x = 1\nK = [[5, 6], [7, 8], [9, 0]]')]);
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', data);
    const text = await textAt(notebook.cellAt(0).document, '[1, 2]');
    assert.match(text.replaceAll('\\', ''), /with K \(3×2\), cell 2, line 2: QKᵀ is 2×3/);
  });

  it('says what a mask means', async () => {
    const { document } = await open('mask = torch.tensor([[False, True], [False, False]])');
    assert.match(
      (await textAt(document, 'True')).replaceAll('\\', ''),
      /True above the diagonal: a causal mask as MultiheadAttention’s attn_mask \(true is hidden\); scaled_dot_product_attention expects the opposite/,
    );
  });

  for (const [setting, value, content, place, shown] of [
    ['hover.languages', ['markdown'], `x = ${literal}`, '3]', undefined],
    ['hover.languages', ['python'], `x = ${literal}`, '3]', /2×3/],
    ['hover.mostNumbers', 5, `x = ${literal}`, '3]', undefined],
    ['hover.mostNumbers', 6, `x = ${literal}`, '3]', /2×3/],
    [
      'hover.largestTable',
      2,
      `x = ${literal}`,
      '3]',
      /!\[[^\]]+\]\(data:image\/svg\+xml,[^ )]+\|width=\d+,height=\d+\)/,
    ],
    ['hover.largestTable', 3, `x = ${literal}`, '3]', /<span style=/],
  ] as const) {
    it(`${setting}: ${JSON.stringify(value)} is followed`, async () => {
      const { document } = await open(content);
      await withSetting(setting, value, async () => {
        const hover = await hoverAt(document, place);
        if (shown) assert.match(hover ? markdownOf(hover) : 'no hover', shown);
        else assert.equal(hover, undefined);
      });
    });
  }

  it('says what is wrong with a literal where the setting asks for it', async () => {
    const { document } = await open('x = [[1, 2], [3]]');
    const position = rangeOf(document, '3').start;
    const texts = async (): Promise<string[]> =>
      ((await run('vscode.executeHoverProvider', document.uri, position)) as vscode.Hover[]).map(markdownOf);
    assert.ok(!(await texts()).some((text) => text.includes('Explain Attention')));
    await withSetting('hover.problems', true, async () => {
      assert.ok((await texts()).some((text) => text.startsWith('Explain Attention: row 2 has 1 number, row 1 has 2')));
    });
  });

  it('can be switched off', async () => {
    const { document } = await open(`x = ${literal}`);
    await withSetting('hover.enabled', false, async () => {
      assert.equal(await hoverAt(document, '3]'), undefined);
    });
    assert.ok(await hoverAt(document, '3]'));
  });
});
