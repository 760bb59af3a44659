import * as vscode from 'vscode';
import { encodingNames, type EncodingName, type SplitterName } from '../../engine/index';
import type { PanelSettings } from '../../webview/protocol';

const section = 'explainAttention';
const backends: readonly PanelSettings['backend'][] = ['auto', 'cpu', 'webgpu'];
/** What cuts a text that is new to the panel. */
export type TokenizerSetting = SplitterName | EncodingName;
const tokenizers: readonly TokenizerSetting[] = ['words', 'characters', 'bytes', ...encodingNames];
const digitsRange = { least: 0, most: 15, usual: 4 } as const;

/** The settings that the page needs; a value that a hand-edited settings.json made impossible is the default. */
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

/** Whether a new panel follows the selection. */
export const followSetting = (): boolean =>
  vscode.workspace.getConfiguration(section).get<unknown>('followSelection') === true;

export const onFollowSetting = (changed: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${section}.followSelection`)) changed();
  });

/** Calls `changed` whenever one of the page's settings did. */
export const onPanelSettings = (changed: (settings: PanelSettings) => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(section)) changed(panelSettings());
  });
