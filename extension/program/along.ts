import * as vscode from 'vscode';
import type { DocumentStop, TextRange } from '../../engine/index';
import type { AlongPlace, AlongStop } from '../../webview/protocol';
import { formulaLanguages } from '../activation';
import { moveRanges, rangeIn } from '../documents';
import { inDocument } from '../program-client';
import { modelOf, targetOfStop, type ModelReader, type ReadingAlong } from './model';

/** Commands of Read Along: it begins or goes on, leads on and back, plays by itself, faster and slower, and ends. */
export const alongCommands = {
  begin: 'explainAttention.readAlong',
  next: 'explainAttention.alongNext',
  previous: 'explainAttention.alongPrevious',
  play: 'explainAttention.alongPlay',
  faster: 'explainAttention.alongFaster',
  stop: 'explainAttention.alongStop',
} as const;

/** While it is read: for keys and the command palette. */
const context = 'explainAttention.readingAlong';

/** What Read Along asks of others. */
export interface AlongParts {
  readonly read: ModelReader;
  /** Shows the step of a target in the panel. */
  readonly explain: (target: object) => Promise<unknown>;
  /** Goes to another step of what the panel shows. */
  readonly goTo: (step: string) => void;
  readonly show: (document: vscode.TextDocument, range: TextRange) => Promise<void>;
  /** Tells the panel the place, which it shows with the buttons; undefined at the end. */
  readonly tell: (place: AlongPlace | undefined) => void;
  readonly memento: vscode.Memento;
}

/** The document that is read, and where the reader is. */
interface Reading {
  readonly document: vscode.TextDocument;
  readonly at: number;
  readonly of: number;
  readonly stop: DocumentStop;
  readonly range: TextRange;
  /** The whole way, in the document as it was read. */
  readonly way: readonly AlongStop[];
}

export interface Along extends vscode.Disposable, ReadingAlong {
  begin(document: vscode.TextDocument): Promise<void>;
  move(by: number): Promise<void>;
  play(): void;
  faster(): void;
  stop(): Promise<void>;
  /** The way that is being read, for a page that is saved: steps are those of the attention that the panel shows. */
  way(): readonly AlongStop[];
}

/** Milliseconds for a sentence: a pause, and as long as reading it takes. */
const pauseOf = ({ says }: DocumentStop): number => 2500 + 50 * says.length;

const placeKey = (uri: vscode.Uri): string => `along.${uri.toString()}`;

const paces = [
  ['½×', 0.5],
  ['1×', 1],
  ['2×', 2],
] as const;

/** Whether the reader wants nothing to move by itself. */
const isStill = (): boolean => vscode.workspace.getConfiguration('workbench').get('reduceMotion') === 'on';

