// The language of what the program says: `--locale de` before or after the command's words, else the environment's.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '../text';
import { useTexts, type Texts } from '../index';

/** Where VS Code's bundles lie: beside the program as it is built, and beside its source. */
const folders = ['../extension/l10n', '../../extension/l10n'].map((path) => join(__dirname, path));

/** Chooses the language and returns the words without the option. An unknown language that is asked for is a usage error; one of the environment is English. */
export function speak(
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

/** The bundle of `de`, `de-AT` or `de_DE.UTF-8`; none is needed for English, which is the texts themselves. */
function textsOf(locale: string): Texts | undefined {
  const language = /^[a-z]{2,3}(?=[-_.@]|$)/i.exec(locale)?.[0].toLowerCase();
  if (language === 'en') return {};
  const file = folders.map((folder) => join(folder, `bundle.l10n.${language}.json`)).find((path) => existsSync(path));
  return language === undefined || file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Texts);
}
