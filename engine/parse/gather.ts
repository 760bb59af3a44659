import { t, type Problem, type Paced } from '../text';
import { formatShape, sizeOf } from '../math';
import { linesOf } from './code';
import type { Code } from './mask-use';
import type { Candidate, MatrixRole, ParsedMatrix } from './matrix';
import type { Meaning, ReadProgram } from './named';
import { roleByValues, roleOf } from './roles';
import { isListName, isTokenList, vectorsOf } from './stack-tokens';

/** The matrices of a selection: written out, drawn or computed. */
export interface Gathered {
  readonly sound: readonly ParsedMatrix[];
  readonly broken: readonly Candidate[];
  /** Why the value of a name with a role is not known, by role. Reported only if that role is needed. */
  readonly unknown: ReadonlyMap<MatrixRole, NamedProblem>;
  /** Why the value of the first such name is not known, whatever its role. */
  readonly unknownProblem?: Problem;
  /** All names whose values are not known, in order, and why. */
  readonly unknownNames?: readonly NamedProblem[];
}

export interface NamedProblem {
  readonly name: string;
  readonly problem: Problem;
}

/** Most names without a role that are computed. They are listed as unused; if there is only one, it is taken as X. */
const mostOthers = 40;

/**
 * The matrices of a selection: each literal, or the value of the statement that it stands in, and matrices that statements compute
 * without a literal. A name that is assigned several times has its last value. Yields regularly.
 */
export function* gatherPaced(candidates: readonly Candidate[], program: ReadProgram): Paced<Gathered> {
  const sound = candidates.flatMap((c) => (c.matrix ? [c.matrix] : []));
  const derived: ParsedMatrix[] = [];
  const unknown = new Map<MatrixRole, NamedProblem>();
  const superseded = new Set<ParsedMatrix>();
  // `V = K` takes nothing from K.
  const isOfAnother = (m: ParsedMatrix, name: string): boolean =>
    m.name !== undefined && m.name !== name && program.isWritten(m.name, m);
  let others = 0;
  let unknownProblem: Problem | undefined;
  const unknownNames: NamedProblem[] = [];
  for (const name of program.own) {
    const role = roleOf(name)?.role;
    if (sound.some((m) => m.name === name && !m.expression && program.isWritten(name, m))) continue;
    if (role === undefined && others++ >= mostOthers) continue;
    yield;
    const meaning = program.meaningOf(name);
    if (meaning?.kind === 'matrix' && !isHelper(meaning.matrix)) {
      derived.push(meaning.matrix);
      for (const m of sound)
        if (m.name === name || (isWithin(m, meaning.matrix) && !isOfAnother(m, name))) superseded.add(m);
    } else if (meaning?.kind === 'problem') {
      // The name has the value of the whole statement, not of the literal in it.
      const statement = program.rangeOf(name);
      for (const m of sound) {
        const inside = m.name === undefined && statement !== undefined && isInside(m.range, statement);
        if (inside || (m.name === name && program.isAssignedBy(name, m))) superseded.add(m);
      }
      unknownProblem ??= meaning.problem;
      unknownNames.push({ name, problem: meaning.problem });
      if (role !== undefined) keepProblem(unknown, role, { name, problem: meaning.problem });
    }
  }
  const refused = candidates.filter((c) => c.problems.length > 0 && !derived.some((m) => isInside(c.whole, m.range)));
  const all = [...sound.filter((m) => !superseded.has(m)), ...derived];
  return {
    sound: all.sort((a, b) => a.range.start - b.range.start),
    broken: refused,
    unknown,
    unknownNames,
    ...(unknownProblem ? { unknownProblem } : {}),
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
 * The matrix with a role above the selection: that of the last name with the role, if its value is known and it belongs to what is
 * selected. `own`: the names of the selected matrices.
 */
export function fromAbove(
  program: ReadProgram,
  role: MatrixRole,
  code: Code,
  own: readonly string[],
): Meaning | undefined {
  const name = program.above.filter((n) => roleOf(n)?.role === role).at(-1);
  return name === undefined || !belongsToSelection(name, role, code, own) ? undefined : program.meaningOf(name);
}

const siblings: readonly (readonly MatrixRole[])[] = [
  ['q', 'k', 'v'],
  ['wq', 'wk', 'wv'],
];

/**
 * Whether a name above the selection belongs to the selected ones: it has the same style (`Q` with `K`, not `query` with `keys`), or
 * a line of the selection or below uses it together with one of them.
 */
function belongsToSelection(name: string, role: MatrixRole, { text, after }: Code, own: readonly string[]): boolean {
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

/** The style of a name with query, key or value in it: the same for `W_q` and `W_k`, for `keys` and `values`, for `query` and `key`. */
const styleOf = (name: string): string =>
  name
    .replace(/queries|keys|values/i, '<words>')
    .replace(/query|key|value/i, '<word>')
    .replace(/(?<![A-Za-z<])[qkv](?![A-Za-z])|(?<=[WwAa])[qkv]$/, '<q>')
    .replace(/(?<![A-Za-z<])[QKV](?![A-Za-z])|(?<=[WwAa])[QKV]$/, '<Q>');

/** x_1 … x_n above the selection, or the list of them. */
export function tokensFromAbove(program: ReadProgram): ParsedMatrix[] {
  const names = program.above.filter((n) => roleOf(n)?.role === 'xi').slice(0, 200);
  if (names.length === 0) return listFromAbove(program);
  const tokens: ParsedMatrix[] = [];
  for (const name of names) {
    const meaning = program.meaningOf(name);
    if (meaning?.kind === 'matrix') tokens.push(meaning.matrix);
  }
  return tokens;
}

function listFromAbove(program: ReadProgram): ParsedMatrix[] {
  const name = program.above.findLast(isListName);
  const meaning = name === undefined ? undefined : program.meaningOf(name);
  return meaning?.kind === 'matrix' && isTokenList(meaning.matrix) ? [...vectorsOf(meaning.matrix)] : [];
}

/** Matrices without a role by name that are scores, weights or a context by their values. */
export function matricesByValues(
  matrices: readonly ParsedMatrix[],
): Map<'scores' | 'weights' | 'context', ParsedMatrix> {
  const parts = new Map<'scores' | 'weights' | 'context', ParsedMatrix>();
  for (const m of matrices) {
    const part = m.role === undefined ? roleByValues(m) : undefined;
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
