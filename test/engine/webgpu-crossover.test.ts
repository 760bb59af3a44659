// Runs alone: it measures time.
import assert from 'node:assert/strict';
import { wasmKernels } from '../../engine/index';
import { crossoverOf, measureCrossover } from '../../engine/run/backend/webgpu/crossover';
import { requestWebGpu, releaseWebGpu } from '../../engine/run/backend/webgpu/index';
import { gpuMissing, nodeGpu } from './webgpu-node';

describe('the amount of work from which a GPU is faster', () => {
  it('is where the saved time equals the round trip', () => {
    // 2 ms for the way; for 1e6 multiply-adds 1 ms more there, 5 ms here: 4 ms gained for 1e6.
    assert.equal(crossoverOf({ roundTrip: 2, gpu: 3, cpu: 5, work: 1e6 }), 5e5);
    assert.equal(crossoverOf({ roundTrip: 2, gpu: 9, cpu: 5, work: 1e6 }), Infinity);
    // A large product that took no longer than a small one.
    assert.equal(crossoverOf({ roundTrip: 2, gpu: 1, cpu: 4, work: 1e6 }), 5e5);
  });

  it('is measured on the device', async function () {
    if (gpuMissing) this.skip();
    this.timeout(120_000);
    const opened = await requestWebGpu(await nodeGpu(), { allowSoftware: true });
    assert.ok(opened.ok);
    const found = await measureCrossover(opened.value, wasmKernels(), () => performance.now());
    assert.ok(found.ok && found.value > 0, JSON.stringify(found));
    // SwiftShader runs on the same processor, and far slower. A graphics card pays from some amount on.
    assert.equal(found.value === Infinity, opened.value.software, JSON.stringify(found));
    releaseWebGpu(opened.value);
    const lost = await measureCrossover(opened.value, wasmKernels(), () => performance.now());
    assert.ok(!lost.ok && lost.problems[0]?.code === 'device-lost');
  });
});
