import { t, type Paced, fail, ok, type Problem, type Result } from '../text';
import {
  conventionOf,
  type ParsedMatrix,
  labelsFrom,
  specOfQkv,
  specOfScores,
  specOfWeighted,
  specOfWeights,
  specOfX,
  withoutWords,
} from '../parse';
import { checkSpec, type AttentionSpec, type SpecMatrix, type SpecNumber } from '../spec';
import { formatShape } from '../math';
import { maskOf } from './mask';
import { dimsOfPart, encodingPart, headsOf, leadOf, matrixOf, vectorOf, type TensorPart } from './parts';
import { leadMeaning, roleSymbols, type FileRole } from './roles';

export interface FromTensors {
  readonly spec: AttentionSpec;
  /** How the tensors were interpreted, one sentence each. */
  readonly notes: readonly string[];
  /** The roles that the spec uses. */
  readonly used: ReadonlySet<FileRole>;
}

/** The start of the spec, before mask, W_O and biases are added. */
type PartialSpec = Omit<FromTensors, 'used'>;

type ByRole = ReadonlyMap<FileRole, TensorPart>;

/**
 * The spec for tensors with roles: X with W_q, W_k and W_v; Q and K (with V); scores; weights with V; or X alone. A mask, W_O and biases are
 * added. A leading axis counts heads for Q, K, V, scores, weights and mask; for X, the context, and a mask used with them, it counts inputs of
 * a batch. Problems name what is missing or does not fit.
 */
export function specFromTensors(parts: readonly TensorPart[]): Result<FromTensors> {
  const roles = parts.map(({ role }) => role);
  const unfit = parts.flatMap((part) => checkPart(part, leadMeaning(part.role, roles) !== undefined));
  const byRole = new Map<FileRole, TensorPart>();
  for (const part of parts) {
    const other = byRole.get(part.role);
    if (other) unfit.push(duplicateRole(other, part));
    else byRole.set(part.role, part);
  }
  if (unfit.length > 0) return fail(...unfit);
  const begun = specStart(byRole);
  if (!begun.ok) return begun;
  const joined = addMaskAndOutput(begun.value, byRole);
  if (!joined.ok) return joined;
  const { notes } = joined.value;
  const spec = { ...joined.value.spec, ...dtypeOf(parts), ...labelsOf(byRole) };
  const problems = checkSpec(spec);
  if (problems.length > 0) return fail(...problems.map((problem) => withTensorNames(problem, byRole)));
  const used = usedIn(spec, byRole);
  return ok({ spec, used, notes: [...notes, ...dtypeNotes(parts, spec), ...unusedNotes(used, byRole)] });
}

/** The same as pausable work: for a million numbers, nearly all time goes into encoding them for the spec. */
export function* assemblingTensors(parts: readonly TensorPart[]): Paced<Result<FromTensors>> {
  const encoded: TensorPart[] = [];
  for (const part of parts) encoded.push(yield* encodingPart(part));
  return specFromTensors(encoded);
}

/** Problems of a single tensor, whatever the others are. */
function checkPart(part: TensorPart, mayLead: boolean): Problem[] {
  const { name, role, shape } = part;
  if (shape.length === 0)
    return [{ code: 'shape-mismatch', message: t('{0} is a single number, expected a matrix', name) }];
  if (shape.includes(0)) return [{ code: 'empty', message: t('{0} is {1}: it is empty', name, formatShape(shape)) }];
  const lead = leadOf(part);
  if (lead.length > (mayLead ? 1 : 0)) {
    const hint = mayLead ? t('Take one index of the first axis.') : t('Take one index of each leading axis.');
    const message = t('{0} is {1}, expected one sequence for {2}', name, formatShape(shape), roleSymbols[role]);
    return [{ code: 'one-sequence', message, hint }];
  }
  return [];
}

const duplicateRole = (a: TensorPart, b: TensorPart): Problem => ({
  code: 'duplicate',
  message: t('{0} and {1} are both {2}', a.name, b.name, roleSymbols[a.role]),
  hint: t('Choose one of them.'),
});

