/** Runs what the page or a command asked for. An exception is our own bug and is reported as one; `doing` says in words what was being done. */
export type Guard = <A extends readonly unknown[]>(
  doing: string,
  act: (...args: A) => unknown,
) => (...args: A) => Promise<void>;
