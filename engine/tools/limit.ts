import { t } from '../text';
import { answerLimit } from './tool';

/** Bytes of a text in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

const longestLine = 600;

/** Lines as one text of at most `answerLimit` bytes; what is left out is said at the end, never in silence. */
export function limited(given: readonly string[]): string {
  const all = given.flatMap((line) => line.split('\n')).map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)); // prettier-ignore
  const whole = all.join('\n');
  if (bytesOf(whole) <= answerLimit) return whole;
  const left = (kept: number): string => t('… {0} more lines are left out: an answer holds {1} bytes.', all.length - kept, answerLimit); // prettier-ignore
  let [kept, size] = [0, bytesOf(left(0)) + 8];
  for (const line of all) {
    size += bytesOf(line) + 1;
    if (size > answerLimit) break;
    kept++;
  }
  return [...all.slice(0, kept), left(kept)].join('\n');
}
