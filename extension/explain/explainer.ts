import * as vscode from 'vscode';
import { specFromJson, type SpecText, type TextRange } from '../../engine/index';
import type { Source, View } from '../../webview/protocol';
import { fileName, findDocument, hashText, isSameUri, locate, locateInDocument, locateInText, rangeToDocument, readInput, showRange } from '../documents'; // prettier-ignore
import { placeAgain, wholePlace } from './document-place';
import { explainCode, explainEditedCode, explainLast, explainPlace, explainStep } from './explain-code';
import { explainInput, followSelection, inputInEditor, sentenceAtCursor } from './explain-input';
import { explainResult, explainResultAgain } from './explain-result';
import { selectionOf, selectionsOf, spanOf } from './input-ranges';
import { noAttentionMessage, noSpecProblem, nothingSelectedMessage, nothingToCheckMessage } from './messages';
import { findNumber } from './number';
import { chooseOf, whileReading } from './program-dialogs';
import { attentionAt, programPlace } from './program-place';
import { readText, savedSpec, type Read } from './reading';
import { forget, nothingShown, openAndSend, reportMissing, reportProblems, reportProblemsIn, type ExplainerParts, type Shown } from './shown'; // prettier-ignore
import { specInput, wholeOf } from './spec-file';
import { openTarget, targetOf, type Target } from './target';
import { createTrained } from './trained';
import { askForText, typedInputLabel, typedInputReadAs } from './typed-input';

export const explainCommand = 'explainAttention.explain';

/** Explains in a new panel. */
export const explainInNewPanelCommand = 'explainAttention.explainInNewPanel';

/** Shows how a small model learns. */
export const watchTrainingCommand = 'explainAttention.watchTraining';

/** A text with a repeat, which induction heads copy. */
const trainingText = 'Zadok met Hur; Zadok met Hur';

const notSelectedMessage = (): string =>
  vscode.l10n.t(
    'The model that learns reads up to 63 letters, digits and marks: an example stands in for the selection.',
  );

/** Explains what is selected as text, even if it contains code or matrices. */
export const explainAsTextCommand = 'explainAttention.explainAsText';

/** Shows the cell of the step that was printed as a number. */
export const explainNumberCommand = 'explainAttention.explainNumber';

/** Explains another attention of the same program. */
export const chooseAttentionCommand = 'explainAttention.chooseAttention';

/** Everything that leads to an explanation in one panel. */
export interface Explainer {
  /**
   * Explains the range `{ uri, start, end }` (from a hover's link), else what is selected or at the cursor in the active editor, else asks for a text
   * or a matrix.
   */
  explain(argument: unknown): Promise<void>;
  /** Explains the input that was refused last, or the selection in the active editor, as text. */
  explainAsText(): Promise<void>;
  /** Explains what an editor's selection refers to, if anything. Reports no problems and does not take the focus. */
  follow(editor: vscode.TextEditor): Promise<void>;
  /** Explains a file that contains a spec. */
  openSpec(uri: vscode.Uri): Promise<void>;
  /** Explains a spec from elsewhere (a link, a lesson). `label` names it. `withheldSteps` are hidden until a question about them is answered. */
  showSpec(read: SpecText, label: string, textHash: string, withheldSteps?: readonly string[], notes?: readonly string[]): void; // prettier-ignore
  /** Explains values of a running process; `again` reads them once more. */
  showLive(read: Read, source: Source, again: () => Promise<void>): void;
  /** Reads the source of the current explanation again. If that was typed, asks again. */
  recompute(): Promise<void>;
  /** Explains again what comes from a document that a quick fix has just mended. */
  mended(uri: vscode.Uri): Promise<void>;
  /** To be called when the panel shows something that this explainer did not send. */
  replaced(): void;
  /** Shows the cell of the step that was printed as the number at the cursor, selected, or typed. */
  explainNumber(): Promise<void>;
  /** Shows how a model learns, on the selected text or on an example. */
  watchTraining(): Promise<void>;
  /** Lets the reader choose among the attentions of the current program, or of the one in the active editor. */
  chooseAttention(): Promise<void>;
  /** Explains the edited code of the current explanation. Reports no problems: code that is incomplete leaves the explanation as it is. */
  codeEdited(document: vscode.TextDocument, at: TextRange, view: View): Promise<void>;
  /** Selects a range of the explained text in its document. */
  reveal(range: TextRange): Promise<void>;
  /** Checks the matrix of a hover's link, at the cursor or selected, as a result of the attention that it belongs to. */
  check(argument: unknown): Promise<void>;
  ask(reason?: string): Promise<void>;
}

