/**
 * What a shape rests on. A document says it, or a formula forces it; else only texts on attention use the name so. What rests on that alone is counted here, so that no
 * formula claims it.
 */
import { formatShape, same, type Shape } from '../../program';
import { keyOf, type SymbolPart } from '../tree';
import { countBefore, type Declared, type Document, type Parsed, type Reading } from './context';
import { resolvedShape } from './sizes';

/** What is read from here on rests on how such names are used, not on what the text says. */
export const guess = (r: Reading): void => void r.ground.guesses++;

/** What `read` finds, and whether it rests on a guess. */
export function weighing<T>(r: Reading, read: () => T): { readonly found: T; readonly isUsual: boolean } {
  const before = r.ground.guesses;
  const found = read();
  return { found, isUsual: r.ground.guesses > before };
}

/** Its shape is forced by the formula, whatever stands in it: a length is a number. */
export function forced<T>(r: Reading, read: () => T): T {
  const before = r.ground.guesses;
  const found = read();
  r.ground.guesses = before;
  return found;
}

/** Which section an offset is in: how many headings stand before it. */
export const sectionOf = ({ sections }: Document, at: number): number => countBefore(sections, at, (start) => start);

/** Where headings of Markdown and LaTeX begin, those in blocks of code left out. */
export function headingsOf(text: string): readonly number[] {
  const found: number[] = [];
  let isCode = false;
  for (const { 0: start, index } of text.matchAll(
    /^[ \t]{0,3}(?:```|~~~|#{1,6}[ \t]|\\(?:sub){0,2}section\b|\\chapter\b|\\paragraph\b)/gm,
  ))
    // prettier-ignore
    if (/```|~~~/.test(start)) isCode = !isCode;
    else if (!isCode) found.push(index);
  return found;
}

/** More declarations of one name than this are not compared. */
const mostCompared = 40;

/** "where Q ∈ …" stands this close behind a formula. */
const nearBehind = 1200;

const isTurned = (a: Shape, b: Shape): boolean =>
  a.length === b.length && a.length > 1 && formatShape(a) !== formatShape(b) && [...a].map((dim) => formatShape([dim])).sort().join() === [...b].map((dim) => formatShape([dim])).sort().join(); // prettier-ignore

const differ = (a: Shape, b: Shape): boolean =>
  a.length !== b.length || a.some((dim, i) => same(dim, b[i] ?? 0) === false || typeof dim !== typeof b[i]);

/** Two places of one section that say opposite things of a name, in the order in which they stand. */
export function contradicted(r: Reading, all: readonly Declared[], one: Declared): Declared | undefined {
  const { document, at } = r;
  const section = sectionOf(document, one.at);
  const shape = resolvedShape(document.sizes, one.shape);
  return all.slice(-mostCompared).find((other) => other !== one && other.at <= at && !other.inferred && !one.inferred && sectionOf(document, other.at) === section && isTurned(resolvedShape(document.sizes, other.shape), shape)); // prettier-ignore
}

/** Whether what a declaration says holds where a formula stands: said in its section, before it and nothing else anywhere, or close behind it. */
export function holdsAt(r: Reading, all: readonly Declared[], one: Declared, key: string): boolean {
  const { document, at } = r;
  if (one.isGuessed) return false;
  if (sectionOf(document, one.at) === sectionOf(document, at)) return true;
  if (document.given.has(`${sectionOf(document, at)}:${key}`)) return false;
  if (one.at > at) return one.at - at <= nearBehind && !document.sizes.names.has(key);
  // Numbers of an example further on are no other sizes of queries than those with names.
  const isExample = ({ at: place, shape }: Declared): boolean => /^[QKV]$/.test(key) && place > at && shape.every((dim) => typeof dim === 'number') && one.shape.every((dim) => typeof dim !== 'number'); // prettier-ignore
  return !all.slice(-mostCompared).some((other) => !other.inferred && !isExample(other) && differ(other.shape, one.shape)); // prettier-ignore
}

const conditional = /\(([^()]{1,80}?)(?:\\[mv]id\b|\\vert\b|(?<!\\)\|)([^()|]{1,80})\)/g;

/** `\pi(y_w \mid x)`: not the x and y that another section sizes. */
export function readGiven(text: string, parsed: readonly Parsed[], document: Document): void {
  for (const { region } of parsed)
    for (const found of text.slice(region.range.start, region.range.end).matchAll(conditional))
      for (const [, name = '', below] of `${found[1] ?? ''} ${found[2] ?? ''}`.matchAll(
        /(?<![\\\p{L}])([abcxyz])(?!\p{L})(_)?/gu,
      ))
        document.given.add(`${sectionOf(document, region.range.start)}:${name}${below ? '[]' : ''}`);
}

/** Capitals, q, k and v; other small letters stand for something else in another section (`y_i` for a target), unless words here say it too. */
export const meansTheSame = ({ document, at }: Reading, key: string): boolean =>
  !document.given.has(`${sectionOf(document, at)}:${key}`) && (/^(?:[A-Z]|[qkv](?![a-z]))/.test(key) || (document.axes.get(key) ?? []).some((one) => sectionOf(document, one.at) === sectionOf(document, at))); // prettier-ignore

/** How many axes a name has in all that the document says of it, in shapes and in words: sizes of another section may be others here. More than two may be those of a batch, which not every section has. */
export function agreedAxes(r: Reading, all: readonly Declared[], key: string): number | undefined {
  const { axes } = r.document;
  const said = all.slice(-mostCompared).filter(({ inferred }) => !inferred);
  const count = said[0]?.shape.length;
  const agree = said.every(({ shape }) => shape.length === count) && (axes.get(key) ?? []).every((one) => one.count === count); // prettier-ignore
  // A size here, as P of P×P: it may be another P.
  const isSize = r.document.sizes.names.has(key);
  return agree && !isSize && (count === 1 || count === 2) && meansTheSame(r, key) ? count : undefined;
}

/** How many axes the document's words give a name: 1 of "the vector $x$", 2 of "the matrix $Q$". Undefined where it says both. */
export function axesInWords({ axes }: Document, of: SymbolPart): number | undefined {
  const said = axes.get(keyOf(of) + '[]'.repeat(of.index?.length ?? 0));
  return said && said.every(({ count }) => count === said[0]?.count) ? said[0]?.count : undefined;
}