/** What the spec starts from, with notes. */
function specStart(byRole: ByRole): Result<PartialSpec> {
  const x = byRole.get('x');
  const has = (...roles: FileRole[]): FileRole[] => roles.filter((role) => byRole.has(role));
  const weights = has('wq', 'wk', 'wv');
  if (weights.length > 0)
    return x && weights.length === 3
      ? fromProjections(x, byRole)
      : fail(missing(byRole, x ? [] : ['x'], weights, ['wq', 'wk', 'wv']));
  const [q, k, v] = [byRole.get('q'), byRole.get('k'), byRole.get('v')];
  if (q && k) return ok(fromQueries(q, k, v));
  if (q ?? k) return fail(missing(byRole, [], has('q', 'k', 'v'), ['q', 'k']));
  const scores = byRole.get('scores');
  if (scores) return ok(fromScores(scores, v));
  const attention = byRole.get('weights');
  if (attention && v) return ok(fromWeights(attention, v));
  if (attention) return fail(missing(byRole, [], ['weights'], ['v']));
  if (x) return ok(fromXAlone(x, byRole.get('context')));
  const have = [...byRole.keys()];
  return fail(missing(byRole, [], have, ['x']));
}

function missing(
  byRole: ByRole,
  first: readonly FileRole[],
  have: readonly FileRole[],
  all: readonly FileRole[],
): Problem {
  const without = [...first, ...all.filter((role) => !byRole.has(role))].map((role) => roleSymbols[role]);
  const names = have.map((role) => byRole.get(role)?.name ?? roleSymbols[role]);
  return {
    code: 'missing',
    message: withoutWords(names, without),
    hint: t('Choose X, or Q and K, or X with W_q, W_k and W_v.'),
  };
}

const headCount = (part: TensorPart | undefined): number => (part && leadOf(part)[0]) ?? 1;

function fromQueries(q: TensorPart, k: TensorPart, v: TensorPart | undefined): PartialSpec {
  const [heads, kvHeads] = [headCount(q), headCount(k)];
  const notes = [
    ...(heads > 1 ? [t('The first axis of {0} is taken as {1} heads.', q.name, heads)] : []),
    ...(v ? [] : [t('V is not chosen: the walk ends at the weights.')]),
  ];
  return { spec: specOfQkv({ q: headsOf(q), k: headsOf(k), v: v && headsOf(v), heads, kvHeads }), notes };
}

function fromScores(scores: TensorPart, v: TensorPart | undefined): PartialSpec {
  const note = t('The file does not say d_k: the scores are not scaled. Choose a scale in the panel if they are raw.');
  const heads = headCount(scores);
  return {
    spec: specOfScores({ scores: headsOf(scores), v: v && headsOf(v), heads, dK: 1, divided: true }),
    notes: [note],
  };
}

const fromWeights = (weights: TensorPart, v: TensorPart): PartialSpec => ({
  spec: specOfWeights(headsOf(weights), headsOf(v), headCount(weights)),
  notes: [],
});

function fromXAlone(x: TensorPart, context: TensorPart | undefined): PartialSpec {
  const notes = [context ? t('Q = X, and K = V = the context.') : t('One tensor is chosen: Q = K = V = X.')];
  if (x.shape.length === 1) notes.push(t('A flat list is one row.'));
  return { spec: specOfX(headsOf(x), context && headsOf(context)), notes: [...notes, ...inputsNote(x)] };
}

/** A note if X is a batch. */
function inputsNote(x: TensorPart): string[] {
  const [inputs] = leadOf(x);
  return inputs === undefined
    ? []
    : [t('X is {0}: {1} inputs of {2}.', formatShape(x.shape), inputs, formatShape(dimsOfPart(x)))];
}

function fromProjections(x: TensorPart, byRole: ByRole): Result<PartialSpec> {
  const of = (role: FileRole): TensorPart => byRole.get(role) ?? x;
  const [wq, wk, wv] = [of('wq'), of('wk'), of('wv')];
  const dims = { x: dimsOfPart(x), wq: dimsOfPart(wq), wk: dimsOfPart(wk), wv: dimsOfPart(wv) };
  const convention = conventionOf(
    dims,
    { x: asParsedMatrix(x), wq: asParsedMatrix(wq), wk: asParsedMatrix(wk), wv: asParsedMatrix(wv) },
    undefined,
  );
  if (!convention.ok) return fail(...convention.problems.map(({ range: _, ...problem }) => problem));
  const biases = biasesOf(byRole);
  if (!biases.ok) return biases;
  const given = { wq: matrixOf(wq), wk: matrixOf(wk), wv: matrixOf(wv), ...biases.value };
  const context = byRole.get('context');
  const plain = specOfX(headsOf(x), context && headsOf(context));
  const notes = [convention.value.note, ...inputsNote(x)];
  return ok({ spec: specOfWeighted(plain, given, convention.value.convention), notes });
}

/** A tensor as a parsed matrix, for rules shared with selections that look at name and shape only. */
const asParsedMatrix = ({ name, shape }: TensorPart): ParsedMatrix => ({
  name,
  shape,
  values: new Float64Array(),
  format: 'numpy',
  range: { start: 0, end: 0 },
});

