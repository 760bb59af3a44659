import { t, fail, ok, type Problem, type Result, type Paced } from '../text';
import { checkSpec, type AttentionSpec, type SpecHeads } from '../spec';
import { formatShape } from '../math';
import { conventionOf, type Weights } from './convention';
import { matricesByValues } from './gather';
import type { MatrixRole, ParsedMatrix } from './matrix';
import { missingForKeys, missingForWeights, severalUnnamed, unusable } from './missing-matrices';
import { valueNotes } from './value-notes';
import { isScaledName } from './roles';
import { statedScaleAndMask, precisionFrom } from './stated-fields';
import { allRows, biasesOf, required, type MatricesByField, type Rows } from './rows';
import { labelsFrom, specOfQkv, specOfScores, specOfWeighted, specOfWeights, specOfX } from './start-specs';
import { dKOf, withSettings } from './settings';
import type { Assembled, SelectionParts } from './selection-parts';

/** Chooses what the spec starts from, by the matrices found: X with weights, else Q, K and V, else weights or scores, else X alone. */
export function* chooseStart(parts: SelectionParts): Paced<Result<Assembled>> {
  const { byRole, tokens, others } = parts;
  const x = tokens?.matrix ?? byRole.get('x');
  const weights = (['wq', 'wk', 'wv'] as const).filter((role) => byRole.has(role));
  const keys = (['q', 'k', 'v'] as const).filter((role) => byRole.has(role));
  if (x && weights.length === 3) return yield* fromProjections(parts, x);
  if (byRole.has('q') && byRole.has('k')) return yield* fromQkv(parts);
  yield;
  const later = matricesByValues(others);
  yield;
  const [attention, scores] = [later.get('weights'), later.get('scores')];
  const v = byRole.get('v');
  if (attention && v && weights.length === 0) return yield* fromWeights(parts, attention, v);
  if (scores && weights.length === 0 && !byRole.has('q') && !byRole.has('k')) return yield* fromScores(parts, scores);
  if (weights.length > 0) return fail(missingForWeights(parts, x, weights));
  if (keys.length > 0) return fail(missingForKeys(parts, keys));
  if (x) return yield* fromX(parts, x);
  const unnamed = others.filter((m) => m.role === undefined);
  const [only, second] = unnamed;
  if (only && !second) return yield* fromX(parts, only);
  const unknown = [...parts.unknown.values()][0];
  if (unknown) return fail(unknown.problem);
  return fail(second ? severalUnnamed(unnamed.length, second) : unusable(others));
}

