import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { vocabularyOf, vocabularyText } from '../../../engine/tokens';
import type { ImportedFile } from '../../../engine/program/machine/machine';

/** Reads a module of the same repository, or a vocabulary that `npm run build` has packed: a module beside the importing file or in a folder above it. */
export function filesBeside(root: string, path: string): (module: string) => ImportedFile | undefined {
  const read = (name: string): ImportedFile | undefined =>
    [`${name}.py`, join(name, '__init__.py')]
      .filter((file) => existsSync(file))
      .map((file) => ({ text: readFileSync(file, 'utf8'), isPackage: file.endsWith('__init__.py') }))[0];
  return (module) => {
    const vocabulary = vocabularyOf(module);
    if (vocabulary !== undefined) {
      const file = join('dist/vocabularies', vocabulary);
      return existsSync(file) ? { text: vocabularyText(readFileSync(file)), isPackage: false } : undefined;
    }
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const inner = module.slice(dots).replaceAll('.', '/');
    if (!inner) return undefined;
    let folder = dirname(path);
    if (dots > 0) return read(join(folder, '../'.repeat(dots - 1), inner));
    for (; folder.startsWith(root); folder = dirname(folder)) {
      const found = read(join(folder, inner));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
