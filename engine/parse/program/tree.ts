/** An expression as it was written. `depth` is bounded by the parser, so that walks may recurse. */
export type Node =
  | (Base & { readonly kind: 'number'; readonly value: number; readonly whole: boolean })
  | (Base & { readonly kind: 'string'; readonly text: string })
  | Name
  | Attribute
  | Call
  | (Base & { readonly kind: 'subscript'; readonly of: Node; readonly index: Node })
  | (Base & { readonly kind: 'unary'; readonly operator: string; readonly of: Node })
  | (Base & { readonly kind: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node })
  | (Base & { readonly kind: 'list'; readonly items: readonly Node[] })
  | (Base & { readonly kind: 'tuple'; readonly items: readonly Node[] })
  /** Brackets with nothing but numbers in them, read when they are needed. */
  | (Base & { readonly kind: 'literal' })
  /** Valid, and not computed: a slice, a comprehension, a lambda; with the expressions in it, for what they may draw. */
  | (Base & { readonly kind: 'other'; readonly what: string; readonly parts: readonly Node[] });

interface Base {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

export interface Name extends Base {
  readonly kind: 'name';
  readonly name: string;
  /** The entry that the name stands for here, set when its statement is bound. */
  entry?: number;
}

export interface Attribute extends Base {
  readonly kind: 'attribute';
  readonly of: Node;
  readonly name: string;
  /** For a dotted name that was assigned as a whole: `self.W_q`. */
  entry?: number;
}

export interface Argument {
  readonly keyword?: string;
  readonly value: Node;
}

export interface Call extends Base {
  readonly kind: 'call';
  readonly of: Node;
  readonly args: readonly Argument[];
  /** The draw that the call makes, or the generator that it seeds, set when its statement is bound. */
  entry?: number;
}

/** `np.random.seed` for nested attributes of a name; undefined for anything else. */
export function dotted(node: Node): string | undefined {
  const names: string[] = [];
  let at = node;
  for (; at.kind === 'attribute'; at = at.of) names.push(at.name);
  return at.kind === 'name' ? [at.name, ...names.reverse()].join('.') : undefined;
}

/** The parts of a node, in the order in which Python evaluates them. */
export function partsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'attribute':
    case 'unary':
      return [node.of];
    case 'subscript':
      return [node.of, node.index];
    case 'call':
      return [node.of, ...node.args.map((a) => a.value)];
    case 'binary':
      return [node.left, node.right];
    case 'list':
    case 'tuple':
      return node.items;
    case 'other':
      return node.parts;
    default:
      return [];
  }
}
