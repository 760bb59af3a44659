/** A page's state, as plain JSON. */
type State = object;

/** The API that VS Code gives to a page. */
export interface StateApi<S extends State> {
  postMessage(message: KeptMessage): void;
  getState(): unknown;
  setState(state: S): void;
}

/** A copy of the page's state as JSON, for the host to save. '' deletes an earlier copy, if the state has become too large to be copied. */
export interface KeptMessage {
  readonly type: 'kept';
  readonly state: string;
}

interface Keeping<S extends State> {
  /** Fields that identify the page, added to each state. Without them no copies are sent. */
  readonly name?: Partial<S> | undefined;
  /** The host's copy: JSON in the page's HTML. */
  readonly copy?: string | undefined;
  /** The part of a state that can make it too large. It is the same object in many states. */
  readonly heavy?: (state: S) => object;
}

/** Maximum length of a copied state, in UTF-16 units. */
const maxCopyLength = 200_000;
/** Throttles copies, in milliseconds: dragging a slider changes the state at each pixel. */
const copyIntervalMs = 150;

/**
 * Saves and restores a page's state. VS Code in a browser writes the state from `setState` every 5 seconds, and when its own command reloads the
 * window; reloading by the browser loses what came since. The host's storage is written after 0.1 s. So the host gets a copy, which a restored page
 * receives in its HTML (`copy`); the newer of the two is used.
 */
export function keeping<S extends State>(vscode: StateApi<S>, { name, copy, heavy }: Keeping<S>) {
  // Parts that were too large, so that a state with one of them is not serialised again just to find that out.
  const tooLarge = new WeakSet();
  let next: S | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function sendCopyToHost(): void {
    timer = undefined;
    const part = next && heavy?.(next);
    if (!next || (part && tooLarge.has(part))) return;
    const state = JSON.stringify(next);
    if (part && state.length > maxCopyLength) tooLarge.add(part);
    // If the state is too large, the earlier copy is deleted: it is older than the state that VS Code has.
    vscode.postMessage({ type: 'kept', state: state.length > maxCopyLength ? '' : state });
    next = undefined;
    timer = setTimeout(sendCopyToHost, copyIntervalMs);
  }

  return {
    getState: (): unknown => newer(vscode.getState(), parsed(copy)),
    setState(state: S): void {
      if (!name) return vscode.setState(state);
      const named = { ...state, ...name, saved: Date.now() };
      next = named;
      if (timer === undefined) sendCopyToHost();
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

/** The host's copy, if the page's HTML contains one (`stateElement` in extension/pages/html.ts). */
export const copyInPage = (): string | undefined => document.getElementById('state')?.textContent ?? undefined;
