import {
  fail,
  hasLargeMatrix,
  notebookOf,
  ok,
  printMatrix,
  programOf,
  t,
  type Library,
  type Notation,
  type Result,
  type Slice,
  type Step,
} from '../../engine/index';
import type { Palette } from '../draw';
import { matrixPicture, pngOf, svgOf } from '../picture';
import type { PageMessage, PageState, View } from '../protocol';
import { drawnStep, leadingIndex, sliceRequest, type TraceHandle } from '../trace';

/** What the page shows, as input of the exports. */
export interface Subject {
  readonly trace: TraceHandle;
  readonly step: Step;
  readonly slice: Slice;
  readonly digits: number;
  /** Whether the step's values are hidden, to be predicted. Then they are not exported. */
  readonly hidden: boolean;
  /** The state that the page saves. */
  readonly state: () => PageState | undefined;
}

/** A message to the host that copies, opens or saves something. */
export type TakeAlongMessage = Extract<
  PageMessage,
  { type: 'copy' | 'open' | 'save' | 'savePage' | 'link' | 'noLink' }
>;

/** Most numbers of a matrix that are copied as text. */
const maxCopiedNumbers = 1_000_000;

/** The current matrix in a notation, with all digits of each number. */
export async function matrixAs(
  { trace, step: own, slice }: Subject,
  notation: Notation,
): Promise<Result<TakeAlongMessage>> {
  const lead = sliceRequest(leadingIndex(trace, own, slice));
  const { step, read } = drawnStep(trace.plan, own, (request) => trace.read(own.id, { ...request, ...lead }));
  const [rows = 1, columns = 1] = step.shape.slice(-2);
  if (trace.preview) return notYet;
  if (rows * columns > maxCopiedNumbers) {
    return fail({
      code: 'too-large',
      message: t('{0} has {1}×{2} numbers, the limit for copying is {3}', step.symbol, rows, columns, maxCopiedNumbers),
    });
  }
  const { max, nan } = await read({});
  const values = max.map((x, i) => ((nan[i] ?? 0) > 0 ? NaN : x));
  const named = { rowLabels: step.rowLabels, columnLabels: step.columnLabels };
  const printed = printMatrix(
    { name: identifier(step), shape: [rows, columns], values, dtype: trace.spec.dtype, ...named },
    notation,
  );
  if (!printed.ok) return printed;
  return ok({ type: 'copy', text: printed.value.text, what: `${step.symbol} (${rows}×${columns})` });
}

const notYet = fail({
  code: 'preview',
  message: t('the exact numbers are still being computed'),
  hint: t('Wait until the preview is replaced.'),
});

/** A step's symbol as an identifier: `W_q`, `Q_heads`. */
const identifier = ({ symbol }: Step): string => symbol.replace(/[^\w]+/g, '_').replace(/^(?=\d)|^$/, 'M');

export const formulaAs = ({ step }: Subject): TakeAlongMessage => ({
  type: 'copy',
  text: step.formula.plain,
  what: t('the formula'),
});

/** The whole computation as a Python program that prints the same numbers. */
export function programAs({ trace, digits }: Subject, library: Library): TakeAlongMessage {
  return { type: 'open', language: 'python', content: programOf(trace.spec, trace.plan, library, digits).code };
}

export const notebookAs = ({ trace, digits }: Subject, library: Library): TakeAlongMessage => ({
  type: 'save',
  name: 'attention.ipynb',
  content: notebookOf(programOf(trace.spec, trace.plan, library, digits)),
});

/** The spec as JSON. Selecting or opening it gives the same explanation. */
export const specAs = ({ trace }: Subject): TakeAlongMessage => ({
  type: 'open',
  language: 'json',
  content: `${JSON.stringify(trace.spec, null, 2)}\n`,
});

/** The current view, as files and links store it. */
function viewOf({ step, slice, digits, state }: Subject): View {
  const { cell, reading } = state() ?? {};
  return { step: step.id, slice, digits, ...(cell ? { cell } : {}), ...(reading?.columns ? { columns: true } : {}) };
}

/** Spec and view as a file that VS Code opens as this explanation. */
export function explanationAs(subject: Subject): TakeAlongMessage {
  const content = explanationText(subject);
  return {
    type: 'save',
    name: 'explanation.attention.json',
    content: hasLargeMatrix(subject.trace.spec) ? bytesOf(content) : content,
  };
}

const explanationText = (subject: Subject): string =>
  `${JSON.stringify({ spec: subject.trace.spec, view: viewOf(subject) }, null, 2)}\n`;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const linkAs = (subject: Subject): TakeAlongMessage =>
  hasLargeMatrix(subject.trace.spec)
    ? { type: 'noLink', content: bytesOf(explanationText(subject)) }
    : { type: 'link', spec: subject.trace.spec, view: viewOf(subject) };

export async function pictureAs(
  subject: Subject,
  palette: Palette,
  format: 'png' | 'svg',
): Promise<Result<TakeAlongMessage>> {
  const { trace, step, slice, digits } = subject;
  if (trace.preview) return notYet;
  const picture = await matrixPicture(trace, step, { slice, digits, palette });
  const content = format === 'svg' ? svgOf(picture) : await pngOf(picture);
  return ok({ type: 'save', name: `attention-${step.id}.${format}`, content });
}

/** The page's state for a saved page, without references to the document and its range, which do not exist elsewhere. */
export function pageAs({ state }: Subject): Result<TakeAlongMessage> {
  const saved = state();
  if (!saved) return notYet;
  const { label } = saved.explanation.source;
  const style = document.documentElement.style;
  const names = Array.from(style).filter((name) => name.startsWith('--vscode-'));
  const variables = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name).trim()]));
  const explanation = { ...saved.explanation, source: { label } };
  const theme = { classes: document.body.className, variables };
  const kept: PageState = { ...saved, explanation, source: 'fresh' };
  return ok({ type: 'savePage', state: hasLargeMatrix(kept) ? bytesOf(JSON.stringify(kept)) : kept, theme });
}
