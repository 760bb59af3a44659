/** Statistics of a matrix over its finite values; NaN where there are none. */
export interface Statistics {
  readonly count: number;
  readonly finite: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Of the population, as `np.std`: √(Σ(x − mean)² ÷ n). */
  readonly std: number;
  readonly nan: number;
  readonly positiveInfinite: number;
  readonly negativeInfinite: number;
}

/**
 * Statistics in float64, in index order: one pass for the mean, two for the deviation. Sums are compensated (Neumaier 1974), so
 * that they are within a few units in the last place of the exact ones whatever the order in which a library adds.
 */
export function statisticsOf(values: ArrayLike<number>): Statistics {
  const { min, max, finite, nan, positiveInfinite, negativeInfinite } = countsOf(values);
  const counts = { count: values.length, finite, nan, positiveInfinite, negativeInfinite };
  if (finite === 0) return { ...counts, min: NaN, max: NaN, mean: NaN, std: NaN };
  const scale = scaleOf(Math.max(Math.abs(min), Math.abs(max)));
  const mean = sumOf(values, (x) => x / scale) / finite;
  const deviation = (x: number): number => x / scale - mean;
  const squares = sumOf(values, (x) => deviation(x) * deviation(x));
  // The mean is rounded: this corrects the sum of squares for it (Chan, Golub and LeVeque 1983).
  const rest = sumOf(values, deviation);
  const variance = Math.max(0, squares - (rest * rest) / finite) / finite;
  return { ...counts, min, max, mean: mean * scale, std: Math.sqrt(variance) * scale };
}

function countsOf(values: ArrayLike<number>): Omit<Statistics, 'count' | 'mean' | 'std'> {
  let [min, max, finite, nan, positiveInfinite, negativeInfinite] = [Infinity, -Infinity, 0, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const x = values[i] ?? NaN;
    if (Number.isNaN(x)) nan++;
    else if (x === Infinity) positiveInfinite++;
    else if (x === -Infinity) negativeInfinite++;
    else {
      finite++;
      if (x < min) min = x;
      if (x > max) max = x;
    }
  }
  return { min, max, finite, nan, positiveInfinite, negativeInfinite };
}

/** A power of two near the largest magnitude where squares or sums could overflow or vanish; dividing by it is exact. */
function scaleOf(largest: number): number {
  if (largest === 0 || (largest < 1e140 && largest > 1e-140)) return 1;
  let scale = 1;
  while (largest / scale > 2) scale *= 2;
  while (largest / scale < 1 && scale > 1e-300) scale /= 2;
  return scale;
}

function sumOf(values: ArrayLike<number>, term: (x: number) => number): number {
  let [sum, lost] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const x = values[i] ?? NaN;
    if (!Number.isFinite(x)) continue;
    const t = term(x);
    const next = sum + t;
    lost += Math.abs(sum) >= Math.abs(t) ? sum - next + t : t - next + sum;
    sum = next;
  }
  return sum + lost;
}
