import * as vscode from 'vscode';
import { inStretches, wholeOfLoop } from '../../engine/index';
import type {
  AttentionAnswer,
  AttentionChoice,
  AttentionSpec,
  NearestAnswer,
  Problem,
  TextRange,
} from '../../engine/index';
import { locateInDocument } from '../documents';
import { doctorSettings } from '../hover-settings';
import { codeOf, inDocument, isInCode, storedOutputs, type Code, type ProgramClient } from '../program-client';
import { isPlain } from './plain';
import { notebookNotes, viewOfNumber, type ShownProgramPart } from './program-view';
import type { Beside, Explanation, LocatedProblem, View } from '../../webview/protocol';

/** A range of a document that may select an attention of its program. */
export interface ProgramPlace {
  readonly document: vscode.TextDocument;
  readonly code: Code;
  /** A range in the document. */
  readonly at: TextRange;
  readonly shownPart?: ShownProgramPart;
  /** What is asked of it: an attention of its code, that of a formula, or the last one that the whole document builds. */
  readonly kind: 'attention' | 'formula' | 'document';
  /** The reader's cursor is not in it. */
  readonly isElsewhere?: true;
  /** The reader's cursor is in a sentence of prose, which could be explained too. */
  readonly isInSentence?: boolean;
}

/** A spec with notes on how it was read. Ranges are in the document. */
export type ReadProgram = Pick<Explanation, 'spec' | 'notes' | 'unfollowed' | 'beside'> & { readonly view?: View };

export type FoundAttention =
  | { readonly is: 'found'; readonly read: ReadProgram; readonly span: TextRange; readonly attention: ProgramAttention }
  | { readonly is: 'refused'; readonly problems: readonly LocatedProblem[] }
  /** The range may be read in other ways. `why` tells the reader why this one found nothing. */
  | { readonly is: 'none'; readonly why?: string };

/** A program's attention that is shown, with the list of all attentions and the ranges of its steps. */
export interface ProgramAttention extends ProgramPlace {
  readonly all: readonly AttentionChoice[];
  readonly which: number;
  /** The steps in this document, with their ranges. */
  readonly steps: readonly StepPlace[];
  /** They are parts of a formula, not lines. */
  readonly byParts: boolean;
}

export interface StepPlace {
  readonly id: string;
  readonly range: TextRange;
}

/**
 * The place of a range in its program. Undefined if the document is no program with attention, or only matrices are selected, which are explained by
 * themselves unless `isCode`.
 */
export async function programPlace(
  document: vscode.TextDocument,
  at: TextRange,
  isCode = false,
): Promise<ProgramPlace | undefined> {
  const code = codeOf(document);
  if (!code || !isInCode(code, at) || (!isCode && at.end > at.start && (await isPlain({ document, parts: [at] }))))
    return undefined;
  return { document, code, at, kind: 'attention' };
}

/** Asks the process that reads programs for an attention: number `which`, or the one that the place selects. Undefined if cancelled. */
export async function attentionAt(
  programs: ProgramClient,
  place: ProgramPlace,
  token?: vscode.CancellationToken,
  which?: number,
): Promise<FoundAttention | undefined> {
  if (place.kind !== 'attention') return documentAt(programs, place, token, which);
  const { code, at, shownPart } = place;
  const outputs = storedOutputs(code.cells ?? []);
  const cells = code.cells?.map(({ start, number }) => ({ start, number })) ?? [];
  const of = shownPart && 'of' in shownPart ? { of: code.start + shownPart.of } : {};
  const range = { start: code.start + at.start, end: code.start + at.end };
  const asked = { text: code.text, at: which ?? range, cells, outputs: outputs.map(({ cell, text }) => ({ cell, text })), ...of }; // prettier-ignore
  const reply = await programs.ask('attention', asked, place.document.uri, token);
  if (!reply || token?.isCancellationRequested) return undefined;
  return 'failure' in reply ? { is: 'none', why: reply.failure } : foundAttention(place, reply.answer, outputs);
}

/** Milliseconds that an explanation waits for what the doctor says of it: it has been asked before, by the editor. */
const patience = 1000;

