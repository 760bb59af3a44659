import * as vscode from 'vscode';
import type { FromModel, ModelProgress, ModelQuestion, ModelReply, Problem, ToModel } from '../../engine/index'; // prettier-ignore
import { startWorker, type HostWorker, type Report } from '../host';
import { language } from '../language';

/** Asks the worker that runs models; it is started at the first question. */
export interface ModelClient extends vscode.Disposable {
  /** `told` is given what comes before the reply. A worker that ends replies with problems. */
  ask(
    question: ModelQuestion,
    told?: (progress: ModelProgress) => void,
    token?: vscode.CancellationToken,
  ): Promise<WithoutId>;
}

type WithoutId = ModelReply extends infer R ? (R extends R ? Omit<R, 'id'> : never) : never;

interface Waiting {
  readonly give: (reply: WithoutId) => void;
  readonly told: ((progress: ModelProgress) => void) | undefined;
}

export function createModelClient(extensionUri: vscode.Uri, { log }: Pick<Report, 'log'>): ModelClient {
  const waiting = new Map<number, Waiting>();
  let [worker, last]: [Promise<HostWorker<ToModel>> | undefined, number] = [undefined, 0];
  const got = (message: FromModel): void => {
    const one = waiting.get(message.id);
    if ('progress' in message || 'read' in message || 'heads' in message) one?.told?.(message);
    else one?.give(message);
  };
  const endAll = (problem: Problem): void => {
    for (const { give } of [...waiting.values()]) give({ problems: [problem] });
  };
  const lost = (why: string): void => {
    worker = undefined;
    log.error(`the process that runs models ended: ${why}`);
    endAll({ code: 'model', message: vscode.l10n.t('The process that runs models ended: {0}', why) });
  };
  const started = async (): Promise<HostWorker<ToModel>> => {
    const bundle = vscode.Uri.joinPath(extensionUri, 'dist', 'model.js');
    const made = await startWorker<ToModel, FromModel>(bundle, got, lost);
    const vocabularies = vscode.Uri.joinPath(extensionUri, 'dist', 'vocabularies').fsPath;
    made.post({ texts: language().texts, vocabularies });
    return made;
  };
  return {
    async ask(question, told, token) {
      const to = await (worker ??= started());
      const id = ++last;
      let cancelling: vscode.Disposable | undefined;
      const reply = await new Promise<WithoutId>((give) => {
        waiting.set(id, { give, told });
        cancelling = token?.onCancellationRequested(() => to.post({ cancelled: id }));
        to.post({ id, question });
      });
      cancelling?.dispose();
      waiting.delete(id);
      return reply;
    },
    dispose() {
      void worker?.then((to) => to.end(), () => undefined); // prettier-ignore
      worker = undefined;
      endAll({ code: 'cancelled', message: 'cancelled' });
    },
  };
}
