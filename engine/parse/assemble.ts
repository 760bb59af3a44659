import { fail, ok, positionAt, type Problem, type Result } from '../problems';
import { checkSpec } from '../shapes';
import { matrixDefaults, textDefaults, type AttentionSpec, type Projections } from '../spec';
import { formatShape } from '../tensor';
import { splitText } from '../tokens/split';
import { conventionOf, type Weights } from './convention';
import { checkSize, scanCandidates } from './literals';
import type { Candidate, MatrixRole, ParsedMatrix } from './matrix';
import { aboutValues } from './notes';
import { allRows, biasesOf, need, symbols, type Named, type Rows } from './rows';
import { scannerOf } from './scanner';
import { stackTokens, type Stacked } from './stack';

/** Longest text that is explained, in words and marks. */
export const wordLimit = 2000;

export interface Assembled {
  readonly spec: AttentionSpec;
  /** What a person should know about how the input was taken: one sentence each. */
  readonly notes: readonly string[];
  /** The matrices that the spec was made of. */
  readonly used: readonly ParsedMatrix[];
}

/**
 * What a selection asks for: matrices when it holds any that are plainly meant, text otherwise. Everything that is not
 * selected comes from the defaults in spec.ts. Problems carry the range in the selection.
 */
export function specFromText(text: string): Result<Assembled> {
  const tooLarge = checkSize(text);
  if (tooLarge) return fail(tooLarge);
  if (text.trim() === '') return fail(emptySelection(text));
  const candidates = scanCandidates(scannerOf(text));
  return candidates.length > 0 ? fromCandidates(text, candidates) : fromText(text);
}

const emptySelection = (text: string): Problem => ({
  code: 'empty',
  message: text === '' ? 'nothing is selected' : 'only white space is selected',
  hint: 'Select text or a matrix, such as [[1, 0], [0, 1]].',
  range: { start: 0, end: text.length },
});

