/* The language of our texts. Imported before everything else in late.ts, because other modules translate texts while they are being loaded. */

import * as vscode from 'vscode';
import { useTexts, type Texts } from '../../engine/index';
import { english, type Language } from '../pages';

/** The language for which VS Code has a bundle of our texts, else English. */
export function language(): Language {
  const texts: Texts = Object.fromEntries(
    Object.entries(vscode.l10n.bundle ?? {}).filter(([, text]) => typeof text === 'string'),
  );
  return Object.keys(texts).length ? { tag: vscode.env.language, texts } : english;
}

// At import. The engine's texts in hovers and messages are in this language too.
useTexts(language().texts);
