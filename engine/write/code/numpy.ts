import { parenthesized, type Dialect } from './dialect';

/** NumPy, 1.20 and later. */
export const numpy: Dialect = {
  name: 'NumPy',
  module: 'np',
  dtype: (dtype) => `dtype = np.${dtype}`,
  half: (precision) =>
    precision === 'float16'
      ? `def half(x):
    """x rounded to float16."""
    return np.asarray(x).astype(np.float16).astype(np.float32)`
      : `def half(x):
    """x rounded to bfloat16, the upper 16 bits of a float32: NumPy has no such type."""
    x = np.ascontiguousarray(x, dtype=np.float32)
    bits = x.view(np.uint32).astype(np.uint64)
    upper = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return np.where(np.isnan(x), x, upper.astype(np.uint32).view(np.float32))`,
  print: (digits) => `np.set_printoptions(precision=${digits}, suppress=True, linewidth=160)`,
  array: (list) => `np.array(${list}, dtype=dtype)`,
  integers: (list) => `np.array(${list})`,
  from: (values, library) => `${parenthesized(values)}${library === 'torch' ? '.numpy()' : ''}.astype(dtype)`,
  library: 'numpy',
};
