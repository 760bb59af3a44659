import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TextRange } from '../../../engine/index';
import { findAgain, moveRange, moveRanges, withLineEnds, type TextChange } from '../../../extension/documents/tracking';

/** A document with one tracked range, edited as VS Code tells it. */
function tracked(text: string, explained: string) {
  const start = text.indexOf(explained);
  assert.ok(start >= 0);
  let range: TextRange = { start, end: start + explained.length };
  const read = (r: TextRange): string => text.slice(r.start, r.end);
  return {
    edit(offset: number, removed: number, inserted: string): void {
      text = text.slice(0, offset) + inserted + text.slice(offset + removed);
      range = moveRange(range, { offset, removed, text: inserted });
    },
    replace(what: string, by: string): void {
      const at = text.indexOf(what);
      assert.ok(at >= 0, `${what} stands in ${text}`);
      this.edit(at, what.length, by);
    },
    /** As the host does it: a text that is found again takes the range with it. */
    isFresh(): boolean {
      const found = findAgain(range, explained, read);
      range = found ?? range;
      return found !== undefined;
    },
    text: () => read(range),
    all: () => text,
  };
}

const lesson = 'before\nX = [[1, 2], [3, 4]]\nafter\n';
const matrix = '[[1, 2], [3, 4]]';

describe('what was explained, followed through edits', () => {
  it('moves with edits before it and does not move with edits after it', () => {
    const source = tracked(lesson, matrix);
    source.edit(0, 6, 'long before\nand more');
    source.replace('after', 'much later');
    assert.equal(source.text(), matrix);
    assert.ok(source.isFresh());
  });

  it('is stale after an edit inside and fresh when that is undone', () => {
    const source = tracked(lesson, matrix);
    source.replace('3', '30');
    assert.equal(source.isFresh(), false);
    assert.equal(source.text(), '[[1, 2], [30, 4]]');
    source.replace('30', '3');
    assert.ok(source.isFresh());
  });

  it('is fresh again when its last or first character was deleted and comes back', () => {
    for (const [offset, char] of [
      [lesson.indexOf(matrix) + matrix.length - 1, ']'],
      [lesson.indexOf(matrix), '['],
    ] as const) {
      const source = tracked(lesson, matrix);
      source.edit(offset, 1, '');
      assert.equal(source.isFresh(), false);
      source.edit(offset, 0, char);
      assert.ok(source.isFresh());
      assert.equal(source.text(), matrix);
    }
  });

  it('is fresh again when a tail of several lines was cut and comes back', () => {
    const rows = '[[1, 2],\n [3, 4],\n [5, 6]]';
    const source = tracked(`X = ${rows}\nafter`, rows);
    const tail = '\n [3, 4],\n [5, 6]]';
    const at = source.all().indexOf(tail);
    source.edit(at, tail.length, '');
    assert.equal(source.isFresh(), false);
    source.edit(at, 0, tail);
    assert.ok(source.isFresh());
    assert.equal(source.text(), rows);
  });

  it('is fresh again when all of it was replaced and that is undone', () => {
    const source = tracked(lesson, matrix);
    source.replace(matrix, '[[0]]');
    assert.equal(source.isFresh(), false);
    assert.equal(source.text(), '[[0]]');
    source.replace('[[0]]', matrix);
    assert.ok(source.isFresh());
  });

  it('does not take a new line after it for a change', () => {
    const source = tracked(lesson, matrix);
    source.edit(lesson.indexOf(matrix) + matrix.length, 0, '\nK = [[9, 9]]');
    assert.ok(source.isFresh());
    assert.equal(source.text(), matrix);
  });

  it('recomputes on a last number that was typed anew, not on the next line', () => {
    const source = tracked('1 2\n3 4\n', '1 2\n3 4');
    source.edit(6, 1, '');
    assert.equal(source.isFresh(), false);
    source.edit(6, 0, '5');
    source.edit(7, 0, '\n6 7');
    assert.equal(source.isFresh(), false);
    assert.equal(source.text(), '1 2\n3 5');
  });

  it('takes a number or a word that goes on for a change, a comment beside it not', () => {
    const numbers = tracked('1 2\n3 4\n', '1 2\n3 4');
    numbers.edit(7, 0, '5');
    assert.equal(numbers.isFresh(), false);
    numbers.edit(7, 1, '');
    numbers.edit(7, 0, '  # the last row');
    assert.ok(numbers.isFresh());
    const words = tracked('say The cat sat now', 'The cat sat');
    words.edit(15, 0, 'urday');
    assert.equal(words.isFresh(), false);
    const start = tracked('cat sat', 'cat');
    start.edit(0, 0, 'bob');
    assert.equal(start.isFresh(), false);
  });

  it('is found again in a document that was replaced as a whole', () => {
    const source = tracked(lesson, matrix);
    source.edit(0, lesson.length, `# formatted\n${lesson}`);
    assert.ok(source.isFresh());
    assert.equal(source.text(), matrix);
  });

  it('applies the changes of one event in their order, from the end of the document to its beginning', () => {
    const ranges = [
      { start: 10, end: 14 },
      { start: 20, end: 30 },
    ];
    const changes: TextChange[] = [
      { offset: 24, removed: 2, text: 'four' },
      { offset: 0, removed: 0, text: '12345' },
    ];
    assert.deepEqual(moveRanges(ranges, changes), [
      { start: 15, end: 19 },
      { start: 25, end: 37 },
    ]);
  });

  it('compares with the line ends of the document', () => {
    assert.equal(withLineEnds('a\nb\r\nc\rd', '\r\n'), 'a\r\nb\r\nc\r\nd');
    assert.equal(withLineEnds('a b', '\r\n'), 'a b');
  });

  it('stays in the document and is fresh after any edit and its undoing', () => {
    const position = fc.nat({ max: lesson.length });
    const edit = fc.record({
      a: position,
      b: position,
      text: fc.string({ maxLength: 6, unit: fc.constantFrom(...'[]1, \nx') }),
    });
    fc.assert(
      fc.property(edit, ({ a, b, text }) => {
        const source = tracked(lesson, matrix);
        const [offset, removed] = [Math.min(a, b), Math.abs(a - b)];
        const old = lesson.slice(offset, offset + removed);
        source.edit(offset, removed, text);
        source.isFresh();
        source.edit(offset, text.length, old);
        assert.equal(source.all(), lesson);
        assert.ok(source.isFresh());
        assert.equal(source.text(), matrix);
      }),
      { numRuns: 2000 },
    );
  });
});
