import * as vscode from 'vscode';
import type { TextRange } from '../engine/index';
import type { Source, SourceState } from '../webview/protocol';
import { hashText, separator } from './parts';
import { textOf } from './selection';
import { findAgain, moveRanges, withLineEnds } from './tracking';

/** A part of the document that was explained, and its text then; after a reload of the window the text is not known, only its hash. */
interface Part extends TextRange {
  readonly text?: string;
}

interface Tracked {
  readonly uri: vscode.Uri;
  readonly parts: readonly Part[];
  /** Of all parts, joined. */
  readonly hash: string;
}

/** What survives a reload of the window: the ranges as edits have moved them. */
interface Saved {
  readonly uri: string;
  readonly parts: readonly TextRange[];
  readonly hash: string;
}

/** A document and where in it the explained text stands now. */
export interface Located {
  readonly document: vscode.TextDocument;
  readonly parts: readonly TextRange[];
}

/** Follows the explained text through edits of its document, and says whether it is still what was explained. */
export interface SourceTracker extends vscode.Disposable {
  follow(document: vscode.TextDocument, parts: readonly TextRange[]): void;
  /** Takes up again what a page has restored from its own state. */
  resume(source: Source): Promise<void>;
  /** The document, opened if need be; undefined when there is none or it is gone. */
  locate(): Promise<Located | undefined>;
  /** The document that is followed. */
  following(): vscode.Uri | undefined;
  stop(): void;
}

const savedKey = 'explainAttention.source';
/** Milliseconds without an edit before texts are compared. */
const quiet = 150;

export function createSourceTracker(memento: vscode.Memento, changed: (state: SourceState) => void): SourceTracker {
  let tracked: Tracked | undefined;
  let state: SourceState | undefined;
  let edits = 0;
  let watcher: vscode.Disposable | undefined;

  const tell = (now: SourceState): void => {
    if (now !== state) changed(now);
    state = now;
  };
  const track = (next: Tracked | undefined): void => {
    if (next?.uri.toString() !== tracked?.uri.toString()) {
      watcher?.dispose();
      watcher = next && watch(next.uri, onDisk);
    }
    tracked = next;
    save();
  };
  const save = (): void => {
    const saved: Saved | undefined = tracked && {
      uri: tracked.uri.toString(),
      parts: tracked.parts.map(({ start, end }) => ({ start, end })),
      hash: tracked.hash,
    };
    void memento.update(savedKey, saved);
  };
  const isOurs = (uri: vscode.Uri): boolean => uri.toString() === tracked?.uri.toString();

  const check = (document: vscode.TextDocument, everywhere: boolean): void => {
    if (!tracked || !isOurs(document.uri)) return;
    const checked = compare(document, tracked, everywhere);
    tracked = checked.tracked;
    save();
    tell(checked.same ? 'fresh' : 'stale');
  };
  const checkSoon = (document: vscode.TextDocument): void => {
    const edit = ++edits;
    setTimeout(() => {
      if (edit === edits && !document.isClosed) check(document, false);
    }, quiet);
  };
  async function onDisk(): Promise<void> {
    const before = tracked;
    if (!before) return;
    const exists = await vscode.workspace.fs.stat(before.uri).then(always, never);
    if (tracked !== before) return;
    if (!exists) return tell('gone');
    // A document that is open gets the new text as an edit.
    const document = openDocument(before.uri) ?? (await readDocument(before.uri));
    if (document) check(document, true);
  }
  const onEdit = ({ document, contentChanges }: vscode.TextDocumentChangeEvent): void => {
    if (!tracked || !contentChanges.length || !isOurs(document.uri)) return;
    const changes = contentChanges.map((c) => ({ offset: c.rangeOffset, removed: c.rangeLength, text: c.text }));
    const moved = moveRanges(tracked.parts, changes);
    tracked = { ...tracked, parts: tracked.parts.map((part, i) => ({ ...part, ...moved[i] })) };
    checkSoon(document);
  };
  const subscriptions = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(onEdit),
    vscode.workspace.onDidOpenTextDocument((document) => check(document, true)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (isOurs(uri) && uri.scheme === 'untitled') tell('gone');
    }),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
      const removed = contentChanges.flatMap((change) => change.removedCells);
      // A cell that moves is removed and added.
      const isIn = (cells: readonly vscode.NotebookCell[]): boolean => cells.some((cell) => isOurs(cell.document.uri));
      if (isIn(removed) && !isIn(notebook.getCells())) tell('gone');
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      const renamed = tracked && files.find(({ oldUri }) => isOurs(oldUri));
      if (!tracked || !renamed) return;
      track({ ...tracked, uri: renamed.newUri });
      void onDisk();
    }),
  );

  return {
    follow(document, parts) {
      const withText = parts.map((part) => ({ ...part, text: textOf(document, part) }));
      state = 'fresh';
      track({ uri: document.uri, parts: withText, hash: hashText(withText.map((part) => part.text).join(separator)) });
    },
    async resume(source) {
      const restored = restore(source, memento.get<Saved>(savedKey));
      state = undefined;
      track(restored);
      if (!restored) return;
      const document = openDocument(restored.uri) ?? (await readDocument(restored.uri));
      if (document) check(document, false);
      else if (isOnDisk(restored.uri)) await onDisk();
    },
    async locate() {
      const wanted = tracked;
      if (!wanted) return undefined;
      const document = openDocument(wanted.uri) ?? (await readDocument(wanted.uri));
      if (document) check(document, false);
      return document && tracked ? { document, parts: tracked.parts } : undefined;
    },
    following: () => tracked?.uri,
    stop: () => track(undefined),
    dispose() {
      watcher?.dispose();
      subscriptions.dispose();
    },
  };
}

