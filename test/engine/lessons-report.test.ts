// What a class reads: READMEs, report and tables, in the language of whoever asks, with formulas that a person can read.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { gradeClass, keyOf, planClass, readLesson, reportCsv, reportHtml, resultsOf, useTexts, writeResults, type Texts } from '../../engine/index'; // prettier-ignore
import { inlineHtml, inlineText } from '../../engine/lessons/inline';
import { csvLine } from '../../engine/lessons/csv';
import { fenced, small } from './lessons-support';

const root = join(__dirname, '../..');
const german = JSON.parse(readFileSync(join(root, 'extension/l10n/bundle.l10n.de.json'), 'utf8')) as Texts;

const source = `# Why $\\sqrt{d_k}$

${fenced('attention id=b', small)}
${fenced('attention-question', JSON.stringify({ id: 'c', kind: 'choose', prompt: 'Is $QK^\\top$ divided by $\\sqrt{d_k}$, in `b`?', options: [
  { text: 'No: $W_q$ has {{scores[0,0]}}.', claim: { is: 'shape', step: 'scores', shape: [9, 9] } },
  { text: 'Yes: $\\frac{1}{2}$.', claim: { is: 'shape', step: 'scores', shape: [3, 3] } },
] }))}
${fenced('attention-question', JSON.stringify({ id: 'm', kind: 'matrix', prompt: 'Fill in.', step: 'scores', cells: [[0, 0], [1, 1]] }))}`; // prettier-ignore

/** Two who chose the wrong statement. */
function graded() {
  const { lesson, problems } = readLesson(source);
  assert.deepEqual(problems, []);
  const files = ['Ada', 'Grace'].map((student) => {
    const answers = [
      { question: 'c', response: 0, attempts: 1, minutes: 1 },
      { question: 'm', response: [1, null], attempts: 1, minutes: 1 },
    ];
    const results = resultsOf(lesson, { student, seed: null, program: '0', complete: true, answers });
    return { name: `${student}.results.json`, text: writeResults(results) };
  });
  const report = gradeClass(source, files);
  assert.ok(report.ok);
  return report.value;
}

describe('formulas where no page typesets them', () => {
  for (const [latex, text, html] of [
    ['$d_k$', 'd_k', '<var>d<sub>k</sub></var>'],
    ['$\\sqrt{d_k}$', '√d_k', '<var>√d<sub>k</sub></var>'],
    ['$W_{ij}^\\top x$', 'W_ij⊤x', '<var>W<sub>ij</sub><sup>⊤</sup>x</var>'],
    ['$\\frac{a + b}{2}$', '(a + b)/2', '<var>(a + b)/2</var>'],
    ['$e^{x_i}$', 'e^(x_i)', '<var>e<sup>x<sub>i</sub></sup></var>'],
    ['$\\mathrm{softmax}(z)_j \\le 1$', 'softmax(z)_j ≤1', '<var>softmax(z)<sub>j</sub> ≤1</var>'],
    ['it costs $5 and $6', 'it costs $5 and $6', 'it costs $5 and $6'],
    ['`$a$` and **$b$**', '$a$ and b', '<code>$a$</code> and <strong><var>b</var></strong>'],
    ['*keys* is 2 * 3 * 4, **not *5* now**', 'keys is 2 * 3 * 4, not 5 now', '<em>keys</em> is 2 * 3 * 4, <strong>not <em>5</em> now</strong>'],
    ['$<b>$ <i>', '<b> <i>', '<var>&#60;b&#62;</var> &#60;i&#62;'],
    ['$}{_^\\', '$}{_^\\', '$}{_^\\'],
    ['$x_$', 'x_', '<var>x<sub></sub></var>'],
    ['$\\sqrt{a$', '√a', '<var>√a</var>'],
  ] as const)
    it(latex, () => {
      assert.equal(inlineText(latex), text);
      assert.equal(inlineHtml(latex), html);
    }); // prettier-ignore
});