type Biases = { readonly [role in 'bq' | 'bk' | 'bv' | 'bo']?: readonly SpecNumber[] };

function biasesOf(byRole: ByRole, roles: readonly (keyof Biases)[] = ['bq', 'bk', 'bv']): Result<Biases> {
  const found: [string, readonly SpecNumber[]][] = [];
  for (const role of roles) {
    const part = byRole.get(role);
    const vector = part && vectorOf(part);
    if (part && !vector)
      return fail({
        code: 'shape-mismatch',
        message: t('{0} is {1}, expected a vector', part.name, formatShape(part.shape)),
      });
    if (vector) found.push([role, vector]);
  }
  return ok(Object.fromEntries(found));
}

/** Adds a mask and W_O, which go with every start. */
function addMaskAndOutput({ spec, notes }: PartialSpec, byRole: ByRole): Result<PartialSpec> {
  const mask = byRole.get('mask');
  const found = mask && maskOf(mask, byRole.get('x'));
  const output = outputOf(byRole);
  if (!output.ok) return output;
  const joined = { ...spec, ...(found ? { mask: found.mask } : {}), ...output.value };
  return ok({ spec: joined, notes: [...notes, ...(found ? [found.note] : [])] });
}

function outputOf(byRole: ByRole): Result<Pick<AttentionSpec, 'outputProjection'>> {
  const wo = byRole.get('wo');
  if (!wo) return ok({});
  const bias = biasesOf(byRole, ['bo']);
  if (!bias.ok) return bias;
  const rows: SpecMatrix = matrixOf(wo);
  return ok({ outputProjection: { from: 'given', wo: rows, ...bias.value } });
}

const narrowFloats = new Set(['float32', 'float16', 'bfloat16']);
const isFloat = (part: TensorPart): boolean => part.dtype.includes('float');

/** float32 when no tensor is wider, as NumPy and PyTorch would compute; else float64. */
function dtypeOf(parts: readonly TensorPart[]): Pick<AttentionSpec, 'dtype'> {
  const floats = parts.filter(isFloat);
  return { dtype: floats.length > 0 && floats.every(({ dtype }) => narrowFloats.has(dtype)) ? 'float32' : 'float64' };
}

function dtypeNotes(parts: readonly TensorPart[], { dtype }: AttentionSpec): string[] {
  const types = [...new Set(parts.filter(isFloat).map((part) => part.dtype))];
  const only = types.length === 1 ? types[0] : undefined;
  if (only === dtype || types.length === 0) return [];
  const all = types.reduce((some, one) => t('{0} and {1}', some, one));
  return [t('The file has {0}; computed in {1}.', all, dtype)];
}

function labelsOf(byRole: ByRole): Pick<AttentionSpec, 'labels'> {
  const queries = (byRole.get('x') ?? byRole.get('q') ?? byRole.get('scores') ?? byRole.get('weights'))?.labels;
  return labelsFrom(queries, byRole.get('k')?.labels);
}

const paths: Readonly<Record<string, FileRole>> = {
  'start.x': 'x', 'start.context': 'context', 'start.q': 'q', 'start.k': 'k', 'start.v': 'v', 'start.scores': 'scores',
  'start.weights': 'weights', 'projections.wq': 'wq', 'projections.wk': 'wk', 'projections.wv': 'wv', 'projections.bq': 'bq',
  'projections.bk': 'bk', 'projections.bv': 'bv', 'outputProjection.wo': 'wo', 'mask.values': 'mask',
}; // prettier-ignore

/** Replaces the spec's field names in a problem by the tensors' own names. */
function withTensorNames(problem: Problem, byRole: ByRole): Problem {
  const message = Object.entries(paths).reduce((text, [path, role]) => {
    const part = byRole.get(role);
    return part ? text.replaceAll(path, part.name) : text;
  }, problem.message);
  return { ...problem, message };
}

function usedIn({ start, projections, outputProjection, mask }: AttentionSpec, byRole: ByRole): ReadonlySet<FileRole> {
  const fields = new Set([...Object.keys(start), ...Object.keys(projections)]);
  if (typeof mask === 'object') fields.add('mask');
  for (const field of Object.keys(outputProjection ?? {})) fields.add(field);
  return new Set([...byRole.keys()].filter((role) => fields.has(role)));
}

/** Notes on chosen tensors that the spec does not use. */
const unusedNotes = (used: ReadonlySet<FileRole>, byRole: ByRole): string[] =>
  [...byRole.values()]
    .filter(({ role }) => !used.has(role))
    .map(({ name, shape }) => t('Not used: {0} ({1}).', name, formatShape(shape)));
