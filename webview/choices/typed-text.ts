import {
  encodeMatrix,
  fail,
  formatShape,
  ok,
  parseMatrices,
  t,
  type Result,
  type SpecMatrix,
  type Step,
} from '../../engine/index';

/** Most numbers in a pasted matrix: it is saved with every later change. */
const pasteLimit = 65_536;

/** Parses one number as programs and people write it: `1/3`, `-inf`, `1e-3`; not `0,5`. */
export function readNumber(text: string): Result<number> {
  const plain = text.trim().replaceAll('∞', 'inf');
  const { matrices, problems } = parseMatrices(`[[${plain}]]`);
  const [matrix, second] = matrices;
  const whole = matrix?.range.start === 0 && matrix.range.end === plain.length + 4 && !matrix.expression;
  const value = matrix?.values[0];
  if (whole && !second && !problems.length && matrix.values.length === 1 && value !== undefined) return ok(value);
  const message =
    plain === '' ? t('expected a number, found nothing') : t('expected a number, found “{0}”', text.trim());
  return fail({ code: 'value', message, hint: t('0.5, 1/3, 1e-3, inf and nan are numbers.') });
}

/**
 * Parses a pasted text as the values of a step's matrix, in any notation that the parser reads. Its shape must be the step's, but a flat list
 * fits a matrix with one row or one column.
 */
export function readPasted(text: string, step: Step): Result<SpecMatrix> {
  const { matrices, problems } = parseMatrices(text);
  const [matrix, second] = matrices;
  if (!matrix) return problems.length ? fail(...problems.map(withoutRange)) : fail(nothing);
  if (second)
    return fail({ code: 'several', message: t('the text has {0} matrices', matrices.length), hint: t('Copy one.') });
  const [rows, columns] = [step.shape.at(-2) ?? 1, step.shape.at(-1) ?? 1];
  const { shape, values } = matrix;
  const flat = shape.length === 1 && (rows === 1 || columns === 1) && values.length === rows * columns;
  const fits = flat || (shape.slice(0, -2).every((n) => n === 1) && shape.at(-2) === rows && shape.at(-1) === columns);
  if (!fits) {
    const message = t('the pasted matrix is {0}, {1} is {2}×{3}', formatShape(shape), step.symbol, rows, columns);
    return fail({ code: 'shape-mismatch', message });
  }
  if (values.length > pasteLimit) {
    return fail({
      code: 'too-large',
      message: t('{0} numbers, the limit for pasting is {1}', values.length, pasteLimit),
    });
  }
  return ok(encodeMatrix([rows, columns], values));
}

const nothing = { code: 'nothing', message: t('the clipboard has no matrix') };

/** Removes a problem's range: it refers to the clipboard's text, which is not visible. */
function withoutRange<T extends { readonly range?: unknown }>({ range: _, ...rest }: T): Omit<T, 'range'> {
  return rest;
}
