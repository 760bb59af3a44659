// One model of a document: what its formulas, code and printed numbers stand for. The numbers of the texts here are NumPy's; those of the tutorials are
// theirs (../shared/tutorials/README.md; skipped where they do not lie beside the checkout).
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnswering, type ShownModel } from '../../engine/formula/index';
import { finish, wholeOfLoop } from '../../engine/index';
import { tutorialsFolder as folder } from './tutorials';
import './names-support';

type Place = ShownModel['places'][number];

interface Output {
  readonly cell: { readonly start: number; readonly end: number };
  readonly text: string;
}

function modelOf(text: string, languageId = 'markdown', outputs: readonly Output[] = []): ShownModel {
  const ask = createAnswering();
  const asked = { kind: 'model', text, languageId, outputs } as const;
  const first = finish(ask(asked)).answer as ShownModel;
  const wholes = first.loops.flatMap(({ attention, spec, calls }) => {
    const whole = finish(wholeOfLoop(text, spec, calls));
    return whole ? [{ attention, spec: whole }] : [];
  });
  return wholes.length > 0 ? (finish(ask({ ...asked, wholes })).answer as ShownModel) : first;
}

const briefly = ({ kind, lines, step, title }: Place): readonly unknown[] => [kind, lines[0], step, title];
const numbersOf = ({ places }: ShownModel): readonly (readonly unknown[])[] => places.filter(({ kind }) => kind === 'numbers').map(briefly); // prettier-ignore

/** Printed by NumPy 1.24: softmax(Q Kᵀ / √2) V for these Q, K and V. */
const page = String.raw`# By hand

The queries $Q \in \mathbb{R}^{2 \times 2}$ meet the keys $K \in \mathbb{R}^{3 \times 2}$ as $QK^\top$, and so

$$\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V$$

~~~python
import numpy as np
Q = np.array([[1.0, 0.5], [0.25, 2.0]])
K = np.array([[0.5, 1.0], [1.5, -0.5], [2.0, 0.75]])
V = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
scores = Q @ K.T / np.sqrt(2)
weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
out = weights @ V
print(weights)
print(out)
~~~

It prints

~~~
[[0.20672652 0.2467001  0.54657338]
 [0.48580058 0.06949498 0.44470443]]
[[3.67969373 5.2262671 ]
 [2.9178077  4.36251214]]
~~~

and not

~~~
[[0.20672652 0.2467001  0.54657338]
 [0.48580058 0.06949498 0.44470444]]
[[1.1, 2.2, 3.3], [4.4, 5.5, 6.6]]
~~~

The second row is [[0.48580058, 0.06949498, 0.44470443]]; what is $\text{softmax}(QK)V$?
`.replaceAll('~~~', '```');

