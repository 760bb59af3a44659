/* Choosing tensors from .npy, .npz and .safetensors files, and following these files; the same choice for tensors from elsewhere. */

export { createTensorFiles, openTensorFileCommand, type TensorFiles } from './tensor-file';
export { withProgress, type OpenedFile } from './bytes';
export { isCancelled, offeredBy, readChoice } from './choice';
export { choose } from './pick';
