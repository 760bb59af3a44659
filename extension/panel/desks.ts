import type * as vscode from 'vscode';
import type { Desk, DeskEvents } from './desk';
import { createNonce } from './html';

/** Every panel that is open, with what serves it. */
export interface Desks extends vscode.WebviewPanelSerializer {
  /** That of the panel last used; without any panel, one whose panel opens when it has something to show. */
  current(): Desk;
  /** One whose panel will be a new one. */
  fresh(): Desk;
  /** Those with a panel, last used first. */
  all(): readonly Desk[];
  /** Another panel is the current one, or there is none any more. */
  onDidChange(listener: () => void): vscode.Disposable;
}

/** `make` builds what serves a panel of that name; its `events` say what happens to the panel. */
export function createDesks(make: (id: string, events: DeskEvents) => Desk): Desks {
  let open: Desk[] = [];
  let waiting: Desk | undefined;
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());

  const create = (id: string): Desk => {
    const used = (): void => {
      open = [desk, ...open.filter((other) => other !== desk)];
      if (waiting === desk) waiting = undefined;
      changed();
    };
    const closed = (): void => {
      open = open.filter((other) => other !== desk);
      desk.dispose();
      changed();
    };
    const desk: Desk = make(id, { used, closed });
    return desk;
  };

  return {
    current: () => open[0] ?? (waiting ??= create(createNonce())),
    fresh: () => create(createNonce()),
    all: () => open,
    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    deserializeWebviewPanel(panel, state) {
      // The page restores itself from its own state and then says `ready`.
      create(idIn(state) ?? createNonce()).restore(panel);
      return Promise.resolve();
    },
  };
}

/** The name that the page kept. It becomes part of a key and of the page: nothing but what we made. */
function idIn(state: unknown): string | undefined {
  const { panel } = (state ?? {}) as { readonly panel?: unknown };
  return typeof panel === 'string' && /^[0-9a-f]{32}$/.test(panel) ? panel : undefined;
}
