/** A lesson's text as students get it. */
import { regionsOf } from './fences';
import { frontMatterOf } from './front-matter';
import { readJson } from './json';
import { withoutNotes } from './notes';

/** Without the teacher's notes; of an exam also without what a question says after it was answered. */
export const handedOut = (source: string): string =>
  frontMatterOf(source).exam ? withoutHelp(withoutNotes(source)) : withoutNotes(source);

/** Fields of questions that say how they are answered: no exam shows them, and the text would. */
const help: ReadonlySet<string> = new Set(['hints', 'explanation', 'feedback']);

function withoutHelp(source: string): string {
  let out = '';
  let from = 0;
  for (const region of regionsOf(source).regions) {
    if (region.kind !== 'fence' || region.language !== 'attention-question') continue;
    const { start, end } = region.body;
    const json = readJson(source, region.body);
    if (!json.ok || !hasHelp(json.value.value)) continue;
    const line = source.includes('\r\n') ? '\r\n' : '\n';
    const text = JSON.stringify(json.value.value, (name, value: unknown) => (help.has(name) ? undefined : value), 2);
    out += source.slice(from, start) + text.replaceAll('\n', line) + line;
    from = end;
  }
  return out + source.slice(from);
}

const hasHelp = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, inner]) => help.has(name) || hasHelp(inner));
