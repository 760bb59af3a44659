/** The words of each step, by its id, for the row and column that are shown. */
import type { Plan, Step } from '../plan';
import { shownLayer, specOfLayer, type AttentionSpec } from '../../spec';
import { isUnnamed, namesApart, plainText, type LinkTarget, type TokenMark, type Within } from '../../text';
import { attentionWords } from './attention';
import { blockWords } from './block';
import { programWords } from './program';
import { inputWords } from './inputs';
import type { Operation, Branch } from '../../operations';
import { operations, type BackendCall } from '../operations';
import { localId, type StepSentences, type StepWords, type StepWriter, type WordsContext } from '../word-context';

export type { Role } from '../../text';
export type { StepSentences, StepWords, WordsContext } from '../word-context';

/** The steps with words of their own, by their ids. The planner can add no other step, but for those that the declaration of an operation or a program describes. */
const stepWords = { ...inputWords, ...attentionWords, ...blockWords };

export type DescribedStep = keyof typeof stepWords;

interface Place {
  readonly row: number;
  readonly column: number;
}

/** The sentences about a step. They name the row and column of `at`; without it the second and third token, where there are that many. */
export function sentencesOf({ within, ...whole }: WordsContext, at?: Place): StepSentences {
  const context = { ...whole, id: localId(whole.id) };
  const ofProgram = context.spec.start.from === 'program' ? programWords : undefined;
  const write = ofProgram ?? (stepWords as Readonly<Record<string, StepWriter>>)[context.id] ?? branchWriter(context);
  if (!write) throw new Error(`no words for step ${context.id}`);
  const { rowLabels, columnLabels } = context;
  const row = at?.row ?? Math.min(1, rowLabels.length - 1);
  const column = at?.column ?? Math.min(2, columnLabels.length - 1);
  const said = write(context, rowToken(context, row), columnToken(context, column));
  return within ? inLayer(said, within) : said;
}

const inLayer = ({ name, question, what, why, notice }: StepSentences, within: Within): StepSentences => ({
  name: { ...name, within },
  question: { ...question, within },
  what: { ...what, within },
  why: { ...why, within },
  notice: { ...notice, within },
});

/** Writes the sentences about a step of a branch (Q, K or V), or about a source such a step reads. The operation declares both. */
function branchWriter({ id }: WordsContext): StepWriter | undefined {
  const [, branch, suffix = ''] = /^([qkv])(\w+)$/.exec(id) ?? [];
  for (const { step } of Object.values(operations) as readonly Operation<BackendCall>[]) {
    if (step === 'by role') continue;
    const beside = step.beside[suffix];
    if (beside) return (context, row) => beside.words({ ...context, ...placesIn(context) }, branch as Branch, row);
    if (step.suffix === suffix)
      return (context, row) => step.words(context.call as BackendCall, context, branch as Branch, row);
  }
  return undefined;
}

/** Where the rows of rotations stand and how they turn, where the spec says so. */
const placesIn = ({ call }: WordsContext): Pick<WordsContext, 'at' | 'turning'> =>
  call.op === 'rotations'
    ? { ...(call.at !== undefined && { at: call.at }), ...(call.turning && { turning: call.turning }) }
    : {};

/** In a product, rows are those of the left operand and columns those of the right one. */
function rowToken({ call, operands, role, rowLabels }: WordsContext, row: number): TokenMark {
  const left = call.op === 'matmul' ? operands[0] : undefined;
  const to: LinkTarget | undefined = left && { step: left.id, row };
  return {
    kind: 'token',
    token: namesApart(rowLabels)[row] ?? '',
    role: left?.role ?? role,
    axis: 'row',
    unnamed: isUnnamed(rowLabels),
    to,
  };
}

function columnToken({ call, operands, role, columnLabels }: WordsContext, column: number): TokenMark {
  const right = call.op === 'matmul' ? operands[1] : undefined;
  // Row j of K is column j of Kᵀ.
  const place = call.op === 'matmul' && call.transposeB ? { row: column } : { column };
  const to: LinkTarget | undefined = right && { step: right.id, ...place };
  return {
    kind: 'token',
    token: namesApart(columnLabels)[column] ?? '',
    role: right?.role ?? role,
    axis: 'column',
    unnamed: isUnnamed(columnLabels),
    to,
  };
}

/** The spec as the layer of a step has it. */
function specOfStep(spec: AttentionSpec, id: string): AttentionSpec {
  const [, layer] = /^layer(\d+)_/.exec(id) ?? [];
  return spec.block ? specOfLayer(spec, layer === undefined ? shownLayer(spec) : Number(layer)) : spec;
}

/** The sentences about a planned step; `index` is the selected cell whose row and column they name. */
export function sentencesAt(
  { spec, plan }: { readonly spec: AttentionSpec; readonly plan: Plan },
  step: Step,
  index: readonly number[],
): StepSentences {
  const [row = 0, column = 0] = index.slice(-2);
  const operands = step.operands.flatMap((id) => plan.steps.find((s) => s.id === id) ?? []);
  return sentencesOf({ ...step, spec: specOfStep(spec, step.id), operands }, { row, column });
}

/** The same as plain text, for tokens as rows. */
export const wordsAt = (
  of: { readonly spec: AttentionSpec; readonly plan: Plan },
  step: Step,
  index: readonly number[],
): StepWords => inPlain(sentencesAt(of, step, index), false);

/** Sentences as text. */
export const inPlain = ({ name, question, what, why, notice }: StepSentences, columns: boolean): StepWords => ({
  name: plainText(name, columns),
  question: plainText(question, columns),
  what: plainText(what, columns),
  why: plainText(why, columns),
  notice: plainText(notice, columns),
});

export { type NormId } from './block';
