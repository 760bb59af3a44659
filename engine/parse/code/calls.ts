/** Calls in code: the function and its arguments. */
import type { TextRange } from '../../text';

export interface WrittenCall {
  /** `F.scaled_dot_product_attention` */
  readonly callee: string;
  /** As written, in order: `q`, `is_causal=True`. */
  readonly args: readonly string[];
  /** From the callee to its closing bracket. */
  readonly range: TextRange;
}

/** Longest call that is read. */
const longest = 600;

/** The calls whose callee matches, in a text whose strings and comments are blanked. `calls` ends before the bracket and is global. */
export function callsIn(text: string, code: string, calls: RegExp): WrittenCall[] {
  return [...code.matchAll(calls)].flatMap(({ 0: found, index }) => {
    const open = index + found.trimEnd().length;
    if (code.charAt(open) !== '(') return [];
    const read = argumentsAt(text, code, open);
    return [{ callee: found.trim(), args: read.args, range: { start: index, end: read.end } }];
  });
}

function argumentsAt(text: string, code: string, open: number): { args: string[]; end: number } {
  const args: string[] = [];
  let [depth, from] = [0, open + 1];
  for (let i = open; i < Math.min(code.length, open + longest); i++) {
    const c = code.charAt(i);
    if ('[({'.includes(c)) depth++;
    else if ('])}'.includes(c)) depth--;
    if (depth === 0 || (depth === 1 && c === ',')) {
      const written = text.slice(from, i).trim();
      if (written !== '') args.push(written);
      from = i + 1;
    }
    if (depth === 0) return { args, end: i + 1 };
  }
  return { args, end: open + 1 };
}

/** The keyword argument `name` of a call, as in `is_causal=True`; undefined if absent. */
export const keyword = (call: WrittenCall, name: string): string | undefined =>
  call.args.find((arg) => new RegExp(`^${name}\\s*=(?!=)`).test(arg))?.replace(/^[^=]*=\s*/, '');
