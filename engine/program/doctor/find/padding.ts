/** Padding: keys that a mask hides from every query of an input, and whether they are that input's padding. */
import { t, type Paced } from '../../../text';
import { denseOf } from '../../nearest';
import { isOwn, isScalar, throughMoves } from '../../recognise';
import type { Node } from '../../tensor';
import { headsOf, type Facts } from '../facts';
import { rewritten, textAt, type Found, type Mend } from './found';

/** Of each matrix, whether each key is hidden from all queries. */
type Keys = readonly (readonly boolean[])[];

export function* findPadding(facts: Facts, node: Node | undefined, text: string): Paced<readonly Found[]> {
  if (!facts.ownMask || !node || !facts.hidden.includes(1)) return [];
  const keys = keysOf(facts, facts.hidden);
  const known = yield* paddingOf(facts, text);
  const found =
    (known && ofTokens(facts, keys, known)) ??
    overQueries(facts) ??
    (isForKeys(facts, keys)
      ? (ofNeighbours(facts, keys) ??
        inverted(facts, keys) ??
        (yield* ofLengths(facts, keys, text)) ??
        (yield* beyondLengths(facts, keys, text)))
      : undefined);
  if (!found) return [];
  const hidden = facts.hidden.map((_, i) => Number(found.right[matrixOf(facts, i)]?.[i % facts.own.m] ?? false));
  return [{ rule: 'mask-padding', node, hidden, message: found.message, mends: mending(facts, text, node, found.how) }];
}

const matrixOf = ({ own: { n, m } }: Facts, cell: number): number => Math.floor(cell / (n * m));

function keysOf({ own: { n, m } }: Facts, hidden: ArrayLike<number>): Keys {
  return Array.from({ length: hidden.length / (n * m) }, (_, one) =>
    Array.from({ length: m }, (_x, j) => {
      for (let i = 0; i < n; i++) if (hidden[(one * n + i) * m + j] !== 1) return false;
      return true;
    }),
  );
}

/** Whether all queries of each matrix see the same keys: a mask for keys, and no triangle or window. */
const isForKeys = (facts: Facts, keys: Keys): boolean =>
  facts.hidden.every((x, i) => (x === 1) === (keys[matrixOf(facts, i)]?.[i % facts.own.m] ?? false));

interface Wrong {
  readonly message: string;
  /** What is to be hidden. */
  readonly right: Keys;
  readonly how: 'inverted' | 'tiled' | 'other';
}

const isSame = (a: readonly boolean[], b: readonly boolean[] = []): boolean => a.every((x, j) => x === b[j]);
const not = (all: Keys): Keys => all.map((row) => row.map((x) => !x));

// --- the tokens say which are padding ----------------------------------------------------------

/** Tokens whose embedding is exactly 0, as `padding_idx` makes it, else those that a comparison behind the mask calls padding, for each matrix; undefined where none is, or all are. */
function* paddingOf(facts: Facts, text: string): Paced<Keys | undefined> {
  const { own: { m }, source, scores, hidden } = facts; // prettier-ignore
  const matrices = hidden.length / (facts.own.n * m);
  for (const node of embeddingsBehind(scores.operands[1])) {
    const dense = yield* denseOf(source, node);
    const width = dense?.shape.at(-1) ?? 0;
    const inputs = (dense?.data.length ?? 0) / (m * width);
    if (!dense || dense.shape.at(-2) !== m || !Number.isInteger(matrices / inputs)) continue;
    const empty = Array.from({ length: inputs }, (_, b) =>
      Array.from({ length: m }, (_x, j) => dense.data.subarray((b * m + j) * width, (b * m + j + 1) * width).every((x) => x === 0)),
    );
    const rows = empty.flat().includes(true) ? empty : yield* comparedWithPad(facts, node, inputs, text);
    if (!rows?.flat().includes(true) || !rows.flat().includes(false)) return undefined;
    return Array.from({ length: matrices }, (_, one) => rows[Math.floor(one / (matrices / inputs))] ?? []);
  }
  return undefined;
} // prettier-ignore

