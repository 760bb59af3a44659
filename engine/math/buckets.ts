import { log } from './math';

/** How T5 counts distances: see `bucketOf`. */
export interface Bucketing {
  readonly buckets: number;
  readonly maxDistance: number;
  /** Keys after a query have buckets of their own; else all of them have that of distance 0. */
  readonly bidirectional: boolean;
}

const round = Math.fround;

/**
 * The bucket of a key that stands `relative` behind its query (key − query; Raffel et al. 2020, section 2.1): half of the buckets for exact distances, half
 * for logarithmically larger ones up to `maxDistance`, beyond which all share the last. The logarithm is float32, as in T5's source: a distance at the
 * edge of a bucket depends on it.
 */
export function bucketOf({ buckets, maxDistance, bidirectional }: Bucketing, relative: number): number {
  const own = bidirectional ? Math.floor(buckets / 2) : buckets;
  const first = bidirectional && relative > 0 ? own : 0;
  const distance = bidirectional ? Math.abs(relative) : Math.max(0, -relative);
  const exact = Math.floor(own / 2);
  if (distance < exact) return first + distance;
  const far = round(log(round(distance / exact)));
  const whole = Math.trunc(round(round(far / round(log(maxDistance / exact))) * (own - exact)));
  return first + Math.min(exact + whole, own - 1);
}
