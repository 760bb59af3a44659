import { wasmOperations } from '../backend/wasm/run';
import type { Kernels as Own } from '../backend/wasm/index';
import { saturate } from '../backend/webgpu/kernel';
import type { Plan, Step } from '../../plan/plan';
import { allocate, type Tensor } from '../../math/tensor';
import { aligned, emptyTile, matrixOf, type Tile, type TileRequest } from '../tile';
import type { Blocks } from './blocks';
import { operandsOf } from './deferred';
import { entropiesAlong } from './entropies';
import { fineTile } from './fine';
import { createKept } from './kept';
import { hiddenCells } from './pattern';
import { levelFor, picturedSteps } from './level';
import { blockBytes, createPyramid, readPyramid, type Pyramid } from './pyramid';
import { quick } from './quick';
import { roadOf, tiltedRoadOf, type Road } from './road';
import type { Overview } from './picture';
import type { Survey } from './survey';
import { overTilted } from './tilted';
import { createTops } from './tops';
import { plainStripes, roadStripes, type Stripes } from './stripes';

/** Cells that are computed in one go: about a twentieth of a second. */
const stripeCells = 1 << 24;

export interface OverviewOptions {
  /** For tests: fewer blocks, or the road that is open to every plan. */
  readonly side?: number;
  readonly fused?: boolean;
  /** Cells of a stripe. */
  readonly stripe?: number;
}

export function createOverview(
  plan: Plan,
  deferred: ReadonlySet<string>,
  held: ReadonlyMap<string, Tensor>,
  own: Own,
  { side, fused = true, stripe = stripeCells }: OverviewOptions = {},
): Overview {
  const steps = picturedSteps(plan, deferred);
  const level = levelFor(steps, side);
  const pictures = createPictures(steps, level);
  const survey: Survey = {
    plan,
    deferred,
    own,
    blocks: narrowBlocks(plan, deferred, held, own),
    tops: createTops(),
    pyramidOf: pictures.of,
    level,
    stripe,
  };
  const road = fused && own.survey ? roadOf(plan, deferred) : undefined;
  const plain = steps.filter((step) => !road || !isOn(road, step));
  const kept = road && createKept(survey, road);
  const stripes: Stripes = road && kept ? roadStripes(survey, road, kept, plain) : plainStripes(survey, plain);
  const tilted = fused ? tiltedRoadOf(plan, deferred) : undefined;
  const goOver = tilted && overTilted(survey, tilted);
  const fine = road && kept ? { road, kept } : { tops: survey.tops, goOver };
  return {
    total: stripes.total,
    done: stripes.done,
    advance: stripes.advance,
    share: (begin) => stripes.share?.(begin),
    read(step, lead, request) {
      if (step.call.op === 'patternMask') return patternTile(step, request);
      const picture = pictures.has(step) ? pictures.of(shownBy(road, step), lead) : undefined;
      return picture && readPyramid(picture, request, road?.open.find((one) => one.step.id === step.id)?.factor);
    },
    fine(step, lead, request) {
      if (step.call.op === 'patternMask') return patternTile(step, request);
      return pictures.has(step) ? fineTile(survey.blocks, fine, step, lead, request) : undefined;
    },
    entropies: (step, lead) => (road?.weights.id === step.id ? entropiesAlong(survey, road, lead) : undefined),
    bytes: () => pictures.bytes() + survey.tops.bytes() + (kept?.bytes() ?? 0),
  };
}

/** The pictures of the steps, one for each head and input of a batch. */
interface Pictures {
  has(step: Step): boolean;
  readonly of: Survey['pyramidOf'];
  bytes(): number;
}

function createPictures(steps: readonly Step[], level: number): Pictures {
  const pictured = new Set(steps.map(({ id }) => id));
  const pyramids = new Map<string, Pyramid>();
  const bytesOf = ({ min, masked, nan }: Pyramid): number =>
    min.length * (blockBytes + (masked ? 4 : 0) + (nan ? 4 : 0));
  return {
    has: ({ id }) => pictured.has(id),
    of(step, lead) {
      const key = `${step.id} ${lead.join()}`;
      const found = pyramids.get(key) ?? createPyramid(...matrixOf(step.shape), level);
      pyramids.set(key, found);
      return found;
    },
    bytes: () => [...pyramids.values()].reduce((sum, pyramid) => sum + bytesOf(pyramid), 0),
  };
}

/** The step whose picture a step of a road has: the scores before the mask are all of one kind, and those after it. */
function shownBy(road: Road | undefined, step: Step): Step {
  const [open, masked] = [road?.open.map((one) => one.step) ?? [], road?.masked ?? []];
  return [open, masked].find((steps) => steps.some(({ id }) => id === step.id))?.[0] ?? step;
}

const isOn = ({ open, masked, weights, output }: Road, step: Step): boolean =>
  step === weights || step === output || masked.includes(step) || open.some((one) => one.step === step);

function narrowBlocks(plan: Plan, deferred: ReadonlySet<string>, held: ReadonlyMap<string, Tensor>, own: Own): Blocks {
  const wanted = operandsOf(plan, deferred);
  return {
    plan,
    dtype: 'float32',
    held: new Map([...held].flatMap(([id, tensor]) => (wanted.has(id) ? [[id, narrowed(tensor)]] : []))),
    kernels: quick(wasmOperations(own)),
    row: () => {
      throw new Error('a softmax is computed by stripes');
    },
  };
}

/** In a loop: `from` with a function takes a second for 131,072 rows. */
function narrowed(tensor: Tensor): Tensor {
  if (tensor.dtype === 'float32') return tensor;
  const out = allocate('float32', tensor.shape);
  for (let i = 0; i < out.data.length; i++) out.data[i] = saturate(tensor.data[i] as number);
  return out;
}

/** A mask by rule: known without computing, and exactly. */
function patternTile({ call, shape }: Step, request: TileRequest): Tile | undefined {
  if (call.op !== 'patternMask') return undefined;
  const [rows, columns] = matrixOf(shape);
  const size = 1 << (request.level ?? 0);
  const [top, bottom] = aligned(request.rows, rows, size);
  const [left, right] = aligned(request.columns, columns, size);
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
