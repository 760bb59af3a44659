// What a document says of its own numbers: thirty-one small documents by NumPy and PyTorch (test/reference/documents.py), right and with one error each.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkingDocument, createAnswering, type Mark } from '../../engine/formula/index';
import { commentedAt } from '../../engine/text';
import { finish } from '../../engine/text/pace';
import { tutorialsFolder } from './tutorials';

interface Case {
  readonly name: string;
  readonly right: string;
  readonly wrong: string;
  readonly rule: string;
  /** What the mark touches. */
  readonly at: string;
}

const cases = JSON.parse(readFileSync(join(__dirname, '../fixtures/documents.json'), 'utf8')) as readonly Case[];
const check = (text: string): readonly Mark[] => finish(checkingDocument(text, 'markdown'));
const told = (text: string): readonly string[] =>
  check(text).map(({ rule, range }) => `${rule}: ${text.slice(range.start, range.end)}`);

describe('a document’s own numbers', () => {
  it('are right in thirty-one documents', () => {
    assert.ok(cases.length >= 30);
    for (const { name, right } of cases) assert.deepEqual(told(right), [], name);
  });

  for (const { name, wrong, rule, at } of cases)
    it(`are marked where they are wrong: ${name}`, () => {
      const [found, ...more] = check(wrong);
      assert.ok(found, 'nothing is marked');
      assert.deepEqual([found.rule, more.map((one) => one.rule)], [rule, []]);
      const start = wrong.indexOf(at);
      assert.ok(
        found.range.start < start + at.length && found.range.end > start,
        wrong.slice(found.range.start, found.range.end),
      );
    });

  const wrongOf = (name: string): string => cases.find((one) => one.name === name)?.wrong ?? '';

  it('say what would hold, in the numbers that NumPy gives', () => {
    const saidOf = (name: string): readonly (string | undefined)[] => check(wrongOf(name)).flatMap(({ message, instead }) => [message, instead]); // prettier-ignore
    assert.deepEqual(saidOf('divisor 4 in the digits, 2 in the text'), [
      'These are the scores divided by 4. 0.99 at [2, 0] does not follow from the scores divided by 2: it would be 1.975.',
      'Row 2 would be 1.975 -0.57 -0.125.',
    ]);
    assert.equal(saidOf('a transposed output')[1], 'They are those of its transpose.');
    assert.equal(saidOf('a notebook, scaled by d')[1], 'They are the code’s numbers times 0.5.');
    assert.deepEqual(saidOf('a shape behind an output'), ['It is 4×3.', '4×3']);
  });

  it('are kept silent by a comment, for the named rule or for all', () => {
    const text = wrongOf('a wrong shape in prose');
    const at = text.indexOf('The scores have');
    const silenced = (comment: string): number => check(`${text.slice(0, at)}${comment}\n${text.slice(at)}`).length;
    assert.deepEqual([silenced('<!-- explain-attention: ignore[shape] -->'), silenced('<!-- explain-attention: ignore -->'), silenced('<!-- explain-attention: ignore[sum] -->')], [0, 0, 1]); // prettier-ignore
  });

  it('are kept silent above the block of an output, where a comment is not printed', () => {
    const text = wrongOf('a transposed output').replace(
      /\n```\n\[\[/,
      '\n<!-- explain-attention: ignore[printed] -->\n```\n[[',
    );
    assert.deepEqual(told(text), []);
  });

  it('are kept silent above the block around a place, wherever in it the place is', () => {
    const fenced = 'a\n\n~~~\n1\n$$\n2\n~~~\n\n3\n';
    const formula = 'b\r\n\r\n$$\r\nV w\r\n$$\r\nc $$x$$ d\n$$ left open\n\nlast\n';
    const above = (text: string, at: string): string => text.slice(commentedAt(text, text.indexOf(at))).split(/\r?\n/)[0] ?? ''; // prettier-ignore
    assert.deepEqual(['1', '2', '3'].map((at) => above(fenced, at)), ['~~~', '~~~', '3']); // prettier-ignore
    assert.deepEqual(['b', 'V', 'c', 'x', 'open', 'last'].map((at) => above(formula, at)), ['b', '$$', 'c $$x$$ d', 'c $$x$$ d', '$$ left open', 'last']); // prettier-ignore
  });

  it('are answered by the process that reads documents, as plain data', () => {
    const text = wrongOf('a transposed output');
    const { answer } = finish(createAnswering()({ kind: 'claims', text, languageId: 'markdown' }));
    assert.deepEqual(structuredClone(answer), check(text));
  });

  it('take no claim under a condition, a denial or a question for one', () => {
    const text = cases.find(({ name }) => name === 'columns said for rows')?.right ?? '';
    for (const sentence of ['The columns of the weights do not sum to 1.', 'Would the columns of the weights sum to 1?', 'If the columns of the weights sum to 1, something is wrong.', 'A weight of 0.5 would be half.'])
      assert.deepEqual(told(`${text}\n${sentence}\n`), [], sentence);
    assert.equal(told(`${text}\nThe columns of the weights sum to 1.\n`).length, 1);
  }); // prettier-ignore

  it('of another run behind it are not compared', () => {
    const text = cases.find(({ name }) => name === 'a notebook, scores transposed')?.right ?? '';
    const [cell = ''] = /In \[1\]:[\s\S]*?(?=\n\nQ\n)/.exec(text) ?? [];
    const again = `${text}\nIn [6]:\nprint("Q\\n", Q)\nscores\n\nQ\n [[1. 2. 3. 4.]\n [5. 6. 7. 8.]\n [9. 1. 2. 3.]]\narray([[1., 2., 3.],\n       [4., 5., 6.],\n       [7., 8., 9.]])\n`;
    assert.ok(cell.length > 0);
    assert.deepEqual(told(again), []);
  });

  it('of a notebook that was run in another order are not compared', () => {
    const { wrong = '' } = cases.find(({ name }) => name === 'a notebook, scores transposed') ?? {};
    assert.deepEqual(told(wrong.replace('In [1]:', 'In [9]:')), []);
  });

  it('are read in linear time', () => {
    const { right = '' } = cases.find(({ name }) => name === 'an output from before an edit') ?? {};
    const time = (times: number): number => {
      const text = `${'The scores have shape (3, 3). '.repeat(10)}\n\n- the: 0.5\n`.repeat(times) + right;
      const from = performance.now();
      check(text);
      return performance.now() - from;
    };
    time(20);
    const [few, many] = [Math.min(time(50), time(50)), Math.min(time(400), time(400))];
    assert.ok(many < 30 * Math.max(few, 5), `${few} ms, then ${many} ms`);
  });
});

/** What the README beside the five texts lists, by file and line of the mark. */
const listed: Readonly<Record<string, readonly string[]>> = {
  '000_0f92af6ebaf3e710.txt': ['25 formula', '129 shape', '531 shape', '563 formula'],
  '001_ab2b4d302d1719d6.txt': ['178 follows', '335 name', '395 code'],
  '002_d8f5b1cbafee09ad.txt': [],
  '003_0e8f9b4587373543.txt': ['122 sum', '163 symmetric'],
  '004_b7a6febea4eab2f5.txt': ['401 printed', '403 printed'],
};

describe('the five tutorials', () => {
  for (const [name, expected] of Object.entries(listed))
    it(`has marks where ${name} is wrong, and nowhere else`, function () {
      if (!tutorialsFolder) return this.skip();
      const text = readFileSync(join(tutorialsFolder, name), 'utf8');
      assert.deepEqual(check(text).map(({ rule, range }) => `${text.slice(0, range.start).split('\n').length} ${rule}`), expected); // prettier-ignore
    });
});
