import * as vscode from 'vscode';
import { findDocument } from '../documents';
import { explainProgram } from './explain-program';
import { explainTensors, stoppedAt, type Asked, type LiveParts } from './explain-live';
import type { Target } from './expression';
import { describeTarget } from './read';
import { kernelOf, variableOf } from './kernel';
import { stoppedFrame, type StoppedFrame } from './stopped';

export type LiveCommands = LiveParts;

const say = (message: string): void => void vscode.window.showInformationMessage(message);

const notStopped = (): string =>
  vscode.l10n.t('No Python program is stopped in the debugger: set a breakpoint and start it.');

const pathOnly = /^[\p{L}_][\p{L}\d_]*(?:\.[\p{L}_][\p{L}\d_]*)*$/u;

/** A name with its attributes is read without running anything; anything else is evaluated, which only a person may ask for. */
const targetOf = (text: string): Target => (pathOnly.test(text) ? { path: text } : { expression: text });

/** What is selected, else the name at the cursor with what stands before it: of `self.w_q.weight` at `w_q` it is `self.w_q`. */
function textAt({ document, selection }: vscode.TextEditor): string | undefined {
  const selected = document.getText(selection).trim();
  if (selected !== '') return selected;
  const range = document.getWordRangeAtPosition(selection.active, /[\p{L}_][\p{L}\d_]*/u);
  if (!range) return undefined;
  const before = document.getText(new vscode.Range(range.start.with({ character: 0 }), range.start));
  return `${/(?:[\p{L}_][\p{L}\d_]*\.)+$/u.exec(before)?.[0] ?? ''}${document.getText(range)}`;
}

export async function explainAtStop(parts: LiveCommands): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const frame = await stoppedFrame();
  if (!frame) return say(notStopped());
  await explainText(parts, frame, editor && textAt(editor), editor);
}

/**
 * The attention of the code in which the process has stopped, where the name is one of its steps or no tensor; else the name or the expression by
 * itself.
 */
async function explainText(
  parts: LiveCommands,
  frame: StoppedFrame,
  text: string | undefined,
  editor?: vscode.TextEditor,
): Promise<void> {
  const asked = text === undefined ? undefined : askedOf(parts, frame, text);
  const path = asked && 'path' in asked.target ? asked.target.path : undefined;
  const isExpression = asked !== undefined && path === undefined;
  const about = path === undefined ? undefined : await describeTarget(frame, { path });
  const isTensor = about?.ok === true && about.value.kind === 'tensor';
  const code = isExpression ? undefined : await explainCode(parts, frame, editor, isTensor ? path : undefined);
  if (code?.done) return;
  if (asked && (isExpression || isTensor)) return explainTensors(parts, asked);
  say(code?.why ?? vscode.l10n.t('Put the cursor on a name, or select an expression: the code at the stop computes no attention that is known here.')); // prettier-ignore
}

async function explainCode(
  parts: LiveCommands,
  frame: StoppedFrame,
  editor: vscode.TextEditor | undefined,
  name: string | undefined,
): Promise<{ readonly done: boolean; readonly why?: string }> {
  if (!frame.uri) return { done: false };
  const document = await findDocument(frame.uri);
  if (!document) return { done: false };
  const isHere = editor?.document === document;
  const range = isHere ? document.lineAt(editor.selection.active.line).range : undefined;
  return explainProgram(parts, {
    frame,
    document,
    place: stoppedAt(frame.uri, frame.line),
    ...(range && { at: { start: document.offsetAt(range.start), end: document.offsetAt(range.end) } }),
    ...(name !== undefined && { name }),
    again: async () => {
      const now = await stoppedFrame();
      if (now) await explainText(parts, now, name, editor);
      else say(notStopped());
    },
  });
}

const askedOf = (parts: LiveCommands, frame: StoppedFrame, text: string): Asked => ({
  process: frame,
  place: stoppedAt(frame.uri, frame.line),
  target: targetOf(text),
  again: async () => {
    const now = await stoppedFrame();
    if (now) await explainText(parts, now, text);
    else say(notStopped());
  },
});

/** From the Variables view, which passes what the adapter says of the variable. */
export async function explainVariable(parts: LiveCommands, argument: unknown): Promise<void> {
  const { variable, sessionId } = (argument ?? {}) as { readonly variable?: { readonly evaluateName?: unknown }; readonly sessionId?: unknown }; // prettier-ignore
  const name = variable?.evaluateName;
  const frame = await stoppedFrame();
  if (!frame) return say(notStopped());
  if (typeof name !== 'string' || name === '') return say(vscode.l10n.t('The debugger does not say how this variable is read.')); // prettier-ignore
  if (typeof sessionId === 'string' && sessionId !== frame.session.id) return say(vscode.l10n.t('This variable is of another debug session than the one that is selected in the call stack.')); // prettier-ignore
  await explainText(parts, frame, name);
}

/** A variable of a notebook's kernel: from Jupyter's list of variables, else the name at the cursor of the active notebook. */
export async function explainOfKernel(parts: LiveCommands, argument: unknown): Promise<void> {
  const given = variableOf(argument);
  const notebook = given?.notebook ?? vscode.window.activeNotebookEditor?.notebook.uri;
  const editor = vscode.window.activeTextEditor;
  const text = given?.name ?? (editor && textAt(editor));
  if (!notebook) return say(vscode.l10n.t('Open a notebook whose kernel runs.'));
  if (text === undefined) return say(vscode.l10n.t('Put the cursor on a name, or select an expression.'));
  const process = await kernelOf(notebook);
  if ('why' in process) return say(process.why);
  const name = notebook.path.split('/').at(-1) ?? '';
  await explainTensors(parts, {
    process,
    place: {
      label: vscode.l10n.t('{0}, from the kernel', name),
      sentence: vscode.l10n.t('Live values: read from the kernel of {0}, as they were then.', name),
    },
    target: targetOf(text),
    again: () => explainOfKernel(parts, { name: text, fileName: notebook }),
  });
}
