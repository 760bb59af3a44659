import * as vscode from 'vscode';
import { debugTypes } from '../activation';
import type { LiveProcess } from './read';

/** A frame of a stopped process, and where it stands. */
export interface StoppedFrame extends LiveProcess {
  readonly session: vscode.DebugSession;
  readonly frameId: number;
  /** The function's name as the debugger says it; `<module>` outside of functions. */
  readonly name: string;
  /** From 1. */
  readonly line: number;
  /** The source's file; undefined for what has none. */
  readonly uri?: vscode.Uri;
}

/** Milliseconds after which a request is given up: the process may have ended or may not stop computing. */
const patience = 20_000;

/** What a session gives, or an error: it has ended, the reader cancelled, it took too long. */
export async function asked<T>(
  session: vscode.DebugSession,
  request: string,
  args: unknown,
  token?: vscode.CancellationToken,
): Promise<T> {
  const listening: vscode.Disposable[] = [];
  let clock: ReturnType<typeof setTimeout> | undefined;
  const given = new Promise<never>((_, fail) => {
    const because = (why: string) => (): void => fail(new Error(why));
    clock = setTimeout(because(vscode.l10n.t('no answer within {0} seconds', patience / 1000)), patience);
    listening.push(
      vscode.debug.onDidTerminateDebugSession((one) => {
        if (one.id === session.id) because(vscode.l10n.t('the debug session has ended'))();
      }),
    );
    if (token) listening.push(token.onCancellationRequested(because('cancelled')));
  });
  try {
    return await Promise.race([session.customRequest(request, args) as Promise<T>, given]);
  } finally {
    clearTimeout(clock);
    for (const one of listening) one.dispose();
  }
}

/** In this context alone are long texts given whole. */
const evaluateIn = async (
  session: vscode.DebugSession,
  frameId: number,
  expression: string,
  token?: vscode.CancellationToken,
): Promise<string> =>
  (await asked<{ result: string }>(session, 'evaluate', { expression, frameId, context: 'clipboard' }, token)).result;

export const processOf = (session: vscode.DebugSession, frameId: number): LiveProcess => ({
  evaluate: (expression, token) => evaluateIn(session, frameId, expression, token),
});

interface FrameOfAdapter {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly source?: { readonly path?: string };
}

/** The frame that is selected in the call stack; undefined where no Python process is stopped. */
export async function stoppedFrame(): Promise<StoppedFrame | undefined> {
  const item = vscode.debug.activeStackItem;
  if (!item || !('frameId' in item) || !debugTypes.includes(item.session.type)) return undefined;
  const { session, frameId, threadId } = item;
  const { stackFrames } = await asked<{ stackFrames: readonly FrameOfAdapter[] }>(session, 'stackTrace', { threadId });
  const frame = stackFrames.find(({ id }) => id === frameId);
  if (!frame) return undefined;
  const uri = frame.source?.path === undefined ? undefined : uriOfSource(session, frame.source.path);
  return { ...processOf(session, frameId), session, frameId, name: frame.name, line: frame.line, ...(uri && { uri }) };
}

/** The document of a source that the debugger names by its path, or by a URI. The path is one of the machine that has the session's folder. */
function uriOfSource({ workspaceFolder }: vscode.DebugSession, path: string): vscode.Uri {
  if (/^[a-z][\w.+-]+:/i.test(path) && !/^[a-z]:/i.test(path)) return vscode.Uri.parse(path);
  const file = vscode.Uri.file(path);
  const folder = (workspaceFolder ?? vscode.workspace.workspaceFolders?.[0])?.uri;
  return folder?.scheme === 'vscode-remote' ? folder.with({ path: file.path }) : file;
}

/**
 * What a session says is counted: what was read at one stop is not what is there at the next. Undefined where nothing was heard: in a remote window
 * with the extension on this side, the debug adapter speaks to the other side alone.
 */
export interface Stops extends vscode.DebugAdapterTracker {
  readonly now: () => number | undefined;
}

/** Types of values for which the Variables view offers an explanation, as debugpy names them. */
const tensorTypes = /^(?:Tensor|Parameter|Buffer|ndarray|memmap|matrix|list|tuple|Array|ArrayImpl|EagerTensor|ResourceVariable)$/; // prettier-ignore

interface VariablesMessage {
  readonly type?: string;
  readonly event?: string;
  readonly command?: string;
  readonly body?: { readonly variables?: readonly { readonly type?: string; __vscodeVariableMenuContext?: string }[] };
}

/**
 * Marks variables that can be explained, for the menu of the Variables view. Jupyter sets the same mark for its own viewer, which must stay: the menu
 * knows that one too.
 */
export function createStops(): Stops {
  let count: number | undefined;
  return {
    now: () => count,
    onDidSendMessage({ type, event, command, body }: VariablesMessage) {
      if (type === 'event' && (event === 'stopped' || event === 'continued')) count = (count ?? 0) + 1;
      if (type !== 'response' || command !== 'variables') return;
      for (const one of body?.variables ?? [])
        if (tensorTypes.test(one.type ?? '')) one.__vscodeVariableMenuContext ??= 'explainAttention.tensor';
    },
  };
}
