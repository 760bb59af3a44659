import * as vscode from 'vscode';
import type { AttentionSpec, ReadModelFile, TextRange } from '../../engine/index';
import type { LocatedProblem, Source, View } from '../../webview/protocol';
import { hashText, labelOf, nameOf, showRange, textOf, type Input, type SourceTracker } from '../documents';
import { firstViewSetting, panelSettings, type Place, type Report } from '../host';
import type { Panel } from '../panel';
import type { ProgramClient } from '../program-client';
import { sourceOf } from './input-ranges';
import type { FoundAttention, ProgramAttention } from './program-place';
import type { Read } from './reading';
import type { Trained } from './trained';

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

/** What one panel shows, and the requests that lead to it. */
export interface Shown extends Omit<ExplainerParts, 'readModelFile' | 'memento'> {
  readonly trained: Trained;
  /** Explains the input that was refused last as text. */
  readonly explainAsText: () => Promise<void>;
  /** The source of the current explanation, if this explainer sent it. */
  source: Source | undefined;
  spec: AttentionSpec | undefined;
  /** The program's attention that is shown. */
  attention: ProgramAttention | undefined;
  /** The reader's own result, if one was checked: its text, and where it stood. */
  ownText: { readonly text: string; readonly start: number } | undefined;
  /** Reads the live values that are shown once more. */
  readLiveAgain: (() => Promise<void>) | undefined;
  /** The range that the panel itself has selected, which is not to be followed. */
  revealedRange: TextRange | undefined;
  /** The latest input that could not be read. */
  refusedInput: Input | undefined;
  /** Numbers of the latest request and of the latest one that was shown. Reading takes time; a request that is older than what is shown is dropped. */
  latestRequest: number;
  shownRequest: number;
}

export const nothingShown = (
  { panel, tracker, programs, showsProgram, report }: ExplainerParts,
  own: Pick<Shown, 'trained' | 'explainAsText'>,
): Shown => ({
  panel,
  tracker,
  programs,
  showsProgram,
  report,
  ...own,
  source: undefined,
  spec: undefined,
  attention: undefined,
  ownText: undefined,
  readLiveAgain: undefined,
  revealedRange: undefined,
  refusedInput: undefined,
  latestRequest: 0,
  shownRequest: 0,
});

/** What an explanation opens on that asks for nothing else. */
export const firstView = (): View | undefined => (firstViewSetting() === 'question' ? { opening: true } : undefined);

/** Sends an explanation to the panel, which is open. */
export function send(
  shown: Shown,
  read: Read,
  source: Source,
  request: number,
  withheldSteps?: readonly string[],
): void {
  const { spec, notes, said, unfollowed, beside, checked } = read;
  const view = read.view ?? (checked || read.isFromElsewhere ? undefined : firstView());
  const explanation = { spec, notes, source, ...(said?.length ? { said } : {}), ...(unfollowed?.length ? { unfollowed } : {}), ...(beside ? { beside } : {}), ...(checked ? { checked } : {}) }; // prettier-ignore
  shown.panel.send({ type: 'explain', explanation, settings: panelSettings(), ...(view ? { view } : {}), ...(withheldSteps ? { asked: withheldSteps } : {}) }); // prettier-ignore
  shown.report.log.info(`explained ${source.label}`);
  [shown.source, shown.shownRequest, shown.spec] = [source, request, spec];
  if (!checked) shown.ownText = undefined;
  shown.readLiveAgain = undefined;
  setProgram(shown, read.attention);
}

function setProgram(shown: Shown, attention: ProgramAttention | undefined): void {
  shown.attention = attention;
  shown.showsProgram(attention);
}

export function openAndSend(
  shown: Shown,
  read: Read,
  source: Source,
  request = ++shown.latestRequest,
  withheldSteps?: readonly string[],
): void {
  shown.panel.open();
  send(shown, read, source, request, withheldSteps);
}

/** An attention that was found in a program. */
export type FoundCode = Extract<FoundAttention, { is: 'found' }>;

/** Sends the attention of a program, whose document is followed from then on. */
export function sendCode(shown: Shown, document: vscode.TextDocument, found: FoundCode, request: number): void {
  const { span } = found;
  const hash = hashText(textOf(document, span));
  send(shown, { ...found.read, attention: found.attention }, sourceOf({ document, parts: [span] }, hash), request);
  shown.tracker.follow(document, [span], hash);
}

/** The panel shows something that this explainer did not send. */
export function forget(shown: Shown): void {
  [shown.source, shown.spec, shown.ownText, shown.shownRequest] = [undefined, undefined, undefined, ++shown.latestRequest]; // prettier-ignore
  shown.readLiveAgain = undefined;
  setProgram(shown, undefined);
}

export function reportProblems(
  { panel, report }: Shown,
  place: Place,
  label: string,
  problems: readonly LocatedProblem[],
): void {
  report.problems(place, problems);
  panel.send({ type: 'problems', label, problems: problems.map(withoutRange) });
}

export function reportProblemsIn(
  shown: Shown,
  document: vscode.TextDocument,
  problems: readonly LocatedProblem[],
): void {
  const isCode = problems.some(({ code }) => code === 'code');
  const place = { name: nameOf(document), show: (range: TextRange) => showRange(document, range), ...(isCode ? { asText: shown.explainAsText } : {}) }; // prettier-ignore
  reportProblems(shown, place, labelOf(document, problems[0]?.range?.start ?? 0), problems);
}

export const reportMissing = (shown: Shown, name: string): void =>
  reportProblems(shown, { name }, name, [{ code: 'gone', message: vscode.l10n.t('the document cannot be opened') }]);

/** Removes the range, which is in document offsets and means nothing to the page. */
function withoutRange(problem: LocatedProblem): LocatedProblem {
  const { range: _, ...rest } = problem;
  return rest;
}

/** Returns a function that tells whether the document has changed since. */
export function changeDetector(document: vscode.TextDocument): () => boolean {
  const { version } = document;
  return () => document.version !== version || document.isClosed;
}
