import { t, fail, ok, type Result, finish } from '../text';
import {
  dimsOf,
  scoresDims,
  type Dims,
  type AttentionSpec,
  type Convention,
  type OutputProjection,
  type Scale,
} from '../spec';
import { formatShape } from '../math';
import { followedSdpa } from './code';
import type { Code } from './mask-use';
import { maskOf } from './masks';
import type { MatrixRole, ParsedMatrix } from './matrix';
import type { ReadProgram } from './named';
import { allRows, biasesOf, required, type MatricesByField } from './rows';
import type { NamedProblem } from './gather';

/** What else a selection contains besides the matrices of the spec. */
export interface SettingsContext {
  readonly byRole: ReadonlyMap<MatrixRole, ParsedMatrix>;
  readonly program: ReadProgram;
  readonly unknown: ReadonlyMap<MatrixRole, NamedProblem>;
  /** The selection and the text around it. Lines that use a mask determine its meaning. */
  readonly code: Code;
}

export interface SpecWithSettings {
  readonly spec: AttentionSpec;
  /** The matrices that the spec uses, by field. */
  readonly fields: MatricesByField;
  readonly notes: readonly string[];
}

/**
 * Adds settings of the selection to a spec: number of heads, scale, mask, W_o. Ambiguous settings are not applied but mentioned in a
 * note.
 */
export function withSettings(parts: SettingsContext, plain: AttentionSpec): Result<SpecWithSettings> {
  const headed = withHeads(parts.program, { spec: plain, fields: {}, notes: [] });
  const scaled = withScale(parts.program, headed);
  const masked = withMask(parts, scaled);
  return masked.ok ? withOutput(parts, masked.value) : masked;
}

/** The number that the program assigns to one of these names, in the selection or above it. */
function numberOf(
  program: ReadProgram,
  names: readonly string[],
  above = false,
): { name: string; value: number } | undefined {
  const found = (above ? [...program.above, ...program.own] : program.own).filter((name) =>
    names.includes(name.replace(/^self\./, '')),
  );
  for (const name of found.reverse()) {
    const meaning = program.meaningOf(name);
    if (meaning?.kind === 'number') return { name, value: meaning.value };
  }
  return undefined;
}

const scaleNames = ['scale', 'scaling', 'scale_factor', 'self.scale'];
const causalNames = ['is_causal', 'causal'];
const keyNames = ['K', 'k', 'keys', 'Q', 'q'];
const headNames = ['h', 'n_heads', 'num_heads', 'n_head', 'nhead', 'heads', 'nheads'];
const dKNames = ['d_k', 'dk', 'd_key', 'd_head', 'head_dim', 'D_k', 'D_q', 'd_q'];

/** d_k for given scores: from the text, else the width of K, else 64 as in Vaswani et al. 2017. */
export function dKOf(program: ReadProgram, divided: boolean): { dK: number; note: string } {
  const said = numberOf(program, dKNames, true);
  if (divided) return { dK: isWidth(said?.value) ? said.value : 64, note: t('They are taken as scaled already.') };
  if (said && isWidth(said.value))
    return { dK: said.value, note: t('d_k is {0}, as {1} says.', said.value, said.name) };
  const width = widthOfKeys(program);
  if (width !== undefined) return { dK: width, note: t('d_k is {0}, the columns of K.', width) };
  if (said) {
    const why = t('a whole number from 1 to {0} is expected, and 64 is taken', maxWidth);
    return { dK: 64, note: t('{0} = {1} is not used: {2}.', said.name, said.value, why) };
  }
  return {
    dK: 64,
    note: t(
      'd_k is not given: 64 is taken (Vaswani et al. 2017), so the scores are divided by 8. Change it in the panel.',
    ),
  };
}

const maxWidth = 4096;

const isWidth = (n: number | undefined): n is number =>
  n !== undefined && Number.isInteger(n) && n >= 1 && n <= maxWidth;

function widthOfKeys(program: ReadProgram): number | undefined {
  for (const name of keyNames) {
    if (!program.own.includes(name) && !program.above.includes(name)) continue;
    const meaning = program.meaningOf(name);
    const width =
      meaning?.kind === 'matrix' && meaning.matrix.shape.length > 1 ? meaning.matrix.shape.at(-1) : undefined;
    if (isWidth(width)) return width;
  }
  return undefined;
}

