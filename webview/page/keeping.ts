import type { PageMessage, PageState } from '../protocol';

/** As VS Code gives it to a page, once. */
export interface VsCodeApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: PageState): void;
}

/** Longest state in UTF-16 units that is also given to the host. */
const longestCopy = 200_000;
/** Milliseconds between two copies: a slider that is dragged changes the state at each pixel. */
const pause = 150;

/**
 * Where a page keeps its state. VS Code in a browser writes what `setState` took every 5 seconds and as its window is reloaded by its own
 * command; a reload by the browser loses what came since. The host's storage is written after 0.1 s, so it gets a copy, and a page that is
 * restored gets that back (`copy`, in its HTML): the newer of the two is taken.
 *
 * `panel` is the name of the panel; a page without one gives no copies.
 */
export function keeping(vscode: VsCodeApi, panel: string | undefined, copy: string | undefined) {
  // What was too large once: it is not written out again at each change to find that out.
  const large = new WeakSet();
  let next: PageState | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function give(): void {
    timer = undefined;
    if (!next || large.has(next.explanation)) return;
    const state = JSON.stringify(next);
    if (state.length > longestCopy) large.add(next.explanation);
    // Too large: an earlier copy would now be older than what VS Code has, and is forgotten.
    vscode.postMessage({ type: 'kept', state: state.length > longestCopy ? '' : state });
    next = undefined;
    timer = setTimeout(give, pause);
  }

  return {
    getState: (): unknown => newer(vscode.getState(), parsed(copy)),
    setState(state: PageState): void {
      if (!panel) return vscode.setState(state);
      const named = { ...state, panel, saved: Date.now() };
      next = named;
      if (timer === undefined) give();
      vscode.setState(named);
    },
  };
}

const savedAt = (state: unknown): number => {
  const { saved } = (state ?? {}) as { readonly saved?: unknown };
  return typeof saved === 'number' ? saved : 0;
};

const newer = (own: unknown, copy: unknown): unknown => (savedAt(copy) > savedAt(own) ? copy : own);

function parsed(json: string | undefined): unknown {
  if (!json) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
