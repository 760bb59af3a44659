import { t } from '../text/l10n';
import { explainCell } from '../explain/cell';
import type { CellExplanation, CellValue } from '../explain/explanation';
import type { AttentionTrace } from '../run/trace';
import { showNumber } from './fill';

/** Terms of one sum that are written out. */
const mostTerms = 16;

const at = ({ step, index }: CellValue): string => `${step}[${index.join(',')}]`;

/** How a cell came about, one line each, to redo by hand. */
export function arithmeticOf(
  trace: AttentionTrace,
  step: string,
  index: readonly number[],
  digits: number,
): readonly string[] {
  const made = explainCell(trace, step, index);
  const lines = linesOf(made, (x) => showNumber(x, digits));
  return lines.map((line) => `${at(made)} = ${line}`);
}

type Show = (x: number) => string;

function linesOf(made: CellExplanation, show: Show): string[] {
  const valued = (cell: CellValue): string => `${show(cell.value)} (${at(cell)})`;
  switch (made.kind) {
    case 'products': {
      const terms = made.terms.slice(0, mostTerms).map((t) => `${show(t.left.value)}·${show(t.right.value)}`);
      if (made.terms.length > mostTerms) terms.push(t('… ({0} terms)', made.terms.length));
      return [`${terms.join(' + ')} = ${show(made.value)}`];
    }
    case 'softmax': {
      const terms = made.terms.slice(0, mostTerms).map((t) => `e^${show(t.shifted)}`);
      if (made.terms.length > mostTerms) terms.push(t('… ({0} terms)', made.terms.length));
      const own = made.terms[made.index.at(-1) ?? 0];
      return [t('e^{0} ÷ ({1}) = {2}; {3}, the row’s largest, is subtracted first', show(own?.shifted ?? NaN), terms.join(' + '), show(made.value), show(made.max))]; // prettier-ignore
    }
    case 'sum':
      return [`${valued(made.left)} + ${valued(made.right)} = ${show(made.value)}`];
    case 'quotient':
      return [`${valued(made.operand)} ÷ ${show(made.by)} = ${show(made.value)}`];
    case 'masked':
      return [made.mask.value === 1 ? t('{0}: {1} hides it', show(made.fill), at(made.mask)) : t('{0}: visible', valued(made.operand))]; // prettier-ignore
    case 'lookup':
      return [t('row {0} of the table: {1}', show(made.id.value), show(made.value))];
    default:
      return [others(made, show)];
  }
}

type Rest = Exclude<CellExplanation, { kind: 'products' | 'softmax' | 'sum' | 'quotient' | 'masked' | 'lookup' }>;

function others(made: Rest, show: Show): string {
  switch (made.kind) {
    case 'moved':
    case 'unchanged':
      return t('{0}, as {1}', show(made.value), at(made.operand));
    case 'given':
      return t('{0}, given in {1}', show(made.value), made.path);
    case 'token':
      return made.is === 'id'
        ? t('{0}, the id of “{1}”', show(made.value), made.text)
        : t('{0}, the row of “{1}”', show(made.value), made.text);
    case 'drawn':
      return t('{0} ÷ {1}, drawn from {2}, seed {3}', show(made.draw), show(made.divideBy), made.generator, made.seed);
    case 'position':
      return `${made.fn}(${made.position} ÷ ${show(made.divisor)}) = ${show(made.value)}`;
    case 'distance':
      return `−${show(made.slope)}·${made.distance} = ${show(made.value)}`;
    case 'hidden':
      return made.hidden ? t('1: hidden') : t('0: visible');
    case 'capped':
      return t('{0}·tanh({1}) = {2}', show(made.cap), show(made.ratio), show(made.value));
    case 'rotated': {
      const sign = made.sign < 0 ? '−' : '+';
      const [own, other] = [made.own, made.partner].map((c) => show(c.value));
      return `${own}·${show(made.cosine.value)} ${sign} ${other}·${show(made.sine.value)} = ${show(made.value)}`;
    }
  }
}
