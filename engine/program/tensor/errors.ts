import type { TextRange } from '../../text';

/** What ends an evaluation and is always caught: without a stack, which would take longer than what it ends. */
export class Ended extends Error {
  constructor(message?: string) {
    const kept = stacks.stackTraceLimit;
    stacks.stackTraceLimit = 0;
    super(message);
    if (kept !== undefined) stacks.stackTraceLimit = kept;
  }
}

const stacks = Error as { stackTraceLimit?: number };

/** An exception of Python's, by its class and message, before there is an instance of it. */
export class Raised extends Ended {
  /** Where it was raised, once it has left the function in which that was. */
  range?: TextRange;

  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}
