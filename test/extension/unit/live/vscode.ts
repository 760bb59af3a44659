// The few parts of VS Code that the reader of live values uses: it is tried here against real processes, without VS Code.
import Module from 'node:module';

const written = (text: string, ...args: readonly unknown[]): string =>
  text.replace(/\{(\d)\}/g, (_, i: string) => String(args[Number(i)]));

/** What `getExtension(…).activate()` gives, by the extension's id. */
export const extensions = new Map<string, unknown>();

class CancellationTokenSource {
  readonly token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
  cancel(): void {
    this.token.isCancellationRequested = true;
  }
  dispose(): void {
    this.cancel();
  }
}
class Uri {
  readonly scheme = 'file';
}

const getExtension = (id: string) =>
  extensions.has(id) ? { activate: () => Promise.resolve(extensions.get(id)) } : undefined;

const vscode = { l10n: { t: written }, extensions: { getExtension }, CancellationTokenSource, Uri };

/** Loads a module of the extension. */
export function loading<T>(load: () => T): T {
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const own = loader._load;
  loader._load = (request, ...rest) => (request === 'vscode' ? vscode : own.call(loader, request, ...rest));
  try {
    return load();
  } finally {
    loader._load = own;
  }
}
