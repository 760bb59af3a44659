import { ensureCapacity, type Frame, type Reader } from './nested-state';
import { power } from './numbers';
import { code, isDigit } from './scanner';

/** Whether a run can begin at a comma at the cursor: it follows an item in a row of numbers without irregularities so far. */
export const startsRun = (r: Reader, top: Frame): boolean =>
  r.leafLevel === top.level && !top.ready && !top.brackets && !r.gaps;

/**
 * Fast path for large matrices: reads consecutive `, -1.5`, each a plain decimal directly followed by a comma or the closing bracket. Stops
 * before anything else, which the general reader handles, and after some thousand characters, so that long lists yield too.
 */
export function readRun(r: Reader, top: Frame): void {
  const { s } = r;
  const { text } = s;
  const first = r.numbers;
  let at = s.at;
  const most = at + longestRun;
  for (
    let next = 0;
    at < most && text.charCodeAt(at) === code.comma && (next = readDecimal(r, at + 1)) > 0;
    at = next
  ) {
    ensureCapacity(r);
    r.values[r.numbers++] = s.value;
  }
  if (at === s.at) return;
  s.steps += at - s.at;
  s.at = at;
  top.count += r.numbers - first;
  top.commas += r.numbers - first;
  top.numbers = true;
  r.commas = true;
}

/** Most characters of one run. */
const longestRun = 4096;

/** Reads a decimal at `at` into `s.value`; returns its end, or 0 if there is something else. */
function readDecimal({ s }: Reader, at: number): number {
  const { text } = s;
  let i = text.charCodeAt(at) === code.space ? at + 1 : at;
  const negative = text.charCodeAt(i) === code.minus;
  if (negative) i++;
  const start = i;
  let [mantissa, point] = [0, -1];
  let c = text.charCodeAt(i);
  // `010` is left to the general reader, which refuses it.
  if (!isDigit(c) || (c === 48 && isDigit(text.charCodeAt(i + 1)))) return 0;
  for (; ; c = text.charCodeAt(++i)) {
    if (isDigit(c)) mantissa = mantissa * 10 + (c - 48);
    else if (c === code.dot && point < 0) point = i;
    else break;
  }
  if (c !== code.comma && c !== code.closeBracket && c !== code.close) return 0;
  const by = point < 0 ? 1 : power(i - point - 1);
  // Both operands exact: one correctly rounded division (Clinger 1990). Otherwise use the language's conversion.
  const value = mantissa < MOST && by > 0 ? mantissa / by : Number(text.slice(start, i));
  s.value = negative ? -value : value;
  return i;
}

/** 2⁵³: a sum of digits below it was exact at every step, because rounding is monotonic. */
const MOST = 0x20000000000000;
