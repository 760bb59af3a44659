import { insideString } from '../candidate';
import type { Candidate } from '../matrix';
import { nameBefore, type Before } from '../name-before';
import type { Paced } from '../../text';
import { code, peek, wordEnd, type Scanner } from '../scanner';
import type { FormatReader } from './format-reader';
import { arrowAssignment, expressionAfter, matrixCandidate, problemCandidate, reachBack } from './candidates';
import { readArgsPaced, type Args } from './r-values';
import { builders, type Built } from './r-calls';

/**
 * R: `matrix(c(1, 2, 3, 4), nrow = 2, byrow = TRUE)`, `array(c(…), dim = c(2, 2, 2))`, `rbind(a = c(1, 2), b = c(3, 4))`, `cbind`,
 * `data.frame`, the output of `dput` (`structure(c(…), dim = c(2L, 2L))`), and `q <- c(1, 2)`. Labels come from dimnames and names.
 */
export const r: FormatReader = { name: 'r', words: [...builders.keys()], read };

function* read(s: Scanner): Paced<Candidate | undefined> {
  const start = s.at;
  const end = wordEnd(s);
  const word = s.text.slice(start, end);
  const build = builders.get(word);
  s.at = end;
  if (!build || peek(s) !== code.open) return undefined;
  const args = yield* readArgsPaced(s);
  if (args.numbers === 0) return undefined;
  s.steps += 2 * reachBack;
  const range = { start, end: s.at };
  const before = arrowAssignment(s.text, start) ?? nameBefore(s.text, start);
  if (!isMeant(word, args, before) || insideString(s.text, range)) return undefined;
  if (args.problem) return problemCandidate([args.problem], range, before, true);
  const built = build(args.list, range);
  if (!built) return undefined;
  return 'code' in built ? problemCandidate([built], range, before, true) : matrixOf(s, start, word, built, before);
}

function matrixOf(s: Scanner, start: number, word: string, built: Built, before: Before): Candidate | undefined {
  if (built.values.length < 2) return undefined;
  const range = { start, end: s.at };
  const expression = transposed(s, start) ?? expressionAfter(s, s.at);
  // `c(1, 2)` is a vector if it is assigned to a name, else an argument of a call.
  const plain = word !== 'c' || (before.how === 'assigned' && before.startsStatement);
  return matrixCandidate({ ...built, range, before, format: 'r', plain, expression });
}

const ofNumbers = new Set(['null', 'complex', 'malformed', 'string', 'too-large']);

/** Whether numbers are meant: names and calls inside mean code, unless the literal's own name has a role. */
const isMeant = (word: string, { problem, numbers }: Args, { role }: Before): boolean =>
  !problem ||
  role !== undefined ||
  (word !== 'c' && (ofNumbers.has(problem.code) || (numbers > 3 && problem.code === 'unbalanced')));

/** `t(matrix(…))` */
function transposed(s: Scanner, start: number): { start: number; end: number } | undefined {
  return s.text.startsWith('t(', start - 2) && !/[\w.]/.test(s.text.charAt(start - 3))
    ? { start: start - 2, end: start }
    : undefined;
}
