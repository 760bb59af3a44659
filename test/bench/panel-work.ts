// `npm run bench panel -- --work`: main-thread work of the page from a user's action to the frame that shows its result, with 200 tokens, measured by
// Chromium's tracing. Where the trace has the CPU time of each task, the load of other programs is not included.
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { CDPSession, Page } from 'playwright-core';
import { openPage, type OpenPage } from '../webview/harness';
import { stopBrowser } from '../webview/windows';
import { explanation, textSpec, words } from '../webview/inputs';
import { goTo, openControls } from '../webview/page-driver';

interface Event {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/** Puts marks into the page's trace: at the user's last action, and at each frame after the page has something new ready. */
const marks = `
  for (const type of ['change', 'input', 'keydown', 'click'])
    {
    const act = () => {
      performance.mark('bench-act');
      requestAnimationFrame(() => performance.mark('bench-next'));
    };
    addEventListener(type, act, { capture: true });
  }
  new MutationObserver(() => {
    if (document.body?.dataset.ready === 'true') requestAnimationFrame(() => performance.mark('bench-shown'));
  }).observe(document, { subtree: true, attributeFilter: ['data-ready'] });`;

async function traced(cdp: CDPSession, act: () => Promise<void>): Promise<Event[]> {
  const events: Event[] = [];
  const collect = ({ value }: { value: object[] }): void => void events.push(...(value as Event[]));
  cdp.on('Tracing.dataCollected', collect);
  const done = new Promise<void>((end) => cdp.once('Tracing.tracingComplete', () => end()));
  const categories = 'toplevel,blink.user_timing,disabled-by-default-devtools.timeline';
  await cdp.send('Tracing.start', { categories, transferMode: 'ReportEvents' });
  await act();
  await cdp.send('Tracing.end');
  await done;
  cdp.off('Tracing.dataCollected', collect);
  return events;
}

/** Total time of the main thread's tasks from the action to the frame that shows its result, and the longest task, in milliseconds. */
function workIn(events: readonly Event[]): { readonly all: number; readonly longest: number } {
  const marked = (mark: string) => events.filter(({ name }) => name === mark);
  // An action that changes no numbers is shown in the next frame.
  const act = marked('bench-act').at(-1);
  const after = (mark: string) => marked(mark).find(({ ts }) => ts > (act?.ts ?? 0));
  const shown = after('bench-shown') ?? after('bench-next');
  if (!shown || !act) throw new Error('the trace has no act or no frame after it');
  const tasks = events.filter(
    ({ name, ph, pid, tid, ts, dur = 0 }) =>
      name === 'RunTask' && ph === 'X' && pid === act.pid && tid === act.tid && ts + dur > act.ts && ts <= shown.ts,
  );
  const times = tasks.map(({ tdur, dur = 0 }) => (tdur ?? dur) / 1000);
  return { all: times.reduce((a, b) => a + b, 0), longest: Math.max(...times) };
}

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? NaN;

async function shown(page: Page, act: () => Promise<void>): Promise<void> {
  await act();
  // The page is not queried in the meantime, because a query runs on the thread that is measured.
  await page.waitForTimeout(800);
}

/** The user's actions; `i` is the round. */
const acts = (open: OpenPage): Readonly<Record<string, (i: number) => Promise<void>>> => {
  const { page } = open;
  const field = (control: string) => page.locator(`[data-control="${control}"] input`);
  return {
    async 'the temperature'(i) {
      await field('temperature').fill(String(2 + i));
      await field('temperature').press('Enter');
    },
    async 'the seed'(i) {
      await field('seed').fill(String(10 + i));
      await field('seed').press('Enter');
    },
    async 'the next step'(i) {
      await page.locator(`.timeline [data-step="${i % 2 ? 'scores' : 'weights'}"]`).click();
    },
    async 'the slider of the scale'(i) {
      if (i === 0) await goTo(open, 'scaled');
      await page
        .locator('.slider')
        .first()
        .press(i % 2 ? 'ArrowRight' : 'ArrowLeft', { timeout: 5000 });
    },
    async 'a cell of W_q'(i) {
      await page.locator('.timeline [data-step="wq"]').click();
      await page.locator('.stage [data-row="0"][data-column="0"]').first().click();
      await page.keyboard.press('F2');
      await page.locator('.cell-input').fill(String(i + 1));
      await page.keyboard.press('Enter');
    },
  };
};

/** Measures and prints; with `profile` it also writes a CPU profile of one more action. */
export async function measureWork(rounds: number, profile?: string): Promise<void> {
  const open = await openPage({ before: marks });
  const { page } = open;
  await open.explain(explanation(textSpec(words(200))), { backend: 'cpu' });
  await goTo(open, 'scores');
  await openControls(open);
  const cdp = await page.context().newCDPSession(page);
  console.log(`work: 200 tokens, ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`);
  for (const [name, act] of Object.entries(acts(open))) {
    const found: { readonly all: number; readonly longest: number }[] = [];
    // The first action fills caches and is not counted.
    for (let i = 0; i <= rounds; i++) {
      const work = workIn(await traced(cdp, () => shown(page, () => act(i))));
      if (i > 0) found.push(work);
    }
    const all = found.map((work) => work.all);
    console.log(`work: ${name}  median ${median(all).toFixed(1)} ms, least ${Math.min(...all).toFixed(1)} ms, longest task ${median(found.map((w) => w.longest)).toFixed(1)} ms`); // prettier-ignore
    if (profile) await writeProfile(cdp, `${profile}-${name.replace(/\W+/g, '-')}.cpuprofile`, () => shown(page, () => act(rounds + 1))); // prettier-ignore
  }
  await open.close();
  await stopBrowser();
}

async function writeProfile(cdp: CDPSession, file: string, act: () => Promise<void>): Promise<void> {
  await cdp.send('Profiler.enable');
  await cdp.send('Profiler.setSamplingInterval', { interval: 100 });
  await cdp.send('Profiler.start');
  await act();
  const { profile } = await cdp.send('Profiler.stop');
  writeFileSync(file, JSON.stringify(profile));
}
