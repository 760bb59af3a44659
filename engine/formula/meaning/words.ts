/** What words say of names: "the matrix $Q$", "vectors $q$ and $k$", "each column of $X$ is a token". */
import type { TextRange } from '../../text';
import { bare, partsOf, type Expression, type SymbolPart } from '../tree';
import { add, type Document, type Parsed } from './context';
import { indexedKey } from './names';

const nouns: readonly (readonly [RegExp, number])[] = [
  [/^(?:matri(?:x|ces?|z|zen)|矩阵|矩陣|行列)$/i, 2],
  [/^(?:vectors?|vecteurs?|vektor(?:en)?|vectores|向量|ベクトル)$/i, 1],
  [/^(?:scalars?|scalaires?|skalare?|标量|純量|スカラー)$/i, 0],
];

const noun = '(matri(?:x|ces?|zen|z)|tensors?|tensoren|张量|張量|テンソル|vectores|vectors?|vecteurs?|vektor(?:en)?|scalaires?|scalars?|skalare?|矩阵|矩陣|行列|向量|ベクトル|标量|純量|スカラー)'; // prettier-ignore
/** Letters of languages that put no space between words. */
const han = '\\u3040-\\u30ff\\u4e00-\\u9fff';
const before = new RegExp(`(?:^|[^\\p{L}]|[${han}])${noun}(?:\\s+of(?:\\s+(?:the\\s+)?[a-z]+){1,2})?[\\s*_:(]*$`, 'iu');
const behind = new RegExp(`^[\\s*_):]*(?:(?:is|are|be)\\s+)?(?:(?:a|an|the|both|all|row|column|query|key|value|score|attention|weight|learned|learnable|projection|embedding|input|output|hidden)\\s+){0,3}${noun}(?![\\p{L}-])`, 'iu'); // prettier-ignore
/** `$q$ 是查询向量`, and not `$d$ 是向量的维度`. */
const behindHan = new RegExp(`^[\\s*_)]*(?:(?:都是|均为|是|为|は)(?:一个)?[${han}]{0,5}?)?(矩阵|矩陣|行列|向量|ベクトル|标量|スカラー)(?=[\\s，。、,.;；）)：:]|$|です|である)`, 'u'); // prettier-ignore
const linked = /^\s*(?:,|、|，|和|与|と|\b(?:and|et|und|y)\b|, and\b|&|\/)\s*$/i;
const by =
  /^\s{0,3}(?:is|are|be)?\s{0,3}(?:a|an|the)?\s{0,3}(\d{1,6})(?:[ -]by[ -]|\s?[x×]\s?)(\d{1,6})[ -](?:[a-z]+\s){0,2}matri/i;
