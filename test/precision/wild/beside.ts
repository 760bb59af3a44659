import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { candidatesOf } from '../../../engine/python';
import { vocabularyOf, vocabularyText } from '../../../engine/tokens';
import type { ImportedFile } from '../../../engine/program/machine/machine';

/** Reads a module of the same repository, where the extension would find it, or a vocabulary that `npm run build` has packed. */
export function filesBeside(root: string, path: string): (module: string) => ImportedFile | undefined {
  return (module) => {
    const vocabulary = vocabularyOf(module);
    if (vocabulary !== undefined) {
      const file = join('dist/vocabularies', vocabulary);
      return existsSync(file) ? { text: vocabularyText(readFileSync(file)), isPackage: false } : undefined;
    }
    for (const { folder, path: inner, isPackage } of candidatesOf(module, dirname(path), {
      above: dirname,
      isLast: (one) => one === root || one === '/',
    })) {
      const file = join(folder, inner);
      if (existsSync(file)) return { text: readFileSync(file, 'utf8'), isPackage };
    }
    return undefined;
  };
}
