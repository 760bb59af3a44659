import { useTexts, type Texts } from '../../engine/index';

/*
 * Imported first in each bundle: the language is chosen before any module says a word. A page finds its texts in its own HTML; a worker, which
 * has none, in a variable that stands before its script.
 */

declare global {
  var attentionTexts: unknown;
}

/** Texts by their English; what is none counts for nothing, so that the page stays English where a bundle is damaged. */
function textsIn(value: unknown): Texts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

const ofPage = (): string => document.getElementById('texts')?.textContent || '{}';

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const texts = textsIn(typeof document === 'undefined' ? globalThis.attentionTexts : parsed(ofPage()));
useTexts(texts);

/** A worker's script that speaks the page's language. */
export const withTexts = (script: string): string =>
  Object.keys(texts).length ? `self.attentionTexts = ${JSON.stringify(texts)};\n${script}` : script;
