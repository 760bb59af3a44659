import { t, fail, ok, positionAt, type Problem, type Result, type TextRange, finish, type Paced } from '../text';
import { textDefaults, tokenLimit } from '../spec';
import { formatShape } from '../math';
import { splitText } from '../tokens';
import { programIn } from './code';
import { codeProblems, unfollowedNotes } from './code-notes';
import { aboveNote, fromAbove, gatherPaced, matricesByValues, tokensFromAbove, type Gathered } from './gather';
import { checkSize, scanCandidatesPaced } from './literals';
import type { Code } from './mask-use';
import type { Candidate, MatrixRole, ParsedMatrix } from './matrix';
import { lineIn, readingNamed, type Above, type NameReader, type ReadProgram } from './named';
import { numbersAsLabels, numbersBeside, cutLiteralProblem, wholeRows } from './cut-literals';
import { symbols } from './rows';
import { scannerOf } from './scanner';
import { isTokenList, stackTokens, vectorsOf } from './stack-tokens';
import type { Assembled, SelectionParts } from './selection-parts';
import { chooseStart } from './choose-start';

export type { Assembled } from './selection-parts';

/**
 * The spec of a selection. It is made of the selection's matrices if it has any (written out, or computed by its statements), otherwise
 * of its text. Names that the selection does not assign are looked up in the text above it, if given. All other fields have the defaults
 * of `engine/spec`. Problems have ranges in the selection.
 */
export const specFromText = (text: string, above?: Above, taken?: ReadAs): Result<Assembled> =>
  finish(specFromTextPaced(text, above, taken));

/** How the user asked for the text to be read. */
export interface ReadAs {
  /** As text, even if it contains matrices or code. */
  readonly asText?: boolean;
  /** Code without a matrix is accepted as text, without a problem. */
  readonly codeAsText?: boolean;
  /** Says what code computes, in place of the reader of programs that is registered. */
  readonly namesOf?: NameReader['namesOf'];
}

/** The same as a generator that yields regularly. */
export function* specFromTextPaced(text: string, above?: Above, taken?: ReadAs): Paced<Result<Assembled>> {
  const tooLarge = checkSize(text);
  if (tooLarge) return fail(tooLarge);
  if (text.trim() === '') return fail(emptySelection(text));
  if (taken?.asText) return fromText(text, []);
  const cut = wholeRows(text);
  const read = yield* specFromCodePaced(cut?.text ?? text, above, taken);
  if (!cut) return read;
  const isWhole = read.ok && read.value.used.length > 0;
  return isWhole
    ? ok(withUnfollowed(read.value, [cut.left]))
    : fail(cutLiteralProblem(text, lineIn(text, above)) ?? cut.left);
}

const withUnfollowed = (read: Assembled, more: readonly Problem[]): Assembled => ({
  ...read,
  unfollowed: [...more, ...(read.unfollowed ?? [])],
});

function* specFromCodePaced(
  text: string,
  above: Above | undefined,
  taken: ReadAs | undefined,
): Paced<Result<Assembled>> {
  const candidates = yield* scanCandidatesPaced(scannerOf(text));
  const program = yield* readingNamed(text, candidates, above, taken?.namesOf);
  yield;
  const written = candidates.some((c) => c.matrix && !c.matrix.expression && isAll(text, c.whole));
  const expression = program.own.length === 0 && !written ? program.expression : undefined;
  if (expression?.kind === 'matrix')
    return yield* fromMatrices(
      { text, after: '' },
      { sound: [expression.matrix], broken: [], unknown: new Map() },
      program,
    );
  if (expression?.kind === 'problem') return fail(expression.problem);
  const gathered = yield* gatherPaced(candidates, program);
  if (gathered.unknownProblem && gathered.sound.length + gathered.broken.length === 0 && candidates.length > 0)
    return fail(gathered.unknownProblem);
  if (gathered.sound.length > 0 || candidates.length > 0) {
    const code = { text, before: above?.before ?? '', after: above?.after ?? '' };
    const read = yield* fromMatrices(code, gathered, program);
    if (!read.ok) return read;
    const beside = [...numbersBeside(text, candidates), ...numbersAsLabels(read.value.used)];
    return ok(withUnfollowed(read.value, [...beside, ...unfollowedNotes(text, gathered, program, read.value)]));
  }
  const problem = unknownMatrixProblem(gathered, program) ?? cutLiteralProblem(text, program.lineOf);
  if (problem) return fail(problem);
  const code = taken?.codeAsText ? undefined : programIn(text);
  const cause = [...gathered.unknown.values()][0]?.problem ?? gathered.unknownProblem;
  return code
    ? fail(...codeProblems(text, code.language, cause, program.lineOf))
    : fromText(text, codeAsTextNotes(gathered));
}

