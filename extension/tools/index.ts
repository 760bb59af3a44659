/* Tools for language models: answered by the engine, with the workspace's files and the process that reads programs. */

import * as vscode from 'vscode';
import { callTool, fail, inStretches, ok, type LiveReader, type Result, type ToolHost } from '../../engine/index';
import { findDocument } from '../documents';
import type { ProgramClient } from '../program-client';

/** Answers a call of a tool; an answer that is an error is thrown, as VS Code expects it of tools. */
export type ToolCaller = (name: string, input: unknown, token: vscode.CancellationToken) => Promise<vscode.LanguageModelToolResult>; // prettier-ignore

export function createToolCaller(programs: Pick<ProgramClient, 'ask'>, live?: LiveReader): ToolCaller {
  return async (name, input, token) => {
    const { text, isError } = await callTool(name, input, hostOf(programs, token, live));
    if (isError) throw new Error(text);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  };
}

/** Where a text lies that comes from no file: nothing is imported from there. */
const nowhere = vscode.Uri.parse('untitled:tool.py');

function hostOf(
  programs: Pick<ProgramClient, 'ask'>,
  token: vscode.CancellationToken,
  live: LiveReader | undefined,
): ToolHost {
  return {
    ...(live && { live }),
    read: async (path) => {
      const document = await inWorkspace(path);
      return document.ok ? ok(document.value.getText()) : document;
    },
    async run(work) {
      const done = await inStretches(work, () => token.isCancellationRequested);
      if (token.isCancellationRequested) throw new vscode.CancellationError();
      return done as never;
    },
    async ask(kind, asked, path) {
      const from = path === undefined ? undefined : await inWorkspace(path);
      const uri = from?.ok ? from.value.uri : nowhere;
      const reply = await programs.ask(kind, asked, uri, token);
      if (!reply) throw new vscode.CancellationError();
      return 'failure' in reply ? fail({ code: 'program', message: reply.failure }) : ok(reply.answer as never);
    },
  };
}

/** A file of the workspace as it is in the editor, saved or not. Files elsewhere are not read: a model asks for them, not the reader. */
async function inWorkspace(path: string): Promise<Result<vscode.TextDocument>> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const isAbsolute = /^(?:[/\\]|[a-z]:[/\\])/i.test(path);
  for (const { uri } of folders) {
    const asked = isAbsolute ? uri.with({ path: vscode.Uri.file(path).path }) : vscode.Uri.joinPath(uri, path);
    const isWithin = `${asked.path}/`.startsWith(uri.path.endsWith('/') ? uri.path : `${uri.path}/`);
    const document = isWithin && !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path) ? await findDocument(asked) : undefined;
    if (document) return ok(document);
  }
  return fail({ code: 'file', message: vscode.l10n.t('{0} is no text file of the workspace', path) });
}
