/*
 * The page's language. Imported before everything else in a bundle, because other modules translate texts while they are being loaded. A page
 * reads its texts from its own HTML; a worker, which has no HTML, from a variable that is set before its script runs.
 */

import { useTexts, type Texts } from '../../engine/index';

declare global {
  var attentionTexts: unknown;
}

/** Translations by English text. Invalid entries are dropped: those texts stay English. */
function textsIn(value: unknown): Texts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

const textsElement = (): string => document.getElementById('texts')?.textContent || '{}';

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const texts = textsIn(typeof document === 'undefined' ? globalThis.attentionTexts : parsed(textsElement()));
useTexts(texts);

/** A worker's script, with a variable for the translations prepended. */
export const withTexts = (script: string): string =>
  Object.keys(texts).length ? `self.attentionTexts = ${JSON.stringify(texts)};\n${script}` : script;
