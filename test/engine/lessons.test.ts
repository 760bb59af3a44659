// Runs alone: it measures time.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  fillIn,
  gradeClass,
  questionKinds,
  readLesson,
  resultsOf,
  variantOf,
  variantText,
  handedOut,
  writeResults,
} from '../../engine/index';
import { answered, asking, fenced, lessonFrom, only, problemsIn, small } from './lessons-support';

describe('a lesson', () => {
  it('is prose, blocks and questions in the order of the text', () => {
    const source = `# Title\n\nprose\n\n${fenced('attention step=scores cell=1,0', small)}more\n\n~~~attention-question\n{ "kind": "shape", "prompt": "?", "step": "v" }\n~~~\n`;
    const lesson = lessonFrom(source);
    assert.equal(lesson.title, 'Title');
    assert.deepEqual(
      lesson.parts.map((p) => p.kind),
      ['prose', 'block', 'prose', 'question'],
    );
    const [block] = lesson.blocks;
    assert.deepEqual([block?.id, block?.view], ['block1', { step: 'scores', cell: [1, 0] }]);
    assert.deepEqual([only(lesson).id, only(lesson).about], ['q1', 'block1']);
  });

  it('takes a spec with the defaults for what is absent, a literal, a text, and another block with changes', () => {
    const source = [
      fenced('attention id=json', '{ "start": { "from": "scores", "scores": [[1, 2]], "dK": 4 } }'),
      fenced('attention id=literal mask=causal', small),
      fenced('attention id=text heads=2 start.tokenizer=characters', 'the cat'),
      fenced('attention id=again from=literal mask={"kind":"padding","visible":2} scale=none', ''),
    ].join('\n');
    const [json, literal, text, again] = lessonFrom(source).blocks.map((b) => b.spec);
    assert.equal(json?.scale, 'sqrt_d_k');
    assert.equal(literal?.mask, 'causal');
    assert.deepEqual([text?.heads, text?.start], [2, { from: 'text', text: 'the cat', tokenizer: 'characters' }]);
    assert.deepEqual([again?.scale, again?.mask], ['none', { kind: 'padding', visible: 2 }]);
    assert.deepEqual(again?.start, literal?.start);
    const [spec] = lessonFrom(fenced('attention', '{ "start": { "from": "text", "text": "the cat" } }')).blocks;
    assert.deepEqual(spec?.spec.start, { from: 'text', text: 'the cat', tokenizer: 'words' });
  });

  it('leaves other fences, and what stands within them, to Markdown', () => {
    const source = '````markdown\n```attention-question\n{ broken\n```\n````\n\n``` attention` is code\n\n<!-- x -->\n';
    const lesson = lessonFrom(source);
    assert.deepEqual(lesson.parts, [{ kind: 'prose', text: source, range: { start: 0, end: source.length } }]);
  });

  it('ends a fence with one as long as it began', () => {
    assert.deepEqual(lessonFrom('````text\n```\n```attention\nQ = [[1\n````\n').blocks, []);
  });

  it('keeps script and HTML as the text that they are', () => {
    const source = '# <script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n';
    const lesson = lessonFrom(source);
    assert.equal(lesson.title, '<script>alert(1)</script>');
    assert.deepEqual(lesson.parts.map((p) => p.kind === 'prose' && p.text), [source]); // prettier-ignore
  });

  it('puts computed figures into texts', () => {
    const lesson = lessonFrom(asking({ kind: 'shape', prompt: '{{scores[1,0]}} {{ a:scaled[1,0] 6 }} {{v[2]}} {{weights}}', step: 'v' }));
    // 0·1 + 2·1 = 2; 2/√2 = 1.414214; row 2 of V; 3×3
    assert.equal(fillIn(only(lesson).prompt, lesson, 'a').text, '2 1.414214 5  6 3×3');
  }); // prettier-ignore
});