function fromText(text: string): Result<Assembled> {
  const words = splitText(text, 'words');
  if (words.length > wordLimit) {
    return fail({
      code: 'too-large',
      message: `the text has ${words.length} words and marks, the limit is ${wordLimit}`,
      hint: 'Select a sentence or a paragraph.',
      range: { start: words[wordLimit]?.start ?? 0, end: text.length },
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
}

function fromCandidates(text: string, candidates: readonly Candidate[]): Result<Assembled> {
  const notes: string[] = [];
  const broken = candidates.filter((c) => c.problems.length > 0);
  const sound = candidates.flatMap((c) => (c.matrix ? [c.matrix] : []));
  const hasRoles = sound.some((m) => m.role !== undefined);
  const fatal = broken.filter((c) => !hasRoles || c.role !== undefined);
  if (fatal.length > 0) return fail(...fatal.flatMap((c) => c.problems));
  for (const c of broken) notes.push(`${c.name ?? 'An unnamed matrix'} is left out: ${c.problems[0]?.message}.`);
  const parts = partsOf(text, sound, notes);
  return parts.ok ? choose(parts.value) : parts;
}

function partsOf(text: string, sound: readonly ParsedMatrix[], notes: string[]): Result<Parts> {
  const byRole = new Map<MatrixRole, ParsedMatrix>();
  const problems: Problem[] = [];
  for (const m of sound) {
    if (m.role === undefined || m.role === 'xi') continue;
    const isUsed = m.role in symbols;
    const earlier = byRole.get(m.role);
    if (!earlier) byRole.set(m.role, m);
    else if (isUsed && !sameMatrix(earlier, m)) problems.push(givenTwice(text, earlier, m));
  }
  const tokens = stackTokens(sound.filter((m) => m.role === 'xi'));
  if (!tokens.ok) problems.push(...tokens.problems);
  if (problems.length > 0) return fail(...problems);
  const others = sound.filter((m) => m.role === undefined || !(m.role in symbols || m.role === 'xi'));
  return ok({ text, byRole, tokens: tokens.ok ? tokens.value : undefined, others, notes });
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

/** Which walk the matrices allow: X with weights, else Q, K, V, else X alone. */
function choose(parts: Parts): Result<Assembled> {
  const { byRole, tokens, others } = parts;
  const x = tokens?.matrix ?? byRole.get('x');
  const weights = (['wq', 'wk', 'wv'] as const).filter((role) => byRole.has(role));
  const keys = (['q', 'k', 'v'] as const).filter((role) => byRole.has(role));
  if (x && weights.length === 3) return projected(parts, x);
  if (byRole.has('q') && byRole.has('k')) return given(parts);
  if (weights.length > 0) return fail(missingForWeights(parts, x, weights));
  if (keys.length > 0) return fail(missingForKeys(parts, keys));
  if (x) return alone(parts, x);
  const unnamed = others.filter((m) => m.role === undefined);
  const [only, second] = unnamed;
  if (only && !second) return alone(parts, only);
  return fail(second ? severalUnnamed(unnamed.length, second) : unusable(others));
}

function missingForWeights(
  parts: Parts,
  x: ParsedMatrix | undefined,
  weights: readonly ('wq' | 'wk' | 'wv')[],
): Problem {
  const missing = (['wq', 'wk', 'wv'] as const).filter((role) => !weights.includes(role)).map((role) => symbols[role]);
  if (!x) missing.unshift('X' as never);
  const have = weights.map((role) => parts.byRole.get(role)?.name ?? symbols[role]);
  return missingProblem(
    missing,
    have,
    parts.byRole.get(weights[0] ?? 'wq'),
    'Select X (or x_1 … x_n), W_q, W_k and W_v.',
  );
}

function missingForKeys(parts: Parts, keys: readonly ('q' | 'k' | 'v')[]): Problem {
  const missing = (['q', 'k'] as const).filter((role) => !keys.includes(role)).map((role) => symbols[role]);
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
  const fields: Named = { x, wq: role('wq'), wk: role('wk'), wv: role('wv') };
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
    start: { from: 'x', x: of('x').rows },
    projections,
    convention: convention.value.convention,
    ...labelsOf(x, parts.tokens),
  };
  return finish(parts, spec, { ...fields, ...biases.value.fields }, [convention.value.note]);
}

function given(parts: Parts): Result<Assembled> {
  const v = parts.byRole.get('v');
  const fields: Named = { q: need(parts.byRole.get('q')), k: need(parts.byRole.get('k')), ...(v ? { v } : {}) };
  const rows = allRows(fields);
  if (!rows.ok) return rows;
  const [q, k] = [need(rows.value['q']).rows, need(rows.value['k']).rows];
  const values = rows.value['v'];
  const start = { from: 'qkv' as const, q, k, ...(values ? { v: values.rows } : {}) };
  const spec: AttentionSpec = { ...matrixDefaults, start, ...labelsOf(need(fields['q']), undefined, fields['k']) };
  return finish(parts, spec, fields, v ? [] : ['V is not selected: the walk ends at the weights.']);
}

function alone(parts: Parts, x: ParsedMatrix): Result<Assembled> {
  const rows = allRows({ x });
  if (!rows.ok) return rows;
  const start = { from: 'x' as const, x: need(rows.value['x']).rows };
  const spec: AttentionSpec = { ...matrixDefaults, start, ...labelsOf(x, parts.tokens) };
  const notes = ['One matrix is selected: Q = K = V = X.'];
  if (x.shape.length === 1) notes.push('A flat list is one row.');
  if (x.rowLabels && x.columnLabels && x.rowLabels.join() === x.columnLabels.join())
    notes.push('Rows and columns carry the same tokens, as scores do; it is taken as X.');
  return finish(parts, spec, { x }, notes);
}

function labelsOf(x: ParsedMatrix, tokens: Stacked | undefined, k?: ParsedMatrix): Pick<AttentionSpec, 'labels'> {
  const queries = tokens?.labels ?? x.rowLabels;
  const keys = k?.rowLabels;
  if (!queries && !keys) return {};
  return { labels: { ...(queries ? { queries } : {}), ...(keys ? { keys } : {}) } };
}

/** Checks the whole with the rules of every spec, points their problems at the text, and adds what is to be known. */
function finish(parts: Parts, spec: AttentionSpec, fields: Named, notes: readonly string[]): Result<Assembled> {
  const unfit = checkSpec(spec);
  if (unfit.length > 0) return fail(...unfit.map((problem) => located(problem, fields)));
  const sources = parts.tokens && fields['x'] === parts.tokens.matrix ? parts.tokens.sources : [];
  const used = [...sources, ...Object.values(fields).filter((m) => m !== parts.tokens?.matrix)];
  const unused = [...parts.byRole.values(), ...parts.others].filter((m) => !used.includes(m));
  const more = unusedNotes([...new Set(unused)]);
  return ok({ spec, used, notes: [...notes, ...aboutValues(used), ...more, ...parts.notes] });
}

function located(problem: Problem, fields: Named): Problem {
  const m = fields[problem.path?.split('.').at(-1) ?? ''];
  if (!m || problem.path === undefined) return problem;
  // The rules of every spec name the field; here it has a name of its own.
  const message = problem.message.replaceAll(problem.path, m.name ?? 'the matrix');
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
    ...(masks.length ? [`Not used: ${list(masks)}; choose the mask in the panel.`] : []),
    ...(biases.length ? [`Not used: ${list(biases)}: biases are added where X, W_q, W_k and W_v are given.`] : []),
    ...(others.length ? [`Not used: ${list(others)}.`] : []),
  ];
}
