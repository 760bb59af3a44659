import { fieldNames, matrixDefaults, planOf, type AttentionSpec, type FieldName } from '../../engine/index';
import committed from '../fixtures/attention/covering.json';
import { changes, starts, type Change } from './field-values';

/*
 * Few specs in which every field of a spec stands beside every other that it goes together with: made of the declarations and of the values in
 * field-values.ts, without a list of its own. Whatever holds of all specs is tried on these: traces by parts, exports, previews on a GPU.
 */

/** What no value stands for: the version says nothing, the starts are tried all, and a trained model comes with its own weights. */
const without: readonly FieldName[] = ['version', 'start', 'model'];
export const coveredFields = fieldNames.filter((name) => !without.includes(name));

type Covered = Exclude<FieldName, 'version' | 'start' | 'model'>;

export interface Covering {
  readonly name: string;
  readonly spec: AttentionSpec;
  /** The fields that ask for something in it, and do. */
  readonly fields: readonly FieldName[];
}

const projections = { from: 'random', dK: 4, dV: 4 } as const;

/** Beside which some fields mean something: a mask has a fill, a block a feed-forward layer. */
const grounds: readonly Change[] = [
  {},
  { mask: 'causal' },
  { heads: 2 },
  { heads: 4 },
  { positions: 'rope-half' },
  { positions: 'rope-half', dtype: 'float32', random: { generator: 'torch', seed: 0 }, projections },
  { projections, outputProjection: { from: 'random' }, block: { norm: 'before', of: 'rms' } },
  { positions: 'rope-half', outputProjection: { from: 'random' }, block: { norm: 'before' } },
];

const bases = Object.values(starts).flatMap((from) =>
  grounds.map((ground): AttentionSpec => ({ ...matrixDefaults, ...from, ...ground })),
);

/** The fields of a spec that differ from the defaults and are not said to change nothing; none where the spec is refused. */
function activeIn(spec: AttentionSpec): readonly FieldName[] {
  const planned = planOf(spec);
  if (!planned.ok) return [];
  const ignored = new Set(
    planned.value.notes.flatMap(({ code, path = '' }) => (code === 'ignored' ? [path.split('.')[0]] : [])),
  );
  return coveredFields.filter((name) => spec[name] !== undefined && !ignored.has(name) && !isDefault(spec, name));
}

function isDefault(spec: AttentionSpec, name: FieldName): boolean {
  if (name === 'kvHeads') return spec.kvHeads === spec.heads;
  const defaults: Partial<AttentionSpec> = matrixDefaults;
  return JSON.stringify(spec[name]) === JSON.stringify(defaults[name]);
}

const valuesOf = (name: FieldName): readonly Change[] => changes[name as Covered];

export const pairOf = (a: string, b: string): string => [a, b].sort().join(' + ');

export const pairsOf = (fields: readonly string[]): readonly string[] =>
  fields.flatMap((a, i) => fields.slice(i + 1).map((b) => pairOf(a, b)));

/** A spec in which both fields ask for something, from the start and ground with the given turn on, if there is one. */
function witness(a: FieldName, b: FieldName, turn: number): AttentionSpec | undefined {
  for (let i = 0; i < bases.length; i++) {
    const base = bases[(i + turn) % bases.length] as AttentionSpec;
    for (const one of valuesOf(a))
      for (const other of valuesOf(b))
        for (const both of [
          { ...one, ...other },
          { ...other, ...one },
        ]) {
          const spec = { ...base, ...both };
          const active = activeIn(spec);
          if (active.includes(a) && active.includes(b)) return spec;
        }
  }
  return undefined;
}

/** The spec with as many more fields as bring pairs that are still missing. */
function filled(spec: AttentionSpec, missing: ReadonlySet<string>): AttentionSpec {
  let [best, active] = [spec, activeIn(spec)];
  const gain = (fields: readonly FieldName[]): number => pairsOf(fields).filter((pair) => missing.has(pair)).length;
  let most = gain(active);
  for (const name of coveredFields) {
    if (active.includes(name)) continue;
    for (const change of valuesOf(name)) {
      const tried = { ...best, ...change };
      const fields = activeIn(tried);
      const gained = gain(fields);
      if (gained <= most) continue;
      [best, active, most] = [tried, fields, gained];
      break;
    }
  }
  return best;
}

/** Those that were found and are committed: `npx tsx test/engine/covering-write.ts` writes them anew. */
export const coveringSpecs: readonly Covering[] = (committed as unknown as readonly AttentionSpec[]).map((spec, i) => {
  const fields = activeIn(spec);
  return { name: `covering ${i}: from ${spec.start.from}, ${fields.length} fields`, spec, fields };
});

interface Cover {
  readonly specs: readonly Covering[];
  /** Pairs of which no spec was found in which both ask for something. */
  readonly apart: readonly string[];
}

/** Searches such specs anew; the same on every run, in half a minute. */
export function searchSpecs(): Cover {
  const specs: Covering[] = [];
  const apart: string[] = [];
  const missing = new Set(pairsOf(coveredFields));
  let turn = 0;
  for (const [i, a] of coveredFields.entries())
    for (const b of coveredFields.slice(i + 1)) {
      if (!missing.has(pairOf(a, b))) continue;
      const found = witness(a, b, turn++);
      if (!found) {
        apart.push(pairOf(a, b));
        continue;
      }
      const spec = filled(found, missing);
      const fields = activeIn(spec);
      pairsOf(fields).forEach((pair) => missing.delete(pair));
      specs.push({ name: `covering ${specs.length}`, spec, fields });
    }
  return { specs, apart };
}