/** With what the doctor marks in this attention's code, as far as the settings show it. */
export async function withMarks<Found extends FoundAttention>(programs: ProgramClient, place: ProgramPlace, found: Found): Promise<Found> {
  const { document, code, kind } = place;
  const { enabled, severities } = doctorSettings(document);
  if (found.is !== 'found' || kind !== 'attention' || !enabled) return found;
  const asked = programs.ask('doctor', { text: code.text }, document.uri);
  const reply = await Promise.race([asked, new Promise<undefined>((done) => setTimeout(() => done(undefined), patience))]);
  const { all, which } = found.attention;
  const spanOf = (i: number): string => JSON.stringify(all[i]?.span);
  const own = (reply && 'answer' in reply ? reply.answer.findings : []).filter((one) => spanOf(one.which) === spanOf(which) && severities[one.rule] !== 'off');
  if (own.length === 0) return found;
  const marks = own.map(({ rule, message, range, mend }) => ({ code: rule, message: mend ? `${message} ${mend.title}.` : message, range }));
  const { read } = found;
  return { ...found, read: { ...read, unfollowed: [...inCode(place, marks), ...(read.unfollowed ?? [])] } };
} // prettier-ignore

/** The attention of a formula, or of a whole document. */
async function documentAt(
  programs: ProgramClient,
  place: ProgramPlace,
  token?: vscode.CancellationToken,
  which?: number,
): Promise<FoundAttention | undefined> {
  const { code, at, kind, document } = place;
  const range = { start: code.start + at.start, end: code.start + at.end };
  const asked = { text: code.text, languageId: document.languageId };
  const reply =
    kind === 'formula'
      ? await programs.ask('formula', { ...asked, at: which ?? range }, document.uri, token)
      : await programs.ask(
          'document',
          { ...asked, ...(which === undefined ? {} : { at: which }) },
          document.uri,
          token,
        );
  if (!reply || token?.isCancellationRequested) return undefined;
  if ('failure' in reply) return { is: 'none', why: reply.failure };
  return foundAttention(place, await withWholeLoop(code.text, reply.answer, token), []);
}

/** The queries of a loop together, where the text's names and matrices give them all. */
async function withWholeLoop(
  text: string,
  answer: AttentionAnswer,
  token?: vscode.CancellationToken,
): Promise<AttentionAnswer> {
  const { calls } = answer.is === 'found' ? answer : {};
  if (answer.is !== 'found' || calls === undefined) return answer;
  const whole = await inStretches(wholeOfLoop(text, answer.spec, calls), () => token?.isCancellationRequested === true);
  const note = vscode.l10n.t('The code computes one query at a time: its {0} queries are shown together.', calls);
  return whole ? { ...answer, spec: whole, said: [note, ...(answer.said ?? [])] } : answer;
}

type Numbered = readonly { readonly number: number }[];

export function foundAttention(place: ProgramPlace, answer: AttentionAnswer, outputs: Numbered): FoundAttention {
  switch (answer.is) {
    case 'none':
      if (place.kind !== 'attention') return { is: 'none' };
      return { is: 'none', why: vscode.l10n.t('No attention was found in what this code computes: its matrices are explained as they stand.') }; // prettier-ignore
    case 'refused': {
      const [first] = answer.problems;
      return first?.code === 'elsewhere'
        ? { is: 'none', why: first.message }
        : { is: 'refused', problems: inCode(place, answer.problems) };
    }
    case 'found':
      return found(place, answer, outputs);
  }
}

function found(
  place: ProgramPlace,
  answer: Extract<AttentionAnswer, { is: 'found' }>,
  outputs: Numbered,
): FoundAttention {
  const { document, code, shownPart } = place;
  const { spec, all, which, notes } = answer;
  const span = all[which]?.span;
  const own = span && inDocument(code, span);
  const list = all.length > 1 ? [listedAs(place.kind, which, all)] : [];
  const steps = (spec.start.from === 'program' ? spec.start.steps : []).flatMap(({ id, range: [start, end] = [] }) => {
    const range = start === undefined || end === undefined ? undefined : inDocument(code, { start, end });
    return range ? [{ id, range }] : [];
  });
  const step = answer.step ?? (answer.byParts ? stepAround(steps, place.at) : stepOnLine(document, steps, place.at));
  const ofStep = step === undefined ? undefined : { step };
  const view = shownPart && 'view' in shownPart ? shownPart.view : shownPart && 'step' in shownPart ? viewOfNumber(spec, shownPart) : ofStep; // prettier-ignore
  const printed = answer.printed.map((one) => ({ ...one, number: outputs[one.output]?.number ?? 0 }));
  return {
    is: 'found',
    read: {
      spec: inOwnLines(code, spec),
      notes: [
        ...(place.isElsewhere ? [vscode.l10n.t('At the cursor there is no attention. Shown is: {0}.', all[which]?.label ?? '')] : []), // prettier-ignore
        ...(place.isInSentence ? [vscode.l10n.t('Select the sentence at the cursor to have it read as text.')] : []),
        ...list,
        ...(answer.said ?? []),
        ...(place.kind === 'attention' ? notebookNotes(code, spec, printed) : []),
      ],
      unfollowed: inCode(place, notes),
      ...(answer.nearest && { beside: besideOf(spec, answer.nearest) }),
      ...(view ? { view } : {}),
    },
    span: (place.kind === 'document' ? undefined : own) ?? { start: 0, end: document.getText().length },
    attention: {
      ...place,
      all,
      which,
      steps,
      byParts: answer.byParts === true,
    },
  };
}

