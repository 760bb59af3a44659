import {
  lookedAt,
  formatShape,
  traceOfBlock,
  type AttentionTrace,
  type LessonBlock,
  type Question,
  type Step,
} from '../../engine/index';
import { escapeHtml, heatmap, numbersTable, type Matrix } from './markup';
import type { Translate } from './read';

/** Blocks with more rows or columns are not drawn. */
const mostTokens = 256;
/** Most rows and columns of a table of numbers (larger matrices are heatmaps), and of a heatmap without pooling. */
const mostWritten = 8;
const mostDrawn = 64;
/** Most heads that are drawn beside each other. */
const mostHeads = 8;

export interface Words {
  readonly t: Translate;
  /** LaTeX as HTML if the preview can typeset it, else as code. */
  readonly formula: (latex: string) => string;
}

/** A block as static HTML: the step that it opens with its numbers, and a table of all steps with shapes and formulas. */
export function blockHtml(block: LessonBlock, questions: readonly Question[], words: Words): string {
  const trace = traceOfBlock(block);
  // The problem is reported by readLesson.
  if (!trace.ok) return '';
  const { t } = words;
  const { steps } = trace.value.plan;
  const largest = Math.max(...steps.flatMap(({ shape }) => shape.slice(-2)));
  if (largest > mostTokens)
    return `<p>${escapeHtml(t('{0}: {1} rows or columns; a preview draws at most {2}.', block.id, largest, mostTokens))}</p>`;
  const opened = steps.find((s) => s.id === block.view.step) ?? steps.find((s) => s.id === 'weights') ?? steps.at(-1);
  if (!opened) return '';
  const from = block.from === undefined ? [] : [`from=${block.from}`];
  const settings = block.settings.map((s) => `${s.path}=${typeof s.value === 'string' ? s.value : JSON.stringify(s.value)}`);
  const head = [`<b>${escapeHtml(block.id)}</b>`, ...[...from, ...settings].map((s) => `<code>${escapeHtml(s.slice(0, 60))}</code>`)];
  return `<div>${head.join(' ')}</div>${foldedIf(isAsked(opened.id, block, questions), openedStep(trace.value, opened, block, words), t)}${stepsTable(trace.value, words)}`;
} // prettier-ignore

/** Whether a question asks for the step that the block would show. */
const isAsked = (step: string, { id }: LessonBlock, questions: readonly Question[]): boolean =>
  questions.some((q) => {
    if (q.predict === true && lookedAt(q).some((one) => one.block === id && one.step === step)) return true;
    if (q.about !== id) return false;
    const asked = 'step' in q ? q.step : q.kind === 'number' ? q.of.step : 'among' in q ? q.among.step : undefined;
    return asked === step;
  });

const foldedIf = (folded: boolean, html: string, t: Translate): string =>
  folded ? `<details><summary>${escapeHtml(t('Answer first, then look'))}</summary>${html}</details>` : html;

function openedStep(trace: AttentionTrace, step: Step, { view }: LessonBlock, { t, formula }: Words): string {
  const title = `<div style="margin-top:.5em">${escapeHtml(step.words.name)} (${formatShape(step.shape)}) ${formula(step.formula.plain)}</div>`;
  const [row, column] = view.cell?.slice(-2) ?? [];
  const head = view.cell?.at(-3);
  const pictures = headsOf(step, mostHeads).map((lead) => {
    const name = lead === undefined ? '' : `<div style="opacity:.75">${escapeHtml(t('head {0}', lead))}</div>`;
    const marked = (i: number, j: number): boolean => i === row && j === column && (lead ?? 0) === (head ?? 0);
    return `<div>${name}${matrixHtml(matrixOf(trace, step, lead), step.symbol, marked)}</div>`;
  });
  const left = (step.shape.at(-3) ?? 1) - pictures.length;
  const more = left > 0 ? `<div style="opacity:.75">${escapeHtml(t('{0} more heads', left))}</div>` : '';
  return `${title}<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:end">${pictures.join('')}${more}</div>`;
} // prettier-ignore

const matrixHtml = (matrix: Matrix, symbol: string, marked: (row: number, column: number) => boolean): string =>
  matrix.rows <= mostWritten && matrix.columns <= mostWritten
    ? numbersTable(matrix, { marked })
    : heatmap(matrix, 360, `${symbol} ${matrix.rows}×${matrix.columns}`);

/** A table of all steps, collapsed at first. */
function stepsTable(trace: AttentionTrace, { t, formula }: Words): string {
  const cell = (html: string): string => `<td style="padding:2px 8px">${html}</td>`;
  const rows = trace.plan.steps.map((step) => {
    const picture = heatmap(matrixOf(trace, step, headsOf(step, 1)[0]), 48, `${step.symbol} ${formatShape(step.shape)}`);
    return `<tr>${cell(`<code>${step.id}</code>`)}${cell(formatShape(step.shape))}${cell(formula(step.formula.plain))}${cell(picture)}</tr>`;
  });
  const heads = [t('Step'), t('Shape'), t('Formula'), ''].map((h) => `<th scope="col">${escapeHtml(h)}</th>`).join('');
  return `<details><summary>${escapeHtml(t('All {0} steps', rows.length))}</summary><table style="width:auto"><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table></details>`;
} // prettier-ignore

/** The heads that are drawn: `undefined` for a step that has no heads. Only the first input of a batch. */
const headsOf = ({ shape }: Step, most: number): (number | undefined)[] =>
  shape.length < 3 ? [undefined] : Array.from({ length: Math.min(most, shape.at(-3) ?? 1) }, (_, i) => i);

/** A step's matrix: its cells, or means of blocks of cells if there are too many to draw. */
export function matrixOf(trace: AttentionTrace, step: Step, head?: number): Matrix {
  let level = 0;
  while (Math.max(...step.shape.slice(-2)) > mostDrawn << level) level++;
  const { height, width, mean } = trace.read(step.id, { level, ...(head === undefined ? {} : { head }) });
  const labels = level === 0 ? { rowLabels: step.rowLabels, columnLabels: step.columnLabels } : { rowLabels: [], columnLabels: [] };
  // `mean` is over finite values only, so cells are read one by one.
  const values = level === 0 ? cellsOf(trace, step, head, height, width) : [...mean];
  return { rows: height, columns: width, values, ...labels };
} // prettier-ignore

function cellsOf(trace: AttentionTrace, { id, shape }: Step, head = 0, rows = 1, columns = 1): number[] {
  const lead = shape.length < 3 ? [] : [head];
  return Array.from({ length: rows * columns }, (_, at) =>
    trace.value(id, [...lead, Math.floor(at / columns), at % columns]),
  );
}
