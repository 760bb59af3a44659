/** Which tokens queries, keys and values are made of: the values have to be those of the keys' tokens. */
import { t, type Paced } from '../../../text';
import type { Node } from '../../tensor';
import { comesFrom, throughMoves } from '../../recognise';
import type { Facts } from '../facts';
import { isQuery, isKey, sourceOf } from './calls';
import { argumentsOf } from './heads';
import { isMemory } from './names';
import { textAt, type Found, type Mend } from './found';

/** Values of the queries' tokens beside keys of others: `cross_attn(x, memory, x)`. */
export function* findValuesElsewhere({ scores, own, attention: { keys } }: Facts, text: string, name: (node: Node) => string): Paced<readonly Found[]> {
  yield;
  const [left, right] = scores.operands;
  const v = own.v?.sum.operands[1];
  const [x, y] = [left && sourceOf(left), right && sourceOf(right)];
  if (!left || !right || !v || !x || !y || x === y || sourceOf(v) !== x || keys !== 'rows') return [];
  if (!isQuery(name(left)) || !isKey(name(right)) || comesFrom(y, x) || comesFrom(x, y)) return [];
  const [queries, memory] = [x, y].map((one) => name(throughMoves(one)));
  if (queries === undefined || memory === undefined || !isMemory(memory) || isMemory(queries)) return [];
  const layer = layerOf(v);
  const call = callThat(text, layer, queries, memory);
  const message = t('The values come from {0}, the keys from {1}: what a query finds in {1} it takes out of {0}.', queries, memory); // prettier-ignore
  return [{ rule: 'values-from-queries', node: layer, message, ...(call && { range: call.range }), mends: call ? [call.mend] : [] }]; // prettier-ignore
} // prettier-ignore

/** The product that made values. */
function layerOf(v: Node): Node {
  let at = v;
  for (let turn = 0; turn < 32 && at.operation !== 'matmul' && at.operands[0]; turn++) at = at.operands[0];
  return at;
}

/** The call whose third argument is its first again, `f(x, memory, x)`, with the second in its place; else the layer's own, `self.v(x)`. */
function callThat(text: string, { range, stack }: Node, queries: string, memory: string): { readonly range: Node['range']; readonly mend: Mend } | undefined {
  const title = t('Take the values from {0}', memory);
  for (const at of [range, ...[...stack].reverse()]) {
    const was = textAt(text, at);
    const [, called, inside] = /^([\w.[\]]+)\((.*)\)$/s.exec(was) ?? [];
    if (called === undefined || inside === undefined) continue;
    const args = argumentsOf(inside);
    const [which, now] = args.length >= 3 && args[0] === args[2] && args[1] !== args[0] ? [2, args[1]] : args.length === 1 && args[0] === queries ? [0, memory] : [];
    if (which === undefined || now === undefined) continue;
    const changed = args.map((one, i) => (i === which ? now : one)).join(', ');
    return { range: at, mend: { title, edits: [{ range: at, text: `${called}(${changed})` }] } };
  }
  return undefined;
} // prettier-ignore
