import assert from 'node:assert/strict';
import {
  answerOf,
  explainAttention,
  keyOf,
  mark,
  matrixDefaults,
  resultsOf,
  textDefaults,
  type AttentionSpec,
  type AttentionTrace,
  type StudentResponse,
} from '../../engine/index';
import { claim as claimCheck, decideClaim, isNear, shownTolerance, type Claim } from '../../engine/lessons/claim';
import { tracesFor } from '../../engine/lessons/answer';
import { arithmeticOf } from '../../engine/lessons/arithmetic';
import { fillIn, showNumber } from '../../engine/lessons/fill';
import { factsOf, numbersOf } from '../../engine/lessons/facts';
import { damageOf, duplicateFlags, flagsOf, hashesOf, ownerOf } from '../../engine/lessons/remarks';
import { valueOf, type Quantity } from '../../engine/lessons/quantity';
import type { Question } from '../../engine/lessons/question';
import type { Problem } from '../../engine/text/problems';
import { asking, lessonFrom, only, small } from './lessons-support';

// Q = [[1, 0], [0, 2], [1, 1]], K = [[1, 1], [3, 0], [0, -1]], V = [[1, 2], [3, 4], [5, 6]], so that by hand
// QKᵀ = [[1, 3, 0], [2, 0, -2], [2, 3, -1]]. In two heads of one column each: [1,3,0 | 0,0,0 | 1,3,0] and [0,0,0 | 2,0,-2 | 1,0,-1].
const lessonOf = (settings = ''): ReturnType<typeof lessonFrom> =>
  lessonFrom(asking({ kind: 'shape', step: 'q', prompt: '?' }).replace('id=a', `id=a ${settings}`));
const plain = lessonOf();
const traces = tracesFor(only(plain), plain);
const traceOf = (lesson: typeof plain) => {
  const trace = tracesFor(only(lesson), lesson)();
  assert.ok(trace.ok);
  return trace.value;
};
type Outcome<T> = T | string;
const outcome = <T>(result: { ok: true; value: T } | { ok: false; problems: readonly Problem[] }): Outcome<T> => result.ok ? result.value : result.problems.map(({ message }) => message).join('; '); // prettier-ignore

describe('quantities', () => {
  it('are numbers of a step, or what is missing', () => {
    const heads = traceOf(lessonOf('heads=2'));
    const cases: readonly [Quantity, Outcome<number>, typeof heads?][] = [
      [{ step: 'scores', cell: [1, 2] }, -2],
      [{ step: 'scores', take: 'value', cell: [2, 1] }, 3],
      [{ step: 'scores', cell: [1, 1, 2] }, -2, heads],
      [{ step: 'scores', cell: [0, 1] }, 3, heads],
      [{ step: 'scores', take: 'sum', column: 2 }, -3],
      [{ step: 'scores', take: 'sum', row: 2, column: 1 }, 3],
      [{ step: 'scores', take: 'sum', head: 0 }, 8, heads],
      [{ step: 'scores', take: 'sum', head: 1, row: 2 }, 0, heads],
      [{ step: 'scores', take: 'max', head: 1 }, 2, heads],
      [{ step: 'scores', take: 'min', row: 2 }, -1],
      [{ step: 'scores', take: 'max', column: 2 }, 0],
      [{ step: 'scores', take: 'mean', row: 2 }, 4 / 3],
      [{ step: 'v', take: 'variance', column: 0 }, 8 / 3],
      [{ step: 'v', take: 'variance', row: 1 }, 0.25],
      [{ step: 'scores', take: 'rows' }, 3, heads],
      [{ step: 'scores', take: 'cells' }, 18, heads],
      [{ step: 'v', take: 'columns' }, 2],
      [{ step: 'scores', take: 'multiplyAdds' }, 18],
      [{ step: 'scores', take: 'sum', column: 3 }, 'scores is 3×3: no column 3'],
      [{ step: 'scores', take: 'sum', row: 3 }, 'scores is 3×3: no row 3'],
      [{ step: 'scores', take: 'sum', head: 0 }, 'scores is 3×3: no head 0'],
      [{ step: 'scores', take: 'sum', head: 2 }, 'scores is 2×3×3: no head 2', heads],
      [{ step: 'scores' }, 'value of scores needs "cell": [row, column]'],
      [{ step: 'scores', cell: [3, 0] }, 'scores[3,0] is outside of 3×3'],
      [{ step: 'scores', cell: [0, 3] }, 'scores[0,3] is outside of 3×3'],
      [{ step: 'scores', cell: [0, 0, 0] }, 'scores[0,0,0] is outside of 3×3'],
      [{ step: 'score', cell: [0, 0] }, 'no step score'],
      [{ step: 's'.repeat(41), cell: [0, 0] }, `no step ${'s'.repeat(40)}`],
      [{ step: 'scores', take: 'denominator', cell: [0, 0] }, 'scores is not made by softmax: take value, or step weights'],
      [{ step: 'weights', take: 'gradient', cell: [1, 0] }, 'gradient needs "to": the column of the score that changes'],
      [{ step: 'weights', take: 'gradient', cell: [1, 0], to: 3 }, 'weights[1,3] is outside of 3×3'],
    ]; // prettier-ignore
    for (const [q, expected, trace = traceOf(plain)] of cases) {
      const found = outcome(valueOf(trace, q));
      if (typeof expected === 'number' && typeof found === 'number')
        assert.ok(isNear(found, expected, 1e-15 * Math.abs(expected)), `${JSON.stringify(q)}: ${found}`); // prettier-ignore
      else assert.equal(found, expected, JSON.stringify(q));
    }
  });
});

