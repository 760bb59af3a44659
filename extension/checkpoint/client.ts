import * as vscode from 'vscode';
import type { ComputedHead, FromModel, ModelRun, ModelSummary, HeadPlace, Problem, Result, ToModel } from '../../engine/index'; // prettier-ignore
import { startWorker, type HostWorker, type Report } from '../host';
import { language } from '../language';

type Question = Extract<ToModel, { question: unknown }>['question'];
type Reply = Exclude<FromModel, { progress: number }>;

/** Asks the worker that runs models; it is started at the first question. */
export interface ModelClient extends vscode.Disposable {
  open(folder: vscode.Uri): Promise<Result<ModelSummary>>;
  /** Runs a text; `progress` is given the fraction that is done. */
  run(
    asked: Extract<Question, { kind: 'run' }>['asked'],
    progress: (done: number) => void,
    token: vscode.CancellationToken,
  ): Promise<Result<ModelRun>>;
  head(place: HeadPlace): Promise<Result<ComputedHead>>;
}

interface Waiting {
  readonly give: (reply: Reply | { readonly problems: readonly Problem[] }) => void;
  readonly progress?: (done: number) => void;
}

export function createModelClient(extensionUri: vscode.Uri, { log }: Pick<Report, 'log'>): ModelClient {
  const waiting = new Map<number, Waiting>();
  let [worker, last]: [Promise<HostWorker<ToModel>> | undefined, number] = [undefined, 0];
  const got = (message: FromModel): void => {
    const one = waiting.get(message.id);
    if ('progress' in message) one?.progress?.(message.progress);
    else one?.give(message);
  };
  const lost = (why: string): void => {
    worker = undefined;
    log.error(`the process that runs models ended: ${why}`);
    const message = vscode.l10n.t('The process that runs models ended: {0}', why);
    for (const { give } of [...waiting.values()]) give({ problems: [{ code: 'model', message }] });
  };
  const started = async (): Promise<HostWorker<ToModel>> => {
    const bundle = vscode.Uri.joinPath(extensionUri, 'dist', 'model.js');
    const made = await startWorker<ToModel, FromModel>(bundle, got, lost);
    const vocabularies = vscode.Uri.joinPath(extensionUri, 'dist', 'vocabularies').fsPath;
    made.post({ texts: language().texts, vocabularies });
    return made;
  };
  const ask = async (
    question: Question,
    progress?: (done: number) => void,
    token?: vscode.CancellationToken,
  ): Promise<Reply | { readonly problems: readonly Problem[] }> => {
    const to = await (worker ??= started());
    const id = ++last;
    let cancelling: vscode.Disposable | undefined;
    const reply = await new Promise<Parameters<Waiting['give']>[0]>((give) => {
      waiting.set(id, { give, ...(progress && { progress }) });
      cancelling = token?.onCancellationRequested(() => to.post({ cancelled: id }));
      to.post({ id, question });
    });
    cancelling?.dispose();
    waiting.delete(id);
    return reply;
  };
  const refused = (reply: object): Result<never> => ({ ok: false, problems: 'problems' in reply ? (reply.problems as readonly Problem[]) : [] }); // prettier-ignore
  return {
    async open(folder) {
      const reply = await ask({ kind: 'open', folder: folder.fsPath });
      return 'opened' in reply ? { ok: true, value: reply.opened } : refused(reply);
    },
    async run(asked, progress, token) {
      const reply = await ask({ kind: 'run', asked }, progress, token);
      return 'ran' in reply ? { ok: true, value: reply.ran } : refused(reply);
    },
    async head(place) {
      const reply = await ask({ kind: 'head', place });
      return 'head' in reply ? { ok: true, value: reply.head } : refused(reply);
    },
    dispose() {
      void worker?.then((to) => to.end(), () => undefined); // prettier-ignore
      worker = undefined;
      for (const { give } of [...waiting.values()]) give({ problems: [{ code: 'cancelled', message: 'cancelled' }] });
    },
  };
}
