// axe-core in the page: the rules against which every state is held.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { thorough } from '../host/thorough';
import type { ThemeName } from './themes';

const source = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

export interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: readonly {
    readonly target: readonly unknown[];
    readonly html: string;
    readonly failureSummary: string;
  }[];
}

/**
 * Which rules are run on a state that another theme has too: names, roles, order and sizes are the same in each, colours are not. The dark theme
 * has all rules, best practices included; `npm run thorough` has them in every theme.
 */
export const rulesIn = (theme: ThemeName): 'all' | 'colours' => (theme === 'dark' || thorough ? 'all' : 'colours');

/** Every violation in the page as it stands. */
export async function violationsIn(page: Page, rules: 'all' | 'colours' = 'all'): Promise<readonly Violation[]> {
  // By the protocol, so that the page's policy against foreign scripts stays as it is.
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(source);
  const only = rules === 'all' ? {} : { runOnly: ['color-contrast', 'link-in-text-block'] };
  // What passes is of no interest: without it axe-core takes two thirds of the time.
  const options = JSON.stringify({ ...only, resultTypes: ['violations'] });
  return (await page.evaluate(`axe.run(document, ${options}).then((r) => r.violations)`)) as readonly Violation[];
}
