// Gives all random tests (fast-check) a fixed seed, so that `npm test` always runs the same cases. `npm run fuzz` runs others, and more of them.
// mocha requires this file before any test.
import { createRequire } from 'node:module';
import * as fc from 'fast-check';

/** The seed of `npm test`, chosen arbitrarily. */
const fixed = 20260101;

const { FUZZ_SEED, FUZZ_TIMES } = process.env;
const seed = FUZZ_SEED === undefined ? fixed : Number(FUZZ_SEED);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** Multiplies the number of cases of each test by `times`, and overrides a seed that the test sets. */
function manyTimes(times: number): void {
  const assert = (property: fc.IRawProperty<unknown>, parameters: fc.Parameters<unknown> = {}): unknown =>
    fc.assert(property, { ...parameters, seed, numRuns: Math.ceil((parameters.numRuns ?? 100) * times) });
  const { cache, resolve } = createRequire(__filename);
  const module = cache[resolve('fast-check')];
  if (!module) throw new Error('fast-check is not where tests find it');
  // The package's own exports are read-only, so they are replaced as a whole.
  module.exports = { ...fc, assert, default: { ...fc, assert } };
}

const times = Number(FUZZ_TIMES ?? 1);
if (times !== 1) manyTimes(times);

/** No time limit in a fuzz run. */
export const mochaHooks =
  times === 1
    ? {}
    : {
        beforeEach(this: Mocha.Context): void {
          this.currentTest?.timeout(0);
        },
      };
