// What a reader of a long text stumbled over: by pointer, by keyboard, in a narrow panel.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { quietly } from './each-page';
import { openPage, type OpenPage } from './harness';
import { explanation, textSpec, words } from './inputs';
import { goTo } from './page-driver';
import { letWorkersGo, slowWorkers } from './slow-workers';

const look = readFileSync(join(__dirname, 'look.js'), 'utf8');
const n = 20_000;
const name = (i: number): string => `w${(i * 7) % 41}`;
const many = textSpec(Array.from({ length: n }, (_, i) => name(i)).join(' '), { mask: 'causal' });

/** The step's own picture. */
const result = '.picture-layer .heatmap[data-result]';

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const boxes = (locator: Locator): Promise<Box[]> =>
  locator.evaluateAll((nodes) =>
    nodes.map((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return { text: node.textContent ?? '', left, right, top, bottom };
    }),
  );

/** Which of them lie over one another. */
const overlaps = (all: readonly Box[]): string[] =>
  all.flatMap((a, i) =>
    all
      .slice(i + 1)
      .filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
      .map((b) => `${a.text} over ${b.text}`),
  );

describe('a long text', function () {
  this.timeout(180_000);
  let open: OpenPage;
  beforeEach(async () => (open = await openPage()));
  quietly(() => open);

  it('writes no label over another where the pointer is beside the selected cell', async () => {
    const { page } = open;
    await open.explain(explanation(textSpec(words(200))));
    await goTo(open, 'weights');
    const map = page.locator(result);
    const box = await map.locator('.heatmap-viewport').boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + 40, box.y + 140);
    await map.locator('.heatmap-strip.rows > .lit').first().waitFor();
    await page.mouse.move(box.x + 47, box.y + 147);
    await map.locator('.heatmap-mark.hover').waitFor({ state: 'attached' });
    for (const strip of ['rows', 'columns'])
      assert.deepEqual(overlaps(await boxes(map.locator(`.heatmap-strip.${strip} > .heatmap-label`))), [], strip);
    assert.equal(await map.locator('.heatmap-strip.rows > .lit').count(), 1);
  });

  it('writes the labels above A in full beside its output', async () => {
    const { page } = open;
    for (const count of [20, 200]) {
      await open.explain(explanation(textSpec(words(count))));
      await goTo(open, 'output');
      const strip = page.locator('.picture-layer .meeting-left .heatmap-strip.columns');
      await strip.locator('.heatmap-label').nth(2).waitFor();
      const [around] = await boxes(strip);
      assert.ok(around);
      const cut = (await boxes(strip.locator('.heatmap-label'))).filter(({ top }) => top < around.top);
      assert.deepEqual(
        cut.map(({ text }) => text),
        [],
        `${count} tokens`,
      );
    }
  });

  it('shows its pictures whole in a panel beside an editor', async () => {
    const { page } = open;
    await page.setViewportSize({ width: 620, height: 900 });
    await open.explain(explanation(many));
    await goTo(open, 'weights');
    const ramps = page.locator('.picture-layer .heatmap-ramp');
    await ramps.first().waitFor();
    for (const { right } of await boxes(ramps)) assert.ok(right <= 620, `the colour bar ends at ${right} px of 620`);
    const picture = await page.locator(`${result} .heatmap-viewport`).boundingBox();
    assert.ok((picture?.width ?? 0) >= 170, `${picture?.width} px`);
  });

  for (const [width, height] of [[310, 700], [466, 708], [546, 700]] as const)
    it(`shows a picture whole above the arithmetic of its cell, at ${width}×${height}`, async () => {
      const { page } = open;
      await page.setViewportSize({ width, height });
      await open.explain(explanation(textSpec(words(2000))));
      for (const step of ['weights', 'scores']) {
        await goTo(open, step);
        const [picture] = await boxes(page.locator(`${result} .heatmap-viewport`));
        const [foot] = await boxes(page.locator('.inspector-box'));
        const [content] = await boxes(page.locator('main.content'));
        assert.ok(picture && foot && content && foot.top > content.top);
        const [tall, room] = [picture.bottom - picture.top, foot.top - content.top];
        assert.ok(tall > 100 && tall <= room, `${step}: ${tall} px where there are ${room}`);
      }
    }); // prettier-ignore

  it('writes the numbers of its colour bars, none over another, and says that the scale is logarithmic', async () => {
    const { page } = open;
    await open.explain(explanation(many));
    await goTo(open, 'weights');
    const numbers = (map: string): Locator => page.locator(`.picture-layer ${map} .heatmap-ramp span`);
    const own = numbers('.heatmap[data-result]');
    const computed = page.locator(`${result}:not([data-before]) .heatmap-note`, { hasText: 'each tile' });
    for (const width of [1200, 360]) {
      if (width === 360) {
        // What was there before is marked: the picture is another one.
        await page.locator(result).evaluate((map) => map.setAttribute('data-before', ''));
        await page.setViewportSize({ width, height: 900 });
      }
      await computed.waitFor({ timeout: 120_000 });
      const found = await boxes(own);
      assert.deepEqual(found.map(({ text }) => text).sort(), ['0', '0.01', '0.1', '1', '1/20000'], `${width} px`);
      assert.deepEqual(overlaps(found), [], `${width} px`);
      assert.ok(await own.evaluateAll((all) => all.every((one) => parseFloat(getComputedStyle(one).fontSize) >= 11)));
      await page.locator(result).getByText('log scale · even share 1/20000', { exact: true }).waitFor();
      for (const { right } of await boxes(page.locator(`${result} .heatmap-bar > *`))) assert.ok(right <= width);
    }
    const bar = page.locator(result).getByRole('img', { name: 'log scale, an even share is 1/20000' });
    assert.equal(await bar.count(), 1);
    // What the scores run between is known in float32 only, and nothing of it before the overview has its first rows.
    const operand = numbers('.heatmap:not([data-result])');
    await operand.first().waitFor({ timeout: 120_000 });
    await operand.filter({ hasText: '≈' }).first().waitFor();
    const ends = (await boxes(operand)).map(({ text }) => text);
    assert.ok(ends.length >= 2 && ends.every((text) => /^≈−?\d+\.\d+$|^0$/.test(text)), `[${ends.join()}]`);
  });

  it('colours weights that are not the largest, all over its picture', async () => {
    const { page } = open;
    await open.explain(explanation(many));
    await goTo(open, 'weights');
    await page.locator(result).getByText('each tile').waitFor({ timeout: 120_000 });
    // Of viridis’s dark end, where all weights but the corner’s lay: red 68, green up to 20, blue 84 to 102.
    const dark = await page.locator(`${result} .heatmap-canvas`).evaluate((node) => {
      const canvas = node as HTMLCanvasElement;
      const image = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
      if (!image) return NaN;
      const [left, below] = [Math.floor(image.width / 4), Math.floor((image.height * 3) / 4)];
      let count = 0;
      for (let y = below; y < below + 40; y++) {
        for (let x = left; x < left + 40; x++) {
          const [red = 0, green = 0, blue = 0] = image.data.slice(4 * (y * image.width + x));
          if (Math.abs(red - 68) < 6 && green < 24 && blue > 80) count++;
        }
      }
      return count / 1600;
    });
    assert.ok(dark < 0.05, `${dark} of the pixels have the colour of 0`);
  });

  it('begins at a cell that its mask leaves visible', async () => {
    await open.explain(explanation(many));
    await goTo(open, 'weights');
    const { page } = open;
    await page.locator('.inspector h2', { hasText: `[${name(1)} (1), ${name(1)} (1)]` }).waitFor();
    assert.ok(Number(await page.locator('.inspector-value').innerText()) > 0);
  });

  it('says what is under the pointer without covering the table beside it', async () => {
    const { page } = open;
    await open.explain(explanation(textSpec(words(300))));
    await goTo(open, 'weights');
    const picture = await page.locator(`${result} .heatmap-viewport`).boundingBox();
    assert.ok(picture);
    await page.mouse.move(picture.x + picture.width - 12, picture.y + picture.height / 2);
    const tip = page.locator(`${result} .heatmap-tip`);
    await tip.waitFor();
    const [said, table] = await Promise.all([tip.boundingBox(), page.locator('.inspector').boundingBox()]);
    assert.ok(said && table && table.x > picture.x, 'the inspector stands beside');
    assert.ok(said.x + said.width <= table.x, `the tip ends at ${said.x + said.width}, the table begins at ${table.x}`);
  });

  it('explains a cell of its last row without cutting off a number', async () => {
    const { page } = open;
    // Weights that are nearly equal: their sum of exponentials is large.
    await open.explain(explanation(textSpec(words(n), { temperature: 4 })));
    await goTo(open, 'weights');
    await page.locator(`${result} .heatmap-cell`).first().focus();
    await page.keyboard.press('Control+ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.locator('.inspector h2', { hasText: `(${n - 1})` }).waitFor();
    await page.locator('.inspector .terms .others').waitFor();
    const wide = await page.locator('.inspector .terms').evaluate((table) => {
      const room = table.parentElement?.clientWidth ?? 0;
      return { table: Math.round(table.getBoundingClientRect().width), room };
    });
    assert.ok(wide.table <= wide.room, JSON.stringify(wide));
    const complaints = (await page.evaluate(`${look}\nlookAtPage()`)) as readonly string[];
    assert.deepEqual(
      complaints.filter((one) => one.includes('cut off')),
      [],
    );
  });

  it('is shown whole again by the key 0', async () => {
    const { page } = open;
    await open.explain(explanation(textSpec(words(200))));
    await goTo(open, 'weights');
    const map = page.locator(result);
    const width = async (): Promise<string> => map.locator('.heatmap-content').evaluate((e) => e.style.width);
    const fit = await width();
    await map.locator('.heatmap-cell').first().focus();
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    assert.notEqual(await width(), fit);
    await page.keyboard.press('0');
    assert.equal(await width(), fit);
  });

  it('keeps the keyboard in its picture when the panel gets another size, and under another theme', async () => {
    const { page } = open;
    await open.explain(explanation(textSpec(words(200))));
    await goTo(open, 'weights');
    const focused = page.locator(`${result} :focus`);
    const resized = async (width: number): Promise<void> => {
      // What was there before is marked: the picture is another one.
      await page.locator(result).evaluate((map) => map.setAttribute('data-before', ''));
      await page.setViewportSize({ width, height: 860 });
      await page.locator(`${result}:not([data-before])`).waitFor();
    };
    await page.locator(result).getByRole('button', { name: 'Zoom in' }).focus();
    await resized(1000);
    await focused.and(page.getByRole('button', { name: 'Zoom in' })).waitFor();
    await page.locator('body').evaluate((body) => {
      body.setAttribute('class', 'vscode-body vscode-light');
      body.setAttribute('data-vscode-theme-kind', 'vscode-light');
    });
    await focused.and(page.getByRole('button', { name: 'Zoom in' })).waitFor();
    // One that is not the selected cell, which alone the next picture begins with.
    await page.locator(`${result} .heatmap-cell[tabindex="0"]`).focus();
    await page.keyboard.press('ArrowDown');
    await resized(900);
    await focused.and(page.locator('.heatmap-cell')).waitFor();
  });

  it('leaves the keyboard below the picture when that is computed', async () => {
    await open.close();
    open = await openPage({ before: slowWorkers({ processors: 1, held: true }) });
    const { page } = open;
    await open.explain(explanation(many));
    await goTo(open, 'weights');
    const map = page.locator(result);
    const cancel = map.getByRole('button', { name: 'Cancel' });
    await cancel.focus();
    await letWorkersGo(page);
    await map.locator('.heatmap-note', { hasText: 'each tile' }).waitFor({ timeout: 120_000 });
    await map.locator('.heatmap-growth').waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Zoom out');
  });

  it('has its tokens found by their place, as labels write it', async () => {
    const { page } = open;
    await open.explain(explanation(many));
    await goTo(open, 'weights');
    await page.keyboard.press('Control+f');
    for (const query of ['15000', '#15000', `15000 ${name(15_000)}`, `${name(15_000)} (15000)`]) {
      await page.locator('.find-input').fill(query);
      const first = page.locator('#find-results li').first();
      await first.getByText(`token 15000: ${name(15_000)}`, { exact: true }).waitFor();
      assert.equal(await page.locator('#find-results [data-found=token]').count(), 1, query);
    }
    await page.keyboard.press('Enter');
    await page.locator('.inspector h2', { hasText: `${name(15_000)} (15000)` }).waitFor();
    await page.locator('.find-input').fill(`15000 ${name(15_001)}`);
    await page.locator('.find-count', { hasText: 'nothing found' }).waitFor();
  });
});
