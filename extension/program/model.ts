import * as vscode from 'vscode';
import {
  inStretches,
  wholeOfLoop,
  type DocumentPlace,
  type DocumentStop,
  type PlacePart,
  type Questions,
  type ShownModel,
  type TextRange,
  type WholeLoop,
} from '../../engine/index';
import { formulaLanguages } from '../activation';
import { rangeIn } from '../documents';
import type { PlaceBeside } from '../explain';
import { commandUri, escapeMarkdown } from '../hover';
import { attentionLensEnabled } from '../hover-settings';
import { bookOf, inDocument, storedOutputs, type Formulary } from '../program-client';

/** Asks the process that reads formulas for the model of a whole document. Undefined if it was cancelled, or cannot be started. */
export type ModelReader = (
  asked: Omit<Questions['model']['asked'], 'files'>,
  document: vscode.Uri,
  token?: vscode.CancellationToken,
) => Promise<ShownModel | undefined>;

/** A model with the text that it was read from, of which the document may be one cell. */
export interface ModelOfDocument {
  readonly model: ShownModel;
  readonly book: Formulary;
}

/** Lists what the active document says about its attention, and what was not understood. */
export const outlineCommand = 'explainAttention.outline';

/** The commands that lenses call. */
export interface ModelCommands {
  readonly explain: string;
  readonly outline: string;
  readonly along: string;
}

/** Whether a document is being read from place to place. */
export interface ReadingAlong {
  reads(document: vscode.TextDocument): boolean;
  /** Another document is read, or none. */
  readonly changed: vscode.Event<void>;
}

/** Undefined for a document without attention, or one that was edited meanwhile. */
export async function modelOf(
  document: vscode.TextDocument,
  read: ModelReader,
  token?: vscode.CancellationToken,
): Promise<ModelOfDocument | undefined> {
  const [{ version }, book] = [document, bookOf(document)];
  if (!book) return undefined;
  const outputs = storedOutputs(book.cells ?? []).map(({ cell, text }) => ({ cell, text }));
  // Only code has numbers to compare outputs with.
  const languageId = document.languageId === 'python' ? 'markdown' : book.languageId;
  const asked = { text: book.text, languageId, outputs };
  const first = await read(asked, document.uri, token);
  const wholes = first && (await wholesOf(book.text, first, token));
  const model = wholes?.length ? await read({ ...asked, wholes }, document.uri, token) : first;
  return model && document.version === version ? { model, book } : undefined;
}

/** The queries of each loop together, where the text's names and matrices give them all; worked out once for a text. */
async function wholesOf(
  text: string,
  { loops }: ShownModel,
  token?: vscode.CancellationToken,
): Promise<readonly WholeLoop[]> {
  if (loops.length === 0) return [];
  if (lastWholes?.text === text) return lastWholes.wholes;
  const wholes: WholeLoop[] = [];
  for (const { attention, spec, calls } of loops) {
    const whole = await inStretches(wholeOfLoop(text, spec, calls), () => token?.isCancellationRequested === true);
    if (whole) wholes.push({ attention, spec: whole });
  }
  if (!token?.isCancellationRequested) lastWholes = { text, wholes };
  return wholes;
}

let lastWholes: { readonly text: string; readonly wholes: readonly WholeLoop[] } | undefined;

/** What the command of a lens, of a hover's link or of a list is given: it shows the step of a part. */
export const targetOfPart = (document: vscode.TextDocument, { start, end }: TextRange, part: PlacePart): object => {
  const { match, attention, step } = part;
  const { form, at: [first = 0, second = 0] = [], head } = match ?? {};
  const cell = form === 'cell' ? [first, second] : form === 'row' ? [first, 0] : form === 'column' ? [0, first] : undefined; // prettier-ignore
  const shows = { attention, step, ...(cell ? { cell } : {}), ...(head === undefined ? {} : { head }) };
  return { uri: document.uri.toString(), start, end, code: true, shows };
};

