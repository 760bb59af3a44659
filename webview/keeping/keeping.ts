/** What a page keeps: plain JSON. */
type State = object;

/** As VS Code gives it to a page, once. */
export interface StateApi<S extends State> {
  postMessage(message: KeptMessage): void;
  getState(): unknown;
  setState(state: S): void;
}

/** A copy of the page's state as JSON, for the host to keep; '' gives up an earlier copy: the state has become too large to be copied. */
export interface KeptMessage {
  readonly type: 'kept';
  readonly state: string;
}

interface Keeping<S extends State> {
  /** What says which page this is, kept with each state; a page without it gives no copies. */
  readonly name?: Partial<S> | undefined;
  /** The host's copy: JSON from the page's HTML. */
  readonly copy?: string | undefined;
  /** The part of a state that can make it too large, and that many states share. */
  readonly heavy?: (state: S) => object;
}

/** Longest state in UTF-16 units that is also given to the host. */
const longestCopy = 200_000;
/** Milliseconds between two copies: a slider that is dragged changes the state at each pixel. */
const pause = 150;

/**
 * Where a page keeps its state. VS Code in a browser writes what `setState` took every 5 seconds and as its window is reloaded by its own
 * command; a reload by the browser loses what came since. The host's storage is written after 0.1 s, so it gets a copy, and a page that is
 * restored gets that back (`copy`, in its HTML): the newer of the two is taken.
 */
export function keeping<S extends State>(vscode: StateApi<S>, { name, copy, heavy }: Keeping<S>) {
  // What was too large once: it is not written out again at each change to find that out.
  const large = new WeakSet();
  let next: S | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function give(): void {
    timer = undefined;
    const part = next && heavy?.(next);
    if (!next || (part && large.has(part))) return;
    const state = JSON.stringify(next);
    if (part && state.length > longestCopy) large.add(part);
    // Too large: an earlier copy would now be older than what VS Code has, and is forgotten.
    vscode.postMessage({ type: 'kept', state: state.length > longestCopy ? '' : state });
    next = undefined;
    timer = setTimeout(give, pause);
  }

  return {
    getState: (): unknown => newer(vscode.getState(), parsed(copy)),
    setState(state: S): void {
      if (!name) return vscode.setState(state);
      const named = { ...state, ...name, saved: Date.now() };
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

/** The host's copy, where its HTML has one (`stateElement` in extension/pages/html.ts). */
export const copyInPage = (): string | undefined => document.getElementById('state')?.textContent ?? undefined;
