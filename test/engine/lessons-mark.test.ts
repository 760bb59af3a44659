import assert from 'node:assert/strict';
import type { StudentResponse } from '../../engine/index';
import { answered, asking, fenced, lessonFrom, marked, only, small } from './lessons-support';

// Q = [[1, 0], [0, 2], [1, 1]], K = [[1, 1], [3, 0], [0, -1]], V = [[1, 2], [3, 4], [5, 6]]. Weights of row 1 from NumPy:
// np.exp([2, 0, -2] / np.sqrt(2)) over its sum; variance: S.var(). All figures with many digits are NumPy's.
const ask = (question: object, response: StudentResponse): [verdict: string, points: number, reason: string] => {
  const lesson = lessonFrom(asking({ prompt: '?', ...question }));
  const { verdict, points, reason } = marked(only(lesson), lesson, response);
  return [verdict, points, reason];
};

describe('answers are computed', () => {
  const value = (of: object): number => {
    const lesson = lessonFrom(asking({ kind: 'number', prompt: '?', of }));
    const answer = answered(only(lesson), lesson);
    assert.ok(answer.kind === 'number');
    return answer.value;
  };
  const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) <= 1e-14 * Math.abs(b), `${a} for ${b}`);

  it('of parts of a step', () => {
    // scores: [[1, 3, 0], [2, 0, -2], [2, 3, -1]]
    assert.equal(value({ step: 'scores', take: 'sum' }), 8);
    assert.equal(value({ step: 'scores', take: 'sum', row: 1 }), 0);
    assert.equal(value({ step: 'scores', take: 'mean', column: 0 }), 5 / 3);
    assert.equal(value({ step: 'scores', take: 'max' }), 3);
    assert.equal(value({ step: 'scores', take: 'min' }), -2);
    near(value({ step: 'scores', take: 'variance' }), 2.7654320987654324);
    assert.deepEqual(
      (['rows', 'columns', 'cells', 'multiplyAdds'] as const).map((take) => value({ step: 'output', take })),
      [3, 2, 6, 18],
    );
  });

  it('of softmax: its parts, its gradient, and what it is without an axis', () => {
    near(value({ step: 'weights', cell: [1, 0], take: 'exponential' }), 1);
    near(value({ step: 'weights', cell: [1, 1], take: 'exponential' }), 0.24311673443421425);
    near(value({ step: 'weights', cell: [1, 0], take: 'denominator' }), 1.3022224809961704);
    near(value({ step: 'weights', cell: [1, 0], take: 'gradient', to: 0 }), 0.17821997949517812);
    near(value({ step: 'weights', cell: [1, 0], take: 'gradient', to: 1 }), -0.14336544152170252);
    near(value({ step: 'weights', cell: [1, 0], take: 'overAll' }), 0.13860953061624853);
  });
});

