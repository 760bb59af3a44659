/* The language of the extension's texts. late.ts imports this first, because other modules translate texts while they are loaded. */

import * as vscode from 'vscode';
import { useTexts, type Texts } from '../../engine/index';
import { english, type Language } from '../pages';

/** VS Code's language if there is a translation for it, else English. */
export function language(): Language {
  const texts: Texts = Object.fromEntries(
    Object.entries(vscode.l10n.bundle ?? {}).filter(([, text]) => typeof text === 'string'),
  );
  return Object.keys(texts).length ? { tag: vscode.env.language, texts } : english;
}

// Runs at import, so that the engine's texts in hovers and messages are in this language too.
useTexts(language().texts);
