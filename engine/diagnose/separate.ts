import type { Paced } from '../text';
import { encodeNumber, type AttentionSpec, type Mask, type SpecMatrix } from '../spec';
import { parts, type Mistake } from './catalogue';
import { inputsOfSpec } from './inputs';
import { sameShape, type Matrix } from './matrices';
import { complete, matrixOf, walker, type Choice, type Inputs } from './walk';

/** An input on which mistakes print different numbers that cannot be told apart elsewhere. */
export interface Separation {
  readonly spec: AttentionSpec;
  /** What attention with each set of mistakes prints of it. */
  readonly prints: readonly { readonly mistakes: readonly Mistake[]; readonly rows: SpecMatrix }[];
  readonly digits: number;
  /** Sets that print the same here too: only some of them are told apart. */
  readonly isPartial: boolean;
}

const digits = 2;
/** By how much two printed numbers have to differ in one cell, so that no rounding matters. */
const apart = 0.02;
/** Sets of mistakes that are told apart at most. */
const mostSets = 6;

/**
 * The smallest input, among those of small sizes with the same kind of attention, of which each set of mistakes prints other numbers; else the
 * smallest that tells some of them apart.
 */
export function* separated(spec: AttentionSpec, sets: readonly (readonly Mistake[])[]): Paced<Separation | undefined> {
  const asked = sets.slice(0, mostSets);
  let best: { readonly found: Separation; readonly classes: number } | undefined;
  for (const size of sizesOf(spec)) {
    const small = smallSpec(spec, size);
    const inputs = small && (yield* inputsOfSpec(small));
    if (!small || !inputs?.ok) continue;
    const printed = yield* printsOf(inputs.value, asked);
    if (!printed) continue;
    const classes = classesOf(printed);
    if (classes <= (best?.classes ?? 1)) continue;
    const prints = asked.map((mistakes, i) => ({ mistakes, rows: encoded(printed[i] ?? []) }));
    best = { found: { spec: small, prints, digits, isPartial: classes < asked.length }, classes };
    if (classes === asked.length) break;
  }
  return best?.found;
}

const encoded = (m: Matrix): SpecMatrix => m.map((row) => row.map((x) => encodeNumber(Number(x.toFixed(digits)))));

/** The last matrix that each set gives; undefined where one of them cannot be made. */
function* printsOf(inputs: Inputs, sets: readonly (readonly Mistake[])[]): Paced<readonly Matrix[] | undefined> {
  const { walk } = walker(inputs);
  const all: Matrix[] = [];
  for (const set of sets) {
    const choice: Choice = Object.fromEntries(set.map(({ part, id }) => [part, id]));
    const stages = walk(choice);
    if (set.some(({ part }) => !stages[parts.indexOf(part)])) return undefined;
    const last = stages.findLast((stage) => stage?.now[0])?.now[0];
    if (!last) return undefined;
    yield* complete(last);
    all.push(matrixOf(last));
  }
  return all;
}

/** How many different matrices there are, those that could be rounded to the same counted as one. */
function classesOf(all: readonly Matrix[]): number {
  const kinds: Matrix[] = [];
  for (const m of all) if (kinds.every((other) => isApart(m, other))) kinds.push(m);
  return kinds.length;
}

const isApart = (a: Matrix, b: Matrix): boolean =>
  !sameShape(a, b) ||
  a.some((row, i) =>
    row.some((x, j) => {
      const y = b[i]?.[j] ?? NaN;
      return Number.isFinite(x) !== Number.isFinite(y) || Math.abs(x - y) > apart;
    }),
  );

// --- small inputs -------------------------------------------------------------------

interface Size {
  readonly n: number;
  readonly keys: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly width: number;
}

/** Few numbers first. */
function sizesOf({ start, kvHeads, heads }: AttentionSpec): readonly Size[] {
  const crosses = start.from === 'x' && start.context !== undefined;
  const all = [2, 3, 4, 5, 6].flatMap((n) =>
    [1, 2, 3, 4].flatMap((h) =>
      [1, 2, 3, 4, 6].flatMap((width) =>
        (kvHeads === undefined || kvHeads === heads ? [h] : h > 1 ? [h / 2, 1] : []).flatMap((kv) =>
          Number.isInteger(kv) ? [{ n, keys: crosses ? n + 1 : n, heads: h, kvHeads: kv, width }] : [],
        ),
      ),
    ),
  );
  const numbers = ({ n, heads: h, width }: Size): number => n * h * width + 3 * h * width * h * width;
  return all.sort((a, b) => numbers(a) - numbers(b));
}

/** Multiples of a half between −1 and 1, the same each time. */
function drawing(): (rows: number, columns: number) => number[][] {
  let seed = 18;
  const draw = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (Math.floor((seed / 4294967296) * 5) - 2) / 2;
  };
  return (rows, columns) => Array.from({ length: rows }, () => Array.from({ length: columns }, draw));
}

/** The same kind of attention over other numbers; undefined where its mask is not of any size. */
function smallSpec(spec: AttentionSpec, { n, keys, heads, kvHeads, width }: Size): AttentionSpec | undefined {
  const { start, projections, outputProjection, block, kvHeads: _, ...rest } = spec;
  const mask = smallMask(spec.mask, keys);
  if (mask === undefined || spec.decode) return undefined;
  const matrix = drawing();
  const [d, ofKeys] = [heads * width, kvHeads * width];
  const grouped = kvHeads === heads ? {} : { kvHeads };
  const about = { ...rest, dModel: d, heads, mask, ...grouped };
  const [x, row] = [matrix(n, d), (columns: number): number[] => matrix(1, columns)[0] ?? []];
  const out = outputProjection?.from === 'given' ? outputProjection : undefined;
  const withOutput = out && { outputProjection: { from: 'given' as const, wo: matrix(d, d), ...(out.bo && { bo: row(d) }) } };
  const { norm, of, epsilon } = block ?? {};
  const inBlock = norm && { block: { norm, ...(of && { of }), ...(epsilon !== undefined && { epsilon }) } };
  if (start.from === 'qkv')
    return { ...about, projections, ...withOutput, start: { from: 'qkv', q: x, k: matrix(keys, ofKeys), ...(start.v && { v: matrix(keys, ofKeys) }) } };
  if (start.from !== 'x' || projections.from !== 'given') return undefined;
  const biases = projections.bq ? { bq: row(d), bk: row(ofKeys), bv: row(ofKeys) } : {};
  const weights = { wq: matrix(d, d), wk: matrix(d, ofKeys), wv: matrix(d, ofKeys) };
  return {
    ...about,
    ...withOutput,
    ...inBlock,
    projections: { from: 'given', ...weights, ...biases },
    start: { from: 'x', x, ...(start.context && { context: matrix(keys, d) }) },
  };
} // prettier-ignore

function smallMask(mask: Mask, keys: number): Mask | undefined {
  if (typeof mask === 'string') return mask;
  if (mask.kind === 'padding') return { ...mask, visible: keys - 1 };
  if (mask.kind === 'window') return { ...mask, size: 2 };
  return undefined;
}
