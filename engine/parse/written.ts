/** Names that a text gives to literals and plain numbers, read without the reader of programs, and whether that has to be asked. */
import { t, type Paced, type TextRange } from '../text';
import { wordPairs } from './code';
import { scanCandidatesPaced } from './literals';
import type { Candidate, ParsedMatrix } from './matrix';
import type { Above, Meaning, NamedValue, NamedValues } from './named-values';
import { roleOf } from './roles';
import { scannerOf } from './scanner';

export interface Written extends NamedValues {
  /** The text computes something. */
  readonly needsReader: boolean;
}

const word = String.raw`[\p{L}_][\p{L}\d_]*(?:\.[\p{L}_][\p{L}\d_]*)*`;
/** A name at the start of a line, what else is assigned to, an operator before `=`, and what is assigned. */
const assignment = new RegExp(
  String.raw`^([ \t]*(?:(?:>>>|\.\.\.|In \[\d*\]:) )?)(${word})([ \t]*(?:\[[^\]\n]*\])?(?:[ \t]*,[^=\n]*)?(?::[^=\n]*)?)([-+*/@|&^%]|\*\*|//)?=(?!=)[ \t]*([^\n]*)$`,
  'u',
);
const number = /^([-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?|True|False)[ \t]*;?[ \t]*(?:#.*)?\r?$/i;
const text = /^(["'])(?:(?!\1).)*\1[ \t]*(?:#.*)?\r?$/;

/** How much of a line is looked at. */
const longestLine = 4000;
/** How much of a text is looked through for statements that may change a literal. */
const longestRead = 100_000;

export function* readingWritten(
  text: string,
  candidates: readonly Candidate[],
  above: Above | undefined,
): Paced<Written> {
  const before = above?.before ?? '';
  const shift = before.length;
  const from = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  const literals = candidates.flatMap((one) => literalOf(one, shift));
  const own = yield* names(text, shift, literals, shift);
  const isInBlock = shift > 0 && (above?.cut === true || /^(?:[ \t]*[\r\n]+)*[ \t]+\S/.test(text));
  const asks = own.some(isUnknown) || isExpression(text, own, before) || ((own.length > 0 || candidates.length > 0) && (isInBlock || doesMore.test(text.slice(0, longestRead)))); // prettier-ignore
  // What stands above matters to matrices and to what is made of them, not to prose.
  if (shift === 0 || (!asks && candidates.length === 0 && own.length === 0)) return { names: own, needsReader: asks };
  const earlier = (yield* scanCandidatesPaced(scannerOf(before, 0, from))).flatMap((one) => literalOf(one, 0));
  const all = yield* names(before.slice(0, from), 0, earlier, shift);
  const isOwn = new Set(own.map(({ name }) => name));
  const kept = all.filter(({ name }) => !isOwn.has(name));
  const mayDiffer = (one: NamedValue): boolean => isUnknown(one) || isUsed(before, one);
  return { names: [...kept, ...own], needsReader: asks || kept.some((one) => mayDiffer(one) && roleOf(one.name)) };
}

/** Statements that may change what stands there: calls, loops, definitions. */
const doesMore =
  /^[ \t]*(?:(?:>>>|\.\.\.) )?(?:[\p{L}_][\p{L}\d_.]*\(|(?:del|for|if|while|with|def|class|try|from|import)\b)/mu;

/** Whether a name stands anywhere behind its assignment. */
const isUsed = (before: string, { name, statement }: NamedValue): boolean =>
  new RegExp(`(?<![\\p{L}\\d_.])${name.replaceAll('.', '\\.')}(?![\\p{L}\\d_])`, 'u').test(before.slice(statement.end));

interface Literal {
  readonly name: string;
  readonly range: TextRange;
  readonly whole: TextRange;
  readonly matrix: ParsedMatrix | undefined;
}

function literalOf({ name, matrix, whole }: Candidate, by: number): readonly Literal[] {
  if (name === undefined) return [];
  const range = matrix?.nameRange ?? { start: whole.start, end: whole.start + name.length };
  return [{ name, range: moved(range, by), whole: moved(whole, by), matrix: matrix?.expression ? undefined : matrix }];
}

const moved = ({ start, end }: TextRange, by: number): TextRange => ({ start: start + by, end: end + by });

/** The names of a part that begins at `base`, each with what it was last assigned. `shift`: where the selection begins. */
function* names(part: string, base: number, literals: readonly Literal[], shift: number): Paced<NamedValue[]> {
  const found: NamedValue[] = literals.flatMap(({ name, range, whole, matrix }) =>
    matrix && isWhole(part, moved(whole, -base), matrix) ? [namedMatrix(name, range, whole, matrix, base, shift)] : [],
  );
  const starts = new Set(found.map(({ range }) => range.start));
  const places = literals.map(({ range, whole }) => ({ start: range.start, end: whole.end }));
  places.sort((a, b) => a.start - b.start);
  let next = 0;
  let looked = 0;
  for (let at = 0; at < part.length;) {
    const newline = part.indexOf('\n', at);
    const end = newline < 0 ? part.length : newline;
    const line = part.slice(at, Math.min(end, at + longestLine));
    const one = assignment.exec(line);
    const start = base + at + (one?.[1]?.length ?? 0);
    while ((places[next]?.end ?? Infinity) <= start) next++;
    if (one && !starts.has(start) && !((places[next]?.start ?? Infinity) < start)) found.push(assigned(one, start, base + end, shift)); // prettier-ignore
    looked += line.length + 1;
    at = end + 1;
    if (looked > stretch) {
      looked = 0;
      yield;
    }
  }
  found.sort((a, b) => a.range.start - b.range.start);
  const last = new Map(found.map((one) => [one.name, one]));
  return [...last.values()].sort((a, b) => a.range.start - b.range.start);
}

/** Characters that are looked at in one part. */
const stretch = 16_384;

function assigned(one: RegExpExecArray, start: number, end: number, shift: number): NamedValue {
  const { 2: name = '', 3: more = '', 4: operator, 5: value = '' } = one;
  const statement = { start, end };
  const isPlain = /^[ \t]*(?::|$)/.test(more) && operator === undefined;
  const meaning = (isPlain && meaningOf(value)) || undefined;
  return {
    name,
    range: { start, end: start + name.length },
    statement,
    isComputed: !meaning,
    meaning: meaning ?? notRead(name, statement, shift),
  };
}

const ofPython: ReadonlySet<string> = new Set(['brackets', 'numpy', 'torch', 'tensorflow', 'jax']);

/** Whether nothing stands behind a literal of Python in its statement: `if a else b`. */
const isWhole = (part: string, { end }: TextRange, { format }: ParsedMatrix): boolean =>
  !ofPython.has(format) || /^[\s)\]},;"']*(?:[#\r\n]|\/\/|$)/.test(part.slice(end, end + 200).split(/[\r\n]/)[0] ?? '');

function namedMatrix(
  name: string,
  range: TextRange,
  whole: TextRange,
  matrix: ParsedMatrix,
  base: number,
  shift: number,
): NamedValue {
  const statement = { start: range.start, end: whole.end };
  const value = moved(matrix.range, base);
  const placed = { ...matrix, range: inSelection(value, shift), nameRange: inSelection(range, shift) };
  return { name, range, statement, value, isComputed: false, meaning: { kind: 'matrix', matrix: placed } };
}

const inSelection = ({ start, end }: TextRange, shift: number): TextRange => ({
  start: Math.max(0, start - shift),
  end: Math.max(0, end - shift),
});

function meaningOf(value: string): Meaning | undefined {
  const digits = number.exec(value)?.[1];
  if (digits === undefined) return text.test(value) ? { kind: 'other' } : undefined;
  if (/^t|^f/i.test(digits)) return { kind: 'number', value: digits === 'True' ? 1 : 0, type: 'bool' };
  return { kind: 'number', value: Number(digits.replaceAll('_', '')), type: /[.e]/i.test(digits) ? 'float' : 'int' };
}

const notRead = (name: string, statement: TextRange, shift: number): Meaning => ({
  kind: 'problem',
  problem: {
    code: 'expression',
    message: t('{0} is computed, which is not followed here', name),
    hint: t('Run the code, print the matrix and select what is printed.'),
    range: inSelection(statement, shift),
  },
});

const isUnknown = ({ isComputed }: NamedValue): boolean => isComputed;

/** Longest selection that may be one expression. */
const longestExpression = 2000;

/** `Q @ K.T`, `np.eye(3)`: operators, calls or dots between names, and no sentence. */
const isExpression = (text: string, own: readonly NamedValue[], before: string): boolean =>
  own.length === 0 &&
  text.length <= longestExpression &&
  /^\s*[([]*\s*[-~]?[\p{L}_]/u.test(text) &&
  (/[@*+/([.-]/.test(text) || (/^\s*[\p{L}_][\p{L}\d_]*\s*$/u.test(text) && before.includes(text.trim()))) &&
  wordPairs(text) === 0;