describe('problems in a lesson have their place', () => {
  const block = fenced('attention id=a', small);
  const question = (body: string): string => `${block}${fenced('attention-question', body)}`;
  const cases: readonly [what: string, source: string, expected: readonly string[]][] = [
    ['broken JSON', question('{ "kind": "shape",\n  "prompt": }'), ['8:13 expected a value: number, "text", [ or {, found “}”']],
    ['JSON that ends', question('{ "kind": "shape"'), ['7:18 expected “,” or “}”, found the end of the block']],
    ['a field given twice', question('{ "kind": "shape", "kind": 1 }'), ['7:20 “kind” is given twice']],
    ['an unknown field', question('{ "kind": "shape", "promt": "?", "step": "v" }'), ['7:1 prompt: expected a text that is not empty, found nothing', '7:20 promt: unknown field']],
    ['an unknown kind', question('{ "kind": "guess" }'), ['7:11 kind: expected "choose" or "number" or "shape" or "matrix" or "pick-cell" or "find-wrong-step" or "order-steps" or "text", found "guess"']],
    ['a step that is absent', question('{ "kind": "shape", "prompt": "?", "step": "wq" }'), ['7:43 no step wq']],
    ['a cell outside', question('{ "kind": "matrix", "prompt": "?", "step": "v", "cells": [[0, 1],\n [3, 0]] }'), ['8:2 v[3,0] is outside of 3×2']],
    ['a tie', question('{ "kind": "pick-cell", "prompt": "?", "step": "scores", "take": "largest", "column": 2 }').replace('[0, -1]', '[0, 0]'), ['7:65 [0,2] and [1,2] of scores are equal in 4 digits']],
    ['two orders', question('{ "kind": "order-steps", "prompt": "?", "steps": ["q", "k", "scores"] }'), ['7:50 q and k do not need each other: both orders are right']],
    ['no statement that is true', question('{ "kind": "choose", "prompt": "?", "options": [\n{ "text": "x", "claim": { "is": "shape", "step": "v", "shape": [9, 9] } },\n{ "text": "y", "claim": { "is": "shape", "step": "v", "shape": [8] } }] }'), ['7:47 none of the 2 statements is true']],
    ['two statements that are true', question('{ "kind": "choose", "prompt": "?", "options": [\n{ "text": "x", "claim": { "is": "shape", "step": "v", "shape": [3, 2] } },\n{ "text": "y", "claim": { "is": "property", "property": "rows-sum-to-1" } }] }'), ['9:1 statements 1 and 2 are true; exactly one must be']],
    ['choose without options', question('{ "kind": "choose", "prompt": "?" }'), ['7:1 options: expected a list of at least 2, found nothing']],
    ['a field that would be ignored', question('{ "kind": "number", "prompt": "?", "of": { "step": "v", "take": "sum", "cell": [0, 0] } }'), ['7:72 of.cell: unknown field']],
    ['a gradient to nowhere', question('{ "kind": "number", "prompt": "?", "of": { "step": "weights", "take": "gradient", "cell": [0, 0] } }'), ['7:42 of.to: expected a whole number from 0, found nothing']],
    ['vary of a block from another', `${block}${fenced('attention from=a vary=no', '')}`, ['6:13 vary with from=a: it varies as a does']],
    ['a block too large for a lesson', fenced('attention', 'a '.repeat(400)), ['1:1 block1: 3046400 multiply-adds and 5382400 bytes, a lesson computes at most 1048576 and 16777216']],
    ['a question about no block', fenced('attention-question', '{ "kind": "shape", "prompt": "?", "step": "v" }'), ['1:1 no block before this question']],
    ['a figure that names nothing', `${block}\nrow {{weights[0,7]}}\n`, ['7:5 weights[0,7] is outside of 3×3']],
    ['shapes that do not fit', '# T\n\n```attention\nQ = [[1, 2]]\nK = [[1, 2, 3]]\n```\n', ['5:5 K has 3 columns, Q has 2']],
    ['a field of a spec', '```attention\n{ "start": { "from": "scores", "scores": [[1]], "dK": 4 },\n  "maks": 1 }\n```\n', ['3:3 maks: unknown field']],
    ['a word of the opening line', '```attention stp=scores\nthe cat\n```\n', ['1:14 stp: unknown']],
    ['a setting of the opening line', '```attention mask=causual\nthe cat\n```\n', ['1:14 mask: expected "none" or "causal", found "causual"']],
    ['a step that is not there to open', '```attention step=wo\nthe cat\n```\n', ['1:13 no step wo']],
    ['a block from itself', '```attention id=a from=a\n```\n', ['1:13 no block a before this one']],
    ['a vocabulary, which is no part of a lesson', `# T\n\n${fenced('attention', '{ "start": { "from": "text", "text": "a b", "tokenizer": "gpt2" } }')}`, ['4:58 start.tokenizer: a lesson takes words, characters or bytes, found gpt2']],
    ['a vocabulary in the opening line', fenced('attention start.tokenizer=cl100k_base', 'the cat'), ['1:14 start.tokenizer: a lesson takes words, characters or bytes, found cl100k_base']],
    ['an id twice', `${block}${block}`, ['6:1 the id a is given twice']],
    ['a fence that is not closed', '# T\n\n```attention\nthe cat\n', ['3:1 the block attention is not closed']],
    ['a block in a list', '- ```attention\n  the cat\n  ```\n', ['1:1 an attention block in a list or a quotation, or indented, is not read']],
  ]; // prettier-ignore
  for (const [what, source, expected] of cases)
    it(what, () => {
      assert.deepEqual(problemsIn(source), expected);
    });

  it('says once what is wrong with a block, not again at all that follows from it', () => {
    const shape = (about: object): string =>
      fenced('attention-question', JSON.stringify({ kind: 'shape', prompt: '{{weights[0]}}', step: 'v', ...about }));
    const ragged = fenced('attention id=b', 'Q = [[1, 2], [3]]');
    const late = fenced('attention id=c from=b', '');
    const value = { step: 'v', cell: [0, 0], about: 'b' };
    const compared = fenced(
      'attention-question',
      JSON.stringify({ kind: 'number', prompt: '?', about: 'a', of: value }),
    );
    const source = `${block}${ragged}\nrow {{weights[7]}} {{b:weights[7]}}\n\n${shape({})}${late}${shape({})}${compared}`;
    assert.deepEqual(problemsIn(source), ['7:14 row 2 has 1 number, row 1 has 2']);
    assert.deepEqual(problemsIn(`${source}${shape({ about: 'a', step: 'vv' })}`).slice(1), ['25:50 no step vv']);
    const large = fenced('attention', 'a '.repeat(400));
    assert.equal(problemsIn(`${large}\n{{weights[0]}}\n\n${shape({})}`).length, 1);
  });

  it('counts a block that is not read, so that the names of the others stay', () => {
    const source = `${fenced('attention', 'Q = [[1')}${fenced('attention', small)}`;
    assert.deepEqual(readLesson(source).lesson.blocks.map(({ id }) => id), ['block2']);
  }); // prettier-ignore

  it('5 MB of prose: at the limit, at once', () => {
    const before = performance.now();
    const { problems } = readLesson('word '.repeat(1 << 20));
    assert.equal(problems[0]?.message, 'the lesson has 5242880 characters, the limit is 1048576');
    assert.deepEqual(problems[0]?.range, { start: 1 << 20, end: (1 << 20) + 1 });
    assert.ok(performance.now() - before < 500);
  });

  it('brackets without end are refused, not followed', () => {
    assert.match(problemsIn(fenced('attention-question', '['.repeat(100_000)))[0] ?? '', /at most 32 brackets/);
  });

  it('a nearest name is offered', () => {
    const [problem] = readLesson('```attention stp=scores\nthe cat\n```\n').problems;
    assert.equal(problem?.hint, 'Did you mean step?');
  });
});

