import type { TextRange } from '../../text/problems';

/** An exception of Python's, by its class and message, before there is an instance of it. */
export class Raised extends Error {
  /** Where it was raised, once it has left the function in which that was. */
  range?: TextRange;

  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}
