import { tokenizerName, tokenizerOf, t, type AttentionSpec, type Problem } from '../../engine/index';
import type { TokenizedText } from '../choices';
import { createSources, vocabularyTimeoutMs } from './sources';
import { Stopped, type Remote, type TokenizerSource } from '../compute';

export interface CutEvents {
  /** For example `Reading gpt2`. */
  readonly onProgress: (doing: string) => void;
  readonly onCut: (cut: TokenizedText) => void;
  /** Code `tokenizer-file-needed`: the file is not loaded, or no longer loaded. */
  readonly onProblems: (problems: readonly Problem[]) => void;
}

/** Tokenizes texts in a worker, which caches the vocabularies that it has parsed. One text at a time: a new one cancels the previous one. */
export interface Tokenizers {
  start(spec: AttentionSpec, events: CutEvents): void;
  /** Cancels the current text. None of its events will be called. */
  cancel(): void;
  /** The bytes of a file of a model of the extension, or why there are none. */
  file(name: string): Promise<Uint8Array | readonly Problem[]>;
  /** Handles the host's reply: the bytes of a vocabulary, or why there is none. Returns false if no request is waiting for it. */
  arrived(name: string, found: Uint8Array | readonly Problem[]): boolean;
  /** Stores a file. Returns the name under which it is stored, numbered if a different file has that name: `tokenizer.json (2)`. */
  keep(name: string, text: string): string;
}

export interface TokenizersOptions {
  readonly startWorker: () => TokenizerWorker;
  /** Requests a vocabulary, or a model's file, from the host. */
  readonly ask: (name: string) => void;
  readonly patience?: number;
}

interface Job {
  stopped: boolean;
  /** Whether the worker is tokenizing it. */
  busy: boolean;
}

export function createTokenizers({ startWorker, ask, patience = vocabularyTimeoutMs }: TokenizersOptions): Tokenizers {
  const sources = createSources(ask, patience);
  const worker = createWorker(startWorker);
  let running: Job | undefined;
  const cut = async (job: Job, spec: AttentionSpec, events: CutEvents): Promise<void> => {
    const tokenizer = tokenizerOf(spec);
    if (!tokenizer) return;
    const name = tokenizerName(tokenizer);
    events.onProgress(t('Reading {0}', name));
    const source = worker.knows(name) ? undefined : await sources.of(tokenizer);
    if (job.stopped) return;
    if (isProblems(source)) return events.onProblems(source);
    job.busy = true;
    const result = await worker.cut(spec, name, source);
    job.busy = false;
    if (job.stopped) return;
    // A file that is not a valid tokenizer is removed, so that its name is free for a corrected one.
    if (!result.known) sources.drop(name);
    if (result.problems) events.onProblems(result.problems);
    else events.onCut({ tokenizer, pieces: result.pieces, notes: result.notes });
  };
  const cancel = (): void => {
    if (!running) return;
    running.stopped = true;
    sources.cancel();
    if (running.busy) worker.stop();
    running = undefined;
  };
  const start = (spec: AttentionSpec, events: CutEvents): void => {
    cancel();
    const job: Job = { stopped: false, busy: false };
    running = job;
    cut(job, spec, events).catch((error: unknown) => {
      if (job.stopped || error instanceof Stopped) return;
      worker.stop();
      events.onProblems([failed(error)]);
    });
  };
  return { start, cancel, file: sources.file, arrived: sources.arrived, keep: sources.keep };
}

type TokenizerWorker = Pick<Remote, 'tokenize' | 'stop'>;

interface Worker {
  knows(tokenizer: string): boolean;
  cut(
    spec: AttentionSpec,
    tokenizer: string,
    source: TokenizerSource | undefined,
  ): ReturnType<TokenizerWorker['tokenize']>;
  stop(): void;
}

/** Starts a worker for the first text, and a new one after a stop, which has to be sent all vocabularies again. */
function createWorker(start: () => TokenizerWorker): Worker {
  /** `known` holds the names of the tokenizers that the worker has cached. */
  let running: { readonly remote: TokenizerWorker; readonly known: Set<string> } | undefined;
  return {
    knows: (tokenizer) => running?.known.has(tokenizer) === true,
    async cut(spec, tokenizer, source) {
      const { remote, known } = (running ??= { remote: start(), known: new Set() });
      const result = await remote.tokenize(spec, source);
      if (result.known) known.add(tokenizer);
      return result;
    },
    stop() {
      running?.remote.stop();
      running = undefined;
    },
  };
}

const isProblems = (source: TokenizerSource | readonly Problem[] | undefined): source is readonly Problem[] =>
  Array.isArray(source);

const failed = (error: unknown): Problem => ({
  code: 'failed',
  message: t('could not tokenize the text: {0}', error instanceof Error ? error.message : String(error)),
  hint: t('Select a shorter text, or report the issue.'),
});
