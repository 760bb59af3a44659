import { t, fail, ok, type Problem, type Result } from '../text';

/** An integer as a program would write it; beyond 2^53 − 1 as a bigint or, in JSON, as decimal digits in a string. */
export type SeedInteger = number | bigint | string;
export type Seed = SeedInteger | readonly SeedInteger[];

/** The Problem of a seed: what was found and what the generator takes. */
export const seedProblem = (seed: unknown, expected: string): Problem => ({
  code: 'seed',
  message: t('seed {0}: {1}', show(seed), expected),
  path: 'random.seed',
});

function show(seed: unknown): string {
  if (Array.isArray(seed)) return `[${seed.slice(0, 6).map(show).join(', ')}${seed.length > 6 ? ', …' : ''}]`;
  if (typeof seed === 'string') return JSON.stringify(seed.length > 40 ? `${seed.slice(0, 40)}…` : seed);
  return typeof seed === 'object' && seed !== null ? t('an object') : String(seed);
}

/** The integers of a seed, exactly as written: one, or as many as an array has. A Problem for anything else. */
export function seedIntegers(seed: unknown): Result<bigint[]> {
  const integers: bigint[] = [];
  for (const element of Array.isArray(seed) ? (seed as unknown[]) : [seed]) {
    const integer = seedInteger(element);
    if (!integer.ok) return integer;
    integers.push(integer.value);
  }
  return ok(integers);
}

/** More digits than any program's seed has; a longer string is refused before it is converted. */
const mostDigits = 1000;

function seedInteger(seed: unknown): Result<bigint> {
  if (typeof seed === 'bigint') return ok(seed);
  if (typeof seed === 'string' && /^-?\d+$/.test(seed) && seed.length <= mostDigits) return ok(BigInt(seed));
  if (typeof seed !== 'number' || !Number.isInteger(seed)) return fail(seedProblem(seed, t('must be an integer')));
  if (Number.isSafeInteger(seed)) return ok(BigInt(seed));
  return fail({
    ...seedProblem(seed, t('is beyond 2**53 - 1, where a JavaScript number is not exact')),
    hint: t('Write it as a string of digits.'),
  });
}
