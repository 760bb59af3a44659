import assert from 'node:assert/strict';
import { fencedPython } from '../../engine/index';
import { runProgram } from '../../engine/program/program';
import { createAnswering, type AttentionAnswer } from '../../engine/program/serve/answer';
import { finish } from '../../engine/text/pace';

const page = [
  '# Attention',
  '',
  'Take `x = 1` and softmax.',
  '```python title="a"',
  'import torch',
  'x = torch.tensor([[1.0, 0.0], [0.0, 1.0]])',
  '```',
  'Prose between = nothing.',
  '~~~sh',
  'x = 5',
  '~~~',
  '- in a list:',
  '',
  '  ```py',
  '  s = x @ x.T',
  '  w = torch.softmax(s, dim=-1)',
  '  ```',
  '',
  '```{code-cell} ipython3',
  'z = w @ x',
  '```',
  '```text',
  '```python',
  '```',
  '',
].join('\n');

describe('Python in the fenced blocks of Markdown', () => {
  it('is one program with the lines and offsets of the document', () => {
    const found = fencedPython(page);
    assert.ok(found);
    assert.equal(found.text.length, page.length);
    assert.equal(found.text.split('\n').length, page.split('\n').length);
    assert.deepEqual(found.blocks.map(({ start, end }) => [page.slice(start, end).split('\n')[0], end > start]), [['```python title="a"', true], ['  ```py', true], ['```{code-cell} ipython3', true]]); // prettier-ignore
    const program = runProgram(found.text);
    const z = program.bindings.findLast(({ name }) => name === 'z');
    assert.equal(page.slice(z?.range.start, z?.range.end), 'z');
    assert.deepEqual(program.notes, []);
    const answer = finish(createAnswering()({ kind: 'attention', text: found.text })) as unknown;
    const own = (
      typeof answer === 'object' && answer && 'answer' in answer ? answer.answer : answer
    ) as AttentionAnswer;
    assert.ok(own.is === 'found' && own.spec.start.from === 'program', JSON.stringify(own));
    assert.deepEqual(own.spec.start.steps.flatMap((step) => ('line' in step ? [`${step.name} ${step.line}`] : [])), ['x 6', 's 15', 'w 16', 'z 20']); // prettier-ignore
  });

  it('is what follows the prompts of a session, in lines that end in any way, in a block that is never closed', () => {
    const text = ['```python', '>>> x = [', '...   1,', '... ]', '[1]', '>>> y = x'].join('\r\n');
    const found = fencedPython(text)?.text ?? '';
    assert.deepEqual(found.split('\r\n').map((line) => line.trimEnd()), ['if 1:', '    x = [', '      1,', '    ]', '', '    y = x']); // prettier-ignore
    assert.equal(found.length, text.length);
    assert.deepEqual(runProgram(found).bindings.map(({ name }) => name), ['x', 'y']); // prettier-ignore
  });

  it('is none where no block says so', () => {
    for (const text of ['x = softmax(q)', '```\nx = 1\n```', '```pycon-like\nx\n```', '`` `python` ``'])
      assert.equal(fencedPython(text), undefined, text);
  });

  it('takes linear time', () => {
    const time = (n: number): number => {
      const text = '```python\nx = 1\n```\n'.repeat(n) + '`'.repeat(n) + ' '.repeat(n);
      const from = performance.now();
      fencedPython(text);
      return performance.now() - from;
    };
    time(1000);
    assert.ok(time(40_000) < 40 * Math.max(10, time(4_000)), 'ten times the text');
  });
});
