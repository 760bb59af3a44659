import * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import type { Source, SourceState } from '../../webview/protocol';
import { compare, restore, savedOf, trackedOf, type Saved, type Tracked } from './comparison';
import { exists, findDocument, isOnDisk, isSameUri, onDocument, watchFile } from './documents';
import { labelOf } from './places';
import { moveRanges } from './tracking';

/** A document and the ranges in which the explained text is now. */
export interface Located {
  readonly document: vscode.TextDocument;
  readonly parts: readonly TextRange[];
}

/** Tracks the explained text through edits of its document, and reports whether it is still what was explained: `fresh`, `stale` or `gone`. */
export interface SourceTracker extends vscode.Disposable {
  /** Begins to track parts of a document. `hash` is that of their joined text (`hashText`), if it was computed already. */
  follow(document: vscode.TextDocument, parts: readonly TextRange[], hash?: string): void;
  /** Begins to track the source of an explanation that a page restored from its saved state. */
  resume(source: Source): Promise<void>;
  /** The document with the current ranges, read from disk if necessary. Undefined if nothing is tracked or the document is gone. */
  locate(): Promise<Located | undefined>;
  /** The tracked document's URI. */
  following(): vscode.Uri | undefined;
  stop(): void;
}

const savedKey = 'explainAttention.source';
/** Debounce of edits before texts are compared, in milliseconds. */
const debounceMs = 150;

/** `changed`: `label` is where the text stands now, if it has moved to another line or its document was renamed. */
export function createSourceTracker(
  memento: vscode.Memento,
  changed: (state: SourceState, label?: string) => void,
): SourceTracker {
  let tracked: Tracked | undefined;
  let state: SourceState | undefined;
  /** Where the text stood when it was explained, and where it stands now. */
  let places: { readonly first: string; readonly last: string } | undefined;
  let edits = 0;
  let watcher: vscode.Disposable | undefined;

  const setState = (now: SourceState, moved = false): void => {
    const { first, last } = places ?? {};
    if (now !== state || moved) changed(now, ...(last === undefined || last === first ? [] : [last]));
    state = now;
  };
  /** Whether the text has moved to another line, or its document has another name. */
  const setPlace = (document: vscode.TextDocument, { parts }: Tracked): boolean => {
    const last = labelOf(document, parts[0]?.start ?? 0);
    const moved = places !== undefined && places.last !== last;
    places = { first: places?.first ?? last, last };
    return moved;
  };
  const setTracked = (next: Tracked | undefined): void => {
    tracked = next;
    void memento.update(savedKey, next && savedOf(next));
  };
  const track = (next: Tracked | undefined): void => {
    watcher?.dispose();
    watcher = next && watchFile(next.uri, () => void checkFile());
    setTracked(next);
  };
  const checkText = (document: vscode.TextDocument, everywhere: boolean): void => {
    if (!tracked || !isSameUri(document.uri, tracked.uri)) return;
    const checked = compare(document, tracked, everywhere);
    setTracked(checked.tracked);
    setState(checked.same ? 'fresh' : 'stale', setPlace(document, checked.tracked));
  };
  const checkFile = async (): Promise<void> => {
    const before = tracked?.uri;
    if (!before) return;
    const isThere = await exists(before);
    if (!isSameUri(before, tracked?.uri)) return;
    const document = isThere ? await findDocument(before) : undefined;
    if (document) checkText(document, true);
    else setState('gone');
  };
  const edited = ({ document, contentChanges }: vscode.TextDocumentChangeEvent): void => {
    if (!tracked) return;
    const changes = contentChanges.map((c) => ({ offset: c.rangeOffset, removed: c.rangeLength, text: c.text }));
    const moved = moveRanges(tracked.parts, changes);
    tracked = { ...tracked, parts: tracked.parts.map((part, i) => ({ ...part, ...moved[i] })) };
    const edit = ++edits;
    setTimeout(() => {
      if (edit === edits && !document.isClosed) checkText(document, false);
    }, debounceMs);
  };
  const events = onDocument({
    isTracked: (uri) => isSameUri(uri, tracked?.uri),
    edited,
    opened: (document) => checkText(document, true),
    removed: () => setState('gone'),
    renamed(to) {
      if (tracked) track({ ...tracked, uri: to });
      void checkFile();
    },
  });

  return {
    follow(document, parts, hash) {
      state = 'fresh';
      const next = trackedOf(document, parts, hash);
      places = undefined;
      setPlace(document, next);
      track(next);
    },
    async resume(source) {
      const restored = restore(source, memento.get<Saved>(savedKey));
      state = places = undefined;
      track(restored);
      const document = restored && (await findDocument(restored.uri));
      if (document) checkText(document, false);
      else if (restored && isOnDisk(restored.uri)) await checkFile();
    },
    async locate() {
      const document = tracked && (await findDocument(tracked.uri));
      if (!document) return undefined;
      checkText(document, false);
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
