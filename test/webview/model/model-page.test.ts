// The page of a model in a plain Chromium, with files that are chosen in it: its own worker runs the model, as in a browser's VS Code.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Locator, Page, Route } from 'playwright-core';
import { createNonce, pageHtml, type Language } from '../../../extension/pages/html';
import type { ModelPageMessage } from '../../../webview/protocol';
import { root } from '../../host/paths';
import { rulesIn, violationsIn } from '../axe';
import { builtPage } from '../harness';
import { themeNames, themes, type ThemeName } from '../themes';
import { lendWindow } from '../windows';

const origin = 'https://model.test';
const shipped = join(root, 'extension/models');
const config = { model_type: 'gpt2', n_embd: 64, n_head: 4, n_layer: 2, n_positions: 256, vocab_size: 77, n_inner: 256, activation_function: 'gelu' }; // prettier-ignore
const vscodeApi = readFileSync(join(__dirname, '../vscode-api.js'), 'utf8');
const contentTypes: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' }; // prettier-ignore

interface Opened {
  readonly page: Page;
  readonly troubles: readonly string[];
  messages(): Promise<readonly ModelPageMessage[]>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

async function openModel(theme: ThemeName = 'dark', width = 900, language?: Language): Promise<Opened> {
  const troubles: string[] = [];
  const files = { at: (name: string) => `${origin}/${name}`, cspSource: origin, page: 'model' as const };
  const { kind, classes, variables } = themes[theme];
  const body = pageHtml(files, createNonce(), '', language).replace('<body', `<body class="vscode-body ${classes}" data-vscode-theme-kind="${kind}"`);
  const answer = (route: Route): Promise<void> => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body });
    const contentType = contentTypes[extname(pathname)];
    return contentType ? route.fulfill({ contentType, body: readFileSync(join(builtPage(), pathname)) }) : route.abort();
  };
  const scripts = [`${vscodeApi}\nplayVsCode(${JSON.stringify({ variables, state: null })});`];
  const { page, giveBack } = await lendWindow({ width, height: 860, scripts, answer });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  await page.goto(`${origin}/`);
  const messages = (): Promise<ModelPageMessage[]> => page.evaluate(() => (window as unknown as { played: { messages: ModelPageMessage[] } }).played.messages);
  return { page, troubles, messages, send: (message) => page.evaluate((data) => window.postMessage(data, '*'), message), close: giveBack };
} // prettier-ignore

