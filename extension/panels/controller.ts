import * as vscode from 'vscode';
import { readingModels, readModelFile } from '../model-files';
import type { TextRange } from '../../engine/index';
import type { AlongStop, PageMessage, View } from '../../webview/protocol';
import { createCodeMarks, createExplainer, type Explainer } from '../explain';
import {
  copyText,
  followSetting,
  openContent,
  panelSettings,
  runCommand,
  saveContent,
  type Guard,
  type Report,
} from '../host';
import {
  chooseTokenizerFile,
  copyLink,
  createPanel,
  offerFile,
  readVocabulary,
  savePage,
  writeBack,
  type Panel,
} from '../panel';
import { alongCommands, placesBeside, type ModelReader } from '../program';
import { answerOf, type ProgramClient } from '../program-client';
import { createSourceTracker, hashText } from '../documents';
import { createCaptures, type ShowCaptured } from '../captures';
import { createTensorFiles, type TensorFiles } from '../files';
import { keptStates } from './kept';

export interface ControllerParts {
  readonly extensionUri: vscode.Uri;
  readonly memento: vscode.Memento;
  readonly report: Report;
  readonly guarded: Guard;
  /** Reads Python programs in a process of its own. */
  readonly programs: ProgramClient;
  /** The way through a document that is being read along. */
  readonly along: () => readonly AlongStop[];
}

export interface ControllerEvents {
  /** The panel was opened or focused. */
  readonly used: () => void;
  readonly closed: () => void;
}

/** Controls one panel: what it explains, where that came from, and whether it follows the selection. */
export interface PanelController extends vscode.Disposable {
  readonly panel: Panel;
  readonly explainer: Explainer;
  readonly tensorFiles: TensorFiles;
  /** Whether the panel follows the selection. */
  follows: boolean;
  /** Takes over a panel that a reload of the window brought back, with the state that VS Code kept of its page. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
  useTokenizerFile(): Promise<void>;
}

export function createController(id: string, parts: ControllerParts, events: ControllerEvents): PanelController {
  const { extensionUri, report, guarded } = parts;
  const { log } = report;
  const memento = mementoOf(parts.memento, id);
  const kept = keptStates(parts.memento, id);
  const answer = guarded(vscode.l10n.t('Answering the panel'), (message: PageMessage) => answerPage(message));
  const panel = createPanel(extensionUri, id, {
    log,
    received: (message) => void answer(message),
    opened() {
      // One that was made earlier has waited for something to show, and the setting may have changed since.
      controller.follows = followSetting();
      events.used();
    },
    activated: events.used,
    closed() {
      tracker.stop();
      tensorFiles.stop();
      marks.shows(undefined);
      void kept.forget();
      events.closed();
    },
  });
  const tracker = createSourceTracker(memento, (state, label) =>
    panel.send({ type: 'source', state, ...(label === undefined ? {} : { label }) }),
  );
  const began = (): void => {
    tracker.stop();
    explainer.replaced();
  };
  const showCaptured: ShowCaptured = (spec, label, notes) => explainer.showSpec({ spec }, label, hashText(JSON.stringify(spec)), undefined, notes); // prettier-ignore
  const tensorFiles = createTensorFiles({
    panel,
    report,
    memento,
    began,
    openCapture: createCaptures(extensionUri, report, guarded, showCaptured),
  });
  const { programs } = parts;
  const model: ModelReader = async (asked, document) => answerOf(await programs.ask('model', asked, document));
  const marks = createCodeMarks({
    beside: async ({ document, all, which, code }) => {
      const span = all[which]?.span;
      return span && code.cells === undefined ? placesBeside(document, span, model) : [];
    },
    goTo: (step) => panel.send({ type: 'goTo', step }),
    edited: guarded(
      vscode.l10n.t('Reading the edited code'),
      (document: vscode.TextDocument, at: TextRange, view: View) => explainer.codeEdited(document, at, view),
    ),
  });
  // All panels share the memento of the last typed input.
  const explainer = createExplainer({
    panel: tensorFiles.besides(panel), tracker, programs, showsProgram: marks.shows, report, memento: parts.memento,
    readModelFile: readingModels(extensionUri),
  }); // prettier-ignore

  const useTokenizerFile = async (): Promise<void> => {
    if (!panel.isOpen()) await explainer.explain(undefined);
    const chosen = panel.isOpen() ? await chooseTokenizerFile() : undefined;
    if (!chosen) return;
    panel.open();
    panel.send(chosen);
  };
  const answerPage = (message: PageMessage): unknown => {
    switch (message.type) {
      case 'ready':
        panel.send({ type: 'settings', settings: panelSettings() });
        if (!message.source || tracker.following() || tensorFiles.following()) return undefined;
        return tensorFiles.resume(message.source) ?? tracker.resume(message.source);
      case 'recompute':
        return tensorFiles.following() ? tensorFiles.recompute() : explainer.recompute();
      case 'reveal':
        return explainer.reveal(message);
      case 'step':
        return marks.stepShown(message.step, message.cell, message.reveal);
      case 'along':
        return runCommand(alongCommands[message.act], []);
      case 'askInput':
        return explainer.ask();
      case 'explainAsText':
        return explainer.explainAsText();
      case 'vocabulary':
        return readVocabulary(extensionUri, message.encoding, log).then(panel.send);
      case 'modelFile':
        return readModelFile(extensionUri, message.file, log).then(panel.send);
      case 'chooseTokenizer':
        return useTokenizerFile();
      case 'copy':
        return copyText(message);
      case 'open':
        return openContent(message);
      case 'link':
        return copyLink(message);
      case 'noLink':
        return offerFile(() => message.content);
      case 'writeBack':
        return writeBack(message, { tracker, report, recompute: explainer.recompute });
      case 'savePage':
        return savePage(extensionUri, message, parts.along());
      case 'kept':
        return kept.keep(message.state);
      case 'save':
        return saveContent(message);
      case 'log':
        return undefined;
    }
  };

  const controller: PanelController = {
    panel,
    explainer,
    tensorFiles,
    follows: followSetting(),
    restore: (restored, state) => panel.adopt(restored, kept.newerThan(state)),
    useTokenizerFile,
    dispose() {
      tracker.dispose();
      tensorFiles.dispose();
      marks.dispose();
    },
  };
  return controller;
}

/** A memento for one panel: its keys end with the panel's id. */
const mementoOf = (memento: vscode.Memento, id: string): vscode.Memento =>
  ({
    keys: () =>
      memento
        .keys()
        .filter((key) => key.endsWith(`.${id}`))
        .map((key) => key.slice(0, -id.length - 1)),
    get: <T>(key: string, initial?: T) => memento.get<T | undefined>(`${key}.${id}`, initial),
    update: (key: string, value: unknown) => memento.update(`${key}.${id}`, value),
  }) as vscode.Memento;