/** `ids != 0` and `ids == pad_idx`, of the ids that the embedding looks up. */
function* comparedWithPad(facts: Facts, embedding: Node, inputs: number, text: string): Paced<Keys | undefined> {
  const { source, own: { m } } = facts; // prettier-ignore
  const ids = embedding.operands.map(throughMoves);
  for (const node of masksBehind(facts)) {
    const { operation, operands: [a, b], range } = node; // prettier-ignore
    if ((operation !== 'equal' && operation !== 'not_equal') || !a || !b || !isScalar(b) || !ids.includes(throughMoves(a))) continue;
    const [pad, found] = [yield* denseOf(source, b), yield* denseOf(source, node)];
    if (found?.data.length !== inputs * m || (pad?.data[0] !== 0 && !/pad/i.test(textAt(text, range)))) continue;
    const isPad = operation === 'equal' ? 1 : 0;
    return Array.from({ length: inputs }, (_, one) => Array.from({ length: m }, (_x, j) => found.data[one * m + j] === isPad));
  }
  return undefined;
} // prettier-ignore

function embeddingsBehind(from: Node | undefined): readonly Node[] {
  const seen = new Set<Node>(from ? [from] : []);
  for (const at of seen) if (seen.size < 512) for (const operand of at.operands) seen.add(operand);
  return [...seen].filter(({ operation, via }) => operation === 'pick' && via === 'F.embedding');
}

/** A mask that hides tokens and shows padding. */
function ofTokens(facts: Facts, keys: Keys, padding: Keys): Wrong | undefined {
  const at = (wanted: boolean): readonly [number, number] | undefined => {
    for (const [one, row] of keys.entries())
      for (const [j, isHidden] of row.entries())
        if (isHidden === wanted && padding[one]?.[j] === !wanted) return [one, j];
    return undefined;
  };
  const [shown, lost] = [at(false), at(true)];
  if (!shown || !lost) return undefined;
  const each = keys.length / inputsOf(facts, keys);
  const said = [Math.floor(shown[0] / each), shown[1], Math.floor(lost[0] / each), lost[1]] as const;
  if (keys.every((row, one) => isSame(row, not(padding)[one])))
    return { message: t('The padding mask is inverted: it shows the padding (input {0}, key {1}) and hides the tokens (input {2}, key {3}).', ...said), right: padding, how: 'inverted' };
  return { message: t('The mask is not that of the padding: it shows padding (input {0}, key {1}) and hides a token (input {2}, key {3}).', ...said), right: padding, how: isTiled(facts, keys) ? 'tiled' : 'other' };
} // prettier-ignore

const inputsOf = (facts: Facts, keys: Keys): number => {
  const heads = headsOf(facts);
  return Number.isInteger(keys.length / heads) ? keys.length / heads : 1;
};

// --- the mask says it itself -------------------------------------------------------------------

/** Masks of inputs, one after the other, as often as there are heads: heads stand behind their input. */
function isTiled(facts: Facts, keys: Keys): boolean {
  const inputs = inputsOf(facts, keys);
  if (inputs < 2 || keys.length === inputs) return false;
  return keys.every((row, one) => isSame(row, keys[one % inputs])) && !keys.every((row, one) => isSame(row, keys[one - (one % (keys.length / inputs))])); // prettier-ignore
}

function ofNeighbours(facts: Facts, keys: Keys): Wrong | undefined {
  if (!isTiled(facts, keys) || !masksBehind(facts).some(({ operation }) => operation === 'tile')) return undefined;
  const heads = keys.length / inputsOf(facts, keys);
  const right = keys.map((_, one) => keys[Math.floor(one / heads)] ?? []);
  const wrong = keys.findIndex((row, one) => !isSame(row, right[one]));
  const [input, head, other] = [Math.floor(wrong / heads), wrong % heads, wrong % (keys.length / heads)];
  const message = t('Head {0} of input {1} has the padding mask of input {2}: the masks are tiled, but the heads of one input stand together.', head, input, other); // prettier-ignore
  return { message, right, how: 'tiled' };
}

