import { t, type Problem, type Result } from '../../text';

/** Results of reading a file besides its content: `problems` make it unusable, `notes` are kept with the tokenizer. */
export interface Findings {
  readonly problems: Problem[];
  readonly notes: Problem[];
}

/** An object of a tokenizer file with its path: `normalizer.normalizers[1]`. */
export interface Node {
  readonly value: { readonly [key: string]: unknown };
  readonly path: string;
  readonly findings: Findings;
}

export const pathWithin = (path: string, key: string | number): string =>
  typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${key}` : key;

/** A value, short enough for a message. */
function shown(value: unknown): string {
  if (value === undefined) return t('nothing');
  if (Array.isArray(value)) return t('a list of {0}', value.length);
  const written = typeof value === 'object' && value !== null ? t('an object') : String(JSON.stringify(value));
  return written.length > 40 ? `${written.slice(0, 40)}…` : written;
}

export function addWrongValue(findings: Findings, path: string, value: unknown, expected: string): void {
  findings.problems.push({
    code: 'tokenizer-invalid',
    path,
    message: t('{0}: {1}, expected {2}', path || 'file', shown(value), expected),
  });
}

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at `path`; if there is none, a Problem and an empty object. */
export function nodeAt(findings: Findings, path: string, value: unknown): Node {
  if (!isObject(value)) addWrongValue(findings, path, value, t('an object'));
  return { findings, path, value: isObject(value) ? value : {} };
}

export const childAt = (node: Node, key: string): Node =>
  nodeAt(node.findings, pathWithin(node.path, key), node.value[key]);

/** A field of a given type; `fallback`, if given, when it is absent or null. */
function field<T>(node: Node, key: string, expected: string, is: (x: unknown) => x is T, empty: T, fallback?: T): T {
  const value = node.value[key];
  if (is(value)) return value;
  if (fallback !== undefined && (value === undefined || value === null)) return fallback;
  addWrongValue(node.findings, pathWithin(node.path, key), value, expected);
  return empty;
}

const isString = (x: unknown): x is string => typeof x === 'string';
const isBoolean = (x: unknown): x is boolean => typeof x === 'boolean';
const isCount = (x: unknown): x is number => typeof x === 'number' && Number.isInteger(x) && x >= 0 && x < MAX_ID;
const isList = (x: unknown): x is readonly unknown[] => Array.isArray(x);

/** Ids must be below this, so that a pair of ids fits into a double exactly. */
export const MAX_ID = 0x4000000;

export const textAt = (node: Node, key: string, fallback?: string): string =>
  field(node, key, t('a string'), isString, '', fallback);
export const flagAt = (node: Node, key: string, fallback?: boolean): boolean =>
  field(node, key, t('true or false'), isBoolean, false, fallback);
export const countAt = (node: Node, key: string, fallback?: number): number =>
  field(node, key, t('an integer from 0 to {0}', MAX_ID - 1), isCount, 0, fallback);
export const listAt = (node: Node, key: string, fallback?: readonly unknown[]): readonly unknown[] =>
  field(node, key, t('a list'), isList, [], fallback);

/** A string of one character. */
export function characterAt(node: Node, key: string): string {
  const value = textAt(node, key);
  if ([...value].length !== 1) addWrongValue(node.findings, pathWithin(node.path, key), value, t('one character'));
  return value;
}

/** A string, or undefined if absent or null. */
export const optionalTextAt = (node: Node, key: string): string | undefined =>
  node.value[key] === undefined || node.value[key] === null ? undefined : textAt(node, key);

/** One of several strings. */
export function choiceAt<T extends string>(node: Node, key: string, choices: readonly T[], fallback?: T): T {
  const value = node.value[key] ?? fallback;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  addWrongValue(node.findings, pathWithin(node.path, key), value, choices.join(', '));
  return choices[0] as T;
}

/** The value of a Result, or `otherwise`; problems are added to the findings at `path`. */
export function valueOr<T>(findings: Findings, path: string, result: Result<T>, otherwise: T): T {
  if (result.ok) return result.value;
  findings.problems.push(...result.problems.map((p) => ({ ...p, path, message: `${path}: ${p.message}` })));
  return otherwise;
}

export function addUnsupported(node: Node, what: string): void {
  const path = node.path;
  node.findings.problems.push({
    code: 'tokenizer-unsupported',
    path,
    message: t('{0}: {1} is not supported', path, what),
  });
}

/** Constructors of parts of the file, by their `type`. */
export type Constructors<T> = { readonly [type: string]: (node: Node) => T };

/** The part at a node, constructed by its type; for an unknown type a Problem and `otherwise`. */
export function constructPart<T>(makers: Constructors<T>, node: Node, otherwise: T): T {
  const type = textAt(node, 'type');
  const make = Object.hasOwn(makers, type) ? makers[type] : undefined;
  if (make) return make(node);
  if (type) addUnsupported(node, type);
  return otherwise;
}

/** The members of a Sequence, as nodes. */
export const nodesAt = (node: Node, key: string): Node[] =>
  listAt(node, key).map((value, i) => nodeAt(node.findings, pathWithin(pathWithin(node.path, key), i), value));
