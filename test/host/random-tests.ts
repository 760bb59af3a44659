// Every random test (fast-check) has the same cases in each `npm test`. `npm run fuzz` draws others, and more of them. mocha requires this before any test.
import { createRequire } from 'node:module';
import * as fc from 'fast-check';

/** Any number: it was chosen once. */
const fixed = 20260101;

const { FUZZ_SEED, FUZZ_TIMES } = process.env;
const seed = FUZZ_SEED === undefined ? fixed : Number(FUZZ_SEED);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** As many cases as a test asks for, times `times`; a seed of the test's own gives way. */
function manyTimes(times: number): void {
  const assert = (property: fc.IRawProperty<unknown>, parameters: fc.Parameters<unknown> = {}): unknown =>
    fc.assert(property, { ...parameters, seed, numRuns: Math.ceil((parameters.numRuns ?? 100) * times) });
  const { cache, resolve } = createRequire(__filename);
  const module = cache[resolve('fast-check')];
  if (!module) throw new Error('fast-check is not where tests find it');
  // Its own exports cannot be written to.
  module.exports = { ...fc, assert, default: { ...fc, assert } };
}

const times = Number(FUZZ_TIMES ?? 1);
if (times !== 1) manyTimes(times);

/** A fuzz takes its time. */
export const mochaHooks =
  times === 1
    ? {}
    : {
        beforeEach(this: Mocha.Context): void {
          this.currentTest?.timeout(0);
        },
      };
