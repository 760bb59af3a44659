/** Number types that a function of each element does not take, as the libraries refuse them; and those that it takes as another. */
import { raise } from '../machine';
import { isFloat, scalarName, type DType, type Library } from '../tensor';

/** Functions that PyTorch has for floats only, by the names of their kernels. */
const floatsOnly: Readonly<Record<string, string>> = {
  elu: 'elu_cpu',
  leaky_relu: 'leaky_relu_cpu',
  gelu: 'GeluKernelImpl',
  silu: 'silu_cpu',
  softplus: 'softplus_cpu',
  logsigmoid: 'log_sigmoid_cpu',
  mish: 'mish_cpu',
};

/** Functions that PyTorch does not have for truth values. */
const notOfTruth = new Set(
  'negative absolute floor ceil trunc round relu floor_divide remainder power left_shift right_shift argmax argmin'.split(
    ' ',
  ),
);
/** Functions of whole numbers and truth values only. */
const wholeOnly = new Set('bitwise_and bitwise_or bitwise_xor left_shift right_shift'.split(' '));
/** NumPy has no loop of truth values for these and takes the next: int8, or float16 where it rounds. */
const asBytes = new Set('floor_divide remainder power left_shift right_shift square reciprocal'.split(' '));

/** Python's refusal of an operation on numbers of this type. */
export function refuseType(library: Library, operation: string, dtype: DType): void {
  const kernel = floatsOnly[operation];
  const torch = library === 'torch';
  if (torch && kernel && !isFloat(dtype))
    raise('RuntimeError', `"${kernel}" not implemented for '${scalarName(dtype)}'`);
  if (torch && notOfTruth.has(operation) && dtype === 'bool')
    raise('RuntimeError', `"${operation}_cpu" not implemented for 'Bool'`);
  if (torch && wholeOnly.has(operation) && isFloat(dtype))
    raise('RuntimeError', `"${operation}_cpu" not implemented for '${scalarName(dtype)}'`);
  if (!torch && operation === 'sign' && dtype === 'bool')
    raise(
      'UFuncTypeError',
      "ufunc 'sign' did not contain a loop with signature matching types <class 'numpy.dtype[bool_]'> -> None",
    );
  if (!torch && operation === 'negative' && dtype === 'bool')
    raise(
      'TypeError',
      'The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function instead.',
    );
  if (!torch && wholeOnly.has(operation) && isFloat(dtype))
    raise(
      'TypeError',
      `ufunc '${operation}' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''`,
    );
}

/** The dtype of an operation's result for an operand of this dtype: `np.square` of booleans has int8, `torch.square` int64. */
export const takenAs = (library: Library, operation: string, dtype: DType): DType =>
  dtype !== 'bool'
    ? dtype
    : library === 'numpy'
      ? asBytes.has(operation)
        ? 'int8'
        : operation === 'round'
          ? 'float16'
          : dtype
      : operation === 'square'
        ? 'int64'
        : dtype;
