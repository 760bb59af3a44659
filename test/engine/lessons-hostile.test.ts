// What a careless or hostile author writes: every problem is named at its place, in little time, and nothing is ever run.
import assert from 'node:assert/strict';
import { lessonLimit, positionAt, readLesson } from '../../engine/index';
import { fenced, small } from './lessons-support';

const block = fenced('attention', small);
const asked = (body: string): string => block + fenced('attention-question', body);
/** The question's first line, after the block. */
const line = block.split('\n').length + 1;

/** The first problem as `line:column message`. */
function firstOf(source: string): string {
  const [problem] = readLesson(source).problems;
  assert.ok(problem?.range, `a located problem in ${source.slice(0, 60)}`);
  const { line: at, column } = positionAt(source, problem.range.start);
  return `${at}:${column} ${problem.message}`;
}

describe('a hostile lesson', function () {
  this.timeout(60_000);

  for (const [what, body, expected] of [
    ['a comma missing', '{ "kind": "shape",\n  "prompt": "?"\n  "step": "v" }', [2, 3, /expected “,” or “}”/]],
    ['a text that does not end', '{ "kind": "shape", "prompt": "?', [0, 32, /expected the closing "/]],
    ['no JSON at all', 'kind: shape', [0, 1, /expected a value/]],
    ['20,000 brackets', '['.repeat(20_000), [0, 34, /at most 32 brackets/]],
    ['a cell beyond all numbers', '{"kind":"number","prompt":"?","of":{"step":"scores","cell":[99999999999999999999,0]}}', [0, 36, /is outside of 3×3/]],
    ['more digits than a number has', '{"kind":"number","prompt":"?","of":{"step":"scores","cell":[0,0]},"digits":1e9}', [0, 76, /^digits: expected/]],
    ['a field of every object', '{"__proto__":{"kind":"shape"},"prompt":"?","step":"v"}', [0, 1, /^kind: expected/]],
  ] as const)
    it(`with a question of ${what}`, () => {
      const [row, column, message] = expected;
      const [, at, said = ''] = /^(\d+:\d+) (.*)$/s.exec(firstOf(asked(body))) ?? [];
      assert.equal(at, `${line + row}:${column}`);
      assert.match(said, message);
    }); // prettier-ignore

  for (const [what, source, expected] of [
    ['K that does not fit Q', fenced('attention', 'Q = [[1, 2], [0, 1]]\nK = [[1, 0, 2], [3, 1, 1]]'), '3:5 K has 3 columns, Q has 2'],
    ['V that does not fit K', fenced('attention', 'Q = [[1, 2], [0, 1]]\nK = [[1, 0], [3, 1]]\nV = [[1], [0], [2]]'), '4:5 V has 3 rows, K has 2'],
    ['rows of two lengths', fenced('attention', 'Q = [[1, 2], [0]]\nK = [[1, 0], [3, 1]]'), '2:14 row 2 has 1 number, row 1 has 2'],
    ['heads that do not share the width', fenced('attention heads=3', small), '1:1 Q has 2 columns, which 3 heads do not share evenly'],
    ['a width of a thousand million', fenced('attention dModel=1000000000', 'The cat'), '1:14 dModel is 1000000000, expected a whole number from 1 to 4096'],
    ['an input that takes itself', fenced('attention id=a from=a', ''), '1:13 no block a before this one'],
    ['5 MB of prose', 'word '.repeat(1_000_001), `1:${lessonLimit + 1} the lesson has 5000005 characters, the limit is ${lessonLimit}`],
  ] as const)
    it(`with ${what}`, () => assert.equal(firstOf(source), expected)); // prettier-ignore

  it('has its script, its addresses and its pictures as text, with no problem of their own', () => {
    const text = '<script>throw 1</script> [a](javascript:alert(1)) ![b](data:image/svg+xml,<svg onload=alert(1)>) <img src=https://example.test/x>';
    const { lesson, problems } = readLesson(`# T\n\n${text}\n\n${block}`);
    assert.deepEqual(problems, []);
    assert.ok(lesson.parts.some((part) => part.kind === 'prose' && part.text.includes(text)), 'as it was written');
  }); // prettier-ignore
});
