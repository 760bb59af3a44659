import * as vscode from 'vscode';
import type { LiveProcess } from './read';

/* What of Jupyter's public interface is used (its package `@vscode/jupyter-extension` declares it). */

interface OutputItem {
  readonly mime: string;
  readonly data: Uint8Array;
}
interface Kernel {
  readonly status: string;
  readonly onDidChangeStatus: vscode.Event<string>;
  readonly language: string;
  executeCode(code: string, token: vscode.CancellationToken): AsyncIterable<{ readonly items: readonly OutputItem[] }>;
}
interface Jupyter {
  readonly kernels: { getKernel(uri: vscode.Uri): Thenable<Kernel | undefined> };
}

export const jupyterId = 'ms-toolsai.jupyter';

/** The kernel of a notebook, or why there is none, in words. Jupyter itself asks the reader's consent at the first request. */
export async function kernelOf(notebook: vscode.Uri): Promise<LiveProcess | { readonly why: string }> {
  const extension = vscode.extensions.getExtension<Jupyter>(jupyterId);
  if (!extension) return { why: vscode.l10n.t('The Jupyter extension is not installed: kernels are read through it.') };
  const { kernels } = await extension.activate();
  const kernel = await kernels.getKernel(notebook);
  if (!kernel) return { why: vscode.l10n.t('This notebook has no running kernel: run a cell first.') };
  if (kernel.language !== 'python') return { why: vscode.l10n.t('The kernel speaks {0}: values of Python are read.', kernel.language) }; // prettier-ignore
  if (kernel.status === 'dead' || kernel.status === 'terminating') return { why: hasEnded() };
  return { evaluate: (expression, token) => printedBy(kernel, expression, token) };
}

/** In these a kernel answers nothing that was asked before. */
const endings: readonly string[] = ['dead', 'terminating', 'restarting', 'autorestarting'];
const hasEnded = (): string => vscode.l10n.t('The kernel of this notebook has ended: restart it.');

/** What `print` of an expression writes: that leaves no name, no `_` and no `Out` behind. */
async function printedBy(kernel: Kernel, expression: string, token?: vscode.CancellationToken): Promise<string> {
  const own = new vscode.CancellationTokenSource();
  const listening = token?.onCancellationRequested(() => own.cancel());
  const decoder = new TextDecoder();
  let printed = '';
  // A kernel that dies while it computes may never answer.
  let watching: vscode.Disposable | undefined;
  const death = new Promise<never>((_, fail) => {
    watching = kernel.onDidChangeStatus((status) => {
      if (endings.includes(status)) fail(new Error(hasEnded()));
    });
  });
  death.catch(() => undefined);
  try {
    const outputs = kernel.executeCode(`print(${expression},end='')`, own.token)[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([outputs.next(), death]);
      if (next.done) break;
      for (const { mime, data } of next.value.items) {
        const text = decoder.decode(data);
        if (mime.endsWith('.error')) throw new Error(errorIn(text));
        if (mime.endsWith('.stdout') || mime === 'text/plain') printed += text;
      }
    }
  } finally {
    watching?.dispose();
    listening?.dispose();
    own.dispose();
  }
  return printed;
}

function errorIn(text: string): string {
  try {
    const { name, message } = JSON.parse(text) as { readonly name?: unknown; readonly message?: unknown };
    return `${String(name)}: ${String(message)}`;
  } catch {
    return text.slice(0, 300);
  }
}

/** The name and the notebook that Jupyter's list of variables passes to a command. */
export function variableOf(argument: unknown): { readonly name: string; readonly notebook?: vscode.Uri } | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { name, fileName: uri } = argument as { readonly name?: unknown; readonly fileName?: unknown };
  if (typeof name !== 'string' || !/^[\p{L}_][\p{L}\d_]*$/u.test(name)) return undefined;
  return { name, ...(uri instanceof vscode.Uri && { notebook: uri }) };
}