/** The same of a stop on the way through the document. */
export const targetOfStop = (
  document: vscode.TextDocument,
  { start, end }: TextRange,
  { attention, step, cell, head }: DocumentStop,
): object => ({
  uri: document.uri.toString(),
  start,
  end,
  code: true,
  shows: { attention, step, ...(cell ? { cell } : {}), ...(head === undefined ? {} : { head }) },
});

/** Where the steps of the attention that stands in a range stand too: formulas, lines of code and written numbers. */
export async function placesBeside(
  document: vscode.TextDocument,
  span: TextRange,
  read: ModelReader,
): Promise<readonly PlaceBeside[]> {
  const found = await modelOf(document, read);
  if (!found) return [];
  const { model, book } = found;
  const attention = model.attentions.findIndex((one) => one && one.span.start === span.start && one.span.end === span.end); // prettier-ignore
  return model.places.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      const range = part.attention === attention ? inDocument(book, part.range) : undefined;
      const { form, at: [first = 0, second = 0] = [] } = part.match ?? {};
      const of = form === 'row' ? { row: first } : form === 'column' ? { column: first } : form === 'cell' ? { row: first, column: second } : {}; // prettier-ignore
      return range ? [{ id: part.step, range, isLine: part.kind === 'code', ...of }] : [];
    }),
  );
}

/** The part that a place shows first. */
export const mainPart = ({ parts, attention, step }: DocumentPlace): PlacePart | undefined =>
  parts.find((part) => part.attention === attention && part.step === step);

/** Registers lenses above printed numbers and formulas of steps, and one above the first place that leads through the document. */
export function registerModel(read: ModelReader, commands: ModelCommands, reading: ReadingAlong): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const { workspace, languages } = vscode;
  return vscode.Disposable.from(
    changed,
    reading.changed(() => changed.fire()),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('explainAttention.attentionLens')) changed.fire();
    }),
    languages.registerCodeLensProvider(
      [...formulaLanguages.map((language) => ({ language })), { language: 'python', scheme: 'vscode-notebook-cell' }],
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: (document, token) =>
          attentionLensEnabled(document) && !token.isCancellationRequested
            ? modelLenses(document, read, commands, reading, token)
            : [],
      },
    ),
  );
}

async function modelLenses(
  document: vscode.TextDocument,
  read: ModelReader,
  commands: ModelCommands,
  { reads }: ReadingAlong,
  token: vscode.CancellationToken,
): Promise<vscode.CodeLens[]> {
  const found = await modelOf(document, read, token);
  if (!found) return [];
  // While it is read, the row above the place belongs to the way through the document.
  return [...(reads(document) ? [] : firstLens(document, found, commands)), ...placeLenses(document, found, commands)];
}

/** Above the first place of the document, in the cell that has it. */
function firstLens(
  document: vscode.TextDocument,
  { model, book }: ModelOfDocument,
  { outline, along }: ModelCommands,
): readonly vscode.CodeLens[] {
  const { stops, unread } = model;
  const own = stops[0] && inDocument(book, stops[0].range);
  if (!own) return [];
  const { t } = vscode.l10n;
  const title = unread.length === 0 ? t('{0} places belong to the attention', stops.length) : t('{0} places belong to the attention · {1} not understood', stops.length, unread.length); // prettier-ignore
  const of = { arguments: [document.uri.toString()] };
  return [
    new vscode.CodeLens(rangeIn(document, own), { title: `$(book) ${t('Read Along')}`, command: along, ...of }),
    new vscode.CodeLens(rangeIn(document, own), { title, command: outline, ...of }),
  ];
}