export function createExplainer(parts: ExplainerParts): Explainer {
  const trained = createTrained(parts.readModelFile);
  const shown = nothingShown(parts, { trained, explainAsText });
  const { tracker } = parts;

  async function ask(reason?: string): Promise<void> {
    const typed = await askForText(parts.memento, reason);
    if (typed === undefined) return;
    const read = await readText(typed, typedInputReadAs);
    const label = typedInputLabel();
    if (!read.ok) return reportProblems(shown, { name: label }, label, locateInText(typed, read.problems));
    openAndSend(shown, await trained.of(read.value), { label, textHash: hashText(typed) });
    tracker.stop();
  }

  async function explainAsText(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const input = shown.refusedInput ?? (editor && selectionsOf(editor));
    return input ? explainInput(shown, input, { asText: true }) : ask(editor && nothingSelectedMessage(editor));
  }

  return {
    ask,
    explainAsText,
    follow: (editor) => followSelection(shown, editor),
    openSpec: (uri) => openSpec(shown, uri),
    showSpec(given, label, textHash, withheldSteps, notes = []) {
      const checked = savedSpec(given);
      if (!checked.ok) return reportProblems(shown, { name: label }, label, checked.problems);
      const read: Read = { ...checked.value, notes: [...notes, ...checked.value.notes], isFromElsewhere: true };
      openAndSend(shown, read, { label, textHash }, ++shown.latestRequest, withheldSteps);
      tracker.stop();
    },
    showLive(read, source, again) {
      openAndSend(shown, read, source);
      shown.readLiveAgain = again;
      tracker.stop();
    },
    watchTraining: () => watchTraining(shown),
    codeEdited: (document, at, view) => explainEditedCode(shown, document, at, view),
    replaced: () => forget(shown),
    async explain(argument) {
      const target = targetOf(argument);
      if (target) return explainTarget(shown, target);
      const editor = vscode.window.activeTextEditor;
      return editor ? explainEditor(shown, editor, ask) : ask();
    },
    chooseAttention: () => chooseAttention(shown),
    async explainNumber() {
      const found = await findNumber(shown.programs, shown.attention);
      if (!found) return;
      if (!found.ok) return void vscode.window.showInformationMessage(found.why);
      const { document, at, which, shownPart } = found;
      await explainCode(shown, document, at, which, true, shownPart);
    },
    async check(argument) {
      const target = targetOf(argument);
      const editor = vscode.window.activeTextEditor;
      if (target) {
        const input = await openTarget(target);
        return input ? explainResult(shown, input, target.checks) : reportMissing(shown, fileName(vscode.Uri.parse(target.uri))); // prettier-ignore
      }
      if (!editor) return void vscode.window.showInformationMessage(nothingToCheckMessage());
      return explainResult(shown, { document: editor.document, parts: [selectionOf(editor)] });
    },
    async recompute() {
      if (shown.readLiveAgain) return shown.readLiveAgain();
      const uri = tracker.following();
      if (!uri) return ask();
      const located = await tracker.locate();
      if (located && shown.ownText) return explainResultAgain(shown, located.document, shown.ownText);
      return located ? explainInput(shown, located) : reportMissing(shown, fileName(uri));
    },
    async mended(uri) {
      const own = tracker.following();
      if (own && isSameUri(own, uri)) await this.recompute();
    },
    async reveal(range) {
      const located = await tracker.locate();
      if (!located) return;
      shown.revealedRange = rangeToDocument(located.parts, range);
      await showRange(located.document, shown.revealedRange);
    },
  };
}

