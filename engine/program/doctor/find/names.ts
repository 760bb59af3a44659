/** What names say against the flow of data: which layer makes queries, keys and values, and which side of cross-attention they come from. */
import { t } from '../../../text';
import { layerCalled } from '../../explain';
import type { Node } from '../../tensor';
import { comesFrom, isLeaf, passes, throughMoves, type PartName } from '../../recognise';
import type { Facts } from '../facts';
import { argumentsOf, movedFrom } from './heads';
import { functionAround, rewritten, textAt, type Edit, type Found } from './found';

const parts = [
  ['wq', 'queries', /^(?:q|que|query|queries)$/],
  ['wk', 'keys', /^(?:k|key|keys)$/],
  ['wv', 'values', /^(?:v|val|value|values)$/],
] as const satisfies readonly (readonly [PartName, string, RegExp])[];

type Made = (typeof parts)[number][1];

/** Whose names the layers of queries, keys and values have, where that is one part's and not theirs. One product for several parts (`Q = K = V = x @ W_q`) is meant. */
export function findNamedOtherwise({ attention: { layers, parts: own } }: Facts, text: string, name: (node: Node) => string): readonly Found[] {
  const [said, edits]: [string[], Edit[]] = [[], []];
  let node: Node | undefined;
  for (const [part, made] of parts) {
    const [product, weight] = [layers.get(part), own[part]];
    const called = product && (layerCalled(text, product) ?? (weight && name(weight)));
    const named = called !== undefined && partOf(called);
    const isShared = parts.some(([other]) => other !== part && layers.get(other) === product);
    if (!product || !named || named === made || isShared) continue;
    node ??= product;
    said.push(sentence[made](called));
    const [other, was] = [renamed(called, named, made), textAt(text, product.range)];
    const isThere = other !== called && new RegExp(String.raw`(?<![\w.])${escaped(other)}(?!\w)`).test(text);
    const now = isThere ? was.replace(new RegExp(String.raw`(?<![\w.])${escaped(called)}(?!\w)`), other) : was;
    if (now !== was) edits.push({ range: product.range, text: now });
  }
  const mends = edits.length === said.length ? [{ title: t('Take the layers by their names'), edits }] : [];
  return node ? [{ rule: 'projections-named-otherwise', node, message: said.join(' '), mends }] : [];
} // prettier-ignore

/** A layer whose name says an order, `to_qkv`, and whose features are cut in another. Where features attend to features, the code's own names may say what is which. */
export function findCutOrder({ attention: { layers }, own: { sides, v } }: Facts, text: string, name: (node: Node) => string): readonly Found[] {
  const product = layers.get('wq');
  const called = product && layerCalled(text, product);
  const taken = [...sides, v?.sum.operands[1]];
  const isNamedOtherwise = taken.some((one, i) => ![undefined, parts[i]?.[1]].includes(one && partOf(name(saidPart(one, name)))));
  const moved = taken.map((one) => one && movedFrom(one));
  const [width, base] = [moved[0]?.base.shape?.at(-1), moved[0]?.base];
  if (!product || !called || !/qkv|query_?key_?value/i.test(called.split('.').at(-1) ?? '') || typeof width !== 'number' || moved.some((one) => !one || one.base !== base)) return [];
  const [first = 0, second = 0] = moved[0]?.from ?? [];
  if (isNamedOtherwise || Math.floor(first / width) !== Math.floor(second / width)) return [];
  const begins = moved.map((one) => (one?.from[0] ?? 0) % width);
  const order = ['q', 'k', 'v'].sort((a, b) => (begins['qkv'.indexOf(a)] ?? 0) - (begins['qkv'.indexOf(b)] ?? 0));
  if (new Set(begins).size < 3 || order.join('') === 'qkv') return [];
  return [{ rule: 'projections-named-otherwise', node: product, message: t('`{0}` is cut in the order {1}.', called, order.join(', ')), mends: [] }];
} // prettier-ignore

const sentence: Readonly<Record<Made, (layer: string) => string>> = {
  queries: (layer) => t('`{0}` makes the queries.', layer),
  keys: (layer) => t('`{0}` makes the keys.', layer),
  values: (layer) => t('`{0}` makes the values.', layer),
};

const escaped = (name: string): string => name.replace(/\W/g, String.raw`\$&`);