/** Numbers of a notebook's outputs have lenses of their own, and so have attentions. */
function placeLenses(
  document: vscode.TextDocument,
  { model: { places, attentions }, book }: ModelOfDocument,
  { explain }: ModelCommands,
): readonly vscode.CodeLens[] {
  const isAttention = ({ range }: DocumentPlace): boolean => attentions.some((one) => one?.span.start === range.start);
  return places.flatMap((place) => {
    const own = inDocument(book, place.range);
    const part = mainPart(place);
    const isShown = place.kind === 'numbers' ? !part?.inOutput : place.kind === 'formula' && !isAttention(place); // prettier-ignore
    if (!own || !part || !place.isDisplay || !isShown) return [];
    const title = place.kind === 'numbers' ? vscode.l10n.t('This is {0}', place.title) : vscode.l10n.t('Explain Attention · {0}', place.title); // prettier-ignore
    return [new vscode.CodeLens(rangeIn(document, own), { title, command: explain, arguments: [targetOfPart(document, own, part)] })]; // prettier-ignore
  });
}

/** What stands at an offset, as a paragraph of a hover with a link to the step. */
export const placeParagraph =
  (read: ModelReader, explain: string) =>
  async (
    document: vscode.TextDocument,
    offset: number,
    token: vscode.CancellationToken,
  ): Promise<string | undefined> => {
    const found = await modelOf(document, read, token);
    if (!found) return undefined;
    const at = found.book.start + offset;
    const inside = (place: DocumentPlace): boolean => place.range.start <= at && at <= place.range.end;
    const place = found.model.places.filter(inside).at(-1);
    const part = place && mainPart(place);
    const own = place && inDocument(found.book, place.range);
    if (!part || !own) return undefined;
    const link = commandUri(explain, targetOfPart(document, own, part));
    return `[${escapeMarkdown(vscode.l10n.t('This is {0}', place.title))}](${link})  \n${escapeMarkdown(place.says)}`;
  };

interface Item extends vscode.QuickPickItem {
  readonly range?: TextRange;
  readonly part?: PlacePart;
}

/** Lists what was understood and what was not, in reading order, and goes where the reader chooses. */
export async function showOutline(
  document: vscode.TextDocument,
  read: ModelReader,
  show: (document: vscode.TextDocument, range: TextRange) => Promise<void>,
  explain: string,
): Promise<void> {
  const found = await modelOf(document, read);
  const { t } = vscode.l10n;
  if (!found || found.model.places.length + found.model.unread.length === 0)
    return void vscode.window.showInformationMessage(t('No attention was found in this document.'));
  const chosen = await vscode.window.showQuickPick(itemsOf(document, found), {
    title: t('What this document says about its attention, in reading order'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!chosen?.range) return;
  await show(document, chosen.range);
  if (chosen.part) await vscode.commands.executeCommand(explain, targetOfPart(document, chosen.range, chosen.part));
}

function itemsOf(document: vscode.TextDocument, { model, book }: ModelOfDocument): readonly Item[] {
  const { t } = vscode.l10n;
  const icons = { formula: '$(symbol-operator)', code: '$(code)', numbers: '$(symbol-array)' };
  const lineOf = (range: TextRange): string => t('line {0}', document.positionAt(range.start).line + 1);
  const within = <T>(range: TextRange, make: (own: TextRange) => T): readonly (T & { readonly at: number })[] => {
    const own = inDocument(book, range);
    return own ? [{ ...make(own), at: own.start }] : [];
  };
  const places = model.places.filter(({ isStop }) => isStop).flatMap((place) =>
    within(place.range, (range): Item => {
      const part = mainPart(place);
      return { label: `${icons[place.kind]} ${place.title}`, description: lineOf(range), detail: place.says, range, ...(part ? { part } : {}) }; // prettier-ignore
    }),
  ); // prettier-ignore
  const unread = model.unread.flatMap(
    ({ range, message, hint }) =>
    within(range, (own): Item => ({ label: `$(question) ${t('Not understood: {0}', message)}`, description: lineOf(own), range: own, ...(hint === undefined ? {} : { detail: hint }) })), // prettier-ignore
  );
  const unmatched = model.unmatched.flatMap(
    (range) =>
    within(range, (own): Item => ({ label: `$(circle-slash) ${t('No step has these numbers')}`, description: lineOf(own), range: own })), // prettier-ignore
  );
  return [...places, ...unread, ...unmatched].sort((a, b) => a.at - b.at);
}
