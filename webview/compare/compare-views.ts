import { offsetOf, t, type Plan, type Slice, type Step } from '../../engine/index';
import { createComparison, type Comparison } from './comparison';
import { difference, type Readable } from './compare-steps';
import { changedBetween, placeName, timelineText } from './words';
import { createTools, type ToolsActions, type ToolsModel } from './toolbar';
import type { DifferencePicture } from './difference-trace';
import type { Remote } from '../compute';
import type { CellNote, Notes } from '../edits';
import { refusalOf } from '../choices';
import { canWriteBack, editedOf, specOf, uneditedOf, type AppState, type Shown } from '../session';
import { brief, exactNumber, h, setAttribute } from '../draw';
import { isTransposed, leadingIndex, sliceRequest, stepOf, type TraceHandle } from '../trace';
import { isHidden } from '../predict';

/** The parts of the page that compare: the line above the picture, marks, a picture of differences, and both values of a cell. */
export interface Comparing {
  readonly tools: HTMLElement;
  readonly cell: HTMLElement;
  /** Updates all parts and returns what the stage draws. `index` is the selected cell. */
  update(state: AppState, shown: Shown, step: Step, index: readonly number[]): Drawn;
  /** Marks the steps that differ in the timeline, also for screen readers. */
  markTimeline(timeline: HTMLElement, plan: Plan, hidden: (step: Step) => boolean): void;
}

interface Drawn {
  readonly difference: DifferencePicture | undefined;
  readonly notes: Notes | undefined;
}

export function createComparing(startWorker: () => Remote, changed: () => void, actions: ToolsActions): Comparing {
  const comparison = createComparison(startWorker, changed);
  const tools = createTools(actions);
  const notes = createNotes(changed);
  const compared = createCellComparison();
  let pinned = false;
  return {
    tools: tools.element,
    cell: compared.element,
    update(state, shown, step, index) {
      pinned = state.pinned !== undefined;
      comparison.update(shown.trace, comparedWith(state, shown), step.id);
      tools.update(toolsModel(state, shown, step, comparison));
      compared.update(shown.trace, comparison.other(), step.id, index, pinned);
      const kind = comparison.outcome(step.id)?.kind;
      const drawable = pinned && state.differences && (kind === 'differs' || kind === 'somewhere');
      return {
        difference: drawable ? comparison.picture(step) : undefined,
        notes: pinned ? undefined : notes(shown, state.slice, comparison.other()),
      };
    },
    markTimeline: (timeline, plan, hidden) => markTimeline(timeline, plan, pinned ? comparison : undefined, hidden),
  };
}

/** The spec to compare with: the pinned one, or else the current one without its edits. */
function comparedWith({ pinned }: AppState, { asked }: Shown): ReturnType<typeof specOf> | undefined {
  if (pinned) return specOf(pinned);
  return editedOf(asked).was.size > 0 ? uneditedOf(asked) : undefined;
}

/** The model of the line above the picture. */
function toolsModel(state: AppState, { asked, trace }: Shown, step: Step, comparison: Comparison): ToolsModel {
  const { was } = editedOf(asked);
  const changed = [...was].filter(([, cells]) => cells.size > 0);
  const symbols = changed.map(([id]) => stepOf(trace.plan, id)?.symbol ?? id);
  const { pinned, differences } = state;
  const outcome = comparison.outcome(step.id);
  return {
    step,
    writable: refusalOf(specOf(asked), step) === undefined,
    turned: isTransposed(trace.plan, step),
    hidden: isHidden(state.reading, trace, step),
    edited: { cells: changed.reduce((sum, [, cells]) => sum + cells.size, 0), symbols },
    canWriteBack: state.source === 'fresh' && canWriteBack(asked),
    pinned: pinned && {
      changes: changedBetween(pinned, asked),
      outcome,
      place: outcome?.kind === 'differs' ? placeName(trace, step, outcome.index) : '',
      differences,
    },
  };
}

/** Marks for edited cells and, if nothing is pinned, for cells that changed as a result of edits. */
function createNotes(
  changed: () => void,
): (shown: Shown, slice: Slice, others: Readable | undefined) => Notes | undefined {
  let key: readonly unknown[] = [];
  let notes: Notes | undefined;
  return (shown, slice, other) => {
    const { asked, trace } = shown;
    const next = [trace, slice.batch, slice.head, other, editedOf(asked).was];
    if (next.every((part, i) => part === key[i]) && next.length === key.length) return notes;
    key = next;
    notes = editedOf(asked).was.size > 0 ? notesOf(shown, slice, new Map()) : undefined;
    if (!notes || !other) return notes;
    void changesOf(trace, other, slice).then(
      (found) => {
        if (key !== next) return;
        notes = notesOf(shown, slice, found);
        changed();
      },
      () => undefined,
    );
    return notes;
  };
}

