import { fail, ok, type Paced, type Result } from '../../text';
import { planOf, type Step } from '../../plan';
import { overBudget, runReferencePaced, valuesOf, type AttentionTrace } from '../../run';
import { encodeNumber, matrixDefaults, type AttentionSpec, type SpecHeads, type SpecMatrix } from '../../spec';
import {
  allowedChance,
  checkResult,
  checkTrace,
  digitsFor,
  evidenceOf,
  rowsOf,
  stepsPrintedAs,
  type Checked,
  type Evidence,
  type FoundStep,
  type Matrix,
  type Named,
  type Near,
  type Printed,
} from '../../diagnose';
import type { CodeFinding, CodeLine, CodeSide } from '../serve';
import { hiddenBelow } from '../nearest';
import type { PrintedStack } from './stack';

export interface CodeChecked {
  /** Digits after the point that were compared. */
  readonly digits: number;
  /** The steps of the code that the result is, with the chance that one is by accident. */
  readonly own: readonly FoundStep[];
  readonly chance: number;
  /** Where it is none: the nearest step, and what it is of attention with the code's mistakes mended. */
  readonly nearest?: Near;
  readonly other?: Checked;
  /** Numbers of the code stand in for what it does not say: then a result cannot be compared. */
  readonly standsIn: boolean;
  /** What of the code's numbers is taken as it is printed, in words. */
  readonly taken: readonly string[];
  /** The steps of the code that depart from attention, in order, and the first line that does. */
  readonly differs: readonly string[];
  readonly departs?: CodeLine;
  readonly findings: readonly CodeFinding[];
  /** Mistakes that give every digit of what the code computes; several where they cannot be told apart. */
  readonly named: readonly Named[];
  /** Of several matrices the one that is shown, from 0; the right numbers of the step, and the cell that differs most. */
  readonly slice: number;
  readonly right?: Matrix;
  readonly evidence?: Evidence;
}

/** Finds the step of the code that has the numbers of a result, and the steps that differ from attention, with the mistakes that explain them. */
export function* checkCode(side: CodeSide, mine: PrintedStack): Paced<Result<CodeChecked>> {
  const trace = yield* traceOf(side.spec);
  if (!trace.ok) return trace;
  const reference = side.mended ?? side.standard;
  const right = reference && (yield* traceOf(reference));
  const known = right?.ok ? right.value : undefined;
  const standard = side.standard && (yield* walkable(side.standard));
  const stages = side.mended && side.standard ? yield* traceOf(side.standard) : right;
  const compared = yield* comparing(side, trace.value, known, stages?.ok ? stages.value : undefined);
  const found = mine.step === undefined ? yield* ownSteps(trace.value, mine, side.taken.length > 0) : ownStep(trace.value, mine, mine.step);
  const standsIn = side.spec.start.from === 'program' && side.spec.start.seed !== undefined;
  const base = { ...found, standsIn, taken: side.taken, differs: compared.differs, findings: side.findings };
  const named = standard && !standsIn ? yield* mistakesOf(trace.value, compared, standard) : [];
  const departs = compared.line ?? (named.length > 0 ? side.departs : undefined) ?? (compared.differs.length > 0 ? side.departs : undefined);
  const about = { ...base, named, ...(departs && { departs }) };
  const [own] = found.own;
  if (own) return ok({ ...about, ...rightOf(own, compared, mine, found.digits) });
  if (standsIn || !standard) return ok({ ...about, slice: 0 });
  return ok({ ...about, ...(yield* elsewhere(standard, known, mine)) });
} // prettier-ignore

function* traceOf(spec: AttentionSpec): Paced<Result<AttentionTrace>> {
  const plan = planOf(spec);
  if (!plan.ok) return plan;
  const large = overBudget(plan.value, spec.dtype);
  return large ? fail(large) : yield* runReferencePaced(spec, plan.value);
}

// --- which step of the code -----------------------------------------------------------

/** The numbers of a step of the code, as if they had been printed with all digits that they have. */
export function* stepAsPrinted({ spec }: CodeSide, id: string): Paced<Result<PrintedStack>> {
  const trace = yield* traceOf(spec);
  if (!trace.ok) return trace;
  const slices = matricesOf(trace.value, id);
  const name = spec.start.from === 'program' ? (spec.start.steps.find((step) => step.id === id)?.name ?? id) : id;
  // What hides a key, such as −1e9, is no size of scores.
  const sized = slices.map((rows) => rows.map((row) => row.map((x) => (x <= hiddenBelow ? 0 : x))));
  const digits = Math.min(...sized.map((rows) => digitsFor(rows, spec.dtype === 'float64' ? keptDigits.float64 : keptDigits.float32)));
  return slices.length > 0 ? ok({ name, slices, digits, step: id }) : fail({ code: 'step', message: id });
} // prettier-ignore

const ownStep = ({ plan }: AttentionTrace, { digits }: PrintedStack, id: string): Own => ({
  digits,
  own: plan.steps.flatMap((step) => (step.id === id ? [{ step, form: 'plain' as const }] : [])),
  chance: 0,
});

