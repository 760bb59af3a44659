import type * as vscode from 'vscode';

/** Prefix of the keys; the panel's id follows. */
const prefix = 'explainAttention.page.';
/** Most panels whose states are kept. A window that is not restored leaves its states behind. */
const mostPanels = 8;

/** The host's copy of a page's state, beside the copy that VS Code keeps. */
export interface Kept {
  /** Stores the state, JSON as the page wrote it. The empty string deletes it. */
  keep(state: string): Promise<void>;
  forget(): Promise<void>;
  /** The stored JSON if the page wrote it later than `state`, which is the copy that VS Code kept. */
  newerThan(state: unknown): string | undefined;
}

/**
 * VS Code in a browser writes the states of its webviews every 5 seconds only, and a reload by the browser ends it before it can write what
 * came since (its storageService.ts and lifecycleService.ts: the flush at `beforeunload` is not waited for, and shutting down drops it). Tried in
 * VS Code 1.100.3: up to 1 s after a click, 21 of 23 such reloads brought back the step before it, after 3 s 2 of 5, after 7 s none of 3; of 14
 * by the command Reload Window, which waits, none. A panel that was opened as short a time before is not there at all, which no extension can
 * change. An extension's storage is written after 0.1 s: with a copy there, 8 of 8 after 0.3 to 3 s came back at the new step; 4 of 5 at once
 * or after 0.1 s still did not.
 */
export function keptStates(memento: vscode.Memento, panel: string): Kept {
  const key = prefix + panel;
  const write = async (name: string, state: string | undefined): Promise<void> => memento.update(name, state);
  return {
    async keep(state) {
      await write(key, state === '' ? undefined : state);
      for (const old of oldest(memento)) await write(old, undefined);
    },
    forget: () => write(key, undefined),
    newerThan(state) {
      const kept = memento.get<unknown>(key);
      return typeof kept === 'string' && savedAt(parsed(kept)) > savedAt(state) ? kept : undefined;
    },
  };
}

/** Keys of the states beyond the newest `mostPanels`. */
function oldest(memento: vscode.Memento): readonly string[] {
  const keys = memento.keys().filter((key) => key.startsWith(prefix));
  if (keys.length <= mostPanels) return [];
  const age = (key: string): number => savedAt(parsed(memento.get<unknown>(key)));
  return keys.toSorted((a, b) => age(b) - age(a)).slice(mostPanels);
}

function savedAt(state: unknown): number {
  const { saved } = (state ?? {}) as { readonly saved?: unknown };
  return typeof saved === 'number' ? saved : 0;
}

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return undefined;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
