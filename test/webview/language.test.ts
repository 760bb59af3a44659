// The page in the reader's language: every word that it says goes through translation, in German nothing is cut off.
import assert from 'node:assert/strict';
import { openPage, type OpenPage } from './harness';
import { quietly } from './each-page';
import { catExplanation, explanation, qkExplanation, qkvExplanation, sentence, textSpec } from './inputs';
import { inBrackets, inGerman, untranslated } from './languages';
import { lessonMessage, openLesson } from './lesson-harness';
import { goTo } from './page-driver';

/** Names, functions and the texts that tests put in. */
const same = [
  ...['CPU', 'GPU', 'WebGPU', 'WASM', 'NaN', 'ms', 'NumPy', 'PyTorch', 'JSON', 'LaTeX', 'Markdown', 'CSV', 'MATLAB'],
  ...[
    'JavaScript',
    'RandomState',
    'default',
    'rng',
    'float',
    'bfloat',
    'Sigmoid',
    'exp',
    'sin',
    'cos',
    'tanh',
    'max',
    'min',
    'softmax',
    'sum',
  ],
  ...[
    'ALiBi',
    'RoPE',
    'gpt',
    'cl',
    'base',
    'model',
    'heads',
    'inf',
    'TSV',
    'Julia',
    'torch',
    'numpy',
    'nn',
    'Linear',
    'id',
    'np',
    'random',
    'seed',
    'manual',
    'WE',
    'WO',
    'bO',
    'Wq',
    'Wk',
    'Wv',
    'Oh',
    'Oc',
  ],
  ...sentence.split(' '),
  ...['lesson', 'md', 'py', 'typed', 'words', 'broken', 'json'],
];

/** Much at once: heads, added positions, a mask, a cap, a temperature, an output projection. */
const rich = explanation(
  textSpec(sentence, {
    heads: 2,
    mask: 'causal',
    positions: 'sinusoidal-interleaved',
    softcap: 5,
    temperature: 2,
    outputProjection: { from: 'random', bias: true },
  }),
);

const steps = ({ page }: OpenPage): Promise<string[]> =>
  page
    .locator('.timeline [data-step]')
    .evaluateAll((nodes) => [...new Set(nodes.map((node) => node.getAttribute('data-step') ?? ''))]);

const clean = async (open: OpenPage, what: string): Promise<void> =>
  assert.deepEqual(await untranslated(open.page, same), [], what);

