// Lessons whose texts a trained model reads.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { modelsNamed, readLesson, traceOfBlock, variantOf } from '../../engine/index';
import { provideModels } from './box-support';
import { fenced, lessonFrom, placed, problemsIn } from './lessons-support';

const block = (line: string, body = ''): string => `# T\n\n${fenced(`attention ${line}`, body)}`;
const keys = 'the keys near the table';

/** Cells (head, row, column, weight) of the last layer, and (row, id, probability), by NumPy: test/reference/box_models.py. */
const { lessons } = JSON.parse(gunzipSync(readFileSync('test/fixtures/models.json.gz')).toString()) as {
  lessons: Readonly<Record<string, { readonly weights: readonly number[][]; readonly next: readonly number[][] }>>;
};

describe('a model that a lesson names', () => {
  it('is found in opening lines, each once, and not in prose', () => {
    const source = `model=words-1\n\n${block('id=a model=characters-1', 'x')}\n${block('id=b model=characters-1 step=weights', 'y')}\n${block('from=a model=none')}`;
    assert.deepEqual(modelsNamed(source), ['characters-1']);
    assert.deepEqual(modelsNamed('`'.repeat(100_000)), []);
  });

  describe('once it is read', () => {
    before(provideModels);

    it('reads the text, also one that is changed by another block', () => {
      const source = `${block('id=a model=words-1', keys)}\n${fenced('attention id=b from=a headChanges=[{"layer":2,"head":0}]', '')}`;
      const [a, b] = lessonFrom(source).blocks;
      assert.equal(a?.spec.model?.name, 'words-1');
      assert.equal(b?.spec.model?.name, 'words-1');
      assert.deepEqual(b?.spec.headChanges, [{ layer: 2, head: 0 }]);
      assert.deepEqual(a.spec.start, b.spec.start);
    });

    it('is another where a block names another checkpoint', () => {
      const [a, b] = lessonFrom(
        `${block('id=a model=characters-training-0', 'ab')}\n${fenced('attention id=b from=a model=characters-training-600', '')}`,
      ).blocks;
      assert.ok(a && b);
      const [before, after] = [a, b].map(traceOfBlock);
      assert.ok(before?.ok && after?.ok);
      assert.notEqual(before.value.value('weights', [0, 2, 1]), after.value.value('weights', [0, 2, 1]));
    });

    it('is named where it stands with what is wrong', () => {
      const at = (line: string, body: string): string =>
        placed(block(line, body), readLesson(block(line, body)).problems).join('; ');
      assert.equal(
        at('model=words-1', 'the telescope is here'),
        '3:14 words-1 knows 514 English words, but not “telescope”',
      );
      assert.equal(at('model=words-2', keys), '3:14 model=words-2: unknown');
      assert.equal(at('model=words-1', 'X = [[1, 2]]'), '3:14 model=words-1: expected a text in the block');
      assert.equal(
        at('model=words-1 vary=yes', keys),
        '3:13 vary=yes with model=words-1: a text that a model reads does not vary',
      );
      assert.match(
        at('model=characters-1', 'x'.repeat(300)),
        /characters-1 reads at most 255 tokens, and this text has 300/,
      );
    });

    it('of other sizes is refused where a block is made from another', () => {
      const source = `${block('id=a model=words-1', keys)}\n${fenced('attention id=b from=a model=characters-1', '')}`;
      assert.notDeepEqual(problemsIn(source), []);
    });

    it('gives every student the same', () => {
      const lesson = lessonFrom(block('id=a model=words-1', keys));
      const [one, two] = [1, 2].map((seed) => variantOf(lesson, seed));
      assert.ok(one?.ok && two?.ok);
      assert.deepEqual(one.value.blocks.map(({ spec }) => spec), two.value.blocks.map(({ spec }) => spec)); // prettier-ignore
    });

    for (const [number, file] of [
      ['14', '14-how-a-head-learns'],
      ['15', '15-is-a-pattern-a-reason'],
    ] as const)
      // prettier-ignore
      it(`gives lesson ${number} the numbers that a NumPy program gives`, () => {
        const { blocks } = lessonFrom(readFileSync(`extension/lessons/${file}.md`, 'utf8'));
        const cases = Object.entries(lessons).filter(([name]) => name.startsWith(`${number}:`));
        assert.ok(cases.length >= 3);
        for (const [name, { weights, next }] of cases) {
          const found = blocks.find(({ id }) => `${number}:${id}` === name);
          assert.ok(found, name);
          const trace = traceOfBlock(found);
          assert.ok(trace.ok);
          const near = (step: string, index: readonly number[], expected = NaN): void =>
            assert.ok(Math.abs(trace.value.value(step, index) - expected) < 2e-8, `${name} ${step} ${index.join()}: ${expected}`);
          for (const cell of weights) near('weights', cell.slice(0, 3), cell[3]);
          for (const cell of next) near('probabilities', cell.slice(0, 2), cell[2]);
        }
      });
  });
});
