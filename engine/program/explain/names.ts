/** What the code calls a tensor, and where it stands. */
import type { TextRange } from '../../text';
import type { Node } from '../tensor';
import type { Program } from '../program';

/** What steps are called by: of a program or of formulas. */
export type Named = Pick<Program, 'graph'> & { readonly [K in 'bindings' | 'sampleBindings']: readonly Pick<Program[K][number], 'name' | 'node'>[] }; // prettier-ignore
import { passes } from '../recognise';

export interface Namer {
  readonly name: (node: Node, otherwise: string) => string;
  /** The layer that an expression calls: `self.query` of `self.query(x)`. */
  readonly layer: (node: Node) => string | undefined;
  /** Whether a name stands in the expression of a node: `W_q` in `x @ W_q`. */
  readonly mentions: (node: Node, name: string) => boolean;
  readonly line: (range: TextRange) => number;
}

/** The first name that a node was bound to; of a layer's parameter the layer's; a short expression as it stands. */
export function namerOf(text: string, { bindings, sampleBindings, graph }: Named): Namer {
  const names = new Map<Node, string>();
  // An expression is called by its text; what a library computes on the way to it is not.
  const ends = new Map<string, Node>();
  for (const node of graph.nodes) ends.set(`${node.range.start} ${node.range.end}`, node);
  for (const { node, name } of [...bindings, ...sampleBindings]) if (node && !names.has(node)) names.set(node, name);
  const lines = lineStarts(text);
  return {
    name: (node, otherwise) =>
      names.get(node) ??
      throughViews(node, names) ??
      (ends.get(`${node.range.start} ${node.range.end}`) === node ? expression(text, node) : undefined) ??
      otherwise,
    layer: (node) => layerCalled(text, node),
    mentions: ({ range }, name) => wordsOf(text.slice(range.start, range.end)).includes(name.split('.').at(-1) ?? name),
    line: ({ start }) => lineAt(lines, start),
  };
}

/** The layer that a node's expression calls: `self.key` of `self.key(x)`. */
export const layerCalled = (text: string, { range }: Node): string | undefined =>
  /^([A-Za-z_][\w.]*(?:\[\w+\])?)\(/.exec(text.slice(range.start, range.start + 80))?.[1];

/** What is only moved has the name of what it was. */
function throughViews(node: Node, names: ReadonlyMap<Node, string>): string | undefined {
  let at = node;
  while (passes(at) && at.operands[0]) {
    at = at.operands[0];
    const name = names.get(at);
    if (name !== undefined) return name;
  }
  return undefined;
}

const wordsOf = (expression: string): readonly string[] => expression.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];

const longest = 24;

/** An expression that is short as it stands; a tensor that is changed in place (`scores.masked_fill_(…)`) by its name. */
function expression(text: string, { range, operands }: Node): string | undefined {
  const written = text.slice(range.start, range.end);
  const changed = /^([A-Za-z_]\w*)\.\w*[A-Za-z0-9]_\(/.exec(written)?.[1];
  if (changed !== undefined) return changed;
  // LaTeX is no name.
  return written.length > 0 && written.length <= longest && !/[\n\\]/.test(written) && operands.length > 0
    ? written
    : undefined;
}

/** Offsets at which lines begin, the first at 0. */
export const lineStarts = (text: string): readonly number[] => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
};

export function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
