import { counted, t, type ComparedHead, type HeadPlace, type ModelSummary, type PlacedHead, type ReadTokens, type ScoredKind } from '../../engine/index'; // prettier-ignore

/** The tokens that a run read. */
export interface RunTokens {
  readonly first: ReadTokens;
  readonly second?: ReadTokens;
}

/** `decoder, layer 1, head 2` */
export const placeWords = ({ stack, layer, head, crosses }: HeadPlace): string =>
  [
    ...(stack === 'layers' ? [] : [stack === 'encoder' ? t('encoder') : t('decoder')]),
    t('layer {0}, head {1}', layer, head),
    ...(crosses ? [t('at the encoder')] : []),
  ].join(', ');

/** The layer's name above its heads. */
export const layerWords = ({ stack, layer, crosses }: HeadPlace): string =>
  [
    ...(stack === 'layers' ? [] : [stack === 'encoder' ? t('encoder') : t('decoder')]),
    t('Layer {0}', layer),
    ...(crosses ? [t('at the encoder')] : []),
  ].join(', ');

/** The cell to look at: what shows the head's kind most, else where the last token looks most. */
export function shownCell({ scored, last, stack }: PlacedHead, tokens: RunTokens): { readonly row: number; readonly key: number; readonly weight: number } {
  const own = stack === 'decoder' && tokens.second ? tokens.second : tokens.first;
  return scored?.shows ?? { row: own.tokens.length - 1, ...last };
} // prettier-ignore

/** `“Z” (16) → “a” (2): 0.94` */
export function cellWords(place: HeadPlace, cell: { row: number; key: number; weight: number }, tokens: RunTokens): string {
  const { queries, keys } = axes(place, tokens);
  return t('“{0}” ({1}) looks at “{2}” ({3}) with {4}', queries[cell.row] ?? '', cell.row, keys[cell.key] ?? '', cell.key, cell.weight.toFixed(2));
} // prettier-ignore

export function axes({ stack, crosses }: HeadPlace, { first, second }: RunTokens): { queries: readonly string[]; keys: readonly string[] } {
  const own = stack === 'decoder' && second ? second : first;
  return { queries: own.tokens, keys: (crosses ? first : own).tokens };
} // prettier-ignore

/** The score that named a head. */
export const scoreOf = ({ scored }: PlacedHead): number => (scored && scored.kind !== 'none' ? scored.scores[scored.kind] : NaN); // prettier-ignore

/** A kind in one word. */
export const kindWord = (kind: ScoredKind): string =>
  ({
    induction: t('induction'),
    duplicate: t('duplicate'),
    previous: t('previous token'),
    next: t('next token'),
    self: t('own token'),
    sink: t('first token'),
  })[kind];

/** How many rows a score is a mean of, where that is not all. */
export const basisWords = ({ scored }: PlacedHead): readonly string[] =>
  scored && (scored.kind === 'induction' || scored.kind === 'duplicate')
    ? [t('mean of {0}', counted(scored.repeats, 'row'))]
    : [];

/** `gpt2: 12 layers of 12 heads, 124.4 million parameters` */
export const summaryWords = ({ family, layers, heads, parameters, dtypes, context }: ModelSummary): string =>
  `${t('{0}: {1} layers of {2} heads, {3} million parameters', family, layers.join(' + '), heads, (parameters / 1e6).toFixed(1))}, ${dtypes.join(', ')}; ${t('reads up to {0} tokens', context)}`; // prettier-ignore

/** `+0.31 at “met” (8) → “Z” (1)`; where the two texts have other tokens there, both. */
export function differenceWords(one: ComparedHead, first: RunTokens, second: RunTokens): string {
  if (!one.difference) return t('not the same number of tokens');
  const { largest, row, column } = one.difference;
  if (largest === 0) return t('the same');
  const [a, b] = [axes(one, first), axes(one, second)];
  const both = (of: 'queries' | 'keys', at: number): string => [...new Set([a[of][at], b[of][at]])].join(' | ');
  const size = Math.abs(largest) < 0.005 ? tiny(Math.abs(largest)) : Math.abs(largest).toFixed(2);
  return t('{0} at “{1}” ({2}) → “{3}” ({4})', `${largest < 0 ? '−' : '+'}${size}`, both('queries', row), row, both('keys', column), column); // prettier-ignore
}

/** `1.2e−6` */
export const tiny = (value: number): string => value.toExponential(1).replace('-', '−');

/** `L1 H2`; of a model with two stacks `D1 H2`, crossing `X1 H2`. */
export const shortPlace = ({ stack, layer, head, crosses }: HeadPlace): string =>
  `${crosses ? 'X' : stack === 'encoder' ? 'E' : stack === 'decoder' ? 'D' : 'L'}${layer} H${head}`;