const chosen = (changed: Readonly<Record<string, unknown>> = {}) => [
  { name: 'config.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ ...config, ...changed })) },
  { name: 'tokenizer.json', mimeType: 'application/json', buffer: readFileSync(join(shipped, 'characters-1.tokenizer.json')) },
  { name: 'model.safetensors', mimeType: 'application/octet-stream', buffer: readFileSync(join(shipped, 'characters-1.safetensors')) },
]; // prettier-ignore

/** Chooses the files and reads a text. */
async function readText({ page, send }: Opened, text: string): Promise<void> {
  await send({ type: 'start', folder: null, text });
  await page.locator('.model-files').first().setInputFiles(chosen());
  await send({ type: 'engine', code: readFileSync(join(root, 'dist/model.js'), 'utf8') });
  await page.getByText(/has read \d+ tokens|hat \d+ Token gelesen/).waitFor();
}

async function readBeside({ page }: Opened, text: string): Promise<void> {
  await page.getByRole('button', { name: 'A second text…' }).click();
  await page.locator('#second-text').fill(text);
  await page.keyboard.press('Enter');
  await page.locator('.model-beside tbody tr').nth(8).waitFor();
}

const text = 'Zadok met Hur; Zadok met';

describe('the page of a model', function () {
  this.timeout(90_000);
  let open: Opened;
  afterEach('no error, no violation of the policy', async () => {
    await open.close();
    assert.deepEqual(open.troubles, []);
  });

  it('reads files that are chosen in it, and opens a head at the cell that shows it most', async () => {
    open = await openModel();
    await readText(open, text);
    const { page } = open;
    assert.equal(await page.locator('.model-chip').count(), 25);
    assert.match(await page.locator('.opening-next li').first().innerText(), /^·\s+98\.4/);
    const heads = page.locator('.model-group button');
    assert.equal(await heads.count(), 8);
    const first = heads.first();
    const says = (await first.getAttribute('title')) ?? '';
    assert.match(says, /^layer 1, head 1 · induction: what followed the same token earlier 0\.61 · mean of 11 rows · first token 0\.39 · “o” \(19\) looks at “k” \(5\) with 0\.99$/); // prettier-ignore
    await first.click();
    await page.waitForFunction(() => (window as unknown as { played: { messages: { type: string }[] } }).played.messages.some(({ type }) => type === 'head')); // prettier-ignore
    const sent = (await open.messages()).find((message) => message.type === 'head');
    assert.ok(sent?.type === 'head');
    assert.deepEqual(sent.view, { step: 'weights', cell: [19, 5] });
    assert.equal(sent.head.headWidth, 16);
    assert.match(
      await page.locator('.model-exact').innerText(),
      /same on every machine[^]*weights differ by at most \d/,
    );
  });

  it('has one stop for Tab among the heads; arrows, Home and End move, and the line above says what a head does', async () => {
    open = await openModel();
    await readText(open, text);
    const { page } = open;
    assert.equal(await page.locator('.model-group button[tabindex="0"]').count(), 1);
    await page.locator('.model-group button[tabindex="0"]').focus();
    const at = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset['head']);
    const walked = [await at()];
    for (const key of ['ArrowRight', 'End', 'Home', 'ArrowDown']) {
      await page.keyboard.press(key);
      walked.push(await at());
    }
    const order = await page.locator('.model-group button').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['head'])); // prettier-ignore
    assert.deepEqual(walked.slice(0, 4), [order[0], order[1], order.at(-1), order[0]]);
    assert.notEqual(walked[4], order[0]);
    assert.equal(await page.locator('.model-readout').innerText(), await page.locator(':focus').getAttribute('title')); // prettier-ignore
    await page.getByLabel('Order of the heads').selectOption('layer');
    assert.deepEqual(await page.locator('.model-group h3').allInnerTexts(), ['Layer 0', 'Layer 1']);
  });

  it('puts a second text beside the first: what differs most comes first, and what is the same says so', async () => {
    open = await openModel();
    await readText(open, text);
    await readBeside(open, text);
    const { page } = open;
    const same = await page.locator('.model-beside table').last().locator('tbody tr').allInnerTexts();
    assert.equal(same.length, 8);
    for (const row of same) assert.match(row, /the same$/);
    await readBeside(open, 'Zadok met Hur; Zadok mat');
    await page.getByText(/[+−]0\.\d\d at “/).first().waitFor(); // prettier-ignore
    const rows = await page.locator('.model-beside table').last().locator('tbody tr').allInnerTexts();
    const sizes = rows.map((row) => Number(/[+−]([\d.e-]+) at/.exec(row)?.[1]));
    assert.deepEqual(
      sizes,
      [...sizes].sort((a, b) => b - a),
    );
    await readBeside(open, 'Zadok');
    await page.getByText('do not have the same number of tokens, so no weight is compared').waitFor();
    const uneven = page.locator('.model-beside table').last();
    assert.equal(await uneven.locator('thead th').count(), 3);
    const scores = (await uneven.locator('tbody tr').allInnerTexts()).map((row) => Math.max(0, ...[...row.matchAll(/[a-z] (\d\.\d\d)/g)].map(([, score]) => Number(score)))); // prettier-ignore
    assert.ok((scores[0] ?? 0) > 0.5, scores.join());
    assert.deepEqual(scores, [...scores].sort((a, b) => b - a)); // prettier-ignore
  });

  it('names fields of config.json that it does not read, and no longer with another model', async () => {
    open = await openModel();
    const { page, send } = open;
    await send({ type: 'start', folder: null, text });
    await page
      .locator('.model-files')
      .first()
      .setInputFiles(chosen({ query_multiplier: 2, use_cache: false }));
    await send({ type: 'engine', code: readFileSync(join(root, 'dist/model.js'), 'utf8') });
    await page.getByText('has read 25 tokens').waitFor();
    assert.equal(await page.locator('.model-notes').innerText(), 'config.json has fields that are not known here (query_multiplier). What they change of the model is not in these numbers.'); // prettier-ignore
    await page.locator('.model-files').first().setInputFiles(chosen());
    await page.locator('.model-notes').waitFor({ state: 'hidden' });
  });

  it('paints one weight in one colour in the pictures of all heads, that of the bar above them', async () => {
    open = await openModel();
    const { page, send } = open;
    const asked = async (kind: string): Promise<number> => {
      const of = () =>
        open.messages().then((all) => all.find((one) => one.type === 'ask' && one.question.kind === kind));
      while (!(await of())) await page.waitForTimeout(20);
      const found = await of();
      return found?.type === 'ask' ? found.id : 0;
    };
    // No row of a model without a mask has to have a weight of 1, so that a head's own largest weight is no measure.
    const heads = [0.25, 0.75].map((weight, head) => ({
      stack: 'layers',
      layer: 0,
      head,
      last: { key: 0, weight },
      picture: { rows: 4, columns: 4, values: Array<number>(16).fill(weight) },
    }));
    const first = { ids: [1, 2, 3, 4], tokens: ['a', 'b', 'c', 'd'] };
    const opened = { family: 'bert', layers: [1], heads: 2, width: 8, parameters: 3e8, dtypes: ['F32'], context: 9, predicts: 'same', hasTokenizer: true, notes: [], readsPairs: false }; // prettier-ignore
    const tell = (message: object): Promise<void> => send({ type: 'told', message });
    await send({ type: 'start', folder: { path: '/m', name: 'm' }, text: 'a b c d' });
    await tell({ id: await asked('open'), opened });
    const id = await asked('run');
    for (const message of [{ read: { first } }, { heads }, { ran: { first, heads, predictions: [] } }])
      await tell({ id, ...message });
    await page.locator('.model-group button').nth(1).waitFor();
    await page.waitForTimeout(300);
    const colourAt = (canvas: Locator, share: number): Promise<readonly number[]> =>
      canvas.evaluate((node, across) => {
        const { width, height } = node as HTMLCanvasElement;
        const copy = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
        copy?.drawImage(node as HTMLCanvasElement, 0, 0);
        return [...(copy?.getImageData(across * width, height / 2, 1, 1).data ?? [])];
      }, share);
    for (const [i, weight] of [0.25, 0.75].entries()) {
      const [bar, picture] = [page.locator('.model-key canvas'), page.locator('.model-group canvas').nth(i)];
      const [expected, actual] = [await colourAt(bar, weight), await colourAt(picture, 0.6)];
      // A pixel of the bar stands for a weight to within half a pixel.
      assert.ok(
        expected.length === 4 && expected.every((x, c) => Math.abs(x - (actual[c] ?? NaN)) <= 3),
        `${weight}: ${actual.join(' ')}, the bar has ${expected.join(' ')}`,
      );
    }
    assert.deepEqual(await page.locator('.model-key .heatmap-ramp span').allInnerTexts(), ['0', '1']);
  });

  it('says what is wrong with files, with a text, and that a run was cancelled', async () => {
    open = await openModel();
    const { page, send } = open;
    await send({ type: 'start', folder: null, text });
    await page
      .locator('.model-files')
      .first()
      .setInputFiles(chosen({ model_type: 'mamba' }));
    await send({ type: 'engine', code: readFileSync(join(root, 'dist/model.js'), 'utf8') });
    await page.locator('.model-trouble', { hasText: 'models of type mamba are not known here' }).waitFor();
    await page.locator('.model-files').first().setInputFiles(chosen().slice(0, 2));
    await page.locator('.model-trouble', { hasText: 'neither model.safetensors nor' }).waitFor();
    await page.locator('.model-files').first().setInputFiles(chosen());
    await page.getByText('has read 25 tokens').waitFor();
    assert.equal(await page.locator('.model-trouble').isVisible(), false);
    await page.locator('#first-text').fill('x'.repeat(400));
    await page.keyboard.press('Enter');
    await page.locator('.model-trouble', { hasText: 'the text has 401 tokens, the model reads at most 256' }).waitFor();
    // Nothing of the text before stands below the reason.
    for (const part of ['.model-group', '.model-tokens', '.opening-next']) assert.equal(await page.locator(`${part}:visible`).count(), 0, part); // prettier-ignore
    await page.locator('#first-text').fill('Zadok');
    await page.keyboard.press('Enter');
    await page.getByText('has read 6 tokens').waitFor();
    assert.ok((await page.locator('.model-group:visible').count()) > 0);
  });

  for (const theme of themeNames)
    it(`has no accessibility violations, and nothing sticks out (${theme})`, async () => {
      open = await openModel(theme, 310);
      await readText(open, text);
      await readBeside(open, 'Zadok met Hur; Zadok mat');
      const { page } = open;
      for (const width of [310, 600, 1600]) {
        await page.setViewportSize({ width, height: 860 });
        await page.waitForTimeout(200);
        const out = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(out <= 0, `${width}: ${out} pixels stick out`);
        const folder = join(root, 'test-results/screenshots/panel');
        mkdirSync(folder, { recursive: true });
        await page.screenshot({ path: join(folder, `model-${theme}-${width}.png`), fullPage: true });
      }
      assert.deepEqual(await violationsIn(page, rulesIn(theme)), []);
    });
});
