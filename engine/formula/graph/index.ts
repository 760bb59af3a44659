/** Makes a graph of tensors of a formula's expressions, as programs have one. */
export { build, hasSoftmax } from './build';
export { type Builder, type Literals, NoGraph, newBuilder } from './builder';
