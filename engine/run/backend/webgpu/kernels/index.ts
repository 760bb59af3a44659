import { alias, type GpuKernels } from '../kernel';
import { add } from './add';
import { divide } from './divide';
import { concatHeads, repeatHeads, splitHeads } from './heads';
import { lookup } from './lookup';
import { mask } from './mask';
import { matmul } from './matmul';
import { rope } from './rope';
import { softcap } from './softcap';
import { softmax } from './softmax';

/** One kernel an operation; a stage of the road that is switched off copies nothing. */
export const gpuKernels: GpuKernels = {
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
  identity: alias,
};
