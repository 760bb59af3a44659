import { nearest, fail, ok, t, type Problem, type Result } from '../text';
import type { Input, InputSchema, Property } from './tool';

/** The input if it fits the schema; else what was found and what is expected, each at its path. */
export function fittingInput(given: unknown, { properties, required = [] }: InputSchema): Result<Input> {
  if (!isObject(given)) return fail(problem('', given, t('an object')));
  const names = Object.keys(properties);
  const problems = Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(properties, name)) return [unknown(name, names)];
    const misfit = misfitOf(value, properties[name] as Property);
    return misfit === undefined ? [] : [problem(name, value, misfit)];
  });
  const missing = required
    .filter((name) => !Object.hasOwn(given, name))
    .map((name) => ({ code: 'input', message: t('{0} is missing', name), path: name }));
  return problems.length + missing.length > 0 ? fail(...problems, ...missing) : ok(given);
}

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is expected of a property, where the value is something else. */
function misfitOf(value: unknown, { type, minimum = -Infinity, maximum = Infinity, ...of }: Property): string | undefined {
  if (type === 'object') return isObject(value) ? undefined : t('an object');
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : t('true or false');
  if (type === 'integer')
    return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
      ? undefined
      : t('a whole number from {0} to {1}', minimum, maximum === Infinity ? '∞' : maximum);
  if (typeof value !== 'string') return t('a text');
  return of.enum && !of.enum.includes(value) ? of.enum.join(', ') : undefined;
} // prettier-ignore

const longestShown = 60;

function problem(path: string, value: unknown, expected: string): Problem {
  const found = JSON.stringify(value) ?? String(value);
  const shown = found.length > longestShown ? `${found.slice(0, longestShown)}…` : found;
  return { code: 'input', message: t('{0}: expected {1}, found {2}', path || t('the input'), expected, shown), path };
}

function unknown(name: string, known: readonly string[]): Problem {
  const near = nearest(name, known);
  return {
    code: 'input',
    message: t('{0} is no property of the input', name),
    hint: near === undefined ? t('It has {0}.', known.join(', ')) : t('Did you mean {0}?', near),
    path: name,
  };
}