/** Plays a document from top to bottom: each place marked, with what leads on above it, its step in the panel, and a sentence. It plays until the reader pauses it, except for readers who want no motion. */
export function createAlong({ read, explain, goTo, show, tell, memento }: AlongParts): Along {
  const [changed, turned] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<void>()];
  const mark = vscode.window.createTextEditorDecorationType({
    border: '1px solid',
    borderColor: new vscode.ThemeColor('focusBorder'),
    overviewRulerColor: new vscode.ThemeColor('focusBorder'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  let reading: Reading | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The attention that the panel shows for it, in a version of the document. */
  let shown = '';
  let request = 0;
  let pace = 1;

  const draw = (): void => {
    for (const editor of vscode.window.visibleTextEditors) {
      const own = reading?.document === editor.document ? reading.range : undefined;
      editor.setDecorations(mark, own ? [rangeIn(editor.document, own)] : []);
    }
    changed.fire();
    tell(reading && { at: reading.at + 1, of: reading.of, says: reading.stop.says, playing: timer !== undefined, pace: (paces[pace] ?? paces[1])[0] }); // prettier-ignore
  };
  const pause = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const end = async (): Promise<void> => {
    request++;
    pause();
    [reading, shown] = [undefined, ''];
    draw();
    turned.fire();
    await vscode.commands.executeCommand('setContext', context, false);
  };
  const goToStop = async (document: vscode.TextDocument, wanted: number | undefined): Promise<void> => {
    const own = ++request;
    const { version } = document;
    const found = await modelOf(document, read);
    if (own !== request) return;
    if (!found && document.version !== version && !document.isClosed) return goToStop(document, wanted);
    const stops = found ? found.model.stops.filter(({ range }) => inDocument(found.book, range)) : [];
    const at = Math.max(0, Math.min(stops.length - 1, wanted ?? firstToShow(stops)));
    const stop = stops[at];
    const range = stop && found && inDocument(found.book, stop.range);
    if (!stop || !range) {
      await end();
      return void vscode.window.showInformationMessage(vscode.l10n.t('No attention was found in this document.'));
    }
    const way = stops.flatMap((one) => wayStop(document, inDocument(found.book, one.range), one, stop.attention));
    reading = { document, at, of: stops.length, stop, range, way };
    await vscode.commands.executeCommand('setContext', context, true);
    await memento.update(placeKey(document.uri), at);
    await show(document, range);
    const attention = `${document.uri.toString()} ${document.version} ${stop.attention}`;
    if (attention === shown && !stop.cell) goTo(stop.step);
    else await explain(targetOfStop(document, range, stop));
    if (own !== request) return;
    shown = attention;
    if (timer !== undefined) schedule();
    draw();
  };
  const schedule = (): void => {
    clearTimeout(timer);
    const now = reading;
    if (!now) return;
    timer = setTimeout(
      () => {
        if (now.at + 1 < now.of) return void goToStop(now.document, now.at + 1);
        pause();
        draw();
      },
      pauseOf(now.stop) / (paces[pace] ?? paces[1])[1],
    );
  };
  const lenses = (document: vscode.TextDocument): vscode.CodeLens[] => {
    if (reading?.document !== document) return [];
    const { at, of, range } = reading;
    const { t } = vscode.l10n;
    const lens = (title: string, command: string, tooltip: string): vscode.CodeLens => new vscode.CodeLens(rangeIn(document, range), { title, command, tooltip }); // prettier-ignore
    return [
      ...(at > 0 ? [lens(`$(arrow-left) ${t('Back')}`, alongCommands.previous, t('Read Along: the place before'))] : []), // prettier-ignore
      timer === undefined ? lens(`$(play) ${t('{0} of {1}', at + 1, of)}`, alongCommands.play, t('Read Along: go on by itself')) : lens(`$(debug-pause) ${t('{0} of {1}', at + 1, of)}`, alongCommands.play, t('Read Along: wait here')), // prettier-ignore
      ...(at + 1 < of ? [lens(`$(arrow-right) ${t('Next')}`, alongCommands.next, t('Read Along: the next place'))] : []), // prettier-ignore
      lens(`$(close) ${t('End')}`, alongCommands.stop, t('Read Along: end')),
    ];
  };
  const follow = ({ document, contentChanges }: vscode.TextDocumentChangeEvent): void => {
    if (reading?.document !== document || contentChanges.length === 0) return;
    const changes = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({ offset: rangeOffset, removed: rangeLength, text })); // prettier-ignore
    const [range = reading.range] = moveRanges([reading.range], changes);
    reading = { ...reading, range };
    draw();
  };
  const listening = vscode.Disposable.from(
    mark,
    changed,
    turned,
    vscode.workspace.onDidChangeTextDocument(follow),
    vscode.window.onDidChangeVisibleTextEditors(draw),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (reading?.document === document) void end();
    }),
    vscode.languages.registerCodeLensProvider(
      [...formulaLanguages.map((language) => ({ language })), { language: 'python', scheme: 'vscode-notebook-cell' }],
      { onDidChangeCodeLenses: changed.event, provideCodeLenses: lenses },
    ),
  );
  return {
    way: () => reading?.way ?? [],
    changed: turned.event,
    reads: (document) => reading?.document === document,
    faster() {
      pace = (pace + 1) % paces.length;
      if (timer !== undefined) schedule();
      draw();
    },
    async begin(document) {
      pause();
      shown = '';
      await goToStop(document, memento.get<number | undefined>(placeKey(document.uri)));
      if (reading && !isStill()) schedule();
      draw();
      turned.fire();
    },
    async move(by) {
      if (reading) await goToStop(reading.document, reading.at + by);
    },
    play() {
      if (!reading) return;
      if (timer === undefined) schedule();
      else pause();
      draw();
    },
    async stop() {
      const last = reading;
      await end();
      // Read to its end, it begins at its beginning.
      if (last && last.at + 1 === last.of) await memento.update(placeKey(last.document.uri), undefined);
    },
    dispose() {
      pause();
      listening.dispose();
    },
  };
}

/** Characters of the document around a place. */
const around = 160;

function wayStop(
  document: vscode.TextDocument,
  range: TextRange | undefined,
  { says, step, attention }: DocumentStop,
  shown: number,
): readonly AlongStop[] {
  if (!range) return [];
  const text = document.getText();
  const [from, to] = [Math.max(0, range.start - around), Math.min(text.length, range.end + around)];
  const before = text.slice(from, range.start).replace(/^[\s\S]*\n[ \t]*\n/, '');
  const behind = text.slice(range.end, to).replace(/\n[ \t]*\n[\s\S]*$/, '');
  const own = text.slice(range.start, Math.min(range.end, range.start + 8 * around));
  const excerpt = [before.trimStart(), own, behind.trimEnd()];
  if (attention === shown) return [{ says, step, excerpt }];
  return [{ says: `${says} ${vscode.l10n.t('Its numbers are those of another attention of the document, which this page does not have.')}`, excerpt }]; // prettier-ignore
}

/** A document often begins with the whole, of which nothing has been told yet: its parts come first, and the whole again where they lead to it. */
const firstToShow = (stops: readonly DocumentStop[]): number =>
  Math.max(0, stops.findIndex(({ step, kind }) => step !== 'output' || kind === 'numbers')); // prettier-ignore
