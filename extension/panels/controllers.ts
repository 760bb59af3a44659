import type * as vscode from 'vscode';
import type { PanelController, ControllerEvents } from './controller';
import { createNonce } from '../pages';

/** Every panel that is open, with what serves it. */
export interface PanelControllers extends vscode.WebviewPanelSerializer {
  /** That of the panel last used; without any panel, one whose panel opens when it has something to show. */
  current(): PanelController;
  /** One whose panel will be a new one. */
  fresh(): PanelController;
  /** Those with a panel, last used first. */
  all(): readonly PanelController[];
  /** Another panel is the current one, or there is none any more. */
  onDidChange(listener: () => void): vscode.Disposable;
}

/** `make` builds what serves a panel of that name; its `events` say what happens to the panel. */
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

/** The name that the page kept. It becomes part of a key and of the page: nothing but what we made. */
function idIn(state: unknown): string | undefined {
  const { panel } = (state ?? {}) as { readonly panel?: unknown };
  return typeof panel === 'string' && /^[0-9a-f]{32}$/.test(panel) ? panel : undefined;
}
