import {
  comparePart,
  explainCell,
  extremeRowsInParts,
  ok,
  planOf,
  provideModel,
  runReference,
  laterCells,
  type AttentionTrace,
  type ExtremeRows,
  nextTurn,
} from '../../engine/index';
import { createOverviewStripes, endOverviewHelper, yieldToMessages, startOverviewHelper } from './overview-worker';
import { createTokenizing } from './tokenize';
import { previewOf, type Preview } from './preview';
import { createInsightComputation } from './insights';
import type { WorkerCall, WorkerMessage, WorkerMethods } from './remote';
import { createShuffles } from './shuffles';
import { stepOf } from '../trace';

/*
 * The script of all workers. One worker holds the exact trace, another a preview; both answer the same requests, so that views need not distinguish
 * them. A third one caches tokenizers, a fourth computes insights for traces that the page's own thread computed. A worker may start a helper that
 * computes rows for its overview (overview-worker.ts). A computation is cancelled by terminating its worker.
 */

interface Scope {
  postMessage(message: WorkerMessage, transfer?: readonly Transferable[]): void;
  onmessage: ((event: MessageEvent<WorkerCall>) => void) | null;
}
const scope = globalThis as unknown as Scope;

let trace: AttentionTrace | undefined;
let preview: Preview | undefined;

function exactTrace(): AttentionTrace {
  if (!trace) throw new Error('nothing has been computed yet');
  return trace;
}

const reasons = createInsightComputation();

const methods: WorkerMethods = {
  async compute(spec) {
    const begin = performance.now();
    // Until the new spec is computed, requests are rejected rather than answered from the old trace.
    trace = undefined;
    overviewRuns = true;
    endOverviewHelper();
    const planned = planOf(spec);
    if (!planned.ok) return planned;
    const { steps } = planned.value;
    const postProgress = (done: number): void =>
      scope.postMessage({ type: 'progress', step: steps[done]?.words.name ?? '', done, total: steps.length });
    postProgress(0);
    const result = runReference(spec, planned.value, (_, done) => postProgress(done));
    if (!result.ok) return result;
    trace = result.value;
    void advanceOverview(trace);
    return ok({ problems: trace.problems, milliseconds: performance.now() - begin });
  },
  async preview(spec, wish) {
    const begin = performance.now();
    const planned = planOf(spec);
    if (!planned.ok) return planned;
    preview?.release();
    preview = undefined;
    const found = await previewOf(spec, planned.value, wish);
    if (!found.ok) return found;
    preview = found.value;
    return ok({ ...preview.ran(), problems: [], milliseconds: performance.now() - begin });
  },
  read: async (step, request) => preview?.read(step, request) ?? exactTrace().read(step, request),
  extremeRows: (step, slice) => findExtremes(exactTrace(), step, slice),
  async runOverview(go) {
    overviewRuns = go;
    if (go) void advanceOverview(exactTrace());
  },
  explainCell: async (step, index) => explainCell(exactTrace(), step, index),
  whereItGoes: async (step, index) => laterCells(exactTrace(), step, index),
  insights: async (step, index) => reasons.at(exactTrace(), step, index),
  ...createShuffles(exactTrace),
  async values(step, from, to) {
    if (!preview) throw new Error('there is no preview');
    return preview.values(step, from, to);
  },
  async compare(id, from, values) {
    const step = stepOf(exactTrace().plan, id);
    if (!step) throw new Error(`no step ${id}`);
    return comparePart(exactTrace(), step, from, values).maxAbs;
  },
  async releasePreview() {
    if (!preview) throw new Error('there is no preview');
    const ran = preview.ran();
    preview.release();
    preview = undefined;
    return ran;
  },
  ...createOverviewStripes(),
  tokenize: createTokenizing(),
  provide: async (model) => provideModel(model),
};

let overviewRuns = true;
let overviewOf: AttentionTrace | undefined;

/** Computes the overview of steps that are not held in memory, stripe by stripe; the first stripe before the helper is started. */
async function advanceOverview(of: AttentionTrace): Promise<void> {
  const overview = of.overview?.();
  if (!overview || overviewOf === of) return;
  overviewOf = of;
  await yieldToMessages();
  for (let begun = false; trace === of && overviewRuns && !overview.advance(); begun = true) {
    if (!begun) overview.share(startOverviewHelper);
    await yieldToMessages();
  }
  if (overviewOf !== of) return;
  overviewOf = undefined;
  // A stopped overview can be resumed, with the helper's inputs still in place.
  if (overviewRuns) endOverviewHelper();
}

let asked = 0;

/** Searches all rows of weights. A newer request cancels an older one. */
async function findExtremes(
  of: AttentionTrace,
  id: string,
  slice: Parameters<WorkerMethods['extremeRows']>[1],
): Promise<ExtremeRows | undefined> {
  const mine = ++asked;
  const step = stepOf(of.plan, id);
  if (!step) throw new Error(`no step ${id}`);
  const parts = extremeRowsInParts(of, step, slice);
  for (let next = parts.next(); ; next = parts.next()) {
    if (next.done) return next.value;
    await nextTurn();
    if (mine !== asked || trace !== of) return undefined;
  }
}

/** Starts answering requests. */
export function serve(): void {
  scope.onmessage = ({ data }) => answer(data);
}

function answer({ id, method, args }: WorkerCall): void {
  // A message loses the type relation between method and arguments.
  const call = methods[method] as (...args: readonly unknown[]) => Promise<unknown>;
  call(...args).then(
    (value) => scope.postMessage({ type: 'answer', id, value }, transferable(value)),
    (error: unknown) =>
      scope.postMessage({ type: 'refusal', id, message: error instanceof Error ? error.message : String(error) }),
  );
}

/** Buffers of a preview's values, which are transferred: they are copies already. */
const transferable = (value: unknown): Transferable[] =>
  value instanceof Float32Array ? [value.buffer as ArrayBuffer] : [];
