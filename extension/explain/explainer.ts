import * as vscode from 'vscode';
import {
  inStretches,
  specFromJson,
  type ReadModelFile,
  type AttentionSpec,
  type Result,
  type SpecText,
  type ReadAs,
  type TextRange,
} from '../../engine/index';
import type { LocatedProblem, Source, View } from '../../webview/protocol';
import {
  aboveOf,
  fileName,
  findDocument,
  hashing,
  hashText,
  inputOf,
  joinedLength,
  labelOf,
  locate,
  locateInDocument,
  locateInText,
  nameOf,
  rangeToDocument,
  readInput,
  sentenceAt,
  showRange,
  textOf,
  type Input,
  type SourceTracker,
} from '../documents';
import type { Panel } from '../panel';
import { bookOf, type ProgramClient } from '../program-client';
import { readLongText, readText, savedSpec, type Read } from './reading';
import { createTrained } from './trained';
import { firstViewSetting, panelSettings, type Place, type Report } from '../host';
import { chooseOf, whileReading } from './program-dialogs';
import {
  attentionAt,
  withMarks,
  programPlace,
  type FoundAttention,
  type ProgramAttention,
  type ProgramPlace,
} from './program-place';
import type { ShownProgramPart } from './program-view';
import { placeAgain, placesAt, wholePlace } from './document-place';
import { findNumber } from './number';
import { specInput, wholeOf } from './spec-file';
import {
  isOnlyPart,
  isSameSource,
  selectionOf,
  selectionsOf,
  sourceOf,
  spanOf,
  withDocumentRanges,
  withReason,
} from './input-ranges';
import {
  changedProblem,
  noAttentionMessage,
  noSpecProblem,
  nothingSelectedMessage,
  nothingToCheckMessage,
} from './messages';
import { checkNumbers, type CheckedNumbers } from './check';
import { openTarget, targetOf, viewOfStep, type ShownStep } from './target';
import { askForText, typedInputLabel, typedInputReadAs } from './typed-input';
import { nextTurn } from '../activation';

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

export interface ExplainerParts {
  readonly panel: Panel;
  readonly tracker: SourceTracker;
  /** Reads Python programs in a process of its own. */
  readonly programs: ProgramClient;
  /** Called with the attention of a program that is shown, or with undefined if anything else is. */
  readonly showsProgram: (attention: ProgramAttention | undefined) => void;
  readonly report: Report;
  /** Reads a file of a model of the extension. */
  readonly readModelFile: ReadModelFile;
  /** Saves what was typed last. */
  readonly memento: vscode.Memento;
}

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

/** What an explanation opens on that asks for nothing else. */
const firstView = (): View | undefined => (firstViewSetting() === 'question' ? { opening: true } : undefined);

