// Questions that are asked in several ways (`or`). Right answers are worked out here from three queries and keys: Q·Kᵀ is [[1, 3, 0], [2, 0, −2], [2, 3, −1]].
import assert from 'node:assert/strict';
import { gradeClass, keyOf, planClass, reportHtml, resultsOf, variantOf, variantText, writeResults, type Lesson, type Question } from '../../engine/index'; // prettier-ignore
import { groupsOf } from '../../engine/lessons/papers';
import { answered, fenced, lessonFrom, marked, problemsIn, rightResponse, small } from './lessons-support';

const scores = [[1, 3, 0], [2, 0, -2], [2, 3, -1]]; // prettier-ignore
const about = (cell: readonly number[], to: number): object => ({ is: 'equal', value: { step: 'scores', cell }, to });
const number = {
  kind: 'number', id: 'n', digits: 0, prompt: 'Score of query 0 and key 1?', of: { step: 'scores', cell: [0, 1] },
  or: [
    { prompt: 'Score of query 2 and key 0?', of: { step: 'scores', cell: [2, 0] } },
    { prompt: 'Score of query 1 and key 2?', of: { step: 'scores', cell: [1, 2] }, hints: ['Look at {{k[2]}}.'] },
  ],
}; // prettier-ignore
const wrong = {
  kind: 'find-wrong-step', id: 'w', prompt: 'Which is wrong?', explanation: 'It is 3.',
  steps: [
    { text: 'The first is 1.', claim: about([0, 0], 1), or: [{ text: 'The corner is −1.', claim: about([2, 2], -1) }] },
    { text: 'The second is 2.', claim: about([0, 1], 2), or: [
      { text: 'The third is 5.', claim: about([0, 2], 5), explanation: 'It is 0.' },
      { text: 'The last row starts with 7.', claim: about([2, 0], 7), feedback: 'Look again.', explanation: 'It is 2.' },
    ] },
  ],
}; // prettier-ignore
const plain = { kind: 'choose', id: 'c', prompt: 'Which?', options: [{ text: 'a', claim: about([0, 0], 1) }, { text: 'b', claim: about([0, 0], 2) }, { text: 'c', claim: about([0, 0], 3) }] }; // prettier-ignore

const drawn = fenced('attention id=drawn', 'X = [[1, 2], [3, 4]]');
const written = (...questions: readonly object[]): string =>
  `# T\n\n${drawn}\n${fenced('attention id=a vary=no', small)}\n${questions.map((q) => fenced('attention-question', JSON.stringify(q))).join('\n')}`;
const source = written(number, wrong, plain);
const lesson = lessonFrom(source);
const seeds = Array.from({ length: 40 }, (_, i) => i * 7919);
const variant = (whole: Lesson, seed: number): Lesson => {
  const found = variantOf(whole, seed);
  assert.ok(found.ok, JSON.stringify(found));
  return found.value;
};
const question = ({ questions }: Lesson, id: string): Question => questions.find((q) => q.id === id) ?? assert.fail(id);
const places: Readonly<Record<string, number>> = {
  'Score of query 0 and key 1?': 3,
  'Score of query 2 and key 0?': 2,
  'Score of query 1 and key 2?': -2,
};

