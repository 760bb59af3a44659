import type { AttentionSpec, Mask, SpecMatrix } from '../spec';
import { planOf } from '../plan';
import { runReference, valuesOf, type AttentionTrace } from '../run';
import { isPrinted, type Printed } from './printed';
import type { Mistake } from './catalogue';
import { rowsOf, type Matrix } from './matrices';

type Change = (spec: AttentionSpec, trace: AttentionTrace) => AttentionSpec | undefined;

/**
 * The spec whose attention makes these mistakes, where fields of a spec can say them, and only if one of its steps is the printed result to every digit.
 * So what a reader switches to is what was found, never something like it.
 */
export function remade(trace: AttentionTrace, mistakes: readonly Mistake[], mine: Printed): AttentionSpec | undefined {
  let spec: AttentionSpec | undefined = trace.spec;
  for (const { id } of mistakes) spec = spec && changes[id]?.(spec, trace);
  const plan = spec && planOf(spec);
  if (!spec || !plan?.ok) return undefined;
  const run = runReference(spec, plan.value);
  return run.ok && gives(run.value, mine) ? spec : undefined;
}

const gives = (trace: AttentionTrace, mine: Printed): boolean =>
  trace.plan.steps.some((step) => {
    const [rows = 1, columns = 1] = step.shape.slice(-2);
    if (rows !== mine.rows.length || columns !== mine.rows[0]?.length) return false;
    const values = valuesOf(trace, step);
    const size = rows * columns;
    return Array.from({ length: values.length / size }, (_, i) => values.subarray(i * size, (i + 1) * size)).some(
      (one) => isPrinted(rowsOf(one, columns), mine),
    );
  });

// --- one change for each mistake ----------------------------------------------------

type Weight = 'q' | 'k' | 'v';

/** Other weights, where they are given; other Q, K and V, where those are. */
const exchanged =
  (from: Readonly<Record<Weight, Weight>>): Change =>
  (spec) => {
    const { start, projections } = spec;
    if (start.from === 'qkv') {
      const { q, k, v } = start;
      const all = { q, k, v };
      const [newV] = [all[from.v]];
      if (newV === undefined && from.v !== 'v') return undefined;
      return { ...spec, start: { ...start, q: all[from.q] ?? q, k: all[from.k] ?? k, ...(newV === undefined ? {} : { v: newV }) } };
    }
    if (start.from !== 'x' || projections.from !== 'given') return undefined;
    const { wq, wk, wv, bq, bk, bv } = projections;
    const [weights, biases] = [{ q: wq, k: wk, v: wv }, { q: bq, k: bk, v: bv }];
    const bias = (name: Weight): object => {
      const row = biases[from[name]];
      return row === undefined ? {} : { [`b${name}`]: row };
    };
    const next = { from: 'given', wq: weights[from.q], wk: weights[from.k], wv: weights[from.v] } as const;
    return { ...spec, projections: { ...next, ...bias('q'), ...bias('k'), ...bias('v') } };
  }; // prettier-ignore

const turned = (m: SpecMatrix): SpecMatrix => (m[0] ?? []).map((_, column) => m.flatMap((row) => row[column] ?? []));

const flipped =
  (...names: readonly Weight[]): Change =>
  (spec) => {
    const { projections } = spec;
    if (projections.from !== 'given') return undefined;
    const weights = Object.fromEntries(names.map((name) => [`w${name}`, turned(projections[`w${name}`])]));
    return { ...spec, projections: { ...projections, ...weights } };
  };

const unbiased =
  (...names: readonly Weight[]): Change =>
  (spec) => {
    const { projections } = spec;
    if (projections.from !== 'given') return undefined;
    const kept = Object.entries(projections).filter(([key]) => !names.some((name) => key === `b${name}`));
    return { ...spec, projections: Object.fromEntries(kept) as typeof projections };
  };

const scaledBy =
  (by: (dK: number, trace: AttentionTrace) => number): Change =>
  (spec, trace) => {
    const keys = shapeOf(trace, 'k');
    const dK = (keys.at(-1) ?? NaN) / (keys.length > 2 ? 1 : spec.heads);
    const divideBy = by(dK, trace);
    return Number.isFinite(divideBy) && divideBy !== 0 ? { ...spec, scale: { divideBy } } : undefined;
  };