async function openSpec(shown: Shown, uri: vscode.Uri): Promise<void> {
  const document = await findDocument(uri);
  if (!document) return reportMissing(shown, fileName(uri));
  const input = wholeOf(document);
  const text = readInput(input);
  if (text.ok && !specFromJson(text.value))
    return reportProblemsIn(shown, document, locate(document, input.parts, [noSpecProblem()]));
  return explainInput(shown, input);
}

async function watchTraining(shown: Shown): Promise<void> {
  const { trained, tracker } = shown;
  const editor = vscode.window.activeTextEditor;
  const selected = editor?.document.getText(editor.selection).trim() ?? '';
  const read = (selected && (await trained.training(selected))) || (await trained.training(trainingText));
  if (!read) throw new Error('the example is too long');
  const isOwn = read.spec.start.from === 'text' && read.spec.start.text === selected;
  if (selected && !isOwn) void vscode.window.showInformationMessage(notSelectedMessage());
  openAndSend(shown, read, { label: vscode.l10n.t('a model learns'), textHash: hashText(trainingText) });
  tracker.stop();
}

/** Explains what a link of a hover or a lens refers to. */
async function explainTarget(shown: Shown, target: Target): Promise<void> {
  const input = await openTarget(target);
  if (!input) return reportMissing(shown, fileName(vscode.Uri.parse(target.uri)));
  const { document } = input;
  const at = spanOf(input.parts);
  if (target.shows && (await explainStep(shown, document, at, target.shows))) return;
  const shownPart = target.of === undefined ? undefined : { of: target.of };
  if (target.code && (await explainCode(shown, document, at, undefined, true, shownPart)).done) return;
  return explainInput(shown, input);
}

/** Explains what is selected in an editor or at its cursor, or asks for a text or a matrix. */
async function explainEditor(shown: Shown, editor: vscode.TextEditor, ask: Explainer['ask']): Promise<void> {
  const code = specInput(editor) || editor.selections.length > 1 ? undefined : await explainCode(shown, editor.document, selectionOf(editor)); // prettier-ignore
  if (code?.done) return;
  const input = await inputInEditor(editor);
  // A sentence that stands alone is an example; one of a longer text is meant only if its document has no attention of its own.
  const sentence = input ? undefined : sentenceAtCursor(editor);
  if (sentence?.alone) return explainInput(shown, sentence.input, undefined, { done: false }, sentence.cursor);
  const whole = input ? undefined : wholePlace(editor.document, selectionOf(editor));
  if (whole && (await explainPlace(shown, { ...whole, isElsewhere: true, isInSentence: sentence !== undefined })).done)
    return;
  if (sentence) return explainInput(shown, sentence.input, undefined, { done: false }, sentence.cursor);
  if (!input && code?.why !== undefined && (await explainLast(shown, editor))) return;
  if (!input) return ask([code?.why, nothingSelectedMessage(editor)].filter(Boolean).join('. '));
  if (!input.ok) return reportProblemsIn(shown, editor.document, locateInDocument(editor.document, input.problems));
  return explainInput(shown, input.value, undefined, code ?? { done: false });
}

async function chooseAttention(shown: Shown): Promise<void> {
  const { attention, programs } = shown;
  const editor = vscode.window.activeTextEditor;
  const place = attention ? await placeAgain(attention, attention.at) : editor && ((await programPlace(editor.document, selectionOf(editor))) ?? wholePlace(editor.document, selectionOf(editor))); // prettier-ignore
  const found = place && (await whileReading((token) => attentionAt(programs, place, token, shown.attention?.which)));
  if (!place || found?.is !== 'found') return void vscode.window.showInformationMessage(noAttentionMessage());
  const { all, which } = found.attention;
  const chosen = await chooseOf(all, which);
  if (chosen !== undefined) await explainPlace(shown, place, chosen);
}
