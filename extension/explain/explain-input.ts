/* Explains literals and texts: what is selected, at the cursor, or followed. */
import * as vscode from 'vscode';
import { inStretches, type ReadAs, type Result } from '../../engine/index';
import { nextTurn } from '../activation';
import {
  aboveOf,
  hashing,
  hashText,
  inputOf,
  joinedLength,
  locate,
  readInput,
  sentenceAt,
  type Input,
} from '../documents';
import { explainCode, followCode, type CodeOutcome } from './explain-code';
import {
  isOnlyPart,
  isSameSource,
  selectionOf,
  sourceOf,
  spanOf,
  withDocumentRanges,
  withReason,
} from './input-ranges';
import { changedProblem } from './messages';
import { readLongText, type Read } from './reading';
import { changeDetector, firstView, openAndSend, reportProblemsIn, send, type Shown } from './shown';
import { specInput } from './spec-file';

/** `cursor`: where it stands in a sentence, in UTF-16 units from its start. */
export async function explainInput(
  shown: Shown,
  input: Input,
  readAs?: ReadAs,
  codeOutcome?: CodeOutcome,
  cursor?: number,
): Promise<void> {
  const { document, parts } = input;
  shown.refusedInput = undefined;
  const code =
    codeOutcome ?? (readAs || parts.length > 1 ? { done: false } : await explainCode(shown, document, spanOf(parts)));
  if (code.done) return;
  const request = ++shown.latestRequest;
  const text = readInput(input);
  if (!text.ok) return reportProblemsIn(shown, document, locate(document, parts, text.problems));
  const isChanged = changeDetector(document);
  const isLate = (): boolean => shown.shownRequest > request || isChanged();
  // Copying, hashing, reading and planning a large text each take long, so other work may run in between.
  await nextTurn();
  const hash = await inStretches(hashing(text.value), isLate);
  const read = hash === undefined ? undefined : await readLongText(text.value, aboveOf(input), isLate, readAs);
  await nextTurn();
  if (shown.shownRequest > request) return;
  if (hash === undefined || !read?.ok) {
    shown.refusedInput = input;
    const problems = read && !read.ok ? read.problems : [changedProblem()];
    return reportProblemsIn(shown, document, locate(document, parts, problems));
  }
  const why = isFollowedCall(text.value, read.value) ? undefined : code.why;
  const explained = await shown.trained.of(withDocumentRanges(withReason(input, why), read.value));
  if (shown.shownRequest > request) return;
  openAndSend(shown, withCursor(explained, cursor), sourceOf(input, hash), request);
  shown.tracker.follow(document, parts, hash);
}

/**
 * Whether the text calls attention by its name and all of the call was understood. Code without its imports is not read as a program, but can be
 * explained by that.
 */
const isFollowedCall = (text: string, { unfollowed = [] }: Read): boolean =>
  unfollowed.length === 0 && /\bscaled_dot_product_attention\s*\(/.test(text);

/** Longest text that is read at each change of the selection, in UTF-16 units. */
const followLimit = 200_000;

/** Explains what an editor's selection refers to. One that refers to nothing does not replace the request before it, which may still be read. */
export async function followSelection(shown: Shown, editor: vscode.TextEditor): Promise<void> {
  const request = ++shown.latestRequest;
  if (await followCode(shown, editor, request)) return;
  const found = await inputInEditor(editor);
  if (!found?.ok || joinedLength(found.value.parts) > followLimit || isOnlyPart(found.value.parts, shown.revealedRange))
    return;
  const input = found.value;
  const text = readInput(input);
  const source = text.ok ? sourceOf(input, hashText(text.value)) : undefined;
  if (!text.ok || !source) return;
  if (isSameSource(source, shown.source)) return void (shown.shownRequest = request);
  const isChanged = changeDetector(input.document);
  const isLate = (): boolean => shown.shownRequest > request || !shown.panel.isOpen() || isChanged();
  const read = await readLongText(text.value, aboveOf(input), isLate);
  if (!read?.ok || isLate() || isSameSource(source, shown.source)) return;
  const explained = await shown.trained.of(withDocumentRanges(input, read.value));
  if (isLate()) return;
  send(shown, explained, source, request);
  shown.tracker.follow(input.document, input.parts);
}

/** A spec that fills the document, else what is selected or at the cursor. */
export const inputInEditor = async (editor: vscode.TextEditor): Promise<Result<Input> | undefined> =>
  specInput(editor) ?? inputOf(editor);

/** What opens on a question opens on that of the token at the cursor. */
function withCursor(read: Read, cursor: number | undefined): Read {
  const view = read.view ?? firstView();
  return view && cursor !== undefined ? { ...read, view: { ...view, cursor } } : read;
}

interface SentenceAtCursor {
  readonly input: Input;
  readonly alone: boolean;
  readonly cursor: number;
}

/** The sentence of prose at a cursor without a selection. */
export function sentenceAtCursor(editor: vscode.TextEditor): SentenceAtCursor | undefined {
  const { document, selections } = editor;
  const { start, end } = selectionOf(editor);
  const found = selections.length === 1 && start === end ? sentenceAt(document, start) : undefined;
  return found && { input: { document, parts: [found.range] }, alone: found.alone, cursor: Math.max(0, start - found.range.start) }; // prettier-ignore
}
