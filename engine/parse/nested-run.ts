import { ensureCapacity, type Frame, type Reader } from './nested-state';
import { power } from './numbers';
import { code, isDigit } from './scanner';

/** Whether a comma at the cursor can begin a run: it follows an item of a row of numbers, and nothing was odd so far. */
export const startsRun = (r: Reader, top: Frame): boolean =>
  r.leafLevel === top.level && !top.ready && !top.brackets && !r.gaps;

/**
 * Reads as many `, -1.5` as follow each other, each a plain decimal with a comma or the closing bracket right behind it:
 * nearly all of a large matrix. Stops before whatever else there is, which is then read with all the care it needs, and after some thousand
 * characters, so that a list without rows has its places to stop too.
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

/** Characters of one run. */
const longestRun = 4096;

/** The decimal from `at` on into `s.value`; gives where it ends, or 0 when something else stands there. */
function readDecimal({ s }: Reader, at: number): number {
  const { text, end } = s;
  let i = text.charCodeAt(at) === code.space ? at + 1 : at;
  const negative = text.charCodeAt(i) === code.minus;
  if (negative) i++;
  const start = i;
  let [mantissa, point] = [0, -1];
  let c = text.charCodeAt(i);
  if (!isDigit(c)) return 0;
  for (; ; c = text.charCodeAt(++i)) {
    if (isDigit(c)) mantissa = mantissa * 10 + (c - 48);
    else if (c === code.dot && point < 0) point = i;
    else break;
  }
  if (i >= end || (c !== code.comma && c !== code.closeBracket && c !== code.close)) return 0;
  const by = point < 0 ? 1 : power(i - point - 1);
  // Both exact: one correctly rounded division (Clinger 1990). Otherwise the language's own conversion.
  const value = mantissa < MOST && by > 0 ? mantissa / by : Number(text.slice(start, i));
  s.value = negative ? -value : value;
  return i;
}

/** Below this a sum of digits was exact all the way: rounding keeps the order, so that a larger one is not below it. */
const MOST = 0x20000000000000;
