import { vocabularyFile, t, type EncodingName, type Problem, type VocabularyName } from '../../engine/index';
import type { TokenizerSource } from '../compute';

/** How long the host may take to send a vocabulary, in milliseconds: it reads one file of a few megabytes. */
export const vocabularyPatience = 20_000;

/** What a tokenizer is made of: vocabularies come from the host, each when it is needed; files that the reader chose are kept. */
export interface Sources {
  of(tokenizer: VocabularyName): Promise<TokenizerSource | readonly Problem[]>;
  /** What the host sent: bytes of a vocabulary, or why there is none. False when nothing waits for it. */
  arrived(name: string, found: Uint8Array | readonly Problem[]): boolean;
  /** Waits for nothing any more. */
  cancel(): void;
  /** Keeps a file; gives the name under which it is known (another of the same name: `tokenizer.json (2)`). */
  keep(name: string, text: string): string;
  /** Makes room for a better file of that name. */
  drop(name: string): void;
}

export function createSources(ask: (encoding: EncodingName) => void, patience: number): Sources {
  const files = new Map<string, string>();
  const vocabularies = createVocabularies(ask, patience);
  return {
    async of(tokenizer) {
      if (typeof tokenizer === 'string') {
        const found = await vocabularies.get(tokenizer);
        return found instanceof Uint8Array ? { bytes: found } : found;
      }
      const text = files.get(tokenizer.file);
      return text === undefined ? [fileNeeded(tokenizer.file)] : { text };
    },
    arrived: vocabularies.arrived,
    cancel: vocabularies.cancel,
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
    drop: (name) => void files.delete(name),
  };
}

interface Vocabularies extends Pick<Sources, 'arrived' | 'cancel'> {
  /** The host's answer, or a problem when none comes in time. */
  get(name: EncodingName): Promise<Uint8Array | readonly Problem[]>;
}

interface Waiting {
  readonly name: EncodingName;
  readonly answer: (found: Uint8Array | readonly Problem[]) => void;
}

/** One vocabulary is waited for at a time: the last that was asked for. */
function createVocabularies(ask: (encoding: EncodingName) => void, patience: number): Vocabularies {
  let waiting: Waiting | undefined;
  return {
    get: (name) =>
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
      }),
    arrived(name, found) {
      if (waiting?.name !== name) return false;
      waiting.answer(found);
      return true;
    },
    cancel: () => waiting?.answer([]),
  };
}

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
