/* Explains the attention that code computes. */
import type * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import type { View } from '../../webview/protocol';
import { hashText, locateInDocument, textOf } from '../documents';
import { bookOf } from '../program-client';
import { placeAgain, placesAt } from './document-place';
import { isSameSource, selectionOf, sourceOf } from './input-ranges';
import { changedProblem } from './messages';
import { whileReading } from './program-dialogs';
import { attentionAt, programPlace, withMarks, type ProgramPlace } from './program-place';
import type { ShownProgramPart } from './program-view';
import { changeDetector, reportProblemsIn, sendCode, type FoundCode, type Shown } from './shown';
import { specInput } from './spec-file';
import { viewOfStep, type ShownStep } from './target';

export interface CodeOutcome {
  readonly done: boolean;
  readonly why?: string;
}

/**
 * Explains the attention that the code at a range computes. `done` if it was shown or refused with a message, or a later request was shown
 * meanwhile. Otherwise the range is to be read in another way, and `why` tells the reader why.
 */
export async function explainCode(
  shown: Shown,
  document: vscode.TextDocument,
  at: TextRange,
  which?: number,
  isCode = false,
  shownPart?: ShownProgramPart,
): Promise<CodeOutcome> {
  let why: string | undefined;
  for (const place of await placesAt(document, at, isCode)) {
    const outcome = await explainPlace(shown, shownPart ? { ...place, shownPart } : place, which);
    if (outcome.done) return outcome;
    why ??= outcome.why;
  }
  return { done: false, ...(why === undefined ? {} : { why }) };
}

/** The last attention of a list. */
const lastOne = -1;

/** Where nothing is selected and the code at the cursor computes no attention: the last one of the code. True if it was shown. */
export async function explainLast(shown: Shown, { document, selection }: vscode.TextEditor): Promise<boolean> {
  if (!selection.isEmpty) return false;
  const place = await programPlace(document, { start: 0, end: 0 }, true);
  const found = place && (await whileReading((token) => attentionAt(shown.programs, place, token, lastOne)));
  if (!place || found?.is !== 'found') return false;
  return (await explainPlace(shown, { ...place, at: found.span, isElsewhere: true })).done;
}

export async function explainPlace(shown: Shown, place: ProgramPlace, which?: number): Promise<CodeOutcome> {
  const { document } = place;
  const { programs } = shown;
  const request = ++shown.latestRequest;
  const isChanged = changeDetector(document);
  const found = await whileReading(async (token) => {
    const read = await attentionAt(programs, place, token, which);
    return read && withMarks(programs, place, read);
  });
  if (!found || shown.shownRequest > request) return { done: true };
  if (found.is === 'none') return { done: false, ...(found.why === undefined ? {} : { why: found.why }) };
  if (isChanged()) reportProblemsIn(shown, document, locateInDocument(document, [changedProblem()]));
  else if (found.is === 'refused') reportProblemsIn(shown, document, found.problems);
  else openAndSendCode(shown, document, found, request);
  return { done: true };
}

function openAndSendCode(shown: Shown, document: vscode.TextDocument, found: FoundCode, request: number): void {
  shown.panel.open();
  sendCode(shown, document, found, request);
}

/** A step of an attention of the whole document. True unless the document has none now. */
export async function explainStep(
  shown: Shown,
  document: vscode.TextDocument,
  at: TextRange,
  shows: ShownStep,
): Promise<boolean> {
  const code = bookOf(document);
  const view = viewOfStep(shows);
  return code !== undefined && (await explainPlace(shown, { document, code, at, kind: 'document', shownPart: { view } }, shows.attention)).done; // prettier-ignore
}

/** Explains the edited code of the current explanation. Reports no problems: code that is incomplete leaves the explanation as it is. */
export async function explainEditedCode(
  shown: Shown,
  document: vscode.TextDocument,
  at: TextRange,
  view: View,
): Promise<void> {
  const place = shown.attention && (await placeAgain(shown.attention, at));
  if (!place || !shown.attention) return;
  const [request, isChanged] = [shown.latestRequest, changeDetector(document)];
  const found = await attentionAt(shown.programs, place);
  const isLate = shown.latestRequest > request || isChanged() || !shown.panel.isOpen() || !shown.attention;
  if (found?.is === 'found' && !isLate) sendCode(shown, document, { ...found, read: { ...found.read, view } }, request);
}

/** Explains the attention of the code at the cursor, unless it is shown already. True if the selection is not to be read in another way. */
export async function followCode(shown: Shown, editor: vscode.TextEditor, request: number): Promise<boolean> {
  const { document } = editor;
  const isOne = editor.selections.length === 1 && !specInput(editor);
  const place = isOne ? await programPlace(document, selectionOf(editor)) : undefined;
  if (!place) return false;
  const isChanged = changeDetector(document);
  const found = await attentionAt(shown.programs, place);
  if (shown.shownRequest > request || shown.latestRequest > request || !shown.panel.isOpen() || isChanged())
    return true;
  if (found?.is !== 'found') return found?.is === 'refused';
  const source = sourceOf({ document, parts: [found.span] }, hashText(textOf(document, found.span)));
  if (isSameSource(source, shown.source)) shown.shownRequest = request;
  else sendCode(shown, document, found, request);
  return true;
}
