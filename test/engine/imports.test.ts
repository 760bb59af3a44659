import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { preProcessFile } from 'typescript';

// ESLint's import-x/no-cycle does not count imports of types; a circle of those is read as badly.

type Imports = ReadonlyMap<string, readonly string[]>;

const root = join(__dirname, '../..');
const folders = ['engine', 'extension', 'webview'];

const isSource = (name: string): boolean => name.endsWith('.ts') && !name.endsWith('.d.ts');

function filesOf(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter(isSource).map((name) => posix.join(folder, name.replaceAll('\\', '/')));
}

/** The file that is imported; undefined for a library, a style sheet, JSON. */
function resolve(from: string, name: string): string | undefined {
  if (!name.startsWith('.')) return undefined;
  const path = posix.join(dirname(from), name);
  return [`${path}.ts`, `${path}/index.ts`, path].find((at) => isSource(at) && existsSync(join(root, at)));
}

const importsOf = (file: string): string[] =>
  preProcessFile(readFileSync(join(root, file), 'utf8')).importedFiles.flatMap(
    ({ fileName }) => resolve(file, fileName) ?? [],
  );

/** Each circle that a walk through the imports closes, as its files in order. */
function circlesOf(imports: Imports): string[] {
  const [path, done, circles]: [string[], Set<string>, string[]] = [[], new Set(), []];
  const visit = (file: string): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (path.includes(file) || done.has(file)) return;
    path.push(file);
    for (const next of imports.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return circles;
}

/** The folder directly below the top one that a file is in; undefined for a file beside those folders. */
function roomOf(file: string): string | undefined {
  const parts = file.split('/');
  return parts.length > 2 ? parts[1] : undefined;
}

/** Not held to faces yet: the reader of Python that `engine/program/` replaces, and that room itself, which is being built. */
const isBeingBuilt = (file: string): boolean => /^engine\/(?:parse\/)?program\//.test(file);

const isFace = (file: string): boolean => /^[^/]+\/[^/]+\/index\.ts$/.test(file);

/** Each room of a folder, with the rooms that it imports from. */
function roomsOf(folder: string, room: (file: string) => string): Imports {
  const rooms = new Map<string, string[]>();
  for (const file of filesOf(folder)) {
    const others = importsOf(file)
      .filter((other) => other.startsWith(`${folder}/`))
      .map(room);
    const known = rooms.get(room(file)) ?? [];
    rooms.set(room(file), [...new Set([...known, ...others.filter((other) => other !== room(file))])]);
  }
  return rooms;
}

describe('imports', () => {
  it('are read with those of types, by whatever form they are written', () => {
    const text = "import type { A } from './a';\nexport type { B } from './b';\nlet c: import('./c').C;\nimport './d';";
    assert.deepEqual(
      preProcessFile(text).importedFiles.map(({ fileName }) => fileName),
      ['./a', './b', './c', './d'],
    );
  });

  for (const [folder, atLeast] of [
    ['engine', 13],
    ['webview', 25],
    ['extension', 14],
  ] as const) {
    it(`go one way between the rooms of ${folder}/`, () => {
      const rooms = roomsOf(folder, (file) => roomOf(file) ?? file);
      assert.ok(rooms.size > atLeast);
      assert.deepEqual(circlesOf(rooms), []);
    });

    it(`go from one room of ${folder}/ to another only through its index.ts`, () => {
      const files = filesOf(folder).filter((file) => !isBeingBuilt(file));
      const inner = files.flatMap((file) =>
        importsOf(file)
          .filter((other) => roomOf(other) && roomOf(other) !== roomOf(file) && !isFace(other) && !isBeingBuilt(other))
          .map((other) => `${file} → ${other}`),
      );
      assert.ok(files.filter(isFace).length >= atLeast);
      assert.deepEqual(inner, []);
    });

    it(`find a first sentence in each index.ts of ${folder}/ that says what the room is for`, () => {
      // engine/cli/ is a program of its own, which nothing imports.
      const rooms = [...new Set(filesOf(folder).flatMap((file) => roomOf(file) ?? []))].filter(
        (room) => room !== 'cli',
      );
      const silent = rooms.filter((room) => {
        const face = join(root, folder, room, 'index.ts');
        return !existsSync(face) || !/^\/\*\*?[\s*]+[A-Z][^*]{20,}\./.test(readFileSync(face, 'utf8'));
      });
      assert.deepEqual(silent, []);
    });
  }

  it('go in no circle, those of types included', () => {
    const files = folders.flatMap(filesOf);
    const imports = new Map(files.map((file) => [file, importsOf(file)]));
    // That they are found at all: the engine's way in names its parts.
    assert.ok((imports.get('engine/index.ts')?.length ?? 0) > 10);
    assert.deepEqual(circlesOf(imports), []);
  });
});
