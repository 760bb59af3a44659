import type { Held, Kernels as Own, Surveyed, Tallies } from '../backend/wasm/index';
import type { Tensor } from '../../math/tensor';
import { matrixOf } from '../tile';
import { servedLead } from '../trace';
import { cut } from './rectangle';
import type { RoadPart, RoadWork } from './road-work';

/**
 * Goes over some rows by one kernel. What it gives are views of the kernels' memory, good until their next call. Throws where the kernels
 * survey nothing (the plain build).
 */
export function alongRoad({ q, k, v, scale, mask }: RoadWork, own: Own): (part: RoadPart) => Surveyed {
  const { survey: run } = own;
  const hold = keeper(own);
  const [[m, d], dv] = [matrixOf(k.shape), matrixOf(v.shape)[1]];
  return ({ lead, rows, ...level }) => {
    if (!run) throw new Error('the kernels survey nothing');
    const [n, first] = [rows[1] - rows[0], rows[0]];
    const [keys, values] = [hold(matrixIn(k, lead), 'k'), hold(matrixIn(v, lead), 'v')];
    const queries = matrixIn(q, lead).subarray(rows[0] * d, rows[1] * d);
    return run({ q: queries, k: keys, v: values, n, m, d, dv, scale, first, ...level, ...mask });
  };
}

/** A matrix of `tensor` that serves `lead`; not copied. */
export function matrixIn(tensor: Tensor, lead: readonly number[]): Float32Array {
  const [rows, columns] = matrixOf(tensor.shape);
  const at = { rows: [0, rows], columns: [0, columns] } as const;
  return cut(tensor, servedLead(tensor.shape, lead), at).data as Float32Array;
}

type Hold = (values: Float32Array, name: string) => Held;

/** Keys and values of one head in the kernels' own memory: they serve every stripe, or, of several heads, are copied anew for each. */
function keeper(own: Own): Hold {
  const rooms = new Map<string, { readonly room: Held; of?: Float32Array }>();
  return (values, name) => {
    const kept = rooms.get(`${name} ${values.length}`) ?? { room: own.hold(values.length) };
    rooms.set(`${name} ${values.length}`, kept);
    const same = kept.of?.buffer === values.buffer && kept.of.byteOffset === values.byteOffset;
    if (!same) kept.room.values().set(values);
    kept.of = values;
    return kept.room;
  };
}

/** The same in memory of its own, which outlasts the kernels' next call and can be sent. */
export function copied({ output, tops, sums, tallies }: Surveyed): Surveyed {
  return { output: output.slice(), tops: tops.slice(), sums: sums.slice(), tallies: copiedTallies(tallies) };
}

/** Three views of the same bytes. */
function copiedTallies({ limits, sums, counts }: Tallies): Tallies {
  const bytes = limits.slice().buffer;
  return {
    limits: new Float32Array(bytes),
    sums: new Float64Array(bytes, 0, sums.length),
    counts: new Uint32Array(bytes, 0, counts.length),
  };
}
