import assert from 'node:assert/strict';
import { decodeNumber, type SpecNumber } from '../../engine/spec/spec';
import { onlyMatrix, readText } from './parse-support';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly shape: readonly number[];
  readonly values: readonly SpecNumber[];
  readonly dtype?: string;
}

const { cases } = JSON.parse(readText('test/fixtures/parse/prints.json')) as { cases: Case[] };

function assertSame(text: string, expected: Case): void {
  const found = onlyMatrix(text);
  assert.deepEqual([...found.shape], expected.shape, expected.name);
  const wrong = expected.values.findIndex((x, i) => !Object.is(found.values[i], decodeNumber(x)));
  assert.equal(found.values.length, expected.values.length);
  assert.equal(wrong, -1, `${expected.name}: number ${wrong} is ${found.values[wrong]}, not ${expected.values[wrong]}`);
  if (expected.dtype !== undefined) assert.equal(found.dtype, expected.dtype, expected.name);
}

describe('what NumPy and PyTorch print comes back to the bit', () => {
  it('has every family of prints', () => {
    const families = new Set(cases.map((c) => c.name.split(/[ ,]/).slice(0, 2).join(' ').trim()));
    const expected =
      'numpy repr,numpy str,python list,tuples,json,torch repr,torch grad_fn,torch float64,tensorflow str,tensorflow repr';
    for (const family of expected.split(',')) assert.ok(families.has(family), `${family} of ${[...families].join()}`);
  });

  for (const expected of cases) {
    it(expected.name, () => {
      assertSame(expected.text, expected);
      assertSame(expected.text.replaceAll('\n', '\r\n'), expected);
    });
  }

  it('keeps the numbers when the print stands under its name or in a statement', () => {
    for (const expected of cases) {
      for (const text of [
        `Q\n ${expected.text}\n`,
        `Q:\n${expected.text}\n`,
        `import numpy as np\n\nQ = ${expected.text}  # as printed\nprint(Q)\n`,
      ]) {
        assertSame(text, expected);
        assert.equal(onlyMatrix(text).name, 'Q');
        assert.equal(onlyMatrix(text).role, 'q');
      }
    }
  });
});