/** Applies `num_heads = 2` if it divides the widths and heads were not given as separate matrices. */
function withHeads(program: ReadProgram, switched: SpecWithSettings): SpecWithSettings {
  const { spec, notes } = switched;
  const said = numberOf(program, headNames);
  if (!said || said.value === spec.heads) return switched;
  const widths = widthsOf(spec);
  const fits =
    Number.isInteger(said.value) && said.value > 1 && widths.length > 0 && widths.every((w) => w % said.value === 0);
  if (!fits || spec.heads > 1) {
    const why = widths.length
      ? t('{0} columns are not shared by {1} heads', widths.join(', '), said.value)
      : t('the heads are given otherwise');
    return { ...switched, notes: [...notes, t('{0} = {1} is not used: {2}.', said.name, said.value, why)] };
  }
  return {
    ...switched,
    spec: { ...spec, heads: said.value },
    notes: [...notes, t('{0} heads, as {1} says.', said.value, said.name)],
  };
}

/** Widths that must be divisible by the number of heads: those of Q, K, V or of the projections' outputs. */
function widthsOf({ start, projections, convention }: AttentionSpec): number[] {
  const columns = (m: Parameters<typeof dimsOf>[0]): number => dimsOf(m).at(-1) ?? 0;
  if (start.from === 'qkv') {
    if (dimsOf(start.q).length > 2) return [];
    return [start.q, start.k, ...(start.v ? [start.v] : [])].map(columns);
  }
  if (start.from !== 'x') return [];
  if (projections.from !== 'given') return [columns(start.x)];
  const side = convention === 'XW' ? 1 : 0;
  return [projections.wq, projections.wk, projections.wv].map((w) => dimsOf(w)[side] ?? 0);
}

/** Applies `scale = math.sqrt(d_k)` or `scale = d_k ** -0.5`: both mean division by √d_k. Other numbers are ambiguous. */
function withScale(program: ReadProgram, switched: SpecWithSettings): SpecWithSettings {
  const said = numberOf(program, scaleNames);
  const dK = keyWidth(switched.spec);
  if (!said || dK === undefined || switched.spec.scale === 'none') return withWidth(program, switched, dK);
  const root = Math.sqrt(dK);
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * b;
  const scale: Scale | undefined =
    near(said.value, root) || near(said.value * root, 1) ? 'sqrt_d_k' : said.value === 1 ? 'none' : undefined;
  const note =
    scale === undefined
      ? t(
          '{0} = {1} is not used: nothing says whether scores are divided or multiplied by it, and √d_k is {2}.',
          said.name,
          said.value,
          root,
        )
      : scale === 'none'
        ? t('{0} is 1: scores are not scaled.', said.name)
        : '';
  return {
    ...switched,
    spec: { ...switched.spec, ...(scale ? { scale } : {}) },
    notes: [...switched.notes, ...(note ? [note] : [])],
  };
}

/** Says of `d_k = 64` beside keys of another width that it is not used. */
function withWidth(program: ReadProgram, switched: SpecWithSettings, dK: number | undefined): SpecWithSettings {
  const said = numberOf(program, dKNames);
  const { scale, start } = switched.spec;
  if (!said || dK === undefined || said.value === dK || scale !== 'sqrt_d_k' || start.from === 'scores')
    return switched;
  const why = t('the keys have width {0}', dK);
  return { ...switched, notes: [...switched.notes, t('{0} = {1} is not used: {2}.', said.name, said.value, why)] };
}

function keyWidth(spec: AttentionSpec): number | undefined {
  if (spec.start.from === 'scores') return spec.start.dK;
  const [first] = widthsOf(spec);
  if (spec.start.from === 'qkv' && dimsOf(spec.start.q).length > 2) return dimsOf(spec.start.q).at(-1);
  return first === undefined ? undefined : first / spec.heads;
}

/** The shape of the scores, [batch×][heads×]n×m; undefined for a spec that starts after the mask. */
const maskedDims = (spec: AttentionSpec): Dims | undefined =>
  spec.start.from === 'weights' ? undefined : scoresDims(spec);

