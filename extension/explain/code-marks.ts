import * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import type { View } from '../../webview/protocol';
import { moveRanges, showRange } from '../documents';
import { stepAround, type ProgramAttention, type StepPlace } from './program-place';

/** Synchronises the panel's current step with the lines of the code that it explains. */
export interface CodeMarks extends vscode.Disposable {
  /** Sets the attention that the panel shows; undefined if it shows none of a program. */
  shows(attention: ProgramAttention | undefined): void;
  /** Marks the lines of the step that the panel shows. `reveal` also scrolls the editor to them. */
  stepShown(step: string, cell: readonly number[] | undefined, reveal: boolean): Promise<void>;
}

export interface CodeMarkEvents {
  /** The cursor was put on a line of another step. */
  readonly goTo: (step: string) => void;
  /** The code was edited, and then not for a moment. `at` is the attention's range now. */
  readonly edited: (document: vscode.TextDocument, at: TextRange, view: View) => void;
}

/** Debounce of edits before the code is read again, in milliseconds. */
const debounceMs = 300;

/** Decorates the current step's lines in the editors of its document, and tracks the ranges of all steps through edits. */
export function createCodeMarks({ goTo, edited }: CodeMarkEvents): CodeMarks {
  const mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    borderColor: new vscode.ThemeColor('focusBorder'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 2px',
    overviewRulerColor: new vscode.ThemeColor('focusBorder'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  /** A part of a formula: several may stand on one line. */
  const partMark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
    borderColor: new vscode.ThemeColor('focusBorder'),
    borderStyle: 'solid',
    borderWidth: '0 0 2px 0',
    overviewRulerColor: new vscode.ThemeColor('focusBorder'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  let shown: ProgramAttention | undefined;
  let steps: readonly StepPlace[] = [];
  let current: string | undefined;
  let cell: readonly number[] | undefined;
  let edits = 0;

  const rangeOf = (id: string | undefined): TextRange | undefined => steps.find((step) => step.id === id)?.range;
  const draw = (): void => {
    const range = rangeOf(current);
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const own = document === shown?.document && range;
      const lines = own && new vscode.Range(document.positionAt(own.start), document.positionAt(own.end));
      editor.setDecorations(mark, lines && !shown?.byParts ? [lines] : []);
      editor.setDecorations(partMark, lines && shown?.byParts ? [lines] : []);
    }
  };
  const follow = ({ document, contentChanges }: vscode.TextDocumentChangeEvent): void => {
    if (document !== shown?.document || contentChanges.length === 0) return;
    const changes = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({ offset: rangeOffset, removed: rangeLength, text })); // prettier-ignore
    const moved = moveRanges(steps.map(({ range }) => range), changes); // prettier-ignore
    steps = steps.map((step, i) => ({ ...step, range: moved[i] ?? step.range }));
    draw();
    const edit = ++edits;
    setTimeout(() => {
      if (edit !== edits) return;
      const at = rangeOf('weights') ?? rangeOf('scores');
      const view = { ...(current === undefined ? {} : { step: current }), ...(cell ? { cell } : {}) };
      if (at) edited(document, at, view);
    }, debounceMs);
  };
  /** The step of a line. If the line has several: none if the current step is one of them, so that it stays, else the last, which has the line's result. */
  const stepAt = (document: vscode.TextDocument, line: number): string | undefined => {
    const there = steps.filter(({ range }) => {
      const [first, last] = [document.positionAt(range.start).line, document.positionAt(range.end).line];
      return first <= line && line <= last;
    });
    return there.some(({ id }) => id === current) ? undefined : there.at(-1)?.id;
  };
  const caret = ({ textEditor, selections }: vscode.TextEditorSelectionChangeEvent): void => {
    const [selection] = selections;
    if (textEditor.document !== shown?.document || !selection?.isEmpty) return;
    const offset = textEditor.document.offsetAt(selection.active);
    const part = shown.byParts ? stepAround(steps, { start: offset, end: offset }) : undefined;
    if (part !== undefined && part === current) return;
    const step = shown.byParts ? part : stepAt(textEditor.document, selection.active.line);
    if (step !== undefined) goTo(step);
  };
  const listening = vscode.Disposable.from(
    mark,
    partMark,
    vscode.workspace.onDidChangeTextDocument(follow),
    vscode.window.onDidChangeVisibleTextEditors(draw),
    vscode.window.onDidChangeTextEditorSelection(caret),
  );

  return {
    shows(attention) {
      edits++;
      [shown, steps] = [attention, attention?.steps ?? []];
      if (!attention) current = undefined;
      draw();
    },
    async stepShown(step, at, reveal) {
      [current, cell] = [step, at];
      draw();
      const range = rangeOf(step);
      if (reveal && shown && range) await showRange(shown.document, range);
    },
    dispose() {
      edits++;
      listening.dispose();
    },
  };
}
