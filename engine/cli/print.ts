import {
  columnsStep,
  leadingDimensions,
  isTransposedInColumns,
  type AttentionTrace,
  type Step,
  type Tile,
} from '../index';
import { t } from '../text';
import { formatNumber, isWhole } from '../write';

const shades = ['·', '░', '▒', '▓', '█'];
const mostRows = 40;
const mostColumns = 24;

/** How matrices are printed; display only. */
export interface Layout {
  readonly digits: number;
  /** Tokens as columns, as in x ↦ W·x: every matrix but the weights is printed transposed, and products swap their factors. */
  readonly columns: boolean;
}

/** One step as text: name, formula, shapes, words, and each matrix with shaded cells. */
export function printStep(trace: AttentionTrace, step: Step, layout: Layout): string {
  const turned = layout.columns && isTransposedInColumns(step) ? `, ${t('printed transposed')}` : '';
  const { symbol, words, shapes } = layout.columns ? columnsStep(step) : step;
  const head = `${symbol}  ${words.name}   ${shapes}   [${step.id}]${turned}`;
  const text = [head, `  ${words.what}`];
  const names = leadingDimensions(trace.plan, trace.spec.heads, step);
  for (const lead of indicesOf(step.shape.slice(0, -2))) {
    if (lead.length) text.push(`  ${names.map((of, d) => `${of} ${lead[d]}`).join(', ')}`);
    text.push(...printMatrix(trace, step, lead, layout));
  }
  return text.join('\n');
}

/** Every index of the leading dimensions, in order. */
const indicesOf = (lead: readonly number[]): number[][] =>
  lead.reduce<number[][]>(
    (all, size) => all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  );

function printMatrix(trace: AttentionTrace, step: Step, lead: readonly number[], layout: Layout): string[] {
  const [n, m] = [step.shape.at(-2) ?? 1, step.shape.at(-1) ?? 1];
  const turned = layout.columns && isTransposedInColumns(step);
  const most = turned ? [mostColumns, mostRows] : [mostRows, mostColumns];
  const [rows, columns] = [Math.min(n, most[0] ?? 1), Math.min(m, most[1] ?? 1)];
  const [batch, head] = lead.length > 1 ? lead : [0, lead[0]];
  const tile = trace.read(step.id, { batch: batch ?? 0, head: head ?? 0, rows: [0, rows], columns: [0, columns] });
  const d = isWhole(step) ? 0 : layout.digits;
  const byRow = Array.from(tile.min, (x, i) =>
    tile.masked[i] ? `× ${formatNumber(x, d)}` : `${shadeOf(x, tile)} ${formatNumber(x, d)}`,
  );
  const own = [step.rowLabels.slice(0, rows), step.columnLabels.slice(0, columns)] as const;
  const [labels, heads] = turned ? [own[1], own[0]] : own;
  const cells = turned ? byRow.map((_, i) => byRow[(i % rows) * columns + Math.floor(i / rows)] ?? '') : byRow;
  const width = Math.max(...cells.map((c) => c.length), ...heads.map((h) => Math.min(h.length, 12)));
  const margin = Math.max(...labels.map((l) => Math.min(l.length, 16)));
  const line = (label: string, parts: readonly string[]): string =>
    `  ${label.slice(0, 16).padStart(margin)}  ${parts.map((p) => p.padStart(width)).join('  ')}`;
  const out = [
    line(
      '',
      heads.map((h) => h.slice(0, 12)),
    ),
  ];
  labels.forEach((label, i) => out.push(line(label, cells.slice(i * heads.length, (i + 1) * heads.length))));
  if (n > rows || m > columns)
    out.push(`  … ${t('{0}, the first {1} are shown; --json has all', `${n}×${m}`, `${rows}×${columns}`)}`);
  return out;
}

function shadeOf(x: number, tile: Tile): string {
  if (Number.isNaN(x)) return '?';
  const finite = tile.min.filter((v) => Number.isFinite(v));
  const most = finite.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  if (most === 0) return shades[0] as string;
  const share = Number.isFinite(x) ? Math.abs(x) / most : 1;
  return shades[Math.min(4, Math.floor(share * 5))] as string;
}
