import * as vscode from 'vscode';
import { savedKeys } from '../activation';

/** Our own read-only documents, by file name. They can be explained like any other document, and are saved for a reload of the window. */
export interface VirtualDocuments extends vscode.Disposable {
  write(name: string, text: string): Promise<void>;
  /** The document, once VS Code shows its latest text. */
  open(name: string): Promise<vscode.TextDocument>;
}

const scheme = 'explain-attention';
const savedKey = savedKeys.sheets;
const virtualUri = (name: string): vscode.Uri => vscode.Uri.from({ scheme, path: `/${name}` });

/** Polling for the latest text of a document: milliseconds between attempts, and most attempts. */
const polling = { pause: 10, looks: 200 };

export function createVirtualDocuments(memento: vscode.Memento): VirtualDocuments {
  let texts = memento.get<Readonly<Record<string, string>>>(savedKey) ?? {};
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => texts[uri.path.slice(1)] ?? '',
  });
  return {
    async write(name, text) {
      texts = { ...texts, [name]: text };
      changed.fire(virtualUri(name));
      await memento.update(savedKey, texts);
    },
    async open(name) {
      const document = await vscode.workspace.openTextDocument(virtualUri(name));
      // VS Code reads the text again some time after it was told of a change.
      for (let i = 0; document.getText() !== (texts[name] ?? '') && i < polling.looks; i++)
        await new Promise<void>((done) => setTimeout(done, polling.pause));
      return document;
    },
    dispose: () => vscode.Disposable.from(provider, changed).dispose(),
  };
}
