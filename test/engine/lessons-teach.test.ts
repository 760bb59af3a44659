// What the course owes its reader: prose, reasons, an answer to each wrong choice, misconceptions that are met, and numbers of trained models that are true.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  planOf,
  traceOfBlock,
  variantOf,
  type AttentionSpec,
  type Lesson,
  type LessonBlock,
  type Question,
} from '../../engine/index';
import { waysOf } from '../../engine/lessons/deal';
import { misconceptionsOf } from '../../engine/lessons/misconceptions';
import { statementsOf } from '../../engine/lessons/question';
import { equalIn, spreadOf } from '../../engine/lessons/spread';
import { pythonOrSkip } from '../reference/python';
import { provideModels } from './box-support';
import { answered, lessonFrom } from './lessons-support';

const folder = join(__dirname, '../../extension/lessons');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const names = readdirSync(folder).filter((name) => /^\d\d-.*\.md$/.test(name));

/** What a reader reads: no blocks, questions, code, formulas, tables of numbers or notes for the teacher. */
const proseOf = (source: string): string =>
  source
    .replace(/^(`{3,}|~{3,})[^\n]*\n[^]*?^\1[ \t]*$/gm, '')
    .replace(/^> note:[^]*?(?=\n\n|$(?![^]))/gm, '')
    .replace(/<!--[^]*?-->/g, '')
    .replace(/^\|.*$/gm, '')
    .replace(/\$\$[^]*?\$\$|\$[^$\n]+\$|`[^`\n]+`|\{\{[^}]*\}\}|\]\([^)]*\)/g, ' ');
