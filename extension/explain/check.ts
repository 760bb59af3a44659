import * as vscode from 'vscode';
import {
  checkResult,
  encodeNumber,
  fail,
  inStretches,
  matrixDefaults,
  ok,
  overBudget,
  planOf,
  runReferencePaced,
  specFromTextPaced,
  textLimit,
  verdictOf,
  type AttentionSpec,
  type Apart,
  type AttentionTrace,
  type CheckVerdict,
  type Paced,
  type Remade,
  type Result,
  type SpecMatrix,
  type TextRange,
} from '../../engine/index';
import type { Beside } from '../../webview/protocol';
import { isCell, textOf, type Input } from '../documents';
import type { ProgramClient } from '../program-client';
import { wholePlace } from './document-place';
import { checkProgram, commentedResults, storedResults, viewOf, type CodeResult } from './check-program';
import { noAttentionMessage, nothingToCheckMessage } from './messages';
import { ownResult, resultsIn, sizeOf, sizeOfRows, type OwnResult } from './own-result';
import { chooseOf, whileReading } from './program-dialogs';
import { attentionAt, programPlace, type ProgramPlace } from './program-place';
import type { Read } from './reading';
import { wholeOf } from './spec-file';

/** Says which step of an attention the selected matrix is, or which mistake gives its numbers. */
export const checkCommand = 'explainAttention.checkNumbers';

export type CheckedNumbers =
  /** `range`: of what was checked. */
  | { readonly ok: true; readonly read: Read; readonly range: TextRange }
  /** Nothing was checked: `why` tells the reader; without it they left a dialog. */
  | { readonly ok: false; readonly why?: string };

/** What can be compared with: an attention, and notes on how it was read. */
type Reference = Pick<Read, 'spec' | 'notes'>;

/**
 * Checks the matrix at a range of a document against the attention that it belongs to: that of the selection, of the code, of the whole document,
 * of its other matrices, or else the one that the panel shows; where there is none, of inputs that the reader chooses.
 */
export async function checkNumbers(
  programs: ProgramClient,
  { document, parts }: Input,
  shown: AttentionSpec | undefined,
  checks?: 'step' | number,
): Promise<CheckedNumbers> {
  const [at] = parts;
  const printed = at && (await printedResult(programs, document, at, checks));
  if (printed === 'cancelled') return { ok: false };
  if (printed) {
    const checked = await checkProgram(programs, document, printed);
    if (checked.ok) return checked;
    if (checked.cancelled) return { ok: false };
    if (checks === 'step') return { ok: false };
    if (checks !== undefined) return { ok: false, why: noAttentionMessage() };
  }
  const own = at && (await ownResult(document, at));
  if (own === 'cancelled') return { ok: false };
  if (!own || own === 'none') return { ok: false, why: nothingToCheckMessage() };
  const ofProgram = await checkProgram(programs, document, { ...own, slices: [own.printed.rows], digits: own.printed.digits });
  if (ofProgram.ok) return ofProgram;
  if (ofProgram.cancelled) return { ok: false };
  const reference = await referenceFor(programs, document, own, at, shown);
  if (!reference) return { ok: false };
  const title = vscode.l10n.t('Checking {0}', own.name);
  const done = await whileReading(
    (token) => inStretches(check(reference.spec, own), () => token.isCancellationRequested),
    title,
  );
  if (!done) return { ok: false };
  if (!done.ok) return { ok: false, why: done.problems.map(({ message }) => message).join(' ') };
  return { ok: true, range: own.range, read: readOf(reference, done.value) };
} // prettier-ignore

