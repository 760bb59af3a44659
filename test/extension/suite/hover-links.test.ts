import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, explain, fakePanels, goTo, notifications, open, rangeOf, replace, run, until } from './host';
import { linksOf, withSetting } from './hover-support';

const [use, reset, showInputs, copy] = ['useAs', 'resetInputs', 'showInputs', 'copyAs'].map(
  (name) => `explainAttention.${name}`,
) as [string, string, string, string];

async function hoverText(document: vscode.TextDocument, place: string): Promise<string> {
  const hovers = (await run(
    'vscode.executeHoverProvider',
    document.uri,
    rangeOf(document, place).start,
  )) as vscode.Hover[];
  const texts = hovers.flatMap(({ contents }) => contents.map((c) => (typeof c === 'string' ? c : c.value)));
  // A name's own link is a command that the palette does not show.
  const ours = texts.find((text) =>
    [`command:${explain}`, 'command:_explainAttention.'].some((link) => text.includes(link)),
  );
  assert.ok(ours, `a hover at ${place}`);
  return ours;
}

/** Follows a link of the hover at a place. */
async function follow(document: vscode.TextDocument, place: string, title: string): Promise<void> {
  const link = linksOf(await hoverText(document, place)).get(title);
  assert.ok(link, `a link ${title}`);
  await run(link.command, link.argument);
}

