import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import fc from 'fast-check';
import { keyOf, planClass, questionKinds, readKey, readLesson, readResults, resultsOf, variantFileName, writeResults } from '../../engine/index'; // prettier-ignore
import { asking, fenced, lessonFrom } from './lessons-support';

const folder = join(__dirname, '../../extension');
const ajv = new Ajv2020({ strict: false });
const schema = (name: string): ValidateFunction =>
  ajv.compile(JSON.parse(readFileSync(join(folder, 'schemas', `${name}.schema.json`), 'utf8')) as object);
schema('spec');
ajv.addSchema(JSON.parse(readFileSync(join(folder, 'schemas/spec.schema.json'), 'utf8')) as object, 'spec.schema.json');
const [question, block, results, key] = ['lesson-question', 'lesson-block', 'lesson-results', 'lesson-key'].map(schema) as [
  ValidateFunction, ValidateFunction, ValidateFunction, ValidateFunction,
]; // prettier-ignore

const course = readdirSync(join(folder, 'lessons')).filter((name) => /^\d\d-.*\.md$/.test(name));
const blocksOf = (language: string): unknown[] =>
  course.flatMap((name) => {
    const source = readFileSync(join(folder, 'lessons', name), 'utf8');
    const found = source.matchAll(new RegExp(`^\`\`\`${language}(?: [^\n]*)?\n(\\{[^]*?)\n\`\`\`$`, 'gm'));
    return [...found].map(([, body]) => JSON.parse(body ?? '') as unknown);
  });
/** Kinds and forms that the course lacks. */
const others: Record<string, unknown>[] = [
  { kind: 'text', prompt: 'Why?', lines: 6 },
  { kind: 'choose', prompt: 'Which?', several: true, partial: false, points: 2, options: ['a', 'b'].map((text) => ({ text, claim: { is: 'shape', step: 'q', shape: [3, 2] } })) },
  { kind: 'matrix', prompt: 'Fill in.', step: 'scores', cells: [[0, 1]], or: [{ cells: [[1, 0]], prompt: 'These?' }] },
  { kind: 'choose', prompt: 'Which?', options: ['a', 'b'].map((text) => ({ text, claim: { is: 'shape', step: 'q', shape: [3, 2] }, or: [{ text: 'c', claim: { is: 'shape', step: 'q', shape: [3, 2] }, explanation: 'e' }] })) },
  { kind: 'order-steps', prompt: 'Order?', partial: false, points: 0.5, steps: ['scores', 'scaled'] },
]; // prettier-ignore
const questions = [...(blocksOf('attention-question') as Record<string, unknown>[]), ...others];

/** Whether our reader finds a field of the wrong kind: what a schema can say. */
const wellFormed = (source: string): boolean =>
  readLesson(source).problems.every((p) => p.code !== 'field' && p.code !== 'unknown-field');

