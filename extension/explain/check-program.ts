import * as vscode from 'vscode';
import {
  checkCode,
  codeVerdict,
  inStretches,
  ok,
  parseMatricesPaced,
  matrixName,
  resultsInComments,
  stackOf,
  stepAsPrinted,
  type CheckVerdict,
  type CodeSide,
  type Paced,
  type PrintedStack,
  type Result,
  type TextRange,
} from '../../engine/index';
import type { View } from '../../webview/protocol';
import { storedOutputs, type ProgramClient } from '../program-client';
import { whileReading } from './program-dialogs';
import { exactStep, foundAttention, programPlace, type FoundAttention, type ProgramPlace } from './program-place';
import type { Read } from './reading';

/** A result that a program has printed, and where in the document it is. */
export interface CodeResult extends PrintedStack {
  readonly range: TextRange;
  /** Of a cell's outputs: where it begins in their text. */
  readonly start?: number;
}

export type CheckedCode =
  | { readonly ok: true; readonly read: Read; readonly range: TextRange }
  /** Not a program's, or its attention is not explained: it is to be compared with something else. */
  | { readonly ok: false; readonly cancelled?: true };

/** Attentions of a program that a result is looked for in. */
const mostAttentions = 8;

/**
 * Compares what a program has printed with the steps of its own code, and these with attention without the code's mistakes. Of several attentions the
 * one that has the result is meant, else that of the place.
 */
export async function checkProgram(
  programs: ProgramClient,
  document: vscode.TextDocument,
  mine: CodeResult | { readonly step: TextRange },
): Promise<CheckedCode> {
  const range = 'step' in mine && typeof mine.step === 'object' ? mine.step : (mine as CodeResult).range;
  const place = await programPlace(document, range, true);
  if (!place) return { ok: false };
  const title = vscode.l10n.t('Checking {0}', 'name' in mine ? mine.name : vscode.l10n.t('a step of the code'));
  const here = await whileReading((token) => reviewAt(programs, place, token), title);
  // What prints a result may be no part of an attention: then the last one is meant.
  const isElsewhere = here?.found.is === 'none' && 'name' in mine;
  const first = isElsewhere ? await whileReading((token) => reviewAt(programs, place, token, 'last'), title) : here;
  if (!first) return { ok: false, cancelled: true };
  if (first.found.is !== 'found' || !first.side) return { ok: false };
  const { all, which } = first.found.attention;
  const others = 'name' in mine ? all.map((_, i) => i).filter((i) => i !== which).slice(-mostAttentions) : []; // prettier-ignore
  let best: Checked | undefined;
  for (const other of [undefined, ...others]) {
    const review = other === undefined ? first : await whileReading((token) => reviewAt(programs, place, token, other), title);
    if (!review) return { ok: false, cancelled: true };
    const checked = await whileReading((token) => checkedIn(review, mine, () => token.isCancellationRequested), title);
    if (checked && (!best || checked.isOwn)) best = checked;
    if (best?.isOwn) break;
  }
  return best ? { ok: true, read: best.read, range } : { ok: false };
} // prettier-ignore

interface Reviewed {
  readonly found: FoundAttention;
  readonly side?: CodeSide;
}

async function reviewAt(
  programs: ProgramClient,
  place: ProgramPlace,
  token: vscode.CancellationToken,
  which?: number | 'last',
): Promise<Reviewed | undefined> {
  const { code, at } = place;
  const outputs = storedOutputs(code.cells ?? []);
  const cells = code.cells?.map(({ start, number }) => ({ start, number })) ?? [];
  const range = { start: code.start + at.start, end: code.start + at.end };
  const asked = { text: code.text, ...(which === 'last' ? {} : { at: which ?? range }), cells, outputs: outputs.map(({ cell, text }) => ({ cell, text })) };
  const reply = await programs.ask('review', asked, place.document.uri, token);
  if (!reply || token.isCancellationRequested || 'failure' in reply) return undefined;
  const { attention, side } = reply.answer;
  return { found: foundAttention(place, attention, outputs), ...(side && { side }) };
} // prettier-ignore

interface Checked {
  readonly read: Read;
  /** Whether the result is one of its steps. */
  readonly isOwn: boolean;
}

