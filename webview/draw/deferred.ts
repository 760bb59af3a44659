/** Milliseconds of main-thread time per slice of deferred work. */
const sliceMs = 6;

const scheduled = new Set<() => void>();
let isScheduled = false;

/**
 * Schedules `work` after the next frame, in time slices of a few milliseconds, so that the main picture is painted before thumbnails. A function
 * that is already scheduled runs only once.
 */
export function defer(work: () => void): void {
  scheduled.add(work);
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => void setTimeout(run));
}

function run(): void {
  const end = performance.now() + sliceMs;
  try {
    for (const work of scheduled) {
      scheduled.delete(work);
      work();
      if (performance.now() >= end) break;
    }
  } finally {
    isScheduled = scheduled.size > 0;
    if (isScheduled) setTimeout(run);
  }
}