/** The saved ranges if they belong to the same text: edits may have moved them since the page saved its own. */
function restore({ uri, range, textHash }: Source, saved: Saved | undefined): Tracked | undefined {
  if (uri === undefined || !range || textHash === undefined) return undefined;
  const isSame = saved?.uri === uri && saved.hash === textHash;
  return { uri: vscode.Uri.parse(uri, true), parts: isSame ? saved.parts : [range], hash: textHash };
}

/** Compares the document with what was explained; ranges move to where their text stands again. */
function compare(
  document: vscode.TextDocument,
  tracked: Tracked,
  everywhere: boolean,
): { tracked: Tracked; same: boolean } {
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const unknown = tracked.parts.some((part) => part.text === undefined);
  if (unknown) return compareHash(document, tracked);
  const found = tracked.parts.map((part) => {
    const text = withLineEnds(part.text ?? '', lineEnd);
    return (
      findAgain(part, text, (range) => textOf(document, range)) ?? (everywhere ? search(document, text) : undefined)
    );
  });
  const parts = tracked.parts.map((part, i) => ({ ...part, ...found[i] }));
  return { tracked: { ...tracked, parts }, same: found.every((range) => range !== undefined) };
}

function compareHash(document: vscode.TextDocument, tracked: Tracked): { tracked: Tracked; same: boolean } {
  const texts = tracked.parts.map((part) => textOf(document, part));
  if (hashText(texts.join(separator)) !== tracked.hash) return { tracked, same: false };
  const parts = tracked.parts.map((part, i) => ({ ...part, text: texts[i] ?? '' }));
  return { tracked: { ...tracked, parts }, same: true };
}

/** Anywhere in a document that was changed while it was closed. */
function search(document: vscode.TextDocument, text: string): TextRange | undefined {
  const start = document.getText().indexOf(text);
  return start < 0 ? undefined : { start, end: start + text.length };
}

const openDocument = (uri: vscode.Uri): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString() && !document.isClosed);

/** Untitled documents and cells of notebooks exist only while they are open: opening one would create it. */
const isOnDisk = ({ scheme }: vscode.Uri): boolean =>
  scheme !== 'untitled' && !scheme.startsWith('vscode-notebook-cell');

async function readDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  if (!isOnDisk(uri)) return undefined;
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

/** Watches one file, by its folder: a file name may hold characters that a glob gives a meaning. */
function watch(uri: vscode.Uri, changed: () => void): vscode.Disposable | undefined {
  if (!isOnDisk(uri)) return undefined;
  const folder = vscode.Uri.joinPath(uri, '..');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
  const ours = (other: vscode.Uri): void => {
    if (other.toString() === uri.toString()) changed();
  };
  watcher.onDidCreate(ours);
  watcher.onDidChange(ours);
  watcher.onDidDelete(ours);
  return watcher;
}

const always = (): boolean => true;
const never = (): boolean => false;
