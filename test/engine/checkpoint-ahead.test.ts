// Tensors of a model are read before they are asked for: the right ones, once, and within a bound of memory.
import assert from 'node:assert/strict';
import { readAhead } from '../../engine/checkpoint/read-ahead';
import type { Weights } from '../../engine/checkpoint/weights';
import { ok } from '../../engine/text';

/** Tensors of one row; each holds its own number. `asked` lists what was read of the file, in order. */
function weightsOf(sizes: readonly number[]): { weights: Weights; asked: string[] } {
  const asked: string[] = [];
  const entries = new Map(sizes.map((size, i) => [`t${i}`, { name: `t${i}`, dtype: 'F32', shape: [size], byteRange: { start: 0, end: 4 * size } }])); // prettier-ignore
  const weights = {
    entries,
    bytes: 0,
    read: (name: string, rows?: readonly [number, number]) => {
      asked.push(rows ? `${name}[${rows.join()}]` : name);
      return Promise.resolve(ok(Float32Array.of(Number(name.slice(1)))));
    },
    equal: () => Promise.resolve(false),
  } as unknown as Weights;
  return { weights, asked };
}

const order = (count: number): string[] => Array.from({ length: count }, (_, i) => `t${i}`);

async function numberOf(weights: Weights, name: string): Promise<number | undefined> {
  const found = await weights.read(name);
  return found.ok ? found.value[0] : undefined;
}

describe('tensors that are read ahead', () => {
  it('are each read once, in order, and given to whom they belong', async () => {
    const { weights, asked } = weightsOf(Array.from({ length: 20 }, () => 10));
    const ahead = readAhead(weights, order(20));
    for (const [i, name] of order(20).entries()) assert.equal(await numberOf(ahead, name), i);
    assert.deepEqual(asked, order(20));
  });

  it('are begun before they are asked for', async () => {
    const { weights, asked } = weightsOf(Array.from({ length: 20 }, () => 10));
    await readAhead(weights, order(20)).read('t3');
    assert.deepEqual(asked, ['t3', 't4', 't5', 't6', 't7', 't8', 't9']);
  });

  it('are right where some are passed over, asked for twice or out of order, by rows, or in no order at all', async () => {
    const { weights, asked } = weightsOf(Array.from({ length: 30 }, () => 10));
    const ahead = readAhead(weights, order(25));
    for (const i of [0, 2, 2, 1, 20, 3, 29, 24]) assert.equal(await numberOf(ahead, `t${i}`), i);
    const rows = await ahead.read('t4', [0, 1]);
    assert.ok(rows.ok && rows.value[0] === 4);
    assert.ok(asked.includes('t4[0,1]') && !asked.includes('t25'));
  });

  it('take no more memory than 64 MB beside the one that is asked for', async () => {
    const { weights, asked } = weightsOf([10, 15e6, 1e6, 2e6, 10, 10]);
    const ahead = readAhead(weights, order(6));
    await ahead.read('t0');
    assert.deepEqual(asked, ['t0', 't1', 't2']);
    const large = weightsOf([10, 17e6, 10]);
    await readAhead(large.weights, order(3)).read('t0');
    assert.deepEqual(large.asked, ['t0']);
  });
});
