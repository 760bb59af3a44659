import * as vscode from 'vscode';
import { savedKeys } from '../activation';

/** Read-only documents of ours, by file name, that are explained as any other document is. They survive a reload of the window. */
export interface VirtualDocuments extends vscode.Disposable {
  write(name: string, text: string): Promise<void>;
  /** The document once it has its text. */
  open(name: string): Promise<vscode.TextDocument>;
}

const scheme = 'explain-attention';
const savedKey = savedKeys.sheets;
const sheetUri = (name: string): vscode.Uri => vscode.Uri.from({ scheme, path: `/${name}` });

/** Milliseconds between looks at a document that takes up its text, and looks at most. */
const patience = { pause: 10, looks: 200 };

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
      changed.fire(sheetUri(name));
      await memento.update(savedKey, texts);
    },
    async open(name) {
      const document = await vscode.workspace.openTextDocument(sheetUri(name));
      // VS Code takes a change up a moment after it was told of it.
      for (let i = 0; document.getText() !== (texts[name] ?? '') && i < patience.looks; i++)
        await new Promise<void>((done) => setTimeout(done, patience.pause));
      return document;
    },
    dispose: () => vscode.Disposable.from(provider, changed).dispose(),
  };
}
