// What a document says of its own numbers, read from any text: no exception, marks inside the text, and time that grows with its length.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkingDocument } from '../../engine/formula/index';
import { finish } from '../../engine/text/pace';
import { edited, edits } from './mutations';

const documents = (
  JSON.parse(readFileSync(join(__dirname, '../fixtures/documents.json'), 'utf8')) as readonly {
    readonly right: string;
    readonly wrong: string;
  }[]
).flatMap(({ right, wrong }) => [right, wrong]);

const pieces = [
  '```', '~~~python\n', '\n\n', '[[', ']]', '[', ']', '(', ')', '{', '}', '$', '$$', '√', '\\sqrt{', '1e999', '-inf', 'nan', '0', '1', '.5', '..', '%', '#', ' = ', ' is ', ' by ', ' of ',
  'weights', 'the rows of the weights sum to 1', 'the largest weight is 0.53', 'It is symmetric', 'A = A^T', 'has the shape 3×4', 'divided by ', 'd_k = ', 'In [2]:', 'Out[2]:', 'print(', 'f"{x}"', 'attn[', '# ', '"""', ':', '\t', '\r\n',
]; // prettier-ignore

describe('a document’s own numbers, whatever the text', function () {
  this.timeout(240_000);

  it('are read without an exception, and marks lie inside the text', () => {
    fc.assert(
      fc.property(fc.nat({ max: documents.length - 1 }), edits(12, pieces), (which, changes) => {
        const text = edited(documents[which] ?? '', changes);
        for (const { range, because, message } of finish(checkingDocument(text, 'markdown')))
          for (const { start, end } of [range, ...(because ? [because] : [])])
            assert.ok(message !== '' && 0 <= start && start <= end && end <= text.length, JSON.stringify([start, end]));
      }),
      { numRuns: Number(process.env['CLAIMS_RUNS'] ?? 150) },
    );
  });

  it('may all be infinite, or none at all', () => {
    const said = 'The largest weight is 0.53. The weight is 0.25. The rows of the weights sum to 1. The weights are symmetric.\n';
    for (const cells of ['-inf -inf', 'nan nan', 'inf nan'])
      finish(checkingDocument(`Scores:\n\n[[${cells}]\n [${cells}]]\n\nweights:\n\n[[${cells}]\n [${cells}]]\n\n${said}`, 'markdown'));
    finish(checkingDocument(said, 'markdown'));
  }); // prettier-ignore

  const size = 100_000;
  const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length));
  const code = '```python\nimport numpy as np\nQ = np.eye(3)\nprint(Q)\n```\n\n';
  const adversarial: readonly (readonly [string, string])[] = [
    ['empty lines', fill('\n')],
    ['blank lines', fill(' \n')],
    ['blanks', `a${fill(' ')}b`],
    ['one sentence', fill('the weights ')],
    ['sums', fill('rows of the weights ')],
    ['sums that come', fill('the weights of the rows sum ')],
    ['subjects', fill('the our this the attention softmax ')],
    ['back quotes', fill('`a` ')],
    ['dollars', fill('$a$ ')],
    ['weights of numbers', fill('weight is 0.25 ')],
    ['largest weights', fill('largest weight is 0.25 ')],
    ['cells', fill('w[0, 1] = 0.25 ')],
    ['roots', fill('√4 = ')],
    ['roots that hold', fill('√64 = 8 ')],
    ['symmetric', fill('it is symmetric ')],
    ['divisors', fill('divided by ')],
    ['sizes', fill('d_k = 4 ')],
    ['shapes', fill('the scores have shape 3×')],
    ['stops', fill('. ')],
    ['questions', fill('a? ')],
    ['fences', fill('```\n')],
    ['blocks', fill('```\n1\n```\n')],
    ['blocks of code', fill('```python\nx = 1\n```\n\n')],
    ['prompts', fill('>>> x\n')],
    ['cells of a notebook', fill('In [1]:\nx = 1\n\nOut[1]: 1\n\n')],
    ['matrices', fill('[[1 2]\n [3 4]]\n\n')],
    ['named matrices', fill('A = [[1 2]\n [3 4]]\n\n')],
    ['weights one after the other', fill('weights:\n[[0.5 0.5]\n [0.5 0.5]]\n\n')],
    ['lists', fill('- 0.25\n')],
    ['lists in words', fill('1, 2, 3, ')],
    ['comments', `${code}${fill('<!-- explain-attention: ignore[sum] -->\n')}`],
    ['docstrings', `\`\`\`python\n${fill('"""rows sum to 1"""\n')}\`\`\`\n`],
    ['sentences about code', `${code}${fill('The scores have shape 4×4. ')}`],
    ['outputs of code', fill(code)],
  ];
  for (const [what, text] of adversarial)
    it(`take linear time: ${what}`, () => {
      const took = (of: string): number => {
        const from = process.cpuUsage().user;
        finish(checkingDocument(of, 'markdown'));
        return (process.cpuUsage().user - from) / 1000;
      };
      took(text.slice(0, 2000));
      const ms = took(text);
      // What takes the square of 100,000 takes minutes.
      assert.ok(ms < 8000, `${Math.round(ms)} ms`);
    });
});
