// The entry of the worker that runs models (dist/model.js): in Node with its files, in a page with files that were chosen there. The same bundle is the second
// thread, which computes halves of products for the first.
import { answerSecond, createModelServer, diskFolder, loadTokenizer, modelKernels, pickedFiles, startSecondThread, type DiskFiles, type FromModel, type FromSecond, type ToModel, type ToSecond } from '../../engine/index'; // prettier-ignore

/** What a worker of a browser has, and one of Node once `startWorker` has given it a browser's names. */
interface Scope {
  onmessage: ((event: { readonly data: ToModel | ToSecond }) => void) | null;
  postMessage(message: FromModel | FromSecond): void;
  /** This bundle's path, in Node. */
  readonly bundle?: string;
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

interface Files extends DiskFiles {
  readFile(path: string): Promise<Uint8Array>;
}

const scope = globalThis as unknown as Scope;
const files = scope.process?.getBuiltinModule?.('node:fs/promises') as Files | undefined;
/** Where the extension keeps its vocabularies, told by the first message. */
let vocabularies = '';

const noFiles = (): Promise<never> => Promise.reject(new Error('this worker has no file system'));

const answer = createModelServer({
  folder: (place) =>
    typeof place === 'string' ? diskFolder(files ?? { open: noFiles, stat: noFiles }, place) : pickedFiles(place),
  bundledGpt2: () => loadTokenizer('gpt2', (name) => (files ? files.readFile(`${vocabularies}/${name}`) : noFiles())),
  reply: (message) => scope.postMessage(message),
  startSecond: () => (scope.bundle === undefined ? undefined : startSecondThread(scope.bundle)),
});
let kernels: ReturnType<typeof modelKernels> | undefined;
scope.onmessage = ({ data }) => {
  if ('product' in data) return scope.postMessage(answerSecond((kernels ??= modelKernels()), data));
  if ('vocabularies' in data) vocabularies = data.vocabularies;
  void answer(data);
};
