/** What sentences around formulas say: "$W_q$ … are $d \times d$ matrices", "Q has shape (n, d_k)", "each of dimension $D$". */
import { symbol, type Dim, type Shape } from '../../program';
import { bare, keyOf, type Expression, type SymbolPart } from '../tree';
import { add, type Document, type Parsed } from './context';
import { indexedKey } from './names';
import { fromWords } from './words';
import { addApart, addFact, learnSizes, open, sizeOf, writtenShape } from './sizes';

/** Words that lead from a name to its size. */
const links = /^(?:[\s,;:*_()~-]|\b(?:and|each|of|these|those|which|that|has|have|had|is|are|will|be|also|a|an|the|with|dimensions?|dimensional|shape|size|sizes|being|form|matrix|matrices|vectors?|in|our|both|all|where|scalar|rows?|trainable|weight|another|embedding)\b)*$/i; // prettier-ignore
/** A sentence that goes on with what the one before named. */
const goesOn = /[.?!]\s+(?:Each of (?:these|them)|These|They|Both|All of (?:these|them))\b/;
const behind = /^\s*(?:(?:input|output|weight|column|row|query|key|value|projection|embedding|dimensional)\s+){0,3}(?:matrix|matrices|vectors?|tensors?)\s*$/i; // prettier-ignore

export function fromProse(text: string, parsed: readonly Parsed[], document: Document): void {
  parsed.forEach((one, i) => {
    if (one.region.notation === 'latex' && !one.region.display) sizeInSentence(text, parsed, i, document);
  });
  plainStatements(text, document);
  fromWords(text, parsed, document);
  for (const all of document.declared.values()) {
    all.sort((a, b) => a.at - b.at);
    for (const { shape } of all) addApart(document.apart, shape);
  }
}

function sizeInSentence(text: string, parsed: readonly Parsed[], i: number, document: Document): void {
  const one = parsed[i];
  const of = one?.expression;
  if (!one || !of) return;
  const before = text.slice(Math.max(0, one.region.outer.start - 30), one.region.outer.start);
  const isDimension = /\b(?:dimensions?|shape|size)\s*(?:is|=)?\s*$/i.test(before);
  if (isDimension) itemsOfShape(of).forEach((item) => learnSizes(document.sizes, item));
  const row = isOfSizes(of) ? namesInRow(text, parsed, i, document) : undefined;
  if ((isDimension && !isOfCapitals(of)) || (row?.length ?? 0) > 0) learnSizes(document.sizes, of);
  const shape = shapeSaid(document, of, isDimension);
  if (!shape) return;
  const after = parsed[i + 1];
  const between = after && text.slice(one.region.outer.end, after.region.outer.start);
  const names = between !== undefined && behind.test(between) ? namesOf(document, after?.expression) : [];
  const owners = names.length > 0 ? names : (row ?? namesBefore(text, parsed, i, document));
  for (const name of owners)
    add(document.declared, indexedKey(name), { at: one.region.range.start, shape: shapeFor(document, name, shape) });
}

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
  if (shape || !isDimension) return shape;
  const first = of.kind === 'relation' ? of.sides[0] : of;
  const dim: Dim | undefined = first && sizeOf(sizes, first);
  return dim === undefined ? undefined : [dim];
}

function namesOf(document: Document, of: Expression | undefined): readonly SymbolPart[] {
  const at = of && bare(of);
  // `(B, n, d_k)` is a shape, if not of names that are none of sizes.
  if (of?.kind === 'group' && at?.kind === 'list' && !at.items.every((item) => item.kind === 'symbol' && /^[QKV]$/.test(item.name))) return []; // prettier-ignore
  if (at?.kind === 'list') return at.items.flatMap((item) => namesOf(document, item));
  return at?.kind === 'symbol' && !document.sizes.names.has(keyOf(at)) ? [at] : [];
}

/** Back over names that only link words divide. */
function namesBefore(text: string, parsed: readonly Parsed[], i: number, document: Document): readonly SymbolPart[] {
  const found: SymbolPart[] = [];
  for (let at = i - 1, next = parsed[i]; at >= 0 && at >= i - 8; at--) {
    const one = parsed[at];
    if (!one || !next || one.region.display) break;
    const between = text.slice(one.region.outer.end, next.region.outer.start);
    if (between.length > 160 || /\n\s*\n/.test(between)) break;
    const linked = links.test(between) || (found.length === 0 && continues(between));
    const names = linked ? namesOf(document, one.expression) : [];
    if (names.length === 0) break;
    found.push(...names);
    next = one;
  }
  return found;
}

/** `T × d_k`: names that may be sizes, and numbers. */
const isOfSizes = (of: Expression): boolean =>
  of.kind === 'product' && of.signs.includes('×') && of.factors.every((one) => one.kind === 'number' || (one.kind === 'symbol' && !one.index && /^(?:[a-z]\w*|[NTLSBCHMD])$/.test(one.name))); // prettier-ignore

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

const continues = (between: string): boolean => {
  const found = goesOn.exec(between);
  return found !== null && links.test(between.slice(found.index + found[0].length));
};

const shapeOfNames = /\b((?:[A-Za-z]\w{0,40}(?:\^T)?)(?:\s{0,3},\s{0,3}[A-Za-z]\w{0,40}){0,6})\s{0,3}(?:\([^()\n]{1,30}\)\s{0,3})?(?:will have|has|have)?\s{0,3}shapes?\s{0,3}:?\s{0,3}\(([\w ,]{1,80})\)(?:\s{0,3}=\s{0,3}\(([\d ,]{1,60})\))?/g; // prettier-ignore
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
