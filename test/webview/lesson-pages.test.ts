// A lesson's way onto the page, as far as it needs no page: pages, notes, slides, progress, what is typed.
// Runs alone: it measures time.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mark, readLesson, type Lesson } from '../../engine/index';
import { shapeIn } from '../../webview/lesson/control/shape';
import { pagesOf, slidesOf, type LessonPage } from '../../webview/lesson/pages';
import { answeredIn, isProgress, type Progress } from '../../webview/lesson-protocol/messages';
import { askedHash } from '../../webview/lesson-protocol/progress';
import { courseLesson } from './lesson-harness';
import { provideModels } from '../engine/box-support';

const block = '```attention id=b\nQ = [[1, 2], [0, 1]]\nK = [[1, 0], [3, 1]]\nV = [[1, 0], [0, 1]]\n```\n';
const question = (more: object = {}): string =>
  `\`\`\`attention-question\n${JSON.stringify({ id: 'q', kind: 'number', prompt: 'P', of: { step: 'scores', cell: [0, 1] }, digits: 0, ...more })}\n\`\`\`\n`;

const lessonOf = (source: string): Lesson => readLesson(source).lesson;
const pages = (source: string): readonly LessonPage[] => pagesOf(lessonOf(source));
const kinds = (source: string): string[] => pages(source).map(({ items }) => items.map(({ kind }) => kind).join());
const prose = (page: LessonPage | undefined): string =>
  (page?.items ?? []).flatMap((i) => (i.kind === 'prose' ? [i.text] : [])).join('|');

describe('the pages of a lesson', () => {
  it('begin at headings and rules', () => {
    const source = `# One\n\nA\n\n${block}\n${question()}\n## Two\n\nB\n\n---\n\nC\n`;
    assert.deepEqual(kinds(source), ['prose,block,question', 'prose', 'prose']);
    assert.deepEqual(pages(source).map(({ title }) => title), ['One', 'Two', 'C']);
  }); // prettier-ignore

  it('do not begin within a fenced block, nor at dashes that underline a heading', () => {
    assert.equal(pages('# A\n\n```python\n# no heading\n\n---\n```\n\nText\n---\n\nmore\n').length, 1);
  });

  it('are made of words with many blanks between them in linear time', () => {
    const words = `A${' '.repeat(50_000)}b`;
    const start = process.cpuUsage();
    assert.equal(prose(pages(`${words}\n\n`)[0]), words);
    // From every blank to the last, it took half a minute.
    assert.ok(process.cpuUsage(start).user < 1.5e6);
  });

  it('have no note in a fenced block, in whichever of its lines', () => {
    const inside = '```md\nfirst\n<!-- second -->\n> note: third\n```\n';
    const source = `# A\n\n${inside}\n<!-- a note -->\n\n~~~\n\n<!-- open -->\n`;
    const items = pages(source).flatMap((page) => page.items);
    const notes = items.flatMap((i) => (i.kind === 'note' ? [i.text] : []));
    assert.deepEqual(notes, ['a note']);
    assert.match(prose(pages(source)[0]), /<!-- second -->\n> note: third[^]*<!-- open -->/);
  });

  it('hold headings that follow each other', () => {
    assert.deepEqual(pages('# A\n\n## B\n\ntext\n').map(({ title }) => title), ['A']);
  }); // prettier-ignore

  it('open their first block, else that of their first question', () => {
    const source = `# A\n\n${block}\n# B\n\n${question()}\n# C\n\nwords\n`;
    assert.deepEqual(pages(source).map(({ opens }) => opens?.id), ['b', 'b', undefined]);
  }); // prettier-ignore

  it('give the words of a lesson without a heading as their title', () => {
    assert.equal(pages('Some **words**.\n')[0]?.title, 'Some words.');
    assert.deepEqual(pages(''), []);
  });

  it('are in the thousands and stay quick', () => {
    const source = '# A\n\ntext <!-- n -->\n\n'.repeat(20_000);
    const start = Date.now();
    assert.equal(pages(source).length, 20_000);
    assert.ok(Date.now() - start < 3000, `${Date.now() - start} ms`);
  });

  before(provideModels);

  it('of the course have all of its blocks and questions', () => {
    const folder = join(__dirname, '../../extension/lessons');
    const files = readdirSync(folder).filter((name) => /^\d\d-.*\.md$/.test(name));
    assert.ok(files.length >= 8, `${files.length} lessons`);
    for (const name of files) {
      const lesson = lessonOf(courseLesson(name));
      const items = pagesOf(lesson).flatMap((page) => page.items);
      assert.equal(items.filter(({ kind }) => kind === 'block').length, lesson.blocks.length, name);
      assert.equal(items.filter(({ kind }) => kind === 'question').length, lesson.questions.length, name);
    }
  });
});

