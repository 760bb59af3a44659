// Files that a program on disk imports: beside it, or in folders above it up to the project's.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { candidatesOf, importLimits, type Folders } from '../python';
import type { ImportedFile } from '../program/index';
import { vocabularyOf, vocabularyText } from '../tokens';
import { readBounded } from './files';

/** Reads the modules that a program imports, each when it is asked for. A file that cannot be read counts as not there. */
export function importsBeside(program: string): (module: string) => ImportedFile | undefined {
  const own = dirname(resolve(program));
  let files = 0;
  return (module) => {
    const vocabulary = vocabularyOf(module);
    if (vocabulary !== undefined) return vocabularyIn(join(__dirname, 'vocabularies', vocabulary));
    if (files >= importLimits.files) return undefined;
    for (const { folder, path, isPackage } of candidatesOf(module, own, folders)) {
      const file = readBounded(join(folder, path), importLimits.bytes);
      if (!file.ok) continue;
      files++;
      return { text: file.value, isPackage };
    }
    return undefined;
  };
}

function vocabularyIn(path: string): ImportedFile | undefined {
  return existsSync(path) ? { text: vocabularyText(readFileSync(path)), isPackage: false } : undefined;
}

const projectFiles = ['.git', 'pyproject.toml', 'setup.py'];

const folders: Folders<string> = {
  above: dirname,
  isLast: (folder) => dirname(folder) === folder || projectFiles.some((name) => existsSync(join(folder, name))),
};
