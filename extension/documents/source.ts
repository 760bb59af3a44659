import * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import type { Source, SourceState } from '../../webview/protocol';
import { compare, restore, savedOf, trackedOf, type Saved, type Tracked } from './comparison';
import { findDocument, isOnDisk, isSameUri, onDocument, watchFile } from './documents';
import { moveRanges } from './tracking';

/** A document and where in it the explained text stands now. */
export interface Located {
  readonly document: vscode.TextDocument;
  readonly parts: readonly TextRange[];
}

/** Follows the explained text through edits of its document, and says whether it is still what was explained. */
export interface SourceTracker extends vscode.Disposable {
  /** `hash`: of the parts' text (`hashText`), where it is known already. */
  follow(document: vscode.TextDocument, parts: readonly TextRange[], hash?: string): void;
  /** Takes up again what a page has restored from its own state. */
  resume(source: Source): Promise<void>;
  /** The document, read if need be; undefined when there is none or it is gone. */
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
  const keep = (next: Tracked | undefined): void => {
    tracked = next;
    void memento.update(savedKey, next && savedOf(next));
  };
  const track = (next: Tracked | undefined): void => {
    watcher?.dispose();
    watcher = next && watchFile(next.uri, () => void onDisk());
    keep(next);
  };
  const check = (document: vscode.TextDocument, everywhere: boolean): void => {
    if (!tracked || !isSameUri(document.uri, tracked.uri)) return;
    const checked = compare(document, tracked, everywhere);
    keep(checked.tracked);
    tell(checked.same ? 'fresh' : 'stale');
  };
  const onDisk = async (): Promise<void> => {
    const before = tracked?.uri;
    if (!before) return;
    const exists = await vscode.workspace.fs.stat(before).then(always, never);
    if (!isSameUri(before, tracked?.uri)) return;
    const document = exists ? await findDocument(before) : undefined;
    if (document) check(document, true);
    else tell('gone');
  };
  const edited = ({ document, contentChanges }: vscode.TextDocumentChangeEvent): void => {
    if (!tracked) return;
    const changes = contentChanges.map((c) => ({ offset: c.rangeOffset, removed: c.rangeLength, text: c.text }));
    const moved = moveRanges(tracked.parts, changes);
    tracked = { ...tracked, parts: tracked.parts.map((part, i) => ({ ...part, ...moved[i] })) };
    const edit = ++edits;
    setTimeout(() => {
      if (edit === edits && !document.isClosed) check(document, false);
    }, quiet);
  };
  const events = onDocument({
    isOurs: (uri) => isSameUri(uri, tracked?.uri),
    edited,
    opened: (document) => check(document, true),
    removed: () => tell('gone'),
    renamed(to) {
      if (tracked) track({ ...tracked, uri: to });
      void onDisk();
    },
  });

  return {
    follow(document, parts, hash) {
      state = 'fresh';
      track(trackedOf(document, parts, hash));
    },
    async resume(source) {
      const restored = restore(source, memento.get<Saved>(savedKey));
      state = undefined;
      track(restored);
      const document = restored && (await findDocument(restored.uri));
      if (document) check(document, false);
      else if (restored && isOnDisk(restored.uri)) await onDisk();
    },
    async locate() {
      const document = tracked && (await findDocument(tracked.uri));
      if (!document) return undefined;
      check(document, false);
      return tracked && { document, parts: tracked.parts };
    },
    following: () => tracked?.uri,
    stop: () => track(undefined),
    dispose() {
      watcher?.dispose();
      events.dispose();
    },
  };
}

const always = (): boolean => true;
const never = (): boolean => false;
