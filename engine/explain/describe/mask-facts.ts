import { t } from '../../text';
import type { Fact } from './fact';
import type { Described, Grid } from './grid';
import { fillOf, isBinary, isBoolean, patternOf, type Pattern } from './masks';

/**
 * `additive-mask`: every value is exactly 0 or one fill, which is −∞ or at most −10,000; the words say which cells are filled if those form
 * a pattern. `hidden-row`: a row without any 0, for which softmax gives NaN if the fill is −∞.
 */
export function maskFact(matrix: Described, grids: readonly Grid[]): Fact[] {
  const fill = fillOf(matrix);
  if (fill === undefined) return [];
  const pattern = patternOf(grids, (x) => x === fill);
  const what =
    fill === -Infinity
      ? '−∞'
      : (fill <= -1e9 ? fill.toExponential() : String(fill)).replace(/-/g, '−').replace('e+', 'e');
  const words = pattern
    ? t('0 and {0} {1}: {2}', what, placeOf(pattern), additive(pattern))
    : t('0 and {0}: {1}', what, additive(pattern));
  const hidden = fill === -Infinity ? hiddenRow(grids) : undefined;
  const row: Fact[] = hidden === undefined ? [] : [{ id: 'hidden-row', words: nanRow(hidden) }];
  return [{ id: 'additive-mask', words }, ...row];
}

const nanRow = (row: number): string => t('row {0} is −∞ throughout: its query sees no key, softmax gives NaN', row);

const hiddenRow = (grids: readonly Grid[]): number | undefined => {
  for (const { rows, columns, at } of grids)
    for (let i = 0; i < rows; i++) if (range(columns).every((j) => at(i, j) === -Infinity)) return i;
  return undefined;
};

/** The cells of a pattern in words: `above the diagonal`. */
function placeOf(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'above':
      return pattern.alignment === 'start'
        ? t('above the diagonal')
        : t('above the diagonal that ends in the last column');
    case 'on-and-above':
      return t('on and above the diagonal');
    case 'below':
      return t('below the diagonal');
    case 'columns':
      return columnWords(pattern.columns);
    case 'far':
      return t('more than {0} from the diagonal', pattern.size);
    case 'far-or-later':
      return t('above the diagonal and more than {0} below it', pattern.size);
  }
}

function additive(pattern: Pattern | undefined): string {
  switch (pattern?.kind) {
    case 'above':
      return pattern.alignment === 'start'
        ? t('an additive causal mask')
        : t('an additive causal mask, the last query sees the last key');
    case 'on-and-above':
      return t('an additive mask that hides each token’s own key too');
    case 'below':
      return t('an additive mask that hides earlier keys');
    case 'columns':
      return t('an additive padding mask, the same keys hidden in each row');
    case 'far':
      return t('an additive window mask');
    case 'far-or-later':
      return t('an additive causal window mask');
    case undefined:
      return t('an additive mask');
  }
}

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** At most this many columns are listed. */
const listed = 6;

/** `in column 3`, `in columns 2–4`, `in columns 0, 2`. */
function columnWords(columns: readonly number[]): string {
  const [first = 0, last = 0] = [columns[0], columns.at(-1)];
  if (columns.length === 1) return t('in column {0}', first);
  if (last - first === columns.length - 1) return t('in columns {0}–{1}', first, last);
  return columns.length > listed
    ? t('in the same {0} columns', columns.length)
    : t('in columns {0}', columns.join(', '));
}

/**
 * `boolean-mask`: the values are 0 and 1 (both occur), and the dtype is bool, or the pattern is causal with at least two rows, or the name is
 * that of a padding mask of keys. The words say where True (or 1) is and, for causal patterns, what that means in PyTorch's two conventions.
 */
export function booleanFact(matrix: Described, grids: readonly Grid[]): Fact[] {
  if (!isBinary(matrix)) return [];
  const isBool = isBoolean(matrix);
  const one = isBool ? 'True' : '1';
  if (isKeyPadding(matrix)) return [{ id: 'boolean-mask', words: keyPadding(one) }];
  const ones = patternOf(grids, (x) => x === 1);
  const zeros = patternOf(grids, (x) => x === 0);
  const words = isHiding(ones)
    ? `${one} ${placeOf(ones)}: ${causalWords(ones, 'hidden')}`
    : isHiding(zeros)
      ? t('{0} everywhere but {1}: {2}', one, placeOf(zeros), causalWords(zeros, 'visible'))
      : isBool
        ? otherBoolean(ones, zeros, grids)
        : undefined;
  return words === undefined ? [] : [{ id: 'boolean-mask', words }];
}

/** Whether the name tells what the numbers alone do not. */
const isKeyPadding = ({ name = '' }: Described): boolean => /key_?padding_?mask/i.test(name);

const keyPadding = (one: string): string =>
  t(
    '{0} hides its key from every query, as MultiheadAttention’s key_padding_mask; scaled_dot_product_attention expects the opposite',
    one,
  );

const isHiding = (pattern: Pattern | undefined): pattern is Extract<Pattern, { kind: 'above' | 'far-or-later' }> =>
  pattern?.kind === 'above' || pattern?.kind === 'far-or-later';

function causalWords(pattern: Pattern, trueMeans: 'hidden' | 'visible'): string {
  const kind = pattern.kind === 'far-or-later' ? t('a causal window mask') : t('a causal mask');
  return trueMeans === 'hidden'
    ? t(
        '{0} as MultiheadAttention’s attn_mask (true is hidden); scaled_dot_product_attention expects the opposite',
        kind,
      )
    : t(
        '{0} as scaled_dot_product_attention’s attn_mask (true is visible); MultiheadAttention expects the opposite',
        kind,
      );
}

/** Words for a pattern that can be read either way: they give both readings. */
function otherBoolean(ones: Pattern | undefined, zeros: Pattern | undefined, grids: readonly Grid[]): string {
  if (ones?.kind === 'columns') {
    const where = columnWords(ones.columns);
    return (grids[0]?.rows ?? 1) > 1
      ? t(
          'True {0} of each row: a padding mask; key_padding_mask hides those keys, scaled_dot_product_attention shows only those',
          where,
        )
      : t(
          'True {0}: a padding mask; key_padding_mask hides those keys, scaled_dot_product_attention shows only those',
          where,
        );
  }
  const shown = ones?.kind === 'far' ? ones : undefined;
  const near = zeros?.kind === 'far' ? zeros : undefined;
  if (near) return t('True up to {0} from the diagonal: a window mask if true is visible', near.size);
  if (shown) return t('True {0}: a window mask if true is hidden', placeOf(shown));
  if (ones) return t('True {0}: a boolean mask', placeOf(ones));
  return t('True and False: a boolean mask');
}
