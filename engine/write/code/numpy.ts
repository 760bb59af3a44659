import { parenthesized, type Dialect } from './dialect';

/** NumPy, 1.20 and later. */
export const numpy: Dialect = {
  name: 'NumPy',
  module: 'np',
  dtype: (dtype) => `dtype = np.${dtype}`,
  print: (digits) => `np.set_printoptions(precision=${digits}, suppress=True, linewidth=160)`,
  array: (list) => `np.array(${list}, dtype=dtype)`,
  integers: (list) => `np.array(${list})`,
  from: (values, library) => `${parenthesized(values)}${library === 'torch' ? '.numpy()' : ''}.astype(dtype)`,
  library: 'numpy',
};
