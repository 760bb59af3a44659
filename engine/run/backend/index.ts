/** What computes a plan's steps: the reference on the CPU, in fixed order. Previews by WebGPU and WebAssembly are loaded on demand, from folders of their own. */
export { referenceKernelsIn } from './reference';
