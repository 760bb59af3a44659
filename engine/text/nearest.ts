/** The known name that is at most `most` letters from `name`, in either case: what was meant, it may be. */
export function nearest(name: string, known: readonly string[], most = 3): string | undefined {
  const word = name.toLowerCase().slice(0, 40);
  const [first] = known.map((k) => ({ k, d: distance(word, k.toLowerCase()) })).sort((a, b) => a.d - b.d);
  return first && first.d <= most ? first.k : undefined;
}

/** Levenshtein distance of two short words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
