import {
  tokenizerName,
  tokenizerOf,
  vocabularyFile,
  t,
  type AttentionSpec,
  type EncodingName,
  type Problem,
  type VocabularyName,
} from '../../engine/index';
import type { Cut } from './cuts';
import { Stopped, type Remote, type TokenizerSource } from '../remote';

/** How long the host may take to send a vocabulary, in milliseconds: it reads one file of a few megabytes. */
const vocabularyPatience = 20_000;

export interface CutEvents {
  /** `Reading gpt2`. */
  readonly onProgress: (doing: string) => void;
  readonly onCut: (cut: Cut) => void;
  /** Code `tokenizer-file-needed`: the file is not loaded, or not any more. */
  readonly onProblems: (problems: readonly Problem[]) => void;
}

/** Cuts texts with vocabularies, in a worker that keeps those it has seen. One text at a time: the newest. */
export interface Tokenizers {
  start(spec: AttentionSpec, events: CutEvents): void;
  /** Ends what is under way; none of its events comes any more. */
  cancel(): void;
  /** What the host sent: bytes of a vocabulary, or why there is none. False when nothing waits for it. */
  arrived(name: string, found: Uint8Array | readonly Problem[]): boolean;
  /** Keeps a file; gives the name under which it is known (another of the same name: `tokenizer.json (2)`). */
  keep(name: string, text: string): string;
}

export interface TokenizersOptions {
  readonly startWorker: () => Pick<Remote, 'cut' | 'stop'>;
  /** Asks the host for a vocabulary. */
  readonly ask: (encoding: EncodingName) => void;
  readonly patience?: number;
}

interface Job {
  stopped: boolean;
  /** The worker is at it. */
  busy: boolean;
}

interface Waiting {
  readonly name: EncodingName;
  readonly answer: (found: Uint8Array | readonly Problem[]) => void;
}

interface Worker {
  readonly remote: Pick<Remote, 'cut' | 'stop'>;
  /** Names of the tokenizers that it keeps. */
  readonly known: Set<string>;
}

export function createTokenizers({ startWorker, ask, patience = vocabularyPatience }: TokenizersOptions): Tokenizers {
  const files = new Map<string, string>();
  let worker: Worker | undefined;
  let running: Job | undefined;
  let waiting: Waiting | undefined;

  /** The host's answer, or a problem when none comes in time. */
  const vocabulary = (name: EncodingName): Promise<Uint8Array | readonly Problem[]> =>
    new Promise((resolve) => {
      const late = setTimeout(() => mine.answer([noAnswer(name, patience)]), patience) as unknown as number;
      const mine: Waiting = {
        name,
        answer(found) {
          clearTimeout(late);
          if (waiting === mine) waiting = undefined;
          resolve(found);
        },
      };
      waiting = mine;
      ask(name);
    });
  const sourceOf = async (tokenizer: VocabularyName): Promise<TokenizerSource | readonly Problem[]> => {
    if (typeof tokenizer === 'string') {
      const found = await vocabulary(tokenizer);
      return found instanceof Uint8Array ? { bytes: found } : found;
    }
    const text = files.get(tokenizer.file);
    return text === undefined ? [fileNeeded(tokenizer.file)] : { text };
  };
  const cut = async (job: Job, spec: AttentionSpec, events: CutEvents): Promise<void> => {
    const tokenizer = tokenizerOf(spec);
    if (!tokenizer) return;
    const name = tokenizerName(tokenizer);
    events.onProgress(t('Reading {0}', name));
    const source = worker?.known.has(name) ? undefined : await sourceOf(tokenizer);
    if (job.stopped) return;
    if (isProblems(source)) return events.onProblems(source);
    const { remote, known } = (worker ??= { remote: startWorker(), known: new Set() });
    job.busy = true;
    const result = await remote.cut(spec, source);
    job.busy = false;
    if (job.stopped) return;
    if (result.known) known.add(name);
    // One that is no tokenizer makes room for a better one of its name.
    else files.delete(name);
    if (result.problems) events.onProblems(result.problems);
    else events.onCut({ tokenizer, pieces: result.pieces, notes: result.notes });
  };
  const cancel = (): void => {
    if (!running) return;
    running.stopped = true;
    waiting?.answer([]);
    if (running.busy) stopWorker();
    running = undefined;
  };
  const stopWorker = (): void => {
    worker?.remote.stop();
    worker = undefined;
  };
  return {
    cancel,
    start(spec, events) {
      cancel();
      const job: Job = { stopped: false, busy: false };
      running = job;
      cut(job, spec, events).catch((error: unknown) => {
        if (job.stopped || error instanceof Stopped) return;
        stopWorker();
        events.onProblems([failed(error)]);
      });
    },
    arrived(name, found) {
      if (waiting?.name !== name) return false;
      waiting.answer(found);
      return true;
    },
    keep(name, text) {
      for (let i = 1; ; i++) {
        const free = i === 1 ? name : `${name} (${i})`;
        const kept = files.get(free);
        if (kept === text) return free;
        if (kept !== undefined) continue;
        files.set(free, text);
        return free;
      }
    },
  };
}

const isProblems = (source: TokenizerSource | readonly Problem[] | undefined): source is readonly Problem[] =>
  Array.isArray(source);

const noAnswer = (name: EncodingName, patience: number): Problem => ({
  code: 'no-answer',
  message: t('{0} did not come within {1} s', vocabularyFile(name), patience / 1000),
  hint: t('Choose it again; if that does not help, reload the window.'),
});

/** Problems of this code offer to choose the file. */
export const fileNeededCode = 'tokenizer-file-needed';

const fileNeeded = (file: string): Problem => ({
  code: fileNeededCode,
  message: t('{0} is not loaded any more, and this text was not cut by it yet', file),
});

const failed = (error: unknown): Problem => ({
  code: 'failed',
  message: t('could not cut the text: {0}', error instanceof Error ? error.message : String(error)),
  hint: t('Select a shorter text, or report the issue.'),
});
