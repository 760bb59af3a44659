// The language of the output: `--locale de` anywhere among the words, else from the environment.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '../text';
import { useTexts, type Texts } from '../index';

/** Folders with VS Code's bundles, relative to the built program and to its source. */
const folders = ['../extension/l10n', '../../extension/l10n'].map((path) => join(__dirname, path));

/** Sets the language and returns the words without the option. An unknown `--locale` is a usage error; an unknown one in the environment means English. */
export function chooseLanguage(
  given: readonly string[],
  env: NodeJS.ProcessEnv,
): { readonly words: readonly string[] } | { readonly usageError: string } {
  const at = given.findIndex((word) => /^--locale(=|$)/.test(word));
  const [option] = at < 0 ? [] : [given[at] ?? ''];
  useTexts(textsOf(env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en') ?? {});
  if (option === undefined) return { words: given };
  const inline = option.includes('=');
  const asked = inline ? option.slice(option.indexOf('=') + 1) : given[at + 1];
  const texts = asked ? textsOf(asked) : undefined;
  if (!texts) return { usageError: t('{0}: expected en or de', `--locale ${asked ?? ''}`.trim()) };
  useTexts(texts);
  return { words: given.filter((_, i) => i !== at && (inline || i !== at + 1)) };
}

/** The bundle for `de`, `de-AT` or `de_DE.UTF-8`; none for English, as the source texts are English. */
function textsOf(locale: string): Texts | undefined {
  const language = /^[a-z]{2,3}(?=[-_.@]|$)/i.exec(locale)?.[0].toLowerCase();
  if (language === 'en') return {};
  const file = folders.map((folder) => join(folder, `bundle.l10n.${language}.json`)).find((path) => existsSync(path));
  return language === undefined || file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Texts);
}
