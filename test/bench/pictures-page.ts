// Runs in a page: heatmaps of large matrices, ours and plotly.js's, timed from the call to the painted canvas.
import { matrixDefaults, planOf, type Step } from '../../engine/index';
import { readTile } from '../../engine/run/tile';
import { createHeatmap } from '../../webview/heatmap/heatmap';
import type { Heatmap } from '../../webview/heatmap/types';
import { cacheWholeMatrices } from '../../webview/compute/tile-cache';

interface Plotly {
  newPlot(element: HTMLElement, data: readonly unknown[], layout: unknown, options: unknown): Promise<unknown>;
  purge(element: HTMLElement): void;
}
declare const Plotly: Plotly;

let side = 0;
let data = new Float32Array(0);
let heatmap: Heatmap | undefined;

/** A weights step with this number of rows and columns. Only its shape and its names matter here. */
function stepOf(n: number): { readonly plan: Parameters<typeof cacheWholeMatrices>[0]; readonly step: Step } {
  const plan = planOf({ ...matrixDefaults, start: { from: 'x', x: [[1]] } });
  if (!plan.ok) throw new Error('no plan');
  const weights = plan.value.steps.find(({ kind }) => kind === 'weights');
  if (!weights) throw new Error('no weights');
  const labels = Array.from({ length: n }, (_, i) => String(i));
  const step = { ...weights, shape: [n, n], rowLabels: labels, columnLabels: labels };
  return { plan: { ...plan.value, steps: [step] }, step };
}

function box(): HTMLElement {
  const node = document.createElement('div');
  node.style.width = '860px';
  node.style.height = '700px';
  document.body.replaceChildren(node);
  return node;
}

/** Waits for two frames, after which the requested picture is on the screen. */
const frames = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

const pictures = {
  /** Pseudorandom values between 0 and 1 (linear congruential generator), with one extreme that pooling must keep. */
  fill(n: number): void {
    side = n;
    data = new Float32Array(n * n);
    let state = 1;
    for (let i = 0; i < data.length; i++) data[i] = (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 33;
    data[Math.floor(data.length / 3)] = 1;
  },
  async first(): Promise<number> {
    heatmap?.destroy();
    const { plan, step } = stepOf(side);
    const into = box();
    await frames();
    const began = performance.now();
    const read = cacheWholeMatrices(plan, async (_, request = {}) =>
      readTile([side, side], request, ([row], [column]) => ({
        values: { data, start: row * side + column, stride: side },
      })),
    );
    heatmap = createHeatmap({ step, digits: 2, read: (request) => read(step.id, request) });
    into.append(heatmap.element);
    await heatmap.drawn;
    return performance.now() - began;
  },
  redraw(): number {
    const began = performance.now();
    heatmap?.redraw();
    return performance.now() - began;
  },
  select(row: number): number {
    const began = performance.now();
    heatmap?.highlight({ cell: [row, row], row, column: row });
    return performance.now() - began;
  },
  /** Whether the extreme is visible: the brightest colour occurs somewhere. */
  colours(): number {
    const canvas = document.querySelector<HTMLCanvasElement>('.heatmap-canvas');
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const seen = new Set<number>();
    for (let i = 0; i < pixels.length; i += 4) seen.add(((pixels[i] ?? 0) << 16) | ((pixels[i + 1] ?? 0) << 8));
    return seen.size;
  },
  async plotly(): Promise<number> {
    const z = Array.from({ length: side }, (_, i) => data.subarray(i * side, (i + 1) * side));
    const into = box();
    await frames();
    const began = performance.now();
    await Plotly.newPlot(
      into,
      [{ z, type: 'heatmap', zsmooth: false }],
      { width: 860, height: 700 },
      { staticPlot: true },
    );
    const time = performance.now() - began;
    Plotly.purge(into);
    return time;
  },
  /** Frees the picture but keeps the values. */
  clear(): void {
    heatmap?.destroy();
    heatmap = undefined;
    document.body.replaceChildren();
  },
};

export type Pictures = typeof pictures;
(globalThis as unknown as { pictures: Pictures }).pictures = pictures;
