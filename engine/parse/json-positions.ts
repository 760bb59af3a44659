import { t, type Problem, type TextRange } from '../text';

/** The ranges of all values in a JSON text by path (`start.x[1][0]`), or a syntax error with its position. */
export function readPositions(json: string): { readonly places: ReadonlyMap<string, TextRange> } | Problem {
  const reader: Reader = { json, at: 0, places: new Map() };
  try {
    readValue(reader, '');
    expectAt(reader, t('the end'), skip(reader) === json.length);
    return { places: reader.places };
  } catch (error) {
    if (error instanceof NotJson) return error.problem;
    throw error;
  }
}

interface Reader {
  readonly json: string;
  at: number;
  readonly places: Map<string, TextRange>;
}

/** Thrown at a syntax error; caught in this file. */
class NotJson extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

function expectAt({ json, at }: Reader, what: string, holds: boolean): void {
  if (holds) return;
  const range = { start: Math.min(at, json.length), end: Math.min(at + 1, json.length) };
  const message =
    at < json.length
      ? t('no JSON: expected {0}, found {1}', what, json.charAt(at))
      : t('no JSON: expected {0}, the text ends', what);
  throw new NotJson({ code: 'json', message, range });
}

function skip(reader: Reader): number {
  while (/[ \t\r\n]/.test(reader.json.charAt(reader.at))) reader.at++;
  return reader.at;
}

/** Deepest nesting: more than any spec has, and safe for the stack. */
const deepest = 64;

function readValue(reader: Reader, path: string, depth = 0): void {
  const start = skip(reader);
  expectAt(reader, t('at most {0} levels', deepest), depth < deepest);
  const open = reader.json.charAt(start);
  if (open === '{') readItems(reader, '}', () => readField(reader, path, depth));
  else if (open === '[') readElements(reader, path, depth);
  else readScalar(reader);
  reader.places.set(path, { start, end: reader.at });
}

function readElements(reader: Reader, path: string, depth: number): void {
  let i = 0;
  readItems(reader, ']', () => readValue(reader, `${path}[${i++}]`, depth + 1));
}

function readItems(reader: Reader, close: string, readItem: () => void): void {
  const { json } = reader;
  reader.at++;
  skip(reader);
  while (json.charAt(reader.at) !== close) {
    readItem();
    if (json.charAt(skip(reader)) === close) break;
    expectAt(reader, t(', or {0}', close), json.charAt(reader.at) === ',');
    reader.at++;
    skip(reader);
    expectAt(reader, t('a value after the comma'), json.charAt(reader.at) !== close);
  }
  reader.at++;
}

function readField(reader: Reader, path: string, depth: number): void {
  const start = skip(reader);
  expectAt(reader, t('a name in quotes'), reader.json.charAt(start) === '"');
  readScalar(reader);
  const name = JSON.parse(reader.json.slice(start, reader.at)) as string;
  expectAt(reader, ':', reader.json.charAt(skip(reader)) === ':');
  reader.at++;
  readValue(reader, path ? `${path}.${name}` : name, depth + 1);
}

const scalar =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;

function readScalar(reader: Reader): void {
  scalar.lastIndex = reader.at;
  const found = scalar.exec(reader.json)?.[0];
  expectAt(reader, t('a value'), found !== undefined);
  reader.at += found?.length ?? 0;
}

/** Adds to each problem of a spec the range of its field in the JSON, or of the nearest enclosing value if the field is missing. */
export function problemsWithRanges(json: string, problems: readonly Problem[]): Problem[] {
  const read = readPositions(json);
  if (!('places' in read)) return [...problems];
  return problems.map((problem) => ({ range: placeOf(read.places, problem.path ?? ''), ...problem }));
}

function placeOf(places: ReadonlyMap<string, TextRange>, path: string): TextRange {
  let at = path;
  while (!places.has(at) && at !== '') at = at.slice(0, Math.max(0, at.lastIndexOf('.'), at.lastIndexOf('[')));
  return places.get(at) ?? { start: 0, end: 0 };
}
