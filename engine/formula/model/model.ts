/** The model of a whole document: its attentions with their numbers, and the places where their steps stand. */
import type { ParsedMatrix } from '../../parse';
import { planOf, type Plan, type Step } from '../../plan';
import type { NamedFile, PrintedStep, StoredOutput } from '../../program';
import { runReferencePaced, valuesOf } from '../../run';
import type { AttentionSpec } from '../../spec';
import { positionAt, type Paced, type Problem, type TextRange } from '../../text';
import { candidatesOf, lastWithNumbers, type AskProgram, type OpenDocument } from '../whole';
import { formulaParts } from './formula-parts';
import {
  isAlike,
  matchingMatrix,
  writtenNumbersOf,
  type KnownStep,
  type MatchedMatrix,
  type WrittenMatrix,
} from './match';
import { placesOf } from './places';
import { stopsOf } from './stops';
import type { DocumentModel, LoopAttention, ModelledAttention, PlacePart, UnreadPlace, WholeLoop } from './types';

/** Files that its code imports, and what a notebook has kept as printed by its cells. */
interface Beside {
  readonly files?: readonly NamedFile[];
  readonly outputs?: readonly StoredOutput[];
  /** What the queries of loops come to together (`wholeOfLoop`), for those that the model named before. */
  readonly wholes?: readonly WholeLoop[];
}

/** Attentions that are explained, the last ones. */
const mostExplained = 12;

export function* modelling(
  document: OpenDocument,
  program: AskProgram,
  { files = [], outputs = [], wholes = [] }: Beside = {},
): Paced<DocumentModel> {
  const { candidates, notes } = yield* candidatesOf(document, program, files, outputs);
  const chosen = (yield* lastWithNumbers(candidates))?.at ?? -1;
  const attentions: (ModelledAttention | undefined)[] = candidates.map(() => undefined);
  const parts: PlacePart[] = [];
  const loops: LoopAttention[] = [];
  for (const [at, { label, span, from, explain }] of candidates.entries()) {
    if (at !== chosen && at < candidates.length - mostExplained) continue;
    const answer = yield* explain();
    if (answer.is !== 'found') continue;
    const own = planOf(answer.spec);
    const whole = wholes.find(({ attention }) => attention === at);
    if (!whole && answer.calls !== undefined) loops.push({ attention: at, spec: answer.spec, calls: answer.calls });
    const spec = whole?.spec ?? answer.spec;
    const plan = planOf(spec);
    if (!plan.ok || !own.ok) continue;
    const all = yield* knownSteps(spec, plan.value);
    const known = answer.standInSizes ? all.filter(({ step }) => step.operands.length === 0) : all;
    attentions[at] = { label, span, from, spec, plan: plan.value, known, said: answer.said ?? [] };
    parts.push(...ownParts(at, from, own.value, plan.value), ...printedParts(at, answer.printed));
  }
  parts.push(...(yield* alike(attentions, parts)));
  parts.push(...formulaParts(document, attentions, chosen));
  const { matched, unmatched } = yield* numberParts(document, attentions);
  parts.push(...matched);
  const places = placesOf(document, attentions, chosen, parts);
  return {
    attentions,
    chosen,
    loops,
    places,
    stops: stopsOf(document.text, attentions, chosen, places),
    unread: notes.map((problem) => unreadAt(document.text, problem)),
    unmatched,
  };
}

const unreadAt = (text: string, { range = { start: 0, end: 0 }, message, hint }: Problem): UnreadPlace => ({
  range,
  line: positionAt(text, range.start).line,
  message,
  ...(hint === undefined ? {} : { hint }),
});

function* knownSteps(spec: AttentionSpec, plan: Plan): Paced<readonly KnownStep[]> {
  if (plan.steps.every(({ standIn }) => standIn)) return [];
  const trace = yield* runReferencePaced(spec, plan);
  if (!trace.ok) return [];
  const isFloat32 = spec.dtype === 'float32';
  return plan.steps.flatMap((step) => (step.standIn ? [] : [{ step, values: valuesOf(trace.value, step), isFloat32 }]));
}

