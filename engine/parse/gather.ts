import { t } from '../text/l10n';
import type { Problem } from '../text/problems';
import { formatShape, sizeOf } from '../math/tensor';
import type { Candidate, MatrixRole, ParsedMatrix } from './matrix';
import type { Paced } from '../text/pace';
import type { Meaning, ReadProgram } from './program/index';
import { partByNumbers, roleOf } from './roles';
import { isListName, isTokenList, vectorsOf } from './stack';

/** The matrices of a selection: written out, drawn or computed. */
export interface Gathered {
  readonly sound: readonly ParsedMatrix[];
  readonly broken: readonly Candidate[];
  /** Why a name with a role is not known: told only where it is needed. */
  readonly unknown: ReadonlyMap<MatrixRole, NamedProblem>;
  /** Why the first name is not known, whatever its role. */
  readonly lost?: Problem;
}

export interface NamedProblem {
  readonly name: string;
  readonly problem: Problem;
}

/** Names without a role that are computed at most: as a rest they are listed, and one alone is X. */
const mostOthers = 40;

/**
 * Literals as they stand, and in their place what a statement around them, or without any, comes to. A name that is
 * assigned by a program again stands for what it was assigned last. With places to stop.
 */
export function* gathering(candidates: readonly Candidate[], program: ReadProgram): Paced<Gathered> {
  const sound = candidates.flatMap((c) => (c.matrix ? [c.matrix] : []));
  const derived: ParsedMatrix[] = [];
  const unknown = new Map<MatrixRole, NamedProblem>();
  const superseded = new Set<ParsedMatrix>();
  let others = 0;
  let lost: Problem | undefined;
  for (const name of program.own) {
    const role = roleOf(name)?.role;
    if (sound.some((m) => m.name === name && !m.expression && program.isWritten(name, m))) continue;
    if (role === undefined && others++ >= mostOthers) continue;
    const meaning = yield* program.readingMeaning(name);
    if (meaning?.kind === 'matrix' && !isHelper(meaning.matrix)) {
      derived.push(meaning.matrix);
      for (const m of sound) if (m.name === name || isWithin(m, meaning.matrix)) superseded.add(m);
    } else if (meaning?.kind === 'problem') {
      // A literal in a statement that comes to something else is not what the name stands for.
      const { range } = meaning.problem;
      for (const m of sound) {
        const inside = m.name === undefined && range !== undefined && isInside(m.range, range);
        if (inside || (m.name === name && program.isAssignedBy(name, m))) superseded.add(m);
      }
      lost ??= meaning.problem;
      if (role !== undefined) keepProblem(unknown, role, { name, problem: meaning.problem });
    }
  }
  const refused = candidates.filter((c) => c.problems.length > 0 && !derived.some((m) => isInside(c.whole, m.range)));
  const all = [...sound.filter((m) => !superseded.has(m)), ...derived];
  return {
    sound: all.sort((a, b) => a.range.start - b.range.start),
    broken: refused,
    unknown,
    ...(lost ? { lost } : {}),
  };
}

/** A list of a few whole numbers under a name without a role: sizes, ids, axes. */
const isHelper = (m: ParsedMatrix): boolean => m.role === undefined && m.shape.length < 2;

function keepProblem(unknown: Map<MatrixRole, NamedProblem>, role: MatrixRole, problem: NamedProblem): void {
  if (!unknown.has(role)) unknown.set(role, problem);
}

const isWithin = (m: ParsedMatrix, outer: ParsedMatrix): boolean => isInside(m.range, outer.range);
const isInside = (a: Problem['range'] & object, b: Problem['range'] & object): boolean =>
  a.start >= b.start && a.end <= b.end;

/** What stands above the selection under a role: the last name that has it and is known. */
export function* fromAbove(program: ReadProgram, role: MatrixRole): Paced<Meaning | undefined> {
  const name = program.above.filter((n) => roleOf(n)?.role === role).at(-1);
  return name === undefined ? undefined : yield* program.readingMeaning(name);
}

/** x_1 … x_n above the selection, or the list of them. */
export function* tokensFromAbove(program: ReadProgram): Paced<ParsedMatrix[]> {
  const names = program.above.filter((n) => roleOf(n)?.role === 'xi').slice(0, 200);
  if (names.length === 0) return yield* listFromAbove(program);
  const tokens: ParsedMatrix[] = [];
  for (const name of names) {
    const meaning = yield* program.readingMeaning(name);
    if (meaning?.kind === 'matrix') tokens.push(meaning.matrix);
  }
  return tokens;
}

function* listFromAbove(program: ReadProgram): Paced<ParsedMatrix[]> {
  const name = program.above.findLast(isListName);
  const meaning = name === undefined ? undefined : yield* program.readingMeaning(name);
  return meaning?.kind === 'matrix' && isTokenList(meaning.matrix) ? [...vectorsOf(meaning.matrix)] : [];
}

/** Matrices whose part their numbers decide; none of those with a role by name. */
export function laterParts(matrices: readonly ParsedMatrix[]): Map<'scores' | 'weights' | 'context', ParsedMatrix> {
  const parts = new Map<'scores' | 'weights' | 'context', ParsedMatrix>();
  for (const m of matrices) {
    const part = m.role === undefined ? partByNumbers(m) : undefined;
    if (part && !parts.has(part)) parts.set(part, m);
  }
  return parts;
}

/** `K (4×8) is taken from line 2, above the selection.` */
export const aboveNote = (m: ParsedMatrix): string =>
  t(
    '{0} ({1}, {2} numbers) is taken from above the selection.',
    m.name ?? t('a matrix'),
    formatShape(m.shape),
    sizeOf(m.shape),
  );