/** "is of size 512×64", "(512 × 64)", "is a 512-dimensional vector". */
const written = /^\s{0,3}(?:(?:is|are|has|have)?\s{0,3}(?:all\s)?(?:of|with|a)?\s{0,3}(?:shape|size|dimensions?)|\()\s{0,3}\(?(\d{1,6})\s?[x×]\s?(\d{1,6})(?=[\s).,;])/i; // prettier-ignore
const long = /^\s{0,3}(?:is|are|be)\s(?:an?\s)?(\d{1,6})-dimensional\s(?:[a-z]+\s){0,2}vectors?\b/i;
const columns = /\bcolumns?\s+(?:\$?i\$?\s+)?(?:of|in)\s+(?:the\s+)?(?:matrix\s+)?$/i;
const areTokens =
  /^[^.$\n]{0,30}\b(?:tokens?|quer(?:y|ies)|keys?|values?|words?|embeddings?|positions?|time ?steps?|inputs?)\b/i;

/** Names in a row: more are no sentence. */
const mostInRow = 24;

/** What a sentence says around a formula, on each side no more than is looked at; formulas of it too. */
export function sentenceAround(text: string, { start, end }: TextRange): string {
  const before = text.slice(Math.max(0, start - 2 * reach), start).split(/[.!?]\s|[。，；]|\n\s*\n/).at(-1) ?? ''; // prettier-ignore
  const [after = ''] = text.slice(end, end + 2 * reach).split(/[.!?](?:\s|$)|[。，；]|\n\s*\n/);
  return `${before} $ ${after}`;
}

/** Characters that are looked at on each side of a formula. */
const reach = 60;

export function fromWords(text: string, parsed: readonly Parsed[], document: Document): void {
  let row: Row | undefined;
  for (const { region, expression } of parsed) {
    if (region.display || region.notation !== 'latex') continue;
    const names = expression ? namesIn(expression) : [];
    const { start, end } = region.outer;
    const lead = text.slice(Math.max(0, start - reach), start);
    const isNext =
      row !== undefined && names.length > 0 && start - row.end < 12 && linked.test(text.slice(row.end, start));
    if (!isNext) {
      settle(document, row);
      row = undefined;
    }
    if (names.length === 0) continue;
    const word = before.exec(lead)?.[1];
    row = row
      ? { ...row, names: row.names.length < mostInRow ? [...row.names, ...names] : row.names, end }
      : { names: [...names], word, end };
    const after = text.slice(end, end + reach);
    row = { ...row, word: row.word ?? (behind.exec(after) ?? behindHan.exec(after))?.[1] };
    const sizes = (by.exec(after) ?? written.exec(after) ?? long.exec(after))?.slice(1);
    if (sizes) declareBy(document, row, sizes);
    if (columns.test(lead) && areTokens.test(after))
      for (const one of names) document.columnsOf.set(indexedKey(one), start);
  }
  settle(document, row);
  fromRoles(text, document);
  fromCapitals(text, document);
}

/** "the query and key vectors", "键向量": what q and k are, where they do not stand for all tokens. */
const role = /\b((?:(?:quer(?:y|ies)|keys?|values?)\b(?:\s{0,2}(?:,|and|or|&|\/)\s{0,2}(?:the\s)?|\s)){1,3})vectors?\b|((?:(?:查询|键|值)(?:、|和|与)?){1,3})(?:的)?向量/gi; // prettier-ignore
const roleLetters: readonly (readonly [RegExp, string, string])[] = [
  [/quer|查询/i, 'q', 'query'],
  [/key|键/i, 'k', 'key'],
  [/value|值/i, 'v', 'value'],
];

function fromRoles(text: string, document: Document): void {
  for (const found of text.matchAll(role))
    for (const [word, letter, name] of roleLetters)
      if (word.test(found[0]) && !document.wholes.has(letter))
        for (const key of [letter, `${letter}[]`, `${name}[]`]) add(document.axes, key, { at: found.index, count: 1 });
}

/** One capital for queries, keys or values, also in plain text; not `W_Q`, `V^T`, `V × d`. */
const capital = "(?<![\\w^{\\\\])[*_`$(]{0,3}[QKV](?![\\w^{('])[*_`$)]{0,3}";
const capitals = `${capital}(?:\\s?(?:,\\s?and|,|/|and|、|和|与)\\s?${capital}){0,2}`;
const matrix = '(?:matri(?:x|ces)|矩阵|行列)';
/** "queries $Q$", "keys (K)": several of them in one capital. */
const several = new RegExp(`\\b(?:queries|keys|values)\\s${capital}(?!\\s?[×+/=*])`, 'gi');
/** "the Q, K, and V matrices", "V (value) matrix", "query matrix (Q)", "矩阵Q". */
const called = new RegExp(
  `${matrix}\\s?${capitals}(?!\\s?[×+*])|(?:(?<!by\\s)${capitals}(?:\\s\\([a-z]{3,7}\\))?|\\bQKV)\\s?${matrix}`,
  'gu',
);

function fromCapitals(text: string, { axes }: Document): void {
  for (const { 0: words, index } of text.matchAll(several)) {
    const [name = ''] = /[QKV](?=[^\w]*$)/.exec(words) ?? [];
    if (words[0]?.toUpperCase() === name) add(axes, name, { at: index, count: 2 });
  }
  for (const { 0: words, index } of text.matchAll(called))
    for (const [name] of words.matchAll(/[QKV]/g)) add(axes, name, { at: index, count: 2 });
}

interface Row {
  readonly names: readonly SymbolPart[];
  readonly word: string | undefined;
  readonly end: number;
}

const countIn = (word: string | undefined): number | undefined =>
  word === undefined ? undefined : nouns.find(([is]) => is.test(word))?.[1];

/** "is a 512 by 64 matrix". */
function declareBy({ declared }: Document, { names }: Row, sizes: readonly string[]): void {
  for (const name of names) if (sizes.length > 1 || name.index || !/^[A-Z]/.test(name.name)) add(declared, indexedKey(name), { at: name.range.start, shape: sizes.map(Number) }); // prettier-ignore
}

/** All names of a row are what its noun says. Capitals that are called vectors may be all of them, one below another. */
function settle(document: Document, row: Row | undefined): void {
  const count = countIn(row?.word);
  if (row?.word !== undefined && /tensor|张量|張量|テンソル/i.test(row.word)) for (const name of row.names) document.notByUse.add(indexedKey(name)); // prettier-ignore
  if (!row || count === undefined) return;
  const many = /(?:vectors|vecteurs|vektoren|vectores)$|向量|ベクトル/i.test(row.word ?? '');
  for (const name of row.names)
    if (!many || name.index || !/^[A-Z]/.test(name.name)) add(document.axes, indexedKey(name), { at: name.range.start, count }); // prettier-ignore
}

/** `q`, `q, k, v`, `x_1, \dots, x_n`: names alone. */
function namesIn(of: Expression): readonly SymbolPart[] {
  const at = bare(of);
  if (at.kind === 'symbol') return at.sizes ? [] : [at];
  // `Q \in ℝ^{n×d}` says its shape itself, and goes on with the row.
  if (at.kind === 'relation' && at.signs[0] === '∈' && at.sides[0]) return namesIn(at.sides[0]);
  const isRow = at.kind === 'list' && at.items.every(({ kind }) => kind === 'symbol' || kind === 'dots');
  return isRow
    ? [...partsOf(at)].flatMap((part) => (part.kind === 'symbol' && at.items.includes(part) ? [part] : []))
    : [];
}
