// `npm run bench motion`: what a frame of the motion costs the main thread with 20 tokens: its script, and the layout that it needs, from the start of
// its callback to the end of a layout that is asked for at once. Painting is not in it. The goal is 8 ms.
import { loadavg } from 'node:os';
import { openPage, type OpenPage } from '../webview/harness';
import { stopBrowser } from '../webview/windows';
import { explanation, textSpec, words } from '../webview/inputs';
import { goTo } from '../webview/page-driver';

/** Before the page's own scripts: times each callback of a frame, and the layout after it. */
const timed = `
  globalThis.frames20 = [];
  const request = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (call) => request((at) => {
    const from = performance.now();
    call(at);
    const [scripted] = [performance.now(), document.querySelector('.motion')?.getBoundingClientRect()];
    frames20.push([scripted - from, performance.now() - from]);
  });`;

type Frames = readonly (readonly [script: number, all: number])[];

const steps = ['scores', 'weights', 'output'];

/** The times of the frames of one story, played from its first frame to its last at the usual speed. */
async function played({ page }: OpenPage): Promise<Frames> {
  await page.evaluate('frames20.length = 0');
  await page.keyboard.press('Space');
  await page.waitForTimeout(6000);
  await page.keyboard.press('Space');
  return page.evaluate('frames20');
}

const at = (sorted: readonly number[], share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(2); // prettier-ignore

async function main(): Promise<void> {
  console.log(`frames of the motion, 20 tokens, load ${loadavg()[0]?.toFixed(1)} at the start`);
  console.log('step      frames  median  95 %  most  script alone, median (ms)');
  for (const step of steps) {
    const open = await openPage({ own: true, before: timed, width: 1092, height: 900 });
    await open.explain(explanation(textSpec(words(20)), { label: '20.md:1' }));
    await goTo(open, step);
    await open.page.locator('.motion > vscode-button').click();
    await open.page.locator('.motion-piece').first().waitFor();
    await open.page.keyboard.press('Space');
    await open.page.keyboard.press('Home');
    const frames = await played(open);
    const all = frames.map(([, both]) => both).sort((a, b) => a - b);
    const script = frames.map(([alone]) => alone).sort((a, b) => a - b);
    console.log(`${step.padEnd(9)} ${String(all.length).padStart(6)}  ${at(all, 0.5)}  ${at(all, 0.95)}  ${at(all, 1)}  ${at(script, 0.5)}`); // prettier-ignore
    await open.close();
  }
  await stopBrowser();
  console.log(`load ${loadavg()[0]?.toFixed(1)} at the end`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
