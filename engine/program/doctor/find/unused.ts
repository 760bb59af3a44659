/** A mask whose result no one takes: `scores.masked_fill(…)` on a line of its own. */
import { t, type Paced } from '../../../text';
import { hiddenBelow, denseOf } from '../../nearest';
import type { Node } from '../../tensor';
import type { Facts } from '../facts';
import { rewritten, textAt, type Found } from './found';
import { spread } from './mask';

export function* findUnused(facts: Facts, text: string, nodes: readonly Node[]): Paced<readonly Found[]> {
  const taken = new Set<Node>([facts.scores, ...facts.way.map(({ node }) => node)]);
  const candidates = nodes.filter(
    ({ operation, operands, range }) =>
      (operation === 'where' || operation === 'add') && operands.some((one) => taken.has(one)) && isStatement(text, range),
  );
  const lost = candidates.filter((one) => !taken.has(one) && !nodes.some(({ operands }) => operands.includes(one)));
  const found: Found[] = [];
  for (const node of lost) {
    const cells = yield* hiddenBy(facts, node, taken);
    if (!cells) continue;
    const hidden = facts.hidden.map((x, i) => Math.max(x, cells[i] as number));
    const message = t('The mask has no effect: what this line computes is given to no name, and the scores stay as they are.');
    found.push({ rule: 'mask-unused', node, hidden, message, mends: rewritten(t('Keep the masked scores'), text, node, ...kept(textAt(text, node.range))) });
  }
  return found;
} // prettier-ignore

/** Within a function: at the end of a notebook's cell, an expression is shown. */
function isStatement(text: string, { start, end }: Node['range']): boolean {
  const begin = text.lastIndexOf('\n', start - 1) + 1;
  const indent = text.slice(begin, start);
  if (!/^[ \t]+$/.test(indent) || !/^[ \t]*(?:#.*)?(?:\r?\n|$)/.test(text.slice(end, end + 400))) return false;
  return new RegExp(`(?:^|\\n)[ \\t]{0,${indent.length - 1}}(?:async )?def `).test(text.slice(0, begin));
}

/** The cells that it would hide. */
function* hiddenBy(facts: Facts, node: Node, taken: ReadonlySet<Node>): Paced<Float64Array | undefined> {
  const [condition, a, b] = node.operands;
  if (node.operation === 'add') {
    const mask = node.operands.find((one) => !taken.has(one));
    return mask && (yield* spread(facts, node, mask))?.map((x) => Number(x <= hiddenBelow));
  }
  if (!condition || !a || !b) return undefined;
  const fill = taken.has(a) ? b : a;
  const value = (yield* denseOf(facts.source, fill))?.data;
  if (value?.length !== 1 || !((value[0] as number) <= hiddenBelow)) return undefined;
  return (yield* spread(facts, node, condition))?.map((x) => Number((x !== 0) === (fill === a)));
}

function kept(was: string): readonly string[] {
  const [, name] = /^(\w+)\s*[.+]/.exec(was) ?? [];
  return [...(name === undefined ? [] : [`${name} = ${was}`]), was.replace('.masked_fill(', '.masked_fill_(')];
}