describe('claims', () => {
  it('are true or false, or cannot be decided', () => {
    const at = (row: number, column: number): Quantity => ({ step: 'scores', cell: [row, column] });
    const sum: Quantity = { step: 'scores', take: 'sum', row: 0 };
    const cases: readonly [Claim, Outcome<boolean>][] = [
      [{ is: 'equal', value: at(0, 1), to: 3 }, true],
      [{ is: 'equal', value: at(0, 1), to: 3, holds: false }, false],
      // A billionth of the larger number, or of 1.
      [{ is: 'equal', value: at(0, 1), to: 3.000000002 }, true],
      [{ is: 'equal', value: at(0, 1), to: 3.000000004 }, false],
      [{ is: 'equal', value: at(0, 2), to: 0.9e-9 }, true],
      [{ is: 'equal', value: at(0, 2), to: -1.1e-9 }, false],
      [{ is: 'equal', value: at(0, 1), to: 3.5, tolerance: 0.5 }, true],
      [{ is: 'equal', value: at(0, 1), to: 3.51, tolerance: 0.5 }, false],
      [{ is: 'less', value: at(1, 2), to: 0 }, true],
      [{ is: 'more', value: at(1, 2), to: 0 }, false],
      [{ is: 'more', value: sum, to: at(0, 1) }, true],
      [{ is: 'less', value: sum, to: at(0, 1) }, false],
      [{ is: 'less', value: at(0, 1), to: at(2, 1) }, false],
      [{ is: 'more', value: at(0, 1), to: at(2, 1) }, false],
      [{ is: 'less', value: at(0, 1), to: 3.000000002 }, '3 and 3.000000002 are too near to say which is more'],
      [{ is: 'less', value: at(0, 1), to: 3.4, tolerance: 0.5 }, '3 and 3.4 are too near to say which is more'],
      [{ is: 'less', value: at(9, 1), to: 3 }, 'scores[9,1] is outside of 3×3'],
      [{ is: 'less', value: at(0, 1), to: at(0, 9) }, 'scores[0,9] is outside of 3×3'],
      [{ is: 'less', value: { ...at(0, 1), about: 'b' }, to: 3 }, 'no block b'],
      [{ is: 'equal', value: { ...at(0, 1), about: 'a' }, to: 3 }, true],
      [{ is: 'shape', step: 'scores', shape: [3, 3] }, true],
      [{ is: 'shape', step: 'v', shape: [2, 3] }, false],
      [{ is: 'shape', step: 'w', shape: [2, 3] }, 'no step w'],
      [{ is: 'shape', step: 'v', shape: [2, 3], about: 'z' }, 'no block z'],
      [{ is: 'shows', step: 'scores', row: 1, numbers: [2, 0, -2] }, true],
      [{ is: 'shows', step: 'scores', numbers: [1, 3, 0, 2, 0, -2, 2, 3, -1] }, true],
      [{ is: 'shows', step: 'scores', row: 1, numbers: [2, 0, -1] }, false],
      // Half a unit of the last digit that is written anywhere.
      [{ is: 'shows', step: 'scores', row: 1, numbers: [2.05, 0, -2] }, false],
      [{ is: 'shows', step: 'scores', row: 1, numbers: [2, 0, -2.1] }, false],
      [{ is: 'shows', step: 'scores', row: 1, numbers: [2, 0.004, -2], tolerance: 0.004 }, true],
      [{ is: 'shows', step: 'scaled', row: 0, numbers: [0.71, 2.12, 0] }, true],
      [{ is: 'shows', step: 'scaled', row: 0, numbers: [0.7, 2.12, 0] }, false],
      [{ is: 'shows', step: 'scores', row: 1, numbers: [2, 0] }, '2 numbers for 3 cells of scores'],
      [{ is: 'shows', step: 'scores', row: 3, numbers: [2] }, 'scores is 3×3: no row 3'],
      [{ is: 'property', property: 'rows-sum-to-1' }, true],
      [{ is: 'property', property: 'causal' }, false],
      [{ is: 'property', property: 'causal', holds: false }, true],
      [{ is: 'product', of: ['scores', 'v'] }, true],
      [{ is: 'product', of: ['v', 'scores'] }, false],
      [{ is: 'product', of: ['scores', 'v'], shape: [3, 2] }, true],
      [{ is: 'product', of: ['scores', 'v'], shape: [2, 3] }, false],
      [{ is: 'product', of: ['w', 'v'] }, 'no step w'],
      [{ is: 'product', of: ['v', 'w'] }, 'no step w'],
      ...(
        [
          ['a = 1', 'a', true], ['  a = 1', 'a', true], ['a, b = 1, 2', 'b', true], ['a == 1', 'a', false], ['a != 1', 'a', false], ['a <= 1', 'a', false], ['a >= 1', 'a', false],
          ['a += 1', 'a', false], ['b = a', 'a', false], ['print(a)', 'a', false], ['def a(x):', 'a', true], ['class a:', 'a', true], ['import numpy as a', 'a', true],
          ['from m import a', 'a', true], ['for a in b:', 'a', true], ['for b in a:', 'a', false], ['return a', 'a', false], ['ab = 1', 'a', false],
        ] as const
      ).flatMap(([line, name, is]): [Claim, boolean][] => [
        [{ is: 'assigned', name, in: ['# first', line] }, is],
        [{ is: 'assigned', name, in: [line], holds: false }, !is],
      ]),
    ]; // prettier-ignore
    for (const [claim, expected] of cases)
      assert.equal(outcome(decideClaim(claim, traces)), expected, JSON.stringify(claim));
  });

  it('read 400 characters of a line', () => {
    for (const [blanks, is] of [[398, true], [399, false]] as const)
      assert.equal(outcome(decideClaim({ is: 'assigned', name: 'a', in: [`${' '.repeat(blanks)}a=1`] }, traces)), is);
  }); // prettier-ignore

  it('have fields of their kinds', () => {
    const wrong = (given: object): string => {
      const problems: Problem[] = [];
      claimCheck({ is: 'shows', step: 'q', ...given }, '', problems);
      return problems.map(({ message }) => message).join('; ');
    };
    assert.equal(wrong({ numbers: [1, 'inf', '-inf', 'nan', '-0'] }), '');
    assert.equal(wrong({ numbers: ['infinity'] }), 'numbers[0]: expected a number, "inf", "-inf" or "nan", found "infinity"'); // prettier-ignore
    assert.equal(wrong({ numbers: [] }), 'numbers: expected a list of at least 1, found an array of 0');
    for (const [of, count] of [[['q'], 1], [['q', 'k', 'v'], 3], [['q', 1], 2]] as const)
      assert.equal(wrong({ is: 'product', step: undefined, of }), `step: unknown field; of: expected two steps, found an array of ${count}`);
    assert.equal(wrong({ is: 'equal', step: undefined, value: 3, to: 'x' }), 'step: unknown field; value: expected an object, found 3; to: expected a number, found "x"');
    assert.equal(wrong({ numbers: [1], tolerance: 0 }), 'tolerance: expected a number above 0, found 0');
  }); // prettier-ignore

  it('are decided by numbers that can be written: 16 of a part, of eight statements, none of what is not there', () => {
    const part = { step: 'scores', head: 1, column: 2 };
    assert.deepEqual(numbersOf(traceOf(lessonOf('heads=2')), part), ['scores[1,·,2] = 0  −2  −1']);
    assert.deepEqual(numbersOf(traceOf(lessonOf('heads=2')), { step: 'scores' }), [`scores = ${[1, 3, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 2, 0, '−2', 1, '…'].join('  ')}`]);
    assert.deepEqual(numbersOf(traceOf(plain), { step: 'w' }), []);
    assert.deepEqual(numbersOf(traceOf(plain), { step: 'scaled', row: 0 }, 2), ['scaled[0] = 0.71  2.12  0']);
    const shape: Claim = { is: 'shape', step: 'v', shape: [3, 2] };
    assert.deepEqual(factsOf(Array.from({ length: 9 }, () => shape), traces), ['1, 2, 3, 4, 5, 6, 7, 8: v 3×2']);
    const mean: Quantity = { step: 'scores', take: 'mean', row: 0 };
    const cases: readonly [Claim, string[]][] = [
      [{ is: 'less', value: mean, to: 3 }, ['1: mean scores[0] = 1.3333']],
      [{ is: 'equal', value: { step: 'weights', take: 'exponential', cell: [1, 0] }, to: mean }, ['1: exponential weights[1,0] = 1; mean scores[0] = 1.3333']],
      [{ is: 'more', value: { step: 'scores', row: 9, take: 'sum' }, to: 1 }, []],
      [{ is: 'more', value: { ...mean, about: 'z' }, to: 1 }, []],
      [{ is: 'product', of: ['scores', 'v'] }, ['1: scores 3×3; v 3×2']],
      [{ is: 'product', of: ['scores', 'w'] }, ['1: scores 3×3']],
      [{ is: 'shape', step: 'v', shape: [3, 2], about: 'z' }, []],
      [{ is: 'shows', step: 'scores', row: 1, numbers: [2] }, ['1: scores[1] = 2  0  −2']],
      [{ is: 'shows', step: 'scores', row: 1, numbers: [2], about: 'z' }, []],
      [{ is: 'property', property: 'causal' }, []],
    ];
    for (const [claim, expected] of cases) assert.deepEqual(factsOf([claim], traces), expected, JSON.stringify(claim));
  }); // prettier-ignore

  it('are as exact as their digits', () => {
    assert.deepEqual([[3], [0.25], [1, 0.5], ['inf'], [-12.125], [0.1234567890123456]].map((xs) => shownTolerance(xs as number[])), [0.5, 0.005, 0.05, 0.5, 0.0005, 0.5e-15]); // prettier-ignore
    const cases: readonly [number, number, number, boolean][] = [
      [NaN, NaN, 0, true], [Infinity, Infinity, 0, true], [Infinity, -Infinity, 9, false], [0, -0, 0, true], [1, 1.1, 0.1, true], [1, 0.9, 0.1, true], [1, 1.1000001, 0.1, false], [1, NaN, 9, false],
    ]; // prettier-ignore
    for (const [a, b, within, expected] of cases) assert.equal(isNear(a, b, within), expected, `${a} ${b} ${within}`);
  });
});

