/* Shows what the reader's own result is, and checks it again after an edit. */
import * as vscode from 'vscode';
import { hashText, labelOf, locateInDocument, textOf, type Input } from '../documents';
import { checkNumbers, type CheckedNumbers } from './check';
import { explainCode } from './explain-code';
import { sourceOf, spanOf } from './input-ranges';
import { changedProblem } from './messages';
import { changeDetector, openAndSend, reportProblemsIn, type Shown } from './shown';
import { wholeOf } from './spec-file';

export async function explainResult(shown: Shown, input: Input, checks?: 'step' | number): Promise<void> {
  const request = ++shown.latestRequest;
  const { document } = input;
  const isChanged = changeDetector(document);
  const found = await checkNumbers(shown.programs, input, shown.spec, checks);
  if (shown.shownRequest > request) return;
  // What cannot be compared is shown as it is.
  if (!found.ok && checks === 'step') return void (await explainCode(shown, document, spanOf(input.parts), undefined, true)); // prettier-ignore
  if (!found.ok) return found.why === undefined ? undefined : void vscode.window.showInformationMessage(found.why);
  if (isChanged()) return reportProblemsIn(shown, document, locateInDocument(document, [changedProblem()]));
  showResult(shown, document, found, request);
}

/** The whole document is its source: whatever changes in it may change what is found. */
function showResult(
  shown: Shown,
  document: vscode.TextDocument,
  { read, range }: Extract<CheckedNumbers, { ok: true }>,
  request: number,
): void {
  const { parts } = wholeOf(document);
  const hash = hashText(document.getText());
  openAndSend(shown, read, { ...sourceOf({ document, parts }, hash), label: labelOf(document, range.start) }, request);
  shown.ownText = { text: textOf(document, range), start: range.start };
  shown.tracker.follow(document, parts, hash);
}

/** Checks the result again after an edit: where its text now stands, nearest to where it stood. */
export function explainResultAgain(
  shown: Shown,
  document: vscode.TextDocument,
  { text, start }: NonNullable<Shown['ownText']>,
): Promise<void> {
  const whole = document.getText();
  const [before, after] = [whole.lastIndexOf(text, start), whole.indexOf(text, start)];
  const at = before < 0 || (after >= 0 && after - start < start - before) ? after : before;
  const range = at < 0 ? { start, end: start } : { start: at, end: at + text.length };
  return explainResult(shown, { document, parts: [range] });
}
