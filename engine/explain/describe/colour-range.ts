/*
 * The magnitude at which the colours of signed numbers end. If it were the largest magnitude, one outlier would give all other numbers the
 * colour of zero. So it is the largest magnitude that is at most ten times the 0.9 quantile of all magnitudes. Outliers beyond it have a
 * colour of their own, and the panel's colour bar names their range. Panel, hovers and the preview of lessons all end their colours here.
 */

const quantile = 0.9;
const outlying = 10;
/** With fewer numbers than this, none is called an outlier. */
const fewest = 6;
/** At most this many magnitudes are sorted; a larger sample does not change the quantile much. */
const sampled = 4096;

/** The largest magnitude that is not an outlier; undefined where none is. Magnitudes are finite and at least 0. */
export function limitWithoutOutliers(magnitudes: Float64Array): number | undefined {
  if (magnitudes.length < fewest) return undefined;
  const most = outlying * quantileOf(magnitudes);
  let [reach, largest] = [0, 0];
  for (const magnitude of magnitudes) {
    if (magnitude > largest) largest = magnitude;
    if (magnitude > reach && magnitude <= most) reach = magnitude;
  }
  return reach > 0 && reach < largest ? reach : undefined;
}

/** Where the colours of these values end: before outliers; 1 when all are zero, so that nothing is divided by zero. */
export function signedColourLimit(values: ArrayLike<number>): number {
  const magnitudes = Float64Array.from(values, Math.abs).filter(Number.isFinite);
  return limitWithoutOutliers(magnitudes) ?? (magnitudes.reduce((most, x) => Math.max(most, x), 0) || 1);
}

/** The quantile of an evenly spaced sample. Its step is odd, so that it does not take the same columns of each row. */
function quantileOf(magnitudes: Float64Array): number {
  const step = magnitudes.length <= sampled ? 1 : Math.ceil(magnitudes.length / sampled) | 1;
  const sample = Float64Array.from(
    { length: Math.ceil(magnitudes.length / step) },
    (_, i) => magnitudes[i * step] as number,
  ).sort();
  return sample[Math.floor(quantile * (sample.length - 1))] ?? 0;
}