describe('hostile lines', () => {
  /** What is marked up, as one expression says it: quadratic, and so only for short texts. */
  const marked = /(`+)(?!`)(.+?)(?<!`)\1(?!`)|\*\*(?=\S)(.+?)(?<=\S)\*\*|(?<!\*)\*(?=[^\s*])(.+?)(?<=[^\s*])\*(?!\*)|\$(?=[^\s$])([^$]{0,999}?[^\s\\$])\$(?!\d)/gs;
  const byExpression = (text: string): string =>
    text.replace(marked, (_, __, code?: string, strong?: string, em?: string, latex?: string) =>
      code !== undefined ? `<code>${code}</code>` : strong !== undefined ? `<strong>${byExpression(strong)}</strong>` : em !== undefined ? `<em>${byExpression(em)}</em>` : `<var>${latex ?? ''}</var>`);

  it('are marked up where the expression says', () => {
    const line = fc.string({ unit: fc.constantFrom('`', '*', '**', '$', ' ', 'a', '1', '\n', '漢'), maxLength: 24 });
    let marks = 0;
    fc.assert(
      fc.property(line, (text) => {
        marks += Number(byExpression(text) !== text);
        assert.equal(inlineHtml(text), byExpression(text));
      }),
      { numRuns: 5000 },
    );
    assert.ok(marks > 500, String(marks));
  });

  /** Seconds of this process, whatever else the machine does. */
  const seconds = (work: () => unknown): number => {
    const start = process.cpuUsage();
    work();
    return process.cpuUsage(start).user / 1e6;
  };

  for (const unit of ['*a ', '*a* ', '**a ', '`a', '`', '``a', '*', '**', '$a ', '$', '$a$', '$\\sqrt{', '**`$a', '`a ``b ```c '])
    it(`of 200 kB are marked up in linear time: ${unit}`, () => {
      // Quadratic, they took 5 s to a minute.
      assert.ok(seconds(() => inlineHtml(unit.repeat(200_000 / unit.length))) < 1.5);
    });

  for (const unit of [';', ';\t', '; "', "\r'", '; ='])
    it(`of 200 kB are a field of a table in linear time: ${JSON.stringify(unit)}`, () => {
      assert.ok(seconds(() => csvLine([unit.repeat(200_000 / unit.length)])) < 1.5);
    });
}); // prettier-ignore