describe('the model of a document', () => {
  const model = modelOf(page);

  it('says of each printed matrix which step it is, to its digits, and of a row which one', () => {
    assert.deepEqual(numbersOf(model).filter(([, line]) => Number(line) > 18), [
      ['numbers', 22, 'weights', 'weights: all 6 numbers agree'],
      ['numbers', 24, 'output', 'out: all 4 numbers agree'],
      ['numbers', 31, 'weights', 'weights: all 6 numbers agree to 6 digits'],
      ['numbers', 36, 'weights', 'row 2 of weights: all 3 numbers agree'],
    ]); // prettier-ignore
  });

  it('names a matrix that no step has', () => {
    assert.deepEqual(
      model.unmatched.map(({ start }) => page.slice(0, start).split('\n').length),
      [33],
    );
  });

  it('says what formulas stand for, and what of them is not understood', () => {
    const formulas = model.places.filter(({ kind }) => kind === 'formula');
    assert.deepEqual(formulas.filter(({ isStop }) => isStop).map(({ lines, step }) => [lines[0], step]), [[3, 'q'], [3, 'k'], [3, 'scores'], [5, 'output']]); // prettier-ignore
    const parts = formulas.at(-1)?.parts.filter(({ attention }) => attention === model.chosen) ?? [];
    const written = new Map(parts.map(({ step, range }) => [step, page.slice(range.start, range.end)]));
    assert.equal(written.get('scores'), 'QK^\\top');
    assert.equal(written.get('scaled'), '\\frac{QK^\\top}{\\sqrt{d_k}}');
    assert.deepEqual(model.unread.map(({ line }) => line), [36]); // prettier-ignore
  });

  it('leads from top to bottom, each stop with its line in its sentence', () => {
    const { stops } = model;
    assert.ok(stops.length > 6);
    stops.forEach(({ range, says }, i) => {
      assert.ok(says.startsWith(`Line ${page.slice(0, range.start).split('\n').length}. `), says);
      const place = model.places.find((one) => one.range.start <= range.start && range.end <= one.range.end);
      assert.ok(place, `stop ${i}`);
    });
    const lines = stops.map(({ range }) => page.slice(0, range.start).split('\n').length);
    assert.deepEqual(
      lines,
      [...lines].sort((a, b) => a - b),
    );
    assert.ok(stops.some(({ cell, step }) => step === 'weights' && cell?.join() === '1,0'));
  });

  it('takes no infinity and no round numbers for those of a step', () => {
    const masked = page.replace('[[1.1, 2.2, 3.3], [4.4, 5.5, 6.6]]', '[[-inf, -inf, 3.3], [4.4, 5.5, -inf]]\nand\n[[0, 0, 1], [0, 0, 0]]'); // prettier-ignore
    assert.ok(!numbersOf(modelOf(masked)).some(([, line]) => line === 33 || line === 35));
  });

  it('ties no part of a formula to a step that has other numbers: code that does not scale', () => {
    const unscaled = modelOf(page.replace(' / np.sqrt(2)', ''));
    const parts = unscaled.places.filter(({ lines, kind }) => kind === 'formula' && lines[0] === 5).flatMap((one) => one.parts); // prettier-ignore
    const own = new Set(parts.filter(({ attention }) => attention === unscaled.chosen).map(({ step }) => step));
    assert.ok(own.has('scores'));
    assert.deepEqual(['scaled', 'weights', 'output'].filter((step) => own.has(step)), []); // prettier-ignore
  });

  it('is empty for a document without attention', () => {
    const { places, stops, chosen } = modelOf('# Cooking\n\n$a + b$ and [[1.5, 2.25], [3.75, 4.125]]');
    assert.deepEqual([places, stops, chosen], [[], [], -1]);
  });

  it('knows what the cells of a notebook have printed', () => {
    const code = page.slice(page.indexOf('```python'), page.indexOf('It prints'));
    const cell = { start: code.indexOf('\n') + 1, end: code.lastIndexOf('```') };
    const text = '[[0.20672652 0.2467001  0.54657338]\n [0.48580058 0.06949498 0.44470443]]\n';
    const found = modelOf(code, 'markdown', [{ cell, text }]).places.filter(({ parts }) => parts.some(({ inOutput }) => inOutput)); // prettier-ignore
    assert.deepEqual(found.map(({ step, range }) => [step, code.slice(range.start, range.end)]), [['weights', 'print(weights)']]); // prettier-ignore
  });
});

(folder === undefined ? describe.skip : describe)('the models of the tutorials', () => {
  const tutorial = (name: string): ShownModel => {
    const file = readdirSync(folder ?? '').find((one) => one.startsWith(`${name}_`)) ?? '';
    return modelOf(readFileSync(join(folder ?? '', file), 'utf8'), 'plaintext');
  };

  it('001: its printed matrices are the steps that it says', () => {
    assert.deepEqual(numbersOf(tutorial('001')).map(([, line, step]) => [line, step]), [
      [281, 'q'], [290, 'k'], [299, 'v'], [314, 'scores'], [347, 'scaled'], [371, 'mask'], [379, 'masked'], [404, 'weights'],
    ]); // prettier-ignore
  });

  it('004: the lines that print w_23 and w_24 show scores, and the others weights', () => {
    const found = numbersOf(tutorial('004')).map(([, line, step, title]) => [line, step, title]);
    const at = (line: number): unknown => found.find(([own]) => own === line)?.slice(1);
    assert.deepEqual(at(354), ['scores', 'W_qxᵀW_kx, row 2, column 1']);
    assert.deepEqual(at(397), ['weights', 'w, row 2, column 1']);
    assert.deepEqual(at(403), ['scores', 'W_qxᵀW_kx, row 2, column 4']);
    assert.deepEqual(at(471), ['output', 'row 2 of O: all 4 numbers agree to 6 digits']);
  });

  it('004: of a formula of which one name alone is known, that name is told', () => {
    const found = tutorial('004').places.find(({ kind, lines }) => kind === 'formula' && lines[0] === 42);
    assert.equal(found?.title, 'x_1 in y_2 = w_21x_1 + w_22x_2 + w_23x_3 + w_24x_4');
    assert.match(found?.says ?? '', /^This is X, from which queries are made/);
  });

  it('every one leads through its document', () => {
    for (const name of ['000', '001', '002', '003', '004']) assert.ok(tutorial(name).stops.length > 4, name);
  });
});
