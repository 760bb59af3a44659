import type * as vscode from 'vscode';

type Act = (...args: readonly unknown[]) => unknown;

/** The implementations of package.json's commands, by name. extension.ts registers the names before this file is loaded. */
const acts = new Map<string, Act>();

/** Implements a command of package.json. */
export function command<A extends readonly unknown[]>(name: string, act: (...args: A) => unknown): vscode.Disposable {
  // VS Code passes the arguments of a link or a menu; each command checks its own.
  acts.set(name, act as unknown as Act);
  return { dispose: () => void acts.delete(name) };
}

/** Runs a command and returns its result. */
export function runCommand(name: string, args: readonly unknown[]): unknown {
  const act = acts.get(name);
  if (!act) throw new Error(`${name} does nothing`);
  return act(...args);
}

/** The names without an implementation. */
export const idleCommands = (names: readonly string[]): string[] => names.filter((name) => !acts.has(name));
