// What code in a lesson's blocks computes, in the terminal and, handed over, in a page. Numbers from NumPy 1.24.
import assert from 'node:assert/strict';
import {
  finish,
  readingComputedBlocks,
  readLesson,
  traceOfBlock,
  type ComputedBlocks,
  type Lesson,
} from '../../engine/index';
import { setNameReader } from '../../engine/parse/index';
import { nameReader } from '../../engine/program/index';
import { planClass, variantText } from '../../engine/lessons/index';
import { fenced, lessonFrom, problemsIn, placed } from './lessons-support'; // prettier-ignore

const weightsOfEye = 'W_q = np.eye(2)\nX = np.array([[1., 2.], [3., 4.]])\nW_k = 2 * np.eye(2)\nW_v = np.ones((2, 2))';
const products =
  'Q = np.array([[1., 2.], [3., 4.]]) @ np.array([[0.5, 0], [0, 2]])\nK = np.tril(np.ones((2, 2))) + Q.T / 8\nV = np.arange(4.0).reshape(2, 2)';
const drawn = 'np.random.seed(3)\nQ = np.random.randn(2, 2)\nK = np.array([[1., 2.], [3., 4.]])\nV = np.eye(2)';
const unseeded = 'Q = np.random.randn(2, 2)\nK = np.array([[1., 2.], [3., 4.]])\nV = np.eye(2)';

const lessonOf = (...bodies: readonly string[]): string =>
  `# T\n\n${bodies.map((body, i) => fenced(`attention id=b${i}`, body)).join('\n')}`;

function valuesOf({ blocks }: Lesson, block: number, step: string): number[] {
  const found = blocks[block];
  assert.ok(found);
  const trace = traceOfBlock(found);
  assert.ok(trace.ok, JSON.stringify(trace));
  return [0, 0, 1, 1].map((row, i) => trace.value.value(step, [row, i % 2]));
}

function assertClose(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  for (const [i, x] of actual.entries()) assert.ok(Math.abs(x - (expected[i] ?? NaN)) <= 1e-12, `${actual.join()}, not ${expected.join()}`); // prettier-ignore
}

function assertAsNumPy(lesson: Lesson): void {
  assertClose(valuesOf(lesson, 0, 'weights'), [2.0644266442855697e-4, 0.9997935573355714, 2.52004299075957e-9, 0.9999999974799569]); // prettier-ignore
  assertClose(valuesOf(lesson, 0, 'output'), [6.999174229342285, 6.999174229342285, 6.999999989919828, 6.999999989919828]); // prettier-ignore
  assertClose(valuesOf(lesson, 1, 'output'), [1.989878870434745, 2.989878870434745, 1.9999556750189944, 2.9999556750189944]); // prettier-ignore
  assertClose(valuesOf(lesson, 2, 'q'), [1.7886284734303186, 0.43650985051198943, 0.09649746807200862, -1.8634927033644908]); // prettier-ignore
  assertClose(valuesOf(lesson, 2, 'weights'), [0.04121673062220284, 0.9587832693777971, 0.9240652752084447, 0.07593472479155523]); // prettier-ignore
}

/** What a page is sent, as a file that is saved would hold it. */
const computedIn = (source: string): ComputedBlocks =>
  JSON.parse(JSON.stringify(finish(readingComputedBlocks(source)))) as ComputedBlocks;

const asking = `\n${fenced('attention-question', JSON.stringify({ id: 'n', kind: 'number', about: 'b1', prompt: '?', of: { step: 'output', cell: [0, 0] } }))}`;

describe('code in the blocks of a lesson', () => {
  before(() => setNameReader(nameReader));
  after(() => setNameReader(nameReader));

  it('is computed as by NumPy', () => assertAsNumPy(lessonFrom(lessonOf(weightsOfEye, products, drawn))));

  it('comes to the same in a page, which has no reader of programs', () => {
    const source = lessonOf(weightsOfEye, products, drawn, 'X = [[1, 2]]', '{ "start": { "from": "text", "text": "a b" } }');
    const computed = computedIn(source);
    assert.deepEqual(Object.keys(computed), [weightsOfEye, products, drawn].map((body) => `${body}\n`));
    setNameReader(undefined);
    const { lesson, problems } = readLesson(source, computed);
    setNameReader(nameReader);
    assert.deepEqual(placed(source, problems), []);
    assertAsNumPy(lesson);
  }); // prettier-ignore

  it('takes the settings of the opening line', () => {
    const source = `# T\n\n${fenced('attention id=b0 mask=causal', weightsOfEye)}`;
    assertClose(valuesOf(lessonFrom(source), 0, 'weights').slice(0, 2), [1, 0]);
  });

  it('is named where it stands when its numbers differ from run to run', () => {
    const message = 'np.random.randn(…) without a seed above it: its numbers are other ones in each run';
    assert.deepEqual(problemsIn(lessonOf(unseeded)), [`4:5 ${message}`]);
    const source = lessonOf(products, unseeded);
    const computed = computedIn(source);
    setNameReader(undefined);
    const { problems } = readLesson(source, computed);
    setNameReader(nameReader);
    assert.deepEqual(placed(source, problems), [`10:5 ${message}`]);
  });

  it('is named where it stands when nobody can say what a matrix comes to', () => {
    setNameReader(undefined);
    const [first, ...more] = problemsIn(lessonOf(weightsOfEye));
    setNameReader(nameReader);
    assert.equal(first, '4:1 W_q is not followed: W_q is computed, which is not followed here.');
    assert.equal(more.length, 2);
  });

  it('makes variants, whose files can be read and graded', () => {
    const source = `${lessonOf(weightsOfEye, products)}${asking}`;
    const lesson = lessonFrom(source);
    setNameReader(undefined);
    const variant = variantText(lesson, 5);
    setNameReader(nameReader);
    assert.ok(variant.ok, JSON.stringify(variant));
    assert.deepEqual(lessonFrom(variant.value.text).blocks.map(({ spec }) => spec), variant.value.lesson.blocks.map(({ spec }) => spec)); // prettier-ignore
    const plan = planClass({ lesson: source, name: 'l.md', students: ['Ada', 'Grace'], seed: 1 });
    assert.ok(plan.ok, JSON.stringify(plan));
    assert.equal(plan.value.key.lesson, source);
  });
});