describe('notes for the teacher', () => {
  it('are comments, and quotations that begin with note:', () => {
    const [page] = pages('# A\n\nbefore <!-- secret\none --> after\n\n> note: *two*\n> three\n\n> a quotation\n');
    const notes = page?.items.flatMap((i) => (i.kind === 'note' ? [i.text] : []));
    assert.deepEqual(notes, ['secret\none', '*two*\nthree']);
    assert.doesNotMatch(prose(page), /secret|two|three|<!--/);
    assert.match(prose(page), /before/);
    assert.match(prose(page), /> a quotation/);
  });

  it('in a fenced block are what they are', () => {
    const [page] = pages('# A\n\n```html\n<!-- shown -->\n```\n');
    assert.match(prose(page), /<!-- shown -->/);
  });

  it('are no slides', () => {
    const all = pages(`# A\n\nx\n\n> note: y\n\n${block}\n${question()}\n`);
    assert.deepEqual(slidesOf(all), [{ page: 0, item: 0 }, { page: 0, item: 2 }, { page: 0, item: 3 }]);
  }); // prettier-ignore
});

describe('progress', () => {
  const source = `# A\n\n${block}\n${question({ hints: ['h'] })}`;
  const asked = (text: string): string => {
    const lesson = lessonOf(text);
    const [q] = lesson.questions;
    assert.ok(q, text);
    return askedHash(q, lesson);
  };
  const of = (hash: string): Progress => ({
    version: 1, page: 0,
    answers: { q: { asked: hash, response: 3, attempts: 2, minutes: 1.26, right: true, hints: 1, revealed: false } },
  }); // prettier-ignore

  it('stays through edits of prose, prompts and hints', () => {
    const edited = source.replace('# A', '# Another\n\nMore words.').replace('"P"', '"Other words?"').replace('"h"', '"i"');
    assert.notEqual(edited, source);
    assert.equal(asked(edited), asked(source));
    const answers = answeredIn(lessonOf(edited), of(asked(source)));
    assert.deepEqual(answers, [{ question: 'q', response: 3, attempts: 2, minutes: 1.3 }]);
  }); // prettier-ignore

  it('ends where other numbers, another cell or another tolerance are asked', () => {
    const others = [source.replace('[[1, 2]', '[[2, 2]'), source.replace('[0,1]', '[1,1]'), source.replace('"digits":0', '"digits":2')];
    for (const other of others) {
      assert.notEqual(other, source);
      assert.notEqual(asked(other), asked(source));
      assert.deepEqual(answeredIn(lessonOf(other), of(asked(source))), []);
    }
  }); // prettier-ignore

  it('is told from what is none', () => {
    assert.ok(isProgress(of('x')));
    for (const bad of [null, 1, {}, { version: 2, page: 0, answers: {} }, { version: 1, page: -1, answers: {} }, { version: 1, page: 0, answers: { q: {} } }])
      assert.ok(!isProgress(bad), JSON.stringify(bad));
  }); // prettier-ignore
});

describe('what is said to an answer', () => {
  const verdict = (source: string, response: number): string => {
    const lesson = lessonOf(source);
    const [q] = lesson.questions;
    const marked = q && mark(q, lesson, response);
    assert.ok(marked?.ok);
    return `${marked.value.verdict}: ${marked.value.feedback}`;
  };

  // q₀·k₁ = 1·3 + 2·1 = 5
  it('of whole numbers is exact', () => {
    const source = `${block}\n${question()}`;
    assert.match(verdict(source, 5), /^right/);
    assert.equal(verdict(source, 6), 'wrong: 6 was given; it is another whole number.');
    assert.equal(verdict(source, 4), 'wrong: 4 was given; it is another whole number.');
  });

  it('keeps the answer back, and says where a wrong number is from', () => {
    // 5 ÷ √2 = 3.5355
    const source = `${block}\n${question({ of: { step: 'scaled', cell: [0, 1] }, digits: 4 })}`;
    const said = verdict(source, 5);
    assert.match(
      said,
      /^wrong: 5 was given; within ±0.0001 is asked. 5 comes out with this mistake: The scores are not divided by √d_k/,
    );
    assert.doesNotMatch(said, /3\.53/);
  });
});

describe('a typed shape', () => {
  it('is read as people write it', () => {
    for (const text of ['3×4', '3x4', ' 3 × 4 ', '(3, 4)', '[3,4]', '3 4']) assert.deepEqual(shapeIn(text), { ok: true, value: [3, 4] }, text);
    assert.deepEqual(shapeIn('(3,)'), { ok: true, value: [3] });
  }); // prettier-ignore

  it('is refused by name', () => {
    for (const text of ['three', '3×x', '-1×2', '1.5']) {
      const read = shapeIn(text);
      assert.ok(!read.ok && read.problems[0]?.message.includes(text), text);
    }
  });
});
