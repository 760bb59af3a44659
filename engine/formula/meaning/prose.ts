/** What sentences around formulas say: "$W_q$ … are $d \times d$ matrices", "Q has shape (n, d_k)", "each of dimension $D$". */
import { symbol, type Dim, type Shape } from '../../program';
import { bare, isNumbered, keyOf, type Expression, type SymbolPart } from '../tree';
import { add, type Document, type Parsed } from './context';
import { indexedKey } from './names';
import { splitAtTimes } from '../read';
import { fromPhrases } from './phrases';
import { fromWords } from './words';
import { addApart, addFact, isRowOfNumbers, learnSizes, open, sizeOf, writtenShape } from './sizes';

/** "has $n$ rows and $d$ columns". */
const rowsThen = /^\s*rows?\s*(?:,|and|by|of|with)\s*$/;
const thenColumns = /^\s*(?:columns?|entries|numbers|components)\b/;
/** Words that lead from a name to its size. */
const links = /^(?:[\s,;:*_()~，、：（）-]|的|是|均?为|都|和|与|の|は|形状|维度|大小|尺寸|次元|サイズ|矩阵|行列|向量|权重|其中|\b(?:as|als|embedded|stored|stacked|eingebettet|et|est|sont|une?|la|le|les|de|des|tailles?|formes?|vecteurs?|avec|ayant|und|ist|sind|eine?|hat|haben|die|der|jeweils|von|Größe|Form|Matrizen|Vektor(?:en)?|y|es|son|una|tamaño|dimensión|and|each|of|these|those|which|that|has|have|had|is|are|will|be|also|a|an|the|with|dimensions?|dimensional|shapes?|sizes?|being|form|matrix|matrices|vectors?|in|our|both|all|where|scalar|rows?|trainable|weight|another|embedding)\b)*$/i; // prettier-ignore
/** "$x_i$ are elements of $\\mathbb{R}^d$": of a set. An element of a matrix has not its size. */
const ofSet = /(?:\b(?:is|are)(?:\s+(?:an|all))?|\ball)\s+elements?\s+of\s*$/;
/** A sentence that goes on with what the one before named. */
const goesOn = /[.?!]\s+(?:Each of (?:these|them)|These|They|Both|All of (?:these|them))\b/;
const behind = /^[\s-]*(?:的|の)?(?:(?:input|output|weight|column|row|query|key|value|projection|embedding|dimensional)\s+){0,3}(?:matrix|matrices|matrizen|vectors?|tensors?|矩阵|矩陣|行列)\s*$/i; // prettier-ignore

/** What else a matrix is called on the way to its shape: "$Q$ (queries): $n \\times d$". */
const roles = /\b(?:quer(?:y|ies)|keys?|values?|inputs?|outputs?|attention|projections?|hidden|scores?|states?|learned|learnable|parameters?|tensors?|features?|representations?|linear)\b/gi; // prettier-ignore
/** A new item of a list, or a matrix of its own behind "for input $X$,". */
const nextItem = /\n\s*(?:[-*+•]|\d+[.)])\s/;
const ahead = /\b(?:for|given|with|from|by)\b[^.,;$]{0,30}$/i;
const another = /^\s*,\s*(?:the|a|an|each|its|our)\b/i;

/** Words that stand before a size, also in other languages. */
const asksForSize = /(?:\b(?:dimensions?|dimensionality|shapes?|sizes?|lengths?|tailles?|formes?|Größe|Form|tamaño|dimensión)\s*(?:is|=|est|ist|es)?|(?:形状|维度|维数|大小|尺寸|次元|サイズ)\s*(?:均?为|都?是|は|：|:|=)?)\s*$/i; // prettier-ignore
/** "$d$-dimensional vectors": not what is said of a space. */
const dimensional = /^[-\s]?dimensional\s+(?:[a-z]+\s+){0,2}(?:vectors?|embeddings?|representations?|quer(?:y|ies)|keys?|values?)\b|^\s?维(?:的)?(?:[\u4e00-\u9fff]{0,4})(?:向量)/i; // prettier-ignore

/** May be changed: a formula of which a sentence says the shape is read as if it said it itself. */
export function fromProse(text: string, parsed: Parsed[], document: Document): void {
  parsed.forEach((one, i) => {
    if (one.region.notation === 'latex' && !one.region.display) sizeInSentence(text, parsed, i, document);
  });
  rowsAndColumns(text, parsed, document);
  plainStatements(text, document);
  fromPhrases(text, parsed, document);
  fromWords(text, parsed, document);
  for (const all of document.declared.values()) {
    all.sort((a, b) => a.at - b.at);
    for (const { shape } of all) addApart(document.apart, shape);
  }
}

