import { countTemplate, type Noun } from './counted';
import { template, textKey } from './l10n';
import type { Role } from './role';
import { symbols } from './symbols';

/*
 * Sentences as data. A sentence is kept as its English template with what stands in its places, and becomes spans only when it is shown: then its
 * language and how the matrices are drawn (tokens as rows or as columns) are chosen. Nothing ever reads a sentence that was written.
 *
 * A template, in English as in every translation, has
 * - `{0}`, `{1}`: places, in whatever order the language wants them; `{0:genitive}` asks what stands there for a form, where the bundle has one
 *   (a text whose key ends in `:genitive`);
 * - `{Q}`, `{W_O}`, `{Kᵀ}`: symbols by their names (`symbols.ts`);
 * - `[row|column]`: words for matrices with tokens as rows, and for those with tokens as columns. Whatever agrees with them stands in the brackets
 *   too: `[jeder Zeile|jeder Spalte]`, and so may places.
 */
export interface Sentence {
  readonly say: string;
  readonly with: readonly Place[];
  /** The layer that it speaks of, where there are several. */
  readonly within?: Within;
}

/** Where symbols of a sentence lead to, in a layer of several. */
export interface Within {
  /** Before the ids of the layer's steps. */
  readonly scope: string;
  /** What {X} is there. */
  readonly x: { readonly name: string; readonly step: string };
}

/** What stands in a place. A string is shown as it is. */
export type Place = string | number | Sentence | Mark;

/** Where a span leads: a step, and a cell of it. Rows and columns are the trace's, however they are drawn. */
export interface LinkTarget {
  readonly step: string;
  readonly row?: number;
  readonly column?: number;
  /** Batch and head, where it is another one than the reader's. */
  readonly lead?: readonly number[];
}

export interface SymbolMark {
  readonly kind: 'symbol';
  /** `W_q`; Unicode. */
  readonly name: string;
  readonly role?: Role | undefined;
  /** The first of them that the plan has. */
  readonly steps: readonly string[];
  readonly transposed?: boolean;
}

/** A token that names a row or a column of a matrix. */
export interface TokenMark {
  readonly kind: 'token';
  readonly token: string;
  readonly role: Role;
  readonly axis: 'row' | 'column';
  /** Its number stands for a name that the input does not give: written without quotes, and as `row 2` where it stands alone (`{0:alone}`). */
  readonly unnamed?: boolean;
  readonly to?: LinkTarget | undefined;
}

export interface NumberMark {
  readonly kind: 'number';
  readonly text: string;
  /** Of the matrix that it is a size of. */
  readonly role?: Role | undefined;
  readonly to?: LinkTarget | undefined;
}

/** How many of a thing: `3 rows`. Rows are columns where the matrices are drawn so, unless it says of what is `fixed`. */
export interface CountMark {
  readonly kind: 'count';
  readonly n: number;
  readonly noun: Noun;
  readonly fixed: boolean;
  readonly to?: LinkTarget | undefined;
}

/** `6×8` of a matrix that is drawn transposed where tokens are columns. */
export interface ShapeMark {
  readonly kind: 'shape';
  readonly shape: readonly number[];
  readonly brackets?: boolean;
  readonly role?: Role;
}

/** `X·W_qᵀ`, with W as it is stored: `W_q·X` where tokens are columns. */
export interface ProductMark {
  readonly kind: 'product';
  readonly left: SymbolMark;
  readonly right: SymbolMark;
}

/** The place of an element, by its number in a list that is given with the sentence. */
export const slot = (at = 0): SlotMark => ({ kind: 'slot', slot: at });

/** A number that is a size of a matrix, or counts something that is one. */
export interface SizeMark {
  readonly kind: 'size';
  readonly n: number;
  readonly to?: LinkTarget | undefined;
}

/** Something that whoever shows the sentence puts there: an element, a button. */
interface SlotMark {
  readonly kind: 'slot';
  readonly slot: number;
}

export type Mark = SymbolMark | TokenMark | NumberMark | CountMark | ShapeMark | ProductMark | SizeMark | SlotMark;

