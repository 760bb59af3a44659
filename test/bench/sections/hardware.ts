import { join } from 'node:path';
import { create, globals } from 'webgpu';
import { wasmKernels } from '../../../engine/run/backend/wasm';
import { measureCrossover, type WebGpuDevice } from '../../../engine/run/backend/webgpu';
import { runParity } from '../../engine/webgpu-parity';
import { runPlans } from '../../engine/webgpu-plans';
import { remarks, type Measured } from '../measure';
import { peer, type Place } from '../peers';
import { pythonName, startPython, type PythonPeer } from '../pythonPeer';
import type { Form, Section } from './index';
import { deviceOf, measureWebGpu, type Entry, type Operands, type WebGpuPlace, type WebGpuWork } from './webgpuWork';

/** WebGPU on a graphics card, in Node through Dawn. `VK_ICD_FILENAMES` names the card's Vulkan driver where the system does not. */
export const hardware: Section = {
  name: 'hardware',
  words:
    'WebGPU on a graphics card, in Node (Dawn): every kernel and plan against the reference; attention, product, softmax against our WASM kernels, jax-js, PyTorch on CUDA',
  run,
};

async function* run(place: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  Object.assign(globalThis, globals);
  const gpu = create([]);
  // Where jax-js looks for WebGPU. Node 20 has no navigator.
  Object.defineProperty(globalThis, 'navigator', {
    value: { gpu, userAgent: 'Node', platform: process.platform },
    configurable: true,
  });
  const running: PythonPeer[] = [];
  const here: WebGpuPlace = {
    gpu,
    allowSoftware: process.env['EXPLAIN_ATTENTION_SOFTWARE_GPU'] === '1',
    load: (library) => peer<object>(place, library === 'jax' ? '@jax-js/jax' : 'onnxruntime-web'),
    others: async (work, operands) => [ourWasm(work, operands), await torch(place, running, work, operands)],
  };
  const opened = await deviceOf(here).catch((error: unknown) => String(error));
  if (typeof opened === 'string') return yield remarks('no graphics card', [opened]);
  const device = opened;
  yield remarks(`adapter: ${device.name}`, [
    `buffers of up to ${device.maxBufferBytes / 2 ** 20} MiB`,
    await crossover(device),
  ]);
  yield remarks('every kernel on every case', await kernels(device));
  yield remarks('whole plans', await plans(device));
  for (const work of works(short)) {
    yield await measureWebGpu(here, work, { ...effort, warmUp: 100, rounds: short ? 5 : 9 });
    running.splice(0).forEach((python) => python.end());
  }
}

const works = (short: boolean): readonly WebGpuWork[] => [
  ...(short ? [512, 2048] : [128, 256, 512, 1024, 2048, 4096]).map((n) => ({ kind: 'attention', n, d: 64 }) as const),
  ...(short ? [1024] : [256, 1024, 2048]).map((n) => ({ kind: 'product', n, d: n }) as const),
  { kind: 'softmax', n: 2048, d: 2048 },
];

async function crossover(device: WebGpuDevice): Promise<string> {
  const found = await measureCrossover(device, wasmKernels(), () => performance.now());
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return `faster than our WASM kernels from ${found.value.toExponential(2)} multiply-adds on`;
}

async function kernels(device: WebGpuDevice): Promise<string[]> {
  return (await runParity(device)).map(
    ({ op, cases, values, worst, failures }) =>
      `${failures.length ? `FAILED ${failures.join('; ')} ` : ''}${op}: ${cases} cases, ${values} values, worst error/bound ${worst.ratio.toPrecision(3)}`,
  );
}

/** The worst plan and those that fail. */
async function plans(device: WebGpuDevice): Promise<string[]> {
  const reports = await runPlans(device);
  const failed = reports.filter(({ failures }) => failures.length > 0);
  const worst = Math.max(...reports.map(({ difference }) => difference.value));
  const steps = reports.reduce((sum, report) => sum + report.steps, 0);
  return [
    `${reports.length} plans, ${steps} steps, ${failed.length} failed, largest difference from the trace ${worst.toPrecision(3)}`,
    ...failed.map(({ name, failures }) => `FAILED ${name}: ${failures.join('; ')}`),
  ];
}

const given = (operands: Operands, name: string): Float32Array => operands[name]?.data ?? new Float32Array();

function ourWasm({ kind, n, d }: WebGpuWork, operands: Operands): Entry {
  const own = wasmKernels();
  const run = async (): Promise<{ output: Float32Array; weights?: () => Promise<Float32Array> }> => {
    if (kind === 'product')
      return { output: own.matmul({ a: given(operands, 'a'), b: given(operands, 'b'), n, k: n, m: n }) };
    if (kind === 'softmax') return { output: own.softmax({ x: given(operands, 'x'), n, m: n }) };
    const [q, k, v] = ['q', 'k', 'v'].map((name) => given(operands, name)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const { output, weights } = own.attention({ q, k, v, n, m: n, d, dv: d, scale: 1 / Math.sqrt(d) }, true);
    return { output, ...(weights && { weights: () => Promise.resolve(weights) }) };
  };
  return { name: `ours, WebAssembly (${own.build})`, run };
}

/** PyTorch in a process of its own. */
async function torch(
  { folder, cache }: Place,
  running: PythonPeer[],
  { kind, n, d }: WebGpuWork,
  operands: Operands,
): Promise<Entry> {
  const arrays = Object.fromEntries(Object.entries(operands).map(([name, { data }]) => [name, data]));
  const args = [join(folder, 'torch-cuda.py'), kind, String(n), String(d)];
  const python = await startPython(args, join(cache, 'torch'), arrays);
  if (!python) return { name: 'PyTorch (CUDA)', run: () => Promise.reject(new Error(`${pythonName()} has no PyTorch with CUDA`)) }; // prettier-ignore
  running.push(python);
  const output = python.read('output');
  const run = async (): ReturnType<Entry['run']> => {
    await python.run();
    return { output, ...(kind === 'attention' && { weights: () => Promise.resolve(python.read('weights')) }) };
  };
  return { name: python.version, run };
}