function sizeInSentence(text: string, parsed: Parsed[], i: number, document: Document): void {
  const one = parsed[i];
  const of = one?.expression;
  if (!one || !of) return;
  const before = text.slice(Math.max(0, one.region.outer.start - 30), one.region.outer.start);
  const isDimension = asksForSize.test(before) || (of.kind === 'symbol' && dimensional.test(text.slice(one.region.outer.end, one.region.outer.end + 60))); // prettier-ignore
  if (isDimension && of.kind === 'symbol' && isNumbered(of) && !document.sizes.names.has(keyOf(of))) return;
  if (isDimension) itemsOfShape(of).forEach((item) => learnSizes(document.sizes, item));
  const row = isOfSizes(of) ? namesInRow(text, parsed, i, document) : undefined;
  if ((isDimension && !isOfCapitals(of)) || (row?.length ?? 0) > 0) learnSizes(document.sizes, of);
  // "a row of $Q$ is $[1, 2, 1, 0]$".
  if (!isDimension && isRowOfNumbers(of)) return;
  const shape = shapeSaid(document, of, isDimension);
  if (!shape) return;
  const after = parsed[i + 1];
  const words = between(text, parsed, i);
  const names = words !== undefined && behind.test(words) ? namesOf(document, after?.expression) : [];
  const run = row === undefined && names.length === 0 ? shapesInRun(text, parsed, i, document) : [];
  if (run === undefined) return;
  const owners = names.length > 0 ? names : (row ?? namesBefore(text, parsed, i, document, shape));
  if (run.length > 1 && run.length !== owners.length) return;
  // "points $X$ in $\\mathbb{R}^d$" may be one or all of them.
  const isOpen = of.kind === 'space' && shape.length === 1;
  owners.forEach((name, at) => (isOpen && /^[A-Z]/.test(name.name)) || declareSaid(document, name, run[at] ?? shape));
  if (owners.length === 0 && run.length < 2 && (shape.length > 1 || isVectorSaid(text, parsed, i)))
    sayOf(text, parsed, i, document, shape);
}

const declareSaid = (document: Document, name: SymbolPart, shape: Shape): void =>
  add(document.declared, indexedKey(name), { at: name.range.start, shape: shapeFor(document, name, shape) });

const between = (text: string, parsed: readonly Parsed[], i: number): string | undefined => {
  const [one, next] = [parsed[i], parsed[i + 1]];
  return one && next && text.slice(one.region.outer.end, Math.min(next.region.outer.start, one.region.outer.end + 200));
};

const inRun = /^\s*(?:,|,?\s*and)\s*$/;
const mostInRun = 6;

/** "of shapes $n \\times d$, $m \\times d$ and $m \\times e$": one for each name. Undefined within such a row, which is read at its first. */
function shapesInRun(
  text: string,
  parsed: readonly Parsed[],
  i: number,
  { sizes }: Document,
): readonly Shape[] | undefined {
  const at = (j: number): Shape | undefined => {
    const of = parsed[j]?.expression;
    return of && !parsed[j]?.region.display ? writtenShape(sizes, of) : undefined;
  };
  if (i > 0 && inRun.test(between(text, parsed, i - 1) ?? '') && at(i - 1)) return undefined;
  const found: Shape[] = [];
  for (
    let j = i, own = at(i);
    own && found.length < mostInRun;
    own = inRun.test(between(text, parsed, j) ?? '') ? at(++j) : undefined
  )
    found.push(own);
  return found;
}

/** "$q = x W_q$ (size $d$)": of one small letter, and nothing else in the brackets. */
function isVectorSaid(text: string, parsed: readonly Parsed[], i: number): boolean {
  const of = parsed[i - 1]?.expression;
  const left = of?.kind === 'relation' && of.signs.every((sign) => sign === '=') ? of.sides[0] : undefined;
  const end = parsed[i]?.region.outer.end ?? 0;
  return left?.kind === 'symbol' && /^[a-z]$/.test(left.name) && /^\s*\((?:of\s)?(?:size|dimension|length)\s*$/.test(between(text, parsed, i - 1) ?? '') && /^\s*\)/.test(text.slice(end, end + 3)); // prettier-ignore
}

