import {
  boundText,
  leadingDimensions,
  marginOf,
  signOf,
  t,
  type CellValue,
  type DigitFormatOf,
  type Sentence,
  type ShownResult,
  type Slice,
  type Step,
} from '../../engine/index';
import { exactNumber, formatNumber, plain, prose, repr, symbolNodes, type NumberFormat } from '../draw';
import { formatFor, labelAt, make, summarise } from '../heatmap';
import { isTransposed, leadingIndex, sliceRequest, shownText, type TraceHandle } from '../trace';

export interface InspectorOptions {
  /** Digits after the decimal point, as in the heatmaps. */
  readonly digits: number;
  /** Steps whose numbers are not shown yet: the reader predicts them first. */
  readonly hidden?: (stepId: string) => boolean;
  /** Where a source's number comes from, where the engine cannot know: the reader wrote into it. */
  readonly origin?: (step: Step, index: readonly number[]) => string | undefined;
  /** An operand was clicked: show what made it. */
  readonly onNavigate: (stepId: string, index: readonly number[]) => void;
}

/** The trace with every step's format at hand: numbers look the same here as in the matrices. */
export interface InspectorContext {
  readonly trace: TraceHandle;
  readonly options: InspectorOptions;
  readonly formats: Map<string, NumberFormat>;
  /** The head and input of a batch that the formats are for. */
  readonly at: { slice: Slice };
}

export function stepOf({ trace }: InspectorContext, id: string): Step {
  const step = trace.plan.steps.find((s) => s.id === id);
  if (!step) throw new Error(`the trace has no step ${id}`);
  return step;
}

/** Reads what is needed to write numbers of these steps in a slice; each step once. */
export async function loadFormats(book: InspectorContext, slice: Slice, ids: Iterable<string>): Promise<void> {
  if (slice.batch !== book.at.slice.batch || slice.head !== book.at.slice.head) book.formats.clear();
  book.at.slice = slice;
  const missing = [...new Set(ids)].filter((id) => !book.formats.has(id));
  await Promise.all(
    missing.map(async (id) => {
      const step = stepOf(book, id);
      const lead = sliceRequest(leadingIndex(book.trace, step, slice));
      const summary = await summarise(step, (request) => book.trace.read(id, { ...request, ...lead }));
      book.formats.set(id, formatFor(step, summary, book.options.digits));
    }),
  );
}

const fallback: NumberFormat = { decimals: 2, exponent: false };

export const formatIn = (book: InspectorContext, id: string): NumberFormat => book.formats.get(id) ?? fallback;

/** A value as the heatmap of its step writes it. */
export const formattedValue = (book: InspectorContext, id: string, value: number): string =>
  formatNumber(value, formatIn(book, id));

/** The same for arithmetic, which may add digits to them. */
export const placesIn =
  (book: InspectorContext): DigitFormatOf =>
  (id) =>
    formatIn(book, id);

/** Numbers between two steps, such as a divisor: four figures. */
export const intermediateDigits = { decimals: 4, figures: 4 } as const;

/** `= 2.38`, `≈ 2.38 (±0.01)`; what the matrix has of it beside a result with more digits. */
export function resultText(book: InspectorContext, result: ShownResult): string {
  const text = `${result.text}${marginOf(result, book.trace.spec.dtype)}`;
  return result.inMatrix === undefined ? text : t('{0} ({1} in the matrix)', text, result.inMatrix);
}

/** A number in a column of results: the margins stand below the table. */
export const inColumn = (result: ShownResult): string => (signOf(result) === '≈' ? `≈ ${result.text}` : result.text);

/** What the results of a table that come near only have in common. */
export function marginNote(book: InspectorContext, results: readonly ShownResult[]): HTMLElement[] {
  const margins = results.flatMap(({ about }) => (about && Number.isFinite(about.bound) ? [about] : []));
  if (margins.length === 0) return [];
  const bound = boundText(Math.max(...margins.map((about) => about.bound)));
  const { dtype } = book.trace.spec;
  const text =
    dtype === 'float32' && margins.every(({ rounded }) => rounded)
      ? t('≈: rounded to {0}, so that redoing it gives up to {1} more or less.', dtype, bound)
      : t('≈: redoing it from these digits gives up to {0} more or less.', bound);
  return [make('p', { class: 'note', text })];
}

/** What makes the points of a column's numbers stand below each other. */
export function pointPadding(text: string, column: readonly string[]): string {
  const most = Math.max(...column.map(fractionLength));
  return text.includes('e') ? '' : '\u00a0'.repeat(Math.max(0, most - fractionLength(text)));
}

