/** Files of tensors: `.npy`, `.npz`, `.safetensors`, and matrices in JSON and CSV. */
export { openTensorFile, tensorExtensions } from './open';
export { duplicateKey } from './json-keys';
export { openSafetensors } from './safetensors';
export { readBox, type ReadModelFile } from './box-file';
export { numbersIn, sizeOfType } from './dtypes';
export { readModel } from './model-file';
export { sourceOfBytes, type ByteSource, type FileProblem, type ReadProgress } from './source';
export {
  type TensorEntry,
  type TensorFile,
  type TensorFormat,
  type TensorSlice,
  type TensorValues,
} from './tensor-file';
export { fileRoleOf, leadMeaning, roleSymbols, type FileRole } from './roles';
export { cutMask, cutParts, rowRangeOf, type TensorPart, type RowRange } from './parts';
export { assemblingTensors, specFromTensors, type FromTensors } from './assemble';
export { fitOf, numberLimit, tensorsTooLarge, type TensorFit } from './fit';