/** By step: earlier values of its changed cells, by row-major index within the current slice. */
type Before = ReadonlyMap<string, ReadonlyMap<number, number>>;

function notesOf({ asked, trace }: Shown, slice: Slice, changes: Before): Notes {
  const { was } = editedOf(asked);
  return (id, [row, column]): CellNote | undefined => {
    const step = stepOf(trace.plan, id);
    if (!step) return undefined;
    const written = was.get(id)?.get(offsetOf(step.shape, [...leadingIndex(trace, step, slice), row, column]));
    if (written !== undefined) return { mark: 'edited', said: t('edited, was {0}', exactNumber(written)) };
    const before = changes.get(id)?.get(row * (step.shape.at(-1) ?? 1) + column);
    return before === undefined ? undefined : { mark: 'changed', said: t('was {0}', brief(before, 4)) };
  };
}

/** Matrices with more cells get no marks, since their numbers are not visible. */
const maxMarkedCells = 16_384;

async function changesOf(now: TraceHandle, then: Readable, slice: Slice): Promise<Before> {
  const changes = new Map<string, Map<number, number>>();
  for (const step of now.plan.steps) {
    const other = stepOf(then.plan, step.id);
    const [rows, columns] = [step.shape.at(-2) ?? 1, step.shape.at(-1) ?? 1];
    if (!other || String(other.shape) !== String(step.shape) || rows * columns > maxMarkedCells) continue;
    const request = sliceRequest(leadingIndex(now, step, slice));
    const [a, b] = await Promise.all([now.read(step.id, request), then.read(step.id, request)]);
    const cells = new Map<number, number>();
    a.max.forEach((x, i) => {
      const before = (b.nan[i] ?? 0) > 0 ? NaN : (b.max[i] as number);
      if (difference((a.nan[i] ?? 0) > 0 ? NaN : x, before) !== 0) cells.set(i, before);
    });
    if (cells.size) changes.set(step.id, cells);
  }
  return changes;
}

function markTimeline(
  timeline: HTMLElement,
  plan: Plan,
  comparison: Comparison | undefined,
  hidden: (step: Step) => boolean,
): void {
  for (const step of plan.steps) {
    const text = hidden(step) ? undefined : timelineText(plan, step, comparison?.outcome(step.id));
    for (const stop of timeline.querySelectorAll(`[data-step="${step.id}"]`)) {
      setAttribute(stop, 'data-differs', text !== undefined);
      setAttribute(stop, 'aria-description', text);
    }
  }
}

/** Shows both values of the selected cell and their difference, above its arithmetic. */
function createCellComparison(): {
  readonly element: HTMLElement;
  update(now: TraceHandle, then: Readable | undefined, id: string, index: readonly number[], pinned: boolean): void;
} {
  const element = h('div', { class: 'compare-cell' });
  let latestRequest = 0;
  let key: readonly unknown[] = [];
  return {
    element,
    update(now, then, id, index, pinned) {
      const next = [now, then, id, String(index), pinned];
      if (next.every((part, i) => part === key[i])) return;
      key = next;
      const mine = ++latestRequest;
      const values = then ? bothValues(now, then, id, index) : Promise.resolve(undefined);
      values.then(
        (both) => mine === latestRequest && element.replaceChildren(...(both ? cellText(both, pinned) : [])),
        () => undefined,
      );
    },
  };
}

type NowAndThen = readonly [now: number, then: number];

async function bothValues(
  now: Readable,
  then: Readable,
  id: string,
  index: readonly number[],
): Promise<NowAndThen | undefined> {
  const [step, other] = [stepOf(now.plan, id), stepOf(then.plan, id)];
  if (!step || !other || String(step.shape) !== String(other.shape)) return undefined;
  const [row = 0, column = 0] = index.slice(-2);
  const request = {
    ...sliceRequest(index.slice(0, -2)),
    rows: [row, row + 1] as const,
    columns: [column, column + 1] as const,
  };
  const [a, b] = await Promise.all([now.read(id, request), then.read(id, request)]);
  const one = ({ nan, max }: typeof a): number => ((nan[0] ?? 0) > 0 ? NaN : (max[0] as number));
  return [one(a), one(b)];
}

function cellText([now, then]: NowAndThen, pinned: boolean): Node[] {
  const d = difference(now, then);
  if (d === 0 && !pinned) return [];
  const part = (id: string, name: string, value: number): HTMLElement => {
    const number = h('b', { 'data-value': String(value) }, brief(value, 6));
    return h('span', { 'data-compared': id }, `${name} `, number);
  };
  return [
    pinned ? part('pinned', t('pinned'), then) : part('unedited', t('unedited'), then),
    part('now', t('now'), now),
    part('difference', t('difference'), d),
  ];
}
