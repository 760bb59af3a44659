// How much the page does for a change at 200 tokens, counted and not timed: what costs time is elements made and styles computed.
// Runs alone: it counts frames.
import assert from 'node:assert/strict';
import { explainAttention, insightsAt, insightsInParts, type AttentionTrace } from '../../engine/index';
import { createInsightComputation } from '../../webview/compute/insights';
import { openPage } from './harness';
import { explanation, textSpec, words } from './inputs';
import { goTo, openControls } from './page-driver';

/** Counts from the page's first script on. */
const counting = `
  window.work = { elements: 0, canvases: 0, styles: 0 };
  window.framesToReady = [];
  for (const name of ['createElement', 'createElementNS']) {
    const own = Document.prototype[name];
    Document.prototype[name] = function (...args) {
      work.elements++;
      if (args[0] === 'canvas') work.canvases++;
      return own.apply(this, args);
    };
  }
  // Frames that begin between Enter and the page that shows what it asked for.
  let [frame, entered] = [0, undefined];
  const count = () => requestAnimationFrame(() => { frame++; count(); });
  count();
  addEventListener('keydown', ({ key }) => { if (key === 'Enter') entered = frame; }, { capture: true });
  new MutationObserver(() => {
    if (entered === undefined || document.body?.dataset.ready !== 'true') return;
    framesToReady.push(frame - entered);
    entered = undefined;
  }).observe(document, { subtree: true, attributeFilter: ['data-ready'] });`;

interface Work {
  readonly elements: number;
  readonly canvases: number;
  readonly styles: number;
}

/** What is asked of workers, and the most arcs that are stroked between two frames. */
const asking = `
  window.asked = [];
  window.strokes = { most: 0, all: 0 };
  {
    const own = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      asked.push([message.method, ...message.args.filter((arg) => typeof arg === 'string')].join(' '));
      return own.call(this, message, ...rest);
    };
    const { stroke } = CanvasRenderingContext2D.prototype;
    let now = 0;
    CanvasRenderingContext2D.prototype.stroke = function (...args) {
      strokes.all++;
      strokes.most = Math.max(strokes.most, ++now);
      return stroke.apply(this, args);
    };
    const next = () => requestAnimationFrame(() => { now = 0; next(); });
    next();
  }`;

interface Counted {
  readonly asked: readonly string[];
  readonly strokes: { readonly most: number; readonly all: number };
}

describe('the work of a change', function () {
  this.timeout(120_000);

  it('makes no token anew, few elements, and computes styles a few times, whatever the number of tokens', async () => {
    const open = await openPage({ before: counting });
    const { page } = open;
    const seed = page.locator('[data-control="seed"] input');
    const workOf = async (tokens: number): Promise<Work> => {
      await open.explain(explanation(textSpec(words(tokens))), { backend: 'cpu' });
      await goTo(open, 'scores');
      await openControls(open);
      await page.evaluate(() => document.querySelectorAll('.token-button').forEach((b) => b.setAttribute('data-kept', '')));
      await page.waitForTimeout(500);
      const before = await page.evaluate(() => ({ ...(window as unknown as { work: Work }).work }));
      const shown = Number(await page.locator('body').getAttribute('data-shown'));
      await seed.fill(String(tokens));
      await seed.press('Enter');
      await page.locator(`body[data-shown="${shown + 1}"][data-ready="true"]`).waitFor({ state: 'attached' });
      await page.waitForTimeout(500);
      const after = await page.evaluate(() => ({ ...(window as unknown as { work: Work }).work }));
      assert.equal(await page.locator('.token-button[data-kept]').count(), tokens);
      return {
        elements: after.elements - before.elements,
        canvases: after.canvases - before.canvases,
        styles: after.styles - before.styles,
      };
    };
    const [few, many] = [await workOf(40), await workOf(200)];
    assert.ok(many.elements > 20, 'nothing was counted');
    // 40 tokens have numbers in their cells, 200 have none; 200 buttons made anew would be seen here.
    assert.ok(many.elements < 700, JSON.stringify({ few, many }));
    assert.ok(many.styles <= 2, JSON.stringify({ few, many }));
    // The three matrices of the stage, each with its bar and its overview; the timeline's pictures keep theirs.
    assert.ok(many.canvases <= 10, JSON.stringify({ few, many }));
    // In the next frame, not in one after it.
    assert.deepEqual(await page.evaluate(() => (window as unknown as { framesToReady: number[] }).framesToReady), [0, 0]);
    assert.deepEqual(open.troubles, []);
    await open.close();
  }); // prettier-ignore

  it('asks a worker for reasons and shuffles at 200 tokens, once for each step, and computes none itself', async () => {
    const open = await openPage({ before: asking });
    const { page } = open;
    const card = page.locator('.insight h3', { hasText: 'What does the scale do to your scores?' });
    const asked = async (what: string): Promise<readonly string[]> =>
      (await page.evaluate(() => (window as unknown as Counted).asked)).filter((one) => one.startsWith(what));
    await open.explain(explanation(textSpec(words(200))), { backend: 'cpu' });
    await goTo(open, 'scaled');
    await card.waitFor({ timeout: 60_000 });
    await page.locator('.why[data-waiting]').waitFor({ state: 'detached' });
    // A slow one gives its cards in several answers.
    assert.deepEqual([...new Set(await asked('insights'))], ['insights scaled']);
    const once = await asked('insights scaled');
    await goTo(open, 'output');
    await page.locator('.shuffle-verdict').waitFor({ timeout: 60_000 });
    assert.deepEqual(await asked('shuffle'), ['shuffle']);
    // What only the plan decides is nobody's work, and what is known is not asked again.
    await goTo(open, 'q');
    await page.locator('.why').waitFor({ state: 'hidden' });
    await goTo(open, 'scaled');
    await card.waitFor();
    assert.deepEqual(await asked('insights scaled'), once);
    assert.deepEqual([...new Set(await asked('insights'))], ['insights scaled', 'insights output']);
    assert.equal((await asked('compute')).length, 1);
    assert.deepEqual(open.troubles, []);
    await open.close();
  });

  it('keeps room for reasons until they come', async () => {
    const hold = `
      const send = Worker.prototype.postMessage;
      const held = [];
      window.release = () => {
        Worker.prototype.postMessage = send;
        held.forEach((one) => one());
      };
      Worker.prototype.postMessage = function (...args) { held.push(() => send.apply(this, args)); };`;
    const open = await openPage({ before: hold });
    await open.explain(explanation(textSpec(words(200))), { backend: 'cpu' });
    await goTo(open, 'scaled');
    const { page } = open;
    const waiting = page.locator('.why[data-waiting] .why-waiting');
    await waiting.waitFor();
    const { height = 0 } = (await waiting.boundingBox()) ?? {};
    assert.ok(height >= 200, String(height));
    await page.evaluate('release()');
    await page.locator('.insight').first().waitFor({ timeout: 60_000 });
    await waiting.waitFor({ state: 'hidden' });
    await open.close();
  });

  it('strokes thousands of arcs some hundreds a frame', async () => {
    const open = await openPage({ before: asking });
    // So warm that every weight is about 1/200: 40,000 arcs.
    await open.explain(explanation(textSpec(words(200), { temperature: 50 })), { backend: 'cpu' });
    await goTo(open, 'weights');
    const count = () => open.page.evaluate(() => (window as unknown as Counted).strokes);
    while ((await count()).all < 5000) await open.page.waitForTimeout(50);
    const { most } = await count();
    assert.ok(most <= 1200, `${most} arcs in a frame`);
    await open.close();
  });
});

