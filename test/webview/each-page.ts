import assert from 'node:assert/strict';
import { openPage, type OpenPage } from './harness';

type Expected = () => readonly RegExp[];

/** A page of its own for each test of a suite. `given` keeps it, and does what all of them begin with. */
export function eachPage(given: (open: OpenPage) => unknown, expected?: Expected): void {
  let current: OpenPage | undefined;
  beforeEach(async () => {
    current = await openPage();
    await given(current);
  });
  quietly(() => current, expected);
}

/** Closes the page after each test, in which it had no errors, made no request and kept to its policy; `expected` troubles aside. */
export function quietly(open: () => OpenPage | undefined, expected: Expected = () => []): void {
  afterEach('no error, no request, no violation of the policy', async () => {
    const page = open();
    await page?.close();
    const troubles = page?.troubles.filter((text) => !expected().some((pattern) => pattern.test(text)));
    assert.deepEqual(troubles, []);
  });
}