/** A mask that hides all of an input, and of the others all but the last keys: the longest input has no padding. */
function inverted(facts: Facts, keys: Keys): Wrong | undefined {
  const whole = keys.findIndex((row) => row.every((x) => x));
  const shorter = keys.findIndex((row) => row.includes(false));
  const areLast = keys.every(
    (row) => row[0] && !row.includes(true, row.includes(false) ? row.indexOf(false) : row.length),
  );
  if (whole < 0 || shorter < 0 || !areLast) return undefined;
  const each = keys.length / inputsOf(facts, keys);
  const message = t('The mask hides every key of input {0}, and of input {1} all but the last {2}: that is a padding mask the other way round.', Math.floor(whole / each), Math.floor(shorter / each), keys[shorter]?.filter((x) => !x).length ?? 0); // prettier-ignore
  return { message, right: not(keys), how: 'inverted' };
}

/** A comparison of positions with lengths, `arange(n) < valid_lens`, that hides the keys before them: of each input the first, and of some input not all. Lengths that are not called valid may be those of padding on the left, or of a first text. */
function* ofLengths(facts: Facts, keys: Keys, text: string): Paced<Wrong | undefined> {
  const [[places, name] = []] = masksBehind(facts).flatMap(({ dtype, operands: [a, b], operation, range }) => dtype === 'bool' && a && b && operation.startsWith('less') ? [[a, lengthsIn(text, range)] as const].filter(([, one]) => one?.includes('valid')) : []);
  const one = keys.findIndex((row) => row[0] && row.includes(false));
  // Places may be counted from the end.
  const at = places && one >= 0 ? (yield* denseOf(facts.source, places))?.data : undefined;
  if (!name || !at?.every((x, j) => j === 0 || x > (at[j - 1] as number)) || !keys.every((row) => row.indexOf(true) <= 0 && !row.includes(true, row.indexOf(false) < 0 ? row.length : row.indexOf(false)))) return undefined;
  const message = t('The mask hides the first {0} keys of input {1}, those before {2}, and shows the padding behind them.', keys[one]?.indexOf(false) ?? 0, Math.floor(one / (keys.length / inputsOf(facts, keys))), name);
  return { message, right: not(keys), how: 'inverted' };
} // prettier-ignore

/** A comparison of positions with lengths, `arange(n) <= lengths`, that shows one key more than these say, where the longest input has no padding: else a first token may not be counted. */
function* beyondLengths(facts: Facts, keys: Keys, text: string): Paced<Wrong | undefined> {
  const { source, own: { m } } = facts; // prettier-ignore
  for (const { dtype, operands: [, by], range } of masksBehind(facts)) { // prettier-ignore
    const name = dtype === 'bool' && by ? lengthsIn(text, range) : undefined;
    const lengths = name && by ? (yield* denseOf(source, by))?.data : undefined;
    const each = keys.length / (lengths?.length ?? 0);
    if (!by || !lengths || !Number.isInteger(each) || Math.max(...lengths) !== m || ['clip', 'minimum'].includes(throughMoves(by).operation)) continue;
    const lengthOf = (one: number): number => lengths[Math.floor(one / each)] as number;
    const one = keys.findIndex((_, at) => lengthOf(at) < m);
    if (one < 0 || !keys.every((row, at) => row.every((x, j) => x === j > lengthOf(at)))) continue;
    const message = t('The mask shows {0} keys of input {1}, for which {2} says {3}: the last of them is padding.', lengthOf(one) + 1, Math.floor(one / each), name ?? '', lengthOf(one));
    return { message, right: keys.map((row, at) => row.map((_, j) => j >= lengthOf(at))), how: 'other' };
  }
  return undefined;
} // prettier-ignore

