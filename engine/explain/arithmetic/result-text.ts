// The result of a line as text.
import { t } from '../../text';
import type { Precision } from '../../math';
import { boundText, type ShownResult } from './relation';

/** `= 2.38`; `≈ 2.38 (±0.01)` where redoing the line gives another last digit. */
export const equals = (result: ShownResult, dtype: Precision): string =>
  `${signOf(result)} ${result.text}${marginOf(result, dtype)}`;

/** The same without an equals sign: `2.38`, `≈ 2.38 (±0.01)`. */
export const amount = (result: ShownResult, dtype: Precision): string =>
  `${isNear(result) ? '≈ ' : ''}${result.text}${marginOf(result, dtype)}`;

export const signOf = (result: ShownResult): '=' | '≈' => (isNear(result) ? '≈' : '=');

const isNear = ({ about }: ShownResult): boolean => about !== undefined && Number.isFinite(about.bound);

/** The bound of the difference, and that rounding to the dtype caused it where it did. */
export function marginOf({ about }: ShownResult, dtype: Precision): string {
  if (!about) return '';
  if (!Number.isFinite(about.bound)) return ` (${t('rounded to {0}', dtype)})`;
  const bound = boundText(about.bound);
  return about.rounded && dtype !== 'float64' ? ` (${t('±{0}, rounded to {1}', bound, dtype)})` : ` (±${bound})`;
}
