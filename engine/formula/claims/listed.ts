/** Weights that are listed by word, one in a line, beside a matrix of scores with those words as its columns. */
import { t } from '../../text';
import { boundsOf, type Printed } from './things';
import { causal, farthest, fits, middle, softmax, times, type Bounded, type Cell } from './bounds';
import { written } from './prints';
import type { Mark } from './mark';
import type { Widths } from './follows';

interface Listed {
  readonly start: number;
  readonly end: number;
  readonly words: readonly string[];
  readonly numbers: readonly { readonly value: number; readonly slack: number }[];
  /** The lines above it. */
  readonly above: string;
}

const entry =
  /^[ \t>*+-]*["'“”‘’`]?([\p{L}\p{N}_#'.,!?-]+?)["'“”‘’`]?[ \t]*(?:→|⟶|=>|->|:|=)[ \t]*([01]?\.\d+|[01])(?:[ \t]*[(,;].*)?[ \t]*\r?$/u;

export function listsIn(text: string): readonly Listed[] {
  const found: Listed[] = [];
  let [at, open, lines]: [number, { start: number; words: string[]; numbers: Listed['numbers'][number][]; above: string } | undefined, string[]] = [0, undefined, []];
  const close = (): void => {
    if (open && open.words.length >= 2) found.push({ ...open, end: at });
    open = undefined;
  };
  for (const line of text.split(/(?<=\n)/)) {
    const [, word, number = ''] = entry.exec(line.replace(/\n$/, '')) ?? [];
    if (word === undefined) close();
    else {
      open ??= { start: at, words: [], numbers: [], above: lines.slice(-6).join('') };
      open.words.push(word);
      open.numbers.push({ value: Number(number), slack: Number(`1e-${(number.split('.')[1] ?? '').length}`) / 2 });
    }
    lines = [...lines.slice(-6), line];
    at += line.length;
  }
  close();
  return found;
} // prettier-ignore

export function checkLists(text: string, matrices: readonly Printed[], { dK, divisors }: Widths): readonly Mark[] {
  return listsIn(text).flatMap((list) => {
    const scores = matrices.findLast(({ columnLabels = [], range, kind, name = '' }) => range.end <= list.start && sameWords(columnLabels, list.words) && (kind === 'scores' || kind === 'scaled' || /score/i.test(name))); // prettier-ignore
    const all = scores && boundsOf(scores);
    const row = scores && rowOf(scores, list);
    const own = row === undefined ? undefined : all?.[row];
    if (!all || row === undefined || !own || !/weight|softmax|attention|probabilit/i.test(list.above)) return [];
    const inputs = [all, ...[...dK.map(Math.sqrt), ...divisors].map((by) => times(all, 1 / by))];
    const ways = inputs.flatMap((m) => [softmax(m), softmax(causal(m))]).map((m) => m.slice(row, row + 1));
    const printed: Bounded = [list.numbers.map(({ value, slack }): Cell => [value - 2 * slack, value + 2 * slack])];
    if (ways.some((way) => fits(printed, way))) return [];
    return [markOf(list, printed, ways, scores.rowLabels?.[row] ?? String(row), inputs.length > 1)];
  });
}

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}#]/gu, '');

const sameWords = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((word, i) => plain(word) === plain(b[i] ?? '')); // prettier-ignore

/** The row whose word is named above the list, last. */
function rowOf({ rowLabels = [] }: Printed, { above }: Listed): number | undefined {
  const named = [...above.matchAll(/["“'‘`*]([\p{L}\p{N}#-]+)["”'’`*]/gu)].map(([, word = '']) => word);
  const word = named.findLast((one) => rowLabels.some((label) => plain(label) === plain(one)));
  const exact = rowLabels.findIndex((label) => label === word);
  const at = exact >= 0 ? exact : rowLabels.findIndex((label) => word !== undefined && plain(label) === plain(word));
  return at < 0 ? undefined : at;
}

function markOf(list: Listed, printed: Bounded, ways: readonly Bounded[], word: string, isScaled: boolean): Mark {
  // Scaled by √d_k where the text says it: that is the second pair.
  const best = ways[isScaled ? 2 : 0] ?? [];
  const [, j] = farthest(printed, best) ?? [0, 0];
  const would = (m: Bounded | undefined): string => (m?.[0] ?? []).map((cell) => written(Number(middle(cell).toFixed(2)))).join(' '); // prettier-ignore
  return {
    rule: 'follows',
    range: { start: list.start, end: list.end },
    message: t('The weights of “{0}” do not follow from its scores: {1} for “{2}” would be {3}.', word, written(list.numbers[j]?.value ?? NaN), list.words[j] ?? '', would([best[0]?.slice(j, j + 1) ?? []])),
    instead: isScaled ? t('Softmax of the scaled scores is {0}; of the scores themselves {1}.', would(best), would(ways[0])) : t('Softmax of the scores is {0}.', would(best)),
  };
} // prettier-ignore
