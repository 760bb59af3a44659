/* Writes how one cell was computed, with every term, as plain text. Each line can be redone by hand from its digits. */
import {
  amount,
  equals,
  explainCell,
  shownAngle,
  shownApplied,
  shownDistance,
  shownProducts,
  shownQuotient,
  shownReduced,
  shownRotation,
  shownSame,
  shownSoftmax,
  shownSum,
  shownWork,
  workName,
  workText,
  type DigitFormat,
  type DigitFormatOf,
  type ShownResult,
  type ShownLine,
} from '../explain';
import type { CellExplanation, CellValue } from '../operations';
import { isWholeKind, type Step } from '../plan';
import type { AttentionTrace } from '../run';
import { t } from '../text';

type Of<K extends CellExplanation['kind']> = Extract<CellExplanation, { kind: K }>;

/** What the lines need: the number formats of steps, and of numbers between steps. */
interface CellContext {
  readonly trace: AttentionTrace;
  readonly digits: number;
  readonly places: DigitFormatOf;
  readonly between: DigitFormat;
}

interface Printed {
  /** The cell's value with the digits of its lines; absent for sources. */
  readonly result?: ShownResult;
  readonly lines: readonly string[];
}

/** Numbers below this are printed without an exponent. */
const largest = 1e9;

/** The cell with its value, and a line for each term. */
export function printCell(trace: AttentionTrace, stepId: string, index: readonly number[], digits: number): string {
  const made = explainCell(trace, stepId, index);
  const whole = (id: string): boolean => isWhole(trace.plan.steps.find((s) => s.id === id));
  const places: DigitFormatOf = (id) => ({ decimals: whole(id) ? 0 : digits, largest });
  const { result, lines } = printed({ trace, digits, places, between: { decimals: digits, largest } }, made);
  const value = result ? headText(result, trace) : `= ${formatNumber(made.value, whole(stepId) ? 0 : digits)}`;
  return [`${name(made)} ${value}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** A number with a fixed number of digits and U+2212 as minus sign. */
export function formatNumber(x: number, digits: number): string {
  if (Number.isNaN(x)) return 'NaN';
  const text = Number.isFinite(x) ? Math.abs(x).toFixed(digits) : '∞';
  return x < 0 || Object.is(x, -0) ? `−${text}` : text;
}

/** Whether the step's numbers are integers, which are printed without digits after the point. */
export const isWhole = (step: Step | undefined): boolean => step !== undefined && isWholeKind[step.kind];

/** `= 2.3784`, the value that the lines compute; `≈` if the line only comes near it. */
const headText = (result: ShownResult, { spec }: AttentionTrace): string =>
  `${equals(result, spec.dtype)}${result.inMatrix === undefined ? '' : ` (${t('{0} in the matrix', result.inMatrix)})`}`;

/** The result without its deviation, for cells whose last line states it. */
const withoutDeviation = ({ about: _, ...result }: ShownResult): ShownResult => result;

const name = (cell: CellValue): string => `${cell.step}[${cell.index.join(',')}]`;

function printed(page: CellContext, made: CellExplanation): Printed {
  switch (made.kind) {
    case 'products':
      return products(page, made);
    case 'softmax':
      return softmax(page, made);
    case 'sum':
      return line(shownSum(made, page.places), ([a, b]) => `${name(made.left)} ${a} + ${name(made.right)} ${b}`);
    case 'quotient':
      return line(shownQuotient(made, page.places, page.between), ([a, b]) => `${name(made.operand)} ${a} ÷ ${b}`);
    case 'applied':
      return line(shownApplied(made, page.places, page.between), (texts) => {
        const named = texts.map((text, i) => (made.operands[i] ? `${name(made.operands[i])} ${text}` : text));
        return made.function === 'exp' ? `exp(${named[0] ?? ''})` : named.join(` ${made.function} `);
      });
    case 'reduced': {
      const { from, result } = shownReduced(made, page.places);
      const terms = made.terms.map((term, i) => `${name(term)} ${from[i]?.text ?? ''}`);
      return {
        result,
        lines: [made.function === 'max' ? t('the largest of these:') : t('the sum of these:'), ...terms],
      };
    }
    case 'distance':
      return line(shownDistance(made, page.places, page.between), ([a]) => `−${a} · ${made.distance}`);
    case 'rotated':
      return line(shownRotation(made, page.places), ([own, cosine, partner, sine]) => {
        const sign = made.sign < 0 ? '−' : '+';
        return `${name(made.own)} ${own} · ${name(made.cosine)} ${cosine} ${sign} ${name(made.partner)} ${partner} · ${name(made.sine)} ${sine}`;
      });
    case 'drawn':
      return line(shownQuotient(made, page.places, page.between), ([a, b]) =>
        made.times === undefined
          ? t('{0} ÷ {1}, drawn from {2}, seed {3}', a ?? '', b ?? '', made.generator, made.seed)
          : t('{0} · {1}, drawn from {2}, seed {3}', a ?? '', b ?? '', made.generator, made.seed),
      );
    case 'masked':
      if (made.mask.value === 1) return { lines: [t('hidden by {0}', name(made.mask))] };
      return line(shownSame(made, made.operand, page.places), ([a]) => t('visible: {0}', `${name(made.operand)} ${a}`));
    case 'lookup':
      return line(shownSame(made, made.entry, page.places), ([a]) =>
        t('row {0} of the table: {1}', made.id.value, `${name(made.entry)} ${a}`),
      );
    case 'worked':
      return worked(page, made);
    case 'position': {
      const { divisor, result, times } = shownAngle(made, page.places, page.between);
      return { result, lines: [`${made.fn}(${made.position} ÷ ${divisor.text})${times ? ` · ${times.text}` : ''}`] };
    }
    default:
      return { lines: [sourceText(made)] };
  }
}

const line = ({ from, result }: ShownLine, write: (texts: readonly string[]) => string): Printed => ({
  result,
  lines: [write(from.map(({ text }) => text))],
});

function products({ trace: { spec }, places }: CellContext, made: Of<'products'>): Printed {
  const { terms, others, total } = shownProducts(made, places);
  const lines = terms.map(({ at, left, right, product, sum, afterGap }) => {
    const term = made.terms[at];
    if (!term) return '';
    const factors = `${name(term.left)} ${left.text} · ${name(term.right)} ${right.text}`;
    return `${factors} ${equals(product, spec.dtype)}   Σ ${afterGap ? '… ' : ''}${amount(sum, spec.dtype)}`;
  });
  const more = others ? [t('{0} others, in their places: {1}', made.rest?.count ?? 0, others.text)] : [];
  return { result: withoutDeviation(total), lines: [...lines, ...more] };
}

function softmax({ trace: { spec }, places, between }: CellContext, made: Of<'softmax'>): Printed {
  const row = shownSoftmax(made, places, between);
  const own = row.terms.find(({ at }) => made.terms[at]?.operand.index.at(-1) === made.index.at(-1));
  const lines = [t('row maximum {0}, sum {1}', row.max.text, amount(row.sum, spec.dtype))];
  if (made.zeroed) lines.push(t('nothing but −∞: its weights are 0, since {0} is {1}', 'fullyMasked', 'zero'));
  for (const { score, shifted, exponential, weight } of row.terms) {
    const [by, raised, share] = [shifted, exponential, weight].map((x) => equals(x, spec.dtype));
    lines.push(t('exp({0} − max {1}) {2} ÷ sum {3}', score.text, by ?? '', raised ?? '', share ?? ''));
  }
  const { others } = row;
  if (others) lines.push(t('{0} others: {1} ÷ sum {2}', made.rest?.count ?? 0, others.exponential.text, equals(others.weight, spec.dtype))); // prettier-ignore
  return { ...(own && !made.zeroed && { result: withoutDeviation(own.weight) }), lines };
}

/** One line for each line of the calculation; the last gives the value. */
function worked({ trace: { spec }, places, between }: CellContext, made: Of<'worked'>): Printed {
  const shown = shownWork(made, places, between, Infinity);
  const lines = shown.map((line, i) => {
    const before = workName(line) === '' ? '' : `${workName(line)}: `;
    const text = `${before}${workText(line, (cell, digits) => `${name(cell)} ${digits}`)}`;
    return i === shown.length - 1 ? text : `${text} ${equals(line.result, spec.dtype)}`;
  });
  const result = shown.at(-1)?.result;
  return { ...(result && { result }), lines };
}

function sourceText(made: CellExplanation): string {
  switch (made.kind) {
    case 'token':
      return made.is === 'id'
        ? t('the id of “{0}”', made.text)
        : t('the row of “{0}” in a table of the distinct tokens', made.text);
    case 'learned':
      return t('learned: {0} of the model {1}', `${made.tensor}[${made.at.join(', ')}]`, made.model);
    case 'given':
      return t('given in {0}', made.path);
    case 'bucket':
      return t('the bucket of distance {0} (key − query)', made.relative);
    case 'hidden':
      return made.hidden ? t('hidden') : t('visible');
    case 'moved':
    case 'unchanged':
      return t('the same as {0}', name(made.operand));
    default:
      throw new Error(`${made.kind} has its own words`);
  }
}