describe('answers', () => {
  const asked = (question: object, settings = '', block = small): { lesson: typeof plain; question: Question } => {
    const lesson = lessonFrom(asking({ kind: 'shape', step: 'q', prompt: '?' }).replace('id=a', `id=a ${settings}`).replace(small, block)); // prettier-ignore
    return { lesson, question: { ...only(lesson), step: undefined, prompt: '?', ...question } as unknown as Question };
  };
  const saidOf = (question: object, settings = ''): string => {
    const { lesson, question: q } = asked(question, settings);
    const answer = answerOf(q, lesson);
    return answer.ok ? JSON.stringify(answer.value) : answer.problems.map(({ path = '', code, message }) => `${path} ${code}: ${message}`).join('; '); // prettier-ignore
  };
  const claimed = (...numbers: number[]): object => ({ kind: 'pick-cell', step: 'scores', claimed: [numbers] });
  const option = (to: number): object => ({ text: `${to}`, claim: { is: 'equal', value: { step: 'scores', cell: [0, 1] }, to } }); // prettier-ignore

  it('follow from the numbers, or say at which field none does', () => {
    const cases: readonly [object, string][] = [
      [{ kind: 'number', of: { step: 'w', cell: [0, 0] } }, 'of unknown-step: no step w'],
      [{ kind: 'number', of: { step: 'scores', cell: [0, 1] } }, '{"kind":"number","value":3,"digits":4,"tolerance":0.0001}'],
      [{ kind: 'number', of: { step: 'scores', cell: [0, 1] }, digits: 0 }, '{"kind":"number","value":3,"digits":0,"tolerance":0.5}'],
      [{ kind: 'number', of: { step: 'v', take: 'variance', row: 1 }, digits: 0 }, '{"kind":"number","value":0.25,"digits":0,"tolerance":1}'],
      [{ kind: 'number', of: { step: 'scores', cell: [0, 1] }, digits: 2, tolerance: 0.3 }, '{"kind":"number","value":3,"digits":2,"tolerance":0.3}'],
      [{ kind: 'shape', step: 'w' }, 'step unknown-step: no step w'],
      [{ kind: 'matrix', step: 'scores', cells: [[0, 0], [9, 0]] }, 'cells[1] outside: scores[9,0] is outside of 3×3'],
      [{ kind: 'matrix', step: 'scores', cells: [[0, 1], [1, 2]], digits: 0 }, '{"kind":"matrix","cells":[{"index":[0,1],"value":3},{"index":[1,2],"value":-2}],"digits":0,"tolerance":0.5}'],
      // Whole numbers and others: scaled[1] = [2, 0, −2] / √2.
      [{ kind: 'matrix', step: 'scaled', cells: [[1, 1], [1, 0]], digits: 0 }, `{"kind":"matrix","cells":[{"index":[1,1],"value":0},{"index":[1,0],"value":${2 / Math.SQRT2}}],"digits":0,"tolerance":1}`],
      [{ kind: 'choose', options: [option(1), option(3), option(2)] }, '{"kind":"choose","index":1,"options":["1","3","2"]}'],
      [{ kind: 'choose', options: [option(1), option(2)] }, 'options no-answer: none of the 2 statements is true'],
      [{ kind: 'choose', options: [option(3), option(2), option(3)] }, 'options[2] no-answer: statements 1 and 3 are true; exactly one must be'],
      [{ kind: 'find-wrong-step', steps: [option(3), option(2)] }, '{"kind":"find-wrong-step","index":1,"options":["3","2"]}'],
      [{ kind: 'find-wrong-step', steps: [option(3), option(3)] }, 'steps no-answer: none of the 2 statements is false'],
      [{ kind: 'find-wrong-step', steps: [option(1), option(2), option(0)] }, 'steps[1] no-answer: statements 1 and 2 and 3 are false; exactly one must be'],
      [{ kind: 'pick-cell', step: 'scores', take: 'largest' }, 'take tie: [0,1] and [2,1] of scores are equal in 4 digits'],
      [{ kind: 'pick-cell', step: 'scores', take: 'smallest' }, '{"kind":"pick-cell","cell":[1,2],"value":-2}'],
      [{ kind: 'pick-cell', step: 'scores', take: 'largest', row: 2 }, '{"kind":"pick-cell","cell":[2,1],"value":3}'],
      // 2 and 3 are one unit of no digit apart.
      [{ kind: 'pick-cell', step: 'scores', take: 'largest', row: 2, digits: 0 }, 'take tie: [2,1] and [2,0] of scores are equal in 0 digits'],
      [{ kind: 'pick-cell', step: 'w', take: 'largest' }, 'step unknown-step: no step w'],
      [{ kind: 'choose', among: { step: 'scores', take: 'largest', row: 0 } }, '{"kind":"choose","index":1,"options":["0","1","2"]}'],
      [{ kind: 'choose', among: { step: 'scores', take: 'smallest', column: 2 } }, '{"kind":"choose","index":1,"options":["0","1","2"]}'],
      [{ kind: 'choose', among: { step: 'scores', take: 'smallest' } }, 'among field: among: expected row or column'],
      [{ kind: 'choose', among: { step: 'scores', take: 'largest', row: 0, column: 1 } }, 'among field: among: expected row or column'],
      [claimed(1, 3, 0, 2, 0, -2, 2, 3, 9), '{"kind":"pick-cell","cell":[2,2],"value":-1}'],
      [claimed(1, 3, 0, 2, 0, -2, 2, 3, -1), 'claimed no-answer: 0 cells are wrong; exactly one must be'],
      [claimed(9, 9, 0, 2, 0, -2, 2, 3, -1), 'claimed no-answer: 2 cells are wrong: [0,0], [0,1]; exactly one must be'],
      [claimed(9, 9, 9, 9, 9, -2, 2, 3, -1), 'claimed no-answer: 5 cells are wrong: [0,0], [0,1], [0,2], [1,0]; exactly one must be'],
      [claimed(1, 3), 'claimed shape-mismatch: 2 numbers for 9 cells of scores'],
      [{ ...claimed(1, 3, 0, 2, 0, -2, 2, 3, 0), tolerance: 1 }, 'claimed no-answer: 0 cells are wrong; exactly one must be'],
      [{ kind: 'order-steps', steps: ['weights', 'q', 'scores'] }, '{"kind":"order-steps","order":["q","scores","weights"]}'],
      [{ kind: 'order-steps', steps: ['scores', 'k', 'q'] }, 'steps tie: q and k do not need each other: both orders are right'],
      [{ kind: 'order-steps', steps: ['q', 'w'] }, 'steps[1] unknown-step: no step w'],
      [{ kind: 'order-steps', steps: ['q', 'scores', 'q'] }, 'steps[2] tie: q is listed twice'],
      [{ kind: 'shape', step: 'q', about: 'b' }, ' unknown-block: no block b'],
      [{ kind: 'choose', among: { step: 'scores', take: 'largest', column: 1 } }, 'among.take tie: [0,1] and [2,1] of scores are equal in 4 digits'],
      [{ kind: 'choose', among: { step: 'w', take: 'largest', column: 1 } }, 'among.step unknown-step: no step w'],
    ]; // prettier-ignore
    for (const [question, expected] of cases) assert.equal(saidOf(question), expected, JSON.stringify(question));
  });

  it('name tokens that stand twice by their places', () => {
    const lesson = lessonFrom(`# T\n\n\`\`\`attention id=a\nthe cat the\n\`\`\`\n\n\`\`\`attention-question\n${JSON.stringify({ kind: 'choose', prompt: '?', among: { step: 'weights', row: 1, take: 'largest' }, digits: 12 })}\n\`\`\`\n`); // prettier-ignore
    const answer = answerOf(only(lesson), lesson);
    assert.ok(answer.ok && answer.value.kind === 'choose', JSON.stringify(answer));
    assert.deepEqual(answer.value.options, ['the (0)', 'cat', 'the (2)']);
  });

  it('are marked with a reason, and with what may be told before the next try', () => {
    const number = { kind: 'number', of: { step: 'scores', cell: [0, 1] } };
    const whole = { ...number, digits: 0 };
    const cells = { kind: 'matrix', step: 'scores', cells: [[0, 1], [1, 2]] }; // prettier-ignore
    const choose = { kind: 'choose', among: { step: 'scores', row: 0, take: 'largest' } };
    const cases: readonly [object, StudentResponse, verdict: string, points: number, reason: string, feedback?: string, wrong?: number[]][] = [
      [number, 7, 'wrong', 0, '7 was given; 3 (±0.0001) is right.', '7 was given; within ±0.0001 is asked.'],
      [number, '-inf', 'wrong', 0, '-inf was given; 3 (±0.0001) is right.', '-inf was given; within ±0.0001 is asked.'],
      [number, 'x' as never, 'unreadable', 0, 'The response is not a number.'],
      [whole, 3, 'right', 1, '3.'],
      [whole, 3.5, 'right', 1, '3.'],
      [whole, 3.6, 'wrong', 0, '3.6 was given; 3 is right.', '3.6 was given; a whole number is asked.'],
      // Row and column exchanged are 2 at [1,0]: a coincidence among so few whole numbers, and no diagnosis.
      [whole, 2, 'wrong', 0, '2 was given; 3 is right.', '2 was given; it is another whole number.'],
      [whole, 2.3, 'wrong', 0, '2.3 was given; 3 is right.', '2.3 was given; a whole number is asked.'],
      [number, 0, 'wrong', 0, '0 was given; 3 (±0.0001) is right.', '0 was given; within ±0.0001 is asked.'],
      [choose, -1, 'unreadable', 0, 'The response is no statement from 0 to 2.'],
      [choose, 2, 'wrong', 0, '3 (“2”) was given; 2 (“1”) is right.', '3 (“2”) was given.'],
      [choose, 1, 'right', 1, '2 (“1”).'],
      [cells, [3, -2], 'right', 1, 'All 2 cells (±0.0001).'],
      [cells, [3, 5], 'partial', 0.5, '1 of 2 cells are right; [1,2] is −2.', '1 of 2 cells are right; within ±0.0001 is asked.', [1]],
      [{ ...cells, digits: 0 }, [3, -2], 'right', 1, 'All 2 cells.'],
      [{ ...cells, digits: 0 }, [9, -2], 'partial', 0.5, '1 of 2 cells are right; [0,1] is 3.', '1 of 2 cells are right.', [0]],
      [{ ...cells, digits: 0 }, [9, 9], 'wrong', 0, '0 of 2 cells are right; [0,1] is 3, [1,2] is −2.', '0 of 2 cells are right.', [0, 1]],
      [cells, [3, null], 'partial', 0.5, '1 of 2 cells are right; [1,2] is −2.', '1 of 2 cells are right; within ±0.0001 is asked.', [1]],
      [cells, [null, null], 'unanswered', 0, 'No answer was given.'],
      [cells, [], 'unanswered', 0, 'No answer was given.'],
      [cells, 3, 'unreadable', 0, 'The response is no list of 2 numbers.'],
      [cells, [3, -2, 1], 'unreadable', 0, 'The response is no list of 2 numbers.'],
      [{ kind: 'pick-cell', step: 'scores', take: 'smallest' }, [2, 1], 'wrong', 0, '[2,1] was given; [1,2] is right.', '[2,1] was given.'],
      [{ kind: 'pick-cell', step: 'scores', take: 'smallest' }, 2, 'unreadable', 0, 'The response is no cell.'],
      [{ kind: 'pick-cell', step: 'scores', take: 'smallest' }, [1, 2], 'right', 1, '[1,2].'],
      [{ kind: 'shape', step: 'v' }, ['3', '2'], 'unreadable', 0, 'The response is not a shape.'],
      [{ kind: 'shape', step: 'v' }, [3, null], 'unreadable', 0, 'The response is not a shape.'],
      [{ kind: 'shape', step: 'v' }, [3, 2], 'right', 1, '3×2.'],
      [{ kind: 'order-steps', steps: ['scores', 'q'] }, ['q', 'v'], 'unreadable', 0, 'The response is no order of q, scores.'],
      [{ kind: 'order-steps', steps: ['scores', 'q'] }, ['q'], 'unreadable', 0, 'The response is no order of q, scores.'],
      [{ kind: 'order-steps', steps: ['scores', 'q'] }, ['q', 'scores'], 'right', 1, 'q → scores.'],
      [{ kind: 'order-steps', steps: ['weights', 'scores', 'q'] }, ['weights', 'q', 'scores'], 'partial', 0.5, 'weights → q → scores was given; q → scores → weights is right.', 'weights → q → scores was given: 1 of 2 neighbours are right.'],
    ]; // prettier-ignore
    for (const [question, response, verdict, points, reason, feedback = reason, wrong] of cases) {
      const { lesson, question: q } = asked(question);
      const marked = mark(q, lesson, response);
      assert.ok(marked.ok, JSON.stringify(marked));
      const { value } = marked;
      assert.deepEqual([value.verdict, value.points, value.reason, value.feedback, value.wrong], [verdict, points, reason, feedback, wrong], JSON.stringify([question, response])); // prettier-ignore
    }
  });
});

