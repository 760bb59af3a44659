import { t } from '../text';
import {
  equals,
  productFormula,
  shownAngle,
  shownApplied,
  shownDistance,
  shownQuotient,
  shownReduced,
  shownRotation,
  shownSum,
  shownWork,
  workText,
  softmaxFormula,
  type DigitFormat,
  type DigitFormatOf,
  type ShownNumber,
  type ShownLine,
  type ShownResult,
  explainCell,
} from '../explain';
import type { CellExplanation, CellValue } from '../operations';
import type { Precision } from '../math';
import type { AttentionTrace } from '../run';
import { showNumber } from './fill';

/** Number of terms of a sum that are written out. */
const mostTerms = 16;

const at = ({ step, index }: CellValue): string => `${step}[${index.join(',')}]`;

/** How cells were computed, one line each, to be redone by hand from the digits shown. */
export function arithmeticOf(
  trace: AttentionTrace,
  step: string,
  index: readonly number[],
  digits: number,
): readonly string[] {
  const made = explainCell(trace, step, index);
  const places: DigitFormat = { decimals: digits, whole: true, largest: 1e9 };
  return [`${at(made)} ${lineOf(made, { places: () => places, between: places, dtype: trace.spec.dtype })}`];
}

interface Page {
  readonly places: DigitFormatOf;
  readonly between: DigitFormat;
  readonly dtype: Precision;
}

/** The text after the cell's name: `= … = 0.5`, or `= 0.5, …` for sources. */
function lineOf(made: CellExplanation, page: Page): string {
  const { places, between, dtype } = page;
  const is = (result: ShownResult): string => withMatrix(equals(result, dtype), result);
  const valued = (cell: CellValue, of: ShownNumber | undefined): string => `${of?.text ?? ''} (${at(cell)})`;
  const line = ({ result, from }: ShownLine, write: (from: readonly ShownNumber[]) => string): string =>
    `= ${write(from)} ${is(result)}`;
  switch (made.kind) {
    case 'products':
      return `= ${productsText(made, page, is)}`;
    case 'softmax':
      return `= ${softmaxText(made, page, is)}`;
    case 'sum':
      return line(shownSum(made, places), ([a, b]) => `${valued(made.left, a)} + ${valued(made.right, b)}`);
    case 'quotient':
      return line(shownQuotient(made, places, between), ([a, by]) => `${valued(made.operand, a)} ÷ ${by?.text ?? ''}`);
    case 'applied':
      return line(shownApplied(made, places, between), (from) => {
        const texts = from.map((of, i) => (made.operands[i] ? valued(made.operands[i], of) : of.text));
        return made.function === 'exp' ? `exp(${texts[0] ?? ''})` : texts.join(` ${made.function} `);
      });
    case 'reduced':
      return line(shownReduced(made, places), (from) => {
        const texts = from.map(({ text }) => text);
        return made.function === 'sum' ? texts.join(' + ') : `max(${texts.join(', ')})`;
      });
    case 'distance':
      return line(shownDistance(made, places, between), ([slope]) => `−${slope?.text ?? ''}·${made.distance}`);
    case 'position': {
      const { divisor, result, times } = shownAngle(made, places, between);
      return `= ${made.fn}(${made.position} ÷ ${divisor.text})${times ? ` · ${times.text}` : ''} ${is(result)}`;
    }
    case 'worked':
      return `= ${workedText(made, page, is)}`;
    case 'rotated':
      return line(shownRotation(made, places), ([own, cosine, partner, sine]) => {
        const sign = made.sign < 0 ? '−' : '+';
        return `${own?.text ?? ''}·${cosine?.text ?? ''} ${sign} ${partner?.text ?? ''}·${sine?.text ?? ''}`;
      });
    case 'drawn': {
      const { from, result } = shownQuotient(made, places, between);
      const [draw, by] = from;
      const [a, b] = [draw?.text ?? '', by?.text ?? ''];
      const said =
        made.times === undefined
          ? t('{0} ÷ {1}, drawn from {2}, seed {3}', a, b, made.generator, made.seed)
          : t('{0} · {1}, drawn from {2}, seed {3}', a, b, made.generator, made.seed);
      return `${is(result)} = ${said}`;
    }
    default:
      return `= ${plain(made, page)}`;
  }
}

type Of<K extends CellExplanation['kind']> = Extract<CellExplanation, { kind: K }>;
type Is = (result: ShownResult) => string;

const withMatrix = (text: string, { inMatrix }: ShownResult): string =>
  inMatrix === undefined ? text : `${text} (${t('{0} in the matrix', inMatrix)})`;

const othersText = (others: ShownNumber | undefined, count: number): string[] =>
  others ? [t('{0} ({1} others)', others.text, count)] : [];

function productsText(made: Of<'products'>, { places }: Page, is: Is): string {
  const { terms, others, count, result } = productFormula(made, places, mostTerms);
  const written = terms.map(({ left, right }) => `${left.text}·${right.text}`);
  return `${[...written, ...othersText(others, count)].join(' + ')} ${is(result)}`;
}

function softmaxText(made: Of<'softmax'>, { places }: Page, is: Is): string {
  const { own, terms, others, count, result } = softmaxFormula(made, places, mostTerms);
  const written = [...terms.map(({ text }) => `e^${text}`), ...othersText(others, count)].join(' + ');
  const max = showNumber(made.max, places(made.operand.step).decimals);
  return t('e^{0} ÷ ({1}) {2}; {3}, the row’s largest, is subtracted first', own.text, written, is(result), max);
}

/** The last line of a calculation, then the lines whose results it uses. */
function workedText(made: Of<'worked'>, { places, between }: Page, is: Is): string {
  const lines = shownWork(made, places, between, mostTerms).map((line) => `${workText(line)} ${is(line.result)}`);
  return lines.reverse().join('; ');
}

type Plain = Of<'masked' | 'lookup' | 'moved' | 'unchanged' | 'given' | 'learned' | 'token' | 'bucket' | 'hidden'>;

/** The text for cells that are not computed but copied: the number, and where it comes from. */
function plain(made: Plain, { places }: Page): string {
  const show = (x: number): string => showNumber(x, places(made.step).decimals);
  switch (made.kind) {
    case 'masked':
      return made.mask.value === 1
        ? t('{0}: {1} hides it', show(made.fill), at(made.mask))
        : t('{0}: visible', `${show(made.operand.value)} (${at(made.operand)})`);
    case 'lookup':
      return t('row {0} of the table: {1}', show(made.id.value), show(made.value));
    case 'moved':
    case 'unchanged':
      return t('{0}, as {1}', show(made.value), at(made.operand));
    case 'given':
      return t('{0}, given in {1}', show(made.value), made.path);
    case 'learned':
      return t(
        '{0}, learned: {1} of the model {2}',
        show(made.value),
        `${made.tensor}[${made.at.join(', ')}]`,
        made.model,
      );
    case 'token':
      return made.is === 'id'
        ? t('{0}, the id of “{1}”', show(made.value), made.text)
        : t('{0}, the row of “{1}”', show(made.value), made.text);
    case 'bucket':
      return t('{0}, the bucket of distance {1} (key − query)', show(made.value), made.relative);
    case 'hidden':
      return made.hidden ? t('1: hidden') : t('0: visible');
  }
}
