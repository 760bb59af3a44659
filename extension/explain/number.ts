import * as vscode from 'vscode';
import type { NumberPlace, TextRange } from '../../engine/index';
import { codeOf, type Code, type ProgramClient } from '../program-client';
import { unravelIndex, type ShownProgramPart } from './program-view';
import type { ProgramAttention } from './program-place';

/** A number of a step, or why there is none. */
export type FoundNumber =
  | { readonly ok: true; readonly document: vscode.TextDocument; readonly at: TextRange; readonly which: number; readonly shownPart: ShownProgramPart } // prettier-ignore
  | { readonly ok: false; readonly why: string };

interface Program {
  readonly document: vscode.TextDocument;
  readonly code: Code;
}

/** Finds the number at the cursor, else a typed one, among the steps of a program. Undefined if the reader left a box. */
export async function findNumber(
  programs: ProgramClient,
  shown: ProgramAttention | undefined,
): Promise<FoundNumber | undefined> {
  const editor = vscode.window.activeTextEditor;
  const program = programOf([editor?.document, shown?.document, ...shownCells()]);
  if (!program) return { ok: false, why: vscode.l10n.t('No attention is computed by code here.') };
  const number = (editor && numberAt(editor)) ?? (await typedNumber());
  if (!number) return undefined;
  const { document, code } = program;
  const cells = code.cells?.map(({ start, number: own }) => ({ start, number: own })) ?? [];
  const reply = await programs.ask('number', { text: code.text, number, cells }, document.uri);
  if (!reply) return undefined;
  if ('failure' in reply) return { ok: false, why: reply.failure };
  const found = reply.answer;
  if (found.places.length === 0) return { ok: false, why: notFound(found, number.text.trim()) };
  const place = found.places.length > 1 ? await chosenOf(found) : found.places[0];
  if (!place) return undefined;
  const { attention: which, step, index } = place;
  return { ok: true, document, at: code.blocks?.[0] ?? { start: 0, end: 0 }, which, shownPart: { step, index } };
}

/** Only the last attentions of a long program are looked through. */
function notFound({ number, lookedThrough }: { number?: string; lookedThrough?: number }, typed: string): string {
  return lookedThrough === undefined
    ? vscode.l10n.t('No number of a step is printed as {0}.', number ?? typed)
    : vscode.l10n.t(
        'No number of a step of the last {0} attentions is printed as {1}.',
        lookedThrough,
        number ?? typed,
      );
}

const programOf = (documents: readonly (vscode.TextDocument | undefined)[]): Program | undefined =>
  documents.flatMap((document) => {
    const code = document && codeOf(document);
    return code ? [{ document, code }] : [];
  })[0];

/** The selected cell of the active notebook, then its others: an output that has the focus is in no editor. */
const shownCells = (): readonly vscode.TextDocument[] => {
  const editor = vscode.window.activeNotebookEditor;
  const cells = editor?.notebook.getCells() ?? [];
  const first = cells[editor?.selection.start ?? 0];
  return [...(first ? [first] : []), ...cells].map(({ document }) => document);
};

/** Lines around the cursor that are read with it: a matrix may be printed over some. */
const maxParagraphLines = 100;

/** The number at the cursor, in the paragraph in which it stands. */
function numberAt({ document, selection: { start } }: vscode.TextEditor): { text: string; offset: number } | undefined {
  const isBlank = (line: number): boolean => document.lineAt(line).isEmptyOrWhitespace;
  const range = document.getWordRangeAtPosition(start, /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/);
  if (!range) return undefined;
  let [first, last] = [start.line, start.line];
  while (first > 0 && start.line - first < maxParagraphLines && !isBlank(first - 1)) first--;
  while (last + 1 < document.lineCount && last - start.line < maxParagraphLines && !isBlank(last + 1)) last++;
  const whole = new vscode.Range(first, 0, last, document.lineAt(last).text.length);
  return { text: document.getText(whole), offset: document.offsetAt(range.start) - document.offsetAt(whole.start) };
}

async function typedNumber(): Promise<{ text: string; offset: number } | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Explain This Number'),
    prompt: vscode.l10n.t('A number as it is printed, such as 0.2996'),
  });
  const text = typed?.trim() ?? '';
  return text === '' ? undefined : { text, offset: 0 };
}

interface Listed {
  readonly number?: string;
  readonly places: readonly NumberPlace[];
  readonly all: readonly { readonly label: string }[];
  readonly isCut: boolean;
  readonly lookedThrough?: number;
}

async function chosenOf({ number = '', places, all, isCut, lookedThrough }: Listed): Promise<NumberPlace | undefined> {
  const items = places.map((place) => ({
    label: `${place.name}[${unravelIndex(place.index, place.shape).join(', ')}] = ${place.value}`,
    description: all[place.attention]?.label ?? '',
    place,
  }));
  const title = vscode.l10n.t('{0} stands at several places', number);
  const limits = [
    ...(isCut ? [vscode.l10n.t('The first {0} places are listed.', places.length)] : []),
    ...(lookedThrough === undefined
      ? []
      : [vscode.l10n.t('The last {0} attentions were looked through.', lookedThrough)]),
  ];
  const more = limits.length > 0 ? { placeHolder: limits.join(' ') } : {};
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true, ...more }))?.place;
}