describe('numbers in a text', () => {
  it('have digits, signs and powers that a person reads', () => {
    const cases: readonly [number, number, string][] = [
      [Infinity, 4, '∞'], [-Infinity, 4, '−∞'], [NaN, 4, 'nan'], [3, 4, '3'], [-3, 4, '−3'], [0, 2, '0'], [999999999999999, 2, '999999999999999'], [1e15, 2, '1000000000000000.00'],
      [-0.5, 4, '−0.5000'], [1.23456, 2, '1.23'], [0.00004, 4, '4.00e−5'], [-0.00004, 4, '−4.00e−5'], [0.00006, 4, '0.0001'], [0.4, 0, '4.00e−1'], [0.6, 0, '1'],
    ]; // prettier-ignore
    for (const [x, digits, expected] of cases) assert.equal(showNumber(x, digits), expected);
  });

  it('are filled in from a block', () => {
    const cases: readonly [string, string][] = [
      ['{{scores[1,2]}}', '−2'], ['{{ scores[1,2] }}', '−2'], ['{{scores[1]}}', '2  0  −2'], ['{{scores}}', '3×3'], ['{{scaled[0,1]}}', '2.1213'], ['{{scaled[0,1] 2}}', '2.12'],
      ['{{scaled[0,1] 12}}', '2.121320343560'], ['{{a:scores}}', '3×3'], ['a {{v}} b {{q}}', 'a 3×2 b 3×2'],
    ]; // prettier-ignore
    for (const [text, expected] of cases) assert.deepEqual(fillIn(text, plain, 'a'), { text: expected, problems: [] });
    const wrong: readonly [string, string, number, number][] = [
      ['x {{scaled[0,1] 13}}', '13 digits: at most 12', 2, 20], ['{{w}}', 'no step w', 0, 5], ['{{b:q}}', 'no block b', 0, 7], ['{{scores[3]}}', 'scores is 3×3: no row 3', 0, 13],
      ['{{scores[0,3]}}', 'scores[0,3] is outside of 3×3', 0, 15],
    ]; // prettier-ignore
    for (const [text, message, start, end] of wrong) {
      const filled = fillIn(text, plain, 'a');
      assert.deepEqual([filled.text, filled.problems.map((p) => [p.message, p.range])], [text, [[message, { start, end }]]]); // prettier-ignore
    }
  });

  it('say how a cell came about', () => {
    const causal = traceOf(lessonOf('mask=causal'));
    const heads = traceOf(lessonOf('heads=2'));
    const cases: readonly [typeof causal, string, number[], string][] = [
      [causal, 'q', [1, 1], 'q[1,1] = 2, given in start.q'],
      [causal, 'scores', [1, 2], 'scores[1,2] = 0·0 + 2·−1 = −2'],
      [causal, 'mask', [0, 1], 'mask[0,1] = 1: hidden'],
      [causal, 'mask', [1, 0], 'mask[1,0] = 0: visible'],
      [causal, 'masked', [0, 1], 'masked[0,1] = −∞: mask[0,1] hides it'],
      [causal, 'masked', [1, 0], 'masked[1,0] = 1.4142 (scaled[1,0]): visible'],
      [traceOf(plain), 'masked', [1, 0], 'masked[1,0] = 1.4142, as scaled[1,0]'],
      [heads, 'qHeads', [1, 1, 0], 'qHeads[1,1,0] = 2, as q[1,1]'],
      [heads, 'output', [2, 1], `output[2,1] = ${showNumber(heads.value('output', [2, 1]), 4)}, as headOutputs[1,2,0]`],
    ];
    for (const [trace, step, index, expected] of cases)
      assert.deepEqual(arithmeticOf(trace, step, index, 4), [expected]);
  });

  it('say how a cell of each operation came about', () => {
    const of = (settings: object): AttentionTrace => {
      const trace = explainAttention({ ...matrixDefaults, ...settings, start: { from: 'qkv', q, k, v } });
      assert.ok(trace.ok, JSON.stringify(trace));
      return trace.value;
    };
    const [q, k, v] = [[[1, 0], [0, 2], [1, 1]], [[1, 1], [3, 0], [0, -1]], [[1, 2], [3, 4], [5, 6]]]; // prettier-ignore
    const heads = of({ positions: 'alibi', heads: 2 });
    const rope = of({ positions: 'rope-half' });
    const norm = of({ qkNorm: { over: 'head' } });
    const text = explainAttention({ ...textDefaults, start: { from: 'text', text: 'the cat the', tokenizer: 'words' }, dModel: 4 }); // prettier-ignore
    assert.ok(text.ok, JSON.stringify(text));
    const cases: readonly [AttentionTrace, string, number[], string][] = [
      // 3/√2; e^−√2 = 0.2431, e^−2√2 = 0.0591; ALiBi's slopes of two heads are 2⁻⁴ and 2⁻⁸.
      [of({}), 'scaled', [0, 1], '3 (scores[0,1]) ÷ 1.4142 = 2.1213'],
      [of({}), 'weights', [1, 0], 'e^0 ÷ (e^0 + e^−1.4142 + e^−2.8284) = 0.7679; 1.4142, the row’s largest, is subtracted first'],
      [heads, 'alibi', [0, 2, 0], '−0.0625·2 = −0.1250'],
      [heads, 'alibi', [1, 0, 2], '−0.0039·2 = −0.0078'],
      [of({ positions: 'alibi' }), 'alibi', [2, 0], '−0.0039·2 = −0.0078'],
      [heads, 'biased', [1, 0, 1], '0 (scaled[1,0,1]) + −0.0039 (alibi[1,0,1]) = −0.0039'],
      // cos 1 = 0.5403, sin 1 = 0.8415.
      [rope, 'qRotations', [3, 0], 'sin(1 ÷ 1) = 0.8415'],
      [rope, 'qRotations', [2, 0], 'cos(1 ÷ 1) = 0.5403'],
      [rope, 'qRotated', [1, 0], '0·0.5403 − 2·0.84147 = −1.6829'],
      [rope, 'qRotated', [1, 1], '2·0.5403 + 0·0.8415 = 1.0806'],
      [norm, 'qNormed', [1, 1], '2 ÷ 1.4142 = 1.4142; √(2 + 1e−6) = 1.4142; (0² + 2²) ÷ 2 = 2'],
      // np.random.seed(0); np.random.randn(9): the second is 0.40015721, the ninth, the first of Wq, −0.10321885.
      [text.value, 'tokens', [1, 0], '1, the id of “cat”'],
      [text.value, 'table', [0, 1], '0.4002 = 0.4002 ÷ 1, drawn from numpy.RandomState, seed 0'],
      [text.value, 'wq', [0, 0], '−0.0516 = −0.1032 ÷ 2, drawn from numpy.RandomState, seed 0'],
      [text.value, 'embedding', [2, 1], 'row 0 of the table: 0.4002'],
      [text.value, 'positions', [2, 3], 'cos(2 ÷ 100) = 0.9998'],
      [text.value, 'x', [0, 1], '0.4002 (embedding[0,1]) + 1 (positions[0,1]) = 1.4002'],
    ]; // prettier-ignore
    for (const [trace, step, index, expected] of cases)
      assert.deepEqual(arithmeticOf(trace, step, index, 4), [`${step}[${index.join(',')}] = ${expected}`]);
  });

  it('say sixteen terms, and the others as one', () => {
    const rest = Array.from({ length: 16 }, () => [0, 0]);
    const trace = explainAttention({ ...matrixDefaults, start: { from: 'qkv', q: [[1, 0]], k: [[1, 1], [3, 0], [0, -1], ...rest], v: rest.map((_, i) => [i]).concat([[16], [17], [18]]) } }); // prettier-ignore
    assert.ok(trace.ok, JSON.stringify(trace));
    const [weights = '', output = ''] = ['weights', 'output'].flatMap((step) => arithmeticOf(trace.value, step, [0, 0], 4));
    // Of scores 1, 3, 0 and sixteen zeros, over √2: e^−2.1213 = 0.1199, three of which are 0.3596; the weights of 0 are 0.036536, and 16 + 17 + 18 = 51.
    assert.equal(weights.match(/e\^/g)?.length, 17);
    assert.match(weights, /e\^−2\.1213 \+ 0\.3596 \(3 others\)\) = 0\.0741;/);
    assert.equal(output.match(/·/g)?.length, 16);
    assert.match(output, /·15 \+ 1\.8633 \(3 others\) = 6\.5159$/);
  }); // prettier-ignore
});