const spellings: Readonly<Record<Made, readonly string[]>> = { queries: ['queries', 'query', 'que', 'q'], keys: ['keys', 'key', 'key', 'k'], values: ['values', 'value', 'val', 'v'] }; // prettier-ignore

/** A name with the word of another part: `self.W_key` for `self.W_query`. */
function renamed(called: string, from: Made, to: Made): string {
  for (const [i, own] of spellings[from].entries())
    for (const [before, word, other] of [['(?<![a-zA-Z])([wW]?)', own, spellings[to][i] ?? ''], ['(?<![A-Z])(W?)', capital(own), capital(spellings[to][i] ?? '')]] as const) {
      const now = called.replace(new RegExp(`${before}${word}(?![a-z])(?!.*\\.)`), `$1${other}`);
      if (now !== called) return now;
    }
  return called;
} // prettier-ignore

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** The part that a name has for a word, alone: `to_q`, `W_query`, `keyProj`, `wk`; `qk` and `kv` say none. */
export function partOf(called: string): Made | undefined {
  const words = (called.split('.').at(-1) ?? '').replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().replace(/^w([qkv])\d*$/, '$1').split(/[_\d[\]]+/); // prettier-ignore
  const named = parts.filter(([, , word]) => words.some((one) => word.test(one)));
  return named.length === 1 ? named[0]?.[1] : undefined;
}

export const isMemory = (name: string): boolean =>
  /^(?:self\.)?(?:mem|memory|memories|enc(?:oder|oded)?(?:_?(?:x|outs?|outputs?|hiddens?|hidden_states?|states?))?)$/i.test(
    name,
  );

/** Queries made of what an encoder gave, keys and values of something else. */
export function findFromMemory({ attention: { layers, parts: own }, own: { n, m } }: Facts, name: (node: Node) => string): readonly Found[] {
  const [queries, keys] = [own.x, own.context].map((from) => from && name(throughMoves(from)));
  const node = layers.get('wq');
  if (!node || !queries || !keys || !(isMemory(queries) || queries === 'context') || isMemory(keys)) return [];
  const message = t('The queries come from {0}, the keys and values from {1}: the output has a row for each of the {2} tokens of {0}, none for the {3} of {1}. A decoder that looks at an encoder has it the other way round.', queries, keys, n, m); // prettier-ignore
  return [{ rule: 'queries-from-memory', node, message, mends: [] }];
} // prettier-ignore

/** Keys or values that the call computes and nothing takes, where something else stands in their place: `q @ q.T`, `weights @ x`. */
export function findPartUnused({ scores, own }: Facts, text: string, nodes: readonly Node[], name: (node: Node) => string): readonly Found[] {
  const key = keysNotTaken(text, scores);
  if (key !== undefined) return [{ rule: 'part-unused', node: scores, message: t('{0} is given and not used: the scores are made without it.', key), mends: [] }];
  const [left, right] = own.sides.map((one) => partOf(name(throughMoves(one))));
  const values = own.v?.sum.operands[1];
  // `k = norm(q)`: what has the keys' name is made of the queries.
  const queries = queriesBehind(own.sides, name);
  const lacking = [...(queries || (left !== 'keys' && right !== 'keys') ? ['keys'] : []), ...(values && partOf(name(throughMoves(values))) !== 'values' ? ['values'] : [])];
  const beside = lacking.length === 0 ? [] : nodes.filter((node) => node.id < (own.v?.sum ?? scores).id && node.dtype === scores.dtype && isOfCall(node, scores) && lacking.includes(partOf(name(node)) ?? ''));
  // A view of a weight, as a layer takes it for its first numbers, is none of a token's keys, nor is the place in a cache that is written to.
  return beside.filter((node) => !isLeaf(throughMoves(node)) && throughMoves(node).operation !== 'write' && !nodes.some(({ operands }) => operands.includes(node)) && !isGivenOn(text, node, name(node))).flatMap((node) => {
    const other = partOf(name(node)) !== 'keys' ? saidPart(values ?? scores, name) : (queries ?? saidPart(own.sides[1], name));
    // Without a name for it nobody can say that it stands in the place of a part, nor where it has the same one.
    return name(other) === '' || name(other) === name(node) ? [] : { rule: 'part-unused', node, message: t('{0} is computed and not used: {1} stands in its place.', name(node), name(other)), mends: [] };
  });
} // prettier-ignore

