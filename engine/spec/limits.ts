import { t, type Problem } from '../text';

/** Which numbers a field takes: the validator refuses others, and so does the field of the panel. */
export interface Limit {
  readonly whole: boolean;
  readonly least: number;
  readonly most: number;
  /** `a whole number from 1 to 256` */
  readonly expected: () => string;
}

export const wholeFrom = (least: number, most: number): Limit => ({
  whole: true,
  least,
  most,
  expected: () => t('a whole number from {0} to {1}', least, most),
});

/** Beyond these, what is wrong with a spec is the same again: a row or an id each. */
export const mostProblems = 100;

/** Widest embedding, key or value that a spec may ask for. */
export const widthLimit = wholeFrom(1, 4096);

const fits = ({ whole, least, most }: Limit, value: number): boolean =>
  (whole ? Number.isInteger(value) : Number.isFinite(value)) && value >= least && value <= most;

/** That a number is outside of its limit, with the code of the problem. */
export function checkLimit(problems: Problem[], path: string, value: number, limit: Limit, code = 'number'): void {
  if (fits(limit, value) || problems.length >= mostProblems) return;
  problems.push({ code, path, message: t('{0} is {1}, expected {2}', path, value, limit.expected()) });
}

/** A number above 0, or none. */
export function checkPositive(problems: Problem[], path: string, value: number | undefined): void {
  if (value === undefined || (Number.isFinite(value) && value > 0)) return;
  problems.push({ code: 'number', path, message: t('{0} is {1}, expected a finite number above 0', path, value) });
}

/**
 * Most names of rows and columns that a plan may have. A number that is given names a row and a column at most, so this many come from
 * widths that are asked for.
 */
export const labelLimit = 1 << 22;
