import * as vscode from 'vscode';
import type { FromServer, QuestionKind, Questions, ToServer } from '../../engine/index';
import { startWorker, type HostWorker, type Report } from '../host';
import { language } from '../language';
import { createImports } from './imports';

/** Why there is no answer, in words for the person who asked. */
interface Failure {
  readonly failure: string;
}

/** An answer, or why there is none. */
export type Reply<K extends QuestionKind> = { readonly answer: Questions[K]['answer'] } | Failure;

/** What was asked for, where there is any: for views that stay empty without. */
export const answerOf = <Answer>(reply: { readonly answer: Answer } | Failure | undefined): Answer | undefined =>
  reply && 'answer' in reply ? reply.answer : undefined;

/** What comes of a question that is asked once; undefined where it was cancelled. */
type Outcome = FromServer | Failure | undefined;

/** Asks the process that reads programs; it is started at the first question. */
export interface ProgramClient extends vscode.Disposable {
  /** What a program of `document` is asked, with the files that it imports. Undefined: it was cancelled. */
  ask<K extends QuestionKind>(
    kind: K,
    asked: Omit<Questions[K]['asked'], 'files'>,
    document: vscode.Uri,
    token?: vscode.CancellationToken,
  ): Promise<Reply<K> | undefined>;
  /** A file that some program imports has changed. */
  readonly importsChanged: vscode.Event<void>;
}

/** Milliseconds, told by a test. */
export interface Timeouts {
  /** For one answer: then the process is ended, and its program is refused until it is another. */
  readonly answer: number;
  /** After a process could not be started, before it is tried again. */
  readonly restart: number;
}

const defaultTimeouts: Timeouts = { answer: 20_000, restart: 10_000 };

interface Waiting {
  readonly text: string;
  readonly give: (message: Outcome) => void;
}

/** Times that a question is asked again because its program imports files that were not known yet: a file may import others. */
const mostRounds = 6;

/** Programs that took too long, the newest last. */
const mostRefused = 16;

export function createProgramClient(
  extensionUri: vscode.Uri,
  { log }: Pick<Report, 'log'>,
  patience: Timeouts = defaultTimeouts,
  start: typeof startWorker<ToServer, FromServer> = startWorker,
): ProgramClient {
  const imports = createImports(vscode.Uri.joinPath(extensionUri, 'dist', 'vocabularies'));
  const waiting = new Map<number, Waiting>();
  const tooSlow = new Set<string>();
  let [worker, last]: [Promise<HostWorker<ToServer>> | undefined, number] = [undefined, 0];
  let [clock, mayStartAt, whyNot]: [ReturnType<typeof setTimeout> | undefined, number, string] = [undefined, 0, ''];

  /** The process answers one question after the other: it has its time for each, from the answer before. */
  const watchClock = (): void => {
    clearTimeout(clock);
    if (waiting.size > 0) clock = setTimeout(stopSlow, patience.answer);
  };
  const handleMessage = (message: FromServer): void => {
    if ('bug' in message) log.error(`reading a program: ${message.bug}`);
    waiting.get(message.id)?.give(message);
  };
  const endAll = (failure: string): void => {
    worker = undefined;
    for (const { give } of [...waiting.values()]) give({ failure });
  };
  /** Whoever waits is told; the next question starts another process. */
  const handleProcessLoss = (why: string): void => {
    log.error(`the process that reads programs ended: ${why}`);
    endAll(vscode.l10n.t('The process that reads Python code ended: {0}', why));
  };
  function stopSlow(): void {
    const [first] = waiting.values();
    if (!first) return;
    tooSlow.add(first.text);
    for (const text of [...tooSlow].slice(0, -mostRefused)) tooSlow.delete(text);
    log.warn(`a program was not read within ${patience.answer / 1000} s and is refused until it changes`);
    void worker?.then((to) => to.end(), () => undefined); // prettier-ignore
    endAll(slowly());
  }
  const slowly = (): string =>
    vscode.l10n.t(
      'This code was not read within {0} seconds: it is read again when it changes.',
      patience.answer / 1000,
    );
  const started = async (): Promise<HostWorker<ToServer>> => {
    if (Date.now() < mayStartAt) throw new Error(whyNot);
    try {
      const made = await start(
        vscode.Uri.joinPath(extensionUri, 'dist', 'program.js'),
        handleMessage,
        handleProcessLoss,
      );
      made.post({ texts: language().texts });
      return made;
    } catch (error) {
      [mayStartAt, whyNot] = [Date.now() + patience.restart, error instanceof Error ? error.message : String(error)];
      log.error(`no process that reads programs can be had: ${whyNot}`);
      throw error;
    }
  };

  const askOnce = async (
    question: Extract<ToServer, { question: unknown }>['question'],
    token: vscode.CancellationToken | undefined,
  ): Promise<Outcome> => {
    const { text } = question;
    if (tooSlow.has(text)) return { failure: slowly() };
    let to: HostWorker<ToServer>;
    try {
      to = await (worker ??= started());
    } catch {
      worker = undefined;
      return { failure: vscode.l10n.t('The process that reads Python code cannot be started: {0}', whyNot) };
    }
    if (token?.isCancellationRequested) return undefined;
    const id = ++last;
    let cancelling: vscode.Disposable | undefined;
    const message = await new Promise<Outcome>((give) => {
      waiting.set(id, { text, give });
      if (waiting.size === 1) watchClock();
      cancelling = token?.onCancellationRequested(() => {
        to.post({ cancelled: id });
        give(undefined);
      });
      to.post({ id, question });
    });
    cancelling?.dispose();
    waiting.delete(id);
    watchClock();
    return message;
  };

  return {
    importsChanged: imports.changed,
    async ask(kind, asked, document, token) {
      for (let round = 1; ; round++) {
        const question = { kind, ...asked, files: imports.known(document) } as Parameters<typeof askOnce>[0];
        const message = await askOnce(question, token);
        if (!message || token?.isCancellationRequested) return undefined;
        if ('failure' in message) return message;
        if ('bug' in message)
          return { failure: vscode.l10n.t('The code could not be read as a program: see the log.') };
        if (round < mostRounds && (await imports.look(document, message.missing))) continue;
        return { answer: message.answer as Questions[typeof kind]['answer'] };
      }
    },
    dispose() {
      clearTimeout(clock);
      void worker?.then((to) => to.end(), () => undefined); // prettier-ignore
      worker = undefined;
      for (const { give } of [...waiting.values()]) give(undefined);
      imports.dispose();
    },
  };
}
