// Matrix functions in plain loops. Results are checked against them, and they are timed as a peer.

export function reals(length: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (4 * state) / 0x100000000 - 2;
  });
}

// a: rows × columns
export function transposed(a: Float32Array, rows: number): Float32Array {
  const out = new Float32Array(a.length);
  const columns = a.length / rows;
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) out[j * rows + i] = a[i * columns + j] as number;
  return out;
}

// a: n×k, b: k×m, out: n×m; sums in float64
export function product(a: Float32Array, b: Float32Array, n: number, k: number, m: number): Float32Array {
  const out = new Float32Array(n * m);
  const row = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    row.fill(0);
    for (let t = 0; t < k; t++) {
      const x = a[i * k + t] as number;
      for (let j = 0; j < m; j++) row[j] = (row[j] as number) + x * (b[t * m + j] as number);
    }
    out.set(row, i * m);
  }
  return out;
}

/** Softmax of each row of n columns of x·scale. */
export function softmaxed(x: Float32Array, n: number, scale: number): Float32Array {
  const out = new Float32Array(x.length);
  for (let from = 0; from < x.length; from += n) {
    let most = -Infinity;
    let sum = 0;
    for (let j = from; j < from + n; j++) most = Math.max(most, (x[j] as number) * scale);
    for (let j = from; j < from + n; j++) sum += out[j] = Math.exp((x[j] as number) * scale - most);
    for (let j = from; j < from + n; j++) out[j] = (out[j] as number) / sum;
  }
  return out;
}