/** A piece of a sentence as it is shown. The texts of all, one after the other, are the sentence. */
export type Span =
  /** `side` where the words were chosen by how the matrices are drawn. */
  | { readonly kind: 'text'; readonly text: string; readonly side?: 'rows' | 'columns' }
  | (SymbolMark & { readonly text: string })
  /** Its text has the quotation marks of the language. */
  | (TokenMark & { readonly text: string })
  /** `size` where it is a size of a matrix, or counts something that is one. */
  | (NumberMark & { readonly size?: boolean })
  | (SlotMark & { readonly text: string });

/** A sentence by its English template, which is its key in the bundles. */
export const say = (english: string, ...places: readonly Place[]): Sentence => ({ say: english, with: places });

/** What has no language: signs, and what stands between them. */
export const signs = (template: string, ...places: readonly Place[]): Sentence => ({ say: template, with: places });

/** Sentences, one after the other. */
export const joined = (...sentences: readonly Sentence[]): Sentence =>
  signs(sentences.map((_, i) => `{${i}}`).join(' '), ...sentences);

/** A symbol by its name, as `{name}` in a template. */
export const named = (name: string, transposed = false): SymbolMark => {
  const { role, steps } = symbols[name] ?? { steps: [] };
  return { kind: 'symbol', name, ...(role && { role }), steps, transposed };
};

export const count = (n: number, noun: Noun, to?: LinkTarget): CountMark => ({
  kind: 'count',
  n,
  noun,
  fixed: false,
  to,
});

/** The same of a matrix that is never drawn transposed. */
export const countFixed = (n: number, noun: Noun, to?: LinkTarget): CountMark => ({
  ...count(n, noun, to),
  fixed: true,
});

export const number = (text: string | number, to?: LinkTarget, role?: Role): NumberMark => ({
  kind: 'number',
  text: String(text),
  to,
  role,
});

/** A number that is a size of a matrix: not told while the shape is to be predicted. */
export const size = (n: number, to?: LinkTarget): SizeMark => ({ kind: 'size', n, to });

export const shapeMark = (
  shape: readonly number[],
  how: { readonly brackets?: boolean; readonly role?: Role } = {},
): ShapeMark => ({ kind: 'shape', shape, ...how });

export const product = (left: SymbolMark, right: SymbolMark): ProductMark => ({ kind: 'product', left, right });

/** A sentence in the reader's language, with tokens as rows or as columns. */
export const spansOf = (sentence: Sentence, columns = false): Span[] => merged(spansIn(sentence, columns, undefined));

/** The same without anything but letters: for terminals, listeners, files. */
export const plainText = (sentence: Sentence, columns = false): string =>
  spansIn(sentence, columns, undefined)
    .map(({ text }) => text)
    .join('');

function spansIn({ say: english, with: places, within }: Sentence, columns: boolean, form: string | undefined): Span[] {
  const spans = filled(template(english, form), places, columns);
  return within ? spans.map((span) => (span.kind === 'symbol' ? inLayer(span, within) : span)) : spans;
}

/** A symbol leads to the layer's own step, if there is one; X is what the layer's attention starts from. */
function inLayer(span: Extract<Span, { kind: 'symbol' }>, { scope, x }: Within): Span {
  if (span.name === 'X') return symbolSpan({ ...span, name: x.name, steps: [x.step] });
  return scope ? { ...span, steps: [...span.steps.map((id) => scope + id), ...span.steps] } : span;
}

const parts = /\[([^[\]|]*)\|([^[\]|]*)\]|\{([^{}]+)\}/g;

function filled(text: string, places: readonly Place[], columns: boolean, side?: 'rows' | 'columns'): Span[] {
  const spans: Span[] = [];
  const words = (from: number, to?: number): void => {
    if (from < (to ?? text.length)) spans.push({ kind: 'text', text: text.slice(from, to), ...(side && { side }) });
  };
  let end = 0;
  for (const match of text.matchAll(parts)) {
    const [whole, rows, turned, place] = match;
    words(end, match.index);
    end = match.index + whole.length;
    if (place === undefined)
      spans.push(...filled((columns ? turned : rows) ?? '', places, columns, columns ? 'columns' : 'rows'));
    else spans.push(...inPlace(place, places, columns));
  }
  words(end);
  return spans;
}