function listedAs(kind: ProgramPlace['kind'], which: number, all: readonly AttentionChoice[]): string {
  const { label = '' } = all[which] ?? {};
  if (kind === 'attention')
    return vscode.l10n.t('Attention {0} of {1} in this code: {2}.', which + 1, all.length, label);
  const others = all.filter((_, i) => i !== which).map((one) => one.label).join('; '); // prettier-ignore
  return vscode.l10n.t(
    'Attention {0} of {1} in this document: {2}. Others: {3}.',
    which + 1,
    all.length,
    label,
    others,
  );
}

/** Standard attention of the same queries, keys and values; where these stand in for what no call gives, that is said of it too. */
function besideOf({ start }: AttentionSpec, { spec, says }: NearestAnswer): Beside {
  const standsIn = start.from === 'program' && start.seed !== undefined;
  const notes = standsIn ? [vscode.l10n.t('Stand-in numbers: no call of the code gives these queries, keys and values.')] : []; // prettier-ignore
  return { spec, says, notes };
}

/** Problems with ranges in this document. One in another cell has no range, and its message says so. */
function inCode({ document, code }: ProgramPlace, problems: readonly Problem[]): readonly LocatedProblem[] {
  return problems.flatMap((problem) => {
    const own = problem.range && inDocument(code, problem.range);
    if (own) return locateInDocument(document, [{ ...problem, range: own }]);
    const { range, ...rest } = problem;
    return [range ? { ...rest, message: elsewhereIn(code, range, problem.message) } : rest];
  });
}

/** A message with the cell and line in which its place is. */
function elsewhereIn({ cells }: Code, { start }: TextRange, message: string): string {
  const own = cells?.find((cell) => cell.start <= start && start <= cell.end);
  return own
    ? vscode.l10n.t(
        'In cell {0}, line {1}: {2}',
        own.number,
        own.cell.document.positionAt(start - own.start).line + 1,
        message,
      )
    : vscode.l10n.t('In another cell: {0}', message);
}

/**
 * The step of the line that contains a range: the last one on it, which has the line's result. Undefined if the range spans several lines or the line
 * has no step.
 */
function stepOnLine(document: vscode.TextDocument, steps: readonly StepPlace[], at: TextRange): string | undefined {
  const exact = exactStep(steps, at);
  if (exact !== undefined) return exact;
  const lineOf = (offset: number): number => document.positionAt(offset).line;
  const line = lineOf(at.start);
  if (lineOf(at.end) !== line) return undefined;
  return steps.filter(({ range }) => lineOf(range.start) <= line && line <= lineOf(range.end)).at(-1)?.id;
}

/** The step that is all of a selected expression: the last, which has its result. */
export const exactStep = (steps: readonly StepPlace[], { start, end }: TextRange): string | undefined =>
  start === end ? undefined : steps.findLast(({ range }) => range.start === start && range.end === end)?.id;

/** The step of the smallest part that contains a range. */
export function stepAround(steps: readonly StepPlace[], at: TextRange): string | undefined {
  const around = steps.filter(({ range }) => range.start <= at.start && at.end <= range.end);
  return around.sort((a, b) => a.range.end - a.range.start - (b.range.end - b.range.start))[0]?.id;
}

/** The spec with lines and ranges of its steps in the document, which may be one cell of a notebook. Steps in other cells lose theirs. */
function inOwnLines(code: Code, spec: AttentionSpec): AttentionSpec {
  const { start } = spec;
  if (start.from !== 'program' || !code.cells) return spec;
  const above = code.text.slice(0, code.start).split('\n').length - 1;
  const steps = start.steps.map((step) => {
    const { line, range, ...rest } = step;
    const own = range && inDocument(code, { start: range[0] ?? 0, end: range[1] ?? 0 });
    return (own && line !== undefined ? { ...rest, line: line - above, range: [own.start, own.end] } : rest) as typeof step; // prettier-ignore
  });
  return { ...spec, start: { ...start, steps } };
}
