/** Milliseconds of the main thread that pictures beside the main one take at a stretch. */
const slice = 6;

const waiting = new Set<() => void>();
let asked = false;

/**
 * Runs `work` after the next frame, a few milliseconds of such work at a time: what a reader looks at is on the screen before what stands beside
 * it. The same function that waits already waits once.
 */
export function defer(work: () => void): void {
  waiting.add(work);
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => void setTimeout(run));
}

function run(): void {
  const end = performance.now() + slice;
  try {
    for (const work of waiting) {
      waiting.delete(work);
      work();
      if (performance.now() >= end) break;
    }
  } finally {
    asked = waiting.size > 0;
    if (asked) setTimeout(run);
  }
}
