/** What a document says that does not hold. */
import { blockAround, lineStart, type TextRange } from '../../text';

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

/** Kept silent by a comment on a line of it, on a line of its own above, or above the block that it is in. */
export function isIgnored(
  text: string,
  { rule, range }: Pick<Mark, 'rule' | 'range'>,
  blocks: readonly TextRange[],
): boolean {
  const first = lineStart(text, range.start);
  const end = text.indexOf('\n', Math.max(range.start, range.end - 1));
  const lines = text.slice(first, end < 0 ? text.length : end).split('\n');
  const own = [first, blockAround(blocks, first)?.start ?? first].map((at) => lineAbove(text, at));
  const all = [...own.filter((line) => /^\s*(?:#|<!--|%|\/\/)/.test(line)), ...lines];
  return all.some((line) => {
    const found = comment.exec(line);
    return found !== null && (found[1] === undefined || found[1].split(',').some((one) => one.trim() === rule));
  });
}

const lineAbove = (text: string, at: number): string => at === 0 ? '' : text.slice(text.lastIndexOf('\n', at - 2) + 1, at - 1); // prettier-ignore
