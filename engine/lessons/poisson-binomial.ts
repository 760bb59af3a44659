/**
 * The probability that at least `least` of independent events happen, each with its own probability (Poisson's binomial distribution), summed
 * exactly by the recurrence over events.
 */
export function atLeast(probabilities: readonly number[], least: number): number {
  // counts[k]: the probability that exactly k of the events so far happen; the last entry is "least or more".
  const counts = [1, ...Array.from({ length: least }, () => 0)];
  for (const p of probabilities)
    for (let k = least; k >= 0; k--) {
      const stays = k === least ? (counts[k] ?? 0) : (counts[k] ?? 0) * (1 - p);
      counts[k] = stays + (k > 0 ? (counts[k - 1] ?? 0) * p : 0);
    }
  return counts[least] ?? 0;
}
