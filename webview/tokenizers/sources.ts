import {
  boxModels,
  encodingNames,
  vocabularyFile,
  t,
  type EncodingName,
  type Problem,
  type VocabularyName,
} from '../../engine/index';
import type { TokenizerSource } from '../compute';

/** Timeout for the host to send a vocabulary, in milliseconds. It reads a file of a few megabytes. */
export const vocabularyTimeoutMs = 20_000;

/** Supplies the data of tokenizers: vocabularies are requested from the host when needed; files that the reader chose are stored here. */
export interface Sources {
  of(tokenizer: VocabularyName): Promise<TokenizerSource | readonly Problem[]>;
  /** The bytes of a file of a model of the extension, from the host. */
  file(name: string): Promise<Uint8Array | readonly Problem[]>;
  /** Handles the host's reply: the bytes of a vocabulary or file, or why there is none. Returns false if no request is waiting for it. */
  arrived(name: string, found: Uint8Array | readonly Problem[]): boolean;
  /** Cancels the pending request. */
  cancel(): void;
  /** Stores a file. Returns the name under which it is stored, numbered if a different file has that name: `tokenizer.json (2)`. */
  keep(name: string, text: string): string;
  /** Removes a file, so that its name is free again. */
  drop(name: string): void;
}

export function createSources(ask: (name: string) => void, patience: number): Sources {
  const files = new Map<string, string>();
  const vocabularies = createVocabularies(ask, patience);
  return {
    async of(tokenizer) {
      if (typeof tokenizer === 'string') {
        const found = await vocabularies.get(tokenizer);
        return found instanceof Uint8Array ? { bytes: found } : found;
      }
      if (boxModels.some((model) => model.tokenizer === tokenizer.file)) {
        const found = await vocabularies.get(tokenizer.file);
        return found instanceof Uint8Array ? { text: new TextDecoder().decode(found) } : found;
      }
      const text = files.get(tokenizer.file);
      return text === undefined ? [fileNeeded(tokenizer.file)] : { text };
    },
    file: vocabularies.get,
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
  /** The host's reply, or a problem after the timeout. */
  get(name: string): Promise<Uint8Array | readonly Problem[]>;
}

interface Waiting {
  readonly name: string;
  readonly answer: (found: Uint8Array | readonly Problem[]) => void;
}

/** Only one request is pending at a time: the most recent. */
function createVocabularies(ask: (name: string) => void, patience: number): Vocabularies {
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

/** Whether a name is that of a bundled vocabulary, rather than of a model's file. */
export const isEncoding = (name: string): name is EncodingName => (encodingNames as readonly string[]).includes(name);

const noAnswer = (name: string, patience: number): Problem => ({
  code: 'no-answer',
  message: t('{0} was not loaded within {1} s', isEncoding(name) ? vocabularyFile(name) : name, patience / 1000),
  hint: t('Choose it again; if that does not help, reload the window.'),
});

/** Code of problems for which the page offers to choose the file. */
export const fileNeededCode = 'tokenizer-file-needed';

const fileNeeded = (file: string): Problem => ({
  code: fileNeededCode,
  message: t('{0} is no longer loaded, and this text has not been tokenized with it', file),
});
