// Products that two threads share: the same bits as of one, whatever becomes of the second.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { modelKernels, startSecondThread } from '../../../../engine/index';
import { product, type ProductOperands, type SecondThread } from '../../../../engine/checkpoint/second-thread';
import { freshFolder, root } from '../../../host/paths';

/** Numbers of a linear congruential generator, from −0.5 to 0.5. */
function numbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

const operands = (n: number, k: number, m: number, transposed: boolean, seed = 1): ProductOperands => ({ a: numbers(n * k, seed), b: numbers(k * m, seed + 1), n, k, m, transposed }); // prettier-ignore

const sameBits = (one: Float32Array, other: Float32Array): boolean =>
  Buffer.from(one.buffer, one.byteOffset, one.byteLength).equals(
    Buffer.from(other.buffer, other.byteOffset, other.byteLength),
  );

describe('a second thread for products', function () {
  this.timeout(60_000);
  const kernels = modelKernels();
  const bundle = join(freshFolder('second-thread'), 'model.js');
  let second: SecondThread | undefined;
  /** How many products the second thread gave. */
  let given = 0;
  const counted: SecondThread = {
    async product(of) {
      const found = await second?.product(of);
      if (found) given++;
      return found;
    },
    end: () => second?.end(),
  };

  before(async function () {
    // As esbuild.mjs has it.
    await build({ entryPoints: [join(root, 'extension/checkpoint/worker.ts')], outfile: bundle, bundle: true, format: 'iife', platform: 'neutral', mainFields: ['module', 'main'] }); // prettier-ignore
    second = startSecondThread(bundle);
    if (availableParallelism() < 2) this.skip();
    assert.ok(second);
  });
  after(() => second?.end());
  beforeEach(() => (given = 0));

  it('gives the bits of one thread, in either layout, with rows and columns that no block divides', async () => {
    for (const [n, k, m, transposed] of [[16, 1500, 1499, false], [57, 768, 999, true], [201, 511, 777, false], [64, 768, 768, true]] as const) {
      const of = operands(n, k, m, transposed);
      assert.ok(sameBits(await product(kernels, of, counted), await product(kernels, of, undefined)), `${n}×${k}×${m}`);
    }
    assert.equal(given, 4);
  }); // prettier-ignore

  it('leaves a product to the first while it is at work on another', async () => {
    const [one, other] = [operands(64, 768, 900, false, 3), operands(64, 900, 768, true, 9)];
    const found = await Promise.all([product(kernels, one, counted), product(kernels, other, counted)]);
    assert.ok(sameBits(found[0], kernels.matmul(one)) && sameBits(found[1], kernels.matmul(other)));
    assert.equal(given, 1);
  });

  it('is not asked for small products, nor for what no memory is shared for', async () => {
    const small = operands(12, 64, 64, false);
    assert.ok(sameBits(await product(kernels, small, counted), kernels.matmul(small)));
    const large = operands(16, 4200, 4200, false);
    assert.ok(sameBits(await product(kernels, large, counted), kernels.matmul(large)));
    assert.equal(given, 0);
  });

  it('leaves what it has not done to the first once it has ended', async () => {
    const of = operands(64, 768, 900, false);
    const asked = product(kernels, of, counted);
    second?.end();
    assert.ok(sameBits(await asked, kernels.matmul(of)));
    assert.ok(sameBits(await product(kernels, of, counted), kernels.matmul(of)));
    assert.equal(given, 0);
  });
});
