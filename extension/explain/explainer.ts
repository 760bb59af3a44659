import * as vscode from 'vscode';
import {
  inStretches,
  specFromJson,
  type Problem,
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
  inDocumentOrder,
  inputOf,
  joinedLength,
  labelOf,
  locate,
  locateInDocument,
  locateInText,
  nameOf,
  rangeToDocument,
  readInput,
  showRange,
  textOf,
  type Input,
  type SourceTracker,
} from '../documents';
import type { Panel } from '../panel';
import type { ProgramClient } from '../program-client';
import { readLongText, readText, savedSpec, type Read } from './reading';
import { panelSettings, type Place, type Report } from '../host';
import { chooseOf, whileReading } from './program-dialogs';
import { attentionAt, codeAgain, programPlace, type FoundAttention, type ProgramAttention } from './program-place';
import type { Look } from './program-look';
import { findNumber } from './number';
import { specInput, wholeOf } from './spec-file';
import { nextTurn } from '../activation';

export const explainCommand = 'explainAttention.explain';

/** Explains in a new panel. */
export const explainInNewPanelCommand = 'explainAttention.explainInNewPanel';

/** Explains what is selected as text, even if it contains code or matrices. */
export const explainAsTextCommand = 'explainAttention.explainAsText';

/** Explains another attention of the same program. */
export const explainNumberCommand = 'explainAttention.explainNumber';

export const chooseAttentionCommand = 'explainAttention.chooseAttention';

export interface Parts {
  readonly panel: Panel;
  readonly tracker: SourceTracker;
  /** Reads Python programs in a process of its own. */
  readonly programs: ProgramClient;
  /** Called with the attention of a program that is shown, or with undefined if anything else is. */
  readonly showsProgram: (attention: ProgramAttention | undefined) => void;
  readonly report: Report;
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
  /** Explains a spec from elsewhere (a link, a lesson). `label` names it. `asked` lists steps to hide until a question is answered. */
  showSpec(read: SpecText, label: string, textHash: string, asked?: readonly string[]): void;
  /** Reads the source of the current explanation again. If that was typed, asks again. */
  recompute(): Promise<void>;
  /** To be called when the panel shows something that this explainer did not send. */
  replaced(): void;
  /** Shows the cell of the step that was printed as the number at the cursor, selected, or typed. */
  explainNumber(): Promise<void>;
  /** Lets the reader choose among the attentions of the current program, or of the one in the active editor. */
  chooseAttention(): Promise<void>;
  /** Explains the edited code of the current explanation. Reports no problems: code that is incomplete leaves the explanation as it is. */
  codeEdited(document: vscode.TextDocument, at: TextRange, view: View): Promise<void>;
  /** Selects a range of the explained text in its document. */
  reveal(range: TextRange): Promise<void>;
  ask(reason?: string): Promise<void>;
}

