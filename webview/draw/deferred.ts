/** Milliseconds of main-thread time per slice of deferred work. */
const slice = 6;

const waiting = new Set<() => void>();
let asked = false;

/**
 * Schedules `work` after the next frame, in time slices of a few milliseconds, so that the main picture is painted before thumbnails. A function
 * that is already scheduled runs only once.
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
