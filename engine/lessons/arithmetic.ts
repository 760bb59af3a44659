import { explainCell, type CellExplanation, type CellValue } from '../cell';
import type { AttentionTrace } from '../trace';
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
      if (made.terms.length > mostTerms) terms.push(`… (${made.terms.length} terms)`);
      return [`${terms.join(' + ')} = ${show(made.value)}`];
    }
    case 'softmax': {
      const terms = made.terms.slice(0, mostTerms).map((t) => `e^${show(t.shifted)}`);
      if (made.terms.length > mostTerms) terms.push(`… (${made.terms.length} terms)`);
      const own = made.terms[made.index.at(-1) ?? 0];
      return [`e^${show(own?.shifted ?? NaN)} ÷ (${terms.join(' + ')}) = ${show(made.value)}; ${show(made.max)}, the row’s largest, is subtracted first`]; // prettier-ignore
    }
    case 'sum':
      return [`${valued(made.left)} + ${valued(made.right)} = ${show(made.value)}`];
    case 'quotient':
      return [`${valued(made.operand)} ÷ ${show(made.by)} = ${show(made.value)}`];
    case 'masked':
      return [made.mask.value === 1 ? `${show(made.fill)}: ${at(made.mask)} hides it` : `${valued(made.operand)}: visible`]; // prettier-ignore
    case 'lookup':
      return [`row ${show(made.id.value)} of the table: ${show(made.value)}`];
    default:
      return [others(made, show)];
  }
}

type Rest = Exclude<CellExplanation, { kind: 'products' | 'softmax' | 'sum' | 'quotient' | 'masked' | 'lookup' }>;

function others(made: Rest, show: Show): string {
  switch (made.kind) {
    case 'moved':
    case 'unchanged':
      return `${show(made.value)}, as ${at(made.operand)}`;
    case 'given':
      return `${show(made.value)}, given in ${made.path}`;
    case 'token':
      return `${show(made.value)}, the ${made.is} of “${made.text}”`;
    case 'drawn':
      return `${show(made.draw)} ÷ ${show(made.divideBy)}, drawn from ${made.generator}, seed ${made.seed}`;
    case 'position':
      return `${made.fn}(${made.position} ÷ ${show(made.divisor)}) = ${show(made.value)}`;
    case 'distance':
      return `−${show(made.slope)}·${made.distance} = ${show(made.value)}`;
    case 'hidden':
      return made.hidden ? '1: hidden' : '0: visible';
    case 'capped':
      return `${show(made.cap)}·tanh(${show(made.ratio)}) = ${show(made.value)}`;
    case 'rotated': {
      const sign = made.sign < 0 ? '−' : '+';
      const [own, other] = [made.own, made.partner].map((c) => show(c.value));
      return `${own}·${show(made.cosine.value)} ${sign} ${other}·${show(made.sine.value)} = ${show(made.value)}`;
    }
  }
}
