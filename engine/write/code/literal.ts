import type { AttentionSpec } from '../../spec';

/** A number of a spec as a Python literal: the shortest digits that give the same float64. */
function pythonNumber(value: unknown): string {
  if (value === 'inf' || value === Infinity) return 'math.inf';
  if (value === '-inf' || value === -Infinity) return '-math.inf';
  if (value === '-0' || Object.is(value, -0)) return '-0.0';
  if (typeof value !== 'number' || Number.isNaN(value)) return 'math.nan';
  return String(value).replace('e+', 'e');
}

/** The values at a path of the spec (`start.q`) as nested Python lists, one line for each row. */
export const pythonList = (spec: AttentionSpec, path: string): string => nestedList(valueAt(spec, path), 1);

/** The value at a path of the spec such as `start.q`. */
export const valueAt = (spec: AttentionSpec, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], spec);

function nestedList(at: unknown, depth: number): string {
  if (!Array.isArray(at)) return pythonNumber(at);
  const items: readonly unknown[] = at;
  const nested = items.some((item) => Array.isArray(item));
  if (!nested) return `[${items.map(pythonNumber).join(', ')}]`;
  const indent = '    '.repeat(depth);
  return `[\n${items.map((item) => `${indent}${nestedList(item, depth + 1)},\n`).join('')}${'    '.repeat(depth - 1)}]`;
}

/** Text as a Python string, on one line, in ASCII. */
export function pythonString(text: string): string {
  // JSON's escapes are valid in Python once characters beyond ASCII are escaped; that includes lone surrogates.
  const escaped = JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return escaped.replace(/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/g, (pair) => {
    const [high, low] = [parseInt(pair.slice(2, 6), 16), parseInt(pair.slice(8, 12), 16)];
    return `\\U${(((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000).toString(16).padStart(8, '0')}`;
  });
}
