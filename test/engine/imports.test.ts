import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { preProcessFile } from 'typescript';

// ESLint's import-x/no-cycle does not count imports of types; a circle of those is read as badly.

type Imports = ReadonlyMap<string, readonly string[]>;

const root = join(__dirname, '../..');
const folders = ['engine', 'extension', 'webview'];
/** Rooms that have rooms of their own, each with a face. */
const divided = ['engine/program', 'engine/formula', 'engine/diagnose'];

/** Programs of their own, whose face is the file that is run. */
const entries = new Map([['engine/cli', 'main']]);
/** Folders within a room that only their room uses, and the one file that takes all of their files, because it makes a table of them. */
const inner = [
  'engine/run/backend',
  'engine/spec/fields',
  'engine/spec/shapes',
  'engine/plan/planner',
  'engine/plan/words',
  'engine/program/tensor/kernels',
  'engine/parse/code',
  'engine/tokens/file',
  'engine/tokens/file/models',
];
const tables = new Map([
  ['engine/spec/fields', 'engine/spec/spec.ts'],
  ['engine/program/tensor/kernels', 'engine/program/tensor/operations.ts'],
]);

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

/** The room of a folder that a file is in; undefined for a file beside the rooms, and for one elsewhere. */
function roomOf(file: string, folder: string): string | undefined {
  const [room, ...inner] = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/') : [];
  return inner.length > 0 ? room : undefined;
}

const faceOf = (folder: string, room: string): string => `${folder}/${room}/index.ts`;

/** The outermost room that an import enters past its face. */
function roomEntered(from: string, to: string): string | undefined {
  const entered = [...folders, ...divided].find((folder) => {
    const room = roomOf(to, folder);
    return room !== undefined && roomOf(from, folder) !== room;
  });
  const face = entered && faceOf(entered, roomOf(to, entered) ?? '');
  return face === to ? undefined : face;
}

/** Each room of a folder and each file beside them, with what it imports from there. */
function roomsOf(folder: string): Imports {
  const room = (file: string): string => roomOf(file, folder) ?? file;
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

const firstSentence = /^(?:#!.*\n)?\/\*\*?[\s*]+[A-Z][^*]{20,}\./;

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
    ['engine/program', 12],
    ['engine/formula', 4],
    ['engine/diagnose', 1],
  ] as const) {
    // engine/cli/ is a program of its own, which nothing imports.
    const rooms = [...new Set(filesOf(folder).flatMap((file) => roomOf(file, folder) ?? []))].filter(
      (room) => room !== 'cli',
    );

    it(`go one way between the rooms of ${folder}/`, () => {
      assert.ok(rooms.length >= atLeast, rooms.join(', '));
      assert.deepEqual(circlesOf(roomsOf(folder)), []);
    });

    it(`find a first sentence in each index.ts of ${folder}/ that says what the room is for`, () => {
      const silent = rooms.filter((room) => {
        const face = join(root, faceOf(folder, room));
        return !existsSync(face) || !firstSentence.test(readFileSync(face, 'utf8'));
      });
      assert.deepEqual(silent, []);
    });
  }

  it('find such a sentence in the face of every folder, however deep', () => {
    const within = [...new Set(folders.flatMap(filesOf).map((file) => dirname(file)))].filter((at) => at.includes('/'));
    const faces = within.map((at) => `${at}/${entries.get(at) ?? 'index'}.ts`);
    assert.ok(faces.length > 100, String(faces.length));
    const isSilent = (face: string): boolean =>
      !existsSync(join(root, face)) || !firstSentence.test(readFileSync(join(root, face), 'utf8'));
    assert.deepEqual(faces.filter(isSilent), []);
  });

  it('go into a folder within a room through its index.ts', () => {
    const isPast = (file: string, other: string): boolean => {
      const at = dirname(other);
      return inner.includes(at) && !file.startsWith(`${at}/`) && other !== `${at}/index.ts` && file !== tables.get(at);
    };
    const past = folders.flatMap(filesOf).flatMap((file) =>
      importsOf(file)
        .filter((other) => isPast(file, other))
        .map((other) => `${file} → ${other}`),
    );
    assert.deepEqual(past, []);
  });

  it('go from one room to another only through its index.ts', () => {
    const past = folders.flatMap(filesOf).flatMap((file) =>
      importsOf(file)
        .filter((other) => roomEntered(file, other) !== undefined)
        .map((other) => `${file} → ${other}`),
    );
    assert.deepEqual(past, []);
  });

  it('go in no circle, those of types included', () => {
    const files = folders.flatMap(filesOf);
    const imports = new Map(files.map((file) => [file, importsOf(file)]));
    // That they are found at all: the engine's way in names its parts.
    assert.ok((imports.get('engine/index.ts')?.length ?? 0) > 10);
    assert.deepEqual(circlesOf(imports), []);
  });
});
