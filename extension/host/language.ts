import * as vscode from 'vscode';
import { useTexts, type Texts } from '../../engine/index';
import { english, type Language } from '../panel/html';

/** The language that VS Code found a bundle for, or English. */
export function language(): Language {
  const texts: Texts = Object.fromEntries(
    Object.entries(vscode.l10n.bundle ?? {}).filter(([, text]) => typeof text === 'string'),
  );
  return Object.keys(texts).length ? { tag: vscode.env.language, texts } : english;
}

// When this is imported, so that no module says a word before: what the engine says in hovers and notices is in this language too.
useTexts(language().texts);