async function checkedIn(
  { found, side }: Reviewed,
  mine: CodeResult | { readonly step: TextRange },
  isCancelled: () => boolean,
): Promise<Checked | undefined> {
  if (found.is !== 'found' || !side) return undefined;
  const work = 'name' in mine ? check(side, () => done(mine)) : check(side, () => stepAsPrinted(side, exactStep(found.attention.steps, mine.step) ?? nearStep(side))); // prettier-ignore
  const verdict = await inStretches(work, isCancelled);
  if (!verdict?.ok) return undefined;
  const { beside } = found.read;
  const view = viewOf(verdict.value) ?? found.read.view;
  return {
    isOwn: verdict.value.is !== 'none',
    read: {
      ...found.read,
      attention: found.attention,
      checked: verdict.value,
      // What is right given a wrong mask or wrong heads says nothing beside the mistake.
      ...(beside && { beside: { ...beside, ...(verdict.value.is === 'mistake' && { says: '' }), links: links() } }),
      ...(view && { view }),
    },
  };
}

/** Where what is marked is no step, such as dropout that is computed without: the first step that differs, else the weights. */
const nearStep = ({ differs }: CodeSide): string => differs[0]?.step ?? 'weights';

function* done(mine: PrintedStack): Paced<Result<PrintedStack>> {
  return ok(mine);
}

function* check(side: CodeSide, mineOf: () => Paced<Result<PrintedStack>>): Paced<Result<CheckVerdict>> {
  const mine = yield* mineOf();
  const checked = mine.ok ? yield* checkCode(side, mine.value) : mine;
  return mine.ok && checked.ok ? ok(codeVerdict(checked.value, side.spec, mine.value)) : (checked as Extract<typeof checked, { ok: false }>); // prettier-ignore
}

const links = () => ({
  there: vscode.l10n.t('Show standard attention'),
  says: vscode.l10n.t('Standard attention of the code’s queries, keys and values.'),
  back: vscode.l10n.t('Back to the code'),
});

/** The step that was compared, at the cell that differs most. */
export function viewOf({ at, cell }: CheckVerdict): View | undefined {
  if (!at) return undefined;
  return {
    step: at.step,
    ...(cell && { cell }),
    ...(at.head === undefined ? {} : { slice: { batch: 0, head: at.head } }),
  };
}

// --- what was printed -----------------------------------------------------------------

/** The results in a program's comments that a range touches; all of them without one. */
export async function commentedResults(
  document: vscode.TextDocument,
  at?: TextRange,
  token?: vscode.CancellationToken,
): Promise<readonly CodeResult[]> {
  if (document.languageId !== 'python') return [];
  const all = await inStretches(resultsInComments(document.getText()), () => token?.isCancellationRequested === true);
  const lineOf = (offset: number): number => document.positionAt(offset).line;
  return (all ?? []).filter(
    ({ range }) => !at || (lineOf(at.start) <= lineOf(range.end) && lineOf(range.start) <= lineOf(at.end)),
  );
}

/** The matrices that the outputs of a notebook's cell show, named by what prints them. */
export async function storedResults(
  programs: ProgramClient,
  document: vscode.TextDocument,
  token?: vscode.CancellationToken,
): Promise<readonly CodeResult[]> {
  const place = await programPlace(document, { start: 0, end: 0 }, true);
  const own = place?.code.cells?.find(({ cell }) => cell.document === document);
  const [output] = own ? storedOutputs([own]) : [];
  if (!place || !output) return [];
  const { cell, text } = output;
  const [reply, found] = await Promise.all([
    programs.ask('printed', { text: place.code.text, outputs: [{ cell, text }] }, document.uri, token),
    inStretches(parseMatricesPaced(text), () => token?.isCancellationRequested === true),
  ]);
  const printed = reply && 'answer' in reply ? reply.answer : [];
  return (found?.matrices ?? []).flatMap((matrix) => {
    const by = printed.find(({ range }) => range.start === matrix.range.start);
    const code = by && place.code.text.slice(by.at.start, by.at.end);
    const name = (code === undefined ? undefined : matrixName(code)) ?? matrix.name ?? vscode.l10n.t('the output of cell {0}', output.number);
    const range = by ? { start: by.at.start - cell.start, end: by.at.end - cell.start } : { start: 0, end: cell.end - cell.start };
    const stack = stackOf(name, text, matrix);
    return stack ? [{ ...stack, range, start: matrix.range.start, ...(by && by.equal === by.count && { isComputed: true }) }] : [];
  });
} // prettier-ignore
