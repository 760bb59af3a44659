import * as vscode from 'vscode';
import { encodingNames, type EncodingName, type SplitterName } from '../../engine/index';
import type { PanelSettings } from '../../webview/protocol';

const section = 'explainAttention';
const backends: readonly PanelSettings['backend'][] = ['auto', 'cpu', 'webgpu'];
/** How a text that is new to the panel is split into tokens. */
export type TokenizerSetting = SplitterName | EncodingName;
const tokenizers: readonly TokenizerSetting[] = ['words', 'characters', 'bytes', ...encodingNames];
const digitsRange = { least: 0, most: 15, usual: 4 } as const;

/** The settings that the page needs. A value that settings.json should not hold is replaced by the default. */
export function panelSettings(): PanelSettings {
  const settings = vscode.workspace.getConfiguration(section);
  const backend = settings.get<unknown>('backend');
  return {
    backend: backends.find((known) => known === backend) ?? 'auto',
    digits: validDigits(settings.get<unknown>('digits')),
  };
}

export function validDigits(value: unknown): number {
  const { least, most, usual } = digitsRange;
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : usual;
}

export function tokenizerSetting(): TokenizerSetting {
  const set = vscode.workspace.getConfiguration(section).get<unknown>('tokenizer');
  return tokenizers.find((known) => known === set) ?? 'words';
}

/** Which weights a text that is new to the panel is explained with. */
export const trainedSetting = (): 'trained' | 'random' =>
  vscode.workspace.getConfiguration(section).get<unknown>('textWeights') === 'random' ? 'random' : 'trained';

/** What an attention that is new to the panel opens on. */
export const firstViewSetting = (): 'question' | 'steps' =>
  vscode.workspace.getConfiguration(section).get<unknown>('firstView') === 'steps' ? 'steps' : 'question';

/** Whether new panels follow the selection. */
export const followSetting = (): boolean =>
  vscode.workspace.getConfiguration(section).get<unknown>('followSelection') === true;

export const onFollowSetting = (changed: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${section}.followSelection`)) changed();
  });

/** Calls `changed` with the page's settings whenever one of the extension's settings changes. */
export const onPanelSettings = (changed: (settings: PanelSettings) => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(section)) changed(panelSettings());
  });