/** Whether a literal is all of a text, apart from blanks. */
const isAll = (text: string, { start, end }: TextRange): boolean =>
  text.slice(0, start).trim() === '' && text.slice(end).trim() === '';

/** Why the matrices of a program without literals are not known, when it plainly computes some. */
function unknownMatrixProblem({ unknown }: Gathered, program: ReadProgram): Problem | undefined {
  return [...unknown.values()].find(({ name }) => program.isComputed(name))?.problem;
}

/** A note for code whose matrices are not known: it is explained as text, which is probably not what was meant. */
function codeAsTextNotes({ unknown }: Gathered): string[] {
  const [first] = unknown.values();
  return first
    ? [
        t(
          'Taken as text, for {0}. For its matrices run the code, print them and select what is printed.',
          first.problem.message,
        ),
      ]
    : [];
}

const emptySelection = (text: string): Problem => ({
  code: 'empty',
  message: text === '' ? t('nothing is selected') : t('only white space is selected'),
  hint: t('Select text or a matrix, such as [[1, 0], [0, 1]].'),
  range: { start: 0, end: text.length },
});

/** Of a longer text only this many characters are split into words first, about eight per word. */
const longText = 8 * tokenLimit;

function fromText(text: string, notes: readonly string[]): Result<Assembled> {
  // The beginning of a long text says enough: splitting megabytes takes long.
  const isLong = text.length > longText && splitText(text.slice(0, longText), 'words').length > tokenLimit;
  const words = splitText(isLong ? text.slice(0, longText) : text, 'words');
  if (words.length > tokenLimit) {
    return fail({
      code: 'too-large',
      message: isLong
        ? t('the text has more than {0} words and marks, the limit is {0}', tokenLimit)
        : t('the text has {0} words and marks, the limit is {1}', words.length, tokenLimit),
      hint: t('Select a sentence or a paragraph.'),
      range: { start: words[tokenLimit]?.start ?? 0, end: text.length },
    });
  }
  return ok({ spec: { ...textDefaults, start: { from: 'text', text, tokenizer: 'words' } }, notes, used: [] });
}

function* fromMatrices(code: Code, gathered: Gathered, program: ReadProgram): Paced<Result<Assembled>> {
  const { text } = code;
  const notes: string[] = [];
  const { sound, broken, unknown } = gathered;
  const hasRoles = sound.some((m) => m.role !== undefined);
  const fatal = broken.filter((c) => !hasRoles || c.role !== undefined);
  if (fatal.length > 0) return fail(...withoutValues(text, fatal, sound));
  for (const c of broken)
    notes.push(t('{0} is left out: {1}.', c.name ?? t('An unnamed matrix'), c.problems[0]?.message));
  const parts = partsByRole(
    { text, code, byRole: new Map(), tokens: undefined, others: [], notes, program, unknown },
    sound,
  );
  return parts.ok ? yield* chooseStart(completedFromAbove(parts.value)) : parts;
}

/** The problems without those of V, if Q and K are complete: these two are enough for the weights. */
function withoutValues(text: string, fatal: readonly Candidate[], sound: readonly ParsedMatrix[]): readonly Problem[] {
  const problems = fatal.flatMap((c) => c.problems);
  const [q, k] = (['q', 'k'] as const).map((role) => sound.find((m) => m.role === role));
  const start = Math.min(...fatal.map((c) => c.whole.start));
  if (!q || !k || fatal.some((c) => c.role !== 'v') || q.range.end > start || k.range.end > start) return problems;
  const { line } = positionAt(text, Math.max(q.range.end, k.range.end) - 1);
  const more = t(
    '{0} and {1} alone lead to the weights: end the selection after line {2} of it.',
    q.name ?? 'Q',
    k.name ?? 'K',
    line,
  );
  return problems.map((p, i) => (i > 0 ? p : { ...p, hint: p.hint === undefined ? more : `${p.hint} ${more}` }));
}

