import { operations, type Kernels } from '../../plan';

export { rotationOf, softmaxParts, type SoftmaxParts } from '../../operations';

/**
 * The fixed-order reference: every sum in index order, every operation rounded to the dtype. Whatever is shown as a
 * digit, hashed, exported or graded comes from here. Each kernel stands with its operation.
 */
export const referenceKernels = Object.fromEntries(
  Object.entries(operations).map(([name, { kernel }]) => [name, kernel]),
) as unknown as Kernels;
