import type { Contender } from './measure';

/**
 * The contenders that get to `size` within `cap` milliseconds a run, and a note for each that does not. Sizes double, and
 * the first that takes longer is the last: nothing can end a call that takes minutes.
 */
export async function reaching(
  contendersAt: (size: number) => readonly Contender[],
  size: number,
  cap: number,
): Promise<{ contenders: Contender[]; notes: string[] }> {
  const contenders: Contender[] = [];
  const notes: string[] = [];
  for (const [i, contender] of contendersAt(size).entries()) {
    // Ours is linear, which a test holds; tried all the same, a noisy second would leave it out.
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
    // The first call: a memo would answer the second.
    const start = performance.now();
    await contender?.run(0);
    return performance.now() - start;
  } catch (error) {
    return String(error);
  }
}