export function createExplainer({ panel, tracker, programs, showsProgram, report, memento }: Parts): Explainer {
  const complain = (place: Place, label: string, problems: readonly LocatedProblem[]): void => {
    report.problems(place, problems);
    panel.send({ type: 'problems', label, problems: problems.map(withoutRange) });
  };

  /** The source of the current explanation, if this explainer sent it. */
  let shown: Source | undefined;
  /** The range that the panel itself has selected, which is not to be followed. */
  let revealed: TextRange | undefined;

  /** Numbers of the latest request and of the latest one that was shown. Reading takes time; a request that is older than what is shown is dropped. */
  let [asked, newest] = [0, 0];

  const show = (read: Read, source: Source, turn: number, hidden?: readonly string[]): void => {
    const { view, spec, notes, said, unfollowed } = read;
    const explanation = { spec, notes, source, ...(said?.length ? { said } : {}), ...(unfollowed?.length ? { unfollowed } : {}) }; // prettier-ignore
    panel.send({ type: 'explain', explanation, settings: panelSettings(), ...(view ? { view } : {}), ...(hidden ? { asked: hidden } : {}) }); // prettier-ignore
    report.log.info(`explained ${source.label}`);
    [shown, newest] = [source, turn];
    showProgram(read.attention);
  };
  /** The program's attention that is shown. */
  let attention: ProgramAttention | undefined;
  const showProgram = (next: ProgramAttention | undefined): void => {
    attention = next;
    showsProgram(next);
  };
  const open = (read: Read, source: Source, turn = ++asked, hidden?: readonly string[]): void => {
    panel.open();
    show(read, source, turn, hidden);
  };

  const complainIn = (document: vscode.TextDocument, problems: readonly LocatedProblem[]): void => {
    const isCode = problems.some(({ code }) => code === 'code');
    const place = { name: nameOf(document), show: (range: TextRange) => showRange(document, range), ...(isCode ? { asText } : {}) }; // prettier-ignore
    complain(place, labelOf(document, problems[0]?.range?.start ?? 0), problems);
  };

  /** The latest input that could not be read. */
  let refused: Input | undefined;

  /**
   * Explains the attention that the code at a range computes. `done` if it was shown or refused with a message, or a later request was shown
   * meanwhile. Otherwise the range is to be read in another way, and `why` tells the reader why.
   */
  const explainCode = async (
    document: vscode.TextDocument,
    at: TextRange,
    which?: number,
    isCode = false,
    look?: Look,
  ): Promise<ReadCode> => {
    const there = await programPlace(document, at, isCode);
    if (!there) return { done: false };
    const place = look ? { ...there, look } : there;
    const turn = ++asked;
    const isChanged = changeOf(document);
    const found = await whileReading((token) => attentionAt(programs, place, token, which));
    if (!found || newest > turn) return { done: true };
    if (found.is === 'none') return { done: false, ...(found.why === undefined ? {} : { why: found.why }) };
    if (isChanged()) complainIn(document, locateInDocument(document, [changed()]));
    else if (found.is === 'refused') complainIn(document, found.problems);
    else openCode(document, found, turn);
    return { done: true };
  };
  const openCode = (document: vscode.TextDocument, found: FoundCode, turn: number): void => {
    panel.open();
    showCode(document, found, turn);
  };
  const showCode = (document: vscode.TextDocument, found: FoundCode, turn: number): void => {
    const { span } = found;
    const hash = hashText(textOf(document, span));
    show({ ...found.read, attention: found.attention }, sourceOf({ document, parts: [span] }, hash), turn);
    tracker.follow(document, [span], hash);
  };

  const explainInput = async (input: Input, taken?: ReadAs, tried?: ReadCode): Promise<void> => {
    const { document, parts } = input;
    refused = undefined;
    const code = tried ?? (taken || parts.length > 1 ? { done: false } : await explainCode(document, whole(parts)));
    if (code.done) return;
    const turn = ++asked;
    const text = readInput(input);
    if (!text.ok) return complainIn(document, locate(document, parts, text.problems));
    const isChanged = changeOf(document);
    const isLate = (): boolean => newest > turn || isChanged();
    // Copying, hashing, reading and planning a large text each take long, so other work may run in between.
    await nextTurn();
    const hash = await inStretches(hashing(text.value), isLate);
    const read = hash === undefined ? undefined : await readLongText(text.value, aboveOf(input), isLate, taken);
    await nextTurn();
    if (newest > turn) return;
    if (hash === undefined || !read?.ok) {
      refused = input;
      return complainIn(document, locate(document, parts, read && !read.ok ? read.problems : [changed()]));
    }
    const why = isFollowedCall(text.value, read.value) ? undefined : code.why;
    open(withDocumentRanges(withReason(input, why), read.value), sourceOf(input, hash), turn);
    tracker.follow(document, parts, hash);
  };

  const asText = async (): Promise<void> => {
    const editor = vscode.window.activeTextEditor;
    const input = refused ?? (editor && selectedIn(editor));
    return input ? explainInput(input, { asText: true }) : ask(editor && nothingAt(editor));
  };

  const gone = (name: string): void =>
    complain({ name }, name, [{ code: 'gone', message: vscode.l10n.t('the document cannot be opened') }]);

  const ask = async (reason?: string): Promise<void> => {
    const typed = await askForText(memento, reason);
    if (typed === undefined) return;
    const read = readText(typed, typedAsText);
    if (!read.ok) return complain({ name: typedName() }, typedName(), locateInText(typed, read.problems));
    open(read.value, { label: typedName(), textHash: hashText(typed) });
    tracker.stop();
  };

  /** Explains the attention of the code at the cursor, unless it is shown already. True if no other way of reading is to be tried. */
  const followCode = async (editor: vscode.TextEditor, turn: number): Promise<boolean> => {
    const { document } = editor;
    const isOne = editor.selections.length === 1 && !specInput(editor);
    const place = isOne ? await programPlace(document, selectionOf(editor)) : undefined;
    if (!place) return false;
    const isChanged = changeOf(document);
    const found = await attentionAt(programs, place);
    if (newest > turn || asked > turn || !panel.isOpen() || isChanged()) return true;
    if (found?.is !== 'found') return found?.is === 'refused';
    const source = sourceOf({ document, parts: [found.span] }, hashText(textOf(document, found.span)));
    if (isSameSource(source, shown)) newest = turn;
    else showCode(document, found, turn);
    return true;
  };

  // A selection that refers to nothing does not replace the request before it, which may still be read.
  const follow = async (editor: vscode.TextEditor): Promise<void> => {
    const turn = ++asked;
    if (await followCode(editor, turn)) return;
    const found = await offeredBy(editor);
    if (!found?.ok || joinedLength(found.value.parts) > followLimit || isRange(found.value.parts, revealed)) return;
    const input = found.value;
    const text = readInput(input);
    const source = text.ok ? sourceOf(input, hashText(text.value)) : undefined;
    if (!text.ok || !source) return;
    if (isSameSource(source, shown)) return void (newest = turn);
    const isChanged = changeOf(input.document);
    const isLate = (): boolean => newest > turn || !panel.isOpen() || isChanged();
    const read = await readLongText(text.value, aboveOf(input), isLate);
    if (!read?.ok || isLate() || isSameSource(source, shown)) return;
    show(withDocumentRanges(input, read.value), source, turn);
    tracker.follow(input.document, input.parts);
  };

  return {
    ask,
    follow,
    explainAsText: asText,
    async openSpec(uri) {
      const document = await findDocument(uri);
      const name = fileName(uri);
      if (!document) return gone(name);
      const input = wholeOf(document);
      const text = readInput(input);
      if (text.ok && !specFromJson(text.value)) return complainIn(document, locate(document, input.parts, [noSpec()]));
      return explainInput(input);
    },
    showSpec(read, label, textHash, hidden) {
      const checked = savedSpec(read);
      if (!checked.ok) return complain({ name: label }, label, checked.problems);
      open(checked.value, { label, textHash }, ++asked, hidden);
      tracker.stop();
    },
    async codeEdited(document, at, view) {
      const place = await programPlace(document, at);
      if (!place || !attention) return;
      const [turn, isChanged] = [asked, changeOf(document)];
      const found = await attentionAt(programs, place);
      const isLate = asked > turn || isChanged() || !panel.isOpen() || !attention;
      if (found?.is === 'found' && !isLate) showCode(document, { ...found, read: { ...found.read, view } }, turn);
    },
    replaced() {
      [shown, newest] = [undefined, ++asked];
      showProgram(undefined);
    },
    async explain(argument) {
      const target = targetOf(argument);
      if (target) {
        const input = await openTarget(target);
        const look = target.of === undefined ? undefined : { of: target.of };
        if (input && target.code && (await explainCode(input.document, whole(input.parts), undefined, true, look)).done)
          return;
        return input ? explainInput(input) : gone(fileName(vscode.Uri.parse(target.uri)));
      }
      const editor = vscode.window.activeTextEditor;
      if (!editor) return ask();
      const code = specInput(editor) || editor.selections.length > 1 ? undefined : await explainCode(editor.document, selectionOf(editor)); // prettier-ignore
      if (code?.done) return;
      const input = await offeredBy(editor);
      if (!input) return ask([code?.why, nothingAt(editor)].filter(Boolean).join(' '));
      if (!input.ok) return complainIn(editor.document, locateInDocument(editor.document, input.problems));
      return explainInput(input.value, undefined, code ?? { done: false });
    },
    async chooseAttention() {
      const editor = vscode.window.activeTextEditor;
      const place = attention ?? (editor && (await programPlace(editor.document, selectionOf(editor))));
      const found = place && (await whileReading((token) => attentionAt(programs, { ...place, ...codeAgain(place) }, token, attention?.which))); // prettier-ignore
      if (!place || found?.is !== 'found') return void vscode.window.showInformationMessage(noCode());
      const { all, which } = found.attention;
      const chosen = await chooseOf(all, which);
      if (chosen !== undefined) await explainCode(place.document, place.at, chosen);
    },
    async explainNumber() {
      const found = await findNumber(programs, attention);
      if (!found) return;
      if (!found.ok) return void vscode.window.showInformationMessage(found.why);
      const { document, at, which, look } = found;
      await explainCode(document, at, which, true, look);
    },
    async recompute() {
      const uri = tracker.following();
      if (!uri) return ask();
      const located = await tracker.locate();
      return located ? explainInput(located) : gone(fileName(uri));
    },
    async reveal(range) {
      const located = await tracker.locate();
      if (!located) return;
      revealed = rangeToDocument(located.parts, range);
      await showRange(located.document, revealed);
    },
  };
}

