// A notebook's file as a program: its Python cells one after the other, and what each has printed.
import { inRunOrder, orderNote, type CellStart, type StoredOutput } from '../program';
import { fail, ok, t, type Result, type TextRange } from '../text';

export interface NotebookCode {
  readonly text: string;
  readonly cells: readonly CellStart[];
  readonly outputs: readonly StoredOutput[];
  /** Cells that ran to their end: what they are said to raise they did not raise. */
  readonly ran: readonly TextRange[];
  /** Of the order in which the cells are read, where it is not how they stand. */
  readonly order?: string;
}

/** What is said of the cells' order, as a line for the error output. */
export const orderLine = (file: string, { order }: Pick<NotebookCode, 'order'>): string =>
  order === undefined ? '' : `${file}: ${order}\n`;

/** Nothing of the file is trusted: what is no cell, source or text is passed by. */
export function readNotebook(json: string): Result<NotebookCode> {
  const notebook = parsed(json);
  const cells = field(notebook, 'cells');
  if (!Array.isArray(cells)) return fail({ code: 'notebook', message: t('this is no notebook: it has no cells') });
  const language = languageOf(notebook);
  if (!/^(?:i?python\d?|)$/i.test(language))
    return fail({ code: 'notebook', message: t('the cells of this notebook are in {0}, not in Python', language) });
  let text = '';
  const [starts, outputs, ran]: [CellStart[], StoredOutput[], TextRange[]] = [[], [], []];
  const { items, order } = inRunOrder((cells as readonly unknown[]).map((cell, i) => ({ cell, number: i + 1 })), ({ cell }) => countOf(cell)); // prettier-ignore
  for (const { cell, number } of items) {
    if (field(cell, 'cell_type') !== 'code') continue;
    const [source, start] = [joined(field(cell, 'source')), text.length];
    text += `${source}\n`;
    starts.push({ start, number });
    if (ranToItsEnd(cell)) ran.push({ start, end: text.length });
    const printed = printedBy(cell);
    if (printed !== '') outputs.push({ cell: { start, end: start + source.length }, text: printed });
  }
  const note = orderNote(order, starts.map(({ number }) => number)); // prettier-ignore
  return ok({ text, cells: starts, outputs, ran, ...(note !== undefined && { order: note }) });
}

/** What the notebook says of its cells; nothing where it says nothing. */
function languageOf(notebook: unknown): string {
  const metadata = field(notebook, 'metadata');
  const said = field(field(metadata, 'language_info'), 'name') ?? field(field(metadata, 'kernelspec'), 'language');
  return typeof said === 'string' ? said : '';
}

function ranToItsEnd(cell: unknown): boolean {
  const outputs = field(cell, 'outputs');
  const failed = Array.isArray(outputs) && outputs.some((output) => field(output, 'output_type') === 'error');
  return countOf(cell) !== undefined && !failed;
}

/** Its place in the order in which the kernel ran the cells, from 1. */
function countOf(cell: unknown): number | undefined {
  const count = field(cell, 'execution_count');
  return typeof count === 'number' ? count : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const field = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? (of as Readonly<Record<string, unknown>>)[name] : undefined;

const joined = (text: unknown): string =>
  Array.isArray(text) ? text.filter((line) => typeof line === 'string').join('') : typeof text === 'string' ? text : '';

/** What was written to the standard output, and the cell's last value. */
function printedBy(cell: unknown): string {
  const all = field(cell, 'outputs');
  if (!Array.isArray(all)) return '';
  const texts = (all as readonly unknown[]).map((output) =>
    field(output, 'name') === 'stdout' ? joined(field(output, 'text')) : joined(field(field(output, 'data'), 'text/plain')),
  ); // prettier-ignore
  return texts.filter((text) => text !== '').join('\n');
}
