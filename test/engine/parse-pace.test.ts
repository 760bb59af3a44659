import assert from 'node:assert/strict';
import {
  literalAt,
  parseMatrices,
  literalAtPaced,
  parseMatricesPaced,
  readingName,
  setNameReader,
  specFromTextPaced,
  specFromText,
} from '../../engine/parse/index';
import { nameReader } from '../../engine/program/index';
import { finish, inStretches, type Paced } from '../../engine/text';

setNameReader(nameReader);

const prose = 'The quick brown fox (seen in 2024, section 3.1) jumps over 2 lazy dogs; see [1] and f(x).\n';
const program = 'import numpy as np\nQ = np.array([[1, 2], [3, 4]])\nK = Q @ Q.T\n';
const text = `${prose.repeat(200)}\n${program}${"print('Q', Q[0])\n".repeat(400)}V = K * 2\n`;

/** How often a work can be stopped. */
function places(work: Paced<unknown>): number {
  let count = 0;
  while (!work.next().done) count++;
  return count;
}

describe('reading in parts', () => {
  const works: readonly (readonly [string, () => Paced<unknown>, () => unknown])[] = [
    ['matrices', () => parseMatricesPaced(text), () => parseMatrices(text)],
    ['a selection', () => specFromTextPaced(text), () => specFromText(text)],
    ['a name', () => readingName(text, text.lastIndexOf('V')), () => finish(readingName(text, text.lastIndexOf('V')))],
  ];
  for (const [what, work, atOnce] of works) {
    it(`of ${what} has a place to stop every few thousand characters`, () => {
      assert.ok(places(work()) > text.length / 4096, `${places(work())} places in ${text.length} characters`);
    });
    it(`of ${what} comes to the same`, async () => {
      const read = await inStretches(work());
      assert.ok(read !== undefined);
      assert.deepEqual(read, atOnce());
    });
  }

  it('of the literal at a cursor stops between its notations', () => {
    const at = text.indexOf('[[1') + 2;
    assert.deepEqual(finish(literalAtPaced(text, at)), literalAt(text, at));
    assert.ok(places(literalAtPaced(text, 300)) > 3);
  });

  it('gives the thread back and stops when cancelled', async () => {
    let [others, cancelled] = [0, false];
    const beat = setInterval(() => (cancelled = ++others >= 3), 1);
    const endless = (function* (): Paced<string> {
      for (;;) yield;
    })();
    assert.equal(await inStretches(endless, () => cancelled), undefined);
    clearInterval(beat);
    assert.equal(others, 3);
  });

  it('throws what the work throws', async () => {
    const broken = (function* (): Paced<string> {
      yield;
      throw new Error('broken');
    })();
    await assert.rejects(inStretches(broken), /broken/);
  });
});