describe('arithmetic of a program’s own steps', () => {
  const from = { name: 'a', role: 'x', operands: ['a', 'a'] } as const;
  const spec: AttentionSpec = {
    ...matrixDefaults, scale: 'none', projections: { from: 'none' },
    start: {
      from: 'program', tokens: { queries: 1, keys: 2 }, dtype: 'float64',
      steps: [
        { op: 'given', id: 'a', name: 'a', role: 'x', values: [[1, 2]] },
        { ...from, op: 'exponential', id: 'e', operands: ['a'] },
        { ...from, op: 'combine', id: 'm', sign: '×' },
        { ...from, op: 'reduce', id: 's', operands: ['a'], of: 'sum', over: 'row' },
        { ...from, op: 'reduce', id: 'x', operands: ['a'], of: 'max', over: 'row' },
      ],
    },
  }; // prettier-ignore

  it('is written with what each is made of', () => {
    const trace = explainAttention(spec);
    assert.ok(trace.ok, JSON.stringify(trace));
    // e = 2.718281828…, e² = 7.389056098…
    const lines = (['e', 'm', 's', 'x'] as const).map((step) => arithmeticOf(trace.value, step, step === 'e' ? [0, 1] : [0, step === 'm' ? 1 : 0], 4)); // prettier-ignore
    assert.deepEqual(lines.flat(), ['e[0,1] = exp(2 (a[0,1])) = 7.3891', 'm[0,1] = 2 (a[0,1]) × 2 (a[0,1]) = 4', 's[0,0] = 1 + 2 = 3', 'x[0,0] = max(1, 2) = 2']); // prettier-ignore
  });
});

