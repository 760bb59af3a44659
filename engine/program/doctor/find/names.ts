/** What names say against the flow of data: which layer makes queries, keys and values, and which side of cross-attention they come from. */
import { t } from '../../../text';
import { layerCalled } from '../../explain';
import type { Node } from '../../tensor';
import { throughMoves, type PartName } from '../../recognise';
import type { Facts } from '../facts';
import { rewritten, textAt, type Found } from './found';

const parts = [
  ['wq', 'queries', /^(?:q|que|query|queries)$/],
  ['wk', 'keys', /^(?:k|key|keys)$/],
  ['wv', 'values', /^(?:v|val|value|values)$/],
] as const satisfies readonly (readonly [PartName, string, RegExp])[];

type Made = (typeof parts)[number][1];

/** Whose names the layers of queries, keys and values have, where that is one part's and not theirs. One product for several parts (`Q = K = V = x @ W_q`) is meant. */
export function findNamedOtherwise({ attention: { layers, parts: own } }: Facts, text: string, name: (node: Node) => string): readonly Found[] {
  const said: string[] = [];
  let node: Node | undefined;
  for (const [part, made] of parts) {
    const [product, weight] = [layers.get(part), own[part]];
    const called = product && (layerCalled(text, product) ?? (weight && name(weight)));
    const named = called !== undefined && partOf(called);
    const isShared = parts.some(([other]) => other !== part && layers.get(other) === product);
    if (!product || !named || named === made || isShared) continue;
    node ??= product;
    said.push(sentence[made](called));
  }
  return node ? [{ rule: 'projections-named-otherwise', node, message: said.join(' '), mends: [] }] : [];
} // prettier-ignore

const sentence: Readonly<Record<Made, (layer: string) => string>> = {
  queries: (layer) => t('`{0}` makes the queries.', layer),
  keys: (layer) => t('`{0}` makes the keys.', layer),
  values: (layer) => t('`{0}` makes the values.', layer),
};

/** The part that a name has for a word, alone: `to_q`, `W_query`, `keyProj`, `wk`; `qk` and `kv` say none. */
function partOf(called: string): Made | undefined {
  const words = (called.split('.').at(-1) ?? '').replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().replace(/^w([qkv])\d*$/, '$1').split(/[_\d[\]]+/); // prettier-ignore
  const named = parts.filter(([, , word]) => words.some((one) => word.test(one)));
  return named.length === 1 ? named[0]?.[1] : undefined;
}

const isMemory = (name: string): boolean =>
  /^(?:self\.)?(?:mem|memory|memories|enc(?:oder|oded)?_?(?:outs?|outputs?|hiddens?|hidden_states?|states?))$/i.test(
    name,
  );

/** Queries made of what an encoder gave, keys and values of something else. */
export function findFromMemory({ attention: { layers, parts: own }, own: { n, m } }: Facts, name: (node: Node) => string): readonly Found[] {
  const [queries, keys] = [own.x, own.context].map((from) => from && name(throughMoves(from)));
  const node = layers.get('wq');
  if (!node || !queries || !keys || !isMemory(queries) || isMemory(keys)) return [];
  const message = t('The queries come from {0}, the keys and values from {1}: the output has a row for each of the {2} tokens of {0}, none for the {3} of {1}. A decoder that looks at an encoder has it the other way round.', queries, keys, n, m); // prettier-ignore
  return [{ rule: 'queries-from-memory', node, message, mends: [] }];
} // prettier-ignore

/** `nn.MultiheadAttention` without `batch_first`, where no mask says that tokens stand first: which of two sizes is the tokens' is seen in no number. */
export function findTokensFirst({ attention: { parts, site, starts }, own: { n, m, lead }, hidden }: Facts, text: string, name: (node: Node) => string): readonly Found[] {
  const [x, made] = [parts.x && throughMoves(parts.x), parts.wq && throughMoves(parts.wq)];
  const [first, second, ...rest] = x?.shape ?? [];
  const was = made ? textAt(text, made.range) : '';
  if (!x || !made || starts.length !== 1 || site.weights.sample || hidden.includes(1) || !/^(?:\w+\.)*(?:MultiheadAttention|Transformer\w*Layer)\([^]*\)$/.test(was)) return [];
  if (rest.length !== 1 || typeof second !== 'number' || second === 1 || first === second || first !== n || n !== m || !lead.some((size) => size === second)) return [];
  const message = t('Without `batch_first`, axis 0 of {0} is the tokens ({1}) and axis 1 the inputs ({2}). If axis 0 is the inputs, write `batch_first=True`.', name(x) || 'query', n, second);
  return [{ rule: 'tokens-first', node: made, message, mends: rewritten(t('Take axis 0 as the inputs'), text, made, was.replace(/,?\s*\)$/, ', batch_first=True)')) }];
} // prettier-ignore
