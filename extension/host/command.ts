import type * as vscode from 'vscode';

type Act = (...args: readonly unknown[]) => unknown;

/**
 * The implementation of each command of package.json, by the command's name. The names themselves are registered by extension.ts, before this file is
 * loaded.
 */
const implementations = new Map<string, Act>();

/** Implements a command of package.json. */
export function command<A extends readonly unknown[]>(name: string, act: (...args: A) => unknown): vscode.Disposable {
  // VS Code passes whatever a link or menu gives as arguments, so each command validates its own.
  implementations.set(name, act as unknown as Act);
  return { dispose: () => void implementations.delete(name) };
}

/** Runs a command and returns its result. Throws if the command has no implementation. */
export function runCommand(name: string, args: readonly unknown[]): unknown {
  const act = implementations.get(name);
  if (!act) throw new Error(`${name} does nothing`);
  return act(...args);
}

/** Those of the given command names that have no implementation. */
export const unimplementedCommands = (names: readonly string[]): string[] =>
  names.filter((name) => !implementations.has(name));
