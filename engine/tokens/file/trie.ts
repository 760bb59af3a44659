/** A map from strings to numbers with search by prefix. All edges share one Map: an object for each node would take ten times the memory. */
export interface Trie {
  /** From node · 65536 + UTF-16 unit to the child node; node 0 is the root. */
  readonly edges: Map<number, number>;
  /** The value of the string that ends at each node; −1 if none does. */
  readonly values: number[];
}

export function trieOf(entries: Iterable<readonly [string, number]>): Trie {
  const trie: Trie = { edges: new Map(), values: [-1] };
  for (const [text, value] of entries) trie.values[nodeFor(trie, text)] = value;
  return trie;
}

function nodeFor(trie: Trie, text: string): number {
  let node = 0;
  for (let i = 0; i < text.length; i++) {
    const key = node * 65536 + text.charCodeAt(i);
    let next = trie.edges.get(key);
    if (next === undefined) {
      next = trie.values.push(-1) - 1;
      trie.edges.set(key, next);
    }
    node = next;
  }
  return node;
}

/** Calls `found` with the end and value of each stored string that occurs at `start`, shortest first. */
export function prefixesAt(
  { edges, values }: Trie,
  text: string,
  start: number,
  found: (end: number, value: number) => void,
): void {
  let node: number | undefined = 0;
  for (let i = start; i < text.length;) {
    node = edges.get(node * 65536 + text.charCodeAt(i++));
    if (node === undefined) return;
    const value = values[node] as number;
    if (value >= 0) found(i, value);
  }
}
