/** What follows from numbers that a notebook printed, and how far it may be off because these are rounded; what follows from dropout that was drawn. */
import type { Paced } from '../../text';
import { Ended, type Dense, NotComputed, newAllowance, type Node, rounding, valuesWith } from '../tensor';
import type { KeptValues } from '../machine';
import type { Program } from '../program';

/** Values that were printed, by the node that was printed. */
export type PrintedValues = ReadonlyMap<Node, KeptValues>;

export interface FromPrinted {
  readonly dense: Dense;
  /** How far each number may be off. */
  readonly far: Float64Array;
}

/** How often the printed numbers are moved within their rounding. */
const samples = 6;
/** The furthest that these moved a number, times this, is allowed: a sample seldom finds the very furthest. */
const margin = 2;

/** Where rounding moves numbers by more than this part of the largest, agreement would say nothing. */
const coarsest = 0.02;

/** A node's values from those that were printed of others; undefined where it does not follow from them. */
export function* fromPrinted(node: Node, printed: PrintedValues): Paced<FromPrinted | undefined> {
  if (printed.size === 0) return undefined;
  const own = yield* withMoved(node, printed, undefined);
  if (!own) return undefined;
  const far = new Float64Array(own.data.length);
  for (let sample = 0; sample < samples; sample++) {
    const moved = yield* withMoved(node, printed, sample);
    if (moved?.data.length !== far.length) return undefined;
    for (const [i, x] of moved.data.entries())
      far[i] = Math.max(far[i] ?? 0, margin * Math.abs(x - (own.data[i] ?? 0)));
    yield;
  }
  const largest = own.data.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
  return far.some((x) => x > coarsest * largest) ? undefined : { dense: own, far };
}

/** The same for draws without a seed that took what was printed of them. */
export function* offBy({ kept }: Program, node: Node): Paced<Float64Array | undefined> {
  const slack = kept.used.get(node)?.slack;
  return slack ?? (yield* fromPrinted(node, kept.used))?.far;
}

/** With each printed number as it is, or moved up or down by as much as its rounding allows, in a fixed pattern. */
function* withMoved(node: Node, printed: PrintedValues, sample: number | undefined): Paced<Dense | undefined> {
  let state = 0x9e3779b9 ^ ((sample ?? 0) * 0x85ebca6b);
  const sign = (): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return (state >>> 13) & 1 ? 1 : -1;
  };
  const others = new Map<Node, Dense>();
  for (const [one, { shape, data, slack }] of printed) {
    const moved = sample === undefined ? data : data.map((x, i) => x + sign() * (slack[i] ?? 0));
    if (one !== node) others.set(one, { shape, dtype: one.dtype, data: moved });
  }
  try {
    return yield* valuesWith(node, others, newAllowance());
  } catch (error) {
    if (error instanceof NotComputed || error instanceof Ended) return undefined;
    throw error;
  }
}

/**
 * A node's values with the dropout that a seed draws, by each kind of processor; none where some dropout before it is not known. To be compared
 * with what was printed.
 */
export function* withDropout({ kept }: Program, node: Node): Paced<readonly Dense[]> {
  if (!node.assumes || node.why || kept.stays.size === 0) return [];
  const before = new Set<Node>([node]);
  for (const one of before) for (const operand of one.operands) before.add(operand);
  const drops = [...before].filter(({ attributes: { origin, value } }) => origin === 'dropout' && value !== undefined);
  const found: Dense[] = [];
  if (drops.length === 0 || [...before].some((one) => kept.used.has(one))) return found;
  for (const processor of ['own', 'intel'] as const) {
    const drawn = drops.flatMap((one) => kept.stays.get(one)?.[processor] ?? []);
    if (drawn.length < drops.length) continue;
    const otherwise = new Map(drops.map((one, i) => [one, dropped(drawn[i] as Uint8Array, one)] as const));
    try {
      const made = yield* valuesWith(node, new Map(), newAllowance(), otherwise);
      if (made) found.push(made);
    } catch (error) {
      if (!(error instanceof NotComputed || error instanceof Ended)) throw error;
    }
  }
  return found;
}

/** As PyTorch computes it: x times (0 or 1) / (1 − p), each rounded. */
const dropped =
  (stays: Uint8Array, { attributes: { value: p = 0 }, dtype }: Node) =>
  (x: Dense): Dense => {
    const round = rounding[dtype];
    const scale = round(1 / round(1 - p));
    return { ...x, data: x.data.map((one, i) => round(one * ((stays[i] ?? 0) * scale))) };
  };