/** A spec that starts at given scores. Their d_k is not visible in them: it is taken from the text, else 64 as in the paper. */
function* fromScores(parts: SelectionParts, m: ParsedMatrix): Paced<Result<Assembled>> {
  const v = parts.byRole.get('v');
  const fields: MatricesByField = { scores: m, ...(v ? { v } : {}) };
  const rows = yield* allRows(fields);
  if (!rows.ok) return rows;
  const { dims } = required(rows.value['scores']);
  const divided = isScaledName(m.name) || /[/*]/.test(m.derivation ?? '');
  const { dK, note } = dKOf(parts.program, divided);
  const given = required(rows.value['scores']);
  const heads = given.count ?? 1;
  const values = rows.value['v'] && headsOrRows(rows.value['v']);
  const spec: AttentionSpec = {
    ...specOfScores({ scores: headsOrRows(given), v: values, heads, dK, divided }),
    ...labelsFrom(m.rowLabels, m.columnLabels),
  };
  const told = m.rowLabels && m.columnLabels && m.role === undefined && !m.name;
  const name = m.name ?? t('The matrix');
  const taken = told
    ? t('{0} ({1}) is taken as scores QKᵀ, for its rows and columns carry the same tokens.', name, formatShape(dims))
    : t('{0} ({1}) is taken as scores QKᵀ.', name, formatShape(dims));
  const notes = [taken, note];
  return yield* finish(parts, spec, fields, [
    ...notes,
    ...(v ? [] : [t('V is not selected: the walk ends at the weights.')]),
  ]);
}

function* fromWeights(parts: SelectionParts, m: ParsedMatrix, v: ParsedMatrix): Paced<Result<Assembled>> {
  const fields: MatricesByField = { weights: m, v };
  const rows = yield* allRows(fields);
  if (!rows.ok) return rows;
  const [weights, values] = [required(rows.value['weights']), required(rows.value['v'])];
  const spec: AttentionSpec = {
    ...specOfWeights(headsOrRows(weights), headsOrRows(values), weights.count ?? 1),
    ...labelsFrom(m.rowLabels, m.columnLabels),
  };
  return yield* finish(parts, spec, fields, [
    t('{0} is taken as attention weights: its rows sum to 1.', m.name ?? t('The matrix')),
  ]);
}

const headsOrRows = ({ heads, rows }: Rows): SpecHeads => heads ?? rows;

function* fromProjections(parts: SelectionParts, x: ParsedMatrix): Paced<Result<Assembled>> {
  const role = (name: MatrixRole): ParsedMatrix => required(parts.byRole.get(name));
  const context = matricesByValues(parts.others).get('context');
  const fields: MatricesByField = {
    x,
    wq: role('wq'),
    wk: role('wk'),
    wv: role('wv'),
    ...(context ? { context } : {}),
  };
  const rows = yield* allRows(fields);
  if (!rows.ok) return rows;
  const of = (field: string): Rows => required(rows.value[field]);
  const weights: Weights = { x: of('x').dims, wq: of('wq').dims, wk: of('wk').dims, wv: of('wv').dims };
  yield;
  const convention = conventionOf(weights, fields, parts.tokens, {
    code: parts.code,
    output: parts.byRole.get('wo')?.name,
  });
  if (!convention.ok) return convention;
  const biases = biasesOf(parts.byRole);
  if (!biases.ok) return biases;
  const given = { wq: of('wq').rows, wk: of('wk').rows, wv: of('wv').rows, ...biases.value.rows };
  const spec: AttentionSpec = {
    ...specOfWeighted(
      specOfX(headsOrRows(of('x')), context && headsOrRows(of('context'))),
      given,
      convention.value.convention,
    ),
    ...labelsFrom(parts.tokens?.labels ?? x.rowLabels, context?.rowLabels),
  };
  const cross = context ? [t('Keys and values come from {0}: cross-attention.', context.name)] : [];
  const notes = [...inputsNote(x, of('x')), convention.value.note, ...cross];
  return yield* finish(parts, spec, { ...fields, ...biases.value.fields }, notes);
}

function* fromQkv(parts: SelectionParts): Paced<Result<Assembled>> {
  const v = parts.byRole.get('v');
  const fields: MatricesByField = {
    q: required(parts.byRole.get('q')),
    k: required(parts.byRole.get('k')),
    ...(v ? { v } : {}),
  };
  const rows = yield* allRows(fields);
  if (!rows.ok) return rows;
  const [q, k, values] = [required(rows.value['q']), required(rows.value['k']), rows.value['v']];
  const heads = q.count ?? 1;
  const all = { q: headsOrRows(q), k: headsOrRows(k), v: values && headsOrRows(values), heads, kvHeads: k.count ?? 1 };
  const labels = labelsFrom(required(fields['q']).rowLabels, required(fields['k']).rowLabels);
  const spec: AttentionSpec = { ...specOfQkv(all), ...labels };
  const split = headsNote(required(fields['q']), q);
  return yield* finish(parts, spec, fields, [...split, ...(v ? [] : [unknownV(parts)])]);
}

/** A note on how the leading axes were read: as heads, or as heads of a batch. */
function headsNote({ shape }: ParsedMatrix, { count = 1, dims }: Rows): string[] {
  const inputs = shape.length > 3 ? (shape[0] ?? 1) : 1;
  if (inputs > 1)
    return [t('Q is {0}: {1} inputs, each of {2} heads of {3}.', formatShape(shape), inputs, count, formatShape(dims))];
  return count > 1 ? [t('Q is {0}: {1} heads of {2}.', formatShape(shape), count, formatShape(dims))] : [];
}

/** The same for X: its leading axis is the batch. */
const inputsNote = ({ shape }: ParsedMatrix, { count = 1, dims }: Rows): string[] =>
  count > 1 ? [t('X is {0}: {1} inputs of {2}.', formatShape(shape), count, formatShape(dims))] : [];

function unknownV({ unknown }: SelectionParts): string {
  const found = unknown.get('v');
  return found
    ? t('{0} is not known ({1}): the walk ends at the weights.', found.name, found.problem.message)
    : t('V is not selected: the walk ends at the weights.');
}

function* fromX(parts: SelectionParts, x: ParsedMatrix): Paced<Result<Assembled>> {
  const rows = yield* allRows({ x });
  if (!rows.ok) return rows;
  const labels = labelsFrom(parts.tokens?.labels ?? x.rowLabels, undefined);
  const given = required(rows.value['x']);
  const spec: AttentionSpec = { ...specOfX(headsOrRows(given)), ...labels };
  const notes = [t('One matrix is selected: Q = K = V = X.'), ...inputsNote(x, given)];
  if (x.shape.length === 1) notes.push(t('A flat list is one row.'));
  if (matricesByValues([x]).has('weights'))
    notes.push(
      x.name === undefined
        ? t('The rows of it sum to 1, as those of attention weights do: select V with it to start there.')
        : t('The rows of {0} sum to 1, as those of attention weights do: select V with it to start there.', x.name),
    );
  return yield* finish(parts, spec, { x }, notes);
}

/** Adds settings, mask and W_o to the spec, validates it, and gives its problems the ranges of the matrices in the text. */
function* finish(
  parts: SelectionParts,
  plain: AttentionSpec,
  own: MatricesByField,
  notes: readonly string[],
): Paced<Result<Assembled>> {
  const switched = withSettings(parts, plain);
  if (!switched.ok) return switched;
  const fields: MatricesByField = { ...own, ...switched.value.fields };
  const sources = parts.tokens && fields['x'] === parts.tokens.matrix ? parts.tokens.sources : [];
  const used = [...sources, ...Object.values(fields).filter((m) => m !== parts.tokens?.matrix)];
  const precision = precisionFrom(used);
  const spec: AttentionSpec = { ...switched.value.spec, dtype: precision.dtype };
  yield;
  const unfit = checkSpec(spec);
  yield;
  if (unfit.length > 0) return fail(...unfit.map((problem) => withRange(problem, fields)));
  const unused = [...parts.byRole.values(), ...parts.others].filter((m) => !used.includes(m));
  const more = unusedNotes([...new Set(unused)]);
  const computed = derivationsOf(used);
  return ok({
    spec,
    used,
    said: [...precision.said, ...statedScaleAndMask(parts.code, spec)],
    notes: [
      ...notes,
      ...switched.value.notes,
      ...precision.notes,
      ...computed,
      ...valueNotes(used),
      ...more,
      ...parts.notes,
    ],
  });
}

/** How each matrix was computed or drawn, one note for matrices that come from one statement (`x_1, x_2, x_3`). */
function derivationsOf(used: readonly ParsedMatrix[]): string[] {
  const names = new Map<string, string[]>();
  for (const { derivation, name = t('The matrix') } of used)
    if (derivation !== undefined) names.set(derivation, [...(names.get(derivation) ?? []), name]);
  return [...names].map(([derivation, all]) =>
    all.length > 1 ? t('{0} come from {1}.', all.join(', '), derivation) : t('{0} is {1}.', all.join(''), derivation),
  );
}

function withRange(problem: Problem, fields: MatricesByField): Problem {
  const path = problem.path ?? '';
  const m = path.startsWith('mask') ? fields['mask'] : fields[path.split('.').at(-1)?.replace(/\[.*/, '') ?? ''];
  if (!m || path === '') return problem;
  // Validation names the field (`start.q`); the message should use the matrix's name in the text.
  const others = Object.entries(fields).map(([field, { name = t('the matrix') }]) => [`start.${field}`, name] as const);
  const paths = [[path, m.name ?? t('the matrix')] as const, ...others];
  const message = paths.reduce((text, [from, name]) => text.replaceAll(from, name), problem.message);
  return { ...problem, message, range: m.range };
}

/** Most names that are listed in one note. */
const maxListedNames = 12;

/** A note that names the matrices which the spec does not use. */
function unusedNotes(unused: readonly ParsedMatrix[]): string[] {
  const show = (m: ParsedMatrix): string => `${m.name ?? t('an unnamed matrix')} (${formatShape(m.shape)})`;
  const list = (ms: readonly ParsedMatrix[]): string => {
    const shown = ms.slice(0, maxListedNames).map(show).join(', ');
    return ms.length > maxListedNames ? t('{0} and {1} more', shown, ms.length - maxListedNames) : shown;
  };
  const of = (...roles: (MatrixRole | undefined)[]): readonly ParsedMatrix[] =>
    unused.filter((m) => roles.includes(m.role));
  const [masks, biases] = [of('mask'), of('bias', 'bq', 'bk', 'bv')];
  const others = unused.filter((m) => !masks.includes(m) && !biases.includes(m));
  return [
    ...(masks.length
      ? [t('Not used: {0}: one mask is enough, or it does not fit; choose it in the panel.', list(masks))]
      : []),
    ...(biases.length ? [t('Not used: {0}: biases are added where X, W_q, W_k and W_v are given.', list(biases))] : []),
    ...(others.length ? [t('Not used: {0}.', list(others))] : []),
  ];
}
