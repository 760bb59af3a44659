// Every main view in four themes at three widths: pictures for people (test-results/screenshots/panel), and on each of them
// what can be checked: nothing sticks out, is cut off, covered or tiny, axe-core finds nothing, the console stays silent.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { specFromText, type Problem } from '../../engine/index';
import type { LocatedProblem } from '../../webview/protocol';
import { thorough } from '../host/thorough';
import { violationsIn } from './axe';
import { openPage, type OpenOptions, type OpenPage } from './harness';
import { catExplanation, explanation, fourExplanation, qkvExplanation, textSpec, words } from './inputs';
import { goTo, openControls, type } from './page-driver';
import { themeNames, type ThemeName } from './themes';

const look = readFileSync(join(__dirname, 'look.js'), 'utf8');
const folder = join(__dirname, '../../test-results/screenshots/panel');

/** An editor group beside another, half a window, a whole one. */
const sizes = [
  { width: 320, height: 900 },
  { width: 600, height: 1000 },
  { width: 1200, height: 900 },
];

interface View {
  readonly name: string;
  /** Brings the page, which the view before it left, there. */
  readonly show: (open: OpenPage) => Promise<unknown>;
  /** The themes in which it is taken; all of them unless it is a matter of size. */
  readonly themes?: readonly ThemeName[];
}

const cell = ({ page }: OpenPage, matrix: string, row: number, column: number): Promise<void> =>
  page.locator(`.picture-layer [data-matrix="${matrix}"] [data-row="${row}"][data-column="${column}"]`).first().click();

const ragged = {
  code: 'ragged',
  message: 'row 3 has 2 numbers, row 1 has 4',
  hint: 'Complete row 3.',
  line: 7,
  column: 2,
};

/** A page's problems and notes with lines, as the host sends them. */
const located = (code: string, problems: readonly Problem[]): LocatedProblem[] =>
  problems.map((problem) => {
    const above = code.slice(0, problem.range?.start).split('\n');
    return { ...problem, line: above.length, column: (above.at(-1)?.length ?? 0) + 1 };
  });

const block = `class Block(nn.Module):
    def __init__(self, n_embd, n_head):
        self.attn = nn.MultiheadAttention(n_embd, n_head)
    def forward(self, x):
        return F.scaled_dot_product_attention(x, x, x, is_causal=True)
`;

async function refuseCode(open: OpenPage): Promise<void> {
  const read = specFromText(block);
  assert.ok(!read.ok);
  await open.send({ type: 'problems', label: 'block.py:1', problems: located(block, read.problems) });
  await open.page.getByText('Explain it as text', { exact: true }).waitFor();
}

/** Code whose scores are not scaled: one click follows it. */
const followed = `Q = torch.tensor([[1., 0.], [0., 1.]])
K = torch.tensor([[1., 2.], [3., 4.]])
weights = softmax(Q @ K.T)
`;

const text = (count: number) => async (open: OpenPage) => {
  await open.explain(explanation(textSpec(words(count), { mask: 'causal' }), { label: `${count}.md:1` }));
  await goTo(open, 'weights');
  // What is large is previewed: the report says by what, once it is known.
  if (count > 1000)
    await open.page.locator('[data-badge]', { hasText: 'differ by at most' }).waitFor({ state: 'attached' });
};

const tool = ({ page }: OpenPage, name: string): Promise<void> => page.getByRole('button', { name }).first().click();