function partsByRole(parts: SelectionParts, sound: readonly ParsedMatrix[]): Result<SelectionParts> {
  const byRole = new Map<MatrixRole, ParsedMatrix>();
  const problems: Problem[] = [];
  const spare: ParsedMatrix[] = [];
  for (const m of sound) {
    if (m.role === undefined || m.role === 'xi') continue;
    const isUsed = m.role in symbols;
    const earlier = byRole.get(m.role);
    const isNamedX = (x: ParsedMatrix): boolean => /(?:^|\.)x$/i.test(x.name ?? '');
    if (!earlier) byRole.set(m.role, m);
    else if (m.role === 'x' && isNamedX(m) !== isNamedX(earlier)) {
      // `emb` or `m` beside X: some other matrix.
      byRole.set('x', isNamedX(m) ? m : earlier);
      spare.push(isNamedX(m) ? earlier : m);
    } else if (isUsed && !sameMatrix(earlier, m)) problems.push(givenTwice(parts.program, earlier, m));
  }
  const vectors = sound.filter((m) => m.role === 'xi');
  const list = vectors.length > 0 ? undefined : listOfTokens(sound, byRole.get('x'));
  const tokens = stackTokens(list ? vectorsOf(list) : vectors);
  if (!tokens.ok) problems.push(...tokens.problems);
  if (problems.length > 0) return fail(...problems);
  // `X = np.array(all_x).squeeze()` contains the same numbers.
  if (list) byRole.delete('x');
  const others = sound.filter((m) => m !== list && (m.role === undefined || !(m.role in symbols || m.role === 'xi')));
  return ok({ ...parts, byRole, tokens: tokens.ok ? tokens.value : undefined, others: [...others, ...spare] });
}

/** The list of tokens (`all_x`), unless there is an X with other numbers. */
function listOfTokens(sound: readonly ParsedMatrix[], x: ParsedMatrix | undefined): ParsedMatrix | undefined {
  const list = sound.find(isTokenList);
  const same =
    list && (!x || (x.values.length === list.values.length && x.values.every((v, i) => v === list.values[i])));
  return same ? list : undefined;
}

/** Adds matrices from the text above the selection that belong to the selected ones: K and V for Q, X and the other weights for W_q. */
function completedFromAbove(parts: SelectionParts): SelectionParts {
  const byRole = new Map(parts.byRole);
  if (parts.program.above.length === 0) return parts;
  const own = [...parts.byRole.values()].flatMap(({ name }) => name ?? []);
  for (const role of missingRoles(parts)) {
    const found = byRole.has(role) ? undefined : fromAbove(parts.program, role, parts.code, own);
    if (found?.kind !== 'matrix') continue;
    byRole.set(role, found.matrix);
    const place = parts.program.placeOfName(found.matrix.name ?? '') ?? t('a line');
    parts.notes.push(aboveNote(found.matrix, place));
  }
  if ((['wq', 'wk', 'wv'] as const).some((role) => parts.byRole.has(role)) && !byRole.has('x') && !parts.tokens)
    return withTokens({ ...parts, byRole });
  return { ...parts, byRole };
}

function missingRoles({ byRole, tokens, others }: SelectionParts): readonly MatrixRole[] {
  const has = (...roles: readonly MatrixRole[]): boolean => roles.some((role) => byRole.has(role));
  if (has('wq', 'wk', 'wv')) return tokens ? ['wq', 'wk', 'wv'] : ['wq', 'wk', 'wv', 'x'];
  if (has('q', 'k', 'v')) return ['q', 'k', 'v'];
  const later = matricesByValues(others);
  return later.has('scores') || later.has('weights') ? ['v'] : [];
}

function withTokens(parts: SelectionParts): SelectionParts {
  const tokens = stackTokens(tokensFromAbove(parts.program));
  return tokens.ok && tokens.value ? { ...parts, tokens: tokens.value } : parts;
}

const sameMatrix = (a: ParsedMatrix, b: ParsedMatrix): boolean =>
  formatShape(a.shape) === formatShape(b.shape) && a.values.every((v, i) => Object.is(v, b.values[i]));

function givenTwice(program: ReadProgram, earlier: ParsedMatrix, later: ParsedMatrix): Problem {
  const place = (m: ParsedMatrix): string => program.placeOf(m.range.start);
  return {
    code: 'duplicate',
    message: t('{0} is given twice with different numbers, in {1} and {2}', later.name, place(earlier), place(later)),
    hint: t('Select one of them.'),
    range: later.range,
  };
}
