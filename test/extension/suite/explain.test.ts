import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  closeAll,
  explain,
  fakePanels,
  goTo,
  inputBoxes,
  notifications,
  open,
  rangeOf,
  run,
  select,
  show,
  until,
} from './host';

describe('Explain Attention', () => {
  const panels = fakePanels();
  const errors = notifications();
  const boxes = inputBoxes();
  afterEach(closeAll);

  const start = () => panels.explanation().spec.start;
  const explained = (count: number) =>
    until(`explanation ${count}`, () => panels.page().got.filter((m) => m.type === 'explain').length === count);

  const fromX = (...x: (number | string)[][]) => ({ from: 'x', x });
  /** A new document, of which these texts are explained as selections. */
  const explainSelected = async (text: string, ...selected: string[]) => {
    const editor = await open(text);
    await select(editor, ...selected);
    await run(explain);
    await explained(1);
    return editor;
  };

  it('takes selected text with the documented defaults', async () => {
    const editor = await explainSelected('# Say: The cat sat on the mat, again.\n', 'The cat sat on the mat');
    const { spec, source } = panels.explanation();
    assert.deepEqual(spec, {
      version: 1,
      dtype: 'float64',
      start: { from: 'text', text: 'The cat sat on the mat', tokenizer: 'words' },
      dModel: 16,
      positions: 'sinusoidal-interleaved',
      projections: { from: 'random', dK: 8, dV: 8 },
      convention: 'XW',
      heads: 1,
      scale: 'sqrt_d_k',
      mask: 'none',
      maskFill: '-inf',
      random: { generator: 'numpy.RandomState', seed: 0 },
    });
    assert.deepEqual(source.range, { start: 7, end: 29 });
    assert.equal(source.uri, editor.document.uri.toString());
    assert.match(source.label, /^document-\d+\.py:1$/);
    assert.deepEqual(errors.shown, []);
  });

  it('opens one panel beside the editor, and uses it again', async () => {
    const editor = await open('The cat sat\n[[1, 0], [0, 1]]\n');
    await select(editor, 'The cat sat');
    await run(explain);
    await select(editor, '[[1, 0], [0, 1]]');
    await run(explain);
    await until('the matrix', () => panels.page().got.length > 0 && start().from === 'x');
    const [only] = panels.opened;
    assert.ok(only);
    const [viewType, title, where, options] = only.args;
    assert.deepEqual([viewType, title], ['explainAttention.panel', 'Explain Attention']);
    assert.deepEqual(where, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    assert.equal(options?.retainContextWhenHidden, undefined);
    assert.equal(options?.enableScripts, true);
    assert.deepEqual(
      options.localResourceRoots?.map((uri) => uri.path.split('/').at(-1)),
      ['dist'],
    );
    assert.match(only.page.panel.webview.html, /Content-Security-Policy" content="default-src 'none'/);
    assert.equal(only.page.reveals(), 1);
    assert.deepEqual(start(), fromX([1, 0], [0, 1]));
  });

  it('takes a selected matrix', async () => {
    await explainSelected('X = [[1.5, -2], [inf, 4]]', '[[1.5, -2], [inf, 4]]');
    assert.deepEqual(start(), fromX([1.5, -2], ['inf', 4]));
    assert.deepEqual(panels.explanation().spec.projections, { from: 'none' });
  });

  it('takes the literal at the cursor when nothing is selected, whatever its name', async () => {
    const editor = await open('Q = [[1, 2],\n     [3, 4]]\nK = [[5, 6], [7, 8]]\n');
    await goTo(editor, '4]]');
    await run(explain);
    await explained(1);
    assert.deepEqual(start(), fromX([1, 2], [3, 4]));
  });

  it('takes several selections, in the order of the document', async () => {
    const editor = await explainSelected(
      'K = [[1, 0]]\n# between\nV = [[7, 8]]\nQ = [[0, 2], [3, 4]]\n',
      'Q = [[0, 2], [3, 4]]',
      'K = [[1, 0]]',
      'V = [[7, 8]]',
    );
    assert.deepEqual(start(), {
      from: 'qkv',
      q: [
        [0, 2],
        [3, 4],
      ],
      k: [[1, 0]],
      v: [[7, 8]],
    });
    assert.deepEqual(panels.explanation().source.range, { start: 0, end: editor.document.getText().length - 1 });
  });

  it('takes the literals at several cursors by their names', async () => {
    const editor = await open('K = [[1, 0]]\n# between\nQ = [[0, 2], [3, 4]]\n');
    await goTo(editor, '1, 0', '3, 4');
    await run(explain);
    await explained(1);
    assert.deepEqual(start(), {
      from: 'qkv',
      q: [
        [0, 2],
        [3, 4],
      ],
      k: [[1, 0]],
    });
  });

  it('takes selections and cursors together, and a literal that was selected without its name', async () => {
    const editor = await open('K = [[1, 0]]\n# between\nQ = [[0, 2], [3, 4]]\nV = [[7, 8]]\n');
    const [q] = [rangeOf(editor.document, '[[0, 2], [3, 4]]')];
    const v = rangeOf(editor.document, 'V = [[7, 8]]');
    const cursor = rangeOf(editor.document, '1, 0').start;
    editor.selections = [
      new vscode.Selection(q.start, q.end),
      new vscode.Selection(v.start, v.end),
      new vscode.Selection(cursor, cursor),
    ];
    await run(explain);
    await explained(1);
    assert.deepEqual(start(), { from: 'qkv', q: [[0, 2], [3, 4]], k: [[1, 0]], v: [[7, 8]] }); // prettier-ignore
  });

  it('takes selected names for the matrices that they were assigned', async () => {
    const editor = await open('Q = [[0, 2], [3, 4]]\nK = np.array([[1, 0]])\n\nscores = Q @ K.T\n');
    const use = rangeOf(editor.document, 'Q @ K.T').start;
    const [q, k] = [use, use.translate(0, 4)].map((at) => new vscode.Selection(at, at.translate(0, 1)));
    assert.ok(q && k);
    editor.selections = [q, k];
    await run(explain);
    await explained(1);
    assert.deepEqual(start(), { from: 'qkv', q: [[0, 2], [3, 4]], k: [[1, 0]] }); // prettier-ignore
    editor.selections = [new vscode.Selection(0, 0, 0, 1), new vscode.Selection(1, 0, 1, 1)];
    await run(explain);
    await explained(2);
    assert.deepEqual(start(), { from: 'qkv', q: [[0, 2], [3, 4]], k: [[1, 0]] }); // prettier-ignore
    editor.selections = [k];
    await run(explain);
    await explained(3);
    assert.deepEqual(start(), { from: 'x', x: [[1, 0]] }); // prettier-ignore
  });

  it('takes a selected word that stands for nothing as text', async () => {
    await explainSelected('Q = [[0, 2], [3, 4]]\n# scores of it\n', 'scores');
    assert.equal(start().from, 'text');
  });

  it('takes an unsaved document', async () => {
    const document = await vscode.workspace.openTextDocument({ content: '[[1, 2], [3, 4]]' });
    await select(await show(document), '[[1, 2], [3, 4]]');
    await run(explain);
    await explained(1);
    assert.deepEqual(start(), fromX([1, 2], [3, 4]));
    assert.equal(panels.explanation().source.label, `${document.uri.path}:1`);
  });

  it('takes a selection in a notebook’s cell, and names the cell', async () => {
    const cells = ['y = 1', 'x = [[1, 2], [3, 4]]'].map(
      (text) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python'),
    );
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData(cells));
    const { document } = notebook.cellAt(1);
    await run(explain, { uri: document.uri.toString(), start: 4, end: 20 });
    await explained(1);
    assert.deepEqual(start(), fromX([1, 2], [3, 4]));
    assert.match(panels.explanation().source.label, /, cell 2:1$/);
  });

  it('is not confused by the arguments of a menu', async () => {
    const editor = await open('[[1, 2], [3, 4]]');
    await select(editor, '[[1, 2], [3, 4]]');
    await run(explain, editor.document.uri, { groupId: 0 });
    await explained(1);
    assert.deepEqual(start(), fromX([1, 2], [3, 4]));
  });

  it('sends the settings, and their changes at once', async () => {
    await explainSelected('The cat sat', 'The cat sat');
    const settings = vscode.workspace.getConfiguration('explainAttention');
    await settings.update('digits', 2, vscode.ConfigurationTarget.Global);
    await settings.update('backend', 'cpu', vscode.ConfigurationTarget.Global);
    try {
      const wanted = JSON.stringify({ type: 'settings', settings: { backend: 'cpu', digits: 2 } });
      await until('the settings', () => panels.page().got.some((message) => JSON.stringify(message) === wanted));
    } finally {
      await settings.update('digits', undefined, vscode.ConfigurationTarget.Global);
      await settings.update('backend', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  describe('with nothing to explain', () => {
    it('asks, says where it looked, and checks while one types', async () => {
      const editor = await open('words and\nno matrix');
      await goTo(editor, 'no');
      boxes.type('[[1, 2], [3]]');
      await run(explain);
      const [box] = boxes.shown;
      assert.match(box?.options.prompt ?? '', /no matrix stands at .*, line 2, column 1/);
      assert.equal(box?.options.placeHolder, 'The cat sat on the mat');
      assert.match(String(box?.objection), /^column \d+: .*row/);
      assert.equal(panels.opened.length, 0);
    });

    it('explains what is typed, and offers it again', async () => {
      boxes.type('[[1, 0], [0, 1]]');
      await run(explain);
      await explained(1);
      assert.deepEqual(start(), fromX([1, 0], [0, 1]));
      assert.deepEqual(Object.keys(panels.explanation().source).sort(), ['label', 'textHash']);
      boxes.type('left', false);
      await run(explain);
      assert.equal(boxes.shown[1]?.options.value, '[[1, 0], [0, 1]]');
      boxes.type('x', false);
      await run(explain);
      assert.equal(boxes.shown[2]?.options.value, 'left', 'what was typed and left is not lost');
    });

    it('takes the example when nothing is typed', async () => {
      boxes.type('');
      await run(explain);
      await explained(1);
      assert.deepEqual(start(), { from: 'text', text: 'The cat sat on the mat', tokenizer: 'words' });
    });

    it('asks when the page does', async () => {
      boxes.type('The cat sat');
      await run(explain);
      await explained(1);
      boxes.type('on the mat');
      panels.page().say({ type: 'askInput' });
      await explained(2);
      assert.deepEqual(start(), { from: 'text', text: 'on the mat', tokenizer: 'words' });
    });
  });

  describe('with bad input', () => {
    const good = '[[1, 0], [0, 1]]';
    // What is selected (all of it), and the line and column that the message must name.
    const cases: readonly [what: string, text: string, message: RegExp, line: number, column: number][] = [
      ['a ragged matrix', 'x = [[1, 2],\n     [3]]', /row 2/, 2, 6],
      ['an elided print', '[[1. 2. 3.]\n ...\n [7. 8. 9.]]', /\.\.\./, 2, 2],
      ['a string', 'x = [[1, 2], [3, "four"]]', /"four"/, 1, 18],
      ['mismatched Q and K', 'Q = [[1, 2]]\nK = [[1, 2, 3]]', /K has 3 columns, Q has 2/, 2, 5],
      ['white space', '   \n  ', /white space/, 1, 1],
    ];
    for (const [what, text, expected, line, column] of cases) {
      it(`(${what}) names what and where, and keeps the panel`, async () => {
        const editor = await explainSelected(`${good}\n${text}\n`, good);
        await select(editor, text);
        errors.choose('Show');
        await run(explain);
        const [message = ''] = errors.shown;
        assert.equal(errors.shown.length, 1);
        assert.match(message, expected);
        assert.ok(message.includes(`, line ${line + 1}, column ${column})`), message);
        const last = panels.page().got.at(-1);
        assert.ok(last?.type === 'problems');
        assert.equal(last.problems[0]?.line, line + 1);
        assert.equal(last.problems[0]?.column, column);
        assert.deepEqual(
          start(),
          {
            from: 'x',
            x: [
              [1, 0],
              [0, 1],
            ],
          },
          'the explanation stays',
        );
        await until('the place to be selected', () => {
          const { start } = vscode.window.activeTextEditor?.selection ?? {};
          return start?.line === line && start.character === column - 1;
        });
      });
    }

    it('(10 MB) answers at once with the size', async () => {
      const editor = await open('12345678 '.repeat(1_200_000), 'plaintext');
      await run('editor.action.selectAll');
      await until('the selection', () => !editor.selection.isEmpty);
      const started = Date.now();
      await run(explain);
      const took = Date.now() - started;
      assert.match(errors.shown[0] ?? '', /the selection has 10\.8 MB, the limit is 2\.0 MB \(.*, line 1, column 1\)/);
      assert.ok(took < 1000, `${took} ms`);
      assert.equal(panels.opened.length, 0);
    });

    it('(a ragged literal at the cursor) says so instead of asking', async () => {
      const editor = await open('words\nx = [[1, 2], [3]]\n');
      await goTo(editor, '2]');
      await run(explain);
      assert.match(errors.shown[0] ?? '', /row 2.*, line 2, column 14\)/);
      assert.equal(boxes.shown.length, 0);
    });

    it('(a literal in an expression that is not known) is not explained without the expression', async () => {
      const editor = await open('x = np.linalg.inv(np.array([[1, 2], [3, 4]]))\n');
      await select(editor, 'x = np.linalg.inv(np.array([[1, 2], [3, 4]]))');
      await run(explain);
      assert.match(errors.shown[0] ?? '', /inv/);
      assert.equal(panels.opened.length, 0);
    });

    it('(several selections) points into the right one', async () => {
      const editor = await open('Q = [[1, 2]]\n# between, not selected\nK = [[1, 2, 3]]\n');
      await select(editor, 'Q = [[1, 2]]', 'K = [[1, 2, 3]]');
      errors.choose('Show');
      await run(explain);
      assert.match(errors.shown[0] ?? '', /K has 3 columns, Q has 2 \(.*, line 3, column 5\)/);
      await until(
        'K to be selected',
        () => editor.document.getText(vscode.window.activeTextEditor?.selection) === '[[1, 2, 3]]',
      );
    });

    it('(a link to a document that is gone) names it', async () => {
      await run(explain, { uri: 'file:///no/such/file.py', start: 0, end: 4 });
      assert.match(errors.shown[0] ?? '', /file\.py/);
    });

    it('(NaN) is explained with a note', async () => {
      await explainSelected('x = [[1, nan], [2, 3]]', '[[1, nan], [2, 3]]');
      assert.deepEqual(start(), fromX([1, 'nan'], [2, 3]));
      assert.ok(panels.explanation().notes.some((note) => /1 NaN, at \[0, 1\]/.test(note)));
    });
  });
});
