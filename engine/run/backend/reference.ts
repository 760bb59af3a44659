import { isHalf, roundedTo, roundTo, type Precision, type Tensor } from '../../math';
import { operations, type Kernels, type OperationName } from '../../plan';

export { rotationOf, softmaxParts, type SoftmaxParts } from '../../operations';

/**
 * The fixed-order reference: every sum in index order, every operation rounded to the dtype. Whatever is shown as a
 * digit, hashed, exported or graded comes from here. Each kernel stands with its operation.
 */
export const referenceKernels = Object.fromEntries(
  Object.entries(operations).map(([name, { kernel }]) => [name, kernel]),
) as unknown as Kernels;

type Kernel = Kernels[OperationName];

/** Each result rounded once more: a step of float16 or bfloat16 is float32 inside, where PyTorch has one operation for it. */
const roundingKernels = (precision: Precision): Kernels =>
  Object.fromEntries(
    Object.entries(referenceKernels as Readonly<Record<string, Kernel>>).map(([name, kernel]): [string, Kernel] => [
      name,
      (...given: Parameters<Kernel>) =>
        roundedTo(precision, (kernel as (...all: unknown[]) => Tensor)(...given, roundTo(precision))),
    ]),
  ) as unknown as Kernels;

const half = { float16: roundingKernels('float16'), bfloat16: roundingKernels('bfloat16') };

/** The kernels of a precision. They are called with the dtype that holds it (`heldAs`). */
export const referenceKernelsIn = (precision: Precision): Kernels =>
  isHalf(precision) ? half[precision] : referenceKernels;
