/** An exception of Python's, by its class and message, before there is an instance of it. */
export class Raised extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}
