import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { extendMarkdownIt, type MarkdownIt } from '../../../extension/lesson-authoring/preview';
import { lessonIn } from '../../../extension/lesson-authoring/read';
import { finish, setNameReader, type NameReader } from '../../../engine/index';
import type { NamedValues } from '../../../engine/parse/index';
import { nameReader } from '../../../engine/program/index';
import { asking, fenced, small } from '../../engine/lessons-support';
import { provideModels } from '../../engine/box-support';

type Make = new (options: { html: boolean }) => MarkdownIt;
const Markdown = createRequire(__filename)('markdown-it') as Make;
const plain = (text: string, ...values: readonly (string | number)[]): string =>
  text.replace(/\{(\d+)\}/g, (_, i: string) => String(values[Number(i)]));
const fail = (error: unknown): never => {
  throw error instanceof Error ? error : new Error(String(error));
};
const rendered = (source: string, ready: () => void, milliseconds: number): string =>
  extendMarkdownIt(new Markdown({ html: true }), plain, { failed: fail, ready, milliseconds }).render(source);
const html = (source: string): string => rendered(source, () => fail('everything is there'), 60_000);
const wordsOf = (markup: string): string => markup.replace(/<[^>]*>/g, ' ').replace(/&#(\d+);/g, (_, c: string) => String.fromCharCode(Number(c))).replace(/\s+/g, ' '); // prettier-ignore

describe('a lesson in the Markdown preview', () => {
  it('that takes long is shown as code until it has been read, and is drawn again then', async () => {
    const source = `${fenced('attention id=slow dModel=99', 'The cat sat')}\nIt is {{slow:x[0][0]}}.`;
    let wait = '';
    await new Promise<void>((ready) => (wait = rendered(source, ready, 0)));
    assert.match(wordsOf(wait), /Computing this lesson….*The cat sat.*\{\{slow/);
    assert.doesNotMatch(wait, /<details/);
    assert.match(wordsOf(html(source)), /All \d+ steps/);
  });

  it('whose blocks compute something is drawn when another process has said what', async () => {
    const source = fenced(
      'attention id=a step=output',
      'X = np.array([[1., 2.], [3., 4.]])\nW_q = np.eye(2)\nW_k = 2 * np.eye(2)\nW_v = np.ones((2, 2))',
    );
    const answers = new Map<string, NamedValues>();
    const namesOf: NameReader['namesOf'] = function* (text, above) {
      if (!answers.has(text)) yield new Promise((done) => setTimeout(done, 5)).then(() => answers.set(text, finish(nameReader.namesOf(text, above)) as NamedValues)); // prettier-ignore
      return answers.get(text);
    };
    setNameReader({ ...nameReader, namesOf });
    assert.equal(lessonIn(source).problems.length, 3);
    let wait = '';
    await new Promise<void>((ready) => (wait = rendered(source, ready, 60_000)));
    assert.match(wordsOf(wait), /Computing this lesson…/);
    // NumPy 1.24: 6.999174229342285 and 6.999999989919828, twice each.
    assert.match(wordsOf(html(source)), /6\.999\S* +6\.999\S*/);
    assert.deepEqual(lessonIn(source).problems, []);
    setNameReader(nameReader);
  });

  it('of which the text changes is not read on', async () => {
    const called: string[] = [];
    const sources = Array.from({ length: 6 }, (_, i) =>
      fenced(`attention dModel=${700 + i}`, 'The cat sat on the mat'),
    );
    for (const [i, source] of sources.entries()) rendered(source, () => called.push(String(i)), 0);
    for (let i = 0; called.length < 4; i++) {
      assert.ok(i < 1000, `only ${called.join()} were read`);
      await new Promise((done) => setTimeout(done, 10));
    }
    assert.deepEqual(called.sort(), ['2', '3', '4', '5']);
  });

  it('has a block as a table with its numbers, its shape and its formula', () => {
    const markup = html(`# T\n\n${fenced('attention id=a step=scores cell=1,0', small)}`);
    const words = wordsOf(markup);
    // Q·Kᵀ in NumPy: [[1, 3, 0], [2, 0, -2], [2, 3, -1]]
    assert.match(words, /\(3×3\)/);
    const cells = [...markup.split('<details')[0]?.matchAll(/<td style="[^"]*tabular-nums[^"]*">([^<]*)</g) ?? []].map((m) => m[1]);
    assert.deepEqual(cells, ['1', '3', '0', '2', '0', '−2', '2', '3', '−1']);
    assert.match(markup, /<code>S = Q\\,K\^\{\\top\}<\/code>/);
    assert.equal(markup.match(/outline:2px/g)?.length, 1);
  }); // prettier-ignore

  it('has large blocks as pictures of at most 64 cells a side, and every head', () => {
    const markup = html(fenced('attention heads=2 step=weights', 'word '.repeat(100)));
    const sizes = [...markup.matchAll(/viewBox="0 0 (\d+) (\d+)"/g)].map((m) => [Number(m[1]), Number(m[2])]);
    assert.ok(sizes.length > 5);
    for (const [width = 0, height = 0] of sizes) assert.ok(width <= 64 && height <= 64);
    assert.match(wordsOf(markup), /head 0 .*head 1/);
  });

  it('refuses to draw more than 256 tokens, and says so', () => {
    const rows = JSON.stringify(Array.from({ length: 300 }, () => [1, 2]));
    assert.match(
      wordsOf(html(fenced('attention', rows))),
      /block1: 300 rows or columns; a preview draws at most 256\./,
    );
  });

  it('has a question without its answer', () => {
    const question = {
      kind: 'number', prompt: 'What is {{scores[0,0]}} + 2?', of: { step: 'scores', cell: [1, 2] }, digits: 2, explanation: 'SECRET', hints: ['HINT'],
    }; // prettier-ignore
    const words = wordsOf(html(asking(question)).split('Question q1')[1] ?? '');
    assert.match(words, /What is 1 \+ 2\?.*2 digits after the point.*HINT/);
    assert.ok(!/SECRET|−2/.test(words), words);
  });

  it('has the formulas, the code and the numbers of statements that the page of the lesson has', () => {
    const options = ['$q < k$ of `<b>`', 'costs $5 and $6'].map((text, i) => ({ text, claim: { is: 'shape', step: 'scores', shape: [3 - i, 3] } }));
    const markup = html(asking({ kind: 'choose', prompt: 'Is $d_k$ right?', options }));
    assert.ok(!html(asking({ kind: 'shape', prompt: '$katex <img src=x>$', step: 'v' })).includes('<img'));
    assert.match(markup, /<b>Is <code>d_k<\/code> right\?<\/b>/);
    assert.match(markup, /<ol><li><code>q \\lt  k<\/code> of <code>&#?\w+;b&#?\w+;<\/code><\/li><li>costs \$5 and \$6<\/li><\/ol>/);
  }); // prettier-ignore

  it('folds what a question asks for, and nothing else', () => {
    const source = (step: string): string =>
      asking({ kind: 'number', prompt: '?', of: { step: 'weights', cell: [1, 2] } }).replace(
        'id=a',
        `id=a step=${step}`,
      );
    assert.match(
      html(source('weights')),
      /<details><summary>Answer first, then look<\/summary><div[^>]*>Attention weights/,
    );
    assert.ok(!html(source('scores')).includes('Answer first'));
  });

  it('does not tell the order of steps, nor colours the blanks of a matrix', () => {
    const order = html(asking({ kind: 'order-steps', prompt: '?', steps: ['scaled', 'q', 'scores'] }));
    assert.match(wordsOf(order), /q · scaled · scores/);
    const blank = html(asking({ kind: 'matrix', prompt: '?', step: 'scores', cells: [[0, 1]] })).split('Question')[1];
    assert.equal(blank?.match(/background:transparent">\?</g)?.length, 1);
  });

  it('has problems with line and column at the block that has them', () => {
    const source = `# T\n\n${fenced('attention', 'Q = [[1, 2]]\nK = [[1, 2, 3]]')}`;
    assert.match(wordsOf(html(source)), /line 5, column 5: K has 3 columns, Q has 2\./);
  });

  it('fills in figures of the prose, and leaves those of other documents', () => {
    assert.match(html(`${fenced('attention', small)}\nIt is {{scores[1,2]}}.\n`), /It is −2\./);
    assert.match(html('It is {{scores[1,2]}}.\n'), /It is \{\{scores\[1,2\]\}\}\./);
  });

  it('lets nothing of a lesson become markup', () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const source = [
      fenced(`attention id=a labels={"queries":["<script>",${JSON.stringify(evil).replaceAll(' ', '')},"b"]}`, small),
      fenced('attention', `{"start":{"from":"text","text":${JSON.stringify(evil)},"tokenizer":"words"}}`),
      fenced('attention-question', JSON.stringify({ kind: 'shape', prompt: evil, step: 'v', hints: [evil] })),
      fenced(`attention ${evil}`, 'x'),
    ].join('\n');
    const markup = html(source);
    assert.ok(!/<(?:script|img)/.test(markup), /.{40}<(?:script|img).*/.exec(markup)?.[0]);
  });

  it('leaves other documents, and fences that are none, as they are', () => {
    for (const source of ['```js\n1\n```\n', '```attention-span\nx\n```\n', 'attention'])
      assert.equal(html(source), new Markdown({ html: true }).render(source));
  });

  before(provideModels);

  it('draws every block and question of the course, each lesson in less than 3 s of computing', function () {
    this.timeout(60_000);
    const folder = join(__dirname, '../../../extension/lessons');
    for (const name of readdirSync(folder).filter((n) => /^\d\d-/.test(n))) {
      const source = readFileSync(join(folder, name), 'utf8');
      const before = process.cpuUsage();
      const markup = html(source);
      const { user } = process.cpuUsage(before);
      assert.ok(user < 3e6, `${name}: ${user / 1000} ms`);
      assert.ok(!markup.includes('role="alert"') && !markup.includes('{{'), name);
      const fences = source.match(/^```attention/gm)?.length;
      assert.equal(markup.match(/border-left:3px/g)?.length, fences, name);
    }
  });
});