describe('a question that is asked in several ways', () => {
  it('is as it is written where nothing is dealt', () => {
    const n = answered(question(lesson, 'n'), lesson);
    assert.ok(n.kind === 'number' && n.value === scores[0]?.[1]);
    const w = answered(question(lesson, 'w'), lesson);
    assert.ok('index' in w && w.options[w.index] === 'The second is 2.');
  });

  it('has its prompt, its cell and its hints in each variant, and every way is dealt to about a third', () => {
    const dealt = new Map<string, number>();
    for (const seed of seeds) {
      const own = variant(lesson, seed);
      const q = question(own, 'n');
      const answer = answered(q, own);
      assert.ok(answer.kind === 'number');
      assert.equal(answer.value, places[q.prompt]);
      assert.equal(q.hints?.length, q.prompt.includes('key 2') ? 1 : undefined);
      assert.equal(q.or, undefined);
      dealt.set(q.prompt, (dealt.get(q.prompt) ?? 0) + 1);
    }
    assert.deepEqual([...dealt.keys()].sort(), Object.keys(places).sort());
    for (const [prompt, times] of dealt) assert.ok(times >= 5, `${prompt} ${times}`);
  });

  it('has one of the statements at each place, with the explanation that belongs to it', () => {
    const explanations: Readonly<Record<string, string>> = { 'The second is 2.': 'It is 3.', 'The third is 5.': 'It is 0.', 'The last row starts with 7.': 'It is 2.' };
    const seen = new Set<string>();
    for (const seed of seeds) {
      const own = variant(lesson, seed);
      const q = question(own, 'w');
      const answer = answered(q, own);
      assert.ok('index' in answer);
      const text = answer.options[answer.index] ?? '';
      assert.equal(q.explanation, explanations[text], text);
      assert.equal(answer.options.length, 2);
      seen.add(text).add(answer.options[1 - answer.index] ?? '');
    }
    assert.deepEqual([...seen].sort(), [...Object.keys(explanations), 'The corner is −1.', 'The first is 1.'].sort());
  }); // prettier-ignore

  it('changes no number and no order of the rest of the lesson', () => {
    const without = lessonFrom(written({ ...number, or: undefined }, { ...wrong, steps: wrong.steps.map(({ or: _, ...s }) => s) }, plain));
    for (const seed of seeds) {
      const [a, b] = [variant(lesson, seed), variant(without, seed)];
      assert.deepEqual(a.blocks.map(({ spec }) => spec), b.blocks.map(({ spec }) => spec));
      assert.deepEqual(answered(question(a, 'c'), a), answered(question(b, 'c'), b));
    }
  }); // prettier-ignore

  it('is written into the student’s file without the other ways, and reads back as it was dealt', () => {
    for (const seed of seeds.slice(0, 12)) {
      const text = variantText(lesson, seed);
      assert.ok(text.ok, JSON.stringify(text));
      assert.ok(!text.value.text.includes('"or"'));
      const again = lessonFrom(text.value.text);
      const own = variant(lesson, seed);
      for (const [i, q] of own.questions.entries()) {
        assert.equal(again.questions[i]?.prompt, q.prompt);
        assert.deepEqual(answered(again.questions[i] ?? assert.fail(), again), answered(q, own));
      }
    }
  });

  it('is not the same for everybody, which the plan of a class says', () => {
    const students = Array.from({ length: 30 }, (_, i) => `S${i}`);
    const plan = planClass({ lesson: source, name: 't.md', students, seed: 5 });
    assert.ok(plan.ok);
    const shared = new Map(plan.value.spread.map((s) => [s.question, s.shared]));
    for (const id of ['n', 'w']) assert.ok((shared.get(id) ?? 1) < 0.5, `${id} ${shared.get(id)}`);
    assert.equal(shared.get('c'), 1);
  });

  const handIn = (whole: Lesson, student: string, seed: number, responses: Readonly<Record<string, unknown>>): { name: string; text: string } => {
    const own = variant(whole, seed);
    const answers = own.questions.map(({ id }) => ({ question: id, response: (responses[id] ?? rightResponse(answered(question(own, id), own))) as number, attempts: 1, minutes: 1 }));
    return { name: `${student}.results.json`, text: writeResults(resultsOf(own, { student, seed, program: '0.1.0', complete: true, answers })) };
  }; // prettier-ignore
  const key = keyOf(source, seeds.slice(0, 12).map((seed, i) => ({ student: `S${i}`, seed }))); // prettier-ignore

  it('is marked as it was dealt, and a wrong statement is counted under its own words', () => {
    const files = key.students.map(({ student, seed }) => {
      const own = variant(lesson, seed ?? 0);
      const answer = answered(question(own, 'w'), own);
      return handIn(lesson, student, seed ?? 0, { w: 'index' in answer ? 1 - answer.index : 0, n: 99 });
    });
    const report = gradeClass(source, files, { key });
    assert.ok(report.ok, JSON.stringify(report));
    const graded = report.value.students.flatMap(({ answers }) => answers);
    assert.ok(graded.filter(({ question: id }) => id === 'c').every(({ earned }) => earned === 1));
    assert.ok(graded.filter(({ question: id }) => id !== 'c').every(({ earned }) => earned === 0));
    // Each true statement has a place of its own, though both stand at one place of the question.
    const texts = new Map(graded.filter(({ question: id }) => id === 'w').map(({ said, statement }) => [said.slice(3), statement]));
    assert.deepEqual([...texts].sort(), [['The corner is −1.', 1], ['The first is 1.', 0]]);
    const { commonWrong } = report.value.questions.find(({ question: { id } }) => id === 'w') ?? assert.fail();
    assert.match(commonWrong?.response ?? '', /^The (?:corner is −1|first is 1)\.$/);
    assert.match(reportHtml(report.value), /asked in 3 ways/);
  }); // prettier-ignore

  it('is marked again by a correction in the way and the order that were handed out', () => {
    const files = key.students.map(({ student, seed }) => handIn(lesson, student, seed ?? 0, {}));
    const mended = written({ ...number, explanation: 'Mended.' }, wrong, plain);
    const report = gradeClass(source, files, { key, correction: mended });
    assert.ok(report.ok, JSON.stringify(report));
    assert.deepEqual(report.value.changes, []);
    assert.ok(report.value.students.every(({ points }) => points === 3));
    const fewer = gradeClass(source, files, { key, correction: written({ ...number, or: number.or.slice(1) }, wrong, plain) });
    assert.ok(!fewer.ok);
    assert.match(fewer.problems[0]?.message ?? '', /^question n has another number of statements/);
  }); // prettier-ignore
});

