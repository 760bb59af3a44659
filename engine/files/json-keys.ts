/** A key of the outermost object, and the offset of its first quote. */
export interface Key {
  readonly key: string;
  readonly at: number;
}

/** The keys of the outermost object of a text that is known to be JSON, in order: `JSON.parse` keeps only the last of two. */
export function keysOf(json: string): Key[] {
  const keys: Key[] = [];
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const c = json.charAt(i);
    if (c === '{' || c === '[') depth++;
    else if (c === '}' || c === ']') depth--;
    else if (c === '"') {
      const end = stringEnd(json, i);
      if (depth === 1 && isKey(json, end)) keys.push({ key: JSON.parse(json.slice(i, end)) as string, at: i });
      i = end - 1;
    }
  }
  return keys;
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