/** What stands at `{2}`, `{2:genitive}` or `{Kᵀ}`; braces that mean nothing stay. */
function inPlace(place: string, places: readonly Place[], columns: boolean): Span[] {
  const [index = '', form] = place.split(':');
  if (/^\d+$/.test(index)) {
    const value = places[Number(index)];
    return value === undefined ? [written(`{${place}}`)] : placed(value, columns, form);
  }
  const transposed = place.endsWith('ᵀ');
  const name = transposed ? place.slice(0, -1) : place;
  return symbols[name] ? [symbolSpan(named(name, transposed))] : [written(`{${place}}`)];
}

const quoted = textKey('“{0}”');
const numbered = { row: textKey('row {0}'), column: textKey('column {0}') };

/** Whether rows or columns have no names but their numbers. */
export const isUnnamed = (labels: readonly string[]): boolean =>
  labels[0] === '0' && labels.at(-1) === String(labels.length - 1);

const apart = new WeakMap<readonly string[], readonly string[]>();

/** Names for tokens: the same text at several positions gets its position, `the (4)`. Kept for the labels, which all steps share. */
export function namesApart(labels: readonly string[]): readonly string[] {
  const known = apart.get(labels);
  if (known) return known;
  const often = new Map<string, number>();
  for (const label of labels) often.set(label, (often.get(label) ?? 0) + 1);
  const names = labels.map((label, i) => (label !== '' && (often.get(label) ?? 0) > 1 ? `${label} (${i})` : label));
  apart.set(labels, names);
  return names;
}

function tokenSpan(place: TokenMark, columns: boolean, form: string | undefined): Span {
  const words = !place.unnamed ? quoted : form === 'alone' ? numbered[columns ? 'column' : 'row'] : undefined;
  return { ...place, text: words ? template(words).replace('{0}', () => place.token) : place.token };
}

const written = (text: string): Span => ({ kind: 'text', text });
const symbolSpan = (mark: SymbolMark): Span => ({ ...mark, text: mark.name + (mark.transposed ? 'ᵀ' : '') });

function placed(place: Place, columns: boolean, form: string | undefined): Span[] {
  if (typeof place === 'string') return [written(place)];
  if (typeof place === 'number') return [{ kind: 'number', text: String(place) }];
  if ('say' in place) return spansIn(place, columns, form);
  switch (place.kind) {
    case 'symbol':
      return [symbolSpan(place)];
    case 'token':
      return [tokenSpan(place, columns, form)];
    case 'number':
      return [place];
    case 'slot':
      return [{ ...place, text: '' }];
    case 'size':
      return [{ kind: 'number', text: String(place.n), to: place.to, size: true }];
    case 'count':
      return countSpans(place, columns, form);
    case 'shape':
      return [shapeSpan(place, columns)];
    case 'product':
      return productSpans(place, columns);
  }
}

/** What rows are called where they are drawn as columns. */
const turnedNouns: { readonly [noun in Noun]?: Noun } = {
  row: 'column',
  column: 'row',
  'value row': 'value column',
};

function countSpans({ n, noun, fixed, to }: CountMark, columns: boolean, form: string | undefined): Span[] {
  const own = columns && !fixed ? (turnedNouns[noun] ?? noun) : noun;
  return filled(countTemplate(n, own, form), [{ kind: 'size', n, to }], columns);
}

function shapeSpan({ shape, brackets, role }: ShapeMark, columns: boolean): Span {
  const last = shape.slice(-2);
  const text = [...shape.slice(0, -2), ...(columns ? last.reverse() : last)].join('×');
  return { kind: 'number', text: brackets ? `(${text})` : text, role, size: true };
}

function productSpans({ left, right }: ProductMark, columns: boolean): Span[] {
  if (!columns) return [symbolSpan(left), written('·'), symbolSpan(right)];
  return [symbolSpan({ ...right, transposed: !right.transposed }), written('·'), symbolSpan(left)];
}

/** Words beside words of the same side are one span. */
function merged(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (span.text === '' && span.kind === 'text') continue;
    if (span.kind === 'text' && last?.kind === 'text' && last.side === span.side)
      out[out.length - 1] = { ...last, text: last.text + span.text };
    else out.push(span);
  }
  return out;
}
