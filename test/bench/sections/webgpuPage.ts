// Runs in a page: its WebGPU, and the peers' files that the page serves.
import type { Effort, Measured } from '../measure';
import { measureWebGpu, type WebGpuPlace, type WebGpuWork } from './webgpuWork';

const files = { jax: '/jax/index.js', ort: '/ort/ort.webgpu.bundle.min.mjs' };

const place: WebGpuPlace = {
  gpu: navigator.gpu,
  allowSoftware: true,
  load: (library) => import(files[library]) as Promise<unknown>,
};

Object.assign(globalThis, {
  measureWebGpu: ({ work, effort }: { work: WebGpuWork; effort: Effort }): Promise<Measured> =>
    measureWebGpu(place, work, effort),
});
