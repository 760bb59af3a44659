// What the tests use of node:assert/strict, for a host without Node.
class AssertionError extends Error {}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === undefined ? String(value) : text.slice(0, 2000);
}

function fail(message: string): never {
  throw new AssertionError(message);
}

function ok(value: unknown, message = `${show(value)} is not true`): asserts value {
  if (!value) fail(message);
}

const equal = (found: unknown, expected: unknown, message = ''): void =>
  ok(Object.is(found, expected), `${message} found ${show(found)}, expected ${show(expected)}`);

const notEqual = (found: unknown, other: unknown, message = ''): void =>
  ok(!Object.is(found, other), `${message} found ${show(found)}`);

/** Of what JSON can hold. */
const deepEqual = (found: unknown, expected: unknown, message = ''): void =>
  ok(JSON.stringify(found) === JSON.stringify(expected), `${message} found ${show(found)}, expected ${show(expected)}`);

export default { ok, equal, notEqual, deepEqual, fail };
