/** What a document says that does not hold. */
import type { TextRange } from '../../text';

export const markRules = [
  'printed',
  'follows',
  'sum',
  'symmetric',
  'shape',
  'number',
  'divisor',
  'formula',
  'code',
  'name',
] as const;
/**
 * `printed`: a matrix that its code does not give. `follows`: one that does not follow from those before it. `sum`, `symmetric`, `shape`, `number`,
 * `divisor`: what a sentence says. `formula`: a product that fits neither rows nor columns. `code`: attention in code that is none. `name`: a name
 * that no cell defines though the cell printed.
 */
export type MarkRule = (typeof markRules)[number];

export interface Mark {
  readonly rule: MarkRule;
  readonly range: TextRange;
  /** What does not hold, with the numbers. */
  readonly message: string;
  /** What would. */
  readonly instead?: string;
  /** The code that does it. */
  readonly because?: TextRange;
}

const comment = /(?:#|<!--|%|\/\/)\s*explain-attention:\s*ignore(?:\[([^\]]*)\])?/;

/** Kept silent by a comment on a line of it, or on a line of its own above. */
export function isIgnored(text: string, { rule, range }: Pick<Mark, 'rule' | 'range'>): boolean {
  const first = text.lastIndexOf('\n', range.start - 1) + 1;
  const end = text.indexOf('\n', Math.max(range.start, range.end - 1));
  const lines = text.slice(first, end < 0 ? text.length : end).split('\n');
  const own = lineAbove(text, first);
  // Inside a block a comment would be printed: it stands above the block.
  const above = /^[ \t]*(?:`{3}|~{3})/.test(own.line) ? lineAbove(text, own.start).line : own.line;
  const all = /^\s*(?:#|<!--|%|\/\/)/.test(above) ? [above, ...lines] : lines;
  return all.some((line) => {
    const found = comment.exec(line);
    return found !== null && (found[1] === undefined || found[1].split(',').some((one) => one.trim() === rule));
  });
}

function lineAbove(text: string, at: number): { readonly line: string; readonly start: number } {
  const start = text.lastIndexOf('\n', at - 2) + 1;
  return { line: at === 0 ? '' : text.slice(start, Math.max(0, at - 1)), start };
}
