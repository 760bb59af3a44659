/** Sizes that sentences, tables and comments give in words of their own: "an $n$ by $d$ matrix", "(n × d_k)", "the $j$-th row of $V$". */
import { symbol, type Dim, type Shape } from '../../program';
import { bare, keyOf, type Expression, type SymbolPart } from '../tree';
import { add, asOf, type Document, type Parsed } from './context';
import { indexedKey } from './names';
import { learnSizes, sizeOf } from './sizes';

/** A size in plain text: `n`, `d_k`, `seq_len`, `512`. */
const size =
  '(?:\\d{1,6}|[nmdtlhkNTLSBCHMD]|[dnDNTL]_\\{?\\w{1,12}\\}?|(?:seq|batch|num|n|embed|hidden|head|model|vocab)(?:_\\w{1,12}){1,2})';
const noun = '(?:matri(?:x|ces)|tensors?|arrays?)';
/** `(n × d_k)`: behind its name at once. */
const inBrackets = new RegExp(`^\\s?\\(\\s?(${size})\\s?[×x]\\s?(${size})\\s?\\)`);
/** "is an n by d matrix", "is n × d". */
const byWords = new RegExp(
  `^\\s(?:is|are|be)\\s(?:all\\s)?(?:an?\\s)?(${size})(?:[ -]by[ -]|\\s?×\\s?)(${size})(?:[ -](?:[a-z]+\\s){0,2}${noun}|(?=[.,;\\s]))`,
);
/** ": key matrix of shape [n, d_k]". */
const ofShape = new RegExp(
  `^[\\s*_]{0,3}(?:[,:(]\\s?|(?:is|are|has|have|with|of)\\s){0,2}(?:(?:an?|the|all|of|with|has|[Qq]uery|[Kk]ey|[Vv]alue|[Qq]ueries|[Kk]eys|[Vv]alues|[Ii]nputs?|[Oo]utputs?|[Ww]eights?|[Ss]cores?|[Ee]mbeddings?|[Pp]rojection|learned|[Mm]atrix|${noun})[,:]?\\s){0,5}(?:shape|size|dimensions?)s?\\s?(?:[:=]|is|are|of)?\\s?\`?[([]\\s?(${size})(?:\\s?[,×]\\s?)(${size})(?:\\s?[,×]\\s?(${size}))?(?:\\s?[,×]\\s?(${size}))?\\s?[)\\]]`,
);

/** What stands behind a name, so far. */
const reach = 90;
const isDim = /^\d/;

const dimsOf = (found: readonly (string | undefined)[]): Shape =>
  found.flatMap((one): readonly Dim[] => (one === undefined ? [] : [isDim.test(one) ? Number(one) : symbol(one.replace(/[{}]/g, ''))])); // prettier-ignore

const learnNames = ({ sizes }: Document, found: readonly (string | undefined)[]): void =>
  found.forEach((one) => one !== undefined && !isDim.test(one) && void sizes.names.add(one.replace(/[{}]/g, '')));

export function fromPhrases(text: string, parsed: readonly Parsed[], document: Document): void {
  parsed.forEach(({ region, expression }, i) => {
    if (region.display || !expression) return;
    const stop = Math.min(parsed[i + 1]?.region.outer.start ?? text.length, region.outer.end + reach);
    const behind = text.slice(region.outer.end, stop);
    if (region.notation === 'latex' && expression.kind === 'symbol') inPlainText(document, expression, behind);
    countedBefore(text, expression, region.outer, document);
    byAnother(text, parsed, i, document);
  });
  for (const [row, name] of rowsSaid(text, parsed)) declareRow(document, row, name);
  inTables(text, document);
  inLists(text, document);
  inLines(text, parsed, document);
  besideIt(text, document);
  ofRoles(text, document);
  inComments(text, document);
}