export function createExplainer({
  panel,
  tracker,
  programs,
  showsProgram,
  report,
  readModelFile,
  memento,
}: ExplainerParts): Explainer {
  const trained = createTrained(readModelFile);
  const reportProblems = (place: Place, label: string, problems: readonly LocatedProblem[]): void => {
    report.problems(place, problems);
    panel.send({ type: 'problems', label, problems: problems.map(withoutRange) });
  };

  /** The source of the current explanation, if this explainer sent it. */
  let shownSource: Source | undefined;
  let shownSpec: AttentionSpec | undefined;
  /** The reader's own result, if one was checked: its text, and where it stood. */
  let ownText: { readonly text: string; readonly start: number } | undefined;
  /** Reads the live values that are shown once more. */
  let readLiveAgain: (() => Promise<void>) | undefined;
  /** The range that the panel itself has selected, which is not to be followed. */
  let revealedRange: TextRange | undefined;

  /** Numbers of the latest request and of the latest one that was shown. Reading takes time; a request that is older than what is shown is dropped. */
  let [latestRequest, shownRequest] = [0, 0];

  const sendExplanation = (read: Read, source: Source, request: number, withheldSteps?: readonly string[]): void => {
    const { spec, notes, said, unfollowed, beside, checked } = read;
    const view = read.view ?? (checked || read.isFromElsewhere ? undefined : firstView());
    const explanation = { spec, notes, source, ...(said?.length ? { said } : {}), ...(unfollowed?.length ? { unfollowed } : {}), ...(beside ? { beside } : {}), ...(checked ? { checked } : {}) }; // prettier-ignore
    panel.send({ type: 'explain', explanation, settings: panelSettings(), ...(view ? { view } : {}), ...(withheldSteps ? { asked: withheldSteps } : {}) }); // prettier-ignore
    report.log.info(`explained ${source.label}`);
    [shownSource, shownRequest, shownSpec] = [source, request, spec];
    if (!checked) ownText = undefined;
    readLiveAgain = undefined;
    setProgram(read.attention);
  };
  /** The program's attention that is shown. */
  let attention: ProgramAttention | undefined;
  const setProgram = (next: ProgramAttention | undefined): void => {
    attention = next;
    showsProgram(next);
  };
  const openAndSend = (
    read: Read,
    source: Source,
    request = ++latestRequest,
    withheldSteps?: readonly string[],
  ): void => {
    panel.open();
    sendExplanation(read, source, request, withheldSteps);
  };

  const reportProblemsIn = (document: vscode.TextDocument, problems: readonly LocatedProblem[]): void => {
    const isCode = problems.some(({ code }) => code === 'code');
    const place = { name: nameOf(document), show: (range: TextRange) => showRange(document, range), ...(isCode ? { asText: explainAsText } : {}) }; // prettier-ignore
    reportProblems(place, labelOf(document, problems[0]?.range?.start ?? 0), problems);
  };

  /** The latest input that could not be read. */
  let refusedInput: Input | undefined;

  /**
   * Explains the attention that the code at a range computes. `done` if it was shown or refused with a message, or a later request was shown
   * meanwhile. Otherwise the range is to be read in another way, and `why` tells the reader why.
   */
  const explainCode = async (
    document: vscode.TextDocument,
    at: TextRange,
    which?: number,
    isCode = false,
    shownPart?: ShownProgramPart,
  ): Promise<CodeOutcome> => {
    let why: string | undefined;
    for (const place of await placesAt(document, at, isCode)) {
      const outcome = await explainPlace(shownPart ? { ...place, shownPart } : place, which);
      if (outcome.done) return outcome;
      why ??= outcome.why;
    }
    return { done: false, ...(why === undefined ? {} : { why }) };
  };
  /** Where nothing is selected and the code at the cursor computes no attention: the last one of the code. True if it was shown. */
  const explainLast = async ({ document, selection }: vscode.TextEditor): Promise<boolean> => {
    if (!selection.isEmpty) return false;
    const place = await programPlace(document, { start: 0, end: 0 }, true);
    const found = place && (await whileReading((token) => attentionAt(programs, place, token, lastOne)));
    if (!place || found?.is !== 'found') return false;
    return (await explainPlace({ ...place, at: found.span, isElsewhere: true })).done;
  };
  const explainPlace = async (place: ProgramPlace, which?: number): Promise<CodeOutcome> => {
    const { document } = place;
    const request = ++latestRequest;
    const isChanged = changeDetector(document);
    const found = await whileReading(async (token) => {
      const read = await attentionAt(programs, place, token, which);
      return read && withMarks(programs, place, read);
    });
    if (!found || shownRequest > request) return { done: true };
    if (found.is === 'none') return { done: false, ...(found.why === undefined ? {} : { why: found.why }) };
    if (isChanged()) reportProblemsIn(document, locateInDocument(document, [changedProblem()]));
    else if (found.is === 'refused') reportProblemsIn(document, found.problems);
    else openAndSendCode(document, found, request);
    return { done: true };
  };
  /** A step of an attention of the whole document. True unless the document has none now. */
  const explainStep = async (document: vscode.TextDocument, at: TextRange, shows: ShownStep): Promise<boolean> => {
    const code = bookOf(document);
    const view = viewOfStep(shows);
    return code !== undefined && (await explainPlace({ document, code, at, kind: 'document', shownPart: { view } }, shows.attention)).done; // prettier-ignore
  };
  const openAndSendCode = (document: vscode.TextDocument, found: FoundCode, request: number): void => {
    panel.open();
    sendCode(document, found, request);
  };
  const sendCode = (document: vscode.TextDocument, found: FoundCode, request: number): void => {
    const { span } = found;
    const hash = hashText(textOf(document, span));
    sendExplanation(
      { ...found.read, attention: found.attention },
      sourceOf({ document, parts: [span] }, hash),
      request,
    );
    tracker.follow(document, [span], hash);
  };

  const explainInput = async (input: Input, readAs?: ReadAs, codeOutcome?: CodeOutcome): Promise<void> => {
    const { document, parts } = input;
    refusedInput = undefined;
    const code =
      codeOutcome ?? (readAs || parts.length > 1 ? { done: false } : await explainCode(document, spanOf(parts)));
    if (code.done) return;
    const request = ++latestRequest;
    const text = readInput(input);
    if (!text.ok) return reportProblemsIn(document, locate(document, parts, text.problems));
    const isChanged = changeDetector(document);
    const isLate = (): boolean => shownRequest > request || isChanged();
    // Copying, hashing, reading and planning a large text each take long, so other work may run in between.
    await nextTurn();
    const hash = await inStretches(hashing(text.value), isLate);
    const read = hash === undefined ? undefined : await readLongText(text.value, aboveOf(input), isLate, readAs);
    await nextTurn();
    if (shownRequest > request) return;
    if (hash === undefined || !read?.ok) {
      refusedInput = input;
      return reportProblemsIn(document, locate(document, parts, read && !read.ok ? read.problems : [changedProblem()]));
    }
    const why = isFollowedCall(text.value, read.value) ? undefined : code.why;
    const shown = await trained.of(withDocumentRanges(withReason(input, why), read.value));
    if (shownRequest > request) return;
    openAndSend(shown, sourceOf(input, hash), request);
    tracker.follow(document, parts, hash);
  };

  const explainAsText = async (): Promise<void> => {
    const editor = vscode.window.activeTextEditor;
    const input = refusedInput ?? (editor && selectionsOf(editor));
    return input ? explainInput(input, { asText: true }) : ask(editor && nothingSelectedMessage(editor));
  };

  const check = async (input: Input, checks?: 'step' | number): Promise<void> => {
    const request = ++latestRequest;
    const { document } = input;
    const isChanged = changeDetector(document);
    const found = await checkNumbers(programs, input, shownSpec, checks);
    if (shownRequest > request) return;
    // What cannot be compared is shown as it is.
    if (!found.ok && checks === 'step') return void (await explainCode(document, spanOf(input.parts), undefined, true));
    if (!found.ok) return found.why === undefined ? undefined : void vscode.window.showInformationMessage(found.why);
    if (isChanged()) return reportProblemsIn(document, locateInDocument(document, [changedProblem()]));
    showChecked(document, found, request);
  };
  /** The whole document is its source: whatever changes in it may change what is found. */
  const showChecked = (
    document: vscode.TextDocument,
    { read, range }: Extract<CheckedNumbers, { ok: true }>,
    request: number,
  ): void => {
    const { parts } = wholeOf(document);
    const hash = hashText(document.getText());
    openAndSend(read, { ...sourceOf({ document, parts }, hash), label: labelOf(document, range.start) }, request);
    ownText = { text: textOf(document, range), start: range.start };
    tracker.follow(document, parts, hash);
  };
  /** Checks the result again after an edit: where its text now stands, nearest to where it stood. */
  const checkAgain = (
    document: vscode.TextDocument,
    { text, start }: { text: string; start: number },
  ): Promise<void> => {
    const whole = document.getText();
    const [before, after] = [whole.lastIndexOf(text, start), whole.indexOf(text, start)];
    const at = before < 0 || (after >= 0 && after - start < start - before) ? after : before;
    const range = at < 0 ? { start, end: start } : { start: at, end: at + text.length };
    return check({ document, parts: [range] });
  };

  const reportMissing = (name: string): void =>
    reportProblems({ name }, name, [{ code: 'gone', message: vscode.l10n.t('the document cannot be opened') }]);

  const ask = async (reason?: string): Promise<void> => {
    const typed = await askForText(memento, reason);
    if (typed === undefined) return;
    const read = await readText(typed, typedInputReadAs);
    if (!read.ok)
      return reportProblems({ name: typedInputLabel() }, typedInputLabel(), locateInText(typed, read.problems));
    openAndSend(await trained.of(read.value), { label: typedInputLabel(), textHash: hashText(typed) });
    tracker.stop();
  };

  /** Explains the attention of the code at the cursor, unless it is shown already. True if no other way of reading is to be codeOutcome. */
  const followCode = async (editor: vscode.TextEditor, request: number): Promise<boolean> => {
    const { document } = editor;
    const isOne = editor.selections.length === 1 && !specInput(editor);
    const place = isOne ? await programPlace(document, selectionOf(editor)) : undefined;
    if (!place) return false;
    const isChanged = changeDetector(document);
    const found = await attentionAt(programs, place);
    if (shownRequest > request || latestRequest > request || !panel.isOpen() || isChanged()) return true;
    if (found?.is !== 'found') return found?.is === 'refused';
    const source = sourceOf({ document, parts: [found.span] }, hashText(textOf(document, found.span)));
    if (isSameSource(source, shownSource)) shownRequest = request;
    else sendCode(document, found, request);
    return true;
  };

  // A selection that refers to nothing does not replace the request before it, which may still be read.
  const follow = async (editor: vscode.TextEditor): Promise<void> => {
    const request = ++latestRequest;
    if (await followCode(editor, request)) return;
    const found = await inputInEditor(editor);
    if (!found?.ok || joinedLength(found.value.parts) > followLimit || isOnlyPart(found.value.parts, revealedRange))
      return;
    const input = found.value;
    const text = readInput(input);
    const source = text.ok ? sourceOf(input, hashText(text.value)) : undefined;
    if (!text.ok || !source) return;
    if (isSameSource(source, shownSource)) return void (shownRequest = request);
    const isChanged = changeDetector(input.document);
    const isLate = (): boolean => shownRequest > request || !panel.isOpen() || isChanged();
    const read = await readLongText(text.value, aboveOf(input), isLate);
    if (!read?.ok || isLate() || isSameSource(source, shownSource)) return;
    const shown = await trained.of(withDocumentRanges(input, read.value));
    if (isLate()) return;
    sendExplanation(shown, source, request);
    tracker.follow(input.document, input.parts);
  };

  return {
    ask,
    follow,
    explainAsText,
    async openSpec(uri) {
      const document = await findDocument(uri);
      const name = fileName(uri);
      if (!document) return reportMissing(name);
      const input = wholeOf(document);
      const text = readInput(input);
      if (text.ok && !specFromJson(text.value))
        return reportProblemsIn(document, locate(document, input.parts, [noSpecProblem()]));
      return explainInput(input);
    },
    showSpec(given, label, textHash, withheldSteps, notes = []) {
      const checked = savedSpec(given);
      if (!checked.ok) return reportProblems({ name: label }, label, checked.problems);
      const shown: Read = { ...checked.value, notes: [...notes, ...checked.value.notes], isFromElsewhere: true };
      openAndSend(shown, { label, textHash }, ++latestRequest, withheldSteps);
      tracker.stop();
    },
    showLive(read, source, again) {
      openAndSend(read, source);
      readLiveAgain = again;
      tracker.stop();
    },
    async watchTraining() {
      const editor = vscode.window.activeTextEditor;
      const selected = editor?.document.getText(editor.selection).trim() ?? '';
      const read = (selected && (await trained.training(selected))) || (await trained.training(trainingText));
      if (!read) throw new Error('the example is too long');
      const isOwn = read.spec.start.from === 'text' && read.spec.start.text === selected;
      if (selected && !isOwn) void vscode.window.showInformationMessage(notSelectedMessage());
      openAndSend(read, { label: vscode.l10n.t('a model learns'), textHash: hashText(trainingText) });
      tracker.stop();
    },
    async codeEdited(document, at, view) {
      const place = attention && (await placeAgain(attention, at));
      if (!place || !attention) return;
      const [request, isChanged] = [latestRequest, changeDetector(document)];
      const found = await attentionAt(programs, place);
      const isLate = latestRequest > request || isChanged() || !panel.isOpen() || !attention;
      if (found?.is === 'found' && !isLate) sendCode(document, { ...found, read: { ...found.read, view } }, request);
    },
    replaced() {
      [shownSource, shownSpec, ownText, shownRequest] = [undefined, undefined, undefined, ++latestRequest];
      readLiveAgain = undefined;
      setProgram(undefined);
    },
    async explain(argument) {
      const target = targetOf(argument);
      if (target) {
        const input = await openTarget(target);
        if (input && target.shows && (await explainStep(input.document, spanOf(input.parts), target.shows))) return;
        const shownPart = target.of === undefined ? undefined : { of: target.of };
        if (
          input &&
          target.code &&
          (await explainCode(input.document, spanOf(input.parts), undefined, true, shownPart)).done
        )
          return;
        return input ? explainInput(input) : reportMissing(fileName(vscode.Uri.parse(target.uri)));
      }
      const editor = vscode.window.activeTextEditor;
      if (!editor) return ask();
      const code = specInput(editor) || editor.selections.length > 1 ? undefined : await explainCode(editor.document, selectionOf(editor)); // prettier-ignore
      if (code?.done) return;
      const input = await inputInEditor(editor);
      // A sentence that stands alone is an example; one of a longer text is meant only if its document has no attention of its own.
      const sentence = input ? undefined : sentenceAtCursor(editor);
      if (sentence?.alone) return explainInput(sentence.input, undefined, { done: false });
      const whole = input ? undefined : wholePlace(editor.document, selectionOf(editor));
      if (whole && (await explainPlace({ ...whole, isElsewhere: true })).done) return;
      if (sentence) return explainInput(sentence.input, undefined, { done: false });
      if (!input && code?.why !== undefined && (await explainLast(editor))) return;
      if (!input) return ask([code?.why, nothingSelectedMessage(editor)].filter(Boolean).join('. '));
      if (!input.ok) return reportProblemsIn(editor.document, locateInDocument(editor.document, input.problems));
      return explainInput(input.value, undefined, code ?? { done: false });
    },
    async chooseAttention() {
      const editor = vscode.window.activeTextEditor;
      const place = attention ? await placeAgain(attention, attention.at) : editor && ((await programPlace(editor.document, selectionOf(editor))) ?? wholePlace(editor.document, selectionOf(editor))); // prettier-ignore
      const found = place && (await whileReading((token) => attentionAt(programs, place, token, attention?.which))); // prettier-ignore
      if (!place || found?.is !== 'found') return void vscode.window.showInformationMessage(noAttentionMessage());
      const { all, which } = found.attention;
      const chosen = await chooseOf(all, which);
      if (chosen !== undefined) await explainPlace(place, chosen);
    },
    async explainNumber() {
      const found = await findNumber(programs, attention);
      if (!found) return;
      if (!found.ok) return void vscode.window.showInformationMessage(found.why);
      const { document, at, which, shownPart } = found;
      await explainCode(document, at, which, true, shownPart);
    },
    async check(argument) {
      const target = targetOf(argument);
      const editor = vscode.window.activeTextEditor;
      if (target) {
        const input = await openTarget(target);
        return input ? check(input, target.checks) : reportMissing(fileName(vscode.Uri.parse(target.uri)));
      }
      if (!editor) return void vscode.window.showInformationMessage(nothingToCheckMessage());
      return check({ document: editor.document, parts: [selectionOf(editor)] });
    },
    async recompute() {
      if (readLiveAgain) return readLiveAgain();
      const uri = tracker.following();
      if (!uri) return ask();
      const located = await tracker.locate();
      if (located && ownText) return checkAgain(located.document, ownText);
      return located ? explainInput(located) : reportMissing(fileName(uri));
    },
    async reveal(range) {
      const located = await tracker.locate();
      if (!located) return;
      revealedRange = rangeToDocument(located.parts, range);
      await showRange(located.document, revealedRange);
    },
  };
}

