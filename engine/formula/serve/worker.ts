// The entry of the process that reads programs and formulas: a worker of Node or of a browser, told apart by whoever starts it.
import { inStretches, useTexts } from '../../text';
import { createAnswering, type FromServer, type Question, type ToServer } from './answer';

/** What a worker has, under either host. */
interface Scope {
  onmessage: ((event: { readonly data: ToServer }) => void) | null;
  postMessage(message: FromServer): void;
}

const scope = globalThis as unknown as Scope;
const answering = createAnswering();
const cancelled = new Set<number>();
/** Questions are answered one after the other: they share what is kept open. */
let last: Promise<void> = Promise.resolve();

async function answer({ id, question }: { readonly id: number; readonly question: Question }): Promise<void> {
  try {
    const isCancelled = (): boolean => cancelled.has(id);
    const found = isCancelled() ? undefined : await inStretches(answering(question), isCancelled);
    scope.postMessage({ id, answer: found?.answer, missing: found?.missing ?? [] });
  } catch (error) {
    scope.postMessage({ id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  } finally {
    cancelled.delete(id);
  }
}

scope.onmessage = ({ data }) => {
  if ('texts' in data) useTexts(data.texts);
  else if ('cancelled' in data) cancelled.add(data.cancelled);
  else last = last.then(() => answer(data));
};
