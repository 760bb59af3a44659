import type { Compute } from '../compute';
import type { PageAction, PageMessage, PageState } from '../protocol';
import { fromPageState, initialState, toPageState, type AppState, type Asked } from './app-state';
import type { Tokenizers } from '../tokenizers';
import type { ComputeReport, TraceHandle } from '../trace';
import type { Problem } from '../../engine/index';

/** What the page needs of VS Code. */
export interface Host {
  post(message: PageMessage): void;
  getState(): unknown;
  setState(state: PageState): void;
}

/** What is on the screen; while something else is computed, it stays. */
export interface Shown {
  readonly asked: Asked;
  readonly trace: TraceHandle;
  readonly report?: ComputeReport;
}

export type Progress =
  { readonly step: string; readonly done: number; readonly total: number } | { readonly doing: string };

/** The page's one changing thing: what is asked for, what is shown, what is under way. Views are drawn from it. */
export interface Session {
  state: AppState;
  shown: Shown | undefined;
  /** What a computation under way would replace: Cancel goes back to it. */
  previousState: AppState | undefined;
  progress: Progress | undefined;
  /** What waits for nobody, but would need a tokenizer file: it is taken up when the reader chooses one. */
  retryWithTokenizer: AppState | undefined;
  /** The reader asked for the source to be read again: their switches then stay. */
  recomputing: boolean;
  /** The parts of a large explanation that have come so far. */
  incomingParts: { readonly of: number; readonly parts: readonly Float64Array[] } | undefined;
  readonly host: Host;
  readonly compute: Compute;
  readonly tokenizers: Tokenizers;
  readonly act: (action: PageAction) => void;
  /** Called after every change. */
  readonly changed: () => void;
}

export type SessionParts = Pick<Session, 'host' | 'compute' | 'tokenizers' | 'act' | 'changed'>;

export function createSession(parts: SessionParts): Session {
  const { host } = parts;
  const state = savedState(host) ?? initialState;
  return {
    state,
    shown: undefined,
    previousState: undefined,
    progress: undefined,
    retryWithTokenizer: undefined,
    recomputing: false,
    incomingParts: undefined,
    ...parts,
  };
}

/** What was saved; a page that cannot read it, or finds damage where a version that it knows should stand, begins anew. */
function savedState(host: Host): AppState | undefined {
  try {
    return fromPageState(host.getState());
  } catch (error) {
    note(host, error);
    return undefined;
  }
}

/** A page that cannot save goes on: what it shows is lost by a reload, and the log says why. */
function save(host: Host, state: PageState): void {
  try {
    host.setState(state);
  } catch (error) {
    note(host, error);
  }
}

const note = (host: Host, error: unknown): void =>
  host.post({ type: 'log', level: 'warn', message: error instanceof Error ? error.message : String(error) });

/** What cannot be explained is said; the explanation before stays. */
export function fail(session: Session, label: string, problems: readonly Problem[]): void {
  update(session, { ...session.state, trouble: { label, problems } });
}

/** Takes a new state, saves it and draws. */
export function update(session: Session, state: AppState): void {
  session.state = state;
  const saved = toPageState(state);
  if (saved) save(session.host, saved);
  session.changed();
}
