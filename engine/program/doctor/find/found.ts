/** What a rule gives: where, in which words, and what would mend it. */
import type { Paced, TextRange } from '../../../text';
import type { Node } from '../../tensor';
import type { Facts } from '../facts';
import type { RuleId } from '../rules';

export interface Edit {
  readonly range: TextRange;
  readonly text: string;
}

/** What is written instead. It is offered only after the program has been read with it. */
export interface Mend {
  readonly title: string;
  readonly edits: readonly Edit[];
}

export interface Found {
  readonly rule: RuleId;
  readonly node: Node;
  /** Where it stands, if not at the node's expression: of a helper's, the call. */
  readonly range?: TextRange;
  readonly message: string;
  /** 1 for each key that standard attention hides: the numbers before and after are those of weights. */
  readonly hidden?: Float64Array;
  /** Standard attention has queries and keys in each other's place. */
  readonly swapped?: true;
  /** In the order in which they are tried. */
  readonly mends: readonly Mend[];
}

/** A cell before and after. */
export interface Compared {
  readonly at: readonly [row: number, column: number];
  readonly own: number;
  readonly standard: number;
}

export type Find = (facts: Facts, text: string, name: (node: Node) => string) => Paced<readonly Found[]>;

export const textAt = (text: string, { start, end }: TextRange): string => text.slice(start, end);

/** The whole of a node's expression written otherwise; none where it is as it was. */
export function rewritten(title: string, text: string, { range }: Pick<Node, 'range'>, ...variants: readonly (string | undefined)[]): readonly Mend[] {
  const was = textAt(text, range);
  const others = [...new Set(variants)].filter((one) => one !== undefined && one !== was);
  return others.map((one) => ({ title, edits: [{ range, text: one ?? '' }] }));
} // prettier-ignore

/** The function in which a place stands, from its name to the end of its body. */
export function functionAround(text: string, at: number): TextRange | undefined {
  const begin = text.lastIndexOf('\n', at - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(begin))?.[0].length ?? 0;
  const heads = [...text.slice(0, begin).matchAll(/^([ \t]*)(?:async )?def /gm)];
  const head = heads.findLast(([, own = '']) => own.length < indent);
  if (!head) return undefined;
  const rest = text.slice(begin);
  const next = new RegExp(`^[ \\t]{0,${head[1]?.length ?? 0}}\\S`, 'm').exec(rest);
  return { start: head.index, end: next ? begin + next.index : text.length };
}