const isSaidOf =
  /^\s*(?:,?\s*(?:which\s+)?(?:is|are|has|have|ist|sind|hat|est|embedded|stored|stacked|eingebettet)\b|(?:of|with)\s+(?:the\s+)?(?:shape|size|dim)|\()/i;

/** Behind the shape: a noun for one matrix, or the end of what is said. */
const endsSaying =
  /^\s*(?:$|[.,;:)]|\n|(?:and|so|but|where|which|with|because|since)\b|(?:[a-z]+\s+){0,2}(?:matrix|tensor|array|grid|table)\b)/;

/** "$S = QK^T$ is an $n \\times n$ matrix", "$K^T$ has shape …": read as S = QKᵀ ∈ ℝ^{n×n}. */
function sayOf(text: string, parsed: Parsed[], i: number, document: Document, shape: Shape): void {
  const [one, said] = [parsed[i - 1], parsed[i]?.expression];
  const of = one?.expression;
  const words = between(text, parsed, i - 1) ?? '';
  const end = parsed[i]?.region.outer.end ?? 0;
  if (
    !one ||
    !of ||
    !said ||
    words.length > 60 ||
    !endsSaying.test(text.slice(end, end + 40)) ||
    !isSaidOf.test(words) ||
    !links.test(words)
  )
    return;
  if (of.kind === 'transpose' && of.of.kind === 'symbol') return declareSaid(document, of.of, [...shape].reverse());
  const sizes =
    said.kind === 'space' ? said.sizes : bare(said).kind === 'list' ? (bare(said) as { readonly items: readonly Expression[] }).items : shape.length === 1 ? [said] : splitShape(said); // prettier-ignore
  const space: Expression = { kind: 'space', sizes, range: { start: of.range.end, end: of.range.end } };
  if (of.kind === 'relation' && of.signs.every((sign) => sign === '=')) {
    const [left] = of.sides;
    if (left?.kind === 'symbol') declareSaid(document, left, shape);
    parsed[i - 1] = { ...one, expression: { ...of, sides: [...of.sides, space], signs: [...of.signs, '∈'] } };
  } else if (of.kind === 'product' || of.kind === 'call')
    parsed[i - 1] = { ...one, expression: { kind: 'relation', sides: [of, space], signs: ['∈'], range: of.range } };
}

const splitShape = (of: Expression): readonly Expression[] => {
  const at = bare(of);
  return at.kind === 'product' ? splitAtTimes(at.factors, at.signs) : [];
};

/** A matrix "of dimension d" has rows of d numbers. */
const shapeFor = ({ sizes }: Document, { name, index }: SymbolPart, shape: Shape): Shape =>
  shape.length === 1 && index === undefined && /^[A-Z]$/.test(name) ? [open(sizes, '?'), ...shape] : shape;

/** `B`, `n` and `d_k` of "shape $(B, n, d_k)$": whatever stands there is a size. */
function itemsOfShape(of: Expression): readonly Expression[] {
  const items = of.kind === 'group' && of.open === '(' && of.of.kind === 'list' ? of.of.items : [];
  return items.every((item) => item.kind === 'number' || (item.kind === 'symbol' && !item.index)) ? items : [];
}

/** `A × B`: letters that stand for any sizes. */
const isOfCapitals = (of: Expression): boolean =>
  of.kind === 'product' && of.factors.every((one) => one.kind === 'symbol' && /^[ABCEFGI-KP-RU-Z]$/.test(keyOf(one)));

/** `n × d`, `D` behind "dimension", `D = 4`. */
function shapeSaid({ sizes }: Document, of: Expression, isDimension: boolean): Shape | undefined {
  const shape = writtenShape(sizes, of);
  if (shape || (!isDimension && of.kind !== 'space')) return shape;
  if (of.kind === 'space') {
    const dims = of.sizes.flatMap((one) => sizeOf(sizes, one) ?? []);
    return dims.length > 0 && dims.length === of.sizes.length ? dims : undefined;
  }
  const first = of.kind === 'relation' ? of.sides[0] : of;
  const dim: Dim | undefined = first && sizeOf(sizes, first);
  return dim === undefined ? undefined : [dim];
}

function namesOf(document: Document, of: Expression | undefined): readonly SymbolPart[] {
  const at = of && bare(of);
  // `(B, n, d_k)` is a shape, if not of names that are none of sizes.
  if (of?.kind === 'group' && at?.kind === 'list' && !at.items.every((item) => item.kind === 'symbol' && /^[QKV]$/.test(item.name))) return []; // prettier-ignore
  // `W_Q, W_K ∈ …` has its shape.
  if (at?.kind === 'list') return at.items.some(({ kind }) => kind === 'relation') ? [] : at.items.flatMap((item) => namesOf(document, item)); // prettier-ignore
  return at?.kind === 'symbol' && !document.sizes.names.has(keyOf(at)) ? [at] : [];
}

