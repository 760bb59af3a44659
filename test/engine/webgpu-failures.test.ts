import assert from 'node:assert/strict';
import { releaseWebGpu, requestWebGpu, runWebGpu, type WebGpuDevice } from '../../engine/run/backend/webgpu/index';
import { compileShader } from '../../engine/run/backend/webgpu/pipeline';
import {
  planOf,
  sourceValues,
  textDefaults,
  type AttentionSpec,
  type Plan,
  type Problem,
  type Result,
  type Tensor,
} from '../../engine/index';
import { gpuMissing, nodeGpu } from './webgpu-node';

const problemOf = <T>(result: Result<T>): Problem => {
  assert.ok(!result.ok, 'a problem was expected');
  const [problem] = result.problems;
  assert.ok(problem);
  return problem;
};

describe('requestWebGpu', () => {
  const info = { vendor: 'acme', architecture: 'fast', device: '', description: '', isFallbackAdapter: false };
  const limits = { maxBufferSize: 1024, maxStorageBufferBindingSize: 512, maxComputeWorkgroupsPerDimension: 9 };
  const gpuDevice = { limits, lost: new Promise(() => undefined) };
  const adapter = { info, limits, requestDevice: async () => gpuDevice };
  const request = (found: unknown, allowSoftware = false): Promise<Result<WebGpuDevice>> =>
    requestWebGpu({ requestAdapter: async () => found } as unknown as GPU, { allowSoftware });

  it('takes a hardware adapter, with its limits', async () => {
    const opened = await request(adapter);
    assert.ok(opened.ok);
    const { name, software, maxBufferBytes, maxGroups } = opened.value;
    assert.deepEqual({ name, software, maxBufferBytes, maxGroups }, { name: 'acme fast', software: false, maxBufferBytes: 512, maxGroups: 9 }); // prettier-ignore
  });

  it('no-webgpu: the page has none', async () => {
    assert.equal(problemOf(await requestWebGpu(undefined, { allowSoftware: true })).code, 'no-webgpu');
  });

  it('no-adapter: none, or an exception', async () => {
    assert.equal(problemOf(await request(null)).message, 'WebGPU found no adapter');
    const throwing = { requestAdapter: () => Promise.reject(new Error('blocked')) } as unknown as GPU;
    const problem = problemOf(await requestWebGpu(throwing, { allowSoftware: true }));
    assert.deepEqual([problem.code, problem.message], ['no-adapter', 'WebGPU found no adapter: blocked']);
  });

  const soft: Record<string, object> = {
    'by its flag': { ...adapter, info: { ...info, isFallbackAdapter: true } },
    'by the flag of older browsers': { ...adapter, isFallbackAdapter: true },
    'by name: SwiftShader': { ...adapter, info: { ...info, vendor: 'google', architecture: 'swiftshader' } },
    'by name: llvmpipe': { ...adapter, info: { ...info, description: 'llvmpipe (LLVM 15.0.6, 256 bits)' } },
    'by name: WARP': { ...adapter, info: { ...info, description: 'Microsoft Basic Render Driver' } },
  };
  for (const [how, found] of Object.entries(soft)) {
    it(`software-adapter, known ${how}`, async () => {
      assert.equal(problemOf(await request(found)).code, 'software-adapter');
      assert.ok((await request(found, true)).ok);
    });
  }

  it('device-refused: with the reason', async () => {
    const refusing = { ...adapter, requestDevice: () => Promise.reject(new Error('too many devices')) };
    const problem = problemOf(await request(refusing));
    assert.deepEqual([problem.code, problem.message], ['device-refused', 'acme fast gave no WebGPU device: too many devices']); // prettier-ignore
  });
});

interface Watched {
  readonly device: WebGpuDevice;
  created: number;
  destroyed: number;
  shaders: number;
}

