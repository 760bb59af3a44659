/**
 * Wraps an action of the page or of a command so that an exception, which is always our own bug, is reported instead of thrown. `doing` names the
 * action in messages.
 */
export type Guard = <A extends readonly unknown[]>(
  doing: string,
  act: (...args: A) => unknown,
) => (...args: A) => Promise<void>;
