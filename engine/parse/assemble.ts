import { fail, ok, positionAt, type Problem, type Result, type TextRange } from '../problems';
import { checkSpec } from '../shapes';
import {
  matrixDefaults,
  textDefaults,
  tokenLimit,
  type AttentionSpec,
  type Projections,
  type SpecHeads,
} from '../spec';
import { formatShape } from '../tensor';
import { splitText } from '../tokens/split';
import { conventionOf, type Weights } from './convention';
import { aboveNote, fromAbove, gather, laterParts, tokensFromAbove, type Gathered, type NamedProblem } from './gather';
import { checkSize, scanning } from './literals';
import type { MatrixRole, ParsedMatrix } from './matrix';
import { aboutValues } from './notes';
import { readingProgram, type Above, type ReadProgram } from './program/index';
import { isScaledName } from './roles';
import { allRows, biasesOf, need, symbols, type Named, type Rows } from './rows';
import { scannerOf } from './scanner';
import { stackTokens, type Stacked } from './stack';
import { finish as finishSteps, type Paced } from './pace';
import { dKOf, withSwitches } from './switches';

export interface Assembled {
  readonly spec: AttentionSpec;
  /** What a person should know about how the input was taken: one sentence each. */
  readonly notes: readonly string[];
  /** The matrices that the spec was made of. */
  readonly used: readonly ParsedMatrix[];
}

/**
 * What a selection asks for: matrices when it holds any that are plainly meant, written out or computed by its statements,
 * text otherwise. Names that the selection uses and does not assign are those of the text above it, where that is given.
 * Everything that is not selected comes from the defaults in spec.ts. Problems carry the range in the selection.
 */
export const specFromText = (text: string, above?: Above): Result<Assembled> => finishSteps(readingSpec(text, above));

/** The same, with places to stop. */
export function* readingSpec(text: string, above?: Above): Paced<Result<Assembled>> {
  const tooLarge = checkSize(text);
  if (tooLarge) return fail(tooLarge);
  if (text.trim() === '') return fail(emptySelection(text));
  const candidates = yield* scanning(scannerOf(text));
  const program = yield* readingProgram(text, candidates, above);
  yield;
  const written = candidates.some((c) => c.matrix && !c.matrix.expression && isAll(text, c.whole));
  const expression = program.own.length === 0 && !written ? program.expression() : undefined;
  if (expression?.kind === 'matrix')
    return fromMatrices(text, { sound: [expression.matrix], broken: [], unknown: new Map() }, program);
  const gathered = gather(candidates, program);
  if (gathered.lost && gathered.sound.length + gathered.broken.length === 0 && candidates.length > 0)
    return fail(gathered.lost);
  if (gathered.sound.length > 0 || candidates.length > 0) return fromMatrices(text, gathered, program);
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
  message: text === '' ? 'nothing is selected' : 'only white space is selected',
  hint: 'Select text or a matrix, such as [[1, 0], [0, 1]].',
  range: { start: 0, end: text.length },
});

/** Characters of which the words are counted before those of the whole text. */
const longText = 100_000;

function fromText(text: string): Result<Assembled> {
  // The beginning of a long text says enough: splitting megabytes takes long.
  const isLong = text.length > longText && splitText(text.slice(0, longText), 'words').length > tokenLimit;
  const words = splitText(isLong ? text.slice(0, longText) : text, 'words');
  if (words.length > tokenLimit) {
    return fail({
      code: 'too-large',
      message: `the text has ${isLong ? `more than ${tokenLimit}` : words.length} words and marks, the limit is ${tokenLimit}`,
      hint: 'Select a sentence or a paragraph.',
      range: { start: words[tokenLimit]?.start ?? 0, end: text.length },
    });
  }
  return ok({ spec: { ...textDefaults, start: { from: 'text', text, tokenizer: 'words' } }, notes: [], used: [] });
}

/** The matrices of a selection by role, and what else was found. */
interface Parts {
  readonly text: string;
  readonly byRole: ReadonlyMap<MatrixRole, ParsedMatrix>;
  readonly tokens: Stacked | undefined;
  readonly others: readonly ParsedMatrix[];
  readonly notes: string[];
  readonly program: ReadProgram;
  /** Why names with these roles are not known. */
  readonly unknown: ReadonlyMap<MatrixRole, NamedProblem>;
}

