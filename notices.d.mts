/** The folder of the package that a file lies in, relative as the file is; undefined for what is our own. */
export function packageOf(input: string): string | undefined;
/** The notices of all that was read: `inputs` are paths of esbuild's metafiles, relative to `root`. Throws where a package has no licence text. */
export function noticesOf(root: string, inputs: readonly string[]): string;
/** What is bundled from others as a bill of materials (CycloneDX 1.5, JSON). */
export function billOf(root: string, inputs: readonly string[]): string;