describe('reading a lesson', () => {
  const pieces = fc.constantFrom(
    '```', '~~~', '````', 'attention', 'attention-question', '\n', ' ', '\r\n', '{', '}', '[', ']', '"', ':', ',', '1', '-', '\\',
    'id=a', 'from=a', 'mask=causal', 'cell=1,0', '"kind"', '"number"', '"prompt"', '"of"', '{{weights[0,0]}}', '{{', '>', '- ',
    '\u0000', '\ud800', 'Q = [[1]]', '{"start":{"from":"ids","ids":[0,1]}}', '"__proto__"', '{"kind":"shape","prompt":"?","step":"v"}',
  ); // prettier-ignore

  it('never throws, and every problem lies in the text', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
        const source = list.join('');
        const { problems } = readLesson(source);
        for (const { range, message } of problems)
          assert.ok(range && range.start >= 0 && range.start <= range.end && range.end <= source.length, message);
      }),
      { numRuns: 3000 },
    );
  });

  it('never throws on questions with arbitrary fields', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const field = fc.constantFrom('kind', 'prompt', 'of', 'step', 'cells', 'options', 'steps', 'take', 'claimed', 'among', 'digits', 'about');
    const kind = fc.constantFrom(...questionKinds);
    fc.assert(
      fc.property(kind, fc.dictionary(field, value), (k, fields) => {
        readLesson(asking({ kind: k, prompt: 'p', step: 'scores', ...fields }));
      }),
      { numRuns: 500 },
    );
  }); // prettier-ignore

  it('takes time in proportion to the text', function () {
    this.timeout(30_000);
    const one = `word {{ \`\`\` [ " \n\n${fenced('attention vary=no', '[[1, 2], [3, 4]]')}\n`;
    const time = (times: number): number => {
      const source = one.repeat(times);
      const before = performance.now();
      readLesson(source);
      return performance.now() - before;
    };
    time(50);
    const [short, long] = [time(100), time(800)];
    assert.ok(long < 8 * 4 * Math.max(short, 10), `${short.toFixed(0)} ms for 100, ${long.toFixed(0)} ms for 800`);
  });
});

