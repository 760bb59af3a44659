import type { Compute } from '../compute';
import type { AlongPlace, PageAction, PageMessage, PageState } from '../protocol';
import { fromPageState, initialState, toPageState, type AppState, type Asked } from './app-state';
import type { Tokenizers } from '../tokenizers';
import type { ComputeReport, TraceHandle } from '../trace';
import type { Problem } from '../../engine/index';

/** What the page needs from VS Code. */
export interface Host {
  post(message: PageMessage): void;
  getState(): unknown;
  setState(state: PageState): void;
}

/** What is on the screen. It stays while something else is being computed. */
export interface Shown {
  readonly asked: Asked;
  readonly trace: TraceHandle;
  readonly report?: ComputeReport;
}

export type Progress =
  { readonly step: string; readonly done: number; readonly total: number } | { readonly doing: string };

/** The page's only mutable state: what is asked for, what is shown, and what is being computed. All views are drawn from it. */
export interface Session {
  state: AppState;
  shown: Shown | undefined;
  /** The state before the computation under way; Cancel restores it. */
  previousState: AppState | undefined;
  progress: Progress | undefined;
  /** A state that failed for lack of a tokenizer file. It is tried again when the reader chooses one. */
  retryWithTokenizer: AppState | undefined;
  /** The model whose file is being read, for the state that is asked for. */
  readingModel: string | undefined;
  /** The reader asked to read the source again: the values of their controls then stay. */
  recomputing: boolean;
  /** The parts of a large explanation that have arrived so far. */
  incomingParts: { readonly of: number; readonly parts: readonly Float64Array[] } | undefined;
  /** The host has said its settings, behind all that it had to explain: where nothing is asked for now, nothing comes. */
  heard: boolean;
  /** The place of the document that is being read along. */
  along: AlongPlace | undefined;
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
    heard: false,
    progress: undefined,
    retryWithTokenizer: undefined,
    readingModel: undefined,
    recomputing: false,
    incomingParts: undefined,
    along: undefined,
    ...parts,
  };
}

/** The saved state; undefined if it is damaged or cannot be read. */
function savedState(host: Host): AppState | undefined {
  try {
    return fromPageState(host.getState());
  } catch (error) {
    note(host, error);
    return undefined;
  }
}

/** Saves the state. On failure the page goes on, and the log says why: a reload would lose what is shown. */
function save(host: Host, state: PageState): void {
  try {
    host.setState(state);
  } catch (error) {
    note(host, error);
  }
}

const note = (host: Host, error: unknown): void =>
  host.post({ type: 'log', level: 'warn', message: error instanceof Error ? error.message : String(error) });

/** Shows why something cannot be explained. The present explanation stays. */
export function fail(session: Session, label: string, problems: readonly Problem[]): void {
  update(session, { ...session.state, trouble: { label, problems } });
}

/** Sets a new state, saves it and redraws. */
export function update(session: Session, state: AppState): void {
  session.state = state;
  const saved = toPageState(state);
  if (saved) save(session.host, saved);
  session.changed();
}