/** What a program has printed there: a matrix in its comments, or one of those that a cell's outputs show. The reader chooses where there are several. */
async function printedResult(
  programs: ProgramClient,
  document: vscode.TextDocument,
  at: TextRange,
  checks: 'step' | number | undefined,
): Promise<CodeResult | { readonly step: TextRange } | 'cancelled' | undefined> {
  if (checks === 'step') return { step: at };
  const isStored = isCell(document.uri) && checks !== undefined;
  const commented = isStored ? [] : await commentedResults(document, at);
  if (checks !== undefined && !isStored) return commented[0];
  const isSelected = at.end > at.start && checks === undefined;
  const all = commented.length > 0 || isSelected ? commented : await storedResults(programs, document);
  if (isStored) return all.find(({ start }) => start === checks);
  const [first] = all;
  if (all.length < 2) return first;
  const items = all.map((result) => ({ label: result.name, description: sizeOfRows(result.slices[0] ?? []), result }));
  const title = vscode.l10n.t('Which of them is your result?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.result ?? 'cancelled';
} // prettier-ignore

interface Done {
  readonly verdict: CheckVerdict;
  readonly remade?: Remade;
  readonly apart?: Apart;
}

function* check(spec: AttentionSpec, { name, printed }: OwnResult): Paced<Result<Done>> {
  const trace = yield* traceOf(spec);
  if (!trace.ok) return trace;
  const checked = yield* checkResult(trace.value, printed);
  return checked.ok ? ok(yield* verdictOf(trace.value, name, printed, checked.value)) : checked;
}

function* traceOf(spec: AttentionSpec): Paced<Result<AttentionTrace>> {
  const plan = planOf(spec);
  if (!plan.ok) return plan;
  const large = overBudget(plan.value, spec.dtype);
  return large ? fail(large) : yield* runReferencePaced(spec, plan.value);
}

function readOf(reference: Reference, { verdict, remade, apart }: Done): Read {
  const view = viewOf(verdict);
  return {
    ...reference,
    checked: verdict,
    ...(apart ? { beside: apartOf(apart) } : remade && { beside: besideOf(verdict, remade) }),
    ...(view && { view }),
  };
}

/** The way to an input that tells several mistakes apart, and back. */
const apartOf = ({ spec, says }: Apart): Beside => ({
  spec,
  notes: [],
  says: vscode.l10n.t('A small input tells these mistakes apart.'),
  links: {
    there: vscode.l10n.t('Show the smallest input that tells them apart'),
    says: vscode.l10n.t('Run your code with this input, here computed without a mistake. {0}', says),
    back: vscode.l10n.t('Back to your result'),
  },
});

/** The way to the attention with the mistakes, and back. */
const besideOf = ({ name }: CheckVerdict, { spec, mistakes }: Remade): Beside => ({
  spec,
  notes: [],
  says: vscode.l10n.t('Because of this: with it the attention gives every digit of {0}.', name),
  links: {
    there: vscode.l10n.t('Show the attention with the mistake'),
    says: vscode.l10n.t('Shown with the mistake: {0}. Every digit of {1} is that of this attention.', mistakes, name),
    back: vscode.l10n.t('Back to the right attention'),
  },
});

// --- what it is compared with -------------------------------------------------------

async function referenceFor(
  programs: ProgramClient,
  document: vscode.TextDocument,
  own: OwnResult,
  at: TextRange,
  shown: AttentionSpec | undefined,
): Promise<Reference | undefined> {
  const [whole = at] = wholeOf(document).parts;
  const selected = at.end > own.range.end || at.start < own.range.start ? await ofOthers(document, at, own) : undefined;
  if (selected) return selected;
  const computed = await ofCode(programs, document, own);
  if (computed) return computed === 'cancelled' ? undefined : computed;
  return (
    (await ofOthers(document, whole, own)) ??
    (shown && { spec: shown, notes: [vscode.l10n.t('Compared with what this panel showed before.')] }) ??
    chosenInputs(document, whole, own)
  );
}

/** The attention of a document's code or formulas; of several the reader chooses one. */
async function ofCode(
  programs: ProgramClient,
  document: vscode.TextDocument,
  own: OwnResult,
): Promise<Reference | 'cancelled' | undefined> {
  const places = [await programPlace(document, own.range, true), wholePlace(document, own.range)];
  for (const place of places) {
    const found = place && (await attentionIn(programs, place));
    if (found) return found;
  }
  return undefined;
}

async function attentionIn(programs: ProgramClient, place: ProgramPlace): Promise<Reference | 'cancelled' | undefined> {
  const first = await whileReading((token) => attentionAt(programs, place, token));
  if (first?.is !== 'found') return undefined;
  const { all, which } = first.attention;
  const chosen = all.length > 1 ? await chooseOf(all, which) : which;
  if (chosen === undefined) return 'cancelled';
  const found = chosen === which ? first : await whileReading((token) => attentionAt(programs, place, token, chosen));
  return found?.is === 'found' ? { spec: found.read.spec, notes: found.read.notes } : undefined;
}

/** The attention of the other matrices of a range: without the result itself, which is never an input. */
async function ofOthers(
  document: vscode.TextDocument,
  at: TextRange,
  { range }: OwnResult,
): Promise<Reference | undefined> {
  if (at.end - at.start > textLimit) return undefined;
  const text = textOf(document, at);
  const [from, to] = [range.start - at.start, range.end - at.start];
  const rest = text.slice(0, from) + text.slice(from, to).replace(/[^\r\n]/g, ' ') + text.slice(to);
  const read = await inStretches(specFromTextPaced(rest));
  if (!read?.ok || read.value.spec.start.from === 'text') return undefined;
  return { spec: read.value.spec, notes: read.value.notes };
}

/** Asks for queries, keys and values among the document's other matrices. */
async function chosenInputs(
  document: vscode.TextDocument,
  whole: TextRange,
  own: OwnResult,
): Promise<Reference | undefined> {
  const others = (await resultsIn(document, whole)).filter(({ range }) => range.start !== own.range.start);
  const choose = vscode.l10n.t('Choose Inputs');
  const message = vscode.l10n.t(
    'No attention was found that {0} may be a result of. Select it together with Q, K and V, or explain an attention first.',
    own.name,
  );
  const pressed = await vscode.window.showInformationMessage(message, ...(others.length > 1 ? [choose] : []));
  if (pressed !== choose) return undefined;
  const chosen: SpecMatrix[] = [];
  for (const name of ['Q', 'K', 'V']) {
    const title = vscode.l10n.t('Which matrix is {0}?', name);
    const items = others.map((one) => ({ label: one.name, description: sizeOf(one), one }));
    const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
    if (!picked) return undefined;
    chosen.push(picked.one.printed.rows.map((row) => row.map(encodeNumber)));
  }
  const [q = [], k = [], v = []] = chosen;
  return { spec: { ...matrixDefaults, start: { from: 'qkv', q, k, v } }, notes: [] };
}