function fromMatrices(text: string, gathered: Gathered, program: ReadProgram): Result<Assembled> {
  const notes: string[] = [];
  const { sound, broken, unknown } = gathered;
  const hasRoles = sound.some((m) => m.role !== undefined);
  const fatal = broken.filter((c) => !hasRoles || c.role !== undefined);
  if (fatal.length > 0) return fail(...fatal.flatMap((c) => c.problems));
  for (const c of broken) notes.push(`${c.name ?? 'An unnamed matrix'} is left out: ${c.problems[0]?.message}.`);
  const parts = partsOf({ text, byRole: new Map(), tokens: undefined, others: [], notes, program, unknown }, sound);
  return parts.ok ? choose(filled(parts.value)) : parts;
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
    message: `${later.name} is given twice with different numbers, in lines ${line(earlier)} and ${line(later)}`,
    hint: 'Select one of them.',
    range: later.range,
  };
}

/** Which walk the matrices allow: X with weights, else Q, K, V, else weights or scores, else X alone. */
function choose(parts: Parts): Result<Assembled> {
  const { byRole, tokens, others } = parts;
  const x = tokens?.matrix ?? byRole.get('x');
  const weights = (['wq', 'wk', 'wv'] as const).filter((role) => byRole.has(role));
  const keys = (['q', 'k', 'v'] as const).filter((role) => byRole.has(role));
  if (x && weights.length === 3) return projected(parts, x);
  if (byRole.has('q') && byRole.has('k')) return given(parts);
  const later = laterParts(others);
  const [attention, scores] = [later.get('weights'), later.get('scores')];
  const v = byRole.get('v');
  if (attention && v && weights.length === 0) return fromWeights(parts, attention, v);
  if (scores && weights.length === 0 && !byRole.has('q') && !byRole.has('k')) return fromScores(parts, scores);
  if (weights.length > 0) return fail(missingForWeights(parts, x, weights));
  if (keys.length > 0) return fail(missingForKeys(parts, keys));
  if (x) return alone(parts, x);
  const unnamed = others.filter((m) => m.role === undefined);
  const [only, second] = unnamed;
  if (only && !second) return alone(parts, only);
  const unknown = [...parts.unknown.values()][0];
  if (unknown) return fail(unknown.problem);
  return fail(second ? severalUnnamed(unnamed.length, second) : unusable(others));
}

