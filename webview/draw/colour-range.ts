/*
 * Where the colours of signed numbers end. One number far beyond all others would leave these the colour of zero. So colours reach only
 * to the largest magnitude that is at most ten times the nine-tenths quantile of all magnitudes. Outliers beyond it have a colour of
 * their own (colours.ts), and the bar says up to where they go.
 */

const quantile = 0.9;
const outlying = 10;
/** Of fewer numbers none can be called an outlier. */
const fewest = 6;
/** Magnitudes that are sorted: more would say no more of a quantile. */
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

/** Of many magnitudes a sample, evenly spaced; by an odd step, which does not keep to some columns of a matrix. */
function quantileOf(magnitudes: Float64Array): number {
  const step = magnitudes.length <= sampled ? 1 : Math.ceil(magnitudes.length / sampled) | 1;
  const sample = Float64Array.from(
    { length: Math.ceil(magnitudes.length / step) },
    (_, i) => magnitudes[i * step] as number,
  ).sort();
  return sample[Math.floor(quantile * (sample.length - 1))] ?? 0;
}
