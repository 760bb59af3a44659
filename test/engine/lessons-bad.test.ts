// Runs alone: it measures time.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { finish, partLimit, readingLesson, readLesson } from '../../engine/index';
import { asking, fenced, lessonFrom, problemsIn, small } from './lessons-support';

const shape = '{ "kind": "shape", "prompt": "?", "step": "v" }';
const stepsOf = (source: string): number => readLesson(source).steps;

/** Time in proportion to what is counted, and at most so many seconds on a slow machine. */
function within(seconds: number, act: () => void): void {
  const before = performance.now();
  act();
  const took = (performance.now() - before) / 1000;
  assert.ok(took < seconds, `${took.toFixed(1)} s`);
}

describe('a bad lesson', function () {
  this.timeout(120_000);

  it('with 10,000 blocks is read up to a limit, with the place of the first that is not', () => {
    const each = fenced('attention', '[[1, 2], [3, 4]]');
    within(60, () => {
      const { lesson, problems } = readLesson(each.repeat(10_000));
      assert.equal(lesson.blocks.length, partLimit);
      assert.deepEqual(problems.map((p) => [p.message, p.range?.start]), [
        ['more than 1000 blocks and questions: from here they are not read', each.length * partLimit],
      ]); // prettier-ignore
    });
  });

  it('with 10,000 questions too', () => {
    const source = asking({ kind: 'shape', prompt: '?', step: 'v' }) + fenced('attention-question', shape).repeat(9_999);
    within(60, () => assert.equal(readLesson(source).lesson.questions.length, partLimit - 1));
  }); // prettier-ignore

  it('with blocks that take their inputs from each other names the first that is not before', () => {
    const source = fenced('attention id=a from=b', '') + fenced('attention id=b from=a', '');
    // What follows from a broken block is not said again.
    assert.deepEqual(problemsIn(source), ['1:13 no block b before this one']);
  });

  it('with a large input that is taken over again and again is refused where it is too much', () => {
    const rows = `[${Array.from({ length: 2 }, () => `[${'1, '.repeat(40_000)}1]`).join(', ')}]`;
    const source = fenced('attention id=a', rows) + fenced('attention from=a', '').repeat(900);
    within(60, () => {
      const { problems } = readLesson(source);
      assert.match(problems[0]?.message ?? '', /^the blocks up to here have more than \d+ characters of inputs/);
      assert.ok((problems[0]?.range?.start ?? 0) > rows.length);
    });
  });

  it('with many large blocks computes a part of them', () => {
    const block = fenced('attention', 'a '.repeat(200));
    within(60, () => {
      const { lesson, problems } = readLesson(block.repeat(500));
      assert.ok(lesson.blocks.length > 10 && lesson.blocks.length < 100, String(lesson.blocks.length));
      assert.match(problems[0]?.message ?? '', /^the blocks up to here have more than 33554432 numbers and multiply-adds$/);
    });
  }); // prettier-ignore

  it('with figures that look at large blocks says from where nothing is checked', () => {
    const source = `${fenced('attention', 'a '.repeat(200))}${'{{weights[1]}}\n'.repeat(50_000)}`;
    within(60, () => {
      const { problems } = readLesson(source);
      assert.match(problems[0]?.message ?? '', /look at more than 268435456 numbers: from here nothing is checked$/);
    });
  });

  it('is read in proportion to its length: what is counted doubles with the text', () => {
    const one = `word {{ [0]\n\n${fenced('attention vary=no', '[[1, 2], [3, 4]]')}\n${fenced('attention-question', shape)}\n`;
    const [once, twice] = [stepsOf(one.repeat(50)), stepsOf(one.repeat(100))];
    assert.ok(twice <= 2.05 * once, `${once}, ${twice}`);
  });

  for (const line of [' '.repeat(1990), '> '.repeat(990), `- ${' '.repeat(1980)}`, '`'.repeat(1990), '{{'.repeat(990)])
    it(`of lines like ${JSON.stringify(line.slice(0, 6))}… takes no more than its length`, () => {
      within(30, () => readLesson(`${line}attention\n`.repeat(500)));
    });

  it('names a NUL character with its place', () => {
    assert.deepEqual(problemsIn(`# T\n\nab\0c\0\n`), ['3:3 a NUL character: this is no text']);
  });

  it('may begin with a byte order mark and end its lines with CRLF or CR: the same lesson', () => {
    const source = `# Title\n\n${fenced('attention id=a', small)}\n${fenced('attention-question', shape)}`;
    const plain = lessonFrom(source);
    for (const other of [`\ufeff${source}`, source.replaceAll('\n', '\r\n'), `\ufeff${source.replaceAll('\n', '\r')}`]) {
      const lesson = lessonFrom(other);
      assert.equal(lesson.title, plain.title);
      assert.deepEqual(lesson.blocks.map((b) => b.spec), plain.blocks.map((b) => b.spec)); // prettier-ignore
      assert.equal(lesson.questions.length, 1);
    }
    assert.equal(lessonFrom(`\ufeff${fenced('attention', small)}`).blocks.length, 1);
  }); // prettier-ignore

  it('never throws on a lesson of the documentation with arbitrary edits, and reads it the same with stops', () => {
    const base = `# T\r\n\n${fenced('attention id=a mask=causal', small)}\n${fenced('attention from=a', '')}{{a:scores[0,1]}}\n${fenced('attention-question', shape)}`;
    const piece = fc.constantFrom('\0', '\ufeff', '\r', '\n', '```', '"', '{', '[', ']', '}', 'from=a', 'id=a', '{{', '<script>', '\ud800', '1e999', ',');
    const edit = fc.tuple(fc.nat(base.length), fc.nat(6), piece);
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let source = base;
        for (const [at, gone, put] of edits) source = source.slice(0, at) + put + source.slice(at + gone);
        const { problems, steps } = readLesson(source);
        for (const { range, message } of problems)
          assert.ok(range && range.start >= 0 && range.start <= range.end && range.end <= source.length, message);
        assert.ok(steps < 200_000, String(steps));
        assert.deepEqual(finish(readingLesson(source)).problems, problems);
      }),
      { numRuns: 400 },
    );
  }); // prettier-ignore
});
