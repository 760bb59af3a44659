import {
  columnsStep,
  explainCell,
  leadingOf,
  turns,
  type AttentionTrace,
  type CellExplanation,
  type CellValue,
  type Step,
  type Tile,
} from '../index';
import { t } from '../text/l10n';

const shades = ['·', '░', '▒', '▓', '█'];
const mostRows = 40;
const mostColumns = 24;

/** A number as it is shown: true minus sign, fixed digits. */
function show(x: number, digits: number): string {
  if (Number.isNaN(x)) return 'NaN';
  const text = Number.isFinite(x) ? Math.abs(x).toFixed(digits) : '∞';
  return x < 0 || Object.is(x, -0) ? `−${text}` : text;
}

/** How numbers are laid out: display only. */
export interface Layout {
  readonly digits: number;
  /** Tokens as columns, as in x ↦ W·x: every matrix but the weights is printed transposed, and a product the other way round. */
  readonly columns: boolean;
}

/** One step for a terminal: name, formula, shapes, words, and each matrix with shaded cells. */
export function printStep(trace: AttentionTrace, step: Step, layout: Layout): string {
  const turned = layout.columns && turns(step) ? `, ${t('printed transposed')}` : '';
  const { symbol, words, shapes } = layout.columns ? columnsStep(step) : step;
  const head = `${symbol}  ${words.name}   ${shapes}   [${step.id}]${turned}`;
  const text = [head, `  ${words.what}`];
  const names = leadingOf(trace.plan, trace.spec.heads, step);
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
  const turned = layout.columns && turns(step);
  const most = turned ? [mostColumns, mostRows] : [mostRows, mostColumns];
  const [rows, columns] = [Math.min(n, most[0] ?? 1), Math.min(m, most[1] ?? 1)];
  const [batch, head] = lead.length > 1 ? lead : [0, lead[0]];
  const tile = trace.read(step.id, { batch: batch ?? 0, head: head ?? 0, rows: [0, rows], columns: [0, columns] });
  const d = isWhole(step) ? 0 : layout.digits;
  const byRow = Array.from(tile.min, (x, i) =>
    tile.masked[i] ? `× ${show(x, d)}` : `${shadeOf(x, tile)} ${show(x, d)}`,
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

/** Ids and masks have no digits after the point. */
const isWhole = (step: Step | undefined): boolean => step?.kind === 'ids' || step?.kind === 'mask';

function shadeOf(x: number, tile: Tile): string {
  if (Number.isNaN(x)) return '?';
  const finite = tile.min.filter((v) => Number.isFinite(v));
  const most = finite.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  if (most === 0) return shades[0] as string;
  const share = Number.isFinite(x) ? Math.abs(x) / most : 1;
  return shades[Math.min(4, Math.floor(share * 5))] as string;
}

/** What made one cell, with every term. */
export function printCell(trace: AttentionTrace, stepId: string, index: readonly number[], digits: number): string {
  const made = explainCell(trace, stepId, index);
  const own = isWhole(trace.plan.steps.find((s) => s.id === stepId)) ? 0 : digits;
  return [`${name(made)} = ${show(made.value, own)}`, ...terms(trace, made, digits).map((term) => `  ${term}`)].join(
    '\n',
  );
}

const name = (cell: CellValue): string => `${cell.step}[${cell.index.join(',')}]`;

function terms(trace: AttentionTrace, made: CellExplanation, digits: number): string[] {
  const value = (cell: CellValue): string => `${name(cell)} ${show(cell.value, digits)}`;
  switch (made.kind) {
    case 'products':
      return [
        ...made.terms.map(
          ({ left, right, product, partialSum }) =>
            `${value(left)} · ${value(right)} = ${show(product, digits)}   Σ ${show(partialSum, digits)}`,
        ),
        ...(made.rest ? [t('{0} others, in their places: {1}', made.rest.count, show(made.rest.sum, digits))] : []),
      ];
    case 'sum':
      return [`${value(made.left)} + ${value(made.right)}`];
    case 'quotient':
      return [`${value(made.operand)} ÷ ${show(made.by, digits)}`];
    case 'lookup':
      return [t('row {0} of the table: {1}', made.id.value, value(made.entry))];
    case 'masked':
      return [made.mask.value === 1 ? t('hidden by {0}', name(made.mask)) : t('visible: {0}', value(made.operand))];
    case 'softmax':
      return [
        t('row maximum {0}, sum {1}', show(made.max, digits), show(made.sum, digits)),
        ...(made.zeroed ? [t('nothing but −∞: its weights are 0, since {0} is {1}', 'fullyMasked', 'zero')] : []),
        ...made.terms.map(({ operand, shifted, exponential, weight }) => {
          const [from, by, raised, share] = [operand.value, shifted, exponential, weight].map((x) => show(x, digits));
          return t('exp({0} − max = {1}) = {2} ÷ sum = {3}', from, by, raised, share);
        }),
        ...(made.rest
          ? [
              t(
                '{0} others: {1} ÷ sum = {2}',
                made.rest.count,
                show(made.rest.exponentials, digits),
                show(made.rest.weights, digits),
              ),
            ]
          : []),
      ];
    default:
      return [sourceText(trace, made, digits)];
  }
}

function sourceText(trace: AttentionTrace, made: CellExplanation, digits: number): string {
  const value = (cell: CellValue): string => `${name(cell)} ${show(cell.value, digits)}`;
  switch (made.kind) {
    case 'drawn':
      return t(
        '{0} ÷ {1}, drawn from {2}, seed {3}',
        show(made.draw, digits),
        show(made.divideBy, digits),
        made.generator,
        made.seed,
      );
    case 'position':
      return `${made.fn}(${made.position} ÷ ${show(made.divisor, digits)})`;
    case 'token':
      return made.is === 'id'
        ? t('the id of “{0}”', made.text)
        : t('the row of “{0}” in a table of the distinct tokens', made.text);
    case 'given':
      return t('given in {0}', made.path);
    case 'hidden':
      return made.hidden ? t('hidden') : t('visible');
    case 'distance':
      return `−${show(made.slope, digits)} · ${made.distance}`;
    case 'capped':
      return `${show(made.cap, digits)} · tanh(${value(made.operand)} ÷ ${show(made.cap, digits)} = ${show(made.ratio, digits)})`;
    case 'rotated':
      return `${value(made.own)} · ${value(made.cosine)} ${made.sign < 0 ? '−' : '+'} ${value(made.partner)} · ${value(made.sine)}`;
    case 'moved':
    case 'unchanged':
      return t('the same as {0}', name(made.operand));
    default:
      throw new Error(`${made.kind} of ${trace.plan.steps.length} steps has its own words`);
  }
}
