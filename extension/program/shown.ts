import * as vscode from 'vscode';
import type { AttentionPlace, LineShapes, Places } from '../../engine/index';
import { moveRanges } from '../documents';
import { codeOf, inDocument, type Code } from '../program-client';

/** What reads programs, elsewhere than in the extension host. Undefined: it was cancelled, or is not there. */
export type PlacesReader = (text: string) => Promise<Places | undefined>;

/** What is shown of a document, with ranges in it. */
export interface Shown {
  /** The program computes attention somewhere, or did before the line that is being typed. */
  readonly hasAttention: boolean;
  readonly lines: readonly LineShapes[];
  readonly attentions: readonly AttentionPlace[];
}

interface State {
  shown: Shown | undefined;
  /** The program that `shown` was read from, until it was edited. */
  text: string | undefined;
  /** Edits since the reading that is under way began. */
  changes: vscode.TextDocumentContentChangeEvent[][];
  reading: Promise<void> | undefined;
}

export interface ShownPlaces extends vscode.Disposable {
  /** What is shown of a document now; after an edit what was shown before, moved along, until the new reading is there. */
  of(document: vscode.TextDocument): Promise<Shown | undefined>;
  /** Something new can be shown. */
  readonly changed: vscode.Event<void>;
}

export function createShownPlaces(read: PlacesReader): ShownPlaces {
  const states = new WeakMap<vscode.TextDocument, State>();
  const changed = new vscode.EventEmitter<void>();
  const edits = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    const state = states.get(document);
    if (!state || contentChanges.length === 0) return;
    state.changes.push([...contentChanges]);
    state.text = undefined;
    if (state.shown) state.shown = moved(state.shown, [[...contentChanges]]);
  });

  /** One reading at a time; what was typed meanwhile is read after it. */
  const refresh = async (document: vscode.TextDocument, state: State): Promise<void> => {
    for (let code = codeOf(document); !document.isClosed; code = codeOf(document)) {
      if (state.text === (code?.text ?? '')) return;
      state.changes = [];
      const places = code && (await read(code.text));
      if (code && !places) return;
      const had = state.shown?.hasAttention === true;
      state.shown = code && places ? moved(within(code, places, had), state.changes) : undefined;
      if (state.changes.length === 0) state.text = code?.text ?? '';
      changed.fire();
    }
  };

  return {
    changed: changed.event,
    async of(document) {
      const state = states.get(document) ?? { shown: undefined, text: undefined, changes: [], reading: undefined };
      states.set(document, state);
      const isFirst = state.text === undefined && !state.shown;
      state.reading ??= refresh(document, state).finally(() => (state.reading = undefined));
      if (isFirst) await state.reading;
      return state.shown;
    },
    dispose: () => vscode.Disposable.from(edits, changed).dispose(),
  };
}

/** What of a program stands in the document, with ranges of the document. */
const within = (code: Code, { lines, attentions }: Places, had: boolean): Shown => ({
  hasAttention: had || attentions.length > 0,
  lines: lines.flatMap((line) => {
    const range = inDocument(code, line.range);
    return range ? [{ ...line, range }] : [];
  }),
  attentions: attentions.flatMap((place) => {
    const [range, above] = [inDocument(code, place.range), inDocument(code, place.above)];
    return range && above ? [{ ...place, range, above }] : [];
  }),
});

function moved(shown: Shown, edits: readonly (readonly vscode.TextDocumentContentChangeEvent[])[]): Shown {
  if (edits.length === 0) return shown;
  const changes = edits.flatMap((edit) => edit.map(({ rangeOffset, rangeLength, text }) => ({ offset: rangeOffset, removed: rangeLength, text }))); // prettier-ignore
  const lines = moveRanges(shown.lines.map(({ range }) => range), changes); // prettier-ignore
  const ranges = moveRanges(shown.attentions.map(({ range }) => range), changes); // prettier-ignore
  const above = moveRanges(shown.attentions.map((place) => place.above), changes); // prettier-ignore
  return {
    hasAttention: shown.hasAttention,
    lines: shown.lines.map((line, i) => ({ ...line, range: lines[i] ?? line.range })),
    attentions: shown.attentions.map((place, i) => ({ ...place, range: ranges[i] ?? place.range, above: above[i] ?? place.above })), // prettier-ignore
  };
}
