import type { Problem } from '../../engine/index';

/* Combinators for validating values from outside. */

type Fields = Record<string, unknown>;
/** Appends a Problem, with its path, for each part of the value that is invalid. */
export type Check = (value: unknown, path: string, problems: Problem[]) => void;

export interface Shape {
  readonly required: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function unexpected(path: string, wanted: string, found: unknown): Problem {
  const shown = found === undefined ? 'nothing' : (JSON.stringify(found) ?? typeof found);
  const short = shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
  return { code: 'message', path, message: `${path || 'message'}: expected ${wanted}, found ${short}` };
}

export const test =
  (wanted: string, accepts: (value: unknown) => boolean): Check =>
  (value, path, problems) => {
    if (!accepts(value)) problems.push(unexpected(path, wanted, value));
  };

/** Fields that are not named are accepted: a newer version at the other end may send more. */
export function object({ required, optional = {} }: Shape): Check {
  return (value, path, problems) => {
    if (!isFields(value)) return void problems.push(unexpected(path, 'an object', value));
    const at = (name: string): string => (path ? `${path}.${name}` : name);
    for (const [name, check] of Object.entries(required)) check(value[name], at(name), problems);
    for (const [name, check] of Object.entries(optional)) {
      if (value[name] !== undefined) check(value[name], at(name), problems);
    }
  };
}

export const list =
  (item: Check): Check =>
  (value, path, problems) => {
    if (!Array.isArray(value)) return void problems.push(unexpected(path, 'a list', value));
    value.forEach((entry, i) => item(entry, `${path}[${i}]`, problems));
  };

export const text = test('a text', (v) => typeof v === 'string');
export const anyObject = test('an object', isFields);
export const flag = test('true or false', (v) => typeof v === 'boolean');
export const isCount = (v: unknown): boolean => Number.isSafeInteger(v) && (v as number) >= 0;
export const count = test('a whole number from 0', isCount);
export const oneOf = (...values: readonly string[]): Check =>
  test(values.join(' or '), (v) => values.includes(v as string));
