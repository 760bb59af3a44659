import { layerCount, type AttentionSpec, type LayerWeights, type SpecMatrix } from '../spec';
import type { Model, ModelTensor } from './model';

/* A spec with the weights of its model where it would draw them. */

/** Where weights of a spec stand in a model's file: GPT-2's name of the tensor, and the part of its rows or columns (from, to). */
export interface Weight {
  readonly tensor: string;
  readonly rows?: readonly [number, number];
  readonly columns?: readonly [number, number];
}

/** A spec that is complete without its model, and where each weight came from, by its path. */
export interface Filled {
  readonly spec: AttentionSpec;
  readonly weights: ReadonlyMap<string, Weight>;
}

const filled = new WeakMap<AttentionSpec, Filled>();

/** The spec with `model`'s weights given at the paths that `weights` lists. `count`: its tokens. Computed once for a spec. */
export function withWeights(spec: AttentionSpec, model: Model, count: number): Filled {
  const known = filled.get(spec);
  if (known) return known;
  const made = fill(spec, model, count);
  filled.set(spec, made);
  return made;
}

function fill(spec: AttentionSpec, model: Model, count: number): Filled {
  const weights = new Map<string, Weight>();
  const take = (path: string, weight: Weight): SpecMatrix => {
    weights.set(path, weight);
    return matrixOf(model, weight);
  };
  const takeRow = (path: string, weight: Weight): readonly number[] => {
    weights.set(path, weight);
    return rowOf(model, weight);
  };
  const layers = Math.min(layerCount(spec), model.layers);
  const own = Array.from({ length: layers }, (_, i) => layerOf({ spec, model, take, takeRow }, i));
  const [first = {}] = own;
  const { wq, wk, wv, bq, bk, bv, wo, bo } = first;
  // Without layers, attention alone has the weights of the first.
  for (const name of ['wq', 'wk', 'wv', 'bq', 'bk', 'bv', 'wo', 'bo'] as const) {
    const weight = weights.get(`block.weights.0.${name}`);
    if (weight) weights.set(`${name.endsWith('o') ? 'outputProjection' : 'projections'}.${name}`, weight);
  }
  return {
    weights,
    spec: {
      ...spec,
      embedding: spec.embedding ?? { from: 'given', table: take('embedding.table', { tensor: 'wte.weight' }) },
      ...(spec.positions === 'learned-random' && {
        positions: { learned: take('positions.learned', { tensor: 'wpe.weight', rows: [0, count] }) },
      }),
      ...(spec.projections.from === 'random' &&
        wq &&
        wk &&
        wv && { projections: { from: 'given', wq, wk, wv, ...(bq && { bq }), ...(bk && { bk }), ...(bv && { bv }) } }),
      ...(spec.outputProjection?.from === 'random' &&
        wo && { outputProjection: { from: 'given', wo, ...(bo && { bo }) } }),
      ...(spec.block && {
        block: {
          ...spec.block,
          weights: own,
          ...(spec.block.finalNorm && {
            last: {
              norm: takeRow('block.last.norm', { tensor: 'ln_f.weight' }),
              normBias: takeRow('block.last.normBias', { tensor: 'ln_f.bias' }),
            },
          }),
        },
      }),
    },
  };
}

interface Filling {
  readonly spec: AttentionSpec;
  readonly model: Model;
  readonly take: (path: string, weight: Weight) => SpecMatrix;
  readonly takeRow: (path: string, weight: Weight) => readonly number[];
}

/** The weights of a layer, from 0: only those that the spec would draw. */
function layerOf({ spec, model, take, takeRow }: Filling, i: number): LayerWeights {
  const { width } = model;
  const at = `block.weights.${i}`;
  const tensor = (name: string): string => `h.${i}.${name}`;
  const cut = (part: number) => ({ columns: [part * width, (part + 1) * width] }) as const;
  const projected = (name: string, part: number) => ({
    [`w${name}`]: take(`${at}.w${name}`, { tensor: tensor('attn.c_attn.weight'), ...cut(part) }),
    [`b${name}`]: takeRow(`${at}.b${name}`, { tensor: tensor('attn.c_attn.bias'), ...cut(part) }),
  });
  const whole = (name: string, of: string) => ({ [name]: take(`${at}.${name}`, { tensor: tensor(of) }) });
  const row = (name: string, of: string) => ({ [name]: takeRow(`${at}.${name}`, { tensor: tensor(of) }) });
  const norms = spec.block !== undefined && spec.block.norm !== 'none';
  return {
    ...(spec.projections.from === 'random' && { ...projected('q', 0), ...projected('k', 1), ...projected('v', 2) }),
    ...(spec.outputProjection?.from === 'random' && { ...whole('wo', 'attn.c_proj.weight'), ...row('bo', 'attn.c_proj.bias') }),
    ...(norms && { ...row('norm1', 'ln_1.weight'), ...row('norm1Bias', 'ln_1.bias') }),
    ...(model.mlp > 0 && spec.feedForward && {
      ...(norms && { ...row('norm2', 'ln_2.weight'), ...row('norm2Bias', 'ln_2.bias') }),
      ...whole('w1', 'mlp.c_fc.weight'), ...row('b1', 'mlp.c_fc.bias'),
      ...whole('w2', 'mlp.c_proj.weight'), ...row('b2', 'mlp.c_proj.bias'),
    }),
  };
} // prettier-ignore

const read = new WeakMap<Model, Map<string, SpecMatrix>>();

/** Rows of numbers of a weight. Specs of one model share them. */
function matrixOf(model: Model, weight: Weight): SpecMatrix {
  const cache = read.get(model) ?? new Map<string, SpecMatrix>();
  read.set(model, cache);
  const key = JSON.stringify(weight);
  const known = cache.get(key);
  if (known) return known;
  const { shape, values } = tensorOf(model, weight);
  const [count = 1, width = 1] = shape.length > 1 ? shape : [1, ...shape];
  const [top, bottom] = weight.rows ?? [0, count];
  const [left, right] = weight.columns ?? [0, width];
  const made = Array.from({ length: bottom - top }, (_, i) =>
    Array.from({ length: right - left }, (__, j) => values[(top + i) * width + left + j] as number),
  );
  cache.set(key, made);
  return made;
}

const rowOf = (model: Model, weight: Weight): readonly number[] =>
  (matrixOf(model, weight)[0] ?? []) as readonly number[];

function tensorOf({ tensors, name }: Model, { tensor }: Weight): ModelTensor {
  const found = tensors.get(tensor);
  if (!found) throw new Error(`${name} has no ${tensor}`);
  return found;
}