/** `$Q$ (n × d_k)`, "$K$: the keys, of shape [n, d_k]". */
function inPlainText(document: Document, name: SymbolPart, behind: string): void {
  if (document.sizes.names.has(keyOf(name))) return;
  const found = (inBrackets.exec(behind) ?? byWords.exec(behind) ?? ofShape.exec(behind))?.slice(1);
  if (!found) return;
  learnNames(document, found);
  add(document.declared, indexedKey(name), { at: name.range.start, shape: dimsOf(found) });
}

const counting = /(?:^|[\s(])(?:of|for|has|have|with|are|contains?|given|over|all|to|the|into|use|uses|using)\s*$/i;
const counted =
  /^\s(?:input\s|output\s|attention\s|parallel\s|query\s|key\s)?(?:tokens|words|heads|positions|patches|experts|layers|time ?steps|queries|keys)\b/i;

/** "a sequence of $T$ tokens": T is a size. */
function countedBefore(
  text: string,
  of: Expression,
  { start, end }: Parsed['region']['outer'],
  { sizes }: Document,
): void {
  if (of.kind !== 'symbol' || of.index || !/^[NTLSHMnmlthp]$/.test(keyOf(of))) return;
  if (counted.test(text.slice(end, end + 40)) && counting.test(text.slice(Math.max(0, start - 20), start)))
    learnSizes(sizes, of);
}

const byBetween = /^(?:\s|-)by(?:\s|-)$/i;
const aMatrix = new RegExp(
  `^[-\\s](?:(?:input|weight|projection|embedding|score|attention|learned|real)\\s){0,2}${noun}\\b`,
  'i',
);
const isA = /^\s*(?:is|are|be)\s(?:an?\s|all\s)?$/i;

/** "$X$ is an $n$ by $d$ matrix", "an $n$-by-$d$ matrix $X$". */
function byAnother(text: string, parsed: readonly Parsed[], i: number, document: Document): void {
  const [rows, columns] = [parsed[i], parsed[i + 1]];
  if (!rows?.expression || !columns?.expression || columns.region.display) return;
  if (!byBetween.test(text.slice(rows.region.outer.end, Math.min(columns.region.outer.start, rows.region.outer.end + 8)))) return; // prettier-ignore
  const end = columns.region.outer.end;
  const said = aMatrix.exec(text.slice(end, end + 60));
  if (!said) return;
  for (const one of [rows, columns]) if (one.expression) learnSizes(document.sizes, one.expression);
  const shape = [rows, columns].flatMap((one) =>
    one.expression ? (sizeOf(document.sizes, one.expression) ?? []) : [],
  );
  if (shape.length !== 2) return;
  const [one, next] = [parsed[i - 1], parsed[i + 2]];
  const isNamed = next !== undefined && /^\s*$/.test(text.slice(end + said[0].length, Math.min(next.region.outer.start, end + said[0].length + 3)) + (next.region.outer.start > end + said[0].length + 3 ? '.' : '')); // prettier-ignore
  const owner = isNamed ? next : one && isA.test(text.slice(one.region.outer.end, Math.min(rows.region.outer.start, one.region.outer.end + 30))) ? one : undefined; // prettier-ignore
  const name = owner?.expression && bare(owner.expression);
  if (name?.kind === 'symbol' && !document.sizes.names.has(keyOf(name)))
    add(document.declared, indexedKey(name), { at: name.range.start, shape });
}

interface Row {
  readonly name: SymbolPart;
  readonly isColumn: boolean;
}

const isRow = /^\s*(?:is|denotes|be)\s(?:the\s)?$|^\s*\(the\s$/i;
const ofMatrix = /^\s?(?:-?\s?(?:th|st|nd|rd))?\s(row|column)\s(?:of|in)\s(?:the\s)?(?:matrix\s)?$/i;
const rowThen =
  /^\s*(?:is|denotes|be)\s(?:the\s)?(?:[a-z]+-th\s|[ijkt]-?th\s)?(row|column)\s(?:(?:\$?[ijkt]\$?)\s)?(?:of|in)\s(?:the\s)?(?:matrix\s)?$/i;

/** "$V_j$ is the $j$-th row of $V$", "$q_i$ is row $i$ of $Q$": the row, and of what. */
function* rowsSaid(text: string, parsed: readonly Parsed[]): Generator<readonly [Row, SymbolPart]> {
  for (const [i, one] of parsed.entries()) {
    const name = one.expression;
    if (name?.kind !== 'symbol' || !name.index || one.region.display) continue;
    const words = (j: number): string => {
      const [a, b] = [parsed[j], parsed[j + 1]];
      return a && b ? text.slice(a.region.outer.end, Math.min(b.region.outer.start, a.region.outer.end + 60)) : '';
    };
    const near = rowThen.exec(words(i));
    const far = near || !isRow.test(words(i)) ? undefined : ofMatrix.exec(words(i + 1));
    const kind = near?.[1] ?? far?.[1];
    const of = parsed[i + (near ? 1 : 2)]?.expression;
    const whole = of?.kind === 'relation' && of.signs[0] === '∈' ? of.sides[0] : of;
    if (kind !== undefined && whole?.kind === 'symbol') yield [{ name, isColumn: /column/i.test(kind) }, whole];
  }
}

/** A row has as many numbers as its matrix has columns; of one that nothing is said of it is a vector. */
function declareRow(document: Document, { name, isColumn }: Row, of: SymbolPart): void {
  const at = name.range.start;
  const shape = asOf(document.declared.get(indexedKey(of)), at)?.shape;
  const key = indexedKey(name);
  if (shape?.length === 2) add(document.declared, key, { at, shape: isColumn ? shape.slice(0, 1) : shape.slice(1) });
  else add(document.axes, key, { at, count: 1 });
}

const shapeHead = /\b(?:shapes?|dimensions?|sizes?|Größe|taille|forme)\b|形状|维度|大小|サイズ|次元/i;
const plainName = /^[*`\s]*([A-Z])(?:_\{?([A-Za-z]\w{0,5})\}?)?[*`\s]*$/;
const plainShape = new RegExp(
  `^[\\s\`*]*[([]?\\s?(${size})\\s?[,×]\\s?(${size})(?:\\s?[,×]\\s?(${size}))?(?:\\s?[,×]\\s?(${size}))?\\s?[)\\]]?[\\s\`*]*$`,
);
const mostCells = 12;

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .slice(0, mostCells);

/** A table without signs of mathematics, of which one column is headed "Shape". */
function inTables(text: string, document: Document): void {
  let column = -1;
  let before = '';
  let at = 0;
  for (const line of text.split('\n')) {
    const isRow = line.startsWith('|') && line.length < 600;
    if (isRow && /^\|[\s:|-]+\|?\s*$/.test(line)) column = cellsOf(before).findIndex((cell) => shapeHead.test(cell));
    else if (isRow && column > 0) {
      const cells = cellsOf(line);
      const [, name, label] = plainName.exec(cells[0] ?? '') ?? [];
      const found = plainShape.exec(cells[column] ?? '')?.slice(1);
      if (name !== undefined && found) {
        learnNames(document, found);
        add(document.declared, label === undefined ? name : `${name}_${label}`, { at, shape: dimsOf(found) });
      }
    } else if (!isRow) column = -1;
    before = line;
    at += line.length + 1;
  }
}

/** `- Q: query matrix (batch_size × seq_len × d_k)`, as a line of its own. */
const inList = new RegExp(
  `^[ \\t]*[-*+•] [*\`]*([A-Z])[*\`]*\\s?[:：](?:[ *\`]+[\\p{L}-]+){0,4}[ *\`]*[([](${size})\\s?[,×]\\s?(${size})(?:\\s?[,×]\\s?(${size}))?(?:\\s?[,×]\\s?(${size}))?[)\\]][*\`.,;]*[ \\t]*$`,
  'gmu',
);

function inLists(text: string, document: Document): void {
  for (const { 1: name = '', index, ...found } of text.matchAll(inList)) {
    const sizes = [found[2], found[3], found[4], found[5]];
    // `K: key [1, 0]` are numbers of an example.
    if (sizes.every((one) => one === undefined || isDim.test(one))) continue;
    learnNames(document, sizes);
    add(document.declared, name, { at: index, shape: dimsOf(sizes) });
  }
}

/** `W_q_b:  [1536, 430]`, `q: [B, L, 1536]`: a name, and nothing else than its sizes. */
const named = new RegExp(
  `^[ \\t]*([A-Za-z]\\w{0,30}):[ \\t]+\\[(${size}),\\s?(${size})(?:,\\s?(${size}))?(?:,\\s?(${size}))?\\][ \\t]*$`,
  'gm',
);

/** A formula of plain text stands this close before the sizes of its names. */
const nearBlock = 300;

function inLines(text: string, parsed: readonly Parsed[], document: Document): void {
  for (const { 1: name = '', index, ...found } of text.matchAll(named)) {
    const sizes = [found[2], found[3], found[4], found[5]];
    // Not in code, whose comments speak of its own names.
    if (!parsed.some(({ region }) => region.notation === 'plain' && region.outer.end <= index && index - region.outer.end < nearBlock)) continue; // prettier-ignore
    // `x: [1, 2]` are numbers.
    if (!sizes.some((one) => one !== undefined && (!isDim.test(one) || Number(one) >= 16))) continue;
    learnNames(document, sizes);
    add(document.declared, name, { at: index, shape: dimsOf(sizes) });
  }
}

/** `(q = x @ Wq; q.shape = 6x2)`, `(x.shape = 6x3)`: of what stands in its line too. */
const beside = new RegExp(
  `^[^\\n;]*[(;]\\s*([A-Za-z]\\w?)\\.shape = [([]?\\s?(${size})\\s?[x×,]\\s?(${size})\\s?[)\\]]`,
  'gm',
);

function besideIt(text: string, document: Document): void {
  for (const { 1: name = '', 2: rows, 3: columns, index } of text.matchAll(beside)) {
    learnNames(document, [rows, columns]);
    add(document.declared, name, { at: index, shape: dimsOf([rows, columns]) });
  }
}

/** "key, query and values are of dimension `L*D`": Q, K and V. */
const roles = new RegExp(
  `\\b((?:(?:quer(?:y|ies)|keys?|values?)(?:, and |, | and )?){2,3})\\s(?:are|have)\\s(?:all\\s)?(?:of\\s)?(?:the\\s)?(?:shape|size|dimensions?)\\s[\`$([]{1,2}(${size})\\s?(?:[×x*,]|\\\\times)\\s?(${size})[\`$)\\]]`,
  'gi',
);

function ofRoles(text: string, document: Document): void {
  for (const { 1: words = '', 2: rows, 3: columns, index } of text.matchAll(roles)) {
    learnNames(document, [rows, columns]);
    for (const name of 'QKV') if (new RegExp(`\\b${name}`, 'i').test(words)) add(document.declared, name, { at: index, shape: dimsOf([rows, columns]) }); // prettier-ignore
  }
}

/** `Q = X @ W_q  # (n, d_k)`: of one capital, with names, and without an axis for a batch. */
const commented = new RegExp(
  `^[ \\t]*([QKVXASOYZH]) = [^#\\n]{1,120}#\\s?(?:(?:[Ss]hape|[Ss]ize|[Dd]im)s?[:=]?\\s?|->\\s?|→\\s?)?[([]\\s?(${size}),\\s?(${size})\\s?[)\\]]`,
  'gm',
);

function inComments(text: string, document: Document): void {
  for (const { 1: name = '', 2: rows = '', 3: columns = '', index } of text.matchAll(commented)) {
    // A formula says more than code, which may be of another example.
    if ((isDim.test(rows) && isDim.test(columns)) || document.declared.has(name) || document.defined.has(name)) continue; // prettier-ignore
    learnNames(document, [rows, columns]);
    add(document.declared, name, { at: index, shape: dimsOf([rows, columns]) });
  }
}
