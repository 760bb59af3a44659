import { angleAt, cos, pow, sin, timesOf, turnsOf, type Turn } from '../math';
import type { LongRope, Rope } from './architecture';

/** Cosine and sine of each position and pair. */
export interface Rotations {
  readonly cosines: Float32Array;
  readonly sines: Float32Array;
  readonly pairs: number;
}

/** The rotations of positions 0 to count − 1, in float32 as Hugging Face's code computes them. */
export function rotationsOf(rope: Rope, count: number): Rotations {
  const pairs = Math.floor(rope.dims / 2);
  const { turns, times } = rope.long ? longTurns(rope.base, rope.long, pairs, count) : scaledTurns(rope, pairs, count);
  const [cosines, sines] = [new Float32Array(count * pairs), new Float32Array(count * pairs)];
  for (let p = 0; p < count; p++)
    turns.forEach((turn, i) => {
      const angle = angleAt(turn, p);
      cosines[p * pairs + i] = cos(angle) * times;
      sines[p * pairs + i] = sin(angle) * times;
    });
  return { cosines, sines, pairs };
}

interface Turns {
  readonly turns: readonly Pick<Turn, 'divisor' | 'rate'>[];
  readonly times: number;
}

function scaledTurns({ base, scaling }: Rope, pairs: number, count: number): Turns {
  const known = scaling?.kind === 'dynamic' ? { ...scaling, length: count } : scaling;
  const turning = { base, ...(known && { scaling: known }), float32: true } as const;
  return { turns: turnsOf(pairs, turning), times: timesOf(turning) };
}

function longTurns(base: number, { short, long, original, times }: LongRope, pairs: number, count: number): Turns {
  const factors = count > original ? long : short;
  const turns = Array.from({ length: pairs }, (_, i) => {
    const plain = Math.fround(pow(base, Math.fround(i / pairs)));
    const rate = Math.fround(1 / Math.fround(Math.fround(factors[i] ?? 1) * plain));
    return { divisor: 1 / rate, rate };
  });
  return { turns, times };
}

/** Turns the first columns of each row of a head (rows × width), in place (Su et al. 2021, eq. 34). */
export function rotate(x: Float32Array, width: number, layout: Rope['layout'], { cosines, sines, pairs }: Rotations): void {
  const [step, apart] = layout === 'half' ? [1, pairs] : [2, 1];
  for (let p = 0; p * width < x.length; p++)
    for (let i = 0; i < pairs; i++) {
      const [a, b] = [p * width + i * step, p * width + i * step + apart];
      const [c, s] = [cosines[p * pairs + i] as number, sines[p * pairs + i] as number];
      const [u, v] = [x[a] as number, x[b] as number];
      x[a] = u * c - v * s;
      x[b] = v * c + u * s;
    }
} // prettier-ignore
