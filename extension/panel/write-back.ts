import * as vscode from 'vscode';
import { inStretches, ok, printMatrix, type Paced, type Problem, type Result } from '../../engine/index';
import type { PageMessage, Rewritten } from '../../webview/protocol';
import {
  hashText,
  nameOf,
  rangeToDocument,
  readInput,
  withLineEnds,
  type Input,
  type SourceTracker,
} from '../documents';
import type { Report } from '../host';
import { numbersOf, replaced, rewriting, type Replacement } from './write-back-text';

type WriteBack = Extract<PageMessage, { type: 'writeBack' }>;

export interface WriteBackParts {
  readonly tracker: SourceTracker;
  readonly report: Report;
  /** Explains the source again, so that the page takes the written numbers for those of the input. */
  readonly recompute: () => Promise<void>;
}

/**
 * Writes changed matrices back into the document that they came from, each in its own notation, as one edit that Undo reverts. Writes nothing if the
 * document is no longer what was explained, or if one of the matrices cannot be written; then says why and offers to copy the matrices.
 */
export async function writeBack({ textHash, matrices }: WriteBack, parts: WriteBackParts): Promise<void> {
  const { tracker, report, recompute } = parts;
  const located = await tracker.locate();
  if (!located) return refuse(undefined, matrices, [documentGoneProblem], report);
  const text = readInput(located);
  if (!text.ok) return refuse(located, matrices, text.problems, report);
  if (hashText(text.value) !== textHash) return refuse(located, matrices, [staleSourceProblem], report);
  const { version } = located.document;
  const isChanged = (): boolean => located.document.version !== version;
  const edits = await inStretches(replacementsIn(text.value, matrices, located.document.languageId), isChanged);
  if (!edits || isChanged()) return refuse(located, matrices, [staleSourceProblem], report);
  if (!edits.ok) return refuse(located, matrices, edits.problems, report);
  if (!(await apply(located, edits.value))) return refuse(located, matrices, [readOnly], report);
  report.log.info(`wrote ${matrices.map(({ symbol }) => symbol).join(', ')} back to ${nameOf(located.document)}`);
  await recompute();
}

const documentGoneProblem: Problem = {
  code: 'gone',
  message: vscode.l10n.t('the input is no text in an open document'),
};
const staleSourceProblem: Problem = {
  code: 'stale',
  message: vscode.l10n.t('the text is not what was explained any more'),
  hint: vscode.l10n.t('Recompute, then change the cells again.'),
};
const readOnly: Problem = { code: 'read-only', message: vscode.l10n.t('the document cannot be edited') };

/** The replacements for all matrices. Each literal is looked for in the original text. */
function* replacementsIn(
  text: string,
  matrices: readonly Rewritten[],
  language: string,
): Paced<Result<readonly Replacement[]>> {
  const all: Replacement[] = [];
  for (const matrix of matrices) {
    const found = yield* rewriting(text, matrix, language);
    if (!found.ok) return found;
    all.push(...found.value);
  }
  // Each replacement was verified alone; this verifies them together.
  const together = replaced(text, all);
  for (const m of matrices) {
    const again = yield* rewriting(together, { ...m, was: m.now }, language);
    if (!again.ok) return again;
  }
  return ok(all);
}

/** Applies all replacements as one step of the document's undo history. */
function apply({ document, parts }: Input, replacements: readonly Replacement[]): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  for (const { start, end, text } of replacements) {
    const range = rangeToDocument(parts, { start, end });
    const place = new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
    edit.replace(document.uri, place, withLineEnds(text, lineEnd));
  }
  return vscode.workspace.applyEdit(edit);
}

async function refuse(
  input: Input | undefined,
  matrices: readonly Rewritten[],
  problems: readonly Problem[],
  { log }: Report,
): Promise<void> {
  const [first] = problems;
  const name = input ? nameOf(input.document) : 'Explain Attention';
  const said = `${first?.message ?? ''} (${name}).${first?.hint ? ` ${first.hint}` : ''}`;
  log.warn(`not written back: ${said}`);
  const copy = vscode.l10n.t('Copy');
  const chosen = await vscode.window.showErrorMessage(vscode.l10n.t('Nothing is written: {0}', said), copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(matrices.map(asText).join('\n\n'));
}

/** A matrix as NumPy code, which can express every shape and number. */
function asText({ symbol, shape, now }: Rewritten): string {
  const printed = printMatrix({ name: symbol, shape, values: numbersOf(now) }, 'numpy');
  return printed.ok ? printed.value.text : '';
}
