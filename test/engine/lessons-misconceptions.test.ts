import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  gradeClass,
  mark,
  readLesson,
  resultsOf,
  variantOf,
  writeResults,
  type Lesson,
} from '../../engine/lessons/index';
import { confusionsOf } from '../../engine/lessons/misconceptions';

/* Wrong answers are explained by mistakes that give their numbers: against test/reference/misconceptions.py, which makes each mistake in NumPy. */

interface Case {
  readonly step: string;
  readonly mistake: string;
  readonly right: readonly (readonly (number | string)[])[];
  readonly wrong: readonly (readonly (number | string)[])[];
}
interface Reference {
  readonly q: number[][];
  readonly k: number[][];
  readonly v: number[][];
  readonly scores: number[][];
  readonly cases: readonly Case[];
  readonly given: readonly Case[];
  readonly taken: readonly { readonly take: string; readonly id: string; readonly wrong: number }[];
}
const reference = JSON.parse(
  readFileSync(join(__dirname, '../fixtures/lessons/misconceptions.json'), 'utf8'),
) as Reference;

const blocks = `# Test

\`\`\`attention id=whole mask=causal
Q = ${JSON.stringify(reference.q)}
K = ${JSON.stringify(reference.k)}
V = ${JSON.stringify(reference.v)}
\`\`\`

\`\`\`attention id=scores
{"start": {"from": "scores", "scores": ${JSON.stringify(reference.scores)}, "dK": 4}}
\`\`\`
`;

function lessonWith(...questions: readonly object[]): Lesson {
  const text = questions.map((q) => `\n\`\`\`attention-question\n${JSON.stringify({ prompt: '?', ...q })}\n\`\`\`\n`);
  const { lesson, problems } = readLesson(blocks + text.join(''));
  assert.deepEqual(problems, []);
  return lesson;
}

function marked(lesson: Lesson, response: number | readonly (number | null)[]) {
  const [question] = lesson.questions;
  assert.ok(question);
  const result = mark(question, lesson, response);
  assert.ok(result.ok);
  return result.value;
}

const rounded = (x: number): number => Number(x.toFixed(4));

/** Each cell whose number the mistake changes clearly, as the answer of a question of its own. */
function checkCells(about: string, { step, mistake, right, wrong }: Case): { alone: number; among: number } {
  let [alone, among] = [0, 0];
  for (const [i, row] of wrong.entries())
    for (const [j, x] of row.entries()) {
      const truth = right[i]?.[j];
      if (typeof x !== 'number' || typeof truth !== 'number' || Math.abs(x - truth) < 0.01) continue;
      const lesson = lessonWith({ kind: 'number', about, of: { step, cell: [i, j] } });
      const { verdict, misconceptions = [], feedback } = marked(lesson, rounded(x));
      assert.equal(verdict, 'wrong');
      const ids = misconceptions.map(({ id }) => id);
      if (ids.length === 0) continue;
      assert.ok(ids.includes(mistake), `${step}[${i},${j}] = ${x} by ${mistake} is explained by ${ids.join()}`);
      assert.ok(!feedback.includes(rounded(truth).toFixed(4)), feedback);
      if (ids.length === 1) alone++;
      else among++;
    }
  return { alone, among };
}

