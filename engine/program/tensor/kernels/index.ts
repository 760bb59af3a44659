/** Kernels of the tensor operations, in fixed order: elementwise rows, products, what only moves cells. */
export { mapRows, reduce, reductions, rowMaps, sorted } from './rows';
export { filled, type Kernel, needed, spread, walked } from './support';
