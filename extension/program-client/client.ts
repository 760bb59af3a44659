import * as vscode from 'vscode';
import type { FromServer, QuestionKind, Questions, ToServer } from '../../engine/index';
import type { Report } from '../host';
import { language } from '../language';
import { startWorker, type ProgramWorker } from './worker';

/** Sends questions to the process that reads programs, which is started by the first question. */
export interface ProgramClient extends vscode.Disposable {
  /** Asks one question. Undefined if it was cancelled, or the process ended or cannot be started. */
  ask<K extends QuestionKind>(
    kind: K,
    asked: Questions[K]['asked'],
    token?: vscode.CancellationToken,
  ): Promise<Questions[K]['answer'] | undefined>;
}

type Waiting = (message: FromServer | undefined) => void;

export function createProgramClient(extensionUri: vscode.Uri, { log }: Pick<Report, 'log'>): ProgramClient {
  const waiting = new Map<number, Waiting>();
  let [worker, last]: [Promise<ProgramWorker | undefined> | undefined, number] = [undefined, 0];

  const got = (message: FromServer): void => {
    if ('bug' in message) log.error(`reading a program: ${message.bug}`);
    waiting.get(message.id)?.(message);
  };
  /** Answers all pending questions with undefined. The next question starts another process. */
  const lost = (why: string): void => {
    log.error(`the process that reads programs ended: ${why}`);
    worker = undefined;
    for (const give of [...waiting.values()]) give(undefined);
  };
  const started = async (): Promise<ProgramWorker | undefined> => {
    try {
      const made = await startWorker(vscode.Uri.joinPath(extensionUri, 'dist', 'program.js'), got, lost);
      made.post({ texts: language().texts });
      return made;
    } catch (error) {
      log.error(`no process that reads programs can be had: ${String(error)}`);
      return undefined;
    }
  };

  return {
    async ask(kind, asked, token) {
      const to = await (worker ??= started());
      if (!to || token?.isCancellationRequested) return undefined;
      const id = ++last;
      const found = await new Promise<FromServer | undefined>((done) => {
        waiting.set(id, done);
        token?.onCancellationRequested(() => {
          to.post({ cancelled: id });
          done(undefined);
        });
        to.post({ id, question: { kind, ...asked } } as ToServer);
      });
      waiting.delete(id);
      return found && 'answer' in found ? (found.answer as Questions[typeof kind]['answer']) : undefined;
    },
    dispose() {
      void worker?.then((to) => to?.end());
      worker = undefined;
      for (const give of [...waiting.values()]) give(undefined);
    },
  };
}
