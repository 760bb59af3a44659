import assert from 'node:assert/strict';
import { releaseWebGpu, requestWebGpu, type WebGpuDevice } from '../../engine/run/backend/webgpu/index';
import { runSteps } from '../../engine/run/backend/webgpu/run';
import type { Tensor } from '../../engine/index';
import { assertKernel, assertPlan, describeReports } from './webgpu-assert';
import { gpuMissing, nodeGpu } from './webgpu-node';
import { runParity, type KernelReport } from './webgpu-parity';
import { runPlans, type PlanReport } from './webgpu-plans';

describe('WebGPU against the float32 reference, in Node', function () {
  this.timeout(300_000);
  if (gpuMissing) {
    it.skip(gpuMissing);
    return;
  }
  let device: WebGpuDevice;
  let kernels: readonly KernelReport[] = [];
  let plans: readonly PlanReport[] = [];

  before('every kernel on every case, and whole plans', async () => {
    const opened = await requestWebGpu(await nodeGpu(), { allowSoftware: true });
    assert.ok(opened.ok, JSON.stringify(opened));
    device = opened.value;
    kernels = await runParity(device);
    plans = await runPlans(device);
  });
  after(() => device && releaseWebGpu(device));

  describeReports(() => ({ kernels, plans }));

  it('the same with 7 workgroups a dimension: work is folded into rows', async () => {
    for (const report of await runParity({ ...device, maxGroups: 7 }, 5)) assertKernel(report.op, report);
  });

  it('the same as on a device of the other kind: products in workgroup memory on a graphics card, in registers elsewhere', async () => {
    const other = { ...device, software: !device.software };
    const reports = await runParity(other);
    for (const report of reports) if (report.op === 'matmul') assertKernel(report.op, report);
    for (const report of await runPlans(other)) assertPlan(report.name, report);
    const compiled = [...device.pipelines.keys()].filter((name) => name.includes('tiled'));
    assert.deepEqual(compiled.sort(), ['matmul, b transposed, tiled', 'matmul, tiled', 'scaled product, masked, tiled', 'scaled product, tiled']); // prettier-ignore
  });

  it('more than 65,535 workgroups', async () => {
    const [a, b] = [pattern([16800, 1000]), pattern([1, 1000])];
    const step = { symbol: '', rowLabels: [], shape: a.shape };
    const steps = [
      { ...step, id: 'a', call: { op: 'given', path: '' }, operands: [] },
      { ...step, id: 'b', call: { op: 'given', path: '' }, operands: [], shape: b.shape },
      { ...step, id: 'sum', call: { op: 'add' }, operands: ['a', 'b'] },
    ] as const;
    const ran = await runSteps(device, steps, new Map([['a', a], ['b', b]])); // prettier-ignore
    assert.ok(ran.ok, JSON.stringify(ran));
    const sum = ran.value.get('sum');
    assert.equal(sum?.length, 16_800_000);
    let wrong = -1;
    for (let i = 0; i < sum.length && wrong < 0; i++) {
      if (sum[i] !== (a.data[i] as number) + (b.data[i % 1000] as number)) wrong = i;
    }
    assert.equal(wrong, -1, 'index of the first wrong value');
  });
});

function pattern(shape: readonly [number, number]): Tensor {
  const data = new Float32Array(shape[0] * shape[1]);
  for (let i = 0; i < data.length; i++) data[i] = i % 997;
  return { dtype: 'float32', shape, data };
}
