/** Where a layer stands in the model that has it, as `named_modules` of PyTorch says it: `layers.0.self_attn`. */
import type { Node } from '../tensor';
import type { Program } from '../program';
import { throughMoves, type Attention } from '../recognise';
import type { Value } from '../machine';

/** Values that are looked at: a deep model has some thousands. */
const mostValues = 20_000;

/** The layer that has an attention's weights; undefined where no model with a name has them. */
export function layerPathOf(program: Program): (attention: Attention) => string | undefined {
  let paths: ReadonlyMap<Node, string> | undefined;
  return ({ parts }) => {
    paths ??= pathsOf(program);
    const own = [parts.wq, parts.wk, parts.wv].flatMap((weight) => {
      const path = weight && paths?.get(throughMoves(weight));
      return path ? [path.split('.')] : [];
    });
    const [first = []] = own;
    const shared = first.findIndex((word, i) => own.some((path) => path[i] !== word));
    // Of one weight for all three its own name is no layer's.
    const words = first.slice(0, shared < 0 ? Math.max(0, first.length - 2) : shared);
    return words.length > 0 ? words.join('.') : undefined;
  };
}

/** By tensor; empty where several layers have it. A variable's own name is no part of it, nor are attributes that a class keeps for itself. */
function pathsOf({ names }: Program): ReadonlyMap<Node, string> {
  const found = new Map<Node, string>();
  const seen = new Set<Value>();
  const pending: (readonly [path: readonly string[], value: Value])[] = [...names.values()].flatMap((value) => (value.kind === 'instance' ? [[[], value] as const] : [])); // prettier-ignore
  for (let at = pending.shift(); at && seen.size < mostValues; at = pending.shift()) {
    const [path, value] = at;
    if (seen.has(value)) continue;
    seen.add(value);
    // What several layers share belongs to none of them.
    if (value.kind === 'tensor') found.set(value.root.node, found.has(value.root.node) ? '' : path.join('.'));
    for (const [name, inner] of insideOf(value)) pending.push([name.startsWith('_') ? path : [...path, name], inner]);
  }
  return found;
}

function insideOf(value: Value): readonly (readonly [string, Value])[] {
  if (value.kind === 'instance') return [...value.attributes];
  if (value.kind === 'list' || value.kind === 'tuple') return value.items.map((item, i) => [String(i), item]);
  if (value.kind !== 'dict') return [];
  return [...value.entries.values()].map(([key, inner]) => [key.kind === 'str' ? key.value : '_', inner]);
}