type Own = Pick<CodeChecked, 'digits' | 'own' | 'chance' | 'nearest'>;

/** Digits that numbers may have lost which follow from printed ones. */
const mostLost = 2;

/** The steps that every matrix of a result is, each a head or input. Of numbers that follow from printed ones the last digits may differ. */
function* ownSteps(trace: AttentionTrace, { slices, digits }: PrintedStack, isFromPrinted: boolean): Paced<Own> {
  let first: Own | undefined;
  const float32 = Math.min(...slices.map((rows) => digitsFor(rows, digitsOfFloat32)));
  const tried = [digits, ...(float32 < digits ? [float32] : []), ...(isFromPrinted ? [digits - 1, digits - mostLost] : [])];
  for (const fewer of tried) {
    const found = yield* stepsOfAll(trace, slices, fewer);
    first ??= found;
    if (found.own.length > 0 && (fewer === digits || found.chance <= allowedChance)) return found;
  }
  return first ?? { digits, own: [], chance: 1 };
} // prettier-ignore

/** Digits of float32 that survive some sums. */
const digitsOfFloat32 = 6;

function* stepsOfAll(trace: AttentionTrace, slices: readonly Matrix[], digits: number): Paced<Own> {
  const all: (readonly FoundStep[])[] = [];
  let [chance, nearest]: [number, Near | undefined] = [1, undefined];
  for (const rows of slices) {
    const found = yield* stepsPrintedAs(trace, { rows, digits });
    nearest ??= found.nearest;
    chance = Math.min(chance, found.chance);
    all.push(found.steps);
  }
  const [first = [], ...rest] = all;
  const own = first.filter((one) => rest.every((steps) => steps.some((other) => other.step === one.step && other.form === one.form)));
  return { digits, own, chance, ...(own.length === 0 && nearest && { nearest }) };
} // prettier-ignore

// --- where the code departs -----------------------------------------------------------

interface Compared {
  readonly differs: readonly string[];
  /** The matrices that are right where a step of the code has others. */
  readonly partner: (id: string) => readonly Matrix[];
  readonly line?: CodeLine;
}

/** Steps of standard attention by the stage that a step of the code is. */
const standardSteps = {
  scores: ['scores'],
  hidden: ['masked'],
  scaled: ['masked', 'scaled', 'scores'],
  weights: ['weights'],
  used: ['weights'],
  attended: ['headOutputs', 'output'],
  joined: ['output'],
} as const;

/** With the mended code step by step; where this has other steps, or there is none, by the stages of attention. */
function* comparing(
  side: CodeSide,
  trace: AttentionTrace,
  right: AttentionTrace | undefined,
  standard: AttentionTrace | undefined,
): Paced<Compared> {
  const stages = new Map(side.differs.map(({ step, stage }) => [step, stage]));
  const ofStage = (id: string): readonly Matrix[] => {
    const stage = stages.get(id);
    const step = trace.plan.steps.find((one) => one.id === id);
    const isMasked = step && valuesOf(trace, step).some((x) => x <= hiddenBelow);
    const known =
      stage &&
      standardSteps[stage].find(
        (one) => (isMasked || one !== 'masked') && standard?.plan.steps.some((step) => step.id === one),
      );
    return standard && known ? matricesOf(standard, known) : [];
  };
  if (!right || !side.mended) return { differs: [...stages.keys()], partner: ofStage };
  const differs = new Set<string>(stages.keys());
  for (const step of trace.plan.steps) {
    const other = sameStep(right, step);
    if (other && !isNear(valuesOf(trace, step), valuesOf(right, other))) differs.add(step.id);
    yield;
  }
  const [mistake] = side.findings.filter(({ isMistake }) => isMistake);
  const inOrder = trace.plan.steps.flatMap(({ id }) => (differs.has(id) ? [id] : []));
  const partner = (id: string): readonly Matrix[] => {
    const [staged, step] = [ofStage(id), trace.plan.steps.find((one) => one.id === id)];
    const other = step && sameStep(right, step);
    return staged.length > 0 || !other ? staged : matricesOf(right, other.id);
  };
  return { differs: inOrder, partner, ...(mistake && { line: mistake.line }) };
}

/** The step of the mended code that is the same: a mend may take or add others, which moves the ids of those behind it. */
const sameStep = ({ plan }: AttentionTrace, { id, call, words }: Step): Step | undefined =>
  plan.steps.find((one) => one.id === id && one.call.op === call.op && one.words.name === words.name);

/** Of the largest number: a mend may change the order of rounding. */
const near = 1e-6;

function isNear(a: Float64Array, b: Float64Array): boolean {
  const most = a.reduce((max, x) => (Number.isFinite(x) ? Math.max(max, Math.abs(x)) : max), 1);
  return a.length === b.length && a.every((x, i) => Object.is(x, b[i]) || x === b[i] || Math.abs(x - (b[i] ?? NaN)) <= near * most);
} // prettier-ignore