describe('what a teacher should look at', () => {
  const answers = [{ question: 'q1', response: [3, 2], attempts: 1, minutes: 1 }];
  const remarks = (written: string, marks: string): readonly string[] => {
    const results = resultsOf(plain, { student: 'Ada', seed: null, program: written, complete: true, answers });
    return flagsOf(results, { lesson: plain, seed: null, name: 'Ada.results.json', program: marks }).map(({ code }) => code); // prettier-ignore
  };

  it('is a later version, by its numbers', () => {
    for (const [written, marks] of [
      ['1.10.0', '1.9.2'],
      ['2.0.0', '1.9.9'],
      ['1.0.1', '1.0.0'],
    ] as const)
      assert.deepEqual(remarks(written, marks), ['late-version'], `${written} ${marks}`);
    for (const [written, marks] of [
      ['1.9.2', '1.10.0'],
      ['1.0.0', '1.0.0'],
      ['dev', '1.0.0'],
      ['1.0.0', 'dev'],
      ['1.0', '0.9.0'],
    ] as const)
      // prettier-ignore
      assert.deepEqual(remarks(written, marks), [], `${written} ${marks}`);
  });

  const owned = (student: string, seed: number | null, name: string, students: object[], more: object[] = []): string[] => {
    const results = resultsOf(plain, { student, seed, program: '1.0.0', complete: true, answers: [...answers, ...(more as typeof answers)] });
    const own = students.length ? { key: keyOf('', students as never) } : {};
    return flagsOf(results, { lesson: plain, seed: 5, name, ...own }).map(({ code, message }) => `${code}: ${message}`);
  }; // prettier-ignore

  it('is an answer to no question, or a second one', () => {
    const second = { question: 'q1', response: 1, attempts: 1, minutes: 1 };
    assert.deepEqual(owned('Ada', null, 'Ada.json', [], []), []);
    assert.deepEqual(owned('Ada', null, 'Ada.json', [], [second]), ['answered-twice: answered twice: q1; the last counts']); // prettier-ignore
    assert.deepEqual(owned('Ada', null, 'Ada.json', [], [{ ...second, question: 'y' }, { ...second, question: 'z' }]), ['unknown-question: answers to questions that are not there: y, z']); // prettier-ignore
  });

  it('is whose file it is: by the key, the seed, and the innermost folder or the name', () => {
    const [ada, grace] = [{ student: 'Ada', seed: 5 }, { student: 'Grace', seed: 6 }];
    const elsewhere = 'other-place: lies where the file of Grace is expected, and is that of Ada';
    assert.deepEqual(owned('Ada', 5, 'Ada.results.json', [ada, grace]), []);
    assert.deepEqual(owned('Ada', 5, 'Grace/Ada/work.json', [ada, grace]), []);
    assert.deepEqual(owned('Ada', 5, 'Ada/Grace/work.json', [ada, grace]), [elsewhere]);
    assert.deepEqual(owned('Ada', 5, 'Grace.results.json', [ada, grace]), [elsewhere]);
    assert.deepEqual(owned('Ada', 5, 'Ada/Grace.results.json', [ada, grace]), []);
    assert.deepEqual(owned('ada', 7, 'x.json', [ada, grace]), ['other-seed: made for seed 7; marked by the key’s seed 5']);
    assert.deepEqual(owned('Eve', 7, 'x.json', [ada, grace]), ['unknown-student: Eve is not in the key; marked by the file’s own seed']);
    const both = keyOf('', [{ student: 'ADA', seed: 1 }, ada, grace]);
    assert.deepEqual(['Ada', 'ada', 'grace ', 'Eve'].map((name) => ownerOf(both, name)?.seed), [5, 1, 6, undefined]);
    assert.equal(ownerOf(undefined, 'Ada'), undefined);
  }); // prettier-ignore

  it('is a damaged file, with its owner and the first three faults', () => {
    const students = keyOf('', [{ student: 'Ada', seed: 5 }, { student: 'Grace', seed: 6 }]);
    const faults = [0, 3, 4, 5].map((start): Problem => ({ code: 'json', message: `m${start}`, range: { start, end: start } }));
    const damage = (name: string, text: string, own: typeof students | undefined = students): [string, number | null, string[]] => {
      const { student, seed, flags } = damageOf({ name, text }, own, faults);
      return [student, seed, flags.map(({ code, message }) => `${code}: ${message}`)];
    };
    const damaged = ['damaged: line 1, column 1: m0', 'damaged: line 2, column 1: m3', 'damaged: line 2, column 2: m4'];
    assert.deepEqual(damage('Grace/Ada.results.json', 'ab\ncd'), ['Ada', 5, damaged]);
    assert.deepEqual(damage('Grace/x.json', 'ab\ncd'), ['Grace', 6, damaged]);
    assert.deepEqual(damage('room/x.results.json', 'ab\ncd'), ['x', null, damaged]);
    assert.deepEqual(damage('room/Ada.results (2).json', 'ab\ncd', keyOf('', [])), ['Ada', null, damaged]);
    assert.deepEqual(damage('results.json', ''), ['results.json', null, damaged.map((text) => text.replace(/line 2, column [12]/, 'line 1, column 1'))]);
    const format = (version: number): string => JSON.stringify({ format: 'explain-attention results', version });
    assert.deepEqual(damage('Ada.json', format(2))[2], ['late-version: written by a later version of the program (format 2): nothing is marked']);
    assert.equal(damage('Ada.json', format(1))[2].length, 3);
    for (const marker of ['<<<<<<< HEAD', '=======', '>>>>>>> b'])
      assert.deepEqual(damage('Ada.json', `{\n${marker}\n}`)[2], ['conflict: line 2: two versions of the file were merged; nothing is marked']);
    assert.equal(damage('Ada.json', '{\n<<<<<<<<\n}')[2].length, 3);
    const refused: Problem = { code: 'large', message: 'too large' };
    assert.deepEqual(damageOf({ name: 'Ada.json', text: '', refused }, students, []).flags, [refused]);
  }); // prettier-ignore

  it('is a second file of a student, and one that equals another', () => {
    const flags = (...files: [student: string, text: string | undefined][]): string[][] => {
      const rows = files.map(([student], i) => ({ student, file: `f${i}` }));
      const handed = files.map(([, text], i) => ({ name: `f${i}`, text: text ?? '', ...(text === undefined ? { refused: { code: 'x', message: 'x' } } : {}) }));
      return duplicateFlags(rows as never, handed).map((own) => own.map(({ code, message }) => `${code}: ${message}`));
    };
    assert.deepEqual(flags(['Ada', 'a'], ['Grace', 'a']), [[], []]);
    assert.deepEqual(flags(['Ada', '{ a }'], ['Ada', '{a}\n'], ['Ada', 'b']), [
      ['copy: the same file as f1', 'twice: also handed in: f2'], ['copy: the same file as f0', 'twice: also handed in: f2'], ['twice: also handed in: f0, f1'],
    ]);
    assert.deepEqual(flags(['Ada', undefined], ['Ada', undefined]), [['twice: also handed in: f1'], ['twice: also handed in: f0']]);
    const many = (count: number): string | undefined => flags(...Array.from({ length: count }, (_, i): [string, string] => ['Ada', `t${i}`]))[0]?.[0];
    assert.equal(many(9), 'twice: also handed in: f1, f2, f3, f4, f5, f6, f7, f8');
    assert.equal(many(10), 'twice: also handed in: f1, f2, f3, f4, f5, f6, f7, f8 … (9)');
  }); // prettier-ignore

  it('is a block without a hash, with other inputs, or computed differently', () => {
    const two = lessonFrom(`${plain.source}\n${plain.source.replace('id=a', 'id=b').replace('# ', '## ')}`);
    const own = resultsOf(two, { student: 'Ada', seed: null, program: '1.0.0', complete: true, answers });
    const other = 'f'.repeat(64);
    const said = (change: (block: (typeof own.blocks)[number], i: number) => object | undefined): string[] =>
      hashesOf({ ...own, blocks: own.blocks.flatMap((block, i) => (change(block, i) ?? []) as typeof block) }, two).flags.map(({ code, message }) => `${code}: ${message}`); // prettier-ignore
    assert.deepEqual(
      said((block) => block),
      [],
    );
    assert.deepEqual(said((block, i) => (i ? { ...block, trace: other } : block)), ['other-trace: block b computed differently, by version 1.0.0']); // prettier-ignore
    assert.deepEqual(said((block) => ({ ...block, trace: other })), ['other-trace: blocks a, b computed differently, by version 1.0.0']); // prettier-ignore
    assert.deepEqual(said((block, i) => (i ? block : { ...block, spec: other, trace: other })), ['other-numbers: block a had other inputs']); // prettier-ignore
    assert.deepEqual(
      said((_, i) => (i ? undefined : _)),
      ['no-hash: block b without a hash'],
    );
    assert.deepEqual(
      said(() => undefined),
      ['no-hash: blocks a, b without a hash'],
    );
  });
});