/** What a comparison calls lengths of inputs: not those of a prompt, of a memory or of what is left out. */
const lengthsIn = (text: string, range: Node['range']): string | undefined => {
  const name = /[<>]=?\s*(\w+)(?:\[[^\]]*\])*\)?$/.exec(textAt(text, range))?.[1];
  return name && /^(?:(?:valid|seq|src|source|tgt|target|key|input|text|token|sent|enc)[a-z]*_?)*len(?:gth)?s?$/i.test(name) ? name : undefined; // prettier-ignore
};

/** A mask of keys along the other axis: a query sees all keys or none, and with a finite fill those that see none have weights all the same. */
function overQueries({ own: { n, m }, hidden }: Facts): Wrong | undefined {
  if (n !== m || n < 2) return undefined;
  const rows = Array.from({ length: hidden.length / m }, (_, row) => hidden.subarray(row * m, (row + 1) * m));
  if (!rows.every((cells) => cells.every((x) => x === cells[0]))) return undefined;
  const one = rows.findIndex((cells, row) => cells[0] === 1 && rows.some((other, at) => Math.floor(at / n) === Math.floor(row / n) && other[0] === 0)); // prettier-ignore
  if (one < 0) return undefined;
  const top = one - (one % n);
  const seeing = rows.slice(top, top + n).findIndex((cells) => cells[0] === 0);
  const right = Array.from({ length: rows.length / n }, (_, at) =>
    Array.from({ length: m }, (_x, j) => rows[at * n + j]?.[0] === 1),
  );
  const message = t('The mask lies over queries: query {0} sees no key, query {1} all of them, so that no key is hidden.', one - top, seeing); // prettier-ignore
  return { message, right, how: 'other' };
}

// --- what to write -----------------------------------------------------------------------------

function masksBehind({ way }: Facts): readonly Node[] {
  const seen = new Set<Node>(way.flatMap(({ others }) => others));
  for (const at of seen) if (seen.size < 512) for (const operand of at.operands) seen.add(operand);
  return [...seen].filter(isOwn);
}

function mending(facts: Facts, text: string, node: Node, how: Wrong['how']): readonly Mend[] {
  const behind = masksBehind(facts);
  if (how === 'tiled')
    return behind
      .filter(({ operation }) => operation === 'tile')
      .flatMap((one) => rewritten(t('Repeat each mask for the heads of its input'), text, one, untiled(textAt(text, one.range)))); // prettier-ignore
  if (how === 'other') return [];
  const compared = behind.filter(({ dtype, operands }) => dtype === 'bool' && operands.length === 2);
  const title = t('Hide the padding and show the tokens');
  return [node, ...compared].flatMap((one) => rewritten(title, text, one, ...turned(textAt(text, one.range))));
}

/** `repeat(heads, 1, 1)`, as PyTorch tiles. */
const untiled = (was: string): string => was.replace(/\.repeat\(\s*([^(),]+),\s*1\s*(?:,\s*1\s*)*\)$/, '.repeat_interleave($1, dim=0)'); // prettier-ignore

/** The other way round, in a call that takes the mask or in the comparison that makes it. */
function turned(was: string): readonly string[] {
  const argument = /((?:(?:src_|tgt_|memory_)?key_padding_mask|attn_mask|attention_mask|mask)\s*=\s*|masked_fill_?\(\s*)/;
  const others: Readonly<Record<string, string>> = { '==': '!=', '!=': '==', '<': '>=', '>=': '<', '>': '<=', '<=': '>' };
  const bare = was.replace(new RegExp(`${argument.source}~\\s*`), '$1');
  const given = was.replace(new RegExp(`${argument.source}([\\w.]+(?:\\[[^\\]]*\\])?)(?=\\s*[,)])`), '$1~$2');
  const grouped = was.replace(new RegExp(`${argument.source}\\(([^()]*)\\)(?=\\s*[,)])`), '$1~($2)');
  const compared = was.replace(/[^=<>!](==|!=|<=|>=|<|>)(?!=)/, (sign) => sign[0] + (others[sign.slice(1)] ?? ''));
  return [bare, given, grouped, compared].filter((one) => one !== was);
} // prettier-ignore