/** Back over names that only link words divide. */
function namesBefore(
  text: string,
  parsed: readonly Parsed[],
  i: number,
  document: Document,
  shape: Shape,
): readonly SymbolPart[] {
  const found: SymbolPart[] = [];
  for (let at = i - 1, next = parsed[i]; at >= 0 && at >= i - 8; at--) {
    const one = parsed[at];
    if (!one || !next || one.region.display) break;
    const words = text.slice(one.region.outer.end, next.region.outer.start);
    const between = next.expression?.kind === 'space' ? words.replace(ofSet, ' ') : words;
    if (between.length > 160 || /\n\s*\n/.test(between)) break;
    const linked = isLinked(text, between, one, shape) || (found.length === 0 && continues(between));
    const names = linked ? namesOf(document, one.expression) : [];
    if (names.length === 0) break;
    found.unshift(...names);
    next = one;
  }
  return found;
}

/** Whether words lead from a name to its shape. */
function isLinked(text: string, words: string, { region, expression }: Parsed, shape: Shape): boolean {
  if (nextItem.test(words)) return false;
  if (another.test(words) && ahead.test(text.slice(Math.max(0, region.outer.start - 40), region.outer.start)))
    return false;
  if (links.test(words)) return true;
  const said = words.match(roles) ?? [];
  const own = expression?.kind === 'symbol' ? expression.name.toLowerCase() : '';
  const isOther = /^[qkv]$/.test(own) && said.some((word) => /^[qkv]/i.test(word)) && !said.some((word) => word.toLowerCase().startsWith(own)); // prettier-ignore
  return shape.length > 1 && !isOther && links.test(words.replace(roles, ' '));
}

