/** Milliseconds without input after which the reader counts as absent. */
const idleMs = 120_000;

/** Measures the time that a reader spends on each question. */
export interface Clock {
  /** Sets the question that the reader is working on; undefined if there is none. */
  at(question: string | undefined): void;
  /** Minutes spent on a question since the last call for it. */
  take(question: string): number;
  stop(): void;
}

/** Counts time only while the page is visible and there was input in the last two minutes. */
export function createClock(now: () => number = Date.now): Clock {
  const spent = new Map<string, number>();
  let current: string | undefined;
  let [counted, lastActive] = [now(), now()];
  const count = (): void => {
    const time = now();
    const seen = document.visibilityState === 'visible' && time - lastActive < idleMs;
    // After the computer slept, the timer's interval is far longer than a second: at most 5 s of it are counted.
    if (seen && current !== undefined) spent.set(current, (spent.get(current) ?? 0) + Math.min(time - counted, 5000));
    counted = time;
  };
  const timer = setInterval(count, 1000);
  const activityEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;
  const onActivity = (): void => void (lastActive = now());
  for (const name of activityEvents) window.addEventListener(name, onActivity, { passive: true });
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
      for (const name of activityEvents) window.removeEventListener(name, onActivity);
    },
  };
}
