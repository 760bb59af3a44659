/** What the names of libraries mean: NumPy, PyTorch, einops, JAX, TensorFlow and Python's own modules. */
export { aliasOf, find, isLibrary, membersOf, rows } from './lookup';