/** The device with its buffers counted, and with some of its methods replaced. */
function watch(device: WebGpuDevice, replaced: Partial<Record<keyof GPUDevice, unknown>> = {}): Watched {
  const watched: Watched = { device, created: 0, destroyed: 0, shaders: 0 };
  const own: Partial<Record<string | symbol, unknown>> = {
    createBuffer(descriptor: GPUBufferDescriptor): GPUBuffer {
      watched.created++;
      const buffer = device.gpu.createBuffer(descriptor);
      const destroy = buffer.destroy.bind(buffer);
      buffer.destroy = () => {
        watched.destroyed++;
        return destroy();
      };
      return buffer;
    },
    createShaderModule(descriptor: GPUShaderModuleDescriptor): GPUShaderModule {
      watched.shaders++;
      return device.gpu.createShaderModule(descriptor);
    },
    ...replaced,
  };
  const gpu = new Proxy(device.gpu, {
    get(target, name) {
      const value = own[name] ?? Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return Object.assign(watched, { device: { ...device, gpu, pipelines: new Map() } });
}

describe('runWebGpu when something is wrong', function () {
  this.timeout(120_000);
  if (gpuMissing) {
    it.skip(gpuMissing);
    return;
  }
  const spec: AttentionSpec = {
    ...textDefaults,
    mask: 'causal',
    start: { from: 'text', text: 'The cat sat on the mat', tokenizer: 'words' },
  };
  const planned = planOf(spec);
  assert.ok(planned.ok);
  const plan: Plan = planned.value;
  const sources = sourceValues(spec, plan);
  let device: WebGpuDevice;

  beforeEach(async () => {
    const opened = await requestWebGpu(await nodeGpu(), { allowSoftware: true });
    assert.ok(opened.ok, JSON.stringify(opened));
    device = opened.value;
  });
  afterEach(() => releaseWebGpu(device));

  const assertAllDestroyed = ({ created, destroyed }: Watched, atLeast = 1): void => {
    assert.ok(created >= atLeast, `${created} buffers`);
    assert.equal(destroyed, created, 'buffers destroyed');
  };

  it('destroys its buffers, and compiles each kernel once for a device', async () => {
    const watched = watch(device);
    assert.ok((await runWebGpu(watched.device, plan, sources)).ok);
    const shaders = watched.shaders;
    const products = device.software
      ? ['matmul', 'matmul, vec4', 'matmul, b transposed, vec4'] // A·V has 6 terms, X·W 16, Q·Kᵀ 8
      : ['matmul, b transposed, tiled', 'matmul, tiled'];
    const expected = ['lookup', 'add', 'divide', 'mask', 'softmax parts', 'softmax weights', ...products].sort();
    assert.deepEqual([...watched.device.pipelines.keys()].sort(), expected);
    assert.equal(shaders, expected.length);
    assert.ok((await runWebGpu(watched.device, plan, sources)).ok);
    assert.equal(watched.shaders, shaders);
    assertAllDestroyed(watched, 20);
  });

  it('computes and reads back only what is asked for', async () => {
    const watched = watch(device);
    const ran = await runWebGpu(watched.device, plan, sources, { steps: ['k'] });
    assert.ok(ran.ok);
    assert.deepEqual([...ran.value.keys()], ['k']);
    assert.deepEqual([...watched.device.pipelines.keys()].sort(), [
      'add',
      'lookup',
      device.software ? 'matmul, vec4' : 'matmul, tiled',
    ]);
    await assert.rejects(runWebGpu(device, plan, sources, { steps: ['logits'] }), /no step logits/);
  });

  it('runs side by side on one device', async () => {
    const steps = ['q', 'weights', 'output'];
    const together = await Promise.all(steps.map((id) => runWebGpu(device, plan, sources, { steps: [id] })));
    const alone = await runWebGpu(device, plan, sources, { steps });
    assert.ok(alone.ok, JSON.stringify(alone));
    together.forEach((ran, i) => {
      const id = steps[i] ?? '';
      assert.ok(ran.ok);
      assert.deepEqual(ran.value.get(id), alone.value.get(id));
    });
  });

  const withValue = (id: string, at: number, value: number): Map<string, Tensor> => {
    const tensor = sources.get(id);
    assert.ok(tensor);
    const data = Float64Array.from(tensor.data);
    data[at] = value;
    return new Map(sources).set(id, { ...tensor, data });
  };

  it('non-finite-input: NaN, infinities and what float32 cannot hold, with the place', async () => {
    const watched = watch(device);
    for (const value of [NaN, Infinity, -Infinity, 1e39]) {
      const problem = problemOf(await runWebGpu(watched.device, plan, withValue('table', 16 + 3, value)));
      assert.equal(problem.code, 'non-finite-input');
      assert.match(problem.message, /^W_E has (NaN|an infinity, .*) in row “cat”, column 3$/);
    }
    assert.equal(watched.created, 0);
  });

  it('out-of-memory: before anything is allocated, by the adapter’s limit', async () => {
    const watched = watch(device);
    const problem = problemOf(await runWebGpu({ ...watched.device, maxBufferBytes: 300 }, plan, sources));
    assert.equal(problem.code, 'out-of-memory');
    assert.equal(problem.message, `W_E (6×16) needs 1 MB, ${device.name} takes 1 MB in one buffer`);
    assert.equal(watched.created, 0);
  });

  it('out-of-memory: reported by the GPU itself', async () => {
    assert.ok((await runWebGpu(device, plan, sources)).ok); // fills the cache: shaders have error scopes of their own
    let pops = 0;
    const popErrorScope = async (): Promise<unknown> => {
      const error = await device.gpu.popErrorScope();
      return pops++ === 0 ? { message: 'no room' } : error;
    };
    const watched = watch(device, { popErrorScope });
    const problem = problemOf(await runWebGpu({ ...watched.device, pipelines: device.pipelines }, plan, sources));
    assert.deepEqual([problem.code, problem.message], ['out-of-memory', `1 MB do not fit on ${device.name}: no room`]);
    assertAllDestroyed(watched);
  });

  it('gpu-error: what the GPU refuses is a problem, not an exception', async () => {
    const watched = watch(device, {
      createBuffer: (descriptor: GPUBufferDescriptor) => device.gpu.createBuffer({ ...descriptor, usage: 0x8 }),
    });
    assert.equal(problemOf(await runWebGpu(watched.device, plan, sources)).code, 'gpu-error');
  });

  it('cancelled: before the run, and after it has begun', async () => {
    const watched = watch(device);
    const before = problemOf(await runWebGpu(watched.device, plan, sources, { signal: { aborted: true } }));
    assert.equal(before.code, 'cancelled');
    assert.equal(watched.created, 0);
    let asked = 0;
    const signal = {
      get aborted() {
        return ++asked > 1;
      },
    };
    assert.equal(problemOf(await runWebGpu(watched.device, plan, sources, { signal })).code, 'cancelled');
    assertAllDestroyed(watched, 10);
  });

  it('device-lost: during a run, reported once, and by every run after it', async () => {
    const watched = watch(device);
    const running = runWebGpu(watched.device, plan, sources);
    device.gpu.destroy(); // what a lost device looks like from outside
    assert.equal(problemOf(await running).code, 'device-lost');
    const told = await device.lost;
    assert.equal(told.code, 'device-lost');
    assert.ok(told.message.startsWith(`${device.name} was lost (destroyed)`), told.message);
    assert.equal(problemOf(await runWebGpu(watched.device, plan, sources)), told);
    assert.equal(watched.destroyed, watched.created);
  });

  it('device-lost: between computing and reading back', async () => {
    const watched = watch(device);
    let asked = 0;
    const signal = {
      get aborted() {
        if (++asked === 2) device.gpu.destroy();
        return false;
      },
    };
    assert.equal(problemOf(await runWebGpu(watched.device, plan, sources, { signal })).code, 'device-lost');
    assertAllDestroyed(watched, 10);
  });

  it('a released device is not reported as lost, and runs nothing', async () => {
    let told = false;
    void device.lost.then(() => (told = true));
    releaseWebGpu(device);
    const problem = problemOf(await runWebGpu(device, plan, sources));
    assert.deepEqual([problem.code, problem.message], ['device-lost', `${device.name} was released`]);
    await device.gpu.lost;
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(told, false);
  });

  it('shader-refused: with line, column and source', async () => {
    const code =
      'fn twice(x: f32) -> f32 {\n  let y: u32 = 2.0 * x;\n  return y;\n}\n@compute @workgroup_size(1) fn main() {}';
    const problem = problemOf(await compileShader(device.gpu, 'twice', code));
    assert.equal(problem.code, 'shader-refused');
    assert.match(problem.message, /^twice, line 2, column \d+: .*'u32'.*'f32'/);
    assert.equal(problem.hint, 'let y: u32 = 2.0 * x;');
  });
});