// --- what would be right ----------------------------------------------------------------

function rightOf(
  { step, form, head = 0 }: FoundStep,
  { partner }: Compared,
  { slices }: PrintedStack,
  digits: number,
): Pick<CodeChecked, 'slice' | 'right' | 'evidence'> {
  const all = form === 'plain' ? partner(step.id) : [];
  const pairs = slices.map((rows, slice) => ({ slice, rows, to: all[slices.length > 1 ? slice : head] ?? [] }));
  const off = pairs.map((one) => ({ ...one, evidence: evidenceOf(one.to, { rows: one.rows, digits }) }));
  const first = off.find(({ to, rows, evidence }) => to.length === rows.length && evidence.differing > 0);
  return first ? { slice: first.slice, right: first.to, evidence: first.evidence } : { slice: 0 };
}

function matricesOf(trace: AttentionTrace, id: string): readonly Matrix[] {
  const step = trace.plan.steps.find((one) => one.id === id);
  if (!step) return [];
  const [height = 1, width = 1] = step.shape.slice(-2);
  const values = valuesOf(trace, step);
  return Array.from({ length: values.length / (height * width) }, (_, i) => rowsOf(values.subarray(i * height * width, (i + 1) * height * width), width));
} // prettier-ignore

/** What a result is that the code does not compute: a step of attention without its mistakes, or with others. */
function* elsewhere(
  standard: AttentionTrace,
  right: AttentionTrace | undefined,
  { slices, digits }: PrintedStack,
): Paced<Pick<CodeChecked, 'slice'> & { readonly other?: Checked }> {
  const [rows = []] = slices;
  // The mended code has the steps before and after attention too.
  const mended = right && right !== standard ? yield* stepsPrintedAs(right, { rows, digits }) : undefined;
  if (mended && mended.steps.length > 0) return { slice: 0, other: { is: 'step', digits, steps: mended.steps, chance: mended.chance } };
  const checked = yield* checkResult(standard, { rows, digits });
  return { slice: 0, ...(checked.ok && { other: checked.value }) };
} // prettier-ignore

// --- mistakes of the code -----------------------------------------------------------------

/** Significant digits of the code's own numbers. */
const keptDigits = { float32: 6, float64: 12 } as const;

/** From the code's own numbers, with all their digits: those of its last step that departs and has the shape of one of attention's. */
function* mistakesOf(trace: AttentionTrace, { differs }: Compared, standard: AttentionTrace): Paced<readonly Named[]> {
  const isFloat32 = trace.spec.dtype === 'float32';
  let several: readonly Named[] = [];
  for (const id of [...differs].reverse().slice(0, mostTried)) {
    const all = matricesOf(trace, id);
    const rows = all.find((one) => one.length > 1);
    if (!rows || all.length > 64) continue;
    const mine: Printed = { rows, digits: digitsFor(rows, isFloat32 ? keptDigits.float32 : keptDigits.float64) };
    const answer = yield* checkTrace(standard, mine);
    if (!answer.ok) return [];
    if (answer.value.is === 'mistake') return [answer.value.named];
    if (answer.value.is === 'several' && several.length === 0) several = answer.value.named;
  }
  return several.length <= mostListed ? several : [];
} // prettier-ignore

const mostTried = 4;
const mostListed = 3;

/** Standard attention of one input with its heads side by side, as the catalogue of mistakes is computed. */
function* walkable(spec: AttentionSpec): Paced<AttentionTrace | undefined> {
  const { start, mask } = spec;
  if (start.from !== 'qkv' || !start.v) return undefined;
  const [q, k, v] = [start.q, start.k, start.v].map(headsOf);
  if (!q || !k || !v) return undefined;
  const seen = typeof mask === 'object' && 'values' in mask ? { ...mask, values: headsOf(mask.values as SpecHeads)[0] ?? [] } : mask;
  const trace = yield* traceOf({
    ...matrixDefaults, dtype: spec.dtype, heads: q.length, scale: 'sqrt_d_k', mask: seen as AttentionSpec['mask'],
    start: { from: 'qkv', q: joined(q), k: joined(k), v: joined(v) },
  }); // prettier-ignore
  return trace.ok ? trace.value : undefined;
} // prettier-ignore

/** The matrices of the first input. */
function headsOf(all: SpecHeads): readonly SpecMatrix[] {
  let at: unknown = all;
  const depth = depthOf(all);
  for (let i = depth; i > 3; i--) at = (at as readonly unknown[])[0];
  return (depth < 3 ? [at] : at) as readonly SpecMatrix[];
}

const depthOf = (all: unknown): number => (Array.isArray(all) ? 1 + depthOf(all[0]) : 0);

const joined = (heads: readonly SpecMatrix[]): SpecMatrix =>
  (heads[0] ?? []).map((_, row) => heads.flatMap((one) => one[row] ?? [encodeNumber(NaN)]));
