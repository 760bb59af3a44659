/**
 * Pairs of papers that agree in wrong answers more often than independent papers do.
 *
 * What counts, in a question: both gave the same wrong answer, or one gave a wrong answer that is the right one on the other's numbers. Wrong answers
 * that a known mistake explains count for nothing: who shares a misconception agrees without a word.
 *
 * The bound. Papers are independent, and whose wrong answer is which, and whose numbers are which, is exchangeable: then in one question two given
 * students with wrong answers have the same one with probability Σ nₖ(nₖ − 1) / m(m − 1) (nₖ of the m wrong answers of the class are answer k), and a wrong
 * answer is right on another's numbers with probability (1 + a) / (1 + s), where it is right on a of s sets of numbers that nobody has. Questions on one
 * row of one block follow from each other, so of these one counts: the one that agrees the least by chance. The probability of as many agreements or more is
 * Poisson's binomial, and it is multiplied by the number of pairs of the class (Bonferroni): among independent papers a class with any pair that is
 * reported is met with at most `allowed`.
 */
import { t, type Paced } from '../text';
import { atLeast } from './poisson-binomial';

/** What a student gave to one question. */
export interface Given {
  /** Equal for answers that are the same. */
  readonly key: string;
  readonly verdict: 'right' | 'wrong';
  /** Whether a wrong answer counts: none does that a known mistake explains, or that has blanks. */
  readonly counts: boolean;
}

export interface Paper {
  readonly student: string;
  /** By question, in the lesson's order; undefined where nothing was given. */
  readonly given: readonly (Given | undefined)[];
}

/** What is asked of the lesson. */
export interface Answers {
  /** Of each question, what it is grouped by: those of one group follow from each other. */
  readonly groups: readonly string[];
  /** Whether the answer of paper `i` to a question is right on the numbers of paper `j`. */
  readonly isRightOn: (question: number, i: number, j: number) => boolean;
  /** Readies `others`; run once, where some pair needs it. */
  readonly prepare: () => Paced<void>;
  /** How many of how many other sets of numbers the answer of paper `i` to a question is right on. None in a class in which all have the same numbers. */
  readonly others: (question: number, i: number) => { readonly right: number; readonly of: number };
}

export interface ClosePair {
  readonly students: readonly [string, string];
  /** Indices of the questions in which they agree. */
  readonly questions: readonly number[];
  /** Bound of the probability that any pair of independent papers of this class agrees as much. */
  readonly chance: number;
}

/** Of a hundred classes of independent papers at most one has a pair that is named. */
export const allowed = 0.01;
/** Most papers that are compared: pairs grow with the square. */
export const mostCompared = 300;

interface Agreement {
  readonly question: number;
  readonly agrees: boolean;
  readonly chance: number;
}

/** The pairs, the least probable first. */
export function* closePairs(papers: readonly Paper[], answers: Answers): Paced<readonly ClosePair[]> {
  if (papers.length < 3 || papers.length > mostCompared) return [];
  const pairs = (papers.length * (papers.length - 1)) / 2;
  const same = answers.groups.map((_, q) => chanceOfSame(papers, q));
  const found: ClosePair[] = [];
  let isReady = false;
  for (const [i, a] of papers.entries()) {
    yield;
    for (const [before, b] of papers.slice(0, i).entries()) {
      if (a.student === b.student || !agreesTwice(a, b, i, before, answers)) continue;
      if (!isReady) yield* answers.prepare();
      isReady = true;
      const agreements = answers.groups.map((_, q) => agreementIn(q, [a, b], [i, before], same[q] ?? 1, answers));
      const chance = pairs * chanceOf(agreements, answers.groups);
      if (chance > allowed) continue;
      const questions = agreements.flatMap((one) => (one?.agrees ? [one.question] : []));
      found.push({ students: [b.student, a.student], questions, chance });
    }
  }
  return found.sort((x, y) => x.chance - y.chance);
}

const isWrong = (given: Given | undefined): given is Given => given?.verdict === 'wrong' && given.counts;

/** Whether two papers agree in at least two questions: below that nothing is improbable enough, and nothing is computed. */
function agreesTwice(a: Paper, b: Paper, i: number, j: number, answers: Answers): boolean {
  let count = 0;
  for (const q of answers.groups.keys()) {
    if (agrees(q, [a, b], [i, j], answers)) count++;
    if (count > 1) return true;
  }
  return false;
}

function agrees(q: number, [a, b]: readonly [Paper, Paper], [i, j]: readonly [number, number], answers: Answers): boolean {
  const [x, y] = [a.given[q], b.given[q]];
  if (!x || !y) return false;
  if (isWrong(x) && isWrong(y)) return x.key === y.key;
  if (isWrong(x) && y.verdict === 'right') return answers.isRightOn(q, i, j);
  return isWrong(y) && x.verdict === 'right' && answers.isRightOn(q, j, i);
} // prettier-ignore

/** Undefined where the pair cannot agree: nothing given, both right, or an answer that does not count. */
function agreementIn(
  question: number,
  pair: readonly [Paper, Paper],
  places: readonly [number, number],
  same: number,
  answers: Answers,
): Agreement | undefined {
  const [x, y] = [pair[0].given[question], pair[1].given[question]];
  const agreed = agrees(question, pair, places, answers);
  if (!x || !y) return undefined;
  if (isWrong(x) && isWrong(y)) return { question, agrees: agreed, chance: same };
  const wrong = isWrong(x) && y.verdict === 'right' ? places[0] : isWrong(y) && x.verdict === 'right' ? places[1] : undefined;
  if (wrong === undefined) return undefined;
  const { right, of } = answers.others(question, wrong);
  return of === 0 ? undefined : { question, agrees: agreed, chance: (1 + right) / (1 + of) };
} // prettier-ignore

/** Σ nₖ(nₖ − 1) / m(m − 1) over the wrong answers of the class to a question. */
function chanceOfSame(papers: readonly Paper[], question: number): number {
  const counts = new Map<string, number>();
  let m = 0;
  for (const { given } of papers) {
    const one = given[question];
    if (!isWrong(one)) continue;
    m++;
    counts.set(one.key, (counts.get(one.key) ?? 0) + 1);
  }
  const equal = [...counts.values()].reduce((sum, n) => sum + n * (n - 1), 0);
  return m < 2 ? 1 : equal / (m * (m - 1));
}

/** Of each group the question counts that agrees the least by chance: it is chosen without a look at whether it does. */
function chanceOf(agreements: readonly (Agreement | undefined)[], groups: readonly string[]): number {
  const byGroup = new Map<string, Agreement>();
  for (const one of agreements) {
    const group = one && groups[one.question];
    const known = group === undefined ? undefined : byGroup.get(group);
    if (one && group !== undefined && (!known || one.chance < known.chance)) byGroup.set(group, one);
  }
  const all = [...byGroup.values()];
  return atLeast(all.map(({ chance }) => chance), all.filter((one) => one.agrees).length); // prettier-ignore
}

/** What is said of a pair, without a cause: there are many. */
export const saysOfPair = (questions: readonly string[], chance: number): string =>
  t('the same wrong answers, or answers that are right on the other’s numbers, in {0}: {1}. Papers that were written apart agree as much in at most {2} of such classes.', questions.length, questions.join(', '), rare(chance)); // prettier-ignore

/** `one of 4000`, rounded to the more frequent side. */
function rare(chance: number): string {
  const of = Math.floor(1 / Math.max(chance, 1e-9));
  const unit = Number(`1e${String(of).length - 1}`);
  return t('one of {0}', Math.floor(of / unit) * unit);
}
