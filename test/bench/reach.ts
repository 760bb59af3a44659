import type { Contender } from './measure';

/**
 * The contenders that reach `size` within `cap` milliseconds per run, and a note for each of the others. Each is tried with
 * doubling sizes and stopped at the first that takes longer, because a call that takes minutes cannot be interrupted.
 */
export async function reaching(
  contendersAt: (size: number) => readonly Contender[],
  size: number,
  cap: number,
): Promise<{ contenders: Contender[]; notes: string[] }> {
  const contenders: Contender[] = [];
  const notes: string[] = [];
  for (const [i, contender] of contendersAt(size).entries()) {
    // Ours is not tried: a test ensures that it is linear, and a single slow run on a busy machine would exclude it.
    const stopped = contender.name.startsWith('ours') ? undefined : await stopOf((n) => contendersAt(n)[i], size, cap);
    if (stopped === undefined) contenders.push(contender);
    else notes.push(`${contender.name}: ${stopped}`);
  }
  return { contenders, notes };
}

async function stopOf(
  contenderAt: (size: number) => Contender | undefined,
  size: number,
  cap: number,
): Promise<string | undefined> {
  for (let n = 256; n < size; n *= 2) {
    const took = await timeOf(contenderAt(n));
    if (typeof took === 'string') return `fails at ${n} characters: ${took}`;
    if (took > cap) return `${n} characters took ${took.toFixed(0)} ms, over the limit of ${cap} ms: ${size} not tried`;
  }
  return undefined;
}

async function timeOf(contender: Contender | undefined): Promise<number | string> {
  try {
    // Only the first call is timed, because a second could be answered from a cache.
    const start = performance.now();
    await contender?.run(0);
    return performance.now() - start;
  } catch (error) {
    return String(error);
  }
}
