import * as vscode from 'vscode';
import type { AttentionPlace, LineShapes, Places } from '../../engine/index';
import { moveRanges } from '../documents';
import { codeOf, inDocument, ranAt, type Code } from '../program-client';

/** Asks the process that reads programs for what is computed where. Undefined if it was cancelled, or the process cannot be started. */
export interface PlacesReader {
  /** The shapes of lines alone, which come first. */
  readonly lines: (text: string, document: vscode.Uri) => Promise<readonly LineShapes[] | undefined>;
  readonly places: (text: string, document: vscode.Uri) => Promise<Places | undefined>;
}

/** What is shown in a document, with ranges in it. */
export interface Shown {
  /**
   * Whether the program computes attention, or did at an earlier reading: while a line is being typed, the program may be incomplete. Also where code
   * with attention's words raises: what stops it may be what keeps it from attention.
   */
  readonly isShown: boolean;
  readonly lines: readonly LineShapes[];
  readonly attentions: readonly AttentionPlace[];
}

interface State {
  shown: Shown | undefined;
  /** The program that `shown` was read from. Undefined after an edit. */
  text: string | undefined;
  /** How often imported files had changed when the reading began. */
  age: number;
  /** Edits since the current reading began. */
  changes: vscode.TextDocumentContentChangeEvent[][];
  reading: Promise<void> | undefined;
}

export interface ShownPlaces extends vscode.Disposable {
  /** What is shown in a document. After an edit, the earlier result with its ranges moved, until the program has been read again. */
  of(document: vscode.TextDocument): Promise<Shown | undefined>;
  /** Fires when `of` has a new result. */
  readonly changed: vscode.Event<void>;
}

/** `stale` fires when a file that some program imports has changed: then programs are read again, though their own text is the same. */
export function createShownPlaces(read: PlacesReader, stale: vscode.Event<void>): ShownPlaces {
  let age = 0;
  const states = new WeakMap<vscode.TextDocument, State>();
  const changed = new vscode.EventEmitter<void>();
  const edits = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    const state = states.get(document);
    if (!state || contentChanges.length === 0) return;
    state.changes.push([...contentChanges]);
    state.text = undefined;
    if (state.shown) state.shown = moved(state.shown, [[...contentChanges]]);
  });

  const aging = stale(() => {
    age++;
    changed.fire();
  });

  /**
   * Reads the document until the result is up to date. Edits during a reading cause another one after it. After an edit shapes are shown before the
   * attentions are read.
   */
  const refresh = async (document: vscode.TextDocument, state: State): Promise<void> => {
    for (let code = codeOf(document); !document.isClosed; code = codeOf(document)) {
      if (state.text === (code?.text ?? '') && state.age === age) return;
      [state.changes, state.age] = [[], age];
      const had = state.shown?.isShown === true;
      if (code && had) {
        const lines = await read.lines(code.text, document.uri);
        if (!lines) return;
        const shapes = moved(within(code, { lines, attentions: [] }, had), state.changes);
        state.shown = withSamples(document, shapes, state.shown);
        changed.fire();
        if (state.changes.length > 0) continue;
      }
      const places = code && (await read.places(code.text, document.uri));
      if (code && !places) return;
      state.shown = code && places ? moved(within(code, places, had), state.changes) : undefined;
      if (state.changes.length === 0) state.text = code?.text ?? '';
      changed.fire();
    }
  };

  return {
    changed: changed.event,
    async of(document) {
      const state = states.get(document) ?? { shown: undefined, text: undefined, age, changes: [], reading: undefined };
      states.set(document, state);
      const isFirst = state.text === undefined && !state.shown;
      state.reading ??= refresh(document, state).finally(() => (state.reading = undefined));
      if (isFirst) await state.reading;
      return state.shown;
    },
    dispose: () => vscode.Disposable.from(edits, aging, changed).dispose(),
  };
}

/** Lines that only samples know, and attentions, are those of the reading before until these are sampled: else they would blink at each keystroke. */
function withSamples(document: vscode.TextDocument, now: Shown, before: Shown | undefined): Shown {
  const lineOf = ({ range }: LineShapes): number => document.positionAt(range.start).line;
  const known = new Set(now.lines.map(lineOf));
  const kept = before?.lines.filter((line) => line.sample && !known.has(lineOf(line))) ?? [];
  return { ...now, lines: [...now.lines, ...kept], attentions: before?.attentions ?? [] };
}

/** The part of a program's result that belongs to the document, with ranges in the document. */
const within = (code: Code, { lines, attentions }: Places, had: boolean): Shown => ({
  isShown: had || attentions.length > 0 || lines.some((line) => line.error !== undefined && !ranAt(code, line.range)),
  lines: lines.flatMap((line) => {
    const range = inDocument(code, line.range);
    return range && !(line.error !== undefined && ranAt(code, line.range)) ? [{ ...line, range }] : [];
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
    isShown: shown.isShown,
    lines: shown.lines.map((line, i) => ({ ...line, range: lines[i] ?? line.range })),
    attentions: shown.attentions.map((place, i) => ({ ...place, range: ranges[i] ?? place.range, above: above[i] ?? place.above })), // prettier-ignore
  };
}
