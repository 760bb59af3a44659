import * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import type { View } from '../../webview/protocol';
import { moveRanges, rangeIn, showRange } from '../documents';
import { stepAround, type ProgramAttention, type StepPlace } from './program-place';

/** Synchronises the panel's current step with the lines of the code that it explains. */
export interface CodeMarks extends vscode.Disposable {
  /** Sets the attention that the panel shows; undefined if it shows none of a program. */
  shows(attention: ProgramAttention | undefined): void;
  /** Marks the lines of the step that the panel shows. `reveal` also scrolls the editor to them. */
  stepShown(step: string, cell: readonly number[] | undefined, reveal: boolean): Promise<void>;
}

/** A place of a step; of numbers that are a row, a column or a cell of it, which. */
export interface PlaceBeside {
  readonly id: string;
  readonly range: TextRange;
  readonly isLine: boolean;
  readonly row?: number;
  readonly column?: number;
}

export interface CodeMarkEvents {
  /** Where else in its document the steps of an attention stand. */
  readonly beside?: (attention: ProgramAttention) => Promise<readonly PlaceBeside[]>;
  /** The cursor was put on a line of another step. */
  readonly goTo: (step: string) => void;
  /** The code was edited, and then not for a moment. `at` is the attention's range now. */
  readonly edited: (document: vscode.TextDocument, at: TextRange, view: View) => void;
}

/** Debounce of edits before the code is read again, in milliseconds. */
const debounceMs = 300;

/** Decorates the current step's lines in the editors of its document, and tracks the ranges of all steps through edits. */
export function createCodeMarks({ beside, goTo, edited }: CodeMarkEvents): CodeMarks {
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
  let others: readonly PlaceBeside[] = [];
  let current: string | undefined;
  let cell: readonly number[] | undefined;
  let edits = 0;

  const rangeOf = (id: string | undefined): TextRange | undefined => steps.find((step) => step.id === id)?.range;
  const draw = (): void => {
    const range = rangeOf(current);
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const own = document === shown?.document && range;
      const also =
        document === shown?.document ? others.filter((one) => one.id === current && isOfCell(one, cell)) : [];
      const besides = (isLine: boolean): vscode.Range[] => also.filter((one) => one.isLine === isLine).map(({ range: at }) => rangeIn(document, at)); // prettier-ignore
      editor.setDecorations(mark, [...(own && !shown?.byParts ? [rangeIn(document, own)] : []), ...besides(true)]);
      editor.setDecorations(partMark, [...(own && shown?.byParts ? [rangeIn(document, own)] : []), ...besides(false)]);
    }
  };
  const follow = ({ document, contentChanges }: vscode.TextDocumentChangeEvent): void => {
    if (document !== shown?.document || contentChanges.length === 0) return;
    const changes = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({ offset: rangeOffset, removed: rangeLength, text })); // prettier-ignore
    const moved = moveRanges(steps.map(({ range }) => range), changes); // prettier-ignore
    steps = steps.map((step, i) => ({ ...step, range: moved[i] ?? step.range }));
    const movedOthers = moveRanges(others.map(({ range }) => range), changes); // prettier-ignore
    others = others.map((one, i) => ({ ...one, range: movedOthers[i] ?? one.range }));
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
    const inside = ({ range }: PlaceBeside): boolean => range.start <= offset && offset <= range.end;
    const other = stepAround(others.filter((one) => !one.isLine && inside(one)), { start: offset, end: offset }); // prettier-ignore
    if (other !== undefined && other !== current) return goTo(other);
    if (other !== undefined) return;
    const part = shown.byParts ? stepAround(steps, { start: offset, end: offset }) : undefined;
    if (part !== undefined && part === current) return;
    const step = shown.byParts ? part : stepAt(textEditor.document, selection.active.line);
    if (step !== undefined) goTo(step);
  };
  const findOthers = async (attention: ProgramAttention): Promise<void> => {
    const found = (await beside?.(attention)) ?? [];
    if (shown !== attention) return;
    const isOwn = ({ id, range }: PlaceBeside): boolean => steps.some((step) => step.id === id && step.range.start === range.start && step.range.end === range.end); // prettier-ignore
    others = found.filter((one) => !isOwn(one));
    draw();
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
      others = [];
      if (!attention) current = undefined;
      draw();
      if (attention) void findOthers(attention);
    },
    async stepShown(step, at, reveal) {
      [current, cell] = [step, at];
      draw();
      const range = rangeOf(step) ?? others.find(({ id }) => id === step)?.range;
      if (reveal && shown && range) await showRange(shown.document, range);
    },
    dispose() {
      edits++;
      listening.dispose();
    },
  };
}

/** Numbers that are one row, column or cell of a step belong to a cell that is selected there. */
const isOfCell = ({ row, column }: PlaceBeside, [atRow, atColumn]: readonly number[] = []): boolean =>
  (row === undefined || atRow === undefined || row === atRow) &&
  (column === undefined || atColumn === undefined || column === atColumn);