function withMask(
  { byRole, program, unknown, code }: SettingsContext,
  switched: SpecWithSettings,
): Result<SpecWithSettings> {
  const { spec, notes } = switched;
  const scores = maskedDims(spec);
  const m = byRole.get('mask');
  const lost = unknown.get('mask');
  if (m && scores) {
    const found = maskOf(m, scores, code, spec.heads);
    if (!found.ok) return found;
    return ok({
      spec: { ...spec, mask: found.value.mask },
      fields: { ...switched.fields, mask: m },
      notes: [...notes, found.value.note],
    });
  }
  if (lost) return ok({ ...switched, notes: [...notes, t('{0} is left out: {1}.', lost.name, lost.problem.message)] });
  const causal = numberOf(program, causalNames);
  const call = scores && followedSdpa(code.text, byRole);
  if (call?.causal && causal?.value !== 0) {
    const place = program.placeOf(call.range.start);
    return ok({
      ...switched,
      spec: { ...spec, mask: 'causal' },
      notes: [...notes, t('Causal mask, as is_causal=True in {0} says.', place)],
    });
  }
  if (!causal || causal.value !== 1 || !scores) return ok(switched);
  return ok({
    ...switched,
    spec: { ...spec, mask: 'causal' },
    notes: [...notes, t('Causal mask, as {0} says.', causal.name)],
  });
}

/** W_o and b_o, where there is an output to project. */
function withOutput({ byRole, unknown }: SettingsContext, switched: SpecWithSettings): Result<SpecWithSettings> {
  const { spec, notes } = switched;
  const wo = byRole.get('wo');
  const lost = unknown.get('wo');
  if (!wo)
    return ok(
      lost ? { ...switched, notes: [...notes, t('{0} is left out: {1}.', lost.name, lost.problem.message)] } : switched,
    );
  const width = outputWidth(spec);
  if (width === undefined) return ok(switched);
  const rows = finish(allRows({ wo }));
  if (!rows.ok) return rows;
  const { dims } = required(rows.value['wo']);
  const biases = biasesOf(byRole, ['bo']);
  if (!biases.ok) return biases;
  const convention = conventionFor(spec, dims, width);
  if (!convention)
    return fail({
      code: 'shape-mismatch',
      message: t('{0} is {1}, the heads side by side have {2} columns', wo.name, formatShape(dims), width),
      hint: t('h·d_v must be one side of W_O.'),
      range: wo.range,
    });
  const outputProjection: OutputProjection = {
    from: 'given',
    wo: required(rows.value['wo']).rows,
    ...biases.value.rows,
  };
  return ok({
    spec: { ...spec, convention, outputProjection },
    fields: { ...switched.fields, wo, ...biases.value.fields },
    notes: [...notes, t('The output is multiplied by {0}.', wo.name)],
  });
}

/** Whether W_o applies as X·W or X·Wᵀ: like the projections; without any, as its shape allows, preferably X·W. */
function conventionFor(spec: AttentionSpec, dims: readonly [number, number], width: number): Convention | undefined {
  const fits = (convention: Convention): boolean => dims[convention === 'XW' ? 0 : 1] === width;
  const order: readonly Convention[] = spec.projections.from === 'given' ? [spec.convention] : ['XW', 'XWT'];
  return order.find(fits);
}

/** Number of columns of the concatenated heads; undefined if the spec has no output. */
function outputWidth(spec: AttentionSpec): number | undefined {
  const { start, projections, convention } = spec;
  if (start.from === 'x') {
    if (projections.from !== 'given') return dimsOf(start.x).at(-1);
    const groups = spec.heads / (spec.kvHeads ?? spec.heads);
    return (dimsOf(projections.wv)[convention === 'XW' ? 1 : 0] ?? 0) * groups;
  }
  const v = start.from === 'qkv' || start.from === 'scores' || start.from === 'weights' ? start.v : undefined;
  if (!v) return undefined;
  const dims = dimsOf(v);
  return (dims.at(-1) ?? 0) * (dims.length > 2 ? spec.heads : 1);
}
