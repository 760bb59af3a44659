import type { FromModel, ModelProgress, ModelQuestion, ModelReply, ToModel } from '../../engine/index';
import type { ModelPageMessage } from '../protocol';

/** A question that is being answered. */
export interface Asked {
  readonly reply: Promise<ModelReply>;
  cancel(): void;
}

/** Asks the process that runs models: that of the host, or for files of the page a worker of the page. */
export interface Models {
  ask(question: ModelQuestion, told?: (progress: ModelProgress) => void): Asked;
  /** What the host said of a question. */
  heard(message: FromModel): void;
  /** The program for a worker of the page, which the host sends once it is asked for. */
  useEngine(code: string): void;
  /** From now on a worker of the page answers. */
  useOwnWorker(): void;
}

interface Waiting {
  readonly give: (reply: ModelReply) => void;
  readonly told: ((progress: ModelProgress) => void) | undefined;
}

export function createModels(post: (message: ModelPageMessage) => void): Models {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let isOwn = false;
  let giveWorker: (worker: Worker) => void = () => undefined;
  let worker: Promise<Worker> | undefined;
  const heard = (message: FromModel): void => {
    const one = waiting.get(message.id);
    if ('progress' in message || 'read' in message || 'heads' in message) return one?.told?.(message);
    waiting.delete(message.id);
    one?.give(message);
  };
  const ownWorker = (): Promise<Worker> => {
    worker ??= new Promise((give) => {
      giveWorker = give;
      post({ type: 'engine' });
    });
    return worker;
  };
  const send = (message: ToModel & { readonly id: number }): void => void ownWorker().then((to) => to.postMessage(message));
  return {
    ask(question, told) {
      const id = ++last;
      const reply = new Promise<ModelReply>((give) => waiting.set(id, { give, told }));
      if (isOwn) send({ id, question });
      else post({ type: 'ask', id, question });
      return {
        reply,
        cancel: () => (isOwn ? void ownWorker().then((to) => to.postMessage({ cancelled: id })) : post({ type: 'cancel', id })),
      };
    },
    heard,
    useEngine(code) {
      const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
      const made = new Worker(url);
      made.onmessage = ({ data }: MessageEvent<FromModel>) => heard(data);
      made.onerror = ({ message }) => {
        for (const [id, { give }] of [...waiting]) give({ id, problems: [{ code: 'model', message }] });
        waiting.clear();
      };
      const texts: unknown = JSON.parse(document.getElementById('texts')?.textContent || '{}');
      made.postMessage({ texts, vocabularies: '' });
      giveWorker(made);
    },
    useOwnWorker: () => void (isOwn = true),
  };
} // prettier-ignore