interface ReadCode {
  readonly done: boolean;
  readonly why?: string;
}

type FoundCode = Extract<FoundAttention, { is: 'found' }>;

/** The range from the first part to the last. */
const whole = (parts: readonly TextRange[]): TextRange => ({
  start: parts[0]?.start ?? 0,
  end: parts.at(-1)?.end ?? 0,
});

const selectionOf = ({ document, selections }: vscode.TextEditor): TextRange => ({
  start: Math.min(...selections.map(({ start }) => document.offsetAt(start))),
  end: Math.max(...selections.map(({ end }) => document.offsetAt(end))),
});

/**
 * Whether the text calls attention by its name and all of the call was understood. Code without its imports is not read as a program, but can be
 * explained by that.
 */
const isFollowedCall = (text: string, { unfollowed = [] }: Read): boolean =>
  unfollowed.length === 0 && /\bscaled_dot_product_attention\s*\(/.test(text);

/** Adds a remark that says why the code was not explained by its own steps. */
const withReason = (input: Input, why: string | undefined): Input =>
  why === undefined
    ? input
    : {
        ...input,
        remarks: [...(input.remarks ?? []), { code: 'no-program', message: why, range: whole(input.parts) }],
      };

/** Typed input is taken as text, even if it looks like code, unless it contains a matrix. */
const typedAsText: ReadAs = { codeAsText: true };

/** Converts ranges to the document, and puts remarks on the selection first. */
function withDocumentRanges({ document, parts, remarks = [] }: Input, read: Read): Read {
  const unfollowed = [...locateInDocument(document, remarks), ...locate(document, parts, read.unfollowed ?? [])];
  return unfollowed.length ? { ...read, unfollowed } : read;
}

/** An editor's selections as they are, without looking at their content. */
function selectedIn({ document, selections }: vscode.TextEditor): Input | undefined {
  const parts = selections
    .filter(({ isEmpty }) => !isEmpty)
    .map(({ start, end }) => ({ start: document.offsetAt(start), end: document.offsetAt(end) }));
  return parts.length ? { document, parts: inDocumentOrder(parts) } : undefined;
}

const typedName = (): string => vscode.l10n.t('typed input');

/** Longest text that is read at each change of the selection, in UTF-16 units. */
const followLimit = 200_000;

const isRange = ([part, other]: readonly TextRange[], range: TextRange | undefined): boolean =>
  range !== undefined && part?.start === range.start && part.end === range.end && !other;

const isSameSource = (a: Source, b: Source | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A spec that fills the document, else what is selected or at the cursor. */
const offeredBy = async (editor: vscode.TextEditor): Promise<Result<Input> | undefined> =>
  specInput(editor) ?? inputOf(editor);

/** Returns a function that tells whether the document has changed since. */
function changeOf(document: vscode.TextDocument): () => boolean {
  const { version } = document;
  return () => document.version !== version || document.isClosed;
}

const noSpec = (): Problem => ({
  code: 'no-spec',
  message: vscode.l10n.t('no spec: an object with version, dtype and start is expected'),
  hint: vscode.l10n.t('Save one with Share in the panel.'),
});

/** Removes the range, which is in document offsets and means nothing to the page. */
function withoutRange(problem: LocatedProblem): LocatedProblem {
  const { range: _, ...rest } = problem;
  return rest;
}

function sourceOf({ document, parts }: Input, textHash: string): Source {
  const range = { start: parts[0]?.start ?? 0, end: parts.at(-1)?.end ?? 0 };
  return { label: labelOf(document, range.start), uri: document.uri.toString(), range, textHash };
}

const noCode = (): string => vscode.l10n.t('No attention is computed by code here.');

const changed = (): Problem => ({
  code: 'changed',
  message: vscode.l10n.t('the document changed while it was read'),
  hint: vscode.l10n.t('Run Explain Attention again.'),
});

interface Target {
  readonly uri: string;
  readonly start: number;
  readonly end: number;
  /** Whether the range is one of code rather than of a literal. */
  readonly code: boolean;
  /** The step of the expression at this offset is meant. */
  readonly of?: number;
}

/** The range in the argument of a hover's link. Undefined for other arguments, such as the URI that a menu passes. */
function targetOf(argument: unknown): Target | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri, start, end, code, of } = argument as { readonly [name: string]: unknown };
  const isTarget = typeof uri === 'string' && isOffset(start) && isOffset(end) && start < end;
  return isTarget ? { uri, start, end, code: code === true, ...(isOffset(of) ? { of } : {}) } : undefined;
}

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

