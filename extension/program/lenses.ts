import * as vscode from 'vscode';
import type { AttentionPlace } from '../../engine/index';
import type { ShownPlaces } from './shown';

/** Code lenses "Explain Attention", one above each attention that a program computes. */
export async function programLenses(
  document: vscode.TextDocument,
  shown: ShownPlaces,
  command: string,
): Promise<vscode.CodeLens[]> {
  const places = await shown.of(document);
  return (places?.attentions ?? []).map((place) => {
    const { range, above } = place;
    const line = new vscode.Range(document.positionAt(above.start), document.positionAt(above.end));
    const target = { uri: document.uri.toString(), start: range.start, end: range.end, code: true };
    return new vscode.CodeLens(line, { title: titleOf(place), command, arguments: [target] });
  });
}

function titleOf({ title, times, standIn }: AttentionPlace): string {
  if (standIn) return vscode.l10n.t('Explain Attention · {0} · no call here', title);
  return times > 1
    ? vscode.l10n.t('Explain Attention · {0} · last of {1} calls', title, times)
    : vscode.l10n.t('Explain Attention · {0}', title);
}
