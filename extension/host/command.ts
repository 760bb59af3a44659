import type * as vscode from 'vscode';

type Act = (...args: readonly unknown[]) => unknown;

/** What the commands of package.json do, by name. extension.ts tells VS Code of the names before any of this is loaded. */
const acts = new Map<string, Act>();

/** Says what a command of package.json does. */
export function command<A extends readonly unknown[]>(name: string, act: (...args: A) => unknown): vscode.Disposable {
  // VS Code passes what a link or a menu gives; each command looks at what it got.
  acts.set(name, act as unknown as Act);
  return { dispose: () => void acts.delete(name) };
}

/** Runs it, whatever it then gives. */
export function runCommand(name: string, args: readonly unknown[]): unknown {
  const act = acts.get(name);
  if (!act) throw new Error(`${name} does nothing`);
  return act(...args);
}

/** Those of `names` for which nobody has said what they do. */
export const idleCommands = (names: readonly string[]): string[] => names.filter((name) => !acts.has(name));
