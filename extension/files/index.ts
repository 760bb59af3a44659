/* Choosing tensors from .npy, .npz and .safetensors files, and following these files. */

export { createTensorFiles, openTensorFileCommand, type TensorFiles } from './tensor-file';
