// Runs in the page: heatmaps, step pictures and the inspector on real traces, without the rest of the panel.
import {
  explainAttention,
  explainCell,
  insightsAt,
  laterCells,
  type AttentionSpec,
  type AttentionTrace,
  type Tile,
  type TileRequest,
} from '../../engine/index';
import { createHeatmap, createThumbnail } from '../../webview/heatmap/heatmap';
import type { Heatmap, HeatmapOptions } from '../../webview/heatmap/types';
import { createInspector } from '../../webview/inspector/inspector';
import { createStepView } from '../../webview/product/product';
import { createShuffles } from '../../webview/compute/shuffles';
import type { TraceHandle } from '../../webview/trace/trace-handle';

export interface LabEvent {
  readonly type: 'select' | 'focus' | 'walk';
  readonly step: string;
  readonly index: readonly number[];
}

type Plain = Omit<HeatmapOptions, 'step' | 'read' | 'onSelect' | 'onFocus' | 'onView' | 'digits'>;

const events: LabEvent[] = [];
const reads: { readonly step: string; readonly request: TileRequest; readonly cells: number }[] = [];
const traces = new Map<string, AttentionTrace>();
const heatmaps: Heatmap[] = [];
const redraws: (() => void)[] = [];

function traceOf(spec: AttentionSpec): AttentionTrace {
  const key = JSON.stringify(spec);
  const known = traces.get(key);
  if (known) return known;
  const result = explainAttention(spec);
  if (!result.ok) throw new Error(result.problems.map((p) => p.message).join('; '));
  traces.set(key, result.value);
  return result.value;
}

function handleOf(spec: AttentionSpec): TraceHandle {
  const trace = traceOf(spec);
  return {
    spec,
    plan: trace.plan,
    problems: trace.problems,
    read(step, request = {}) {
      const tile: Tile = trace.read(step, request);
      reads.push({ step, request, cells: tile.min.length });
      return Promise.resolve(tile);
    },
    extremeRows: () => Promise.resolve(undefined),
    explainCell: (step, index) => Promise.resolve(explainCell(trace, step, index)),
    whereItGoes: (step, index) => Promise.resolve(laterCells(trace, step, index)),
    insights: (step, index) => Promise.resolve(insightsAt(trace, step, index)),
    ...createShuffles(() => trace),
  };
}

function box(width: number, ...content: Node[]): HTMLElement {
  const node = document.createElement('div');
  node.style.width = `${width}px`;
  node.style.margin = '0 0 28px';
  node.append(...content);
  document.body.append(node);
  return node;
}

const clean = (node: Element): string => (node.textContent ?? '').replace(/\s+/g, ' ').trim();
const textsOf = (selector: string): string[] => [...document.querySelectorAll(selector)].map(clean);
/** A name can have operators of its own: `S + B[0, 1]`. */
function withoutNames(node: Element): string {
  const copy = node.cloneNode(true) as Element;
  copy.querySelectorAll('.cell-name').forEach((name) => name.remove());
  return clean(copy);
}

const rowsOf = (selector: string): string[][] =>
  [...document.querySelectorAll(selector)].map((row) => [...row.children].map(clean));

const lab = {
  events,
  reads,
  clear() {
    heatmaps.splice(0).forEach((h) => h.destroy());
    redraws.length = events.length = reads.length = 0;
    document.body.replaceChildren();
  },
  async heatmap(spec: AttentionSpec, stepId: string, width: number, options: Partial<Plain> = {}): Promise<number> {
    const handle = handleOf(spec);
    const step = handle.plan.steps.find((s) => s.id === stepId);
    if (!step) throw new Error(`no step ${stepId}`);
    const heatmap = createHeatmap({
      step,
      digits: 2,
      read: (request) => handle.read(stepId, request),
      onSelect: (row, column) => events.push({ type: 'select', step: stepId, index: [row, column] }),
      onFocus: (row, column) => events.push({ type: 'focus', step: stepId, index: [row, column] }),
      ...options,
    });
    box(width, heatmap.element);
    redraws.push(() => heatmap.redraw());
    await heatmap.drawn;
    return heatmaps.push(heatmap) - 1;
  },
  highlight: (i: number, highlight: Parameters<Heatmap['highlight']>[0]) => heatmaps[i]?.highlight(highlight),
  async view(spec: AttentionSpec, stepId: string, width: number, selected?: readonly [number, number]): Promise<void> {
    const handle = handleOf(spec);
    const step = handle.plan.steps.find((s) => s.id === stepId);
    if (!step) throw new Error(`no step ${stepId}`);
    const view = createStepView(step, handle, {
      slice: { batch: 0, head: 0 },
      digits: 2,
      width,
      ...(selected ? { selected } : {}),
      onSelect: (id, row, column) => events.push({ type: 'select', step: id, index: [row, column] }),
    });
    box(width, view.element);
    redraws.push(() => view.redraw());
    await view.drawn;
  },
  async inspector(spec: AttentionSpec, stepId: string, index: readonly number[], width = 320): Promise<void> {
    const onNavigate = (step: string, at: readonly number[]): unknown => events.push({ type: 'walk', step, index: at });
    const inspector = createInspector(handleOf(spec), { digits: 2, onNavigate });
    box(width, inspector.element);
    inspector.show(stepId, index);
    redraws.push(() => inspector.redraw());
    while (!inspector.element.firstElementChild) await new Promise((done) => setTimeout(done));
  },
  thumbnail(spec: AttentionSpec, stepId: string, width: number, height: number): void {
    const handle = handleOf(spec);
    const step = handle.plan.steps.find((s) => s.id === stepId);
    if (step) box(width, createThumbnail(step, (r) => handle.read(stepId, r), { width, height }).element);
  },
  /** What a reader sees of the inspector's arithmetic. */
  seen: () => ({
    heads: textsOf('.terms thead > tr > *'),
    rows: rowsOf('.terms tbody tr:not(.more)'),
    total: rowsOf('.terms tfoot tr')[0] ?? [],
    ledger: rowsOf('.ledger tr'),
    equation: [...document.querySelectorAll('.equation > div')].map(withoutNames),
    note: textsOf('.note').find((text) => text.startsWith('≈')) ?? '',
  }),
  redraw: () => redraws.forEach((redraw) => redraw()),
  /** What the engine itself says, to compare with what is on the page. */
  value: (spec: AttentionSpec, step: string, index: readonly number[]) => traceOf(spec).value(step, index),
  explain: (spec: AttentionSpec, step: string, index: readonly number[]) => explainCell(traceOf(spec), step, index),
};

export type Lab = typeof lab;

declare global {
  interface Window {
    lab: Lab;
  }
}

window.lab = lab;
