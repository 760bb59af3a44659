import { t, counted } from '../text';
import type { ParsedMatrix } from './matrix';

/** Notes on the values of the used matrices: NaN and infinities, changes to printed digits, the dtype that the source states. */
export function valueNotes(used: readonly ParsedMatrix[]): string[] {
  const odd = used.flatMap((m) => [countNote(m, 'NaN', Number.isNaN), countNote(m, 'infinite', isInfinite)]);
  const printed = used.flatMap((m) => (m.notes ?? []).map((note) => `${m.name ?? 'X'}: ${note}`));
  const notes = [...odd, ...printed, ...used.map(cutNote), ...used.map(dtypeNote)];
  return [...new Set(notes.filter((note) => note !== undefined))];
}

const isInfinite = (x: number): boolean => x === Infinity || x === -Infinity;

/** `Q holds 2 NaN, the first at [0, 2].` */
function countNote(m: ParsedMatrix, what: 'NaN' | 'infinite', is: (x: number) => boolean): string | undefined {
  const first = m.values.findIndex(is);
  if (first < 0) return undefined;
  const count = m.values.reduce((n, x) => n + (is(x) ? 1 : 0), 0);
  const columns = m.shape.at(-1) ?? 1;
  const place = `[${Math.floor(first / columns)}, ${first % columns}]`;
  const [name, values] = [m.name ?? 'X', what === 'NaN' ? t('{0} NaN', count) : counted(count, 'infinite value')];
  return count === 1
    ? t('{0} holds {1}, at {2}.', name, values, place)
    : t('{0} holds {1}, the first at {2}.', name, values, place);
}

const whole = /^(?:u?int(?:8|16|32|64)?|long)$/;

/** A note that an integer dtype would truncate fractions (`np.array([1.5], dtype=int)` is 1), which is not done here. */
function cutNote(m: ParsedMatrix): string | undefined {
  if (m.dtype === undefined || !whole.test(m.dtype)) return undefined;
  const cut = m.values.find((x) => !Number.isInteger(x));
  return cut === undefined
    ? undefined
    : t('The source says {0} for {1}, which would cut {2}; it is kept as written.', m.dtype, m.name ?? 'X', cut);
}

/** Dtypes that are exact here, and need no note: floats we compute in, and booleans. */
const asComputed = /^(?:float64|float32|single|double|float|bool_?)$/;

function dtypeNote({ dtype }: ParsedMatrix): string | undefined {
  if (dtype === undefined || asComputed.test(dtype) || whole.test(dtype)) return undefined;
  return t('The source says {0}, which is not computed: its digits differ, float32 is nearest.', dtype);
}
