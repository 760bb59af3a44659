import * as vscode from 'vscode';
import { useTexts } from '../engine/index';
import { english, type Language } from './html';

/** The language that VS Code found a bundle for, or English. */
export function language(): Language {
  const { bundle } = vscode.l10n;
  return bundle ? { tag: vscode.env.language, texts: bundle } : english;
}

// When this is imported, so that no module says a word before: what the engine says in hovers and notices is in this language too.
useTexts(language().texts);