describe('the links of a hover', () => {
  const panels = fakePanels();
  const errors = notifications();
  afterEach(async () => {
    await run(reset);
    await closeAll();
  });

  describe('use as', () => {
    it('collects Q and K of two files and explains them together', async () => {
      const first = await open('a = [[1, 0], [0, 1]]\n');
      const second = await open('text\n\nb = np.array([[2, -inf], [0.1, 4], [5, 6]], dtype=np.float32)\n');
      await follow(first.document, '[[', 'Q');
      assert.equal(panels.opened.length, 0, 'Q alone is not explained');
      assert.match(await hoverText(first.document, '[['), /inputs: Q 2×2 \[explain\]/);
      await follow(second.document, '[[', 'K');
      await until(
        'the explanation',
        () => panels.opened.length > 0 && panels.page().got.some((m) => m.type === 'explain'),
      );
      const { spec, source } = panels.explanation();
      assert.deepEqual(spec.start, {
        from: 'qkv',
        q: [
          [1, 0],
          [0, 1],
        ],
        k: [
          [2, '-inf'],
          [0.1, 4],
          [5, 6],
        ],
      });
      assert.equal(source.label, 'inputs.py:1');
      assert.deepEqual(errors.shown, []);
    });

    it('takes the newest of each name, and X instead of Q, K, V', async () => {
      const { document } = await open('a = [[1, 2], [3, 4]]\n\nb = [[5, 6], [7, 8]]\n');
      await follow(document, '[[1', 'V');
      await follow(document, '[[5', 'V');
      await follow(document, '[[1', 'mask');
      assert.match(await hoverText(document, '[[1'), /inputs: V 2×2, mask 2×2 /);
      await follow(document, '[[5', 'X');
      assert.match(await hoverText(document, '[[1'), /inputs: X 2×2, mask 2×2 /);
      await until(
        'the explanation',
        () => panels.opened.length > 0 && panels.page().got.some((m) => m.type === 'explain'),
      );
      assert.deepEqual(panels.explanation().spec.start, {
        from: 'x',
        x: [
          [5, 6],
          [7, 8],
        ],
      });
    });

    it('leaves out what does not go with a new one, says so in one line, and takes it back', async () => {
      const api = vscode.window as unknown as { showInformationMessage: (...words: string[]) => Thenable<unknown> };
      const original = api.showInformationMessage;
      const said: string[][] = [];
      let choose: (choice: string | undefined) => void = () => undefined;
      api.showInformationMessage = (...words) => {
        said.push(words);
        return new Promise((chosen) => (choose = chosen));
      };
      const last = () => panels.page().got.findLast((message) => message.type === 'explain')?.explanation.spec;
      try {
        const { document } = await open('a = [[1, 2], [3, 4]]\n\nb = [[5, 6], [7, 8], [9, 9]]\n');
        await follow(document, '[[1', 'mask');
        await follow(document, '[[1', 'X');
        await until('the explanation', () => panels.opened.length > 0 && last() !== undefined);
        assert.notEqual(last()?.mask, 'none');
        assert.deepEqual(said, [], 'what fits is used in silence');
        await follow(document, '[[5', 'X');
        assert.match(await hoverText(document, '[[1'), /inputs: X 3×2 /);
        await until('the new X', () => last()?.mask === 'none');
        assert.deepEqual(said, [['X 3×2 is used without mask 2×2, which does not go with it.', 'Undo']]);
        choose('Undo');
        await until('the old X', () => last()?.mask !== 'none');
        assert.match(await hoverText(document, '[[1'), /inputs: X 2×2, mask 2×2 /);
        assert.deepEqual(errors.shown, []);
      } finally {
        api.showInformationMessage = original;
      }
    });

    it('shows what is collected, and where from, and forgets it', async () => {
      const { document } = await open('\na = [[1, 2], [3, 4]]\n');
      await follow(document, '[[1', 'Q');
      await run(showInputs);
      const shown = await until('the inputs', () => vscode.window.activeTextEditor);
      assert.equal(shown.document.uri.scheme, 'explain-attention');
      assert.match(shown.document.getText(), /# 2×2, document-\d+\.py:2\nQ = np\.array\(\[\[1\.0, 2\.0\],\n/);
      await run(reset);
      await until('no input', () => shown.document.getText().startsWith('# No input is collected'));
      assert.doesNotMatch(await hoverText(document, '[[1'), /inputs:/);
    });

    it('works at the cursor, from the palette', async () => {
      const editor = await open('a = [[1, 2], [3, 4]]\n');
      await goTo(editor, '[[1');
      const api = vscode.window as unknown as { showQuickPick: (items: unknown) => Thenable<unknown> };
      const original = api.showQuickPick;
      api.showQuickPick = () => Promise.resolve('K');
      try {
        await run(use);
      } finally {
        api.showQuickPick = original;
      }
      assert.match(await hoverText(editor.document, '[[1'), /inputs: K 2×2 /);
    });

    it('says that the matrix is gone', async () => {
      const { document } = await open('a = [[1, 2], [3, 4]]\n');
      const link = linksOf(await hoverText(document, '[[1')).get('Q');
      assert.ok(link);
      await replace(document, 'a = [[1, 2], [3, 4]]', 'nothing is here at all');
      await run(link.command, link.argument);
      assert.match(errors.shown.join(), /no matrix stands there any more/);
    });
  });

  describe('copy', () => {
    for (const [title, expected] of [
      ['NumPy', 'W_q = np.array([[1.5, -2.0],\n                [0.1, 4.0]])'],
      ['PyTorch', 'W_q = torch.tensor([[1.5, -2.0],\n                    [0.1, 4.0]], dtype=torch.float64)'],
      ['LaTeX', 'W_{q} = \\begin{bmatrix}\n  1.5 & -2 \\\\\n  0.1 & 4\n\\end{bmatrix}'],
      ['CSV', '1.5,-2\n0.1,4\n'],
      ['JSON', '[[1.5, -2],\n [0.1, 4]]'],
    ] as const) {
      it(`puts it into the clipboard as ${title}`, async () => {
        const { document } = await open('W_q = [[1.5, -2], [0.1, 4]]\n');
        await vscode.env.clipboard.writeText('before');
        await follow(document, '1.5', title);
        assert.equal(await vscode.env.clipboard.readText(), expected);
        assert.deepEqual(errors.shown, []);
      });
    }

    it('asks for the notation at the cursor, and leaves the clipboard when none is chosen', async () => {
      const editor = await open('Q = [[1, 2], [3, 4]]\n');
      await goTo(editor, '[[1');
      const api = vscode.window as unknown as { showQuickPick: (items: { label: string }[]) => Thenable<unknown> };
      const original = api.showQuickPick;
      const offered: string[] = [];
      let choice = 'MATLAB';
      api.showQuickPick = (items) => {
        offered.splice(0, offered.length, ...items.map(({ label }) => label));
        return Promise.resolve(items.find(({ label }) => label === choice));
      };
      try {
        await run(copy);
        assert.equal(await vscode.env.clipboard.readText(), 'Q = [1 2;\n     3 4];');
        choice = '';
        await run(copy);
      } finally {
        api.showQuickPick = original;
      }
      assert.equal(await vscode.env.clipboard.readText(), 'Q = [1 2;\n     3 4];');
      assert.deepEqual(offered, ['NumPy', 'PyTorch', 'LaTeX', 'CSV', 'JSON', 'JavaScript', 'Markdown', 'MATLAB']);
    });

    it('says what a notation cannot hold', async () => {
      const { document } = await open('Q = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]\n');
      await follow(document, '[[[', 'CSV');
      assert.match(errors.shown.join(), /Q is 2×2×2; CSV has rows and columns only/);
    });
  });

  it('cost the extension host no more in a document of 10 MB than in a small one', async () => {
    const row = `Q = [[1, 2], [3, 4]]  # ${'-'.repeat(100)}\n`;
    const longest = async (rows: number): Promise<number> => {
      const { document } = await open(row.repeat(rows), 'plaintext');
      const position = document.positionAt(row.length * Math.floor(rows / 2) + 6);
      await run('vscode.executeHoverProvider', document.uri, position);
      const stretches: number[] = [];
      for (let i = 0; i < 9; i++)
        stretches.push(await longestStretch(() => run('vscode.executeHoverProvider', document.uri, position)));
      return stretches.sort((a, b) => a - b)[4] ?? NaN;
    };
    const [small, large] = [await longest(2000), await longest(80_000)];
    console.log(
      `      median of the longest stretches: ${small.toFixed(1)} ms of 0.25 MB, ${large.toFixed(1)} ms of 10 MB`,
    );
    assert.ok(large < 3 * small + 30, `${large} ms, ${small} ms`);
  });
});

/** Milliseconds for which nothing else ran while something was done. */
async function longestStretch(act: () => Thenable<unknown>): Promise<number> {
  let [longest, last] = [0, performance.now()];
  const beat = setInterval(() => {
    const now = performance.now();
    [longest, last] = [Math.max(longest, now - last), now];
  }, 1);
  await act();
  clearInterval(beat);
  return longest;
}

describe('the code lens', () => {
  afterEach(closeAll);
  const lenses = async (document: vscode.TextDocument): Promise<vscode.Command[]> => {
    const found = (await run('vscode.executeCodeLensProvider', document.uri, 10)) as vscode.CodeLens[];
    return found.flatMap(({ command }) => (command?.command === explain ? [command] : []));
  };
  const text = 'import numpy as np\n\nQ = [[1, 2], [3, 4]]\nK = [[1, 2], [5, 6]]\nV = [[1], [2]]\n';

  it('is off by default, and above Q, K and V where it is on', async () => {
    const { document } = await open(text);
    assert.deepEqual(await lenses(document), []);
    await withSetting('codeLens', true, async () => {
      const [lens, second] = await lenses(document);
      assert.equal(second, undefined);
      assert.equal(lens?.title, 'Explain Attention (Q 2×2, K 2×2, V 2×1)');
      const start = text.indexOf('Q =');
      assert.deepEqual(lens.arguments, [{ uri: document.uri.toString(), start, end: text.trimEnd().length }]);
    });
  });
});

describe('a hover on a name', () => {
  const panels = fakePanels();
  const errors = notifications();
  afterEach(closeAll);
  const program =
    'Q = np.array([[1, 2], [3, 4]])\nK = np.array([[5, 6], [7, 8], [9, 0]])\nscores = Q @ K.T\nprint(scores)\n';

  it('gives the matrix that it stands for there, and how it came about', async () => {
    const { document } = await open(`import numpy as np\n${program}`);
    const text = (await hoverText(document, 'K.T')).replaceAll('\\', '');
    assert.match(text, /^\*\*K\*\* 3×2 /);
    // (Q @ K.T).mean() in NumPy: 28.0
    const product = (await hoverText(document, 'scores)')).replaceAll('\\', '');
    assert.match(product, /^\*\*scores\*\* 2×3 .*min 9 · max 53 · mean 28 /);
    assert.match(product, /\nfrom Q @ K\.T, line 4, from lines 2 and 3/);
  });

  it('has a link that explains it', async () => {
    const { document } = await open(`import numpy as np\n${program}`);
    await follow(document, 'scores)', 'Explain Attention');
    await until(
      'the explanation',
      () => panels.opened.length > 0 && panels.page().got.some((m) => m.type === 'explain'),
    );
    assert.deepEqual(panels.explanation().spec.start, {
      from: 'x',
      x: [
        [17, 23, 9],
        [39, 53, 27],
      ],
    });
    assert.deepEqual(errors.shown, []);
  });

  for (const [what, content, place, language] of [
    ['that is no matrix', 'n = 3\nprint(n)\n', 'n)', 'python'],
    ['that nothing is known of', 'Q = load()\nprint(Q)\n', 'Q)', 'python'],
    ['in another language', 'Q = [[1, 2], [3, 4]];\nprint(Q);\n', 'Q)', 'javascript'],
    ['in a comment', 'Q = [[1, 2], [3, 4]]\n\n\n\n# a Q here\n', 'Q here', 'python'],
  ] as const) {
    it(`is absent on one ${what}`, async () => {
      const { document } = await open(content, language);
      await assert.rejects(hoverText(document, place), /a hover at/);
    });
  }
});
