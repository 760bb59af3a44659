// The digits of a sum of products: term by term with running sums, or in one line.
import type { CellExplanation, CellValue } from '../../operations';
import { addChainDigits, type Link } from './sums';
import {
  commonBase,
  digitsOf,
  mostAdded,
  shown,
  sumDigits,
  type Digits,
  type DigitFormat,
  type ShownNumber,
} from './digits';
import { holdsInDigits, largestOf, resultOf, addDigits, withMatrix, type Relation, type ShownResult } from './relation';

export type Products = Extract<CellExplanation, { kind: 'products' }>;

/** The number format of a step's matrix. */
export type DigitFormatOf = (step: string) => DigitFormat;

export interface ShownTerm {
  /** Index of the term in the explanation. */
  readonly at: number;
  readonly left: ShownNumber;
  readonly right: ShownNumber;
  readonly product: ShownResult;
  /** The sum up to this term: the sum before plus this product, unless terms between them are not shown (`afterGap`). */
  readonly sum: ShownResult;
  readonly afterGap: boolean;
}

export interface ShownProducts {
  readonly terms: readonly ShownTerm[];
  /** The sum of the terms that are not shown. */
  readonly others?: ShownNumber;
  readonly total: ShownResult;
}

/** A term whose digits are being chosen. */
interface Row {
  readonly at: number;
  readonly left: Digits;
  readonly right: Digits;
  readonly product: Digits;
  readonly sum: Digits;
  readonly afterGap: boolean;
}

const valueOf = (cell: CellValue, places: DigitFormatOf): Digits => digitsOf(cell.value, places(cell.step));
const add = ([a = NaN, b = NaN]: readonly number[]): number => a + b;
const multiply = ([a = NaN, b = NaN]: readonly number[]): number => a * b;
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0);

/** The terms at the ascending indices `chosen` (all without it), their running sums, and the sum of the others. */
export function shownProducts(cell: Products, places: DigitFormatOf, chosen?: readonly number[]): ShownProducts {
  const rows = rowsOf(cell, places, chosen ?? cell.terms.map((_, i) => i));
  const links = rows.map((row, i) => linkOf(row, row.afterGap ? undefined : rows[i - 1]));
  const left = cell.terms.length - rows.length + (cell.rest?.count ?? 0);
  const total = left > 0 || rows.length === 0 ? digitsOf(cell.value, places(cell.step)) : undefined;
  const others = total && left > 0 ? digitsOf(othersOf(cell, rows), places(cell.step)) : undefined;
  for (const chain of chainsOf(rows)) addChainDigits(chain, !total && chain.at(-1)?.sum === rows.at(-1)?.sum);
  const sum = total && othersRelation(rows, others, total);
  if (sum) addDigits([sum], [others ? [others] : [], rows.map(({ product }) => product)], { result: true });
  rows.forEach((row, i) => settleProduct(row, links[i]));
  const terms = rows.map((row, i) => shownTerm(row, links[i]));
  const last = terms.at(-1)?.sum;
  return { terms, ...(others && { others: shown(others) }), total: sum ? resultOf(sum) : (last ?? withMatrix(digitsOf(cell.value, places(cell.step)))) }; // prettier-ignore
}

function rowsOf(cell: Products, places: DigitFormatOf, chosen: readonly number[]): Row[] {
  const own = places(cell.step);
  const base = commonBase(cell.terms.map(({ partialSum }) => partialSum), own); // prettier-ignore
  return chosen.flatMap((at, i) => {
    const term = cell.terms[at];
    if (!term) return [];
    const isLast = at === cell.terms.length - 1 && !cell.rest;
    return {
      at,
      left: valueOf(term.left, places),
      right: valueOf(term.right, places),
      product: digitsOf(term.product, own),
      sum: isLast ? digitsOf(term.partialSum, own) : sumDigits(term.partialSum, own, base),
      afterGap: isGap(cell, chosen, i),
    };
  });
}

/** Whether terms before a chosen one are not shown. */
function isGap({ terms, rest }: Products, chosen: readonly number[], i: number): boolean {
  const [before, at] = [chosen[i - 1] ?? -1, chosen[i] ?? 0];
  if (before !== at - 1) return true;
  if (!rest) return false;
  return (terms[before]?.left.index.at(-1) ?? -1) !== (terms[at]?.left.index.at(-1) ?? 0) - 1;
}