/** QKᵀ as it is printed: what was before it is not known, so d_k is asked of the text, else the paper's 64. */
function fromScores(parts: Parts, m: ParsedMatrix): Result<Assembled> {
  const v = parts.byRole.get('v');
  const fields: Named = { scores: m, ...(v ? { v } : {}) };
  const rows = allRows(fields);
  if (!rows.ok) return rows;
  const { dims } = need(rows.value['scores']);
  const divided = isScaledName(m.name) || /[/*]/.test(m.derivation ?? '');
  const { dK, note } = dKOf(parts.program, divided);
  const values = rows.value['v'];
  const start = {
    from: 'scores' as const,
    scores: headsOr(rows.value['scores']),
    dK,
    ...(values ? { v: headsOr(values) } : {}),
  };
  const spec: AttentionSpec = {
    ...matrixDefaults,
    start,
    heads: need(rows.value['scores']).heads?.length ?? 1,
    scale: divided ? 'none' : 'sqrt_d_k',
    ...scoreLabels(m),
  };
  const why =
    m.rowLabels && m.columnLabels && m.role === undefined && !m.name
      ? ', for its rows and columns carry the same tokens'
      : '';
  const notes = [`${m.name ?? 'The matrix'} (${formatShape(dims)}) is taken as scores QKᵀ${why}.`, note];
  return finish(parts, spec, fields, [...notes, ...(v ? [] : ['V is not selected: the walk ends at the weights.'])]);
}

function fromWeights(parts: Parts, m: ParsedMatrix, v: ParsedMatrix): Result<Assembled> {
  const fields: Named = { weights: m, v };
  const rows = allRows(fields);
  if (!rows.ok) return rows;
  const [weights, values] = [need(rows.value['weights']), need(rows.value['v'])];
  const start = { from: 'weights' as const, weights: headsOr(weights), v: headsOr(values) };
  const spec: AttentionSpec = { ...matrixDefaults, start, heads: weights.heads?.length ?? 1, ...scoreLabels(m) };
  return finish(parts, spec, fields, [`${m.name ?? 'The matrix'} is taken as attention weights: its rows sum to 1.`]);
}

const headsOr = (rows: Rows | undefined): SpecHeads => rows?.heads ?? rows?.rows ?? [];

function scoreLabels({ rowLabels, columnLabels }: ParsedMatrix): Pick<AttentionSpec, 'labels'> {
  if (!rowLabels && !columnLabels) return {};
  return { labels: { ...(rowLabels ? { queries: rowLabels } : {}), ...(columnLabels ? { keys: columnLabels } : {}) } };
}

function missingForWeights(
  parts: Parts,
  x: ParsedMatrix | undefined,
  weights: readonly ('wq' | 'wk' | 'wv')[],
): Problem {
  const missing = (['wq', 'wk', 'wv'] as const).filter((role) => !weights.includes(role)).map((role) => symbols[role]);
  if (!x) missing.unshift('X' as never);
  const unknown = unknownOf(parts, [...(x ? [] : (['x', 'xi'] as const)), 'wq', 'wk', 'wv']);
  if (unknown) return unknown;
  const have = weights.map((role) => parts.byRole.get(role)?.name ?? symbols[role]);
  return missingProblem(
    missing,
    have,
    parts.byRole.get(weights[0] ?? 'wq'),
    'Select X (or x_1 … x_n), W_q, W_k and W_v.',
  );
}

/** A part that is missing because what the program makes of it is not known. */
const unknownOf = ({ byRole, unknown }: Parts, roles: readonly MatrixRole[]): Problem | undefined =>
  roles.filter((role) => !byRole.has(role)).flatMap((role) => unknown.get(role)?.problem ?? [])[0];

function missingForKeys(parts: Parts, keys: readonly ('q' | 'k' | 'v')[]): Problem {
  const missing = (['q', 'k'] as const).filter((role) => !keys.includes(role)).map((role) => symbols[role]);
  const unknown = unknownOf(parts, ['q', 'k']);
  if (unknown) return unknown;
  const have = keys.map((role) => parts.byRole.get(role)?.name ?? symbols[role]);
  const hint = 'Select Q and K, and V to see the output; or rename it to X for Q = K = V = X.';
  return missingProblem(missing, have, parts.byRole.get(keys[0] ?? 'q'), hint);
}

function missingProblem(
  missing: readonly string[],
  have: readonly string[],
  at: ParsedMatrix | undefined,
  hint: string,
): Problem {
  const message = `${have.join(', ')} without ${missing.join(', ')}`;
  return { code: 'missing', message, hint, ...(at ? { range: at.nameRange ?? at.range } : {}) };
}

const severalUnnamed = (count: number, second: ParsedMatrix): Problem => ({
  code: 'unnamed',
  message:
    second.name === undefined
      ? `${count} matrices are selected and nothing says which is which`
      : `${count} matrices are selected and none is named Q, K, V or X`,
  hint: 'Name them Q = …, K = …, V = …, or select one of them.',
  range: second.range,
});

function unusable(others: readonly ParsedMatrix[]): Problem {
  const [m] = others;
  return {
    code: 'missing',
    message: `${m?.name ?? 'this'} without X, or Q and K`,
    hint: 'Select X, or Q and K, with it.',
    ...(m ? { range: m.nameRange ?? m.range } : {}),
  };
}

function projected(parts: Parts, x: ParsedMatrix): Result<Assembled> {
  const role = (name: MatrixRole): ParsedMatrix => need(parts.byRole.get(name));
  const context = laterParts(parts.others).get('context');
  const fields: Named = { x, wq: role('wq'), wk: role('wk'), wv: role('wv'), ...(context ? { context } : {}) };
  const rows = allRows(fields);
  if (!rows.ok) return rows;
  const of = (field: string): Rows => need(rows.value[field]);
  const weights: Weights = { x: of('x').dims, wq: of('wq').dims, wk: of('wk').dims, wv: of('wv').dims };
  const convention = conventionOf(weights, fields, parts.tokens);
  if (!convention.ok) return convention;
  const biases = biasesOf(parts.byRole);
  if (!biases.ok) return biases;
  const projections: Projections = {
    from: 'given',
    wq: of('wq').rows,
    wk: of('wk').rows,
    wv: of('wv').rows,
    ...biases.value.rows,
  };
  const spec: AttentionSpec = {
    ...matrixDefaults,
    start: { from: 'x', x: of('x').rows, ...(context ? { context: of('context').rows } : {}) },
    projections,
    convention: convention.value.convention,
    ...labelsOf(x, parts.tokens, context),
  };
  const cross = context ? [`Keys and values come from ${context.name}: cross-attention.`] : [];
  return finish(parts, spec, { ...fields, ...biases.value.fields }, [convention.value.note, ...cross]);
}

function given(parts: Parts): Result<Assembled> {
  const v = parts.byRole.get('v');
  const fields: Named = { q: need(parts.byRole.get('q')), k: need(parts.byRole.get('k')), ...(v ? { v } : {}) };
  const rows = allRows(fields);
  if (!rows.ok) return rows;
  const [q, k, values] = [need(rows.value['q']), need(rows.value['k']), rows.value['v']];
  const start = { from: 'qkv' as const, q: headsOr(q), k: headsOr(k), ...(values ? { v: headsOr(values) } : {}) };
  const heads = q.heads?.length ?? 1;
  const kvHeads = k.heads?.length ?? 1;
  const spec: AttentionSpec = {
    ...matrixDefaults,
    start,
    heads,
    ...(kvHeads === heads ? {} : { kvHeads }),
    ...labelsOf(need(fields['q']), undefined, fields['k']),
  };
  const split =
    heads > 1 ? [`Q is ${formatShape(need(fields['q']).shape)}: ${heads} heads of ${formatShape(q.dims)}.`] : [];
  return finish(parts, spec, fields, [...split, ...(v ? [] : [unknownV(parts)])]);
}

function unknownV({ unknown }: Parts): string {
  const found = unknown.get('v');
  const why = found ? `${found.name} is not known (${found.problem.message})` : 'V is not selected';
  return `${why}: the walk ends at the weights.`;
}

function alone(parts: Parts, x: ParsedMatrix): Result<Assembled> {
  const rows = allRows({ x });
  if (!rows.ok) return rows;
  const start = { from: 'x' as const, x: need(rows.value['x']).rows };
  const spec: AttentionSpec = { ...matrixDefaults, start, ...labelsOf(x, parts.tokens) };
  const notes = ['One matrix is selected: Q = K = V = X.'];
  if (x.shape.length === 1) notes.push('A flat list is one row.');
  if (laterParts([x]).has('weights'))
    notes.push(
      `The rows of ${x.name ?? 'it'} sum to 1, as those of attention weights do: select V with it to start there.`,
    );
  return finish(parts, spec, { x }, notes);
}

function labelsOf(x: ParsedMatrix, tokens: Stacked | undefined, k?: ParsedMatrix): Pick<AttentionSpec, 'labels'> {
  const queries = tokens?.labels ?? x.rowLabels;
  const keys = k?.rowLabels;
  if (!queries && !keys) return {};
  return { labels: { ...(queries ? { queries } : {}), ...(keys ? { keys } : {}) } };
}

/** Adds what else was found, checks the whole with the rules of every spec, and points their problems at the text. */
function finish(parts: Parts, plain: AttentionSpec, own: Named, notes: readonly string[]): Result<Assembled> {
  const switched = withSwitches(parts, plain);
  if (!switched.ok) return switched;
  const { spec } = switched.value;
  const fields: Named = { ...own, ...switched.value.fields };
  const unfit = checkSpec(spec);
  if (unfit.length > 0) return fail(...unfit.map((problem) => located(problem, fields)));
  const sources = parts.tokens && fields['x'] === parts.tokens.matrix ? parts.tokens.sources : [];
  const used = [...sources, ...Object.values(fields).filter((m) => m !== parts.tokens?.matrix)];
  const unused = [...parts.byRole.values(), ...parts.others].filter((m) => !used.includes(m));
  const more = unusedNotes([...new Set(unused)]);
  const computed = used.flatMap((m) =>
    m.derivation === undefined ? [] : [`${m.name ?? 'The matrix'} is ${m.derivation}.`],
  );
  return ok({
    spec,
    used,
    notes: [...notes, ...switched.value.notes, ...computed, ...aboutValues(used), ...more, ...parts.notes],
  });
}

function located(problem: Problem, fields: Named): Problem {
  const path = problem.path ?? '';
  const m = path.startsWith('mask') ? fields['mask'] : fields[path.split('.').at(-1)?.replace(/\[.*/, '') ?? ''];
  if (!m || path === '') return problem;
  // The rules of every spec name the field; here it has a name of its own.
  const message = problem.message.replaceAll(path, m.name ?? 'the matrix');
  return { ...problem, message, range: m.range };
}

/** Names listed in one note. */
const listed = 12;

/** What was found and is not part of the walk: named, never dropped in silence. */
function unusedNotes(unused: readonly ParsedMatrix[]): string[] {
  const show = (m: ParsedMatrix): string => `${m.name ?? 'an unnamed matrix'} (${formatShape(m.shape)})`;
  const list = (ms: readonly ParsedMatrix[]): string =>
    ms.slice(0, listed).map(show).join(', ') + (ms.length > listed ? ` and ${ms.length - listed} more` : '');
  const of = (...roles: (MatrixRole | undefined)[]): readonly ParsedMatrix[] =>
    unused.filter((m) => roles.includes(m.role));
  const [masks, biases] = [of('mask'), of('bias', 'bq', 'bk', 'bv')];
  const others = unused.filter((m) => !masks.includes(m) && !biases.includes(m));
  return [
    ...(masks.length
      ? [`Not used: ${list(masks)}: one mask is enough, or it does not fit; choose it in the panel.`]
      : []),
    ...(biases.length ? [`Not used: ${list(biases)}: biases are added where X, W_q, W_k and W_v are given.`] : []),
    ...(others.length ? [`Not used: ${list(others)}.`] : []),
  ];
}
