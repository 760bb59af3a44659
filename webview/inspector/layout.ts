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
import { formatFor, make, summarise } from '../heatmap';
import {
  isTransposed,
  labelAt,
  leadingIndex,
  needsParentheses,
  sliceRequest,
  shownText,
  type TraceHandle,
} from '../trace';

export interface InspectorOptions {
  /** Digits after the decimal point, as in the heatmaps. */
  readonly digits: number;
  /** Steps whose numbers stay hidden until the reader has predicted them. */
  readonly hidden?: (stepId: string) => boolean;
  /** Where a source's number comes from if the engine cannot know, because the reader entered it. */
  readonly origin?: (step: Step, index: readonly number[]) => string | undefined;
  /** Called with an operand that was clicked, whose explanation should be shown. */
  readonly onNavigate: (stepId: string, index: readonly number[]) => void;
}

/** The trace and the number format of every step, so that numbers look as in the matrices. */
export interface InspectorContext {
  readonly trace: TraceHandle;
  readonly options: InspectorOptions;
  readonly formats: Map<string, NumberFormat>;
  /** The head and batch input for which the formats were loaded. */
  readonly at: { slice: Slice };
}

export function stepOf({ trace }: InspectorContext, id: string): Step {
  const step = trace.plan.steps.find((s) => s.id === id);
  if (!step) throw new Error(`the trace has no step ${id}`);
  return step;
}

/** Loads the number formats of steps in a slice, each once. */
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

/** A value in the format of its step's heatmap. */
export const formattedValue = (book: InspectorContext, id: string, value: number): string =>
  formatNumber(value, formatIn(book, id));

/** The same format for arithmetic, which may add digits. */
export const placesIn =
  (book: InspectorContext): DigitFormatOf =>
  (id) =>
    formatIn(book, id);

/** The format of intermediate numbers, such as a divisor: four significant figures. */
export const intermediateDigits = { decimals: 4, figures: 4 } as const;

/** `= 2.38`, `≈ 2.38 (±0.01)`, followed by the number in the matrix if that has fewer digits. */
export function resultText(book: InspectorContext, result: ShownResult): string {
  const text = `${result.text}${marginOf(result, book.trace.spec.dtype)}`;
  return result.inMatrix === undefined ? text : t('{0} ({1} in the matrix)', text, result.inMatrix);
}

/** A number in a column of results. The bounds of its deviations are below the table. */
export const inColumn = (result: ShownResult): string => (signOf(result) === '≈' ? `≈ ${result.text}` : result.text);

/** A note with the largest deviation of those results of a table that are only approximate. */
export function marginNote(book: InspectorContext, results: readonly ShownResult[]): HTMLElement[] {
  const margins = results.flatMap(({ about }) => (about && Number.isFinite(about.bound) ? [about] : []));
  if (margins.length === 0) return [];
  const bound = boundText(Math.max(...margins.map((about) => about.bound)));
  const { dtype } = book.trace.spec;
  const text =
    dtype !== 'float64' && margins.every(({ rounded }) => rounded)
      ? t('≈: rounded to {0}, so that redoing it gives up to {1} more or less.', dtype, bound)
      : t('≈: redoing it from these digits gives up to {0} more or less.', bound);
  return [make('p', { class: 'note', text })];
}

/** The padding after a number that aligns the decimal points of a column. */
export function pointPadding(text: string, column: readonly string[]): string {
  const most = Math.max(...column.map(fractionLength));
  return text.includes('e') ? '' : '\u00a0'.repeat(Math.max(0, most - fractionLength(text)));
}

/** Number of characters from the decimal point on; 0 for a number with an exponent. */
const fractionLength = (text: string): number => (text.includes('e') ? 0 : (/\.\d*$/.exec(text)?.[0].length ?? 0));

export const rowOf = ({ index }: CellValue): number => index.at(-2) ?? 0;
export const columnOf = ({ index }: CellValue): number => index.at(-1) ?? 0;

export const rowName = (book: InspectorContext, cell: CellValue): string =>
  labelAt(stepOf(book, cell.step).rowLabels, rowOf(cell));
export const columnName = (book: InspectorContext, cell: CellValue): string =>
  labelAt(stepOf(book, cell.step).columnLabels, columnOf(cell));

/** Labels of a cell's row and column, as they are drawn. */
function drawnNames(book: InspectorContext, cell: CellValue): readonly [row: string, column: string] {
  const [row, column] = [rowName(book, cell), columnName(book, cell)];
  return isTransposed(book.trace.plan, stepOf(book, cell.step)) ? [column, row] : [row, column];
}

/** `row cat, column sat` */
export function cellPlace(book: InspectorContext, cell: CellValue): string {
  const [row, column] = drawnNames(book, cell);
  return t('row {0}, column {1}', row, column);
}

/** A sentence as text, for tokens as rows or columns. */
export const sentenceText = (book: InspectorContext, sentence: Sentence): string =>
  shownText(book.trace.plan, sentence);

/** The same as nodes, with elements in its slots. */
export const sentenceNodes = (book: InspectorContext, sentence: Sentence, ...slots: readonly Node[]): Node[] =>
  prose(sentence, { plan: book.trace.plan, slots });

/** A step's symbol in its role's colour. `lower`: that of its numbers, `q` of `Q`; a name of the code stays as it is written. */
export function symbolNode(step: Step, lower = false): HTMLElement {
  const text =
    lower && /^\p{Lu}[\p{M}\p{No}\p{Lm}′]*(?:_\p{L}{1,2})?$/u.test(step.symbol)
      ? step.symbol.toLowerCase()
      : step.symbol;
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

/** `S[cat, sat]`, of a program's step `(q @ k.T)[1, 2]` */
export function nameNode(book: InspectorContext, cell: CellValue): HTMLElement {
  const step = stepOf(book, cell.step);
  const place = `[${headName(book, cell)}${drawnNames(book, cell).join(', ')}]`;
  const symbol = symbolNode(step);
  return make(
    'span',
    { class: 'cell-name' },
    ...(needsParentheses(step.symbol) ? ['(', symbol, ')'] : [symbol]),
    place,
  );
}

/** A value as a button that goes to its cell; its accessible name includes the cell. */
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
