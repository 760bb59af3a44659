/** Where the file of an imported module may lie, as Python looks for it: relative to the program, or in its folder and the folders above. */

export interface ImportPaths {
  /** Folders above the program's own in which to begin; a relative import is looked for there alone. */
  readonly up: number;
  readonly isRelative: boolean;
  /** Paths in such a folder, in the order in which they are tried. */
  readonly paths: readonly { readonly path: string; readonly isPackage: boolean }[];
}

/** Undefined where the name is no path: `from . import x` names a package without a file of its own to read. */
export function importPaths(module: string): ImportPaths | undefined {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const inner = module.slice(dots).replaceAll('.', '/');
  const paths = inner
    ? [{ path: `${inner}.py`, isPackage: false }, { path: `${inner}/__init__.py`, isPackage: true }] // prettier-ignore
    : [{ path: '__init__.py', isPackage: true }];
  return /^[\p{L}\p{N}_/]*$/u.test(inner) ? { up: Math.max(0, dots - 1), isRelative: dots > 0, paths } : undefined;
}

/** How folders lie within each other, wherever they are. */
export interface Folders<Folder> {
  readonly above: (folder: Folder) => Folder;
  /** Whether the search ends here: at the folder of the project, or at a root. */
  readonly isLast: (folder: Folder) => boolean;
}

/** A file that may be a module's. */
export interface Candidate<Folder> {
  readonly folder: Folder;
  /** In that folder. */
  readonly path: string;
  readonly isPackage: boolean;
}

/** The files that may be a module's, in the order in which Python takes them, for a program in the folder `own`. */
export function* candidatesOf<Folder>(
  module: string,
  own: Folder,
  { above, isLast }: Folders<Folder>,
): Generator<Candidate<Folder>, void, undefined> {
  const places = importPaths(module);
  if (!places) return;
  yield* inFolders(places, own, { above, isLast }, '');
  // A package under `src` is installed from there by its project, whose other files import it by its name alone.
  if (!places.isRelative) yield* inFolders(places, own, { above, isLast }, 'src/');
}

function* inFolders<Folder>(
  places: ImportPaths,
  own: Folder,
  { above, isLast }: Folders<Folder>,
  under: string,
): Generator<Candidate<Folder>, void, undefined> {
  let folder = own;
  for (let up = 0; up < places.up; up++) folder = above(folder);
  for (let looked = 1; ; looked++) {
    for (const one of places.paths) yield { ...one, folder, path: under + one.path };
    if (places.isRelative || looked >= importLimits.folders || isLast(folder)) return;
    folder = above(folder);
  }
}

/** Bytes of an imported file that are read at most; folders above the program's in which modules are looked for; files of one program. */
export const importLimits = { bytes: 400_000, folders: 8, files: 40 } as const;
