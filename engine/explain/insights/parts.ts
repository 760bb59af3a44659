/** Work that pauses now and then: whoever does it may do something else meanwhile, or leave it. */
export type Parts<T> = Generator<void, T>;

/** Does all of it. */
export function atOnce<T>(parts: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
