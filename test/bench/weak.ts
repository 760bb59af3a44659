// `npm run bench weak [--short]`: time from the start of a page to its first drawn frame, on the CPU alone (no WebGPU), at normal speed and with the
// main thread slowed down four times by Chromium. It is not a section of main.ts, because those time functions in Node and this times a page.
import { loadavg } from 'node:os';
import type { Page } from 'playwright-core';
import { specFromText } from '../../engine/index';
import { openPage } from '../webview/harness';
import { stopBrowser } from '../webview/windows';
import { courseLesson, lessonMessage, openLesson } from '../webview/lesson-harness';

const rounds = process.argv.includes('--short') ? 3 : 11;
const slowdowns = [1, 4] as const;
const lesson = '05-softmax.md';
const sentence = 'the quick brown fox jumps over the lazy dog while the small cat sleeps on the mat';

/** Milliseconds from the start of the navigation to the end of the first frame after the page reports that it is ready. */
async function firstFrame(page: Page, send: () => Promise<void>, ready: string): Promise<number> {
  await page.reload();
  await send();
  await page.locator(ready).waitFor({ state: 'attached' });
  return page.evaluate(
    () => new Promise<number>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))),
  );
} // prettier-ignore

async function measure(name: string, page: Page, send: () => Promise<void>, ready: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const times = new Map<number, number[]>(slowdowns.map((rate) => [rate, []]));
  // The two alternate, so that other load on the machine affects both. The first round fills caches and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const rate of slowdowns) {
      await session.send('Emulation.setCPUThrottlingRate', { rate });
      const time = await firstFrame(page, send, ready);
      if (round > 0) times.get(rate)?.push(time);
    }
  }
  const [plain = NaN, slow = NaN] = slowdowns.map((rate) => median(times.get(rate) ?? []));
  const least = slowdowns.map((rate) => Math.min(...(times.get(rate) ?? []))).map((t) => t.toFixed(0));
  console.log(`${name}: ${plain.toFixed(0)} ms, slowed down 4×: ${slow.toFixed(0)} ms (${(slow / plain).toFixed(2)}×); least ${least.join(' and ')} ms`); // prettier-ignore
}

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? NaN;

async function main(): Promise<void> {
  console.log(`weak: ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)} before`);
  const one = await openLesson();
  await measure(`lesson ${lesson}, first page`, one.page, () => one.send(lessonMessage(courseLesson(lesson))), 'body[data-ready="true"]'); // prettier-ignore
  await one.close();
  const spec = specFromText(sentence);
  if (!spec.ok) throw new Error(spec.problems[0]?.message);
  const explanation = { spec: spec.value.spec, notes: [], source: { label: 'bench' } };
  const panel = await openPage({ before: `Object.defineProperty(Navigator.prototype, 'gpu', { value: undefined });` });
  // The page handles no message before it is ready. VS Code keeps messages back until then.
  const explain = async (): Promise<void> => {
    await panel.ready();
    await panel.send({ type: 'explain', explanation, settings: { backend: 'cpu', digits: 4 } });
  };
  await measure(`explanation, ${sentence.split(' ').length} tokens, first step`, panel.page, explain, 'body[data-shown][data-ready="true"]'); // prettier-ignore
  await panel.close();
  console.log(`load ${loadavg()[0]?.toFixed(1)} after`);
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => void stopBrowser());