describe('variants', () => {
  const source = [
    fenced('attention id=a', '{ "start": { "from": "qkv", "q": [[0.5, -1], [0, 2]], "k": [[1, 1], [2, -2]], "v": [[1], [3]] } }'),
    fenced('attention id=b from=a scale=none', ''),
    fenced('attention id=c vary=no', 'X = [[1, 2], [3, 4]]'),
    fenced('attention-question', '{ "kind": "pick-cell", "prompt": "?", "about": "a", "step": "scores", "take": "largest" }'),
  ].join('\n'); // prettier-ignore
  const lesson = lessonFrom(source);
  const variant = (seed: number): typeof lesson => {
    const found = variantOf(lesson, seed);
    assert.ok(found.ok, JSON.stringify(found));
    return found.value;
  };
  const starts = (seed: number): unknown[] => variant(seed).blocks.map((b) => b.spec.start);

  it('have other numbers on the same grid, in the same bounds, with the same zeros', () => {
    for (let seed = 0; seed < 50; seed++) {
      const start = variant(seed).blocks[0]?.spec.start;
      assert.ok(start?.from === 'qkv');
      const q = start.q.flat() as number[];
      assert.equal(q[2], 0);
      assert.ok([q[0], q[1], q[3]].every((x) => x !== 0 && Number.isInteger(2 * (x ?? NaN)) && Math.abs(x ?? NaN) <= 2));
      assert.ok((start.v?.flat() as number[]).every((x) => Number.isInteger(x) && x >= 1 && x <= 3));
    }
  }); // prettier-ignore

  it('have as many digits as the written numbers: 1 to 9, and 10 to the largest that is written', () => {
    const digits = lessonFrom(fenced('attention id=a', 'X = [[5, 20], [7, 30]]'));
    const drawn = Array.from({ length: 200 }, (_, seed) => {
      const found = variantOf(digits, seed);
      const start = found.ok ? found.value.blocks[0]?.spec.start : undefined;
      assert.ok(start?.from === 'x');
      return start.x as number[][];
    });
    const column = (j: number): number[] =>
      [...new Set(drawn.flat().map((row) => row[j] ?? NaN))].sort((x, y) => x - y);
    assert.deepEqual(column(0), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.deepEqual(
      column(1),
      Array.from({ length: 21 }, (_, i) => 10 + i),
    );
  });

  it('are the same for the same seed, and differ between seeds', () => {
    assert.deepEqual(starts(7), starts(7));
    assert.equal(new Set(Array.from({ length: 20 }, (_, seed) => JSON.stringify(starts(seed)))).size, 20);
  });

  it('carry the numbers to blocks made from others, and leave vary=no as it is', () => {
    const [a, b, c] = starts(3);
    assert.deepEqual(b, a);
    assert.deepEqual(c, lesson.blocks[2]?.spec.start);
    assert.equal(variant(3).blocks[1]?.spec.scale, 'none');
  });

  it('have no ties', () => {
    for (let seed = 0; seed < 100; seed++) assert.equal(answered(only(lesson), variant(seed)).kind, 'pick-cell');
  });

  it('are refused, naming the question, where its claim holds for the written numbers alone', () => {
    const claim = { is: 'shows', step: 'v', numbers: [1, 2, 3, 4, 5, 6] };
    const typed = lessonFrom(
      asking({ kind: 'choose', prompt: '?', options: [{ text: 'x', claim }, { text: 'y', claim: { ...claim, numbers: [0, 0, 0, 0, 0, 0] } }] }),
    );
    const found = variantOf(typed, 1);
    assert.ok(!found.ok);
    assert.match(found.problems[0]?.message ?? '', /^q1 with other numbers: none of the 2 statements is true$/);
  }); // prettier-ignore

  it('name the question that stands in the way in every draw, not a tie that happened in the last', () => {
    const tied = '{ "id": "tied", "kind": "pick-cell", "prompt": "?", "step": "scores", "take": "largest" }';
    const typed =
      '{ "id": "typed", "kind": "pick-cell", "prompt": "?", "step": "q", "claimed": [[1, 2], [2, 1], [1, 1], [3, 2]] }';
    const matrices =
      'Q = [[1, 2], [2, 1], [1, 1], [3, 3]]\nK = [[1, 1], [1, 2], [2, 3], [3, 1]]\nV = [[1], [1], [1], [1]]';
    const both = lessonFrom(
      [fenced('attention', matrices), ...[tied, typed].map((q) => fenced('attention-question', q))].join('\n'),
    );
    for (let seed = 0; seed < 10; seed++) {
      const found = variantOf(both, seed);
      assert.ok(!found.ok);
      assert.match(found.problems[0]?.message ?? '', /^typed with other numbers: /);
    }
  });

  it('have another seed only where something is drawn, here or in a block made from it', () => {
    const drawing = lessonFrom(
      [
        fenced('attention id=fixed', 'X = [[1, 2], [3, 4]]'),
        fenced('attention id=base', 'X = [[1, 2], [3, 4]]'),
        fenced('attention id=drawn from=base projections={"from":"random","dK":2,"dV":2}', ''),
        fenced('attention id=text', 'the cat'),
      ].join('\n'),
    );
    const found = variantOf(drawing, 5);
    assert.ok(found.ok);
    const seeds = found.value.blocks.map(({ spec }) => spec.random.seed);
    assert.equal(seeds[0], drawing.blocks[0]?.spec.random.seed);
    assert.ok([seeds[1], seeds[3]].every((seed) => seed !== 0));
    assert.equal(seeds[2], seeds[1]);
    const written = variantText(drawing, 5);
    assert.ok(written.ok);
    assert.deepEqual(
      [...written.value.text.matchAll(/id=(\w+)[^\n]* random\.seed=/g)].map(([, id]) => id),
      ['base', 'text'],
    );
  });

  it('need a seed that NumPy takes', () => {
    const found = variantOf(lesson, -1);
    assert.ok(!found.ok);
    assert.match(found.problems[0]?.message ?? '', /-1/);
  });
});

describe('a lesson as students get it', () => {
  it('is without the teacher’s notes, and with what looks like one in code', () => {
    const lesson = '# T\n\n<!-- answer: 3 -->\nWords.\n\n> note: ask first\n> and wait\n\n> a quotation\n\n```html\n<!-- code -->\n```\n';
    assert.equal(handedOut(lesson), '# T\n\n\nWords.\n\n\n\n> a quotation\n\n```html\n<!-- code -->\n```\n');
  });

  it('has a hash that the grader knows, whether notes are in it or not', () => {
    const lesson = lessonFrom(`${asking({ kind: 'number', prompt: '?', of: { step: 'scores', take: 'rows' } })}\n<!-- 3 -->\n`);
    const student = lessonFrom(handedOut(lesson.source));
    const text = writeResults(resultsOf(student, { student: 'Ada', seed: null, program: '1.0.0', complete: true, answers: [] }));
    const flagsOf = (source: string): readonly string[] => {
      const report = gradeClass(source, [{ name: 'Ada.results.json', text }]);
      assert.ok(report.ok);
      return report.value.students.flatMap(({ flags }) => flags.map(({ code }) => code));
    };
    assert.deepEqual(flagsOf(lesson.source), []);
    assert.deepEqual(flagsOf(`${lesson.source}\nMore words.\n`), ['other-lesson']);
  });
}); // prettier-ignore
