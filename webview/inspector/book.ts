import { leadingOf, t, type CellValue, type Sentence, type Slice, type Step } from '../../engine/index';
import { plain } from '../draw/symbols';
import { make } from '../heatmap/dom';
import { labelAt } from '../heatmap/state';
import { formatFor, summarise } from '../heatmap/summary';
import { exactNumber, formatNumber, repr, type NumberFormat } from '../draw/numbers';
import { isTurned, shownText } from '../draw/orientation';
import { prose } from '../draw/prose';
import { symbolNodes } from '../product/figure';
import { leadIn, requestOf } from '../slices/slice';
import type { TraceHandle } from '../compute/trace-handle';

export interface InspectorOptions {
  /** Digits after the decimal point, as in the heatmaps. */
  readonly digits: number;
  /** Steps whose numbers are not shown yet: the reader predicts them first. */
  readonly hidden?: (stepId: string) => boolean;
  /** Where a source's number comes from, where the engine cannot know: the reader wrote into it. */
  readonly origin?: (step: Step, index: readonly number[]) => string | undefined;
  /** An operand was clicked: show what made it. */
  readonly onWalk: (stepId: string, index: readonly number[]) => void;
}

/** The trace with every step's format at hand: numbers look the same here as in the matrices. */
export interface Book {
  readonly trace: TraceHandle;
  readonly options: InspectorOptions;
  readonly formats: Map<string, NumberFormat>;
  /** The head and input of a batch that the formats are for. */
  readonly at: { slice: Slice };
}

export function stepOf({ trace }: Book, id: string): Step {
  const step = trace.plan.steps.find((s) => s.id === id);
  if (!step) throw new Error(`the trace has no step ${id}`);
  return step;
}

/** Reads what is needed to write numbers of these steps in a slice; each step once. */
export async function prepare(book: Book, slice: Slice, ids: Iterable<string>): Promise<void> {
  if (slice.batch !== book.at.slice.batch || slice.head !== book.at.slice.head) book.formats.clear();
  book.at.slice = slice;
  const missing = [...new Set(ids)].filter((id) => !book.formats.has(id));
  await Promise.all(
    missing.map(async (id) => {
      const step = stepOf(book, id);
      const lead = requestOf(leadIn(book.trace, step, slice));
      const summary = await summarise(step, (request) => book.trace.read(id, { ...request, ...lead }));
      book.formats.set(id, formatFor(step, summary, book.options.digits));
    }),
  );
}

const fallback: NumberFormat = { decimals: 2, exponent: false };

export const formatIn = (book: Book, id: string): NumberFormat => book.formats.get(id) ?? fallback;

/** A value as the heatmap of its step writes it. */
export const written = (book: Book, id: string, value: number): string => formatNumber(value, formatIn(book, id));

export const rowOf = ({ index }: CellValue): number => index.at(-2) ?? 0;
export const columnOf = ({ index }: CellValue): number => index.at(-1) ?? 0;

export const rowName = (book: Book, cell: CellValue): string => labelAt(stepOf(book, cell.step).rowLabels, rowOf(cell));
export const columnName = (book: Book, cell: CellValue): string =>
  labelAt(stepOf(book, cell.step).columnLabels, columnOf(cell));

/** A cell's row and column as they are drawn. */
function drawnNames(book: Book, cell: CellValue): readonly [row: string, column: string] {
  const [row, column] = [rowName(book, cell), columnName(book, cell)];
  return isTurned(book.trace.plan, stepOf(book, cell.step)) ? [column, row] : [row, column];
}

/** `row cat, column sat` */
export function placeIn(book: Book, cell: CellValue): string {
  const [row, column] = drawnNames(book, cell);
  return t('row {0}, column {1}', row, column);
}

/** A sentence as text, about rows or about columns. */
export const said = (book: Book, sentence: Sentence): string => shownText(book.trace.plan, sentence);

/** The same as nodes, with elements in its slots. */
export const told = (book: Book, sentence: Sentence, ...slots: readonly Node[]): Node[] =>
  prose(sentence, { plan: book.trace.plan, slots });

/** `S` in its role's colour. */
export function symbolNode(step: Step, lower = false): HTMLElement {
  const text = lower ? step.symbol.toLowerCase() : step.symbol;
  return make('var', { class: `role-${step.role}` }, ...symbolNodes(text));
}

/** `head 1; ` where a step has several heads, `input 2, head 1; ` where there is a batch too. */
function headName(book: Book, { step: id, index }: CellValue): string {
  const step = stepOf(book, id);
  const names = leadingOf(book.trace.plan, book.trace.spec.heads, step).flatMap((part, i) =>
    (step.shape[i] ?? 1) > 1 ? [part === 'head' ? t('head {0}', index[i] ?? 0) : t('input {0}', index[i] ?? 0)] : [],
  );
  return names.length ? `${names.join(', ')}; ` : '';
}

/** `S[cat, sat]` */
export function nameNode(book: Book, cell: CellValue): HTMLElement {
  const step = stepOf(book, cell.step);
  const place = `[${headName(book, cell)}${drawnNames(book, cell).join(', ')}]`;
  return make('span', { class: 'cell-name' }, symbolNode(step), place);
}

/** A value that walks to its own cell; spoken with the place it walks to. */
export function walk(book: Book, cell: CellValue, ...content: (Node | string)[]): HTMLElement {
  const step = stepOf(book, cell.step);
  const text = written(book, cell.step, cell.value);
  const place = `${step.symbol} ${placeIn(book, cell)}`;
  const node = make(
    'button',
    {
      class: 'walk',
      title: `${place}: ${exactNumber(cell.value, book.trace.spec.dtype)}`,
      attributes: { type: 'button', 'data-step': cell.step, 'data-value': repr(cell.value) },
      onClick: () => book.options.onWalk(cell.step, cell.index),
    },
    ...(content.length ? content : [text]),
  );
  const visible = node.textContent ?? '';
  node.setAttribute('aria-label', plain(`${visible}, ${visible.includes(text) ? '' : `${text}, `}${place}`));
  return node;
}

/** The value alone, in its role's colour. */
export function walkColoured(book: Book, cell: CellValue): HTMLElement {
  const node = walk(book, cell);
  node.classList.add(`role-${stepOf(book, cell.step).role}`);
  return node;
}
