// Languages for tests of the page: a made-up one in which every text that can be translated stands in brackets, and German.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Language } from '../../extension/pages/html';
import type { Texts } from '../../engine/index';

const bundle = (name: string): Texts =>
  JSON.parse(readFileSync(join(__dirname, '../../extension/l10n', name), 'utf8')) as Texts;

// A file of its own: what tsx makes of a function does not run in a page.
const outsideBrackets = readFileSync(join(__dirname, 'untranslated.js'), 'utf8').trim().replace(/;$/, '');

const german = bundle('bundle.l10n.de.json');

export const inGerman: Language = { tag: 'de', texts: german };

/** Words within formulas: LaTeX knows no such brackets. What is in formulas is not looked at. */
const inFormulas = ['otherwise', 'row of', 'column of', 'heads', 'rotated', 'shared', 'joined'];

/** `⟦Show all {0}⟧`: what is not in brackets in the page did not go through translation. */
export const inBrackets: Language = {
  tag: 'qps',
  texts: Object.fromEntries(Object.keys(german).map((text) => [text, inFormulas.includes(text) ? text : `⟦${text}⟧`])),
};

/**
 * What is read or heard in the page and has words outside of brackets. A sentence may be in several nodes, so brackets are followed from
 * node to node; a text that was cut within its brackets is told too. `same` are words that are the same in every language; formulas and
 * what is in code or marked `translate=no` are left out.
 */
export const untranslated = (page: Page, same: readonly string[]): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(${outsideBrackets})(${JSON.stringify(same)})`);
