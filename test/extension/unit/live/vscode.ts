// The few parts of VS Code that the reader of live values uses: it is tried here against real processes, without VS Code.
import Module from 'node:module';

const written = (text: string, ...args: readonly unknown[]): string =>
  text.replace(/\{(\d)\}/g, (_, i: string) => String(args[Number(i)]));

const vscode = { l10n: { t: written } };

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
