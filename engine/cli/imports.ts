// Files that a program on disk imports: beside it, or in folders above it up to the project's.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { importLimits, importPaths } from '../program/imports';
import type { ImportedFile } from '../program/index';
import { readBounded } from './files';

/** Reads the modules that a program imports, each when it is asked for. A file that cannot be read counts as not there. */
export function importsBeside(program: string): (module: string) => ImportedFile | undefined {
  const own = dirname(resolve(program));
  let files = 0;
  return (module) => {
    const places = importPaths(module);
    if (!places || files >= importLimits.files) return undefined;
    const first = join(own, '../'.repeat(places.up));
    for (const folder of places.isRelative ? [first] : foldersAbove(first))
      for (const { path, isPackage } of places.paths) {
        const file = readBounded(join(folder, path), importLimits.bytes);
        if (!file.ok) continue;
        files++;
        return { text: file.value, isPackage };
      }
    return undefined;
  };
}

const projectFiles = ['.git', 'pyproject.toml', 'setup.py'];

/** A folder and those above it, up to the first that is a project's. */
function foldersAbove(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folder; folders.length < importLimits.folders; at = dirname(at)) {
    folders.push(at);
    if (dirname(at) === at || projectFiles.some((name) => existsSync(join(at, name)))) break;
  }
  return folders;
}
