import { t, type CellExplanation, type CellValue, type Step } from '../../engine/index';
import { make } from '../heatmap';
import {
  nameNode,
  cellPlace,
  loadFormats,
  stepOf,
  formattedValue,
  type InspectorContext,
  type InspectorOptions,
} from './layout';
import { laterCellsOf, rowBars } from './destinations';
import { explained } from './element-wise';
import { meetingNames, productTable } from './products';
import { softmaxParts } from './softmax';
import { exactNumber, repr } from '../draw';
import { firstSlice, sliceRequest, sliceOf, type TraceHandle } from '../trace';

export type { InspectorOptions } from './layout';

export interface Inspector {
  readonly element: HTMLElement;
  /** Shows how a cell was computed and what it becomes. The previous cell stays until this one has been read. */
  show(stepId: string, index: readonly number[]): void;
  clear(): void;
  /** Re-reads colours from the theme. */
  redraw(): void;
}

/** Milliseconds for which the previous cell stays before a note says that the next one takes longer. */
const busyNoteDelay = 400;
const pending = (): HTMLElement => make('p', { class: 'note', text: t('Computing the exact value …') });

/** Explains one number term by term; each operand is a link to its own explanation. */
export function createInspector(trace: TraceHandle, options: InspectorOptions): Inspector {
  const element = make('div', { class: 'inspector' });
  const book: InspectorContext = { trace, options, formats: new Map(), at: { slice: firstSlice } };
  let shown: { readonly step: string; readonly index: readonly number[] } | undefined;
  let latestRequest = 0;
  const draw = async (step: string, index: readonly number[]): Promise<void> => {
    const request = ++latestRequest;
    const waiting = window.setTimeout(
      () => request === latestRequest && element.replaceChildren(pending()),
      busyNoteDelay,
    );
    const parts = await contentOf(book, step, index).finally(() => clearTimeout(waiting));
    if (request === latestRequest) element.replaceChildren(...parts);
  };
  return {
    element,
    show(step, index) {
      shown = { step, index };
      void draw(step, index);
    },
    clear() {
      shown = undefined;
      latestRequest++;
      element.replaceChildren();
    },
    redraw() {
      if (shown) void draw(shown.step, shown.index);
    },
  };
}

async function contentOf(book: InspectorContext, stepId: string, index: readonly number[]): Promise<HTMLElement[]> {
  const { trace } = book;
  const [cell, whole] = await Promise.all([trace.explainCell(stepId, index), trace.whereItGoes(stepId, index)]);
  const unseen = whole.findIndex((link) => book.options.hidden?.(link.step) === true);
  const chain = unseen < 0 ? whole : whole.slice(0, unseen);
  const weights = weightsAhead(book, stepId, chain);
  const slice = sliceOf(trace, stepOf(book, stepId), index.slice(0, -2), book.at.slice);
  await loadFormats(book, slice, [stepId, ...stepOf(book, stepId).operands, ...chain.map((c) => c.step)]);
  const row = weights && (await readRow(trace, weights, index));
  return [
    heading(book, cell),
    ...bodyOf(book, cell),
    laterCellsOf(book, cell, chain, unseen < 0),
    weights && row && weights.id !== stepId && !book.options.hidden?.(weights.id)
      ? rowBars(book, weights, cell, row)
      : undefined,
  ].filter((part) => part !== undefined);
}

/** The softmax step that this cell's row goes through, or comes from. */
function weightsAhead(book: InspectorContext, stepId: string, chain: readonly CellValue[]): Step | undefined {
  const ids = [stepId, ...chain.map((c) => c.step)];
  return ids.map((id) => stepOf(book, id)).find((s) => s.call.op === 'softmax');
}

async function readRow(trace: TraceHandle, step: Step, index: readonly number[]): Promise<number[]> {
  const row = index.at(-2) ?? 0;
  const tile = await trace.read(step.id, { rows: [row, row + 1], ...sliceRequest(index.slice(0, -2)) });
  return Array.from(tile.max, (value, i) => ((tile.nan[i] ?? 0) > 0 ? NaN : value));
}

function heading(book: InspectorContext, cell: CellExplanation): HTMLElement {
  const made = cell.kind === 'products' ? [' = ', ...meetingNames(book, cell)] : [];
  const value = make('output', { class: 'inspector-value', text: formattedValue(book, cell.step, cell.value) });
  value.dataset['value'] = repr(cell.value);
  const said = `${stepOf(book, cell.step).symbol}, ${cellPlace(book, cell)}`;
  const exact = exactNumber(cell.value, book.trace.spec.dtype);
  return make(
    'div',
    { class: 'inspector-head' },
    make('h2', { attributes: { 'aria-label': said } }, nameNode(book, cell), ...made),
    make(
      'div',
      { class: 'inspector-number' },
      value,
      exact === value.textContent ? undefined : make('span', { class: 'exact', text: exact }),
    ),
  );
}

function bodyOf(book: InspectorContext, cell: CellExplanation): HTMLElement[] {
  if (cell.kind === 'products') return productTable(book, cell);
  if (cell.kind === 'softmax') return softmaxParts(book, cell);
  const explain = explained[cell.kind] as (book: InspectorContext, cell: CellExplanation) => HTMLElement[];
  return explain(book, cell);
}