/** In the order in which a reader could meet them; each begins where the one before it ended. */
const views: readonly View[] = [
  {
    name: 'empty',
    async show(open) {
      await open.send({ type: 'settings', settings: { backend: 'cpu', digits: 2 } });
      await open.page.locator('.empty').waitFor();
    },
  },
  {
    name: 'refusal',
    async show(open) {
      await open.send({ type: 'problems', label: 'q.py:7', problems: [ragged] });
      await open.page.locator('[data-problem="source"]').waitFor();
    },
  },
  { name: 'code', show: refuseCode },
  {
    name: 'tokens',
    async show(open) {
      await open.explain(catExplanation);
      await goTo(open, 'tokens');
    },
  },
  {
    name: 'scores-cell',
    async show(open) {
      await goTo(open, 'scores');
      await cell(open, 'scores', 1, 2);
      await open.page.locator('.inspector .terms').first().waitFor();
    },
  },
  { name: 'predict', show: (open) => tool(open, 'Predict first') },
  {
    name: 'weights-cell',
    async show(open) {
      await tool(open, 'Predict first');
      await goTo(open, 'weights');
      await cell(open, 'weights', 1, 2);
    },
  },
  {
    name: 'find',
    async show({ page }) {
      await page.keyboard.press('Control+f');
      await page.locator('.find-input').fill('sat');
      await page.locator('#find-results li').first().waitFor();
    },
  },
  {
    name: 'heads-compared',
    async show(open) {
      await open.page.keyboard.press('Escape');
      await tool(open, 'Pin to compare');
      await type(open, 'heads', '2');
      await open.page.getByRole('radiogroup', { name: 'Heads' }).waitFor();
    },
  },
  { name: 'controls', show: openControls },
  {
    name: 'banners',
    async show(open) {
      await type(open, 'dK', 'many');
      await open.send({ type: 'source', state: 'stale' });
      await open.send({ type: 'problems', label: 'q.py:7', problems: [ragged] });
      await open.page.locator('.banner.error').waitFor();
      await open.page.keyboard.press('Escape');
    },
  },
  {
    name: 'code-banner',
    async show(open) {
      await open.explain(qkvExplanation);
      await refuseCode(open);
    },
  },
  {
    name: 'followed',
    async show(open) {
      const read = specFromText(followed);
      assert.ok(read.ok);
      const { spec, notes, said = [], unfollowed = [] } = read.value;
      const source = { label: 'a.py:1', uri: 'file:///a.py', range: { start: 0, end: followed.length } };
      await open.explain({ ...explanation(spec, source), notes, said, unfollowed: located(followed, unfollowed) });
      await open.page.getByText('Follow the code').waitFor();
    },
  },
  {
    name: 'share',
    async show(open) {
      await tool(open, 'Unpin');
      await open.explain(qkvExplanation);
      await goTo(open, 'scores');
      await tool(open, 'Share');
      await open.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'projections',
    async show(open) {
      await open.page.keyboard.press('Escape');
      await open.explain(fourExplanation);
      await goTo(open, 'q');
      await cell(open, 'q', 1, 1);
    },
  },
  {
    name: 'normed-cell',
    async show(open) {
      const gains = [1, 0.5, 2, 1, 1, 1.5, 1, 0.25];
      const norm = { heads: 2, positions: 'rope-half', qkNorm: { over: 'head', gq: gains, gk: gains } } as const;
      await open.explain(explanation(textSpec(words(4), norm), { label: 'norm.md:1' }));
      await goTo(open, 'qNormed');
      await cell(open, 'qNormed', 1, 2);
      await open.page.locator('.inspector .equation').first().waitFor();
    },
    themes: ['dark', 'light', 'hc-dark', 'hc-light'],
  },
  {
    name: 'layers',
    async show(open) {
      const layers = { outputProjection: { from: 'random' }, block: { norm: 'before', layers: 3, shown: 2 }, feedForward: { of: 'gelu' }, unembedding: { from: 'tied' } } as const; // prettier-ignore
      await open.explain(explanation(textSpec(words(20), layers), { label: 'layers.md:1' }));
      await goTo(open, 'weights');
    },
  },
  {
    name: 'feed-forward',
    async show(open) {
      await open.page.locator('.timeline [data-group=feedForward]').click();
      await goTo(open, 'ffActive');
      await cell(open, 'ffActive', 1, 2);
      await open.page.locator('.inspector .equation').first().waitFor();
    },
  },
  { name: 'tokens-3', show: text(3), themes: ['light'] },
  { name: 'tokens-20', show: text(20), themes: ['dark', 'hc-light'] },
  { name: 'tokens-200', show: text(200), themes: ['dark', 'light'] },
  { name: 'tokens-2000', show: text(2000), themes: ['hc-dark'] },
];

type Rules = 'all' | 'colours' | 'none';

/** What there is to complain of in the page as it stands, each with its place. */
async function complaints({ page }: OpenPage, where: string, rules: Rules = 'all'): Promise<string[]> {
  const looked = (await page.evaluate(`${look}\nlookAtPage()`)) as readonly string[];
  const violations = rules === 'none' ? [] : await violationsIn(page, rules);
  const said = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  return [...looked, ...said].map((complaint) => `${where}: ${complaint}`);
}

/** axe-core takes most of the time: names and order depend on the width, contrast on the theme, nothing on both, or on the zoom alone. */
function rulesFor(label: string, width: number): Rules {
  if (thorough) return 'all';
  if (label === 'zoom') return 'none';
  return label === 'dark' ? 'all' : width === 600 ? 'colours' : 'none';
}

async function atSize(open: OpenPage, size: (typeof sizes)[number]): Promise<void> {
  await open.page.setViewportSize(size);
  await open.page.evaluate(`${look}\npageSettles()`);
  await open.ready();
}

/** Shows each view at each size; returns what there is to complain of. */
async function walk(options: OpenOptions, shown: readonly View[], at: typeof sizes, label: string): Promise<string[]> {
  const open = await openPage(options);
  const found: string[] = [];
  for (const { name, show } of shown) {
    // What is done by mouse is done where there is room for it.
    await open.page.setViewportSize({ width: 1200, height: 900 });
    await show(open);
    for (const size of at) {
      await atSize(open, size);
      const where = `${name}-${label}-${size.width}`;
      await open.page.screenshot({ path: join(folder, `${where}.png`), animations: 'disabled', caret: 'hide' });
      found.push(...(await complaints(open, where, rulesFor(label, size.width))));
    }
  }
  found.push(...open.troubles);
  await open.close();
  return found;
}

/** Each complaint once, with the places where it is one. */
function gathered(found: readonly string[]): string {
  const places = new Map<string, string[]>();
  for (const one of found) {
    const [, where = '', what = one] = /^([\w-]+): (.*)$/.exec(one) ?? [];
    places.set(what, [...(places.get(what) ?? []), where]);
  }
  return [...places].map(([what, where]) => `${what} (${where.join(', ')})`).join('\n');
}

describe('pictures of every view', function () {
  // A quarter of it on an idle machine.
  this.timeout(600_000);
  before(() => mkdirSync(folder, { recursive: true }));

  for (const theme of themeNames) {
    it(`${theme}, ${sizes.map(({ width }) => width).join(', ')} pixels wide`, async () => {
      const shown = views.filter(({ themes }) => themes?.includes(theme) ?? true);
      assert.equal(gathered(await walk({ theme }, shown, sizes, theme)), '');
    });
  }

  // A window of 1200×800 and one of 640×800 at 200 %: half of everything is left.
  it('at a zoom of 200 %', async () => {
    const halves = [
      { width: 600, height: 400 },
      { width: 320, height: 400 },
    ];
    const shown = views.filter(({ themes }) => !themes);
    const found = await walk({ theme: 'light', deviceScaleFactor: 2 }, shown, halves, 'zoom');
    assert.equal(gathered(found), '');
  });

  const line = 'overflow: hidden; text-overflow: ellipsis; white-space: nowrap';
  for (const [fault, html, complaint] of [
    ['a page too wide', '<p style="width: 2000px">wide</p>', /^\w+: the page is \d+ px wider than its window$/m],
    ['tiny text', '<p style="font-size: 9px">tiny</p>', /“tiny” is written in 9 px/],
    [
      'cut text',
      '<p style="width: 40px; overflow: hidden; white-space: nowrap">a long name</p>',
      /is cut off by \d+ px/,
    ],
    [
      'an ellipsis that no box draws',
      `<p style="width: 40px; ${line}"><button style="display: inline-block">a long name</button></p>`,
      /button “a long name” is cut off by \d+ px/,
    ],
    [
      'text left of the window',
      '<p style="position: absolute; left: -40px">outside</p>',
      /sticks out of the window by/,
    ],
    ['a covered button', '<button>under</button><p style="position: fixed; inset: 0">over</p>', /“under” lies under p/],
    ['no room for the step', '<div class="content" style="height: 50px">step</div>', /only 50 px are left/],
    ['a button without a name', '<button></button>', /button-name/],
  ] as const) {
    it(`would complain of ${fault}`, async () => {
      const open = await openPage({ policy: () => '' });
      const put = (body: string): Promise<void> =>
        open.page.evaluate((inner) => void (document.body.innerHTML = `<main><h1>Page</h1>${inner}</main>`), body);
      await put(`<p style="width: 40px; ${line}">a long name</p><button>named</button>`);
      assert.deepEqual(await complaints(open, 'sound'), []);
      await put(html);
      assert.match((await complaints(open, 'planted')).join('\n'), complaint);
      await open.close();
    });
  }

  it('with reduced motion nothing moves, whatever is done', async () => {
    const open = await openPage({ theme: 'dark', reducedMotion: true });
    await open.explain(catExplanation);
    const moving: string[] = [];
    for (const step of ['q', 'scores', 'weights', 'output']) {
      await goTo(open, step);
      await open.page.locator('.token-button').nth(1).hover();
      const running = await open.page.evaluate(
        `document.getAnimations().filter((a) => a.playState === 'running').map((a) => a.effect?.target?.className ?? '?')`,
      );
      moving.push(...(running as string[]).map((target) => `${step}: ${target}`));
    }
    const found = await complaints(open, 'reduced motion');
    found.push(...open.troubles);
    await open.close();
    assert.deepEqual([...moving, ...found], []);
  });
});
