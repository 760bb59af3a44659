import type * as vscode from 'vscode';
import type { PanelController, ControllerEvents } from './controller';
import { createNonce } from '../pages';

/** The controllers of all open panels. */
export interface PanelControllers extends vscode.WebviewPanelSerializer {
  /** The controller of the panel last used. If there is none, a new one, whose panel opens when it has something to show. */
  current(): PanelController;
  /** A new controller, with a panel of its own. */
  fresh(): PanelController;
  /** All with an open panel, last used first. */
  all(): readonly PanelController[];
  /** The current panel changed, or the last one was closed. */
  onDidChange(listener: () => void): vscode.Disposable;
}

/** `make` builds the controller of the panel with that id; `events` tell what happens to the panel. */
export function createControllers(make: (id: string, events: ControllerEvents) => PanelController): PanelControllers {
  let open: PanelController[] = [];
  let waiting: PanelController | undefined;
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());

  const create = (id: string): PanelController => {
    const used = (): void => {
      open = [controller, ...open.filter((other) => other !== controller)];
      if (waiting === controller) waiting = undefined;
      changed();
    };
    const closed = (): void => {
      open = open.filter((other) => other !== controller);
      controller.dispose();
      changed();
    };
    const controller: PanelController = make(id, { used, closed });
    return controller;
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
      create(idIn(state) ?? createNonce()).restore(panel, state);
      return Promise.resolve();
    },
  };
}

/** The panel's id that the page saved. It becomes part of keys and HTML, so only ids that we made are accepted. */
function idIn(state: unknown): string | undefined {
  const { panel } = (state ?? {}) as { readonly panel?: unknown };
  return typeof panel === 'string' && /^[0-9a-f]{32}$/.test(panel) ? panel : undefined;
}