describe('reasons in parts', () => {
  const trace = (tokens: number): AttentionTrace => {
    const result = explainAttention(textSpec(words(tokens)));
    assert.ok(result.ok);
    return result.value;
  };

  it('are those that are computed at once, after a pause for every few thousand cells', () => {
    const parts = insightsInParts(trace(100), 'scaled');
    let pauses = 0;
    let found = parts.next();
    for (; !found.done; found = parts.next()) pauses++;
    assert.deepEqual(found.value, insightsAt(trace(100), 'scaled', [0, 0]));
    // 41 divisors over 10,000 scores.
    assert.ok(pauses >= (41 * 100 * 100) / 10_000, String(pauses));
  });

  it('that take long come one after another, each as soon as it is known', async () => {
    const reasons = createInsightComputation();
    const long = trace(900);
    const all = insightsAt(trace(900), 'scaled', [0, 0]).map(({ kind }) => kind);
    const answers: string[][] = [];
    do answers.push((await reasons.at(long, 'scaled', [0, 0])).map(({ kind }) => kind));
    while (answers.at(-1)?.at(-1) === 'more');
    assert.ok(answers.length > 1, 'a first answer that waits for none of the others');
    assert.deepEqual(answers.at(-1), all);
    for (const some of answers.slice(0, -1)) assert.deepEqual(some.slice(0, -1), all.slice(0, some.length - 1));
  });

  it('go through no weights at a stretch', () => {
    const parts = insightsInParts(trace(300), 'weights');
    let pauses = 0;
    for (let part = parts.next(); !part.done; part = parts.next()) pauses++;
    // 90,000 logits and as many weights, 65,536 at once; six pairs of blocks that lie across the diagonal.
    assert.ok(pauses >= 2 + 2 + 6, String(pauses));
  });

  it('are left where others are asked for, and go on for another cell of the same step', async () => {
    const reasons = createInsightComputation();
    const long = trace(200);
    const first = reasons.at(long, 'scaled', [0, 0]);
    const other = reasons.at(long, 'weights', [1, 2]);
    await assert.rejects(first, /other reasons were asked for/);
    assert.deepEqual(await other, insightsAt(long, 'weights', [1, 2]));
    const [before, after] = [reasons.at(long, 'scores', [0, 0]), reasons.at(long, 'scores', [3, 4])];
    await before.catch(() => undefined);
    assert.deepEqual(await after, insightsAt(long, 'scores', [3, 4]));
  });
});
