import type { ParsedMatrix } from '../parse';
import type { Printed } from './printed';
import { decimalsOf } from './decimals';
import { rowsOf } from './matrices';
import { digitsFor } from './result';

/** Significant digits of a written number that are compared at most. */
const mostSignificant = 12;

/**
 * A matrix that stands in a text, as somebody's result: with the digits with which it is written there. Undefined where it has more dimensions than
 * rows and columns, or is computed by the text rather than written in it.
 */
export function printedLiteral(text: string, { shape, values, range, derivation }: ParsedMatrix): Printed | undefined {
  const width = shape.at(-1) ?? 1;
  if (derivation !== undefined || values.length === 0 || values.length !== width * (shape.at(-2) ?? 1))
    return undefined;
  return printedAs(rowsOf(values, width), text.slice(range.start, range.end));
}

/** To the digits that were written, as far as float64 has them. */
export const printedAs = (rows: Printed['rows'], text: string): Printed => ({
  rows,
  digits: Math.min(decimalsOf(text), digitsFor(rows, mostSignificant)),
});
