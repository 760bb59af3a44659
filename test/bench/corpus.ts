import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts to tokenize, cut into slices of equal size. They come from the installed development packages, so nothing is downloaded. */
export interface Corpus {
  readonly name: string;
  readonly slices: readonly string[];
  /** Mean of the slices' UTF-8 lengths, in megabytes. */
  readonly megabytes: number;
}

/** English: READMEs and change logs. Code: the TypeScript compiler. CJK: its Chinese, Japanese and Korean messages, each with an emoji. */
export function corpora(root: string, slices: number, size: number): Corpus[] {
  const typescript = join(root, 'node_modules/typescript/lib');
  return [
    cut('English', documents(join(root, 'node_modules')), slices, size),
    cut('code', readFileSync(join(typescript, 'typescript.js'), 'utf8'), slices, size),
    cut('CJK and emoji', messages(typescript), slices, Math.min(size, 65_000)),
  ];
}

function cut(name: string, text: string, count: number, size: number): Corpus {
  const step = Math.floor((text.length - size) / count);
  if (step < size) throw new Error(`${name}: ${text.length} characters, ${count} slices of ${size} needed`);
  const slices = Array.from({ length: count }, (_, i) =>
    text.slice(i * step, i * step + size).replace(/\p{Surrogate}/gu, '\ufffd'),
  );
  const bytes = slices.reduce((sum, slice) => sum + Buffer.byteLength(slice), 0);
  return { name, slices, megabytes: bytes / count / 1e6 };
}

/** English prose. Packages of test/bench are left out, so the text is the same before and after `npm ci` there. */
function documents(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /(?:readme|changelog|history)\.md$/i.test(name)).sort();
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

const emoji = ['🙂', '👩‍👩‍👧', '🇫🇷', '❤️', '🚀', '👍🏽', '🧮', '✨'];

function messages(folder: string): string {
  const texts = ['zh-cn', 'ja', 'ko', 'zh-tw'].map((language) => {
    const path = join(folder, language, 'diagnosticMessages.generated.json');
    return Object.values(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>);
  });
  const rows = (texts[0] ?? []).flatMap((_, i) =>
    texts.map((list, j) => `${list[i] ?? ''} ${emoji[(i + j) % emoji.length] ?? ''}`),
  );
  return rows.join('\n');
}