describe('a wrong answer', () => {
  for (const [about, cases] of [
    ['whole', reference.cases],
    ['scores', reference.given],
  ] as const)
    for (const one of cases)
      it(`of ${one.step} by ${one.mistake} is explained by it (${about})`, () => {
        const { alone, among } = checkCells(about, one);
        assert.ok(alone + among > 0, 'no cell is explained');
      });

  it('of a row is explained by its mistake alone', () => {
    for (const { step, mistake, wrong } of reference.cases.filter((one) => one.step === 'output')) {
      const cells = [[1, 0], [1, 1], [2, 0]] as const; // prettier-ignore
      const values = cells.map(([i, j]) => wrong[i]?.[j]);
      if (!values.every((x) => typeof x === 'number')) continue;
      const lesson = lessonWith({ kind: 'matrix', about: 'whole', step, cells });
      const { misconceptions } = marked(lesson, (values as number[]).map(rounded));
      assert.ok(
        misconceptions?.some(({ id }) => id === mistake),
        mistake,
      );
    }
  });

  for (const { take, id, wrong } of reference.taken)
    it(`of ${take} by ${id} is explained by it`, () => {
      const of =
        take === 'variance'
          ? { step: 'v', column: 1, take }
          : { step: 'weights', cell: [1, 0], take, ...(take === 'gradient' ? { to: 1 } : {}) };
      const lesson = lessonWith({ kind: 'number', about: take === 'variance' ? 'whole' : 'scores', of });
      assert.deepEqual(
        marked(lesson, rounded(wrong)).misconceptions?.map((one) => one.id),
        [id],
      );
    });

  it('is not explained where one of few whole numbers may meet a mistake by chance', () => {
    const lesson = lessonWith({ kind: 'number', digits: 0, about: 'whole', of: { step: 'scores', cell: [0, 1] } });
    // q[0]·k[1] = 5; 2 stands elsewhere.
    for (const x of [-1, 0, 1, 2, 3]) assert.equal(marked(lesson, x).misconceptions, undefined, String(x));
  });

  it('by no known mistake is not explained', () => {
    const lesson = lessonWith({ kind: 'number', about: 'whole', of: { step: 'weights', cell: [1, 0] } });
    let explained = 0;
    for (let i = 1; i < 100; i++) if (marked(lesson, rounded(((i * 0.754877666) % 1) * 0.98 + 0.01)).misconceptions) explained++;
    assert.ok(explained < 10, `${explained} of 99`);
  }); // prettier-ignore

  it('that is rounded too far says so', () => {
    const lesson = lessonWith({ kind: 'number', about: 'scores', of: { step: 'weights', cell: [1, 0] } });
    const truth = Number(reference.given[0]?.right[1]?.[0]);
    const { misconceptions, feedback } = marked(lesson, Number(truth.toFixed(2)));
    assert.deepEqual(
      misconceptions?.map(({ id }) => id),
      ['rounded'],
    );
    assert.match(feedback, /rounded to 2 after the point; 4 are asked/);
  });
});

describe('a statement that is wrongly chosen', () => {
  const options = (feedback: object) => [
    { text: 'two', claim: { is: 'equal', value: { step: 'v', take: 'columns' }, to: 2 } },
    { text: 'as many as K', claim: { is: 'equal', value: { step: 'v', take: 'columns' }, to: { step: 'k', take: 'columns' } }, ...feedback },
  ]; // prettier-ignore
  it('has the words of the lesson', () => {
    const lesson = lessonWith({ kind: 'choose', about: 'whole', options: options({ feedback: '*V* is `{{v}}`.' }) });
    assert.match(marked(lesson, 1).feedback, /V is 3×2\.$/);
  });
  it('has the numbers that decide it, without words of its own', () => {
    const lesson = lessonWith({ kind: 'choose', about: 'whole', options: options({}) });
    assert.match(marked(lesson, 1).feedback, /Look at columns v = 2; columns k = 3\.$/);
  });
});

describe('mistakes of a class', () => {
  it('are counted by name, with who and which question', () => {
    const lesson = lessonWith({ kind: 'number', about: 'scores', of: { step: 'weights', cell: [1, 0] } });
    const answer = (which: string): number =>
      rounded(Number(reference.given.find(({ mistake }) => mistake === which)?.wrong[1]?.[0]));
    const handed = (['softmaxQueries', 'softmaxQueries', 'noScale'] as const).map((which, i) => {
      const given = { question: 'q1', response: answer(which), attempts: 1, minutes: 1 };
      const results = resultsOf(lesson, { student: `S${i}`, seed: null, answers: [given], program: '0.1.0', complete: true });
      return { name: `S${i}.results.json`, text: writeResults(results) };
    });
    const report = gradeClass(lesson.source, handed);
    assert.ok(report.ok);
    assert.deepEqual(
      report.value.misconceptions.map(({ id, met }) => [id, met.map(({ student, question }) => `${student} ${question}`)]),
      [['softmaxQueries', ['S0 q1', 'S1 q1']], ['noScale', ['S2 q1']]],
    );
  }); // prettier-ignore
});

describe('a variant', () => {
  it('has no mistakes that give one answer where the lesson as it is written has none', () => {
    const lesson = lessonWith({ kind: 'number', about: 'whole', of: { step: 'weights', cell: [2, 0] } });
    const [question] = lesson.questions;
    assert.ok(question);
    const written = confusionsOf(question, lesson);
    for (let seed = 0; seed < 8; seed++) {
      const variant = variantOf(lesson, seed);
      assert.ok(variant.ok);
      const more: string[] = [...confusionsOf(question, variant.value)].filter((pair) => !written.has(pair));
      assert.deepEqual(more, [], `seed ${seed}`);
    }
  });
});
