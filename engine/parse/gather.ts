import { t } from '../text/l10n';
import type { Problem } from '../text/problems';
import { formatShape, sizeOf } from '../math/tensor';
import { linesOf } from './code/lines';
import type { Code } from './mask-use';
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
  /** The names that are not known, in order, and why. */
  readonly lostNames?: readonly NamedProblem[];
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
  const lostNames: NamedProblem[] = [];
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
      lostNames.push({ name, problem: meaning.problem });
      if (role !== undefined) keepProblem(unknown, role, { name, problem: meaning.problem });
    }
  }
  const refused = candidates.filter((c) => c.problems.length > 0 && !derived.some((m) => isInside(c.whole, m.range)));
  const all = [...sound.filter((m) => !superseded.has(m)), ...derived];
  return {
    sound: all.sort((a, b) => a.range.start - b.range.start),
    broken: refused,
    unknown,
    lostNames,
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

/**
 * What stands above the selection under a role: the last name that has it, if it is known and belongs to what is selected. `own`: the names
 * of the walk that are selected.
 */
export function* fromAbove(
  program: ReadProgram,
  role: MatrixRole,
  code: Code,
  own: readonly string[],
): Paced<Meaning | undefined> {
  const name = program.above.filter((n) => roleOf(n)?.role === role).at(-1);
  return name === undefined || !belongs(name, role, code, own) ? undefined : yield* program.readingMeaning(name);
}

const siblings: readonly (readonly MatrixRole[])[] = [
  ['q', 'k', 'v'],
  ['wq', 'wk', 'wv'],
];

/**
 * Whether a name above belongs to those that are selected: it is written as they are (`Q` beside `K`, not `query` beside `keys`), or a line
 * of the selection or below it has it with one of them.
 */
function belongs(name: string, role: MatrixRole, { text, after }: Code, own: readonly string[]): boolean {
  const beside = siblings.find((roles) => roles.includes(role));
  if (!beside) return true;
  const sisters = own.filter((other) => beside.includes(roleOf(other)?.role ?? 'x'));
  if (sisters.some((other) => styleOf(other) === styleOf(name))) return true;
  return linesOf(`${text}\n${after}`).some(
    ({ code }) => hasName(code, name) && sisters.some((other) => hasName(code, other)),
  );
}

const hasName = (code: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\d_.])${name.replace(/[.]/g, '\\.')}(?![\\p{L}\\d_])`, 'u').test(code.slice(0, 300));

/** How a name says query, key or value: `W_q` and `W_k` alike, `keys` and `values`, `query` and `key`. */
const styleOf = (name: string): string =>
  name
    .replace(/queries|keys|values/i, '<words>')
    .replace(/query|key|value/i, '<word>')
    .replace(/(?<![A-Za-z<])[qkv](?![A-Za-z])|(?<=[WwAa])[qkv]$/, '<q>')
    .replace(/(?<![A-Za-z<])[QKV](?![A-Za-z])|(?<=[WwAa])[QKV]$/, '<Q>');

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
export const aboveNote = (m: ParsedMatrix, place: string): string =>
  t(
    '{0} ({1}, {2} numbers) is taken from {3}, above the selection.',
    m.name ?? t('a matrix'),
    formatShape(m.shape),
    sizeOf(m.shape),
    place,
  );
