import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { literalAt, parseMatrices, type ParsedMatrix } from '../../engine/parse/index';
import { decodeNumber, type SpecNumber } from '../../engine/spec/spec';
import { pythonOrSkip } from '../reference/python';
import { onlyMatrix, root } from './parse-support';

interface Printed {
  readonly program: string;
  readonly kind: string;
  readonly text: string;
  readonly shape: readonly number[];
  readonly values: readonly SpecNumber[];
  readonly dtype?: string;
  readonly name?: string;
  readonly rowLabels?: readonly string[];
  readonly columnLabels?: readonly string[];
}
interface Elided {
  readonly program: string;
  readonly kind: string;
  readonly text: string;
  readonly problem: string;
}

const { cases } = JSON.parse(
  gunzipSync(readFileSync(join(root, 'test/fixtures/parse/printed.json.gz'))).toString('utf8'),
) as { cases: (Printed | Elided)[] };

const isPrinted = (c: Printed | Elided): c is Printed => 'values' in c;

function assertSame(found: ParsedMatrix, expected: Printed): void {
  const what = `${expected.program} ${expected.kind} ${expected.shape.join('×')}:\n${expected.text}`;
  assert.deepEqual([...found.shape], expected.shape, what);
  const wrong = expected.values.findIndex((x, i) => !Object.is(found.values[i], decodeNumber(x)));
  assert.equal(wrong, -1, `number ${wrong} is ${found.values[wrong]}, not ${expected.values[wrong]} in ${what}`);
  for (const field of ['rowLabels', 'columnLabels', 'dtype', 'name'] as const)
    if (expected[field] !== undefined) assert.deepEqual(found[field], expected[field], `${field} of ${what}`);
}

/** How many lines of a program's prints the cursor is tried on. */
const cursors = 5;

describe('what NumPy, PyTorch, pandas, Octave and R print', () => {
  const least = { numpy: 80, torch: 90, pandas: 180, octave: 80, r: 70 };
  for (const [program, count] of Object.entries(least)) {
    const own = cases.filter(isPrinted).filter((c) => c.program === program);

    it(`${program}: ${own.length} matrices come back, with the digits printed and the labels`, () => {
      assert.ok(own.length >= count, `${own.length} cases of ${program}, expected ${count}`);
      for (const expected of own) {
        assertSame(onlyMatrix(expected.text), expected);
        assertSame(onlyMatrix(expected.text.replaceAll('\n', '\r\n')), expected);
      }
    });

    it(`${program}: the same among other text, and with the cursor in it`, () => {
      for (const expected of own) {
        if (expected.values.length < 4 || expected.shape.includes(1)) continue;
        const lead = 'Some words about it.\n\n';
        const text = `${lead}${expected.text}\n\nAnd some more, 3 of them.\n`;
        const [matrix] = parseMatrices(text).matrices;
        assert.ok(matrix, expected.text);
        assertSame(matrix, expected);
        const length = matrix.range.end - matrix.range.start;
        for (let i = 0; i < cursors; i++) {
          const found = literalAt(text, matrix.range.start + Math.floor((i * length) / cursors));
          assert.ok(found && 'matrix' in found, `${JSON.stringify(found)} at ${i}/${cursors} of\n${text}`);
          assertSame(found.matrix, expected);
        }
      }
    });
  }

  it('says what was elided, and where', () => {
    const elided = cases.filter((c): c is Elided => !isPrinted(c));
    assert.ok(elided.length >= 3);
    for (const { text } of elided) {
      const { matrices, problems } = parseMatrices(text);
      assert.equal(matrices.length, 0);
      const [problem] = problems;
      assert.equal(problem?.code, 'elided');
      assert.equal(text.slice(problem.range?.start, problem.range?.end), '...');
    }
  });

  it('regenerates the part of NumPy where it is', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy');
    const program = join(root, 'test/reference/print_matrices.py');
    const { stdout, stderr, status } = spawnSync(python, [program, '--numpy'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    assert.equal(status, 0, stderr);
    const fresh = (JSON.parse(stdout) as (Printed | Elided)[]).filter(isPrinted);
    assert.ok(fresh.length >= least.numpy);
    for (const expected of fresh) assertSame(onlyMatrix(expected.text), expected);
  });
});