describe('questions of which some ways are on one row', () => {
  it('count as one where papers are compared, whichever were dealt', () => {
    const on = (id: string, ...cells: readonly (readonly number[])[]): object => {
      const [first, ...others] = cells.map((cell) => ({ of: { step: 'scores', cell } }));
      return { kind: 'number', id, prompt: '?', ...first, ...(others.length > 0 && { or: others }) };
    };
    const groups = (...asked: readonly object[]): number => new Set(groupsOf(lessonFrom(written(...asked)))).size;
    assert.equal(groups(on('a', [0, 0]), on('b', [1, 0]), on('c', [2, 0])), 3);
    assert.equal(groups(on('a', [0, 0]), on('b', [1, 0], [0, 2]), on('c', [2, 0])), 2);
    // The third is on the row of the first in one way, on that of the second in another: all three are one.
    assert.equal(groups(on('a', [0, 0]), on('b', [1, 0]), on('c', [0, 1], [1, 1])), 1);
  });
});

describe('problems of the ways', () => {
  const one = (q: object): string[] => problemsIn(written(q)).map((p) => p.replace(/^\S+ /, ''));
  const cases: readonly [what: string, question: object, problem: RegExp][] = [
    ['an empty list', { ...number, or: [] }, /^or: expected a list of at least 1/],
    ['a way without a field', { ...number, or: [{}] }, /^or\[0\]: expected an object with fields, found an object/],
    ['a field of another kind', { ...number, or: [{ cells: [[0, 1]] }] }, /^or\[0\]\.cells: unknown field/],
    ['what is fixed', { ...number, or: [{ id: 'm' }] }, /^or\[0\]\.id: unknown field/],
    ['a cell that is not there', { ...number, or: [{ of: { step: 'scores', cell: [3, 0] } }] }, /3/],
    ['a figure that is not there', { ...number, or: [{ prompt: '{{nothing[0]}}' }] }, /nothing/],
    [
      'a statement that is true where the other is false',
      { ...wrong, steps: [wrong.steps[0], { ...wrong.steps[1], or: [{ text: 'x', claim: about([0, 2], 0) }] }] },
      /^it is not true where the statement that it stands for is/,
    ],
    [
      'a statement that is false where the other is true',
      { ...wrong, steps: [{ ...wrong.steps[0], or: [{ text: 'x', claim: about([0, 2], 9) }] }, wrong.steps[1]] },
      /^it is not true where/,
    ],
    [
      'an alternative with alternatives',
      { ...wrong, steps: [{ ...wrong.steps[0], or: [{ text: 'x', claim: about([0, 0], 1), or: [] }] }, wrong.steps[1]] },
      /^steps\[0\]\.or\[0\]\.or: unknown field/,
    ],
  ]; // prettier-ignore
  for (const [what, q, problem] of cases)
    it(what, () => {
      const found = one(q);
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0] ?? '', problem);
    });

  it('stand where they are in the text', () => {
    const text = written({ ...number, or: [number.or[0], { of: { step: 'nowhere', cell: [0, 0] } }] });
    const [problem] = problemsIn(text);
    const column = (text.split('\n').find((l) => l.includes('nowhere')) ?? '').indexOf('{"step":"nowhere"') + 1;
    assert.ok(problem?.split(' ')[0]?.endsWith(`:${column}`), problem);
  });
});

it('a variant’s right answer is marked right in every way', () => {
  for (const seed of seeds) {
    const own = variant(lesson, seed);
    for (const q of own.questions) assert.equal(marked(q, own, rightResponse(answered(q, own))).verdict, 'right');
  }
});