describe('the page in another language', function () {
  this.timeout(240_000);
  let open: OpenPage | undefined;
  quietly(() => open);
  const inLanguage = async (language = inBrackets, width = 1200): Promise<OpenPage> =>
    (open = await openPage({ language, width }));

  for (const [name, given] of [
    ['text with every stage', rich],
    ['a text as it comes', catExplanation],
    ['Q and K', qkExplanation],
  ] as const) {
    it(`says nothing untranslated at any step: ${name}`, async () => {
      const at = await inLanguage();
      await at.explain({ ...given, notes: [] });
      for (const step of await steps(at)) {
        await goTo(at, step);
        await at.page.locator('.inspector > *').first().waitFor();
        await clean(at, step);
      }
    });
  }

  it('nor in controls, menus, find, predictions and arcs', async () => {
    const at = await inLanguage();
    const { page } = at;
    await at.explain({ ...catExplanation, notes: [] });
    await page.locator('.header-actions vscode-button[aria-label^="⟦Controls"]').click();
    for (const group of await page.locator('.controls summary').all()) await group.click();
    await clean(at, 'controls');
    await page.locator('[data-control=positions]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.share [aria-haspopup=menu]').click();
    await page.locator('[role=menuitem]').first().waitFor();
    await clean(at, 'share');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+f');
    await page.locator('.find-input').fill('the');
    await page.locator('#find-results li').first().waitFor();
    await clean(at, 'find');
    await page.locator('.find-input').press('Escape');
    await goTo(at, 'weights');
    await page.locator('.arcs svg, .arcs canvas, .arcs .arc-token').first().waitFor();
    await page.locator('.token-button').first().hover();
    await clean(at, 'arcs');
    await page.locator('.stage-walk vscode-button[aria-pressed]').click();
    await page.locator('.predict-form').waitFor();
    await clean(at, 'predict');
  });

  it('nor where something was written, pinned or failed', async () => {
    const at = await inLanguage();
    const { page } = at;
    await at.explain(qkvExplanation);
    await page.locator('[data-tool=pin]').click();
    await goTo(at, 'q');
    await page.locator('[data-matrix=q] .heatmap-cell').first().click();
    await page.keyboard.press('F2');
    await page.locator('.cell-input').fill('7');
    await page.locator('.cell-input').press('Enter');
    await page.locator('[data-tool=drop]').waitFor();
    await goTo(at, 'scores');
    await page.locator('[data-tool=place]').waitFor();
    await clean(at, 'compare');
    await at.send({ type: 'source', state: 'stale' });
    await at.send({ type: 'problems', label: 'lesson.md', problems: [] });
    await page.locator('.banner.error').waitFor();
    await clean(at, 'banners');
  });

  it('nor before anything is explained, and a worker speaks the same language', async () => {
    const at = await inLanguage();
    await at.send({ type: 'settings', settings: { backend: 'cpu', digits: 2 } });
    await at.page.locator('.empty').waitFor();
    await clean(at, 'empty');
    await at.explain({ ...catExplanation, notes: [] });
    await at.send({ type: 'tokenizerFile', name: 'broken.json', text: '{"model":{}}' });
    await at.page.locator('.banner.error .message').first().waitFor();
    assert.match(await at.page.locator('.banner.error .message').first().innerText(), /^⟦/);
  });

  it('nor in a lesson', async () => {
    const lesson = await openLesson(lessonMessage(questions), { language: inBrackets });
    const { page } = lesson;
    const input = page.locator('[data-question="number"] input');
    await input.fill('1');
    await input.press('Enter');
    await page.locator('.verdict[data-verdict="wrong"]').waitFor();
    const found = await untranslated(page, [
      ...same,
      'all',
      'kinds',
      'score',
      'shape',
      'row',
      'by',
      'order',
      'largest',
      'weights',
      'scaled',
      'scores',
      'masked',
      'output',
    ]);
    await lesson.close();
    assert.deepEqual(found, []);
  });

  it('shows German at 320 pixels with nothing cut off and nothing beyond the edge', async () => {
    const at = await inLanguage(inGerman, 320);
    const { page } = at;
    await at.explain(rich);
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    for (const step of ['scores', 'weights', 'output']) {
      await goTo(at, step);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, step);
      assert.deepEqual(await page.evaluate(cutOff), [], step);
    }
    assert.match(await page.locator('.stage-head .step-name').innerText(), /^Ausgabe/);
    await page.locator('.header-actions vscode-button[aria-label^="Einstellungen"]').click();
    for (const group of await page.locator('.controls summary').all()) await group.click();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, 'controls');
    assert.deepEqual(await page.evaluate(cutOff), [], 'controls');
  });
});

/** Buttons, titles and labels whose words do not fit into them. */
function cutOff(): string[] {
  const boxes = document.querySelectorAll<HTMLElement>(
    'button, h1, h2, h3, label, summary, vscode-button, .control-label, .chain th',
  );
  return [...boxes]
    .filter((box) => box.clientWidth > 1 && !box.closest('.timeline, .source'))
    .filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.textContent);
}

const ask = (fields: object): string => `\`\`\`attention-question\n${JSON.stringify(fields)}\n\`\`\`\n`;
const questions = [
  '# All kinds\n\n> note: all\n',
  '```attention id=b step=scores cell=0,1\nQ = [[1, 2], [0, 1]]\nK = [[1, 0], [3, 1]]\nV = [[1, 0], [0, 1]]\n```\n',
  ask({ id: 'number', kind: 'number', prompt: 'Score?', digits: 0, of: { step: 'scores', cell: [0, 1] }, hints: ['Row by row.'] }),
  ask({ id: 'shape', kind: 'shape', prompt: 'Shape?', step: 'scores' }),
  ask({ id: 'matrix', kind: 'matrix', prompt: 'All?', step: 'scores', cells: [[0, 0], [1, 1]], digits: 0 }),
  ask({ id: 'cell', kind: 'pick-cell', prompt: 'Largest?', step: 'scores', take: 'largest' }),
  ask({ id: 'order', kind: 'order-steps', prompt: 'Order?', steps: ['weights', 'scores', 'scaled'] }),
].join('\n'); // prettier-ignore
