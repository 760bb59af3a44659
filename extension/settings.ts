import * as vscode from 'vscode';
import type { PanelSettings } from '../webview/protocol';

const section = 'explainAttention';
const backends: readonly PanelSettings['backend'][] = ['auto', 'cpu', 'webgpu'];
export const digitsRange = { least: 0, most: 15, usual: 4 } as const;

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

export const hoverEnabled = (document: vscode.TextDocument): boolean =>
  vscode.workspace.getConfiguration(section, document).get<boolean>('hover.enabled') !== false;

/** Calls `changed` whenever one of the page's settings did. */
export const onPanelSettings = (changed: (settings: PanelSettings) => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(section)) changed(panelSettings());
  });