const shapeOf = ({ plan }: AttentionTrace, id: string): readonly number[] =>
  plan.steps.find((step) => step.id === id)?.shape ?? [];

/** A mask of the same size, cell by cell; undefined where the attention has none, or one for each head. */
const masked =
  (hides: (hidden: Matrix, row: number, column: number) => boolean): Change =>
  (spec, trace) => {
    const step = trace.plan.steps.find(({ id }) => id === 'mask');
    if (step?.shape.length !== 2) return undefined;
    const hidden = rowsOf(valuesOf(trace, step), step.shape[1] ?? 1);
    const values = hidden.map((row, i) => row.map((_, j) => Number(hides(hidden, i, j))));
    return { ...spec, mask: { kind: 'boolean', values, trueMeans: 'hidden' } };
  };

const isHidden = (hidden: Matrix, row: number, column: number): boolean => hidden[row]?.[column] === 1;

/** 1 added where keys are hidden, or where they are seen. */
const added =
  (where: 'hidden' | 'seen'): Change =>
  (spec, trace) => {
    const changed = masked((hidden, i, j) => isHidden(hidden, i, j) === (where === 'hidden'))(spec, trace);
    const mask = changed?.mask;
    if (typeof mask !== 'object' || mask.kind !== 'boolean') return undefined;
    return { ...spec, mask: { kind: 'additive', values: mask.values } as Mask };
  };

const output =
  (change: (projection: Given) => AttentionSpec['outputProjection']): Change =>
  (spec) => {
    const { outputProjection } = spec;
    if (outputProjection?.from !== 'given') return undefined;
    const { outputProjection: _, ...rest } = spec;
    const next = change(outputProjection);
    return next ? { ...rest, outputProjection: next } : rest;
  };
type Given = Extract<NonNullable<AttentionSpec['outputProjection']>, { from: 'given' }>;

const root = (x: number): number => Math.sqrt(x);

/** By the ids of the catalogue. A mistake that is not here has no field that says it. */
const changes: Readonly<Record<string, Change>> = {
  transposedWq: flipped('q'),
  transposedWk: flipped('k'),
  transposedWv: flipped('v'),
  transposedAll: flipped('q', 'k', 'v'),
  noBq: unbiased('q'),
  noBk: unbiased('k'),
  noBv: unbiased('v'),
  noBias: unbiased('q', 'k', 'v'),
  swapQK: exchanged({ q: 'k', k: 'q', v: 'v' }),
  swapKV: exchanged({ q: 'q', k: 'v', v: 'k' }),
  valuesAreKeys: exchanged({ q: 'q', k: 'k', v: 'k' }),
  keysAreQueries: exchanged({ q: 'q', k: 'q', v: 'v' }),
  oneHead: (spec) => ({ ...spec, heads: 1 }),
  noScale: (spec) => ({ ...spec, scale: 'none' }),
  scaleD: scaledBy((dK) => dK),
  scaleModel: (spec, trace) => scaledBy((dK) => root(dK * spec.heads))(spec, trace),
  scaleInput: scaledBy((_, trace) => root(shapeOf(trace, 'x').at(-1) ?? NaN)),
  scaleKeys: scaledBy((_, trace) => root(shapeOf(trace, 'k').at(-2) ?? NaN)),
  scaleTimes: scaledBy((dK) => 1 / root(dK)),
  scaleFourth: scaledBy((dK) => root(root(dK))),
  noMask: (spec) => ({ ...spec, mask: 'none' }),
  maskInverted: masked((hidden, i, j) => !isHidden(hidden, i, j)),
  maskTransposed: masked((hidden, i, j) => isHidden(hidden, j, i)),
  maskStrict: masked((hidden, i, j) => isHidden(hidden, i, j) || i === j),
  maskLoose: masked((hidden, i, j) => isHidden(hidden, i, j) && j !== i + 1),
  maskZero: (spec) => ({ ...spec, maskFill: 0 }),
  maskTiny: (spec) => ({ ...spec, maskFill: 1e-9 }),
  maskAdded: added('hidden'),
  maskAddedSeen: added('seen'),
  noWo: output(() => undefined),
  transposedWo: output((projection) => ({ ...projection, wo: turned(projection.wo) })),
  noBo: output(({ bo: _, ...projection }) => projection),
};
