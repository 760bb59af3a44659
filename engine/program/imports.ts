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

/** Bytes of an imported file that are read at most; folders above the program's in which modules are looked for; files of one program. */
export const importLimits = { bytes: 400_000, folders: 8, files: 40 } as const;