describe('schemas of lessons', () => {
  it('accept every block and question of the course', () => {
    assert.ok(questions.length >= 60);
    // What follows changes questions of the course: a kind that it lacks would be tried by none of it.
    assert.deepEqual(new Set(questions.map(({ kind }) => kind)), new Set(questionKinds));
    for (const json of questions) assert.ok(question(json), JSON.stringify([json, question.errors]));
    const blocks = blocksOf('attention');
    assert.ok(blocks.length >= 10);
    for (const json of blocks) assert.ok(block(json), JSON.stringify([json, block.errors]));
  });

  const leaf = fc.constantFrom<unknown>(
    null, true, false, -1, 0, 2, 0.5, 13, '', 'x', 'weights', [], {}, [0, 1], [[0, 1]], [[0, 1, 'inf']], ['q', 'k'], [{}],
    [{ prompt: 'x' }], [{ id: 'x' }], [{ step: 'k' }], [{ digits: 99 }], { step: 'q', cell: [0, 0] }, { step: 'q', cel: [0, 0] }, { step: 'q', take: 'largest' }, 'largest',
  ); // prettier-ignore
  const field = fc.constantFrom(
    'prompt', 'id', 'about', 'hints', 'explanation', 'digits', 'tolerance', 'of', 'step', 'cells', 'take', 'row', 'claimed', 'among', 'options', 'steps', 'points', 'partial', 'several', 'lines', 'or', 'predict', 'promt', '__proto__',
  ); // prettier-ignore

  it('agree with the reader on questions with fields replaced or added', () => {
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(fc.constantFrom(...questions), field, leaf, (whole, name, value) => {
        const own = { ...whole };
        delete own['about'];
        const changed = JSON.parse(JSON.stringify({ ...own, [name]: value })) as Record<string, unknown>;
        const fits = question(changed);
        const source = asking(changed);
        assert.equal(fits, wellFormed(source), JSON.stringify([own, name, value]));
        seen.add(fits);
      }),
      { numRuns: 1500 },
    );
    assert.equal(seen.size, 2);
  });

  it('agree with the reader on claims with fields replaced or added', () => {
    const claims = questions.flatMap((q) => ((q['options'] ?? q['steps'] ?? []) as { claim?: Record<string, unknown> }[]).flatMap((o) => (o.claim ? [o.claim] : [])));
    const names = fc.constantFrom('is', 'value', 'to', 'shape', 'numbers', 'row', 'holds', 'about', 'property', 'of', 'name', 'in', 'toleranse', 'tolerance');
    fc.assert(
      fc.property(fc.constantFrom(...claims), names, leaf, (claim, name, value) => {
        const changed = { kind: 'choose', prompt: 'p', options: [{ text: 'a', claim: { ...claim, [name]: value } }, { text: 'b', claim }] };
        assert.equal(question(changed), wellFormed(asking(changed)), JSON.stringify([claim, name, value]));
      }),
      { numRuns: 1500 },
    );
  }); // prettier-ignore

  it('agree with the reader on blocks with fields replaced or added', () => {
    const spec = { start: { from: 'scores', scores: [[1, 2]], dK: 4 } };
    const names = fc.constantFrom('start', 'heads', 'scale', 'mask', 'labels', 'maks', 'random', 'version');
    fc.assert(
      fc.property(names, leaf, (name, value) => {
        const changed = { ...spec, [name]: value };
        assert.equal(block(changed), wellFormed(fenced('attention', JSON.stringify(changed))), JSON.stringify([name, value]));
      }),
      { numRuns: 500 },
    );
  }); // prettier-ignore

  it('agree with the reader on results and keys with fields replaced, removed or added', () => {
    const lesson = lessonFrom(asking({ kind: 'shape', prompt: '?', step: 'v' }));
    const answers = [{ question: 'q1', response: [3, 2], attempts: 1, minutes: 0.5 }];
    const good = resultsOf(lesson, { student: 'a', seed: null, program: '1', complete: true, answers });
    const goodKey = keyOf(lesson.source, [{ student: 'a', seed: 4 }, { student: 'b', seed: null }]);
    assert.ok(results(good) && key(goodKey));
    const names = fc.constantFrom(...Object.keys(good), ...Object.keys(goodKey), 'x');
    const value = fc.oneof(leaf, fc.constant(undefined), fc.constantFrom([{ student: 'x', seed: 4294967296 }], [{ student: 'x', seed: 0 }], answers, [{ ...answers[0], minutes: -1 }], [{ ...answers[0], revealed: true }], [{ ...answers[0], revealed: 1 }]));
    fc.assert(
      fc.property(names, value, (name, v) => {
        const [changed, changedKey] = [JSON.stringify({ ...good, [name]: v }), JSON.stringify({ ...goodKey, [name]: v })];
        assert.equal(results(JSON.parse(changed)), readResults(changed).ok, changed);
        assert.equal(key(JSON.parse(changedKey)), readKey(changedKey).ok, changedKey);
      }),
      { numRuns: 1500 },
    );
  }); // prettier-ignore

  it('check the files of a class as VS Code does, by their names, and leave those of other programs alone', () => {
    const { contributes } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as {
      contributes: { jsonValidation: { fileMatch: string; url: string }[] };
    };
    const named = contributes.jsonValidation;
    assert.deepEqual(
      named.map(({ fileMatch }) => fileMatch),
      ['*.results.json', 'teacher/key.json', variantFileName],
    );
    assert.deepEqual(new Set(named.map(({ url }) => url)), new Set(['./extension/schemas/lesson-files.schema.json']));
    for (const name of ['lesson-results', 'lesson-key'])
      ajv.addSchema(
        JSON.parse(readFileSync(join(folder, `schemas/${name}.schema.json`), 'utf8')) as object,
        `${name}.schema.json`,
      );
    const files = schema('lesson-files');
    const plan = planClass({
      lesson: asking({ kind: 'shape', prompt: '?', step: 'v' }),
      name: 'l.md',
      students: ['Ada'],
      seed: 1,
    });
    assert.ok(plan.ok);
    const written = plan.value.files.filter(({ path }) => /(key|variant)\.json$/.test(path)).map(({ text }) => text);
    assert.equal(written.length, 2);
    const handed = resultsOf(lessonFrom(asking({ kind: 'shape', prompt: '?', step: 'v' })), {
      student: 'Ada',
      seed: 1,
      program: '0',
      complete: true,
      answers: [],
    });
    for (const text of [...written, writeResults(handed)]) {
      const json = JSON.parse(text) as Record<string, unknown>;
      assert.ok(files(json), JSON.stringify(files.errors));
      assert.equal(files({ ...json, seed: -1, students: 1 }), false, text);
      assert.equal(files({ ...json, version: 9 }), false, text);
    }
    for (const other of [{ testResults: [], numFailedTests: 0 }, [], { format: 'another' }]) assert.ok(files(other));
  });
});
