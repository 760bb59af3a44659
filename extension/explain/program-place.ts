import * as vscode from 'vscode';
import type { AttentionAnswer, AttentionChoice, AttentionSpec, Problem, TextRange } from '../../engine/index';
import { locateInDocument } from '../documents';
import { codeOf, inDocument, type Code, type ProgramClient } from '../program-client';
import { isPlain } from './plain';
import type { Explanation, LocatedProblem, View } from '../../webview/protocol';

/** The attention of a program that a place of a document means. */
export interface ProgramPlace {
  readonly document: vscode.TextDocument;
  readonly code: Code;
  /** In the document. */
  readonly at: TextRange;
}

/** A spec with what is said of it; places are those of the document. */
export type ReadProgram = Pick<Explanation, 'spec' | 'notes' | 'unfollowed'> & { readonly view?: View };

export type FoundAttention =
  | { readonly is: 'found'; readonly read: ReadProgram; readonly span: TextRange; readonly attention: ProgramAttention }
  | { readonly is: 'refused'; readonly problems: readonly LocatedProblem[] }
  /** Other ways of reading go on; `why` says that this one found nothing. */
  | { readonly is: 'none'; readonly why?: string };

/** What is shown of a program: its attentions, and where the steps of this one stand. */
export interface ProgramAttention extends ProgramPlace {
  readonly all: readonly AttentionChoice[];
  readonly which: number;
  /** Steps of this document, with ranges in it. */
  readonly steps: readonly StepPlace[];
}

export interface StepPlace {
  readonly id: string;
  readonly range: TextRange;
}

/** A place of attention code; undefined where the document is none, or nothing but matrices is selected: these are explained as they stand, unless `isCode`. */
export async function programPlace(
  document: vscode.TextDocument,
  at: TextRange,
  isCode = false,
): Promise<ProgramPlace | undefined> {
  const code = codeOf(document);
  if (!code || (!isCode && at.end > at.start && (await isPlain({ document, parts: [at] })))) return undefined;
  return { document, code, at };
}

/** Asks the process that reads programs. Undefined: cancelled. `which` chooses among all by number, else the place does. */
export async function attentionAt(
  programs: ProgramClient,
  place: ProgramPlace,
  token?: vscode.CancellationToken,
  which?: number,
): Promise<FoundAttention | undefined> {
  const { code, at } = place;
  const range = { start: code.start + at.start, end: code.start + at.end };
  const answer = await programs.ask('attention', { text: code.text, at: which ?? range }, token);
  if (token?.isCancellationRequested) return undefined;
  if (!answer) return { is: 'none', why: vscode.l10n.t('The code could not be read as a program: see the log.') };
  return described(place, answer);
}

function described(place: ProgramPlace, answer: AttentionAnswer): FoundAttention {
  switch (answer.is) {
    case 'none':
      return { is: 'none', why: vscode.l10n.t('No attention was found in what this code computes: its matrices are explained as they stand.') }; // prettier-ignore
    case 'refused': {
      const [first] = answer.problems;
      return first?.code === 'elsewhere'
        ? { is: 'none', why: first.message }
        : { is: 'refused', problems: inCode(place, answer.problems) };
    }
    case 'found':
      return found(place, answer);
  }
}

function found(place: ProgramPlace, answer: Extract<AttentionAnswer, { is: 'found' }>): FoundAttention {
  const { document, code } = place;
  const { spec, all, which, notes } = answer;
  const span = all[which]?.span;
  const own = span && inDocument(code, span);
  const list = all.length > 1 ? [vscode.l10n.t('Attention {0} of {1} in this code: {2}.', which + 1, all.length, all[which]?.label ?? '')] : []; // prettier-ignore
  const steps = (spec.start.from === 'program' ? spec.start.steps : []).flatMap(({ id, range: [start, end] = [] }) => {
    const range = start === undefined || end === undefined ? undefined : inDocument(code, { start, end });
    return range ? [{ id, range }] : [];
  });
  const step = stepOnLine(document, steps, place.at);
  return {
    is: 'found',
    read: {
      spec: inOwnLines(code, spec),
      notes: list,
      unfollowed: inCode(place, notes),
      ...(step === undefined ? {} : { view: { step } }),
    },
    span: own ?? { start: 0, end: document.getText().length },
    attention: {
      ...place,
      all,
      which,
      steps,
    },
  };
}

/** Problems with their places: lines of this document; what stands in another cell says so. */
function inCode({ document, code }: ProgramPlace, problems: readonly Problem[]): readonly LocatedProblem[] {
  return problems.flatMap((problem) => {
    const own = problem.range && inDocument(code, problem.range);
    if (own) return locateInDocument(document, [{ ...problem, range: own }]);
    const { range, ...rest } = problem;
    return [range ? { ...rest, message: vscode.l10n.t('In another cell: {0}', problem.message) } : rest];
  });
}

/** The program as its document is now. */
export const codeAgain = ({ document, code }: ProgramPlace): { readonly code: Code } => ({
  code: codeOf(document) ?? code,
});

/** The step of the one line on which a place stands: the last there, which has the line's result. Undefined for several lines, or none of a step. */
function stepOnLine(document: vscode.TextDocument, steps: readonly StepPlace[], at: TextRange): string | undefined {
  const lineOf = (offset: number): number => document.positionAt(offset).line;
  const line = lineOf(at.start);
  if (lineOf(at.end) !== line) return undefined;
  return steps.filter(({ range }) => lineOf(range.start) <= line && line <= lineOf(range.end)).at(-1)?.id;
}

/** Lines and ranges of steps are those of the document, a notebook's cell; steps of other cells have none. */
function inOwnLines(code: Code, spec: AttentionSpec): AttentionSpec {
  const { start } = spec;
  if (start.from !== 'program' || code.start === 0) return spec;
  const above = code.text.slice(0, code.start).split('\n').length - 1;
  const steps = start.steps.map((step) => {
    const { line, range, ...rest } = step;
    const own = range && inDocument(code, { start: range[0] ?? 0, end: range[1] ?? 0 });
    return (own && line !== undefined ? { ...rest, line: line - above, range: [own.start, own.end] } : rest) as typeof step; // prettier-ignore
  });
  return { ...spec, start: { ...start, steps } };
}
