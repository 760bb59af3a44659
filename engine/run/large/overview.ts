import { wasmOperations } from '../backend/wasm/run';
import type { WasmKernels } from '../backend/wasm/index';
import { saturate } from '../backend/webgpu/kernel';
import type { Plan, Step } from '../../plan';
import { allocate, type Tensor } from '../../math';
import { alignedRange, emptyTile, matrixShape, type Tile, type TileRequest } from '../tile';
import type { BlockContext } from './blocks';
import { operandsOf } from './deferred';
import { rowEntropies } from './entropies';
import { fineTile } from './fine-tile';
import { createRowSummaries } from './row-summaries';
import { hiddenCells } from './pattern-mask';
import { levelFor, overviewSteps } from './overview-level';
import { blockBytes, createPyramid, readPyramid, type Pyramid } from './pyramid';
import { withFastElementwise } from './elementwise';
import { fusedPathOf, alibiPathOf, type FusedPath } from './fused-path';
import type { Overview } from './overview-types';
import type { OverviewContext } from './overview-context';
import { alibiSummariser } from './alibi-summaries';
import { createSoftmaxSummaries } from './softmax-summaries';
import { stepwiseStripes, fusedStripes, type Stripes } from './stripes';

/** Cells that are computed at once: about 50 ms. */
const stripeCells = 1 << 24;

export interface OverviewOptions {
  /** For tests: most blocks along a side; `fused: false` computes every plan step by step. */
  readonly side?: number;
  readonly fused?: boolean;
  /** Cells of a stripe. */
  readonly stripe?: number;
}

export function createOverview(
  plan: Plan,
  deferred: ReadonlySet<string>,
  held: ReadonlyMap<string, Tensor>,
  wasm: WasmKernels,
  { side, fused = true, stripe = stripeCells }: OverviewOptions = {},
): Overview {
  const steps = overviewSteps(plan, deferred);
  const level = levelFor(steps, side);
  const pyramids = createPyramids(steps, level);
  const context: OverviewContext = {
    plan,
    deferred,
    wasm,
    blocks: float32Blocks(plan, deferred, held, wasm),
    summaries: createSoftmaxSummaries(),
    pyramidOf: pyramids.of,
    level,
    stripe,
  };
  const path = fused && wasm.pooledAttention ? fusedPathOf(plan, deferred) : undefined;
  const others = steps.filter((step) => !path || !isOnPath(path, step));
  const summaries = path && createRowSummaries(context, path);
  const stripes: Stripes =
    path && summaries ? fusedStripes(context, path, summaries, others) : stepwiseStripes(context, others);
  const alibi = fused ? alibiPathOf(plan, deferred) : undefined;
  const summariseRows = alibi && alibiSummariser(context, alibi);
  const fine = path && summaries ? { path, summaries } : { summaries: context.summaries, summariseRows };
  return {
    total: stripes.total,
    done: stripes.done,
    advance: stripes.advance,
    share: (begin) => stripes.share?.(begin),
    read(step, leading, request) {
      if (step.call.op === 'patternMask') return patternTile(step, request);
      const pyramid = pyramids.has(step) ? pyramids.of(pyramidStep(path, step), leading) : undefined;
      return pyramid && readPyramid(pyramid, request, path?.unmasked.find((one) => one.step.id === step.id)?.factor);
    },
    fine(step, leading, request) {
      if (step.call.op === 'patternMask') return patternTile(step, request);
      return pyramids.has(step) ? fineTile(context.blocks, fine, step, leading, request) : undefined;
    },
    entropies: (step, leading) => (path?.weights.id === step.id ? rowEntropies(context, path, leading) : undefined),
    bytes: () => pyramids.bytes() + context.summaries.bytes() + (summaries?.bytes() ?? 0),
  };
}

/** The pyramids of the steps, one for each batch element and head. */
interface Pyramids {
  has(step: Step): boolean;
  readonly of: OverviewContext['pyramidOf'];
  bytes(): number;
}

function createPyramids(steps: readonly Step[], level: number): Pyramids {
  const pictured = new Set(steps.map(({ id }) => id));
  const pyramids = new Map<string, Pyramid>();
  const bytesOf = ({ min, masked, nan }: Pyramid): number =>
    min.length * (blockBytes + (masked ? 4 : 0) + (nan ? 4 : 0));
  return {
    has: ({ id }) => pictured.has(id),
    of(step, leading) {
      const key = `${step.id} ${leading.join()}`;
      const found = pyramids.get(key) ?? createPyramid(...matrixShape(step.shape), level);
      pyramids.set(key, found);
      return found;
    },
    bytes: () => [...pyramids.values()].reduce((sum, pyramid) => sum + bytesOf(pyramid), 0),
  };
}

/** The step whose picture a step of a path has: the scores before the mask are all of one kind, and those after it. */
function pyramidStep(path: FusedPath | undefined, step: Step): Step {
  const [unmasked, masked] = [path?.unmasked.map((one) => one.step) ?? [], path?.masked ?? []];
  return [unmasked, masked].find((steps) => steps.some(({ id }) => id === step.id))?.[0] ?? step;
}

const isOnPath = ({ unmasked: unmasked, masked, weights, output }: FusedPath, step: Step): boolean =>
  step === weights || step === output || masked.includes(step) || unmasked.some((one) => one.step === step);

function float32Blocks(
  plan: Plan,
  deferred: ReadonlySet<string>,
  held: ReadonlyMap<string, Tensor>,
  wasm: WasmKernels,
): BlockContext {
  const wanted = operandsOf(plan, deferred);
  return {
    plan,
    dtype: 'float32',
    precision: 'float32',
    held: new Map([...held].flatMap(([id, tensor]) => (wanted.has(id) ? [[id, toFloat32(tensor)]] : []))),
    kernels: withFastElementwise(wasmOperations(wasm)),
    row: () => {
      throw new Error('a softmax is computed by stripes');
    },
  };
}

/** In a loop: `Float32Array.from` with a callback takes a second for 131,072 rows. */
function toFloat32(tensor: Tensor): Tensor {
  if (tensor.dtype === 'float32') return tensor;
  const out = allocate('float32', tensor.shape);
  for (let i = 0; i < out.data.length; i++) out.data[i] = saturate(tensor.data[i] as number);
  return out;
}

/** The tile of a pattern mask, exactly, from its formula. */
function patternTile({ call, shape }: Step, request: TileRequest): Tile | undefined {
  if (call.op !== 'patternMask') return undefined;
  const [rows, columns] = matrixShape(shape);
  const size = 1 << (request.level ?? 0);
  const [top, bottom] = alignedRange(request.rows, rows, size);
  const [left, right] = alignedRange(request.columns, columns, size);
  const tile = emptyTile(
    request.level ?? 0,
    top,
    left,
    Math.ceil((bottom - top) / size),
    Math.ceil((right - left) / size),
  );
  for (let i = 0; i < tile.min.length; i++) {
    const [y, x] = [top + Math.floor(i / tile.width) * size, left + (i % tile.width) * size];
    const at = [
      [y, Math.min(rows, y + size)],
      [x, Math.min(columns, x + size)],
    ] as const;
    const hidden = hiddenCells(call, ...at);
    const cells = (at[0][1] - y) * (at[1][1] - x);
    tile.min[i] = hidden < cells ? 0 : 1;
    tile.max[i] = hidden > 0 ? 1 : 0;
    tile.mean[i] = hidden / cells;
  }
  return tile;
}
