import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Paths: `folder` is test/bench, `cache` keeps files that are generated once. */
export interface Place {
  readonly folder: string;
  readonly cache: string;
}

/** Imports a peer. T declares the functions that are used, because peers are installed in test/bench only, where tsc does not see their types. */
export async function peer<T>({ folder }: Place, name: string): Promise<T> {
  const path = createRequire(join(folder, 'package.json')).resolve(name);
  const { default: main, ...named } = (await import(pathToFileURL(path).href)) as { default?: object };
  // Not every CommonJS module has named exports, but all are in `default`.
  return { ...main, ...named } as T;
}

/** Name and version of each peer that package.json names. */
export function versions({ folder }: Place): string[] {
  const read = (path: string): { version: string; dependencies?: Record<string, string> } =>
    JSON.parse(readFileSync(join(folder, path), 'utf8')) as { version: string; dependencies?: Record<string, string> };
  const names = Object.keys(read('package.json').dependencies ?? {});
  return names.map((name) => `${name} ${read(`node_modules/${name}/package.json`).version}`);
}
