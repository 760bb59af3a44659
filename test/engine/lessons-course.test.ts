import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  fillIn,
  questionKinds,
  takes,
  valuesOf,
  traceOfBlock,
  variantOf,
  variantText,
  type Answer,
  type Lesson,
  type SpecMatrix,
} from '../../engine/index';
import { answered, lessonFrom, marked, rightResponse, wrongResponses } from './lessons-support';
import { need, tutorials } from './specs';
import { provideModels } from './box-support';

const folder = join(__dirname, '../../extension/lessons');
const names = readdirSync(folder).filter((name) => /^\d\d-.*\.md$/.test(name));
const lessons = new Map<string, Lesson>();
const lesson = (start: string): Lesson => {
  const name = names.find((n) => n.startsWith(start));
  assert.ok(name, start);
  const known = lessons.get(name) ?? lessonFrom(readFileSync(join(folder, name), 'utf8'));
  lessons.set(name, known);
  return known;
};

before(provideModels);

describe('the course', () => {
  it('has fifteen lessons or more', () => {
    assert.ok(names.length >= 15, names.join(', '));
  });

  for (const name of names)
    describe(name, () => {
      it('has six questions or more, and the right answer to each is marked right, every other wrong', () => {
        const { questions } = lesson(name);
        assert.ok(questions.length >= 6);
        for (const question of questions) {
          const answer = answered(question, lesson(name));
          assert.equal(marked(question, lesson(name), rightResponse(answer)).verdict, 'right', question.id);
          const wrong = wrongResponses(answer);
          assert.ok(wrong.length > 0);
          for (const response of wrong)
            assert.equal(marked(question, lesson(name), response).points, 0, `${question.id}: ${JSON.stringify(response)}`);
        }
      }); // prettier-ignore

      it('has no figure that is not filled in', () => {
        const whole = lesson(name);
        const texts = whole.questions.flatMap((q) => [q.prompt, q.explanation ?? '', ...(q.hints ?? [])].map((text) => fillIn(text, whole, q.about).text));
        for (const text of texts) assert.ok(!text.includes('{{'), text);
      }); // prettier-ignore

      it('has variants, whose right answers are marked right', () => {
        for (const seed of [1, 2, 3, 4, 5]) {
          const variant = variantOf(lesson(name), seed);
          assert.ok(variant.ok, JSON.stringify(variant));
          for (const question of variant.value.questions)
            assert.equal(marked(question, variant.value, rightResponse(answered(question, variant.value))).verdict, 'right');
        }
      }); // prettier-ignore

      it('gives a student a file with one way of each question, whose answers are those of the key', () => {
        for (const seed of [11, 12]) {
          const [written, variant] = [variantText(lesson(name), seed), variantOf(lesson(name), seed)];
          assert.ok(written.ok && variant.ok, JSON.stringify(written));
          assert.doesNotMatch(written.value.text, /"or": \[/);
          const own = lessonFrom(written.value.text);
          assert.deepEqual(own.questions.map((q) => answered(q, own)), variant.value.questions.map((q) => answered(q, variant.value)));
        }
      }); // prettier-ignore
    });
});

describe('the documentation of lessons', () => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');

  it('begins with a lesson that works', () => {
    const [, example] = /^````markdown\n([^]*?)\n````$/m.exec(readme) ?? [];
    assert.ok(example);
    assert.equal(lessonFrom(example).questions.length, 1);
  });

  it('names every kind of question, every quantity and every field of a spec, and lists every lesson', () => {
    const spec = JSON.parse(readFileSync(join(folder, '../schemas/spec.schema.json'), 'utf8')) as {
      properties: object;
    };
    for (const name of [...questionKinds, ...takes, ...Object.keys(spec.properties).filter((f) => f !== 'version')])
      assert.ok(readme.includes(`\`${name}\``), name);
    for (const name of names) assert.ok(readme.includes(`(${name})`), name);
  });
});

describe('the course has every error of the tutorials', () => {
  const errors: readonly [tutorial: string, lesson: string, question: string, wrong: RegExp][] = [
    ['001: softmax over the whole matrix', '05', 'softmax-axis', /attention weights all the same/],
    ['001: weights that do not follow from the scores', '16', 'weights-that-do-not-follow', /neither/],
    ['001: a name that is not defined', '04', 'undefined-name', /normalized/],
    ['003: weights are said to be symmetric', '16', 'symmetric-weights', /weights.*symmetric too/],
    ['003: output rows are said to sum to 1', '16', 'output-sums', /output sums to 1/],
    ['004: scores printed as weights', '16', 'scores-as-weights', /-13\.573791/],
    ['000: 6×3 called 6×1', '02', 'embedding-shape', /6×1/],
    ['000: D×N said, N×D taken', '03', 'rows-or-columns', /D×N/],
    ['000: the product for columns, used with rows', '03', 'product-order', /V·softmax/],
  ];
  for (const [error, start, id, wrong] of errors)
    it(error, () => {
      const question = lesson(start).questions.find((q) => q.id === id);
      assert.ok(question);
      const answer = answered(question, lesson(start));
      assert.ok('index' in answer);
      assert.match(answer.options[answer.index] ?? '', wrong);
    });
});

describe('figures of the course', () => {
  const near = (a: number, b: number, within: number): void => assert.ok(Math.abs(a - b) <= within, `${a} for ${b}`);
  const rowsOf = (start: string, block: string, step: string): number[][] => {
    const trace = traceOfBlock(lesson(start).blocks.find((b) => b.id === block) ?? assert.fail(block));
    assert.ok(trace.ok);
    const found = trace.value.plan.steps.find((s) => s.id === step) ?? assert.fail(step);
    const [values, m] = [[...valuesOf(trace.value, found)], found.shape.at(-1) ?? 1];
    return Array.from({ length: values.length / m }, (_, i) => values.slice(i * m, (i + 1) * m));
  };
  const equal = (actual: number[][], expected: SpecMatrix, within: number): void =>
    expected.forEach((row, i) => row.forEach((x, j) => near(actual[i]?.[j] ?? NaN, Number(x), within)));
  const numberAt = (start: string, prompt: RegExp): Extract<Answer, { kind: 'number' }> => {
    const question = lesson(start).questions.find((q) => prompt.test(q.prompt));
    assert.ok(question);
    const answer = answered(question, lesson(start));
    assert.ok(answer.kind === 'number');
    return answer;
  };

  it('of tutorial 001 are those that NumPy gives', () => {
    for (const start of ['04', '05', '06']) {
      equal(rowsOf(start, 'tutorial', 'scores'), need(tutorials['001'], 'scores'), 1e-12);
      equal(rowsOf(start, 'tutorial', 'weights'), need(tutorials['001'], 'weights'), 1e-12);
    }
    near(numberAt('04', /variance of its sixteen/).value, 5.1762414213, 1e-7);
    near(numberAt('04', /sixteen scores after scaling/).value, 0.6470301777, 1e-7);
    near(numberAt('05', /without an axis/).value, 0.18313716, 1e-7);
  });

  it('of tutorial 004 are those that NumPy gives', () => {
    for (const step of ['q', 'k', 'scores', 'weights', 'output'])
      equal(rowsOf('16', 'barebones', step), need(tutorials['004'], step), 4e-6);
    equal(rowsOf('16', 'barebones', 'output').slice(1, 2), [[0.11782318, 0.39491105, -2.4440105, 0.5687822]], 2e-6);
  });

  it('of tutorial 003: seven tokens', () => {
    assert.equal(numberAt('02', /Into how many tokens is the question cut/).value, 7);
  });
});
