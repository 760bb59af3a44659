/** Milliseconds without a sign of life after which nobody is thought to sit there. */
const idle = 120_000;

/** Measures the minutes that a reader spends on a question. */
export interface Clock {
  /** The reader is at this question now; undefined: at none. */
  at(question: string | undefined): void;
  /** Minutes at a question since they were taken last. */
  take(question: string): number;
  stop(): void;
}

/** Counts seconds in which the page is seen and something was pressed or moved not long ago. */
export function createClock(now: () => number = Date.now): Clock {
  const spent = new Map<string, number>();
  let current: string | undefined;
  let [counted, alive] = [now(), now()];
  const count = (): void => {
    const time = now();
    const seen = document.visibilityState === 'visible' && time - alive < idle;
    // A machine that slept has a gap.
    if (seen && current !== undefined) spent.set(current, (spent.get(current) ?? 0) + Math.min(time - counted, 5000));
    counted = time;
  };
  const timer = setInterval(count, 1000);
  const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;
  const sign = (): void => void (alive = now());
  for (const name of signs) window.addEventListener(name, sign, { passive: true });
  return {
    at(question) {
      count();
      current = question;
    },
    take(question) {
      count();
      const milliseconds = spent.get(question) ?? 0;
      spent.delete(question);
      return milliseconds / 60_000;
    },
    stop() {
      clearInterval(timer);
      for (const name of signs) window.removeEventListener(name, sign);
    },
  };
}