/** Characters from the point on; none of a number with an exponent. */
const fractionLength = (text: string): number => (text.includes('e') ? 0 : (/\.\d*$/.exec(text)?.[0].length ?? 0));

export const rowOf = ({ index }: CellValue): number => index.at(-2) ?? 0;
export const columnOf = ({ index }: CellValue): number => index.at(-1) ?? 0;

export const rowName = (book: InspectorContext, cell: CellValue): string =>
  labelAt(stepOf(book, cell.step).rowLabels, rowOf(cell));
export const columnName = (book: InspectorContext, cell: CellValue): string =>
  labelAt(stepOf(book, cell.step).columnLabels, columnOf(cell));

/** A cell's row and column as they are drawn. */
function drawnNames(book: InspectorContext, cell: CellValue): readonly [row: string, column: string] {
  const [row, column] = [rowName(book, cell), columnName(book, cell)];
  return isTransposed(book.trace.plan, stepOf(book, cell.step)) ? [column, row] : [row, column];
}

/** `row cat, column sat` */
export function cellPlace(book: InspectorContext, cell: CellValue): string {
  const [row, column] = drawnNames(book, cell);
  return t('row {0}, column {1}', row, column);
}

/** A sentence as text, about rows or about columns. */
export const sentenceText = (book: InspectorContext, sentence: Sentence): string =>
  shownText(book.trace.plan, sentence);

/** The same as nodes, with elements in its slots. */
export const sentenceNodes = (book: InspectorContext, sentence: Sentence, ...slots: readonly Node[]): Node[] =>
  prose(sentence, { plan: book.trace.plan, slots });

/** `S` in its role's colour. */
export function symbolNode(step: Step, lower = false): HTMLElement {
  const text = lower ? step.symbol.toLowerCase() : step.symbol;
  return make('var', { class: `role-${step.role}` }, ...symbolNodes(text));
}

/** `head 1; ` where a step has several heads, `input 2, head 1; ` where there is a batch too. */
function headName(book: InspectorContext, { step: id, index }: CellValue): string {
  const step = stepOf(book, id);
  const names = leadingDimensions(book.trace.plan, book.trace.spec.heads, step).flatMap((part, i) =>
    (step.shape[i] ?? 1) > 1 ? [part === 'head' ? t('head {0}', index[i] ?? 0) : t('input {0}', index[i] ?? 0)] : [],
  );
  return names.length ? `${names.join(', ')}; ` : '';
}

/** `S[cat, sat]` */
export function nameNode(book: InspectorContext, cell: CellValue): HTMLElement {
  const step = stepOf(book, cell.step);
  const place = `[${headName(book, cell)}${drawnNames(book, cell).join(', ')}]`;
  return make('span', { class: 'cell-name' }, symbolNode(step), place);
}

/** A value that walks to its own cell; spoken with the place it walks to. */
export const valueButton = (book: InspectorContext, cell: CellValue, ...content: (Node | string)[]): HTMLElement =>
  valueButtonWith(book, cell, formattedValue(book, cell.step, cell.value), content);

/** The same with the digits of a line of arithmetic. */
const valueButtonWith = (
  book: InspectorContext,
  cell: CellValue,
  text: string,
  content: readonly (Node | string)[],
): HTMLElement => {
  const step = stepOf(book, cell.step);
  const place = `${step.symbol} ${cellPlace(book, cell)}`;
  const node = make(
    'button',
    {
      class: 'walk',
      title: `${place}: ${exactNumber(cell.value, book.trace.spec.dtype)}`,
      attributes: { type: 'button', 'data-step': cell.step, 'data-value': repr(cell.value) },
      onClick: () => book.options.onNavigate(cell.step, cell.index),
    },
    ...(content.length ? content : [text]),
  );
  const visible = node.textContent ?? '';
  node.setAttribute('aria-label', plain(`${visible}, ${visible.includes(text) ? '' : `${text}, `}${place}`));
  return node;
};

/** The digits of a line of arithmetic alone, in the colour of the value's role. */
export function colouredValueButton(book: InspectorContext, cell: CellValue, text: string): HTMLElement {
  const node = valueButtonWith(book, cell, text, []);
  node.classList.add(`role-${stepOf(book, cell.step).role}`);
  return node;
}

export const shownValueButton = (
  book: InspectorContext,
  cell: CellValue,
  text: string,
  ...content: (Node | string)[]
): HTMLElement => valueButtonWith(book, cell, text, content);
