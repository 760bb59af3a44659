import { t } from '../l10n';
import { fail, ok, positionAt, type Problem, type Result, type TextRange } from '../problems';
import { textDefaults, tokenLimit } from '../spec';
import { formatShape } from '../tensor';
import { splitText } from '../tokens/split';
import { aboveNote, fromAbove, gathering, laterParts, tokensFromAbove, type Gathered } from './gather';
import { checkSize, scanning } from './literals';
import type { MatrixRole, ParsedMatrix } from './matrix';
import { finish, type Paced } from './pace';
import { readingProgram, type Above, type ReadProgram } from './program/index';
import { symbols } from './rows';
import { scannerOf } from './scanner';
import { stackTokens } from './stack';
import type { Assembled, Parts } from './walk-parts';
import { choose } from './walks';

export type { Assembled } from './walk-parts';

/**
 * What a selection asks for: matrices when it holds any that are plainly meant, written out or computed by its statements,
 * text otherwise. Names that the selection uses and does not assign are those of the text above it, where that is given.
 * Everything that is not selected comes from the defaults in spec.ts. Problems carry the range in the selection.
 */
export const specFromText = (text: string, above?: Above): Result<Assembled> => finish(readingSpec(text, above));

/** The same, with places to stop. */
export function* readingSpec(text: string, above?: Above): Paced<Result<Assembled>> {
  const tooLarge = checkSize(text);
  if (tooLarge) return fail(tooLarge);
  if (text.trim() === '') return fail(emptySelection(text));
  const candidates = yield* scanning(scannerOf(text));
  const program = yield* readingProgram(text, candidates, above);
  yield;
  const written = candidates.some((c) => c.matrix && !c.matrix.expression && isAll(text, c.whole));
  const expression = program.own.length === 0 && !written ? yield* program.expression() : undefined;
  if (expression?.kind === 'matrix')
    return yield* fromMatrices(text, { sound: [expression.matrix], broken: [], unknown: new Map() }, program);
  const gathered = yield* gathering(candidates, program);
  if (gathered.lost && gathered.sound.length + gathered.broken.length === 0 && candidates.length > 0)
    return fail(gathered.lost);
  if (gathered.sound.length > 0 || candidates.length > 0) return yield* fromMatrices(text, gathered, program);
  const problem = expression?.kind === 'problem' ? expression.problem : meantAsMatrix(gathered, program);
  return problem ? fail(problem) : fromText(text);
}

/** Whether nothing but blanks stands around a literal. */
const isAll = (text: string, { start, end }: TextRange): boolean =>
  text.slice(0, start).trim() === '' && text.slice(end).trim() === '';

/** Why the matrices of a program without literals are not known, when it plainly computes some. */
function meantAsMatrix({ unknown }: Gathered, program: ReadProgram): Problem | undefined {
  return [...unknown.values()].find(({ name }) => program.isComputed(name))?.problem;
}

const emptySelection = (text: string): Problem => ({
  code: 'empty',
  message: text === '' ? t('nothing is selected') : t('only white space is selected'),
  hint: t('Select text or a matrix, such as [[1, 0], [0, 1]].'),
  range: { start: 0, end: text.length },
});

/** Characters of which the words are counted before those of the whole text: about eight a word. */
const longText = 8 * tokenLimit;

function fromText(text: string): Result<Assembled> {
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
  return ok({ spec: { ...textDefaults, start: { from: 'text', text, tokenizer: 'words' } }, notes: [], used: [] });
}

function* fromMatrices(text: string, gathered: Gathered, program: ReadProgram): Paced<Result<Assembled>> {
  const notes: string[] = [];
  const { sound, broken, unknown } = gathered;
  const hasRoles = sound.some((m) => m.role !== undefined);
  const fatal = broken.filter((c) => !hasRoles || c.role !== undefined);
  if (fatal.length > 0) return fail(...fatal.flatMap((c) => c.problems));
  for (const c of broken)
    notes.push(t('{0} is left out: {1}.', c.name ?? t('An unnamed matrix'), c.problems[0]?.message));
  const parts = partsOf({ text, byRole: new Map(), tokens: undefined, others: [], notes, program, unknown }, sound);
  return parts.ok ? yield* choose(filled(parts.value)) : parts;
}

function partsOf(parts: Parts, sound: readonly ParsedMatrix[]): Result<Parts> {
  const byRole = new Map<MatrixRole, ParsedMatrix>();
  const problems: Problem[] = [];
  for (const m of sound) {
    if (m.role === undefined || m.role === 'xi') continue;
    const isUsed = m.role in symbols;
    const earlier = byRole.get(m.role);
    if (!earlier) byRole.set(m.role, m);
    else if (isUsed && !sameMatrix(earlier, m)) problems.push(givenTwice(parts.text, earlier, m));
  }
  const tokens = stackTokens(sound.filter((m) => m.role === 'xi'));
  if (!tokens.ok) problems.push(...tokens.problems);
  if (problems.length > 0) return fail(...problems);
  const others = sound.filter((m) => m.role === undefined || !(m.role in symbols || m.role === 'xi'));
  return ok({ ...parts, byRole, tokens: tokens.ok ? tokens.value : undefined, others });
}

/** Completes a walk that the selection begins with what stands above it: K and V for Q, X and the other weights for W_q. */
function filled(parts: Parts): Parts {
  const has = (...roles: readonly MatrixRole[]): boolean => roles.some((role) => parts.byRole.has(role));
  const byRole = new Map(parts.byRole);
  const fill = (role: MatrixRole): void => {
    const found = byRole.has(role) ? undefined : fromAbove(parts.program, role);
    if (found?.kind !== 'matrix') return;
    byRole.set(role, found.matrix);
    parts.notes.push(aboveNote(found.matrix));
  };
  if (parts.program.above.length === 0) return parts;
  const later = laterParts(parts.others);
  if (has('wq', 'wk', 'wv')) {
    for (const role of ['wq', 'wk', 'wv', ...(parts.tokens ? [] : (['x'] as const))] as const) fill(role);
    if (!byRole.has('x') && !parts.tokens) return withTokens({ ...parts, byRole });
  } else if (has('q', 'k', 'v')) for (const role of ['q', 'k', 'v'] as const) fill(role);
  else if (later.has('scores') || later.has('weights')) fill('v');
  return { ...parts, byRole };
}

function withTokens(parts: Parts): Parts {
  const tokens = stackTokens(tokensFromAbove(parts.program));
  return tokens.ok && tokens.value ? { ...parts, tokens: tokens.value } : parts;
}

const sameMatrix = (a: ParsedMatrix, b: ParsedMatrix): boolean =>
  formatShape(a.shape) === formatShape(b.shape) && a.values.every((v, i) => Object.is(v, b.values[i]));

function givenTwice(text: string, earlier: ParsedMatrix, later: ParsedMatrix): Problem {
  const line = (m: ParsedMatrix): number => positionAt(text, m.range.start).line;
  return {
    code: 'duplicate',
    message: t(
      '{0} is given twice with different numbers, in lines {1} and {2}',
      later.name,
      line(earlier),
      line(later),
    ),
    hint: t('Select one of them.'),
    range: later.range,
  };
}