/** `T × d_k`: names that may be sizes, and numbers. */
function isOfSizes(of: Expression): boolean {
  if (of.kind === 'space') return of.sizes.length > 0;
  if (of.kind === 'group' && of.of.kind === 'product') return isOfSizes(of.of);
  const isList = of.kind === 'group' && /^[([]$/.test(of.open) && of.of.kind === 'list' && of.of.items.length > 1;
  const parts = of.kind === 'product' && of.signs.includes('×') ? of.factors : isList && of.of.kind === 'list' ? of.of.items : []; // prettier-ignore
  return parts.length > 0 && parts.every((one) => one.kind === 'number' || (one.kind === 'symbol' && !one.index && /^(?:[a-z]\w*|[NTLSBCHMD])$/.test(one.name))) && parts.some((one) => one.kind === 'symbol' || !isList); // prettier-ignore
}

/** What is looked at of a row of a table: characters before and behind, formulas on each side. */
const longestRow = 400;
const mostInRow = 12;

/** `| $X$ | the input | $T \times d$ |`: the names of a row of a table, in its first cell, where one cell alone has a shape. Undefined outside of tables. */
function namesInRow(
  text: string,
  parsed: readonly Parsed[],
  i: number,
  document: Document,
): readonly SymbolPart[] | undefined {
  const place = parsed[i]?.region.outer;
  if (!place) return undefined;
  const lead = text.slice(Math.max(0, place.start - longestRow), place.start);
  const start = place.start - lead.length + lead.lastIndexOf('\n') + 1;
  if (!/^\s*\|/.test(text.slice(start, place.start))) return undefined;
  const rest = text.slice(place.end, place.end + longestRow).indexOf('\n');
  const stop = place.end + (rest < 0 ? longestRow : rest);
  const row: Parsed[] = [];
  for (let at = Math.max(0, i - mostInRow); at < Math.min(parsed.length, i + mostInRow); at++) {
    const one = parsed[at];
    if (one && one.region.outer.start >= start && one.region.outer.end <= stop) row.push(one);
  }
  const shapes = row.filter(({ expression }) => expression && isOfSizes(expression));
  const [first] = row;
  const isFirst = first && /^\s*\|\s*$/.test(text.slice(start, first.region.outer.start)) && /^\s*\|/.test(text.slice(first.region.outer.end)); // prettier-ignore
  return shapes.length === 1 && isFirst && first !== parsed[i] ? namesOf(document, first.expression) : [];
}

/** "$Q$ has $n$ rows and $d$ columns". */
function rowsAndColumns(text: string, parsed: readonly Parsed[], document: Document): void {
  parsed.forEach(({ region, expression }, i) => {
    const next = parsed[i + 1];
    if (region.display || !expression || !next?.expression || !rowsThen.test(between(text, parsed, i) ?? '')) return;
    if (!thenColumns.test(text.slice(next.region.outer.end, next.region.outer.end + 20))) return;
    for (const one of [expression, next.expression]) learnSizes(document.sizes, one);
    const shape = [expression, next.expression].flatMap((one) => sizeOf(document.sizes, one) ?? []);
    if (shape.length === 2)
      for (const name of namesBefore(text, parsed, i, document, shape)) declareSaid(document, name, shape);
  });
}

const continues = (between: string): boolean => {
  const found = goesOn.exec(between);
  return found !== null && links.test(between.slice(found.index + found[0].length));
};

const shapeOfNames = /\b((?:[A-Za-z]\w{0,40}(?:\^T)?)(?:\s{0,3},\s{0,3}[A-Za-z]\w{0,40}){0,6})\s{0,3}(?:\([^()\n]{1,30}\)\s{0,3})?(?:will have|has|have)?\s{0,3}shapes?\s{0,3}:?\s{0,3}\(([\w ,]{1,80})\)(?:\s{0,3}=\s{0,3}\(([\d ,]{1,60})\))?/g; // prettier-ignore
/** The same in back quotes: `X` of shape `(n, d_model)`. */
const quoted = /((?:`[A-Za-z]\w{0,12}`(?:,? and |, ?)?){1,6})\s{0,3}(?:is|are|has|have|with|of|\(|:){0,2}\s{0,3}(?:of )?shapes?:?\s{0,3}`?\(([\w ,]{1,80})\)/g; // prettier-ignore
/** `(n × d_model)`, in a sentence. */
const writtenPlainly = /\((n|m|T|N|L|S|seq_?len) ?[×x] ?(n|m|T|N|L|S|d|D|d_\w{1,12}|seq_?len)\)/g;
const sizeIs = /\b(d_\w+|n|N|seq_len|n_heads?|num_heads|h)\s*=\s*(\d{1,6})\b/g;

/** Lines of plain text: `W_q has shape (d_model, d_k) = (512, 64)`, `d_k = 64`. */
function plainStatements(text: string, document: Document): void {
  for (const found of text.matchAll(shapeOfNames)) {
    const [, names = '', sizes = '', numbers] = found;
    if (/["'`(=][ \t]?$/.test(text.slice(Math.max(0, found.index - 2), found.index))) continue;
    const dims = sizes.split(',').map((one) => one.trim()).filter(Boolean); // prettier-ignore
    const shape = dims.map((one): Dim => (/^\d+$/.test(one) ? Number(one) : symbol(one)));
    dims.forEach((one) => document.sizes.names.add(one));
    if (shape.length > 0) for (const name of names.split(',')) declarePlain(document, name.trim(), shape, found.index);
    const counts = numbers?.split(',').map((one) => Number(one));
    dims.forEach(
      (one, i) => counts?.[i] !== undefined && !/^\d/.test(one) && addFact(document.sizes, one, counts[i] ?? 0),
    );
  }
  for (const found of text.matchAll(quoted)) {
    const dims = (found[2] ?? '').split(',').map((one) => one.trim()).filter(Boolean); // prettier-ignore
    if (dims.length < 2 || !dims.every((one) => /^(?:\d+|[A-Za-z]\w*)$/.test(one))) continue;
    dims.forEach((one) => /^\d/.test(one) || document.sizes.names.add(one));
    const shape = dims.map((one): Dim => (/^\d/.test(one) ? Number(one) : symbol(one)));
    for (const [, name = ''] of (found[1] ?? '').matchAll(/`(\w+)`/g)) declarePlain(document, name, shape, found.index);
  }
  for (const [, rows = '', columns = ''] of text.matchAll(writtenPlainly))
    for (const name of [rows, columns]) document.sizes.names.add(name);
  for (const [, name = '', value = ''] of text.matchAll(sizeIs)) addFact(document.sizes, name, Number(value));
}

function declarePlain(document: Document, name: string, shape: Shape, at: number): void {
  const turned = /^(.*)\^T$/.exec(name)?.[1];
  const [, base, label] = /^(\p{L})_(\w+)$/u.exec(turned ?? name) ?? [];
  const key = base !== undefined && label !== undefined ? `${base}_${label}` : (turned ?? name);
  add(document.declared, key, { at, shape: turned === undefined ? shape : [...shape].reverse() });
}
