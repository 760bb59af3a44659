import { modelsNamed, providedBox, readBox, t, type Problem } from '../../engine/index';
import type { ModelFileMessage, NoModelFileMessage } from '../lesson-protocol';

/** The files of models that a lesson names, from the page's host. */
export interface ModelFiles {
  /** Reads the models that a lesson names and this page has not read. Gives what went wrong. */
  readNamed(source: string): Promise<readonly Problem[]>;
  /** Handles the host's reply. */
  arrived(message: ModelFileMessage | NoModelFileMessage): void;
}

type Settle = (bytes: Uint8Array | readonly Problem[]) => void;

/** `ask`: requests a file from the host. */
export function createModelFiles(ask: (file: string) => void): ModelFiles {
  const waiting = new Map<string, Settle>();
  const read = (file: string): Promise<Uint8Array> =>
    new Promise((done, failed) => {
      waiting.set(file, (found) =>
        found instanceof Uint8Array ? done(found) : failed(new Error(found[0]?.message ?? t('no answer'))),
      );
      ask(file);
    });
  return {
    async readNamed(source) {
      const problems: Problem[] = [];
      for (const name of modelsNamed(source)) {
        const found = providedBox(name) ? undefined : await readBox(name, read);
        if (found && !found.ok) problems.push(...found.problems);
      }
      return problems;
    },
    arrived(message) {
      const file = message.type === 'modelFile' ? message.file : message.name;
      waiting.get(file)?.(message.type === 'modelFile' ? message.bytes : message.problems);
      waiting.delete(file);
    },
  };
}