/** The last attention of a list. */
const lastOne = -1;

interface CodeOutcome {
  readonly done: boolean;
  readonly why?: string;
}

type FoundCode = Extract<FoundAttention, { is: 'found' }>;

/**
 * Whether the text calls attention by its name and all of the call was understood. Code without its imports is not read as a program, but can be
 * explained by that.
 */
const isFollowedCall = (text: string, { unfollowed = [] }: Read): boolean =>
  unfollowed.length === 0 && /\bscaled_dot_product_attention\s*\(/.test(text);

/** Longest text that is read at each change of the selection, in UTF-16 units. */
const followLimit = 200_000;

/** A spec that fills the document, else what is selected or at the cursor. */
const inputInEditor = async (editor: vscode.TextEditor): Promise<Result<Input> | undefined> =>
  specInput(editor) ?? inputOf(editor);

/** The sentence of prose at a cursor without a selection. */
function sentenceAtCursor(editor: vscode.TextEditor): { readonly input: Input; readonly alone: boolean } | undefined {
  const { document, selections } = editor;
  const { start, end } = selectionOf(editor);
  const found = selections.length === 1 && start === end ? sentenceAt(document, start) : undefined;
  return found && { input: { document, parts: [found.range] }, alone: found.alone };
}

/** Returns a function that tells whether the document has changed since. */
function changeDetector(document: vscode.TextDocument): () => boolean {
  const { version } = document;
  return () => document.version !== version || document.isClosed;
}

/** Removes the range, which is in document offsets and means nothing to the page. */
function withoutRange(problem: LocatedProblem): LocatedProblem {
  const { range: _, ...rest } = problem;
  return rest;
}
