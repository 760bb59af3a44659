/* The kernels in WGSL: one for each operation that a graphics card computes. */
import type { OperationName } from '../../../../plan';
import type { GpuKernels, Kernel, MultiLaunchKernel } from '../kernel';
import { add } from './add';
import { divide } from './divide';
import { concatHeads, repeatHeads, splitHeads } from './heads';
import { lookup } from './lookup';
import { mask } from './mask';
import { matmul } from './matmul';
import { rope } from './rope';
import { softcap } from './softcap';
import { softmax } from './softmax';

/** In no order of their own: the operations' is that of their table. */
const gpuKernels: GpuKernels = {
  lookup,
  add,
  matmul,
  divide,
  softcap,
  splitHeads,
  concatHeads,
  repeatHeads,
  rope,
  mask,
  softmax,
};

/** The kernel of an operation, where it has one. */
export const gpuKernelOf = (op: OperationName): Kernel<OperationName> | MultiLaunchKernel<OperationName> | undefined =>
  // The record is typed by operation; TypeScript loses the link between a call and its kernel.
  (gpuKernels as Readonly<Partial<Record<OperationName, Kernel<OperationName> | MultiLaunchKernel<OperationName>>>>)[
    op
  ];
