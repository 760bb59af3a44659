/** Milliseconds of the main thread that deferred work takes at once. */
const slice = 6;

const waiting = new Set<() => void>();
let asked = false;

/**
 * Runs `work` after the next frame, in time slices of a few milliseconds: the main picture is on the screen before small ones are drawn. A
 * function that is waiting already is run once.
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
