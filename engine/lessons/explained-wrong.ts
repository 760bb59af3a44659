/** What is said of a wrong answer: which mistakes give its numbers, if that is hardly by chance. */
import { t } from '../text';
import { decodeNumber, type SpecNumber } from '../spec';
import type { Answer, Blocks } from './answer';
import { allowedChance, chanceOf, widthOf } from './coincidence';
import { showNumber } from './fill';
import { isSame, misconceptionsOf, truthsOf, withinOf, type Mistake } from './misconceptions';
import type { Question } from './question';

/** What is said of a wrong answer: mistakes that all give its numbers, and the sentences about them, which say nothing of the right answer. */
export interface Explained {
  readonly misconceptions: readonly Mistake[];
  readonly says: string;
}

/** Which mistakes give a wrong answer's numbers. Undefined if none does, or if one might by chance. */
export function explainedWrong(q: Question, answer: Answer, lesson: Blocks, response: unknown): Explained | undefined {
  if (answer.kind !== 'number' && answer.kind !== 'matrix') return undefined;
  const given = numbersIn(response, answer);
  if (!given) return undefined;
  const within = withinOf(answer);
  const rounded = roundedTo(given, answer);
  if (rounded) return rounded;
  const all = misconceptionsOf(q, answer, lesson);
  const misconceptions = all.filter(({ values }) => isSame(values, given, within));
  if (misconceptions.length === 0 || chanceOf(all, truthsOf(answer), widthOf(within)) > allowedChance) return undefined;
  return { misconceptions, says: saysOf(misconceptions, given, answer.digits) };
}

/** The numbers of a response, one for each cell; undefined where one is missing. */
function numbersIn(response: unknown, answer: Answer): readonly number[] | undefined {
  const all: readonly unknown[] = Array.isArray(response) ? response : [response];
  if (all.length !== truthsOf(answer).length || all.some((x) => x === null)) return undefined;
  const numbers = all.map((x) => decodeNumber(x as SpecNumber));
  return numbers.every((x) => Number.isFinite(x)) ? numbers : undefined;
}

/** An answer that is the right one with fewer digits after the point, at least one. */
function roundedTo(given: readonly number[], answer: Extract<Answer, { digits: number }>): Explained | undefined {
  for (let digits = answer.digits - 1; digits >= 1; digits--) {
    const isRounded = truthsOf(answer).every((truth, i) => showNumber(truth, digits) === showNumber(given[i] ?? NaN, digits) && Number((given[i] ?? NaN).toFixed(digits)) === given[i]); // prettier-ignore
    if (!isRounded) continue;
    const name = t('The result is rounded to fewer digits than are asked');
    const says = t('This is rounded to {0} after the point; {1} are asked.', digits, answer.digits);
    return { misconceptions: [{ id: 'rounded', name, values: given, row: [] }], says };
  }
  return undefined;
}

const mostInRow = 8;

function saysOf(misconceptions: readonly Mistake[], given: readonly number[], digits: number): string {
  const written = given.map((x) => String(x)).join(', ');
  const names = misconceptions.map(({ name }) => name);
  const [only] = misconceptions;
  if (names.length > 1 || !only) return t('{0} comes out with any of these mistakes: {1}.', written, names.join('; '));
  const says = t('{0} comes out with this mistake: {1}.', written, only.name);
  if (only.row.length < 2) return says;
  const row = only.row.slice(0, mostInRow).map((x) => showNumber(x, digits));
  const more = only.row.length > mostInRow ? ['…'] : [];
  return [says, t('With it the row is {0}.', [...row, ...more].join('  '))].join(' ');
}
