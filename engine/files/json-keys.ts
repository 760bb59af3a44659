/** A key, and the offset of its first quote. */
export interface Key {
  readonly key: string;
  readonly at: number;
}

/** The first duplicate key in an object of valid JSON: `JSON.parse` silently keeps the last. */
export function duplicateKey(json: string): Key | undefined {
  /** The keys of each enclosing object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  for (let i = 0; i < json.length; i++) {
    const c = json.charAt(i);
    if (c === '{') open.push(new Set());
    else if (c === '[') open.push(undefined);
    else if (c === '}' || c === ']') open.pop();
    else if (c === '"') {
      const end = stringEnd(json, i);
      const keys = open.at(-1);
      if (keys && isKey(json, end)) {
        const key = JSON.parse(json.slice(i, end)) as string;
        if (keys.has(key)) return { key, at: i };
        keys.add(key);
      }
      i = end - 1;
    }
  }
  return undefined;
}

/** Offset after the closing quote. */
function stringEnd(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && json.charAt(i) !== '"') i += json.charAt(i) === '\\' ? 2 : 1;
  return i + 1;
}

function isKey(json: string, end: number): boolean {
  let i = end;
  while (' \t\r\n'.includes(json.charAt(i)) && i < json.length) i++;
  return json.charAt(i) === ':';
}