const wordsOf = (source: string): number => proseOf(source).match(/[A-Za-zÀ-ɏ][\w’'-]*/g)?.length ?? 0;

describe('the course', function () {
  this.timeout(120_000);
  let lessons: ReadonlyMap<string, Lesson>;
  before(async () => {
    await provideModels();
    lessons = new Map(names.map((name) => [name, lessonFrom(read(name))]));
  });
  const questions = (): { name: string; question: Question; lesson: Lesson }[] =>
    [...lessons].flatMap(([name, lesson]) => lesson.questions.map((question) => ({ name, question, lesson })));

  it('has six thousand words of prose, and each lesson its share', () => {
    const counts = names.map((name) => wordsOf(read(name)));
    assert.ok(counts.reduce((a, b) => a + b, 0) >= 6000, counts.join(' + '));
    names.forEach((name, i) => assert.ok((counts[i] ?? 0) >= 200, `${name}: ${counts[i]}`));
    assert.equal(wordsOf('# Two words\n\n```js\nnot these\n```\n\n> note: nor this\n\nand `no` $x$ {{a[0,1]}} [three](https://x.example) more\n'), 5);
  }); // prettier-ignore

  it('shows no reader the name of a field that is ignored', () => {
    const notes = [...lessons].flatMap(([name, { blocks }]) =>
      blocks.flatMap(({ spec }) => {
        const plan = planOf(spec);
        return plan.ok ? plan.value.notes.map(({ message }) => `${name}: ${message}`) : [];
      }),
    );
    assert.deepEqual(notes.filter((note) => / is ignored/.test(note)), ['16-reading-a-tutorial.md: start.dK is ignored: the scores are not divided by √d_k'], 'only where the lesson is about just that');
  }); // prettier-ignore

  it('explains every answer, and says something to each wrong choice', () => {
    for (const { name, question, lesson } of questions()) {
      assert.ok(question.explanation, `${name} ${question.id}`);
      if (question.kind !== 'choose' || !('options' in question)) continue;
      const answer = answered(question, lesson);
      assert.ok(answer.kind === 'choose');
      question.options.forEach(({ feedback, text }, i) =>
        assert.equal(feedback !== undefined, i !== answer.index, `${name} ${question.id}: ${text}`),
      );
    }
  });

  it('explains every other way to ask, and says something to each wrong choice there', () => {
    for (const { name, question, lesson } of questions())
      for (const way of waysOf(question)) {
        const answer = answered(way, lesson);
        const right = 'index' in answer ? answer.index : -1;
        statementsOf(way).forEach(({ text, feedback, or = [] }, i) => {
          const said = [feedback, ...or.map((other) => other.feedback)];
          if (way.kind === 'choose') assert.ok(said.every((one) => (one !== undefined) === (i !== right)), `${name} ${question.id}: ${text}`);
        });
        assert.ok(way.explanation, `${name} ${question.id}`);
      }
  }); // prettier-ignore

  it('deals a class of thirty without a question that has one answer for all, and a neighbour’s paper is worth little', () => {
    for (const [name, lesson] of lessons) {
      const variants = Array.from({ length: 30 }, (_, i) => variantOf(lesson, i * 7919)).map((variant) => (variant.ok ? variant.value : assert.fail(JSON.stringify(variant.problems))));
      const spread = spreadOf(variants);
      assert.equal(spread.length, lesson.questions.length, name);
      assert.deepEqual(equalIn(spread), [], name);
      const copied = spread.reduce((sum, { shared }) => sum + shared, 0) / spread.length;
      assert.ok(copied < 0.35, `${name}: ${copied}`);
    }
    assert.match(read('README.md'), new RegExp(`Each of the ${questions().length} questions of the course has several answers`));
  }); // prettier-ignore

  it('prints in no question, its statements or hints a number that an earlier one asks for, in whatever ways the two are dealt', () => {
    const found = [...lessons].flatMap(([name, lesson]) => {
      const asked: string[] = [];
      return lesson.questions.flatMap((question) => {
        const ways = waysOf(question);
        const said = ways.flatMap((way) => [way.prompt, ...(way.hints ?? []), ...statementsOf(way).flatMap(({ text, or = [] }) => [text, ...or.map((other) => other.text)])].flatMap((text) => printedIn(text, way.about)));
        const leaks = said.filter((cell) => asked.some((one) => one === cell || one.startsWith(`${cell},`)));
        asked.push(...ways.flatMap(askedBy));
        return leaks.map((cell) => `${name} ${question.id}: ${cell}`);
      });
    });
    assert.deepEqual(found, []);
    assert.deepEqual(printedIn('{{a[0]}}, {{b:c[1,2] 4}}, {{d}}', 'x'), ['x:a 0', 'b:c 1,2']);
  }); // prettier-ignore

  it('lets the reader mend or find what is wrong in every lesson, and predict before it shows', () => {
    for (const [name, { questions: asked }] of lessons) {
      assert.ok(
        asked.some(({ kind, id }) => kind === 'find-wrong-step' || /^(?:mend|exam)/.test(id)),
        name,
      );
      assert.match(read(name), /\b(?:commit|predict|guess|puzzle)/i, name);
    }
  });

  it('meets each misconception that its table names, where the table says', () => {
    const table = /### What is often believed\n([^]*?)\n(?:#|$(?![^]))/.exec(read('README.md'))?.[1] ?? '';
    const rows = [...table.matchAll(/^\| (?!misconception|---)(.+?) \| \[\d+\]\(([^)]+)\) `([\w-]+)` \|(?: `(\w+)`)? ?\|$/gm)];
    assert.equal(rows.length, table.split('\n').filter((line) => line.startsWith('| ')).length - 1, 'every row is read');
    assert.ok(rows.length >= 30);
    assert.deepEqual([...new Set(rows.map(([, , file]) => file))].sort(), names, 'in every lesson');
    for (const [, belief, file = '', id, mistake] of rows) {
      const lesson = lessons.get(file);
      const question = lesson?.questions.find((q) => q.id === id);
      assert.ok(lesson && question, `${belief}: ${file} ${id}`);
      assert.match(read(file), new RegExp(`"id": "${id}"`), 'an id of its own, which outlives a question before it');
      if (mistake === undefined) continue;
      // A number that is made by the mistake is told from the right one, and named.
      const found = misconceptionsOf(question, answered(question, lesson), lesson).map((one) => one.id);
      assert.ok(found.includes(mistake), `${belief}: ${found.join()}`);
    }
  }); // prettier-ignore

  it('says of trained models what NumPy computes', function () {
    const python = pythonOrSkip(this, 'numpy');
    const asked = [...lessons].flatMap(([name, lesson]) => modelCells(read(name), lesson));
    assert.ok(asked.length >= 25 && asked.reduce((sum, { cells }) => sum + cells.length, 0) >= 60);
    const input = JSON.stringify(asked.map(({ model, text, changes, cells }) => ({ model, text, changes, cells })));
    const program = join(__dirname, '../reference/lesson_models.py');
    const { stdout, stderr, status } = spawnSync(python, [program], { input, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    (JSON.parse(stdout) as number[][]).forEach((values, i) => {
      const { block, cells = [] } = asked[i] ?? {};
      const trace = traceOfBlock(block ?? assert.fail());
      assert.ok(trace.ok);
      cells.forEach(([step, index], k) => {
        const [is, expected] = [trace.value.value(step, index), values[k] ?? NaN];
        assert.ok(Math.abs(is - expected) <= 2e-8 * Math.max(1, Math.abs(expected)), `${block?.id} ${step}[${index.join()}]: ${is} for ${expected}`);
      });
    });
  }); // prettier-ignore
});

/** Cells and rows that a text fills in, each as `block:step row,column`. */
const printedIn = (text: string, about: string | undefined): string[] =>
  [...text.matchAll(/\{\{(?:([\w-]+):)?(\w+)\[([\d,]+)\]/g)].map(
    ([, block = about, step, index]) => `${block}:${step} ${index}`,
  );

/** The cells that a question asks for as numbers, likewise. */
function askedBy(question: Question): string[] {
  if (question.kind === 'matrix') return question.cells.map((cell) => `${question.about}:${question.step} ${cell.join()}`);
  if (question.kind !== 'number') return [];
  const { about = question.about, step, take = 'value', cell } = question.of;
  return cell && take === 'value' ? [`${about}:${step} ${cell.join()}`] : [];
} // prettier-ignore

type Cell = readonly [step: string, index: readonly number[]];

/** The blocks of a lesson that a model reads, with every cell of them that prose, questions or claims name. */
function modelCells(source: string, lesson: Lesson): { block: LessonBlock; model: string; text: string; changes: AttentionSpec['headChanges']; cells: readonly Cell[] }[] {
  const cells = new Map<string, Set<string>>();
  const note = (id: string | undefined, step: unknown, index: unknown): void => {
    if (id === undefined || typeof step !== 'string' || !Array.isArray(index)) return;
    cells.set(id, (cells.get(id) ?? new Set()).add(JSON.stringify([step, index])));
  };
  for (const [, id, step, index = ''] of source.matchAll(/\{\{([\w-]+):(\w+)\[(\d+(?:,\d+)+)\]/g)) note(id, step, index.split(',').map(Number));
  const walk = (value: unknown, about: string | undefined): void => {
    if (typeof value !== 'object' || value === null) return;
    const own = 'about' in value && typeof value.about === 'string' ? value.about : about;
    if ('step' in value && 'cell' in value) note(own, value.step, value.cell);
    for (const part of Object.values(value)) walk(part, own);
  };
  for (const question of lesson.questions) walk(question, question.about);
  return lesson.blocks.flatMap((block) => {
    const { model, start, headChanges = [] } = block.spec;
    const named = [...(cells.get(block.id) ?? [])].map((cell) => JSON.parse(cell) as Cell);
    if (!model || start.from !== 'text' || !named.length) return [];
    return [{ block, model: model.name, text: start.text, changes: headChanges, cells: named }];
  });
} // prettier-ignore