describe('the report of a class', () => {
  afterEach(() => useTexts({}));

  it('has formulas and code in prompts, titles and statements, and no dollar signs', () => {
    const html = reportHtml(graded());
    assert.doesNotMatch(html, /\$/);
    assert.match(html, /<h1>Why <var>√d<sub>k<\/sub><\/var><\/h1>/);
    assert.match(html, /<title>Why √d_k: results<\/title>/);
    assert.match(html, /<var>QK<sup>⊤<\/sup><\/var> divided by <var>√d<sub>k<\/sub><\/var>, in <code>b<\/code>\?/);
    // Both chose it: the most common wrong answer.
    assert.match(html, /No: <var>W<sub>q<\/sub><\/var> has [−\d.]+\. \(2×\)/);
  });

  it('writes what was chosen and what is right alike in both tables', () => {
    const [head = '', ada = ''] = reportCsv(graded()).split('\r\n');
    assert.match(head, /,c response,m response,/);
    assert.match(ada, /,1: No: W_q has [-\d.−]+\.,"\[0,0\] = 1, \[1,1\] = –",/);
    const plan = planClass({ lesson: source, name: 'l.md', students: ['Ada'], seed: 1 });
    assert.ok(plan.ok);
    const answers = plan.value.files.find(({ path }) => path === 'teacher/answers.csv')?.text ?? '';
    assert.match(answers, /^Ada,2: Yes: 1\/2\.,"\[0,0\] = [-\d.]+, \[1,1\] = [-\d.]+"/m);
  });

  it('says whose answers were given after the right one was shown, and reads files that do not know it', () => {
    const { lesson } = readLesson(source);
    const file = (student: string, more: object): { name: string; text: string } => {
      const answers = [{ question: 'c', response: 1, attempts: 3, minutes: 1, ...more }];
      const results = resultsOf(lesson, { student, seed: null, program: '0', complete: true, answers });
      return { name: `${student}.results.json`, text: writeResults(results) };
    };
    const report = gradeClass(source, [file('Ada', { revealed: true }), file('Grace', {})]);
    assert.ok(report.ok);
    const { students } = report.value;
    assert.deepEqual(students.map((s) => [s.answers[0]?.mark.verdict, s.answers[0]?.attempts, s.answers[0]?.revealed, s.flags]), [
      ['right', 3, true, []], ['right', 3, undefined, []],
    ]);
    const [head = '', ada = '', grace = ''] = reportCsv(report.value).split('\r\n');
    const at = head.split(',').indexOf('revealed');
    assert.deepEqual([head, ada, grace].map((line) => line.split(',')[at]), ['revealed', 'c', '']);
    const html = reportHtml(report.value);
    assert.equal(html.match(/<small>the answer was shown<\/small>/g)?.length, 1);
    assert.match(html, /title="[^"]*\(the answer was shown\)">✓\*<\/td>/);
  }); // prettier-ignore

  it('counts what was said most, sorts names by their numbers, and says what is none', () => {
    const questions = [
      { kind: 'number', of: { step: 'scores', cell: [0, 1] } }, { kind: 'shape', step: 'v' }, { kind: 'pick-cell', step: 'scores', take: 'smallest' },
      { kind: 'order-steps', steps: ['scores', 'q'] }, { kind: 'choose', among: { step: 'scores', row: 0, take: 'largest' } }, { kind: 'matrix', step: 'scores', cells: [[0, 0], [1, 1]] },
    ];
    const text = `# T\n\n${fenced('attention id=a', small)}${questions.map((q) => fenced('attention-question', JSON.stringify({ prompt: '?', ...q }))).join('')}`;
    const { lesson } = readLesson(text);
    const file = (student: string, ...responses: unknown[]): { name: string; text: string } => {
      const answers = responses.map((response, i) => ({ question: `q${i + 1}`, response: response as never, attempts: 1, minutes: 1 }));
      return { name: `${student}.results.json`, text: writeResults(resultsOf(lesson, { student, seed: null, program: '0', complete: true, answers })) };
    };
    const report = gradeClass(text, [
      file('Ada 10', 9, [2, 3], [1, 1], ['scores', 'q'], 2, [1, 0]),
      file('Ada 2', 9, [2, 3], [2, 2], ['q', 'scores'], 7, [null, 5]),
      file('ada 1', 8, [4, 4], [2, 2], 3, 0.5, 'x'),
      file('Bob', 7, null, [1, 1]),
    ]);
    assert.ok(report.ok);
    const { students, questions: asked } = report.value;
    assert.deepEqual(students.map(({ student, points }) => [student, points]), [['ada 1', 0], ['Ada 2', 1], ['Ada 10', 1], ['Bob', 0]]);
    assert.deepEqual(students.map(({ answers }) => answers.map(({ said }) => said)), [
      ['8', '4×4', '[2,2]', '3', '0.5', 'x'], ['9', '2×3', '[2,2]', 'q → scores', '8', '[0,0] = –, [1,1] = 5'],
      ['9', '2×3', '[1,1]', 'scores → q', '3: 2', '[0,0] = 1, [1,1] = 0'], ['7', '', '[1,1]', '', '', ''],
    ]);
    assert.deepEqual(students[0]?.flags.map(({ code, message }) => `${code}: ${message}`), ['unreadable: responses that are none: q4, q5, q6']);
    assert.deepEqual(asked.map(({ right, partial, wrong, unanswered }) => [right, partial, wrong, unanswered]), [[0, 0, 4, 0], [0, 0, 3, 1], [0, 0, 4, 0], [1, 0, 2, 1], [0, 0, 3, 1], [1, 0, 2, 1]]);
    // Of two that were said equally often the first by its text.
    assert.deepEqual(asked.map(({ commonWrong }) => commonWrong), [{ response: '9', times: 2 }, { response: '2×3', times: 2 }, { response: '[1,1]', times: 2 }, undefined, undefined, undefined]);
  }); // prettier-ignore

  it('is none where the key lists somebody twice or the lesson asks nothing; who is absent has a row', () => {
    const said = (text: string, ...names: string[]): string => {
      const result = gradeClass(text, [], { key: keyOf(text, names.map((student) => ({ student, seed: 1 }))) }); // prettier-ignore
      return result.ok ? result.value.students.map(({ student, flags }) => `${student}: ${flags[0]?.message}`).join() : result.problems.map(({ message }) => message).join(); // prettier-ignore
    };
    assert.equal(said(source, 'Ada', 'Grace', 'Ada'), 'the key lists Ada twice');
    assert.equal(said('# T\n'), 'the lesson has no questions');
    assert.equal(said(`\ufeff${source}`, 'Grace', 'Ada'), 'Ada: nothing was handed in,Grace: nothing was handed in');
  });

  it('is in German where German is spoken', () => {
    useTexts(german);
    const html = reportHtml(graded());
    assert.match(html, /<html lang="de">/);
    assert.match(html, /<h2>Fragen<\/h2>/);
    assert.doesNotMatch(html, />(Students|Questions|Answers|unanswered)</);
  });

  it('sets wide tables smaller on paper', () => {
    const html = reportHtml(graded());
    assert.match(html, /<div style="--columns:2"><div class="scroll"/);
    assert.match(html, /@media print \{[^]*\.students \{ font-size: min\(/);
  });
});

describe('the READMEs of a class', () => {
  afterEach(() => useTexts({}));
  const readmes = (): string[] => {
    const plan = planClass({ lesson: source, name: 'l.md', students: ['Ada'], seed: 1 });
    assert.ok(plan.ok);
    return plan.value.files.flatMap(({ path, text }) => (path.endsWith('README.md') ? [text] : []));
  };

  it('say what to do, in German where German is spoken', () => {
    const english = readmes();
    assert.equal(english.length, 2);
    for (const text of english) assert.match(text, /Explain Attention: (Open Course or Lesson|Grade Class)…/);
    assert.match(english.find((text) => /`l\.md`/.test(text) && /\*\*Ada\*\*/.test(text)) ?? '', /## Hand In/);
    useTexts(german);
    const own = readmes();
    assert.match(own.find((text) => /\*\*Ada\*\*/.test(text)) ?? '', /## Abgeben/);
    const paragraphs = new Set(english.flatMap((text) => text.split('\n')).filter((line) => line.length > 40 && !line.startsWith('    ')));
    for (const line of own.flatMap((text) => text.split('\n'))) assert.ok(!paragraphs.has(line), line);
  }); // prettier-ignore
});

describe('the language of the command line', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'explain-attention-locale-'));
  const program = join(folder, 'dist/cli.js');
  before(() => {
    const define = { PACKAGE_VERSION: '"1.2.3"' };
    buildSync({ entryPoints: [join(root, 'engine/cli/main.ts')], outfile: program, bundle: true, platform: 'node', define }); // prettier-ignore
    cpSync(join(root, 'extension/l10n'), join(folder, 'extension/l10n'), { recursive: true });
    writeFileSync(join(folder, 'l.md'), source);
  });
  let classes = 0;
  /** Sets up a class; the students' README. */
  function readme(words: readonly string[], env: NodeJS.ProcessEnv): string {
    const out = join(folder, `class${classes++}`);
    mkdirSync(out);
    const all = [program, 'class', join(folder, 'l.md'), '--out', out, ...words];
    const { status, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8', env });
    assert.equal(status, 0, stderr);
    return readFileSync(join(out, 'students/everybody/README.md'), 'utf8');
  }

  it('is that of --locale, else of LC_ALL or LANG, else English', () => {
    for (const [words, env, expected] of [
      [[], {}, /## Hand In/],
      [['--locale', 'de'], {}, /## Abgeben/],
      [['--locale=de-AT'], {}, /## Abgeben/],
      [[], { LANG: 'de_DE.UTF-8' }, /## Abgeben/],
      [[], { LANG: 'de_DE.UTF-8', LC_ALL: 'C.UTF-8' }, /## Hand In/],
      [['--locale', 'en'], { LANG: 'de_DE.UTF-8' }, /## Hand In/],
      [[], { LANG: 'xx' }, /## Hand In/],
    ] as const)
      assert.match(readme(words, env), expected);
  });

  it('is that of its usage, and of what it says to a wrong call', () => {
    const commands = [[], ['grade'], ['class'], ['key'], ['lesson']];
    const run = (words: readonly string[], env: NodeJS.ProcessEnv) =>
      spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', env });
    for (const command of commands) {
      const english = run([...command, '--help'], { LANG: 'C' }).stdout;
      assert.match(english, /^Usage: explain-attention/);
      for (const [words, env] of [[['--locale', 'de'], {}], [[], { LANG: 'de_DE.UTF-8' }]] as const) {
        const { stdout, status } = run([...words, ...command, '--help'], env);
        assert.equal(status, 0);
        assert.match(stdout, /^Aufruf: explain-attention/, command.join());
        assert.doesNotMatch(stdout, /\b(Usage|Options|Exit status|FOLDER|the)\b(?! cat)(?! mat)/, stdout);
        // The same options, in the same order.
        const options = (text: string): string[] => [...text.matchAll(/^ {2}(--[a-z]+)/gm)].map(([, name]) => name ?? '');
        assert.deepEqual(options(stdout), options(english));
      }
      const wrong = run(['--locale=de', ...command, '--nonsense', 'a'], {});
      assert.equal(wrong.status, 2);
      assert.match(wrong.stderr, /unbekannte Option|erwartet wird eine Datei/);
    }
    assert.match(run(['--locale', 'tlh'], { LANG: 'de_DE.UTF-8' }).stderr, /--locale tlh: erwartet wird en oder de/);
  }); // prettier-ignore

  it('that is unknown is a usage error', () => {
    for (const words of [['--locale', 'tlh'], ['--locale'], ['--locale=../de']]) {
      const { status, stderr } = spawnSync(process.execPath, [program, 'grade', folder, ...words], {
        encoding: 'utf8',
      });
      assert.equal(status, 2);
      assert.match(stderr, /--locale( .*)?: expected en or de/);
    }
  });
});