async function openTarget({ uri, start, end }: Target): Promise<Input | undefined> {
  const document = await findDocument(vscode.Uri.parse(uri));
  if (!document) return undefined;
  const within = (offset: number): number => document.offsetAt(document.positionAt(offset));
  return { document, parts: [{ start: within(start), end: within(end) }] };
}

const nothingAt = ({ document, selection }: vscode.TextEditor): string =>
  vscode.l10n.t(
    'Nothing is selected, and no matrix stands at {0}, line {1}, column {2}.',
    nameOf(document),
    selection.active.line + 1,
    selection.active.character + 1,
  );

const typedKey = 'explainAttention.typed';
const example = 'The cat sat on the mat';

/** Asks for a text or a matrix. Undefined if the reader cancelled. The input box starts with what was typed last. */
async function askForText(memento: vscode.Memento, reason = ''): Promise<string | undefined> {
  let typed = memento.get<string>(typedKey) ?? '';
  const accepted = await vscode.window.showInputBox({
    title: 'Explain Attention',
    prompt: `${reason} ${whatToType()}`.trim(),
    placeHolder: example,
    value: typed,
    ignoreFocusOut: true,
    validateInput: (value) => {
      typed = value;
      return value === '' ? undefined : objectionTo(value);
    },
  });
  await memento.update(typedKey, typed);
  return accepted === '' ? example : accepted;
}

const whatToType = (): string =>
  vscode.l10n.t('Type a text, or a matrix such as [[1, 0], [0, 1]]. Enter alone takes the example.');

/** The problem with a typed input, shown while typing. */
function objectionTo(text: string): string | undefined {
  const read = readText(text, typedAsText);
  const [first]: readonly Problem[] = read.ok ? [] : read.problems;
  if (!first) return undefined;
  const where = first.range ? `${vscode.l10n.t('column {0}', first.range.start + 1)}: ` : '';
  return `${where}${first.message}${first.hint ? `. ${first.hint}` : ''}`;
}
