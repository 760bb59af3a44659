/** Work as a generator that pauses at each `yield`, so that the caller can do something else meanwhile, or abandon it. */
export type Parts<T> = Generator<void, T>;

/** Runs the work to its end and returns its result. */
export function runToEnd<T>(parts: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