/** Where the attention's own steps stand. Of a loop that is shown as a whole those steps that it has too. */
const ownParts = (attention: number, kind: 'code' | 'formula', own: Plan, shown: Plan): readonly PlacePart[] =>
  own.steps.flatMap((step) => {
    const id = shown.steps.some((one) => one.id === step.id) ? step.id : projection[step.role];
    const isShown = shown.steps.some((one) => one.id === id);
    return step.range && isShown && id !== undefined ? [{ range: step.range, kind, attention, step: id }] : [];
  });

/** Of a loop each query, key and value is a step; together they are rows of one. */
const projection: { readonly [role: string]: string | undefined } = { query: 'q', key: 'k', value: 'v' };

/** What a notebook has kept as printed by lines of its code. */
const printedParts = (attention: number, printed: readonly PrintedStep[]): readonly PlacePart[] =>
  printed.flatMap(({ at, step, count, equal }) =>
    count === equal && count > 0
      ? [{ range: at, kind: 'numbers', attention, step, match: { step, form: 'plain', digits: 0, isExact: true, count }, inOutput: true }]
      : [],
  ); // prettier-ignore

/** Parts of one attention that stand for steps of another too: both have the same numbers. */
function* alike(
  attentions: readonly (ModelledAttention | undefined)[],
  parts: readonly PlacePart[],
): Paced<readonly PlacePart[]> {
  const found: PlacePart[] = [];
  for (const part of parts) {
    const own = attentions[part.attention]?.known.find(({ step }) => step.id === part.step);
    if (!own) continue;
    attentions.forEach((other, attention) => {
      const same = attention === part.attention ? undefined : other?.known.find((one) => isAlike(one, own));
      if (same) found.push({ ...part, attention, step: same.step.id });
    });
    yield;
  }
  return found;
}

/** Matrices of the text that are those of steps. */
function* numberParts(
  { text, numbers }: OpenDocument,
  attentions: readonly (ModelledAttention | undefined)[],
): Paced<{ readonly matched: readonly PlacePart[]; readonly unmatched: readonly TextRange[] }> {
  const [matched, unmatched]: [PlacePart[], TextRange[]] = [[], []];
  for (const matrix of numbers.matrices) {
    const written = isComputed(matrix) ? undefined : writtenNumbersOf(text, matrix);
    if (!written) continue;
    const own = attentions.flatMap((one, attention): PlacePart[] => {
      const match = one && matchOf(one, matrix, written);
      return match ? [{ range: matrix.range, kind: 'numbers', attention, step: match.step, match: { ...match, count: matrix.values.length } }] : []; // prettier-ignore
    });
    matched.push(...own);
    if (own.length === 0) unmatched.push(matrix.range);
    yield;
  }
  for (const { name, start, values } of numbers.broken)
    attentions.forEach((one, attention) => {
      const step = one?.plan.steps.find(({ standIn, words }) => standIn && words.name === name);
      const of = step?.shape.reduce((size, dim) => size * dim, 1) ?? 0;
      const range = { start, end: start + (text.slice(start).search(/\n\s*\n|$/) || 1) };
      if (step)
        matched.push({ range, kind: 'numbers', attention, step: step.id, partly: { written: values.length, of } });
    });
  return { matched, unmatched };
}

const isComputed = ({ derivation, expression }: ParsedMatrix): boolean => derivation !== undefined || expression !== undefined; // prettier-ignore

/** Its numbers tell which step it is; where they are too few or too round, its name does, if that step has them. */
function matchOf(one: ModelledAttention, { name }: ParsedMatrix, written: WrittenMatrix): MatchedMatrix | undefined {
  const [match] = preferred(one, matchingMatrix(one.known, written));
  if (match || name === undefined) return match;
  const named = one.known.filter(({ step: { id, words } }) => words.name === name || id === name);
  return preferred(
    one,
    matchingMatrix(named, written, Infinity).filter(({ form }) => form === 'plain'),
  )[0];
}

/** Steps that only move numbers come after those that make them. */
const preferred = ({ plan }: ModelledAttention, all: readonly MatchedMatrix[]): readonly MatchedMatrix[] => {
  const isNamed = ({ step }: MatchedMatrix): number => Number(!/^(?:view|value|joined)\d/.test(step));
  const at = ({ step }: MatchedMatrix): number => plan.steps.findIndex(({ id }: Step) => id === step);
  return [...all].sort((a, b) => isNamed(b) - isNamed(a) || at(a) - at(b));
};