describe('marks', () => {
  const number = { kind: 'number', of: { step: 'scaled', cell: [0, 1] } };

  it('numbers within one unit of the last digit asked for', () => {
    // 3/√2 = 2.1213203…
    assert.deepEqual(ask(number, 2.1213), ['right', 1, '2.1213 (±0.0001).']);
    assert.equal(ask(number, 2.12142)[0], 'right');
    assert.equal(ask(number, 2.12143)[0], 'wrong');
    assert.equal(ask({ ...number, digits: 1 }, 2.2)[0], 'right');
    assert.equal(ask({ ...number, digits: 1 }, 2.23)[0], 'wrong');
    assert.equal(ask({ ...number, tolerance: 0.5 }, 2.6)[0], 'right');
    // scores: [[1, 3, 0], [2, 0, -2], [2, 3, -1]]; a sum has no single cell whose arithmetic could be shown.
    const sum = lessonFrom(asking({ kind: 'number', prompt: '?', of: { step: 'scores', take: 'sum' } }));
    assert.deepEqual(marked(only(sum), sum, 8).arithmetic, []);
    assert.equal(marked(only(sum), sum, 8).verdict, 'right');
  });

  it('a wrong number with where it comes from', () => {
    assert.deepEqual(ask(number, 3), [
      'wrong',
      0,
      '3 was given; 2.1213 (±0.0001) is right. 3 comes out with this mistake: The scores are not divided by √d_k. With it the row is 1  3  0.',
    ]);
    assert.match(
      ask(number, 1.4142)[2],
      /1\.4142 comes out with any of these mistakes: Q and K are swapped; Row and column are exchanged\.$/,
    );
    assert.match(ask(number, 77)[2], /is right\.$/);
  });

  it('with the arithmetic', () => {
    const lesson = lessonFrom(asking({ kind: 'number', prompt: '?', of: { step: 'scores', cell: [2, 0] } }));
    assert.deepEqual(marked(only(lesson), lesson, 0).arithmetic, ['scores[2,0] = 1·1 + 1·1 = 2']);
  });

  it('with the arithmetic of what was asked: of eight cells at most, with the digits asked for', () => {
    const arithmetic = (question: object, settings = ''): readonly string[] => {
      const lesson = lessonFrom(asking({ prompt: '?', ...question }).replace('id=a', `id=a ${settings}`));
      return marked(only(lesson), lesson, null).arithmetic;
    };
    const nine = [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => [i, j]));
    const all = arithmetic({ kind: 'matrix', step: 'scores', cells: nine });
    assert.deepEqual([all.length, all[7]], [8, 'scores[2,1] = 1·3 + 1·0 = 3']);
    assert.deepEqual(arithmetic({ kind: 'matrix', step: 'scaled', cells: [[0, 1]], digits: 2 }), ['scaled[0,1] = 3 (scores[0,1]) ÷ 1.414 = 2.12']);
    assert.deepEqual(arithmetic({ kind: 'number', of: { step: 'scaled', cell: [0, 1] }, digits: 2 }), ['scaled[0,1] = 3 (scores[0,1]) ÷ 1.414 = 2.12']);
    assert.deepEqual(arithmetic({ kind: 'pick-cell', step: 'scores', take: 'smallest' }), ['scores[1,2] = 0·0 + 2·−1 = −2']);
    assert.deepEqual(arithmetic({ kind: 'shape', step: 'scores' }), ['(3×2)·(2×3) → (3×3)']);
    assert.deepEqual(arithmetic({ kind: 'order-steps', steps: ['scores', 'q'] }), []);
    const options = [[3, 3], [9, 9]].map((shape) => ({ text: String(shape), claim: { is: 'shape', step: 'scores', shape } }));
    assert.deepEqual(arithmetic({ kind: 'choose', options }), ['1, 2: scores 3×3']);
  }); // prettier-ignore

  it('with the arithmetic of the block that the number is of', () => {
    const of = { step: 'scores', cell: [0, 0], about: 'a' };
    const question = { kind: 'number', prompt: '?', of };
    const other = fenced('attention id=b', small.replace('[[1, 0]', '[[5, 0]'));
    const lesson = lessonFrom(asking(question).replace('```attention-question', `${other}\n\`\`\`attention-question`));
    assert.equal(only(lesson).about, 'b');
    const { verdict, arithmetic } = marked(only(lesson), lesson, 1);
    assert.deepEqual([verdict, arithmetic], ['right', ['scores[0,0] = 1·1 + 0·1 = 1']]);
  });

  it('a wrong number with what is done wrong, of any head', () => {
    // V has two columns: nothing of it stands at [0,2].
    assert.match(ask({ kind: 'number', of: { step: 'scores', cell: [0, 2] } }, 77)[2], /is right\.$/);
    const heads = lessonFrom(asking({ kind: 'number', prompt: '?', of: { step: 'weights', cell: [1, 1, 0] } }).replace('id=a', 'id=a heads=2')); // prettier-ignore
    // The second head's scores of row 1: 2·1, 2·0, 2·−1, scaled by √1.
    assert.deepEqual(
      marked(only(heads), heads, 2).misconceptions?.map(({ id }) => id),
      ['noSoftmax'],
    );
    assert.equal(marked(only(heads), heads, -2).misconceptions, undefined);
    assert.equal(marked(only(heads), heads, 0.55).misconceptions, undefined);
  });

  it('infinities, NaN and no answer', () => {
    const hidden = { kind: 'number', of: { step: 'masked', cell: [0, 2] } };
    const lesson = lessonFrom(asking({ prompt: '?', ...hidden }).replace('id=a', 'id=a mask=causal'));
    assert.equal(marked(only(lesson), lesson, '-inf').verdict, 'right');
    assert.equal(marked(only(lesson), lesson, 'inf').verdict, 'wrong');
    assert.deepEqual(ask(number, null), ['unanswered', 0, 'No answer was given.']);
    assert.deepEqual(ask(number, 'nan')[0], 'wrong');
  });

  it('responses that are none are unreadable, never right', () => {
    assert.equal(ask(number, ['scores'])[0], 'unreadable');
    assert.equal(ask({ kind: 'shape', step: 'v' }, 3)[0], 'unreadable');
    assert.equal(ask({ kind: 'order-steps', steps: ['q', 'scores'] }, ['q', 'q'])[0], 'unreadable');
    assert.equal(ask({ kind: 'matrix', step: 'v', cells: [[0, 0]] }, [1, 2])[0], 'unreadable');
  });

  it('shapes and cells whole', () => {
    assert.equal(ask({ kind: 'shape', step: 'v' }, [3, 2])[0], 'right');
    assert.deepEqual(ask({ kind: 'shape', step: 'v' }, [2, 3]), ['wrong', 0, '2×3 was given; 3×2 is right.']);
    assert.equal(ask({ kind: 'pick-cell', step: 'scores', take: 'smallest' }, [1, 2])[0], 'right');
    assert.equal(ask({ kind: 'pick-cell', step: 'scores', take: 'smallest' }, [2, 1])[0], 'wrong');
  });

  it('shapes and cells of several heads: dimensions before the matrix may be left out where there is one of each', () => {
    const askIn = (settings: string, question: object, response: StudentResponse): string => {
      const lesson = lessonFrom(asking({ prompt: '?', ...question }).replace('id=a', `id=a ${settings}`));
      return marked(only(lesson), lesson, response).verdict;
    };
    // Q is 3×2: two heads of one number each make it 2×3×1, and the scores 2×3×3.
    const shape = { kind: 'shape', step: 'scores' };
    assert.equal(askIn('heads=2', shape, [2, 3, 3]), 'right');
    assert.equal(askIn('heads=2', shape, [1, 2, 3, 3]), 'right', 'a batch of one, as PyTorch shows it');
    for (const one of [[3, 2], [1, 3, 2], [1, 1, 3, 2]]) assert.equal(ask({ kind: 'shape', step: 'v' }, one)[0], 'right', String(one)); // prettier-ignore
    for (const other of [[2, 3, 2], [1, 2, 3], [3, 2, 1], [1]]) assert.equal(ask({ kind: 'shape', step: 'v' }, other)[0], 'wrong', String(other)); // prettier-ignore
    for (const short of [[3, 3], [1, 3, 3], [3, 3, 3], [3], [2, 2, 3, 3], [0, 2, 3, 3], [1, 2, 3, 4], [1, 1, 3, 3]]) assert.equal(askIn('heads=2', shape, short), 'wrong', String(short)); // prettier-ignore
    assert.equal(ask(shape, [3])[0], 'wrong');
    // One column of [[1, 0], [0, 2], [1, 1]] by one of [[1, 1], [3, 0], [0, -1]]: the second head has 0·1, 0·0, 0·−1 | 2, 0, −2 | 1, 0, −1.
    const cell = { kind: 'pick-cell', step: 'scores', take: 'smallest' };
    assert.equal(askIn('heads=2', cell, [1, 1, 2]), 'right');
    for (const other of [
      [1, 2],
      [0, 1, 2],
    ])
      assert.equal(askIn('heads=2', cell, other), 'wrong', String(other));
  });

  it('a cell of the first head by row and column alone', () => {
    // The first of two heads has [2, 0, 1] by [1, 3, 0]: 6 at row 0, column 1. The second has at most 2.
    const question = { kind: 'pick-cell', step: 'scores', take: 'largest', prompt: '?' };
    const heads = lessonFrom(asking(question).replace('id=a', 'id=a heads=2').replace('Q = [[1, 0]', 'Q = [[2, 0]'));
    for (const cell of [[0, 0, 1], [0, 1]]) assert.equal(marked(only(heads), heads, cell).verdict, 'right', String(cell)); // prettier-ignore
    assert.equal(marked(only(heads), heads, [1, 0, 1]).verdict, 'wrong');
  });

  it('the wrong cell of a claimed matrix', () => {
    const claimed = [[1, 3, 0], [2, 0, -2], [2, 4, -1]]; // prettier-ignore
    assert.equal(ask({ kind: 'pick-cell', step: 'scores', claimed }, [2, 1])[0], 'right');
    assert.equal(ask({ kind: 'pick-cell', step: 'scores', claimed }, [0, 1])[0], 'wrong');
  });

  it('blanked cells each for itself', () => {
    const matrix = { kind: 'matrix', step: 'scores', cells: [[0, 0], [0, 1], [1, 2], [2, 2]] }; // prettier-ignore
    assert.deepEqual(ask(matrix, [1, 3, -2, -1]), ['right', 1, 'All 4 cells (±0.0001).']);
    assert.deepEqual(ask(matrix, [1, null, 2, -1]), ['partial', 0.5, '2 of 4 cells are right; [0,1] is 3, [1,2] is −2.']);
    assert.equal(ask(matrix, [0, 0, 0, 0])[0], 'wrong');
    assert.equal(ask(matrix, [1, 'three', -2, -1] as StudentResponse)[0], 'unreadable');
    // Scores are 1, 3, 0 | 2, 0, −2: of five wrong ones the first four are named.
    const five = { ...matrix, cells: [[0, 0], [0, 1], [0, 2], [1, 0], [1, 2]] };
    assert.deepEqual(ask(five, [9, 9, 9, 9, 9]), ['wrong', 0, '0 of 5 cells are right; [0,0] is 1, [0,1] is 3, [0,2] is 0, [1,0] is 2.']);
  }); // prettier-ignore

  it('orders by what follows what', () => {
    const order = { kind: 'order-steps', steps: ['weights', 'q', 'output', 'scores'] };
    assert.equal(ask(order, ['q', 'scores', 'weights', 'output'])[1], 1);
    assert.deepEqual(ask(order, ['scores', 'weights', 'output', 'q']).slice(0, 2), ['partial', 2 / 3]);
    assert.deepEqual(ask(order, ['output', 'weights', 'scores', 'q']).slice(0, 2), ['wrong', 0]);
  });

  it('statements and labels', () => {
    const choose = { kind: 'choose', among: { step: 'scores', row: 0, take: 'largest' } };
    assert.equal(ask(choose, 1)[0], 'right');
    assert.deepEqual(ask(choose, 0), ['wrong', 0, '1 (“0”) was given; 2 (“1”) is right.']);
    assert.equal(ask(choose, 3)[0], 'unreadable');
    assert.equal(ask(choose, 0.5)[0], 'unreadable');
  });

  it('statements and labels with the numbers that decide them', () => {
    const facts = (question: object): readonly string[] => {
      const lesson = lessonFrom(asking({ prompt: '?', ...question }));
      return marked(only(lesson), lesson, 0).arithmetic;
    };
    assert.deepEqual(facts({ kind: 'choose', among: { step: 'scores', row: 0, take: 'largest' } }), ['scores[0] = 1  3  0']);
    assert.deepEqual(facts({ kind: 'choose', among: { step: 'scores', column: 2, take: 'largest' } }), ['scores[·,2] = 0  −2  −1']);
    const sum = { step: 'scores', row: 0, take: 'sum' };
    const steps = [
      { text: 'a', claim: { is: 'more', value: { step: 'scores', cell: [2, 0] }, to: sum } },
      { text: 'b', claim: { is: 'shape', step: 'scores', shape: [3, 3] } },
      { text: 'c', claim: { is: 'shows', step: 'scores', row: 1, numbers: [2, 0, -2] } },
    ];
    assert.deepEqual(facts({ kind: 'find-wrong-step', steps }), [
      '1: scores[2,0] = 1·1 + 1·1 = 2; sum scores[0] = 4', '2: scores 3×3', '3: scores[1] = 2  0  −2',
    ]);
  }); // prettier-ignore
});
