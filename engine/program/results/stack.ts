/** A printed matrix, or several of one size one after the other: a matrix for each head or input. */
import type { ParsedMatrix } from '../../parse';
import { printedAs, rowsOf, type Matrix } from '../../diagnose';

export interface PrintedStack {
  readonly name: string;
  readonly slices: readonly Matrix[];
  /** Digits after the point. */
  readonly digits: number;
  /** The code computes all of it where it is printed, whether or not it is a step of an attention. */
  readonly isComputed?: boolean;
  /** The step of the code that it is: nothing was printed, its own numbers are looked at. */
  readonly step?: string;
}

/** Larger results are not checked. */
const mostNumbers = 65_536;

/** Undefined where it is no matrix of numbers, or is computed by the text rather than written in it. */
export function stackOf(name: string, text: string, matrix: Pick<ParsedMatrix, 'shape' | 'values' | 'range' | 'derivation'>): PrintedStack | undefined {
  const { shape, values, range, derivation } = matrix;
  const [width, height] = [shape.at(-1) ?? 1, shape.at(-2) ?? 1];
  if (derivation !== undefined || values.length === 0 || values.length > mostNumbers || shape.length < 2) return undefined;
  const { rows, digits } = printedAs(rowsOf(values, width), text.slice(range.start, range.end));
  const slices = Array.from({ length: rows.length / height }, (_, i) => rows.slice(i * height, (i + 1) * height));
  return { name, slices, digits };
} // prettier-ignore

/** What a call of print shows, as the code has it: `print("weights:", attn)` shows `attn`; undefined where it shows more than one thing. */
export function matrixName(code: string): string | undefined {
  const inside = /^\s*print\(([^]*)\)\s*;?\s*$/.exec(code)?.[1] ?? code.replace(/;?\s*$/, '');
  const [only, ...more] = parted(inside.replace(/\b[fr]?(?:"[^"\n]*"|'[^'\n]*')/g, '')).filter((part) => part !== '' && !unshown.test(part)); // prettier-ignore
  return only !== undefined && more.length === 0 && only.length <= longestName && !only.includes('\n')
    ? only
    : undefined;
}

const unshown = /^(?:sep|end|file|flush)\s*=|\.shape$/;
const longestName = 60;

/** Arguments at commas outside of brackets. */
function parted(list: string): readonly string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let i = 0; i <= list.length; i++) {
    const c = list[i];
    if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') depth--;
    else if (c === undefined || (c === ',' && depth === 0)) {
      parts.push(list.slice(from, i).trim());
      from = i + 1;
    }
  }
  return parts;
}
