// The entry of the worker that runs models from folders (dist/model.js), with Node's files.
import { createModelServer, diskFolder, loadTokenizer, type DiskFiles, type FromModel, type ToModel } from '../../engine/index'; // prettier-ignore

/** What a worker of Node has once `startWorker` has given it a browser's names. */
interface Scope {
  onmessage: ((event: { readonly data: ToModel }) => void) | null;
  postMessage(message: FromModel): void;
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

interface Files extends DiskFiles {
  readFile(path: string): Promise<Uint8Array>;
}

const scope = globalThis as unknown as Scope;
const files = scope.process?.getBuiltinModule?.('node:fs/promises') as Files | undefined;
/** Where the extension keeps its vocabularies, told by the first message. */
let vocabularies = '';

if (files) {
  const answer = createModelServer({
    folder: (path) => diskFolder(files, path),
    bundledGpt2: () => loadTokenizer('gpt2', (name) => files.readFile(`${vocabularies}/${name}`)),
    reply: (message) => scope.postMessage(message),
  });
  scope.onmessage = ({ data }) => {
    if ('vocabularies' in data) vocabularies = data.vocabularies;
    void answer(data);
  };
}
