import * as vscode from 'vscode';
import type { LinePart, LineShapes } from '../../engine/index';
import { escapeMarkdown } from '../hover';
import type { ShownPlaces } from './shown';

/** Inlay hints with the shapes that a program's lines compute, for the lines of a range but those to skip. Empty for a program without attention. */
export async function shapeHints(
  document: vscode.TextDocument,
  within: vscode.Range,
  shown: ShownPlaces,
  skip: ReadonlySet<number>,
): Promise<vscode.InlayHint[]> {
  const places = await shown.of(document);
  if (!places?.isShown) return [];
  const byLine = new Map<number, LineShapes[]>();
  for (const one of places.lines) {
    const { line } = document.positionAt(one.range.end);
    if (line >= within.start.line && line <= within.end.line && !skip.has(line))
      byLine.set(line, [...(byLine.get(line) ?? []), one]);
  }
  return [...byLine].map(([line, all]) => hintOf(document.lineAt(line).range.end, all));
}

function hintOf(end: vscode.Position, all: readonly LineShapes[]): vscode.InlayHint {
  const hint = new vscode.InlayHint(end, all.map(({ label }) => label).join(' · '), vscode.InlayHintKind.Type);
  hint.paddingLeft = true;
  hint.tooltip = new vscode.MarkdownString(all.flatMap(tooltipOf).join('  \n'));
  return hint;
}

function tooltipOf({ parts, standIn, sample, error }: LineShapes): readonly string[] {
  if (error !== undefined) return [escapeMarkdown(vscode.l10n.t('Python raises here: {0}', error))];
  const lines = parts.map((part) => escapeMarkdown(factsOf(part).join(' · ')));
  if (sample) return [...lines, escapeMarkdown(vscode.l10n.t('~ No line calls this with what is known: it was run with sizes and numbers that stand in, from seed 0.'))]; // prettier-ignore
  return standIn
    ? [...lines, escapeMarkdown(vscode.l10n.t('~ No line calls this: sizes are stand-ins, by the names that the code gives them.'))] // prettier-ignore
    : lines;
}

function factsOf({ name, shape, dtype, state, before }: LinePart): string[] {
  return [
    [name, shape].filter(Boolean).join(' '),
    ...(dtype === '' || shape.endsWith(dtype) ? [] : [dtype]),
    ...(state === 'known' ? [] : [vscode.l10n.t('known in shape only')]),
    ...(before.length > 0 ? [vscode.l10n.t('in calls before: {0}', before.join(', '))] : []),
  ];
}
