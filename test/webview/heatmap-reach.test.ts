import assert from 'node:assert/strict';
import { explainAttention, matrixDefaults, type SpecMatrix } from '../../engine/index';
import { jointRange, type Palette } from '../../webview/draw/colours';
import { scaleOf } from '../../webview/draw/scales';
import { limitWithoutOutliers } from '../../engine/explain/describe/colour-range';
import { summarise, type Summary } from '../../webview/heatmap/summary';

const palette: Palette = {
  background: [31, 31, 31], foreground: [204, 204, 204], neutral: [47, 47, 47], negative: [217, 114, 38],
  positive: [67, 153, 242], hatch: [100, 100, 100], error: [248, 81, 73], light: false,
}; // prettier-ignore

async function summaryOf(x: SpecMatrix, id = 'x'): Promise<Summary> {
  const trace = explainAttention({ ...matrixDefaults, start: { from: 'x', x } });
  assert.ok(trace.ok);
  const { plan, read } = trace.value;
  const step = plan.steps.find((s) => s.id === id);
  assert.ok(step);
  return summarise(step, async (request) => read(id, request));
}

const plain = [[0.5, -1, 2, 1], [1, 0.5, -1, 1.5], [-2, 1, 0.5, 1]]; // prettier-ignore
const withOne = (outlier: number): SpecMatrix => plain.map((row, i) => (i === 1 ? [row[0] ?? 0, outlier, row[2] ?? 0, row[3] ?? 0] : row)); // prettier-ignore

describe('where signed colours end', () => {
  it('is the largest magnitude where none is far beyond the others', async () => {
    const { colourLimit, min, max } = await summaryOf(plain);
    assert.deepEqual([colourLimit, min, max], [undefined, -2, 2]);
    assert.equal((await summaryOf(withOne(15))).colourLimit, undefined);
  });

  it('is before an outlier, so that the others keep their colours, and the limits stay true', async () => {
    for (const outlier of [1000, -1000]) {
      const range = await summaryOf(withOne(outlier));
      assert.equal(range.colourLimit, 2);
      assert.deepEqual([range.min, range.max], outlier > 0 ? [-2, 1000] : [-1000, 2]);
      const [flat, ours] = [{ min: -2, max: 2 }, range].map((limits) => scaleOf({ kind: 'signed', shape: [3, 4] }, limits, palette));
      assert.ok(flat && ours);
      for (const value of plain.flat()) assert.deepEqual(ours(value), flat(value), String(value));
    }
  }); // prettier-ignore

  it('gives an outlier a colour that no other number has, however even these are', async () => {
    for (const outlier of [1000, -1000]) {
      const range = await summaryOf(withOne(outlier));
      const ours = scaleOf({ kind: 'signed', shape: [3, 4] }, range, palette);
      const inside = Array.from({ length: 401 }, (_, i) => String(ours((i - 200) / 100)));
      assert.ok(!inside.includes(String(ours(outlier))), String(outlier));
      assert.ok(!inside.includes(String(ours(outlier * 2))));
    }
    const even = await summaryOf(Array.from({ length: 4 }, (_, i) => [0.01, 0.01, i === 2 ? 100 : 0.01]));
    const ours = scaleOf({ kind: 'signed', shape: [4, 3] }, even, palette);
    assert.notDeepEqual(ours(0.01), ours(100));
  });

  it('is left alone among few numbers, zeros with some ones, and weights', async () => {
    assert.equal((await summaryOf([[1, 1000], [2, 3]])).colourLimit, undefined); // prettier-ignore
    assert.equal(limitWithoutOutliers(new Float64Array([0, 0, 0, 0, 0, 0, 0, 1])), undefined);
    assert.equal((await summaryOf(withOne(1000), 'weights')).colourLimit, undefined);
  });

  it('is found among a million magnitudes by a sample that meets every column', () => {
    // Column 0 of 1024 is an outlier: a tenth of a percent, which a step of a power of two would take for all there is.
    const magnitudes = Float64Array.from({ length: 1 << 20 }, (_, i) => (i % 1024 === 0 ? 500 : 1 + (i % 7) / 7));
    assert.equal(limitWithoutOutliers(magnitudes), 1 + 6 / 7);
  });

  it('is shared by matrices beside one another: that of the one that needs most', () => {
    const [far, near] = [{ min: -1, max: 100, colourLimit: 2 }, { min: -5, max: 4 }];
    assert.deepEqual(jointRange([far, near]), { min: -5, max: 100, colourLimit: 5 });
    assert.deepEqual(jointRange([near, { min: 0, max: 1 }]), { min: -5, max: 4 });
  }); // prettier-ignore
});