/** Whether a function gives back what has a name, or keeps it, before another has the name. */
function isGivenOn(text: string, { range }: Node, called: string): boolean {
  const end = functionAround(text, range.start)?.end ?? text.length;
  const lines = text.slice(range.end, end).split('\n').slice(1);
  const [word, start] = [String.raw`(?<![\w.])${escaped(called)}(?!\w|\(|\.(?:shape|size|ndim|dtype|device)\b)`, String.raw`^[ \t]*`];
  const until = lines.findIndex((line) => new RegExp(`${start}(?:[\\w.]+, *)*${word}(?:, *[\\w.]+)*[ \\t]*=(?!=)`).test(line));
  const given = new RegExp(`${start}(?:(?:return|yield)\\b|[\\w.]*[.\\]][^=\\n]*=(?!=)|.*\\.(?:append|add|update|put)\\().*${word}`);
  return lines.slice(0, until < 0 ? undefined : until).some((line) => given.test(line));
} // prettier-ignore

/** What is called the queries and the keys are computed from, on the way back from both to a product. */
function queriesBehind([left, right]: Facts['own']['sides'], name: (node: Node) => string): Node | undefined {
  for (let at: Node | undefined = left; at && at.operation !== 'matmul' && at !== right; at = at.operands[0])
    if (partOf(name(at)) === 'queries' && comesFrom(right, at)) return at;
  return undefined;
}

/** On the way back over moves, what has the name of a part; else the last. */
function saidPart(node: Node, name: (node: Node) => string): Node {
  let at = node;
  while (partOf(name(at)) === undefined && passes(at) && at.operands[0]) at = at.operands[0];
  return at;
}

/** Keys that a function is given and reads sizes of at most, where it multiplies queries with queries or values. */
function keysNotTaken(text: string, { range }: Node): string | undefined {
  const words = textAt(text, range).match(/[A-Za-z_]\w*/g)?.map(partOf) ?? [];
  const at = functionAround(text, range.start);
  const code = at ? textAt(text, at).replace(/#.*|(\"{3}|'{3})[^]*?\1/g, '') : '';
  const [head = '', inside = ''] = /^[^(]*\(((?:[^()]|\([^()]*\))*)\)/.exec(code) ?? [];
  if (!words.includes('queries') || words.includes('keys')) return undefined;
  const given = argumentsOf(inside).flatMap((one) => /^\w+/.exec(one) ?? []);
  return given.find((one) => partOf(one) === 'keys' && !new RegExp(String.raw`\b${one}\b(?!\.(?:shape|size|ndim|dtype|device)\b)`).test(code.slice(head.length)));
} // prettier-ignore

/** Whether one call computes both, or one within it the first. */
const isOfCall = ({ stack }: Node, other: Node): boolean =>
  other.stack.every(({ start, end }, i) => start === stack[i]?.start && end === stack[i].end);

/** `nn.MultiheadAttention` without `batch_first`, where no mask says that tokens stand first: which of two sizes is the tokens' is seen in no number. */
export function findTokensFirst({ attention: { parts, site, starts }, own: { n, m, lead }, hidden }: Facts, text: string, name: (node: Node) => string): readonly Found[] {
  const [x, made] = [parts.x && throughMoves(parts.x), parts.wq && throughMoves(parts.wq)];
  const [first, second, ...rest] = x?.shape ?? [];
  const was = made ? textAt(text, made.range) : '';
  if (!x || !made || starts.length !== 1 || site.weights.sample || hidden.includes(1) || was.includes('batch_first') || !/^(?:\w+\.)*(?:MultiheadAttention|Transformer\w*Layer)\([^]*\)$/.test(was)) return [];
  if (rest.length !== 1 || typeof second !== 'number' || second === 1 || first === second || first !== n || n !== m || !lead.some((size) => size === second)) return [];
  const message = t('Without `batch_first`, axis 0 of {0} is the tokens ({1}) and axis 1 the inputs ({2}). If axis 0 is the inputs, write `batch_first=True`.', name(x) || 'query', n, second);
  return [{ rule: 'tokens-first', node: made, message, mends: rewritten(t('Take axis 0 as the inputs'), text, made, was.replace(/,?\s*\)$/, ', batch_first=True)')) }];
} // prettier-ignore
