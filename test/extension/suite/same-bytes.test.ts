// The hash of a trace in Node's extension host: that of plain Node, which the page, the worker and the browser's extension host are held to as well.
import assert from 'node:assert/strict';
import { explainAttention, hashTrace, readLesson, specFromText, traceOfBlock } from '../../../engine/index';
import type { AttentionTrace, Result } from '../../../engine/index';
import { hashes, lesson, literals } from '../web/expected';

function hashOf(trace: Result<AttentionTrace>): string {
  assert.ok(trace.ok);
  return hashTrace(trace.value);
}

describe('the bytes of Node’s extension host', () => {
  it('are those of plain Node: literals', () => {
    assert.ok(literals.length > 2);
    const found = literals.map((text) => {
      const spec = specFromText(text);
      assert.ok(spec.ok);
      return hashOf(explainAttention(spec.value.spec));
    });
    assert.deepEqual(found, hashes.literals);
  });

  it('and those of every block of a lesson', () => {
    const { lesson: read, problems } = readLesson(lesson);
    assert.deepEqual(problems, []);
    assert.ok(read.blocks.length > 1);
    assert.deepEqual(
      read.blocks.map((block) => hashOf(traceOfBlock(block))),
      hashes.lesson,
    );
  });
});