/** The sum before plus the product is the sum; the first sum is the first product. */
function linkOf(row: Row, before: Row | undefined): Relation | undefined {
  if (row.afterGap) return undefined;
  return {
    result: row.sum,
    from: before ? [before.sum, row.product] : [row.product],
    redo: [before ? add : sumOf],
    size: largestOf,
  };
}

/** Splits the rows at gaps. The sum after a gap is stated, not computed, and begins a new chain. */
function chainsOf(rows: readonly Row[]): Link[][] {
  const chains: Link[][] = [];
  rows.forEach(({ product, sum, afterGap }, i) => {
    const before = rows[i - 1]?.sum;
    if (i === 0 && !afterGap) chains.push([{ before: undefined, term: product, sum }]);
    else if (afterGap) chains.push([]);
    else if (before) chains.at(-1)?.push({ before, term: product, sum });
  });
  return chains;
}

const productRelation = ({ left, right, product }: Row): Relation => ({
  result: product,
  from: [left, right],
  redo: [multiply],
});

/** Chooses the digits of both factors; the product gets more digits too, as long as the running sum still follows from it. */
function settleProduct(row: Row, link: Relation | undefined): void {
  const relation = productRelation(row);
  const before = row.product.extra;
  const held = link && holdsInDigits(link);
  for (let extra = before; extra <= mostAdded; extra++) {
    row.product.extra = extra;
    if (held && !holdsInDigits(link)) continue;
    if (addDigits([relation], [[row.left], [row.right]])) return;
  }
  row.product.extra = before;
}

const othersRelation = (rows: readonly Row[], others: Digits | undefined, total: Digits): Relation => ({
  result: total,
  from: [...rows.map(({ product }) => product), ...(others ? [others] : [])],
  redo: [sumOf],
  size: largestOf,
});

/** The sum of the terms that are not shown. */
function othersOf(cell: Products, rows: readonly Row[]): number {
  const kept = new Set(rows.map(({ at }) => at));
  return cell.terms.reduce((sum, { product }, i) => (kept.has(i) ? sum : sum + product), cell.rest?.sum ?? 0);
}

function shownTerm(row: Row, link: Relation | undefined): ShownTerm {
  const { at, left, right, afterGap } = row;
  const sum = link ? resultOf(link) : withMatrix(row.sum);
  return { at, left: shown(left), right: shown(right), product: resultOf(productRelation(row)), sum, afterGap };
}

export interface ShownFormula {
  readonly terms: readonly { readonly left: ShownNumber; readonly right: ShownNumber }[];
  readonly others?: ShownNumber;
  readonly count: number;
  readonly result: ShownResult;
}

/** `a·b + c·d + … = r`: the first terms, the sum of the others, and the result. */
export function productFormula(cell: Products, places: DigitFormatOf, most: number): ShownFormula {
  const first = cell.terms.slice(0, most);
  const [lefts, rights] = [
    first.map(({ left }) => valueOf(left, places)),
    first.map(({ right }) => valueOf(right, places)),
  ];
  const count = cell.terms.length - first.length + (cell.rest?.count ?? 0);
  const left = cell.terms.slice(most).reduce((sum, { product }) => sum + product, cell.rest?.sum ?? 0);
  const others = count > 0 ? digitsOf(left, places(cell.step)) : undefined;
  const result = digitsOf(cell.value, places(cell.step));
  const relation: Relation = {
    result,
    from: [...lefts, ...rights, ...(others ? [others] : [])],
    redo: [(numbers) => first.reduce((sum, _, i) => sum + (numbers[i] as number) * (numbers[first.length + i] as number), others ? (numbers.at(-1) as number) : 0)],
  }; // prettier-ignore
  addDigits([relation], [lefts, rights, others ? [others] : []], { result: true, most: 21 });
  const terms = lefts.map((digits, i) => ({ left: shown(digits), right: shown(rights[i] as Digits) }));
  return { terms, ...(others && { others: shown(others) }), count, result: resultOf(relation) };
}
