/** Why a name has its shape: where the document says it, what defines it, or that such names are used so. */
import { formatShape } from '../program';
import { t } from '../text';
import { asOf, type Document, indexedKey } from './meaning';
import { keyOf, type SymbolPart } from './tree';

/** In the order in which `meaning/names.ts` looks for it. `lineOf` gives the line of an offset, `shown` is the shape that it explains. */
export function reasonOf(
  document: Document,
  of: SymbolPart,
  isUsual: boolean,
  lineOf: (offset: number) => number,
  shown: string,
): string {
  const said = shown.includes('?') && !isUsual ? asOf(document.declared.get(indexedKey(of)), of.range.end) : undefined;
  const saidShape = said && !said.inferred ? formatShape(said.shape) : '?';
  // Its axes hold here too, its sizes may not.
  if (said && !saidShape.includes('?')) return t('line {0} says {1}, in another section', lineOf(said.at), saidShape);
  const told = toldOf(document, of, lineOf);
  if (told === undefined && !isUsual) {
    const use = asOf(document.axes.get(indexedKey(of)), of.range.end);
    const line = use && lineOf(use.at);
    return line === undefined || line === lineOf(of.range.start)
      ? t('this formula makes it so')
      : t('line {0} says so', line);
  }
  if (told === undefined) return usual();
  return isUsual ? t('{0}, but not all that this shape needs', told) : told;
}

function toldOf(document: Document, of: SymbolPart, lineOf: (offset: number) => number): string | undefined {
  const { index, primes: _, ...base } = of;
  const own = reasonOfKey(document, indexedKey(of), of, lineOf) ?? reasonOfKey(document, indexedKey({ ...base, ...(index && { index }) }), of, lineOf); // prettier-ignore
  if (own !== undefined) return own;
  if (!index) return undefined;
  const isWeight = /^[WBb]/.test(of.name) && of.label !== undefined;
  const whole = isWeight ? reasonOfKey(document, keyOf(base), of, lineOf) : saidOf(document, keyOf(base), of, lineOf);
  if (whole !== undefined) return whole;
  const upper = keyOf({ ...base, name: of.name.toUpperCase() });
  const said = upper === keyOf(base) ? undefined : asOf(document.declared.get(upper), of.range.end);
  return said ? t('one of {0}, by line {1}', upper, lineOf(said.at)) : undefined;
}

const usual = (): string => t('as texts on attention use this name; the document does not say it');

function saidOf(
  { declared }: Document,
  key: string,
  of: SymbolPart,
  lineOf: (offset: number) => number,
): string | undefined {
  const said = asOf(declared.get(key), of.range.end);
  if (!said) return undefined;
  return said.inferred ? t('follows from the equation of line {0}', lineOf(said.at)) : t('line {0} says so', lineOf(said.at)); // prettier-ignore
}

function reasonOfKey(
  document: Document,
  key: string,
  of: SymbolPart,
  lineOf: (offset: number) => number,
): string | undefined {
  const said = saidOf(document, key, of, lineOf);
  const made = asOf(document.defined.get(key), of.range.end);
  return said ?? (made && t('line {0} defines it', lineOf(made.at)));
}
